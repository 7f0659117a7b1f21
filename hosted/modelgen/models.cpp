/* SPDX-License-Identifier: Apache-2.0 */
/* Stage "models": one table file and one text per scheduling model, and the list of CPU names. */
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <slotledger/model.h>

#include "classes.h"
#include "cpus.h"
#include "idioms.h"
#include "instruments.h"
#include "model_tables.h"
#include "stages.h"
#include "variants.h"
#include "writer.h"

namespace modelgen
{
namespace
{

/* Everything learnt about one model, before any is written: class numbers depend on all of them. */
struct Learnt {
    std::vector<Variant> variants;
    std::vector<Idiom> idioms;
};

int write_cpu_list(const Target &target, const std::vector<ModelGroup> &groups, const std::string &gen_dir)
{
    std::map<std::string, std::string> id_of;
    const std::string isa = isa_name(target.isa);
    GenFile file(gen_dir, isa + "_cpus.inc", "CPU names of " + isa + " and their models.");
    for (const auto &group : groups) {
        file.format("extern const struct sl_cpu sl_cpu_%s;\n", model_id(target, group).c_str());
        for (const auto &cpu : group.cpus)
            id_of[cpu] = model_id(target, group);
    }
    file.format("\n#define SL_N_CPUS %zuu\n#define SL_CPU_LIST \\\n", id_of.size());
    size_t left = id_of.size();
    for (const auto &entry : id_of)
        file.format("    {\"%s\", &sl_cpu_%s}%s\n", entry.first.c_str(), entry.second.c_str(), --left ? ", \\" : "");
    return file.write();
}

int write_class_list(const Target &target, const ModelGroup &any, const ClassSpace &classes, const std::string &gen_dir)
{
    const std::string isa = family_name(target.isa);
    GenFile count(gen_dir, isa + "_classes.inc", "Number of scheduling classes of " + isa + ".");
    count.format("#define SL_N_CLASSES %zuu\n", classes.to_llvm.size());
    GenFile names(gen_dir, isa + "_classes.txt", "Scheduling classes of " + isa + ": our number, LLVM's name.");
    const auto &model = any.sti->getSchedModel();
    GenFile table(gen_dir, isa + "_class_names.inc", "Scheduling class names of " + isa + "; of equal ones the second is NAME#2.");
    std::map<std::string, unsigned> seen;
    std::vector<std::string> items;
    for (size_t i = 0; i < classes.to_llvm.size(); i++) {
        const std::string name = model.getSchedClassDesc(classes.to_llvm[i])->Name;
        const unsigned n = ++seen[name];
        names.format("%zu %s\n", i, name.c_str());
        items.push_back("\"" + name + (n > 1 ? "#" + std::to_string(n) : "") + "\"");
    }
    table.array("char *const", "class_names", items);
    return count.write() | names.write() | table.write();
}

struct IsaModels {
    Target target;
    OpSpace ops;
    Samples samples;
    std::vector<ModelGroup> groups;
    std::vector<InstrumentRow> instruments;
    std::vector<Learnt> learnt;

    explicit IsaModels(Isa isa)
        : target(isa), ops(target), samples(target, ops, 48, 1), groups(model_groups(target)),
          instruments(ask_instruments(target, ops, samples))
    {
    for (const auto &group : groups) {
        const CpuView cpu = {&target, group.sti.get()};
        learnt.push_back({learn_variants(cpu, ops, samples), learn_idioms(cpu, ops, samples)});
        const auto more = learn_instrument_variants(cpu, ops, samples, instruments);
        learnt.back().variants.insert(learnt.back().variants.end(), more.begin(), more.end());
        }
    }

    void add_classes(ClassSpace &classes) const
    {
        for (const auto &model : learnt)
            for (const auto &variant : model.variants)
            for (const auto &rule : variant.rules)
                classes.add(rule.label);
    }

    int write(ClassSpace &classes, const std::string &gen_dir) const
    {
    for (size_t i = 0; i < groups.size(); i++) {
        ModelTables tables(target, groups[i], ops, classes);
        tables.add_variants(learnt[i].variants);
        tables.add_idioms(learnt[i].idioms);
        if (tables.write(gen_dir))
            return 1;
    }
        return write_cpu_list(target, groups, gen_dir);
    }
};

/* Instruction sets that share their opcodes share the numbers of classes too. */
int write_family(const std::vector<Isa> &isas, const std::string &gen_dir)
{
    std::vector<std::unique_ptr<IsaModels>> models;
    for (Isa isa : isas)
        models.push_back(std::make_unique<IsaModels>(isa));
    const IsaModels &first = *models[0];
    ClassSpace classes(*first.target.mcii, first.ops);
    for (const auto &model : models)
        model->add_classes(classes);
    if (is_riscv(first.target.isa) && write_instruments(first.target, first.ops, first.instruments, classes, gen_dir))
        return 1;
    for (const auto &model : models)
        if (model->write(classes, gen_dir))
            return 1;
    return write_class_list(first.target, first.groups[0], classes, gen_dir);
}

} // namespace
} // namespace modelgen

int stage_models(const char *gen_dir)
{
    using modelgen::Isa;
    return modelgen::write_family({Isa::aarch64}, gen_dir) || modelgen::write_family({Isa::x86_64}, gen_dir) ||
           modelgen::write_family({Isa::riscv64, Isa::riscv32}, gen_dir);
}

int stage_models_arm(const char *gen_dir)
{
    using modelgen::Isa;
    return modelgen::write_family({Isa::thumbm}, gen_dir) || modelgen::write_family({Isa::arm}, gen_dir);
}
