/* SPDX-License-Identifier: Apache-2.0 */
/* What every input produces: decoded instructions with their texts, and the regions that select them. */
#ifndef HOSTED_IO_BLOCK_H
#define HOSTED_IO_BLOCK_H

#include <slotledger/isa.h>

#include "diag.h"
#include "pool.h"

#define BLOCK_INSN_BYTES 16u
#define BLOCK_INSN_SYMBOLS 2u /* x86: a displacement and an immediate */

/* One instruction of the input, in source order. */
struct block_insn {
    struct sl_insn insn;           /* meaningless when undecodable */
    const struct sl_isa *isa;      /* binary input: that it was decoded as; NULL: the block's */
    uint64_t target;               /* where a relocation makes a branch lead, with has_target */
    bool has_target;
    struct sl_riscv_vtype vtype;   /* RISC-V: that the scheduling class was chosen by */
    enum sl_status status;         /* SL_OK, or why the bytes could not be decoded */
    const char *text;              /* as the report prints it: no leading blanks, tabs inside; NULL: made from insn */
    uint64_t address;              /* of binary input; assembly: 0 */
    size_t source_offset;          /* binary input: file offset of the first byte */
    uint8_t bytes[BLOCK_INSN_BYTES];    /* what was decoded, fields under a relocation are 0 */
    uint8_t encoding[BLOCK_INSN_BYTES]; /* what -show-encoding prints */
    uint8_t len_bytes;
    uint8_t encoding_len;
    /* Binary input: the texts of operands that are symbols. */
    uint8_t n_symbols;
    uint8_t symbol_operand[BLOCK_INSN_SYMBOLS];
    const char *symbol[BLOCK_INSN_SYMBOLS];
};

/* RISC-V: a comment that says with which vector type the instructions from here on run. */
struct block_instrument {
    size_t insn;      /* index of the next instruction */
    size_t at;        /* source offset of the comment's text */
    const char *text; /* kind and data, as in "RISCV-LMUL M2" */
};

/* A code region, in the order of its beginning. */
struct block_region {
    const char *name;
    bool has_begin, has_end;
    bool failed;         /* a function that could not be read: reported, without members */
    size_t begin, end;   /* source offsets of the markers' comment texts */
    const char *note;    /* lines that the report prints under the region's header, or NULL */
    size_t *members;     /* indices of instructions */
    size_t n_members, capacity;
};

struct block {
    const struct sl_isa *isa;
    bool from_assembly;
    bool intel_syntax;  /* the texts are in x86 Intel syntax */
    struct block_insn *insns;
    size_t n_insns, insns_capacity;
    struct block_region *regions;
    size_t n_regions, regions_capacity;
    struct block_instrument *instruments;
    size_t n_instruments, instruments_capacity;
    bool keep_unlocated; /* block_unlocate does nothing, and */
    bool unlocated;      /* has had something to do */
    const char *preamble; /* printed in front of all regions, or NULL */
    size_t first_open;  /* every region in front of it has ended */
    struct pool pool;    /* texts and names */
};

/* A block with the one default region that has no name and no limits. */
void block_init(struct block *block, const struct sl_isa *isa);
void block_free(struct block *block);

/* A new instruction, zero-filled, member of every region that is open. The pointer is valid until the next call. */
struct block_insn *block_add(struct block *block);

/* LLVM-MCA-BEGIN and LLVM-MCA-END at source offset `at`; the name is a NUL-terminated text of the pool.
 * Wrong nesting is reported to diag. */
void block_begin(struct block *block, struct diag *diag, const struct source *source, size_t at, const char *name);
void block_end(struct block *block, struct diag *diag, const struct source *source, size_t at, const char *name);

/* The same around a function of a binary file; such regions do not overlap. */
void block_open(struct block *block, const char *name);
void block_close(struct block *block, bool failed);

/* Instructions from `first` on have no place in the source: they are no members of regions that have a beginning, but of
 * the default region even behind its end. */
void block_unlocate(struct block *block, size_t first);

/* Puts an instrument in front of the next instruction; the text belongs to the pool. */
void block_instrument(struct block *block, size_t at, const char *text);

/* Has the region a marker, so that the report has a header? */
static inline bool block_region_marked(const struct block_region *region)
{
    return region->has_begin || region->has_end;
}

#endif
