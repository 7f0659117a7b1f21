/* SPDX-License-Identifier: Apache-2.0 */
/* Arm A-profile cores with STALL_SLOT events. Formulas: Arm's telemetry data of each CPU (gitlab.arm.com/telemetry-solution,
 * data/pmu/cpu), metrics frontend_bound, backend_bound, retiring, bad_speculation; generic form: the same metrics without a
 * CPU's corrections, as Linux' public arm64 sbsa metrics have them. */
#include "model_arm.h"

const struct sl_topdown_event topdown_arm_events[] = { ARM_EVENTS(EVENT_ROW) };

/* STALL_SLOT need not be counted: its parts add up to it, and then the four classes add up exactly. */
#define SS     F_ALT, A_SLOT, 3, A_SLOT_FE, A_SLOT_BE, F_ADD
#define T      F_WIDTH, A_CYCLES, F_MUL
#define OPS    A_OP_RETIRED, A_OP_SPEC, F_DIV
#define USED   ONE, SS, T, F_DIV, F_SUB                     /* share of slots that got an operation */
#define PER_C(n) K(n), A_BR_MIS_PRED, F_MUL, A_CYCLES, F_DIV /* n slots' widths a misprediction */

/* Neoverse N2 from r0p3 on, V2: mispredictions cost frontend 1, backend 3 cycles' worth. */
static const struct sl_topdown_row n2[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, A_SLOT_FE, T, F_DIV, PER_C(1), F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, T, F_DIV, PER_C(3), F_SUB),
    SLOTS_MEMBER(RETIRING, OPS, USED, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED, F_MUL, PER_C(4), F_ADD),
};
ARM_MODEL(n2, SL_KIND_SLOT4, T, n2, topdown_arm_memory_share, topdown_arm_misses, sl_topdown_model_arm_slots)

/* Neoverse N2 before r0p3: STALL_SLOT_FRONTEND and STALL_SLOT count one slot a cycle too many (erratum, same source). */
#define FE_OLD A_SLOT_FE, A_CYCLES, F_SUB
#define SS_OLD SS, A_CYCLES, F_SUB
#define USED_OLD ONE, SS_OLD, T, F_DIV, F_SUB
static const struct sl_topdown_row n2_r0p0[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, FE_OLD, T, F_DIV, PER_C(1), F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, T, F_DIV, PER_C(3), F_SUB),
    SLOTS_MEMBER(RETIRING, OPS, USED_OLD, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED_OLD, F_MUL, PER_C(4), F_ADD),
};
ARM_MODEL(n2_r0p0, SL_KIND_SLOT4, T, n2_r0p0, topdown_arm_memory_share, topdown_arm_misses, sl_topdown_model_arm_cycles)

/* Neoverse V1: all four cycles' worth are the frontend's. */
static const struct sl_topdown_row v1[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, A_SLOT_FE, T, F_DIV, PER_C(4), F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, T, F_DIV),
    SLOTS_MEMBER(RETIRING, OPS, USED, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED, F_MUL, PER_C(4), F_ADD),
};
ARM_MODEL(v1, SL_KIND_SLOT4, T, v1, topdown_arm_memory_share, topdown_arm_misses, sl_topdown_model_arm_slots)

/* Neoverse N3, V3, V3AE: flush cycles are counted. */
#define FLUSH A_FE_FLUSH, A_CYCLES, F_DIV
static const struct sl_topdown_row n3[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, A_SLOT_FE, T, F_DIV, FLUSH, F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, T, F_DIV),
    SLOTS_MEMBER(RETIRING, OPS, USED, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED, F_MUL, FLUSH, F_ADD),
};
/* Children: stall cycles of STALL_FRONTEND and STALL_BACKEND by cause (same source). */
#define CAUSES(fe, fe_core, fe_flush, be, be_core)                                                            \
    STALLS_MEMBER(FRONTEND_CORE, fe_core, fe, F_DIV), STALLS_MEMBER(FRONTEND_MEMORY, A_FE_MEMBOUND, fe, F_DIV), \
    STALLS_MEMBER(FRONTEND_FLUSH, fe_flush, fe_core, F_DIV), STALLS_MEMBER(FRONTEND_FLOW, A_FE_FLOW, fe_core, F_DIV), \
    STALLS_MEMBER(FRONTEND_CACHE, A_FE_L1I, A_FE_MEM, F_ADD, A_FE_MEMBOUND, F_DIV),                           \
    STALLS_MEMBER(FRONTEND_TLB, A_FE_TLB, A_FE_MEMBOUND, F_DIV),                                              \
    STALLS_MEMBER(FRONTEND_L1I, A_FE_L1I, A_FE_L1I, A_FE_MEM, F_ADD, F_DIV),                                  \
    STALLS_MEMBER(FRONTEND_L2I, A_FE_MEM, A_FE_L1I, A_FE_MEM, F_ADD, F_DIV),                                  \
    STALLS_MEMBER(CORE_BOUND, be_core, be, F_DIV), STALLS_MEMBER(MEMORY_BOUND, A_BE_MEMBOUND, be, F_DIV),     \
    STALLS_OVERLAP(BACKEND_BUSY, A_BE_BUSY, be, F_DIV), STALLS_OVERLAP(RENAME, A_BE_RENAME, be_core, F_DIV),  \
    STALLS_MEMBER(DATA_CACHE, A_BE_L1D, A_BE_MEM, F_ADD, A_BE_MEMBOUND, F_DIV),                               \
    STALLS_MEMBER(DATA_TLB, A_BE_TLB, A_BE_MEMBOUND, F_DIV), STALLS_MEMBER(STORE, A_BE_ST, A_BE_MEMBOUND, F_DIV), \
    STALLS_MEMBER(DATA_L1D, A_BE_L1D, A_BE_L1D, A_BE_MEM, F_ADD, F_DIV),                                      \
    STALLS_MEMBER(DATA_L2D, A_BE_MEM, A_BE_L1D, A_BE_MEM, F_ADD, F_DIV)
