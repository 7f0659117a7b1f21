/* SPDX-License-Identifier: Apache-2.0 */
/* How many cycles saw N of something, for N of any size in bounded memory. */
#include "observe.h"

void sl_histogram_take(struct sl_cycle_histogram *h, struct sl_arena *arena, uint64_t bound)
{
    /* A bound past the limit belongs to machines that the limit itself covers: no model has a reorder buffer of 2^16
     * entries, and 2^13 bounds the micro-ops of an instruction. Larger values go to the list. */
    h->n_direct = bound < SL_HISTOGRAM_DIRECT_LIMIT ? (uint32_t)bound + 1u : SL_HISTOGRAM_DIRECT_LIMIT;
    h->far_room = SL_HISTOGRAM_FAR;
    h->n_far = h->lost = h->seen = h->cycle = h->amount = 0;
    h->direct = sl_arena_take(arena, h->n_direct, sizeof *h->direct);
    h->far = sl_arena_take(arena, h->far_room, sizeof *h->far);
}

static void add_far(struct sl_cycle_histogram *h, uint32_t value)
{
    uint32_t at = h->n_far;

    while (at > 0 && h->far[at - 1].value > value)
        at--;
    if (at > 0 && h->far[at - 1].value == value) {
        h->far[at - 1].cycles++;
        return;
    }
    if (h->n_far == h->far_room) {
        h->lost++;
        return;
    }
    for (uint32_t i = h->n_far++; i > at; i--)
        h->far[i] = h->far[i - 1];
    h->far[at].value = value;
    h->far[at].cycles = 1;
}

void sl_histogram_flush(struct sl_cycle_histogram *h)
{
    uint32_t value = h->amount;

    if (value == 0)
        return;
    h->amount = 0;
    h->seen++;
    if (value < h->n_direct)
        h->direct[value]++;
    else
        add_far(h, value);
}

void sl_histogram_counters(struct sl_cycle_histogram *h, unsigned set, struct sl_mca_counters *counters)
{
    switch (set) {
    case 0: *counters = sl_obs_counters(h->direct, h->n_direct); break;
    case 1:
        *counters = (struct sl_mca_counters){ h->far != NULL ? &h->far->cycles : NULL, h->n_far, h->far_room, sizeof *h->far, false };
        break;
    case 2: *counters = sl_obs_counters(&h->seen, 1); break;
    default: *counters = sl_obs_counters(&h->lost, 1); break;
    }
}

void sl_histogram_finish(struct sl_cycle_histogram *h, uint32_t cycles)
{
    sl_histogram_flush(h);
    h->direct[0] = cycles - h->seen;
}

bool sl_cycle_histogram_next(const struct sl_cycle_histogram *h, uint32_t *cursor, struct sl_cycle_count *out)
{
    uint32_t at = *cursor;

    while (at < h->n_direct && h->direct[at] == 0)
        at++;
    *cursor = at + 1u;
    if (at < h->n_direct) {
        out->value = at;
        out->cycles = h->direct[at];
        return true;
    }
    at -= h->n_direct;
    if (at >= h->n_far)
        return false;
    *out = h->far[at];
    return true;
}
