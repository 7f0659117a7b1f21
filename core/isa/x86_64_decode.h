/* SPDX-License-Identifier: Apache-2.0 */
/* Format of the x86-64 decoder tables in core/gen/x86_64_decode.inc; the generator includes this file, too.
 *
 * An instruction's opcode byte lies in one of the maps below. (map, opcode byte) names a block; a context (the
 * prefixes that can select another instruction) picks one of the block's decisions; the decision picks a leaf by
 * the ModRM byte; the leaf is an opcode number and a signature, which tells how to read the operands. */
#ifndef SL_ISA_X86_64_DECODE_H
#define SL_ISA_X86_64_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* Opcode maps, in table order. LEGACY_* are one byte, 0F, 0F38, 0F3A; in NOW3D the suffix byte is the opcode. */
enum sl_x86_map {
    SL_X86_MAP_LEGACY = 0,
    SL_X86_MAP_LEGACY_0F = 1,
    SL_X86_MAP_LEGACY_0F38 = 2,
    SL_X86_MAP_LEGACY_0F3A = 3,
    SL_X86_MAP_NOW3D = 4,
    SL_X86_MAP_VEX = 4,   /* + 1, 2, 3 for VEX maps 1..3; + 4 for VEX map 7 */
    SL_X86_MAP_XOP = 1,   /* + 8, 9, 10 for XOP maps 8..10 */
    SL_X86_MAP_EVEX = 11, /* + 1, 2, 3 and 5, 6, 7 */
    SL_X86_N_MAPS = 19
};

/* Context bits. */
#define SL_X86_LEGACY_OPSIZE 0x01u
#define SL_X86_LEGACY_F3 0x02u
#define SL_X86_LEGACY_F2 0x04u
#define SL_X86_LEGACY_W 0x08u
#define SL_X86_LEGACY_ADSIZE 0x10u
#define SL_X86_LEGACY_CONTEXTS 32u
/* VEX, XOP: pp in bits 1:0, L in bit 2, W in bit 3. */
#define SL_X86_VEX_CONTEXTS 16u
/* EVEX: pp in bits 1:0, W in bit 2, aaa != 0 in bit 3, b in bit 4, L'L in bits 6:5, z in bit 7. */
#define SL_X86_EVEX_CONTEXTS 256u

/* A decision names a leaf for memory and one for register forms, or a row of leaves: then `memory` is SL_X86_ROW | kind
 * and `reg` the index of the first leaf number in sl_x86_rows. */
struct sl_x86_decision {
    uint16_t memory;
    uint16_t reg;
};
#define SL_X86_ROW 0x8000u
#define SL_X86_BY_MOD_REG 0u    /* 16: reg for memory, then reg for register */
#define SL_X86_BY_MOD_REG_RM 1u /* 72: reg for memory, then reg and rm for register */

/* Leaf 0 is "no instruction". */
struct sl_x86_leaf {
    uint16_t op;
    uint16_t signature;
};

/* Where an operand comes from: item = kind << 12 | argument. `map` arguments are rows of sl_x86_register. */
enum sl_x86_item {
    SL_X86_ITEM_REG = 0,       /* argument: the register */
    SL_X86_ITEM_MODRM_REG = 1, /* argument: map */
    SL_X86_ITEM_MODRM_RM = 2,  /* argument: map */
    SL_X86_ITEM_VVVV = 3,      /* argument: map */
    SL_X86_ITEM_AAA = 4,       /* argument: map */
    SL_X86_ITEM_IS4 = 5,       /* argument: map; register in bits 7:4 of the last immediate byte */
    SL_X86_ITEM_OPCODE = 6,    /* argument: map; register in bits 2:0 of the opcode byte */
    SL_X86_ITEM_MEMORY = 7,    /* five operands; argument: 1 + map of a vector index, 0 for a general one */
    SL_X86_ITEM_SEGMENT = 8,   /* the segment override alone (string and moffs forms) */
    SL_X86_ITEM_IMM = 9,       /* argument: byte offset in 2:0, log2 of its size in 4:3, SIGNED, NIBBLE */
    SL_X86_ITEM_CONDITION = 10, /* bits 3:0 of the opcode byte */
    SL_X86_ITEM_ROUNDING = 11, /* EVEX L'L */
    SL_X86_ITEM_NUMBER = 12    /* argument: the immediate's value */
};
#define SL_X86_IMM_SIGNED 0x20u
#define SL_X86_IMM_NIBBLE 0x40u /* bits 3:0 of the byte only */

