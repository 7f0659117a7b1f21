/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of variant scheduling classes. */
#include "variants.h"

#include <cstdio>
#include <cstdlib>

namespace modelgen
{

unsigned resolve_class(const CpuView &cpu, const llvm::MCInst &inst)
{
    const auto &model = cpu.sti->getSchedModel();
    unsigned found = cpu.target->mcii->get(inst.getOpcode()).getSchedClass();
    while (found && model.getSchedClassDesc(found)->isVariant())
        found = cpu.sti->resolveVariantSchedClass(found, &inst, cpu.target->mcii.get(), model.getProcessorID());
    return found;
}

std::vector<Variant> learn_variants(const CpuView &cpu, const OpSpace &ops, const Samples &samples)
{
    std::vector<Variant> variants;
    const auto &model = cpu.sti->getSchedModel();
    const Labeller labeller = [&](const llvm::MCInst &inst) { return resolve_class(cpu, inst); };
    bool good = true;
    for (size_t op = 1; op < ops.size(); op++) {
        const unsigned own = cpu.target->mcii->get(ops.to_llvm[op]).getSchedClass();
        if (!own || !model.getSchedClassDesc(own)->isVariant() || samples.of_op[op].empty())
            continue;
        Variant variant = {static_cast<uint16_t>(op), {}};
        if (!learn_operand_rules(*cpu.target, samples, samples.of_op[op], labeller, variant.rules)) {
            fprintf(stderr, "modelgen: %s: no rules predict the class of %s\n", cpu.sti->getCPU().str().c_str(),
                    cpu.target->mcii->getName(ops.to_llvm[op]).str().c_str());
            good = false;
        }
        variants.push_back(std::move(variant));
    }
    if (!good)
        exit(1);
    return variants;
}

} // namespace modelgen
