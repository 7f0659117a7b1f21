/* SPDX-License-Identifier: Apache-2.0 */
/* "Shared Cache Line Distribution Pareto": the entries of each line. */
#include <string.h>

#include "c2c_table.h"

#define MAX_COLUMNS 24
#define RULE        "  ----------------------------------------------------------------------\n"

static void blank_cell(const struct c2c_cell *cell, struct text *out)
{
    (void)cell;
    (void)out;
}

static void hex_text(struct text *out, size_t width, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
    text_printf(out, "%*s", (int)width, text);
}

/* Of the line's count. */
static void percent_cell(const struct c2c_cell *cell, struct text *out)
{
    uint32_t own = cell->row->entry->n[cell->column->counter];
    uint32_t all = cell->line->line->stats.n[cell->column->counter];
    if (!own || !all) /* most cells */
        text_add(out, "  0.00%", 7);
    else
        text_printf(out, "%6.2f%%", 100. * own / all);
}

static void offset_cell(const struct c2c_cell *cell, struct text *out)
{
    hex_text(out, cell->width, cell->row->entry->shown_offset);
}

static void node_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*s", (int)cell->width, cell->row->nodes);
}

static void phys_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*d", (int)cell->width, (int32_t)cell->row->entry->phys_changes);
}

static void pid_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*d", (int)cell->width, cell->row->site.pid);
}

static void tid_cell(const struct c2c_cell *cell, struct text *out)
{
    int room = cell->width > 8 ? (int)cell->width - 8 : 0;
    text_printf(out, "%7d:%-*.*s", cell->row->site.tid, room, room, cell->row->site.comm);
}

static void ip_cell(const struct c2c_cell *cell, struct text *out)
{
    hex_text(out, cell->width, cell->row->entry->ip);
}

static void mean_cell(const struct c2c_cell *cell, struct text *out)
{
    double means[SL_C2C_LATENCIES];
    char text[64] = "     0"; /* most cells */
    c2c_entry_means(cell->report, cell->row->entry, means);
    if (means[cell->column->counter] > 0.)
        snprintf(text, sizeof text, "%6.0f", means[cell->column->counter]);
    text_printf(out, "%*.9s", (int)cell->width, text);
}

static void records_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*d", (int)cell->width, (int32_t)cell->row->entry->records);
}

static void cpus_cell(const struct c2c_cell *cell, struct text *out)
{
    const uint32_t *cpus = sl_c2c_entry_cpus(cell->row->entry);
    uint32_t n = 0;
    for (uint32_t cpu = 0; cpu < cell->report->n_cpus && cpu < cell->report->table->config.n_cpus; cpu++)
        n += sl_bit_test(cpus, cpu);
    text_printf(out, "%*u", (int)cell->width, n);
}

static void symbol_cell(const struct c2c_cell *cell, struct text *out)
{
    const struct c2c_site *site = &cell->row->site;
    size_t used = 4;

    if (cell->report->view.verbose) {
        text_printf(out, "%-#18llx %c ", (unsigned long long)site->shown_address, site->origin);
        used += 21;
    }
    text_printf(out, "[%c] ", site->level);
    if (!site->symbol)
        text_printf(out, "%-#.16llx", (unsigned long long)site->address);
    else if (site->symbol_is_object)
        text_printf(out, "%s+0x%llx", site->symbol, (unsigned long long)(site->address - site->symbol_start));
    else
        text_printf(out, "%.*s", (int)(cell->width > used ? cell->width - used : 0), site->symbol);
}

static void image_cell(const struct c2c_cell *cell, struct text *out)
{
    const struct c2c_site *site = &cell->row->site;
    const char *name = cell->report->view.verbose ? site->image_path : site->image;
    text_printf(out, "%-*.*s", (int)cell->width, (int)cell->width, name ? name : "[unknown]");
}

static void source_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%.*s", (int)cell->width, cell->row->site.source ? cell->row->site.source : "");
}

/* ---- the last column: nodes -------------------------------------------------------------------------------------- */

