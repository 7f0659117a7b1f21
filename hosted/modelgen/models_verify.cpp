/* SPDX-License-Identifier: Apache-2.0 */
/* Stage "verify-models": core's tables and resolver against LLVM, for every CPU name and every sampled opcode. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <slotledger/model.h>

#include "cpus.h"
#include "idioms.h"
#include "isa_verify.h"
#include "probe.h"
#include "samples.h"
#include "stages.h"
#include "variants.h"
#include "writer.h"

namespace modelgen
{
namespace
{

struct Effort {
    const char *cpu; /* NULL: all */
    size_t per_op;
    uint64_t seed;
};

class ModelChecker
{
  public:
    ModelChecker(const Target &which, const OpSpace &op_space, const Samples &all, const sl_cpu_name &entry,
                 uint64_t seed)
        : target(which), ops(op_space), samples(all), name(entry.name), cpu(*entry.cpu), sti(which.cpu_subtarget(name)),
          model(sti->getSchedModel()), view{&which, sti.get()}, random(seed)
    {
    }

    /* Number of differences. */
    unsigned long run(const llvm::MCOperand &symbol)
    {
        check_head();
        for (uint16_t op = 1; op < ops.size(); op++) {
            if (samples.of_op[op].empty())
                continue;
            const unsigned own = target.mcii->get(ops.to_llvm[op]).getSchedClass();
            const bool variant = own && model.getSchedClassDesc(own)->isVariant();
            check(op, samples.of_op[op][0]);
            for (size_t i = 0; i < samples.of_op[op].size() && i < (cpu.n_idioms ? 24 : 4); i++)
                check_idiom(samples.of_op[op][i]), check_idiom(mutate(samples.of_op[op][i]));
            for (size_t i = 0; variant && i < samples.of_op[op].size(); i++) {
                check(op, samples.of_op[op][i]);
                check_expressions(op, samples.of_op[op][i], symbol);
                for (int k = 0; k < 16; k++)
                    check(op, mutate(samples.of_op[op][i]));
            }
        }
        return differences;
    }

    unsigned long resolved = 0, idioms = 0, expressions = 0;

  private:
    void complain(const std::string &what, const llvm::MCInst *inst = nullptr)
    {
        if (++differences > 20)
            return;
        std::string text;
        if (inst) {
            text = target.mcii->getName(inst->getOpcode()).str();
            for (const auto &operand : *inst)
                text += operand.isReg()   ? strf(" r%u", unsigned(operand.getReg()))
                        : operand.isImm() ? strf(" %lld", static_cast<long long>(operand.getImm()))
                                          : " expr";
        }
        printf("%s: %s %s\n", name.c_str(), what.c_str(), text.c_str());
    }

    void check_head()
    {
        const llvm::MCExtraProcessorInfo none = {};
        const auto &extra = model.hasExtraProcessorInfo() ? model.getExtraProcessorInfo() : none;
        const bool same = cpu.issue_width == model.IssueWidth && cpu.micro_op_buffer_size == model.MicroOpBufferSize &&
                          cpu.n_resources == model.getNumProcResourceKinds() &&
                          cpu.reorder_buffer_size == extra.ReorderBufferSize &&
                          cpu.max_retire_per_cycle == extra.MaxRetirePerCycle && cpu.load_queue == extra.LoadQueueID &&
                          cpu.store_queue == extra.StoreQueueID && cpu.n_files == extra.NumRegisterFiles;
        if (!same)
            complain("model header differs");
        for (unsigned i = 1; same && i < cpu.n_resources; i++)
            check_resource(i);
        for (unsigned i = 1; same && i < cpu.n_files; i++)
            check_register_file(extra, i);
    }

    void check_resource(unsigned i)
    {
        const auto &theirs = *model.getProcResource(i);
        const auto &ours = cpu.resources[i];
        bool same = strcmp(cpu.names + ours.name, theirs.Name) == 0 && ours.buffer_size == theirs.BufferSize &&
                    ours.n_units == theirs.NumUnits && ours.super == theirs.SuperIdx &&
                    (ours.is_group != 0) == (theirs.SubUnitsIdxBegin != nullptr);
        for (unsigned k = 0; same && ours.is_group && k < ours.n_units; k++)
            same = cpu.members[ours.members + k] == theirs.SubUnitsIdxBegin[k];
        if (!same)
            complain(strf("resource %u differs", i));
    }

