/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle and the row table with its look-up index. */
#include "decode_fixed.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace modelgen {

std::pair<unsigned, unsigned> FixedConfig::pair(size_t n) const
{
    for (size_t a = 0; a < field_shift.size(); a++)
        for (size_t b = a + 1; b < field_shift.size(); b++)
            if (n-- == 0)
                return {field_shift[a], field_shift[b]};
    return {0, 0};
}

/* The register of class `wanted` that is a part of `reg` or has it as a part; `reg` itself if there is none. */
static unsigned related_register(const llvm::MCRegisterInfo &mri, const llvm::MCRegisterClass &wanted, unsigned reg)
{
    if (wanted.contains(reg))
        return reg;
    for (auto sub : mri.subregs(reg))
        if (wanted.contains(sub))
            return sub;
    for (auto super : mri.superregs(reg))
        if (wanted.contains(super))
            return super;
    return reg;
}

bool FixedOracle::decode(uint32_t word, llvm::MCInst &inst, bool *soft) const
{
    if (!config.domain.holds(word))
        return false;
    uint8_t bytes[4] = {static_cast<uint8_t>(word), static_cast<uint8_t>(word >> 8), static_cast<uint8_t>(word >> 16),
                        static_cast<uint8_t>(word >> 24)};
    if (target.decode(bytes, config.word_bits / 8, inst, soft) != config.word_bits / 8)
        return false;
    const auto infos = target.mcii->get(inst.getOpcode()).operands();
    if (is_riscv(target.isa)) /* the assembler puts a 0 where the disassembler leaves an operand out: MRET, V*M */
        while (inst.getNumOperands() < infos.size())
            inst.addOperand(llvm::MCOperand::createImm(0));
    for (unsigned n = 0; n < inst.getNumOperands() && n < infos.size(); n++) {
        if (!inst.getOperand(n).isReg() || inst.getOperand(n).getReg() == 0 || infos[n].RegClass < 0 ||
            infos[n].isLookupPtrRegClass())
            continue;
        const auto &wanted = target.mri->getRegClass(static_cast<unsigned>(infos[n].RegClass));
        const unsigned reg = inst.getOperand(n).getReg(), related = related_register(*target.mri, wanted, reg);
        if (related == reg)
            continue;
        inst.getOperand(n).setReg(related);
        reclassified.insert(inst.getOpcode());
    }
    return true;
}

unsigned FixedOracle::opcode(uint32_t word) const
{
    llvm::MCInst inst;
    return decode(word, inst) ? inst.getOpcode() : 0;
}

void FixedRows::sort()
{
    std::sort(rows.begin(), rows.end(), [](const FixedRow &a, const FixedRow &b) {
        int bits_a = -__builtin_popcount(a.cube.mask), bits_b = -__builtin_popcount(b.cube.mask);
        return std::tie(bits_a, a.cube.value, a.cube.mask, a.opcode, a.distinct) <
               std::tie(bits_b, b.cube.value, b.cube.mask, b.opcode, b.distinct);
    });
}

/* Greedy: the bit that leaves the shortest buckets. A row with the bit free is in both halves, so it costs more. */
void FixedRows::choose_bits(unsigned count)
{
    bits.clear();
    while (bits.size() < count) {
        double best_cost = INFINITY;
        unsigned best = 0;
        for (unsigned candidate = 0; candidate < config.word_bits; candidate++) {
            if (std::find(bits.begin(), bits.end(), candidate) != bits.end())
                continue;
            std::vector<unsigned> chosen = bits;
            chosen.push_back(candidate);
            std::unordered_map<uint32_t, unsigned> fixed;
            double spread = 0, crowd = 0;
            for (const auto &row : rows) {
                unsigned free_bits = 0;
                uint32_t at = 0;
                for (size_t i = 0; i < chosen.size(); i++) {
                    free_bits += !((row.cube.mask >> chosen[i]) & 1);
                    at |= ((row.cube.value >> chosen[i]) & 1) << i;
                }
                spread += std::ldexp(1.0, static_cast<int>(free_bits) - static_cast<int>(chosen.size()));
                if (free_bits == 0)
                    fixed[at]++;
            }
            for (const auto &bucket : fixed)
                crowd += static_cast<double>(bucket.second) * bucket.second;
            double cost = crowd / static_cast<double>(rows.size()) + spread * 4;
            if (cost < best_cost) {
                best_cost = cost;
                best = candidate;
            }
        }
        bits.push_back(best);
    }
    std::sort(bits.begin(), bits.end());
}

uint32_t FixedRows::key(uint32_t word) const
{
    uint32_t at = 0;
    for (size_t i = 0; i < bits.size(); i++)
        at |= ((word >> bits[i]) & 1) << i;
    return at;
}

void FixedRows::build_index()
{
    choose_bits(config.word_bits == 32 ? 11 : 8);
    std::vector<std::vector<uint16_t>> bucket(size_t{1} << bits.size());
    uint32_t all = static_cast<uint32_t>(bucket.size() - 1);
    for (size_t n = 0; n < rows.size(); n++) {
        uint32_t open = all & ~key(rows[n].cube.mask), at = key(rows[n].cube.value), part = 0;
        do {
            bucket[at | part].push_back(static_cast<uint16_t>(n));
            part = (part - open) & open;
        } while (part);
    }
    start.assign(1, 0);
    list.clear();
    for (const auto &members : bucket) {
        list.insert(list.end(), members.begin(), members.end());
        start.push_back(static_cast<uint32_t>(list.size()));
    }
}

bool FixedRows::distinct(uint16_t pairs, uint32_t word) const
{
    uint32_t field = (1u << config.field_bits) - 1;
    for (size_t n = 0; pairs >> n; n++) {
        auto [a, b] = config.pair(n);
        if (((pairs >> n) & 1) && ((word >> a) & field) == ((word >> b) & field))
            return false;
    }
    return true;
}

int FixedRows::find(uint32_t word) const
{
    uint32_t at = key(word);
    for (uint32_t i = start[at]; i < start[at + 1]; i++) {
        const FixedRow &row = rows[list[i]];
        if (row.cube.holds(word) && (!row.distinct || distinct(row.distinct, word)))
            return list[i];
    }
    return -1;
}

unsigned FixedRows::opcode(uint32_t word) const
{
    int row = find(word);
    return row < 0 ? 0 : rows[static_cast<size_t>(row)].opcode;
}

} // namespace modelgen
