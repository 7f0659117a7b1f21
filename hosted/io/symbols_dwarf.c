/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines of one image: rows of DWARF's line table, and without them what the symbol table knows of files.
 *
 * The second is what `addr2line` tells, which perf asks: a function of the symbol table has a line that is not known,
 * in the file of the STT_FILE symbol before it where that can be told. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols_internal.h"

struct unit_range {
    uint64_t start, end;
    Dwarf_Off unit;
};

struct source_lines {
    Dwarf *dwarf;
    struct unit_range *ranges;
    size_t n_ranges, capacity;
    bool has_ranges;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct unit_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Every unit's addresses: not every compiler writes .debug_aranges. */
static void read_ranges(struct source_lines *lines)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    lines->has_ranges = true;
    while (dwarf_get_units(lines->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base, start, end;
        ptrdiff_t offset = 0;
        if (dwarf_tag(&die) != DW_TAG_compile_unit)
            continue;
        while ((offset = dwarf_ranges(&die, offset, &base, &start, &end)) > 0) {
            lines->ranges = array_grow(lines->ranges, lines->n_ranges, &lines->capacity, sizeof *lines->ranges);
            lines->ranges[lines->n_ranges++] = (struct unit_range){start, end, dwarf_dieoffset(&die)};
        }
    }
    if (lines->n_ranges)
        qsort(lines->ranges, lines->n_ranges, sizeof *lines->ranges, compare_ranges);
}

static bool unit_by_range(struct source_lines *lines, uint64_t address, Dwarf_Die *die)
{
    size_t low = 0, high;
    if (!lines->has_ranges)
        read_ranges(lines);
    high = lines->n_ranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < lines->ranges[low - 1].end && dwarf_offdie(lines->dwarf, lines->ranges[low - 1].unit, die);
}

static bool by_row(struct source_lines *lines, uint64_t address, struct source_place *place)
{
    Dwarf_Die die;
    Dwarf_Line *row;
    int number = 0;
    if (!dwarf_addrdie(lines->dwarf, address, &die) && !unit_by_range(lines, address, &die))
        return false;
    row = dwarf_getsrc_die(&die, address);
    if (!row || dwarf_lineno(row, &number))
        return false;
    place->file = dwarf_linesrc(row, NULL, NULL);
    place->line = number > 0 ? (unsigned)number : 0;
    return place->file != NULL;
}

static struct source_lines *open_lines(const struct image *image)
{
    struct source_lines *lines;
    Dwarf *dwarf = image->is_open ? dwarf_begin_elf(image->elf.handle, DWARF_C_READ, NULL) : NULL;
    if (!dwarf)
        return NULL;
    lines = calloc(1, sizeof *lines);
    if (!lines)
        out_of_memory();
    lines->dwarf = dwarf;
    return lines;
}

void source_lines_free(struct source_lines *lines)
{
    if (!lines)
        return;
    dwarf_end(lines->dwarf);
    free(lines->ranges);
    free(lines);
}

/* ---- files of the symbol table ---- */

static bool section_of_address(const struct image *image, uint64_t address, uint32_t *index)
{
    struct diag silent = {.stream = NULL};
    struct elf_section section;
    for (uint32_t i = 1; i < image->elf.n_sections; i++) {
        if (elf_section(&image->elf, i, &section, &silent) && section.flags & SHF_ALLOC && address >= section.address &&
            address - section.address < section.size) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool by_symbol(const struct image *image, const char *table_name, uint32_t type, uint64_t address,
                      struct source_place *place)
{
    struct diag silent = {.stream = NULL};
    struct elf_section section;
    struct elf_table table;
    uint32_t index;
    uint64_t best = 0;
    const char *file = NULL;
    bool found = false, seen_symbol = false, file_after_symbol = false;
    if (!image->is_open || !section_of_address(image, address, &index) ||
        !image_section(image, table_name, type, &section) || !elf_table_open(&image->elf, &section, &table, &silent))
        return false;
    for (uint64_t i = 1; i < table.count; i++) {
        struct elf_symbol symbol;
        elf_symbol(&image->elf, &table, i, &symbol);
        if (symbol.type == STT_FILE) {
            file = symbol.name;
            file_after_symbol = seen_symbol;
            continue;
        }
        seen_symbol = true;
        if (symbol.section != index ||
            (symbol.type != STT_FUNC && symbol.type != STT_NOTYPE && symbol.type != STT_GNU_IFUNC) ||
            symbol.value > address || (found && symbol.value < best))
            continue;
        found = true;
        best = symbol.value;
        place->file = file && (symbol.binding == STB_LOCAL || !file_after_symbol) ? file : "??";
    }
    place->line = 0;
    return found;
}

Dwarf *symbols_dwarf(struct symbols *symbols)
{
    if (!symbols->tried_lines) {
        symbols->tried_lines = true;
        symbols->lines = open_lines(&symbols->table);
        if (!symbols->lines)
            symbols->lines = open_lines(&symbols->runtime);
    }
    return symbols->lines ? symbols->lines->dwarf : NULL;
}

bool symbols_source(struct symbols *symbols, uint64_t object_address, struct source_place *place)
{
    const struct image *dynamic = symbols->runtime.is_open ? &symbols->runtime : &symbols->table;
    (void)symbols_dwarf(symbols);
    memset(place, 0, sizeof *place);
    if (symbols->lines && by_row(symbols->lines, object_address, place))
        return true;
    if (image_section(&symbols->table, ".symtab", SHT_SYMTAB, &(struct elf_section){0}))
        return by_symbol(&symbols->table, ".symtab", SHT_SYMTAB, object_address, place);
    return by_symbol(dynamic, ".dynsym", SHT_DYNSYM, object_address, place);
}
