/* SPDX-License-Identifier: Apache-2.0 */
/* The dependency graph of the bottleneck analysis: collecting edges, then the critical sequence. */
#ifndef CORE_OBSERVE_BOTTLENECK_H
#define CORE_OBSERVE_BOTTLENECK_H

#include "observe.h"

/* One position of the block in one of three successive iterations. */
struct sl_bottleneck_node {
    uint64_t cost_cycles;   /* of the costliest path to here */
    uint32_t first, last;   /* edges from here in order of creation, or SL_NO_EDGE */
    uint32_t predecessors;
    uint32_t visited;
    uint32_t depth;
    uint32_t critical;      /* last edge of that path, or SL_NO_EDGE */
};

/* The last instruction that used a unit. */
struct sl_bottleneck_user {
    uint32_t iid;
    uint32_t cycles;        /* 0: none yet */
    bool stays;             /* counts as in flight for ever */
};

/* Back-end pressure that an instruction in flight has met, in cycles. */
struct sl_bottleneck_flight {
    uint32_t iid;
    uint32_t registers, memory, resources;
    bool present;
};

struct sl_bottleneck_dependency {
    uint64_t id;
    uint32_t cost_cycles;
    enum sl_dependency kind;
};

/* Records that position `to` of the block waited for position `from`. */
void sl_bottleneck_add(struct sl_obs_bottleneck *o, uint32_t from, uint32_t to,
                       const struct sl_bottleneck_dependency *dependency);
/* Prunes rare edges and finds the costliest path. */
void sl_bottleneck_solve(struct sl_obs_bottleneck *o);
/* Does a dependency seen `frequency` times stay in the graph? */
bool sl_bottleneck_frequent(uint32_t frequency, uint32_t iterations);

#endif
