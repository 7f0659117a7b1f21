/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses the x86-64 opcode map and writes core/gen/x86_64_decode.inc. */
#include "decode_x86.h"
#include "opspace.h"
#include "stages.h"

#include <algorithm>
#include <cstdio>

#include "llvm/Config/llvm-config.h"

namespace modelgen {
namespace x86 {
namespace {

using LeafRow = std::array<uint16_t, 256>; /* leaf number by ModRM */

class Tables {
public:
    Tables(const Target &t, const Oracle &o) : target(t), ops(t), learner(t, o) { signatures[Signature()] = 0; }

    bool add(const BlockOpcodes &block);
    bool write_opcodes(FILE *f) const;
    bool write_operands(FILE *f) const;
    bool write_listing(FILE *f) const;
    void report() const;

private:
    bool row_of(const BlockOpcodes &block, unsigned context, LeafRow &row);
    uint16_t leaf_of(uint16_t op, uint16_t signature);
    uint16_t row_at(const std::vector<uint16_t> &values);
    bool add_decision(const LeafRow &row);
    std::string leaf_text(uint16_t number) const;
    void list_block(FILE *f, unsigned block) const;
    std::vector<const Signature *> signature_order() const;
    uint16_t contexts_at(const std::vector<uint8_t> &values);

