/* SPDX-License-Identifier: Apache-2.0 */
/* Collection of decoded samples: random words and encoder seeds on AArch64, random encodings by opcode map on x86-64.
 */
#include "samples.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCFixup.h"

namespace modelgen
{

Samples::Samples(const Target &target, const OpSpace &op_space, size_t per_op, uint64_t seed)
    : of_op(op_space.size()), ops(op_space), limit(per_op)
{
    Random random(seed);
    if (target.isa == Isa::aarch64)
        collect_aarch64(target, random);
    else if (is_riscv(target.isa))
        collect_riscv(target, random);
    else if (is_arm(target.isa))
        collect_arm(target, random);
    else
        collect_x86_64(target, random);
    note_registers(target);
}

static std::pair<int, int> kind_of(const llvm::MCOperandInfo &info)
{
    return {info.RegClass, info.OperandType};
}

void Samples::note_registers(const Target &target)
{
    for (const auto &list : of_op) {
        for (const auto &inst : list) {
            const auto &desc = target.mcii->get(inst.getOpcode());
            for (unsigned i = 0; i < desc.getNumOperands(); i++)
                if (inst.getOperand(i).isReg())
                    seen[kind_of(desc.operands()[i])].insert(inst.getOperand(i).getReg());
        }
    }
}

const std::set<unsigned> &Samples::registers(const llvm::MCOperandInfo &info) const
{
    static const std::set<unsigned> none;
    auto found = seen.find(kind_of(info));
    return found == seen.end() ? none : found->second;
}

size_t Samples::sampled_ops() const
{
    size_t count = 0;
    for (const auto &list : of_op)
        count += !list.empty();
    return count;
}

void Samples::keep(const Target &target, llvm::MCInst inst)
{
    auto &list = of_op[ops.of_llvm[inst.getOpcode()]];
    if (list.size() >= limit)
        return;
    if (is_arm(target.isa) && inst.getNumOperands() < target.mcii->get(inst.getOpcode()).getNumOperands())
        return; /* an empty list */
    while (inst.getNumOperands() < target.mcii->get(inst.getOpcode()).getNumOperands())
        inst.addOperand(llvm::MCOperand::createImm(0));
    if (is_arm(target.isa) && !target.mcii->get(inst.getOpcode()).isVariadic()) /* some predicates come twice */
        while (inst.getNumOperands() > target.mcii->get(inst.getOpcode()).getNumOperands())
            inst.erase(inst.end() - 1);
    list.push_back(std::move(inst));
    kept++;
}

/* One encoding per opcode with random registers of the right classes: rare opcodes that random words miss. The encoder
 * may write garbage for immediates out of range; only what decodes again is used. */
void Samples::encode_seeds(const Target &target, Random &random, std::vector<std::vector<uint8_t>> &seeds) const
{
    static const int64_t values[] = {0, 1, 2, 4, 8, 16};
    for (size_t op = 1; op < ops.size(); op++) {
        const auto &desc = target.mcii->get(ops.to_llvm[op]);
        if (desc.isPseudo())
            continue;
        llvm::MCInst inst;
        inst.setOpcode(ops.to_llvm[op]);
        for (const auto &info : desc.operands()) {
            if (info.RegClass < 0) {
                inst.addOperand(llvm::MCOperand::createImm(values[random.below(6)]));
                continue;
            }
            const auto &regs = target.mri->getRegClass(info.RegClass);
            inst.addOperand(llvm::MCOperand::createReg(regs.getRegister(random.below(regs.getNumRegs()))));
        }
        seeds.push_back(target.encode(inst));
    }
}

void Samples::collect_aarch64(const Target &target, Random &random)
{
    std::vector<std::vector<uint8_t>> seeds;
    for (int round = 0; round < 12; round++)
        encode_seeds(target, random, seeds);
    llvm::MCInst inst;
    const auto try_word = [&](uint32_t word) {
        const uint8_t bytes[4] = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
        if (target.decode(bytes, 4, inst))
            keep(target, inst);
    };
    for (const auto &seed : seeds) {
        if (seed.size() != 4)
            continue;
        const uint32_t word = seed[0] | seed[1] << 8 | seed[2] << 16 | uint32_t(seed[3]) << 24;
        try_word(word);
        for (unsigned bit = 0; bit < 32; bit++)
            try_word(word ^ (uint32_t(1) << bit));
    }
    for (int i = 0; i < 4000000; i++)
        try_word(static_cast<uint32_t>(random.next()));
}

/* Every compressed word; of the others like on AArch64. */
void Samples::collect_riscv(const Target &target, Random &random)
{
    std::vector<std::vector<uint8_t>> seeds;
    for (int round = 0; round < 12; round++)
        encode_seeds(target, random, seeds);
    llvm::MCInst inst;
    const auto try_word = [&](uint32_t word) {
        const uint8_t bytes[4] = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
        if (target.decode(bytes, 4, inst))
            keep(target, inst);
    };
    for (uint32_t word = 0; word < 0x10000; word++)
        if ((word & 3) != 3)
            try_word(word);
    for (const auto &seed : seeds) {
        if (seed.size() != 4)
            continue;
        const uint32_t word = seed[0] | seed[1] << 8 | seed[2] << 16 | uint32_t(seed[3]) << 24;
        try_word(word);
        for (unsigned bit = 2; bit < 32; bit++)
            try_word(word ^ (uint32_t(1) << bit));
    }
    for (int i = 0; i < 4000000; i++)
        try_word(static_cast<uint32_t>(random.next()) | 3);
}

/* Every word of 16 bits; of the others like on AArch64. Cores that run A32 run Thumb, too. */
void Samples::collect_arm(const Target &target, Random &random)
{
    std::vector<std::vector<uint8_t>> seeds;
    for (int round = 0; round < 12; round++)
        encode_seeds(target, random, seeds);
    llvm::MCInst inst;
    const auto try_word = [&](uint32_t word) {
        const uint8_t bytes[4] = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
        if (target.decode(bytes, 4, inst))
            keep(target, inst);
    };
    if (is_thumb(target.isa))
        for (uint32_t word = 0; word < 0xe800; word++)
            try_word(word);
    for (const auto &seed : seeds) {
        if (seed.size() != 4)
            continue;
        const uint32_t word = seed[0] | seed[1] << 8 | seed[2] << 16 | uint32_t(seed[3]) << 24;
        try_word(word);
        for (unsigned bit = 0; bit < 32; bit++)
            try_word(word ^ (uint32_t(1) << bit));
    }
    for (int i = 0; i < 6000000; i++) {
        const uint64_t bits = random.next();
        uint32_t word = static_cast<uint32_t>(bits);
        if (is_thumb(target.isa)) /* the first half in the low bits */
            word |= 0xe800;
        else if (bits >> 32 & 1) /* always */
            word = (word & 0x0fffffff) | 0xe0000000;
        try_word(word);
    }
    if (target.isa == Isa::arm)
        collect_arm(Target(Isa::thumb), random);
}

namespace
{

enum class Space { legacy, vex, evex, xop };

/* Appends prefix bytes and opcode of a random encoding in one opcode map. */
void put_head(std::vector<uint8_t> &code, Random &random, Space space, unsigned map, unsigned opcode)
{
    const uint64_t bits = random.next();
    const uint8_t high = uint8_t(bits), low = uint8_t(bits >> 8), third = uint8_t(bits >> 16);
    switch (space) {
    case Space::legacy: {
        static const uint8_t prefixes[] = {0, 0, 0x66, 0xf3, 0xf2, 0x67, 0, 0};
        const uint8_t prefix = prefixes[high & 7];
        if ((high & 0xc0) == 0)
            code.push_back(high & 0x20 ? 0x67 : 0x66);
        if (prefix)
            code.push_back(prefix);
        if (high & 0x10)
            code.push_back(uint8_t(0x40 | (low & 15)));
        if (map >= 1)
            code.push_back(0x0f);
        if (map >= 2)
            code.push_back(map == 2 ? 0x38 : 0x3a);
        break;
    }
    case Space::vex:
    case Space::xop: /* vvvv = 1111 half of the time: no operand there */
        code.push_back(space == Space::vex ? 0xc4 : 0x8f);
        code.push_back(uint8_t((high & 0xe0) | (high & 2 ? 0xe0 : 0) | map));
        code.push_back(uint8_t(high & 1 ? low : low | 0x78));
        break;
    case Space::evex: { /* mostly no masking, no broadcast, no vvvv operand: what most encodings ask for */
        uint8_t p2 = third;
        if (bits >> 24 & 3)
            p2 &= 0x7f;
        if (bits >> 26 & 1)
            p2 &= 0xf8;
        if (bits >> 27 & 1)
            p2 &= 0xef;
        code.push_back(0x62);
        code.push_back(uint8_t((high & 0xf0) | map));
        code.push_back(uint8_t((bits >> 28 & 1 ? low : low | 0x78) | 4));
        code.push_back(uint8_t(bits >> 28 & 1 ? p2 : p2 | 8));
        break;
    }
    }
    code.push_back(uint8_t(opcode));
}

} // namespace

/* Random encodings of one opcode byte until they bring next to nothing new. */
void Samples::collect_block(const Target &target, Random &random,
                            const std::function<void(std::vector<uint8_t> &)> &head)
{
    const int round = 6000, least_rounds = 3, most_rounds = 60;
    const size_t enough = 4;
    std::vector<uint8_t> code;
    llvm::MCInst inst;
    for (int rounds = 0; rounds < most_rounds; rounds++) {
        const size_t before = kept;
        for (int i = 0; i < round; i++) {
            code.clear();
            head(code);
            for (int k = 0; k < 3; k++) {
                const uint64_t tail = random.next();
                for (int shift = 0; shift < 32; shift += 8)
                    code.push_back(uint8_t(tail >> shift));
            }
            if (random.below(4) == 0) /* an index register */
                code[code.size() - 12] = uint8_t((code[code.size() - 12] & 0xf8) | 4);
            if (target.decode(code.data(), code.size(), inst))
                keep(target, inst);
        }
        if (kept - before < enough && rounds >= least_rounds)
            return;
    }
}

void Samples::collect_x86_64(const Target &target, Random &random)
{
    static const struct {
        Space space;
        unsigned map;
    } maps[] = {
        {Space::legacy, 0}, {Space::legacy, 1}, {Space::legacy, 2}, {Space::legacy, 3}, {Space::vex, 1},
        {Space::vex, 2},    {Space::vex, 3},    {Space::vex, 7},    {Space::evex, 1},   {Space::evex, 2},
        {Space::evex, 3},   {Space::evex, 5},   {Space::evex, 6},   {Space::evex, 7},   {Space::xop, 8},
        {Space::xop, 9},    {Space::xop, 10},
    };
    static const std::set<unsigned> other_spaces = {0x62, 0x8f, 0xc4, 0xc5, 0xd5}; /* EVEX, XOP, VEX, VEX, REX2 */
    for (const auto &map : maps)
        for (unsigned opcode = 0; opcode < 256; opcode++)
            if (map.space != Space::legacy || map.map != 0 || other_spaces.count(opcode) == 0)
                collect_block(target, random,
                              [&](std::vector<uint8_t> &code) { put_head(code, random, map.space, map.map, opcode); });
}

} // namespace modelgen
