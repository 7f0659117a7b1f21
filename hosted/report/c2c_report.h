/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `slotledger c2c report`: shown lines and entries in order, with the names of everything. Renderers take
 * this and nothing else. */
#ifndef HOSTED_REPORT_C2C_REPORT_H
#define HOSTED_REPORT_C2C_REPORT_H

#include <slotledger/c2c.h>

#include "../io/data_type.h"
#include "../io/pool.h"
#include "c2c_chain.h"

/* What perf's report options choose. */
struct c2c_view {
    enum sl_c2c_metric metric;
    const char *coalesce;                         /* as given, "iaddr" by default */
    bool with_ip, with_pid, with_tid, with_image; /* what of it is there */
    unsigned node_info;                           /* 0, 1, 2 */
    unsigned verbose;
    bool stats_only, full_symbols, no_source, show_all, double_line;
    bool interactive; /* the entries of a line in the layout of the terminal's view */
    struct c2c_chain_view chain;
};

/* An event, in the order in which "c2c details" lists them. */
struct c2c_events {
    const char *const *names;
    uint32_t n;
};

/* A NUMA node, by position. */
struct c2c_node {
    uint32_t id;
    const uint32_t *cpus; /* bit set of the table's n_cpus bits */
};

/* Names around an entry, which are those of its first sample. NULL: not known. */
struct c2c_site {
    const char *symbol;
    bool symbol_is_object;
    uint64_t symbol_start;
    uint64_t address;       /* of the instruction in its image; raw without an image */
    uint64_t shown_address; /* the same as -v shows it: the raw one for the kernel */
    char level;             /* 'k', '.', 'H' */
    char origin;            /* of the symbol table, perf's letter; '!': none */
    const char *image;      /* short name */
    const char *image_path;
    const char *source; /* text of the Source:Line column, or NULL when it is not shown */
    const char *comm;   /* never NULL */
    int32_t pid, tid;
    uint32_t thread;         /* number, equal for equal threads */
    uint32_t comm_len;       /* as perf measures it: when the thread was first looked at */
    const char *data_symbol; /* variable that the data address belongs to */
    uint64_t data_symbol_offset;
    const struct data_member *member; /* the same by DWARF, where it was asked for */
};

struct c2c_names {
    void *context;
    /* Fills *site (zeroed before). with_source: the source line is wanted. */
    void (*site)(void *context, const struct sl_c2c_line *line, const struct sl_c2c_entry *entry, bool with_source,
                 struct c2c_site *site);
    /* Running means of the entry's latencies, in cycles; NULL: from the sums of the table. */
    const double *(*means)(void *context, const struct sl_c2c_entry *entry);
    /* Call chains of the entry and their sum of periods; NULL: none. */
    const struct c2c_chain *(*chain)(void *context, const struct sl_c2c_entry *entry);
    const uint32_t *image_rank;
};

/* What got lost on the way from the processor to this report. */
struct c2c_loss {
    uint64_t lost_events, lost_chunks, lost_samples;
    uint64_t aux_records, aux_truncated, aux_partial, aux_collisions, aux_errors;
    uint64_t unknown_records, unknown_ids, bad_bytes, out_of_order;
};

struct c2c_row {
    const struct sl_c2c_entry *entry;
    struct c2c_site site;
    const char *nodes; /* memory nodes: "0-1", "N/A" */
    bool hidden;
};

struct c2c_line_widths {
    size_t thread, symbol, image, source;
};

struct c2c_line {
    const struct sl_c2c_line *line;
    uint64_t address; /* raw, of the line */
    uint32_t index;
    bool hidden; /* guest lines with --show-all */
    const char *nodes;
    struct c2c_row *rows; /* in order, hidden ones included */
    uint32_t n_rows;
    uint32_t cpu_words; /* of the sets of CPUs */
    struct c2c_line_widths widths;
};

struct c2c_report {
    const struct sl_c2c *table;
    struct c2c_view view;
    struct c2c_names names;
    struct c2c_events events;
    const struct c2c_node *nodes;
    uint32_t n_nodes;
    uint32_t n_cpus; /* of the machine: CPUs beyond are not counted */
    struct c2c_loss loss;
    const char *input;
    uint32_t line_bytes;
    struct sl_c2c_stats totals; /* of all samples */
    struct sl_c2c_stats shared; /* of lines with HITM or peer accesses */
    uint32_t n_shared;
    struct c2c_line *lines;
    uint32_t n_lines;
    size_t node_width;
    struct pool pool;
};

/* Fills the members from totals on from those before them: which lines are shown, in order. */
void c2c_report_lines(struct c2c_report *report);
/* Then: their entries, with names and widths. */
void c2c_report_entries(struct c2c_report *report);
void c2c_report_free(struct c2c_report *report);

/* Counter of a metric, of a line or of all; and of an entry. */
uint32_t c2c_metric(enum sl_c2c_metric metric, const struct sl_c2c_stats *stats);
uint32_t c2c_entry_metric(enum sl_c2c_metric metric, const struct sl_c2c_entry *entry);
/* Means of an entry's latencies: NULL slots are 0. */
void c2c_entry_means(const struct c2c_report *report, const struct sl_c2c_entry *entry, double means[SL_C2C_LATENCIES]);
/* "0-2,5" of a bit set; "" of an empty one. */
void c2c_ranges(struct text *out, const uint32_t *set, uint32_t n_bits);

/* perf's stdio tables. */
void c2c_text(const struct c2c_report *report, FILE *out);

#endif
