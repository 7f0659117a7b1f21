/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of variant scheduling classes. */
#include "variants.h"

namespace modelgen {

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
    for (size_t op = 1; op < ops.size(); op++) {
        const unsigned own = cpu.target->mcii->get(ops.to_llvm[op]).getSchedClass();
        if (!own || !model.getSchedClassDesc(own)->isVariant() || samples.of_op[op].empty())
            continue;
        variants.push_back({static_cast<uint16_t>(op), {{{}, resolve_class(cpu, samples.of_op[op][0])}}});
    }
    return variants;
}

} // namespace modelgen
