/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduler statistics: micro-ops issued in each cycle, and how full the scheduler buffers are. */
#include "observe.h"

static void layout(struct sl_obs_scheduler *o, const struct sl_mca *m, struct sl_arena *arena, uint64_t **masks)
{
    sl_histogram_take(&o->issued, arena, sl_obs_issue_bound(m));
    o->buffers = sl_arena_take(arena, m->cpu->n_resources, sizeof *o->buffers);
    *masks = sl_arena_take(arena, m->cpu->n_resources, sizeof **masks);
}

size_t sl_obs_scheduler_need(const struct sl_mca *m)
{
    struct sl_obs_scheduler o;
    struct sl_arena arena;
    uint64_t *masks;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, &arena, &masks);
    return arena.used_bytes + SL_ARENA_ALIGN;
}

/* step: 1, or 2^32 - 1 for one less. */
static void change(struct sl_obs_scheduler *o, uint32_t resource, uint32_t cycle, uint32_t step)
{
    struct sl_level *level = &o->buffers[resource];

    sl_level_settle(level, cycle);
    level->value += step;
}

/* Load and store queue entries are counted by what an instruction does, not by its buffers. */
static void buffers(struct sl_obs_scheduler *o, const struct sl_mca_event *e, uint32_t step)
{
    const struct sl_cpu *cpu = o->m->cpu;

    for (uint64_t bits = e->mask; bits != 0; bits &= bits - 1u) {
        unsigned resource = o->resource_of[sl_ctz64(bits)];

        if (resource != cpu->load_queue && resource != cpu->store_queue)
            change(o, resource, e->cycle, step);
    }
}

/* A carried-over instruction is dispatched several times but takes one queue entry. */
static void enter_queues(struct sl_obs_scheduler *o, const struct sl_mca_event *e)
{
    uint32_t load = o->m->cpu->load_queue, store = o->m->cpu->store_queue;

    if (load != 0 && e->insn->may_load && e->iid != o->last_load) {
        change(o, load, e->cycle, 1);
        o->last_load = e->iid;
    }
    if (store != 0 && e->insn->may_store && e->iid != o->last_store) {
        change(o, store, e->cycle, 1);
        o->last_store = e->iid;
    }
}

static void leave_queues(struct sl_obs_scheduler *o, const struct sl_mca_event *e)
{
    uint32_t load = o->m->cpu->load_queue, store = o->m->cpu->store_queue;

    if (load != 0 && e->insn->may_load)
        change(o, load, e->cycle, UINT32_MAX);
    if (store != 0 && e->insn->may_store)
        change(o, store, e->cycle, UINT32_MAX);
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_scheduler *o = (struct sl_obs_scheduler *)self;

    switch (e->kind) {
    case SL_MCA_ISSUED: sl_histogram_add(&o->issued, e->cycle, e->insn->desc->uops); break;
    case SL_MCA_BUFFERS_RESERVED: buffers(o, e, 1); break;
    case SL_MCA_BUFFERS_RELEASED: buffers(o, e, UINT32_MAX); break;
    case SL_MCA_DISPATCHED: enter_queues(o, e); break;
    case SL_MCA_EXECUTED: leave_queues(o, e); break;
    default: break;
    }
}

static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    struct sl_obs_scheduler *o = (struct sl_obs_scheduler *)self;

    sl_histogram_flush(&o->issued);
    for (unsigned i = 0; i < o->m->cpu->n_resources; i++)
        sl_level_settle(&o->buffers[i], moment->cycle);
    return true;
}

/* Only the rest of an instruction that is dispatched over several cycles is looked up: the youngest load or store. */
static uint32_t age(const struct sl_mca_moment *moment, uint32_t iid)
{
    return iid == UINT32_MAX ? 0 : moment->next_iid - iid;
}

static void state(const struct sl_mca_observer *self, const struct sl_mca_moment *moment, struct sl_mca_words *words)
{
    const struct sl_obs_scheduler *o = (const struct sl_obs_scheduler *)self;

    sl_mca_word(words, o->issued.n_far);
    sl_mca_word(words, age(moment, o->last_load));
    sl_mca_word(words, age(moment, o->last_store));
    for (unsigned i = 0; i < o->m->cpu->n_resources; i++)
        sl_mca_word(words, o->buffers[i].value);
}

static bool counters(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *out)
{
    struct sl_obs_scheduler *o = (struct sl_obs_scheduler *)self;
    uint32_t n = o->m->cpu->n_resources;

    if (index < SL_HISTOGRAM_SETS)
        sl_histogram_counters(&o->issued, index, out);
    else
        *out = (struct sl_mca_counters){ &o->buffers->sum, n, n, sizeof *o->buffers, true };
    return index <= SL_HISTOGRAM_SETS;
}

static void shift(struct sl_mca_observer *self, const struct sl_mca_moment *moment, uint32_t cycles, uint32_t iids)
{
    struct sl_obs_scheduler *o = (struct sl_obs_scheduler *)self;

    (void)moment;
    for (unsigned i = 0; i < o->m->cpu->n_resources; i++)
        o->buffers[i].cycle += cycles;
    o->last_load += o->last_load == UINT32_MAX ? 0 : iids;
    o->last_store += o->last_store == UINT32_MAX ? 0 : iids;
}

static const struct sl_mca_recurring recurring = { settle, state, counters, shift };

enum sl_status sl_obs_scheduler_init(struct sl_obs_scheduler *o, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    const struct sl_cpu *cpu = m->cpu;
    uint32_t kinds = SL_OBS_KIND(SL_MCA_ISSUED) | SL_OBS_KIND(SL_MCA_BUFFERS_RESERVED) |
                     SL_OBS_KIND(SL_MCA_BUFFERS_RELEASED);
    struct sl_arena arena;
    enum sl_status err;
    uint64_t *masks;

    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, &arena, &masks);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    o->m = m;
    o->last_load = o->last_store = UINT32_MAX;
    sl_obs_resource_bits(cpu, masks, o->resource_of);
    if (cpu->load_queue != 0 || cpu->store_queue != 0)
        kinds |= SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_EXECUTED);
    sl_obs_watch(m, &o->observer, event, kinds);
    o->observer.recurring = &recurring;
    return SL_OK;
}

void sl_obs_scheduler_finish(struct sl_obs_scheduler *o)
{
    sl_histogram_finish(&o->issued, o->m->cycles);
    for (unsigned i = 0; i < o->m->cpu->n_resources; i++)
        sl_level_settle(&o->buffers[i], o->m->cycles);
}
