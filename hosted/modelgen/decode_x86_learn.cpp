/* SPDX-License-Identifier: Apache-2.0 */
/* Learns where each operand of an x86-64 instruction comes from, by changing one field at a time. */
#include "decode_x86.h"

#include <algorithm>
#include <cstring>

#include "llvm/MC/MCFixup.h"

namespace modelgen {
namespace x86 {

namespace {
constexpr int unassigned = -1;
constexpr uint32_t probe_disp = 0x12345678;
} // namespace

struct Learner::Sample {
    const Group &group;
    Form form = Form::bare;
    Fields fields;
    uint8_t modrm = 0;
    llvm::MCInst inst;
    unsigned imm_bytes = 0;
    int tuple = unassigned;  /* first of the five memory operands */
    uint16_t index_map = 0;
    std::vector<int> item;   /* per operand */

    explicit Sample(const Group &g) : group(g) { fields.disp = probe_disp; }

    bool legacy() const { return group.slot.space == Space::legacy || group.slot.space == Space::now3d; }
    bool evex() const { return group.slot.space == Space::evex; }
    bool is_free(unsigned operand) const
    {
        bool in_tuple = tuple >= 0 && static_cast<int>(operand) >= tuple && static_cast<int>(operand) < tuple + 5;
        return !in_tuple && item[operand] == unassigned;
    }
    bool reads(unsigned kind) const
    {
        return std::any_of(item.begin(), item.end(),
                           [kind](int i) { return i != unassigned && static_cast<unsigned>(i) >> 12 == kind; });
    }
    /* The same encoding with one field changed. */
    Fields with(unsigned kind, unsigned value, uint8_t &opcode, uint8_t &changed_modrm) const
    {
        Fields f = fields;
        opcode = group.opcode;
        changed_modrm = modrm;
        if (kind == SL_X86_ITEM_MODRM_REG) {
            f.reg = static_cast<uint8_t>(value);
            changed_modrm = static_cast<uint8_t>((modrm & ~0x38u) | (value & 7u) << 3);
        } else if (kind == SL_X86_ITEM_MODRM_RM) {
            f.rm = static_cast<uint8_t>(value);
            changed_modrm = static_cast<uint8_t>((modrm & ~7u) | (value & 7u));
        } else if (kind == SL_X86_ITEM_OPCODE) {
            f.rm = static_cast<uint8_t>(value);
            opcode = static_cast<uint8_t>((opcode & ~7u) | (value & 7u));
        } else if (kind == SL_X86_ITEM_VVVV) {
            f.vvvv = static_cast<uint8_t>(value);
        } else if (kind == SL_X86_ITEM_AAA) {
            f.aaa = static_cast<uint8_t>(value);
        } else if (kind == SL_X86_ITEM_IS4) {
            f.imm[imm_bytes - 1] = static_cast<uint8_t>(value << 4);
        }
        return f;
    }
};

uint16_t RegisterMaps::add(const Map &map)
{
    for (size_t k = 0; k < maps.size(); k++) {
        bool fits = true;
        for (size_t i = 0; i < map.size() && fits; i++)
            fits = map[i] == maps[k][i] || map[i] == unknown || maps[k][i] == unknown;
        if (!fits)
            continue;
        for (size_t i = 0; i < map.size(); i++)
            if (map[i] != unknown)
                maps[k][i] = map[i];
        return static_cast<uint16_t>(k);
    }
    maps.push_back(map);
    return static_cast<uint16_t>(maps.size() - 1);
}

Learner::Learner(const Target &t, const Oracle &o)
    : target(t), oracle(o), rcx(register_by_name(*t.mri, "RCX")), ecx(register_by_name(*t.mri, "ECX")),
      fs(register_by_name(*t.mri, "FS")), k0(register_by_name(*t.mri, "K0"))
{
}

unsigned Learner::decode(const Sample &s, const Fields &fields, uint8_t opcode, uint8_t modrm, llvm::MCInst &out) const
{
    Encoding encoding;
    encode({s.group.slot, opcode, s.group.context, modrm}, fields, s.form, encoding);
    return oracle.decode(encoding, out);
}

bool Learner::same(const Sample &s, const Fields &fields, uint8_t opcode, uint8_t modrm, llvm::MCInst &out) const
{
    return decode(s, fields, opcode, modrm, out) && out.getOpcode() == s.group.llvm_opcode &&
           out.getNumOperands() == s.inst.getNumOperands();
}

/* An opcode that takes no ModRM accepts any byte there, with equal length and equal registers. */
bool Learner::reads_modrm(const BlockOpcodes &block, unsigned context, unsigned llvm_opcode) const
{
    const MapSlot &slot = map_slots[block.slot];
    llvm::MCInst first, inst;
    unsigned first_len = 0;
    for (unsigned modrm = 0; modrm < 256; modrm++) {
        if (block.llvm_opcode[context << 8 | modrm] != llvm_opcode)
            return true;
        Encoding encoding;
        encode({slot, block.opcode, context, static_cast<uint8_t>(modrm)}, Fields(), Form::memory, encoding);
        unsigned len = oracle.decode(encoding, inst);
        if (modrm == 0) {
            first = inst;
            first_len = len;
        }
        if (len != first_len)
            return true;
        for (unsigned j = 0; j < inst.getNumOperands(); j++)
            if (inst.getOperand(j).isReg() && inst.getOperand(j).getReg() != first.getOperand(j).getReg())
                return true;
    }
    return false;
}

static int memory_tuple(const llvm::MCInst &inst)
{
    for (unsigned j = 0; j + 4 < inst.getNumOperands(); j++)
        if (inst.getOperand(j).isReg() && inst.getOperand(j + 1).isImm() && inst.getOperand(j + 2).isReg() &&
            inst.getOperand(j + 3).isImm() && inst.getOperand(j + 3).getImm() == probe_disp && inst.getOperand(j + 4).isReg())
            return static_cast<int>(j);
    return unassigned;
}

bool Learner::pick_memory(Sample &s) const
{
    s.form = Form::memory;
    for (uint8_t modrm : s.group.modrm) {
        if (modrm >> 6 != 2 || (modrm & 7) != 4)
            continue;
        if (!decode(s, s.fields, s.group.opcode, modrm, s.inst) || s.inst.getOpcode() != s.group.llvm_opcode)
            continue;
        s.tuple = memory_tuple(s.inst);
        s.modrm = modrm;
        if (s.tuple != unassigned)
            return true;
    }
    return false;
}

/* Chooses a representative encoding. */
bool Learner::pick(Sample &s) const
{
    s.modrm = s.group.modrm.front();
    if (!s.group.has_modrm) {
        s.form = Form::bare;
    } else if (s.modrm >> 6 == 3 || !pick_memory(s)) {
        s.form = Form::modrm;
    }
    if (s.form == Form::modrm) {
        s.fields.reg = s.modrm >> 3 & 7u;
        s.fields.rm = s.modrm & 7u;
    } else if (s.form == Form::memory) {
        s.fields.reg = s.modrm >> 3 & 7u;
    }
    Encoding encoding;
    encode({s.group.slot, s.group.opcode, s.group.context, s.modrm}, s.fields, s.form, encoding);
    unsigned len = oracle.decode(encoding, s.inst);
    if (!len || s.inst.getOpcode() != s.group.llvm_opcode || len < encoding.address_end ||
        len - encoding.address_end > s.fields.imm.size())
        return false;
    s.imm_bytes = len - encoding.address_end;
    s.item.assign(s.inst.getNumOperands(), unassigned);
    return true;
}

/* Vector index registers and the factor of 8-bit displacements. */
void Learner::learn_memory(Sample &s, Signature &out)
{
    out.flags |= SL_X86_SIG_MEMORY;
    unsigned index_operand = static_cast<unsigned>(s.tuple) + 2;
    llvm::MCInst inst;
    unsigned index = s.inst.getOperand(index_operand).getReg();
    bool general = index == rcx || index == ecx;
    bool needs_sib = std::all_of(s.group.modrm.begin(), s.group.modrm.end(), [](uint8_t m) { return (m & 7) == 4; });
    if (needs_sib)
        out.flags |= general ? SL_X86_SIG_NEEDS_SIB | SL_X86_SIG_TILE : SL_X86_SIG_NEEDS_SIB;
    if (!general) {
        RegisterMaps::Map map;
        map.fill(RegisterMaps::unknown);
        for (unsigned v = 0; v < (s.evex() ? 32u : 16u); v++) {
            Fields f = s.fields;
            f.index = v & 15u;
            f.vvvv = v & 16u;
            if (same(s, f, s.group.opcode, s.modrm, inst))
                map[v] = static_cast<uint16_t>(inst.getOperand(index_operand).getReg());
        }
        s.index_map = static_cast<uint16_t>(1 + maps.add(map));
    }
    Fields f = s.fields;
    f.disp = 1;
    uint8_t modrm = static_cast<uint8_t>((s.modrm & 0x3f) | 0x40);
    if (s.evex() && same(s, f, s.group.opcode, modrm, inst))
        while (out.disp_shift < 7 && inst.getOperand(index_operand + 1).getImm() > int64_t{1} << out.disp_shift)
            out.disp_shift++;
}

/* Gives the operands that follow one field to that field. */
void Learner::vary(Sample &s, unsigned kind)
{
    bool rex_indexed = s.legacy() && kind != SL_X86_ITEM_IS4;
    unsigned count = kind == SL_X86_ITEM_AAA ? 8 : kind == SL_X86_ITEM_IS4 ? 16 : s.evex() || rex_indexed ? 32 : 16;
    std::vector<RegisterMaps::Map> map(s.item.size());
    std::vector<char> follows(s.item.size(), 0);
    for (auto &m : map)
        m.fill(RegisterMaps::unknown);
    for (unsigned v = 0; v < count; v++) {
        /* The upper registers, and W, imply a REX prefix. */
        bool impossible = v < 16 && (v >= 8 || (s.group.context & SL_X86_LEGACY_W));
        if ((rex_indexed && impossible) || (kind == SL_X86_ITEM_AAA && v == 0))
            continue;
        uint8_t opcode, modrm;
        Fields f = s.with(kind, rex_indexed ? v & 15u : v, opcode, modrm);
        f.rex = rex_indexed && v >= 16;
        llvm::MCInst inst;
        unsigned len = decode(s, f, opcode, modrm, inst);
        if (len && (inst.getOpcode() != s.group.llvm_opcode || inst.getNumOperands() != s.item.size()))
            continue;
        for (unsigned j = 0; j < s.item.size(); j++) {
            if (!s.is_free(j) || !s.inst.getOperand(j).isReg())
                continue;
            unsigned reg = len ? inst.getOperand(j).getReg() : SL_X86_NO_REGISTER;
            map[j][v] = static_cast<uint16_t>(reg);
            if (len && reg != s.inst.getOperand(j).getReg() && ((rex_indexed ? v & 15u : v) < 8 || kind == SL_X86_ITEM_IS4))
                follows[j] = 1;
        }
    }
    for (unsigned j = 0; j < s.item.size(); j++)
        if (follows[j])
            s.item[j] = static_cast<int>(kind << 12 | maps.add(map[j]));
}

/* Zero-masking is decoded with aaa = 0, too: then the mask is k0. The same signature serves both. */
void Learner::take_k0(Sample &s)
{
    RegisterMaps::Map map;
    map.fill(RegisterMaps::unknown);
    map[0] = static_cast<uint16_t>(k0);
    for (unsigned j = 0; j < s.item.size(); j++)
        if (s.is_free(j) && s.inst.getOperand(j).isReg() && s.inst.getOperand(j).getReg() == k0)
            s.item[j] = static_cast<int>(SL_X86_ITEM_AAA << 12 | maps.add(map));
}

void Learner::learn_registers(Sample &s)
{
    if (s.form == Form::bare && s.legacy())
        vary(s, SL_X86_ITEM_OPCODE);
    if (s.form != Form::bare)
        vary(s, SL_X86_ITEM_MODRM_REG);
    if (s.form == Form::modrm)
        vary(s, SL_X86_ITEM_MODRM_RM);
    if (!s.legacy())
        vary(s, SL_X86_ITEM_VVVV);
    if (s.evex() && (s.group.context & 8u))
        vary(s, SL_X86_ITEM_AAA);
    else if (s.evex())
        take_k0(s);
    if (s.imm_bytes)
        vary(s, SL_X86_ITEM_IS4);
}

void Learner::learn_segment(Sample &s)
{
    Fields f = s.fields;
    f.segment = 0x64;
    llvm::MCInst inst;
    if (!same(s, f, s.group.opcode, s.modrm, inst))
        return;
    for (unsigned j = 0; j < s.item.size(); j++)
        if (s.is_free(j) && inst.getOperand(j).isReg() && inst.getOperand(j).getReg() == fs &&
            s.inst.getOperand(j).getReg() == 0)
            s.item[j] = SL_X86_ITEM_SEGMENT << 12;
}

bool Learner::learn_immediate(Sample &s, unsigned operand, unsigned imm_bytes)
{
    std::vector<ImmSample> samples;
    uint64_t random = 0x9e3779b97f4a7c15;
    llvm::MCInst inst;
    bool constant = true;
    int64_t base_value = s.inst.getOperand(operand).getImm();
    for (unsigned k = 0; k < 40; k++) {
        Fields f = s.fields;
        for (unsigned i = 0; i < imm_bytes; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            f.imm[i] = static_cast<uint8_t>(k < 8 ? (i == k ? 0x80 : 0x7f) : random >> 56);
        }
        if (!same(s, f, s.group.opcode, s.modrm, inst))
            continue;
        samples.push_back({f, inst.getOperand(operand).getImm()});
        constant = constant && samples.back().value == base_value;
    }
    if (samples.size() < 8)
        return false;
    unsigned context = s.group.context;
    uint16_t item = 0;
    if (!constant) {
        if (!find_imm_item(samples, imm_bytes, item))
            return false;
        s.item[operand] = item;
    } else if (s.evex() && s.form == Form::modrm && (context & 16u) && base_value == (context >> 5 & 3)) {
        s.item[operand] = SL_X86_ITEM_ROUNDING << 12;
    } else if (!s.evex() && base_value == (s.group.opcode & 15)) {
        s.item[operand] = SL_X86_ITEM_CONDITION << 12;
    } else if (base_value >= 0 && base_value < 4096) {
        s.item[operand] = static_cast<int>(SL_X86_ITEM_NUMBER << 12 | base_value);
    } else {
        return false;
    }
    return true;
}

/* Immediates, and registers that never change. */
bool Learner::learn_rest(Sample &s, unsigned imm_bytes)
{
    for (unsigned j = 0; j < s.item.size(); j++) {
        if (!s.is_free(j))
            continue;
        if (s.inst.getOperand(j).isReg())
            s.item[j] = static_cast<int>(s.inst.getOperand(j).getReg());
        else if (!learn_immediate(s, j, imm_bytes))
            return false;
    }
    return true;
}

/* Extension fields that are no operand and that LLVM wants clear. */
uint16_t Learner::zero_bits(const Sample &s) const
{
    struct Bit {
        unsigned kind, value;
        uint16_t ext;
        bool tested;
    };
    bool address = s.form == Form::memory;
    bool rm = s.reads(SL_X86_ITEM_MODRM_RM) || s.reads(SL_X86_ITEM_OPCODE);
    bool reg = s.reads(SL_X86_ITEM_MODRM_REG), v = s.reads(SL_X86_ITEM_VVVV);
    bool encoded = !s.legacy();
    const Bit bits[] = {
        {SL_X86_ITEM_MODRM_REG, 8, SL_X86_EXT_R, !reg},
        {SL_X86_ITEM_MODRM_REG, 16, SL_X86_EXT_R4, !reg && s.evex()},
        {SL_X86_ITEM_MODRM_RM, 8, SL_X86_EXT_B, !address && !rm},
        {SL_X86_ITEM_MODRM_RM, 16, SL_X86_EXT_X, !address && encoded && !(rm && s.evex())},
        {SL_X86_ITEM_VVVV, 16, SL_X86_EXT_V4, !v && s.evex() && !s.index_map},
        {SL_X86_ITEM_VVVV, 1, 1u << SL_X86_EXT_VVVV_SHIFT, !v && encoded},
        {SL_X86_ITEM_VVVV, 2, 2u << SL_X86_EXT_VVVV_SHIFT, !v && encoded},
        {SL_X86_ITEM_VVVV, 4, 4u << SL_X86_EXT_VVVV_SHIFT, !v && encoded},
        {SL_X86_ITEM_VVVV, 8, 8u << SL_X86_EXT_VVVV_SHIFT, !v && encoded},
    };
    unsigned zero = 0;
    for (const Bit &bit : bits) {
        if (!bit.tested)
            continue;
        unsigned value = bit.value;
        if (bit.kind == SL_X86_ITEM_MODRM_REG)
            value |= s.modrm >> 3 & 7u;
        if (bit.kind == SL_X86_ITEM_MODRM_RM)
            value |= s.modrm & 7u;
        uint8_t opcode, modrm;
        llvm::MCInst inst;
        Fields f = s.with(bit.kind, value, opcode, modrm);
        if (!decode(s, f, opcode, modrm, inst))
            zero |= bit.ext;
    }
    return static_cast<uint16_t>(zero);
}

/* Some opcodes decode without F3, but the assembler always writes it: there, too, it is part of the opcode. */
bool Learner::emits_rep(const Sample &s) const
{
    if (!s.legacy() || !(s.group.context & (SL_X86_LEGACY_F2 | SL_X86_LEGACY_F3)))
        return false;
    llvm::MCInst inst = s.inst;
    inst.setFlags(0);
    llvm::SmallVector<char, 16> code;
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    target.emitter->encodeInstruction(inst, code, fixups, *target.sti);
    for (char c : code) {
        auto byte = static_cast<uint8_t>(c);
        if (byte == 0xf2 || byte == 0xf3)
            return true;
        if (byte != 0x64 && byte != 0x66 && byte != 0x67)
            return false;
    }
    return false;
}

bool Learner::finish(Sample &s, Signature &out)
{
    for (unsigned j = 0; j < s.item.size(); j++) {
        if (static_cast<int>(j) == s.tuple) {
            out.items.push_back(static_cast<uint16_t>(SL_X86_ITEM_MEMORY << 12 | s.index_map));
            j += 4;
        } else {
            out.items.push_back(static_cast<uint16_t>(s.item[j]));
        }
    }
    out.imm_bytes = static_cast<uint8_t>(s.imm_bytes);
    out.must_be_zero = zero_bits(s);
    if (s.form != Form::bare)
        out.flags |= SL_X86_SIG_MODRM;
    if (s.group.keeps_rep && !emits_rep(s))
        out.flags |= SL_X86_SIG_KEEP_REP;
    unsigned reg = s.modrm >> 3 & 7u;
    if (s.group.slot.space == Space::legacy && s.group.slot.map == 0 && s.group.opcode == 0xff && (reg == 2 || reg == 4))
        out.flags |= SL_X86_SIG_NOTRACK;
    return true;
}

bool Learner::learn(const Group &group, Signature &out)
{
    Sample s(group);
    std::string name = target.mcii->getName(group.llvm_opcode).str();
    if (!pick(s)) {
        problem = name + ": no representative encoding";
        return false;
    }
    out = Signature();
    if (s.form == Form::memory)
        learn_memory(s, out);
    learn_registers(s);
    learn_segment(s);
    if (!learn_rest(s, s.imm_bytes)) {
        problem = name + ": an immediate fits no known rule";
        return false;
    }
    return finish(s, out);
}

} // namespace x86
} // namespace modelgen
