/* SPDX-License-Identifier: Apache-2.0 */
/* Arm A-profile cores without STALL_SLOT events, and what all Arm cores share below level 1: stalled cycles, not slots. */
#include "model_arm.h"

#define C A_CYCLES
#define T F_WIDTH, A_CYCLES, F_MUL

/* N2, V1, V2 and the Cortex cores with slot events: STALL_BACKEND_MEM = backend stalls with an outstanding demand miss of
 * the last private cache (Arm ARM, 0x4005). */
const struct sl_topdown_row topdown_arm_memory_share[] = {
    STALLS_MEMBER(MEMORY_BOUND, A_BE_MEM, A_STALL_BE, F_DIV),
    STALLS_REST(CORE_BOUND),
};

/* Events per instruction, as Arm's telemetry data groups them below each class. */
const struct sl_topdown_row topdown_arm_misses[] = {
    COUNT(BRANCH_MISSES, A_BR_MIS_PRED_RETIRED, A_INST_RETIRED, F_DIV),
    COUNT(ITLB_WALKS, A_ITLB_WALK, A_INST_RETIRED, F_DIV),
    COUNT(L1I_MISSES, A_L1I_REFILL, A_INST_RETIRED, F_DIV),
    COUNT(DTLB_WALKS, A_DTLB_WALK, A_INST_RETIRED, F_DIV),
    COUNT(L1D_MISSES, A_L1D_REFILL, A_INST_RETIRED, F_DIV),
    COUNT(L2_MISSES, A_L2D_REFILL, A_INST_RETIRED, F_DIV),
    COUNT(LLC_MISSES, A_LL_MISS_RD, A_INST_RETIRED, F_DIV),
};

/* Cycles in which nothing issued, by end of the pipeline (Arm ARM, 0x0023 and 0x0024); Neoverse N1's published tree. The
 * active cycles are shared out as instructions are: retired against speculated. */
#define ACTIVE_CYCLES                                                                                          \
    CYCLES_REST(ACTIVE), CYCLES_MEMBER(WASTED, ONE, A_INST_RETIRED, A_INST_SPEC, F_DIV, F_SUB, NODE(ACTIVE), F_MUL), \
    CYCLES_REST(USEFUL)
static const struct sl_topdown_row cycles[] = {
    CYCLES_MEMBER(FRONTEND_BOUND, A_STALL_FE, C, F_DIV),
    CYCLES_MEMBER(BACKEND_BOUND, A_STALL_BE, C, F_DIV),
    ACTIVE_CYCLES,
};
const struct sl_topdown_model sl_topdown_model_arm_cycles = {
    ARM_COMMON(SL_KIND_CYCLE3, SL_DOMAIN_CYCLES, C),
    .parts = { ROWS(cycles), ROWS(topdown_arm_memory_share), ROWS(topdown_arm_misses) },
    .fallback = &sl_topdown_model_arm_retire,
};

