/* SPDX-License-Identifier: Apache-2.0 */
/* perf c2c report --stdio: the statistics, and the order of the blocks. */
#include "c2c_table.h"

#define BAR "=================================================\n"

static void title(FILE *out, const char *text)
{
    fprintf(out, BAR "%s\n" BAR, text);
}

/* A row adds up to two counters; SPECIAL ones are sums of more. */
enum special { SPECIAL_NONE = -1, SPECIAL_LLC_MISSES = -2, SPECIAL_LINES = -3, SPECIAL_MERGED = -4 };

struct stat_row {
    const char *label;
    int counter, and_counter;
    bool percent; /* of the last-level misses */
};

static const struct stat_row trace_rows[] = {
    {"Total records", SL_C2C_SAMPLES, SPECIAL_NONE, false},
    {"Locked Load/Store Operations", SL_C2C_LOCKED, SPECIAL_NONE, false},
    {"Load Operations", SL_C2C_LOAD, SPECIAL_NONE, false},
    {"Loads - uncacheable", SL_C2C_LOAD_UNCACHED, SPECIAL_NONE, false},
    {"Loads - IO", SL_C2C_LOAD_IO, SPECIAL_NONE, false},
    {"Loads - Miss", SL_C2C_LOAD_MISS, SPECIAL_NONE, false},
    {"Loads - no mapping", SL_C2C_LOAD_NO_ADDRESS, SPECIAL_NONE, false},
    {"Load Fill Buffer Hit", SL_C2C_LOAD_FILL_BUFFER, SPECIAL_NONE, false},
    {"Load L1D hit", SL_C2C_LOAD_L1, SPECIAL_NONE, false},
    {"Load L2D hit", SL_C2C_LOAD_L2, SPECIAL_NONE, false},
    {"Load LLC hit", SL_C2C_LOAD_LLC, SL_C2C_LOCAL_HITM, false},
    {"Load Local HITM", SL_C2C_LOCAL_HITM, SPECIAL_NONE, false},
    {"Load Remote HITM", SL_C2C_REMOTE_HITM, SPECIAL_NONE, false},
    {"Load Remote HIT", SL_C2C_REMOTE_HIT, SPECIAL_NONE, false},
    {"Load Local DRAM", SL_C2C_LOCAL_DRAM, SPECIAL_NONE, false},
    {"Load Remote DRAM", SL_C2C_REMOTE_DRAM, SPECIAL_NONE, false},
    {"Load MESI State Exclusive", SL_C2C_LOAD_EXCLUSIVE, SPECIAL_NONE, false},
    {"Load MESI State Shared", SL_C2C_LOAD_SHARED, SPECIAL_NONE, false},
    {"Load LLC Misses", SPECIAL_LLC_MISSES, SPECIAL_NONE, false},
    {"Load access blocked by data", SL_C2C_BLOCKED_DATA, SPECIAL_NONE, false},
    {"Load access blocked by address", SL_C2C_BLOCKED_ADDRESS, SPECIAL_NONE, false},
    {"Load HIT Local Peer", SL_C2C_LOCAL_PEER, SPECIAL_NONE, false},
    {"Load HIT Remote Peer", SL_C2C_REMOTE_PEER, SPECIAL_NONE, false},
    {"LLC Misses to Local DRAM", SL_C2C_LOCAL_DRAM, SPECIAL_NONE, true},
    {"LLC Misses to Remote DRAM", SL_C2C_REMOTE_DRAM, SPECIAL_NONE, true},
    {"LLC Misses to Remote cache (HIT)", SL_C2C_REMOTE_HIT, SPECIAL_NONE, true},
    {"LLC Misses to Remote cache (HITM)", SL_C2C_REMOTE_HITM, SPECIAL_NONE, true},
    {"Store Operations", SL_C2C_STORE, SPECIAL_NONE, false},
    {"Store - uncacheable", SL_C2C_STORE_UNCACHED, SPECIAL_NONE, false},
    {"Store - no mapping", SL_C2C_STORE_NO_ADDRESS, SPECIAL_NONE, false},
    {"Store L1D Hit", SL_C2C_STORE_L1_HIT, SPECIAL_NONE, false},
    {"Store L1D Miss", SL_C2C_STORE_L1_MISS, SPECIAL_NONE, false},
    {"Store No available memory level", SL_C2C_STORE_NA, SPECIAL_NONE, false},
    {"No Page Map Rejects", SL_C2C_NO_MAP, SPECIAL_NONE, false},
    {"Unable to parse data source", SL_C2C_NOT_PARSED, SPECIAL_NONE, false},
};

