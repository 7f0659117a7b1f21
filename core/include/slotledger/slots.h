/* SPDX-License-Identifier: Apache-2.0 */
/* The slot tree: where the issue slots went, as exact ratios and as whole slots. Integers only.
 *
 * The tree is A. Yasin's (A Top-Down Method for Performance Analysis and Counters Architecture, ISPASS 2014), with the
 * nodes that some cores' counters give beside it. Each value has a domain: only siblings of one domain may be compared.
 * Use: sl_slot_tree_init; sl_slot_tree_add for each value; sl_slot_tree_partition for the first level, then
 * sl_slot_tree_partition for deeper ones. */
#ifndef SLOTLEDGER_SLOTS_H
#define SLOTLEDGER_SLOTS_H

#include <slotledger/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- exact ratios --------------------------------------------------------------------------------------------- */

struct sl_u128 {
    uint64_t lo, hi;
};

/* (negative ? -1 : 1) * num / den in lowest terms; den == 0: there is no value (it was divided by zero, or an operand
 * had none). Numerator and denominator stay below 2^126; where that is not enough the last bits go, and `rounded` says so. */
struct sl_ratio {
    struct sl_u128 num, den;
    bool negative;
    bool rounded;
};

void sl_ratio_set(struct sl_ratio *r, uint64_t num, uint64_t den);
/* *r = *r op *b; r and b may be the same. */
void sl_ratio_add(struct sl_ratio *r, const struct sl_ratio *b);
void sl_ratio_sub(struct sl_ratio *r, const struct sl_ratio *b);
void sl_ratio_mul(struct sl_ratio *r, const struct sl_ratio *b);
void sl_ratio_div(struct sl_ratio *r, const struct sl_ratio *b);
/* -1, 0, 1; values only. */
int sl_ratio_compare(const struct sl_ratio *a, const struct sl_ratio *b);
bool sl_ratio_is_value(const struct sl_ratio *r);
bool sl_ratio_is_zero(const struct sl_ratio *r);
/* |r| * scale rounded down; UINT64_MAX if it is larger, 0 if there is no value. rest (may be NULL) gets what was cut off,
 * in 1/2^32. */
uint64_t sl_ratio_scale(const struct sl_ratio *r, uint64_t scale, uint32_t *rest);

/* a * b / c rounded down with its remainder (may be NULL); UINT64_MAX if it does not fit or c == 0. */
uint64_t sl_muldiv64(uint64_t a, uint64_t b, uint64_t c, uint64_t *remainder);
/* a / b, b != 0, without a compiler's run-time library. */
uint64_t sl_div64(uint64_t a, uint64_t b);
/* Square root rounded down. */
uint64_t sl_sqrt128(struct sl_u128 a);
struct sl_u128 sl_mul64(uint64_t a, uint64_t b);
struct sl_u128 sl_add128(struct sl_u128 a, struct sl_u128 b);

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

enum sl_slot_domain {
    SL_DOMAIN_SLOTS,  /* share of all issue slots */
    SL_DOMAIN_CYCLES, /* share of all cycles */
    SL_DOMAIN_STALLS, /* share of the parent's stall cycles */
    SL_DOMAIN_COUNT,  /* events per retired instruction */
    SL_DOMAINS
};

