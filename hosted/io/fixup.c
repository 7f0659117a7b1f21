/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of an instruction whose value a relocation gives: which operands they are, and what relaxation makes of them. */
#include "fixup.h"

#include <string.h>

void block_insn_decode(struct block_insn *insn, const struct sl_isa *isa)
{
    insn->status = isa->decode(insn->bytes, insn->len_bytes, &insn->insn);
    if (!insn->status && insn->insn.len_bytes != insn->len_bytes)
        insn->status = SL_E_UNDECODABLE;
}

/* Bits of an AArch64 instruction that a relocation may fill (Arm ARM, C4.1 "A64 instruction set encoding"). */
static uint32_t aarch64_field(uint32_t word)
{
    static const struct {
        uint32_t mask, value, field;
    } fields[] = {
        { 0x1f000000u, 0x10000000u, 0x60ffffe0u }, /* ADR, ADRP */
        { 0x1f000000u, 0x11000000u, 0x003ffc00u }, /* add, subtract immediate */
        { 0x1f800000u, 0x12800000u, 0x001fffe0u }, /* move wide immediate */
        { 0x7c000000u, 0x14000000u, 0x03ffffffu }, /* B, BL */
        { 0xfe000000u, 0x54000000u, 0x00ffffe0u }, /* B.cond */
        { 0x7e000000u, 0x34000000u, 0x00ffffe0u }, /* CBZ, CBNZ */
        { 0x7e000000u, 0x36000000u, 0x0007ffe0u }, /* TBZ, TBNZ */
        { 0x3b000000u, 0x18000000u, 0x00ffffe0u }, /* load literal */
        { 0x3b000000u, 0x39000000u, 0x003ffc00u }, /* load, store unsigned immediate */
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if ((word & fields[i].mask) == fields[i].value)
            return fields[i].field;
    }
    return 0;
}

/* Bits of a RISC-V instruction that a relocation may fill (RISC-V Instruction Set Manual, volume I, chapter "RV32/64G
 * Instruction Set Listings" and "RVC Instruction Set Listings"). */
static uint32_t riscv_field(uint32_t word)
{
    static const struct {
        uint32_t mask, value, field;
    } fields[] = {
        { 0x0000005fu, 0x00000017u, 0xfffff000u }, /* LUI, AUIPC */
        { 0x0000007fu, 0x0000006fu, 0xfffff000u }, /* JAL */
        { 0x0000707fu, 0x00000067u, 0xfff00000u }, /* JALR */
        { 0x0000007fu, 0x00000063u, 0xfe000f80u }, /* branches */
        { 0x0000007bu, 0x00000003u, 0xfff00000u }, /* loads, integer and floating */
        { 0x0000007bu, 0x00000023u, 0xfe000f80u }, /* stores */
        { 0x00007077u, 0x00000013u, 0xfff00000u }, /* ADDI, ADDIW */
        { 0x0000c003u, 0x0000c001u, 0x00001c7cu }, /* C.BEQZ, C.BNEZ */
        { 0x00006003u, 0x00002001u, 0x00001ffcu }, /* C.J, C.JAL */
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if ((word & fields[i].mask) == fields[i].value)
            return fields[i].field;
    }
    return 0;
}

/* Bits of a 32-bit Arm instruction that a relocation may fill (Arm ARM for Armv7-A, chapters A5 and A6): A32, a Thumb
 * word with its first half on top, a Thumb halfword. */
struct arm_field {
    uint32_t mask, value, field;
};

static const struct arm_field a32_fields[] = {
    { 0x0e000000u, 0x0a000000u, 0x00ffffffu }, /* B, BL, BLX */
    { 0x0fb00000u, 0x03000000u, 0x000f0fffu }, /* MOVW, MOVT */
    { 0x0f3f0000u, 0x051f0000u, 0x00000fffu }, /* LDR, LDRB literal, PLD */
    { 0x0e3f0000u, 0x041f0000u, 0x00000fffu },
    { 0x0e1f0090u, 0x001f0090u, 0x00000f0fu }, /* LDRH, LDRD and the like, literal */
    { 0x0f3f0e00u, 0x0d1f0a00u, 0x000000ffu }, /* VLDR literal */
    { 0x0e0f0000u, 0x020f0000u, 0x00000fffu }, /* ADR */
};

static const struct arm_field thumb_fields[] = {
    { 0xf800d000u, 0xf0009000u, 0x03ff07ffu }, /* B */
    { 0xf8008000u, 0xf0008000u, 0x03ff2fffu }, /* B.cond, BL, BLX */
    { 0xfb708000u, 0xf2400000u, 0x040f70ffu }, /* MOVW, MOVT */
    { 0xfe7f0000u, 0xf81f0000u, 0x00000fffu }, /* LDR literal, PLD */
    { 0xff7f0000u, 0xe95f0000u, 0x000000ffu }, /* LDRD literal */
    { 0xff3f0e00u, 0xed1f0a00u, 0x000000ffu }, /* VLDR literal */
    { 0xfb5f8000u, 0xf20f0000u, 0x040070ffu }, /* ADR */
    { 0xff80e001u, 0xf000c001u, 0x000007feu }, /* WLS, LE: loops */
    { 0xff80e001u, 0xf000e001u, 0x007f0ffeu }, /* BF: branch future */
};

