/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64 instruction words -> opcode and operands, by the generated decision graph and operand forms. */
#include <slotledger/isa.h>

#define SL_SECTION_SIZES
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_SIZES

/* A reference below SL_DECODE_FIRST_NODE is an op (0: undecodable), else an offset into this, where a node starts:
 *   0 | width << 5 | shift          then the references for each value of the field
 *   0x4000 | shift                  mask, value, reference if (word >> shift & mask) == value, reference if not
 *   0x8000 | shift2 << 5 | shift    reference if the two 5-bit fields differ, reference if not */
static const uint16_t tree[] = {
#define SL_SECTION_TREE
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_TREE
};

/* Offset of each op's operand list. */
static const uint16_t op_signature[] = {
#define SL_SECTION_OP_SIGNATURE
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_OP_SIGNATURE
};

/* Operand lists: a count, then indices of operands. */
static const uint8_t signatures[] = {
#define SL_SECTION_SIGNATURES
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_SIGNATURES
};

/* value = base + the field + further terms; a register is registers[value]. */
struct operand_form {
    uint32_t mask;      /* of the field, in place; 0: a constant */
    int16_t base;
    uint8_t shift;      /* with FORM_IMMEDIATE */
    uint8_t first_term; /* offset into terms[] of a count, then the terms; 0: none */
};

#define FORM_IMMEDIATE 0x80u

SL_STATIC_ASSERT(sizeof(struct operand_form) == 8, an_operand_form_takes_8_bytes);

static const struct operand_form operands[] = {
#define SL_SECTION_OPERANDS
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_OPERANDS
};

/* shift << 11 | (width - 1) << 6 | scale << 1 | negative */
static const uint16_t terms[] = {
#define SL_SECTION_TERMS
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_TERMS
};

static const uint16_t registers[] = {
#define SL_SECTION_REGISTERS
#include "../gen/aarch64_decode.inc"
#undef SL_SECTION_REGISTERS
};

SL_STATIC_ASSERT(sizeof op_signature / sizeof op_signature[0] == SL_DECODE_N_OPS, one_signature_per_op);
SL_STATIC_ASSERT(SL_DECODE_N_OPS <= SL_DECODE_FIRST_NODE, ops_and_nodes_do_not_overlap);

static uint16_t find_op(uint32_t word)
{
    uint32_t ref = tree[SL_DECODE_ROOT + 1u + (word >> SL_DECODE_ROOT_SHIFT & ((1u << SL_DECODE_ROOT_WIDTH) - 1u))];

    while (ref >= SL_DECODE_FIRST_NODE) {
        const uint16_t *node = &tree[ref - SL_DECODE_FIRST_NODE];
        uint32_t head = node[0], field = word >> (head & 31u);

        if (head < 0x4000u)
            ref = node[1u + (field & ((1u << (head >> 5)) - 1u))];
        else if (head < 0x8000u)
            ref = node[(field & node[1]) == node[2] ? 3 : 4];
        else
            ref = node[((field ^ word >> (head >> 5 & 31u)) & 31u) != 0 ? 1 : 2];
    }
    return (uint16_t)ref;
}

/* What fields add that are several runs of bits, or scaled, or subtracted. */
static uint32_t further_terms(uint32_t word, const uint16_t *list)
{
    uint32_t sum = 0;

    for (uint32_t left = *list++; left != 0; left--, list++) {
        uint32_t value = (word >> (*list >> 11) & (0xffffffffu >> (31u - (*list >> 6 & 31u)))) << (*list >> 1 & 31u);

        sum += (*list & 1u) != 0 ? 0u - value : value;
    }
    return sum;
}

enum sl_status sl_decode_aarch64(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    uint32_t word;
    uint16_t op;
    const uint8_t *list;
    uint8_t count;

    if (len < 4)
        return SL_E_TRUNCATED;
    word = sl_get_u32le(bytes);
    op = find_op(word);
    if (op == 0)
        return SL_E_UNDECODABLE;
    list = &signatures[op_signature[op]];
    count = *list++;
    out->op = op;
    out->len_bytes = 4;
    out->n_operands = count;
    out->flags = 0;
    out->sched_class = 0;
    out->list_kind = SL_LIST_NONE;
    for (struct sl_operand *operand = out->operand; count != 0; count--, operand++) {
        const struct operand_form *form = &operands[*list++];
        uint32_t value = (uint32_t)form->base + ((word & form->mask) >> (form->shift & 31u));
        bool is_reg = (form->shift & FORM_IMMEDIATE) == 0;

        if (form->first_term != 0)
            value += further_terms(word, &terms[form->first_term]);
        /* Without a branch: kinds are hard to predict. registers[0] is 0. */
        operand->imm = is_reg ? 0 : (int32_t)value;
        operand->reg = registers[is_reg ? value : 0u];
        operand->kind = is_reg ? SL_OPERAND_REG : SL_OPERAND_IMM;
    }
    return SL_OK;
}
