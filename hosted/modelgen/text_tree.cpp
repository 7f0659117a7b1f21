/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions between an opcode's templates: a decision tree over features of the operands. */
#include "text.h"

#include <algorithm>
#include <cmath>

namespace modelgen {

namespace {

using Samples = std::vector<const TextSample *>;

/* A test that divides the samples, and how well. */
struct Split {
    disasm_feature feature;
    unsigned a, b;
    bool less;
    std::vector<int64_t> set;
    double score = 0;
    bool found = false;
};

double bits(const std::map<int, size_t> &counts)
{
    size_t total = 0;
    double sum = 0;
    for (const auto &[label, count] : counts)
        total += count;
    for (const auto &[label, count] : counts)
        sum -= static_cast<double>(count) * std::log2(static_cast<double>(count) / static_cast<double>(total));
    return sum;
}

/* Everything that one feature says about the labels. */
class Feature {
  public:
    Feature(disasm_feature feature, unsigned a, unsigned b, const Samples &samples, const std::vector<int> &labels)
        : feature(feature), a(a), b(b)
    {
        for (size_t i = 0; i < samples.size(); i++) {
            int64_t value;
            all[labels[i]]++;
            if (disasm_feature_value(feature, &samples[i]->insn, a, b, &value))
                by_value[value][labels[i]]++;
        }
    }
    void improve(Split &best)
    {
        if (by_value.empty())
            return;
        for (const auto &[label, count] : all)
            try_label(label, best);
        if (by_value.size() <= 128)
            try_single(best);
        if (feature != DISASM_REG)
            try_thresholds(best);
    }

  private:
    static int majority(const std::map<int, size_t> &counts)
    {
        return std::max_element(counts.begin(), counts.end(),
                                [](const auto &x, const auto &y) { return x.second < y.second; })->first;
    }
    void consider(const std::map<int, size_t> &yes, bool less, const std::vector<int64_t> &set, Split &best)
    {
        std::map<int, size_t> no = all;
        for (const auto &[label, count] : yes)
            if ((no[label] -= count) == 0)
                no.erase(label);
        if (set.empty() || yes.empty() || no.empty())
            return;
        /* What it takes to say which values: a set of few values out of many is a coincidence more often than not. */
        const double size = static_cast<double>(std::min(set.size(), by_value.size() - set.size() + 1));
        const double n_values = static_cast<double>(by_value.size());
        double cost = less ? 3 : size * std::log2(2.72 * n_values / size);
        if (!less && set.size() == 1 && (set[0] == by_value.begin()->first || set[0] == by_value.rbegin()->first))
            cost = 2; /* the smallest or the largest of all: no coincidence */
        if (feature > DISASM_SAME_REG)
            cost += 1;
        double gain = bits(all) - bits(yes) - bits(no), score = gain - cost;
        if (gain > 0.01 && (!best.found || score > best.score + 1e-9)) {
            best.feature = feature;
            best.a = a;
            best.b = b;
            best.less = less;
            best.set = set;
            best.score = score;
            best.found = true;
        }
    }
    /* Of the numbers above `low`, up to `high`, the one that a limit would most likely be. */
    static int64_t roundest(int64_t low, int64_t high)
    {
        for (unsigned shift = 62; shift; shift--) {
            const int64_t multiple = (high >> shift) * (int64_t(1) << shift);
            if (multiple > low)
                return multiple;
        }
        return high;
    }
    /* The values of which `chosen` holds; or if they are the most of them, the others: what was not seen is like the most. */
    template <typename Chosen> void try_values(Chosen chosen, Split &best)
    {
        std::vector<int64_t> in, out;
        std::map<int, size_t> with, without;
        for (const auto &[value, counts] : by_value) {
            const bool is_in = chosen(value, counts);
            (is_in ? in : out).push_back(value);
            for (const auto &[label, count] : counts)
                (is_in ? with : without)[label] += count;
        }
        if (in.size() <= out.size())
            consider(with, false, in, best);
        else
            consider(without, false, out, best);
    }
    void try_label(int label, Split &best)
    {
        using Counts = std::map<int, size_t>;
        try_values([&](int64_t, const Counts &counts) { return majority(counts) == label; }, best);
        try_values([&](int64_t, const Counts &counts) { return counts.count(label) != 0; }, best);
    }
    void try_single(Split &best)
    {
        for (const auto &[value, counts] : by_value)
            consider(counts, false, {value}, best);
    }
    void try_thresholds(Split &best)
    {
        std::map<int, size_t> below;
        int last = -1;
        int64_t before = 0;
        unsigned tried = 0;
        for (const auto &[value, counts] : by_value) {
            if (!below.empty() && tried < 64 && (majority(counts) != last || value == 0)) {
                consider(below, true, {roundest(before, value)}, best);
                tried++;
            }
            last = majority(counts);
            before = value;
            for (const auto &[label, count] : counts)
                below[label] += count;
        }
    }