static const struct arm_field thumb_half_fields[] = {
    { 0xf000u, 0xd000u, 0x00ffu }, /* B.cond */
    { 0xf800u, 0xe000u, 0x07ffu }, /* B */
    { 0xf500u, 0xb100u, 0x02f8u }, /* CBZ, CBNZ */
    { 0xf800u, 0x4800u, 0x00ffu }, /* LDR literal */
    { 0xf800u, 0xa000u, 0x00ffu }, /* ADR */
    { 0xe000u, 0x2000u, 0x00ffu }, /* MOV, CMP, ADD, SUB of a byte */
};

static uint32_t find_field(const struct arm_field *fields, size_t n, uint32_t word)
{
    for (size_t i = 0; i < n; i++) {
        if ((word & fields[i].mask) == fields[i].value)
            return fields[i].field;
    }
    return 0;
}

/* As the bytes lie in memory. */
static uint32_t arm_field(const struct sl_isa *isa, const struct block_insn *insn)
{
    uint32_t low = sl_get_u16le(insn->bytes), high = sl_get_u16le(insn->bytes + 2), field;
    if (isa == &sl_isa_arm)
        return find_field(a32_fields, sizeof a32_fields / sizeof a32_fields[0], high << 16 | low);
    if (insn->len_bytes == 2)
        return find_field(thumb_half_fields, sizeof thumb_half_fields / sizeof thumb_half_fields[0], low);
    field = find_field(thumb_fields, sizeof thumb_fields / sizeof thumb_fields[0], low << 16 | high);
    return field << 16 | field >> 16;
}

static uint32_t word_field(const struct sl_isa *isa, const struct block_insn *insn)
{
    uint32_t word = sl_get_u32le(insn->bytes);
    if (isa == &sl_isa_aarch64)
        return aarch64_field(word);
    return isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32 ? riscv_field(word) : arm_field(isa, insn);
}

/* The assembler has the label itself in the base's place where the encoding has PC, and no offset (LDR of A32, VLDR,
 * LDRD): nothing is read. */
static void label_for_base(struct sl_insn *insn, const struct sl_isa *isa, unsigned offset)
{
    const char *name = NULL;
    if (offset == 0 || insn->operand[offset - 1].kind != SL_OPERAND_REG)
        return;
    if (isa == &sl_isa_arm || isa == &sl_isa_thumb)
        name = sl_arm_reg_name(insn->operand[offset - 1].reg);
    else if (isa == &sl_isa_thumbm)
        name = sl_thumbm_reg_name(insn->operand[offset - 1].reg);
    if (!name || strcmp(name, "pc") != 0)
        return;
    insn->operand[offset - 1].kind = SL_OPERAND_EXPR;
    insn->operand[offset].kind = SL_OPERAND_IMM;
    insn->operand[offset].imm = 0;
}

/* Operands that differ between the instruction and its twin with other bits in the field hold the field. */
static bool mark_differing(struct block_insn *insn, const struct sl_isa *isa, const uint8_t *twin_bytes)
{
    struct sl_insn plain, twin; /* an IT block may have changed the instruction itself */
    bool found = false;
    if (isa->decode(insn->bytes, insn->len_bytes, &plain) || isa->decode(twin_bytes, insn->len_bytes, &twin))
        return false;
    if (twin.op != insn->insn.op || twin.n_operands != insn->insn.n_operands)
        return false;
    for (unsigned i = 0; i < sl_insn_stored(&twin); i++) {
        struct sl_operand *operand = &insn->insn.operand[i];
        if (operand->kind != SL_OPERAND_IMM || twin.operand[i].kind != SL_OPERAND_IMM ||
            plain.operand[i].imm == twin.operand[i].imm)
            continue;
        operand->kind = SL_OPERAND_EXPR;
        label_for_base(&insn->insn, isa, i);
        found = true;
    }
    return found;
}

void fixup_mark(struct block_insn *insn, const struct sl_isa *isa, unsigned offset, unsigned count)
{
    /* Some values of a field are special (a shorter form, a reserved pattern): try more than one. */
    static const uint8_t patterns[] = { 0xffu, 0x55u, 0x01u };
    uint8_t twin[BLOCK_INSN_BYTES];
    if (insn->status || offset + count > insn->len_bytes)
        return;
    for (size_t p = 0; p < sizeof patterns; p++) {
        memcpy(twin, insn->bytes, sizeof twin);
        if (isa != &sl_isa_x86_64) {
            uint32_t field = word_field(isa, insn);
            for (unsigned i = 0; i < 4; i++)
                twin[i] = (uint8_t)(twin[i] ^ ((field >> (8 * i)) & patterns[p]));
        } else {
            for (unsigned i = 0; i < count; i++)
                twin[offset + i] ^= patterns[p];
        }
        if (mark_differing(insn, isa, twin))
            return;
    }
}

