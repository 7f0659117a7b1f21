/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of each opcode with all values of its small fields, and many special and equal ones. */
#include "text.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCFixup.h"
#include "probe.h"
#include "samples.h"

namespace modelgen {

namespace {

/* Runs of bits that make up one operand. */
struct Field {
    std::vector<std::pair<unsigned, unsigned>> runs; /* shift, width */
    unsigned width() const
    {
        unsigned sum = 0;
        for (const auto &run : runs)
            sum += run.second;
        return sum;
    }
    uint32_t put(uint32_t word, uint64_t value) const
    {
        for (const auto &[shift, bits] : runs) {
            const uint32_t mask = ((uint32_t(1) << bits) - 1) << shift;
            word = (word & ~mask) | (static_cast<uint32_t>(value << shift) & mask);
            value >>= bits;
        }
        return word;
    }
};

struct Cube {
    uint32_t value, mask;
};

struct FixedOp {
    std::vector<Cube> cubes;
    std::vector<Field> fields, immediates;
    uint32_t small = 0; /* operands of narrow fields */
    unsigned len_bytes = 4;
};

/* Reads the decoder's text form, see write_text() of the decoder's generator. */
class FixedSampler : public TextSampler {
  public:
    FixedSampler(const Target &target, const OpSpace &space, const std::vector<DecodeText> &texts)
        : target(target), space(space), of_op(space.size())
    {
        if (is_arm(target.isa))
            arm = std::make_unique<TextArm>(target, space);
        for (const DecodeText &text : texts)
            read(text.path, text.len_bytes);
    }

    void read(const std::string &path, unsigned len_bytes)
    {
        std::map<std::string, size_t> op_of;
        for (size_t op = 1; op < space.size(); op++)
            op_of[target.mcii->getName(space.to_llvm[op]).str()] = op;
        std::map<std::string, FixedOp> signatures;
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string name, number, word;
            words >> name >> number;
            if (name == "#" || name == "map" || name == "-" || name == "list")
                continue;
            if (name == "sig") {
                FixedOp &op = signatures[number];
                for (unsigned operand = 0; words >> word; operand++) {
                    if (word.find('(') == std::string::npos)
                        continue;
                    if (field(word.substr(word.find('('))).width() <= widest_sampled())
                        op.small |= 1u << operand;
                    op.fields.push_back(field(word.substr(word.find('('))));
                    if (word[0] == '#')
                        op.immediates.push_back(op.fields.back());
                }
                continue;
            }
            FixedOp &op = of_op[op_of[name]];
            op = signatures[number];
            op.len_bytes = len_bytes;
            while (words >> word) {
                char *end;
                const uint32_t value = static_cast<uint32_t>(strtoul(word.c_str(), &end, 16));
                op.cubes.push_back({value, static_cast<uint32_t>(strtoul(end + 1, nullptr, 16))});
            }
        }
    }

    void sample(size_t number, unsigned round, const TakeSample &take) override
    {
        const FixedOp &op = of_op[number];
        Random random(number * 64 + round);
        if (op.cubes.empty())
            return;
        const auto use = [&](uint32_t word) {
            const uint8_t bytes[4] = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
            TextInst inst;
            if (arm) {
                take_arm(op, number, word, random, take);
                return;
            }
            if (target.decode(bytes, op.len_bytes, inst.printed) == op.len_bytes &&
                space.of_llvm[inst.printed.getOpcode()] == number) {
                inst.operands = inst.printed;
                take(bytes, op.len_bytes, inst);
            }
        };
        const std::string name = target.mcii->getName(space.to_llvm[number]).str();
        /* Control and status registers, and vector types, have names here and there, too. */
        const bool named = is_riscv(target.isa) && (!name.compare(0, 3, "CSR") || !name.compare(0, 4, "VSET"));
        for (unsigned i = 0; i < (arm ? 1500u : 600u); i++)
            use(word_of(op, random));
        for (const Field &field : op.fields) {
            if (field.width() > (named ? 12u : widest_sampled()))
                continue;
            for (unsigned repeat = 0; repeat < (field.width() <= 6 ? 2u : 1u); repeat++)
                for (uint32_t value = 0; value < uint32_t(1) << field.width(); value++)
                    use(field.put(word_of(op, random), value));
        }
        if (op.immediates.size() == 2 && op.immediates[0].width() + op.immediates[1].width() <= 12)
            all_pairs(op, random, use);
        if (is_riscv(target.isa))
            all_alone(op, random, use);
        if (round == 0 && named)
            all_named(op, random, use);
        if (round == 0)
            all_system(op, number, random, use);
    }

