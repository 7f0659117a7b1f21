/* SPDX-License-Identifier: Apache-2.0 */
/* The formatters instruction texts are made of: numbers from operands, questions about operands. No tables: the generator
 * learns with the same code which of them an opcode uses. */
#ifndef HOSTED_REPORT_DISASM_FORMAT_H
#define HOSTED_REPORT_DISASM_FORMAT_H

#include <stdbool.h>

#include <slotledger/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a number is computed from: operands a and b, and constants. */
enum disasm_number_kind {
    DISASM_LINEAR,    /* a * mul_a + b * mul_b + add; an operand with factor 0 is not looked at */
    DISASM_FIELD,     /* (a >> add) & mul_a */
    DISASM_SHIFTED,   /* a << (b & 63) */
    DISASM_SHIFTED_8, /* likewise, a as a signed byte */
    DISASM_INVERTED,  /* ~(a << (b & 63)) */
    DISASM_LOGICAL,   /* AArch64 logical immediate N:immr:imms, repeated over 64 bits */
    DISASM_BYTE_MASK, /* each bit of a is a byte of zeros or ones */
    DISASM_ROTATED,     /* A32 modified immediate: byte a, turned right by twice a's upper four bits */
    DISASM_ONE_MORE,    /* (a >> add) & mul_a, for which 0 stands for mul_a + 1 */
    DISASM_NEON_VALUE,  /* one element of the vector modified immediate op:cmode:imm8 */
    DISASM_FIELD_FIRST, /* lowest clear bit of the 32-bit mask a */
    DISASM_FIELD_WIDTH, /* from there to the highest clear bit */
    DISASM_NUMBER_KINDS
};

/* Then cut to a width. */
enum disasm_width { DISASM_S64, DISASM_U8, DISASM_U16, DISASM_U32, DISASM_S8, DISASM_S16, DISASM_S32, DISASM_WIDTHS };

/* And written. */
enum disasm_style {
    DISASM_BY_OPTION,       /* signed; 12 -12, or 0xc -0xc with hexadecimal immediates */
    DISASM_UNSIGNED_OPTION, /* without a sign; likewise */
    DISASM_DIGITS_2,        /* 12 -12, or 0xc 0xf4 */
    DISASM_DIGITS_4,        /* 12 -12, or 0xc 0xfff4 */
    DISASM_DIGITS_8,
    DISASM_DIGITS_16,
    DISASM_DECIMAL,         /* signed */
    DISASM_UNSIGNED,
    DISASM_HEX,             /* 0xc */
    DISASM_HEX_14,          /* 0x and 14 digits or more */
    DISASM_MINUS_ZERO,      /* by option; INT32_MIN is -0 (Arm: an offset of 0 that is subtracted) */
    DISASM_STYLES
};

struct disasm_number {
    int64_t mul_a, mul_b, add;
    uint8_t kind, width, style;
};

/* Room for every number and generic name. */
#define DISASM_NUMBER_BYTES 40u

/* false: an operand is missing or no immediate. */
bool disasm_number_value(const struct disasm_number *number, const struct sl_insn *insn, unsigned a, unsigned b,
                         int64_t *value);
void disasm_number_text(const struct disasm_number *number, int64_t value, bool hex, char *out);

/* AArch64: bit pattern of a logical immediate. false: reserved encoding. */
bool disasm_logical_immediate(uint64_t encoded, uint64_t *value);
/* AArch64: S3_0_C1_C2_3. */
void disasm_generic_sysreg(uint64_t encoded, char *out);

/* A whole number that says something about operands; nodes of decision trees compare it. */
enum disasm_feature {
    DISASM_IMM,          /* immediate a */
    DISASM_REG,          /* register a */
    DISASM_DIFFERENCE,   /* immediate a - immediate b */
    DISASM_SAME_REG,     /* registers a and b are equal: 1, or 0 */
    DISASM_SYSTEM,       /* immediates a to a + 3 as op1:CRn:CRm:op2 of a system instruction */
    DISASM_MOVE_WIDE_32, /* logical immediate a is what one 32-bit MOVZ or MOVN gives */
    DISASM_MOVE_WIDE_64,
    DISASM_SVE_DUP,      /* logical immediate a is what one DUP gives */
    DISASM_VALUE_8,      /* logical immediate a repeats every 8 bits, ... */
    DISASM_VALUE_16,
    DISASM_VALUE_32,
    DISASM_LOGICAL_S16,  /* low bits of logical immediate a, sign-extended */
    DISASM_LOGICAL_S32,
    DISASM_LOGICAL_S64,
    DISASM_OPERANDS,     /* number of operands */
    DISASM_LIST_HOLDS,   /* register a, of which number b is the first, is in the mask of the register list: 1, or 0 */
    DISASM_ROTATED_PLAIN, /* modified immediate a has the encoding that assemblers choose for its value: 1, or 0 */
    DISASM_FEATURES
};

/* false: the operands are not of that kind; every test on them is false. */
bool disasm_feature_value(enum disasm_feature feature, const struct sl_insn *insn, unsigned a, unsigned b, int64_t *value);

#ifdef __cplusplus
}
#endif
#endif
