/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64 instruction words -> opcode and operands, by the generated decision graph and operand forms. */
#include <slotledger/isa.h>

#define SL_SECTION_SIZES
#include "core/gen/aarch64_decode.inc"
#undef SL_SECTION_SIZES

/* A reference below SL_DECODE_FIRST_NODE is an op (0: undecodable), else an offset into this, where a node starts:
 *   0 | width << 5 | shift          then the references for each value of the field
 *   0x4000 | shift                  mask, value, reference if (word >> shift & mask) == value, reference if not
 *   0x8000 | shift2 << 5 | shift    reference if the two 5-bit fields differ, reference if not */
static const uint16_t tree[] = {
#define SL_SECTION_TREE
#include "core/gen/aarch64_decode.inc"
#undef SL_SECTION_TREE
};

/* Offset of each op's operand list. */
static const uint16_t op_signature[] = {
#define SL_SECTION_OP_SIGNATURE
#include "core/gen/aarch64_decode.inc"
#undef SL_SECTION_OP_SIGNATURE
};

/* Operand lists: a count, then indices of operands. */
static const uint8_t signatures[] = {
#define SL_SECTION_SIGNATURES
#include "core/gen/aarch64_decode.inc"
#undef SL_SECTION_SIGNATURES
};

/* value = base + the field + further terms; a register is registers[value]. */
struct operand_form {
    int16_t base;
    uint8_t shift, width; /* the field; width 0: a constant */
    uint8_t kind;         /* enum sl_operand_kind */
    uint8_t n_terms;
    uint16_t first_term;
};

SL_STATIC_ASSERT(sizeof(struct operand_form) == 8, an_operand_form_takes_8_bytes);

static const struct operand_form operands[] = {
#define SL_SECTION_OPERANDS
#include "core/gen/aarch64_decode.inc"
#undef SL_SECTION_OPERANDS
};

/* shift << 11 | (width - 1) << 6 | scale << 1 | negative */
static const uint16_t terms[] = {
#define SL_SECTION_TERMS
#include "core/gen/aarch64_decode.inc"
#undef SL_SECTION_TERMS
};

static const uint16_t registers[] = {
#define SL_SECTION_REGISTERS
#include "core/gen/aarch64_decode.inc"
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

/* Fields that are not one run of bits, scaled or signed. */
static uint32_t further_terms(uint32_t word, const struct operand_form *form)
{
    const uint16_t *term = &terms[form->first_term];
    uint32_t sum = 0;

    for (uint32_t left = form->n_terms; left != 0; left--, term++) {
        uint32_t value = (word >> (*term >> 11) & (0xffffffffu >> (31u - (*term >> 6 & 31u)))) << (*term >> 1 & 31u);

        sum += (*term & 1u) != 0 ? 0u - value : value;
    }
    return sum;
}

enum sl_status sl_decode_aarch64(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    uint32_t word;
    uint16_t op;
    const uint8_t *list;

    if (len < 4)
        return SL_E_TRUNCATED;
    word = sl_get_u32le(bytes);
    op = find_op(word);
    if (op == 0)
        return SL_E_UNDECODABLE;
    list = &signatures[op_signature[op]];
    out->op = op;
    out->len_bytes = 4;
    out->n_operands = *list;
    out->flags = 0;
    for (unsigned n = 0; n < *list; n++) {
        const struct operand_form *form = &operands[list[n + 1u]];
        uint32_t value = (uint32_t)form->base + (word >> form->shift & ((1u << form->width) - 1u));
        bool is_reg = form->kind == SL_OPERAND_REG;

        if (form->n_terms != 0)
            value += further_terms(word, form);
        /* Without a branch: kinds are hard to predict. registers[0] is 0. */
        out->operand[n].imm = is_reg ? 0 : (int32_t)value;
        out->operand[n].reg = registers[is_reg ? value : 0u];
        out->operand[n].kind = form->kind;
    }
    return SL_OK;
}
