/* SPDX-License-Identifier: Apache-2.0 */
/* Two Top-Down reports side by side: each node's share in both, and the change in points of a per cent. */
#include "topdown_internal.h"

#include <string.h>

#include "json_out.h"

#define SCALE    1000000u
#define DECIMALS 4u

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static const struct topdown_entry *partner(const struct topdown_report *report, const struct topdown_entry *e)
{
    for (size_t i = 0; i < report->n_entries; i++) {
        const struct topdown_entry *other = &report->entries[i];
        if (other->status == SL_OK && same_text(other->region, e->region) && same_text(other->where, e->where))
            return other;
    }
    return NULL;
}

/* One node of both trees; `before` or `after` may be NULL, or have no value. */
struct pair {
    const struct sl_slot_value *before, *after;
    uint64_t before_share, after_share;
};

static void change_text(const struct pair *p, unsigned decimals, char text[TOPDOWN_TEXT_ROOM])
{
    char number[TOPDOWN_TEXT_ROOM];
    uint64_t divisor = decimals == DECIMALS ? 1 : 1000;
    bool less;
    uint64_t change;
    if (!p->before || !p->after || !topdown_has_value(p->before) || !topdown_has_value(p->after)) {
        text[0] = 0;
        return;
    }
    less = p->after_share < p->before_share;
    change = less ? p->before_share - p->after_share : p->after_share - p->before_share;
    change = (change + divisor / 2) / divisor;
    snprintf(text, TOPDOWN_TEXT_ROOM, "%s%.60s",
             change == 0 ? ""
             : less      ? "-"
                         : "+",
             topdown_decimal(change, decimals, number));
}

static const char *share_text(const struct sl_slot_value *v, uint64_t share, unsigned decimals,
                              char text[TOPDOWN_TEXT_ROOM])
{
    uint64_t divisor = decimals == DECIMALS ? 1 : 1000;
    if (!v || !topdown_has_value(v))
        return "";
    return topdown_decimal((share + divisor / 2) / divisor, decimals, text);
}

typedef void pair_fn(const struct pair *p, void *context);

/* All nodes of both, in the first tree's order, then the second's own. */
static void pairs(const struct topdown_entry *a, const struct topdown_entry *b, const struct topdown_options *options,
                  pair_fn *call, void *context)
{
    uint64_t before[SL_SLOT_ROOM], after[SL_SLOT_ROOM];
    const struct sl_slot_tree *x = &a->result.tree, *y = &b->result.tree;
    sl_slot_tree_round(x, SCALE, before);
    sl_slot_tree_round(y, SCALE, after);
    for (unsigned i = 0; i < x->n_values; i++) {
        unsigned j = topdown_find(y, x->values[i].node, x->values[i].domain);
        struct pair p = {&x->values[i], j < y->n_values ? &y->values[j] : NULL, before[i], 0};
        p.after_share = p.after ? after[j] : 0;
        if (topdown_shown(p.before, options))
            call(&p, context);
    }
    for (unsigned j = 0; j < y->n_values; j++) {
        struct pair p = {NULL, &y->values[j], 0, after[j]};
        if (topdown_find(x, y->values[j].node, y->values[j].domain) == x->n_values && topdown_shown(p.after, options))
            call(&p, context);
    }
}

static const struct sl_slot_value *either(const struct pair *p)
{
    return p->before ? p->before : p->after;
}

static void text_pair(const struct pair *p, void *context)
{
    const struct sl_slot_value *v = either(p);
    unsigned level = sl_slot_node_level((enum sl_slot_node)v->node);
    int indent = level > 1 ? (int)(2 * (level - 1)) : 0;
    char before[TOPDOWN_TEXT_ROOM], after[TOPDOWN_TEXT_ROOM], change[TOPDOWN_TEXT_ROOM], quality[TOPDOWN_TEXT_ROOM];
    uint32_t flags = (p->before ? p->before->quality : 0) | (p->after ? p->after->quality : 0);
    if ((!p->before || !topdown_has_value(p->before)) && (!p->after || !topdown_has_value(p->after)))
        return;
    flags &= ~(SL_SLOT_BELOW_THRESHOLD | SL_SLOT_NO_VALUE);
    change_text(p, 1, change);
    fprintf(context, "  %*s%-*s %8s %8s %8s  %s", indent, "", 34 - indent,
            sl_slot_node_label((enum sl_slot_node)v->node), share_text(p->before, p->before_share, 1, before),
            share_text(p->after, p->after_share, 1, after), change,
            sl_slot_domain_name((enum sl_slot_domain)v->domain));
    if (flags)
        fprintf(context, "  [%s]", topdown_quality_text(flags, quality));
    fputc('\n', context);
}

struct csv_context {
    FILE *out;
    const struct topdown_entry *entry;
    bool named;
};

