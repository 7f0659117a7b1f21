/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what was learned: a text keyed by LLVM's names, and the packed tables core/isa includes. */
#include "decode_fixed.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "llvm/Config/llvm-config.h"

namespace modelgen {
namespace {

/* As in core/isa. */
const unsigned form_immediate = 0x80, form_coded = 0x40, form_values = 0x20, list_follows = 0x80;

/* sum of ((word >> shift) & ones(width)) << scale, subtracted if negative. */
struct Term {
    unsigned shift, width, scale;
    bool negative;
};

/* The runs of bits of a field. A weight of more than one bit (12 = 8 + 4) becomes several terms. */
std::vector<Term> terms_of(const FixedOperand &operand)
{
    std::vector<Term> terms;
    for (size_t i = 0; i < operand.bits.size(); i++) {
        int64_t weight = operand.weight.empty() ? int64_t{1} << i : operand.weight[i];
        bool negative = weight < 0;
        for (uint64_t left = static_cast<uint64_t>(negative ? -weight : weight); left; left &= left - 1) {
            unsigned scale = static_cast<unsigned>(__builtin_ctzll(left));
            bool extended = false;
            for (Term &term : terms)
                if (!extended && term.negative == negative && term.shift + term.width == operand.bits[i] &&
                    term.scale + term.width == scale) {
                    term.width++;
                    extended = true;
                }
            if (!extended)
                terms.push_back({operand.bits[i], 1, scale, negative});
        }
    }
    return terms;
}

/* A pool in which equal runs share their place. */
class Pool {
  public:
    size_t add(const std::vector<uint16_t> &run)
    {
        auto at = std::search(values.begin(), values.end(), run.begin(), run.end());
        size_t offset = static_cast<size_t>(at - values.begin());
        if (at == values.end())
            values.insert(values.end(), run.begin(), run.end());
        return offset;
    }
    std::vector<uint16_t> values;
};

class File {
  public:
    explicit File(const std::string &path) : path(path), file(fopen(path.c_str(), "w")) {}
    FILE *get() const { return file; }
    int close()
    {
        if (file && !ferror(file) && fclose(file) == 0)
            return 0;
        fprintf(stderr, "modelgen: %s: cannot be written\n", path.c_str());
        return 1;
    }

