/* SPDX-License-Identifier: Apache-2.0 */
/* A bounds-checked view of an ELF file in memory: sections, symbols and relocations, without copies. */
#include "elf_file.h"

#include <elf.h>
#include <string.h>

static uint64_t get(const struct elf_file *file, uint64_t at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        unsigned from = file->big_endian ? i : bytes - 1 - i;
        value = value << 8 | file->data[at + from];
    }
    return value;
}

/* A field that is 8 bytes wide in 64-bit files and 4 in 32-bit ones. */
static uint64_t get_word(const struct elf_file *file, uint64_t at, unsigned offset_64, unsigned offset_32)
{
    return file->is_64 ? get(file, at + offset_64, 8) : get(file, at + offset_32, 4);
}

bool elf_is_elf(const uint8_t *data, size_t size)
{
    return size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
}

static bool fits(const struct elf_file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

/* More than 65279 sections: the true numbers are in section 0 (ELF gABI, "e_shnum"). */
static bool read_section_table(struct elf_file *file, struct diag *diag)
{
    unsigned field = file->is_64 ? 60 : 48;
    uint16_t want = file->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    file->sections_at = get_word(file, 0, 40, 32);
    file->section_size = (uint16_t)get(file, field - 2u, 2);
    file->n_sections = (uint32_t)get(file, field, 2);
    file->names_index = (uint32_t)get(file, field + 2u, 2);
    if (file->sections_at == 0) {
        file->n_sections = 0;
        return true;
    }
    if (file->section_size < want) {
        diag_at_offset(diag, file->name, field - 2u, "section header size %u, expected at least %u",
                       file->section_size, want);
        return false;
    }
    if (file->n_sections == 0 && fits(file, file->sections_at, want))
        file->n_sections = (uint32_t)get_word(file, file->sections_at, 32, 20);
    if (file->names_index == SHN_XINDEX && fits(file, file->sections_at, want))
        file->names_index = (uint32_t)get(file, file->sections_at + (file->is_64 ? 40u : 24u), 4);
    if (!fits(file, file->sections_at, (uint64_t)file->n_sections * file->section_size)) {
        diag_at_offset(diag, file->name, file->sections_at,
                       "the table of %u section headers ends behind the file's end (0x%llx): truncated file?",
                       file->n_sections, (unsigned long long)file->size);
        return false;
    }
    return true;
}

bool elf_open(struct elf_file *file, const char *name, const uint8_t *data, size_t size, struct diag *diag)
{
    memset(file, 0, sizeof *file);
    file->name = name;
    file->data = data;
    file->size = size;
    if (!elf_is_elf(data, size)) {
        diag_at_offset(diag, name, 0, "not an ELF file");
        return false;
    }
    if (size < sizeof(Elf32_Ehdr)) {
        diag_at_offset(diag, name, size, "the file ends inside the ELF header");
        return false;
    }
    file->is_64 = data[EI_CLASS] == ELFCLASS64;
    file->big_endian = data[EI_DATA] == ELFDATA2MSB;
    if (!file->is_64 && data[EI_CLASS] != ELFCLASS32) {
        diag_at_offset(diag, name, EI_CLASS, "unknown ELF class %u, expected 1 or 2", data[EI_CLASS]);
        return false;
    }
    if (!file->big_endian && data[EI_DATA] != ELFDATA2LSB) {
        diag_at_offset(diag, name, EI_DATA, "unknown ELF byte order %u, expected 1 or 2", data[EI_DATA]);
        return false;
    }
    if (file->is_64 && size < sizeof(Elf64_Ehdr)) {
        diag_at_offset(diag, name, size, "the file ends inside the ELF header");
        return false;
    }
    file->type = (uint16_t)get(file, 16, 2);
    file->machine = (uint16_t)get(file, 18, 2);
    return read_section_table(file, diag);
}

bool elf_section(const struct elf_file *file, uint32_t index, struct elf_section *section, struct diag *diag)
{
    uint64_t at = file->sections_at + (uint64_t)index * file->section_size;
    if (index >= file->n_sections) {
        diag_at_offset(diag, file->name, file->sections_at, "section %u of %u is referred to", index,
                       file->n_sections);
        return false;
    }
    section->name = get(file, at, 4);
    section->type = get(file, at + 4, 4);
    section->flags = get_word(file, at, 8, 8);
    section->address = get_word(file, at, 16, 12);
    section->offset = get_word(file, at, 24, 16);
    section->size = get_word(file, at, 32, 20);
    section->link = (uint32_t)get(file, at + (file->is_64 ? 40u : 24u), 4);
    section->info = (uint32_t)get(file, at + (file->is_64 ? 44u : 28u), 4);
    section->entry_size = get_word(file, at, 56, 36);
    if (section->type != SHT_NOBITS && !fits(file, section->offset, section->size)) {
        diag_at_offset(diag, file->name, section->offset,
                       "section %u (size 0x%llx) ends behind the file's end (0x%llx): truncated file?", index,
                       (unsigned long long)section->size, (unsigned long long)file->size);
        return false;
    }
    return true;
}

/* Text at `offset` of a string table, or "" unless it ends within the table. */
static const char *string_at(const struct elf_file *file, const struct elf_section *strings, uint64_t offset)
{
    const char *text;
    if (strings->type == SHT_NOBITS || offset >= strings->size || !fits(file, strings->offset, strings->size))
        return "";
    text = (const char *)file->data + strings->offset + offset;
    return memchr(text, '\0', (size_t)(strings->size - offset)) ? text : "";
}

const char *elf_section_name(const struct elf_file *file, const struct elf_section *section)
{
    struct diag silent = { .stream = NULL };
    struct elf_section names;
    if (!elf_section(file, file->names_index, &names, &silent))
        return "";
    return string_at(file, &names, section->name);
}

static unsigned entry_bytes(const struct elf_file *file, const struct elf_section *table)
{
    if (table->type == SHT_SYMTAB || table->type == SHT_DYNSYM)
        return file->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    if (table->type == SHT_RELA)
        return file->is_64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
    return file->is_64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
}

uint64_t elf_count(const struct elf_file *file, const struct elf_section *table)
{
    return table->type == SHT_NOBITS ? 0 : table->size / entry_bytes(file, table);
}

void elf_symbol(const struct elf_file *file, const struct elf_section *table, const struct elf_section *strings,
                uint64_t index, struct elf_symbol *symbol)
{
    uint64_t at = table->offset + index * entry_bytes(file, table);
    uint8_t info = file->data[at + (file->is_64 ? 4u : 12u)];
    symbol->name = string_at(file, strings, get(file, at, 4));
    symbol->value = get_word(file, at, 8, 4);
    symbol->size = get_word(file, at, 16, 8);
    symbol->section = (uint32_t)get(file, at + (file->is_64 ? 6u : 14u), 2);
    symbol->type = info & 15u;
    symbol->binding = info >> 4;
}

void elf_relocation(const struct elf_file *file, const struct elf_section *table, uint64_t index,
                    struct elf_relocation *relocation)
{
    uint64_t at = table->offset + index * entry_bytes(file, table);
    relocation->offset = get_word(file, at, 0, 0);
    relocation->type = file->is_64 ? (uint32_t)get(file, at + 8, 4) : (uint32_t)(get(file, at + 4, 4) & 0xffu);
    if (file->is_64 && file->big_endian)
        relocation->type = (uint32_t)get(file, at + 12, 4);
}
