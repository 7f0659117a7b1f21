/* SPDX-License-Identifier: Apache-2.0 */
/* Builds x86-64 encodings, asks LLVM's disassembler, and enumerates every opcode-selecting key. */
#include "decode_x86.h"

#include <cstring>

namespace modelgen {
namespace x86 {

const std::array<MapSlot, SL_X86_N_MAPS> map_slots = {{
    {Space::legacy, 0}, {Space::legacy, 1}, {Space::legacy, 2}, {Space::legacy, 3}, {Space::now3d, 0},
    {Space::vex, 1},    {Space::vex, 2},    {Space::vex, 3},    {Space::vex, 7},    {Space::xop, 8},
    {Space::xop, 9},    {Space::xop, 10},   {Space::evex, 1},   {Space::evex, 2},   {Space::evex, 3},
    {Space::evex, 4},   {Space::evex, 5},   {Space::evex, 6},   {Space::evex, 7},
}};

unsigned context_count(Space space)
{
    if (space == Space::evex)
        return SL_X86_EVEX_CONTEXTS;
    return space == Space::vex || space == Space::xop ? SL_X86_VEX_CONTEXTS : SL_X86_LEGACY_CONTEXTS;
}

unsigned opcode_by_name(const llvm::MCInstrInfo &mcii, const char *name)
{
    for (unsigned i = 0; i < mcii.getNumOpcodes(); i++)
        if (mcii.getName(i) == name)
            return i;
    return 0;
}

unsigned register_by_name(const llvm::MCRegisterInfo &mri, const char *name)
{
    for (unsigned i = 1; i < mri.getNumRegs(); i++)
        if (!strcmp(mri.getName(i), name))
            return i;
    return 0;
}

namespace {

/* R, X, B as REX has them: bits 2, 1, 0. */
unsigned extension_bits(const Fields &fields, Form form)
{
    unsigned b = form == Form::memory ? fields.base >> 3 & 1u : fields.rm >> 3 & 1u;
    unsigned x = form == Form::memory ? fields.index >> 3 & 1u : fields.rm >> 4 & 1u;
    return (fields.reg >> 3 & 1u) << 2 | x << 1 | b;
}

uint8_t *put_legacy(const Key &key, const Fields &fields, unsigned rxb, uint8_t *p)
{
    unsigned context = key.context;
    if (context & SL_X86_LEGACY_ADSIZE)
        *p++ = 0x67;
    if (context & SL_X86_LEGACY_OPSIZE)
        *p++ = 0x66;
    if (context & SL_X86_LEGACY_F3)
        *p++ = 0xf3;
    if (context & SL_X86_LEGACY_F2)
        *p++ = 0xf2;
    unsigned rex = rxb | (context & SL_X86_LEGACY_W ? 8u : 0u);
    if (rex || fields.rex)
        *p++ = static_cast<uint8_t>(0x40 | rex);
    if (key.slot.space == Space::now3d) {
        *p++ = 0x0f;
        *p++ = 0x0f;
        return p;
    }
    if (key.slot.map >= 1)
        *p++ = 0x0f;
    if (key.slot.map >= 2)
        *p++ = key.slot.map == 2 ? 0x38 : 0x3a;
    return p;
}

uint8_t *put_vex(const Key &key, const Fields &fields, unsigned rxb, uint8_t *p)
{
    *p++ = key.slot.space == Space::vex ? 0xc4 : 0x8f;
    *p++ = static_cast<uint8_t>((~rxb & 7u) << 5 | key.slot.map);
    *p++ = static_cast<uint8_t>((key.context >> 3 & 1u) << 7 | (~fields.vvvv & 15u) << 3 | (key.context & 7u));
    return p;
}

uint8_t *put_evex(const Key &key, const Fields &fields, unsigned rxb, uint8_t *p)
{
    unsigned context = key.context;
    unsigned aaa = context & 8u ? fields.aaa : 0u;
    *p++ = 0x62;
    *p++ = static_cast<uint8_t>((~rxb & 7u) << 5 | (~fields.reg >> 4 & 1u) << 4 | key.slot.map);
    *p++ = static_cast<uint8_t>((context >> 2 & 1u) << 7 | (~fields.vvvv & 15u) << 3 | 4u | (context & 3u));
    *p++ = static_cast<uint8_t>((context & 0xf0u) | (~(fields.vvvv >> 4) & 1u) << 3 | aaa);
    return p;
}

uint8_t *put_address(uint8_t modrm, const Fields &fields, uint8_t *p)
{
    unsigned mod = modrm >> 6, rm = modrm & 7u;
    if (rm == 4)
        *p++ = static_cast<uint8_t>(fields.scale << 6 | (fields.index & 7u) << 3 | (fields.base & 7u));
    unsigned bytes = mod == 1 ? 1 : mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 && (fields.base & 7u) == 5))) ? 4 : 0;
    for (unsigned i = 0; i < bytes; i++)
        *p++ = static_cast<uint8_t>(fields.disp >> 8 * i);
    return p;
}

} // namespace

