/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code bytes -> struct sl_insn: opcode, length, operands. Tables come from core/gen. */
#ifndef SLOTLEDGER_ISA_H
#define SLOTLEDGER_ISA_H

#include <slotledger/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sl_operand_kind {
    SL_OPERAND_REG = 0,  /* reg is the register number, 0 = "no register" */
    SL_OPERAND_IMM = 1,  /* imm is the value as LLVM's MCInst holds it (a raw field on AArch64) */
    SL_OPERAND_EXPR = 2  /* a relocation covers the field: the value is not known (set by the caller, never by a decoder) */
};

struct sl_operand {
    int64_t imm;
    uint16_t reg;
    uint8_t kind; /* enum sl_operand_kind */
};

/* The longest operand list of any decodable opcode (checked by the generator). */
#define SL_INSN_OPERANDS 15

/* sl_insn.flags; they take part in descriptor equality like MCInst flags do. */
#define SL_INSN_LOCK 0x01u
#define SL_INSN_REP 0x02u
#define SL_INSN_REPNE 0x04u
#define SL_INSN_NOTRACK 0x08u
#define SL_INSN_DATA16 0x10u
#define SL_INSN_ADDR32 0x20u

/* One decoded instruction. Operand order is that of LLVM's MCInst: definitions first, tied operands repeated,
 * an x86 memory operand is base, scale, index, displacement, segment. */
struct sl_insn {
    uint16_t op;        /* index into sl_isa.ops */
    uint8_t len_bytes;  /* 1..15 */
    uint8_t n_operands; /* actual operands, <= SL_INSN_OPERANDS */
    uint32_t flags;
    uint16_t sched_class; /* scheduling class instead of the opcode's own; 0, as decoders set it: the opcode's */
    uint8_t list_kind;    /* enum sl_list_kind; */
    uint8_t list_at;      /* with a list: the operands from this one on are its registers, not in operand[] */
    uint32_t list;        /* by list_kind */
    struct sl_operand operand[SL_INSN_OPERANDS]; /* entries from n_operands (or list_at) on are unspecified */
};

/* Registers of the longest list: VSCCLRM with every single register, and VPR. */
#define SL_LIST_MOST 33u

/* Register lists (Arm): LDM, PUSH, VLDM, CLRM, VSCCLRM. */
enum sl_list_kind {
    SL_LIST_NONE = 0,
    SL_LIST_MASK = 1, /* bit n: register sl_isa.list_regs[n]; ascending */
    SL_LIST_RUN = 2   /* bits 11:0 first register, 19:12 number of consecutive ones, 31:20 one more register or 0 */
};

/* sl_op_row.flags */
#define SL_OP_MAY_LOAD 0x0001u
#define SL_OP_MAY_STORE 0x0002u
#define SL_OP_SIDE_EFFECTS 0x0004u /* hasUnmodeledSideEffects */
#define SL_OP_CALL 0x0008u
#define SL_OP_RETURN 0x0010u
#define SL_OP_VARIADIC 0x0020u
#define SL_OP_VARIADIC_DEFS 0x0040u
#define SL_OP_OPTIONAL_DEF 0x0080u /* one explicit definition may be "no register"; its index is optional_def */
#define SL_OP_BRANCH 0x0100u
#define SL_OP_CONDITIONAL 0x0200u
#define SL_OP_INDIRECT 0x0400u
#define SL_OP_BARRIER 0x0800u
#define SL_OP_TERMINATOR 0x1000u
#define SL_OP_CLEARS_VECTOR 0x2000u /* a write to a SL_REG_CLEARS_VECTOR register clears its super-registers (x86 VEX/EVEX/XOP) */
#define SL_OP_LOAD_BARRIER 0x4000u
#define SL_OP_STORE_BARRIER 0x8000u

/* Per opcode. sched_class is LLVM's class, renumbered densely over the opcodes of this table and what their
 * variants resolve to; class 0 is "no class". */
struct sl_op {
    uint16_t sched_class;
    uint16_t row; /* index into sl_isa.op_rows */
};

/* Properties shared by many opcodes (MCInstrDesc). */
struct sl_op_row {
    uint16_t flags;
    uint8_t n_operands;   /* declared operands, without variadic extras */
    uint8_t n_defs;       /* explicit definitions, always first */
    uint8_t optional_def; /* operand index of the optional definition; meaningful with SL_OP_OPTIONAL_DEF */
    uint8_t predicate;    /* SL_PREDICATE_* (Arm); 0: cannot be predicated */
    uint16_t implicit_defs; /* offset into sl_isa.reg_lists: a count, then that many registers */
    uint16_t implicit_uses;
};

/* sl_op_row.predicate: the condition is operand INDEX - 1, followed by the register it is about. */
#define SL_PREDICATE_INDEX 0x0fu
#define SL_PREDICATE_VECTOR 0x10u    /* MVE: of a VPT block, not of an IT block */
#define SL_PREDICATE_OPENS_IT 0x20u  /* operands: first condition, mask */
#define SL_PREDICATE_OPENS_VPT 0x40u /* operand 0: mask */
#define SL_PREDICATE_INACTIVE 0x80u  /* the third operand from the condition on says what inactive lanes keep: operand 0 */

/* sl_isa.reg_flags */
#define SL_REG_CONSTANT 0x01u      /* an architectural zero register */
#define SL_REG_CLEARS_SUPER 0x02u  /* any write clears the super-registers (x86 GR32, AArch64 W/B/H/S/D/Q) */
#define SL_REG_CLEARS_VECTOR 0x04u /* ... only if the opcode has SL_OP_CLEARS_VECTOR (x86 XMM, YMM) */

