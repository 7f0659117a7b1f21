/* SPDX-License-Identifier: Apache-2.0 */
/* Names for relocations and branch targets. */
#include "elf_names.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

/* By address; a name with a size goes last, so that it is found first. */
static int compare_targets(const void *a, const void *b)
{
    const struct code_target *p = a, *q = b;
    if (p->address != q->address)
        return (p->address > q->address) - (p->address < q->address);
    if (!p->size != !q->size)
        return p->size ? 1 : -1;
    return strcmp(q->name, p->name);
}

static void collect(struct elf_places *places, const struct elf_file *file, const struct elf_table *symbols)
{
    size_t capacity = 0;
    for (uint64_t i = 0; i < symbols->count; i++) {
        struct elf_symbol symbol;
        struct code_target *target;
        elf_symbol(file, symbols, i, &symbol);
        if (symbol.section != places->section || !*symbol.name ||
            (symbol.type != STT_FUNC && symbol.type != STT_OBJECT && symbol.type != STT_TLS))
            continue;
        places->targets = array_grow(places->targets, places->count, &capacity, sizeof *places->targets);
        target = &places->targets[places->count++];
        target->address = symbol.value;
        if (file->machine == EM_ARM && symbol.type == STT_FUNC)
            target->address &= ~(uint64_t)1; /* it says that the function is Thumb */
        target->size = symbol.size;
        target->name = symbol.name;
    }
    if (places->count)
        qsort(places->targets, places->count, sizeof *places->targets, compare_targets);
}

const struct elf_places *elf_names_section(struct elf_names *names, const struct elf_file *file,
                                           const struct elf_table *symbols, uint32_t section)
{
    struct elf_places *places;
    for (size_t i = 0; i < names->n_places; i++) {
        if (names->places[i].section == section)
            return &names->places[i];
    }
    names->places = array_grow(names->places, names->n_places, &names->capacity, sizeof *names->places);
    places = &names->places[names->n_places++];
    memset(places, 0, sizeof *places);
    places->section = section;
    collect(places, file, symbols);
    return places;
}

void elf_names_free(struct elf_names *names)
{
    for (size_t i = 0; i < names->n_places; i++)
        free(names->places[i].targets);
    free(names->places);
    memset(names, 0, sizeof *names);
}

void elf_names_patch(struct elf_names *names, const struct elf_file *file, const struct elf_table *symbols,
                     uint32_t index, struct code_patch *patch)
{
    struct elf_section section;
    struct elf_symbol symbol;
    struct diag silent = { .stream = NULL };
    const struct elf_places *places;
    patch->symbol = NULL;
    patch->places = NULL;
    patch->n_places = 0;
    elf_symbol(file, symbols, index, &symbol);
    if (symbol.type != STT_SECTION || !elf_section(file, symbol.section, &section, &silent)) {
        if (*symbol.name)
            patch->symbol = symbol.name;
        return;
    }
    places = elf_names_section(names, file, symbols, symbol.section);
    patch->symbol = elf_section_name(file, &section);
    patch->places = places->targets;
    patch->n_places = places->count;
}
