/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `slotledger mca`: llvm-mca's own, and those for machine-code input. */
#ifndef HOSTED_CLI_MCA_OPTIONS_H
#define HOSTED_CLI_MCA_OPTIONS_H

#include <slotledger/mca.h>

#include "../report/mca_report.h"
#include "options.h"

/* Choices of -skip-unsupported-instructions. */
enum mca_skip { MCA_SKIP_NONE, MCA_SKIP_LACK_SCHED, MCA_SKIP_PARSE_FAILURE, MCA_SKIP_ANY };

struct mca_options {
    bool help, help_hidden, version, list_cpus;
    /* target */
    const char *mtriple, *march, *mcpu, *mattr, *model;
    /* input */
    const char *assembler;
    bool raw;
    const char *isa, *base, *symbol, *range;
    bool loops, outer_loops, plain_names;
    const char *pcs, *pcs_base;
    uint32_t hottest;
    int loop_path; /* 0: straight, 1: all */
    /* many at once */
    bool batch, all_symbols, json_lines;
    uint32_t jobs;
    /* simulation */
    uint32_t iterations, dispatch, register_file_size, lqueue, squeue, micro_op_queue_size, decoder_throughput;
    uint32_t call_latency;
    const char *load_latency;
    bool noalias, disable_cb, disable_im, instruction_tables, no_quirks, no_extrapolate, show_extrapolation;
    int skip; /* enum mca_skip */
    /* output */
    const char *output, *html;
    int32_t output_asm_variant;
    bool print_imm_hex, json;
    /* views */
    bool summary, bottleneck, instruction_info, dispatch_stats, scheduler_stats, retire_stats, register_file_stats;
    bool resource_pressure, timeline, show_encoding, show_barriers, all_stats, all_views;
    bool waits, slots, findings;
    uint32_t timeline_max_iterations, timeline_max_cycles;
};

#define MCA_MAX_OPTIONS 96

/* The table, with the program's name for messages. */
struct command mca_command(const char *program);

/* Values before parsing. */
void mca_options_defaults(struct mca_options *options);

/* What -all-views and -all-stats make of the single views: an option counts unless a later one of the two overrides it. */
void mca_options_views(const struct mca_options *options, const unsigned *positions, bool in_order,
                       struct mca_report_options *views);
void mca_options_config(const struct mca_options *options, bool pressure, struct sl_mca_config *config);

static inline bool mca_skips_unsupported(const struct mca_options *options)
{
    return options->skip == MCA_SKIP_LACK_SCHED || options->skip == MCA_SKIP_ANY;
}

static inline bool mca_skips_failures(const struct mca_options *options)
{
    return options->skip == MCA_SKIP_PARSE_FAILURE || options->skip == MCA_SKIP_ANY;
}

#endif
