/* SPDX-License-Identifier: Apache-2.0 */
/* A scheduling model that can be changed: what YAML describes, between a struct sl_cpu and another one. */
#ifndef HOSTED_MODELTEXT_MODEL_TEXT_H
#define HOSTED_MODELTEXT_MODEL_TEXT_H

#include <slotledger/model.h>

#include "../io/diag.h"
#include "../io/file.h"
#include "../io/pool.h"

/* How sure a figure is. */
enum model_confidence { MODEL_UNMARKED, MODEL_MEASURED, MODEL_MANUAL, MODEL_STAND_IN, MODEL_GUESS, MODEL_CONFIDENCES };
extern const char *const model_confidence_names[MODEL_CONFIDENCES];

struct model_note {
    const char *source; /* or NULL */
    enum model_confidence confidence;
};

/* What an instruction does: LLVM's scheduling class, with every group and super-resource listed. Never changed once made. */
struct model_row {
    uint16_t uops; /* as struct sl_class_row's, with the SL_ROW flags */
    uint16_t n_res, n_lat, n_adv;
    const struct sl_write_res *res;
    const struct sl_write_lat *lat;
    const struct sl_read_adv *adv;
};

/* Of a class or an opcode. row NULL: not supported, or for an opcode: as its class. line 0: inherited. */
struct model_entry {
    const struct model_row *row;
    struct model_note note;
    unsigned line;
};

#define MODEL_MAX_RESOURCES 64u /* without the placeholder, and groups counted: the machine's masks have 64 bits */
struct model_resource {
    const char *name;
    int16_t buffer_size;
    uint8_t n_units; /* of a group: members */
    uint8_t super;
    bool is_group;
    uint8_t members[MODEL_MAX_RESOURCES];
    unsigned line;
};

struct model_atom {
    uint8_t kind, a, b;
    const uint16_t *regs;          /* SL_ATOM_REG: a count, then registers */
    const struct sl_imm_set *imms; /* SL_ATOM_IMM, _COUNT, _BITS */
};

#define MODEL_MAX_ATOMS 8u
struct model_rule {
    uint16_t sched_class;
    uint8_t n_atoms;
    struct model_atom atoms[MODEL_MAX_ATOMS];
};

struct model_variant {
    uint16_t key; /* as struct sl_variant.op */
    unsigned n_rules;
    const struct model_rule *rules;
    unsigned line;
};

struct model_idiom {
    uint16_t op;
    uint8_t kind, mask_width;
    uint16_t mask;
    uint8_t n_atoms;
    struct model_atom atoms[MODEL_MAX_ATOMS];
};

struct model_cost {
    const uint16_t *regs; /* a count, then registers */
    uint8_t cost;
    bool moves;
};

struct model_register_file {
    const char *name;
    uint16_t n_physical;
    uint8_t max_moves;
    bool zero_moves_only;
    unsigned n_costs;
    const struct model_cost *costs;
};

struct model {
    struct pool pool; /* of all that pointers point to, but what belongs to the CPU that it was made from */
    const char *name;
    const char *base; /* inherited CPU, or NULL */
    const struct sl_isa *isa;
    uint16_t issue_width, micro_op_buffer, reorder_buffer, retire_width;
    uint8_t load_queue, store_queue;
    unsigned n_resources; /* with placeholder 0 */
    struct model_resource resources[MODEL_MAX_RESOURCES + 1];
    struct model_entry *classes; /* [isa->n_classes] */
    struct model_entry *ops;     /* [isa->n_ops] */
    struct model_variant *variants;
    size_t n_variants, variants_capacity;
    struct model_idiom *idioms;
    size_t n_idioms, idioms_capacity;
    unsigned n_files; /* without the placeholder */
    struct model_register_file files[4];
    uint16_t max_write_id;
};

/* The tables made of a model, with their lengths. */
struct model_tables {
    struct pool pool;
    struct sl_cpu cpu;
    size_t n_names, n_members, n_rows, n_write_res, n_write_lat, n_read_adv, n_rules, n_atoms, n_imm_sets, n_costs, n_sets;
    struct model_note *notes; /* [cpu.n_classes] */
};

/* Empty, for an instruction set: nothing is supported. */
void model_init(struct model *model, const struct sl_isa *isa, const char *name);
void model_of_cpu(struct model *model, const struct sl_cpu *cpu);
void model_free(struct model *model);

/* false: a table would be too long for the machine; *what says which. */
bool model_build(struct model_tables *tables, const struct model *model, const char **what);
void model_tables_free(struct model_tables *tables);

/* Adds cycles of super-resources and of enclosing groups, and sorts. cycles[r] and acquire[r] by resource; returns the
 * list's length. */
unsigned model_expand(const struct model *model, const struct sl_write_res *given, unsigned n,
                      struct sl_write_res *out);
/* The shortest list that expands to this one; 0 with n != 0: there is none. */
unsigned model_unexpand(const struct model *model, const struct sl_write_res *list, unsigned n, struct sl_write_res *out);
/* Is every member of a also one of b, or a part of it by its super-resource? */
bool model_includes(const struct model *model, unsigned whole, unsigned part);

/* names.c */
const char *model_class_name(const struct sl_isa *isa, unsigned sched_class);
const char *model_op_name(const struct sl_isa *isa, unsigned op);
/* "x3"; the second register of that name "v0#2". Of the instruction set's printer, without x86's percent sign. */
const char *model_reg_name(const struct sl_isa *isa, unsigned reg, char *buffer, size_t size);
unsigned model_find_class(const struct sl_isa *isa, const char *name); /* isa->n_classes: none */
unsigned model_find_op(const struct sl_isa *isa, const char *name);    /* isa->n_ops: none */
unsigned model_find_reg(const struct sl_isa *isa, const char *name);   /* isa->n_regs: none */
const struct sl_isa *model_find_isa(const char *name);
const struct sl_cpu *model_find_cpu(const char *name);
/* All built-in CPUs in order; NULL behind the last. */
const struct sl_cpu_name *model_cpu_at(size_t index);

/* load.c: YAML text. false: reported to diag as "slotledger: FILE:LINE: ...". strict: also classes without opcodes and
 * resources that nothing uses are errors. */
bool model_load(struct model *model, const char *file, const char *text, size_t len, bool strict, struct diag *diag);
void model_error(struct diag *diag, const char *file, unsigned line, const char *format, ...) DIAG_PRINTF(4, 5);

/* check.c: orphan classes, unreachable resources, groups. */
bool model_check(const struct model *model, const char *file, struct diag *diag);
/* used[isa->n_classes]: can an instruction come to the class? */
void model_used_classes(const struct model *model, unsigned char *used);

/* dump.c, diff.c, compile.c. A dump drops classes that nothing uses. */
void model_dump(struct model *model, FILE *out);
/* Number of differences printed. */
unsigned model_diff(const struct model *a, const struct model *b, FILE *out);
void model_write_c(const struct model_tables *tables, const char *symbol, FILE *out);
/* A blob as core/model/blob.c reads it, in malloc'ed memory. */
uint8_t *model_blob(const struct model_tables *tables, size_t *len);

#endif
