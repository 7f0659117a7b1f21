/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction does to the program counter. */
#include <slotledger/flow.h>

#define ARM_SP 13u /* numbers of list_regs */
#define ARM_LR 14u
#define ARM_PC 15u
#define ALWAYS 14u /* condition AL; A64 also 15 */

enum family { A64, X86, RISCV, THUMB, A32, FAMILIES };

/* No instruction set's tables are named here, so that a board links its own only. */
static enum family family_of(const struct sl_isa *isa)
{
    if (isa->list_regs != NULL)
        return isa->min_len_bytes == 2 ? THUMB : A32;
    if (isa->max_len_bytes > 4)
        return X86;
    return isa->min_len_bytes == 4 ? A64 : RISCV;
}

/* Encodings that the opcode tables' flags do not tell. */
struct pattern {
    uint32_t mask, value;
    uint8_t family, len_bytes, kind;
};

static const struct pattern patterns[] = {
    { 0xffffffffu, 0xd503201fu, A64, 4, SL_BRANCH_NOP },     /* NOP */
    { 0xffe0001fu, 0xd4200000u, A64, 4, SL_BRANCH_TRAP },    /* BRK */
    { 0xffff0000u, 0x00000000u, A64, 4, SL_BRANCH_TRAP },    /* UDF */
    { 0xffffffffu, 0x00000013u, RISCV, 4, SL_BRANCH_NOP },   /* addi x0, x0, 0 */
    { 0xffffffffu, 0x00100073u, RISCV, 4, SL_BRANCH_TRAP },  /* EBREAK */
    { 0xffffffffu, 0xc0001073u, RISCV, 4, SL_BRANCH_TRAP },  /* unimp */
    { 0x0000ffffu, 0x00000001u, RISCV, 2, SL_BRANCH_NOP },   /* C.NOP */
    { 0x0000ffffu, 0x00009002u, RISCV, 2, SL_BRANCH_TRAP },  /* C.EBREAK */
    { 0x0000ffffu, 0x00000000u, RISCV, 2, SL_BRANCH_TRAP },  /* defined illegal */
    { 0x0000ffffu, 0x0000bf00u, THUMB, 2, SL_BRANCH_NOP },   /* NOP */
    { 0xffffffffu, 0x8000f3afu, THUMB, 4, SL_BRANCH_NOP },   /* NOP.W */
    { 0x0000ff00u, 0x0000de00u, THUMB, 2, SL_BRANCH_TRAP },  /* UDF */
    { 0xf000fff0u, 0xa000f7f0u, THUMB, 4, SL_BRANCH_TRAP },  /* UDF.W */
    { 0xffffffffu, 0xe320f000u, A32, 4, SL_BRANCH_NOP },     /* NOP */
    { 0xffffffffu, 0xe1a00000u, A32, 4, SL_BRANCH_NOP },     /* mov r0, r0: what NOP was before Armv6K */
    { 0xfff000f0u, 0xe7f000f0u, A32, 4, SL_BRANCH_TRAP },    /* UDF */
    { 0x0000ffffu, 0x00000b0fu, X86, 2, SL_BRANCH_TRAP },    /* UD2 */
    { 0x000000ffu, 0x000000ccu, X86, 1, SL_BRANCH_TRAP },    /* INT3 */
    { 0x000000ffu, 0x000000f4u, X86, 1, SL_BRANCH_TRAP },    /* HLT */
};

static uint32_t first_word(const uint8_t *bytes, unsigned len)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < len && i < 4; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    return word;
}

/* NOP with any number of operand-size prefixes, and the long NOP 0F 1F, which may have a segment prefix. */
static bool is_x86_nop(const uint8_t *bytes, unsigned len)
{
    unsigned at = 0;

    while (at < len && (bytes[at] == 0x66 || bytes[at] == 0x2e))
        at++;
    if (at < len && bytes[at] == 0x48)
        at++;
    return at < len && (bytes[at] == 0x90 || (at + 1 < len && bytes[at] == 0x0f && bytes[at + 1] == 0x1f));
}

