/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of core's opcode and register tables against LLVM. */
#ifndef MODELGEN_ISA_VERIFY_H
#define MODELGEN_ISA_VERIFY_H

#include <slotledger/isa.h>

#include "samples.h"

namespace modelgen
{

/* What our decoder would give for this instruction. */
sl_insn to_insn(const Target &target, uint16_t op, const llvm::MCInst &inst);

/* Opcode descriptors, sub-registers, flags, cleared super-registers, fences, names. Returns the number of differences.
 */
unsigned long verify_isa(const Target &target, const OpSpace &ops, const Samples &samples, const sl_isa &tables);

} // namespace modelgen

#endif
