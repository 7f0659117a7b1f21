/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to LLVM that several stages share. */
#ifndef MODELGEN_PROBE_H
#define MODELGEN_PROBE_H

#include "target.h"

namespace modelgen
{

/* clearsSuperRegisters of an instruction of `opcode` whose every declared operand is register `reg`; bit = definition.
 */
uint64_t clears_super(const Target &target, unsigned opcode, unsigned reg);

/* ... of an instruction as decoded. */
uint64_t clears_super(const Target &target, const llvm::MCInst &inst);

/* Explicit or implicit definition `def` (in the mask's order) exists. */
unsigned definition_count(const llvm::MCInstrDesc &desc);

/* x86: a VEX-like opcode clears the upper part of the vector registers it writes. */
bool op_clears_vector(const Target &target, unsigned opcode);

/* Ends the program when there is none. */
unsigned register_by_name(const Target &target, const char *name);
unsigned opcode_by_name(const Target &target, const char *name);

/* SL_REG_* flags of a register. */
unsigned register_flags(const Target &target, unsigned reg);

/* Index of the first of an x86 memory operand's five: base, scale, index, displacement, segment. -1: none. LLVM's
 * operand types do not tell: LEA's are unmarked. */
int memory_operand(const Target &target, const llvm::MCInst &inst);

/* Can a relocation cover this immediate operand? */
bool may_hold_symbol(const Target &target, const llvm::MCInst &inst, unsigned operand);

/* An expression operand, as llvm-mca's parser makes it for `:lo12:sym` or `sym(%rip)`. */
llvm::MCOperand symbol_operand(const Target &target);

} // namespace modelgen

#endif
