/* SPDX-License-Identifier: Apache-2.0 */
/* Which events to count together: first fit over the rows of a model, in the order of their level. */
#include "topdown_internal.h"

#define NOWHERE 0xffu

static uint64_t bit(unsigned i)
{
    return i < SL_TOPDOWN_EVENTS ? (uint64_t)1 << i : 0;
}

/* By a fixed counter that is there. */
static bool on_fixed(const struct sl_topdown_event *event, const struct sl_topdown_budget *budget)
{
    return event->fixed < 64 && (budget->fixed >> event->fixed & 1u);
}

static uint64_t fixed_part(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget,
                           uint64_t events)
{
    uint64_t fixed = 0;
    for (uint64_t left = events; left; left &= left - 1u) {
        unsigned i = sl_ctz64(left);
        if (on_fixed(&model->events[i], budget))
            fixed |= bit(i);
    }
    return fixed;
}

/* The lowest free programmable counter of `allowed`. */
static unsigned take_counter(uint64_t *used, uint64_t allowed, unsigned n_counters)
{
    for (unsigned c = 0; c < n_counters && c < 64; c++) {
        if ((allowed >> c & 1u) && !(*used >> c & 1u)) {
            *used |= (uint64_t)1 << c;
            return c;
        }
    }
    return NOWHERE;
}

bool sl_topdown_assign(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget, uint64_t events,
                       uint8_t counters[SL_TOPDOWN_EVENTS])
{
    uint64_t used = 0, left = events & ~fixed_part(model, budget, events);
    for (unsigned i = 0; i < SL_TOPDOWN_EVENTS; i++)
        counters[i] = NOWHERE;
    /* Those with the fewest places first; 0 stands for all of them. */
    for (unsigned places = 1; left && places <= 17; places++) {
        for (uint64_t rest = left; rest; rest &= rest - 1u) {
            unsigned i = sl_ctz64(rest);
            const struct sl_topdown_event *event = &model->events[i];
            uint64_t allowed = event->counters ? event->counters : UINT64_MAX;
            if ((event->counters ? sl_popcount64(allowed) : 17u) != places)
                continue;
            /* Fixed counters and classes have no code that a programmable one could take. */
            counters[i] = event->code_high >= SL_TOPDOWN_HIGH_PAPER
                              ? (uint8_t)NOWHERE
                              : (uint8_t)take_counter(&used, allowed, budget->n_counters);
            if (counters[i] == NOWHERE)
                return false;
            left &= ~bit(i);
        }
    }
    return true;
}

/* Counters of a programmable kind that a set needs, with the restricted ones looked at one by one. */
static bool fits(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget, uint64_t events)
{
    uint64_t used = 0, left = events & ~fixed_part(model, budget, events);
    if (sl_popcount64(left) > budget->n_counters)
        return false;
    for (unsigned pass = 0; pass < 2; pass++) { /* restricted ones first */
        for (uint64_t rest = left; rest; rest &= rest - 1u) {
            const struct sl_topdown_event *event = &model->events[sl_ctz64(rest)];
            if ((event->counters != 0) == (pass == 1))
                continue;
            if (event->code_high >= SL_TOPDOWN_HIGH_PAPER ||
                take_counter(&used, event->counters ? event->counters : UINT64_MAX, budget->n_counters) == NOWHERE)
                return false;
        }
    }
    return true;
}

struct planner {
    const struct sl_topdown_model *model;
    const struct sl_topdown_budget *budget;
    struct sl_topdown_plan *plan;
    uint64_t always; /* events of the total and cycles: in each pass */
    uint64_t exists;
};

/* Into the first pass with room, or a new one. */
static bool place(struct planner *p, uint64_t events)
{
    struct sl_topdown_plan *plan = p->plan;
    events |= p->always;
    for (unsigned i = 0; i < plan->n_passes; i++) {
        if (fits(p->model, p->budget, plan->passes[i].events | events)) {
            plan->passes[i].events |= events;
            return true;
        }
    }
    if (!fits(p->model, p->budget, events))
        return false;
    if (plan->n_passes == SL_TOPDOWN_PASSES) {
        plan->full = true;
        return false;
    }
    plan->passes[plan->n_passes++].events = events;
    return true;
}

