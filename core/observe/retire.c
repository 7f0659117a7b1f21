/* SPDX-License-Identifier: Apache-2.0 */
/* Retire statistics: instructions retired in each cycle, and how full the reorder buffer is. */
#include "observe.h"

/* No cycle of an out-of-order machine retires more instructions: each holds at least one entry. In order there is no
 * proof short of the length of the run (instructions without micro-ops cost no bandwidth); with micro-ops it is the
 * width for each different latency, far less than the table and the list behind it hold. */
static uint64_t bound(const struct sl_mca *m)
{
    uint32_t entries = sl_obs_reorder_buffer(m->cpu);

    if (m->in_order)
        return 256;
    return m->cpu->max_retire_per_cycle != 0 ? sl_min_u32(m->cpu->max_retire_per_cycle, entries) : entries;
}

size_t sl_obs_retire_need(const struct sl_mca *m)
{
    struct sl_cycle_histogram h;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    sl_histogram_take(&h, &arena, bound(m));
    return arena.used_bytes + SL_ARENA_ALIGN;
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_retire *o = (struct sl_obs_retire *)self;

    sl_level_settle(&o->in_use, e->cycle);
    if (e->kind == SL_MCA_DISPATCHED) {
        o->in_use.value += e->uops;
        return;
    }
    o->in_use.value -= e->insn->desc->uops;
    sl_histogram_add(&o->retired, e->cycle, 1);
}

static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    struct sl_obs_retire *o = (struct sl_obs_retire *)self;

    sl_histogram_flush(&o->retired);
    sl_level_settle(&o->in_use, moment->cycle);
    return true;
}

static void state(const struct sl_mca_observer *self, const struct sl_mca_moment *moment, struct sl_mca_words *words)
{
    const struct sl_obs_retire *o = (const struct sl_obs_retire *)self;

    (void)moment;
    sl_mca_word(words, o->retired.n_far);
    sl_mca_word(words, o->in_use.value);
}

static bool counters(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *out)
{
    struct sl_obs_retire *o = (struct sl_obs_retire *)self;

    if (index < SL_HISTOGRAM_SETS)
        sl_histogram_counters(&o->retired, index, out);
    else
        *out = (struct sl_mca_counters){ &o->in_use.sum, 1, 1, sizeof o->in_use, true };
    return index <= SL_HISTOGRAM_SETS;
}

static void shift(struct sl_mca_observer *self, const struct sl_mca_moment *moment, uint32_t cycles, uint32_t iids)
{
    (void)moment;
    (void)iids;
    ((struct sl_obs_retire *)self)->in_use.cycle += cycles;
}

static const struct sl_mca_recurring recurring = { settle, state, counters, shift };

enum sl_status sl_obs_retire_init(struct sl_obs_retire *o, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    enum sl_status err;

    sl_arena_init(&arena, mem, mem_bytes);
    sl_histogram_take(&o->retired, &arena, bound(m));
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    o->m = m;
    o->in_use = (struct sl_level){ 0 };
    sl_obs_watch(m, &o->observer, event, SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_RETIRED));
    o->observer.recurring = &recurring;
    return SL_OK;
}

void sl_obs_retire_finish(struct sl_obs_retire *o)
{
    sl_histogram_finish(&o->retired, o->m->cycles);
    sl_level_settle(&o->in_use, o->m->cycles);
}
