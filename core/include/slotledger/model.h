/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling-model data: what one CPU does with one opcode. Tables come from core/gen, one object file per model. */
#ifndef SLOTLEDGER_MODEL_H
#define SLOTLEDGER_MODEL_H

#include <slotledger/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Index 0 is an invalid placeholder and never used. */
struct sl_proc_resource {
    uint16_t name;        /* offset into sl_cpu.names */
    int16_t buffer_size;  /* -1 unlimited, 0 dispatch hazard, 1 in-order buffer, N scheduler with N entries */
    uint8_t n_units;      /* of a group: number of members */
    uint8_t super;        /* index of the super-resource, or 0 */
    uint8_t is_group;
    uint8_t members;      /* of a group: offset into sl_cpu.members, n_units resource indices */
};

#define SL_UOPS_MASK 0x1fffu
#define SL_UOPS_INVALID 0x1fffu /* 8191: unsupported instruction */
#define SL_UOPS_VARIANT 0x1ffeu /* 8190: resolved by a rule */
#define SL_ROW_BEGIN_GROUP 0x2000u
#define SL_ROW_END_GROUP 0x4000u
#define SL_ROW_RETIRE_OOO 0x8000u

/* One scheduling class as this CPU sees it (many classes share a row). */
struct sl_class_row {
    uint16_t uops;      /* low 13 bits, and the SL_ROW flags */
    uint8_t n_res;      /* entries in sl_cpu.write_res from res on */
    uint8_t n_lat;      /* ... write_lat from lat on */
    uint8_t n_adv;      /* ... read_adv from adv on; with n_adv_high, see sl_row_n_adv() */
    uint8_t n_adv_high;
    uint16_t res;
    uint16_t lat;
    uint16_t adv;
};

static inline unsigned sl_row_n_adv(const struct sl_class_row *row)
{
    return row->n_adv | (unsigned)row->n_adv_high << 8;
}

struct sl_write_res {
    uint8_t resource;
    uint8_t acquire_cycle; /* not used by llvm-mca */
    uint16_t release_cycle;
};

struct sl_write_lat {
    int16_t cycles; /* < 0: unknown */
    uint16_t write_id; /* 0: no read-advance refers to it */
};

struct sl_read_adv {
    uint8_t use;
    int8_t cycles;
    uint16_t write_id; /* 0 matches any write */
};

/* Variant classes: the rules of an opcode are tried in order; the first one whose atoms all hold wins. */
enum sl_atom_kind {
    SL_ATOM_EQ = 0,    /* operands a and b are the same register */
    SL_ATOM_REG = 1,   /* operand a is a register of reg_lists set `set` (offset into sl_cpu.sets: count, registers) */
    SL_ATOM_IMM = 2,   /* operand a is an immediate whose value is in imm set `set` (0..255 only, 256-bit set) */
    SL_ATOM_IMMZ = 3,  /* operand a is the immediate 0 (an expression is not) */
    SL_ATOM_FLAG = 4,  /* the instruction has a flag of mask a (SL_INSN_*) */
    SL_ATOM_ANY_IMM = 5, /* operand a is an immediate, not an expression */
    SL_ATOM_COUNT = 6,   /* the number of operands is in imm set `set` (register lists) */
    SL_ATOM_IN_LIST = 7, /* the register of operand a is in the register list */
    SL_ATOM_BITS = 8     /* bits b to b + 7 of the immediate in operand a, as a number, are in imm set `set` */
};
#define SL_ATOM_NOT 0x80u

struct sl_atom {
    uint8_t kind; /* enum sl_atom_kind, with SL_ATOM_NOT */
    uint8_t a;
    uint8_t b;
    uint8_t set;
};

struct sl_variant_rule {
    uint16_t sched_class; /* 0: the reference resolves to no class */
    uint8_t atoms;        /* index of the first atom */
    uint8_t n_atoms;      /* 0: always; every rule list ends with such a rule */
};

struct sl_variant {
    uint16_t op;    /* or SL_VARIANT_OF_CLASS | a class that sl_insn.sched_class names */
    uint16_t rules; /* index of the first rule */
};
#define SL_VARIANT_OF_CLASS 0x8000u

struct sl_imm_set {
    uint32_t words[8]; /* bit v: the value v belongs to the set */
};

/* Zero idioms, dependency breaking instructions, optimizable moves (MCInstrAnalysis), sorted by op. Of an opcode's
 * entries the first one whose atoms all hold is the answer; when none does, the instruction is nothing special. */
#define SL_IDIOM_ZERO 0x01u     /* isZeroIdiom */
#define SL_IDIOM_BREAK 0x02u    /* isDependencyBreaking */
#define SL_IDIOM_MOVE 0x04u     /* isOptimizableRegisterMove */
struct sl_idiom {
    uint16_t op;
    uint8_t kind;
    uint8_t atoms;          /* index of the first atom */
    uint8_t n_atoms;        /* 0: always */
    uint8_t mask_width;     /* width of the mask over use indices, as LLVM returns it */
    uint16_t mask;          /* 0: every explicit read */
};