static const struct stat_row shared_rows[] = {
    {"Total Shared Cache Lines", SPECIAL_LINES, SPECIAL_NONE, false},
    {"Load HITs on shared lines", SL_C2C_LOAD, SPECIAL_NONE, false},
    {"Fill Buffer Hits on shared lines", SL_C2C_LOAD_FILL_BUFFER, SPECIAL_NONE, false},
    {"L1D hits on shared lines", SL_C2C_LOAD_L1, SPECIAL_NONE, false},
    {"L2D hits on shared lines", SL_C2C_LOAD_L2, SPECIAL_NONE, false},
    {"LLC hits on shared lines", SL_C2C_LOAD_LLC, SL_C2C_LOCAL_HITM, false},
    {"Load hits on peer cache or nodes", SL_C2C_LOCAL_PEER, SL_C2C_REMOTE_PEER, false},
    {"Locked Access on shared lines", SL_C2C_LOCKED, SPECIAL_NONE, false},
    {"Blocked Access on shared lines", SL_C2C_BLOCKED_DATA, SL_C2C_BLOCKED_ADDRESS, false},
    {"Store HITs on shared lines", SL_C2C_STORE, SPECIAL_NONE, false},
    {"Store L1D hits on shared lines", SL_C2C_STORE_L1_HIT, SPECIAL_NONE, false},
    {"Store No available memory level", SL_C2C_STORE_NA, SPECIAL_NONE, false},
    {"Total Merged records", SPECIAL_MERGED, SPECIAL_NONE, false},
};

static uint32_t value_of(const struct c2c_report *r, const struct sl_c2c_stats *stats, int counter)
{
    const uint32_t *n = stats->n;
    switch (counter) {
    case SPECIAL_NONE:
        return 0;
    case SPECIAL_LLC_MISSES:
        return sl_c2c_llc_misses(stats);
    case SPECIAL_LINES:
        return r->n_shared;
    case SPECIAL_MERGED:
        return n[SL_C2C_LOCAL_HITM] + n[SL_C2C_REMOTE_HITM] + n[SL_C2C_STORE];
    default:
        return n[counter];
    }
}

static void stat_block(const struct c2c_report *r, FILE *out, const struct sl_c2c_stats *stats,
                       const struct stat_row *rows, size_t n)
{
    uint32_t misses = sl_c2c_llc_misses(stats);
    for (size_t i = 0; i < n; i++) {
        uint32_t value = value_of(r, stats, rows[i].counter) + value_of(r, stats, rows[i].and_counter);
        if (!rows[i].percent)
            fprintf(out, "  %-34s: %10d\n", rows[i].label, (int32_t)value);
        else if (misses)
            fprintf(out, "  %-34s: %10.1f%%\n", rows[i].label, (double)value / misses * 100.);
        else /* 0 / 0 has its sign bit set on x86, where the reference runs */
            fprintf(out, "  %-34s: %10s%%\n", rows[i].label, "-nan");
    }
}

static void details(const struct c2c_report *r, FILE *out)
{
    static const char *const sorted_on[] = {"Total HITMs", "Remote HITMs", "Local HITMs", "Peer Snoop"};
    for (uint32_t i = 0; i < r->events.n; i++)
        fprintf(out, "%-36s: %s\n", i ? "" : "  Events", r->events.names[i]);
    fprintf(out, "  Cachelines sort on                : %s\n", sorted_on[r->view.metric]);
    fprintf(out, "  Cacheline data grouping           : offset,%s\n", r->view.coalesce);
}

void c2c_text(const struct c2c_report *r, FILE *out)
{
    title(out, "            Trace Event Information              ");
    stat_block(r, out, &r->totals, trace_rows, sizeof trace_rows / sizeof trace_rows[0]);
    fputc('\n', out);
    title(out, "    Global Shared Cache Line Event Information   ");
    stat_block(r, out, &r->shared, shared_rows, sizeof shared_rows / sizeof shared_rows[0]);
    fputc('\n', out);
    title(out, "                 c2c details                     ");
    details(r, out);
    if (r->view.stats_only)
        return;
    fputc('\n', out);
    title(out, "           Shared Data Cache Line Table          ");
    fputs("#\n", out);
    c2c_text_lines(r, out);
    fputc('\n', out);
    title(out, "      Shared Cache Line Distribution Pareto      ");
    fputs("#\n", out);
    c2c_text_pareto(r, out);
}
