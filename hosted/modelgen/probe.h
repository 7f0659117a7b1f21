/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to MCInstrAnalysis that the register and opcode tables share. */
#ifndef MODELGEN_PROBE_H
#define MODELGEN_PROBE_H

#include "target.h"

namespace modelgen {

/* clearsSuperRegisters of an instruction of `opcode` whose every declared operand is register `reg`; bit = definition. */
uint64_t clears_super(const Target &target, unsigned opcode, unsigned reg);

/* ... of an instruction as decoded. */
uint64_t clears_super(const Target &target, const llvm::MCInst &inst);

/* Explicit or implicit definition `def` (in the mask's order) exists. */
unsigned definition_count(const llvm::MCInstrDesc &desc);

/* x86: a VEX-like opcode clears the upper part of the vector registers it writes. */
bool op_clears_vector(const Target &target, unsigned opcode);

/* SL_REG_* flags of a register. */
unsigned register_flags(const Target &target, unsigned reg);

} // namespace modelgen

#endif
