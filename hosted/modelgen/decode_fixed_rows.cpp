/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle and the row table with its look-up index. */
#include "decode_fixed.h"

#include "probe.h"

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

uint32_t FixedConfig::word(const uint8_t *bytes) const
{
    const uint32_t low = bytes[0] | static_cast<uint32_t>(bytes[1]) << 8;
    if (word_bits == 16)
        return low;
    const uint32_t high = bytes[2] | static_cast<uint32_t>(bytes[3]) << 8;
    return is_thumb(isa) ? low << 16 | high : high << 16 | low;
}

void FixedConfig::bytes(uint32_t word, uint8_t out[4]) const
{
    if (is_thumb(isa) && word_bits == 32)
        word = word << 16 | word >> 16;
    for (unsigned i = 0; i < 4; i++)
        out[i] = static_cast<uint8_t>(word >> (8 * i));
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

static const struct {
    const char *name;
    uint8_t operands;
} left_unset[] = {
#include "core/gen/arm_parsed.inc"
};

FixedOracle::FixedOracle(const Target &target, const FixedConfig &config)
    : target(target), config(config), adr(is_arm(target.isa) ? opcode_by_name(target, "t2ADR") : 0),
      unset(target.mcii->getNumOpcodes(), 0)
{
    if (target.isa == Isa::arm) {
        bx = opcode_by_name(target, "BX");
        bx_return = opcode_by_name(target, "BX_RET");
        add = opcode_by_name(target, "ADDri");
        subtract = opcode_by_name(target, "SUBri");
        a32_adr = opcode_by_name(target, "ADR");
        lr = register_by_name(target, "LR");
        pc = register_by_name(target, "PC");
    }
    for (unsigned opcode = 0; opcode < unset.size() && is_arm(target.isa); opcode++) {
        const llvm::StringRef name = target.mcii->getName(opcode);
        for (const auto &entry : left_unset)
            if (name == entry.name)
                unset[opcode] = entry.operands;
    }
}

/* "bx lr" reads the register, and a sum with PC is an address. */
void FixedOracle::as_parsed_a32(llvm::MCInst &inst) const
{
    const unsigned always = 14;
    if (inst.getOpcode() == bx_return && inst.getOperand(0).getImm() == always) {
        inst.clear();
        inst.setOpcode(bx);
        inst.addOperand(llvm::MCOperand::createReg(lr));
    } else if ((inst.getOpcode() == add || inst.getOpcode() == subtract) && inst.getOperand(1).getReg() == pc &&
               inst.getOperand(5).getReg() == 0) {
        inst.setOpcode(a32_adr);
        inst.erase(inst.begin() + 1);
        inst.erase(inst.end() - 1);
    }
}

/* Where Arm's assembler and disassembler disagree llvm-mca, which parses texts, sees the assembler's operands: the
 * register that inactive lanes keep is none outside of a VPT block, some definitions are the immediate 0. */
void FixedOracle::as_parsed(llvm::MCInst &inst) const
{
    if (target.isa == Isa::arm)
        as_parsed_a32(inst);
    const auto infos = target.mcii->get(inst.getOpcode()).operands();
    for (unsigned n = 3; n < infos.size() && n < inst.getNumOperands(); n++)
        if (infos[n].OperandType == llvm::MCOI::OPERAND_FIRST_TARGET && infos[n - 3].OperandType == infos[n].OperandType)
            inst.getOperand(n).setReg(0);
    for (unsigned n = 0; unset[inst.getOpcode()] >> n; n++)
        if (unset[inst.getOpcode()] >> n & 1)
            inst.getOperand(n) = llvm::MCOperand::createImm(0);
}

bool FixedOracle::decode(uint32_t word, llvm::MCInst &inst, bool *soft) const
{
    if (!config.domain.holds(word))
        return false;
    uint8_t bytes[4];
    config.bytes(word, bytes);
    if (target.decode(bytes, config.word_bits / 8, inst, soft) != config.word_bits / 8)
        return false;
    const auto infos = target.mcii->get(inst.getOpcode()).operands();
    if (is_riscv(target.isa)) /* the assembler puts a 0 where the disassembler leaves an operand out: MRET, V*M */
        while (inst.getNumOperands() < infos.size())
            inst.addOperand(llvm::MCOperand::createImm(0));
    if (is_arm(target.isa) && !target.mcii->get(inst.getOpcode()).isVariadic())
        while (inst.getNumOperands() > infos.size())
            inst.erase(inst.end() - 1);
    for (unsigned n = 0; is_arm(target.isa) && n < inst.getNumOperands() && n < infos.size(); n++)
        if (inst.getOperand(n).isImm() && /* A32's offsets and t2ADR's come without their sign */
            (infos[n].OperandType == llvm::MCOI::OPERAND_MEMORY || inst.getOpcode() == adr))
            inst.getOperand(n).setImm(static_cast<int32_t>(inst.getOperand(n).getImm()));
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
    if (is_arm(target.isa))
        as_parsed(inst);
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
