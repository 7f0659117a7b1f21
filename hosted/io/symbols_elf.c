/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols out of ELF files, chosen, placed and named as perf does it. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "symbols_internal.h"

#define PAGE_BYTES 4096u

/* ---- images ---- */

bool image_open(struct image *image, const char *path)
{
    struct diag silent = {.stream = NULL};
    memset(image, 0, sizeof *image);
    if (!file_read(&image->file, path, &silent))
        return false;
    image->is_open = elf_open(&image->elf, path, image->file.data, image->file.size, &silent);
    if (!image->is_open)
        file_free(&image->file);
    return image->is_open;
}

void image_close(struct image *image)
{
    if (!image->is_open)
        return;
    elf_close(&image->elf);
    file_free(&image->file);
    image->is_open = false;
}

bool image_section(const struct image *image, const char *name, uint32_t type, struct elf_section *section)
{
    struct diag silent = {.stream = NULL};
    for (uint32_t i = 1; i < image->elf.n_sections; i++) {
        if (elf_section(&image->elf, i, section, &silent) && !strcmp(elf_section_name(&image->elf, section), name))
            return !type || section->type == type;
    }
    return false;
}

/* Notes: name size, description size, type; name and description are padded to words (ELF gABI, "Note Section"). */
const uint8_t *image_build_id(const struct image *image, size_t *size)
{
    struct elf_section section;
    uint64_t at = 0;
    GElf_Nhdr note;
    size_t name_at, next, id_at;
    Elf_Data *data;
    if (!image_section(image, ".note.gnu.build-id", SHT_NOTE, &section))
        return NULL;
    data = elf_getdata(elf_getscn(image->elf.handle, section.index), NULL);
    if (!data)
        return NULL;
    while ((next = gelf_getnote(data, (size_t)at, &note, &name_at, &id_at)) > 0) {
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            !memcmp((const uint8_t *)data->d_buf + name_at, "GNU", 4)) {
            *size = note.n_descsz;
            return (const uint8_t *)data->d_buf + id_at;
        }
        at = next;
    }
    return NULL;
}

/* ---- one table ---- */

struct reader {
    struct symbols *symbols;
    const struct image *image;
    const struct image *loaded; /* whose program headers place the symbols */
    bool virtual_addresses;
    struct elf_section *sections;
    bool *label_section; /* [n_sections]: named as text or data */
};

static bool is_mapping_symbol(const struct reader *reader, const char *name)
{
    uint16_t machine = reader->image->elf.machine;
    return (machine == EM_ARM || machine == EM_AARCH64) && name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
           (!name[2] || name[2] == '.');
}

/* Functions and objects that are somewhere, and labels of assembly in sections of text or data. */
static bool is_wanted(const struct reader *reader, const GElf_Sym *entry)
{
    unsigned type = GELF_ST_TYPE(entry->st_info), visibility = GELF_ST_VISIBILITY(entry->st_other);
    if (!entry->st_name || entry->st_shndx == SHN_UNDEF || entry->st_shndx >= reader->image->elf.n_sections)
        return false;
    if (!(reader->sections[entry->st_shndx].flags & SHF_ALLOC))
        return false;
    if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
        return true;
    return type == STT_NOTYPE && visibility != STV_HIDDEN && visibility != STV_INTERNAL &&
           reader->label_section[entry->st_shndx];
}

/* To an offset in the file: by the segment that covers the address, or else by its section. */
static uint64_t place(const struct reader *reader, const GElf_Sym *entry)
{
    const struct elf_section *section = &reader->sections[entry->st_shndx];
    size_t n = 0;
    if (reader->virtual_addresses)
        return entry->st_value;
    if (elf_getphdrnum(reader->loaded->elf.handle, &n))
        n = 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        uint64_t size;
        if (!gelf_getphdr(reader->loaded->elf.handle, (int)i, &header) || header.p_type != PT_LOAD)
            continue;
        size = header.p_memsz > header.p_filesz ? header.p_memsz : header.p_filesz;
        if (entry->st_value >= header.p_vaddr && entry->st_value - header.p_vaddr < size)
            return entry->st_value - header.p_vaddr + header.p_offset;
    }
    return entry->st_value - section->address + section->offset;
}

