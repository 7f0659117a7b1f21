/* SPDX-License-Identifier: Apache-2.0 */
/* Intel's small cores: slots by class from events of their own. Formulas: Intel perfmon, E-core TMA 4 (TNT, GRT, CMT, SKT). */
#include "events.h"
#include "formula.h"

static const struct sl_topdown_event events[] = { ATOM_EVENTS(EVENT_ROW) };

#define T F_WIDTH, E_CYCLES, F_MUL
#define SHARE(event) event, T, F_DIV

static const struct sl_topdown_row tnt[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, SHARE(E_FE)),
    SLOTS_MEMBER(BAD_SPECULATION, SHARE(E_BS_TNT)),
    SLOTS_MEMBER(RETIRING, SHARE(E_RET_C2)),
    SLOTS_MEMBER(BACKEND_BOUND, SHARE(E_BE)),
};
static const struct sl_topdown_row grt[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, SHARE(E_FE)),
    SLOTS_REST(BAD_SPECULATION),
    SLOTS_MEMBER(RETIRING, SHARE(E_RET_C2)),
    SLOTS_MEMBER(BACKEND_BOUND, SHARE(E_BE)),
};
static const struct sl_topdown_row cmt[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, SHARE(E_FE)),
    SLOTS_MEMBER(BAD_SPECULATION, SHARE(E_BS)),
    SLOTS_MEMBER(RETIRING, SHARE(E_RET)),
    SLOTS_MEMBER(BACKEND_BOUND, SHARE(E_BE)),
};
static const struct sl_topdown_row skt[] = {
    SLOTS_MEMBER(FRONTEND_BOUND, SHARE(E_FE_FIXED)),
    SLOTS_MEMBER(BAD_SPECULATION, SHARE(E_BS_FIXED)),
    SLOTS_MEMBER(RETIRING, SHARE(E_RET_FIXED)),
    SLOTS_MEMBER(BACKEND_BOUND, SHARE(E_BE_A4)),
};
static const struct sl_topdown_row deeper[] = {
    SLOTS_MEMBER(FETCH_LATENCY, SHARE(E_FE_LATENCY)),
    SLOTS_REST(FETCH_BANDWIDTH),
    SLOTS_MEMBER(BRANCH_MISPREDICTS, SHARE(E_MISPREDICT)),
    SLOTS_REST(MACHINE_CLEARS),
    SLOTS_MEMBER(CORE_BOUND, SHARE(E_ALLOC)),
    SLOTS_REST(RESOURCE_BOUND),
    SLOTS_OVERLAP(MEMORY_SCHEDULER, SHARE(E_MEM_SCHEDULER)),
};

#define ATOM_MODEL(name, which)                                                                               \
    const struct sl_topdown_model sl_topdown_model_atom_##name = {                                            \
        .kind = which, .domain = SL_DOMAIN_SLOTS, .family = SL_FAMILY_INTEL_ATOM, .n_events = ATOM_N,         \
        .cycles = E_CYCLES, .instructions = E_INST, .events = events, .total = FORMULA(T),                    \
        .parts = { ROWS(name), ROWS(deeper) }, .thresholds = &sl_topdown_thresholds_atom,                     \
    };
ATOM_MODEL(tnt, SL_KIND_SLOT4)
ATOM_MODEL(grt, SL_KIND_SLOT_RESIDUAL)
ATOM_MODEL(cmt, SL_KIND_SLOT4)
ATOM_MODEL(skt, SL_KIND_SLOT4)
