/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of an instruction whose value a relocation gives: which operands they are, and what relaxation makes of them. */
#ifndef HOSTED_IO_FIXUP_H
#define HOSTED_IO_FIXUP_H

#include "block.h"

/* Decodes insn->bytes (status, insn). */
void block_insn_decode(struct block_insn *insn, const struct sl_isa *isa);

/* The operand that lives in bytes [offset, offset + count) is an expression. On AArch64 the place within the word
 * follows from the instruction, whatever offset and count say. After block_insn_decode. */
void fixup_mark(struct block_insn *insn, const struct sl_isa *isa, unsigned offset, unsigned count);

/* x86: the encoding that an assembler emits when the one-byte field at `offset` may be too small: the four-byte
 * (16-bit operand size: two-byte) form. LLVM prints this form with -show-encoding. */
void fixup_relax_x86(struct block_insn *insn, unsigned offset, bool pc_relative);

/* Thumb, likewise: the encoding of 32 bits that llvm-mca prints of branches, literal loads and ADR of 16. With a symbol
 * the offset is not known. */
void fixup_relax_thumb(struct block_insn *insn, bool symbol);


#endif
