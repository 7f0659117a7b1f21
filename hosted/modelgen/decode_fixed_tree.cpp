/* SPDX-License-Identifier: Apache-2.0 */
/* Turns rows into a decision graph of 16-bit units: small enough for boards, a few dependent loads per word.
 *
 * A reference is below FIRST_NODE: that op (0: undecodable), else FIRST_NODE + offset of a node. Node forms, by the two
 * top bits of the first unit (S: 5 bits of shift):
 *   switch    0 | width << 5 | S        then 1 << width references, chosen by the field
 *   match     1 | S                     mask, value, reference if equal, reference if not
 *   distinct  2 | S2 << 5 | S           reference if the two register fields differ, reference if not
 * Equal sub-graphs are stored once. */
#include "decode_fixed.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace modelgen {
namespace {

/* Longer lists are split on a guess: looking ahead takes minutes there and gains little. */
const size_t look_ahead_rules = 6;

struct Rule {
    uint32_t mask, value;
    uint16_t op, distinct;
    bool operator<(const Rule &o) const
    {
        return std::tie(mask, value, op, distinct) < std::tie(o.mask, o.value, o.op, o.distinct);
    }
    bool operator==(const Rule &o) const { return !(*this < o) && !(o < *this); }
    bool always() const { return mask == 0 && distinct == 0; }
};

/* In order of precedence; no rule: undecodable. */
using Rules = std::vector<Rule>;

struct Split {
    enum Kind { none, by_field, by_match, by_distinct } kind = none;
    unsigned shift = 0, width = 0;
    uint32_t mask = 0, value = 0;
    uint16_t pair = 0;
    double cost = INFINITY;
};

class TreeBuilder {
  public:
    TreeBuilder(const FixedConfig &config, std::vector<uint16_t> &units) : config(config), units(units) {}
    uint16_t build(const Rules &rules, const Split *forced = nullptr);
    static Rules simplify(const Rules &rules);

  private:
    std::vector<Rules> children(const Rules &rules, const Split &split) const;
    std::vector<Split> candidates(const Rules &rules) const;
    double own_cost(const Split &split) const;
    double estimate(const Rules &rules, bool look_ahead);
    Split choose(const Rules &rules, bool look_ahead);
    uint16_t emit(const Split &split, const std::vector<uint16_t> &refs);