static void share(struct text *out, uint32_t part, uint32_t all, char end)
{
    if (all)
        text_printf(out, "%5.1f%%%c", 100. * part / all, end);
    else
        text_printf(out, "%6s%c", "n/a", end);
}

static uint32_t common_cpus(const struct c2c_report *r, const uint32_t *cpus, const uint32_t *node, uint32_t *common)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->table->cpu_words; i++) {
        common[i] = cpus[i] & node[i];
        n += sl_popcount64(common[i]);
    }
    return n;
}

static void node_text(const struct c2c_cell *cell, struct text *out, uint32_t node, uint32_t n, const uint32_t *common)
{
    const struct c2c_report *r = cell->report;
    const struct sl_c2c_entry *entry = cell->row->entry;

    text_printf(out, "%2u", node);
    if (r->view.node_info == 1) {
        const struct sl_c2c_node_count *counts = sl_c2c_entry_node_counts(r->table, entry);
        static const struct sl_c2c_node_count none = {0, 0};
        const struct sl_c2c_node_count *own = counts ? counts + node : &none;
        text_printf(out, "{%2u ", n);
        share(out, own->metric, c2c_entry_metric(r->view.metric, entry), ' ');
        share(out, own->stores, entry->n[SL_C2C_STORE], '}');
    } else if (r->view.node_info == 2) {
        text_add(out, "{", 1);
        c2c_ranges(out, common, r->table->config.n_cpus);
        text_add(out, "}", 1);
    }
}

static void nodes_cell(const struct c2c_cell *cell, struct text *out)
{
    const struct c2c_report *r = cell->report;
    struct pool pool = {NULL, 0};
    uint32_t few[32], *common = few;
    bool first = true;

    if (r->table->cpu_words > sizeof few / sizeof few[0])
        common = (uint32_t *)pool_take(&pool, r->table->cpu_words * sizeof *common);

    for (uint32_t i = 0; i < r->n_nodes; i++) {
        uint32_t n = common_cpus(r, sl_c2c_entry_cpus(cell->row->entry), r->nodes[i].cpus, common);
        if (n == 0) {
            if (r->view.node_info == 1)
                text_add_char(out, ' ', 21);
            continue;
        }
        if (!first)
            text_add(out, " ", 1);
        node_text(cell, out, i, n, common);
        first = false;
    }
    pool_free(&pool);
}

/* ---- which columns
 * ---------------------------------------------------------------------------------------------------- */

enum when { ALWAYS, WITH_HITM, WITH_PEER, WITH_PID, WITH_TID, WITH_IP, WITH_IMAGE, WITH_SOURCE };

struct leaf_column {
    enum when when;
    struct c2c_column column;
};