static bool has_prefix(const struct block_insn *insn, unsigned opcode_at, uint8_t prefix)
{
    for (unsigned i = 0; i < opcode_at; i++) {
        if (insn->bytes[i] == prefix)
            return true;
    }
    return false;
}

/* Replaces `old` bytes at `at` by `new`. */
static void splice(struct block_insn *insn, unsigned at, unsigned old_len, const uint8_t *new_bytes, unsigned new_len)
{
    unsigned tail = insn->encoding_len - at - old_len;
    if (at + new_len + tail > BLOCK_INSN_BYTES)
        return;
    memmove(insn->encoding + at + new_len, insn->encoding + at + old_len, tail);
    memcpy(insn->encoding + at, new_bytes, new_len);
    insn->encoding_len = (uint8_t)(at + new_len + tail);
}

/* Index of the opcode byte of a one-byte-opcode instruction: behind legacy prefixes and REX. */
static unsigned opcode_index(const struct block_insn *insn)
{
    static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3 };
    unsigned at = 0;
    while (at + 1u < insn->len_bytes && memchr(prefixes, insn->bytes[at], sizeof prefixes))
        at++;
    if (at + 1u < insn->len_bytes && (insn->bytes[at] & 0xf0u) == 0x40u)
        at++;
    return at;
}

void fixup_relax_x86(struct block_insn *insn, unsigned offset, bool pc_relative)
{
    unsigned at = opcode_index(insn);
    uint8_t opcode = insn->bytes[at];
    uint8_t wide[6] = { 0 };
    if (pc_relative && opcode == 0xebu && offset == at + 1) {
        wide[0] = 0xe9u;
        splice(insn, at, 2, wide, 5);
    } else if (pc_relative && (opcode & 0xf0u) == 0x70u && offset == at + 1) {
        wide[0] = 0x0fu;
        wide[1] = (uint8_t)(opcode + 0x10u);
        splice(insn, at, 2, wide, 6);
    } else if (!pc_relative && (opcode == 0x83u || opcode == 0x6bu || opcode == 0x6au) && offset > at) {
        bool rex_w = at > 0 && (insn->bytes[at - 1] & 0xf8u) == 0x48u;
        bool short_operand = has_prefix(insn, at, 0x66u) && !rex_w;
        insn->encoding[at] = opcode == 0x83u ? 0x81u : (uint8_t)(opcode - 2u);
        splice(insn, offset, 1, wide, short_operand ? 2 : 4);
    }
}

/* An offset's bits as B (encoding T4) and B.cond (T3) hold them (Armv7-M reference manual, A7.7.12). */
static uint32_t long_branch(uint32_t offset)
{
    uint32_t s = offset >> 24 & 1u, j1 = ~(offset >> 23 ^ s) & 1u, j2 = ~(offset >> 22 ^ s) & 1u;
    return 0xf0009000u | s << 26 | (offset >> 12 & 0x3ffu) << 16 | j1 << 13 | j2 << 11 | (offset >> 1 & 0x7ffu);
}

static uint32_t conditional_branch(uint32_t offset, uint32_t condition)
{
    return 0xf0008000u | (offset >> 20 & 1u) << 26 | condition << 22 | (offset >> 12 & 0x3fu) << 16 |
           (offset >> 18 & 1u) << 13 | (offset >> 19 & 1u) << 11 | (offset >> 1 & 0x7ffu);
}

void fixup_relax_thumb(struct block_insn *insn, bool symbol)
{
    uint32_t half = sl_get_u16le(insn->bytes), wide, low = half & 0xffu;
    if (insn->len_bytes != 2)
        return;
    if ((half & 0xf800u) == 0xe000u)
        wide = symbol ? 0xf0009000u : long_branch(2u * (((half & 0x7ffu) ^ 0x400u) - 0x400u));
    else if ((half & 0xf000u) == 0xd000u && (half & 0xf00u) < 0xe00u)
        wide = conditional_branch(2u * ((low ^ 0x80u) - 0x80u), half >> 8 & 15u);
    else if ((half & 0xf800u) == 0x4800u)
        wide = (symbol ? 0xf85f0000u : 0xf8df0000u | 4u * low) | (half >> 8 & 7u) << 12;
    else if ((half & 0xf800u) == 0xa000u)
        wide = 0xf20f0000u | (half >> 8 & 7u) << 8 | low;
    else if ((half & 0xf500u) == 0xb100u)
        wide = 0x0000bf00u; /* CBZ, CBNZ: a no-operation, as if the branch went to what follows */
    else
        return;
    insn->encoding_len = wide >> 16 != 0 ? 4 : 2;
    for (unsigned i = 0; i < 4; i++)
        insn->encoding[i] = (uint8_t)(wide >> (wide >> 16 != 0 ? (i < 2 ? 16u + 8u * i : 8u * (i - 2u)) : 8u * (i & 1u)));
}
