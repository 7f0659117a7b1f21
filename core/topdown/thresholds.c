/* SPDX-License-Identifier: Apache-2.0 */
/* Over which share a node is a bottleneck. */
#include <slotledger/topdown.h>

#define AT(node, per_mille)    { SL_NODE_##node, false, per_mille }
#define BELOW(node, per_mille) { SL_NODE_##node, true, per_mille }

/* Intel perfmon, TMA_Metrics-full 5.2, thresholds of the big cores. Arm, AMD and RISC-V publish none: the same by convention.
 * Nodes without a row: over 50, below a bottleneck. */
static const struct sl_topdown_threshold big[] = {
    AT(FRONTEND_BOUND, 150),       AT(BAD_SPECULATION, 150),     AT(BACKEND_BOUND, 200),   AT(RETIRING, 700),
    BELOW(FETCH_LATENCY, 100),     AT(FETCH_BANDWIDTH, 200),     BELOW(BRANCH_MISPREDICTS, 100),
    BELOW(MACHINE_CLEARS, 100),    BELOW(MEMORY_BOUND, 200),     BELOW(CORE_BOUND, 100),   AT(LIGHT_OPERATIONS, 600),
    AT(HEAVY_OPERATIONS, 100),     BELOW(L1_BOUND, 100),         BELOW(L2_BOUND, 50),      BELOW(L3_BOUND, 50),
    BELOW(EXT_MEMORY_BOUND, 100),  BELOW(STORE_BOUND, 200),      BELOW(MEM_BANDWIDTH, 200), BELOW(MEM_LATENCY, 100),
    BELOW(DIVIDER, 200),           BELOW(PORTS_UTILIZATION, 150), BELOW(MICROSEQUENCER, 50), BELOW(BASE, 600),
    /* Not in that source: by likeness. */
    AT(SMT_CONTENTION, 200),       AT(ACTIVE, 700),              AT(INSTRUCTION_BASE, 700), AT(FETCH_AND_CORE, 200),
    AT(LOAD_STORE, 200),           AT(EXCEPTION, 50),            AT(SLEEP, 200),
};
/* Intel perfmon, E-core TMA 4 (GRT, CMT, SKT). */
static const struct sl_topdown_threshold atom[] = {
    AT(FRONTEND_BOUND, 200),   AT(BAD_SPECULATION, 150),   AT(BACKEND_BOUND, 100),        AT(RETIRING, 750),
    BELOW(FETCH_LATENCY, 150), BELOW(FETCH_BANDWIDTH, 100), BELOW(BRANCH_MISPREDICTS, 50), BELOW(MACHINE_CLEARS, 50),
    BELOW(RESOURCE_BOUND, 200), BELOW(CORE_BOUND, 100),
};
/* pmu-tools, toplev's simple model. */
static const struct sl_topdown_threshold simple[] = {
    AT(FRONTEND_BOUND, 200), AT(BAD_SPECULATION, 100), AT(BACKEND_BOUND, 200), AT(RETIRING, 700),
};

#define SET(array, text) { array, sizeof(array) / sizeof((array)[0]), text }
const struct sl_topdown_thresholds sl_topdown_thresholds_default = SET(big, "default");
const struct sl_topdown_thresholds sl_topdown_thresholds_atom = SET(atom, "atom");
const struct sl_topdown_thresholds sl_topdown_thresholds_simple = SET(simple, "simple");
