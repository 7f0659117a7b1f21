/* SPDX-License-Identifier: Apache-2.0 */
/* AMD Zen: dispatch slots from Zen 4 on. Formulas: AMD's pipeline utilisation metrics, in Linux' public metrics for amdzen4 and
 * amdzen5 and in the Processor Programming References. Contention with the sibling thread is a class of its own. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event events[] = { AMD_EVENTS(EVENT_ROW) };

#define T F_WIDTH, Z_CYCLES, F_MUL

static const struct sl_topdown_row level1[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, Z_FE, T, F_DIV),
    SLOTS_MEMBER(BAD_SPECULATION, Z_DISPATCHED, Z_RETIRED, F_SUB, T, F_DIV),
    SLOTS_MEMBER(BACKEND_BOUND, Z_BE, T, F_DIV),
    SLOTS_MEMBER(SMT_CONTENTION, F_OPT, Z_SMT, T, F_DIV),
    SLOTS_MEMBER(RETIRING, Z_RETIRED, T, F_DIV),
};
#define LEVEL2(all_slots_lost, resyncs)                                                                          \
    SLOTS_MEMBER(FETCH_LATENCY, all_slots_lost, Z_CYCLES, F_DIV), SLOTS_REST(FETCH_BANDWIDTH),                   \
    SLOTS_MEMBER(BRANCH_MISPREDICTS, Z_MISPREDICTS, Z_MISPREDICTS, resyncs, F_ADD, F_DIV, NODE(BAD_SPECULATION), F_MUL), \
    SLOTS_REST(MACHINE_CLEARS),                                                                                  \
    SLOTS_MEMBER(MEMORY_BOUND, Z_LOADS, Z_INCOMPLETE, F_DIV, NODE(BACKEND_BOUND), F_MUL), SLOTS_REST(CORE_BOUND), \
    SLOTS_MEMBER(MICROSEQUENCER, Z_UCODE, Z_RETIRED, F_DIV, NODE(RETIRING), F_MUL), SLOTS_REST(BASE)
static const struct sl_topdown_row zen4[] = { LEVEL2(Z_FE_ALL_6, Z_RESYNCS) };
static const struct sl_topdown_row zen5[] = { LEVEL2(Z_FE_ALL_8, Z_RESYNCS_ZEN5) };

/* Zen 1 to 3 count no dispatch slots. */
static const struct sl_topdown_row retire[] = {
    ABOUT_MEMBER(RETIRING, SLOTS, Z_RETIRED, T, F_DIV),
    ABOUT_REST(UNATTRIBUTED, SLOTS),
};

#define AMD_COMMON(which)                                                                                     \
    .kind = which, .domain = SL_DOMAIN_SLOTS, .family = SL_FAMILY_AMD, .n_events = AMD_N, .cycles = Z_CYCLES, \
    .instructions = Z_INST, .events = events, .total = FORMULA(T)

const struct sl_topdown_model sl_topdown_model_amd_retire = { AMD_COMMON(SL_KIND_RETIRE_ONLY), .parts = { ROWS(retire) } };
const struct sl_topdown_model sl_topdown_model_zen4 = { AMD_COMMON(SL_KIND_SLOT4), .parts = { ROWS(level1), ROWS(zen4) },
                                                        .fallback = &sl_topdown_model_amd_retire };
const struct sl_topdown_model sl_topdown_model_zen5 = { AMD_COMMON(SL_KIND_SLOT4), .parts = { ROWS(level1), ROWS(zen5) },
                                                        .fallback = &sl_topdown_model_amd_retire };
