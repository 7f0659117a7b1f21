/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file in memory, read by libelf: sections, symbols and relocations, none of them outside of the file. */
#include "elf_file.h"

#include <gelf.h>
#include <limits.h>
#include <string.h>

bool elf_is_elf(const uint8_t *data, size_t size)
{
    return size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
}

static bool fits(const struct elf_file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

/* libelf takes a file with a damaged e_ident for one of unknown kind and does not say why. */
static bool check_ident(const struct elf_file *file, struct diag *diag)
{
    const uint8_t *ident = file->data;
    if (!elf_is_elf(ident, file->size)) {
        diag_at_offset(diag, file->name, 0, "not an ELF file");
        return false;
    }
    if (file->size < sizeof(Elf32_Ehdr) || (ident[EI_CLASS] == ELFCLASS64 && file->size < sizeof(Elf64_Ehdr))) {
        diag_at_offset(diag, file->name, file->size, "the file ends inside the ELF header");
        return false;
    }
    if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) {
        diag_at_offset(diag, file->name, EI_CLASS, "unknown ELF class %u, expected 1 or 2", ident[EI_CLASS]);
        return false;
    }
    if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB) {
        diag_at_offset(diag, file->name, EI_DATA, "unknown ELF byte order %u, expected 1 or 2", ident[EI_DATA]);
        return false;
    }
    if (ident[EI_VERSION] != EV_CURRENT) {
        diag_at_offset(diag, file->name, EI_VERSION, "unknown ELF version %u, expected 1", ident[EI_VERSION]);
        return false;
    }
    return true;
}

static bool check_section_table(const struct elf_file *file, uint64_t at, uint64_t n_sections, struct diag *diag)
{
    uint64_t entry = gelf_fsize(file->handle, ELF_T_SHDR, 1, EV_CURRENT);
    if (at <= file->size && n_sections <= (file->size - at) / entry && n_sections <= UINT32_MAX)
        return true;
    diag_at_offset(diag, file->name, at,
                   "the table of %llu section headers ends behind the file's end (0x%llx): truncated file?",
                   (unsigned long long)n_sections, (unsigned long long)file->size);
    return false;
}

static bool read_header(struct elf_file *file, struct diag *diag)
{
    GElf_Ehdr header;
    size_t want, n_sections = 0, names_index = 0;
    if (!gelf_getehdr(file->handle, &header)) {
        diag_at_offset(diag, file->name, 0, "ELF header: %s", elf_errmsg(-1));
        return false;
    }
    file->type = header.e_type;
    file->machine = header.e_machine;
    if (header.e_shoff == 0)
        return true;
    want = gelf_fsize(file->handle, ELF_T_SHDR, 1, EV_CURRENT);
    if (header.e_shentsize != want) {
        diag_at_offset(diag, file->name, file->is_64 ? 58 : 46, "section header size %u, expected %zu",
                       header.e_shentsize, want);
        return false;
    }
    if (!check_section_table(file, header.e_shoff, header.e_shnum, diag))
        return false;
    /* More than 65279 sections: the true number is in section 0 (ELF gABI, "e_shnum"). */
    if (elf_getshdrnum(file->handle, &n_sections)) {
        diag_at_offset(diag, file->name, header.e_shoff, "section headers: %s", elf_errmsg(-1));
        return false;
    }
    if (!check_section_table(file, header.e_shoff, n_sections, diag))
        return false;
    file->n_sections = (uint32_t)n_sections;
    if (!elf_getshdrstrndx(file->handle, &names_index) && names_index < n_sections)
        file->names_index = (uint32_t)names_index;
    return true;
}

bool elf_open(struct elf_file *file, const char *name, const uint8_t *data, size_t size, struct diag *diag)
{
    memset(file, 0, sizeof *file);
    file->name = name;
    file->data = data;
    file->size = size;
    if (!check_ident(file, diag))
        return false;
    file->is_64 = data[EI_CLASS] == ELFCLASS64;
    file->big_endian = data[EI_DATA] == ELFDATA2MSB;
    elf_version(EV_CURRENT);
    /* Nothing is written: the image is only ever read. */
    file->handle = elf_memory((char *)(uintptr_t)data, size);
    if (!file->handle || elf_kind(file->handle) != ELF_K_ELF) {
        diag_at_offset(diag, name, 0, "ELF header: %s", file->handle ? "not understood" : elf_errmsg(-1));
        elf_close(file);
        return false;
    }
    if (!read_header(file, diag)) {
        elf_close(file);
        return false;
    }
    return true;
}

void elf_close(struct elf_file *file)
{
    elf_end(file->handle);
    file->handle = NULL;
}

