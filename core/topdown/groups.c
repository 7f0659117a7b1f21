/* SPDX-License-Identifier: Apache-2.0 */
/* Which counts were made at the same time, and how far the groups agree. */
#include "evaluate.h"

#define MILLION 1000000u

static bool same_event(const struct sl_topdown *t, unsigned i, uint64_t code)
{
    return code == sl_topdown_event_code(t->model, i) || code == topdown_other_code(t->model, i);
}

/* Not counted at all: wanted, but never on a counter. */
static bool never_ran(const struct sl_topdown_count *count)
{
    return count->enabled > 0 && count->running == 0;
}

const struct sl_topdown_count *topdown_count(const struct sl_topdown *t, unsigned i, uint16_t group)
{
    for (size_t n = 0; n < t->n_counts; n++) {
        const struct sl_topdown_count *count = &t->counts[n];
        if (count->group == group && same_event(t, i, count->code) && !never_ran(count))
            return count;
    }
    return NULL;
}

static unsigned covered(const struct sl_topdown *t, const uint8_t *formula, uint16_t group)
{
    struct formula_step step;
    uint64_t seen = 0;
    while (formula_next(&formula, &step)) {
        if (step.event < SL_TOPDOWN_EVENTS && topdown_count(t, step.event, group))
            seen |= (uint64_t)1 << step.event;
    }
    return sl_popcount64(seen);
}

void topdown_choose_group(struct sl_topdown *t, const uint8_t *formula)
{
    unsigned best = covered(t, formula, t->total_group);
    t->group = t->total_group;
    for (size_t n = 0; n < t->n_counts; n++) {
        uint16_t group = t->counts[n].group;
        unsigned found;
        if (group == t->group || (n > 0 && group == t->counts[n - 1].group))
            continue;
        found = covered(t, formula, group);
        if (found > best) {
            best = found;
            t->group = group;
        }
    }
}

uint64_t topdown_extrapolate(const struct sl_topdown *t, uint64_t value)
{
    for (size_t n = 0; n < t->n_counts; n++) {
        const struct sl_topdown_count *count = &t->counts[n];
        if (count->group == t->group && !count->scaled && count->running > 0 && count->running < count->enabled)
            return sl_muldiv64(value, count->enabled, count->running, NULL);
    }
    return value;
}

static uint32_t difference_ppm(uint64_t a, uint64_t b)
{
    uint64_t large = a > b ? a : b, small = a > b ? b : a;
    return large ? (uint32_t)sl_muldiv64(large - small, MILLION, large, NULL) : 0;
}

/* Of one event between all groups: against the first that has it. */
static uint32_t spread_ppm(const struct sl_topdown *t, unsigned i)
{
    const struct sl_topdown_count *first = NULL;
    uint32_t largest = 0;
    for (size_t n = 0; i < SL_TOPDOWN_EVENTS && n < t->n_counts; n++) {
        const struct sl_topdown_count *count = &t->counts[n];
        /* Time slices are of different length by nature; passes are not. */
        if (!same_event(t, i, count->code) || count->running < count->enabled)
            continue;
        if (!first)
            first = count;
        else if (count->group != first->group)
            largest = sl_max_u32(largest, difference_ppm(first->value, count->value));
    }
    return largest;
}

/* Cycles on a programmable counter against the fixed one of the same group (TMA's MUX metric). */
static uint32_t mux_ppm(const struct sl_topdown *t)
{
    uint64_t own, other;
    if (t->model->cycles >= SL_TOPDOWN_EVENTS)
        return 0;
    own = sl_topdown_event_code(t->model, t->model->cycles);
    other = topdown_other_code(t->model, t->model->cycles);
    for (size_t a = 0; own != other && a < t->n_counts; a++) {
        for (size_t b = 0; t->counts[a].code == own && b < t->n_counts; b++) {
            uint64_t ppm;
            if (t->counts[b].code != other || t->counts[b].group != t->counts[a].group || t->counts[b].value == 0)
                continue;
            ppm = sl_muldiv64(t->counts[a].value, MILLION, t->counts[b].value, NULL);
            return ppm < UINT32_MAX ? (uint32_t)ppm : UINT32_MAX;
        }
    }
    return 0;
}

void topdown_compare_groups(struct sl_topdown *t)
{
    t->passes_ppm = sl_max_u32(spread_ppm(t, t->model->cycles), spread_ppm(t, t->model->instructions));
    t->mux_ppm = mux_ppm(t);
}

static uint64_t fact(struct sl_topdown *t, unsigned i)
{
    const struct sl_topdown_count *count = i < SL_TOPDOWN_EVENTS ? topdown_count(t, i, t->total_group) : NULL;
    for (size_t n = 0; !count && i < SL_TOPDOWN_EVENTS && n < t->n_counts; n++) {
        if (same_event(t, i, t->counts[n].code))
            count = &t->counts[n];
    }
    return count ? count->value : 0;
}

void topdown_facts(struct sl_topdown *t)
{
    t->cycles = fact(t, t->model->cycles);
    t->instructions = fact(t, t->model->instructions);
    t->unused = 0;
    for (size_t n = 0; n < t->n_counts; n++)
        t->unused += sl_topdown_event_find(t->model, t->counts[n].code) == SL_TOPDOWN_EVENTS;
}