/* NODE(identifier, parent, name, label) */
#define SL_SLOT_NODES(NODE)                                                              \
    NODE(TOTAL, TOTAL, "total", "Total")                                                 \
    NODE(FRONTEND_BOUND, TOTAL, "frontend_bound", "Frontend Bound")                      \
    NODE(FETCH_LATENCY, FRONTEND_BOUND, "fetch_latency", "Fetch Latency")                \
    NODE(ICACHE_MISSES, FETCH_LATENCY, "icache_misses", "I-Cache Misses")                \
    NODE(ITLB_MISSES, FETCH_LATENCY, "itlb_misses", "I-TLB Misses")                      \
    NODE(BRANCH_RESTEERS, FETCH_LATENCY, "branch_resteers", "Branch Resteers")           \
    NODE(FETCH_BANDWIDTH, FRONTEND_BOUND, "fetch_bandwidth", "Fetch Bandwidth")          \
    NODE(FRONTEND_CORE, FRONTEND_BOUND, "frontend_core", "Frontend Core")                \
    NODE(FRONTEND_FLUSH, FRONTEND_CORE, "frontend_flush", "Pipeline Flush")              \
    NODE(FRONTEND_FLOW, FRONTEND_CORE, "frontend_flow", "Fetch Flow")                    \
    NODE(FRONTEND_PREDECODE, FRONTEND_CORE, "frontend_predecode", "Predecode")           \
    NODE(FRONTEND_MEMORY, FRONTEND_BOUND, "frontend_memory", "Frontend Memory")          \
    NODE(FRONTEND_CACHE, FRONTEND_MEMORY, "frontend_cache", "Instruction Cache")         \
    NODE(FRONTEND_L1I, FRONTEND_CACHE, "frontend_l1i", "L1I")                            \
    NODE(FRONTEND_L2I, FRONTEND_CACHE, "frontend_l2i", "L2 and beyond")                  \
    NODE(FRONTEND_TLB, FRONTEND_MEMORY, "frontend_tlb", "Instruction TLB")               \
    NODE(BRANCH_MISSES, FRONTEND_BOUND, "branch_misses", "Branch Mispredictions")        \
    NODE(DISPATCH_LIMIT, FRONTEND_BOUND, "dispatch_limit", "Dispatch Limit")             \
    NODE(ITLB_WALKS, FRONTEND_BOUND, "itlb_walks", "I-TLB Walks")                        \
    NODE(L1I_MISSES, FRONTEND_BOUND, "l1i_misses", "L1I Misses")                         \
    NODE(BAD_SPECULATION, TOTAL, "bad_speculation", "Bad Speculation")                   \
    NODE(BRANCH_MISPREDICTS, BAD_SPECULATION, "branch_mispredicts", "Branch Mispredicts") \
    NODE(MACHINE_CLEARS, BAD_SPECULATION, "machine_clears", "Machine Clears")            \
    NODE(RETIRING, TOTAL, "retiring", "Retiring")                                        \
    NODE(BASE, RETIRING, "base", "Base")                                                 \
    NODE(MICROSEQUENCER, RETIRING, "microsequencer", "MicroSequencer")                   \
    NODE(LIGHT_OPERATIONS, RETIRING, "light_operations", "Light Operations")             \
    NODE(HEAVY_OPERATIONS, RETIRING, "heavy_operations", "Heavy Operations")             \
    NODE(BACKEND_BOUND, TOTAL, "backend_bound", "Backend Bound")                         \
    NODE(MEMORY_BOUND, BACKEND_BOUND, "memory_bound", "Memory Bound")                    \
    NODE(L1_BOUND, MEMORY_BOUND, "l1_bound", "L1 Bound")                                 \
    NODE(L2_BOUND, MEMORY_BOUND, "l2_bound", "L2 Bound")                                 \
    NODE(L3_BOUND, MEMORY_BOUND, "l3_bound", "L3 Bound")                                 \
    NODE(EXT_MEMORY_BOUND, MEMORY_BOUND, "ext_memory_bound", "Ext. Memory Bound")        \
    NODE(MEM_BANDWIDTH, EXT_MEMORY_BOUND, "mem_bandwidth", "MEM Bandwidth")              \
    NODE(MEM_BANDWIDTH_OF_BUSY, EXT_MEMORY_BOUND, "mem_bandwidth_of_busy", "MEM Bandwidth / busy") \
    NODE(MEM_LATENCY, EXT_MEMORY_BOUND, "mem_latency", "MEM Latency")                    \
    NODE(STORE_BOUND, MEMORY_BOUND, "store_bound", "Store Bound")                        \
    NODE(DATA_CACHE, MEMORY_BOUND, "data_cache", "Data Cache")                           \
    NODE(DATA_L1D, DATA_CACHE, "data_l1d", "L1D")                                        \
    NODE(DATA_L2D, DATA_CACHE, "data_l2d", "L2 and beyond")                              \
    NODE(DATA_TLB, MEMORY_BOUND, "data_tlb", "Data TLB")                                 \
    NODE(LOAD, MEMORY_BOUND, "load", "Loads")                                            \
    NODE(LOAD_CACHE, LOAD, "load_cache", "Load Cache Misses")                            \
    NODE(LOAD_TLB, LOAD, "load_tlb", "Load TLB Misses")                                  \
    NODE(STORE, MEMORY_BOUND, "store", "Stores")                                         \
    NODE(STORE_BUFFER, STORE, "store_buffer", "Store Buffer Full")                       \
    NODE(STORE_TLB, STORE, "store_tlb", "Store TLB Misses")                              \
    NODE(MEMORY_SCHEDULER, MEMORY_BOUND, "memory_scheduler", "Memory Scheduler")         \
    NODE(MEMORY_QUEUES, MEMORY_BOUND, "memory_queues", "Memory Queues")                  \
    NODE(LOAD_QUEUE, MEMORY_QUEUES, "load_queue", "Load Queue Full")                     \
    NODE(STORE_QUEUE, MEMORY_QUEUES, "store_queue", "Store Queue Full")                  \
    NODE(MEMORY_ORDER, MEMORY_BOUND, "memory_order", "Memory Order")                     \
    NODE(L1D_MISSES, BACKEND_BOUND, "l1d_misses", "L1D Misses")                          \
    NODE(L2_MISSES, BACKEND_BOUND, "l2_misses", "L2 Misses")                             \
    NODE(LLC_MISSES, BACKEND_BOUND, "llc_misses", "LLC Misses")                          \
    NODE(DTLB_WALKS, BACKEND_BOUND, "dtlb_walks", "D-TLB Walks")                         \
    NODE(CORE_BOUND, BACKEND_BOUND, "core_bound", "Core Bound")                          \
    NODE(DIVIDER, CORE_BOUND, "divider", "Divider")                                      \
    NODE(FLOATING_UNIT, CORE_BOUND, "floating_unit", "Floating-Point Unit")              \
    NODE(PORTS_UTILIZATION, CORE_BOUND, "ports_utilization", "Ports Utilization")        \
    NODE(RENAME, CORE_BOUND, "rename", "Rename")                                         \
    NODE(INTERLOCK, CORE_BOUND, "interlock", "Interlock")                                \
    NODE(ADDRESS_INTERLOCK, CORE_BOUND, "address_interlock", "Address Interlock")        \
    NODE(FLOATING_INTERLOCK, CORE_BOUND, "floating_interlock", "FP/SIMD Interlock")      \
    NODE(MULTIPLY_INTERLOCK, CORE_BOUND, "multiply_interlock", "Multiply Interlock")     \
    NODE(LONG_LATENCY, CORE_BOUND, "long_latency", "Long-Latency Interlock")             \
    NODE(CSR_INTERLOCK, CORE_BOUND, "csr_interlock", "CSR Interlock")                    \
    NODE(VECTOR_STALL, CORE_BOUND, "vector_stall", "Vector Stall")                       \
    NODE(DATA_DEPENDENCIES, CORE_BOUND, "data_dependencies", "Data Dependencies")        \
    NODE(LOAD_RESULTS, DATA_DEPENDENCIES, "load_results", "Results of Loads")            \
    NODE(OTHER_RESULTS, DATA_DEPENDENCIES, "other_results", "Other Results")             \
    NODE(EXECUTION_LATENCY, CORE_BOUND, "execution_latency", "Execution Latency")        \
    NODE(WRITE_BACK_ORDER, CORE_BOUND, "write_back_order", "Write-Back Order")           \
    NODE(RETIREMENT, CORE_BOUND, "retirement", "Retirement")                             \
    NODE(BACKEND_BUSY, BACKEND_BOUND, "backend_busy", "Units Busy")                      \
    NODE(RESOURCE_BOUND, BACKEND_BOUND, "resource_bound", "Resource Bound")              \
    NODE(SMT_CONTENTION, TOTAL, "smt_contention", "SMT Contention")                      \
    NODE(ACTIVE, TOTAL, "active", "Active")                                              \
    NODE(USEFUL, ACTIVE, "useful", "Useful")                                             \
    NODE(WASTED, ACTIVE, "wasted", "Wasted")                                             \
    NODE(UNATTRIBUTED, TOTAL, "unattributed", "Unattributed")                            \
    NODE(INSTRUCTION_BASE, TOTAL, "instruction_base", "Instructions")                    \
    NODE(FETCH_AND_CORE, TOTAL, "fetch_and_core", "Fetch and multi-cycle")               \
    NODE(LOAD_STORE, TOTAL, "load_store", "Load/Store")                                  \
    NODE(EXCEPTION, TOTAL, "exception", "Exceptions")                                    \
    NODE(SLEEP, TOTAL, "sleep", "Sleep")

