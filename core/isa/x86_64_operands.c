/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of an x86-64 instruction, read as its signature says. */
#include <slotledger/isa.h>

#include "x86_64_decode.h"
#include "../gen/x86_64_decode_operands.inc"

static struct sl_operand reg_operand(uint32_t reg)
{
    struct sl_operand operand = {0, (uint16_t)reg, SL_OPERAND_REG};
    return operand;
}

static struct sl_operand imm_operand(int64_t imm)
{
    struct sl_operand operand = {imm, 0, SL_OPERAND_IMM};
    return operand;
}

/* Index register of a SIB byte. LLVM shows "no index" as RIZ where the SIB byte was not needed for the base. */
static uint32_t sib_index(const struct sl_x86_encoding *e, const struct sl_x86_signature *sig, uint32_t sib,
                          uint32_t vector_map)
{
    uint32_t index = (sib >> 3 & 7u) | (uint32_t)e->x << 3;
    if (vector_map)
        return sl_x86_register[vector_map - 1][index | (e->vvvv & 16u)];
    if (index != 4)
        return e->adsize ? sl_x86_address32[index] : sl_x86_address64[index];
    bool base_needs_sib = (sib & 7u) == 4 || ((sib & 7u) == 5 && e->modrm < 0x40);
    if ((sib < 0x40 && base_needs_sib) || (sig->flags & SL_X86_SIG_TILE))
        return 0;
    return e->adsize ? SL_X86_REG_EIZ : SL_X86_REG_RIZ;
}

/* Writes the five memory operands. */
static bool read_memory(const struct sl_x86_encoding *e, const struct sl_x86_signature *sig, uint32_t vector_map,
                        struct sl_operand *out)
{
    const uint16_t *general = e->adsize ? sl_x86_address32 : sl_x86_address64;
    const uint8_t *p = e->bytes + e->pos;
    uint32_t mod = e->modrm >> 6, rm = e->modrm & 7u, base, index = 0, scale = 0;
    bool disp32 = mod == 2;
    if (rm == 4) {
        uint32_t sib = *p++;
        scale = sib >> 6;
        index = sib_index(e, sig, sib, vector_map);
        base = general[(sib & 7u) | (uint32_t)e->b << 3];
        if (mod == 0 && (sib & 7u) == 5) {
            base = 0;
            disp32 = true;
        }
    } else if (mod == 0 && rm == 5) {
        base = e->adsize ? SL_X86_REG_EIP : SL_X86_REG_RIP;
        disp32 = true;
    } else {
        base = general[rm | (uint32_t)e->b << 3];
    }
    int64_t disp = 0;
    if (mod == 1)
        disp = (int64_t)(int8_t)*p * (int64_t)(1u << sig->disp_shift);
    else if (disp32)
        disp = (int32_t)sl_get_u32le(p);
    out[0] = reg_operand(base);
    out[1] = imm_operand((int64_t)1 << scale);
    out[2] = reg_operand(index);
    out[3] = imm_operand(disp);
    out[4] = reg_operand(e->segment);
    if ((sig->flags & SL_X86_SIG_NEEDS_SIB) && rm != 4)
        return false;
    return index != SL_X86_NO_REGISTER && (base != 0 || !(sig->flags & SL_X86_SIG_TILE));
}

static int64_t immediate(const uint8_t *imm, uint32_t argument)
{
    imm += argument & 7u;
    if (argument & SL_X86_IMM_NIBBLE)
        return imm[0] & 15;
    uint32_t unused = 64u - (8u << (argument >> 3 & 3u));
    uint64_t value = sl_get_u64le(imm) << unused;
    if ((argument & SL_X86_IMM_SIGNED) && value >> 63)
        return (int64_t)~(~value >> unused);
    return (int64_t)(value >> unused);
}

