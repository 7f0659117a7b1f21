/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction words of several lengths -> opcode and operands, by generated decision graphs and operand forms (see
 * aarch64.c): RISC-V and 32-bit Arm. */
#ifndef SL_ISA_WORDS_H
#define SL_ISA_WORDS_H

#include <slotledger/isa.h>

/* value = base + the field + further terms; a register is registers[value]. */
struct operand_form {
    uint32_t mask;      /* of the field, in place; 0: a constant */
    int16_t base;
    uint8_t shift;      /* with FORM_IMMEDIATE */
    uint8_t first_term; /* offset into terms[] of a count, then the terms; 0: none */
};

#define FORM_IMMEDIATE 0x80u

struct list_form;

SL_STATIC_ASSERT(sizeof(struct operand_form) == 8, an_operand_form_takes_8_bytes);

/* The words of one length. */
struct word_tables {
    const uint16_t *tree; /* a reference below first_node is an op, else an offset of a node: */
    const uint16_t *op_signature;
    const uint8_t *signatures;
    const struct operand_form *operands;
    const uint16_t *terms; /* shift << 11 | (width - 1) << 6 | scale << 1 | negative */
    const uint16_t *registers;
    const int32_t *values;          /* Arm only: of FORM_VALUES */
    const struct list_form *lists;  /* likewise, of signatures with LIST_FOLLOWS */
    uint16_t first_node;
    uint16_t root;
    uint8_t root_shift;
    uint8_t root_width;
    uint8_t len_bytes;
};

/*   0 | width << 5 | shift   then the references for each value of the field
 *   0x4000 | shift           mask, value, reference if (word >> shift & mask) == value, reference if not */
static inline uint16_t words_op(const struct word_tables *t, uint32_t word)
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
static inline uint32_t words_terms(uint32_t word, const uint16_t *list)
{
    uint32_t sum = 0;

    for (uint32_t left = *list++; left != 0; left--, list++) {
        uint32_t value = (word >> (*list >> 11) & (0xffffffffu >> (31u - (*list >> 6 & 31u)))) << (*list >> 1 & 31u);

        sum += (*list & 1u) != 0 ? 0u - value : value;
    }
    return sum;
}

#endif
