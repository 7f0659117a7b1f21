/* SPDX-License-Identifier: Apache-2.0 */
/* Top-Down results as a text tree with bars: facts, verdict, and what to know about them. */
#include "topdown_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define SCALE 1000u /* one decimal of a per cent */
#define BAR   20u
#define LABEL 34
#define MANY  1000u

static void bar(uint64_t tenths, FILE *out)
{
    unsigned n = tenths >= SCALE ? BAR : (unsigned)((tenths * BAR + SCALE / 2) / SCALE);
    for (unsigned i = 0; i < BAR; i++)
        fputc(i < n ? '#' : '.', out);
}

static bool on_path(const struct sl_slot_tree *tree, unsigned index)
{
    for (unsigned i = 0; i < tree->n_path; i++) {
        if (tree->path[i] == index)
            return true;
    }
    return false;
}

/* "19.0 %" and what it is a share of; of counts, how many per thousand instructions. */
static void number(const struct sl_slot_value *v, uint64_t tenths, FILE *out)
{
    char text[TOPDOWN_TEXT_ROOM];
    if (!topdown_has_value(v)) {
        fprintf(out, "%7s   ", "-");
    } else if (v->domain == SL_DOMAIN_COUNT) {
        uint32_t rest;
        uint64_t thousandths = sl_ratio_scale(&v->value, MANY * 100, &rest);
        fprintf(out, "%7s   ", topdown_decimal(thousandths + (rest >> 31), 2, text));
    } else {
        fprintf(out, "%7s %% ", topdown_decimal(tenths, 1, text));
    }
}

static void line(const struct topdown_entry *e, unsigned index, uint64_t tenths, const struct topdown_options *options,
                 FILE *out)
{
    static const char *const of[SL_DOMAINS] = {"slots", "cycles", "stalls", "per 1000 instructions"};
    const struct sl_slot_tree *tree = &e->result.tree;
    const struct sl_slot_value *v = &tree->values[index];
    unsigned level = sl_slot_node_level((enum sl_slot_node)v->node);
    int indent = level > 1 ? (int)(2 * (level - 1)) : 0;
    char text[TOPDOWN_TEXT_ROOM];
    struct sl_ratio estimate;
    fprintf(out, "  %*s%-*s", indent, "", LABEL - indent, sl_slot_node_label((enum sl_slot_node)v->node));
    number(v, tenths, out);
    if (v->domain == SL_DOMAIN_COUNT) {
        fprintf(out, "%*s", (int)BAR + 1, "");
    } else {
        bar(topdown_has_value(v) ? tenths : 0, out);
        fputc(' ', out);
    }
    fprintf(out, "%s", of[v->domain]);
    if (sl_slot_tree_estimate(tree, v, &estimate)) {
        uint32_t rest;
        uint64_t whole = sl_ratio_scale(&estimate, SCALE, &rest);
        fprintf(out, " (about %s %% of %s)", topdown_decimal(whole + (rest >> 31), 1, text), of[tree->domain]);
    }
    if (v->error_ppm == SL_ERROR_UNKNOWN)
        fputs(", error unknown", out);
    else if (v->error_ppm)
        fprintf(out, ", +- %s", topdown_decimal((v->error_ppm + 500) / 1000, 1, text));
    if (v->share_ppm < 1000000)
        fprintf(out, ", counted %s %% of the time", topdown_decimal(v->share_ppm / 1000, 1, text));
    if (v->quality & ~SL_SLOT_BELOW_THRESHOLD)
        fprintf(out, "  [%s]", topdown_quality_text(v->quality & ~SL_SLOT_BELOW_THRESHOLD, text));
    if (options->raw && sl_ratio_is_value(&v->raw))
        fprintf(out, "  raw %s %%", topdown_raw_text(v, text));
    if (options->raw && v->domain == tree->domain && v->part != SL_PART_OVERLAP)
        fprintf(out, ", %" PRIu64, v->slots);
    fputs(on_path(tree, index) ? "  <==\n" : v->flagged ? "  <\n" : "\n", out);
}

/* Below the node `parent`, parents before children; values without a number are left to the end. */
static void children(const struct topdown_entry *e, enum sl_slot_node parent, const uint64_t *tenths,
                     const struct topdown_options *options, FILE *out)
{
    const struct sl_slot_tree *tree = &e->result.tree;
    struct {
        enum sl_slot_node node;
        unsigned next;
    } stack[SL_SLOT_DEPTH];
    unsigned depth = 0;
    stack[0].node = parent;
    stack[0].next = 0;
    for (;;) {
        unsigned i = stack[depth].next;
        const struct sl_slot_value *v;
        if (i >= SL_NODES) {
            if (depth == 0)
                return;
            depth--;
            continue;
        }
        stack[depth].next++;
        if (i == SL_NODE_TOTAL || sl_slot_node_parent((enum sl_slot_node)i) != stack[depth].node)
            continue;
        for (unsigned n = 0; n < tree->n_values; n++) {
            v = &tree->values[n];
            if (v->node != i || !topdown_shown(v, options) ||
                (!topdown_has_value(v) && sl_slot_node_level((enum sl_slot_node)i) > 1))
                continue;
            line(e, n, tenths[n], options, out);
        }
        if (depth + 1 < SL_SLOT_DEPTH) {
            depth++;
            stack[depth].node = (enum sl_slot_node)i;
            stack[depth].next = 0;
        }
    }
}