bool elf_section(const struct elf_file *file, uint32_t index, struct elf_section *section, struct diag *diag)
{
    GElf_Shdr header;
    if (index >= file->n_sections) {
        diag_at_offset(diag, file->name, 0, "section %u of %u is referred to", index, file->n_sections);
        return false;
    }
    if (!gelf_getshdr(elf_getscn(file->handle, index), &header)) {
        diag_at_offset(diag, file->name, 0, "header of section %u: %s", index, elf_errmsg(-1));
        return false;
    }
    *section = (struct elf_section){ .name = header.sh_name, .type = header.sh_type, .flags = header.sh_flags,
                                     .address = header.sh_addr, .offset = header.sh_offset, .size = header.sh_size,
                                     .index = index, .link = header.sh_link, .info = header.sh_info };
    if (section->type != SHT_NOBITS && !fits(file, section->offset, section->size)) {
        diag_at_offset(diag, file->name, section->offset,
                       "section %u (size 0x%llx) ends behind the file's end (0x%llx): truncated file?", index,
                       (unsigned long long)section->size, (unsigned long long)file->size);
        return false;
    }
    return true;
}

/* libelf would inflate a compressed string table, to any size that it claims. */
static bool is_string_table(const struct elf_section *section)
{
    return section->type == SHT_STRTAB && !(section->flags & SHF_COMPRESSED);
}

static const char *string_at(const struct elf_file *file, uint32_t strings_index, uint64_t offset)
{
    const char *text = strings_index ? elf_strptr(file->handle, strings_index, (size_t)offset) : NULL;
    return text ? text : "";
}

const char *elf_section_name(const struct elf_file *file, const struct elf_section *section)
{
    struct diag silent = { .stream = NULL };
    struct elf_section names;
    if (!elf_section(file, file->names_index, &names, &silent) || !is_string_table(&names))
        return "";
    return string_at(file, names.index, section->name);
}

bool elf_table_open(const struct elf_file *file, const struct elf_section *section, struct elf_table *table,
                    struct diag *diag)
{
    bool symbols = section->type == SHT_SYMTAB || section->type == SHT_DYNSYM;
    Elf_Type type = symbols ? ELF_T_SYM : section->type == SHT_RELA ? ELF_T_RELA : ELF_T_REL;
    struct elf_section strings;
    memset(table, 0, sizeof *table);
    if (symbols && !elf_section(file, section->link, &strings, diag))
        return false;
    if (symbols && is_string_table(&strings))
        table->strings_index = strings.index;
    if (!section->size)
        return true;
    table->entries = elf_getdata(elf_getscn(file->handle, section->index), NULL);
    if (!table->entries || table->entries->d_type != type) {
        diag_at_offset(diag, file->name, section->offset, "entries of section %u: %s", section->index,
                       table->entries ? "compressed" : elf_errmsg(-1));
        return false;
    }
    table->count = table->entries->d_size / gelf_fsize(file->handle, type, 1, EV_CURRENT);
    if (table->count > INT_MAX) {
        diag_at_offset(diag, file->name, section->offset, "section %u has too many entries (%llu)", section->index,
                       (unsigned long long)table->count);
        return false;
    }
    return true;
}

void elf_symbol(const struct elf_file *file, const struct elf_table *table, uint64_t index, struct elf_symbol *symbol)
{
    GElf_Sym entry;
    *symbol = (struct elf_symbol){ .name = "" };
    if (index >= table->count || !gelf_getsym(table->entries, (int)index, &entry))
        return;
    symbol->name = string_at(file, table->strings_index, entry.st_name);
    symbol->value = entry.st_value;
    symbol->size = entry.st_size;
    symbol->section = entry.st_shndx;
    symbol->type = GELF_ST_TYPE(entry.st_info);
    symbol->binding = GELF_ST_BIND(entry.st_info);
}

void elf_relocation(const struct elf_table *table, uint64_t index, struct elf_relocation *relocation)
{
    GElf_Rela entry = { .r_offset = 0 };
    GElf_Rel short_entry;
    *relocation = (struct elf_relocation){ .offset = 0 };
    if (index >= table->count)
        return;
    if (table->entries->d_type == ELF_T_RELA) {
        gelf_getrela(table->entries, (int)index, &entry);
    } else if (gelf_getrel(table->entries, (int)index, &short_entry)) {
        entry.r_offset = short_entry.r_offset;
        entry.r_info = short_entry.r_info;
    }
    relocation->offset = entry.r_offset;
    relocation->addend = entry.r_addend;
    relocation->type = (uint32_t)GELF_R_TYPE(entry.r_info);
    relocation->symbol = (uint32_t)GELF_R_SYM(entry.r_info);
}