    uint32_t small_operands(size_t number) const override
    {
        return of_op[number].small | (arm ? arm->placed_operands(space.to_llvm[number]) : 0);
    }

  private:
    /* All values of fields up to this width are sampled. */
    unsigned widest_sampled() const { return arm ? 10u : 9u; }

    void take_arm(const FixedOp &op, size_t number, uint32_t word, Random &random, const TakeSample &take)
    {
        TextInst inst;
        uint8_t bytes[4];
        if (target.isa == Isa::arm && word < 0xf0000000 && random.below(2))
            word = (word & 0x0fffffff) | 0xe0000000; /* always */
        arm_config(target.isa, op.len_bytes * 8).bytes(word, bytes);
        if (!arm->decode(bytes, op.len_bytes, inst) || space.of_llvm[inst.operands.getOpcode()] != number)
            return;
        arm->place(inst, op.len_bytes, random.next());
        take(bytes, op.len_bytes, inst);
    }

    static Field field(const std::string &text)
    {
        Field result;
        for (size_t at = 1; at < text.size();) {
            char *end;
            const unsigned shift = static_cast<unsigned>(strtoul(text.c_str() + at, &end, 10));
            if (*end == ':')
                result.runs.push_back({shift, static_cast<unsigned>(strtoul(end + 1, &end, 10))});
            at = text.find(',', static_cast<size_t>(end - text.c_str()));
            at = at == std::string::npos ? text.size() : at + 1;
        }
        return result;
    }

    static uint32_t word_of(const FixedOp &op, Random &random)
    {
        const Cube &cube = op.cubes[random.below(op.cubes.size())];
        uint32_t word = static_cast<uint32_t>(random.next());
        uint64_t last = random.next();
        const uint64_t mood = random.below(4); /* of 3: many equal fields; of 2: many fields of ones */
        for (const Field &field : op.fields) {
            const uint64_t ones = (uint64_t(1) << field.width()) - 1;
            const uint64_t values[] = {0, ones, 1, last, last + 1, random.next(), random.next(), random.next(),
                                       ones >> 1, random.next(), uint64_t(1) << random.below(field.width() + 1)};
            const bool follow = mood >= 2 && random.below(2);
            const uint64_t value = values[follow ? mood == 3 ? 3 : 1 : random.below(11)];
            word = field.put(word, value);
            last = value;
        }
        return (word & ~cube.mask) | cube.value;
    }

    /* Bit-field instructions have different names for different relations of their two immediates. */
    template <typename Use> static void all_pairs(const FixedOp &op, Random &random, Use use)
    {
        const Field &a = op.immediates[0], &b = op.immediates[1];
        for (uint32_t i = 0; i < uint32_t(1) << a.width(); i++)
            for (uint32_t k = 0; k < uint32_t(1) << b.width(); k++)
                use(b.put(a.put(word_of(op, random), i), k));
    }

    /* Every value of a small field, with all other fields zero: hints are aliases of that kind. */
    template <typename Use> static void all_alone(const FixedOp &op, Random &random, Use use)
    {
        for (const Field &field : op.fields)
            for (uint32_t value = 0; field.width() <= 6 && value < uint32_t(1) << field.width(); value++) {
                uint32_t word = word_of(op, random);
                for (const Field &other : op.fields)
                    word = other.put(word, &other == &field ? value : 0);
                use(word);
            }
    }

    /* Every value of the widest field, with each other field zero and not: aliases depend on that. */
    template <typename Use> static void all_named(const FixedOp &op, Random &random, Use use)
    {
        const auto widest = std::max_element(op.fields.begin(), op.fields.end(),
                                             [](const Field &a, const Field &b) { return a.width() < b.width(); });
        for (uint32_t value = 0; value < uint32_t(1) << widest->width(); value++)
            for (uint32_t zeros = 0; zeros < uint32_t(1) << (op.fields.size() - 1); zeros++) {
                uint32_t word = widest->put(word_of(op, random), value), bit = 1;
                for (const Field &field : op.fields) {
                    if (&field == &*widest)
                        continue;
                    const uint64_t ones = (uint64_t(1) << field.width()) - 1;
                    word = field.put(word, zeros & bit ? 0 : 1 + random.below(ones));
                    bit <<= 1;
                }
                use(word);
            }
    }

