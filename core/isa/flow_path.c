/* SPDX-License-Identifier: Apache-2.0 */
/* Ways through loops, and what lies where. */
#include "flow_internal.h"

bool sl_flow_in_loop(const struct sl_flow *flow, uint32_t block, uint32_t loop)
{
    uint32_t l = flow->blocks[block].loop;

    while (l != SL_FLOW_NONE && l != loop && flow->loops[l].depth > flow->loops[loop].depth)
        l = flow->loops[l].parent;
    return l == loop;
}

/* ---- paths ----------------------------------------------------------------------------------------------------- */

uint32_t sl_flow_straight_path(struct sl_flow *flow, uint32_t loop, uint32_t *path)
{
    uint32_t header = flow->loops[loop].header, n = 0;

    for (uint32_t b = 0; b < flow->n_blocks; b++)
        flow->order[b] = 0;
    flow->order[header] = 1;
    flow->cursor[header] = 0;
    path[n++] = header;
    /* A block that has been left without success cannot lead to the header later either. */
    while (n > 0) {
        uint32_t b = path[n - 1], to = sl_flow_next_edge(flow, b, &flow->cursor[b]);

        if (to == header)
            return n;
        if (to == SL_FLOW_NONE) {
            n--;
        } else if (flow->order[to] == 0 && sl_flow_in_loop(flow, to, loop)) {
            flow->order[to] = 1;
            flow->cursor[to] = 0;
            path[n++] = to;
        }
    }
    path[0] = header;
    return 1;
}

uint32_t sl_flow_all_blocks(const struct sl_flow *flow, uint32_t loop, uint32_t *path)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if (sl_flow_in_loop(flow, b, loop))
            path[n++] = b;
    return n;
}

uint32_t sl_flow_block_at(const struct sl_flow *flow, uint64_t address)
{
    uint32_t low = 0, high = flow->n_blocks;

    while (low < high) { /* the first block that begins behind the address */
        uint32_t middle = low + (high - low) / 2;

        if (flow->insns[flow->blocks[middle].first].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        const struct sl_flow_block *block = &flow->blocks[low - 1];
        const struct sl_flow_insn *last = &flow->insns[block->first + block->n_insns - 1];

        if (address - last->address < last->len_bytes || address < last->address)
            return low - 1;
    }
    return SL_FLOW_NONE;
}