void encode(const Key &key, const Fields &fields, Form form, Encoding &out)
{
    memset(out.bytes, 0, sizeof out.bytes);
    uint8_t *p = out.bytes;
    unsigned rxb = extension_bits(fields, form);
    if (fields.segment)
        *p++ = fields.segment;
    if (key.slot.space == Space::evex)
        p = put_evex(key, fields, rxb, p);
    else if (key.slot.space == Space::vex || key.slot.space == Space::xop)
        p = put_vex(key, fields, rxb, p);
    else
        p = put_legacy(key, fields, rxb, p);
    out.prefix_bytes = static_cast<unsigned>(p - out.bytes);
    if (key.slot.space != Space::now3d)
        *p++ = key.opcode;
    if (form != Form::bare)
        *p++ = key.modrm;
    if (form == Form::memory && key.modrm < 0xc0)
        p = put_address(key.modrm, fields, p);
    out.address_end = static_cast<unsigned>(p - out.bytes);
    if (key.slot.space == Space::now3d)
        *p++ = key.opcode;
    memcpy(p, fields.imm.data(), fields.imm.size());
}

bool is_apx_name(llvm::StringRef name)
{
    return name.ends_with("_EVEX") || name.ends_with("_NF");
}

Oracle::Oracle(const Target &t)
    : target(t), xacquire(opcode_by_name(*t.mcii, "XACQUIRE_PREFIX")), xrelease(opcode_by_name(*t.mcii, "XRELEASE_PREFIX"))
{
    for (unsigned i = 0; i < t.mcii->getNumOpcodes(); i++)
        apx.push_back(is_apx_name(t.mcii->getName(i)));
}

unsigned Oracle::decode(const Encoding &encoding, llvm::MCInst &out) const
{
    unsigned len = target.decode(encoding.bytes, sizeof encoding.bytes, out);
    if (len && apx[out.getOpcode()])
        return 0;
    if (!len || (out.getOpcode() != xacquire && out.getOpcode() != xrelease))
        return len;
    unsigned rep = out.getOpcode() == xacquire ? mcinst_repne : mcinst_rep;
    uint8_t rest[sizeof encoding.bytes];
    unsigned n = 0;
    bool dropped = false;
    for (uint8_t byte : encoding.bytes) {
        if (!dropped && (byte == 0xf2 || byte == 0xf3))
            dropped = true;
        else
            rest[n++] = byte;
    }
    len = target.decode(rest, n, out);
    out.setFlags(out.getFlags() | rep);
    return len ? len + 1 : 0;
}

namespace {

bool is_prefix_or_escape(const MapSlot &slot, unsigned opcode)
{
    if (slot.space != Space::legacy)
        return false;
    if (slot.map == 1)
        return opcode == 0x0f || opcode == 0x38 || opcode == 0x3a;
    if (slot.map != 0)
        return false;
    switch (opcode) {
    case 0x0f: case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x62: case 0x64: case 0x65: case 0x66:
    case 0x67: case 0xc4: case 0xc5: case 0xd5: case 0xf0: case 0xf2: case 0xf3:
        return true;
    default:
        return opcode >= 0x40 && opcode < 0x50;
    }
}

/* Keys that other bytes decode first: F2 with F3 (the last one counts), and XOP inside POP's ModRM. */
bool is_shadowed(const Key &key)
{
    if (key.slot.space != Space::legacy && key.slot.space != Space::now3d)
        return false;
    if ((key.context & SL_X86_LEGACY_F3) && (key.context & SL_X86_LEGACY_F2))
        return true;
    return key.slot.space == Space::legacy && key.slot.map == 0 && key.opcode == 0x8f && (key.modrm & 0x1f) >= 8;
}

bool enumerate_block(const Oracle &oracle, BlockOpcodes &block)
{
    const MapSlot &slot = map_slots[block.slot];
    unsigned contexts = context_count(slot.space);
    block.llvm_opcode.assign(contexts << 8, 0);
    bool any = false;
    llvm::MCInst inst;
    Encoding encoding;
    Fields fields;
    for (unsigned context = 0; context < contexts; context++)
        for (unsigned modrm = 0; modrm < 256; modrm++) {
            Key key{slot, block.opcode, context, static_cast<uint8_t>(modrm)};
            if (is_shadowed(key))
                continue;
            encode(key, fields, Form::memory, encoding);
            if (!oracle.decode(encoding, inst))
                continue;
            block.llvm_opcode[context << 8 | modrm] = static_cast<uint16_t>(inst.getOpcode());
            any = true;
        }
    return any;
}

} // namespace

std::vector<BlockOpcodes> enumerate_blocks(const Oracle &oracle)
{
    std::vector<BlockOpcodes> blocks;
    for (unsigned slot = 0; slot < map_slots.size(); slot++) {
        if (slot == SL_X86_MAP_EVEX + 4) /* APX */
            continue;
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            if (is_prefix_or_escape(map_slots[slot], opcode))
                continue;
            BlockOpcodes block{slot, static_cast<uint8_t>(opcode), {}};
            if (enumerate_block(oracle, block))
                blocks.push_back(std::move(block));
        }
    }
    return blocks;
}

} // namespace x86
} // namespace modelgen
