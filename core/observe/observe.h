/* SPDX-License-Identifier: Apache-2.0 */
/* Shared bookkeeping of the witnesses: per-cycle sums and end-of-cycle levels without a call at every cycle. */
#ifndef CORE_OBSERVE_OBSERVE_H
#define CORE_OBSERVE_OBSERVE_H

#include <slotledger/observe.h>
#include <slotledger/recur.h>

#define SL_OBS_KIND(kind) ((uint32_t)1 << (kind))

/* Values above any cycle's reach on an out-of-order machine; see the bounds in each view. */
#define SL_HISTOGRAM_DIRECT_LIMIT 0x20000u
#define SL_HISTOGRAM_FAR 64u

/* Takes room for values 0..bound from the arena. */
void sl_histogram_take(struct sl_cycle_histogram *h, struct sl_arena *arena, uint64_t bound);
/* Enters the sum of the current cycle. */
void sl_histogram_flush(struct sl_cycle_histogram *h);
/* Its counters: sets 0 to SL_HISTOGRAM_SETS - 1 of an observer, see struct sl_mca_recurring. */
#define SL_HISTOGRAM_SETS 4u
void sl_histogram_counters(struct sl_cycle_histogram *h, unsigned set, struct sl_mca_counters *counters);
/* Flushes, and counts the cycles that saw nothing. */
void sl_histogram_finish(struct sl_cycle_histogram *h, uint32_t cycles);

static inline void sl_histogram_add(struct sl_cycle_histogram *h, uint32_t cycle, uint32_t amount)
{
    if (cycle != h->cycle) {
        sl_histogram_flush(h);
        h->cycle = cycle;
    }
    h->amount += amount;
}

/* Accounts for the ends of all cycles before `cycle`; call it before the value changes in `cycle`. */
static inline void sl_level_settle(struct sl_level *level, uint32_t cycle)
{
    if (cycle != level->cycle) {
        level->sum += (uint64_t)level->value * (cycle - level->cycle);
        level->max = sl_max_u32(level->max, level->value);
        level->cycle = cycle;
    }
}

/* Largest micro-op count of the block's instructions. */
uint32_t sl_obs_max_uops(const struct sl_mca *m);
/* Bound of the micro-ops that one cycle can issue (out of order), or dispatch and issue (in order). */
uint64_t sl_obs_issue_bound(const struct sl_mca *m);
/* resource_of[bit] for the highest bit of every resource's mask. masks: [n_resources], filled too. */
void sl_obs_resource_bits(const struct sl_cpu *cpu, uint64_t *masks, uint8_t *resource_of);

static inline void sl_obs_watch(struct sl_mca *m, struct sl_mca_observer *observer,
                                void (*event)(struct sl_mca_observer *, const struct sl_mca_event *), uint32_t kinds)
{
    observer->event = event;
    observer->kinds = kinds;
    observer->next = NULL;
    observer->recurring = NULL;
    sl_mca_attach(m, observer);
}

/* A set of `n` 32-bit counters next to one another. */
static inline struct sl_mca_counters sl_obs_counters(uint32_t *first, uint32_t n)
{
    return (struct sl_mca_counters){ first, n, n, sizeof *first, false };
}

/* SL_E_ROOM, with the need in m->missing_bytes, when the layout did not fit. */
static inline enum sl_status sl_obs_room(struct sl_mca *m, const struct sl_arena *arena)
{
    if (arena->used_bytes <= arena->size_bytes)
        return SL_OK;
    m->missing_bytes = arena->used_bytes - arena->size_bytes;
    return SL_E_ROOM;
}

#endif
