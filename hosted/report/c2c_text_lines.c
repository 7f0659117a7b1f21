/* SPDX-License-Identifier: Apache-2.0 */
/* "Shared Data Cache Line Table": one row for each line. */
#include "c2c_table.h"

/* Beside enum sl_c2c_counter. */
enum { SUM_CONTENDED = -1, SUM_RECORDS = -2, SUM_LOADS = -3 };

static void index_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*u", (int)cell->width, cell->line->index);
}

static void address_cell(const struct c2c_cell *cell, struct text *out)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)cell->line->address);
    text_printf(out, "%*s", (int)cell->width, text);
}

static void node_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*s", (int)cell->width, cell->line->nodes);
}

static void phys_cell(const struct c2c_cell *cell, struct text *out)
{
    text_printf(out, "%*d", (int)cell->width, (int32_t)cell->line->line->phys_changes);
}

static void percent_cell(const struct c2c_cell *cell, struct text *out)
{
    const struct c2c_report *r = cell->report;
    uint32_t own = c2c_metric(r->view.metric, &cell->line->line->stats);
    uint32_t all = c2c_metric(r->view.metric, &r->totals);
    text_printf(out, "%6.2f%%", all ? (double)own / all * 100 : 0.);
}

static void count_cell(const struct c2c_cell *cell, struct text *out)
{
    const struct sl_c2c_stats *stats = &cell->line->line->stats;
    enum sl_c2c_metric all = cell->report->view.metric == SL_C2C_METRIC_PEER ? SL_C2C_METRIC_PEER : SL_C2C_TOTAL_HITM;
    uint32_t value;
    switch (cell->column->counter) {
    case SUM_CONTENDED:
        value = c2c_metric(all, stats);
        break;
    case SUM_RECORDS:
        value = sl_c2c_records(stats);
        break;
    case SUM_LOADS:
        value = sl_c2c_loads(stats);
        break;
    default:
        value = stats->n[cell->column->counter];
        break;
    }
    text_printf(out, "%*d", (int)cell->width, (int32_t)value);
}

#define N_COLUMNS 23
#define NAME      1 /* columns whose texts depend on options */
#define METRIC    4
#define CONTENDED 5

static const struct c2c_column line_columns[N_COLUMNS] = {
    {{"", "Index"}, 5, 0, false, index_cell, 0},
    {{"", "Address"}, 18, 2, false, address_cell, 0},
    {{"", "Node"}, 4, 0, false, node_cell, 0},
    {{"", "PA cnt"}, 6, 0, false, phys_cell, 0},
    {{"", "Hitm"}, 7, 0, false, percent_cell, 0},
    {{"------- Load Hitm -------", "Total"}, 7, 2, false, count_cell, SUM_CONTENDED},
    {{"", "LclHitm"}, 7, 0, false, count_cell, SL_C2C_LOCAL_HITM},
    {{"", "RmtHitm"}, 7, 0, false, count_cell, SL_C2C_REMOTE_HITM},
    {{"Total", "records"}, 7, 0, false, count_cell, SUM_RECORDS},
    {{"Total", "Loads"}, 7, 0, false, count_cell, SUM_LOADS},
    {{"Total", "Stores"}, 7, 0, false, count_cell, SL_C2C_STORE},
    {{"--------- Stores --------", "L1Hit"}, 7, 2, false, count_cell, SL_C2C_STORE_L1_HIT},
    {{"", "L1Miss"}, 7, 0, false, count_cell, SL_C2C_STORE_L1_MISS},
    {{"", "N/A"}, 7, 0, false, count_cell, SL_C2C_STORE_NA},
    {{"----- Core Load Hit -----", "FB"}, 7, 2, false, count_cell, SL_C2C_LOAD_FILL_BUFFER},
    {{"", "L1"}, 7, 0, false, count_cell, SL_C2C_LOAD_L1},
    {{"", "L2"}, 7, 0, false, count_cell, SL_C2C_LOAD_L2},
    {{"- LLC Load Hit --", "LclHit"}, 8, 1, false, count_cell, SL_C2C_LOAD_LLC},
    {{"", "LclHitm"}, 7, 0, false, count_cell, SL_C2C_LOCAL_HITM},
    {{"- RMT Load Hit --", "RmtHit"}, 8, 1, false, count_cell, SL_C2C_REMOTE_HIT},
    {{"", "RmtHitm"}, 7, 0, false, count_cell, SL_C2C_REMOTE_HITM},
    {{"--- Load Dram ----", "Lcl"}, 8, 1, false, count_cell, SL_C2C_LOCAL_DRAM},
    {{"", "Rmt"}, 8, 0, false, count_cell, SL_C2C_REMOTE_DRAM},
};

static const struct c2c_column peer_columns[3] = {
    {{"------- Load Peer -------", "Total"}, 7, 2, false, count_cell, SUM_CONTENDED},
    {{"", "Local"}, 7, 0, false, count_cell, SL_C2C_LOCAL_PEER},
    {{"", "Remote"}, 7, 0, false, count_cell, SL_C2C_REMOTE_PEER},
};

const char *c2c_metric_name(enum sl_c2c_metric metric)
{
    static const char *const names[] = {"Tot", "Rmt", "Lcl", "Peer"};
    return names[metric];
}

void c2c_text_lines(const struct c2c_report *r, FILE *out)
{
    struct c2c_column columns[N_COLUMNS];
    struct pool pool = {NULL, 0};
    size_t limit;

    for (size_t i = 0; i < N_COLUMNS; i++)
        columns[i] = line_columns[i];
    columns[NAME].head[0] = c2c_dashed(&pool, r->view.double_line ? "Double-Cacheline" : "Cacheline", 32);
    columns[METRIC].head[0] = c2c_metric_name(r->view.metric);
    if (r->view.metric == SL_C2C_METRIC_PEER) {
        columns[METRIC].head[1] = "Snoop";
        for (size_t i = 0; i < 3; i++)
            columns[CONTENDED + i] = peer_columns[i];
    }
    c2c_table_header(out, columns, N_COLUMNS);
    limit = c2c_table_limit(columns, N_COLUMNS);
    for (uint32_t i = 0; i < r->n_lines; i++) {
        struct c2c_cell cell = {.report = r, .line = &r->lines[i]};
        if (!r->lines[i].hidden)
            c2c_table_row(out, columns, N_COLUMNS, &cell, limit);
    }
    pool_free(&pool);
}
