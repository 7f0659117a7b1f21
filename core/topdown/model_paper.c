/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's own model: Table 1 events through Table 2 formulas (A. Yasin, ISPASS 2014), for any width. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event events[] = { PAPER_EVENTS(EVENT_ROW) };

/* Slots are counted, or width times clocks; clocks likewise. */
#define T F_ALT, P_TOTAL_SLOTS, 3, F_WIDTH, P_CLOCKS, F_MUL
#define C F_ALT, P_CLOCKS, 3, P_TOTAL_SLOTS, F_WIDTH, F_DIV

static const struct sl_topdown_row level1[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, P_FETCH_BUBBLES, T, F_DIV),
    SLOTS_MEMBER(BAD_SPECULATION, P_ISSUED, P_RETIRED, F_SUB, P_RECOVERY, F_ADD, T, F_DIV),
    SLOTS_MEMBER(RETIRING, P_RETIRED, T, F_DIV),
    SLOTS_REST(BACKEND_BOUND),
};

static const struct sl_topdown_row deeper[] = {
    /* Cycles that lose all their slots: the share of cycles is the share of slots. */
    SLOTS_MEMBER(FETCH_LATENCY, P_FETCH_BUBBLES_ALL, C, F_DIV),
    SLOTS_REST(FETCH_BANDWIDTH),
    SLOTS_MEMBER(BRANCH_MISPREDICTS, P_MISPREDICTS, P_MISPREDICTS, P_CLEARS, F_ADD, F_DIV, NODE(BAD_SPECULATION), F_MUL),
    SLOTS_REST(MACHINE_CLEARS),
    SLOTS_MEMBER(MICROSEQUENCER, P_MS_RETIRED, T, F_DIV),
    SLOTS_REST(BASE),
    /* Table 2 gives level 2 of the back end in cycles, which need not add up to slots. Later TMA versions (pmu-tools,
     * Intel perfmon) share out Backend Bound instead: both are here. */
    SLOTS_MEMBER(MEMORY_BOUND, P_ANY_LOAD, P_STORES, F_ADD, P_EXEC_0, P_EXEC_1, F_ADD, NODE(RETIRING), P_EXEC_2, F_MUL,
                 F_ADD, P_STORES, F_ADD, F_DIV, NODE(BACKEND_BOUND), F_MUL),
    SLOTS_REST(CORE_BOUND),
    CYCLES_MEMBER(MEMORY_BOUND, P_ANY_LOAD, P_STORES, F_ADD, C, F_DIV),
    CYCLES_MEMBER(CORE_BOUND, P_EXEC_0, P_EXEC_1, F_ADD, P_EXEC_2, F_ADD, P_ANY_LOAD, F_SUB, P_STORES, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L1_BOUND, P_ANY_LOAD, P_L1_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L2_BOUND, P_L1_MISS, P_L2_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L3_BOUND, P_L2_MISS, P_L3_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(EXT_MEMORY_BOUND, P_L3_MISS, C, F_DIV),
    CYCLES_MEMBER(STORE_BOUND, P_STORES, C, F_DIV),
    /* Printed with different denominators, so that latency can be negative; both per cycle here, as in pmu-tools, and the
     * printed bandwidth beside them. */
    CYCLES_OVERLAP(MEM_BANDWIDTH, P_EXT_MANY, C, F_DIV),
    CYCLES_OVERLAP(MEM_LATENCY, P_EXT_1, P_EXT_MANY, F_SUB, C, F_DIV),
    STALLS_OVERLAP(MEM_BANDWIDTH_OF_BUSY, P_EXT_MANY, P_EXT_1, F_DIV),
};

const struct sl_topdown_model sl_topdown_model_paper = {
    .kind = SL_KIND_SLOT_RESIDUAL,
    .domain = SL_DOMAIN_SLOTS,
    .family = SL_FAMILY_PAPER,
    .n_events = PAPER_N,
    .cycles = P_CLOCKS,
    .instructions = P_INSTRUCTIONS,
    .events = events,
    .total = FORMULA(T),
    .parts = { ROWS(level1), ROWS(deeper) },
};