    disasm_feature feature;
    unsigned a, b;
    std::map<int64_t, std::map<int, size_t>> by_value;
    std::map<int, size_t> all;
};

/* Is the operand a logical immediate? Not every number is one. */
bool is_logical(const Samples &samples, unsigned a)
{
    int64_t largest = 0;
    uint64_t pattern;
    for (const TextSample *sample : samples) {
        const sl_operand &operand = sample->insn.operand[a];
        if (operand.kind != SL_OPERAND_IMM || operand.imm < 0 || operand.imm > 8191 ||
            !disasm_logical_immediate(static_cast<uint64_t>(operand.imm), &pattern))
            return false;
        largest = std::max(largest, operand.imm);
    }
    return largest > 255;
}

Split best_split(const TextTables &tables, const Samples &samples, const std::vector<int> &labels)
{
    Split best;
    const sl_insn &first = samples[0]->insn;
    const auto ask = [&](disasm_feature feature, unsigned a, unsigned b) {
        Feature(feature, a, b, samples, labels).improve(best);
    };
    for (unsigned a = 0; a < sl_insn_stored(&first); a++) {
        if (first.list_kind == SL_LIST_MASK && first.operand[a].kind == SL_OPERAND_REG)
            ask(DISASM_LIST_HOLDS, a, tables.first_general);
        if (tables.by_operand && first.operand[a].kind == SL_OPERAND_IMM)
            ask(DISASM_ROTATED_PLAIN, a, a);
        if (!tables.by_operand && is_logical(samples, a))
            for (int feature = DISASM_MOVE_WIDE_32; feature < DISASM_OPERANDS; feature++)
                ask(static_cast<disasm_feature>(feature), a, a);
        else
            ask(first.operand[a].kind == SL_OPERAND_REG ? DISASM_REG : DISASM_IMM, a, a);
        for (unsigned b = 0; b < a; b++)
            if (first.operand[a].kind == first.operand[b].kind)
                ask(first.operand[a].kind == SL_OPERAND_REG ? DISASM_SAME_REG : DISASM_DIFFERENCE, a, b);
    }
    ask(DISASM_OPERANDS, 0, 0);
    if (!tables.by_operand) {
        ask(DISASM_SYSTEM, 0, 0);
        ask(DISASM_SYSTEM, 1, 1);
    }
    return best;
}

class Learner {
  public:
    explicit Learner(TextTables &tables) : tables(tables) {}

    uint16_t learn(const Samples &samples, unsigned depth)
    {
        if (++steps > 3000)
            return DISASM_NOTHING;
        bool one_shape = std::all_of(samples.begin(), samples.end(), [&](const TextSample *sample) {
            return sample->shape == samples[0]->shape;
        });
        size_t unexplained = 0;
        std::string mnemonic, pattern;
        if (one_shape && learn_template(tables, samples, mnemonic, pattern, unexplained))
            return tables.leaf(mnemonic, pattern);
        if (depth == 24)
            return DISASM_NOTHING;
        if (!one_shape) {
            uint16_t result = divide(samples, depth, 64, [](const TextSample &sample) { return sample.shape; });
            return result != DISASM_NOTHING ? result : divide(samples, depth, 64, [](const TextSample &sample) {
                return sample.shape + sample.tokens[0].text[0];
            });
        }
        uint16_t result = divide(samples, depth, 64, [&](const TextSample &sample) {
            return sample.tokens[0].text[0];
        });
        if (result == DISASM_NOTHING)
            result = divide(samples, depth, 3, [&](const TextSample &sample) {
                const std::string &text = sample.tokens[unexplained].text[0];
                return text == "-0" ? text : text[0] == '-' ? std::string("-") : text.substr(0, 2) == "0x" ? std::string("0x") : std::string();
            });
        return result != DISASM_NOTHING ? result : divide(samples, depth, 64, [&](const TextSample &sample) {
            return sample.tokens[unexplained].text[0];
        });
    }

  private:
    template <typename LabelOf> uint16_t divide(const Samples &samples, unsigned depth, size_t limit, LabelOf label_of)
    {
        std::map<std::string, int> numbers;
        std::vector<int> labels;
        for (const TextSample *sample : samples)
            labels.push_back(numbers.emplace(label_of(*sample), static_cast<int>(numbers.size())).first->second);
        if (numbers.size() < 2 || numbers.size() > limit)
            return DISASM_NOTHING;
        Split split = best_split(tables, samples, labels);
        if (!split.found)
            return DISASM_NOTHING;
        Samples yes, no;
        for (const TextSample *sample : samples) {
            int64_t value;
            bool holds = disasm_feature_value(split.feature, &sample->insn, split.a, split.b, &value) &&
                         (split.less ? value < split.set[0] : std::binary_search(split.set.begin(), split.set.end(), value));
            (holds ? yes : no).push_back(sample);
        }
        uint16_t on_yes = learn(yes, depth + 1);
        if (on_yes == DISASM_NOTHING)
            return DISASM_NOTHING;
        uint16_t on_no = learn(no, depth + 1);
        if (on_no == DISASM_NOTHING)
            return DISASM_NOTHING;
        return tables.node({static_cast<uint8_t>(split.feature), static_cast<uint8_t>(split.a), static_cast<uint8_t>(split.b),
                            split.less, tables.set(split.set), on_yes, on_no});
    }

    TextTables &tables;
    unsigned steps = 0;
};

} // namespace

uint16_t learn_text(TextTables &tables, const Samples &samples)
{
    return samples.empty() ? DISASM_NOTHING : Learner(tables).learn(samples, 0);
}

} // namespace modelgen
