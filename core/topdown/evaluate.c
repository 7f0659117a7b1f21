/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of one region -> slot tree. */
#include "evaluate.h"

#define MILLION           1000000u
#define PASSES_DIFFER_PPM 20000u /* 2 % */
#define TOTAL_BITS        60u

/* What came of a row's formula, as SL_SLOT_NO_VALUE bits, or 0. */
static uint32_t row_value(struct sl_topdown *t, const struct sl_topdown_row *row, struct sl_slot_value *v)
{
    uint32_t missing;
    t->quality = 0;
    t->share_ppm = MILLION;
    topdown_choose_group(t, row->formula);
    missing = topdown_formula(t, row->formula);
    v->share_ppm = t->share_ppm;
    if (missing)
        return missing;
    v->raw = t->stack[0].value;
    if (t->passes_ppm > PASSES_DIFFER_PPM && ((t->quality & SL_SLOT_SPLIT) || t->group != t->total_group))
        t->quality |= SL_SLOT_PASSES_DIFFER;
    v->quality |= t->quality;
    if (t->stack[0].error_ppm == SL_ERROR_UNKNOWN) {
        v->error_ppm = SL_ERROR_UNKNOWN;
    } else if (t->stack[0].error_ppm) {
        uint64_t error = sl_ratio_scale(&v->raw, t->stack[0].error_ppm, NULL);
        v->error_ppm = error < SL_ERROR_UNKNOWN ? (uint32_t)error : SL_ERROR_UNKNOWN - 1u;
    }
    return 0;
}

static void add_row(struct sl_topdown *t, const struct sl_topdown_row *row)
{
    struct sl_slot_value *v = sl_slot_tree_add(&t->tree, (enum sl_slot_node)row->node, (enum sl_slot_domain)row->domain,
                                               (enum sl_slot_part)row->part);
    if (!v)
        return;
    if (row->quality & SL_TOPDOWN_ROW_APPROXIMATE)
        v->quality |= SL_SLOT_APPROXIMATE;
    if (row->formula)
        v->quality |= row_value(t, row, v);
}

/* Level 1: all of the model's first part below TOTAL and of its domain. Number of values that came of it. */
static unsigned level1(struct sl_topdown *t)
{
    const struct sl_topdown_rows *rows = &t->model->parts[0];
    unsigned n = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (sl_slot_node_parent((enum sl_slot_node)rows->rows[i].node) != SL_NODE_TOTAL)
            continue;
        add_row(t, &rows->rows[i]);
        if (t->tree.n_values && rows->rows[i].formula)
            n += (t->tree.values[t->tree.n_values - 1u].quality & SL_SLOT_NO_VALUE) == 0;
    }
    sl_slot_tree_partition(&t->tree, SL_NODE_TOTAL, (enum sl_slot_domain)t->tree.domain);
    return n;
}

static bool in_level1(const struct sl_topdown *t, unsigned i)
{
    return i < t->model->parts[0].n_rows &&
           sl_slot_node_parent((enum sl_slot_node)t->model->parts[0].rows[i].node) == SL_NODE_TOTAL;
}

/* Below level 1: siblings stand together in a model, so a group is made to fit as soon as its last member is there. */
static void deeper(struct sl_topdown *t)
{
    const struct sl_topdown_row *row = sl_topdown_row_at(t->model, 0), *next;
    for (unsigned i = 0; row; i++, row = next) {
        enum sl_slot_node parent = sl_slot_node_parent((enum sl_slot_node)row->node);
        next = sl_topdown_row_at(t->model, i + 1u);
        if (in_level1(t, i))
            continue;
        add_row(t, row);
        if (!next || next->domain != row->domain || sl_slot_node_parent((enum sl_slot_node)next->node) != parent)
            sl_slot_tree_partition(&t->tree, parent, (enum sl_slot_domain)row->domain);
    }
}

/* The whole region's slots or cycles; 0 if they cannot be known. */
static enum sl_status count_total(struct sl_topdown *t, uint64_t *total)
{
    uint64_t value;
    *total = 0;
    t->quality = 0;
    t->share_ppm = MILLION;
    topdown_choose_group(t, t->model->total);
    t->total_group = t->group;
    if (topdown_formula(t, t->model->total) != 0 || t->stack[0].value.negative)
        return SL_OK;
    value = sl_ratio_scale(&t->stack[0].value, 1, NULL);
    value = topdown_extrapolate(t, value);
    if (value >> TOTAL_BITS)
        return SL_E_ARGUMENT;
    *total = value;
    return SL_OK;
}

static enum sl_status try_model(struct sl_topdown *t, const struct sl_topdown_model *model, unsigned *n_values)
{
    uint64_t total;
    enum sl_status status;
    t->model = model;
    status = count_total(t, &total);
    if (status)
        return status;
    sl_slot_tree_init(&t->tree, (enum sl_slot_kind)model->kind, (enum sl_slot_domain)model->domain, total);
    t->tree.quality = t->quality & SL_SLOT_MULTIPLEXED;
    *n_values = level1(t);
    return SL_OK;
}

/* The first model of the chain whose level 1 is whole; else the first that gives any of it; else none: the first one's
 * remaining nodes. */
static enum sl_status choose_model(struct sl_topdown *t, const struct sl_topdown_model *first)
{
    const struct sl_topdown_model *some = NULL;
    unsigned n;
    for (const struct sl_topdown_model *model = first; model; model = model->fallback) {
        enum sl_status status = try_model(t, model, &n);
        if (status)
            return status;
        if (t->tree.complete)
            return SL_OK;
        if (n > 0 && t->tree.total > 0 && !some)
            some = model;
    }
    if (some)
        return try_model(t, some, &n);
    t->model = first;
    sl_slot_tree_init(&t->tree, SL_KIND_NONE, (enum sl_slot_domain)first->domain, 0);
    return SL_OK;
}

enum sl_status sl_topdown_evaluate(struct sl_topdown *t, const struct sl_topdown_model *model,
                                   const struct sl_topdown_config *config, const struct sl_topdown_count *counts,
                                   size_t n_counts)
{
    enum sl_status status;
    t->config = config;
    t->counts = counts;
    t->n_counts = n_counts;
    t->model = model;
    t->total_group = 0;
    topdown_compare_groups(t);
    status = choose_model(t, model);
    if (status)
        return status;
    topdown_facts(t);
    if (t->passes_ppm > PASSES_DIFFER_PPM)
        t->tree.quality |= SL_SLOT_PASSES_DIFFER;
    deeper(t);
    for (unsigned i = 0; i < t->tree.n_values; i++)
        t->tree.quality |= t->tree.values[i].quality &
                           (SL_SLOT_WRAPPED | SL_SLOT_MULTIPLEXED | SL_SLOT_AMBIGUOUS | SL_SLOT_INTERRUPTED);
    sl_topdown_verdict(&t->tree, config->thresholds     ? config->thresholds
                                 : t->model->thresholds ? t->model->thresholds
                                                        : &sl_topdown_thresholds_default);
    t->config = NULL;
    t->counts = NULL;
    return SL_OK;
}