    const Target &target;
    OpSpace ops;
    Learner learner;
    std::map<Signature, uint16_t> signatures;
    std::map<std::pair<uint16_t, uint16_t>, uint16_t> leaf_pool;
    std::map<std::vector<uint16_t>, uint16_t> row_pool;
    std::map<std::vector<uint8_t>, uint16_t> context_pool;
    std::vector<sl_x86_leaf> leaves{{0, 0}};
    std::vector<uint16_t> rows;
    std::vector<uint8_t> contexts;
    std::vector<sl_x86_decision> decisions;
    std::vector<sl_x86_block> blocks{{0, 0}};
    std::array<uint16_t, SL_X86_N_MAPS * 256> block_of{};
};

/* The prefix is free of meaning if the opcode is the same without it. */
bool keeps_rep(const BlockOpcodes &block, unsigned context, unsigned llvm_opcode, uint8_t modrm)
{
    Space space = map_slots[block.slot].space;
    if (space != Space::legacy && space != Space::now3d)
        return true;
    context &= ~(SL_X86_LEGACY_F2 | SL_X86_LEGACY_F3);
    return block.llvm_opcode[context << 8 | modrm] == llvm_opcode;
}

/* The leaves of one context of a block. */
bool Tables::row_of(const BlockOpcodes &block, unsigned context, LeafRow &row)
{
    row.fill(0);
    std::map<std::pair<unsigned, bool>, std::vector<uint8_t>> groups;
    for (unsigned modrm = 0; modrm < 256; modrm++)
        if (unsigned opcode = block.llvm_opcode[context << 8 | modrm])
            groups[{opcode, modrm >= 0xc0}].push_back(static_cast<uint8_t>(modrm));
    for (const auto &entry : groups) {
        unsigned opcode = entry.first.first;
        uint16_t op = ops.of_llvm[opcode];
        if (!op) {
            fprintf(stderr, "modelgen: x86-64 decodes to the pseudo opcode %u\n", opcode);
            return false;
        }
        Group group{map_slots[block.slot], block.opcode, context, opcode, entry.second, true, true};
        group.has_modrm = learner.reads_modrm(block, context, opcode);
        group.keeps_rep = keeps_rep(block, context, opcode, entry.second.front());
        Signature signature;
        if (!learner.learn(group, signature)) {
            fprintf(stderr, "modelgen: x86-64 map %u opcode %02x context %02x: %s\n", block.slot, block.opcode, context,
                    learner.problem.c_str());
            return false;
        }
        uint16_t id = signatures.emplace(signature, static_cast<uint16_t>(signatures.size())).first->second;
        uint16_t leaf = leaf_of(op, id);
        for (uint8_t modrm : entry.second)
            for (unsigned rm = 0; rm < 8; rm++)
                if (rm == (modrm & 7u) || (signature.flags & SL_X86_SIG_NEEDS_SIB))
                    row[(modrm & ~7u) | rm] = leaf;
    }
    return true;
}

uint16_t Tables::leaf_of(uint16_t op, uint16_t signature)
{
    auto found = leaf_pool.emplace(std::make_pair(op, signature), static_cast<uint16_t>(leaves.size()));
    if (found.second)
        leaves.push_back({op, signature});
    return found.first->second;
}

uint16_t Tables::row_at(const std::vector<uint16_t> &values)
{
    auto found = row_pool.emplace(values, static_cast<uint16_t>(rows.size()));
    if (found.second)
        rows.insert(rows.end(), values.begin(), values.end());
    return found.first->second;
}

/* Picks the smallest kind that reproduces the row. */
bool Tables::add_decision(const LeafRow &row)
{
    struct Kind {
        unsigned kind, count;
        unsigned (*index)(unsigned modrm);
    };
    static const Kind kinds[] = {
        {0, 2, [](unsigned m) { return m >= 0xc0 ? 1u : 0u; }},
        {SL_X86_ROW | SL_X86_BY_MOD_REG, 16, [](unsigned m) { return (m >= 0xc0 ? 8u : 0u) + (m >> 3 & 7u); }},
        {SL_X86_ROW | SL_X86_BY_MOD_REG_RM, 72, [](unsigned m) { return m >= 0xc0 ? m - 0xb8u : m >> 3 & 7u; }},
    };
    for (const Kind &kind : kinds) {
        std::vector<uint16_t> values(kind.count);
        for (unsigned modrm = 0; modrm < 256; modrm++)
            values[kind.index(modrm)] = row[modrm];
        bool exact = true;
        for (unsigned modrm = 0; modrm < 256 && exact; modrm++)
            exact = values[kind.index(modrm)] == row[modrm];
        if (!exact)
            continue;
        if (kind.kind)
            decisions.push_back({static_cast<uint16_t>(kind.kind), row_at(values)});
        else
            decisions.push_back({values[0], values[1]});
        return true;
    }
    fprintf(stderr, "modelgen: x86-64 opcode selected by more than ModRM's mod, reg and (for registers) rm\n");
    return false;
}


uint16_t Tables::contexts_at(const std::vector<uint8_t> &values)
{
    auto found = context_pool.emplace(values, static_cast<uint16_t>(contexts.size() / 16));
    if (found.second)
        contexts.insert(contexts.end(), values.begin(), values.end());
    return found.first->second;
}

bool Tables::add(const BlockOpcodes &block)
{
    std::map<LeafRow, uint8_t> numbers;
    std::vector<uint8_t> context_numbers;
    auto first = static_cast<uint16_t>(decisions.size());
    for (unsigned context = 0; context < context_count(map_slots[block.slot].space); context++) {
        LeafRow row;
        if (!row_of(block, context, row))
            return false;
        auto found = numbers.emplace(row, static_cast<uint8_t>(numbers.size()));
        if (found.second && !add_decision(row))
            return false;
        context_numbers.push_back(found.first->second);
    }
    block_of[block.slot * 256u + block.opcode] = static_cast<uint16_t>(blocks.size());
    blocks.push_back({contexts_at(context_numbers), first});
    return decisions.size() < 0x10000 && contexts.size() / 16 < 0x10000 && leaves.size() < SL_X86_ROW &&
           rows.size() < 0x10000;
}

template <typename Vector> void write_array(FILE *f, const char *declaration, const Vector &values)
{
    fprintf(f, "%s[%zu] = {", declaration, values.size());
    size_t i = 0;
    for (auto value : values)
        fprintf(f, "%s%lu,", i++ % 16 ? "" : "\n", static_cast<unsigned long>(value));
    fprintf(f, "\n};\n\n");
}

/* Structures of two 16-bit members. */
template <typename Pair> void write_pairs(FILE *f, const char *declaration, const std::vector<Pair> &values)
{
    fprintf(f, "%s[%zu] = {", declaration, values.size());
    for (size_t i = 0; i < values.size(); i++) {
        auto [first, second] = values[i];
        fprintf(f, "%s{%u,%u},", i % 8 ? "" : "\n", first, second);
    }
    fprintf(f, "\n};\n\n");
}

bool Tables::write_opcodes(FILE *f) const
{
    write_array(f, "static const uint16_t sl_x86_block_of", block_of);
    write_pairs(f, "static const struct sl_x86_block sl_x86_blocks", blocks);
    write_array(f, "static const uint8_t sl_x86_context", contexts);
    write_array(f, "static const uint16_t sl_x86_rows", rows);
    write_pairs(f, "static const struct sl_x86_decision sl_x86_decisions", decisions);
    write_pairs(f, "static const struct sl_x86_leaf sl_x86_leaves", leaves);
    return !ferror(f);
}

std::vector<const Signature *> Tables::signature_order() const
{
    std::vector<const Signature *> order(signatures.size());
    for (const auto &entry : signatures)
        order[entry.second] = &entry.first;
    return order;
}

bool Tables::write_operands(FILE *f) const
{
    std::vector<const Signature *> order = signature_order();
    std::map<std::vector<uint16_t>, size_t> item_pool;
    std::vector<uint16_t> items;
    fprintf(f, "static const struct sl_x86_signature sl_x86_signatures[%zu] = {\n", order.size());
    for (const Signature *s : order) {
        auto found = item_pool.emplace(s->items, items.size());
        if (found.second)
            items.insert(items.end(), s->items.begin(), s->items.end());
        fprintf(f, "{%zu,%u,%zu,%u,%u,%u},\n", found.first->second, s->must_be_zero, s->items.size(), s->imm_bytes,
                s->disp_shift, s->flags);
    }
    fprintf(f, "};\n\n");
    write_array(f, "static const uint16_t sl_x86_items", items);
    fprintf(f, "static const uint16_t sl_x86_register[%zu][%u] = {\n", learner.maps.all().size(), SL_X86_REGISTER_MAP);
    for (const auto &map : learner.maps.all()) {
        fprintf(f, "{");
        for (uint16_t reg : map)
            fprintf(f, "%u,", reg == RegisterMaps::unknown ? SL_X86_NO_REGISTER : reg);
        fprintf(f, "},\n");
    }
    fprintf(f, "};\n");
    return items.size() < 0x10000 && !ferror(f);
}

std::string Tables::leaf_text(uint16_t number) const
{
    if (!number)
        return "-";
    const sl_x86_leaf &leaf = leaves[number];
    return target.mcii->getName(ops.to_llvm[leaf.op]).str() + "/" + std::to_string(leaf.signature);
}

/* Contexts in hexadecimal, then the leaves: memory and register form, or a whole row. */
void Tables::list_block(FILE *f, unsigned place) const
{
    const sl_x86_block &block = blocks[block_of[place]];
    fprintf(f, "map %u opcode %02x\n", place >> 8, place & 255u);
    std::map<uint8_t, std::string> by_decision;
    for (unsigned context = 0; context < context_count(map_slots[place >> 8].space); context++) {
        char text[16];
        snprintf(text, sizeof text, " %02x", context);
        by_decision[contexts[block.contexts * 16u + context]] += text;
    }
    for (const auto &entry : by_decision) {
        const sl_x86_decision &decision = decisions[block.first_decision + entry.first];
        if (!decision.memory && !decision.reg)
            continue;
        fprintf(f, "%s:", entry.second.c_str());
        if (!(decision.memory & SL_X86_ROW)) {
            fprintf(f, " %s %s\n", leaf_text(decision.memory).c_str(), leaf_text(decision.reg).c_str());
            continue;
        }
        for (unsigned i = 0; i < (decision.memory & SL_X86_BY_MOD_REG_RM ? 72u : 16u); i++)
            fprintf(f, " %s", leaf_text(rows[decision.reg + i]).c_str());
        fprintf(f, "\n");
    }
}

bool Tables::write_listing(FILE *f) const
{
    fprintf(f, "# x86-64 opcode map; format and numbers: core/isa/x86_64_decode.h\n");
    for (unsigned place = 0; place < block_of.size(); place++)
        if (block_of[place])
            list_block(f, place);
    unsigned number = 0;
    for (const Signature *s : signature_order()) {
        fprintf(f, "signature %u: flags %02x imm %u disp-shift %u zero %03x items", number++, s->flags, s->imm_bytes,
                s->disp_shift, s->must_be_zero);
        for (uint16_t item : s->items)
            fprintf(f, " %u.%u", item >> 12, item & 0xfffu);
        fprintf(f, "\n");
    }
    return !ferror(f);
}

void Tables::report() const
{
    size_t item_count = 0;
    for (const auto &entry : signatures)
        item_count += entry.first.items.size();
    printf("x86-64 decoder: %zu blocks, %zu bytes of contexts, %zu decisions, %zu row entries, %zu leaves, %zu signatures (%zu items), "
           "%zu register maps\n",
           blocks.size() - 1, contexts.size(), decisions.size(), rows.size(), leaves.size(), signatures.size(), item_count,
           learner.maps.all().size());
}

void write_register_constants(FILE *f, const Target &target, std::initializer_list<const char *> registers)
{
    for (const char *reg : registers)
        fprintf(f, "#define SL_X86_REG_%s %uu\n", reg, register_by_name(*target.mri, reg));
}

void write_opcode_constants(FILE *f, const Target &target)
{
    static const struct {
        const char *macro, *op;
    } ops[] = {
        {"DATA16", "DATA16_PREFIX"}, {"ADDR32", "ADDR32_PREFIX"}, {"LOCK", "LOCK_PREFIX"}, {"REP", "REP_PREFIX"},
        {"REPNE", "REPNE_PREFIX"},   {"REX64", "REX64_PREFIX"},   {"CS", "CS_PREFIX"},     {"DS", "DS_PREFIX"},
        {"ES", "ES_PREFIX"},         {"FS", "FS_PREFIX"},         {"GS", "GS_PREFIX"},     {"SS", "SS_PREFIX"},
    };
    OpSpace space(target);
    for (const auto &op : ops)
        fprintf(f, "#define SL_X86_OP_%s %uu\n", op.macro, space.of_llvm[opcode_by_name(*target.mcii, op.op)]);
    write_register_constants(f, target, {"CS", "DS", "ES", "FS", "GS", "SS"});
}

void write_operand_constants(FILE *f, const Target &target)
{
    write_register_constants(f, target, {"DS", "RIP", "EIP", "RIZ", "EIZ"});
    static const char *const low[] = {"AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI"};
    for (unsigned wide = 0; wide < 2; wide++) {
        fprintf(f, "static const uint16_t sl_x86_address%s[16] = {", wide ? "64" : "32");
        for (unsigned i = 0; i < 16; i++) {
            std::string name = i < 8 ? std::string(wide ? "R" : "E") + low[i] : "R" + std::to_string(i) + (wide ? "" : "D");
            fprintf(f, "%u,", register_by_name(*target.mri, name.c_str()));
        }
        fprintf(f, "};\n");
    }
}

template <typename Write> bool write_file(const std::string &path, const Target &target, Write write)
{
    FILE *f = fopen(path.c_str(), "w");
    if (!f) {
        fprintf(stderr, "modelgen: cannot write %s\n", path.c_str());
        return false;
    }
    bool listing = path.compare(path.size() - 4, 4, ".txt") == 0;
    fprintf(f, listing ? "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
                         "# Generated by modelgen decode-x86_64 from LLVM %s; do not edit.\n"
                       : "/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */\n"
                         "/* Generated by modelgen decode-x86_64 from LLVM %s; do not edit. */\n\n",
            LLVM_VERSION_STRING);
    bool good = write(f, target);
    return fclose(f) == 0 && good;
}

} // namespace
} // namespace x86
} // namespace modelgen

int stage_decode_x86_64(const char *gen_dir)
{
    using namespace modelgen;
    Target target(Isa::x86_64);
    x86::Oracle oracle(target);
    x86::Tables tables(target, oracle);
    for (const auto &block : x86::enumerate_blocks(oracle))
        if (!tables.add(block))
            return 1;
    tables.report();
    std::string stem = std::string(gen_dir) + "/x86_64_decode";
    bool good = x86::write_file(stem + ".inc", target, [&tables](FILE *f, const Target &t) {
        x86::write_opcode_constants(f, t);
        return tables.write_opcodes(f);
    });
    good = good && x86::write_file(stem + "_operands.inc", target, [&tables](FILE *f, const Target &t) {
        x86::write_operand_constants(f, t);
        return tables.write_operands(f);
    });
    good = good && x86::write_file(stem + ".txt", target,
                                   [&tables](FILE *f, const Target &) { return tables.write_listing(f); });
    return good ? 0 : 1;
}