/* In-order cores: stall cycles by cause (Cortex-A55, A510, R82 TRMs, IMPLEMENTATION DEFINED events 0xE1-0xEC). */
const struct sl_topdown_row topdown_arm_inorder_causes[] = {
    STALLS_MEMBER(FRONTEND_MEMORY, A_E1, A_E2, F_ADD, A_STALL_FE, F_DIV),
    STALLS_OVERLAP(FRONTEND_PREDECODE, A_E3, A_STALL_FE, F_DIV),
    STALLS_MEMBER(FRONTEND_CACHE, A_E1, A_E1, A_E2, F_ADD, F_DIV),
    STALLS_MEMBER(FRONTEND_TLB, A_E2, A_E1, A_E2, F_ADD, F_DIV),
    STALLS_MEMBER(MEMORY_BOUND, A_E7, A_E8, F_ADD, A_STALL_BE, F_DIV),
    STALLS_MEMBER(CORE_BOUND, A_E4, A_STALL_BE, F_DIV),
    STALLS_MEMBER(LOAD, A_E7, A_E7, A_E8, F_ADD, F_DIV),
    STALLS_MEMBER(STORE, A_E8, A_E7, A_E8, F_ADD, F_DIV),
    STALLS_OVERLAP(LOAD_CACHE, A_E9, A_E7, F_DIV),
    STALLS_OVERLAP(LOAD_TLB, A_EA, A_E7, F_DIV),
    STALLS_OVERLAP(STORE_BUFFER, A_EB, A_E8, F_DIV),
    STALLS_OVERLAP(STORE_TLB, A_EC, A_E8, F_DIV),
    STALLS_OVERLAP(ADDRESS_INTERLOCK, A_E5, A_E4, F_DIV),
    STALLS_OVERLAP(FLOATING_INTERLOCK, A_E6, A_E4, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_arm_inorder = {
    ARM_COMMON(SL_KIND_CYCLE3, SL_DOMAIN_CYCLES, C),
    .parts = { ROWS(cycles), ROWS(topdown_arm_inorder_causes), ROWS(topdown_arm_misses) },
    .fallback = &sl_topdown_model_arm_retire,
};

/* Cortex-A53, A35: no STALL_FRONTEND/BACKEND; 0xE0-0xE8 split them (Cortex-A53 TRM, PMU events). PMCEID does not list them. */
static const struct sl_topdown_row a53[] = {
    CYCLES_MEMBER(FRONTEND_BOUND, A_E0, A_E1, F_ADD, A_E2, F_ADD, A_E3, F_ADD, C, F_DIV),
    CYCLES_MEMBER(BACKEND_BOUND, A_E4, A_E5, F_ADD, A_E6, F_ADD, A_E7, F_ADD, A_E8, F_ADD, C, F_DIV),
    CYCLES_REST(ACTIVE),
};
static const struct sl_topdown_row a53_causes[] = {
    CYCLES_MEMBER(FRONTEND_CORE, A_E0, A_E3, F_ADD, C, F_DIV),
    CYCLES_MEMBER(FRONTEND_MEMORY, A_E1, A_E2, F_ADD, C, F_DIV),
    CYCLES_OVERLAP(FRONTEND_PREDECODE, A_E3, C, F_DIV),
    CYCLES_MEMBER(FRONTEND_CACHE, A_E1, C, F_DIV),
    CYCLES_MEMBER(FRONTEND_TLB, A_E2, C, F_DIV),
    CYCLES_MEMBER(MEMORY_BOUND, A_E7, A_E8, F_ADD, C, F_DIV),
    CYCLES_MEMBER(CORE_BOUND, A_E4, A_E5, F_ADD, A_E6, F_ADD, C, F_DIV),
    CYCLES_MEMBER(LOAD, A_E7, C, F_DIV),
    CYCLES_MEMBER(STORE, A_E8, C, F_DIV),
    CYCLES_OVERLAP(STORE_BUFFER, A_C7, C, F_DIV),
    CYCLES_MEMBER(INTERLOCK, A_E4, C, F_DIV),
    CYCLES_MEMBER(ADDRESS_INTERLOCK, A_E5, C, F_DIV),
    CYCLES_MEMBER(FLOATING_INTERLOCK, A_E6, C, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_arm_a53 = {
    ARM_COMMON(SL_KIND_CYCLE3, SL_DOMAIN_CYCLES, C),
    .parts = { ROWS(a53), ROWS(a53_causes), ROWS(topdown_arm_misses) },
    .fallback = &sl_topdown_model_arm_cycles,
};

/* Cortex-A57, A72, A73: no stall events at all. Instructions stand for operations. */
static const struct sl_topdown_row retire[] = {
    ABOUT_MEMBER(RETIRING, SLOTS, A_INST_RETIRED, T, F_DIV),
    ABOUT_MEMBER(BAD_SPECULATION, SLOTS, A_INST_SPEC, A_INST_RETIRED, F_SUB, T, F_DIV),
    ABOUT_REST(UNATTRIBUTED, SLOTS),
};
/* ... without INST_SPEC. */
static const struct sl_topdown_row retired_alone[] = {
    ABOUT_MEMBER(RETIRING, SLOTS, A_INST_RETIRED, T, F_DIV),
    ABOUT_REST(UNATTRIBUTED, SLOTS),
};
static const struct sl_topdown_model retire_alone = {
    ARM_COMMON(SL_KIND_RETIRE_ONLY, SL_DOMAIN_SLOTS, T),
    .parts = { ROWS(retired_alone), ROWS(topdown_arm_misses) },
};
const struct sl_topdown_model sl_topdown_model_arm_retire = {
    ARM_COMMON(SL_KIND_RETIRE_ONLY, SL_DOMAIN_SLOTS, T),
    .parts = { ROWS(retire), ROWS(topdown_arm_misses) },
    .fallback = &retire_alone,
};
/* Cortex-A73 TRM: linefills and table walks that stall the instruction side. */
static const struct sl_topdown_row a73_causes[] = {
    CYCLES_OVERLAP(FRONTEND_CACHE, A_C0, C, F_DIV),
    CYCLES_OVERLAP(FRONTEND_TLB, A_C1, C, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_arm_a73 = {
    ARM_COMMON(SL_KIND_RETIRE_ONLY, SL_DOMAIN_SLOTS, T),
    .parts = { ROWS(retire), ROWS(a73_causes), ROWS(topdown_arm_misses) },
    .fallback = &retire_alone,
};
