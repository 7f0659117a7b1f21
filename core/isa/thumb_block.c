/* SPDX-License-Identifier: Apache-2.0 */
/* IT and VPT blocks: what they make of the instructions in them. */
#include <slotledger/isa.h>

#define ALWAYS 14u
/* One instruction further. */
static void move_on(uint8_t *mask, bool *inverted)
{
    *inverted = (*mask & 8u) != 0;
    *mask = (uint8_t)((unsigned)*mask << 1 & 15u);
}

static void in_it(const struct sl_isa *isa, const struct sl_thumb_block *block, uint8_t predicate, struct sl_insn *insn)
{
    const struct sl_op_row *row = sl_op_row(isa, insn->op);
    unsigned at = (predicate & SL_PREDICATE_INDEX) - 1u;

    uint8_t condition = block->it_else ? block->condition ^ 1u : block->condition;

    insn->operand[at].imm = condition;
    insn->operand[at + 1u].reg = condition != ALWAYS ? isa->status_reg : 0;
    /* Sixteen bits hold no S: outside of a block it is set, inside it is not. */
    if ((row->flags & SL_OP_OPTIONAL_DEF) != 0 && insn->len_bytes == 2)
        insn->operand[row->optional_def].reg = 0;
}

static void in_vpt(const struct sl_isa *isa, const struct sl_thumb_block *block, uint8_t predicate, struct sl_insn *insn)
{
    unsigned at = (predicate & SL_PREDICATE_INDEX) - 1u;

    insn->operand[at].imm = block->vpt_else ? 2 : 1;
    insn->operand[at + 1u].reg = isa->vector_predicate_reg;
    if ((predicate & SL_PREDICATE_INACTIVE) != 0)
        insn->operand[at + 3u].reg = insn->operand[0].reg;
}

static void open_block(struct sl_thumb_block *block, uint8_t predicate, const struct sl_insn *insn)
{
    if ((predicate & SL_PREDICATE_OPENS_IT) != 0) {
        block->condition = (uint8_t)insn->operand[0].imm;
        block->it = (uint8_t)insn->operand[1].imm & 15u;
        block->it_else = false;
    }
    if ((predicate & SL_PREDICATE_OPENS_VPT) != 0) {
        block->vpt = (uint8_t)insn->operand[0].imm & 15u;
        block->vpt_else = false;
    }
}

void sl_thumb_next(const struct sl_isa *isa, struct sl_thumb_block *block, struct sl_insn *insn)
{
    uint8_t predicate = sl_op_row(isa, insn->op)->predicate;
    bool predicated = (predicate & SL_PREDICATE_INDEX) != 0, vector = (predicate & SL_PREDICATE_VECTOR) != 0;

    if (block->it != 0) {
        if (predicated && !vector)
            in_it(isa, block, predicate, insn);
        move_on(&block->it, &block->it_else);
    }
    if (block->vpt != 0) {
        if (predicated && vector)
            in_vpt(isa, block, predicate, insn);
        move_on(&block->vpt, &block->vpt_else);
    }
    open_block(block, predicate, insn);
}
