/* SPDX-License-Identifier: Apache-2.0 */
/* Asks llvm-mca's RISC-V InstrumentManager about every vector opcode, multiplier and element width. */
#include "instruments.h"

#include <cstdio>
#include <map>
#include <memory>

#include "llvm/MCA/CustomBehaviour.h"

#include "writer.h"

extern "C" void LLVMInitializeRISCVTargetMCA(void);

namespace modelgen
{
namespace
{

/* By the codes of vtype: vlmul 4 is reserved; element width 0 is "not known". */
const char *const multipliers[] = {"M1", "M2", "M4", "M8", nullptr, "MF8", "MF4", "MF2"};
const char *const widths[] = {nullptr, "E8", "E16", "E32", "E64"};
using Row = decltype(InstrumentRow::classes);

class Instruments
{
  public:
    explicit Instruments(const Target &which)
        : target(which), manager(which.target->createInstrumentManager(*which.sti, *which.mcii))
    {
    }

    /* 0 where the opcode's own class stays, or where LLVM divides by zero. */
    Row ask(const llvm::MCInst &inst) const
    {
        Row row = {};
        for (unsigned lmul = 0; lmul < 8; lmul++)
            for (unsigned sew = 0; sew < 5; sew++)
                if (multipliers[lmul] && !ends_llvm(inst, lmul, sew))
                    row[lmul * 5 + sew] = ask(inst, multipliers[lmul], widths[sew]);
        return row;
    }

  private:
    unsigned ask(const llvm::MCInst &inst, const char *lmul, const char *sew) const
    {
        const unsigned own = target.mcii->get(inst.getOpcode()).getSchedClass();
        auto multiplier = manager->createInstrument("RISCV-LMUL", lmul);
        auto width = sew ? manager->createInstrument("RISCV-SEW", sew) : nullptr;
        llvm::SmallVector<llvm::mca::Instrument *> both{multiplier.get()};
        if (width)
            both.push_back(width.get());
        const unsigned found = manager->getSchedClassID(*target.mcii, inst, both);
        return found == own ? 0 : found;
    }

    /* Loads and stores of one element width have a multiplier of their own, width x multiplier / element width. Where
     * the element width is not known or the result less than 1/8, LLVM divides by zero. */
    bool ends_llvm(const llvm::MCInst &inst, unsigned lmul, unsigned sew) const
    {
        static const unsigned eighths[] = {8, 16, 32, 64, 0, 1, 2, 4};
        const unsigned width = access_width(target.mcii->getName(inst.getOpcode()));
        return width && (sew == 0 || width * eighths[lmul] < (4u << sew));
    }

    static unsigned access_width(llvm::StringRef name)
    {
        if (name == "VLM_V" || name == "VSM_V")
            return 8;
        unsigned width = 0;
        if (!name.consume_front("VLSE") && !name.consume_front("VSSE") && !name.consume_front("VLE") &&
            !name.consume_front("VSE"))
            return 0;
        return name.consume_back("_V") && !name.getAsInteger(10, width) ? width : 0;
    }

    const Target &target;
    std::unique_ptr<llvm::mca::InstrumentManager> manager;
};

} // namespace

std::vector<InstrumentRow> ask_instruments(const Target &target, const OpSpace &ops, const Samples &samples)
{
    std::vector<InstrumentRow> rows;
    if (!is_riscv(target.isa))
        return rows;
    LLVMInitializeRISCVTargetMCA();
    const Instruments instruments(target);
    for (size_t op = 1; op < ops.size(); op++) {
        if (samples.of_op[op].empty() || target.mcii->getName(ops.to_llvm[op])[0] != 'V')
            continue;
        const Row row = instruments.ask(samples.of_op[op][0]);
        if (row != Row{})
            rows.push_back({static_cast<uint16_t>(op), row});
    }
    return rows;
}

int write_instruments(const Target &target, const OpSpace &ops, const std::vector<InstrumentRow> &rows,
                      ClassSpace &classes, const std::string &gen_dir)
{
    std::map<Row, size_t> known;
    std::vector<std::string> entries;
    std::vector<unsigned> row_classes;
    std::string setters;
    for (size_t op = 1; op < ops.size(); op++) {
        const std::string name = target.mcii->getName(ops.to_llvm[op]).str();
        if (name == "VSETVLI" || name == "VSETIVLI")
            setters += strf("#define SL_OP_%s %zuu\n", name.c_str(), op);
    }
    for (const auto &row : rows) {
        const auto found = known.emplace(row.classes, known.size());
        if (found.second)
            for (unsigned llvm_class : row.classes)
                row_classes.push_back(classes.add(llvm_class));
        entries.push_back(strf("{%u,%zu}", row.op, found.first->second));
    }
    GenFile file(gen_dir, "riscv_instruments.inc",
                 "Scheduling class of RISC-V vector opcodes by vlmul and element width.");
    file.text(setters);
    file.array("struct vector_op", "vector_ops", entries, "{0,0}");
    file.numbers("uint16_t", "vector_classes", row_classes);
    return file.write();
}

} // namespace modelgen