#define SL_SLOT_NODE_ENUM(id, parent, name, label) SL_NODE_##id,
enum sl_slot_node { SL_SLOT_NODES(SL_SLOT_NODE_ENUM) SL_NODES };

/* Lower-case name ("fetch_latency") and label ("Fetch Latency"); of the domains too ("slots"). Never NULL. */
const char *sl_slot_node_name(enum sl_slot_node node);
const char *sl_slot_node_label(enum sl_slot_node node);
const char *sl_slot_domain_name(enum sl_slot_domain domain);
enum sl_slot_node sl_slot_node_parent(enum sl_slot_node node);
/* 0 for TOTAL, 1 for its children ... */
unsigned sl_slot_node_level(enum sl_slot_node node);

/* ---- quality -------------------------------------------------------------------------------------------------- */

/* How far a value can be trusted: bits. No bit: as the counters say. */
#define SL_SLOT_CLAMPED         (1u << 0)  /* was outside [0, parent] by more than 0.1 % of the total */
#define SL_SLOT_ADJUSTED        (1u << 1)  /* changed so that siblings add up */
#define SL_SLOT_INCONSISTENT    (1u << 2)  /* counters contradict each other by more than 5 %: never a bottleneck */
#define SL_SLOT_MISSING         (1u << 3)  /* no value: an event was not counted */
#define SL_SLOT_NO_DENOMINATOR  (1u << 4)  /* no value: the denominator was zero */
#define SL_SLOT_WRAPPED         (1u << 5)  /* a counter may have wrapped unseen */
#define SL_SLOT_MULTIPLEXED     (1u << 6)  /* a counter ran part of the time */
#define SL_SLOT_SPLIT           (1u << 7)  /* from events not all counted at the same time */
#define SL_SLOT_PASSES_DIFFER   (1u << 8)  /* the passes it comes from differ by more than 2 % */
#define SL_SLOT_APPROXIMATE     (1u << 9)  /* the core's events only approximate the node */
#define SL_SLOT_BELOW_THRESHOLD (1u << 10) /* its parent is no bottleneck: of no importance */
#define SL_SLOT_AMBIGUOUS       (1u << 11) /* from a counter known modulo its width only */
#define SL_SLOT_ROUNDED         (1u << 12) /* the exact ratio did not fit */
#define SL_SLOT_PARAMETER       (1u << 13) /* no value: it needs a parameter that was not given */
#define SL_SLOT_INTERRUPTED     (1u << 14) /* counting stopped early, or other code ran in between */
#define SL_SLOT_NOT_MODELLED    (1u << 15) /* no value: the simulator has no such thing */
#define SL_SLOT_QUALITIES       16u
#define SL_SLOT_NO_VALUE (SL_SLOT_MISSING | SL_SLOT_NO_DENOMINATOR | SL_SLOT_PARAMETER | SL_SLOT_NOT_MODELLED)