    const FixedConfig &config;
    std::vector<uint16_t> &units;
    std::map<Rules, uint16_t> built;
    std::map<std::vector<uint16_t>, uint16_t> emitted;
    std::map<Rules, double> guesses;
};

bool overlap(const Rule &a, const Rule &b)
{
    return ((a.value ^ b.value) & a.mask & b.mask) == 0;
}

bool inside(const Rule &inner, const Rule &outer)
{
    return (outer.mask & ~inner.mask) == 0 && overlap(inner, outer);
}

/* Drops rules that never decide, or that decide like what follows them. */
Rules TreeBuilder::simplify(const Rules &rules)
{
    Rules out;
    for (const Rule &rule : rules) {
        bool hidden = std::any_of(out.begin(), out.end(),
                                  [&](const Rule &r) { return r.distinct == 0 && inside(rule, r); });
        if (!hidden)
            out.push_back(rule);
        if (rule.always())
            break;
    }
    for (size_t i = out.size(); i-- > 0;) {
        bool needed = out[i].op != 0;
        for (size_t k = i + 1; k < out.size(); k++) {
            if (!overlap(out[i], out[k]))
                continue;
            if (out[k].op == out[i].op && out[k].distinct == 0 && inside(out[i], out[k])) {
                needed = false;
                break;
            }
            if (out[k].op != out[i].op || out[k].distinct) {
                needed = true;
                break;
            }
        }
        if (!needed)
            out.erase(out.begin() + static_cast<long>(i));
    }
    return out;
}

std::vector<Rules> TreeBuilder::children(const Rules &rules, const Split &split) const
{
    std::vector<Rules> out;
    if (split.kind == Split::by_field) {
        uint32_t field = ((1u << split.width) - 1) << split.shift;
        out.resize(size_t{1} << split.width);
        for (const Rule &rule : rules) {
            uint32_t open = field & ~rule.mask, part = 0;
            Rule rest = {rule.mask & ~field, rule.value & ~field, rule.op, rule.distinct};
            do {
                Rules &child = out[((rule.value & field) | part) >> split.shift];
                if (child.empty() || !child.back().always())
                    child.push_back(rest);
                part = (part - open) & open;
            } while (part);
        }
    } else if (split.kind == Split::by_match) {
        out.resize(2);
        for (const Rule &rule : rules) {
            if (((rule.value ^ split.value) & rule.mask & split.mask) == 0)
                out[0].push_back({rule.mask & ~split.mask, rule.value & ~split.mask, rule.op, rule.distinct});
            if ((rule.mask & split.mask) != split.mask || ((rule.value ^ split.value) & split.mask))
                out[1].push_back(rule);
        }
    } else {
        out.resize(2);
        for (const Rule &rule : rules) {
            out[0].push_back({rule.mask, rule.value, rule.op, static_cast<uint16_t>(rule.distinct & ~split.pair)});
            if (!(rule.distinct & split.pair))
                out[1].push_back(rule);
        }
    }
    for (Rules &child : out)
        child = simplify(child);
    return out;
}

std::vector<Split> TreeBuilder::candidates(const Rules &rules) const
{
    std::vector<Split> out;
    uint32_t asked = 0;
    uint16_t common = 0xffff;
    for (const Rule &rule : rules) {
        asked |= rule.mask;
        if (rule.op)
            common &= rule.distinct;
    }
    Split split;
    if (common) {
        split.kind = Split::by_distinct;
        split.pair = static_cast<uint16_t>(common & -common);
        out.push_back(split);
        return out;
    }
    for (unsigned width = 1; width <= 8; width++)
        for (unsigned shift = 0; shift + width <= config.word_bits; shift++) {
            uint32_t field = ((1u << width) - 1) << shift;
            if (!((asked >> shift) & 1) || !((asked >> (shift + width - 1)) & 1) ||
                __builtin_popcount(field & asked) * 2 < static_cast<int>(width))
                continue;
            split = Split();
            split.kind = Split::by_field;
            split.shift = shift;
            split.width = width;
            out.push_back(split);
        }
    for (size_t i = 0; i < rules.size() && i < 24; i++) {
        /* Windows of 16 bits at the rule's lowest and at its highest bit. */
        unsigned low = rules[i].mask ? static_cast<unsigned>(__builtin_ctz(rules[i].mask)) : 0;
        unsigned top = rules[i].mask ? 31 - static_cast<unsigned>(__builtin_clz(rules[i].mask)) : 0;
        for (unsigned shift : {low, top < 15 ? 0 : top - 15}) {
            split = Split();
            split.kind = Split::by_match;
            split.shift = shift;
            split.mask = rules[i].mask & (0xffffu << shift);
            split.value = rules[i].value & split.mask;
            if (split.mask)
                out.push_back(split);
        }
    }
    return out;
}

/* Bytes; a match costs 10, but chains of them are slow and hide what rules share, so it is charged 16. */
double TreeBuilder::own_cost(const Split &split) const
{
    if (split.kind == Split::by_field)
        return 2 + 2 * std::ldexp(1.0, static_cast<int>(split.width));
    return split.kind == Split::by_match ? 16 : 6;
}

/* Guessed bytes for a list of rules: from their number, or from the best first question about them. */
double TreeBuilder::estimate(const Rules &rules, bool look_ahead)
{
    if (rules.empty() || rules[0].always() || built.count(rules))
        return 0;
    if (!look_ahead) {
        double guess = 4;
        for (const Rule &rule : rules)
            guess += rule.op ? 4.5 : 6;
        return guess;
    }
    auto known = guesses.find(rules);
    if (known == guesses.end())
        known = guesses.emplace(rules, choose(rules, false).cost).first;
    return known->second;
}

Split TreeBuilder::choose(const Rules &rules, bool look_ahead)
{
    Split best;
    for (Split split : candidates(rules)) {
        std::vector<Rules> parts = children(rules, split);
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        split.cost = own_cost(split);
        for (const Rules &part : parts) {
            if (part == rules)
                split.cost = INFINITY;
            split.cost += estimate(part, look_ahead);
            if (split.cost >= best.cost)
                break;
        }
        if (split.cost < best.cost)
            best = split;
    }
    return best;
}

uint16_t TreeBuilder::emit(const Split &split, const std::vector<uint16_t> &refs)
{
    if (std::all_of(refs.begin(), refs.end(), [&](uint16_t r) { return r == refs[0]; }))
        return refs[0];
    std::vector<uint16_t> node;
    if (split.kind == Split::by_field) {
        node = {static_cast<uint16_t>(split.width << 5 | split.shift)};
    } else if (split.kind == Split::by_match) {
        node = {static_cast<uint16_t>(0x4000 | split.shift), static_cast<uint16_t>(split.mask >> split.shift),
                static_cast<uint16_t>(split.value >> split.shift)};
    } else {
        auto [a, b] = config.pair(static_cast<size_t>(__builtin_ctz(split.pair)));
        node = {static_cast<uint16_t>(0x8000 | b << 5 | a)};
    }
    node.insert(node.end(), refs.begin(), refs.end());
    auto known = emitted.find(node);
    if (known != emitted.end())
        return known->second;
    uint16_t ref = static_cast<uint16_t>(fixed_first_node + units.size());
    units.insert(units.end(), node.begin(), node.end());
    emitted[node] = ref;
    return ref;
}

uint16_t TreeBuilder::build(const Rules &rules, const Split *forced)
{
    if (rules.empty())
        return 0;
    if (rules[0].always())
        return rules[0].op;
    auto known = built.find(rules);
    if (known != built.end())
        return known->second;
    Split split = forced ? *forced : choose(rules, rules.size() <= look_ahead_rules);
    std::vector<uint16_t> refs;
    for (const Rules &child : children(rules, split))
        refs.push_back(build(child));
    uint16_t ref = emit(split, refs);
    built[rules] = ref;
    return ref;
}

} // namespace

std::vector<uint16_t> build_tree(const FixedRows &table, const OpSpace &space)
{
    Rules rules;
    for (const FixedRow &row : table.rows)
        rules.push_back({row.cube.mask & ~table.config.domain.mask, row.cube.value & ~table.config.domain.mask,
                         row.opcode ? space.of_llvm[row.opcode] : uint16_t{0}, row.distinct});
    std::vector<uint16_t> units;
    Split root;
    root.kind = Split::by_field;
    root.shift = table.config.root_shift;
    root.width = table.config.root_width;
    TreeBuilder builder(table.config, units);
    uint16_t ref = builder.build(rules, &root);
    units.push_back(ref);
    return units;
}

} // namespace modelgen
