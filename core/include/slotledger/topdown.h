/* SPDX-License-Identifier: Apache-2.0 */
/* Top-Down accounting: counter values of a region -> slot tree, for each supported core; and which events to count
 * together.
 *
 * A core (struct sl_topdown_core) names its width and its model. A model (struct sl_topdown_model) is data: events and,
 * for each node of the tree, a formula; the sources are cited beside each in core/topdown/model_*.c. A model that lacks
 * its events falls back to a humbler one, down to what the architecture guarantees, and the tree's kind says so. Code
 * that only measures needs sl_topdown_plan and one model; evaluation, names and other models need not be linked. */
#ifndef SLOTLEDGER_TOPDOWN_H
#define SLOTLEDGER_TOPDOWN_H

#include <slotledger/slots.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- events --------------------------------------------------------------------------------------------------- */

/* How an event is written everywhere: what selects it in the architecture's event register, without filters and
 * enables. Arm, RISC-V: the event number. Intel: event | umask << 8 | edge << 18 | inv << 23 | cmask << 24. AMD: the
 * same with the event's bits 11:8 at 35:32. Cortex-M DWT: the counter's address. */
#define SL_TOPDOWN_FIXED(n)                                                                                            \
    ((uint64_t)1 << 63 | (uint64_t)(n)) /* ... or fixed counter n (Arm: 31 cycles; RISC-V: 0, 2) */
/* Class n of Intel's eight (byte n of PERF_METRICS) as slots, or any common fraction of slots; sl_topdown_metrics. */
#define SL_TOPDOWN_CLASS(n) ((uint64_t)1 << 62 | (uint64_t)(n))
/* Events of the paper's own Table 1 have no codes: number n of core/topdown/events_paper.inc. */
#define SL_TOPDOWN_PAPER(n) ((uint64_t)1 << 61 | (uint64_t)(n))

/* Hardware event n of the RISC-V SBI PMU extension. */
#define SL_TOPDOWN_SBI(n) ((uint64_t)1 << 60 | (uint64_t)(n))

#define SL_TOPDOWN_NO_FIXED 0xffu
#define SL_TOPDOWN_EVENTS   64u /* of one model, at most: a set of them is a uint64_t */

struct sl_topdown_event {
    uint32_t code;     /* bits 31:0 of the code */
    uint8_t code_high; /* its bits 39:32; SL_TOPDOWN_HIGH_*: not a code but the number of a fixed counter, class, or
                          event */
    uint8_t fixed;     /* fixed counter that counts it if there is one; SL_TOPDOWN_NO_FIXED: none */
    uint16_t counters; /* bit n: programmable counter n can count it; 0: each can */
};
#define SL_TOPDOWN_HIGH_FIXED 0xffu
#define SL_TOPDOWN_HIGH_CLASS 0xfeu
#define SL_TOPDOWN_HIGH_PAPER 0xfdu
#define SL_TOPDOWN_HIGH_SBI   0xfcu

/* ---- models and cores ------------------------------------------------------------------------------------------ */

/* One node of a model. */
struct sl_topdown_row {
    uint8_t node;           /* enum sl_slot_node */
    uint8_t domain;         /* enum sl_slot_domain */
    uint8_t part;           /* enum sl_slot_part */
    uint8_t quality;        /* SL_TOPDOWN_ROW_* */
    const uint8_t *formula; /* core/topdown/formula.h; NULL: what its siblings leave */
};
#define SL_TOPDOWN_ROW_APPROXIMATE 1u

struct sl_topdown_rows {
    const struct sl_topdown_row *rows;
    size_t n_rows;
};

enum sl_topdown_family {
    SL_FAMILY_PAPER,
    SL_FAMILY_ARM,
    SL_FAMILY_TSV110,
    SL_FAMILY_ARM_M,
    SL_FAMILY_DWT,
    SL_FAMILY_INTEL,
    SL_FAMILY_INTEL_METRICS,
    SL_FAMILY_INTEL_ATOM,
    SL_FAMILY_AMD,
    SL_FAMILY_RISCV,
    SL_FAMILY_SIFIVE,
    SL_FAMILY_THEAD,
    SL_FAMILY_DUBHE,
    SL_FAMILY_ANDES,
    SL_FAMILY_CVA6,
    SL_FAMILIES
};