static uint8_t by_pattern(enum family family, const uint8_t *bytes, unsigned len)
{
    uint32_t word = first_word(bytes, len);

    for (unsigned i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const struct pattern *p = &patterns[i];

        if (p->family == family && p->len_bytes == len && (word & p->mask) == p->value)
            return p->kind;
    }
    return family == X86 && is_x86_nop(bytes, len) ? SL_BRANCH_NOP : SL_BRANCH_NONE;
}

/* Index of an Arm instruction's condition; SL_INSN_OPERANDS: it has none. */
static unsigned condition_at(const struct sl_op_row *row)
{
    unsigned index = row->predicate & SL_PREDICATE_INDEX;

    return index != 0 && (row->predicate & SL_PREDICATE_VECTOR) == 0 ? index - 1u : SL_INSN_OPERANDS;
}

/* The operand that says where a direct branch leads: on x86 the first number (a condition follows), elsewhere the last one
 * that is no condition. */
static const struct sl_operand *target_operand(enum family family, const struct sl_op_row *row, const struct sl_insn *insn)
{
    const struct sl_operand *found = NULL;
    unsigned condition = family == THUMB || family == A32 ? condition_at(row) : SL_INSN_OPERANDS;

    for (unsigned i = 0; i < sl_insn_stored(insn); i++) {
        if (insn->operand[i].kind == SL_OPERAND_REG || i == condition)
            continue;
        if (found == NULL || family != X86)
            found = &insn->operand[i];
    }
    return found;
}

static void set_target(enum family family, const struct sl_op_row *row, const struct sl_insn *insn, uint64_t address,
                       struct sl_branch *branch)
{
    static const uint8_t ahead[FAMILIES] = { [THUMB] = 4, [A32] = 8 }; /* of what reads as PC */
    const struct sl_operand *operand = target_operand(family, row, insn);

    if (operand == NULL || operand->kind != SL_OPERAND_IMM)
        return;
    branch->has_target = true;
    branch->target = address + ahead[family] + (uint64_t)operand->imm;
    if (family == A64) /* counted in instructions */
        branch->target += 3u * (uint64_t)operand->imm;
    if (family == X86)
        branch->target += insn->len_bytes;
    else if (family == THUMB || family == A32)
        branch->target &= 0xffffffffu;
}

/* JAL and JALR are jumps, calls and returns by their registers (unprivileged specification, "Unconditional Jumps": x1 and
 * x5 are link registers); the opcode tables do not tell. */
static void riscv_jump(const struct sl_insn *insn, const uint8_t *bytes, struct sl_branch *branch)
{
    uint32_t word = first_word(bytes, insn->len_bytes), rd = word >> 7 & 31u, rs1 = word >> 15 & 31u;

    if (insn->len_bytes == 2 && (word & 0xf07fu) == 0x8002u && rd != 0) { /* C.JR */
        branch->kind = rd == 1 || rd == 5 ? SL_BRANCH_RETURN : SL_BRANCH_INDIRECT;
    } else if (insn->len_bytes == 2 && (word & 0xfc03u) == 0xa002u) { /* CM.JT, CM.JALT */
        branch->kind = (word >> 2 & 0xffu) < 32u ? SL_BRANCH_INDIRECT : SL_BRANCH_CALL;
    } else if (insn->len_bytes == 4 && (word & 0x7fu) == 0x6fu) { /* JAL */
        branch->kind = rd == 0 ? SL_BRANCH_DIRECT : SL_BRANCH_CALL;
    } else if (insn->len_bytes == 4 && (word & 0x707fu) == 0x67u) { /* JALR */
        branch->kind = rd != 0 ? SL_BRANCH_CALL : rs1 == 1 || rs1 == 5 ? SL_BRANCH_RETURN : SL_BRANCH_INDIRECT;
    }
}

