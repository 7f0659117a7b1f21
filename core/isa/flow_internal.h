/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the control-flow analysis share. */
#ifndef CORE_ISA_FLOW_INTERNAL_H
#define CORE_ISA_FLOW_INTERNAL_H

#include <slotledger/flow.h>

/* Working memory, [n_blocks] each but for the list of edges. A node is a block by its number in the search. */
struct sl_flow_search {
    uint32_t *number;    /* of a block; SL_FLOW_NONE: not reached */
    uint32_t *last;      /* of a node: the last node found under it */
    uint32_t *into;      /* [n_blocks + 1] of a node: where its predecessors begin */
    uint32_t *edges;     /* predecessors, nodes */
    uint32_t *inside;    /* of a node: the header that it has been merged with */
    uint32_t *mark;
    uint32_t *list;      /* nodes of one loop */
    uint32_t *tree;      /* of a block: the root it was found from */
    uint32_t *parent;    /* of a node: the one that it was found from; its own: a root */
    uint32_t *semi, *dominator, *bucket, *chain; /* of nodes, as in the paper */
    uint32_t n_nodes;
};

/* The edge behind `cursor` (0: the first), or SL_FLOW_NONE. Cursor of the assumed ones: 2 + block before, + 1. */
static inline uint32_t sl_flow_next_edge(const struct sl_flow *flow, uint32_t b, uint32_t *cursor)
{
    const struct sl_flow_block *block = &flow->blocks[b];
    uint32_t to;

    if (*cursor == 0) {
        *cursor = 1;
        if (block->next != SL_FLOW_NONE)
            return block->next;
    }
    if (*cursor == 1) {
        *cursor = 2;
        if (block->taken != SL_FLOW_NONE)
            return block->taken;
    }
    to = *cursor == 2 ? block->assumed : flow->blocks[*cursor - 3u].sibling;
    if (to != SL_FLOW_NONE)
        *cursor = 3u + to;
    return to;
}

/* Dominators of all nodes, then loops, in the order of their headers' addresses. */
void sl_flow_find_loops(struct sl_flow *flow, struct sl_flow_search *s);

#endif