static const struct sl_topdown_row causes[] = { CAUSES(A_STALL_FE, A_FE_CPUBOUND, A_FE_FLUSH, A_STALL_BE, A_BE_CPUBOUND) };
ARM_MODEL(n3, SL_KIND_SLOT4, T, n3, causes, topdown_arm_misses, sl_topdown_model_arm_slots)

#define ILOCK(be_core) STALLS_OVERLAP(INTERLOCK, A_BE_ILOCK, be_core, F_DIV)
static const struct sl_topdown_row causes_c1[] = { CAUSES(A_STALL_FE, A_FE_CPUBOUND, A_FE_FLUSH, A_STALL_BE, A_BE_CPUBOUND),
                                                   ILOCK(A_BE_CPUBOUND) };
ARM_MODEL(c1_nano, SL_KIND_SLOT4, T, n3, causes_c1, topdown_arm_misses, sl_topdown_model_arm_slots)

/* C1-Pro: cycles asleep (WFI, WFE) count as backend stalls; they are taken out of everything. */
#define CX A_CYCLES, A_WFX, F_SUB
#define TX F_WIDTH, CX, F_MUL
#define WX F_WIDTH, A_WFX, F_MUL
#define USED_X ONE, SS, WX, F_SUB, TX, F_DIV, F_SUB
#define FLUSH_PRO A_FE_FLUSH, CX, F_DIV
static const struct sl_topdown_row c1_pro[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, A_SLOT_FE, TX, F_DIV, FLUSH_PRO, F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, WX, F_SUB, TX, F_DIV),
    SLOTS_MEMBER(RETIRING, OPS, USED_X, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED_X, F_MUL, FLUSH_PRO, F_ADD),
};
#define AWAKE(event) event, A_WFX, F_SUB
#define BE_CORE_AWAKE AWAKE(A_BE_CPUBOUND)
#define BE_AWAKE AWAKE(A_STALL_BE)
static const struct sl_topdown_row causes_pro[] = { CAUSES(A_STALL_FE, A_FE_CPUBOUND, A_FE_FLUSH, BE_AWAKE, BE_CORE_AWAKE),
                                                    ILOCK(BE_CORE_AWAKE) };
ARM_MODEL(c1_pro, SL_KIND_SLOT4, TX, c1_pro, causes_pro, topdown_arm_misses, sl_topdown_model_arm_cycles)

/* C1-Premium, C1-Ultra: these cycles count as frontend stalls and as flushes. */
#define FLUSH_ULTRA A_FE_FLUSH, A_WFX, F_SUB, CX, F_DIV
static const struct sl_topdown_row c1_ultra[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, A_SLOT_FE, WX, F_SUB, TX, F_DIV, FLUSH_ULTRA, F_SUB),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, TX, F_DIV),
    SLOTS_MEMBER(RETIRING, OPS, USED_X, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED_X, F_MUL, FLUSH_ULTRA, F_ADD),
};
#define FE_AWAKE AWAKE(A_STALL_FE)
#define FE_CORE_AWAKE AWAKE(A_FE_CPUBOUND)
#define FE_FLUSH_AWAKE AWAKE(A_FE_FLUSH)
static const struct sl_topdown_row causes_ultra[] = { CAUSES(FE_AWAKE, FE_CORE_AWAKE, FE_FLUSH_AWAKE, A_STALL_BE,
                                                             A_BE_CPUBOUND), ILOCK(A_BE_CPUBOUND) };
ARM_MODEL(c1_ultra, SL_KIND_SLOT4, TX, c1_ultra, causes_ultra, topdown_arm_misses, sl_topdown_model_arm_cycles)

/* Generic: what STALL_SLOT_* and OP_* mean by the architecture. Misprediction costs stay in the stalls. */
static const struct sl_topdown_row slots[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, A_SLOT_FE, T, F_DIV),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, T, F_DIV),
    SLOTS_MEMBER(RETIRING, OPS, USED, F_MUL),
    SLOTS_MEMBER(BAD_SPECULATION, ONE, OPS, F_SUB, USED, F_MUL),
};
ARM_MODEL(slots, SL_KIND_SLOT4, T, slots, topdown_arm_memory_share, topdown_arm_misses, sl_topdown_model_arm_cycles)
ARM_MODEL(inorder_slots, SL_KIND_SLOT4, T, slots, topdown_arm_inorder_causes, topdown_arm_misses, sl_topdown_model_arm_inorder)

/* AmpereOne, AmpereOneX: Linux' public metrics for ampereone; the frontend is the rest. */
static const struct sl_topdown_row ampereone[] = {
    SLOTS_REST(FRONTEND_BOUND),
    SLOTS_MEMBER(BACKEND_BOUND, A_SLOT_BE, T, F_DIV),
    SLOTS_MEMBER(RETIRING, A_OP_RETIRED, T, F_DIV),
    SLOTS_MEMBER(BAD_SPECULATION, A_OP_SPEC, A_OP_RETIRED, F_SUB, T, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_ampereone = {
    ARM_COMMON(SL_KIND_SLOT_RESIDUAL, SL_DOMAIN_SLOTS, T),
    .parts = { ROWS(ampereone), TOPDOWN_ROWS(topdown_arm_memory_share), TOPDOWN_ROWS(topdown_arm_misses) },
    .fallback = &sl_topdown_model_arm_cycles,
};
