/* SPDX-License-Identifier: Apache-2.0 */
/* The cores that Top-Down accounting knows, and the passes their events need. */
#include "topdown_internal.h"

#include <inttypes.h>

/* Deepest level that a model has. */
static unsigned depth(const struct sl_topdown_model *model)
{
    const struct sl_topdown_row *row;
    unsigned deepest = 0;
    for (unsigned i = 0; (row = sl_topdown_row_at(model, i)) != NULL; i++) {
        unsigned level = sl_slot_node_level((enum sl_slot_node)row->node);
        deepest = level > deepest ? level : deepest;
    }
    return deepest;
}

static void remark(const struct sl_topdown_core *core, FILE *out)
{
    enum sl_slot_kind kind = (enum sl_slot_kind)core->model->kind;
    bool level1 = sl_slot_kind_is_level1(kind);
    const char *more = core->flags & SL_TOPDOWN_WIDTH_UNVERIFIED ? "width not published"
                       : core->flags & SL_TOPDOWN_UNVERIFIED     ? "not verified"
                                                                 : NULL;
    if (!level1)
        fprintf(out, "  %s", kind == SL_KIND_NONE ? "time and raw counts only" : topdown_kind_text(kind));
    if (more)
        fprintf(out, "%s%s", level1 ? "  " : "; ", more);
}

void topdown_list_cores(FILE *out)
{
    const struct sl_topdown_core *core;
    fprintf(out, "%-24s %-14s %5s %6s  %s\n", "core", "kind", "width", "levels", "remarks");
    for (size_t i = 0; (core = sl_topdown_core_at(i)) != NULL; i++) {
        const struct sl_topdown_model *model = core->model;
        char width[16] = "-";
        if (core->flags & SL_TOPDOWN_ANY_WIDTH)
            snprintf(width, sizeof width, "W");
        else if (core->width)
            snprintf(width, sizeof width, "%u", core->width);
        fprintf(out, "%-24s %-14s %5s %6u", core->name, sl_slot_kind_name((enum sl_slot_kind)model->kind), width,
                depth(model));
        remark(core, out);
        fputc('\n', out);
    }
}

/* All fixed counters that the architecture has. */
static uint64_t fixed_counters(const struct sl_topdown_model *model)
{
    uint64_t fixed = 0;
    for (unsigned i = 0; i < model->n_events; i++) {
        /* Arm's instruction counter (32) came with PMUv3p9: not taken for granted. */
        if (model->events[i].fixed < 64 && model->events[i].fixed != 32)
            fixed |= (uint64_t)1 << model->events[i].fixed;
    }
    return fixed;
}

static void print_event(const struct sl_topdown_model *model, unsigned i, unsigned counter, FILE *out)
{
    uint64_t code = sl_topdown_event_code(model, i);
    char text[32] = "";
    if (code >> 60 == 0)
        snprintf(text, sizeof text, "0x%04" PRIx64, code);
    if (counter == 0xff)
        fprintf(out, "    fixed       %-12s %s\n", text, sl_topdown_event_name(model, i));
    else
        fprintf(out, "    counter %-3u %-12s %s\n", counter, text, sl_topdown_event_name(model, i));
}

static bool print_plan(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget, unsigned level,
                       FILE *out)
{
    struct sl_topdown_plan plan;
    uint8_t counters[SL_TOPDOWN_EVENTS];
    uint64_t counted = 0;
    if (sl_topdown_plan(model, budget, level, SL_NODE_TOTAL, &plan) != SL_OK)
        return false;
    fprintf(out, "%s: %u pass%s%s%s\n", sl_slot_kind_name((enum sl_slot_kind)model->kind), plan.n_passes,
            plan.n_passes == 1 ? "" : "es", plan.split ? "; some formulas are split over passes, by ratios" : "",
            plan.full ? "; not all nodes fit" : "");
    for (unsigned p = 0; p < plan.n_passes; p++) {
        if (!sl_topdown_assign(model, budget, plan.passes[p].events, counters))
            return false;
        fprintf(out, "  pass %u\n", p);
        counted |= plan.passes[p].events;
        for (unsigned i = 0; i < model->n_events; i++) {
            if (plan.passes[p].events >> i & 1u)
                print_event(model, i, counters[i], out);
        }
    }
    for (unsigned i = 0; i < model->n_events; i++) {
        if (plan.uncountable >> i & 1u)
            fprintf(out, "  not counted%s: %s\n", counted >> i & 1u ? " together with all that it belongs to" : "",
                    sl_topdown_event_name(model, i));
    }
    return true;
}

bool topdown_plan_text(const struct sl_topdown_core *core, unsigned n_counters, unsigned level, FILE *out)
{
    struct sl_topdown_budget budget = {.n_counters = (uint8_t)n_counters, .fixed = fixed_counters(core->model)};
    bool own = false;
    for (const struct sl_topdown_model *model = core->model; model; model = model->fallback) {
        if (print_plan(model, &budget, level ? level : SL_SLOT_DEPTH, out))
            return own || model == core->model;
        fprintf(out, "%s: level 1 does not fit %u counter%s\n", sl_slot_kind_name((enum sl_slot_kind)model->kind),
                n_counters, n_counters == 1 ? "" : "s");
    }
    return own;
}