    /* System registers and operations have names here and there among 2^14 to 2^16 values. */
    template <typename Use> void all_system(const FixedOp &op, size_t number, Random &random, Use use) const
    {
        const std::string name = target.mcii->getName(space.to_llvm[number]).str();
        if (target.isa != Isa::aarch64 || (name.compare(0, 3, "MRS") && name.compare(0, 3, "MSR") && name.compare(0, 4, "MRRS") &&
                                           name.compare(0, 4, "MSRR") && name.compare(0, 3, "SYS")))
            return;
        for (const Cube &cube : op.cubes)
            for (uint32_t value = 0; value < 1u << 16; value++) {
                const uint32_t word = (value << 5 & ~cube.mask) | cube.value;
                if ((word ^ (cube.value | value << 5)) >> 5)
                    continue; /* the same as a smaller value's */
                use((word & ~31u) | 31);
                use((word & ~31u) | uint32_t(random.below(15) * 2));
            }
    }

    const Target &target;
    const OpSpace &space;
    std::vector<FixedOp> of_op;
    std::unique_ptr<TextArm> arm;
};

/* x86: random encodings, with their bytes changed. */
class X86Sampler : public TextSampler {
  public:
    X86Sampler(const Target &target, const OpSpace &space) : target(target), space(space), seeds(target, space, 40, 11) {}

    void sample(size_t number, unsigned round, const TakeSample &take) override
    {
        Random random(number * 64 + round);
        size_t count = 0;
        for (const llvm::MCInst &seed : seeds.of_op[number]) {
            llvm::SmallVector<char, 16> code;
            llvm::SmallVector<llvm::MCFixup, 4> fixups;
            target.emitter->encodeInstruction(seed, code, fixups, *target.sti);
            if (code.empty() || code.size() > 15)
                continue;
            std::vector<uint8_t> bytes(code.begin(), code.end());
            const size_t size = bytes.size();
            bytes.resize(16);
            use(number, bytes, take);
            if (round >= 40) {
                static const uint8_t prefixes[] = {0xf0, 0xf2, 0xf3, 0x3e, 0x67, 0x64, 0x2e, 0x66};
                bytes.insert(bytes.begin(), prefixes[random.below(8)]);
                use(number, bytes, take);
                bytes.erase(bytes.begin());
            }
            if (count < 2 && ends_in_immediate(bytes, size) && ++count)
                for (unsigned value = 0; value < 256; value++)
                    use(number, changed(bytes, size - 1, static_cast<uint8_t>(value)), take);
            for (unsigned i = 0; i < 6; i++) {
                const size_t at = random.below(size);
                use(number, changed(bytes, at, static_cast<uint8_t>(bytes[at] ^ (1u << random.below(8)))), take);
            }
        }
    }

  private:
    /* Is the last byte an immediate, and not part of a displacement or of a register number? */
    bool ends_in_immediate(const std::vector<uint8_t> &bytes, size_t size) const
    {
        llvm::MCInst one, other;
        if (target.decode(bytes.data(), size, one) != size ||
            target.decode(changed(bytes, size - 1, bytes[size - 1] ^ 1).data(), size, other) != size ||
            one.getNumOperands() != other.getNumOperands())
            return false;
        const int memory = memory_operand(target, one);
        for (unsigned i = 0; i < one.getNumOperands(); i++)
            if (one.getOperand(i).isImm() && other.getOperand(i).isImm() && static_cast<int>(i) != memory + 3 &&
                one.getOperand(i).getImm() != other.getOperand(i).getImm())
                return true;
        return false;
    }
    static std::vector<uint8_t> changed(std::vector<uint8_t> bytes, size_t at, uint8_t value)
    {
        bytes[at] = value;
        return bytes;
    }
    void use(size_t number, const std::vector<uint8_t> &bytes, const TakeSample &take) const
    {
        llvm::MCInst inst;
        const unsigned size = target.decode(bytes.data(), bytes.size(), inst);
        if (size && space.of_llvm[inst.getOpcode()] == number)
            take(bytes.data(), size, {inst, inst});
    }

    const Target &target;
    const OpSpace &space;
    Samples seeds;
};

} // namespace

std::unique_ptr<TextSampler> fixed_sampler(const Target &target, const OpSpace &space,
                                           const std::vector<DecodeText> &decode_texts)
{
    return std::make_unique<FixedSampler>(target, space, decode_texts);
}

std::unique_ptr<TextSampler> x86_sampler(const Target &target, const OpSpace &space)
{
    return std::make_unique<X86Sampler>(target, space);
}

} // namespace modelgen