/* "clamped" ... of bit number 0..SL_SLOT_QUALITIES-1; never NULL. */
const char *sl_slot_quality_name(unsigned bit);

/* ---- the tree ------------------------------------------------------------------------------------------------- */

/* What a tree is. Only the first three are Top-Down level 1. */
enum sl_slot_kind {
    SL_KIND_NONE,           /* nothing could be computed */
    SL_KIND_SLOT4,          /* every class of slots is measured */
    SL_KIND_SLOT_RESIDUAL,  /* ... but one, which is the rest */
    SL_KIND_METRICS8,       /* the core divides slots itself (Intel PERF_METRICS) */
    SL_KIND_CYCLE3,         /* stalled and active cycles, not slots */
    SL_KIND_RETIRE_ONLY,    /* the useful share and the rest */
    SL_KIND_DWT_CPI,        /* cycles of a single-issue core by cause (Cortex-M DWT) */
    SL_KINDS
};
const char *sl_slot_kind_name(enum sl_slot_kind kind);
static inline bool sl_slot_kind_is_level1(enum sl_slot_kind kind)
{
    return kind >= SL_KIND_SLOT4 && kind <= SL_KIND_METRICS8;
}

/* How a value relates to its siblings of the same parent and domain. */
enum sl_slot_part {
    SL_PART_MEMBER,  /* they add up to the parent */
    SL_PART_REST,    /* ... and this one is what the others leave */
    SL_PART_OVERLAP  /* on its own: causes overlap */
};