  private:
    std::string path;
    FILE *file;
};

std::string item_text(uint16_t value)
{
    return std::to_string(value);
}

const std::string &item_text(const std::string &text)
{
    return text;
}

template <typename Value> void print_section(FILE *file, const char *name, const std::vector<Value> &values)
{
    fprintf(file, "#ifdef SL_SECTION_%s\n", name);
    std::string line;
    for (const Value &value : values) {
        std::string item = item_text(value) + ",";
        if (line.size() + item.size() > 118) {
            fprintf(file, "%s\n", line.c_str());
            line.clear();
        }
        line += item;
    }
    fprintf(file, "%s\n#endif\n", line.c_str());
}

struct Packed {
    std::vector<uint16_t> op_signature; /* [op] -> offset into signatures */
    std::vector<uint16_t> signatures;   /* a count, then operand numbers */
    std::vector<std::string> operands;  /* as initializers of struct operand_form */
    std::vector<std::string> lists;     /* as initializers of struct list_form */
    std::vector<std::string> values;
    Pool terms, maps;
};

/* A count and all but the first term; the first must be a plain field. */
std::vector<uint16_t> further_terms(std::vector<Term> &terms)
{
    if (terms.empty() || terms[0].scale || terms[0].negative)
        terms.insert(terms.begin(), Term{0, 0, 0, false});
    std::vector<uint16_t> out = {static_cast<uint16_t>(terms.size() - 1)};
    for (size_t i = 1; i < terms.size(); i++)
        out.push_back(static_cast<uint16_t>(terms[i].shift << 11 | (terms[i].width - 1) << 6 | terms[i].scale << 1 |
                                            terms[i].negative));
    return out;
}

/* Longest first, so that shorter runs find their place inside longer ones. */
std::vector<FixedOperand> operands_by_length(const FixedDecoder &decoder)
{
    std::map<FixedOperand, bool> distinct;
    for (const FixedSignature &signature : decoder.signature)
        for (const FixedOperand &operand : signature)
            distinct[operand] = true;
    std::vector<FixedOperand> list;
    for (const auto &entry : distinct)
        list.push_back(entry.first);
    std::stable_sort(list.begin(), list.end(), [](const FixedOperand &a, const FixedOperand &b) {
        return std::make_pair(a.map.size(), a.bits.size()) > std::make_pair(b.map.size(), b.bits.size());
    });
    return list;
}

size_t add_values(std::vector<std::string> &pool, const std::vector<int64_t> &values)
{
    std::vector<std::string> items;
    for (int64_t value : values)
        items.push_back(std::to_string(static_cast<int32_t>(value)));
    auto at = std::search(pool.begin(), pool.end(), items.begin(), items.end());
    const size_t offset = static_cast<size_t>(at - pool.begin());
    if (at == pool.end())
        pool.insert(pool.end(), items.begin(), items.end());
    return offset;
}

/* struct list_form: kind, then what the kind needs. */
std::string list_item(const FixedList &list)
{
    char text[80];
    if (list.kind == FixedList::mask)
        snprintf(text, sizeof text, "{1,%u,%u,%u,0,0}", list.from, list.to, list.plain);
    else
        snprintf(text, sizeof text, "{2,%u,%u,%u,%u,%u}", list.count_shift, list.bits[0], list.first, list.tail, list.most);
    return text;
}

uint16_t add_list(std::vector<std::string> &lists, const FixedList &list)
{
    const std::string item = list_item(list);
    const auto at = std::find(lists.begin(), lists.end(), item);
    const size_t number = static_cast<size_t>(at - lists.begin());
    if (at == lists.end())
        lists.push_back(item);
    return static_cast<uint16_t>(number);
}

bool pack(const FixedDecoder &decoder, const OpSpace &space, Packed &out)
{
    std::map<FixedOperand, uint16_t> number;
    bool fits = true;
    out.terms.add({0}); /* so that offset 0 is no list */
    out.maps.add({0});  /* an immediate looks up register 0 */
    for (const FixedOperand &operand : operands_by_length(decoder)) {
        const bool values = operand.code == FixedCode::values;
        std::vector<uint16_t> map;
        if (!values)
            std::transform(operand.map.begin(), operand.map.end(), std::back_inserter(map),
                       [](int64_t reg) { return static_cast<uint16_t>(reg < 0 ? 0 : reg); });
        if (operand.kind == FixedOperand::const_reg)
            map.push_back(static_cast<uint16_t>(operand.base));
        std::vector<Term> terms = terms_of(operand);
        std::vector<uint16_t> further = further_terms(terms);
        size_t at = terms.size() == 1 ? 0 : out.terms.add(further);
        int64_t base = operand.is_reg() ? static_cast<int64_t>(out.maps.add(map)) : operand.base;
        unsigned form = operand.is_reg() ? 0u : form_immediate;
        if (values) {
            base = static_cast<int64_t>(add_values(out.values, operand.map));
            form |= form_values;
        } else if (operand.code != FixedCode::plain) {
            base = static_cast<int64_t>(operand.code);
            form |= form_coded;
        }
        fits = fits && at <= UINT8_MAX && base >= INT16_MIN && base <= INT16_MAX;
        number.emplace(operand, static_cast<uint16_t>(number.size()));
        uint32_t mask = ((1u << terms[0].width) - 1) << terms[0].shift;
        char text[64];
        snprintf(text, sizeof text, "{%u,%d,%u,%zu}", mask, static_cast<int>(base),
                 terms[0].shift | form, at);
        out.operands.push_back(text);
    }
    Pool signatures;
    signatures.values.push_back(0); /* offset 0: no operands */
    out.op_signature.assign(space.size(), 0);
    for (size_t opcode = 0; opcode < decoder.signature.size(); opcode++) {
        std::vector<uint16_t> run = {static_cast<uint16_t>(decoder.signature[opcode].size())};
        for (const FixedOperand &operand : decoder.signature[opcode])
            run.push_back(number[operand]);
        if (decoder.list[opcode].kind != FixedList::none) {
            run[0] |= list_follows;
            run.push_back(add_list(out.lists, decoder.list[opcode]));
        }
        if (run[0])
            out.op_signature[space.of_llvm[opcode]] = static_cast<uint16_t>(signatures.add(run));
    }
    out.signatures = signatures.values;
    return fits && number.size() <= 256 && out.signatures.size() <= 65536;
}

std::string operand_text(const FixedOperand &operand, const std::map<std::vector<int64_t>, size_t> &maps,
                         const llvm::MCRegisterInfo &mri)
{
    if (operand.kind == FixedOperand::const_reg)
        return std::string("=") + (operand.base ? mri.getName(static_cast<unsigned>(operand.base)) : "-");
    if (operand.kind == FixedOperand::const_imm)
        return "#" + std::to_string(operand.base);
    static const char *const codes[] = {"", "sign", "values", "constant", "branch", "field", "minus"};
    std::string text = operand.kind == FixedOperand::reg ? "m" + std::to_string(maps.at(operand.map)) : "#";
    if (operand.kind == FixedOperand::imm && operand.base)
        text += std::to_string(operand.base);
    text += codes[static_cast<int>(operand.code)];
    for (size_t i = 0; operand.code == FixedCode::values && i < operand.map.size(); i++)
        text += (i ? "," : ":") + std::to_string(operand.map[i]);
    text += "(";
    for (const Term &term : terms_of(operand)) {
        text += (text.back() == '(' ? "" : ",") + std::to_string(term.shift) + ":" + std::to_string(term.width);
        if (term.negative || term.scale)
            text += (term.negative ? "*-" : "*") + std::to_string(1ull << term.scale);
    }
    return text + ")";
}

std::string cube_text(const FixedConfig &config, const FixedRow &row)
{
    char text[32];
    snprintf(text, sizeof text, " %0*x/%0*x", static_cast<int>(config.word_bits / 4), row.cube.value,
             static_cast<int>(config.word_bits / 4), row.cube.mask);
    std::string out = text;
    for (size_t n = 0; row.distinct >> n; n++)
        if ((row.distinct >> n) & 1)
            out += "," + std::to_string(config.pair(n).first) + "!=" + std::to_string(config.pair(n).second);
    return out;
}

} // namespace

int write_text(const FixedOracle &oracle, const FixedDecoder &decoder, const std::string &path)
{
    const llvm::MCRegisterInfo &mri = *oracle.target.mri;
    const llvm::MCInstrInfo &mcii = *oracle.target.mcii;
    std::map<std::vector<int64_t>, size_t> maps;
    std::map<FixedSignature, size_t> signatures;
    for (const FixedSignature &signature : decoder.signature) {
        signatures.emplace(signature, signatures.size());
        for (const FixedOperand &operand : signature)
            if (operand.kind == FixedOperand::reg)
                maps.emplace(operand.map, maps.size());
    }
    std::vector<std::string> lines;
    File out(path);
    if (!out.get())
        return out.close();
    fprintf(out.get(), "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
                       "# Written by slotledger's modelgen from LLVM %s: how %s words decode. Names are LLVM's.\n"
                       "# map NUMBER REGISTER... | sig NUMBER OPERAND...%s | OPCODE SIG VALUE/MASK[,FIELD!=FIELD]...\n"
                       "# Opcode -: words that are no instruction. Of several cubes that hold a word, the one with more mask "
                       "bits decides,\n# then the lower value, then the lower mask.\n",
            LLVM_VERSION_STRING, isa_name(oracle.config.isa),
            is_arm(oracle.config.isa) ? " | list OPCODE FORM" : "");
    for (const auto &[map, number] : maps) {
        std::string line = "map " + std::to_string(number);
        for (int64_t reg : map)
            line += std::string(" ") + (reg > 0 ? mri.getName(static_cast<unsigned>(reg)) : reg ? "?" : "-");
        lines.push_back(line);
    }
    for (const auto &[signature, number] : signatures) {
        std::string line = "sig " + std::to_string(number);
        for (const FixedOperand &operand : signature)
            line += " " + operand_text(operand, maps, mri);
        lines.push_back(line);
    }
    for (unsigned opcode = 0; opcode < decoder.list.size(); opcode++)
        if (decoder.list[opcode].kind != FixedList::none)
            lines.push_back("list " + mcii.getName(opcode).str() + " " + list_item(decoder.list[opcode]));
    std::map<unsigned, std::string> cubes;
    for (const FixedRow &row : decoder.table.rows)
        if (row.opcode)
            cubes[row.opcode] += cube_text(oracle.config, row);
        else
            lines.push_back("- -" + cube_text(oracle.config, row));
    for (const auto &[opcode, text] : cubes)
        lines.push_back(mcii.getName(opcode).str() + " " + std::to_string(signatures[decoder.signature[opcode]]) + text);
    for (const std::string &line : lines)
        fprintf(out.get(), "%s\n", line.c_str());
    return out.close();
}

int write_tables(const FixedOracle &oracle, const FixedDecoder &decoder, const OpSpace &space, const std::string &path)
{
    Packed packed;
    std::vector<uint16_t> tree = build_tree(decoder.table, space);
    if (!pack(decoder, space, packed) || tree.size() > 65536 - fixed_first_node || space.size() > fixed_first_node) {
        fprintf(stderr, "modelgen: %s: tables outgrew their packing (%zu units of the tree)\n", path.c_str(), tree.size());
        return 1;
    }
    File out(path);
    if (!out.get())
        return out.close();
    fprintf(out.get(), "/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */\n"
                       "/* Written by slotledger's modelgen from LLVM %s: decoder of %s. Not for editing. */\n",
            LLVM_VERSION_STRING, isa_name(oracle.config.isa));
    fprintf(out.get(), "#ifdef SL_SECTION_SIZES\n#define SL_DECODE_N_OPS %zu\n#define SL_DECODE_FIRST_NODE %u\n"
                       "#define SL_DECODE_ROOT_SHIFT %u\n#define SL_DECODE_ROOT_WIDTH %u\n#define SL_DECODE_ROOT %u\n#endif\n",
            space.size(), fixed_first_node, oracle.config.root_shift, oracle.config.root_width,
            tree.back() - fixed_first_node);
    tree.pop_back();
    print_section(out.get(), "TREE", tree);
    print_section(out.get(), "OP_SIGNATURE", packed.op_signature);
    print_section(out.get(), "SIGNATURES", packed.signatures);
    print_section(out.get(), "OPERANDS", packed.operands);
    print_section(out.get(), "TERMS", packed.terms.values);
    print_section(out.get(), "REGISTERS", packed.maps.values);
    if (is_arm(oracle.config.isa)) {
        print_section(out.get(), "VALUES", packed.values.empty() ? std::vector<std::string>{"0"} : packed.values);
        print_section(out.get(), "LISTS", packed.lists.empty() ? std::vector<std::string>{"{0,0,0,0,0,0}"} : packed.lists);
    }
    return out.close();
}

} // namespace modelgen
