/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of the learned texts, and their packing. */
#include "text.h"

#include <cstring>

#include "../report/disasm_render.h"
#include "writer.h"

namespace modelgen {

namespace {

template <typename Key, typename Value>
uint16_t intern(std::map<Key, uint16_t> &index, std::vector<Value> &list, const Key &key, const Value &value, size_t limit,
                const char *what)
{
    auto [found, fresh] = index.emplace(key, static_cast<uint16_t>(list.size()));
    if (fresh) {
        fit(what, list.size(), limit);
        list.push_back(value);
    }
    return found->second;
}

} // namespace

uint16_t TextTables::number(const disasm_number &n)
{
    return intern(number_of, numbers, NumberKey(n.mul_a, n.mul_b, n.add, n.kind, n.width, n.style), n, 0xffff, "numbers");
}

uint16_t TextTables::slot(const disasm_slot &s)
{
    return intern(slot_of, slots, SlotKey(s.kind, s.a, s.b, s.param), s, 128 * 128 - 1, "text slots");
}

uint16_t TextTables::set(const std::vector<int64_t> &values)
{
    return intern(set_of, sets, values, values, 0xffff, "value sets");
}

uint16_t TextTables::leaf(const std::string &mnemonic, const std::string &pattern)
{
    const std::pair<std::string, std::string> both(mnemonic, pattern);
    return static_cast<uint16_t>(DISASM_LEAF + intern(leaf_of, leaves, both, both, 0x7ffe, "text leaves"));
}

uint16_t TextTables::node(const disasm_node &n)
{
    return intern(node_of, nodes, std::make_tuple(n.feature, n.a, n.b, n.less, n.set, n.yes, n.no), n, 0x7fff, "text nodes");
}

int TextTables::known_table(const NameTable &wanted, bool exact) const
{
    for (size_t i = 0; i < names.size(); i++) {
        bool all = closed[i] == exact && (!exact || names[i].size() == wanted.size());
        for (auto entry = wanted.begin(); all && entry != wanted.end(); ++entry) {
            auto found = names[i].find(entry->first);
            all = found != names[i].end() && found->second == entry->second;
        }
        if (all)
            return static_cast<int>(i);
    }
    return -1;
}

uint16_t TextTables::table(const NameTable &wanted, bool exact)
{
    int known = known_table(wanted, exact);
    if (known >= 0)
        return static_cast<uint16_t>(known);
    for (size_t i = 0; i < names.size() && !exact; i++) {
        bool clash = closed[i], shared = false;
        for (auto entry = wanted.begin(); !clash && entry != wanted.end(); ++entry) {
            auto found = names[i].find(entry->first);
            shared |= found != names[i].end() && found->second == entry->second;
            clash = found != names[i].end() && found->second != entry->second;
        }
        if (clash || !shared)
            continue;
        names[i].insert(wanted.begin(), wanted.end());
        return static_cast<uint16_t>(i);
    }
    names.push_back(wanted);
    closed.push_back(exact);
    return static_cast<uint16_t>(fit("name tables", names.size() - 1, 0xffff));
}

namespace {

/* Takes over what is reachable, in the order of its first use. */
class Packer {
  public:
    Packer(const TextTables &from, PackedText &to) : from(from), to(to) {}

    uint16_t reference(uint16_t old)
    {
        if (old == DISASM_NOTHING)
            return old;
        auto known = references.find(old);
        if (known != references.end())
            return known->second;
        return references[old] = old >= DISASM_LEAF ? leaf(from.leaves[old - DISASM_LEAF]) : node(from.nodes[old]);
    }

