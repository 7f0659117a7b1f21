/* SPDX-License-Identifier: Apache-2.0 */
/* Stage "regs": direct sub-registers, flags and printed names of every register. */
#include <set>
#include <string>
#include <vector>

#include <slotledger/isa.h>

#include "decode_fixed.h"
#include "probe.h"
#include "stages.h"
#include "target.h"
#include "writer.h"

#include "llvm/Support/raw_ostream.h"

namespace modelgen
{
namespace
{

using RegSet = std::set<unsigned>;

std::vector<RegSet> all_sub_registers(const Target &target)
{
    std::vector<RegSet> subs(target.mri->getNumRegs());
    for (unsigned reg = 1; reg < subs.size(); reg++)
        for (auto sub : target.mri->subregs(reg))
            subs[reg].insert(sub);
    return subs;
}

/* Those that are not a sub-register of another one: LLVM's lists are closed, so this loses nothing. */
RegSet direct_subs(const std::vector<RegSet> &subs, unsigned reg)
{
    RegSet direct = subs[reg];
    for (unsigned sub : subs[reg])
        for (unsigned deeper : subs[sub])
            direct.erase(deeper);
    return direct;
}

bool closure_is_exact(const std::vector<RegSet> &subs, const std::vector<RegSet> &direct, unsigned reg)
{
    RegSet reached;
    std::vector<unsigned> open(1, reg);
    while (!open.empty()) {
        unsigned next = open.back();
        open.pop_back();
        for (unsigned sub : direct[next])
            if (reached.insert(sub).second)
                open.push_back(sub);
    }
    return reached == subs[reg];
}

struct Lists {
    std::vector<unsigned> offsets = {0}, items;
    void append(const RegSet &set)
    {
        offsets.push_back(static_cast<unsigned>(items.size()));
        items.insert(items.end(), set.begin(), set.end());
    }
    void close(const char *what) { offsets.push_back(static_cast<unsigned>(fit(what, items.size(), 0xffff))); }
};

std::vector<RegSet> turned_round(const std::vector<RegSet> &direct)
{
    std::vector<RegSet> supers(direct.size());
    for (unsigned reg = 1; reg < direct.size(); reg++)
        for (unsigned sub : direct[reg])
            supers[sub].insert(reg);
    return supers;
}

std::string printed_name(const Target &target, unsigned reg)
{
    std::string name;
    llvm::raw_string_ostream stream(name);
    target.printer->printRegName(stream, reg);
    stream.flush();
    return name;
}

int write_registers(const Target &target, const std::string &gen_dir)
{
    const std::string isa = family_name(target.isa);
    const auto subs = all_sub_registers(target);
    std::vector<RegSet> direct(subs.size());
    for (unsigned reg = 1; reg < subs.size(); reg++)
        direct[reg] = direct_subs(subs, reg);
    const std::vector<RegSet> direct_supers = turned_round(direct);
    std::vector<unsigned> flags(1, 0);
    Lists sub_lists, super_lists;
    std::vector<std::string> names(1, "\"\"");
    for (unsigned reg = 1; reg < subs.size(); reg++) {
        if (!closure_is_exact(subs, direct, reg)) {
            fprintf(stderr, "modelgen: %s: sub-registers of %s are not closed\n", isa.c_str(),
                    target.mri->getName(reg));
            return 1;
        }
        flags.push_back(register_flags(target, reg));
        sub_lists.append(direct[reg]);
        super_lists.append(direct_supers[reg]);
        names.push_back("\"" + printed_name(target, reg) + "\"");
    }
    sub_lists.close("sub-registers");
    super_lists.close("super-registers");

    GenFile file(gen_dir, isa + "_regs.inc", "Register tables of " + isa + ".");
    file.format("#define SL_N_REGS %zuu\n", subs.size());
    file.numbers("uint8_t", "reg_flags", flags);
    file.numbers("uint16_t", "direct_sub", sub_lists.offsets);
    file.numbers("uint16_t", "sub_list", sub_lists.items);
    file.numbers("uint16_t", "direct_super", super_lists.offsets);
    file.numbers("uint16_t", "super_list", super_lists.items);
    if (is_arm(target.isa)) {
        file.numbers("uint16_t", "list_regs", general_registers(target));
        file.format("#define SL_REG_STATUS %u\n#define SL_REG_VECTOR_PREDICATE %u\n", register_by_name(target, "CPSR"),
                    register_by_name(target, "P0"));
    }
    GenFile names_file(gen_dir, isa + "_reg_names.inc",
                       "Register names of " + isa + ", as its instruction printer writes them.");
    names_file.array("char *const", "reg_names", names);
    return file.write() | names_file.write();
}

} // namespace
} // namespace modelgen

int stage_regs(const char *gen_dir)
{
    for (modelgen::Isa isa : {modelgen::Isa::aarch64, modelgen::Isa::x86_64, modelgen::Isa::riscv64,
                              modelgen::Isa::thumbm, modelgen::Isa::arm}) {
        modelgen::Target target(isa);
        if (modelgen::write_registers(target, gen_dir))
            return 1;
    }
    return 0;
}