static void csv_pair(const struct pair *p, void *context)
{
    const struct csv_context *csv = context;
    const struct sl_slot_value *v = either(p);
    char before[TOPDOWN_TEXT_ROOM], after[TOPDOWN_TEXT_ROOM], change[TOPDOWN_TEXT_ROOM], quality[TOPDOWN_TEXT_ROOM];
    change_text(p, DECIMALS, change);
    if (csv->named)
        fprintf(csv->out, "%s,%s,", csv->entry->region ? csv->entry->region : "",
                csv->entry->where ? csv->entry->where : "");
    fprintf(csv->out, "%s,%s,%s,%s,%s", sl_slot_node_name((enum sl_slot_node)v->node),
            sl_slot_domain_name((enum sl_slot_domain)v->domain),
            share_text(p->before, p->before_share, DECIMALS, before),
            share_text(p->after, p->after_share, DECIMALS, after), change);
    fprintf(csv->out, ",%s", p->before ? topdown_quality_text(p->before->quality, quality) : "");
    fprintf(csv->out, ",%s\n", p->after ? topdown_quality_text(p->after->quality, quality) : "");
}

static void json_pair(const struct pair *p, void *context)
{
    struct json_out *json = context;
    const struct sl_slot_value *v = either(p);
    const char *node = sl_slot_node_name((enum sl_slot_node)v->node);
    const char *domain = sl_slot_domain_name((enum sl_slot_domain)v->domain);
    json_open(json, NULL, '{');
    if (p->after && topdown_has_value(p->after))
        json_double(json, "after_percent", (double)p->after_share / 10000.0);
    if (p->before && topdown_has_value(p->before))
        json_double(json, "before_percent", (double)p->before_share / 10000.0);
    json_string(json, "domain", domain, strlen(domain));
    json_string(json, "node", node, strlen(node));
    json_close(json, '}');
}

static void title(const struct topdown_entry *e, FILE *out)
{
    if (e->region || e->where)
        fprintf(out, "%s%s%s: ", e->region ? e->region : "", e->region && e->where ? ", " : "",
                e->where ? e->where : "");
}

static void text_one(const struct topdown_report *a, const struct topdown_report *b, const struct topdown_entry *e,
                     const struct topdown_entry *other, const struct topdown_options *options, FILE *out)
{
    const struct sl_topdown *x = &e->result, *y = &other->result;
    title(e, out);
    fprintf(out, "A %s (%s, %s), B %s (%s, %s)\n", a->source, e->core->name,
            sl_slot_kind_name((enum sl_slot_kind)x->tree.kind), b->source, other->core->name,
            sl_slot_kind_name((enum sl_slot_kind)y->tree.kind));
    fprintf(out, "  %-34s %8s %8s %8s\n", "per cent", "A", "B", "change");
    pairs(e, other, options, text_pair, out);
    if (x->cycles && y->cycles)
        fprintf(out, "  cycles: A %llu, B %llu\n", (unsigned long long)x->cycles, (unsigned long long)y->cycles);
    if (x->tree.kind != y->tree.kind)
        fputs("  Note: different kinds of trees; shares of different things are not comparable.\n", out);
}

static void json_one(struct json_out *json, const struct topdown_entry *e, const struct topdown_entry *other,
                     const struct topdown_options *options)
{
    json_open(json, NULL, '{');
    json_integer(json, "after_cycles", other->result.cycles);
    json_integer(json, "before_cycles", e->result.cycles);
    json_open(json, "nodes", '[');
    pairs(e, other, options, json_pair, json);
    json_close(json, ']');
    if (e->region)
        json_string(json, "region", e->region, strlen(e->region));
    if (e->where)
        json_string(json, "where", e->where, strlen(e->where));
    json_close(json, '}');
}

static void only_in(const char *name, const struct topdown_report *report, const struct topdown_report *other,
                    enum topdown_form form, FILE *out)
{
    for (size_t i = 0; form == TOPDOWN_TEXT && i < report->n_entries; i++) {
        if (report->entries[i].status == SL_OK && !partner(other, &report->entries[i])) {
            title(&report->entries[i], out);
            fprintf(out, "only in %s\n", name);
        }
    }
}

void topdown_diff(const struct topdown_report *a, const struct topdown_report *b, const struct topdown_options *options,
                  enum topdown_form form, FILE *out)
{
    struct json_out json = {.file = out};
    if (form == TOPDOWN_JSON) {
        json_open(&json, NULL, '{');
        json_open(&json, "regions", '[');
    } else if (form == TOPDOWN_CSV) {
        fprintf(out, "%snode,domain,percent_a,percent_b,change,quality_a,quality_b\n", a->named ? "region,where," : "");
    }
    for (size_t i = 0; i < a->n_entries; i++) {
        const struct topdown_entry *e = &a->entries[i], *other = e->status == SL_OK ? partner(b, e) : NULL;
        struct csv_context csv = {out, e, a->named};
        if (!other)
            continue;
        if (form == TOPDOWN_TEXT)
            text_one(a, b, e, other, options, out);
        else if (form == TOPDOWN_CSV)
            pairs(e, other, options, csv_pair, &csv);
        else
            json_one(&json, e, other, options);
    }
    only_in("A", a, b, form, out);
    only_in("B", b, a, form, out);
    if (form == TOPDOWN_JSON) {
        json_close(&json, ']');
        json_close(&json, '}');
        fputc('\n', out);
    }
}
