/* SPDX-License-Identifier: Apache-2.0 */
/* Top-Down results as comma-separated values: node,domain,percent,quality. */
#include "topdown_internal.h"

#include <string.h>

#define SCALE    1000000u /* four decimals of a per cent */
#define DECIMALS 4u

/* A field that may hold anything. */
static void field(const char *text, FILE *out)
{
    if (!text)
        text = "";
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void entry(const struct topdown_entry *e, bool named, const struct topdown_options *options, FILE *out)
{
    const struct sl_slot_tree *tree = &e->result.tree;
    uint64_t percent[SL_SLOT_ROOM];
    char number[TOPDOWN_TEXT_ROOM], quality[TOPDOWN_TEXT_ROOM];
    sl_slot_tree_round(tree, SCALE, percent);
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        if (!topdown_shown(v, options))
            continue;
        if (named) {
            field(e->region, out);
            fputc(',', out);
            field(e->where, out);
            fputc(',', out);
        }
        fprintf(out, "%s,%s,%s,%s", sl_slot_node_name((enum sl_slot_node)v->node),
                sl_slot_domain_name((enum sl_slot_domain)v->domain),
                topdown_has_value(v) ? topdown_decimal(percent[i], DECIMALS, number) : "",
                topdown_quality_text(v->quality, quality));
        if (options->raw)
            fprintf(out, ",%s,%llu", topdown_raw_text(v, number), (unsigned long long)v->slots);
        fputc('\n', out);
    }
}

void topdown_csv(const struct topdown_report *report, const struct topdown_options *options, FILE *out)
{
    fprintf(out, "%snode,domain,percent,quality%s\n", report->named ? "region,where," : "",
            options->raw ? ",raw_percent,slots" : "");
    for (size_t i = 0; i < report->n_entries; i++) {
        if (report->entries[i].status == SL_OK)
            entry(&report->entries[i], report->named, options, out);
    }
}
