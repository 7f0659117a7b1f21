/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: the scheduling class that llvm-mca gives a vector instruction under a register group multiplier and an
 * element width. */
#include <slotledger/isa.h>

struct vector_op {
    uint16_t op;
    uint16_t row; /* of vector_classes */
};

#include "../gen/riscv_instruments.inc"

/* A row holds the classes for each vlmul and element width; 0: the opcode's own. */
#define ROW_WIDTHS 5u
#define ROW_ENTRIES (8u * ROW_WIDTHS)

bool sl_riscv_read_vtype(const struct sl_insn *insn, struct sl_riscv_vtype *vtype)
{
    uint64_t imm;

    if ((insn->op != SL_OP_VSETVLI && insn->op != SL_OP_VSETIVLI) || insn->n_operands < 3 ||
        insn->operand[2].kind != SL_OPERAND_IMM)
        return false;
    imm = (uint64_t)insn->operand[2].imm;
    vtype->vlmul = (uint8_t)(imm & 7u);
    vtype->sew = (uint8_t)((imm >> 3 & 7u) < 4u ? (imm >> 3 & 7u) + 1u : 0u);
    return true;
}

uint16_t sl_riscv_vector_class(uint16_t op, const struct sl_riscv_vtype *vtype)
{
    size_t low = 0, high = sizeof vector_ops / sizeof vector_ops[0];

    if (vtype->vlmul > 7u || vtype->sew >= ROW_WIDTHS)
        return 0;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (vector_ops[middle].op == op)
            return vector_classes[vector_ops[middle].row * ROW_ENTRIES + vtype->vlmul * ROW_WIDTHS + vtype->sew];
        if (vector_ops[middle].op < op)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
