/* SPDX-License-Identifier: Apache-2.0 */
/* The x86-64 decoder: prefixes and opcode here, table look-up, then the operands the signature asks for. */
#include <slotledger/isa.h>

#include "x86_64_decode.h"
#include "../gen/x86_64_decode.inc"

#define MAX_LEN 15u

/* Register of a segment prefix byte. */
static uint32_t segment_of(uint8_t byte)
{
    switch (byte) {
    case 0x26: return SL_X86_REG_ES;
    case 0x2e: return SL_X86_REG_CS;
    case 0x36: return SL_X86_REG_SS;
    case 0x3e: return SL_X86_REG_DS;
    case 0x64: return SL_X86_REG_FS;
    default: return SL_X86_REG_GS;
    }
}

/* Legacy prefixes; of F2 and F3 and of segments the last one counts. Returns the first other byte. */
static uint8_t read_prefixes(struct sl_x86_encoding *e)
{
    for (;;) {
        uint8_t byte = e->bytes[e->pos];
        switch (byte) {
        case 0x66:
            e->opsize = true;
            break;
        case 0x67:
            e->adsize = true;
            break;
        case 0xf0:
            e->flags |= SL_INSN_LOCK;
            break;
        case 0xf2:
            e->flags = (e->flags & ~SL_INSN_REP) | SL_INSN_REPNE;
            break;
        case 0xf3:
            e->flags = (e->flags & ~SL_INSN_REPNE) | SL_INSN_REP;
            break;
        case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
            e->segment = segment_of(byte);
            break;
        default:
            return byte;
        }
        if (++e->pos >= MAX_LEN)
            return 0;
    }
}

/* The second and third byte of a three-byte VEX or XOP prefix; e->pos is behind them afterwards. */
static void read_vex3(struct sl_x86_encoding *e)
{
    uint8_t rxb = (uint8_t)~e->bytes[e->pos + 1], last = e->bytes[e->pos + 2];
    e->r = rxb >> 7;
    e->x = rxb >> 6 & 1u;
    e->b = rxb >> 5 & 1u;
    e->vvvv = (uint8_t)~last >> 3 & 15u;
    e->context = (last & 7u) | (uint32_t)(last >> 7) << 3;
    e->pos += 3;
}

static bool read_evex(struct sl_x86_encoding *e)
{
    const uint8_t *p = e->bytes + e->pos;
    uint8_t p0 = p[1], p1 = p[2], p2 = p[3];
    uint32_t map = p0 & 7u;
    e->r = (uint8_t)((~(uint32_t)p0 >> 7 & 1u) | (~(uint32_t)p0 >> 3 & 2u));
    e->x = (uint8_t)~p0 >> 6 & 1u;
    e->b = (uint8_t)~p0 >> 5 & 1u;
    e->vvvv = (uint8_t)((~(uint32_t)p1 >> 3 & 15u) | (~(uint32_t)p2 << 1 & 16u));
    e->aaa = p2 & 7u;
    e->rounding = p2 >> 5 & 3u;
    e->context = (p2 & 0xf0u) | (e->aaa != 0 ? 8u : 0u) | (uint32_t)(p1 >> 7) << 2 | (p1 & 3u);
    e->map = SL_X86_MAP_EVEX + map;
    e->pos += 4;
    /* Bit 3 of the first and a clear bit 2 of the second byte belong to APX. */
    return map != 0 && map != 4 && (p0 & 8u) == 0 && (p1 & 4u) != 0;
}

static bool read_vex(struct sl_x86_encoding *e, uint8_t first)
{
    if (first == 0xc5) {
        uint8_t last = e->bytes[e->pos + 1];
        e->r = (uint8_t)~last >> 7;
        e->vvvv = (uint8_t)~last >> 3 & 15u;
        e->context = last & 7u;
        e->map = SL_X86_MAP_VEX + 1;
        e->pos += 2;
        return true;
    }
    uint32_t map = e->bytes[e->pos + 1] & 31u;
    read_vex3(e);
    if (first == 0x8f) {
        e->map = SL_X86_MAP_XOP + map;
        return map >= 8 && map <= 10;
    }
    e->map = map == 7 ? SL_X86_MAP_VEX + 4u : SL_X86_MAP_VEX + map;
    return (map >= 1 && map <= 3) || map == 7;
}

/* The rest of a legacy encoding: REX and escape bytes; `byte` is the one at e->pos. Behind REX only an opcode may
 * come: there, prefixes, VEX and EVEX find no block. Neither does D5, which is APX. */
static void read_legacy(struct sl_x86_encoding *e, uint8_t byte)
{
    e->context = (e->opsize ? SL_X86_LEGACY_OPSIZE : 0u) | (e->adsize ? SL_X86_LEGACY_ADSIZE : 0u) |
                 (e->flags & SL_INSN_REP ? SL_X86_LEGACY_F3 : 0u) | (e->flags & SL_INSN_REPNE ? SL_X86_LEGACY_F2 : 0u);
    if ((byte & 0xf0u) == 0x40) {
        e->rex = true;
        e->context |= byte & SL_X86_LEGACY_W;
        e->r = byte >> 2 & 1u;
        e->x = byte >> 1 & 1u;
        e->b = byte & 1u;
        byte = e->bytes[++e->pos];
    }
    e->map = SL_X86_MAP_LEGACY;
    if (byte != 0x0f)
        return;
    byte = e->bytes[++e->pos];
    e->map = SL_X86_MAP_LEGACY_0F;
    if (byte == 0x38 || byte == 0x3a) {
        e->map = byte == 0x38 ? SL_X86_MAP_LEGACY_0F38 : SL_X86_MAP_LEGACY_0F3A;
        e->pos++;
    } else if (byte == 0x0f) {
        e->map = SL_X86_MAP_NOW3D;
    }
}

