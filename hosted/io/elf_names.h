/* SPDX-License-Identifier: Apache-2.0 */
/* Names for relocations and branch targets: the functions and objects of each section. */
#ifndef HOSTED_IO_ELF_NAMES_H
#define HOSTED_IO_ELF_NAMES_H

#include "code_reader.h"
#include "elf_file.h"

/* Functions and objects of one section, sorted by their values. */
struct elf_places {
    uint32_t section;
    struct code_target *targets;
    size_t count;
};

/* Zero-filled: none yet. */
struct elf_names {
    struct elf_places *places;
    size_t n_places, capacity;
};

/* Collected when first asked for. Valid until the next call; the targets until elf_names_free. */
const struct elf_places *elf_names_section(struct elf_names *names, const struct elf_file *file,
                                           const struct elf_table *symbols, uint32_t section);
void elf_names_free(struct elf_names *names);

/* Sets the patch's symbol and places. A section goes by its own name, unless something in it has one. */
void elf_names_patch(struct elf_names *names, const struct elf_file *file, const struct elf_table *symbols,
                     uint32_t index, struct code_patch *patch);

#endif
