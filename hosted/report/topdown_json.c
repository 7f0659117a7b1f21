/* SPDX-License-Identifier: Apache-2.0 */
/* Top-Down results as JSON. */
#include "topdown_internal.h"

#include <inttypes.h>
#include <string.h>

#include "json_out.h"

static void text(struct json_out *json, const char *key, const char *value)
{
    json_string(json, key, value, strlen(value));
}

/* Numerator and denominator as text: they do not fit a double. */
static void ratio(struct json_out *json, const char *key, const struct sl_ratio *r)
{
    char number[96];
    if (!sl_ratio_is_value(r))
        return;
    if (r->num.hi || r->den.hi)
        snprintf(number, sizeof number, "%s0x%" PRIx64 "%016" PRIx64 "/0x%" PRIx64 "%016" PRIx64,
                 r->negative ? "-" : "", r->num.hi, r->num.lo, r->den.hi, r->den.lo);
    else
        snprintf(number, sizeof number, "%s%" PRIu64 "/%" PRIu64, r->negative ? "-" : "", r->num.lo, r->den.lo);
    text(json, key, number);
}

static void qualities(struct json_out *json, uint32_t quality)
{
    json_open(json, "quality", '[');
    for (unsigned bit = 0; bit < SL_SLOT_QUALITIES; bit++) {
        if (quality >> bit & 1u)
            text(json, NULL, sl_slot_quality_name(bit));
    }
    json_close(json, ']');
}

static void value(struct json_out *json, const struct sl_slot_tree *tree, const struct sl_slot_value *v,
                  uint64_t percent)
{
    struct sl_ratio estimate;
    json_open(json, NULL, '{');
    text(json, "domain", sl_slot_domain_name((enum sl_slot_domain)v->domain));
    if (v->error_ppm && v->error_ppm != SL_ERROR_UNKNOWN)
        json_double(json, "error_percent", v->error_ppm / 10000.0);
    if (sl_slot_tree_estimate(tree, v, &estimate))
        json_double(json, "estimated_percent", (double)sl_ratio_scale(&estimate, 1000000, NULL) / 10000.0);
    json_bool(json, "flagged", v->flagged);
    json_integer(json, "level", sl_slot_node_level((enum sl_slot_node)v->node));
    text(json, "node", sl_slot_node_name((enum sl_slot_node)v->node));
    text(json, "parent", sl_slot_node_name(sl_slot_node_parent((enum sl_slot_node)v->node)));
    if (topdown_has_value(v))
        json_double(json, "percent", (double)percent / 10000.0);
    qualities(json, v->quality);
    ratio(json, "raw", &v->raw);
    if (v->share_ppm < 1000000)
        json_double(json, "shown_percent", v->share_ppm / 10000.0);
    if (topdown_has_value(v) && v->domain == tree->domain && v->part != SL_PART_OVERLAP)
        json_integer(json, "slots", v->slots);
    if (topdown_has_value(v))
        ratio(json, "value", &v->value);
    json_close(json, '}');
}

static void counts(struct json_out *json, const struct topdown_entry *e)
{
    json_open(json, "counts", '[');
    for (size_t i = 0; i < e->n_counts; i++) {
        const struct sl_topdown_count *c = &e->counts[i];
        unsigned event = sl_topdown_event_find(e->core->model, c->code);
        char code[32];
        snprintf(code, sizeof code, "0x%" PRIx64, c->code);
        json_open(json, NULL, '{');
        text(json, "code", code);
        if (c->enabled)
            json_integer(json, "enabled", c->enabled);
        if (event < SL_TOPDOWN_EVENTS)
            text(json, "event", sl_topdown_event_name(e->core->model, event));
        json_integer(json, "group", c->group);
        if (c->enabled)
            json_integer(json, "running", c->running);
        json_integer(json, "value", c->value);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void tree(struct json_out *json, const struct topdown_entry *e, const struct topdown_options *options)
{
    const struct sl_slot_tree *t = &e->result.tree;
    uint64_t percent[SL_SLOT_ROOM];
    sl_slot_tree_round(t, 1000000, percent);
    json_open(json, "bottleneck", '[');
    for (unsigned i = 0; i < t->n_path; i++)
        text(json, NULL, sl_slot_node_name((enum sl_slot_node)t->values[t->path[i]].node));
    json_close(json, ']');
    json_bool(json, "bottleneck_ambiguous", t->ambiguous);
    json_bool(json, "complete", t->complete);
    text(json, "core", e->core->name);
    if (options->raw)
        counts(json, e);
    json_integer(json, "cycles", e->result.cycles);
    json_integer(json, "instructions", e->result.instructions);
    json_integer(json, "invocations", e->invocations);
    text(json, "kind", sl_slot_kind_name((enum sl_slot_kind)t->kind));
    json_bool(json, "net", e->net);
    json_open(json, "nodes", '[');
    for (unsigned i = 0; i < t->n_values; i++) {
        if (topdown_shown(&t->values[i], options))
            value(json, t, &t->values[i], percent[i]);
    }
    json_close(json, ']');
    if (e->own_invocations) {
        json_open(json, "own_cost", '{');
        json_integer(json, "cycles", e->own_cycles);
        json_integer(json, "invocations", e->own_invocations);
        json_close(json, '}');
    }
    if (e->result.passes_ppm)
        json_double(json, "passes_differ_percent", e->result.passes_ppm / 10000.0);
    qualities(json, t->quality);
    if (e->region)
        text(json, "region", e->region);
    if (e->remark)
        text(json, "remark", e->remark);
    json_bool(json, "topdown_level1", sl_slot_kind_is_level1((enum sl_slot_kind)t->kind));
    json_integer(json, "total", t->total);
    if (e->where)
        text(json, "where", e->where);
    json_integer(json, "width", e->config.width);
}

void topdown_json(const struct topdown_report *report, const struct topdown_options *options, FILE *out)
{
    struct json_out json = {.file = out};
    json_open(&json, NULL, '{');
    json_open(&json, "regions", '[');
    for (size_t i = 0; i < report->n_entries; i++) {
        if (report->entries[i].status != SL_OK)
            continue;
        json_open(&json, NULL, '{');
        tree(&json, &report->entries[i], options);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    text(&json, "source", report->source);
    json_close(&json, '}');
    fputc('\n', out);
}
