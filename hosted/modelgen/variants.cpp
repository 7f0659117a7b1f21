/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of variant scheduling classes. */
#include "variants.h"

#include <cstdio>
#include <cstdlib>
#include <map>

namespace modelgen
{

unsigned resolve_class(const CpuView &cpu, const llvm::MCInst &inst, unsigned llvm_class)
{
    const auto &model = cpu.sti->getSchedModel();
    while (llvm_class && model.getSchedClassDesc(llvm_class)->isVariant())
        llvm_class =
            cpu.sti->resolveVariantSchedClass(llvm_class, &inst, cpu.target->mcii.get(), model.getProcessorID());
    return llvm_class;
}

unsigned resolve_class(const CpuView &cpu, const llvm::MCInst &inst)
{
    return resolve_class(cpu, inst, cpu.target->mcii->get(inst.getOpcode()).getSchedClass());
}

namespace
{

/* Ends the program when the opcode does not fit the language. */
Variant learn_variant(const CpuView &cpu, const OpSpace &ops, const Samples &samples, size_t op, unsigned of_class)
{
    const unsigned own = cpu.target->mcii->get(ops.to_llvm[op]).getSchedClass();
    const Labeller labeller = [&](const llvm::MCInst &inst) {
        return resolve_class(cpu, inst, of_class ? of_class : own);
    };
    Variant variant = {static_cast<uint16_t>(op), of_class, {}};
    if (!learn_operand_rules(*cpu.target, samples, samples.of_op[op], labeller, variant.rules)) {
        fprintf(stderr, "modelgen: %s: no rules predict the class of %s\n", cpu.sti->getCPU().str().c_str(),
                cpu.target->mcii->getName(ops.to_llvm[op]).str().c_str());
        exit(1);
    }
    return variant;
}

bool is_variant(const CpuView &cpu, unsigned llvm_class)
{
    return llvm_class && cpu.sti->getSchedModel().getSchedClassDesc(llvm_class)->isVariant();
}

} // namespace

std::vector<Variant> learn_variants(const CpuView &cpu, const OpSpace &ops, const Samples &samples)
{
    std::vector<Variant> variants;
    for (size_t op = 1; op < ops.size(); op++)
        if (is_variant(cpu, cpu.target->mcii->get(ops.to_llvm[op]).getSchedClass()) && !samples.of_op[op].empty())
            variants.push_back(learn_variant(cpu, ops, samples, op, 0));
    return variants;
}

std::vector<Variant> learn_instrument_variants(const CpuView &cpu, const OpSpace &ops, const Samples &samples,
                                               const std::vector<InstrumentRow> &rows)
{
    std::vector<Variant> variants;
    std::map<unsigned, uint16_t> op_of;
    for (const auto &row : rows)
        for (unsigned llvm_class : row.classes) {
            if (!is_variant(cpu, llvm_class))
                continue;
            const auto found = op_of.emplace(llvm_class, row.op);
            if (found.second)
                variants.push_back(learn_variant(cpu, ops, samples, row.op, llvm_class));
            if (found.first->second != row.op) {
                fprintf(stderr, "modelgen: an instrument's variant class serves two opcodes\n");
                exit(1);
            }
        }
    return variants;
}

} // namespace modelgen
