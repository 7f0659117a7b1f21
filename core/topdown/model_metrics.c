/* SPDX-License-Identifier: Apache-2.0 */
/* Intel Ice Lake and later big cores: the core divides slots itself (PERF_METRICS). Formulas: Intel perfmon, TMA_Metrics-full
 * 5.2, columns ICL, SPR, LNL; PERF_METRICS: Intel SDM volume 3B, Performance Metrics. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event events[] = { METRICS_EVENTS(EVENT_ROW) };

#define C   X_CYCLES
#define T   X_SLOTS
#define SUM X_C0, X_C1, F_ADD, X_C2, F_ADD, X_C3, F_ADD
/* Fixes of what the metrics get wrong; without these events the metrics stand as they are. */
#define DROPPED_ICL F_OPT, X_DROPPING_ICL, T, F_DIV
#define DROPPED     F_OPT, X_DROPPING, T, F_DIV
#define CLEARED     K(5), F_OPT, X_CLEARS_COUNT, F_MUL, T, F_DIV

static const struct sl_topdown_row icl[] = {
    SLOTS_MEMBER(RETIRING, X_C0, SUM, F_DIV),
    SLOTS_MEMBER(FRONTEND_BOUND, X_C2, SUM, F_DIV, DROPPED_ICL, F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, X_C3, SUM, F_DIV, CLEARED, F_ADD),
    SLOTS_REST(BAD_SPECULATION),
};
static const struct sl_topdown_row spr[] = {
    SLOTS_MEMBER(RETIRING, X_C0, SUM, F_DIV),
    SLOTS_MEMBER(FRONTEND_BOUND, X_C2, SUM, F_DIV, DROPPED, F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, X_C3, SUM, F_DIV),
    SLOTS_REST(BAD_SPECULATION),
};
static const struct sl_topdown_row lnl[] = {
    SLOTS_MEMBER(RETIRING, X_C0, SUM, F_DIV),
    SLOTS_MEMBER(FRONTEND_BOUND, X_C2, SUM, F_DIV),
    SLOTS_MEMBER(BACKEND_BOUND, X_C3, SUM, F_DIV),
    SLOTS_MEMBER(BAD_SPECULATION, X_C1, SUM, F_DIV),
};
#define LEVEL2(...)                                                                                         \
    SLOTS_MEMBER(FETCH_LATENCY, X_C6, SUM, F_DIV, __VA_ARGS__), SLOTS_REST(FETCH_BANDWIDTH),                \
    SLOTS_MEMBER(BRANCH_MISPREDICTS, X_C5, SUM, F_DIV), SLOTS_REST(MACHINE_CLEARS),                         \
    SLOTS_MEMBER(HEAVY_OPERATIONS, X_C4, SUM, F_DIV), SLOTS_REST(LIGHT_OPERATIONS),                         \
    SLOTS_MEMBER(MEMORY_BOUND, X_C7, SUM, F_DIV), SLOTS_REST(CORE_BOUND)
static const struct sl_topdown_row spr_level2[] = { LEVEL2(DROPPED, F_SUB) };
static const struct sl_topdown_row lnl_level2[] = { LEVEL2(K(0), F_ADD) };

static const struct sl_topdown_row level3[] = {
    CYCLES_MEMBER(L1_BOUND, X_LOADS, X_L1_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L2_BOUND, X_L1_MISS, X_L2_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L3_BOUND, X_L2_MISS, X_L3_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(EXT_MEMORY_BOUND, X_L3_MISS, C, F_DIV),
    CYCLES_MEMBER(STORE_BOUND, X_STORES, C, F_DIV),
    CYCLES_OVERLAP(DIVIDER, X_DIVIDER, C, F_DIV),
    CYCLES_OVERLAP(ICACHE_MISSES, X_ICACHE, C, F_DIV),
    CYCLES_OVERLAP(ITLB_MISSES, X_ITLB, C, F_DIV),
};

/* Virtual machines often lack PERF_METRICS: the same classes from general-purpose counters. */
static const struct sl_topdown_row general[] = {
    SLOTS_MEMBER(RETIRING, X_RETIRED, T, F_DIV),
    SLOTS_MEMBER(FRONTEND_BOUND, X_BUBBLES, T, F_DIV),
    SLOTS_MEMBER(BACKEND_BOUND, X_BACKEND, T, F_DIV),
    SLOTS_REST(BAD_SPECULATION),
};
/* What every Intel core has: instructions stand for operations. */
static const struct sl_topdown_row retire[] = {
    ABOUT_MEMBER(RETIRING, SLOTS, X_INST, F_WIDTH, C, F_MUL, F_DIV),
    ABOUT_REST(UNATTRIBUTED, SLOTS),
};

#define METRICS_COMMON(which)                                                                              \
    .kind = which, .domain = SL_DOMAIN_SLOTS, .family = SL_FAMILY_INTEL_METRICS, .n_events = METRICS_N,    \
    .cycles = X_CYCLES, .instructions = X_INST, .events = events

const struct sl_topdown_model sl_topdown_model_intel_retire = {
    METRICS_COMMON(SL_KIND_RETIRE_ONLY), .total = FORMULA(F_WIDTH, C, F_MUL), .parts = { ROWS(retire) }
};
const struct sl_topdown_model sl_topdown_model_intel_slots = {
    METRICS_COMMON(SL_KIND_SLOT_RESIDUAL), .total = FORMULA(T), .parts = { ROWS(general) },
    .fallback = &sl_topdown_model_intel_retire
};
const struct sl_topdown_model sl_topdown_model_intel_icl = {
    METRICS_COMMON(SL_KIND_METRICS8), .total = FORMULA(T), .parts = { ROWS(icl) },
    .fallback = &sl_topdown_model_intel_slots
};
const struct sl_topdown_model sl_topdown_model_intel_spr = {
    METRICS_COMMON(SL_KIND_METRICS8), .total = FORMULA(T), .parts = { ROWS(spr), ROWS(spr_level2), ROWS(level3) },
    .fallback = &sl_topdown_model_intel_slots
};
const struct sl_topdown_model sl_topdown_model_intel_lnl = {
    METRICS_COMMON(SL_KIND_METRICS8), .total = FORMULA(T), .parts = { ROWS(lnl), ROWS(lnl_level2) },
    .fallback = &sl_topdown_model_intel_slots
};
