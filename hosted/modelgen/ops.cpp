/* SPDX-License-Identifier: Apache-2.0 */
/* Stage "ops": what MCInstrDesc says of every non-pseudo opcode. */
#include <map>
#include <string>
#include <vector>

#include <slotledger/isa.h>

#include "classes.h"
#include "opspace.h"
#include "probe.h"
#include "stages.h"
#include "target.h"
#include "writer.h"

namespace modelgen
{
namespace
{

const unsigned vector_predicate = llvm::MCOI::OPERAND_FIRST_TARGET;

struct FlagName {
    unsigned flag;
    const char *name;
};

const FlagName flag_names[] = {
    {SL_OP_MAY_LOAD, "load"},          {SL_OP_MAY_STORE, "store"},
    {SL_OP_SIDE_EFFECTS, "effects"},   {SL_OP_CALL, "call"},
    {SL_OP_RETURN, "return"},          {SL_OP_VARIADIC, "variadic"},
    {SL_OP_VARIADIC_DEFS, "vardefs"},  {SL_OP_OPTIONAL_DEF, "optdef"},
    {SL_OP_BRANCH, "branch"},          {SL_OP_CONDITIONAL, "conditional"},
    {SL_OP_INDIRECT, "indirect"},      {SL_OP_BARRIER, "barrier"},
    {SL_OP_TERMINATOR, "terminator"},  {SL_OP_CLEARS_VECTOR, "clearsvector"},
    {SL_OP_LOAD_BARRIER, "loadfence"}, {SL_OP_STORE_BARRIER, "storefence"},
};

/* llvm-mca's x86 post-processing knows these three by opcode; `modelgen verify-models` asks it about every opcode. */
unsigned fence_flags(const Target &target, unsigned opcode)
{
    llvm::StringRef name = target.mcii->getName(opcode);
    if (target.isa != Isa::x86_64)
        return 0;
    if (name == "LFENCE")
        return SL_OP_LOAD_BARRIER;
    if (name == "SFENCE")
        return SL_OP_STORE_BARRIER;
    return name == "MFENCE" ? SL_OP_LOAD_BARRIER | SL_OP_STORE_BARRIER : 0;
}

unsigned op_flags(const Target &target, unsigned opcode)
{
    const auto &desc = target.mcii->get(opcode);
    const struct {
        bool set;
        unsigned flag;
    } bits[] = {
        {desc.mayLoad(), SL_OP_MAY_LOAD},
        {desc.mayStore(), SL_OP_MAY_STORE},
        {desc.hasUnmodeledSideEffects(), SL_OP_SIDE_EFFECTS},
        {desc.isCall(), SL_OP_CALL},
        {desc.isReturn(), SL_OP_RETURN},
        {desc.isVariadic(), SL_OP_VARIADIC},
        {desc.variadicOpsAreDefs(), SL_OP_VARIADIC_DEFS},
        {desc.hasOptionalDef(), SL_OP_OPTIONAL_DEF},
        {desc.isBranch(), SL_OP_BRANCH},
        {desc.isConditionalBranch(), SL_OP_CONDITIONAL},
        {desc.isIndirectBranch(), SL_OP_INDIRECT},
        {desc.isBarrier(), SL_OP_BARRIER},
        {desc.isTerminator(), SL_OP_TERMINATOR},
        {op_clears_vector(target, opcode), SL_OP_CLEARS_VECTOR},
    };
    unsigned flags = fence_flags(target, opcode);
    for (const auto &bit : bits)
        flags |= bit.set ? bit.flag : 0;
    return flags;
}

std::vector<uint16_t> counted(llvm::ArrayRef<llvm::MCPhysReg> regs)
{
    std::vector<uint16_t> list(1, static_cast<uint16_t>(regs.size()));
    list.insert(list.end(), regs.begin(), regs.end());
    return list;
}

/* SL_PREDICATE_*: where an Arm opcode keeps its condition, what kind it is of, or that it opens a block. The vector
 * kinds are the target's own last two operand types. */
unsigned predicate(const Target &target, unsigned opcode)
{
    const auto &desc = target.mcii->get(opcode);
    if (!is_arm(target.isa))
        return 0;
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    if (target.opens_block(inst))
        return target.mcii->getName(opcode) == "t2IT" ? SL_PREDICATE_OPENS_IT : SL_PREDICATE_OPENS_VPT;
    for (unsigned i = 0; i + 1 < desc.getNumOperands(); i++) {
        if (desc.operands()[i].isPredicate())
            return i + 1;
        if (desc.operands()[i].OperandType >= vector_predicate)
            return (i + 1) | SL_PREDICATE_VECTOR |
                   (desc.operands()[i].OperandType == vector_predicate ? SL_PREDICATE_INACTIVE : 0u);
    }
    return 0;
}

unsigned optional_def(const llvm::MCInstrDesc &desc)
{
    for (unsigned i = 0; i < desc.getNumOperands(); i++)
        if (desc.operands()[i].isOptionalDef())
            return i;
    return 0;
}

class OpTables
{
  public:
    OpTables(const Target &which, const OpSpace &space) : target(which), ops(space), family(which), classes(*which.mcii, family)
    {
        op_items.push_back("{0,0}");
        rows.push_back("{0,0,0,0,0,0,0}");
        row_index[rows[0]] = 0;
        reg_lists.push_back(0);
        for (size_t op = 1; op < ops.size(); op++)
            add(ops.to_llvm[op]);
    }

