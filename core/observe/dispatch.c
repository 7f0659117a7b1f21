/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch statistics: stalls by kind, and micro-ops dispatched in each cycle. */
#include "observe.h"

/* No cycle dispatches more micro-ops. Out of order that is the width, but also (the width may be given as 2^32 - 1)
 * what is left of a carried-over instruction plus what finds room in the reorder buffer. */
static uint64_t bound(const struct sl_mca *m)
{
    uint64_t most;

    if (m->in_order)
        return sl_obs_issue_bound(m);
    most = sl_obs_issue_bound(m) + sl_obs_max_uops(m);
    return m->config.dispatch_width < most ? m->config.dispatch_width : most;
}

size_t sl_obs_dispatch_need(const struct sl_mca *m)
{
    struct sl_cycle_histogram h;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    sl_histogram_take(&h, &arena, bound(m));
    return arena.used_bytes + SL_ARENA_ALIGN;
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_dispatch *o = (struct sl_obs_dispatch *)self;

    if (e->kind == SL_MCA_DISPATCHED)
        sl_histogram_add(&o->dispatched, e->cycle, e->uops);
    else
        o->stalls[e->detail]++;
}

static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    (void)moment;
    sl_histogram_flush(&((struct sl_obs_dispatch *)self)->dispatched);
    return true;
}

static void state(const struct sl_mca_observer *self, const struct sl_mca_moment *moment, struct sl_mca_words *words)
{
    (void)moment;
    sl_mca_word(words, ((const struct sl_obs_dispatch *)self)->dispatched.n_far);
}

static bool counters(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *out)
{
    struct sl_obs_dispatch *o = (struct sl_obs_dispatch *)self;

    if (index < SL_HISTOGRAM_SETS)
        sl_histogram_counters(&o->dispatched, index, out);
    else
        *out = sl_obs_counters(o->stalls, SL_MCA_STALL_KINDS);
    return index <= SL_HISTOGRAM_SETS;
}

static const struct sl_mca_recurring recurring = { settle, state, counters, NULL };

enum sl_status sl_obs_dispatch_init(struct sl_obs_dispatch *o, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    enum sl_status err;

    sl_arena_init(&arena, mem, mem_bytes);
    sl_histogram_take(&o->dispatched, &arena, bound(m));
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    o->m = m;
    for (unsigned i = 0; i < SL_MCA_STALL_KINDS; i++)
        o->stalls[i] = 0;
    sl_obs_watch(m, &o->observer, event, SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_STALL));
    o->observer.recurring = &recurring;
    return SL_OK;
}

void sl_obs_dispatch_finish(struct sl_obs_dispatch *o)
{
    sl_histogram_finish(&o->dispatched, o->m->cycles);
}