/* printf, with what separates it from the fact before. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
fact(FILE *out, bool *first, const char *format, ...)
{
    va_list arguments;
    fputs(*first ? "  " : ", ", out);
    *first = false;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
}

/* "Measuring itself took 45 cycles an invocation, 2.2 % of all (counted in; --net takes it off)". */
static void own_cost(const struct topdown_entry *e, FILE *out)
{
    const uint64_t counted = e->result.cycles;
    char text[TOPDOWN_TEXT_ROOM];
    uint64_t each, all;
    if (!e->own_invocations)
        return;
    each = sl_muldiv64(e->own_cycles, 10, e->own_invocations, NULL);
    fprintf(out, "  Measuring itself: %s cycles an invocation", topdown_decimal(each, 1, text));
    all = sl_muldiv64(e->own_cycles, e->invocations, e->own_invocations, NULL);
    if (e->net)
        fputs(", taken off", out);
    else if (counted && all <= counted)
        fprintf(out, ", %s %% of the cycles (--net takes it off)",
                topdown_decimal(sl_muldiv64(all, 1000, counted, NULL), 1, text));
    fputc('\n', out);
}

static void heading(const struct topdown_entry *e, FILE *out)
{
    const struct sl_topdown *t = &e->result;
    bool slots = t->tree.domain == SL_DOMAIN_SLOTS, first = true;
    char text[TOPDOWN_TEXT_ROOM];
    if (e->region || e->where)
        fprintf(out, "%s%s%s: ", e->region ? e->region : "", e->region && e->where ? ", " : "",
                e->where ? e->where : "");
    fprintf(out, "%s, %s (%s)\n", e->core->name, sl_slot_kind_name((enum sl_slot_kind)t->tree.kind),
            topdown_kind_text((enum sl_slot_kind)t->tree.kind));
    if (t->tree.total)
        fact(out, &first, "%" PRIu64 " %s", t->tree.total, slots ? "slots" : "cycles");
    if (t->tree.total && slots && e->config.width)
        fprintf(out, " (%u per cycle, from %s)", e->config.width, e->width_source);
    if (t->cycles && (slots || !t->tree.total))
        fact(out, &first, "%" PRIu64 " cycles", t->cycles);
    if (t->instructions)
        fact(out, &first, "%" PRIu64 " instructions", t->instructions);
    if (t->instructions && t->cycles)
        fact(out, &first, "IPC %s", topdown_decimal(sl_muldiv64(t->instructions, 100, t->cycles, NULL), 2, text));
    if (e->invocations)
        fact(out, &first, "%" PRIu64 " invocation%s", e->invocations, e->invocations == 1 ? "" : "s");
    if (e->duration && e->hz)
        fact(out, &first, "%" PRIu64 " ns", sl_muldiv64(e->duration, 1000000000u, e->hz, NULL));
    if (!first)
        fputc('\n', out);
    own_cost(e, out);
}

/* What level 1 would have needed: events that were not counted, and the width. */
static void needed(const struct topdown_entry *e, FILE *out)
{
    const struct sl_topdown_model *model = e->core->model;
    const struct sl_topdown_row *row;
    bool first = true;
    uint64_t events = 0;
    for (unsigned i = 0; (row = sl_topdown_row_at(model, i)) != NULL; i++) {
        if (sl_slot_node_level((enum sl_slot_node)row->node) == 1)
            events |= sl_topdown_row_events(row);
    }
    for (size_t n = 0; n < e->n_counts; n++) {
        unsigned i = sl_topdown_event_find(model, e->counts[n].code);
        if (i < SL_TOPDOWN_EVENTS)
            events &= ~((uint64_t)1 << i);
    }
    for (unsigned i = 0; i < model->n_events; i++) {
        if (!(events >> i & 1u))
            continue;
        fprintf(out, "%s%s", first ? "  Level 1 needs " : ", ", sl_topdown_event_name(model, i));
        first = false;
    }
    if (!first)
        fputs(", too.\n", out);
    else if (model->kind != SL_KIND_NONE && model->domain == SL_DOMAIN_SLOTS && !e->config.width)
        fputs("  Level 1 needs the core's width: see --width.\n", out);
}

