/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over a stretch of machine code and adds its instructions to a block. */
#ifndef HOSTED_IO_CODE_READER_H
#define HOSTED_IO_CODE_READER_H

#include "block.h"

/* A function or an object; for branches that have no relocation, and for relocations against sections. */
struct code_target {
    uint64_t address, size;
    const char *name;
};

/* A field that a relocation fills. */
struct code_patch {
    uint64_t address;
    int64_t addend;
    const char *symbol;           /* NULL: unnamed */
    const struct code_target *places; /* what lies where in the section that the symbol stands for, sorted; or NULL */
    size_t n_places;
    bool has_place;
    uint64_t place;               /* where symbol and addend lie, if that is in the same section */
    const char *prefix, *suffix;  /* the modifier, as in :lo12:symbol and symbol@PLT; "" without one */
    uint8_t bytes;                /* width; 0: not a field */
    bool is_call_pair;            /* RISC-V: of this instruction and the next */
    bool counts_from_field;       /* the addend makes up for the way from the field to the instruction's end */
};

/* A place where code or data begins (mapping symbols $x, on 32-bit Arm $a and $t, and $d). */
struct code_map {
    uint64_t address;
    const struct sl_isa *isa; /* how to decode from here on; NULL: as what the block holds */
    bool is_data;
};

struct code_stretch {
    const char *file;
    const uint8_t *bytes;
    uint64_t size;
    uint64_t address;     /* of the first byte */
    uint64_t file_offset; /* likewise */
    const struct code_patch *patches; /* sorted by address */
    size_t n_patches;
    const struct sl_isa *isa;         /* of code in front of the first map; NULL: the block's */
    const struct code_map *maps;      /* likewise */
    size_t n_maps;
    const struct code_target *targets; /* likewise */
    size_t n_targets;
};

/* false: undecodable bytes that are not to be skipped, reported. */
bool code_read(struct block *block, const struct code_stretch *stretch, bool skip_undecodable, struct diag *diag);

#endif
