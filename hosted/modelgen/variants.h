/* SPDX-License-Identifier: Apache-2.0 */
/* Variant scheduling classes: operand rules that give LLVM's class for every instruction. */
#ifndef MODELGEN_VARIANTS_H
#define MODELGEN_VARIANTS_H

#include <cstdint>
#include <vector>

#include "instruments.h"
#include "operand_rules.h"

namespace modelgen
{

struct Variant {
    uint16_t op;
    unsigned of_class; /* LLVM class that an instrument gives instead of the opcode's own; 0: the opcode's own */
    std::vector<OperandRule> rules; /* label: the LLVM class; 0: LLVM resolves to nothing */
};

/* A subtarget with its model: what resolution depends on. */
struct CpuView {
    const Target *target;
    const llvm::MCSubtargetInfo *sti;
};

/* LLVM's resolved class of an instruction, looping until it is no variant; from its own class or another one. */
unsigned resolve_class(const CpuView &cpu, const llvm::MCInst &inst);
unsigned resolve_class(const CpuView &cpu, const llvm::MCInst &inst, unsigned llvm_class);

/* All sampled opcodes of variant class, ascending. Ends the program when an opcode does not fit the language. */
std::vector<Variant> learn_variants(const CpuView &cpu, const OpSpace &ops, const Samples &samples);

/* The same for classes that instruments give; each class is that of one opcode. */
std::vector<Variant> learn_instrument_variants(const CpuView &cpu, const OpSpace &ops, const Samples &samples,
                                               const std::vector<InstrumentRow> &rows);

} // namespace modelgen

#endif
