/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of 32-bit Arm instruction words. */
#include "arm_words.h"

static int64_t thumb_constant(uint32_t field)
{
    static const uint32_t copies[] = { 0x00000001u, 0x00010001u, 0x01000100u, 0x01010101u };
    uint32_t by = field >> 7 & 31u, turned = (field & 0x7fu) | 0x80u;

    if (field < 0x400u)
        return (field & 0xffu) * copies[field >> 8];
    return turned >> by | turned << (32u - by); /* by 8 to 31 */
}

static int64_t branch_offset(uint32_t field)
{
    uint32_t flipped = (field & 0x01000000u) != 0 ? field : field ^ 0x00c00000u;

    return (int32_t)((flipped ^ 0x01000000u) - 0x01000000u);
}

static int64_t outside_field(uint32_t field)
{
    uint32_t last = field & 31u, first = sl_min_u32(field >> 5 & 31u, last);

    return ~(0xffffffffu >> (31u - last) & 0xffffffffu << first) & 0xffffffffu;
}

static int64_t coded(enum form_code code, uint32_t field)
{
    uint32_t magnitude = field & 0x3fffffffu;

    switch (code) {
    case FORM_SIGN_MAGNITUDE:
    case FORM_MAGNITUDE_SIGN:
        if (((field & 0x40000000u) != 0) == (code == FORM_SIGN_MAGNITUDE))
            return magnitude;
        return magnitude != 0 ? -(int64_t)magnitude : INT32_MIN;
    case FORM_CONSTANT:
        return thumb_constant(field);
    case FORM_BRANCH:
        return branch_offset(field);
    case FORM_FIELD:
        return outside_field(field);
    }
    return 0;
}

static void put_operand(const struct word_tables *t, const struct operand_form *form, uint32_t word,
                        struct sl_operand *operand)
{
    uint32_t value = (word & form->mask) >> (form->shift & 31u);

    if (form->first_term != 0)
        value += words_terms(word, &t->terms[form->first_term]);
    operand->imm = 0;
    operand->reg = 0;
    operand->kind = SL_OPERAND_IMM;
    if ((form->shift & FORM_IMMEDIATE) == 0) {
        operand->reg = t->registers[(uint32_t)form->base + value];
        operand->kind = SL_OPERAND_REG;
    } else if ((form->shift & FORM_CODED) != 0) {
        operand->imm = coded((enum form_code)form->base, value);
    } else if ((form->shift & FORM_VALUES) != 0) {
        operand->imm = t->values[(uint32_t)form->base + value];
    } else {
        operand->imm = (int32_t)((uint32_t)form->base + value);
    }
}

static void put_list(const struct list_form *form, uint32_t word, struct sl_insn *out)
{
    out->list_kind = form->kind;
    out->list_at = out->n_operands;
    if (form->kind == SL_LIST_MASK) {
        out->list = (word & form->base) | (form->to != 0 ? (word >> form->from & 1u) << form->to : 0u);
        out->n_operands = (uint8_t)(out->n_operands + sl_popcount64(out->list));
    } else {
        /* The index is Vd:D for S registers and D:Vd for D registers. */
        uint32_t vd = word >> 12 & 15u, d = word >> 22 & 1u, first = form->to == 22u ? vd << 1 | d : d << 4 | vd;
        uint32_t count = sl_min_u32(sl_min_u32((word & 0xffu) >> form->from, 32u - first), form->most);

        count = sl_max_u32(count, 1u);
        out->list = (form->base + first) | count << 12 | (uint32_t)form->tail << 20;
        out->n_operands = (uint8_t)(out->n_operands + count + (form->tail != 0 ? 1u : 0u));
    }
}

enum sl_status arm_word(const struct word_tables *t, uint32_t word, struct sl_insn *out)
{
    uint16_t op = words_op(t, word);
    const uint8_t *list;
    uint8_t head;

    if (op == 0)
        return SL_E_UNDECODABLE;
    list = &t->signatures[t->op_signature[op]];
    head = *list++;
    out->op = op;
    out->len_bytes = t->len_bytes;
    out->n_operands = head & (uint8_t)~LIST_FOLLOWS;
    out->flags = 0;
    out->sched_class = 0;
    out->list_kind = SL_LIST_NONE;
    out->list_at = 0;
    out->list = 0;
    for (unsigned i = 0; i < out->n_operands; i++)
        put_operand(t, &t->operands[*list++], word, &out->operand[i]);
    if ((head & LIST_FOLLOWS) != 0)
        put_list(&t->lists[*list], word, out);
    return SL_OK;
}

enum sl_status thumb_insn(const struct word_tables *half, const struct word_tables *full, const uint8_t *bytes,
                          size_t len, struct sl_insn *out)
{
    uint32_t first;

    if (len < 2)
        return SL_E_TRUNCATED;
    first = sl_get_u16le(bytes);
    if (first < 0xe800u)
        return arm_word(half, first, out);
    return len < 4 ? SL_E_TRUNCATED : arm_word(full, first << 16 | sl_get_u16le(bytes + 2), out);
}
