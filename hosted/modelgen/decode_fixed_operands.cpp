/* SPDX-License-Identifier: Apache-2.0 */
/* Learns each opcode's MCInst operands as functions of the word: constants, register maps, linear immediates. */
#include "decode_fixed.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace modelgen {

static int64_t thumb_constant(uint32_t field)
{
    const uint32_t byte = field & 255;
    if (field < 0x400) {
        const uint32_t copies[] = {1, 0x00010001u, 0x01000100u, 0x01010101u};
        return byte * copies[field >> 8];
    }
    const uint32_t turned = byte | 128, by = field >> 7; /* 8 to 31 to the right */
    return turned >> by | turned << (32 - by);
}

static int64_t thumb_branch(uint32_t field)
{
    const uint32_t top = field >> 24 & 1;
    const uint32_t flipped = top ? field : field ^ 0x00c00000u;
    return static_cast<int32_t>((flipped & 0x01ffffffu) << 7) >> 7;
}

static int64_t bit_field(uint32_t field)
{
    const uint32_t last = field & 31, first = std::min(field >> 5, last);
    return static_cast<uint32_t>(~((last == 31 ? 0 : 1u << (last + 1)) - (1u << first)));
}

int64_t decoded_field(FixedCode code, uint32_t field)
{
    const uint32_t magnitude = field & 0x3fffffffu;
    switch (code) {
    case FixedCode::sign_magnitude:
        if (field >> 30 & 1)
            return magnitude;
        return magnitude ? -static_cast<int64_t>(magnitude) : INT32_MIN;
    case FixedCode::magnitude_sign:
        return decoded_field(FixedCode::sign_magnitude, field ^ 0x40000000u);
    case FixedCode::thumb_constant:
        return thumb_constant(field);
    case FixedCode::thumb_branch:
        return thumb_branch(field);
    case FixedCode::bit_field:
        return bit_field(field);
    default:
        return field;
    }
}

int64_t FixedOperand::value(uint32_t word) const
{
    int64_t sum = base;
    size_t index = 0;
    for (size_t i = 0; i < bits.size(); i++) {
        if (!((word >> bits[i]) & 1))
            continue;
        index |= size_t{1} << i;
        if (kind == imm && code != FixedCode::values)
            sum += weight[i];
    }
    if (kind == reg || code == FixedCode::values)
        return map[index];
    return code == FixedCode::plain ? sum : decoded_field(code, static_cast<uint32_t>(sum));
}

namespace {

const unsigned first_samples = 40, check_samples = 400, check_samples_arm = 4000, max_relearn = 8, max_map_bits = 11, max_value_bits = 10;

bool same(const llvm::MCOperand &a, const llvm::MCOperand &b)
{
    if (a.isReg())
        return b.isReg() && a.getReg() == b.getReg();
    return a.isImm() && b.isImm() && a.getImm() == b.getImm();
}

class OperandLearner {
  public:
    OperandLearner(const FixedOracle &oracle, unsigned opcode, std::vector<const FixedRow *> rows)
        : oracle(oracle), config(oracle.config), opcode(opcode), rows(std::move(rows)), random(777 + opcode)
    {
    }
    bool run(FixedSignature &out);

  private:
    struct Sample {
        uint32_t word;
        uint32_t open; /* bits that vary in the sample's row */
    };
    bool decode(uint32_t word, llvm::MCInst &inst) const;
    bool sample(Sample &out);
    bool learn(FixedSignature &out);
    bool right(uint32_t word, const FixedSignature &signature) const;
    bool attempt(FixedSignature &out);
    bool learn_reg(unsigned n, FixedOperand &out);
    bool learn_imm(unsigned n, FixedOperand &out);
    bool solve(unsigned n, const std::vector<Sample> &from, FixedOperand &out) const;
    void fold_base(FixedOperand &out) const;
    bool all_right(unsigned n, const FixedOperand &operand) const;
    bool learn_sign_magnitude(unsigned n, FixedOperand &out) const;
    bool learn_layout(unsigned n, FixedOperand &out) const;
    bool learn_values(unsigned n, FixedOperand &out);
    void tabulate(unsigned n, FixedOperand &out);
    std::vector<uint32_t> influences(unsigned n_operands) const;
    bool probe(unsigned n, uint32_t field, uint32_t value, int64_t &found);

