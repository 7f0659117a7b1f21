/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V instructions: words of 16 and of 32 bits. */
#ifndef SL_ISA_RISCV_WORDS_H
#define SL_ISA_RISCV_WORDS_H

#include "words.h"

static inline enum sl_status riscv_word(const struct word_tables *t, uint32_t word, struct sl_insn *out)
{
    uint16_t op = words_op(t, word);
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
    out->list_kind = SL_LIST_NONE;
    for (struct sl_operand *operand = out->operand; count != 0; count--, operand++) {
        const struct operand_form *form = &t->operands[*list++];
        uint32_t value = (uint32_t)form->base + ((word & form->mask) >> (form->shift & 31u));
        bool is_reg = (form->shift & FORM_IMMEDIATE) == 0;

        if (form->first_term != 0)
            value += words_terms(word, &t->terms[form->first_term]);
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
