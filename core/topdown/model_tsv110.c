/* SPDX-License-Identifier: Apache-2.0 */
/* HiSilicon TSV110 (hip08): the paper's tree nearly whole. Formulas: Linux' public metrics for hip08. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event events[] = { TSV110_EVENTS(EVENT_ROW) };

#define C T_CYCLES
#define T F_WIDTH, T_CYCLES, F_MUL

static const struct sl_topdown_row level1[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, T_FETCH_BUBBLE, T, F_DIV),
    SLOTS_MEMBER(BAD_SPECULATION, T_INST_SPEC, T_INST_RETIRED, F_SUB, T, F_DIV),
    SLOTS_MEMBER(RETIRING, T_INST_RETIRED, T, F_DIV),
    SLOTS_REST(BACKEND_BOUND),
};
static const struct sl_topdown_row deeper[] = {
    SLOTS_MEMBER(FETCH_LATENCY, T_FETCH_LATENCY, C, F_DIV),
    SLOTS_REST(FETCH_BANDWIDTH),
    SLOTS_MEMBER(BRANCH_MISPREDICTS, T_BR_MIS_PRED, T_BR_MIS_PRED, T_OTHER_FLUSH, F_ADD, F_DIV, NODE(BAD_SPECULATION),
                 F_MUL),
    SLOTS_REST(MACHINE_CLEARS),
    CYCLES_MEMBER(MEMORY_BOUND, T_ANY_LOAD, T_ANY_STORE, F_ADD, C, F_DIV),
    CYCLES_MEMBER(CORE_BOUND, T_EXE_STALL, T_ANY_LOAD, F_SUB, T_ANY_STORE, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L1_BOUND, T_ANY_LOAD, T_L1_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(L2_BOUND, T_L1_MISS, T_L2_MISS, F_SUB, C, F_DIV),
    CYCLES_MEMBER(EXT_MEMORY_BOUND, T_L2_MISS, C, F_DIV), /* L3 and beyond */
    CYCLES_MEMBER(STORE_BOUND, T_ANY_STORE, C, F_DIV),
    CYCLES_OVERLAP(DIVIDER, T_DIVIDE_STALL, C, F_DIV),
    CYCLES_OVERLAP(FLOATING_UNIT, T_FSU_STALL, C, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_tsv110 = {
    .kind = SL_KIND_SLOT_RESIDUAL,
    .domain = SL_DOMAIN_SLOTS,
    .family = SL_FAMILY_TSV110,
    .n_events = TSV110_N,
    .cycles = T_CYCLES,
    .instructions = T_INST_RETIRED,
    .events = events,
    .total = FORMULA(T),
    .parts = { ROWS(level1), ROWS(deeper) },
};
