/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: when each instruction of the first iterations was dispatched, ready, issued, executed and retired. */
#include "observe.h"

static uint32_t iterations_shown(const struct sl_mca *m, uint32_t max_iterations)
{
    return sl_min_u32(max_iterations != 0 ? max_iterations : 10u, m->config.iterations);
}

static void layout(struct sl_obs_timeline *o, const struct sl_mca *m, uint32_t max_iterations, struct sl_arena *arena)
{
    uint64_t entries;

    o->n_insns = m->n_insns;
    o->iterations = iterations_shown(m, max_iterations);
    entries = (uint64_t)o->iterations * m->n_insns;
    /* Dynamic indices have 32 bits; more entries than that are a need that no memory meets. */
    o->n_entries = (uint32_t)entries;
    o->entries = sl_arena_take(arena, entries > UINT32_MAX ? SIZE_MAX : (size_t)entries, sizeof *o->entries);
    o->waits = sl_arena_take(arena, m->n_insns, sizeof *o->waits);
}

size_t sl_obs_timeline_need(const struct sl_mca *m, uint32_t max_iterations)
{
    struct sl_obs_timeline o;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, max_iterations, &arena);
    return arena.used_bytes < SIZE_MAX - SL_ARENA_ALIGN ? arena.used_bytes + SL_ARENA_ALIGN : SIZE_MAX;
}

static void retired(struct sl_obs_timeline *o, struct sl_timeline_entry *entry, const struct sl_mca_event *e)
{
    struct sl_timeline_wait *wait = &o->waits[e->position];

    if (e->cycle < o->max_cycles)
        entry->retired = e->cycle;
    wait->queued += entry->issued - (uint32_t)entry->dispatched;
    wait->ready += entry->issued - entry->ready;
    if (e->cycle > entry->executed)
        wait->written_back += e->cycle - 1u - entry->executed;
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_timeline *o = (struct sl_obs_timeline *)self;
    struct sl_timeline_entry *entry;

    if (e->iid >= o->n_entries)
        return;
    entry = &o->entries[e->iid];
    switch (e->kind) {
    case SL_MCA_DISPATCHED:
        if (entry->dispatched < 0)
            entry->dispatched = (int32_t)e->cycle;
        break;
    case SL_MCA_READY: entry->ready = e->cycle; break;
    case SL_MCA_ISSUED: entry->issued = e->cycle; break;
    case SL_MCA_EXECUTED: entry->executed = e->cycle; break;
    case SL_MCA_RETIRED: retired(o, entry, e); break;
    default: return;
    }
    if (e->cycle < o->max_cycles)
        o->last_cycle = sl_max_u32(o->last_cycle, e->cycle);
}

/* The recorded iterations must be over. */
static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    return moment->oldest_iid >= ((const struct sl_obs_timeline *)self)->n_entries;
}

static const struct sl_mca_recurring recurring = { settle, NULL, NULL, NULL };

enum sl_status sl_obs_timeline_init(struct sl_obs_timeline *o, struct sl_mca *m, uint32_t max_iterations,
                                    uint32_t max_cycles, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    enum sl_status err;

    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, max_iterations, &arena);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    for (uint32_t i = 0; i < o->n_entries; i++)
        o->entries[i].dispatched = -1;
    o->last_cycle = 0;
    o->max_cycles = max_cycles != 0 ? max_cycles : UINT32_MAX;
    sl_obs_watch(m, &o->observer, event,
                 SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_READY) | SL_OBS_KIND(SL_MCA_ISSUED) |
                     SL_OBS_KIND(SL_MCA_EXECUTED) | SL_OBS_KIND(SL_MCA_RETIRED));
    o->observer.recurring = &recurring;
    return SL_OK;
}
