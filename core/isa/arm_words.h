/* SPDX-License-Identifier: Apache-2.0 */
/* 32-bit Arm instruction words: immediates in Arm's codes, register lists, IT and VPT blocks. */
#ifndef SL_ISA_ARM_WORDS_H
#define SL_ISA_ARM_WORDS_H

#include "words.h"

/* operand_form.shift; with FORM_IMMEDIATE. */
#define FORM_CODED 0x40u  /* base says how: */
#define FORM_VALUES 0x20u /* values[base + field] */

enum form_code {
    FORM_SIGN_MAGNITUDE = 1, /* bit 30 is set: the rest, else its negative; minus zero is INT32_MIN */
    FORM_CONSTANT = 3,       /* modified immediate constant of Thumb (Armv7-M reference manual, A5.3.2) */
    FORM_BRANCH = 4,         /* S:J1:J2:imm:0 of B and BL (A7.7.12, encoding T4) */
    FORM_MAGNITUDE_SIGN = 6, /* as FORM_SIGN_MAGNITUDE, bit 30 the other way round */
    FORM_FIELD = 5           /* last bit, and above it first bit, of a field: the mask of all other bits */
};

/* In front of a signature's operand count: the number of a list form follows the operands. */
#define LIST_FOLLOWS 0x80u

struct list_form {
    uint8_t kind;  /* enum sl_list_kind */
    uint8_t from;  /* MASK: this bit of the word stands for */
    uint8_t to;    /*       that register, 0: no such bit; RUN: lowest bit of the first register's index */
    uint16_t base; /* MASK: bits of the word that stand for the registers of their number; RUN: register of index 0 */
    uint16_t tail; /* RUN: one more register, or 0 */
    uint8_t most;  /* RUN: registers at most */
};

enum sl_status arm_word(const struct word_tables *t, uint32_t word, struct sl_insn *out);
enum sl_status thumb_insn(const struct word_tables *half, const struct word_tables *full, const uint8_t *bytes,
                          size_t len, struct sl_insn *out);

#endif
