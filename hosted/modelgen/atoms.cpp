/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of one condition on an LLVM instruction, as core evaluates it on its own. */
#include "operand_rules.h"

#include <algorithm>

#include <slotledger/model.h>

namespace modelgen
{

bool atom_holds(Isa isa, const Atom &atom, const llvm::MCInst &inst)
{
    const auto reg = [&](unsigned i) { return i < inst.getNumOperands() && inst.getOperand(i).isReg(); };
    const bool imm = atom.a < inst.getNumOperands() && inst.getOperand(atom.a).isImm();
    const int64_t value = imm ? inst.getOperand(atom.a).getImm() : -1; /* -1 is in no set */
    bool holds = false;
    switch (atom.kind & ~SL_ATOM_NOT) {
    case SL_ATOM_EQ:
        holds = reg(atom.a) && reg(atom.b) && inst.getOperand(atom.a).getReg() == inst.getOperand(atom.b).getReg();
        break;
    case SL_ATOM_REG:
        holds = reg(atom.a) && std::count(atom.regs.begin(), atom.regs.end(), inst.getOperand(atom.a).getReg());
        break;
    case SL_ATOM_IMM:
        holds = value >= 0 && value < 256 && (atom.imms[value / 32] >> (value % 32) & 1);
        break;
    case SL_ATOM_BITS: {
        const unsigned field = static_cast<unsigned>(static_cast<uint64_t>(value) >> atom.b) & 255;
        holds = imm && (atom.imms[field / 32] >> (field % 32) & 1);
        break;
    }
    case SL_ATOM_IMMZ:
        holds = value == 0;
        break;
    case SL_ATOM_COUNT:
        holds = inst.getNumOperands() < 256 && (atom.imms[inst.getNumOperands() / 32] >> (inst.getNumOperands() % 32) & 1);
        break;
    case SL_ATOM_IN_LIST:
        for (unsigned k = atom.b; k < inst.getNumOperands() && reg(atom.a); k++)
            holds |= inst.getOperand(k).getReg() == inst.getOperand(atom.a).getReg();
        break;
    case SL_ATOM_ANY_IMM:
        holds = imm;
        break;
    default:
        holds = (prefix_flags(isa, inst.getFlags()) & atom.a) != 0;
        break;
    }
    return holds != ((atom.kind & SL_ATOM_NOT) != 0);
}

} // namespace modelgen