  private:
    uint16_t node(const disasm_node &old)
    {
        disasm_node fresh = old;
        fresh.yes = reference(old.yes);
        fresh.no = reference(old.no);
        const auto &values = from.sets[old.set];
        fresh.set = intern(sets, to.sets, old.set,
                           disasm_stretch{static_cast<uint32_t>(to.set_values.size()), static_cast<uint32_t>(values.size())},
                           0xffff, "value sets");
        if (sets.size() > n_sets) {
            n_sets = sets.size();
            to.set_values.insert(to.set_values.end(), values.begin(), values.end());
        }
        to.nodes.push_back(fresh);
        return static_cast<uint16_t>(to.nodes.size() - 1);
    }
    uint16_t leaf(const std::pair<std::string, std::string> &old)
    {
        const std::string mnemonic = pattern(old.first), rest = pattern(old.second);
        to.leaves.push_back({intern(mnemonics, to.mnemonics, mnemonic, mnemonic, 0xffff, "mnemonics"),
                             intern(patterns, to.patterns, rest, rest, 0xffff, "patterns")});
        return static_cast<uint16_t>(DISASM_LEAF + to.leaves.size() - 1);
    }
    std::string pattern(const std::string &old)
    {
        std::string fresh;
        for (size_t i = 0; i < old.size(); i++) {
            const uint8_t byte = static_cast<uint8_t>(old[i]);
            if (byte < 0x80) {
                fresh += old[i];
                continue;
            }
            const unsigned number = slot((byte - 0x80u) * 128 + (static_cast<uint8_t>(old[++i]) - 0x80u));
            fresh += static_cast<char>(0x80 + number / 128);
            fresh += static_cast<char>(0x80 + number % 128);
        }
        return fresh;
    }
    unsigned slot(unsigned old)
    {
        disasm_slot fresh = from.slots[old];
        if (slots.count(old))
            return slots[old];
        if (fresh.kind == DISASM_NAME || fresh.kind == DISASM_SYSREG)
            fresh.param = table(fresh.param);
        else if (fresh.kind != DISASM_MEMORY && fresh.kind != DISASM_LIST)
            fresh.param = intern(numbers, to.numbers, fresh.param, from.numbers[fresh.param], 0xffff, "numbers");
        to.slots.push_back(fresh);
        return slots[old] = static_cast<unsigned>(to.slots.size() - 1);
    }
    uint16_t table(uint16_t old)
    {
        auto known = tables.find(old);
        if (known != tables.end())
            return known->second;
        to.tables.push_back({static_cast<uint32_t>(to.names.size()), static_cast<uint32_t>(from.names[old].size())});
        for (const auto &[key, text] : from.names[old])
            to.names.push_back({key, intern(texts, to.texts, text, text, 0xffff, "names")});
        return tables[old] = static_cast<uint16_t>(to.tables.size() - 1);
    }

    const TextTables &from;
    PackedText &to;
    size_t n_sets = 0;
    std::map<uint16_t, uint16_t> references, sets, numbers, tables;
    std::map<unsigned, unsigned> slots;
    std::map<std::string, uint16_t> mnemonics, patterns, texts;
};

std::vector<const char *> pointers(const std::vector<std::string> &strings)
{
    std::vector<const char *> list;
    for (const std::string &string : strings)
        list.push_back(string.c_str());
    return list;
}

} // namespace

PackedText::PackedText(const TextTables &from)
{
    Packer packer(from, *this);
    for (uint16_t root : from.roots)
        roots.push_back(packer.reference(root));
    mnemonic_pointers = pointers(mnemonics);
    pattern_pointers = pointers(patterns);
    text_pointers = pointers(texts);
    view = {roots.data(),   nodes.data(), leaves.data(),     mnemonic_pointers.data(), pattern_pointers.data(),
            slots.data(),   numbers.data(), sets.data(),     set_values.data(),        tables.data(),
            names.data(),   text_pointers.data(), static_cast<uint32_t>(roots.size())};
}

std::string PackedText::text(const sl_insn &insn, bool hex, bool intel, const sl_isa *isa) const
{
    char buffer[512] = "";
    disasm_context context = {};
    context.hex = hex;
    context.intel = intel;
    context.isa = isa;
    context.reg_name = TextOracle::reg_name;
    disasm_out out = {buffer, sizeof buffer, 0};
    return disasm_render(&view, &insn, &context, &out) ? buffer : "";
}

} // namespace modelgen
