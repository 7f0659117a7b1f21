/* SPDX-License-Identifier: Apache-2.0 */
/* Learns the register lists of Arm's multiple loads and stores. */
#include "decode_fixed.h"

#include <algorithm>

#include "probe.h"

namespace modelgen {

std::vector<unsigned> general_registers(const Target &target)
{
    static const char *const names[] = {"R0", "R1", "R2",  "R3",  "R4",  "R5", "R6", "R7",  "R8",
                                        "R9", "R10", "R11", "R12", "SP", "LR", "PC", "APSR"};
    std::vector<unsigned> regs;
    for (const char *name : names)
        regs.push_back(register_by_name(target, name));
    return regs;
}

std::vector<unsigned> FixedList::registers(uint32_t word, const std::vector<unsigned> &general) const
{
    std::vector<unsigned> regs;
    if (kind == mask) {
        for (unsigned bit = 0; bit < 16; bit++)
            if ((plain & word) >> bit & 1)
                regs.push_back(general[bit]);
        if (to && (word >> from & 1))
            regs.push_back(general[to]);
        return regs;
    }
    unsigned index = 0, count = (word & 255) >> count_shift;
    for (size_t i = 0; i < bits.size(); i++)
        index |= (word >> bits[i] & 1) << i;
    count = std::min({count, 32 - index, most});
    for (unsigned i = 0; i < std::max(count, 1u); i++)
        regs.push_back(first + index + i);
    if (tail)
        regs.push_back(tail);
    return regs;
}

namespace {

class ListLearner {
  public:
    ListLearner(const FixedOracle &oracle, unsigned opcode, const std::vector<uint32_t> &words)
        : oracle(oracle), opcode(opcode), words(words), general(general_registers(oracle.target))
    {
    }

    bool run(FixedList &out)
    {
        for (const FixedList &candidate : candidates())
            if (std::all_of(words.begin(), words.end(),
                            [&](uint32_t word) { return candidate.registers(word, general) == list_of(word); })) {
                out = candidate;
                return !words.empty();
            }
        return false;
    }

  private:
    std::vector<unsigned> list_of(uint32_t word) const
    {
        llvm::MCInst inst;
        std::vector<unsigned> regs;
        if (!oracle.decode(word, inst))
            return regs;
        for (unsigned n = oracle.target.mcii->get(opcode).getNumOperands() - 1; n < inst.getNumOperands(); n++)
            regs.push_back(inst.getOperand(n).getReg());
        return regs;
    }

    unsigned named(const char *name) const { return register_by_name(oracle.target, name); }

    std::vector<FixedList> candidates() const
    {
        std::vector<FixedList> list;
        const struct {
            uint32_t plain;
            unsigned from, to;
        } masks[] = {{0xffff, 0, 0}, {0xff, 0, 0}, {0xff, 8, 14}, {0xff, 8, 15}, {0x7fff, 15, 16}};
        for (const auto &entry : masks) {
            FixedList mask;
            mask.kind = FixedList::mask;
            mask.plain = entry.plain;
            mask.from = entry.from;
            mask.to = entry.to;
            list.push_back(mask);
        }
        for (unsigned tail : {0u, named("VPR")}) {
            FixedList run;
            run.kind = FixedList::run;
            run.tail = tail;
            run.first = named("D0");
            run.bits = {12, 13, 14, 15, 22};
            run.count_shift = 1;
            run.most = 16;
            list.push_back(run);
            run.most = 32;
            list.push_back(run);
            run.first = named("S0");
            run.bits = {22, 12, 13, 14, 15};
            run.count_shift = 0;
            list.push_back(run);
        }
        return list;
    }

    const FixedOracle &oracle;
    unsigned opcode;
    const std::vector<uint32_t> &words;
    std::vector<unsigned> general;
};

} // namespace

bool learn_list(const FixedOracle &oracle, unsigned opcode, const std::vector<uint32_t> &words, FixedList &list)
{
    return ListLearner(oracle, opcode, words).run(list);
}

} // namespace modelgen
