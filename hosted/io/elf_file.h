/* SPDX-License-Identifier: Apache-2.0 */
/* A bounds-checked view of an ELF file in memory: sections, symbols and relocations, without copies.
 *
 * Not libelf: the tool starts and ends within a millisecond, and each message names the offset of what is wrong. */
#ifndef HOSTED_IO_ELF_FILE_H
#define HOSTED_IO_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"

struct elf_file {
    const char *name;
    const uint8_t *data;
    uint64_t size;
    bool is_64;
    bool big_endian;
    uint16_t type, machine;
    uint64_t sections_at;
    uint32_t n_sections, names_index;
    uint16_t section_size;
};

struct elf_section {
    uint64_t name, type, flags, address, offset, size, entry_size;
    uint32_t link, info;
};

struct elf_symbol {
    const char *name; /* NUL-terminated within the file */
    uint64_t value, size;
    uint32_t section;
    uint8_t type, binding;
};

struct elf_relocation {
    uint64_t offset;
    uint32_t type;
};

bool elf_is_elf(const uint8_t *data, size_t size);

/* Checks the header and the section table. false: reported. */
bool elf_open(struct elf_file *file, const char *name, const uint8_t *data, size_t size, struct diag *diag);

/* Section by index; its bytes are within the file (except SHT_NOBITS). */
bool elf_section(const struct elf_file *file, uint32_t index, struct elf_section *section, struct diag *diag);
/* Never NULL: "" when the name is outside the table. */
const char *elf_section_name(const struct elf_file *file, const struct elf_section *section);

/* Number of entries of a symbol or relocation section; entry by index. */
uint64_t elf_count(const struct elf_file *file, const struct elf_section *table);
void elf_symbol(const struct elf_file *file, const struct elf_section *table, const struct elf_section *strings,
                uint64_t index, struct elf_symbol *symbol);
void elf_relocation(const struct elf_file *file, const struct elf_section *table, uint64_t index,
                    struct elf_relocation *relocation);

#endif
