/* SPDX-License-Identifier: Apache-2.0 */
/* What the renderers of simulated regions share: the observers of one report, and one function for each view. */
#ifndef HOSTED_REPORT_MCA_INTERNAL_H
#define HOSTED_REPORT_MCA_INTERNAL_H

#include <slotledger/observe.h>

#include "mca_report.h"
#include "text_out.h"

struct mca_report {
    const struct sl_mca *m;
    struct mca_report_options options; /* as heeded: instruction-tables mode has switched views */
    void *memory;
    bool finished;
    struct sl_obs_summary summary;
    struct sl_obs_pressure pressure;
    struct sl_obs_timeline timeline;
    struct sl_obs_dispatch dispatch;
    struct sl_obs_scheduler scheduler;
    struct sl_obs_retire retire;
    struct sl_obs_regfile regfile;
    struct sl_obs_bottleneck bottleneck;
    struct sl_obs_waits waits;   /* of waits, slots and findings */
    struct sl_slot_tree tree;    /* set by finish, for slots */
    uint64_t unit_slots[64];     /* likewise, by resource */
};

static inline bool mca_has_waits(const struct mca_report_options *o)
{
    return o->waits || o->slots || o->findings;
}

/* Settles the observers once. SL_E_ROOM: see mca_report_print. */
enum sl_status mca_report_finish(struct mca_report *report);

static inline const char *mca_resource_name(const struct sl_cpu *cpu, unsigned resource)
{
    return cpu->names + cpu->resources[resource].name;
}

/* Static data of one block instruction, as the instruction-info view shows it. */
struct mca_insn_info {
    uint32_t uops;
    uint32_t latency_cycles;
    double reciprocal_throughput;
};
void mca_insn_info(const struct sl_mca *m, const struct mca_report_input *input, uint32_t position,
                   struct mca_insn_info *info);

/* Unrounded figures of the summary. */
struct mca_summary {
    uint32_t iterations, instructions, cycles, uops, dispatch_width;
    double uops_per_cycle, ipc, block_throughput;
};
void mca_summary(const struct mca_report *report, struct mca_summary *summary);

/* Cycles of a pressure cell for one iteration. */
double mca_pressure_cell(const struct mca_report *report, size_t cell);

/* Text views, each complete with its leading empty lines. */
void mca_text_summary(struct text_out *out, const struct mca_report *report);
void mca_text_bottleneck(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input);
void mca_text_instruction_info(struct text_out *out, const struct mca_report *report,
                               const struct mca_report_input *input);
void mca_text_dispatch(struct text_out *out, const struct mca_report *report);
void mca_text_scheduler(struct text_out *out, const struct mca_report *report);
void mca_text_retire(struct text_out *out, const struct mca_report *report);
void mca_text_regfile(struct text_out *out, const struct mca_report *report);
void mca_text_pressure(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input);
void mca_text_timeline(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input);

#endif
