/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: what llvm-mca makes of an instruction of assembly text beyond what its bytes say. */
#include "riscv_pseudo.h"

#include <string.h>

static uint16_t find_op(const struct sl_isa *isa, const char *name)
{
    for (uint16_t op = isa->n_ops; op-- > 1;) { /* pseudo-opcodes are the last */
        const char *own = sl_riscv_op_name(op);
        if (own && !strcmp(own, name))
            return op;
    }
    return 0;
}

/* An opcode of `n` leading operands as they are, then a symbol. */
static void become(struct sl_insn *insn, const struct sl_isa *isa, const char *name, uint8_t n)
{
    insn->op = find_op(isa, name);
    insn->sched_class = 0;
    memset(&insn->operand[n], 0, sizeof insn->operand[n]);
    insn->operand[n].kind = SL_OPERAND_EXPR;
    insn->n_operands = (uint8_t)(n + 1);
}

static bool is_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    return !strncmp(text, word, len) && (text[len] == '\t' || text[len] == ' ');
}

bool riscv_is_pair(const char *text, size_t len)
{
    size_t word = 0;
    while (word < len && text[word] != ' ' && text[word] != '\t')
        word++;
    return word == 4 && (!memcmp(text, "call", word) || !memcmp(text, "tail", word) || !memcmp(text, "jump", word));
}

/* auipc and jalr of one statement. */
static void pair(struct block_insn *insn, const struct sl_isa *isa)
{
    static const struct {
        const char *word, *name, *with_register;
    } pairs[] = { { "call", "PseudoCALL", "PseudoCALLReg" }, { "tail", "PseudoTAIL", NULL },
                  { "jump", NULL, "PseudoJump" } };
    struct sl_insn jump;
    if (isa->decode(insn->bytes, 4, &insn->insn) || isa->decode(insn->bytes + 4, 4, &jump))
        return;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        /* The canonical text names a register only where it is not ra. */
        bool is_named = pairs[i].with_register && strchr(insn->text, ',');
        if (!is_word(insn->text, pairs[i].word) || (!is_named && !pairs[i].name))
            continue;
        become(&insn->insn, isa, is_named ? pairs[i].with_register : pairs[i].name, is_named);
        insn->insn.len_bytes = RISCV_PAIR_BYTES;
        insn->status = SL_OK;
    }
}

void riscv_pseudo(struct block_insn *insn, const struct sl_isa *isa)
{
    if (is_word(insn->text, ".insn") || strstr(insn->text, "%tprel_add("))
        insn->status = SL_E_UNRESOLVED;
    else if (insn->len_bytes == RISCV_PAIR_BYTES)
        pair(insn, isa);
    else if (!insn->status && insn->insn.n_operands == 3 && strstr(insn->text, "%tlsdesc_call("))
        become(&insn->insn, isa, "PseudoTLSDESCCall", 3);
}

/* Register fields of a word. */
static unsigned rd_of(const uint8_t *bytes)
{
    return sl_get_u32le(bytes) >> 7 & 31u;
}

static bool is_pair(const uint8_t *first, const uint8_t *second)
{
    uint32_t word = sl_get_u32le(second);
    return (first[0] & 0x7fu) == 0x17u && (word & 0x707fu) == 0x67u && (word >> 15 & 31u) == rd_of(first);
}