static void take(const struct reader *reader, const struct elf_table *table, uint64_t index, size_t *n_taken)
{
    GElf_Sym entry;
    struct symbol symbol;
    const char *name, *plain;
    if (!gelf_getsym(table->entries, (int)index, &entry) || !is_wanted(reader, &entry))
        return;
    name = elf_strptr(reader->image->elf.handle, table->strings_index, entry.st_name);
    if (!name || is_mapping_symbol(reader, name))
        return;
    memset(&symbol, 0, sizeof symbol);
    symbol.start = place(reader, &entry);
    symbol.end = symbol.start + entry.st_size;
    plain = demangle(name, &reader->symbols->pool);
    symbol.name = plain ? plain : name;
    symbol.is_object = GELF_ST_TYPE(entry.st_info) == STT_OBJECT;
    symbol.binding = GELF_ST_BIND(entry.st_info);
    symbols_append(reader->symbols, &symbol);
    ++*n_taken;
}

static void read_sections(struct reader *reader)
{
    struct diag silent = {.stream = NULL};
    uint32_t n = reader->image->elf.n_sections;
    reader->sections = calloc(n + 1u, sizeof *reader->sections);
    reader->label_section = calloc(n + 1u, sizeof *reader->label_section);
    if (!reader->sections || !reader->label_section)
        out_of_memory();
    for (uint32_t i = 0; i < n; i++) {
        const char *name;
        if (!elf_section(&reader->image->elf, i, &reader->sections[i], &silent))
            continue;
        name = elf_section_name(&reader->image->elf, &reader->sections[i]);
        reader->label_section[i] = strstr(name, "text") || strstr(name, "data");
    }
}

/* ---- repairs: ends that are not told, and several names of one place ---- */

static size_t underscores(const char *name)
{
    return strspn(name, "_");
}

static bool keeps_first(const struct symbol *a, const struct symbol *b)
{
    uint64_t size_a = a->end - a->start, size_b = b->end - b->start;
    size_t len_a = strlen(a->name), len_b = strlen(b->name);
    if (!size_a != !size_b)
        return size_a > 0;
    if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
        return b->binding == STB_WEAK;
    if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
        return a->binding == STB_GLOBAL;
    if (underscores(a->name) != underscores(b->name))
        return underscores(a->name) < underscores(b->name);
    if (len_a != len_b)
        return len_a > len_b;
    /* System calls have aliases of these names. */
    return strncmp(a->name, "SyS", 3) && strncmp(a->name, "compat_SyS", 10);
}

static void fix_ends(struct symbols *symbols)
{
    struct symbol *last = &symbols->items[symbols->n - 1];
    for (size_t i = 1; i < symbols->n; i++) {
        if (symbols->items[i - 1].end == symbols->items[i - 1].start)
            symbols->items[i - 1].end = symbols->items[i].start;
    }
    if (last->end == last->start)
        last->end = ((last->start + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1)) + PAGE_BYTES;
}

static void fix_doubles(struct symbols *symbols)
{
    size_t n = 1;
    for (size_t i = 1; i < symbols->n; i++) {
        struct symbol *kept = &symbols->items[n - 1];
        const struct symbol *next = &symbols->items[i];
        if (kept->start != next->start)
            symbols->items[n++] = *next;
        else if (!keeps_first(kept, next))
            *kept = *next;
    }
    symbols->n = n;
}

void symbols_fix(struct symbols *symbols)
{
    fix_ends(symbols);
    fix_doubles(symbols);
}

