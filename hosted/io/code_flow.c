/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of one region of a block. */
#include "code_flow.h"

#include <stdlib.h>

/* What the bytes say, or the relocation instead of them. */
static void branch_of(const struct block *block, const struct block_insn *insn, struct sl_branch *branch)
{
    sl_branch_of(insn->isa ? insn->isa : block->isa, &insn->insn, insn->bytes, insn->address, branch);
    if (insn->has_target && branch->kind == SL_BRANCH_DIRECT) {
        branch->target = insn->target;
        branch->has_target = true;
    }
}

bool code_flow_find(struct code_flow *flow, const struct block *block, const struct block_region *region)
{
    size_t need = sl_flow_need(region->n_members);
    enum sl_status status;
    flow->insns = malloc(region->n_members * sizeof *flow->insns + 1);
    flow->memory = malloc(need);
    if (!flow->insns || !flow->memory)
        out_of_memory();
    for (size_t i = 0; i < region->n_members; i++) {
        const struct block_insn *insn = &block->insns[region->members[i]];
        flow->insns[i].address = insn->address;
        flow->insns[i].len_bytes = insn->len_bytes;
        branch_of(block, insn, &flow->insns[i].branch);
    }
    status = sl_flow_find(&flow->flow, flow->insns, region->n_members, flow->memory, need);
    if (status)
        code_flow_free(flow);
    return !status;
}

void code_flow_free(struct code_flow *flow)
{
    free(flow->insns);
    free(flow->memory);
    flow->insns = NULL;
    flow->memory = NULL;
}

uint64_t code_flow_start(const struct code_flow *flow, uint32_t block)
{
    return flow->insns[flow->flow.blocks[block].first].address;
}

static const struct sl_flow_insn *last_insn(const struct code_flow *flow, uint32_t block)
{
    const struct sl_flow_block *b = &flow->flow.blocks[block];
    return &flow->insns[b->first + b->n_insns - 1];
}

uint64_t code_flow_end(const struct code_flow *flow, uint32_t block)
{
    const struct sl_flow_insn *last = last_insn(flow, block);
    return last->address + last->len_bytes;
}

const char *code_flow_ending(const struct code_flow *flow, uint32_t block)
{
    static const char *const texts[SL_BRANCH_KINDS][2] = {
        [SL_BRANCH_NONE] = { "falls through", "falls through" },
        [SL_BRANCH_NOP] = { "falls through", "falls through" },
        [SL_BRANCH_DIRECT] = { "jump", "conditional branch" },
        [SL_BRANCH_INDIRECT] = { "indirect jump", "conditional indirect jump" },
        [SL_BRANCH_CALL] = { "call", "conditional call" },
        [SL_BRANCH_RETURN] = { "return", "conditional return" },
        [SL_BRANCH_TRAP] = { "trap", "trap" },
    };
    const struct sl_branch *branch = &last_insn(flow, block)->branch;
    return texts[branch->kind][branch->conditional];
}