/* Of each node over which share it counts as a bottleneck. */
struct sl_topdown_threshold {
    uint8_t node;
    bool with_parent;   /* only if its parent is one */
    uint16_t per_mille; /* of the value's own base */
};
struct sl_topdown_thresholds {
    const struct sl_topdown_threshold *rows;
    size_t n_rows;
    const char *name;
};
extern const struct sl_topdown_thresholds
    sl_topdown_thresholds_default; /* Intel's for its big cores; for others a convention */
extern const struct sl_topdown_thresholds sl_topdown_thresholds_atom; /* Intel's for its small cores */
extern const struct sl_topdown_thresholds sl_topdown_thresholds_simple;

#define SL_TOPDOWN_MODEL_PARTS 3u

struct sl_topdown_model {
    uint8_t kind;   /* enum sl_slot_kind */
    uint8_t domain; /* of level 1 */
    uint8_t family; /* enum sl_topdown_family */
    uint8_t n_events;
    uint8_t cycles;       /* index of the event that counts cycles; SL_TOPDOWN_EVENTS: none */
    uint8_t instructions; /* ... retired instructions */
    const struct sl_topdown_event *events;
    const uint8_t *total;                                 /* formula of the slots (or cycles) of the whole region */
    struct sl_topdown_rows parts[SL_TOPDOWN_MODEL_PARTS]; /* level 1 first; parents before children */
    const struct sl_topdown_thresholds *thresholds;       /* NULL: the default ones */
    const struct sl_topdown_model *fallback;              /* for want of events or width; NULL: none */
};

#define SL_TOPDOWN_WIDTH_UNVERIFIED 1u /* flags: no published source for width */
#define SL_TOPDOWN_UNVERIFIED       2u /* ... for more than that */
#define SL_TOPDOWN_ANY_WIDTH        4u /* generic-W: the name tells the width */

struct sl_topdown_core {
    const char *name;
    uint32_t
        id; /* Arm: MIDR without variant and revision; Cortex-M: CPUID likewise; x86: family << 8 | model; else 0 */
    uint8_t below; /* Arm: only for variant << 4 | revision below this; 0: any */
    uint8_t width; /* issue slots per cycle; 0: unknown, or not needed */
    uint8_t flags;
    const struct sl_topdown_model *model;
};

/* Models that a board can link alone (core/topdown/model_*.c). */
extern const struct sl_topdown_model sl_topdown_model_paper;
extern const struct sl_topdown_model sl_topdown_model_arm_n2, sl_topdown_model_arm_n2_r0p0, sl_topdown_model_arm_v1,
    sl_topdown_model_arm_n3, sl_topdown_model_arm_c1_nano, sl_topdown_model_arm_c1_pro, sl_topdown_model_arm_c1_ultra,
    sl_topdown_model_arm_slots, sl_topdown_model_arm_inorder_slots, sl_topdown_model_ampereone, sl_topdown_model_tsv110,
    sl_topdown_model_arm_cycles, sl_topdown_model_arm_inorder, sl_topdown_model_arm_a53, sl_topdown_model_arm_a73,
    sl_topdown_model_arm_retire;
extern const struct sl_topdown_model sl_topdown_model_arm_m, sl_topdown_model_dwt, sl_topdown_model_dwt_raw,
    sl_topdown_model_time;
extern const struct sl_topdown_model sl_topdown_model_intel_snb, sl_topdown_model_intel_skl, sl_topdown_model_intel_icl,
    sl_topdown_model_intel_spr, sl_topdown_model_intel_lnl, sl_topdown_model_intel_slots, sl_topdown_model_intel_retire,
    sl_topdown_model_atom_tnt, sl_topdown_model_atom_grt, sl_topdown_model_atom_cmt, sl_topdown_model_atom_skt;
extern const struct sl_topdown_model sl_topdown_model_zen4, sl_topdown_model_zen5, sl_topdown_model_amd_retire;
extern const struct sl_topdown_model sl_topdown_model_riscv, sl_topdown_model_riscv_retire, sl_topdown_model_u74,
    sl_topdown_model_bullet, sl_topdown_model_thead, sl_topdown_model_dubhe, sl_topdown_model_ax45,
    sl_topdown_model_cva6;

