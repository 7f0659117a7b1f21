/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file in memory, read by libelf: sections, symbols and relocations, none of them outside of the file.
 *
 * Bounds are checked before libelf is asked, so that each message names the offset of what is wrong. */
#ifndef HOSTED_IO_ELF_FILE_H
#define HOSTED_IO_ELF_FILE_H

#include <libelf.h>
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
    uint32_t n_sections, names_index;
    Elf *handle;
};

struct elf_section {
    uint64_t name, type, flags, address, offset, size;
    uint32_t index, link, info;
};

/* The entries of a symbol or relocation section. */
struct elf_table {
    Elf_Data *entries;
    uint64_t count;
    uint32_t strings_index; /* of a symbol table's names; 0: none */
};

struct elf_symbol {
    const char *name; /* never NULL: "" when it is outside of the string table */
    uint64_t value, size;
    uint32_t section;
    uint8_t type, binding;
};

struct elf_relocation {
    uint64_t offset;
    int64_t addend;  /* 0 where it is in the field itself */
    uint32_t type, symbol;
};

bool elf_is_elf(const uint8_t *data, size_t size);

/* Checks the header and the section table. `data` must outlive elf_close. false: reported, nothing to close. */
bool elf_open(struct elf_file *file, const char *name, const uint8_t *data, size_t size, struct diag *diag);
void elf_close(struct elf_file *file);

/* Section by index; its bytes are within the file (except SHT_NOBITS). */
bool elf_section(const struct elf_file *file, uint32_t index, struct elf_section *section, struct diag *diag);
/* Never NULL: "" when the name is outside the table. */
const char *elf_section_name(const struct elf_file *file, const struct elf_section *section);

/* A section of type SHT_SYMTAB, SHT_DYNSYM, SHT_REL or SHT_RELA; its entries by index below the count. */
bool elf_table_open(const struct elf_file *file, const struct elf_section *section, struct elf_table *table,
                    struct diag *diag);
void elf_symbol(const struct elf_file *file, const struct elf_table *table, uint64_t index, struct elf_symbol *symbol);
void elf_relocation(const struct elf_table *table, uint64_t index, struct elf_relocation *relocation);

#endif