/* Register maps have one entry per field value. In legacy maps bit 4 of the index says "a REX prefix is there",
 * because that replaces AH..BH by SPL..DIL. */
#define SL_X86_REGISTER_MAP 32u
#define SL_X86_NO_REGISTER 0xffffu /* the field value is not encodable */

/* sl_x86_signature.flags */
#define SL_X86_SIG_MODRM 0x01u
#define SL_X86_SIG_MEMORY 0x02u
#define SL_X86_SIG_NEEDS_SIB 0x04u
#define SL_X86_SIG_TILE 0x20u     /* needs a base; "no index" is never RIZ */
#define SL_X86_SIG_NOTRACK 0x08u  /* 3E means notrack, not a segment */
#define SL_X86_SIG_KEEP_REP 0x10u /* F2 and F3 are prefixes of their own, no part of the opcode */

/* Bits of the extension word that sl_x86_signature.must_be_zero tests. */
#define SL_X86_EXT_R 0x001u
#define SL_X86_EXT_R4 0x002u
#define SL_X86_EXT_X 0x004u
#define SL_X86_EXT_B 0x008u
#define SL_X86_EXT_V4 0x010u
#define SL_X86_EXT_VVVV_SHIFT 5u

struct sl_x86_signature {
    uint16_t items;        /* index of the first item */
    uint16_t must_be_zero; /* SL_X86_EXT_*: fields that are no operand and must be clear */
    uint8_t n_items;
    uint8_t imm_bytes;
    uint8_t disp_shift;    /* log2 of the factor of an 8-bit displacement */
    uint8_t flags;
};

struct sl_x86_block {
    uint16_t contexts;       /* offset / 16 into sl_x86_context: the decision number within the block, by context */
    uint16_t first_decision;
};

struct sl_insn;

/* What one encoding says, collected field by field. */
struct sl_x86_encoding {
    const uint8_t *bytes; /* SL_X86_WINDOW_BYTES are readable */
    uint32_t pos;         /* while opcode bytes are read: the next byte; later the first byte behind opcode and ModRM */
    uint32_t map;         /* enum sl_x86_map */
    uint32_t context;
    uint32_t flags;       /* SL_INSN_* */
    uint32_t segment;     /* register of the segment override, or 0 */
    bool opsize, adsize;  /* 66, 67 */
    bool rex;
    uint8_t opcode;
    uint8_t modrm;
    uint8_t r, x, b;      /* extension bits; r has EVEX R' in bit 1 */
    uint8_t vvvv;         /* with V' in bit 4 */
    uint8_t aaa;
    uint8_t rounding;     /* EVEX L'L */
};

/* 15 bytes of prefixes and the longest possible rest behind them. */
#define SL_X86_WINDOW_BYTES 48u

/* Bytes of SIB and displacement behind the ModRM byte at `modrm`. */
static inline uint32_t sl_x86_address_bytes(const uint8_t *modrm)
{
    uint32_t mod = modrm[0] >> 6, rm = modrm[0] & 7u;
    if (mod == 3)
        return 0;
    uint32_t sib = rm == 4;
    if (mod == 1)
        return sib + 1;
    if (mod == 2 || rm == 5 || (sib && (modrm[1] & 7u) == 5))
        return sib + 4;
    return sib;
}

/* Fills op, flags, operands and the length (which may exceed 15). False: a field's value is not encodable. */
bool sl_x86_read_operands(struct sl_x86_encoding *encoding, const struct sl_x86_leaf *leaf, struct sl_insn *out);

#endif
