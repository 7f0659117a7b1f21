/* SPDX-License-Identifier: Apache-2.0 */
/* Top-Down results for people and programs: text, JSON, CSV, and the difference of two. */
#ifndef HOSTED_REPORT_TOPDOWN_REPORT_H
#define HOSTED_REPORT_TOPDOWN_REPORT_H

#include <stdio.h>

#include <slotledger/topdown.h>

/* Counts of one region on one core, and what came of them. */
struct topdown_entry {
    const char *region; /* NULL: the counts are not of a named region */
    const char *where;  /* "core 0", perf's "CPU0"; NULL: not known */
    const struct sl_topdown_core *core;
    struct sl_topdown_config config;
    const char *width_source; /* "register", "table", "option"; NULL: no width */
    const struct sl_topdown_count *counts;
    size_t n_counts;
    uint64_t invocations; /* 0: not known */
    uint64_t duration;    /* of all invocations, in ticks of hz; 0: not known */
    uint64_t hz;
    uint64_t own_cycles;      /* cycles that own_invocations of an empty region took: what measuring costs; */
    uint64_t own_invocations; /* 0: not calibrated */
    bool net;                 /* that is taken off the counts */
    const char *remark;    /* why there are no counts, or NULL */
    enum sl_status status; /* of the evaluation; only SL_OK has a result */
    struct sl_topdown result;
};

struct topdown_report {
    const char *source; /* name of the file */
    struct topdown_entry *entries;
    size_t n_entries;
    bool named; /* entries have regions and cores: CSV gets columns for them */
};

struct topdown_options {
    unsigned level; /* deepest shown; 0: all */
    bool raw;       /* counts, raw shares and whole slots, too */
};

/* Fills in status and result of each entry. */
void topdown_evaluate_all(struct topdown_report *report);

void topdown_text(const struct topdown_report *report, const struct topdown_options *options, FILE *out);
void topdown_json(const struct topdown_report *report, const struct topdown_options *options, FILE *out);
void topdown_csv(const struct topdown_report *report, const struct topdown_options *options, FILE *out);

enum topdown_form { TOPDOWN_TEXT, TOPDOWN_JSON, TOPDOWN_CSV };
/* Entries with the same region and place, b against a; entries of one only are listed. */
void topdown_diff(const struct topdown_report *a, const struct topdown_report *b, const struct topdown_options *options,
                  enum topdown_form form, FILE *out);

void topdown_list_cores(FILE *out);
/* The passes that n_counters programmable counters, and the fixed ones of the architecture, need. false: level 1 cannot
 * be counted by the core's own model; its fallbacks' passes are shown as far as there are any. */
bool topdown_plan_text(const struct sl_topdown_core *core, unsigned n_counters, unsigned level, FILE *out);

#endif