/* clang-format off */
static const struct leaf_column leaf_columns[] = {
    { ALWAYS,      { { "", "Num" }, 5, 0, false, blank_cell, 0 } },
    { WITH_HITM,   { { "----- HITM -----", "RmtHitm" }, 7, 1, false, percent_cell, SL_C2C_REMOTE_HITM } },
    { WITH_HITM,   { { "", "LclHitm" }, 7, 0, false, percent_cell, SL_C2C_LOCAL_HITM } },
    { WITH_PEER,   { { "-- Peer Snoop --", "Rmt" }, 7, 1, false, percent_cell, SL_C2C_REMOTE_PEER } },
    { WITH_PEER,   { { "", "Lcl" }, 7, 0, false, percent_cell, SL_C2C_LOCAL_PEER } },
    { ALWAYS,      { { "------- Store Refs ------", "L1 Hit" }, 7, 2, false, percent_cell, SL_C2C_STORE_L1_HIT } },
    { ALWAYS,      { { "", "L1 Miss" }, 7, 0, false, percent_cell, SL_C2C_STORE_L1_MISS } },
    { ALWAYS,      { { "", "N/A" }, 7, 0, false, percent_cell, SL_C2C_STORE_NA } },
    { ALWAYS,      { { "Data address", "Offset" }, 18, 2, false, offset_cell, 0 } },
    { ALWAYS,      { { "", "Node" }, 0, 0, false, node_cell, 0 } },
    { ALWAYS,      { { "", "PA cnt" }, 6, 0, false, phys_cell, 0 } },
    { WITH_PID,    { { "", "Pid" }, 7, 0, false, pid_cell, 0 } },
    { WITH_TID,    { { "", "Tid" }, 0, 0, true, tid_cell, 0 } },
    { WITH_IP,     { { "", "Code address" }, 18, 0, false, ip_cell, 0 } },
    { WITH_HITM,   { { "---------- cycles ----------", "rmt hitm" }, 8, 2, false, mean_cell, SL_C2C_LATENCY_REMOTE_HITM } },
    { WITH_HITM,   { { "", "lcl hitm" }, 8, 0, false, mean_cell, SL_C2C_LATENCY_LOCAL_HITM } },
    { WITH_PEER,   { { "---------- cycles ----------", "rmt peer" }, 8, 2, false, mean_cell, SL_C2C_LATENCY_REMOTE_PEER } },
    { WITH_PEER,   { { "", "lcl peer" }, 8, 0, false, mean_cell, SL_C2C_LATENCY_LOCAL_PEER } },
    { ALWAYS,      { { "", "load" }, 8, 0, false, mean_cell, SL_C2C_LATENCY_LOAD } },
    { ALWAYS,      { { "Total", "records" }, 7, 0, false, records_cell, 0 } },
    { ALWAYS,      { { "cpu", "cnt" }, 8, 0, false, cpus_cell, 0 } },
    { WITH_IP,     { { "", "Symbol" }, 0, 0, true, symbol_cell, 0 } },
    { WITH_IMAGE,  { { "Shared", "Object" }, 0, 0, true, image_cell, 0 } },
    { WITH_SOURCE, { { "", "Source:Line" }, 0, 0, true, source_cell, 0 } },
    { ALWAYS,      { { "", "Node" }, 4, 0, false, nodes_cell, 0 } },
};
/* clang-format on */

static bool is_there(const struct c2c_view *view, enum when when)
{
    switch (when) {
    case WITH_HITM:
        return view->metric != SL_C2C_METRIC_PEER;
    case WITH_PEER:
        return view->metric == SL_C2C_METRIC_PEER;
    case WITH_PID:
        return view->with_pid;
    case WITH_TID:
        return view->with_tid;
    case WITH_IP:
        return view->with_ip;
    case WITH_IMAGE:
        return view->with_ip || view->with_image;
    case WITH_SOURCE:
        return view->with_ip && !view->no_source;
    default:
        return true;
    }
}

static const char *nodes_head(const struct c2c_view *view)
{
    if (view->node_info == 0)
        return "Node";
    if (view->node_info == 2)
        return "Node{cpu list}";
    return view->metric == SL_C2C_METRIC_PEER ? "Node{cpus %peers %stores}" : "Node{cpus %hitms %stores}";
}

#define COMPACT 30u /* columns that the interactive view gives to symbols and sources */

static size_t compact(const struct c2c_view *view, size_t width)
{
    return view->interactive && !view->full_symbols && width > COMPACT ? COMPACT : width;
}

/* The interactive view has narrow offsets, and no numbers. */
static void narrow(const struct c2c_report *r, struct pool *pool, struct c2c_column *offset)
{
    offset->width = 5;
    offset->head[0] = c2c_dashed(pool, "CL", 5 + r->node_width + 6 + 4);
    offset->head[1] = "Off";
}

