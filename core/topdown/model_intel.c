/* SPDX-License-Identifier: Apache-2.0 */
/* Intel Sandy Bridge to Coffee Lake: level 1 from general-purpose counters. Formulas: Intel perfmon, TMA_Metrics-full 5.2,
 * columns SNB..SKX. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event events[] = { INTEL_EVENTS(EVENT_ROW) };

#define C I_CYCLES
#define T F_WIDTH, I_CYCLES, F_MUL

static const struct sl_topdown_row level1[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, I_FE, T, F_DIV),
    SLOTS_MEMBER(BAD_SPECULATION, I_ISSUED, I_RETIRED, F_SUB, F_WIDTH, I_RECOVERY, F_MUL, F_ADD, T, F_DIV),
    SLOTS_MEMBER(RETIRING, I_RETIRED, T, F_DIV),
    SLOTS_REST(BACKEND_BOUND),
};
static const struct sl_topdown_row level2[] = {
    SLOTS_MEMBER(FETCH_LATENCY, I_FE_ALL, C, F_DIV), /* width x cycles that lose all slots / slots */
    SLOTS_REST(FETCH_BANDWIDTH),
    SLOTS_MEMBER(BRANCH_MISPREDICTS, I_MISPREDICTS, I_MISPREDICTS, I_CLEARS, F_ADD, F_DIV, NODE(BAD_SPECULATION), F_MUL),
    SLOTS_REST(MACHINE_CLEARS),
};
#define STALLED I_STALLS, I_PORTS_1, F_ADD, NODE(RETIRING), I_PORTS_2, F_MUL, F_ADD, I_STORES, F_ADD
static const struct sl_topdown_row skylake[] = {
    SLOTS_MEMBER(HEAVY_OPERATIONS, I_RETIRED, I_FUSED, F_ADD, I_INST, F_SUB, T, F_DIV),
    SLOTS_REST(LIGHT_OPERATIONS),
    SLOTS_MEMBER(MEMORY_BOUND, I_MEM_ANY, I_STORES, F_ADD, STALLED, F_DIV, NODE(BACKEND_BOUND), F_MUL),
    SLOTS_REST(CORE_BOUND),
    CYCLES_MEMBER(MEMORY_BOUND, I_MEM_ANY, I_STORES, F_ADD, C, F_DIV),
    CYCLES_MEMBER(L1_BOUND, I_MEM_ANY, I_L1_MISS, F_SUB, C, F_DIV),
    /* TMA moves a part of L2's share to memory by fill-buffer hits, which are not counted here. */
    ABOUT_MEMBER(L2_BOUND, CYCLES, I_L1_MISS, I_L2_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L3_BOUND, I_L2_MISS, I_L3_MISS, F_SUB, C, F_DIV),
    ABOUT_MEMBER(EXT_MEMORY_BOUND, CYCLES, I_L3_MISS, C, F_DIV),
    CYCLES_MEMBER(STORE_BOUND, I_STORES, C, F_DIV),
    CYCLES_OVERLAP(MEM_BANDWIDTH, I_READS_4, C, F_DIV),
    CYCLES_OVERLAP(MEM_LATENCY, I_READS_1, I_READS_4, F_SUB, C, F_DIV),
    CYCLES_OVERLAP(DIVIDER, I_DIVIDER, C, F_DIV),
    CYCLES_OVERLAP(ICACHE_MISSES, I_ICACHE, K(2), I_ICACHE_EDGE, F_MUL, F_ADD, C, F_DIV),
    CYCLES_OVERLAP(ITLB_MISSES, I_ITLB, C, F_DIV),
    CYCLES_OVERLAP(BRANCH_RESTEERS, I_RESTEER, K(9), I_BACLEARS, F_MUL, F_ADD, C, F_DIV),
};

#define INTEL_COMMON                                                                                           \
    .kind = SL_KIND_SLOT_RESIDUAL, .domain = SL_DOMAIN_SLOTS, .family = SL_FAMILY_INTEL, .n_events = INTEL_N,  \
    .cycles = I_CYCLES, .instructions = I_INST, .events = events, .total = FORMULA(T)

const struct sl_topdown_model sl_topdown_model_intel_snb = { INTEL_COMMON, .parts = { ROWS(level1), ROWS(level2) } };
const struct sl_topdown_model sl_topdown_model_intel_skl = { INTEL_COMMON,
                                                             .parts = { ROWS(level1), ROWS(level2), ROWS(skylake) } };
