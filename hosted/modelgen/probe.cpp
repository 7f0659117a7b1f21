/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to MCInstrAnalysis: which writes clear super-registers. */
#include "probe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <slotledger/isa.h>

namespace modelgen {

unsigned definition_count(const llvm::MCInstrDesc &desc)
{
    return desc.getNumDefs() + static_cast<unsigned>(desc.implicit_defs().size());
}

uint64_t clears_super(const Target &target, const llvm::MCInst &inst)
{
    unsigned width = std::max(64u, definition_count(target.mcii->get(inst.getOpcode())));
    llvm::APInt mask(width, 0);
    if (!target.analysis->clearsSuperRegisters(*target.mri, inst, mask))
        return 0;
    return mask.getLoBits(64).getZExtValue();
}

uint64_t clears_super(const Target &target, unsigned opcode, unsigned reg)
{
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    for (unsigned i = 0; i < target.mcii->get(opcode).getNumOperands(); i++)
        inst.addOperand(llvm::MCOperand::createReg(reg));
    return clears_super(target, inst);
}

static unsigned register_by_name(const Target &target, const char *name)
{
    for (unsigned reg = 1; reg < target.mri->getNumRegs(); reg++)
        if (llvm::StringRef(target.mri->getName(reg)) == name)
            return reg;
    fprintf(stderr, "modelgen: %s: no register %s\n", isa_name(target.isa), name);
    exit(1);
}

static unsigned opcode_by_name(const Target &target, const char *name)
{
    for (unsigned opcode = 0; opcode < target.mcii->getNumOpcodes(); opcode++)
        if (target.mcii->getName(opcode) == name)
            return opcode;
    fprintf(stderr, "modelgen: %s: no opcode %s\n", isa_name(target.isa), name);
    exit(1);
}

bool op_clears_vector(const Target &target, unsigned opcode)
{
    if (target.isa != Isa::x86_64)
        return false;
    const auto &desc = target.mcii->get(opcode);
    uint64_t mask = clears_super(target, opcode, register_by_name(target, "XMM0"));
    if (desc.getNumDefs() > 0)
        return mask & 1;
    const auto implicit = desc.implicit_defs();
    for (size_t i = 0; i < implicit.size(); i++)
        if ((mask >> i & 1) && (register_flags(target, implicit[i]) & SL_REG_CLEARS_VECTOR))
            return true;
    return false;
}

unsigned register_flags(const Target &target, unsigned reg)
{
    const bool x86 = target.isa == Isa::x86_64;
    unsigned flags = target.mri->isConstant(reg) ? SL_REG_CONSTANT : 0;
    const unsigned legacy = opcode_by_name(target, x86 ? "MOV64rr" : "ADDXrx");
    if (clears_super(target, legacy, reg) & 1)
        return flags | SL_REG_CLEARS_SUPER;
    if (x86 && (clears_super(target, opcode_by_name(target, "VMOVAPSrr"), reg) & 1))
        flags |= SL_REG_CLEARS_VECTOR;
    return flags;
}

} // namespace modelgen
