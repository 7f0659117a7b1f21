/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from operands, and questions about operands. */
#include "disasm_format.h"

#include <inttypes.h>
#include <stdio.h>

static bool immediate(const struct sl_insn *insn, unsigned index, uint64_t *value)
{
    if (index >= sl_insn_stored(insn) || insn->operand[index].kind != SL_OPERAND_IMM)
        return false;
    *value = (uint64_t)insn->operand[index].imm;
    return true;
}

/* Arm ARM, DecodeBitMasks(): an element of 2 to 64 bits that holds a rotated run of ones. */
bool disasm_logical_immediate(uint64_t encoded, uint64_t *value)
{
    uint64_t n = encoded >> 12 & 1, rotate = encoded >> 6 & 63, ones = encoded & 63;
    uint64_t size = 64, element;
    if (!n) {
        for (size = 32; size >= 2 && (ones & size); size /= 2)
            continue;
        if (size < 2)
            return false;
    }
    rotate &= size - 1;
    ones &= size - 1;
    if (ones == size - 1)
        return false;
    element = ((uint64_t)1 << (ones + 1)) - 1;
    if (rotate)
        element = element >> rotate | element << (size - rotate);
    if (size < 64)
        element &= ((uint64_t)1 << size) - 1;
    for (; size < 64; size *= 2)
        element |= element << size;
    *value = element;
    return true;
}

void disasm_generic_sysreg(uint64_t encoded, char *out)
{
    snprintf(out, DISASM_NUMBER_BYTES, "S%u_%u_C%u_C%u_%u", (unsigned)(encoded >> 14 & 3), (unsigned)(encoded >> 11 & 7),
             (unsigned)(encoded >> 7 & 15), (unsigned)(encoded >> 3 & 15), (unsigned)(encoded & 7));
}

static uint64_t byte_mask(uint64_t bits)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < 8; i++)
        mask |= bits >> i & 1 ? (uint64_t)0xff << (8 * i) : 0;
    return mask;
}

static uint32_t turned_right(uint32_t value, unsigned by)
{
    by &= 31;
    return by ? value >> by | value << (32 - by) : value;
}

/* Arm ARM, "Modified immediate constants in A32 instructions". */
static uint32_t rotated(uint64_t encoded)
{
    return turned_right((uint32_t)encoded & 0xff, (unsigned)(encoded >> 8 & 15) * 2);
}

/* The byte is as far down as it goes; one that lies at both ends of the word begins at its upper part. */
static uint32_t encode_rotated(uint32_t value)
{
    unsigned zeros = 0;
    if (value < 256)
        return value;
    zeros = (unsigned)__builtin_ctz(value) & ~1u;
    if (turned_right(value, zeros) > 255 && value > 63 && (value & 63))
        zeros = (unsigned)__builtin_ctz(value & ~63u) & ~1u;
    return turned_right(value, zeros) | ((32 - zeros) & 31) / 2 << 8;
}

/* Arm ARM, AdvSIMDExpandImm(), of one element. false: a floating-point number or no number. */
static bool neon_value(uint64_t encoded, uint64_t *value)
{
    unsigned cmode = (unsigned)(encoded >> 8 & 15);
    uint64_t byte = encoded & 0xff;
    if (cmode < 8)
        *value = byte << 8 * (cmode >> 1);
    else if (cmode < 12)
        *value = byte << 8 * (cmode >> 1 & 1);
    else if (cmode < 14)
        *value = cmode & 1 ? byte << 16 | 0xffff : byte << 8 | 0xff;
    else if (cmode == 14)
        *value = encoded >> 12 & 1 ? byte_mask(byte) : byte;
    return cmode < 15;
}

/* false: no bit is clear. */
static bool clear_bits(uint64_t mask, bool width, uint64_t *value)
{
    uint32_t clear = ~(uint32_t)mask;
    if (!clear)
        return false;
    *value = (uint64_t)__builtin_ctz(clear);
    if (width)
        *value = 32 - (uint64_t)__builtin_clz(clear) - *value;
    return true;
}

static int64_t cut(uint64_t value, unsigned width)
{
    switch (width) {
    case DISASM_U8: return (int64_t)(value & 0xff);
    case DISASM_U16: return (int64_t)(value & 0xffff);
    case DISASM_U32: return (int64_t)(value & 0xffffffff);
    case DISASM_S8: return (int8_t)value;
    case DISASM_S16: return (int16_t)value;
    case DISASM_S32: return (int32_t)value;
    default: return (int64_t)value;
    }
}