/* The values of the fields that name registers, by item kind. */
static void read_fields(const struct sl_x86_encoding *e, const uint8_t *imm_end, uint8_t field[7])
{
    uint32_t rex = e->rex ? 16u : 0u, rm_extension = (uint32_t)e->b << 3 | rex;
    field[SL_X86_ITEM_MODRM_REG] = (uint8_t)((e->modrm >> 3 & 7u) | (uint32_t)e->r << 3 | rex);
    field[SL_X86_ITEM_MODRM_RM] = (uint8_t)((e->modrm & 7u) | rm_extension | (e->map > SL_X86_MAP_EVEX ? (uint32_t)e->x << 4 : 0u));
    field[SL_X86_ITEM_VVVV] = e->vvvv;
    field[SL_X86_ITEM_AAA] = e->aaa;
    field[SL_X86_ITEM_IS4] = imm_end[-1] >> 4;
    field[SL_X86_ITEM_OPCODE] = (uint8_t)((e->opcode & 7u) | rm_extension);
}

/* An operand that no field of registers and no address holds. */
static struct sl_operand other_operand(const struct sl_x86_encoding *e, uint32_t item, const uint8_t *imm)
{
    switch (item >> 12) {
    case SL_X86_ITEM_REG:
        return reg_operand(item & 0xfffu);
    case SL_X86_ITEM_SEGMENT:
        return reg_operand(e->segment);
    case SL_X86_ITEM_IMM:
        return imm_operand(immediate(imm, item));
    case SL_X86_ITEM_CONDITION:
        return imm_operand(e->opcode & 15);
    case SL_X86_ITEM_ROUNDING:
        return imm_operand(e->rounding);
    default:
        return imm_operand(item & 0xfffu);
    }
}

/* False: a field's value is not encodable. */
static bool read_items(const struct sl_x86_encoding *e, const struct sl_x86_signature *sig, const uint8_t *imm,
                       struct sl_insn *out)
{
    uint8_t field[7];
    read_fields(e, imm + sig->imm_bytes, field);
    struct sl_operand *operand = out->operand;
    const uint16_t *item = &sl_x86_items[sig->items], *end = item + sig->n_items;
    for (; item < end; item++) {
        uint32_t kind = (uint32_t)*item >> 12, argument = *item & 0xfffu;
        if (kind >= SL_X86_ITEM_MODRM_REG && kind <= SL_X86_ITEM_OPCODE) {
            uint32_t reg = sl_x86_register[argument][field[kind]];
            if (reg == SL_X86_NO_REGISTER)
                return false;
            *operand++ = reg_operand(reg);
        } else if (kind == SL_X86_ITEM_MEMORY) {
            if (!read_memory(e, sig, argument, operand))
                return false;
            operand += 5;
        } else {
            *operand++ = other_operand(e, *item, imm);
        }
    }
    out->n_operands = (uint8_t)(operand - out->operand);
    return true;
}


static uint32_t extensions(const struct sl_x86_encoding *e)
{
    return (uint32_t)e->r | (uint32_t)e->x << 2 | (uint32_t)e->b << 3 | (uint32_t)(e->vvvv & 16u) |
           (uint32_t)(e->vvvv & 15u) << SL_X86_EXT_VVVV_SHIFT;
}

/* What prefixes mean depends on the instruction: F2 and F3 may be part of the opcode, 3E may be notrack. */
static void settle_prefixes(struct sl_x86_encoding *e, const struct sl_x86_signature *sig)
{
    if (!(sig->flags & SL_X86_SIG_KEEP_REP))
        e->flags &= ~(SL_INSN_REP | SL_INSN_REPNE);
    if ((sig->flags & SL_X86_SIG_NOTRACK) && e->segment == SL_X86_REG_DS) {
        e->flags |= SL_INSN_NOTRACK;
        e->segment = 0;
    }
}

bool sl_x86_read_operands(struct sl_x86_encoding *e, const struct sl_x86_leaf *leaf, struct sl_insn *out)
{
    const struct sl_x86_signature *sig = &sl_x86_signatures[leaf->signature];
    const uint8_t *imm = e->bytes + e->pos;
    if (sig->flags & SL_X86_SIG_MEMORY)
        imm += sl_x86_address_bytes(imm);
    if (sig->flags & SL_X86_SIG_MODRM) {
        e->pos++;
        imm++;
    }
    settle_prefixes(e, sig);
    out->op = leaf->op;
    out->len_bytes = (uint8_t)(imm + sig->imm_bytes - e->bytes);
    out->flags = e->flags;
    if (extensions(e) & sig->must_be_zero)
        return false;
    return read_items(e, sig, imm, out);
}
