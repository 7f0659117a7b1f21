/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of core's opcode and register tables against LLVM. */
#include "isa_verify.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "decode_fixed.h"
#include "probe.h"
#include "writer.h"

#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/Instruction.h"
#include "llvm/Support/raw_ostream.h"

extern "C" void LLVMInitializeX86TargetMCA(void);

namespace modelgen
{

/* The operands from `at` on as a list: general registers, else consecutive ones and perhaps another. */
static void put_list(const Target &target, const llvm::MCInst &inst, unsigned at, sl_insn &insn)
{
    static const std::vector<unsigned> general = general_registers(target); /* the same in every set */
    const unsigned first = inst.getOperand(at).getReg();
    unsigned count = 0;
    insn.list_at = static_cast<uint8_t>(at);
    insn.list_kind = SL_LIST_MASK;
    for (unsigned n = at; n < inst.getNumOperands(); n++) {
        const auto found = std::find(general.begin(), general.end(), inst.getOperand(n).getReg());
        if (found == general.end())
            insn.list_kind = SL_LIST_RUN;
        else
            insn.list |= 1u << (found - general.begin());
        count += inst.getOperand(n).getReg() == first + (n - at);
    }
    if (insn.list_kind == SL_LIST_RUN)
        insn.list = first | count << 12;
    if (insn.list_kind == SL_LIST_RUN && at + count < inst.getNumOperands())
        insn.list |= uint32_t(inst.getOperand(at + count).getReg()) << 20;
}

sl_insn to_insn(const Target &target, uint16_t op, const llvm::MCInst &inst)
{
    const bool lists = is_arm(target.isa) && target.mcii->get(inst.getOpcode()).isVariadic();
    sl_insn insn = {};
    insn.op = op;
    insn.n_operands = static_cast<uint8_t>(fit("operands", inst.getNumOperands(), lists ? 64 : SL_INSN_OPERANDS));
    insn.flags = prefix_flags(target.isa, inst.getFlags());
    if (lists)
        put_list(target, inst, target.mcii->get(inst.getOpcode()).getNumOperands() - 1, insn);
    for (unsigned i = 0; i < sl_insn_stored(&insn); i++) {
        const auto &theirs = inst.getOperand(i);
        auto &ours = insn.operand[i];
        ours.kind = theirs.isReg() ? SL_OPERAND_REG : theirs.isExpr() ? SL_OPERAND_EXPR : SL_OPERAND_IMM;
        if (theirs.isReg())
            ours.reg = static_cast<uint16_t>(theirs.getReg());
        if (theirs.isImm())
            ours.imm = theirs.getImm();
    }
    return insn;
}

namespace
{

const char *op_name(Isa isa, uint16_t op)
{
    if (is_arm(isa))
        return isa == Isa::thumbm ? sl_thumbm_op_name(op) : sl_arm_op_name(op);
    if (is_riscv(isa))
        return sl_riscv_op_name(op);
    return isa == Isa::aarch64 ? sl_aarch64_op_name(op) : sl_x86_64_op_name(op);
}

const char *reg_name(Isa isa, uint16_t reg)
{
    if (is_arm(isa))
        return isa == Isa::thumbm ? sl_thumbm_reg_name(reg) : sl_arm_reg_name(reg);
    if (is_riscv(isa))
        return sl_riscv_reg_name(reg);
    return isa == Isa::aarch64 ? sl_aarch64_reg_name(reg) : sl_x86_64_reg_name(reg);
}

class IsaChecker
{
  public:
    IsaChecker(const Target &which, const OpSpace &op_space, const Samples &all, const sl_isa &ours)
        : target(which), ops(op_space), samples(all), tables(ours)
    {
    }

    unsigned long run()
    {
        expect(tables.n_ops == ops.size() && tables.n_regs == target.mri->getNumRegs(), "table sizes");
        for (uint16_t op = 1; op < tables.n_ops; op++) {
            check_descriptor(op);
            for (const auto &inst : samples.of_op[op])
                check_cleared(op, inst);
        }
        for (uint16_t reg = 1; reg < tables.n_regs; reg++)
            check_register(reg);
        check_fences();
        return differences;
    }

  private:
    void expect(bool good, const std::string &what)
    {
        if (!good && ++differences <= 20)
            printf("%s: %s differs\n", tables.name, what.c_str());
    }

    bool same_list(unsigned offset, llvm::ArrayRef<llvm::MCPhysReg> regs) const
    {
        const uint16_t *list = tables.reg_lists + offset;
        return list[0] == regs.size() && std::equal(regs.begin(), regs.end(), list + 1);
    }

