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
    if ((sib < 0x40 && base_needs_sib) || (sig->flags & SL_X86_SIG_SIBMEM))
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
    return index != SL_X86_NO_REGISTER && (base != 0 || !(sig->flags & SL_X86_SIG_SIBMEM));
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

/* The register a field names; SL_X86_NO_REGISTER if its value is not encodable. */
static uint32_t register_of(const struct sl_x86_encoding *e, uint32_t item, const uint8_t *imm_end)
{
    uint32_t rex = e->rex ? 16u : 0u, index;
    switch (item >> 12) {
    case SL_X86_ITEM_REG:
        return item & 0xfffu;
    case SL_X86_ITEM_MODRM_REG:
        index = (e->modrm >> 3 & 7u) | (uint32_t)e->r << 3 | rex;
        break;
    case SL_X86_ITEM_MODRM_RM:
        index = (e->modrm & 7u) | (uint32_t)e->b << 3 | rex;
        if (e->map > SL_X86_MAP_EVEX)
            index |= (uint32_t)e->x << 4;
        break;
    case SL_X86_ITEM_VVVV:
        index = e->vvvv;
        break;
    case SL_X86_ITEM_AAA:
        index = e->aaa;
        break;
    case SL_X86_ITEM_IS4:
        index = imm_end[-1] >> 4;
        break;
    case SL_X86_ITEM_OPCODE:
        index = (e->opcode & 7u) | (uint32_t)e->b << 3 | rex;
        break;
    default:
        return e->segment;
    }
    return sl_x86_register[item & 0xfffu][index];
}

static struct sl_operand simple_operand(const struct sl_x86_encoding *e, uint32_t item, const uint8_t *imm,
                                        const uint8_t *imm_end)
{
    switch (item >> 12) {
    case SL_X86_ITEM_IMM:
        return imm_operand(immediate(imm, item));
    case SL_X86_ITEM_CONDITION:
        return imm_operand(e->opcode & 15);
    case SL_X86_ITEM_ROUNDING:
        return imm_operand(e->rounding);
    case SL_X86_ITEM_NUMBER:
        return imm_operand(item & 0xfffu);
    default:
        return reg_operand(register_of(e, item, imm_end));
    }
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

bool sl_x86_read_operands(struct sl_x86_encoding *e, uint32_t leaf, struct sl_insn *out)
{
    const struct sl_x86_signature *sig = &sl_x86_signatures[leaf >> 16];
    const uint8_t *imm = e->bytes + e->pos;
    if (sig->flags & SL_X86_SIG_MEMORY)
        imm += sl_x86_address_bytes(imm);
    if (sig->flags & SL_X86_SIG_MODRM) {
        e->pos++;
        imm++;
    }
    const uint8_t *imm_end = imm + sig->imm_bytes;
    settle_prefixes(e, sig);
    out->op = (uint16_t)leaf;
    out->len_bytes = (uint8_t)(imm_end - e->bytes);
    out->flags = e->flags;
    if (extensions(e) & sig->must_be_zero)
        return false;
    struct sl_operand *operand = out->operand;
    for (uint32_t i = 0; i < sig->n_items; i++) {
        uint32_t item = sl_x86_items[sig->items + i];
        if (item >> 12 == SL_X86_ITEM_MEMORY) {
            if (!read_memory(e, sig, item & 0xfffu, operand))
                return false;
            operand += 5;
            continue;
        }
        *operand = simple_operand(e, item, imm, imm_end);
        if (operand->reg == SL_X86_NO_REGISTER)
            return false;
        operand++;
    }
    out->n_operands = (uint8_t)(operand - out->operand);
    return true;
}
