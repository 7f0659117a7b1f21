/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: what llvm-mca makes of an instruction of assembly text beyond what its bytes say. */
#ifndef HOSTED_IO_RISCV_PSEUDO_H
#define HOSTED_IO_RISCV_PSEUDO_H

#include "block.h"

#define RISCV_PAIR_BYTES 8u /* auipc, jalr */

/* Is a statement a call, tail or jump? */
bool riscv_is_pair(const char *text, size_t len);

/* Pseudo-instructions that LLVM's parser leaves to the emitter (call, tail, jump, a TLS descriptor's call) become those
 * opcodes, what has no scheduling class (.insn, %tprel_add) gets SL_E_UNRESOLVED. After block_insn_decode. */
void riscv_pseudo(struct block_insn *insn, const struct sl_isa *isa);

/* A relocation says that `insn`, an auipc, and the instruction `bytes` behind it are one call, tail or jump. true: they
 * are, and *insn has become it, with the symbol in its text. */
bool riscv_pseudo_pair(struct block *block, struct block_insn *insn, const uint8_t *bytes, const struct sl_insn *second);

/* The encoding of the next form with a larger reach, which llvm-mca prints for every branch; with compressed
 * instructions or without. */
void riscv_relax(struct block_insn *insn, bool compressed);

#endif