    void check_register_file(const llvm::MCExtraProcessorInfo &extra, unsigned i)
    {
        const auto &theirs = extra.RegisterFiles[i];
        const auto &ours = cpu.files[i];
        bool same = strcmp(cpu.names + ours.name, theirs.Name) == 0 && ours.n_physical == theirs.NumPhysRegs &&
                    ours.max_moves == theirs.MaxMovesEliminatedPerCycle &&
                    (ours.zero_moves_only != 0) == theirs.AllowZeroMoveEliminationOnly &&
                    ours.n_costs == theirs.NumRegisterCostEntries;
        for (unsigned k = 0; same && k < ours.n_costs; k++) {
            const auto &their_cost = extra.RegisterCostTable[theirs.RegisterCostEntryIdx + k];
            const auto &our_cost = cpu.costs[ours.costs + k];
            const auto &regs = target.mri->getRegClass(their_cost.RegisterClassID);
            const uint16_t *set = cpu.sets + our_cost.regs;
            same = our_cost.cost == their_cost.Cost &&
                   (our_cost.move_elimination != 0) == their_cost.AllowMoveElimination && set[0] == regs.getNumRegs() &&
                   std::equal(regs.begin(), regs.end(), set + 1);
        }
        if (!same)
            complain(strf("register file %u differs", i));
    }

    /* The content of a class, compared once per pair of numbers. */
    bool same_class(uint16_t ours, unsigned theirs)
    {
        auto key = std::make_pair(ours, theirs);
        auto found = compared.find(key);
        if (found == compared.end())
            found =
                compared.emplace(key, compare_class(*sl_cpu_class(&cpu, ours), *model.getSchedClassDesc(theirs))).first;
        return found->second;
    }

    bool compare_class(const struct sl_class_row &row, const llvm::MCSchedClassDesc &desc) const
    {
        if ((row.uops & SL_UOPS_MASK) != desc.NumMicroOps)
            return false;
        if (!desc.isValid())
            return true;
        bool same = ((row.uops & SL_ROW_BEGIN_GROUP) != 0) == desc.BeginGroup &&
                    ((row.uops & SL_ROW_END_GROUP) != 0) == desc.EndGroup &&
                    ((row.uops & SL_ROW_RETIRE_OOO) != 0) == desc.RetireOOO &&
                    row.n_res == desc.NumWriteProcResEntries && row.n_lat == desc.NumWriteLatencyEntries &&
                    sl_row_n_adv(&row) == desc.NumReadAdvanceEntries;
        for (unsigned k = 0; same && k < row.n_res; k++) {
            const auto &a = cpu.write_res[row.res + k];
            const auto &b = sti->getWriteProcResBegin(&desc)[k];
            same = a.resource == b.ProcResourceIdx && a.release_cycle == b.ReleaseAtCycle &&
                   a.acquire_cycle == b.AcquireAtCycle;
        }
        for (unsigned k = 0; same && k < row.n_lat; k++) {
            const auto &a = cpu.write_lat[row.lat + k];
            const auto &b = *sti->getWriteLatencyEntry(&desc, k);
            same = a.cycles == b.Cycles && a.write_id == b.WriteResourceID;
        }
        const auto advances = sti->getReadAdvanceEntries(desc);
        for (unsigned k = 0; same && k < sl_row_n_adv(&row); k++) {
            const auto &a = cpu.read_adv[row.adv + k];
            same = a.use == advances[k].UseIdx && a.cycles == advances[k].Cycles &&
                   a.write_id == advances[k].WriteResourceID;
        }
        for (unsigned use = 0; same && use < 16; use++)
            for (unsigned id = 0; same && id < 64; id++)
                same = sl_cpu_read_advance(&cpu, &row, use, static_cast<uint16_t>(id)) ==
                       sti->getReadAdvanceCycles(&desc, use, id);
        return same;
    }

