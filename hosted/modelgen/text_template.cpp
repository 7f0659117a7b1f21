/* SPDX-License-Identifier: Apache-2.0 */
/* One template from samples of one shape: each token is fixed, or a formatter explains it in every sample. */
#include "text.h"

#include <algorithm>
#include <cstdlib>

namespace modelgen {

namespace {

using Samples = std::vector<const TextSample *>;

/* A table entry key takes 32 bits. */
bool feature_key(const sl_insn &insn, disasm_feature feature, unsigned a, int32_t &key)
{
    int64_t value;
    if (!disasm_feature_value(feature, &insn, a, a, &value) || value != static_cast<int32_t>(value))
        return false;
    key = static_cast<int32_t>(value);
    return true;
}

bool constant(const Samples &samples, size_t at)
{
    const TextToken &first = samples[0]->tokens[at];
    if (first.text[0] != first.text[1])
        return false;
    return std::all_of(samples.begin(), samples.end(), [&](const TextSample *sample) {
        return sample->tokens[at].text == first.text && sample->tokens[at].operand == first.operand;
    });
}

/* What all texts of a token begin and end with. */
std::pair<size_t, size_t> common_ends(const Samples &samples, size_t at)
{
    const std::string &first = samples[0]->tokens[at].text[0];
    size_t prefix = first.size(), suffix = first.size();
    for (const TextSample *sample : samples) {
        const std::string &text = sample->tokens[at].text[0];
        size_t k = 0;
        while (k < prefix && k < text.size() && text[k] == first[k])
            k++;
        prefix = k;
    }
    for (const TextSample *sample : samples) {
        const std::string &text = sample->tokens[at].text[0];
        size_t k = 0, limit = std::min(suffix, std::min(text.size(), first.size()) - prefix);
        while (k < limit && text[text.size() - 1 - k] == first[first.size() - 1 - k])
            k++;
        suffix = k;
    }
    return {prefix, suffix};
}

/* The token as a function of one feature. */
bool names_by(const Samples &samples, size_t at, disasm_feature feature, unsigned a, std::pair<size_t, size_t> ends,
              NameTable &names)
{
    names.clear();
    for (const TextSample *sample : samples) {
        int32_t key;
        const auto &text = sample->tokens[at].text;
        if (text[0] != text[1] || !feature_key(sample->insn, feature, a, key))
            return false;
        std::string name = text[0].substr(ends.first, text[0].size() - ends.first - ends.second);
        auto [found, fresh] = names.emplace(key, name);
        if (!fresh && found->second != name)
            return false;
    }
    return true;
}

/* Were all values of the operand seen? The samples hold every value of small fields. */
bool complete(const TextTables &tables, const NameTable &names, unsigned operand)
{
    if (tables.by_operand)
        return tables.small_operands >> operand & 1;
    return names.begin()->first >= -256 && names.rbegin()->first <= tables.largest_key;
}

/* Takes out what the generic names of system registers say. */
bool drop_generic(NameTable &names)
{
    char generic[DISASM_NUMBER_BYTES];
    bool any = false;
    for (auto entry = names.begin(); entry != names.end();) {
        disasm_generic_sysreg(static_cast<uint64_t>(entry->first), generic);
        bool same = entry->second == generic;
        any |= same;
        entry = same ? names.erase(entry) : std::next(entry);
    }
    return any;
}

std::string slot_text(uint16_t slot)
{
    return {static_cast<char>(0x80 + slot / 128), static_cast<char>(0x80 + slot % 128)};
}

/* known_register: only as a register in a table that is there already. */
bool explain_word(TextTables &tables, const Samples &samples, size_t at, std::string &out, bool known_register = false)
{
    struct Choice {
        disasm_feature feature;
        unsigned a;
    };
    std::vector<Choice> choices;
    unsigned n = sl_insn_stored(&samples[0]->insn);
    const bool mnemonic = at == 0;
    for (unsigned a = 0; a < n; a++) {
        if (samples[0]->insn.operand[a].kind == SL_OPERAND_IMM) {
            if (!known_register)
                choices.push_back({DISASM_IMM, a});
        } else if (!mnemonic)
            choices.push_back({DISASM_REG, a});
    }
    if (!known_register && !tables.by_operand) {
        choices.push_back({DISASM_SYSTEM, 0});
        choices.push_back({DISASM_SYSTEM, 1});
    }
    const auto ends = mnemonic ? common_ends(samples, at) : std::make_pair(size_t(0), size_t(0));
    const std::string &first = samples[0]->tokens[at].text[0];
    const Choice *best = nullptr;
    int best_table = -1;
    bool best_sysreg = false;
    NameTable names, best_names;
    for (const Choice &choice : choices) {
        if (!names_by(samples, at, choice.feature, choice.a, ends, names))
            continue;
        const bool sysreg = choice.feature == DISASM_IMM && !tables.by_operand && drop_generic(names);
        if (choice.feature == DISASM_IMM && !sysreg && !complete(tables, names, choice.a))
            continue;
        int known = tables.known_table(names, sysreg);
        if (!best || (known >= 0 && best_table < 0) || (best_table < 0 && names.size() < best_names.size())) {
            best = &choice;
            best_sysreg = sysreg;
            best_table = known;
            best_names = names;
        }
        if (known >= 0)
            break;
    }
    if (!best || (known_register && best_table < 0))
        return false;
    disasm_slot slot = {static_cast<uint8_t>(best_sysreg ? DISASM_SYSREG : DISASM_NAME), static_cast<uint8_t>(best->a),
                        static_cast<uint8_t>(best->feature), tables.table(best_names, best_sysreg)};
    out = first.substr(0, ends.first) + slot_text(tables.slot(slot)) + first.substr(first.size() - ends.second);
    return true;
}

struct NumberChoice {
    disasm_number number;
    unsigned a, b;
};

/* Cheapest check first: most candidates fail on the first sample. */
bool fits(const Samples &samples, size_t at, const NumberChoice &choice)
{
    char text[DISASM_NUMBER_BYTES];
    int64_t value;
    for (const TextSample *sample : samples) {
        if (!disasm_number_value(&choice.number, &sample->insn, choice.a, choice.b, &value))
            return false;
        for (unsigned mode = 0; mode < 2; mode++) {
            disasm_number_text(&choice.number, value, mode != 0, text);
            if (sample->tokens[at].text[mode] != text)
                return false;
        }
    }
    return true;
}

bool any_style(const Samples &samples, size_t at, NumberChoice &choice)
{
    for (unsigned style = 0; style < DISASM_STYLES; style++) {
        for (unsigned width = 0; width < DISASM_WIDTHS; width++) {
            choice.number.style = static_cast<uint8_t>(style);
            choice.number.width = static_cast<uint8_t>(width);
            if (fits(samples, at, choice))
                return true;
        }
    }
    return false;
}

int64_t token_value(const TextSample *sample, size_t at)
{
    const std::string &text = sample->tokens[at].text[0];
    return text[0] == '-' ? strtoll(text.c_str(), nullptr, 0) : static_cast<int64_t>(strtoull(text.c_str(), nullptr, 0));
}

int64_t imm_of(const TextSample *sample, unsigned a)
{
    return a < sl_insn_stored(&sample->insn) ? sample->insn.operand[a].imm : 0;
}

bool linear_one(const Samples &samples, size_t at, unsigned a, NumberChoice &choice)
{
    std::vector<int64_t> factors = {1, -1, 2, 4, 8, 16, 32, 64, 256, 512, 4096};
    const TextSample *first = samples[0];
    for (const TextSample *sample : samples) {
        int64_t step = imm_of(sample, a) - imm_of(first, a);
        if (step && (token_value(sample, at) - token_value(first, at)) % step == 0) {
            factors.push_back((token_value(sample, at) - token_value(first, at)) / step);
            break;
        }
    }
    for (int64_t factor : factors) {
        if (!factor)
            continue;
        int64_t rest = static_cast<int64_t>(static_cast<uint64_t>(token_value(first, at)) -
                                            static_cast<uint64_t>(factor) * static_cast<uint64_t>(imm_of(first, a)));
        for (int64_t add : {rest, int64_t(0)}) {
            choice = {{factor, 0, add, DISASM_LINEAR, 0, 0}, a, a};
            if (any_style(samples, at, choice))
                return true;
        }
    }
    return false;
}

bool field_of(const Samples &samples, size_t at, unsigned a, NumberChoice &choice)
{
    for (int64_t shift = 0; shift < 13; shift++) {
        for (unsigned width = 1; width < 13; width++) {
            choice = {{(int64_t(1) << width) - 1, 0, shift, DISASM_FIELD, 0, 0}, a, a};
            if (any_style(samples, at, choice))
                return true;
        }
    }
    return false;
}

bool computed(const Samples &samples, size_t at, unsigned a, unsigned b, NumberChoice &choice)
{
    for (unsigned kind = DISASM_SHIFTED; kind < DISASM_ROTATED; kind++) {
        choice = {{0, 0, 0, static_cast<uint8_t>(kind), 0, 0}, a, b};
        if (any_style(samples, at, choice))
            return true;
    }
    return false;
}

/* Of Arm. */
bool coded(const Samples &samples, size_t at, unsigned a, NumberChoice &choice)
{
    for (unsigned kind : {DISASM_ROTATED, DISASM_NEON_VALUE, DISASM_FIELD_FIRST, DISASM_FIELD_WIDTH}) {
        choice = {{0, 0, 0, static_cast<uint8_t>(kind), 0, 0}, a, a};
        if (any_style(samples, at, choice))
            return true;
    }
    for (int64_t shift = 0; shift < 10; shift++) {
        choice = {{31, 0, shift, DISASM_ONE_MORE, 0, 0}, a, a};
        if (any_style(samples, at, choice))
            return true;
    }
    return false;
}

bool linear_two(const Samples &samples, size_t at, unsigned a, unsigned b, NumberChoice &choice)
{
    static const int64_t factors[][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    for (const auto &factor : factors) {
        int64_t add = token_value(samples[0], at) - factor[0] * imm_of(samples[0], a) - factor[1] * imm_of(samples[0], b);
        choice = {{factor[0], factor[1], add, DISASM_LINEAR, 0, 0}, a, b};
        if (any_style(samples, at, choice))
            return true;
    }
    return false;
}

bool explain_number(TextTables &tables, const Samples &samples, size_t at, std::string &out)
{
    std::vector<unsigned> immediates;
    for (unsigned a = 0; a < sl_insn_stored(&samples[0]->insn); a++)
        if (samples[0]->insn.operand[a].kind == SL_OPERAND_IMM)
            immediates.push_back(a);
    NumberChoice choice;
    const auto found = [&] {
        for (unsigned a : immediates)
            if (linear_one(samples, at, a, choice))
                return true;
        choice = {{0, 0, token_value(samples[0], at), DISASM_LINEAR, 0, 0}, 255, 255};
        if (any_style(samples, at, choice))
            return true;
        for (unsigned a : immediates)
            if (field_of(samples, at, a, choice))
                return true;
        for (unsigned a : immediates)
            if (tables.by_operand && coded(samples, at, a, choice))
                return true;
        for (unsigned a : immediates)
            for (unsigned b : immediates)
                if (computed(samples, at, a, b, choice) || linear_two(samples, at, a, b, choice))
                    return true;
        return false;
    };
    if (!found())
        return false;
    bool hash = samples[0]->tokens[at].kind == TextToken::hash;
    disasm_slot slot = {static_cast<uint8_t>(hash ? DISASM_HASH : DISASM_NUMBER), static_cast<uint8_t>(choice.a),
                        static_cast<uint8_t>(choice.b), tables.number(choice.number)};
    out = slot_text(tables.slot(slot));
    return true;
}

bool explain(TextTables &tables, const Samples &samples, size_t at, std::string &out)
{
    const TextToken &first = samples[0]->tokens[at];
    const bool fixed = constant(samples, at);
    if (first.kind == TextToken::memory) {
        for (const TextSample *sample : samples)
            if (sample->tokens[at].operand != first.operand)
                return false;
        out = slot_text(first.operand == text_list ? tables.slot({DISASM_LIST, 0, 0, 0})
                                                   : tables.slot({DISASM_MEMORY, first.operand, 0, 0}));
        return true;
    }
    /* A register that is the same in all samples most likely is so by chance. */
    if (fixed && first.kind == TextToken::word && !first.text[0].empty() && at > 0 && explain_word(tables, samples, at, out, true))
        return true;
    if (fixed || first.kind == TextToken::punctuation) {
        out = (first.kind == TextToken::hash ? "#" : "") + first.text[0];
        return true;
    }
    if (first.kind == TextToken::word)
        return explain_word(tables, samples, at, out);
    return explain_number(tables, samples, at, out) ||
           (first.kind == TextToken::number && explain_word(tables, samples, at, out));
}

} // namespace

bool learn_template(TextTables &tables, const Samples &samples, std::string &mnemonic, std::string &pattern,
                    size_t &unexplained)
{
    mnemonic.clear();
    pattern.clear();
    bool in_mnemonic = true;
    for (unexplained = 0; unexplained < samples[0]->tokens.size(); unexplained++) {
        std::string piece;
        if (!explain(tables, samples, unexplained, piece))
            return false;
        in_mnemonic &= samples[0]->tokens[unexplained].text[0] != "\t";
        (in_mnemonic ? mnemonic : pattern) += piece;
    }
    return true;
}

} // namespace modelgen
