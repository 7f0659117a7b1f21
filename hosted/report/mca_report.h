/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of one simulated region: choose views, attach their observers, run the machine, print text or JSON. */
#ifndef HOSTED_REPORT_MCA_REPORT_H
#define HOSTED_REPORT_MCA_REPORT_H

#include <stdio.h>

#include <slotledger/mca.h>

/* Which views are on. The caller applies llvm-mca's defaults and -all-views / -all-stats. In instruction-tables
 * mode (m->config.instruction_tables) only instruction_info, show_encoding and show_barriers are heeded. */
struct mca_report_options {
    bool summary;
    bool bottleneck; /* needs sl_mca_config.pressure */
    bool instruction_info;
    bool dispatch_stats;
    bool scheduler_stats;
    bool retire_stats;
    bool register_file_stats;
    bool resource_pressure;
    bool timeline;
    bool show_encoding;
    bool show_barriers;
    bool waits, slots, findings; /* slotledger's own; need sl_mca_config.pressure */
    uint32_t timeline_max_iterations; /* 0: 10 */
    uint32_t timeline_max_cycles;     /* 0: unlimited. llvm-mca's default is 80 */
};

/* What the renderers need beside the observers. Everything is borrowed. */
struct mca_report_input {
    const char *const *texts;         /* [n_insns] as printed: without leading white space, tabs inside */
    const uint8_t *const *encodings;  /* [n_insns]; only for show_encoding */
    const uint8_t *encoding_len;      /* [n_insns]; likewise */
    const char *(*reg_name)(uint16_t reg); /* sl_<isa>_reg_name */
    const struct sl_insn *info_insns; /* [n_insns] what the instruction-info view looks at; NULL: what was simulated */
    const char *region_name;          /* JSON "Name"; NULL: "" */
    const char *notes;                /* lines above the views, JSON "Notes"; NULL: none */
};

struct mca_report;

/* Allocates the observers that the options ask for and attaches them to m: after sl_mca_init, before sl_mca_run.
 * SL_E_ROOM: out of memory, nothing is attached. */
enum sl_status mca_report_attach(struct mca_report **report, struct sl_mca *m,
                                 const struct mca_report_options *options) SL_MUST_CHECK;
/* Bit set of enum sl_mca_quirk that the printed views have met beside the machine. */
uint32_t mca_report_quirks(const struct mca_report *report);
void mca_report_free(struct mca_report *report); /* NULL is allowed */

/* "\n[0] Code Region - name\n\n": only for regions with a begin or end marker. name may be NULL or "". */
void mca_report_region_header(FILE *out, unsigned index, const char *name);

/* All views that are on, in llvm-mca's order; after sl_mca_run has returned SL_OK. SL_E_ROOM: an observer saw more
 * different things than its memory holds (dependencies of the bottleneck analysis; sizes of a cycle's work); nothing
 * is printed then. Write errors are left in ferror(out). */
enum sl_status mca_report_print(struct mca_report *report, const struct mca_report_input *input,
                                FILE *out) SL_MUST_CHECK;

/* JSON: begin, then each region in order, then end. llvm-mca prints only when all regions have succeeded, so let `out`
 * be a memory stream or a temporary file. */
struct mca_report_json {
    FILE *out;
    size_t n_regions;
};

/* "SimulationParameters" and "TargetInfo". */
struct mca_report_json_target {
    const struct sl_cpu *cpu;
    const struct sl_mca_config *config; /* as the user gave it: 0 = not given */
    const char *march;   /* architecture part of the triple */
    const char *mcpu;
    const char *mtriple; /* as given */
};

void mca_report_json_begin(struct mca_report_json *json, FILE *out);
enum sl_status mca_report_json_region(struct mca_report_json *json, struct mca_report *report,
                                      const struct mca_report_input *input) SL_MUST_CHECK;
void mca_report_json_end(struct mca_report_json *json, const struct mca_report_json_target *target);

#endif