#if defined(__GNUC__)
#define NOT_INLINE __attribute__((noinline)) /* keeps the stack of the common path small */
#else
#define NOT_INLINE
#endif

/* One ratio after the other: what lies under a division stays together. The stack holds the events not yet divided. */
NOT_INLINE static bool place_ratios(struct planner *p, const uint8_t *formula)
{
    uint64_t stack[SL_TOPDOWN_STACK] = {0};
    struct formula_step step;
    unsigned depth = 0;
    bool all = true;
    while (formula_next(&formula, &step)) {
        if (step.op == F_ALT)
            continue;
        if (step.op == F_OR)
            formula += step.byte;
        if (step.op < F_ADD || step.op > F_DIV) {
            stack[depth++] = step.event < SL_TOPDOWN_EVENTS ? bit(step.event) & p->exists : 0;
            continue;
        }
        depth--;
        stack[depth - 1] |= stack[depth];
        if (step.op == F_DIV && stack[depth - 1]) {
            all = place(p, stack[depth - 1]) && all;
            stack[depth - 1] = 0;
        }
    }
    return (stack[0] == 0 || place(p, stack[0])) && all;
}

static bool place_row(struct planner *p, const struct sl_topdown_row *row)
{
    uint64_t needed = sl_topdown_row_events(row), wanted = topdown_formula_events(row->formula, true);
    bool ok = (needed & ~p->exists) == 0;
    wanted &= p->exists;
    if (ok && fits(p->model, p->budget, wanted | p->always))
        ok = place(p, wanted);
    else if (ok && fits(p->model, p->budget, needed | p->always))
        ok = place(p, needed);
    else if (ok) {
        ok = place_ratios(p, row->formula);
        p->plan->split = p->plan->split || ok;
    }
    if (!ok)
        p->plan->uncountable |= needed;
    return ok;
}

static bool wanted_row(const struct sl_topdown_row *row, unsigned level, unsigned depth, enum sl_slot_node under)
{
    enum sl_slot_node node = (enum sl_slot_node)row->node;
    if (!row->formula || sl_slot_node_level(node) != depth || depth > level)
        return false;
    if (depth == 1 || under == SL_NODE_TOTAL)
        return true;
    for (; node != SL_NODE_TOTAL; node = sl_slot_node_parent(node)) {
        if (node == under)
            return true;
    }
    return false;
}

enum sl_status sl_topdown_plan(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget,
                               unsigned level, enum sl_slot_node under, struct sl_topdown_plan *plan)
{
    struct planner p = {model, budget, plan, topdown_formula_events(model->total, false) | bit(model->cycles),
                        budget->available ? budget->available : UINT64_MAX};
    const struct sl_topdown_row *row;
    plan->n_passes = 0;
    plan->split = plan->full = false;
    plan->uncountable = 0;
    if ((p.always & ~p.exists) || !fits(model, budget, p.always))
        return SL_E_UNSUPPORTED;
    for (unsigned depth = 1; depth <= level && depth <= SL_SLOT_DEPTH; depth++) {
        for (unsigned i = 0; (row = sl_topdown_row_at(model, i)) != NULL; i++) {
            if (wanted_row(row, level, depth, under) && !place_row(&p, row) && depth == 1)
                return SL_E_UNSUPPORTED;
        }
    }
    for (unsigned i = 0; i < plan->n_passes; i++) {
        struct sl_topdown_pass *pass = &plan->passes[i];
        uint64_t more = pass->events | (bit(model->instructions) & p.exists);
        if (fits(model, budget, more))
            pass->events = more;
        pass->on_fixed = fixed_part(model, budget, pass->events);
    }
    return SL_OK;
}