    void check_descriptor(uint16_t op)
    {
        const auto &desc = target.mcii->get(ops.to_llvm[op]);
        const auto &row = *sl_op_row(&tables, op);
        const auto flag = [&](unsigned bit) { return (row.flags & bit) != 0; };
        bool same =
            row.n_operands == desc.getNumOperands() && row.n_defs == desc.getNumDefs() &&
            same_list(row.implicit_defs, desc.implicit_defs()) && same_list(row.implicit_uses, desc.implicit_uses()) &&
            flag(SL_OP_MAY_LOAD) == desc.mayLoad() && flag(SL_OP_MAY_STORE) == desc.mayStore() &&
            flag(SL_OP_SIDE_EFFECTS) == desc.hasUnmodeledSideEffects() && flag(SL_OP_CALL) == desc.isCall() &&
            flag(SL_OP_RETURN) == desc.isReturn() && flag(SL_OP_VARIADIC) == desc.isVariadic() &&
            flag(SL_OP_VARIADIC_DEFS) == desc.variadicOpsAreDefs() &&
            flag(SL_OP_OPTIONAL_DEF) == desc.hasOptionalDef() && flag(SL_OP_BRANCH) == desc.isBranch() &&
            flag(SL_OP_CONDITIONAL) == desc.isConditionalBranch() && flag(SL_OP_INDIRECT) == desc.isIndirectBranch() &&
            flag(SL_OP_BARRIER) == desc.isBarrier() && flag(SL_OP_TERMINATOR) == desc.isTerminator();
        for (unsigned i = 0; i < desc.getNumOperands(); i++)
            if (desc.operands()[i].isOptionalDef())
                same = same && flag(SL_OP_OPTIONAL_DEF) && row.optional_def == i;
        const char *name = op_name(target.isa, op);
        expect(same && target.mcii->getName(ops.to_llvm[op]) == name, strf("descriptor of op %u", op));
    }

    bool clears(const struct sl_op_row &row, unsigned reg) const
    {
        const unsigned flags = tables.reg_flags[reg];
        return (flags & SL_REG_CLEARS_SUPER) || ((flags & SL_REG_CLEARS_VECTOR) && (row.flags & SL_OP_CLEARS_VECTOR));
    }

    /* clearsSuperRegisters over explicit definitions, then implicit ones. */
    void check_cleared(uint16_t op, const llvm::MCInst &inst)
    {
        const auto &row = *sl_op_row(&tables, op);
        const uint16_t *implicit = tables.reg_lists + row.implicit_defs;
        uint64_t ours = 0;
        for (unsigned k = 0; k < row.n_defs && k < inst.getNumOperands(); k++)
            if (inst.getOperand(k).isReg() && clears(row, inst.getOperand(k).getReg()))
                ours |= uint64_t(1) << k;
        for (unsigned k = 0; k < implicit[0]; k++)
            if (clears(row, implicit[1 + k]))
                ours |= uint64_t(1) << (row.n_defs + k);
        expect(ours == clears_super(target, inst),
               "cleared registers of " + target.mcii->getName(inst.getOpcode()).str());
    }

    void check_register(uint16_t reg)
    {
        std::set<unsigned> reached, theirs;
        std::vector<unsigned> open(1, reg);
        while (!open.empty()) {
            const unsigned next = open.back();
            open.pop_back();
            for (unsigned i = tables.direct_sub[next]; i < tables.direct_sub[next + 1]; i++)
                if (reached.insert(tables.sub_list[i]).second)
                    open.push_back(tables.sub_list[i]);
        }
        for (auto sub : target.mri->subregs(reg))
            theirs.insert(sub);
        std::string printed;
        llvm::raw_string_ostream stream(printed);
        target.printer->printRegName(stream, reg);
        stream.flush();
        const char *name = reg_name(target.isa, reg);
        const bool constant = (tables.reg_flags[reg] & SL_REG_CONSTANT) != 0;
        expect(reached == theirs && printed == name && constant == target.mri->isConstant(reg),
               strf("register %u", reg));
    }

    /* What llvm-mca's post-processing does to each opcode, instead of trusting a list of names. */
    void check_fences()
    {
        LLVMInitializeX86TargetMCA();
        std::unique_ptr<llvm::mca::InstrPostProcess> post(
            target.target->createInstrPostProcess(*target.sti, *target.mcii));
        const llvm::mca::InstrDesc blank = {};
        for (uint16_t op = 1; op < tables.n_ops; op++) {
            if (samples.of_op[op].empty())
                continue;
            auto inst = std::make_unique<llvm::mca::Instruction>(blank, ops.to_llvm[op]);
            if (post)
                post->postProcessInstruction(inst, samples.of_op[op][0]);
            const unsigned flags = sl_op_row(&tables, op)->flags;
            expect(inst->isALoadBarrier() == ((flags & SL_OP_LOAD_BARRIER) != 0) &&
                       inst->isAStoreBarrier() == ((flags & SL_OP_STORE_BARRIER) != 0),
                   strf("fence flags of op %u", op));
        }
    }

    const Target &target;
    const OpSpace &ops;
    const Samples &samples;
    const sl_isa &tables;
    unsigned long differences = 0;
};

} // namespace

unsigned long verify_isa(const Target &target, const OpSpace &ops, const Samples &samples, const sl_isa &tables)
{
    return IsaChecker(target, ops, samples, tables).run();
}

} // namespace modelgen
