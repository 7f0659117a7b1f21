/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to LLVM: which writes clear super-registers, which operands can be symbols. */
#include "probe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <slotledger/isa.h>

#include "llvm/MC/MCExpr.h"

namespace modelgen
{

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

unsigned register_by_name(const Target &target, const char *name)
{
    for (unsigned reg = 1; reg < target.mri->getNumRegs(); reg++)
        if (llvm::StringRef(target.mri->getName(reg)) == name)
            return reg;
    fprintf(stderr, "modelgen: %s: no register %s\n", isa_name(target.isa), name);
    exit(1);
}

unsigned opcode_by_name(const Target &target, const char *name)
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
    if (is_riscv(target.isa) || is_arm(target.isa)) /* no write clears a super-register */
        return flags;
    const unsigned legacy = opcode_by_name(target, x86 ? "MOV64rr" : "ADDXrx");
    if (clears_super(target, legacy, reg) & 1)
        return flags | SL_REG_CLEARS_SUPER;
    if (x86 && (clears_super(target, opcode_by_name(target, "VMOVAPSrr"), reg) & 1))
        flags |= SL_REG_CLEARS_VECTOR;
    return flags;
}

int memory_operand(const Target &target, const llvm::MCInst &inst)
{
    if (target.isa != Isa::x86_64)
        return -1;
    for (unsigned i = 0; i + 5 <= inst.getNumOperands(); i++)
        if (inst.getOperand(i).isReg() && !inst.getOperand(i + 1).isReg() && inst.getOperand(i + 2).isReg() &&
            !inst.getOperand(i + 3).isReg() && inst.getOperand(i + 4).isReg())
            return static_cast<int>(i);
    return -1;
}

bool may_hold_symbol(const Target &target, const llvm::MCInst &inst, unsigned operand)
{
    if (!inst.getOperand(operand).isImm())
        return false;
    const auto type = target.mcii->get(inst.getOpcode()).operands()[operand].OperandType;
    return type == llvm::MCOI::OPERAND_PCREL || type == llvm::MCOI::OPERAND_IMMEDIATE ||
           memory_operand(target, inst) + 3 == static_cast<int>(operand);
}

llvm::MCOperand symbol_operand(const Target &target)
{
    auto &context = *target.context;
    return llvm::MCOperand::createExpr(llvm::MCSymbolRefExpr::create(context.getOrCreateSymbol("sym"), context));
}

} // namespace modelgen
