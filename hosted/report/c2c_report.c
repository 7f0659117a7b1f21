/* SPDX-License-Identifier: Apache-2.0 */
/* From the table to the report: which lines and entries are shown, in which order, and how wide their names are. */
#include "c2c_report.h"

#include <stdlib.h>
#include <string.h>

/* Lines below this part of all shared accesses are hidden. */
#define SHOWN_FROM 0.001
#define NODES_MAX  29

uint32_t c2c_metric(enum sl_c2c_metric metric, const struct sl_c2c_stats *stats)
{
    const uint32_t *n = stats->n;
    switch (metric) {
    case SL_C2C_TOTAL_HITM:
        return n[SL_C2C_LOCAL_HITM] + n[SL_C2C_REMOTE_HITM];
    case SL_C2C_METRIC_REMOTE:
        return n[SL_C2C_REMOTE_HITM];
    case SL_C2C_METRIC_LOCAL:
        return n[SL_C2C_LOCAL_HITM];
    default:
        return n[SL_C2C_LOCAL_PEER] + n[SL_C2C_REMOTE_PEER];
    }
}

uint32_t c2c_entry_metric(enum sl_c2c_metric metric, const struct sl_c2c_entry *entry)
{
    const uint32_t *n = entry->n;
    switch (metric) {
    case SL_C2C_TOTAL_HITM:
        return n[SL_C2C_LOCAL_HITM] + n[SL_C2C_REMOTE_HITM];
    case SL_C2C_METRIC_REMOTE:
        return n[SL_C2C_REMOTE_HITM];
    case SL_C2C_METRIC_LOCAL:
        return n[SL_C2C_LOCAL_HITM];
    default:
        return n[SL_C2C_LOCAL_PEER] + n[SL_C2C_REMOTE_PEER];
    }
}

void c2c_entry_means(const struct c2c_report *report, const struct sl_c2c_entry *entry, double means[SL_C2C_LATENCIES])
{
    const double *running = report->names.means ? report->names.means(report->names.context, entry) : NULL;
    const struct sl_c2c_entry_sums *sums = sl_c2c_entry_sums(report->table, entry);
    for (unsigned i = 0; i < SL_C2C_LATENCIES; i++) {
        uint32_t n = entry->latency_samples[i];
        means[i] = running ? running[i] : sums && n ? (double)sums->latency_cycles[i] / n : 0;
    }
}

void c2c_ranges(struct text *out, const uint32_t *set, uint32_t n_bits)
{
    const char *comma = "";
    for (uint32_t bit = 0; bit < n_bits; bit++) {
        uint32_t last = bit;
        if (!sl_bit_test(set, bit))
            continue;
        while (last + 1 < n_bits && sl_bit_test(set, last + 1))
            last++;
        text_printf(out, last > bit ? "%s%u-%u" : "%s%u", comma, bit, last);
        comma = ",";
        bit = last;
    }
}

static const char *node_text(struct c2c_report *r, const uint32_t *set)
{
    struct text text = {NULL, 0, 0};
    const char *kept = "N/A";

    c2c_ranges(&text, set, r->table->config.n_nodes);
    if (text.len)
        kept = pool_text(&r->pool, text.data, text.len < NODES_MAX ? text.len : NODES_MAX);
    text_free(&text);
    return kept;
}

/* ---- which lines, in which order ----------------------------------------------------------------------------------
 */

static void sum_shared(struct c2c_report *r)
{
    const struct sl_c2c_line *line;
    uint32_t cursor = 0;

    memset(&r->shared, 0, sizeof r->shared);
    r->n_shared = 0;
    while ((line = sl_c2c_next_line(r->table, &cursor)) != NULL) {
        const uint32_t *n = line->stats.n;
        if (!(n[SL_C2C_LOCAL_HITM] | n[SL_C2C_REMOTE_HITM] | n[SL_C2C_LOCAL_PEER] | n[SL_C2C_REMOTE_PEER]))
            continue;
        r->n_shared++;
        for (unsigned i = 0; i < SL_C2C_COUNTERS; i++)
            r->shared.n[i] += n[i];
    }
}

static bool is_shown(const struct c2c_report *r, const struct sl_c2c_line *line, uint32_t total)
{
    uint32_t own = c2c_metric(r->view.metric, &line->stats);
    return r->view.show_all || (total != 0 && (double)own / total >= SHOWN_FROM);
}

