/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of conditions on an instruction's operands that predict any label LLVM gives to instructions of one opcode.
 */
#ifndef MODELGEN_OPERAND_RULES_H
#define MODELGEN_OPERAND_RULES_H

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "samples.h"
#include "target.h"

namespace modelgen
{

using ImmSet = std::array<uint32_t, 8>; /* 256 bits */

/* One condition; see enum sl_atom_kind. `regs` and `imms` are filled according to the kind. */
struct Atom {
    uint8_t kind; /* with SL_ATOM_NOT */
    uint8_t a, b;
    std::vector<uint16_t> regs;
    ImmSet imms;
};

/* As sl_cpu_resolve evaluates it. */
bool atom_holds(Isa isa, const Atom &atom, const llvm::MCInst &inst);

struct OperandRule {
    std::vector<Atom> atoms; /* all must hold; the last rule of a list has none */
    unsigned label;
};

using Labeller = std::function<unsigned(const llvm::MCInst &)>;

/* `list` holds samples of one opcode. False when no list of conjunctions of at most three atoms predicts the labels. */
bool learn_operand_rules(const Target &target, const Samples &samples, const std::vector<llvm::MCInst> &list,
                         const Labeller &labeller, std::vector<OperandRule> &rules);

} // namespace modelgen

#endif