static size_t read_table(struct symbols *symbols, const struct image *image, const char *name, uint32_t type,
                         bool virtual_addresses)
{
    struct diag silent = {.stream = NULL};
    struct reader reader = {symbols,           image, symbols->runtime.is_open ? &symbols->runtime : image,
                            virtual_addresses, NULL,  NULL};
    struct elf_section section;
    struct elf_table table;
    size_t n_taken = 0;
    if (!image->is_open || !image_section(image, name, type, &section) ||
        !elf_table_open(&image->elf, &section, &table, &silent) || !table.strings_index)
        return 0;
    read_sections(&reader);
    for (uint64_t i = 0; i < table.count; i++)
        take(&reader, &table, i, &n_taken);
    free(reader.sections);
    free(reader.label_section);
    if (n_taken) {
        symbols_sort(symbols);
        symbols_fix(symbols);
    }
    return n_taken;
}

/* ---- the procedure linkage table: one entry for each of its relocations ---- */

static void read_plt(struct symbols *symbols, const struct image *image)
{
    struct diag silent = {.stream = NULL};
    bool aarch64 = image->elf.machine == EM_AARCH64;
    struct elf_section relocations, dynamic, plt;
    struct elf_table entries, names;
    GElf_Shdr header;
    uint64_t at, step;
    if (!image_section(image, ".rela.plt", SHT_RELA, &relocations) ||
        !image_section(image, ".dynsym", SHT_DYNSYM, &dynamic) || !image_section(image, ".plt", 0, &plt) ||
        relocations.link != dynamic.index || !elf_table_open(&image->elf, &relocations, &entries, &silent) ||
        !elf_table_open(&image->elf, &dynamic, &names, &silent) ||
        !gelf_getshdr(elf_getscn(image->elf.handle, plt.index), &header))
        return;
    step = aarch64 ? 16 : header.sh_entsize;
    at = plt.offset + (aarch64 ? 32 : step);
    for (uint64_t i = 0; i < entries.count; i++, at += step) {
        struct elf_relocation relocation;
        struct elf_symbol target;
        struct symbol symbol = {.start = at, .end = at + step, .binding = STB_GLOBAL};
        struct text name = {0};
        const char *plain;
        elf_relocation(&entries, i, &relocation);
        elf_symbol(&image->elf, &names, relocation.symbol, &target);
        plain = demangle(target.name, &symbols->pool);
        text_printf(&name, "%s@plt", plain ? plain : target.name);
        symbol.name = pool_text(&symbols->pool, name.data, name.len);
        text_free(&name);
        symbols_append(symbols, &symbol);
    }
    symbols_sort(symbols);
}

size_t symbols_read(struct symbols *symbols, bool virtual_addresses)
{
    const struct image *dynamic = symbols->runtime.is_open ? &symbols->runtime : &symbols->table;
    struct elf_section text;
    size_t n = read_table(symbols, &symbols->table, ".symtab", SHT_SYMTAB, virtual_addresses);
    n += read_table(symbols, dynamic, ".dynsym", SHT_DYNSYM, virtual_addresses);
    if (n && !virtual_addresses)
        read_plt(symbols, dynamic);
    if (!virtual_addresses && image_section(dynamic, ".text", 0, &text)) {
        symbols->has_text = true;
        symbols->text_shift = text.address - text.offset;
    }
    return n;
}

/* The look-up table holds one name of each address only. */
bool symbols_value_of(const struct symbols *symbols, const char *name, uint64_t *value)
{
    struct diag silent = {.stream = NULL};
    struct elf_section section;
    struct elf_table table;
    if (!symbols->table.is_open || !image_section(&symbols->table, ".symtab", SHT_SYMTAB, &section) ||
        !elf_table_open(&symbols->table.elf, &section, &table, &silent))
        return false;
    for (uint64_t i = 0; i < table.count; i++) {
        struct elf_symbol symbol;
        elf_symbol(&symbols->table.elf, &table, i, &symbol);
        if (!strcmp(symbol.name, name)) {
            *value = symbol.value;
            return true;
        }
    }
    return false;
}
