/* SPDX-License-Identifier: Apache-2.0 */
/* Data symbols to variables and members: from the addresses of a recording to those of the image's DWARF. */
#include <gelf.h>

#include "data_type.h"
#include "symbols_internal.h"

static const struct data_member *find(struct symbols *symbols, const struct symbol *symbol, uint64_t address,
                                      uint64_t distance)
{
    const struct data_range range = {symbol->start + distance, symbol->end + distance, symbol->name};
    return data_types_find(symbols->types, address + distance, &range);
}

/* Segments may overlap in the file, where one goes on in memory that is not in it: of the fitting ones, that with a
 * variable. In the file comes before beyond it. */
static const struct data_member *find_by_segment(struct symbols *symbols, const struct symbol *symbol, uint64_t address)
{
    const struct image *loaded = symbols->runtime.is_open ? &symbols->runtime : &symbols->table;
    const struct data_member *found = NULL;
    size_t n = 0;
    if (elf_getphdrnum(loaded->elf.handle, &n))
        return NULL;
    for (size_t i = 0; i < 2 * n && !found; i++) {
        GElf_Phdr header;
        bool beyond = i >= n;
        if (!gelf_getphdr(loaded->elf.handle, (int)(i % n), &header) || header.p_type != PT_LOAD ||
            address < header.p_offset || address - header.p_offset >= (beyond ? header.p_memsz : header.p_filesz) ||
            (beyond && address - header.p_offset < header.p_filesz))
            continue;
        found = find(symbols, symbol, address, header.p_vaddr - header.p_offset);
    }
    return found;
}

const struct data_member *symbols_member(struct symbols *symbols, const struct symbol *symbol, uint64_t address)
{
    Dwarf *dwarf = symbols_dwarf(symbols);
    if (!dwarf)
        return NULL;
    if (!symbols->types)
        symbols->types = data_types_new(dwarf);
    if (symbols->virtual_addresses)
        return find(symbols, symbol, address, (uint64_t)0 - symbols->shifted);
    return find_by_segment(symbols, symbol, address);
}
