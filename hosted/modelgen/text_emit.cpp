/* SPDX-License-Identifier: Apache-2.0 */
/* Writes core/gen/NAME_text.inc. */
#include "text.h"

#include "writer.h"

namespace modelgen {

namespace {

/* As a C string literal. */
std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (const char c : text) {
        const unsigned byte = static_cast<uint8_t>(c);
        if (byte >= 0x80)
            out += strf("\\%o", byte);
        else if (c == '\t')
            out += "\\t";
        else if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else
            out += c;
    }
    return out + "\"";
}

std::vector<std::string> quoted_all(const std::vector<std::string> &texts)
{
    std::vector<std::string> out;
    for (const std::string &text : texts)
        out.push_back(quoted(text));
    return out;
}

template <typename Item, typename Write> std::vector<std::string> items_of(const std::vector<Item> &list, Write write)
{
    std::vector<std::string> out;
    for (const Item &item : list)
        out.push_back(write(item));
    return out;
}

std::string number_item(int64_t value)
{
    return value == INT64_MIN ? "INT64_MIN" : strf("%lld", static_cast<long long>(value));
}

std::string stretch_item(const disasm_stretch &s)
{
    return strf("{%u,%u}", s.first, s.count);
}

} // namespace

int write_text_tables(const PackedText &p, const std::string &gen_dir, const std::string &name)
{
    GenFile file(gen_dir, name + "_text.inc", "Assembly texts of " + name + "'s opcodes: trees of templates.");
    file.numbers("uint16_t", "roots", p.roots);
    file.array("struct disasm_node", "nodes", items_of(p.nodes, [](const disasm_node &n) {
        return strf("{%u,%u,%u,%u,%u,%u,%u}", n.feature, n.a, n.b, n.less, n.set, n.yes, n.no);
    }));
    file.array("struct disasm_leaf", "leaves",
               items_of(p.leaves, [](const disasm_leaf &l) { return strf("{%u,%u}", l.mnemonic, l.pattern); }));
    file.array("char *const", "mnemonics", quoted_all(p.mnemonics), "\"\"");
    file.array("char *const", "patterns", quoted_all(p.patterns), "\"\"");
    file.array("struct disasm_slot", "slots", items_of(p.slots, [](const disasm_slot &s) {
        return strf("{%u,%u,%u,%u}", s.kind, s.a, s.b, s.param);
    }));
    file.array("struct disasm_number", "numbers", items_of(p.numbers, [](const disasm_number &n) {
        return strf("{%s,%s,%s,%u,%u,%u}", number_item(n.mul_a).c_str(), number_item(n.mul_b).c_str(),
                    number_item(n.add).c_str(), n.kind, n.width, n.style);
    }));
    file.array("struct disasm_stretch", "sets", items_of(p.sets, stretch_item));
    file.array("int64_t", "set_values", items_of(p.set_values, number_item), "0");
    file.array("struct disasm_stretch", "tables", items_of(p.tables, stretch_item));
    file.array("struct disasm_name", "names",
               items_of(p.names, [](const disasm_name &n) { return strf("{%d,%u}", n.key, n.text); }));
    file.array("char *const", "texts", quoted_all(p.texts), "\"\"");
    return file.write();
}

} // namespace modelgen