    bool resolves_alike(uint16_t op, const llvm::MCInst &inst)
    {
        const sl_insn insn = to_insn(target, op, inst);
        uint16_t ours = 0;
        const enum sl_status status = sl_cpu_resolve(&cpu, &insn, &ours);
        const unsigned theirs = resolve_class(view, inst);
        resolved++;
        if (theirs == 0 || status != SL_OK)
            return theirs == 0 && status == SL_E_UNRESOLVED;
        return same_class(ours, theirs);
    }

    void check(uint16_t op, const llvm::MCInst &inst)
    {
        if (!resolves_alike(op, inst))
            complain("class differs:", &inst);
    }

    /* Another value for one operand, of the kind decoding can give: a register of the declared class (or none, for an
     * x86 address), often one that another operand holds; an immediate of no more bits than one that was seen. */
    llvm::MCOperand other_value(const llvm::MCInst &inst, unsigned i)
    {
        const auto &info = target.mcii->get(inst.getOpcode()).operands()[i];
        const auto &list = samples.of_op[ops.of_llvm[inst.getOpcode()]];
        const llvm::MCOperand &seen = list[random.below(list.size())].getOperand(i);
        if (!inst.getOperand(i).isReg()) {
            if (!seen.isImm() || seen.getImm() < 0)
                return seen;
            return llvm::MCOperand::createImm(seen.getImm() & static_cast<int64_t>(random.next() & random.next()));
        }
        const llvm::MCOperand &shared = inst.getOperand(static_cast<unsigned>(random.below(inst.getNumOperands())));
        if (random.below(2) && shared.isReg() && info.RegClass >= 0 && !info.isLookupPtrRegClass() &&
            target.mri->getRegClass(static_cast<unsigned>(info.RegClass)).contains(shared.getReg()))
            return shared;
        const int memory = memory_operand(target, inst);
        if (memory >= 0 && (static_cast<int>(i) == memory || static_cast<int>(i) == memory + 2) && random.below(4) == 0)
            return llvm::MCOperand::createReg(0);
        return seen;
    }

    llvm::MCInst mutate(const llvm::MCInst &inst)
    {
        const auto &desc = target.mcii->get(inst.getOpcode());
        llvm::MCInst changed = inst;
        const bool lists = is_arm(target.isa) && desc.isVariadic();
        for (unsigned i = 0; i < desc.getNumOperands() - (lists ? 1 : 0); i++)
            if (desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) < 0 && random.below(2))
                changed.getOperand(i) = other_value(changed, i);
        for (unsigned i = 0; i < desc.getNumOperands(); i++) {
            const int tie = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO);
            if (tie >= 0)
                changed.getOperand(i) = changed.getOperand(static_cast<unsigned>(tie));
        }
        if (target.isa == Isa::x86_64 && random.below(4) == 0)
            changed.setFlags(1u << random.below(6));
        return changed;
    }

    /* The shift of a register offset ("PLDWrs": base, offset, shift). No assembler makes a symbol of it, and LLVM's
     * predicates would take bits of the expression's address for the amount: another answer in each run. */
    bool is_shift_amount(const llvm::MCInst &inst, unsigned i) const
    {
        return is_arm(target.isa) && i > 1 && inst.getOperand(i - 1).isReg() && inst.getOperand(i - 2).isReg() &&
               target.mcii->getName(inst.getOpcode()).ends_with("rs");
    }

    void check_expressions(uint16_t op, const llvm::MCInst &inst, const llvm::MCOperand &symbol)
    {
        for (unsigned i = 0; i < inst.getNumOperands(); i++) {
            if (!may_hold_symbol(target, inst, i) || is_shift_amount(inst, i))
                continue;
            llvm::MCInst changed = inst;
            changed.getOperand(i) = symbol;
            expressions++;
            if (!resolves_alike(op, changed))
                complain(strf("class differs, symbol in operand %u:", i), &changed);
        }
    }

    void check_idiom(const llvm::MCInst &inst)
    {
        const sl_insn insn = to_insn(target, ops.of_llvm[inst.getOpcode()], inst);
        struct sl_idiom_answer ours;
        sl_cpu_idiom(&cpu, &insn, &ours);
        const IdiomAnswer theirs = ask_idiom(view, inst);
        idioms++;
        if (ours.zero != theirs.zero || ours.breaks != theirs.breaks || ours.optimizable_move != theirs.move ||
            ours.mask_width != theirs.mask_width || ours.mask != theirs.mask)
            complain("idiom differs:", &inst);
    }

    const Target &target;
    const OpSpace &ops;
    const Samples &samples;
    std::string name;
    const sl_cpu &cpu;
    std::unique_ptr<llvm::MCSubtargetInfo> sti;
    const llvm::MCSchedModel &model;
    CpuView view;
    Random random;
    std::map<std::pair<uint16_t, unsigned>, bool> compared;
    unsigned long differences = 0;
};

