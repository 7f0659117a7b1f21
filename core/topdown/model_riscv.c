/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: no core publishes slot events, so these are stalled cycles, and approximate ones. Sources beside each core's events
 * in events.h. */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event riscv_events[] = { RISCV_EVENTS(EVENT_ROW) };
static const struct sl_topdown_event sifive_events[] = { SIFIVE_EVENTS(EVENT_ROW) };
static const struct sl_topdown_event thead_events[] = { THEAD_EVENTS(EVENT_ROW) };
static const struct sl_topdown_event dubhe_events[] = { DUBHE_EVENTS(EVENT_ROW) };
static const struct sl_topdown_event andes_events[] = { ANDES_EVENTS(EVENT_ROW) };
static const struct sl_topdown_event cva6_events[] = { CVA6_EVENTS(EVENT_ROW) };

/* Every family starts with cycles and instructions. */
enum { C = R_CYCLES, INST = R_INST };
SL_STATIC_ASSERT((int)S_CYCLES == (int)C && (int)H_CYCLES == (int)C && (int)U_CYCLES == (int)C && (int)N_CYCLES == (int)C &&
                     (int)V_CYCLES == (int)C && (int)S_INST == (int)INST && (int)H_INST == (int)INST,
                 cycles_come_first);
#define T F_WIDTH, C, F_MUL

#define RISCV_COMMON(id, upper, list)                                                                    \
    .domain = SL_DOMAIN_CYCLES, .family = SL_FAMILY_##id, .n_events = upper##_N, .cycles = C, .instructions = INST, \
    .events = list, .total = FORMULA(C)

/* mcycle and minstret alone. */
static const struct sl_topdown_row retire[] = {
    ABOUT_MEMBER(RETIRING, SLOTS, INST, T, F_DIV),
    ABOUT_REST(UNATTRIBUTED, SLOTS),
};
#define RETIRE_MODEL(id, upper, list)                                                                        \
    {                                                                                                        \
        .kind = SL_KIND_RETIRE_ONLY, .domain = SL_DOMAIN_SLOTS, .family = SL_FAMILY_##id, .n_events = upper##_N, \
        .cycles = C, .instructions = INST, .events = list, .total = FORMULA(T), .parts = { ROWS(retire) },   \
    }
const struct sl_topdown_model sl_topdown_model_riscv_retire = RETIRE_MODEL(RISCV, RISCV, riscv_events);
static const struct sl_topdown_model sifive_retire = RETIRE_MODEL(SIFIVE, SIFIVE, sifive_events);
static const struct sl_topdown_model thead_retire = RETIRE_MODEL(THEAD, THEAD, thead_events);
static const struct sl_topdown_model dubhe_retire = RETIRE_MODEL(DUBHE, DUBHE, dubhe_events);
static const struct sl_topdown_model andes_retire = RETIRE_MODEL(ANDES, ANDES, andes_events);
static const struct sl_topdown_model cva6_retire = RETIRE_MODEL(CVA6, CVA6, cva6_events);

#define STALLED(frontend, backend)                                                                           \
    ABOUT_MEMBER(FRONTEND_BOUND, CYCLES, frontend, C, F_DIV), ABOUT_MEMBER(BACKEND_BOUND, CYCLES, backend, C, F_DIV), \
    ABOUT_REST(ACTIVE, CYCLES)

static const struct sl_topdown_row riscv[] = { STALLED(R_STALL_FE, R_STALL_BE) };
const struct sl_topdown_model sl_topdown_model_riscv = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(RISCV, RISCV, riscv_events),
                                                         .parts = { ROWS(riscv) },
                                                         .fallback = &sl_topdown_model_riscv_retire };

/* SiFive U74. One counter can take several events of a class; else all are counted alone. */
#define U74_CORE    F_OR, S_CORE, 9, S_ADDRESS, S_LONG, F_ADD, S_CSR, F_ADD, S_MUL, F_ADD, S_FP, F_ADD
#define U74_BACKEND F_OR, S_BACKEND, 14, U74_CORE, S_DCACHE, F_ADD
#define U74_MISSES  F_OR, S_MISPREDICT, 3, S_DIRECTION, S_TARGET, F_ADD
static const struct sl_topdown_row u74_penalty[] = {
    ABOUT_MEMBER(FRONTEND_BOUND, CYCLES, S_ICACHE, C, F_DIV),
    ABOUT_MEMBER(BACKEND_BOUND, CYCLES, U74_BACKEND, C, F_DIV),
    ABOUT_MEMBER(BAD_SPECULATION, CYCLES, F_PENALTY, U74_MISSES, F_MUL, C, F_DIV),
    ABOUT_REST(ACTIVE, CYCLES),
};
static const struct sl_topdown_row u74[] = { STALLED(S_ICACHE, U74_BACKEND) };
static const struct sl_topdown_row u74_causes[] = {
    CYCLES_MEMBER(MEMORY_BOUND, S_DCACHE, C, F_DIV),
    CYCLES_MEMBER(CORE_BOUND, U74_CORE, C, F_DIV),
    CYCLES_OVERLAP(ADDRESS_INTERLOCK, S_ADDRESS, C, F_DIV),
    CYCLES_OVERLAP(LONG_LATENCY, S_LONG, C, F_DIV),
    CYCLES_OVERLAP(CSR_INTERLOCK, S_CSR, C, F_DIV),
    CYCLES_OVERLAP(MULTIPLY_INTERLOCK, S_MUL, C, F_DIV),
    CYCLES_OVERLAP(FLOATING_INTERLOCK, S_FP, C, F_DIV),
    COUNT(BRANCH_MISSES, U74_MISSES, INST, F_DIV),
};
static const struct sl_topdown_model u74_stalls = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(SIFIVE, SIFIVE, sifive_events),
                                                    .parts = { ROWS(u74), ROWS(u74_causes) },
                                                    .fallback = &sifive_retire };
