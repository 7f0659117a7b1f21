/* SPDX-License-Identifier: Apache-2.0 */
/* ELF objects, executables and firmware images, and raw bytes -> block. */
#ifndef HOSTED_IO_ELF_INPUT_H
#define HOSTED_IO_ELF_INPUT_H

#include "block.h"
#include "elf_file.h"
#include "pc_list.h"

/* Which part of the code is wanted. Zero-filled: the whole .text, else all executable sections. */
struct code_selection {
    const char *symbol;
    bool functions;                  /* each function that `symbol`, a shell pattern, matches is a region of its own;
                                      * NULL: all of them */
    bool has_range;
    uint64_t range_start, range_end; /* addresses; in a relocatable object offsets into .text; the end is excluded */
    bool skip_undecodable;           /* warn and go on */
    const struct pc_list *only;      /* of `functions` those that hold an address of these; NULL: all */
};

/* The instruction set of the file's machine; NULL: reported as unsupported. */
const struct sl_isa *elf_input_isa(const struct elf_file *file, struct diag *diag);

/* Decodes the selected code into an initialised block. false: reported. */
bool elf_input_read(struct block *block, const struct elf_file *file, const struct code_selection *selection,
                    struct diag *diag);

/* Bare machine code, the first byte at address `base`. */
bool raw_input_read(struct block *block, const char *name, const uint8_t *data, size_t size, uint64_t base,
                    const struct code_selection *selection, struct diag *diag);

#endif