/* Widths that depend on the line; *n columns. */
static void choose_columns(const struct c2c_report *r, const struct c2c_line_widths *w, struct pool *pool,
                           struct c2c_column *columns, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < sizeof leaf_columns / sizeof leaf_columns[0]; i++) {
        struct c2c_column *c = &columns[*n];
        if (!is_there(&r->view, leaf_columns[i].when) ||
            (r->view.interactive && leaf_columns[i].column.print == blank_cell))
            continue;
        *c = leaf_columns[i].column;
        if (c->print == node_cell)
            c->width = r->node_width;
        else if (c->print == tid_cell)
            c->width = w->thread;
        else if (c->print == symbol_cell)
            c->width = compact(&r->view, w->symbol);
        else if (c->print == image_cell)
            c->width = w->image;
        else if (c->print == source_cell)
            c->width = compact(&r->view, w->source);
        else if (c->print == offset_cell && r->view.interactive)
            narrow(r, pool, c);
        else if (c->print == offset_cell)
            c->head[0] = c2c_dashed(pool, c->head[0], 18 + r->node_width + 6 + 4);
        else if (c->print == nodes_cell)
            c->head[1] = nodes_head(&r->view);
        (*n)++;
    }
}

static void line_row(const struct c2c_report *r, const struct c2c_line *line, FILE *out)
{
    static const int with_hitm[] = {SL_C2C_REMOTE_HITM, SL_C2C_LOCAL_HITM};
    static const int with_peer[] = {SL_C2C_REMOTE_PEER, SL_C2C_LOCAL_PEER};
    const int *metric = r->view.metric == SL_C2C_METRIC_PEER ? with_peer : with_hitm;
    const uint32_t *n = line->line->stats.n;
    struct text row = {NULL, 0, 0};

    text_printf(&row, "  %5u  %7d  %7d  %7d  %7d  %7d  ", line->index, (int32_t)n[metric[0]], (int32_t)n[metric[1]],
                (int32_t)n[SL_C2C_STORE_L1_HIT], (int32_t)n[SL_C2C_STORE_L1_MISS], (int32_t)n[SL_C2C_STORE_NA]);
    hex_text(&row, 18, line->address);
    fprintf(out, RULE "%s\n" RULE, row.data);
    text_free(&row);
}

static void entry_row(const struct c2c_report *r, const struct c2c_line *line, const struct c2c_row *row,
                      const struct c2c_column *columns, size_t n, bool with_chain, FILE *out)
{
    struct c2c_cell cell = {.report = r, .line = line, .row = row};
    const struct c2c_chain *chain;

    c2c_table_row(out, columns, n, &cell, c2c_table_limit(columns, n));
    chain = with_chain && r->names.chain ? r->names.chain(r->names.context, row->entry) : NULL;
    if (chain && chain->root.first_child)
        c2c_chain_text(chain, &r->view.chain, line->line->period, out);
}

void c2c_text_line_header(const struct c2c_report *r, const struct c2c_line *line, FILE *out)
{
    struct c2c_column columns[MAX_COLUMNS];
    struct pool pool = {NULL, 0};
    size_t n;

    choose_columns(r, &line->widths, &pool, columns, &n);
    c2c_table_header(out, columns, n);
    pool_free(&pool);
}

void c2c_text_line_row(const struct c2c_report *r, const struct c2c_line *line, uint32_t row, bool with_chain,
                       FILE *out)
{
    struct c2c_column columns[MAX_COLUMNS];
    struct pool pool = {NULL, 0};
    size_t n;

    choose_columns(r, &line->widths, &pool, columns, &n);
    entry_row(r, line, &line->rows[row], columns, n, with_chain, out);
    pool_free(&pool);
}

static void line_block(const struct c2c_report *r, const struct c2c_line *line, bool first, FILE *out)
{
    struct c2c_column columns[MAX_COLUMNS];
    struct pool pool = {NULL, 0};
    size_t n;

    choose_columns(r, &line->widths, &pool, columns, &n);
    if (first)
        c2c_table_header(out, columns, n);
    else
        fputc('\n', out);
    line_row(r, line, out);
    for (uint32_t i = 0; i < line->n_rows; i++) {
        if (!line->rows[i].hidden)
            entry_row(r, line, &line->rows[i], columns, n, true, out);
    }
    pool_free(&pool);
}

void c2c_text_pareto(const struct c2c_report *r, FILE *out)
{
    bool first = true;
    for (uint32_t i = 0; i < r->n_lines; i++) {
        if (r->lines[i].hidden)
            continue;
        line_block(r, &r->lines[i], first, out);
        first = false;
    }
}