bool disasm_number_value(const struct disasm_number *number, const struct sl_insn *insn, unsigned a, unsigned b,
                         int64_t *value)
{
    uint64_t va = 0, vb = 0, result;
    bool one = number->kind != DISASM_LINEAR || number->mul_a;
    bool two = number->kind == DISASM_LINEAR ? number->mul_b != 0
                                             : (number->kind >= DISASM_SHIFTED && number->kind <= DISASM_INVERTED);
    if ((one && !immediate(insn, a, &va)) || (two && !immediate(insn, b, &vb)))
        return false;
    switch (number->kind) {
    case DISASM_FIELD:
        result = va >> (number->add & 63) & (uint64_t)number->mul_a;
        break;
    case DISASM_SHIFTED:
        result = va << (vb & 63);
        break;
    case DISASM_SHIFTED_8:
        result = (uint64_t)(int64_t)(int8_t)va << (vb & 63);
        break;
    case DISASM_INVERTED:
        result = ~(va << (vb & 63));
        break;
    case DISASM_LOGICAL:
        if (!disasm_logical_immediate(va, &result))
            return false;
        break;
    case DISASM_BYTE_MASK:
        result = byte_mask(va);
        break;
    case DISASM_ROTATED:
        result = rotated(va);
        break;
    case DISASM_ONE_MORE:
        result = va >> (number->add & 63) & (uint64_t)number->mul_a;
        if (!result)
            result = (uint64_t)number->mul_a + 1;
        break;
    case DISASM_NEON_VALUE:
        if (!neon_value(va, &result))
            return false;
        break;
    case DISASM_FIELD_FIRST:
    case DISASM_FIELD_WIDTH:
        if (!clear_bits(va, number->kind == DISASM_FIELD_WIDTH, &result))
            return false;
        break;
    default:
        result = va * (uint64_t)number->mul_a + vb * (uint64_t)number->mul_b + (uint64_t)number->add;
        break;
    }
    *value = cut(result, number->width);
    return true;
}

void disasm_number_text(const struct disasm_number *number, int64_t value, bool hex, char *out)
{
    unsigned style = number->style;
    if (style == DISASM_MINUS_ZERO && value == INT32_MIN) {
        snprintf(out, DISASM_NUMBER_BYTES, hex ? "-0x0" : "-0");
        return;
    }
    if (style == DISASM_BY_OPTION || style == DISASM_MINUS_ZERO)
        style = hex ? DISASM_STYLES : DISASM_DECIMAL;
    if (style >= DISASM_DIGITS_2 && style <= DISASM_DIGITS_16) {
        unsigned bits = 8u << (style - DISASM_DIGITS_2);
        if (hex && bits < 64)
            value = (int64_t)((uint64_t)value & (((uint64_t)1 << bits) - 1));
        style = hex ? DISASM_HEX : DISASM_DECIMAL;
    }
    if (style == DISASM_UNSIGNED_OPTION)
        style = hex ? DISASM_HEX : DISASM_UNSIGNED;
    switch (style) {
    case DISASM_DECIMAL:
        snprintf(out, DISASM_NUMBER_BYTES, "%" PRId64, value);
        break;
    case DISASM_UNSIGNED:
        snprintf(out, DISASM_NUMBER_BYTES, "%" PRIu64, (uint64_t)value);
        break;
    case DISASM_HEX:
        snprintf(out, DISASM_NUMBER_BYTES, "0x%" PRIx64, (uint64_t)value);
        break;
    case DISASM_HEX_14:
        snprintf(out, DISASM_NUMBER_BYTES, "%#016" PRIx64, (uint64_t)value);
        break;
    default:
        if (value < 0)
            snprintf(out, DISASM_NUMBER_BYTES, "-0x%" PRIx64, 0 - (uint64_t)value);
        else
            snprintf(out, DISASM_NUMBER_BYTES, "0x%" PRIx64, (uint64_t)value);
        break;
    }
}

static bool fits_move_wide(uint64_t value, unsigned bits)
{
    for (unsigned shift = 0; shift < bits; shift += 16) {
        if (!(value & ~((uint64_t)0xffff << shift)))
            return true;
    }
    return false;
}

