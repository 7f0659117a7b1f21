/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of one region of a block, and texts about its blocks and loops. */
#ifndef HOSTED_IO_CODE_FLOW_H
#define HOSTED_IO_CODE_FLOW_H

#include <slotledger/flow.h>

#include "block.h"

struct code_flow {
    struct sl_flow flow; /* instruction i is member i of the region */
    struct sl_flow_insn *insns;
    void *memory;
};

/* Blocks and loops of a region of machine code. false: its instructions are not in the order of addresses (several
 * sections of an object file), or there are none; nothing to free. */
bool code_flow_find(struct code_flow *flow, const struct block *block, const struct block_region *region);
void code_flow_free(struct code_flow *flow);

/* Address of a block, and of the byte behind it. */
uint64_t code_flow_start(const struct code_flow *flow, uint32_t block);
uint64_t code_flow_end(const struct code_flow *flow, uint32_t block);
/* How a block ends: "falls through", "call" ...; never NULL. */
const char *code_flow_ending(const struct code_flow *flow, uint32_t block);

#endif