    int write(const std::string &gen_dir, const std::string &isa) const
    {
        GenFile file(gen_dir, isa + "_ops.inc", "Opcode tables of " + isa + ".");
        file.format("#define SL_N_OPS %zuu\n", op_items.size());
        file.array("struct sl_op", "ops", op_items);
        file.array("struct sl_op_row", "op_rows", rows);
        file.numbers("uint16_t", "reg_lists", reg_lists);
        GenFile names(gen_dir, isa + "_op_names.inc", "Opcode names of " + isa + ", as LLVM spells them.");
        std::vector<std::string> name_items(1, "\"\"");
        for (size_t op = 1; op < ops.size(); op++)
            name_items.push_back("\"" + target.mcii->getName(ops.to_llvm[op]).str() + "\"");
        names.array("char *const", "op_names", name_items);
        GenFile listing(gen_dir, isa + "_ops.txt",
                        "Opcodes of " + isa + ": name, class, operands/definitions, flags, implicit registers.");
        listing.text(text);
        return file.write() | names.write() | listing.write();
    }

  private:
    void add(unsigned opcode)
    {
        const auto &desc = target.mcii->get(opcode);
        const unsigned flags = op_flags(target, opcode);
        if (desc.getNumOperands() > SL_INSN_OPERANDS)
            overflow("operands of an opcode", desc.getNumOperands());
        const size_t defs = pool_list(reg_lists, counted(desc.implicit_defs()));
        const size_t uses = pool_list(reg_lists, counted(desc.implicit_uses()));
        const std::string row =
            strf("{0x%x,%u,%u,%u,%lu,%lu,%lu}", flags, desc.getNumOperands(), desc.getNumDefs(), optional_def(desc), fit("predicates", predicate(target, opcode), 0xff),
                 fit("implicit lists", defs, 0xffff), fit("implicit lists", uses, 0xffff));
        auto found = row_index.emplace(row, rows.size());
        if (found.second)
            rows.push_back(row);
        op_items.push_back(strf("{%u,%zu}", class_of(opcode), found.first->second));
        describe(opcode, flags);
    }

    /* Class 0 for what the family, whose models have only its classes, does not number. */
    uint16_t class_of(unsigned opcode)
    {
        return classes.add(family.of_llvm[opcode] ? target.mcii->get(opcode).getSchedClass() : 0);
    }

    void describe(unsigned opcode, unsigned flags)
    {
        const auto &desc = target.mcii->get(opcode);
        text += strf("%s %u %u/%u", target.mcii->getName(opcode).str().c_str(), class_of(opcode),
                     desc.getNumOperands(), desc.getNumDefs());
        for (const auto &flag : flag_names)
            if (flags & flag.flag)
                text += std::string(" ") + flag.name;
        for (auto reg : desc.implicit_defs())
            text += std::string(" +") + target.mri->getName(reg);
        for (auto reg : desc.implicit_uses())
            text += std::string(" -") + target.mri->getName(reg);
        text += "\n";
    }

    const Target &target;
    const OpSpace ops, family;
    ClassSpace classes;
    std::vector<std::string> op_items, rows;
    std::map<std::string, size_t> row_index;
    std::vector<uint16_t> reg_lists;
    std::string text;
};

} // namespace

int write_ops(const Target &target, const OpSpace &ops, const char *gen_dir)
{
    return OpTables(target, ops).write(gen_dir, isa_name(target.isa));
}

} // namespace modelgen

int stage_ops(const char *gen_dir)
{
    for (modelgen::Isa isa : {modelgen::Isa::aarch64, modelgen::Isa::x86_64, modelgen::Isa::riscv64,
                              modelgen::Isa::thumbm, modelgen::Isa::arm}) {
        modelgen::Target target(isa);
        if (modelgen::OpTables(target, modelgen::OpSpace(target)).write(gen_dir, modelgen::family_name(isa)))
            return 1;
    }
    return 0;
}
