/* SPDX-License-Identifier: Apache-2.0 */
/* Grouping of CPU names by the scheduling model they share. */
#include "cpus.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/TargetParser/AArch64TargetParser.h"

namespace modelgen
{
namespace
{

/* The best known name of each model; a model without one here is called after its first name. */
const char *const representatives[] = {
    "a64fx",          "ampere1",     "ampere1b",    "apple-m1",       "cortex-a53",     "cortex-a510",  "cortex-a55",
    "cortex-a57",     "neoverse-n2", "exynos-m3",   "exynos-m4",      "exynos-m5",      "falkor",       "kryo",
    "neoverse-n1",    "neoverse-v1", "neoverse-v2", "oryon-1",        "thunderx",       "thunderx2t99", "thunderx3t110",
    "tsv110",         "alderlake",   "atom",        "silvermont",     "bdver2",         "broadwell",    "btver2",
    "skylake-avx512", "sandybridge", "haswell",     "sapphirerapids", "icelake-server", "skylake",      "znver1",
    "znver2",         "znver3",      "znver4",
    "rocket-rv64",    "sifive-x280", "rocket-rv32", "sifive-e76",     "syntacore-scr1-max",
    "cortex-a9",      "cortex-a57",  "cortex-m4",   "cortex-m55",     "cortex-m7",      "cortex-m85",   "cortex-r52",
    "swift",
};

bool has_feature(const Target &target, const llvm::SubtargetSubTypeKV &cpu, const char *name)
{
    for (const auto &feature : target.sti->getAllProcessorFeatures())
        if (llvm::StringRef(feature.Key) == name) /* what a feature implies is not in the processor's own list */
            return target.cpu_subtarget(cpu.Key)->getFeatureBits().test(feature.Value);
    return false;
}

/* llvm-mca ends with an error where the processor has the other width of registers. Arm's M profile is an instruction
 * set of its own. */
bool fits(const Target &target, const llvm::SubtargetSubTypeKV &cpu)
{
    if (is_arm(target.isa))
        return has_feature(target, cpu, "mclass") == (target.isa == Isa::thumbm);
    return !is_riscv(target.isa) || has_feature(target, cpu, target.isa == Isa::riscv64 ? "64bit" : "32bit");
}

std::map<std::string, std::string> aliases(const Target &target)
{
    std::map<std::string, std::string> map;
    if (target.isa == Isa::aarch64)
        for (const auto &alias : llvm::AArch64::CpuAliases)
            map[alias.AltName.str()] = alias.Name.str();
    return map;
}

std::string representative(const std::vector<std::string> &cpus)
{
    for (const char *name : representatives)
        if (std::binary_search(cpus.begin(), cpus.end(), name))
            return name;
    return cpus.front();
}

} // namespace

std::vector<ModelGroup> model_groups(const Target &target)
{
    std::map<const llvm::MCSchedModel *, std::set<std::string>> names_of;
    std::map<std::string, const llvm::MCSchedModel *> model_of;
    for (const auto &cpu : target.sti->getAllProcessorDescriptions()) {
        if (!cpu.SchedModel->hasInstrSchedModel() || !fits(target, cpu))
            continue;
        names_of[cpu.SchedModel].insert(cpu.Key);
        model_of[cpu.Key] = cpu.SchedModel;
    }
    for (const auto &alias : aliases(target))
        if (model_of.count(alias.second))
            names_of[model_of[alias.second]].insert(alias.first);

    std::vector<ModelGroup> groups;
    for (const auto &entry : names_of) {
        ModelGroup group;
        group.cpus.assign(entry.second.begin(), entry.second.end());
        group.name = representative(group.cpus);
        group.sti = target.cpu_subtarget(group.name);
        groups.push_back(std::move(group));
    }
    std::sort(groups.begin(), groups.end(), [](const ModelGroup &a, const ModelGroup &b) { return a.name < b.name; });
    return groups;
}

std::string model_id(const Target &target, const ModelGroup &group)
{
    std::string id = std::string(isa_name(target.isa)) + "_" + group.name;
    std::replace(id.begin(), id.end(), '-', '_');
    return id;
}

} // namespace modelgen