bool riscv_pseudo_pair(struct block *block, struct block_insn *insn, const uint8_t *bytes, const struct sl_insn *second)
{
    enum { ra = 1, t1 = 6 };
    const char *symbol = insn->n_symbols ? insn->symbol[0] : "";
    struct text text = { 0 };
    unsigned link = rd_of(bytes);
    const char *reg;
    if (insn->len_bytes != 4 || second->len_bytes != 4 || !is_pair(insn->bytes, bytes))
        return false;
    reg = sl_riscv_reg_name(insn->insn.operand[0].reg);
    if (link == ra) {
        text_printf(&text, "call\t%s", symbol);
        become(&insn->insn, block->isa, "PseudoCALL", 0);
    } else if (link == 0 && rd_of(insn->bytes) == t1) {
        text_printf(&text, "tail\t%s", symbol);
        become(&insn->insn, block->isa, "PseudoTAIL", 0);
    } else {
        text_printf(&text, link ? "call\t%s, %s" : "jump\t%s, %s", link ? reg : symbol, link ? symbol : reg);
        become(&insn->insn, block->isa, link ? "PseudoCALLReg" : "PseudoJump", 1);
    }
    insn->text = pool_text(&block->pool, text.data, text.len);
    text_free(&text);
    memcpy(insn->bytes + 4, bytes, 4);
    memcpy(insn->encoding + 4, bytes, 4);
    insn->len_bytes = insn->encoding_len = insn->insn.len_bytes = RISCV_PAIR_BYTES;
    return true;
}

static void put_word(uint8_t *out, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint8_t)(word >> (8 * i));
}

/* The immediates of branches and of JAL (RISC-V Instruction Set Manual, volume I, "Immediate Encoding Variants"). */
static uint32_t branch_field(uint32_t distance)
{
    return (distance >> 12 & 1u) << 31 | (distance >> 5 & 0x3fu) << 25 | (distance >> 1 & 0xfu) << 8 |
           (distance >> 11 & 1u) << 7;
}

static uint32_t jump_field(uint32_t distance)
{
    return (distance >> 20 & 1u) << 31 | (distance >> 1 & 0x3ffu) << 21 | (distance >> 11 & 1u) << 20 |
           (distance >> 12 & 0xffu) << 12;
}

/* The last operand: how far the branch goes. */
static uint32_t distance_of(const struct block_insn *insn)
{
    const struct sl_operand *last = &insn->insn.operand[insn->insn.n_operands - 1u];
    return last->kind == SL_OPERAND_IMM ? (uint32_t)last->imm : 0;
}

/* A branch on a register's being zero that has a compressed form; the register's number in it, or 8. */
static uint32_t compressible(uint32_t word)
{
    uint32_t first = word >> 15 & 31u, second = word >> 20 & 31u, other = first ? first : second;
    bool is_equality = (word & 0x6000u) == 0, is_zero = !first || !second;
    return is_equality && is_zero && other >= 8 && other < 16 ? other - 8u : 8u;
}

/* The opposite branch over a jump. */
static void relax_branch(struct block_insn *insn, bool compressed)
{
    uint32_t word = sl_get_u32le(insn->bytes), reg = compressed ? compressible(word) : 8;
    uint8_t jump_at = reg < 8 ? 2 : 4;
    put_word(insn->encoding, reg < 8 ? (word & 0x1000u ? 0xc019u : 0xe019u) | reg << 7
                                     : ((word & ~0xfe000f80u) ^ 0x1000u) | branch_field(8));
    put_word(insn->encoding + jump_at, 0x6fu | jump_field(distance_of(insn)));
    insn->encoding_len = (uint8_t)(jump_at + 4u);
}

static void relax_compressed(struct block_insn *insn)
{
    uint32_t word = sl_get_u16le(insn->bytes);
    if ((word & 0xc003u) == 0xc001u) /* C.BEQZ, C.BNEZ */
        word = 0x63u | (word & 0x2000u) >> 1 | (8u + (word >> 7 & 7u)) << 15 | branch_field(distance_of(insn));
    else if ((word & 0x6003u) == 0x2001u && insn->insn.n_operands == 1) /* C.J, C.JAL */
        word = 0x6fu | (word & 0x8000u ? 0u : 1u << 7) | jump_field(distance_of(insn));
    else
        return;
    put_word(insn->encoding, word);
    insn->encoding_len = 4;
}

void riscv_relax(struct block_insn *insn, bool compressed)
{
    if (insn->status || !insn->insn.n_operands)
        return;
    if (insn->len_bytes == 2)
        relax_compressed(insn);
    else if (insn->len_bytes == 4 && (insn->bytes[0] & 0x7fu) == 0x63u)
        relax_branch(insn, compressed);
}
