/* SPDX-License-Identifier: Apache-2.0 */
/* Cortex-M: the Armv8.1-M PMU, the DWT's profiling counters, and cores with neither. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event pmu_events[] = { ARM_M_EVENTS(EVENT_ROW) };
static const struct sl_topdown_event dwt_events[] = { DWT_EVENTS(EVENT_ROW) };

#define C  M_CYCLES
#define T  F_WIDTH, M_CYCLES, F_MUL
#define SS F_ALT, M_SLOT, 3, M_SLOT_FE, M_SLOT_BE, F_ADD

/* Armv8-M ARM, PMU events 0x0023, 0x0024; M-profile has no list of implemented events. */
static const struct sl_topdown_row cycles[] = {
    CYCLES_MEMBER(FRONTEND_BOUND, M_STALL_FE, C, F_DIV),
    CYCLES_MEMBER(BACKEND_BOUND, M_STALL_BE, C, F_DIV),
    CYCLES_REST(ACTIVE),
};
static const struct sl_topdown_row deeper[] = {
    CYCLES_OVERLAP(VECTOR_STALL, M_MVE_STALL, C, F_DIV),
    COUNT(L1D_MISSES, M_L1D_MISS_RD, M_INST_RETIRED, F_DIV),
    COUNT(LLC_MISSES, M_LL_MISS_RD, M_INST_RETIRED, F_DIV),
};
/* The generic slot form, for counts of cores on which 0x003A-0x003E proved alive. Which these are is not published, so that
 * stall cycles are what is planned and preferred. */
#define OPS M_OP_RETIRED, M_OP_SPEC, F_DIV
#define USED ONE, SS, T, F_DIV, F_SUB
static const struct sl_topdown_row slots[] = {
    ABOUT_MEMBER(FRONTEND_BOUND, SLOTS, M_SLOT_FE, T, F_DIV),
    ABOUT_MEMBER(BACKEND_BOUND, SLOTS, M_SLOT_BE, T, F_DIV),
    ABOUT_MEMBER(RETIRING, SLOTS, OPS, USED, F_MUL),
    ABOUT_MEMBER(BAD_SPECULATION, SLOTS, ONE, OPS, F_SUB, USED, F_MUL),
};
static const struct sl_topdown_model slot_model = {
    .kind = SL_KIND_SLOT4,
    .domain = SL_DOMAIN_SLOTS,
    .family = SL_FAMILY_ARM_M,
    .n_events = ARM_M_N,
    .cycles = M_CYCLES,
    .instructions = M_INST_RETIRED,
    .events = pmu_events,
    .total = FORMULA(T),
    .parts = { ROWS(slots), ROWS(deeper) },
};
const struct sl_topdown_model sl_topdown_model_arm_m = {
    .kind = SL_KIND_CYCLE3,
    .domain = SL_DOMAIN_CYCLES,
    .family = SL_FAMILY_ARM_M,
    .n_events = ARM_M_N,
    .cycles = M_CYCLES,
    .instructions = M_INST_RETIRED,
    .events = pmu_events,
    .total = FORMULA(C),
    .parts = { ROWS(cycles), ROWS(deeper) },
    .fallback = &slot_model,
};

#define DWT_COMMON                                                                                            \
    .domain = SL_DOMAIN_CYCLES, .family = SL_FAMILY_DWT, .n_events = DWT_N, .cycles = D_CYCLES,               \
    .instructions = SL_TOPDOWN_EVENTS, .events = dwt_events, .total = FORMULA(D_CYCLES)

/* Armv7-M ARM, C1.8 (profiling counters): instructions = CYCCNT - CPICNT - EXCCNT - SLEEPCNT - LSUCNT + FOLDCNT. On a
 * single-issue core the first four therefore divide the cycles, and what is left is one cycle for each instruction that was
 * not folded. */
static const struct sl_topdown_row dwt[] = {
    CYCLES_REST(INSTRUCTION_BASE),
    CYCLES_MEMBER(FETCH_AND_CORE, D_CPI, D_CYCLES, F_DIV),
    CYCLES_MEMBER(LOAD_STORE, D_LSU, D_CYCLES, F_DIV),
    CYCLES_MEMBER(EXCEPTION, D_EXC, D_CYCLES, F_DIV),
    CYCLES_MEMBER(SLEEP, D_SLEEP, D_CYCLES, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_dwt = { .kind = SL_KIND_DWT_CPI, DWT_COMMON, .parts = { ROWS(dwt) } };
/* Dual-issue cores: the identity does not hold; raw counts only. */
const struct sl_topdown_model sl_topdown_model_dwt_raw = { .kind = SL_KIND_NONE, DWT_COMMON };
/* Time only. */
const struct sl_topdown_model sl_topdown_model_time = { .kind = SL_KIND_NONE, DWT_COMMON };