/* Reads everything up to the opcode and ModRM. False: no instruction. */
static bool read_opcode(struct sl_x86_encoding *e)
{
    uint8_t byte = read_prefixes(e);
    if (e->pos >= MAX_LEN)
        return false;
    bool good = true;
    if (byte == 0x62)
        good = read_evex(e);
    else if (byte == 0xc4 || byte == 0xc5 || (byte == 0x8f && (e->bytes[e->pos + 1] & 31u) >= 8))
        good = read_vex(e, byte);
    else
        read_legacy(e, byte);
    if (!good)
        return false;
    e->opcode = e->bytes[e->pos];
    e->modrm = e->bytes[e->pos + 1];
    /* A 3DNow opcode stands behind the address; e->pos stays at the second 0F, as if that were the opcode. */
    if (e->map == SL_X86_MAP_NOW3D)
        e->opcode = e->bytes[e->pos + 2 + sl_x86_address_bytes(e->bytes + e->pos + 1)];
    e->pos++;
    return true;
}

/* The leaf of the instruction; number 0 if there is none. */
static uint32_t find_leaf(const struct sl_x86_encoding *e)
{
    uint32_t opcode = e->opcode, modrm = e->modrm;
    /* 90 with REX.B is XCHG with R8, like its neighbours. */
    if (opcode == 0x90 && e->b && e->map == SL_X86_MAP_LEGACY)
        opcode = 0x91;
    const struct sl_x86_block *block = &sl_x86_blocks[sl_x86_block_of[e->map << 8 | opcode]];
    if (block == sl_x86_blocks)
        return 0;
    uint32_t number = sl_x86_context[block->contexts * 16u + e->context];
    const struct sl_x86_decision *decision = &sl_x86_decisions[block->first_decision + number];
    bool is_register = modrm >= 0xc0;
    if (!(decision->memory & SL_X86_ROW))
        return is_register ? decision->reg : decision->memory;
    uint32_t column = modrm >> 3 & 7u;
    if (is_register)
        column = decision->memory & SL_X86_BY_MOD_REG_RM ? modrm - 0xb8u : column + 8u;
    return sl_x86_rows[decision->reg + column];
}

/* A prefix byte that stands alone: assembly text puts `lock` or `rep` on a line of its own that way. */
static enum sl_status decode_lone_byte(uint8_t byte, struct sl_insn *out)
{
    static const struct {
        uint8_t byte;
        uint16_t op;
    } lone[] = {
        {0x26, SL_X86_OP_ES}, {0x2e, SL_X86_OP_CS}, {0x36, SL_X86_OP_SS}, {0x3e, SL_X86_OP_DS},
        {0x48, SL_X86_OP_REX64}, {0x64, SL_X86_OP_FS}, {0x65, SL_X86_OP_GS}, {0x66, SL_X86_OP_DATA16},
        {0x67, SL_X86_OP_ADDR32}, {0xf0, SL_X86_OP_LOCK}, {0xf2, SL_X86_OP_REPNE}, {0xf3, SL_X86_OP_REP},
    };
    for (uint32_t i = 0; i < sizeof lone / sizeof lone[0]; i++)
        if (lone[i].byte == byte) {
            out->op = lone[i].op;
            out->len_bytes = 1;
            out->n_operands = 0;
            out->flags = 0;
            out->sched_class = 0;
            out->list_kind = SL_LIST_NONE;
            return SL_OK;
        }
    return SL_E_TRUNCATED;
}

static void copy_insn(const struct sl_insn *from, struct sl_insn *to)
{
    to->op = from->op;
    to->len_bytes = from->len_bytes;
    to->n_operands = from->n_operands;
    to->flags = from->flags;
    to->sched_class = 0;
    to->list_kind = SL_LIST_NONE;
    for (uint32_t i = 0; i < from->n_operands; i++)
        to->operand[i] = from->operand[i];
}

/* Decodes from a full window of which `len` bytes are input; the others only stand in for what is missing. */
static enum sl_status decode_window(const uint8_t *window, size_t len, struct sl_insn *out)
{
    struct sl_x86_encoding e = {.bytes = window};
    uint32_t needed;
    if (!read_opcode(&e)) {
        needed = e.pos + 1;
    } else {
        uint32_t leaf = find_leaf(&e);
        needed = e.pos + 1;
        if (e.map == SL_X86_MAP_NOW3D)
            needed += sl_x86_address_bytes(window + e.pos) + 1;
        if (leaf != 0) {
            struct sl_insn insn;
            if (sl_x86_read_operands(&e, &sl_x86_leaves[leaf], &insn) && insn.len_bytes <= len && insn.len_bytes <= MAX_LEN) {
                copy_insn(&insn, out);
                return SL_OK;
            }
            needed = insn.len_bytes;
        }
    }
    return needed > len && len < MAX_LEN ? SL_E_TRUNCATED : SL_E_UNDECODABLE;
}

enum sl_status sl_decode_x86_64(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    if (len >= SL_X86_WINDOW_BYTES)
        return decode_window(bytes, len, out);
    uint8_t window[SL_X86_WINDOW_BYTES] = {0};
    for (size_t i = 0; i < len && i < MAX_LEN; i++)
        window[i] = bytes[i];
    if (len == 0)
        return SL_E_TRUNCATED;
    enum sl_status status = decode_window(window, len, out);
    return status == SL_E_TRUNCATED && len == 1 ? decode_lone_byte(window[0], out) : status;
}