/* The core that identification registers name, or the architecture's generic one; never NULL. */
const struct sl_topdown_core *sl_topdown_core_arm(uint64_t midr);
/* cpuid: 0xE000ED00. pmu: the Armv8.1-M PMU is there; dwt: the DWT's profiling counters are. */
const struct sl_topdown_core *sl_topdown_core_cortexm(uint32_t cpuid, bool pmu, bool dwt);
/* Display family and model of CPUID leaf 1; atom: leaf 0x1A says so. */
const struct sl_topdown_core *sl_topdown_core_intel(uint32_t family, uint32_t model, bool atom);
const struct sl_topdown_core *sl_topdown_core_amd(uint32_t family, uint32_t model);
const struct sl_topdown_core *sl_topdown_core_riscv(uint64_t mvendorid, uint64_t marchid, uint64_t mimpid);
/* By name; NULL: unknown. "generic-W" (W = 1..64) gives W in *width, other names their own. */
const struct sl_topdown_core *sl_topdown_core_by_name(const char *name, unsigned *width);
/* All of them, by index from 0; NULL at the end. */
const struct sl_topdown_core *sl_topdown_core_at(size_t index);

/* Code of event i of a model, and its architecture's name for it (never NULL). */
uint64_t sl_topdown_event_code(const struct sl_topdown_model *model, unsigned i);
const char *sl_topdown_event_name(const struct sl_topdown_model *model, unsigned i);
/* Index of the event with that code, also by its fixed counter; SL_TOPDOWN_EVENTS: none. */
unsigned sl_topdown_event_find(const struct sl_topdown_model *model, uint64_t code);
/* Events that a row's formula reads: without those it can do without. */
uint64_t sl_topdown_row_events(const struct sl_topdown_row *row);
/* Row i over all parts; NULL at the end. */
const struct sl_topdown_row *sl_topdown_row_at(const struct sl_topdown_model *model, unsigned i);

/* ---- counter values -------------------------------------------------------------------------------------------- */

/* end - start of a counter `bits` wide: right if it wrapped at most once. */
static inline uint64_t sl_topdown_delta(uint64_t start, uint64_t end, unsigned bits)
{
    return bits >= 64 ? end - start : (end - start) & (((uint64_t)1 << bits) - 1);
}
/* Of an 8-bit DWT counter, over a piece of `cycles` cycles: *exact tells whether more than the value modulo 256 is
 * known (each counts at most once a cycle: Armv7-M ARM, DWT). */
static inline uint8_t sl_topdown_dwt_delta(uint8_t start, uint8_t end, uint32_t cycles, bool *exact)
{
    *exact = cycles < 256;
    return (uint8_t)(end - start);
}

/* One event of one region. All zero but code and value: a plain count. */
struct sl_topdown_count {
    uint64_t code;
    uint64_t value;
    uint64_t enabled, running; /* time the count was wanted, and time it ran; both 0: always */
    struct sl_u128 squares;    /* sum of the squares of the windows' values */
    uint32_t windows;          /* windows that it ran in; 0: not known */
    uint32_t all_windows;      /* ... of so many */
    uint32_t quality;          /* SL_SLOT_* from the measurement */
    uint16_t group;            /* counts of one group were counted at the same time */
    bool scaled;               /* value is extrapolated to all of `enabled` already (as perf stat does) */
};

/* Standard error of a total that was counted in n of N windows of equal length, relative to it, in millionths:
 * N s / sqrt(n) sqrt(1 - n/N) with s the sample standard deviation (simple random sampling without replacement). Below
 * three windows SL_ERROR_UNKNOWN; 0 if it was counted all the time. */
uint32_t sl_topdown_standard_error(uint64_t sum, struct sl_u128 squares, uint32_t n, uint32_t all);

#define SL_TOPDOWN_CLASSES 8u
/* The eight classes between two readings of PERF_METRICS and fixed counter 3 (slots), start being 0, 0 after a reset:
 * values of 255ths of slots, counts with codes SL_TOPDOWN_CLASS(0..7). SL_E_ARGUMENT: slots over 2^55, or running
 * backwards. A class that shrank (8-bit precision) is 0 and SL_SLOT_CLAMPED. */
enum sl_status sl_topdown_metrics(uint64_t metrics_start, uint64_t slots_start, uint64_t metrics_end,
                                  uint64_t slots_end, struct sl_topdown_count out[SL_TOPDOWN_CLASSES]) SL_MUST_CHECK;

/* ---- evaluation ------------------------------------------------------------------------------------------------ */

struct sl_topdown_config {
    uint32_t width;   /* issue slots per cycle; 0: not known */
    uint32_t penalty; /* cycles a misprediction costs, for cores whose model needs it; 0: not known */
    const struct sl_topdown_thresholds *thresholds; /* NULL: the model's */
};

