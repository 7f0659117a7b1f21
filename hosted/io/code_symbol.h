/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the operands of machine code: what a relocation refers to, and the functions that branches lead to. */
#ifndef HOSTED_IO_CODE_SYMBOL_H
#define HOSTED_IO_CODE_SYMBOL_H

#include "code_reader.h"

/* The operand in a field that a relocation fills becomes an expression with a text. */
void code_symbol_patch(struct block *block, const struct sl_isa *isa, struct block_insn *insn,
                       const struct code_patch *patch);

/* A direct branch to the beginning of another function gets its name. The operand stays a number. */
void code_symbol_target(struct block *block, struct block_insn *insn, const struct code_stretch *stretch);

/* Sets modifier and addend rule for a relocation type of an ELF machine. */
void code_symbol_modifier(struct code_patch *patch, uint16_t machine, uint32_t type);

#endif
