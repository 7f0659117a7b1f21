/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of one word length: the includer names the generated file SL_WORDS_FILE, the table SL_WORDS_NAME and the
 * length SL_WORDS_BYTES. Included once per length. */
#define SL_WORDS_JOIN_(a, b) a##b
#define SL_WORDS_JOIN(a, b) SL_WORDS_JOIN_(a, b)
#define SL_WORDS(part) SL_WORDS_JOIN(SL_WORDS_NAME, part)

#define SL_SECTION_SIZES
#include SL_WORDS_FILE
#undef SL_SECTION_SIZES

static const uint16_t SL_WORDS(_tree)[] = {
#define SL_SECTION_TREE
#include SL_WORDS_FILE
#undef SL_SECTION_TREE
};

static const uint16_t SL_WORDS(_op_signature)[] = {
#define SL_SECTION_OP_SIGNATURE
#include SL_WORDS_FILE
#undef SL_SECTION_OP_SIGNATURE
};

static const uint8_t SL_WORDS(_signatures)[] = {
#define SL_SECTION_SIGNATURES
#include SL_WORDS_FILE
#undef SL_SECTION_SIGNATURES
};

static const struct operand_form SL_WORDS(_operands)[] = {
#define SL_SECTION_OPERANDS
#include SL_WORDS_FILE
#undef SL_SECTION_OPERANDS
};

static const uint16_t SL_WORDS(_terms)[] = {
#define SL_SECTION_TERMS
#include SL_WORDS_FILE
#undef SL_SECTION_TERMS
};

static const uint16_t SL_WORDS(_registers)[] = {
#define SL_SECTION_REGISTERS
#include SL_WORDS_FILE
#undef SL_SECTION_REGISTERS
};

SL_STATIC_ASSERT(sizeof SL_WORDS(_op_signature) / 2u == SL_DECODE_N_OPS, one_signature_per_op);
SL_STATIC_ASSERT(SL_DECODE_N_OPS <= SL_DECODE_FIRST_NODE, ops_and_nodes_do_not_overlap);

static const struct word_tables SL_WORDS_NAME = {
    .tree = SL_WORDS(_tree),
    .op_signature = SL_WORDS(_op_signature),
    .signatures = SL_WORDS(_signatures),
    .operands = SL_WORDS(_operands),
    .terms = SL_WORDS(_terms),
    .registers = SL_WORDS(_registers),
    .first_node = SL_DECODE_FIRST_NODE,
    .root = SL_DECODE_ROOT,
    .root_shift = SL_DECODE_ROOT_SHIFT,
    .root_width = SL_DECODE_ROOT_WIDTH,
    .len_bytes = SL_WORDS_BYTES,
};

#undef SL_DECODE_N_OPS
#undef SL_DECODE_FIRST_NODE
#undef SL_DECODE_ROOT_SHIFT
#undef SL_DECODE_ROOT_WIDTH
#undef SL_DECODE_ROOT
#undef SL_WORDS
#undef SL_WORDS_JOIN
#undef SL_WORDS_JOIN_
#undef SL_WORDS_FILE
#undef SL_WORDS_NAME
#undef SL_WORDS_BYTES
