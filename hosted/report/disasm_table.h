/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of the learned text tables: per opcode a decision tree whose leaves are templates. */
#ifndef HOSTED_REPORT_DISASM_TABLE_H
#define HOSTED_REPORT_DISASM_TABLE_H

#include "disasm_format.h"

#ifdef __cplusplus
extern "C" {
#endif

enum disasm_slot_kind {
    DISASM_NAME,   /* names[param] of feature b of operand a */
    DISASM_SYSREG, /* likewise; without a name the generic one of a system register */
    DISASM_NUMBER, /* numbers[param] of operands a and b */
    DISASM_HASH,   /* likewise, with # before it unless it is a symbol */
    DISASM_MEMORY, /* x86: the five operands from a on */
    DISASM_LIST    /* Arm: the registers of the list */
};

/* What a template puts in. */
struct disasm_slot {
    uint8_t kind, a, b;
    uint16_t param;
};

/* yes if the feature of the operands is in the set (less: below its only value), else no; references. */
struct disasm_node {
    uint8_t feature, a, b, less;
    uint16_t set, yes, no;
};

/* A reference is a node, a leaf, or nothing: the opcode's text is not known. */
#define DISASM_LEAF 0x8000u
#define DISASM_NOTHING 0xffffu

struct disasm_leaf {
    uint16_t mnemonic, pattern;
};

/* A sorted stretch of a pool. */
struct disasm_stretch {
    uint32_t first, count;
};

struct disasm_name {
    int32_t key;
    uint16_t text;
};

/* One dialect of one instruction set. Patterns are text; a slot is two bytes from 0x80 on: 0x80 + number / 128, 0x80 +
 * number % 128. */
struct disasm_tables {
    const uint16_t *roots; /* [op] */
    const struct disasm_node *nodes;
    const struct disasm_leaf *leaves;
    const char *const *mnemonics;
    const char *const *patterns;
    const struct disasm_slot *slots;
    const struct disasm_number *numbers;
    const struct disasm_stretch *sets;
    const int64_t *set_values;
    const struct disasm_stretch *tables;
    const struct disasm_name *names;
    const char *const *texts;
    uint32_t n_ops;
};

extern const struct disasm_tables disasm_aarch64;
extern const struct disasm_tables disasm_riscv64;
extern const struct disasm_tables disasm_riscv32;
extern const struct disasm_tables disasm_thumbm;
extern const struct disasm_tables disasm_thumb;
extern const struct disasm_tables disasm_arm;
extern const struct disasm_tables disasm_x86_64_att;
extern const struct disasm_tables disasm_x86_64_intel;

#ifdef __cplusplus
}
#endif
#endif
