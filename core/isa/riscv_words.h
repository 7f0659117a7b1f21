/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V instruction words -> opcode and operands, by generated decision graphs and operand forms (see aarch64.c). */
#ifndef SL_ISA_RISCV_WORDS_H
#define SL_ISA_RISCV_WORDS_H

#include <slotledger/isa.h>

/* value = base + the field + further terms; a register is registers[value]. */
struct operand_form {
    uint32_t mask;      /* of the field, in place; 0: a constant */
    int16_t base;
    uint8_t shift;      /* with FORM_IMMEDIATE */
    uint8_t first_term; /* offset into terms[] of a count, then the terms; 0: none */
};

#define FORM_IMMEDIATE 0x80u

SL_STATIC_ASSERT(sizeof(struct operand_form) == 8, an_operand_form_takes_8_bytes);

/* The words of one length. */
struct word_tables {
    const uint16_t *tree; /* a reference below first_node is an op, else an offset of a node: */
    const uint16_t *op_signature;
    const uint8_t *signatures;
    const struct operand_form *operands;
    const uint16_t *terms; /* shift << 11 | (width - 1) << 6 | scale << 1 | negative */
    const uint16_t *registers;
    uint16_t first_node;
    uint16_t root;
    uint8_t root_shift;
    uint8_t root_width;
    uint8_t len_bytes;
};

/*   0 | width << 5 | shift   then the references for each value of the field
 *   0x4000 | shift           mask, value, reference if (word >> shift & mask) == value, reference if not */
static inline uint16_t riscv_op(const struct word_tables *t, uint32_t word)
{
    uint32_t ref = t->tree[t->root + 1u + (word >> t->root_shift & ((1u << t->root_width) - 1u))];

    while (ref >= t->first_node) {
        const uint16_t *node = &t->tree[ref - t->first_node];
        uint32_t head = node[0], field = word >> (head & 31u);

        if (head < 0x4000u)
            ref = node[1u + (field & ((1u << (head >> 5)) - 1u))];
        else
            ref = node[(field & node[1]) == node[2] ? 3 : 4];
    }
    return (uint16_t)ref;
}

/* What fields add that are several runs of bits, or scaled, or subtracted. */
static inline uint32_t riscv_terms(uint32_t word, const uint16_t *list)
{
    uint32_t sum = 0;

    for (uint32_t left = *list++; left != 0; left--, list++) {
        uint32_t value = (word >> (*list >> 11) & (0xffffffffu >> (31u - (*list >> 6 & 31u)))) << (*list >> 1 & 31u);

        sum += (*list & 1u) != 0 ? 0u - value : value;
    }
    return sum;
}

static inline enum sl_status riscv_word(const struct word_tables *t, uint32_t word, struct sl_insn *out)
{
    uint16_t op = riscv_op(t, word);
    const uint8_t *list;
    uint8_t count;

    if (op == 0)
        return SL_E_UNDECODABLE;
    list = &t->signatures[t->op_signature[op]];
    count = *list++;
    out->op = op;
    out->len_bytes = t->len_bytes;
    out->n_operands = count;
    out->flags = 0;
    out->sched_class = 0;
    for (struct sl_operand *operand = out->operand; count != 0; count--, operand++) {
        const struct operand_form *form = &t->operands[*list++];
        uint32_t value = (uint32_t)form->base + ((word & form->mask) >> (form->shift & 31u));
        bool is_reg = (form->shift & FORM_IMMEDIATE) == 0;

        if (form->first_term != 0)
            value += riscv_terms(word, &t->terms[form->first_term]);
        operand->imm = is_reg ? 0 : (int32_t)value;
        operand->reg = is_reg ? t->registers[value] : 0;
        operand->kind = is_reg ? SL_OPERAND_REG : SL_OPERAND_IMM;
    }
    return SL_OK;
}

static inline enum sl_status riscv_insn(const struct word_tables *half, const struct word_tables *full,
                                        const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    if (len < 2)
        return SL_E_TRUNCATED;
    if ((bytes[0] & 3u) != 3u)
        return riscv_word(half, sl_get_u16le(bytes), out);
    if ((bytes[0] & 0x1fu) == 0x1fu) /* more than 32 bits: LLVM knows none of them */
        return SL_E_UNDECODABLE;
    return len < 4 ? SL_E_TRUNCATED : riscv_word(full, sl_get_u32le(bytes), out);
}

#endif
