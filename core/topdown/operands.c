/* SPDX-License-Identifier: Apache-2.0 */
/* The stack machine behind the formulas. Beside each value goes its relative standard error, propagated for independent
 * operands: sums add absolute errors, products and quotients relative ones, both as squares. */
#include "evaluate.h"

#define MILLION 1000000u

static uint32_t pythagoras(uint64_t a, uint64_t b)
{
    uint64_t root = sl_sqrt128(sl_add128(sl_mul64(a, a), sl_mul64(b, b)));
    return root < SL_ERROR_UNKNOWN ? (uint32_t)root : SL_ERROR_UNKNOWN - 1u;
}

/* |part| / |whole| times a relative error: the error relative to whole. */
static uint64_t carried(struct sl_topdown *t, const struct sl_topdown_operand *part, const struct sl_ratio *whole)
{
    uint64_t error;
    t->work.value = part->value;
    sl_ratio_div(&t->work.value, whole);
    error = sl_ratio_scale(&t->work.value, part->error_ppm, NULL);
    return error < UINT32_MAX ? error : UINT32_MAX;
}

static uint32_t sum_error(struct sl_topdown *t, const struct sl_topdown_operand *a, const struct sl_topdown_operand *b,
                          const struct sl_ratio *sum)
{
    if (a->error_ppm == 0 && b->error_ppm == 0)
        return 0;
    if (a->error_ppm == SL_ERROR_UNKNOWN || b->error_ppm == SL_ERROR_UNKNOWN || sl_ratio_is_zero(sum))
        return SL_ERROR_UNKNOWN;
    return pythagoras(carried(t, a, sum), carried(t, b, sum));
}

static uint32_t product_error(const struct sl_topdown_operand *a, const struct sl_topdown_operand *b)
{
    if (a->error_ppm == SL_ERROR_UNKNOWN || b->error_ppm == SL_ERROR_UNKNOWN)
        return SL_ERROR_UNKNOWN;
    return a->error_ppm || b->error_ppm ? pythagoras(a->error_ppm, b->error_ppm) : 0;
}

static struct sl_topdown_operand *push(struct sl_topdown *t)
{
    struct sl_topdown_operand *top = &t->stack[t->depth++];
    top->error_ppm = 0;
    return top;
}

static uint32_t push_number(struct sl_topdown *t, uint64_t number, uint32_t if_zero)
{
    sl_ratio_set(&push(t)->value, number, 1);
    return number ? 0 : if_zero;
}

/* Another group counted for another time: its counts are brought to the row's by cycles, or by time. */
static void to_group(struct sl_topdown *t, const struct sl_topdown_count *count, struct sl_ratio *value)
{
    const struct sl_topdown_count *here = NULL, *there = NULL;
    t->quality |= SL_SLOT_SPLIT;
    if (t->model->cycles < SL_TOPDOWN_EVENTS) {
        here = topdown_count(t, t->model->cycles, t->group);
        there = topdown_count(t, t->model->cycles, count->group);
    }
    if (here && there && there->value > 0)
        sl_ratio_set(&t->work.value, here->value, there->value);
    else if (!count->scaled && count->running > 0 && count->running < count->enabled)
        sl_ratio_set(&t->work.value, count->enabled, count->running);
    else
        return;
    sl_ratio_mul(value, &t->work.value);
}

static const struct sl_topdown_count *find_count(const struct sl_topdown *t, unsigned event)
{
    const struct sl_topdown_count *count = topdown_count(t, event, t->group);
    for (size_t n = 0; !count && n < t->n_counts; n++) {
        if (t->counts[n].group != t->group)
            count = topdown_count(t, event, t->counts[n].group);
    }
    return count;
}