struct sl_topdown_operand {
    struct sl_ratio value;
    uint32_t error_ppm; /* relative; SL_ERROR_UNKNOWN */
};
#define SL_TOPDOWN_STACK 8u

struct sl_topdown {
    /* Public. */
    struct sl_slot_tree tree;
    const struct sl_topdown_model *model; /* the one that was used: the core's, or one of its fallbacks */
    uint64_t cycles;                      /* of the group the total comes from; 0: not counted */
    uint64_t instructions;                /* likewise */
    uint32_t passes_ppm;                  /* largest relative difference between groups, of cycles or instructions */
    uint32_t mux_ppm; /* cycles on a programmable counter against the fixed one: 1000000 = equal; 0: not known */
    uint64_t unused;  /* counts that the model has no event for */
    /* Private. */
    const struct sl_topdown_config *config;
    const struct sl_topdown_count *counts;
    size_t n_counts;
    uint16_t group; /* the row's */
    uint16_t total_group;
    uint32_t quality; /* of the row being evaluated */
    uint32_t share_ppm;
    unsigned depth;
    struct sl_topdown_operand stack[SL_TOPDOWN_STACK];
    struct sl_topdown_operand work;
};

/* Counts of one region on one core -> t->tree. Without usable counts the kind is SL_KIND_NONE. SL_E_ARGUMENT: the total
 * is 2^60 slots or more. The counts may go afterwards; t holds no pointer to them that is used again. */
enum sl_status sl_topdown_evaluate(struct sl_topdown *t, const struct sl_topdown_model *model,
                                   const struct sl_topdown_config *config, const struct sl_topdown_count *counts,
                                   size_t n_counts) SL_MUST_CHECK;

/* Flags the bottlenecks and walks down to the dominant one: toplev's rule (greatest flagged sibling; ambiguous when the
 * second is within 5 % of the whole). Done by sl_topdown_evaluate; here for trees from elsewhere. */
void sl_topdown_verdict(struct sl_slot_tree *tree, const struct sl_topdown_thresholds *thresholds);

/* ---- pass planning --------------------------------------------------------------------------------------------- */

#define SL_TOPDOWN_PASSES 16u

/* Counters that are really there. */
struct sl_topdown_budget {
    uint8_t n_counters; /* programmable: PMCR.N, CPUID 0xA, hpm count, PMU_TYPE */
    uint64_t fixed;     /* bit n: fixed counter n (Arm: bit 31 cycles; Intel: bit 48 PERF_METRICS) */
    uint64_t available; /* bit i: event i of the model exists on this core; 0: not known, all taken to */
};

struct sl_topdown_pass {
    uint64_t events;   /* bit i: event i of the model */
    uint64_t on_fixed; /* those of them that a fixed counter counts */
};

struct sl_topdown_plan {
    uint8_t n_passes;
    bool split;           /* some formula's ratios are spread over passes */
    bool full;            /* SL_TOPDOWN_PASSES were not enough */
    uint64_t uncountable; /* events left out: not there, or no counter can count them with what they belong to */
    struct sl_topdown_pass passes[SL_TOPDOWN_PASSES];
};

/* Passes for all nodes down to `level` below (or at) `under` (SL_NODE_TOTAL: the whole tree); level 1 is always among
 * them. Numerator and denominator of each ratio share a pass; spare counters repeat retired instructions, so that
 * passes can be compared. SL_E_UNSUPPORTED: level 1 cannot be counted; try model->fallback. */
enum sl_status sl_topdown_plan(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget,
                               unsigned level, enum sl_slot_node under, struct sl_topdown_plan *plan) SL_MUST_CHECK;
/* Which programmable counter counts what: counters[i] for event i of the pass, 0xff for others and for fixed ones.
 * False: they do not fit. */
bool sl_topdown_assign(const struct sl_topdown_model *model, const struct sl_topdown_budget *budget, uint64_t events,
                       uint8_t counters[SL_TOPDOWN_EVENTS]) SL_MUST_CHECK;
/* Rotation: the pass to count in window number `window`. Each pass is counted 1/n_passes of the time. */
static inline unsigned sl_topdown_rotate(const struct sl_topdown_plan *plan, uint32_t window)
{
    return plan->n_passes ? window % plan->n_passes : 0;
}

#ifdef __cplusplus
}
#endif
#endif