static bool arm_uses_sp(const struct sl_isa *isa, const struct sl_op_row *row, const struct sl_insn *insn)
{
    const uint16_t *uses = &isa->reg_lists[row->implicit_uses];
    uint16_t sp = isa->list_regs[ARM_SP];

    for (unsigned i = 0; i < uses[0]; i++)
        if (uses[1u + i] == sp)
            return true;
    for (unsigned i = 0; i < sl_insn_stored(insn); i++)
        if (insn->operand[i].kind == SL_OPERAND_REG && insn->operand[i].reg == sp)
            return true;
    return false;
}

/* On 32-bit Arm any instruction that writes PC jumps; one that loads it from the stack returns. */
static void arm_jump(const struct sl_isa *isa, const struct sl_op_row *row, const struct sl_insn *insn,
                     struct sl_branch *branch)
{
    uint16_t pc = isa->list_regs[ARM_PC], lr = isa->list_regs[ARM_LR];
    unsigned stored = sl_insn_stored(insn), at = condition_at(row);
    bool writes = false;

    if (branch->kind == SL_BRANCH_INDIRECT && insn->operand[0].kind == SL_OPERAND_REG && insn->operand[0].reg == lr)
        branch->kind = SL_BRANCH_RETURN; /* BX LR */
    for (unsigned i = 0; i < row->n_defs && i < stored; i++)
        writes |= insn->operand[i].kind == SL_OPERAND_REG && insn->operand[i].reg == pc;
    for (unsigned i = stored; i < insn->n_operands && (row->flags & SL_OP_VARIADIC_DEFS) != 0; i++)
        writes |= sl_insn_list_reg(isa, insn, i - stored) == pc;
    if (writes && branch->kind == SL_BRANCH_NONE)
        branch->kind = (row->flags & SL_OP_MAY_LOAD) != 0 && arm_uses_sp(isa, row, insn) ? SL_BRANCH_RETURN
                                                                                           : SL_BRANCH_INDIRECT;
    if (branch->kind != SL_BRANCH_NONE && at < stored && insn->operand[at].imm != ALWAYS)
        branch->conditional = true;
    else if (at < stored)
        branch->conditional = false; /* the opcode can be conditional, the instruction is not */
}

static uint8_t by_flags(unsigned flags)
{
    if ((flags & SL_OP_RETURN) != 0)
        return SL_BRANCH_RETURN;
    if ((flags & SL_OP_CALL) != 0)
        return SL_BRANCH_CALL;
    if ((flags & SL_OP_BRANCH) != 0)
        return (flags & SL_OP_INDIRECT) != 0 ? SL_BRANCH_INDIRECT : SL_BRANCH_DIRECT;
    return SL_BRANCH_NONE;
}

void sl_branch_of(const struct sl_isa *isa, const struct sl_insn *insn, const uint8_t *bytes, uint64_t address,
                  struct sl_branch *branch)
{
    enum family family = family_of(isa);
    const struct sl_op_row *row = sl_op_row(isa, insn->op);

    branch->target = 0;
    branch->kind = by_flags(row->flags);
    branch->conditional = (row->flags & SL_OP_CONDITIONAL) != 0;
    branch->has_target = false;
    if (family == RISCV && branch->kind == SL_BRANCH_NONE)
        riscv_jump(insn, bytes, branch);
    if (family == THUMB || family == A32)
        arm_jump(isa, row, insn, branch);
    if (family == THUMB && insn->len_bytes == 4 && (first_word(bytes, 4) & 0xf001ffffu) == 0xc001f02fu)
        branch->conditional = false; /* LE without LR: for ever */
    if (family == A64 && branch->kind == SL_BRANCH_DIRECT && sl_insn_stored(insn) == 2 &&
        insn->operand[0].kind == SL_OPERAND_IMM && insn->operand[0].imm >= ALWAYS)
        branch->conditional = false; /* B.AL, B.NV */
    if (branch->kind == SL_BRANCH_NONE)
        branch->kind = by_pattern(family, bytes, insn->len_bytes);
    if (branch->kind == SL_BRANCH_DIRECT)
        set_target(family, row, insn, address, branch);
}