/* By the metric, descending, then by identity. */
static int compare_lines(const void *a, const void *b, void *context)
{
    const struct c2c_report *r = (const struct c2c_report *)context;
    const struct c2c_line *x = (const struct c2c_line *)a, *y = (const struct c2c_line *)b;
    uint32_t m = c2c_metric(r->view.metric, &x->line->stats), n = c2c_metric(r->view.metric, &y->line->stats);
    int order = m > n ? -1 : m < n;
    if (order == 0)
        order = sl_c2c_compare_lines(x->line, y->line);
    return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

static bool is_guest(const struct sl_c2c_line *line)
{
    return line->key.mode == SL_MEM_MODE_GUEST_KERNEL || line->key.mode == SL_MEM_MODE_GUEST_USER;
}

static void choose_lines(struct c2c_report *r)
{
    uint32_t total = c2c_metric(r->view.metric, &r->shared), cursor = 0, n = 0;
    struct sl_c2c_line *line;

    while ((line = sl_c2c_next_line(r->table, &cursor)) != NULL)
        n += is_shown(r, line, total);
    r->lines = (struct c2c_line *)pool_take(&r->pool, ((size_t)n + 1) * sizeof *r->lines);
    for (cursor = 0; (line = sl_c2c_next_line(r->table, &cursor)) != NULL;) {
        if (is_shown(r, line, total))
            r->lines[r->n_lines++].line = line;
    }
    qsort_r(r->lines, r->n_lines, sizeof *r->lines, compare_lines, r);
    for (uint32_t i = 0; i < r->n_lines; i++) {
        struct c2c_line *shown = &r->lines[i];
        shown->index = i;
        shown->cpu_words = r->table->cpu_words;
        shown->address = shown->line->address & ~(uint64_t)(r->line_bytes - 1);
        /* perf hides a guest's lines by chance: only where nothing else decides. */
        shown->hidden = r->view.show_all && is_guest(shown->line);
        shown->nodes = node_text(r, sl_c2c_line_nodes(r->table, shown->line));
    }
}

/* ---- the entries of a line ------------------------------------------------------------------------------------------
 */

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct c2c_report *r = (const struct c2c_report *)context;
    const struct sl_c2c_entry *x = ((const struct c2c_row *)a)->entry, *y = ((const struct c2c_row *)b)->entry;
    /* A second metric breaks ties of two. */
    static const enum sl_c2c_metric second[] = {SL_C2C_TOTAL_HITM, SL_C2C_METRIC_LOCAL, SL_C2C_METRIC_REMOTE,
                                                SL_C2C_METRIC_PEER};
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    for (unsigned i = 0; i < 2; i++) {
        enum sl_c2c_metric metric = i ? second[r->view.metric] : r->view.metric;
        uint32_t m = c2c_entry_metric(metric, x), n = c2c_entry_metric(metric, y);
        if (m != n)
            return m > n ? -1 : 1;
    }
    int order = sl_c2c_compare_entries(r->table, x, y, r->names.image_rank);
    return order != 0 ? order : x < y ? -1 : x > y;
}

static void widen(size_t *width, size_t needed)
{
    if (needed > *width)
        *width = needed;
}

static void measure(const struct c2c_report *r, struct c2c_line_widths *w, const struct c2c_site *site)
{
    const char *image = r->view.verbose ? site->image_path : site->image;
    if (site->symbol) {
        widen(&w->symbol, strlen(site->symbol) + 4 + (r->view.verbose ? 21 : 0));
    } else {
        widen(&w->symbol, 22);
        widen(&w->image, 16);
    }
    if (site->comm_len)
        widen(&w->thread, site->comm_len + 8u);
    if (image)
        widen(&w->image, strlen(image));
    if (site->source)
        widen(&w->source, strlen(site->source) > 11 ? strlen(site->source) : 11);
}

static void make_rows(struct c2c_report *r, struct c2c_line *shown)
{
    uint32_t index = shown->line->first_entry, n = 0;
    bool with_source = r->view.with_ip && !r->view.no_source && !r->view.stats_only;

    shown->rows = (struct c2c_row *)pool_take(&r->pool, ((size_t)shown->line->n_entries + 1) * sizeof *shown->rows);
    for (; index != SL_C2C_NONE; index = shown->rows[n++].entry->next)
        shown->rows[n].entry = sl_c2c_entry_at(r->table, index);
    shown->n_rows = n;
    qsort_r(shown->rows, n, sizeof *shown->rows, compare_rows, r);
    for (uint32_t i = 0; i < n; i++) {
        struct c2c_row *row = &shown->rows[i];
        r->names.site(r->names.context, shown->line, row->entry, with_source, &row->site);
        row->nodes = node_text(r, sl_c2c_entry_nodes(r->table, row->entry));
        widen(&r->node_width, strlen(row->nodes));
        measure(r, &shown->widths, &row->site);
        row->hidden =
            is_guest(shown->line) || !(row->entry->n[SL_C2C_STORE] || c2c_entry_metric(r->view.metric, row->entry));
    }
    if (!r->view.full_symbols && !r->view.interactive) {
        shown->widths.symbol = shown->widths.symbol < 30 ? shown->widths.symbol : 30;
        shown->widths.source = shown->widths.source < 30 ? shown->widths.source : 30;
    }
}

void c2c_report_lines(struct c2c_report *r)
{
    r->n_lines = 0;
    r->node_width = 4;
    memset(&r->pool, 0, sizeof r->pool);
    sl_c2c_totals(r->table, &r->totals);
    sum_shared(r);
    choose_lines(r);
}

void c2c_report_entries(struct c2c_report *r)
{
    for (uint32_t i = 0; i < r->n_lines; i++) {
        widen(&r->node_width, strlen(r->lines[i].nodes));
        make_rows(r, &r->lines[i]);
    }
}

void c2c_report_free(struct c2c_report *r)
{
    pool_free(&r->pool);
    r->lines = NULL;
    r->n_lines = 0;
}