struct sl_register_cost {
    uint16_t regs;       /* offset into sl_cpu.sets: a count, then the class's registers in order */
    uint8_t cost;
    uint8_t move_elimination;
};

struct sl_register_file {
    uint16_t name;
    uint16_t n_physical;
    uint8_t max_moves;      /* per cycle; 0 = no limit */
    uint8_t zero_moves_only;
    uint8_t costs;          /* offset into sl_cpu.costs */
    uint8_t n_costs;
};

/* One scheduling model. */
struct sl_cpu {
    const char *name; /* the model's representative CPU, e.g. "cortex-a53" */
    const struct sl_isa *isa;
    const char *names;
    const struct sl_proc_resource *resources;
    const uint8_t *members;
    const uint16_t *class_row;           /* [n_classes] -> rows */
    const struct sl_class_row *rows;
    const struct sl_write_res *write_res;
    const struct sl_write_lat *write_lat;
    const struct sl_read_adv *read_adv;
    const struct sl_variant *variants;   /* sorted by op */
    const struct sl_variant_rule *rules;
    const struct sl_atom *atoms;
    const struct sl_imm_set *imm_sets;
    const struct sl_idiom *idioms;       /* sorted by op */
    const struct sl_register_file *files; /* [n_files]; entry 0 is a placeholder */
    const struct sl_register_cost *costs;
    const uint16_t *sets;                /* register lists: a count, then registers */
    uint16_t issue_width;
    uint16_t micro_op_buffer_size; /* > 1: out-of-order pipeline */
    uint16_t reorder_buffer_size;  /* 0: micro_op_buffer_size */
    uint16_t max_retire_per_cycle; /* 0: no limit */
    uint16_t n_variants;
    uint16_t n_idioms;
    uint16_t n_classes;            /* isa->n_classes, and those that single opcodes of this model have for themselves */
    uint8_t n_resources;           /* including placeholder 0 */
    uint8_t load_queue;            /* resource index or 0 */
    uint8_t store_queue;
    uint8_t n_files;
};

/* A name that llvm-mca accepts as -mcpu. Several names share one model. */
struct sl_cpu_name {
    const char *name;
    const struct sl_cpu *cpu;
};

/* All names of one ISA, sorted; in an object of its own: a board that names its CPU's symbol links one model. */
extern const struct sl_cpu_name sl_cpus_aarch64[];
extern const size_t sl_n_cpus_aarch64;
extern const struct sl_cpu_name sl_cpus_x86_64[];
extern const size_t sl_n_cpus_x86_64;
extern const struct sl_cpu_name sl_cpus_riscv64[];
extern const size_t sl_n_cpus_riscv64;
extern const struct sl_cpu_name sl_cpus_riscv32[];
extern const size_t sl_n_cpus_riscv32;
extern const struct sl_cpu_name sl_cpus_thumbm[];
extern const size_t sl_n_cpus_thumbm;
extern const struct sl_cpu_name sl_cpus_arm[]; /* of sl_isa_thumb, too */
extern const size_t sl_n_cpus_arm;
/* For boards, over sl_isa_thumbv8m: Cortex-M3, M4, M33 and M35P; Cortex-M7. */
extern const struct sl_cpu sl_cpu_thumbv8m_cortex_m4;
extern const struct sl_cpu sl_cpu_thumbv8m_cortex_m7;

/* Resolved (non-variant) class of an instruction. SL_E_UNRESOLVED: class 0, or no rule matches. */
enum sl_status sl_cpu_resolve(const struct sl_cpu *cpu, const struct sl_insn *insn,
                              uint16_t *sched_class) SL_MUST_CHECK;

static inline const struct sl_class_row *sl_cpu_class(const struct sl_cpu *cpu, uint16_t sched_class)
{
    return &cpu->rows[cpu->class_row[sched_class]];
}

/* What MCInstrAnalysis says of the instruction on this CPU. */
struct sl_idiom_answer {
    bool zero;              /* zero idiom */
    bool breaks;            /* dependency breaking (a zero idiom always is) */
    bool optimizable_move;
    uint8_t mask_width;
    uint16_t mask;          /* over use indices; 0: every explicit read is independent */
};
void sl_cpu_idiom(const struct sl_cpu *cpu, const struct sl_insn *insn, struct sl_idiom_answer *answer);

/* The read-advance of use `use` of `row` against a write with `write_id` (simulator rules 1.3). */
int sl_cpu_read_advance(const struct sl_cpu *cpu, const struct sl_class_row *row, unsigned use, uint16_t write_id);

#ifdef __cplusplus
}
#endif
#endif