static bool is_move_wide(uint64_t value, unsigned bits)
{
    uint64_t mask = bits == 64 ? ~(uint64_t)0 : 0xffffffff;
    return fits_move_wide(value & mask, bits) || fits_move_wide(~value & mask, bits);
}

static bool repeats(uint64_t value, unsigned bits)
{
    return value == (value >> bits | value << (64 - bits));
}

/* A signed byte, or one shifted left by 8, in elements of 8 to 64 bits. */
static bool is_sve_dup(uint64_t value)
{
    static const struct { uint8_t bits, width; } sizes[] = { { 64, DISASM_S64 }, { 32, DISASM_S32 }, { 16, DISASM_S16 } };
    if (repeats(value, 8))
        return true;
    for (unsigned i = 0; i < 3; i++) {
        int64_t element = cut(value, sizes[i].width);
        if ((sizes[i].bits == 64 || repeats(value, sizes[i].bits)) &&
            ((element >= -128 && element <= 127) ||
             ((element & 0xff) == 0 && element >= -32768 && element <= 32767)))
            return true;
    }
    return false;
}

static bool logical_feature(enum disasm_feature feature, uint64_t encoded, int64_t *value)
{
    uint64_t bits;
    if (!disasm_logical_immediate(encoded, &bits))
        return false;
    switch (feature) {
    case DISASM_MOVE_WIDE_32: *value = is_move_wide(bits, 32); break;
    case DISASM_MOVE_WIDE_64: *value = is_move_wide(bits, 64); break;
    case DISASM_SVE_DUP: *value = is_sve_dup(bits); break;
    case DISASM_VALUE_8: *value = repeats(bits, 8); break;
    case DISASM_VALUE_16: *value = repeats(bits, 16); break;
    case DISASM_VALUE_32: *value = repeats(bits, 32); break;
    case DISASM_LOGICAL_S16: *value = cut(bits, DISASM_S16); break;
    case DISASM_LOGICAL_S32: *value = cut(bits, DISASM_S32); break;
    default: *value = (int64_t)bits; break;
    }
    return true;
}

bool disasm_feature_value(enum disasm_feature feature, const struct sl_insn *insn, unsigned a, unsigned b, int64_t *value)
{
    uint64_t va, vb;
    bool both_regs = a < sl_insn_stored(insn) && b < sl_insn_stored(insn) && insn->operand[a].kind == SL_OPERAND_REG &&
                     insn->operand[b].kind == SL_OPERAND_REG;
    switch (feature) {
    case DISASM_REG:
        if (a >= sl_insn_stored(insn) || insn->operand[a].kind != SL_OPERAND_REG)
            return false;
        *value = insn->operand[a].reg;
        return true;
    case DISASM_DIFFERENCE:
        if (!immediate(insn, a, &va) || !immediate(insn, b, &vb))
            return false;
        *value = (int64_t)(va - vb);
        return true;
    case DISASM_SAME_REG:
        *value = both_regs && insn->operand[a].reg == insn->operand[b].reg;
        return both_regs;
    case DISASM_SYSTEM:
        *value = 0;
        for (unsigned i = 0; i < 4; i++) {
            if (!immediate(insn, a + i, &va))
                return false;
            *value = (int64_t)((uint64_t)*value << (i == 1 || i == 2 ? 4 : 3) | (va & 15));
        }
        return true;
    case DISASM_OPERANDS:
        *value = insn->n_operands;
        return true;
    case DISASM_IMM:
        if (!immediate(insn, a, &va))
            return false;
        *value = (int64_t)va;
        return true;
    case DISASM_LIST_HOLDS:
        if (insn->list_kind != SL_LIST_MASK || a >= sl_insn_stored(insn) || insn->operand[a].kind != SL_OPERAND_REG ||
            insn->operand[a].reg < b || insn->operand[a].reg >= b + 16)
            return false;
        *value = insn->list >> (insn->operand[a].reg - b) & 1;
        return true;
    case DISASM_ROTATED_PLAIN:
        if (!immediate(insn, a, &va))
            return false;
        *value = va < 4096 && encode_rotated(rotated(va)) == va;
        return true;
    default:
        return immediate(insn, a, &va) && logical_feature(feature, va, value);
    }
}