unsigned long check_names(const Target &target, const sl_cpu_name *list, size_t n)
{
    std::set<std::string> expected;
    unsigned long differences = 0;
    for (const auto &group : model_groups(target))
        expected.insert(group.cpus.begin(), group.cpus.end());
    for (size_t i = 0; i < n; i++)
        differences += expected.erase(list[i].name) != 1 || (i && strcmp(list[i - 1].name, list[i].name) >= 0);
    return differences + expected.size();
}

unsigned long verify(Isa isa, const sl_isa &tables, const sl_cpu_name *list, size_t n, const Effort &effort)
{
    const auto asked = [&](const sl_cpu_name &cpu) { return !effort.cpu || strcmp(effort.cpu, cpu.name) == 0; };
    if (std::none_of(list, list + n, asked))
        return 0;
    const Target target(isa);
    const OpSpace ops(target);
    const Samples samples(target, ops, effort.per_op, effort.seed);
    const llvm::MCOperand symbol = symbol_operand(target);
    unsigned long differences = check_names(target, list, n) + verify_isa(target, ops, samples, tables);
    unsigned long resolved = 0, idioms = 0, expressions = 0;
    for (size_t i = 0; i < n; i++) {
        if (!asked(list[i]))
            continue;
        ModelChecker checker(target, ops, samples, list[i], effort.seed);
        differences += checker.run(symbol);
        resolved += checker.resolved;
        idioms += checker.idioms;
        expressions += checker.expressions;
    }
    printf("%s: %zu CPU names, %zu opcodes sampled: %lu classes resolved (%lu with a symbol), %lu idioms, "
           "%lu differences\n",
           tables.name, n, samples.sampled_ops(), resolved, expressions, idioms, differences);
    return differences;
}

} // namespace
} // namespace modelgen

/* verify-models [CPU [SAMPLES-PER-OPCODE [SEED]]]; CPU "all" is every one. */
int stage_verify_models(int argc, char **argv)
{
    using namespace modelgen;
    Effort effort = {nullptr, 200, 2};
    if (argc > 1 && strcmp(argv[1], "all") != 0)
        effort.cpu = argv[1];
    if (argc > 2)
        effort.per_op = strtoul(argv[2], nullptr, 10);
    if (argc > 3)
        effort.seed = strtoul(argv[3], nullptr, 10);
    unsigned long differences = verify(Isa::thumbm, sl_isa_thumbm, sl_cpus_thumbm, sl_n_cpus_thumbm, effort) +
                                verify(Isa::arm, sl_isa_arm, sl_cpus_arm, sl_n_cpus_arm, effort);
    differences += verify(Isa::aarch64, sl_isa_aarch64, sl_cpus_aarch64, sl_n_cpus_aarch64, effort) +
                                      verify(Isa::x86_64, sl_isa_x86_64, sl_cpus_x86_64, sl_n_cpus_x86_64, effort) +
                                      verify(Isa::riscv64, sl_isa_riscv64, sl_cpus_riscv64, sl_n_cpus_riscv64, effort) +
                                      verify(Isa::riscv32, sl_isa_riscv32, sl_cpus_riscv32, sl_n_cpus_riscv32, effort);
    return differences ? 1 : 0;
}