struct sl_slot_value {
    uint8_t node;           /* enum sl_slot_node */
    uint8_t domain;         /* enum sl_slot_domain */
    uint8_t part;           /* enum sl_slot_part */
    bool flagged;           /* over its threshold, and so are its parents */
    uint32_t quality;       /* SL_SLOT_* */
    uint64_t slots;         /* members and rests of the tree's domain: whole slots (or cycles), which add up exactly */
    struct sl_ratio raw;    /* as the formula gives it: may be negative or above its parent */
    struct sl_ratio value;  /* clamped and adjusted; of the domain's base */
    uint32_t error_ppm;     /* standard error of value, in millionths of the domain's base; SL_ERROR_UNKNOWN */
    uint32_t share_ppm;     /* least share of the time that an operand was counted; 1000000 = all */
};

#define SL_ERROR_UNKNOWN UINT32_MAX
#define SL_SLOT_ROOM 56u
#define SL_SLOT_DEPTH 8u

struct sl_slot_tree {
    uint8_t kind;     /* enum sl_slot_kind */
    uint8_t domain;   /* of level 1: SL_DOMAIN_SLOTS, or SL_DOMAIN_CYCLES */
    uint8_t n_values;
    uint8_t n_path;
    bool complete;    /* level 1 adds up to total exactly */
    bool ambiguous;   /* the verdict stops at the end of path because its children are too close */
    uint32_t quality; /* SL_SLOT_* of the whole */
    uint64_t total;   /* slots, or cycles */
    uint8_t path[SL_SLOT_DEPTH]; /* [n_path] indices into values: the bottleneck, from level 1 down */
    struct sl_slot_value values[SL_SLOT_ROOM];
};

void sl_slot_tree_init(struct sl_slot_tree *tree, enum sl_slot_kind kind, enum sl_slot_domain domain, uint64_t total);
/* A value whose raw member the caller fills in; NULL if the tree is full. */
struct sl_slot_value *sl_slot_tree_add(struct sl_slot_tree *tree, enum sl_slot_node node, enum sl_slot_domain domain,
                                       enum sl_slot_part part);
/* By node and domain; NULL if there is none. */
const struct sl_slot_value *sl_slot_tree_find(const struct sl_slot_tree *tree, enum sl_slot_node node,
                                              enum sl_slot_domain domain);
/* What a share of stall cycles (SL_DOMAIN_STALLS) is of the whole, in the tree's own domain: times its parents' shares. An
 * estimate, as stall cycles and slots are not the same. False: its parents have no values. */
bool sl_slot_tree_estimate(const struct sl_slot_tree *tree, const struct sl_slot_value *v, struct sl_ratio *share);
/* Makes the values below `parent` of one domain fit: raw -> value, slots and quality. Members are clamped to
 * [0, parent]; a rest is what they leave; measured members that add up to within 5 % of the whole are scaled to it.
 * Level 1 (parent = SL_NODE_TOTAL) comes first. Method: topdown literature as cited in core/slots/partition.c. */
void sl_slot_tree_partition(struct sl_slot_tree *tree, enum sl_slot_node parent, enum sl_slot_domain domain);
/* out[n_values]: values times `scale` (10000 = percent with two decimals), to the nearest; siblings that add up do so here
 * too (largest remainder). 0 where there is no value. */
void sl_slot_tree_round(const struct sl_slot_tree *tree, uint64_t scale, uint64_t *out);
/* n <= 12 shares of `scale` in whole numbers that add up to `target` (largest remainder), which the exact ones do or, if
 * they are rounded, almost do. target UINT64_MAX: they add up to nothing in particular; each is rounded to the nearest. */
void sl_share_out(const struct sl_ratio *const *shares, unsigned n, uint64_t scale, uint64_t target, uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