struct sl_isa;

/* Decodes one instruction at `bytes`. SL_E_TRUNCATED: needs more bytes than `len`; SL_E_UNDECODABLE: no instruction.
 * Total: any input gives a status, and *out is written only on SL_OK. */
typedef enum sl_status sl_decode_fn(const uint8_t *bytes, size_t len, struct sl_insn *out);

/* One instruction set's tables. */
struct sl_isa {
    const char *name; /* "aarch64", "x86_64", "riscv64", "riscv32", "thumbm", "thumbv8m", "thumb", "arm" */
    sl_decode_fn *decode;
    const struct sl_op *ops;
    const struct sl_op_row *op_rows;
    const uint16_t *reg_lists;
    const uint8_t *reg_flags;      /* [n_regs] */
    const uint16_t *direct_sub;    /* [n_regs + 1] offsets into sub_list: the direct sub-registers of each register; */
    const uint16_t *sub_list;      /* the transitive closure is LLVM's full list */
    const uint16_t *direct_super;  /* [n_regs + 1] the same relation turned round, */
    const uint16_t *super_list;
    const uint16_t *list_regs;     /* of SL_LIST_MASK; NULL: no lists */
    uint16_t status_reg;           /* what a predicate is about: CPSR; 0 where nothing is predicated */
    uint16_t vector_predicate_reg; /* ... in a VPT block: P0 */
    uint16_t n_ops;
    uint16_t n_regs;               /* register 0 is "no register" */
    uint16_t n_classes;
    uint8_t min_len_bytes;         /* also the alignment of code: 4 on AArch64, 2 on RISC-V, 1 on x86-64 */
    uint8_t max_len_bytes;
};

extern const struct sl_isa sl_isa_aarch64;
extern const struct sl_isa sl_isa_x86_64;
extern const struct sl_isa sl_isa_riscv64;
extern const struct sl_isa sl_isa_riscv32;
extern const struct sl_isa sl_isa_thumbm; /* Thumb of the M profile, with MVE; opcodes are numbered on their own */
extern const struct sl_isa sl_isa_thumbv8m; /* the same without MVE and Armv8.1-M, for boards: a third of the tables; numbers
                                             * opcodes, too, but shares sl_isa_thumbm's registers and classes */
extern const struct sl_isa sl_isa_thumb;  /* Thumb of the A and R profiles, with NEON; */
extern const struct sl_isa sl_isa_arm;    /* shares opcodes and registers with A32 */

enum sl_status sl_decode_aarch64(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_x86_64(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_riscv64(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_riscv32(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_thumbm(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_thumbv8m(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_thumb(const uint8_t *bytes, size_t len, struct sl_insn *out);
enum sl_status sl_decode_arm(const uint8_t *bytes, size_t len, struct sl_insn *out);

/* The rest of an IT and of a VPT block. All zero: in no block. Decoders give what an instruction is outside of them. */
struct sl_thumb_block {
    uint8_t condition; /* of the IT block's first instruction */
    uint8_t it, vpt;   /* 0: no such block; from bit 3 on a bit for each instruction after the next, 1: else; then a one */
    bool it_else, vpt_else; /* of the next instruction */
};

/* Makes of an instruction what it is at this place, the next one in order, and moves the block on. */
void sl_thumb_next(const struct sl_isa *isa, struct sl_thumb_block *block, struct sl_insn *insn);

/* What a RISC-V vsetvli or vsetivli sets. */
struct sl_riscv_vtype {
    uint8_t vlmul; /* register group multiplier as in vtype: 0..3 are 1, 2, 4, 8; 5..7 are 1/8, 1/4, 1/2 */
    uint8_t sew;   /* element width: 1..4 are 8, 16, 32, 64 bits; 0: not known */
};

/* True: the instruction is one of these, and *vtype is set. */
bool sl_riscv_read_vtype(const struct sl_insn *insn, struct sl_riscv_vtype *vtype);
/* For sl_insn.sched_class: llvm-mca's scheduling class of a vector opcode under vtype; 0: the opcode's own. */
uint16_t sl_riscv_vector_class(uint16_t op, const struct sl_riscv_vtype *vtype);

/* Names, in objects of their own so that a board need not link them: LLVM opcode names, and registers as the
 * target's instruction printer writes them ("x3", "%xmm3"). NULL when out of range. */
const char *sl_aarch64_op_name(uint16_t op);
const char *sl_aarch64_reg_name(uint16_t reg);
const char *sl_x86_64_op_name(uint16_t op);
const char *sl_x86_64_reg_name(uint16_t reg);
const char *sl_riscv_op_name(uint16_t op);
const char *sl_riscv_reg_name(uint16_t reg);
const char *sl_thumbm_op_name(uint16_t op);
const char *sl_thumbm_reg_name(uint16_t reg);
const char *sl_thumbv8m_op_name(uint16_t op);
const char *sl_arm_op_name(uint16_t op); /* and sl_isa_thumb's */
const char *sl_arm_reg_name(uint16_t reg);

static inline const struct sl_op_row *sl_op_row(const struct sl_isa *isa, uint16_t op)
{
    return &isa->op_rows[isa->ops[op].row];
}

/* Number of operands that operand[] holds. */
static inline unsigned sl_insn_stored(const struct sl_insn *insn)
{
    return insn->list_kind != SL_LIST_NONE ? insn->list_at : insn->n_operands;
}

/* Register number k < n_operands - list_at of a list. */
uint16_t sl_insn_list_reg(const struct sl_isa *isa, const struct sl_insn *insn, unsigned k);

#ifdef __cplusplus
}
#endif
#endif
