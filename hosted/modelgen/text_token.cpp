/* SPDX-License-Identifier: Apache-2.0 */
/* The printer's texts, and their division into tokens. */
#include "text.h"

#include <algorithm>
#include <cctype>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

namespace modelgen {

static std::vector<std::string> reg_names;

TextOracle::TextOracle(const Target &the_target, unsigned the_dialect) : target(the_target), dialect(the_dialect)
{
    const auto create = [&] {
        return target.target->createMCInstPrinter(llvm::Triple(target.triple), dialect, *target.mai, *target.mcii, *target.mri);
    };
    plain.reset(create());
    hexadecimal.reset(create());
    hexadecimal->setPrintImmHex(true);
    reg_names.assign(1, "");
    for (unsigned reg = 1; reg < target.mri->getNumRegs(); reg++) {
        reg_names.emplace_back();
        llvm::raw_string_ostream stream(reg_names.back());
        target.printer->printRegName(stream, reg);
    }
}

const char *TextOracle::reg_name(uint16_t reg)
{
    return reg < reg_names.size() ? reg_names[reg].c_str() : nullptr;
}

std::string TextOracle::print(const llvm::MCInst &inst, bool hex) const
{
    llvm::SmallString<128> text;
    llvm::raw_svector_ostream stream(text);
    (hex ? hexadecimal : plain)->printInst(&inst, 0, "", *target.sti, stream);
    size_t start = text.find_first_not_of(" \t");
    return start == llvm::StringRef::npos ? "" : text.substr(start).str();
}

sl_insn to_insn(const Target &target, const OpSpace &space, const llvm::MCInst &inst)
{
    sl_insn insn = {};
    insn.op = space.of_llvm[inst.getOpcode()];
    insn.flags = prefix_flags(target.isa, inst.getFlags());
    for (const llvm::MCOperand &operand : inst) {
        if (insn.n_operands == SL_INSN_OPERANDS)
            break;
        sl_operand &ours = insn.operand[insn.n_operands++];
        ours.kind = operand.isReg() ? SL_OPERAND_REG : operand.isImm() ? SL_OPERAND_IMM : SL_OPERAND_EXPR;
        ours.reg = operand.isReg() ? static_cast<uint16_t>(operand.getReg()) : 0;
        ours.imm = operand.isImm() ? operand.getImm() : 0;
    }
    return insn;
}

namespace {

bool is_name(char c)
{
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool is_number(const std::string &word)
{
    size_t at = word[0] == '-';
    if (word.compare(at, 2, "0x") == 0)
        return word.size() > at + 2 && word.find_first_not_of("0123456789abcdef", at + 2) == std::string::npos;
    return word.size() > at && word.find_first_not_of("0123456789", at) == std::string::npos;
}

/* Arm: 1.000000e+00, of which "1" is the word that ends at `end`. */
bool fraction_of_float(const std::string &text, size_t end, const std::string &word)
{
    const size_t exponent = text.find('e', end);
    return is_number(word) && end < text.size() && text[end] == '.' && exponent == end + 7 && exponent + 2 < text.size() &&
           (text[exponent + 1] == '+' || text[exponent + 1] == '-');
}

/* Length of the word or number at `at`: a floating-point number and %st(1) are words too. 0: punctuation. */
size_t word_length(const std::string &text, size_t at)
{
    size_t end = at;
    if (text[at] == '-' && at + 1 < text.size() && isdigit(static_cast<unsigned char>(text[at + 1])))
        end++;
    while (end < text.size() && is_name(text[end]))
        end++;
    const std::string word = text.substr(at, end - at);
    if (is_number(word) && end + 1 < text.size() && text[end] == '.' && isdigit(static_cast<unsigned char>(text[end + 1]))) {
        size_t fraction = end + 1;
        while (fraction < text.size() && isdigit(static_cast<unsigned char>(text[fraction])))
            fraction++;
        if (fraction - end == 9) /* eight digits: not an arrangement such as 0.b */
            end = fraction;
    }
    if (fraction_of_float(text, end, word))
        end = text.find_first_not_of("0123456789", text.find('e', end) + 2);
    end = std::min(end, text.size());
    if (word == "st" && end + 2 < text.size() && text[end] == '(' && text[end + 2] == ')')
        end += 3;
    return end - at;
}

std::vector<TextToken> tokens_of(const std::string &text, const std::vector<TextMemory> &memories,
                                 const std::vector<TextMark> &marks, unsigned mode)
{
    std::vector<TextToken> tokens;
    size_t start = 0;
    for (const TextMark &mark : marks) {
        if (mark.at > start || start == 0)
            tokens.push_back({TextToken::word, {text.substr(start, mark.at - start)}, 0});
        tokens.push_back({TextToken::word, {text.substr(mark.at, mark.length)}, 0});
        start = mark.at + mark.length;
    }
    for (size_t at = start; at < text.size();) {
        TextToken token = {TextToken::punctuation, {}, 0};
        size_t length = 0;
        for (const TextMemory &memory : memories) {
            const std::string &wanted = memory.text[mode];
            char before = at ? text[at - 1] : ' ', after = at + wanted.size() < text.size() ? text[at + wanted.size()] : ' ';
            if (text.compare(at, wanted.size(), wanted) == 0 && (before == ' ' || before == '\t' || before == '*' || before == '{') &&
                !is_name(after) && after != '(') {
                token.kind = TextToken::memory;
                token.operand = memory.operand;
                length = wanted.size();
            }
        }
        bool hash = text[at] == '#';
        if (!length && (length = word_length(text, at + hash)) != 0) {
            bool number = is_number(text.substr(at + hash, length));
            token.kind = number ? hash ? TextToken::hash : TextToken::number : TextToken::word;
            if (hash && number)
                at++;
            else if (hash)
                token.kind = TextToken::punctuation, length = 1;
        }
        length += !length;
        token.text[0] = text.substr(at, length);
        tokens.push_back(token);
        at += length;
    }
    return tokens;
}

} // namespace

bool tokenize(const std::array<std::string, 2> &text, const std::vector<TextMemory> &memories,
              const std::vector<TextMark> &marks, TextSample &sample)
{
    sample.tokens = tokens_of(text[0], memories, marks, 0);
    const std::vector<TextToken> hex = tokens_of(text[1], memories, marks, 1);
    if (hex.size() != sample.tokens.size())
        return false;
    for (size_t i = 0; i < hex.size(); i++) {
        TextToken &token = sample.tokens[i];
        if (token.kind != hex[i].kind || (token.kind == TextToken::punctuation && token.text[0] != hex[i].text[0]))
            return false;
        token.text[1] = hex[i].text[0];
        sample.shape += token.kind == TextToken::punctuation ? token.text[0][0] : static_cast<char>(token.kind);
    }
    return true;
}

} // namespace modelgen