const struct sl_topdown_model sl_topdown_model_u74 = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(SIFIVE, SIFIVE, sifive_events),
                                                       .parts = { ROWS(u74_penalty), ROWS(u74_causes) },
                                                       .fallback = &u74_stalls };

/* SiFive Bullet 07/0D: stalls of the TLBs are events, too. */
#define BULLET_FE S_ICACHE, S_ITLB, F_ADD
#define BULLET_BE U74_CORE, S_DCACHE, F_ADD, S_DTLB, F_ADD
static const struct sl_topdown_row bullet[] = { STALLED(BULLET_FE, BULLET_BE) };
static const struct sl_topdown_row bullet_causes[] = {
    CYCLES_MEMBER(MEMORY_BOUND, S_DCACHE, S_DTLB, F_ADD, C, F_DIV),
    CYCLES_MEMBER(CORE_BOUND, U74_CORE, C, F_DIV),
    CYCLES_OVERLAP(FRONTEND_CACHE, S_ICACHE, C, F_DIV),
    CYCLES_OVERLAP(FRONTEND_TLB, S_ITLB, C, F_DIV),
    CYCLES_MEMBER(DATA_CACHE, S_DCACHE, C, F_DIV),
    CYCLES_MEMBER(DATA_TLB, S_DTLB, C, F_DIV),
    COUNT(BRANCH_MISSES, U74_MISSES, INST, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_bullet = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(SIFIVE, SIFIVE, sifive_events),
                                                          .parts = { ROWS(bullet), ROWS(bullet_causes) },
                                                          .fallback = &u74_stalls };

static const struct sl_topdown_row thead[] = { STALLED(H_STALL_FE, H_STALL_BE) };
static const struct sl_topdown_row thead_misses[] = {
    COUNT(BRANCH_MISSES, H_MISPREDICT, INST, F_DIV),
    COUNT(L1D_MISSES, H_L1D_RD, H_L1D_WR, F_ADD, INST, F_DIV),
    COUNT(LLC_MISSES, H_LL_RD, H_LL_WR, F_ADD, INST, F_DIV),
};
const struct sl_topdown_model sl_topdown_model_thead = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(THEAD, THEAD, thead_events),
                                                         .parts = { ROWS(thead), ROWS(thead_misses) },
                                                         .fallback = &thead_retire };

static const struct sl_topdown_row dubhe[] = { STALLED(U_FE, U_BE) };
const struct sl_topdown_model sl_topdown_model_dubhe = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(DUBHE, DUBHE, dubhe_events),
                                                         .parts = { ROWS(dubhe) }, .fallback = &dubhe_retire };

static const struct sl_topdown_row ax45[] = { STALLED(N_FETCH_WAIT, N_DCACHE_WAIT) };
const struct sl_topdown_model sl_topdown_model_ax45 = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(ANDES, ANDES, andes_events),
                                                        .parts = { ROWS(ax45) }, .fallback = &andes_retire };

/* Full scoreboard and missing operands may be the same cycle. */
#define CVA6_BE V_SCOREBOARD_FULL, V_OPERAND_STALL, F_ADD
static const struct sl_topdown_row cva6[] = { STALLED(V_FETCH_EMPTY, CVA6_BE) };
static const struct sl_topdown_row cva6_misses[] = { COUNT(BRANCH_MISSES, V_MISPREDICT, INST, F_DIV) };
const struct sl_topdown_model sl_topdown_model_cva6 = { .kind = SL_KIND_CYCLE3, RISCV_COMMON(CVA6, CVA6, cva6_events),
                                                        .parts = { ROWS(cva6), ROWS(cva6_misses) },
                                                        .fallback = &cva6_retire };
