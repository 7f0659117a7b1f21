/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of variant scheduling classes: operand predicates that give LLVM's answer for every instruction. */
#ifndef MODELGEN_VARIANTS_H
#define MODELGEN_VARIANTS_H

#include <array>
#include <cstdint>
#include <vector>

#include "samples.h"
#include "target.h"

namespace modelgen {

using ImmSet = std::array<uint32_t, 8>; /* 256 bits */

/* One condition; see enum sl_atom_kind. `regs` and `imms` are filled according to the kind. */
struct Atom {
    uint8_t kind; /* with SL_ATOM_NOT */
    uint8_t a, b;
    std::vector<uint16_t> regs;
    ImmSet imms;
};

struct Rule {
    std::vector<Atom> atoms; /* all must hold; the last rule of a variant has none */
    unsigned llvm_class;     /* 0: LLVM resolves to nothing */
};

struct Variant {
    uint16_t op;
    std::vector<Rule> rules;
};

/* A subtarget with its model: what resolution depends on. */
struct CpuView {
    const Target *target;
    const llvm::MCSubtargetInfo *sti;
};

/* LLVM's resolved class of an instruction, looping until it is no variant. */
unsigned resolve_class(const CpuView &cpu, const llvm::MCInst &inst);

/* As sl_cpu_resolve evaluates it. */
bool atom_holds(Isa isa, const Atom &atom, const llvm::MCInst &inst);

/* All sampled opcodes of variant class, ascending. Ends the program when an opcode does not fit the language. */
std::vector<Variant> learn_variants(const CpuView &cpu, const OpSpace &ops, const Samples &samples);

} // namespace modelgen

#endif