static uint32_t push_event(struct sl_topdown *t, unsigned event)
{
    const struct sl_topdown_count *count = find_count(t, event);
    struct sl_topdown_operand *top;
    if (!count)
        return SL_SLOT_MISSING;
    top = push(t);
    sl_ratio_set(&top->value, count->value, 1);
    t->quality |= count->quality;
    if (count->running < count->enabled) {
        t->quality |= SL_SLOT_MULTIPLEXED;
        t->share_ppm = sl_min_u32(t->share_ppm, (uint32_t)sl_muldiv64(count->running, MILLION, count->enabled, NULL));
        top->error_ppm = sl_topdown_standard_error(count->value, count->squares, count->windows, count->all_windows);
    }
    if (count->group != t->group)
        to_group(t, count, &top->value);
    return 0;
}

/* Of the tree's own domain if the node has both. */
static uint32_t push_node(struct sl_topdown *t, enum sl_slot_node node)
{
    const struct sl_slot_value *v = sl_slot_tree_find(&t->tree, node, (enum sl_slot_domain)t->tree.domain);
    struct sl_topdown_operand *top;
    if (!v || (v->quality & SL_SLOT_NO_VALUE))
        return v ? v->quality & SL_SLOT_NO_VALUE : SL_SLOT_MISSING;
    top = push(t);
    top->value = v->value;
    t->quality |= v->quality & (SL_SLOT_WRAPPED | SL_SLOT_MULTIPLEXED | SL_SLOT_SPLIT | SL_SLOT_PASSES_DIFFER |
                                SL_SLOT_AMBIGUOUS | SL_SLOT_INCONSISTENT | SL_SLOT_INTERRUPTED | SL_SLOT_APPROXIMATE);
    t->share_ppm = sl_min_u32(t->share_ppm, v->share_ppm);
    if (v->error_ppm == SL_ERROR_UNKNOWN) {
        top->error_ppm = SL_ERROR_UNKNOWN;
    } else if (v->error_ppm) {
        sl_ratio_set(&t->work.value, v->error_ppm, MILLION);
        sl_ratio_div(&t->work.value, &v->value);
        top->error_ppm = sl_ratio_is_value(&t->work.value) ? (uint32_t)sl_ratio_scale(&t->work.value, MILLION, NULL)
                                                           : SL_ERROR_UNKNOWN;
    }
    return 0;
}

static uint32_t combine(struct sl_topdown *t, uint8_t op)
{
    struct sl_topdown_operand *b = &t->stack[--t->depth], *a = &t->stack[t->depth - 1u], old;
    if (op == F_MUL || op == F_DIV) {
        a->error_ppm = product_error(a, b);
        if (op == F_MUL)
            sl_ratio_mul(&a->value, &b->value);
        else
            sl_ratio_div(&a->value, &b->value);
        return sl_ratio_is_value(&a->value) ? 0 : SL_SLOT_NO_DENOMINATOR;
    }
    old = *a;
    if (op == F_ADD)
        sl_ratio_add(&a->value, &b->value);
    else
        sl_ratio_sub(&a->value, &b->value);
    a->error_ppm = sum_error(t, &old, b, &a->value);
    return 0;
}

static uint32_t run_step(struct sl_topdown *t, const struct formula_step *step, const uint8_t **at)
{
    bool counted = step->event < SL_TOPDOWN_EVENTS && find_count(t, step->event);
    switch (step->op) {
    case F_EVENT:
        return push_event(t, step->event);
    case F_NODE:
        return push_node(t, (enum sl_slot_node)step->byte);
    case F_WIDTH:
        return push_number(t, t->config->width, SL_SLOT_PARAMETER);
    case F_PENALTY:
        return push_number(t, t->config->penalty, SL_SLOT_PARAMETER);
    case F_CONST:
        return push_number(t, step->byte, 0);
    case F_OPT:
        return counted ? push_event(t, step->event) : push_number(t, 0, 0);
    case F_ALT:
    case F_OR:
        if (!counted)
            return 0;
        *at += step->byte;
        return push_event(t, step->event);
    default:
        return combine(t, step->op);
    }
}

uint32_t topdown_formula(struct sl_topdown *t, const uint8_t *formula)
{
    struct formula_step step;
    t->depth = 0;
    while (formula_next(&formula, &step)) {
        uint32_t missing = run_step(t, &step, &formula);
        if (missing)
            return missing;
    }
    return 0;
}