    const FixedOracle &oracle;
    const FixedConfig &config;
    unsigned opcode;
    bool strict = false; /* learn from predictable words only: an unpredictable one may hold anything */
    bool wide = false;   /* immediates may depend on bits that never change alone in valid words */
    std::vector<const FixedRow *> rows;
    FixedRandom random;
    std::vector<Sample> samples;
};

bool OperandLearner::decode(uint32_t word, llvm::MCInst &inst) const
{
    bool soft = false;
    if (!oracle.decode(word, inst, &soft) || (soft && strict) || inst.getOpcode() != opcode)
        return false;
    const auto &desc = oracle.target.mcii->get(opcode);
    if (desc.isVariadic()) /* the list is learned on its own */
        while (inst.getNumOperands() >= desc.getNumOperands())
            inst.erase(inst.end() - 1);
    return true;
}

bool OperandLearner::sample(Sample &out)
{
    llvm::MCInst inst;
    for (unsigned k = 0; k < 64; k++) {
        const FixedRow &row = *rows[random.word() % rows.size()];
        uint32_t word = random.in(row.cube) & config.full();
        if (decode(word, inst)) {
            out = {word, ~row.cube.mask & config.full()};
            return true;
        }
    }
    return false;
}

/* For each operand the bits whose change alone changes it. */
std::vector<uint32_t> OperandLearner::influences(unsigned n_operands) const
{
    std::vector<uint32_t> found(n_operands, 0);
    llvm::MCInst plain, flipped;
    for (const Sample &s : samples) {
        decode(s.word, plain);
        for (unsigned bit = 0; bit < config.word_bits; bit++) {
            if (!((s.open >> bit) & 1) || !decode(s.word ^ (1u << bit), flipped))
                continue;
            for (unsigned n = 0; n < n_operands && flipped.getNumOperands() == n_operands; n++)
                if (!same(plain.getOperand(n), flipped.getOperand(n)))
                    found[n] |= 1u << bit;
        }
    }
    return found;
}

/* The register or immediate that operand n shows when `field` holds `value`, from any word that is valid that way. */
bool OperandLearner::probe(unsigned n, uint32_t field, uint32_t value, int64_t &found)
{
    llvm::MCInst inst;
    for (size_t k = 0; k < samples.size() + 200; k++) {
        uint32_t word = k < samples.size() ? samples[k].word : random.in(rows[k % rows.size()]->cube) & config.full();
        if (!decode((word & ~field) | value, inst))
            continue;
        const llvm::MCOperand &operand = inst.getOperand(n);
        found = operand.isReg() ? static_cast<int64_t>(operand.getReg()) : operand.getImm();
        return true;
    }
    return false;
}

bool OperandLearner::learn_reg(unsigned n, FixedOperand &out)
{
    if (out.bits.size() > max_map_bits)
        return false;
    tabulate(n, out);
    return true;
}

/* The value of operand n for each value of its bits. */
void OperandLearner::tabulate(unsigned n, FixedOperand &out)
{
    uint32_t field = 0;
    std::vector<std::vector<uint8_t>> runs;
    for (uint8_t bit : out.bits) {
        field |= 1u << bit;
        if (!runs.empty() && runs.back().back() + 1 == bit)
            runs.back().push_back(bit);
        else
            runs.push_back({bit});
    }
    std::map<uint32_t, int64_t> by_field;
    uint32_t part = 0;
    do {
        int64_t found = -1;
        probe(n, field, part, found);
        by_field[part] = found;
        part = (part - field) & field;
    } while (part);
    /* Order the runs of bits so that register numbers ascend most often: an architecture's field order does that. */
    std::vector<size_t> order(runs.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    long best = -1;
    do {
        std::vector<uint8_t> bits;
        for (size_t run : order)
            bits.insert(bits.end(), runs[run].begin(), runs[run].end());
        std::vector<int64_t> map(size_t{1} << bits.size());
        long score = 0;
        for (size_t v = 0; v < map.size(); v++) {
            uint32_t at = 0;
            for (size_t i = 0; i < bits.size(); i++)
                at |= ((v >> i) & 1) << bits[i];
            map[v] = by_field[at];
            score += v && map[v] == map[v - 1] + 1;
        }
        if (score > best) {
            best = score;
            out.bits = bits;
            out.map = map;
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

/* Solves value = base + sum of weight x bit over the samples (Gaussian elimination; a bit the samples do not
 * determine gets weight 0). False if no integers do. */
bool OperandLearner::solve(unsigned n, const std::vector<Sample> &from, FixedOperand &out) const
{
    size_t unknowns = out.bits.size() + 1;
    std::vector<std::vector<double>> pivot(unknowns);
    llvm::MCInst inst;
    for (const Sample &s : from) {
        decode(s.word, inst);
        std::vector<double> row(unknowns + 1, 1);
        for (size_t i = 0; i < out.bits.size(); i++)
            row[i] = (s.word >> out.bits[i]) & 1;
        row[unknowns] = static_cast<double>(inst.getOperand(n).getImm());
        for (size_t i = 0; i < unknowns; i++) {
            if (std::fabs(row[i]) < 1e-6)
                continue;
            if (pivot[i].empty()) {
                for (size_t k = unknowns + 1; k-- > i;)
                    row[k] /= row[i];
                pivot[i] = row;
                break;
            }
            for (size_t k = unknowns + 1; k-- > i;)
                row[k] -= row[i] * pivot[i][k];
        }
    }
    std::vector<int64_t> solution(unknowns, 0);
    for (size_t i = unknowns; i-- > 0;) {
        double value = pivot[i].empty() ? 0 : pivot[i][unknowns];
        for (size_t k = i + 1; !pivot[i].empty() && k < unknowns; k++)
            value -= pivot[i][k] * static_cast<double>(solution[k]);
        solution[i] = std::llround(value);
    }
    /* By ascending weight, so that the field reads like a number. */
    std::vector<std::pair<int64_t, uint8_t>> bits;
    for (size_t i = 0; i < out.bits.size(); i++)
        if (solution[i])
            bits.push_back({solution[i], out.bits[i]});
    std::sort(bits.begin(), bits.end(), [](const auto &a, const auto &b) {
        return std::make_pair(std::abs(a.first), a.second) < std::make_pair(std::abs(b.first), b.second);
    });
    out.base = solution[unknowns - 1];
    out.bits.clear();
    out.weight.clear();
    for (const auto &[weight, bit] : bits) {
        out.weight.push_back(weight);
        out.bits.push_back(bit);
    }
    return std::all_of(from.begin(), from.end(), [&](const Sample &s) {
        return decode(s.word, inst) && inst.getOperand(n).getImm() == out.value(s.word);
    });
}

bool OperandLearner::all_right(unsigned n, const FixedOperand &operand) const
{
    llvm::MCInst inst;
    return std::all_of(samples.begin(), samples.end(), [&](const Sample &s) {
        return decode(s.word, inst) && inst.getOperand(n).getImm() == operand.value(s.word);
    });
}

/* A constant part that the tables have no room for becomes the weight of a bit that is always set (A32: index modes). */
void OperandLearner::fold_base(FixedOperand &out) const
{
    uint32_t always = config.full();
    for (const FixedRow *row : rows)
        always &= row->cube.value;
    if ((out.base >= INT16_MIN && out.base <= INT16_MAX) || !always)
        return;
    out.bits.push_back(static_cast<uint8_t>(__builtin_ctz(always)));
    out.weight.push_back(out.base);
    out.base = 0;
}

bool OperandLearner::learn_imm(unsigned n, FixedOperand &out)
{
    FixedOperand plain = out;
    if (solve(n, samples, plain)) {
        out = plain;
        fold_base(out);
        return true;
    }
    return is_arm(config.isa) && (learn_sign_magnitude(n, out) || learn_layout(n, out) || learn_values(n, out));
}

/* One bit is the sign: what it leaves must be a sum of weighted bits. */
bool OperandLearner::learn_sign_magnitude(unsigned n, FixedOperand &out) const
{
    for (const bool set : {true, false})
    for (uint8_t sign : out.bits) {
        FixedOperand positive = out;
        positive.bits.erase(std::find(positive.bits.begin(), positive.bits.end(), sign));
        std::vector<Sample> some;
        std::copy_if(samples.begin(), samples.end(), std::back_inserter(some),
                     [&](const Sample &s) { return ((s.word >> sign) & 1) == (set ? 1u : 0u); });
        if (some.empty() || !solve(n, some, positive) || positive.base)
            continue;
        positive.bits.push_back(sign);
        positive.weight.push_back(1 << 30);
        positive.code = set ? FixedCode::sign_magnitude : FixedCode::magnitude_sign;
        if (!all_right(n, positive))
            continue;
        out = positive;
        return true;
    }
    return false;
}

/* Fields whose place the architecture fixes. */
bool OperandLearner::learn_layout(unsigned n, FixedOperand &out) const
{
    static const struct {
        FixedCode code;
        std::vector<uint8_t> bits;
    } layouts[] = {
        {FixedCode::thumb_constant, {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 26}},
        {FixedCode::thumb_branch, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 16,
                                   17, 18, 19, 20, 21, 22, 23, 24, 25, 11, 13, 26}},
        {FixedCode::bit_field, {0, 1, 2, 3, 4, 6, 7, 12, 13, 14}},
        {FixedCode::bit_field, {16, 17, 18, 19, 20, 7, 8, 9, 10, 11}},
    };
    for (const auto &layout : layouts) {
        FixedOperand coded = out;
        coded.code = layout.code;
        coded.bits = layout.bits;
        coded.base = 0;
        coded.weight.clear();
        for (size_t i = 0; i < coded.bits.size(); i++)
            coded.weight.push_back(int64_t{1} << (layout.code == FixedCode::thumb_branch ? i + 1 : i));
        if (config.word_bits != 32 || !all_right(n, coded))
            continue;
        out = coded;
        return true;
    }
    return false;
}

bool OperandLearner::learn_values(unsigned n, FixedOperand &out)
{
    if (out.bits.size() > max_value_bits)
        return false;
    tabulate(n, out);
    out.code = FixedCode::values;
    out.base = 0;
    out.weight.clear();
    return all_right(n, out);
}

bool OperandLearner::learn(FixedSignature &out)
{
    llvm::MCInst first, inst;
    decode(samples[0].word, first);
    out.assign(first.getNumOperands(), FixedOperand{});
    std::vector<uint32_t> field = influences(first.getNumOperands());
    for (unsigned n = 0; n < out.size(); n++) {
        bool is_reg = first.getOperand(n).isReg();
        for (const Sample &s : samples) {
            decode(s.word, inst);
            if (inst.getNumOperands() != out.size() || inst.getOperand(n).isReg() != is_reg ||
                inst.getOperand(n).isImm() == is_reg)
                return false;
        }
        FixedOperand &operand = out[n];
        uint32_t bits = field[n];
        for (const Sample &s : samples)
            if (wide && !is_reg)
                bits |= s.word ^ samples[0].word;
        for (uint8_t bit = 0; bit < config.word_bits; bit++)
            if ((bits >> bit) & 1)
                operand.bits.push_back(bit);
        if (operand.bits.empty()) {
            operand.kind = is_reg ? FixedOperand::const_reg : FixedOperand::const_imm;
            operand.base = is_reg ? static_cast<int64_t>(first.getOperand(n).getReg()) : first.getOperand(n).getImm();
        } else {
            operand.kind = is_reg ? FixedOperand::reg : FixedOperand::imm;
            if (!(is_reg ? learn_reg(n, operand) : learn_imm(n, operand)))
                return false;
        }
    }
    return true;
}

bool OperandLearner::right(uint32_t word, const FixedSignature &signature) const
{
    llvm::MCInst inst;
    bool good = decode(word, inst) && inst.getNumOperands() == signature.size();
    for (unsigned n = 0; good && n < signature.size(); n++) {
        const llvm::MCOperand &have = inst.getOperand(n);
        good = have.isReg() == signature[n].is_reg() &&
               (have.isReg() ? static_cast<int64_t>(have.getReg()) : have.getImm()) == signature[n].value(word);
    }
    return good;
}

/* Learns, checks on fresh words, and learns again with the words that were wrong. */
bool OperandLearner::attempt(FixedSignature &out)
{
    Sample s;
    samples.clear();
    for (unsigned k = 0; k < first_samples && sample(s); k++)
        samples.push_back(s);
    for (unsigned round = 0; round < max_relearn && !samples.empty(); round++) {
        bool learned = learn(out);
        size_t before = samples.size();
        for (unsigned k = 0; k < (is_arm(config.isa) ? check_samples_arm : check_samples) && sample(s); k++)
            if ((!learned || !right(s.word, out)) && samples.size() < before + 40)
                samples.push_back(s);
        if (samples.size() == before)
            return true;
    }
    return false;
}

bool OperandLearner::run(FixedSignature &out)
{
    for (int pass = 0; pass < 4; pass++) {
        wide = pass & 1;
        strict = pass & 2;
        if (attempt(out))
            return true;
    }
    return false;
}

} // namespace

std::vector<uint32_t> sample_words(const FixedOracle &oracle, unsigned opcode,
                                   const std::vector<const FixedRow *> &rows, unsigned count)
{
    FixedRandom random(1001 + opcode);
    std::vector<uint32_t> words;
    for (unsigned tries = 0; tries < 64 * count && words.size() < count; tries++) {
        const uint32_t word = random.in(rows[random.word() % rows.size()]->cube) & oracle.config.full();
        if (oracle.opcode(word) == opcode)
            words.push_back(word);
    }
    return words;
}

unsigned learn_operands(const FixedOracle &oracle, FixedDecoder &decoder)
{
    const llvm::MCInstrInfo &mcii = *oracle.target.mcii;
    std::vector<std::vector<const FixedRow *>> rows(mcii.getNumOpcodes());
    for (const auto &row : decoder.table.rows)
        rows[row.opcode].push_back(&row);
    decoder.signature.assign(rows.size(), {});
    decoder.list.assign(rows.size(), {});
    unsigned failed = 0;
    for (unsigned opcode = 1; opcode < rows.size(); opcode++) {
        if (rows[opcode].empty())
            continue;
        const bool lists = is_arm(oracle.config.isa) && mcii.get(opcode).isVariadic();
        if (OperandLearner(oracle, opcode, rows[opcode]).run(decoder.signature[opcode]) &&
            (!lists || learn_list(oracle, opcode, sample_words(oracle, opcode, rows[opcode], 400), decoder.list[opcode])))
            continue;
        fprintf(stderr, "modelgen: operands of %s cannot be expressed\n", mcii.getName(opcode).str().c_str());
        failed++;
    }
    return failed;
}

} // namespace modelgen