static void verdict(const struct topdown_entry *e, const struct topdown_options *options, FILE *out)
{
    const struct sl_slot_tree *tree = &e->result.tree;
    if (!tree->complete) {
        fputs("  Level 1 does not add up: no verdict can be relied on.\n", out);
    }
    if (tree->n_path == 0) {
        if (tree->total)
            fputs("  Bottleneck: none over its threshold.\n", out);
        return;
    }
    fputs("  Bottleneck:", out);
    for (unsigned i = 0; i < tree->n_path && topdown_shown(&tree->values[tree->path[i]], options); i++)
        fprintf(out, "%s %s", i ? " >" : "", sl_slot_node_label((enum sl_slot_node)tree->values[tree->path[i]].node));
    fputs(tree->ambiguous ? " (its parts are too close to tell apart)\n" : "\n", out);
}

/* What was not counted, by node, and why. */
static void absent(const struct topdown_entry *e, const struct topdown_options *options, FILE *out)
{
    static const struct {
        uint32_t quality;
        const char *text;
    } reasons[] = {{SL_SLOT_MISSING, "Not counted"},
                   {SL_SLOT_NO_DENOMINATOR, "Nothing to divide by"},
                   {SL_SLOT_PARAMETER, "A parameter is missing"}};
    const struct sl_slot_tree *tree = &e->result.tree;
    for (unsigned r = 0; r < sizeof reasons / sizeof reasons[0]; r++) {
        bool first = true;
        for (unsigned i = 0; i < tree->n_values; i++) {
            const struct sl_slot_value *v = &tree->values[i];
            if (!(v->quality & reasons[r].quality) || !topdown_shown(v, options))
                continue;
            fprintf(out, "%s%s", first ? "  " : ", ", first ? reasons[r].text : "");
            fprintf(out, "%s%s", first ? ": " : "", sl_slot_node_name((enum sl_slot_node)v->node));
            first = false;
        }
        if (!first)
            fputc('\n', out);
    }
}

static void remarks(const struct topdown_entry *e, FILE *out)
{
    const struct sl_topdown *t = &e->result;
    char text[TOPDOWN_TEXT_ROOM];
    if (e->remark)
        fprintf(out, "  Note: %s.\n", e->remark);
    if (t->model != e->core->model)
        fprintf(out, "  Note: events or width for %s's own formulas are missing; this is what is left.\n",
                e->core->name);
    if ((e->core->flags & SL_TOPDOWN_WIDTH_UNVERIFIED) && e->config.width && t->tree.domain == SL_DOMAIN_SLOTS &&
        e->width_source && !strcmp(e->width_source, "table"))
        fputs("  Note: no published source for the width of this core.\n", out);
    if (t->tree.quality)
        fprintf(out, "  Note: counts are %s.\n", topdown_quality_text(t->tree.quality, text));
    if (t->passes_ppm > 20000)
        fprintf(out, "  Note: passes differ by %s %%: the region did not do the same in each.\n",
                topdown_decimal(t->passes_ppm / 1000, 1, text));
    if (t->mux_ppm && (t->mux_ppm < 900000 || t->mux_ppm > 1100000))
        fprintf(out, "  Note: a programmable counter saw %s %% of the fixed counter's cycles.\n",
                topdown_decimal(t->mux_ppm / 1000, 1, text));
    if (t->unused)
        fprintf(out, "  Note: %" PRIu64 " count%s of events that the model does not use.\n", t->unused,
                t->unused == 1 ? "" : "s");
}

static void raw_counts(const struct topdown_entry *e, FILE *out)
{
    fputs("  Counts:\n", out);
    for (size_t i = 0; i < e->n_counts; i++) {
        const struct sl_topdown_count *c = &e->counts[i];
        unsigned event = sl_topdown_event_find(e->core->model, c->code);
        char text[TOPDOWN_TEXT_ROOM];
        fprintf(out, "    %-40s %20" PRIu64,
                event < SL_TOPDOWN_EVENTS ? sl_topdown_event_name(e->core->model, event) : "?", c->value);
        if (c->code >> 60 == 0)
            fprintf(out, "  0x%04" PRIx64, c->code);
        if (c->group)
            fprintf(out, "  group %u", c->group);
        if (c->running < c->enabled)
            fprintf(out, "  counted %s %% of the time",
                    topdown_decimal(sl_muldiv64(c->running, 1000, c->enabled, NULL), 1, text));
        if (c->quality)
            fprintf(out, "  [%s]", topdown_quality_text(c->quality, text));
        fputc('\n', out);
    }
}

void topdown_text(const struct topdown_report *report, const struct topdown_options *options, FILE *out)
{
    uint64_t tenths[SL_SLOT_ROOM];
    for (size_t i = 0; i < report->n_entries; i++) {
        const struct topdown_entry *e = &report->entries[i];
        if (e->status != SL_OK)
            continue;
        if (i)
            fputc('\n', out);
        sl_slot_tree_round(&e->result.tree, SCALE, tenths);
        heading(e, out);
        children(e, SL_NODE_TOTAL, tenths, options, out);
        if (e->result.tree.kind != SL_KIND_NONE) {
            verdict(e, options, out);
            absent(e, options, out);
        } else if (!e->remark) {
            needed(e, out);
        }
        remarks(e, out);
        if (options->raw)
            raw_counts(e, out);
    }
}
