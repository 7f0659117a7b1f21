/* SPDX-License-Identifier: Apache-2.0 */
/* Lowering a block: from decoded instructions to descriptors, operands and cover classes. Used by sl_mca_init only. */
#ifndef SLOTLEDGER_CORE_MCA_LOWER_H
#define SLOTLEDGER_CORE_MCA_LOWER_H

#include "internal.h"

/* The largest register: itself and all its sub-registers (checked by a unit test for each ISA). */
#define MCA_MAX_CLOSURE 96u

/* The same, and the most super-registers of one register, on CPUs that eliminate moves (checked by a unit test). */
#define MCA_MAX_MOVE_REGS 10u

/* The register and all its sub-registers, itself first; returns their number, at most MCA_MAX_CLOSURE. */
unsigned mca_closure(const struct sl_isa *isa, uint16_t reg, uint16_t *out);

struct mca_rename {
    uint16_t as;      /* 0: not renamed */
    uint8_t file;
    uint8_t cost;
    bool move;
};
struct mca_rename mca_rename_of(const struct sl_cpu *cpu, uint16_t reg);
/* The same for all registers; table: [n_regs]. */
void mca_rename_all(const struct sl_cpu *cpu, struct mca_rename *table);

/* Scratch of sl_mca_init. It lies where the machine's run-time state will be. */
struct mca_scratch {
    uint32_t *hash;            /* [hash_size] block index + 1 of the first instruction of each descriptor */
    uint16_t *dense;           /* [n_regs] 1 + dense number of a register that some read overlaps */
    uint16_t *regs;            /* [n_dense] */
    uint16_t *up_begin, *up;   /* direct super-registers among dense registers, by dense number */
    uint16_t *members;         /* class sizes */
    uint16_t *hits, *split;    /* by class */
    uint16_t *class_of;        /* [n_dense] */
    uint32_t *mark;            /* dense bit set */
    uint32_t *read_list;       /* [n_regs] 1 + offset into class_lists */
    uint32_t *write_list[2];   /* [n_regs] likewise, by clears_super */
    uint32_t *move_list[2];    /* [n_regs] offset into move_lists, by clears_super */
    struct mca_rename *rename; /* [n_regs]; only when the CPU has register files */
    const struct sl_insn *code;
    size_t hash_size;
    uint32_t n_dense, list_used, move_used;
};

/* Sizes of everything, as bounds that hold for this block. */
struct mca_sizes {
    size_t insns, resources, reads, writes, list_items, move_items, hash, dense, edges;
    size_t read_stride, write_stride, node_stride, max_list, feeds;
    size_t slots, groups, busy, uses, files, regs;
    bool in_order, moves, renames, pressure, limited;
};

/* Bounds for this block; SL_E_* with *error_index when an instruction cannot be lowered. */
enum sl_status mca_sizes_of(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_insn *code,
                            size_t n_insns, struct mca_sizes *sizes, size_t *error_index);
/* Bounds for any block of n_insns instructions. */
void mca_sizes_any(const struct sl_cpu *cpu, const struct sl_mca_config *config, size_t n_insns, struct mca_sizes *sizes);

/* Takes all memory out of the arena in a fixed order: the block, then scratch and run-time state on top of each other.
 * With a counting arena this gives the need. The run-time part is taken by mca_layout_run. */
struct sl_mca_state *mca_layout_block(struct sl_arena *arena, const struct mca_sizes *z);
void mca_layout_scratch(struct sl_arena *arena, const struct mca_sizes *z, struct mca_scratch *x);
void mca_layout_run(struct sl_arena *arena, const struct mca_sizes *z, struct sl_mca_state *s);
size_t mca_layout_bytes(const struct mca_sizes *z);

/* Descriptors and operands of the whole block, */
enum sl_status mca_lower_block(struct sl_mca *m, struct mca_scratch *x, size_t *error_index);
/* then the cover classes that its reads and writes are expressed in, */
void mca_lower_classes(struct sl_mca *m, struct mca_scratch *x);
/* what the machine need not look at goes (not in blocks with move candidates), */
void mca_lower_compact(struct sl_mca *m);
bool mca_lower_commits(const struct sl_mca *m);
bool mca_lower_plain(const struct sl_mca *m);
/* then, for blocks with move candidates, register lists. */
void mca_lower_moves(struct sl_mca *m, struct mca_scratch *x);

/* Root of a register: what it is renamed as, else itself. */
uint16_t mca_root(const struct mca_scratch *x, uint16_t reg);
/* Offset in class_lists of the classes that a read of the register overlaps. */
uint32_t mca_class_list(struct sl_mca *m, struct mca_scratch *x, uint16_t reg);

#endif
