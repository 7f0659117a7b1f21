/* SPDX-License-Identifier: Apache-2.0 */
/* ELF objects, executables and firmware images, and raw bytes -> block. */
#include "elf_input.h"

#include <elf.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "code_symbol.h"
#include "elf_names.h"

/* One reading of a file. */
struct reader {
    struct block *block;
    const struct elf_file *file;
    const struct code_selection *selection;
    struct diag *diag;
    size_t n_stretches;
    const struct sl_isa *isa; /* of code without mapping symbols; NULL: the block's */
    struct elf_names names;
    /* of the section that was read last */
    bool knows_section;
    uint32_t known_section;
    struct elf_table symbols;
    struct code_patch *patches;
    struct code_map *maps;
    size_t n_patches, n_maps;
};

const struct sl_isa *elf_input_isa(const struct elf_file *file, struct diag *diag)
{
    static const struct {
        uint16_t machine;
        const struct sl_isa *isa;
    } machines[] = { { EM_AARCH64, &sl_isa_aarch64 }, { EM_X86_64, &sl_isa_x86_64 }, { EM_RISCV, &sl_isa_riscv64 },
                    { EM_ARM, &sl_isa_arm } };
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        if (machines[i].machine != file->machine)
            continue;
        if (file->machine == EM_RISCV && !file->is_64 && !file->big_endian)
            return &sl_isa_riscv32;
        if (file->machine == EM_ARM && !file->is_64 && !file->big_endian)
            return &sl_isa_arm;
        if (file->is_64 && !file->big_endian)
            return machines[i].isa;
        diag_at_offset(diag, file->name, EI_CLASS, "only %d-bit little-endian %s files are supported",
                       file->machine == EM_ARM ? 32 : 64, machines[i].isa->name);
        return NULL;
    }
    diag_at_offset(diag, file->name, 18, "machine %u is not supported, expected 40 (Arm), 62 (x86-64), 183 (AArch64) "
                   "or 243 (RISC-V)", file->machine);
    return NULL;
}

/* Width of the field that an x86-64 relocation fills (psABI, table 4.9). */
static uint8_t x86_64_patch_bytes(uint32_t type)
{
    switch (type) {
    case R_X86_64_NONE: case 35 /* TLSDESC_CALL */:
        return 0;
    case R_X86_64_64: case R_X86_64_DTPOFF64: case R_X86_64_TPOFF64: case R_X86_64_PC64: case R_X86_64_GOTOFF64:
    case R_X86_64_GOT64: case R_X86_64_GOTPCREL64: case R_X86_64_GOTPC64: case R_X86_64_PLTOFF64:
    case R_X86_64_SIZE64:
        return 8;
    case R_X86_64_16: case R_X86_64_PC16:
        return 2;
    case R_X86_64_8: case R_X86_64_PC8:
        return 1;
    default:
        return 4;
    }
}

/* RISC-V relocations that fill no field of an instruction, or that of a compressed one (psABI, "Relocations"). */
static uint8_t riscv_patch_bytes(uint32_t type)
{
    if (type == R_RISCV_RVC_BRANCH || type == R_RISCV_RVC_JUMP)
        return 2;
    return type == R_RISCV_RELAX || type == R_RISCV_ALIGN || type == R_RISCV_TPREL_ADD ? 0 : 4;
}

/* Of Thumb: R_ARM_THM_PC8, _JUMP6, _JUMP11, _JUMP8, _ALU_ABS_G0_NC to _G3 (ELF for the Arm Architecture, 5.6.1). */
static uint8_t arm_patch_bytes(uint32_t type)
{
    if (type == 0 || type == 40) /* NONE, V4BX */
        return 0;
    return type == 11 || type == 52 || type == 102 || type == 103 || (type >= 132 && type <= 135) ? 2 : 4;
}

static int compare_patches(const void *a, const void *b)
{
    const struct code_patch *p = a, *q = b;
    return (p->address > q->address) - (p->address < q->address);
}

static int compare_maps(const void *a, const void *b)
{
    const struct code_map *p = a, *q = b;
    return (p->address > q->address) - (p->address < q->address);
}

/* The symbols that relocations refer to; without any if the table is damaged: names are not worth failing for. */
static void open_relocation_symbols(struct reader *r, const struct elf_section *relocations, struct elf_table *symbols)
{
    struct diag silent = { .stream = NULL };
    struct elf_section section;
    memset(symbols, 0, sizeof *symbols);
    if (elf_section(r->file, relocations->link, &section, &silent) &&
        (section.type == SHT_SYMTAB || section.type == SHT_DYNSYM) &&
        !elf_table_open(r->file, &section, symbols, &silent))
        memset(symbols, 0, sizeof *symbols);
}

/* Branches within a section; 32-bit Arm's fields hold the distance themselves. */
static void find_place(const struct reader *r, const struct elf_table *symbols, const struct elf_relocation *relocation,
                       uint32_t index, const struct elf_section *section, struct code_patch *patch)
{
    struct elf_symbol symbol;
    if (r->file->machine == EM_ARM || relocation->symbol >= symbols->count)
        return;
    elf_symbol(r->file, symbols, relocation->symbol, &symbol);
    patch->has_place = symbol.section == index;
    patch->place = section->address + symbol.value + (uint64_t)relocation->addend;
}

/* Relocations of section `index`. An executable's have been applied. */
static bool collect_patches(struct reader *r, uint32_t index, const struct elf_section *section,
                            struct code_patch **patches, size_t *count)
{
    size_t capacity = 0;
    for (uint32_t i = 0; i < r->file->n_sections && r->file->type == ET_REL; i++) {
        struct elf_section relocations;
        struct elf_table table, symbols;
        if (!elf_section(r->file, i, &relocations, r->diag))
            return false;
        if ((relocations.type != SHT_RELA && relocations.type != SHT_REL) || relocations.info != index)
            continue;
        if (!elf_table_open(r->file, &relocations, &table, r->diag))
            return false;
        open_relocation_symbols(r, &relocations, &symbols);
        for (uint64_t k = 0; k < table.count; k++) {
            struct elf_relocation relocation;
            struct code_patch *patch;
            elf_relocation(&table, k, &relocation);
            *patches = array_grow(*patches, *count, &capacity, sizeof **patches);
            patch = &(*patches)[(*count)++];
            patch->address = section->address + relocation.offset;
            patch->addend = relocation.addend;
            patch->has_place = false;
            find_place(r, &symbols, &relocation, index, section, patch);
            elf_names_patch(&r->names, r->file, &symbols, relocation.symbol, patch);
            code_symbol_modifier(patch, r->file->machine, relocation.type);
            patch->is_call_pair = r->file->machine == EM_RISCV &&
                                  (relocation.type == R_RISCV_CALL || relocation.type == R_RISCV_CALL_PLT);
            if (r->file->machine == EM_ARM)
                patch->bytes = arm_patch_bytes(relocation.type);
            else if (r->file->machine == EM_RISCV)
                patch->bytes = riscv_patch_bytes(relocation.type);
            else
                patch->bytes = r->file->machine == EM_X86_64 ? x86_64_patch_bytes(relocation.type) : 4;
        }
    }
    if (*count)
        qsort(*patches, *count, sizeof **patches, compare_patches);
    return true;
}

/* Symbols of a file, from .symtab, or from .dynsym of a stripped file. */
static bool open_symbols(struct reader *r, struct elf_table *symbols)
{
    struct elf_section found = { .type = SHT_NULL };
    memset(symbols, 0, sizeof *symbols);
    for (uint32_t i = 0; i < r->file->n_sections; i++) {
        struct elf_section section;
        if (!elf_section(r->file, i, &section, r->diag))
            return false;
        if (section.type == SHT_SYMTAB || (section.type == SHT_DYNSYM && found.type == SHT_NULL))
            found = section;
        if (section.type == SHT_SYMTAB)
            break;
    }
    return found.type == SHT_NULL || elf_table_open(r->file, &found, symbols, r->diag);
}

/* Symbol values are offsets in relocatable objects and addresses elsewhere. */
static uint64_t symbol_address(const struct reader *r, const struct elf_symbol *symbol, const struct elf_section *section)
{
    /* Bit 0 of a function's address says that it is Thumb. */
    uint64_t value = r->file->machine == EM_ARM && symbol->type == STT_FUNC ? symbol->value & ~(uint64_t)1 : symbol->value;
    return r->file->type == ET_REL ? section->address + value : value;
}

static bool is_mapping(const char *name)
{
    return name[0] == '$' && (name[1] == 'x' || name[1] == 'd' || name[1] == 'a' || name[1] == 't') && (name[2] == '\0' || name[2] == '.');
}

static void collect_maps(struct reader *r, const struct elf_table *symbols, uint32_t index,
                         const struct elf_section *section, struct code_map **maps, size_t *count)
{
    size_t capacity = 0;
    if (r->file->machine != EM_AARCH64 && r->file->machine != EM_RISCV && r->file->machine != EM_ARM)
        return;
    for (uint64_t i = 0; i < symbols->count; i++) {
        struct elf_symbol symbol;
        elf_symbol(r->file, symbols, i, &symbol);
        if (symbol.section != index || !is_mapping(symbol.name))
            continue;
        *maps = array_grow(*maps, *count, &capacity, sizeof **maps);
        (*maps)[*count].address = symbol_address(r, &symbol, section);
        (*maps)[*count].isa = NULL;
        if (r->file->machine == EM_ARM && r->block->isa != &sl_isa_thumbm)
            (*maps)[*count].isa = symbol.name[1] == 't' ? &sl_isa_thumb : &sl_isa_arm;
        (*maps)[(*count)++].is_data = symbol.name[1] == 'd';
    }
    if (*count)
        qsort(*maps, *count, sizeof **maps, compare_maps);
}

static void forget_section(struct reader *r)
{
    free(r->patches);
    free(r->maps);
    r->patches = NULL;
    r->maps = NULL;
    r->n_patches = r->n_maps = 0;
}

/* Symbols, relocations and mapping symbols of a section; those of the section before are kept. */
static bool know_section(struct reader *r, uint32_t index, const struct elf_section *section)
{
    if (r->knows_section && r->known_section == index)
        return true;
    forget_section(r);
    r->knows_section = false;
    if (!open_symbols(r, &r->symbols) || !collect_patches(r, index, section, &r->patches, &r->n_patches))
        return false;
    collect_maps(r, &r->symbols, index, section, &r->maps, &r->n_maps);
    r->known_section = index;
    return r->knows_section = true;
}

/* Reads [start, end) of a section. */
static bool read_part(struct reader *r, uint32_t index, const struct elf_section *section, uint64_t start, uint64_t end)
{
    uint64_t skip = start - section->address;
    struct code_stretch stretch = { .file = r->file->name, .bytes = r->file->data + section->offset + skip,
                                    .size = end - start, .address = start, .file_offset = section->offset + skip };
    if (!know_section(r, index, section))
        return false;
    stretch.patches = r->patches;
    stretch.n_patches = r->n_patches;
    stretch.maps = r->maps;
    stretch.isa = r->isa;
    stretch.n_maps = r->n_maps;
    if (r->file->type != ET_REL || section->address == 0) { /* where symbol values are addresses */
        const struct elf_places *places = elf_names_section(&r->names, r->file, &r->symbols, index);
        stretch.targets = places->targets;
        stretch.n_targets = places->count;
    }
    r->n_stretches++;
    return code_read(r->block, &stretch, r->selection->skip_undecodable, r->diag);
}

static bool is_code(const struct elf_section *section)
{
    return section->type == SHT_PROGBITS && (section->flags & SHF_EXECINSTR) && section->size;
}

/* Is this .text, or one of the per-function sections of -ffunction-sections? */
static bool is_text(const struct reader *r, const struct elf_section *section)
{
    const char *name = elf_section_name(r->file, section);
    return is_code(section) && !strncmp(name, ".text", 5) && (name[5] == '\0' || name[5] == '.');
}

/* All of .text; all executable sections of a file without one. */
static bool read_all(struct reader *r)
{
    for (int round = 0; round < 2 && !r->n_stretches; round++) {
        for (uint32_t i = 0; i < r->file->n_sections; i++) {
            struct elf_section section;
            if (!elf_section(r->file, i, &section, r->diag))
                return false;
            if (round == 0 ? !is_text(r, &section) : !is_code(&section))
                continue;
            if (!read_part(r, i, &section, section.address, section.address + section.size))
                return false;
        }
    }
    return true;
}

/* The range must lie within one executable section. In objects all sections are at 0: .text is meant. */
static bool read_range(struct reader *r)
{
    uint64_t start = r->selection->range_start, end = r->selection->range_end;
    for (uint32_t i = 0; i < r->file->n_sections; i++) {
        struct elf_section section;
        if (!elf_section(r->file, i, &section, r->diag))
            return false;
        if (!is_code(&section) || (r->file->type == ET_REL && !is_text(r, &section)))
            continue;
        if (start < section.address || end - section.address > section.size)
            continue;
        return read_part(r, i, &section, start, end);
    }
    diag_raw_error(r->diag, "slotledger: %s: no executable section holds the range 0x%llx-0x%llx\n", r->file->name,
                   (unsigned long long)start, (unsigned long long)end);
    return false;
}

/* A symbol without a size reaches to the next symbol of its section, or to the section's end. */
static uint64_t symbol_end(struct reader *r, const struct elf_table *symbols, const struct elf_symbol *wanted,
                           const struct elf_section *section)
{
    uint64_t start = symbol_address(r, wanted, section);
    uint64_t end = section->address + section->size;
    if (wanted->size)
        return wanted->size < end - start ? start + wanted->size : end;
    for (uint64_t i = 0; i < symbols->count; i++) {
        struct elf_symbol symbol;
        uint64_t address;
        elf_symbol(r->file, symbols, i, &symbol);
        if (symbol.section != wanted->section || symbol.type > STT_FUNC || symbol.type == STT_OBJECT ||
            !*symbol.name || is_mapping(symbol.name))
            continue;
        address = symbol_address(r, &symbol, section);
        if (address > start && address < end)
            end = address;
    }
    return end;
}

static bool find_symbol(struct reader *r, const struct elf_table *symbols, struct elf_symbol *found)
{
    bool any = false;
    memset(found, 0, sizeof *found);
    for (uint64_t i = 0; i < symbols->count; i++) {
        struct elf_symbol symbol;
        elf_symbol(r->file, symbols, i, &symbol);
        if (strcmp(symbol.name, r->selection->symbol) || symbol.section == SHN_UNDEF ||
            symbol.section >= SHN_LORESERVE || (symbol.type != STT_FUNC && symbol.type != STT_NOTYPE &&
            symbol.type != STT_GNU_IFUNC))
            continue;
        /* Of several static functions of one name the first counts, but a global one goes first. */
        if (!any || (found->binding == STB_LOCAL && symbol.binding != STB_LOCAL))
            *found = symbol;
        any = true;
    }
    return any;
}

static bool read_symbol(struct reader *r)
{
    struct elf_table symbols;
    struct elf_symbol symbol;
    struct elf_section section;
    uint64_t start;
    if (!open_symbols(r, &symbols))
        return false;
    if (!find_symbol(r, &symbols, &symbol)) {
        diag_raw_error(r->diag, "slotledger: %s: no function '%s' (%llu symbols)\n", r->file->name,
                       r->selection->symbol, (unsigned long long)symbols.count);
        return false;
    }
    if (!elf_section(r->file, symbol.section, &section, r->diag))
        return false;
    start = symbol_address(r, &symbol, &section);
    if (r->file->machine == EM_ARM && symbol.type == STT_FUNC && r->block->isa != &sl_isa_thumbm)
        r->isa = (symbol.value & 1) != 0 ? &sl_isa_thumb : &sl_isa_arm;
    if (!is_code(&section) || start < section.address || start - section.address >= section.size) {
        diag_raw_error(r->diag, "slotledger: %s: symbol '%s' (0x%llx) is not in an executable section\n",
                       r->file->name, r->selection->symbol, (unsigned long long)symbol.value);
        return false;
    }
    return read_part(r, symbol.section, &section, start, symbol_end(r, &symbols, &symbol, &section));
}

struct function {
    struct elf_symbol symbol;
    uint64_t address;
};

/* By place; of several names of one place a global one goes first. */
static int compare_functions(const void *a, const void *b)
{
    const struct function *p = a, *q = b;
    bool p_local = p->symbol.binding == STB_LOCAL, q_local = q->symbol.binding == STB_LOCAL;
    if (p->symbol.section != q->symbol.section)
        return p->symbol.section < q->symbol.section ? -1 : 1;
    if (p->address != q->address)
        return p->address < q->address ? -1 : 1;
    return p_local != q_local ? p_local - q_local : strcmp(p->symbol.name, q->symbol.name);
}

static bool is_wanted_function(const struct reader *r, const struct elf_symbol *symbol)
{
    if ((symbol->type != STT_FUNC && symbol->type != STT_GNU_IFUNC) || symbol->section == SHN_UNDEF ||
        symbol->section >= SHN_LORESERVE || !*symbol->name)
        return false;
    return !r->selection->symbol || !fnmatch(r->selection->symbol, symbol->name, 0);
}

static size_t collect_functions(struct reader *r, const struct elf_table *symbols, struct function **functions)
{
    size_t count = 0, capacity = 0, kept = 0;
    for (uint64_t i = 0; i < symbols->count; i++) {
        struct elf_symbol symbol;
        struct elf_section section;
        struct diag silent = { .stream = NULL };
        elf_symbol(r->file, symbols, i, &symbol);
        if (!is_wanted_function(r, &symbol) || !elf_section(r->file, symbol.section, &section, &silent))
            continue;
        *functions = array_grow(*functions, count, &capacity, sizeof **functions);
        (*functions)[count].symbol = symbol;
        (*functions)[count++].address = symbol_address(r, &symbol, &section);
    }
    if (count)
        qsort(*functions, count, sizeof **functions, compare_functions);
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &(*functions)[i];
        if (kept && (*functions)[kept - 1].symbol.section == f->symbol.section && (*functions)[kept - 1].address == f->address)
            continue;
        (*functions)[kept++] = *f;
    }
    return kept;
}

static bool read_function(struct reader *r, const struct elf_table *symbols, const struct function *f)
{
    struct elf_section section;
    if (!elf_section(r->file, f->symbol.section, &section, r->diag))
        return false;
    if (!is_code(&section) || f->address < section.address || f->address - section.address >= section.size) {
        diag_raw_error(r->diag, "slotledger: %s: symbol '%s' (0x%llx) is not in an executable section\n",
                       r->file->name, f->symbol.name, (unsigned long long)f->symbol.value);
        return false;
    }
    return read_part(r, f->symbol.section, &section, f->address, symbol_end(r, symbols, &f->symbol, &section));
}

static bool holds_sample(struct reader *r, const struct elf_table *symbols, const struct function *f)
{
    struct diag silent = { .stream = NULL };
    const struct pc_list *only = r->selection->only;
    struct elf_section section;
    size_t at;
    if (!only)
        return true;
    if (!elf_section(r->file, f->symbol.section, &section, &silent))
        return false;
    at = pc_list_at(only, f->address);
    return at < only->n_items && only->items[at].address < symbol_end(r, symbols, &f->symbol, &section);
}

/* Each function a region; one that cannot be read is reported and marked. */
static bool read_functions(struct reader *r)
{
    struct elf_table symbols;
    struct function *functions = NULL;
    size_t count;
    if (!open_symbols(r, &symbols))
        return false;
    count = collect_functions(r, &symbols, &functions);
    if (!count)
        diag_raw_error(r->diag, "slotledger: %s: no function matches '%s' (%llu symbols)\n", r->file->name,
                       r->selection->symbol ? r->selection->symbol : "*", (unsigned long long)symbols.count);
    for (size_t i = 0; i < count; i++) {
        if (!holds_sample(r, &symbols, &functions[i]))
            continue;
        block_open(r->block, pool_text(&r->block->pool, functions[i].symbol.name, strlen(functions[i].symbol.name)));
        block_close(r->block, !read_function(r, &symbols, &functions[i]));
    }
    free(functions);
    return count != 0;
}

bool elf_input_read(struct block *block, const struct elf_file *file, const struct code_selection *selection,
                    struct diag *diag)
{
    struct reader r = { .block = block, .file = file, .selection = selection, .diag = diag };
    bool ok;
    if (!file->n_sections) {
        diag_at_offset(diag, file->name, file->is_64 ? 40 : 32,
                       "no section headers: extract the code and use --raw");
        return false;
    }
    if (selection->functions)
        ok = read_functions(&r);
    else
        ok = selection->symbol ? read_symbol(&r) : selection->has_range ? read_range(&r) : read_all(&r);
    elf_names_free(&r.names);
    forget_section(&r);
    return ok;
}

bool raw_input_read(struct block *block, const char *name, const uint8_t *data, size_t size, uint64_t base,
                    const struct code_selection *selection, struct diag *diag)
{
    struct code_stretch stretch = { .file = name, .bytes = data, .size = size, .address = base };
    if (selection->symbol || selection->functions) {
        diag_raw_error(diag, "slotledger: %s: raw code has no symbols: --symbol cannot be used\n", name);
        return false;
    }
    if (selection->has_range) {
        uint64_t start = selection->range_start, end = selection->range_end;
        if (start < base || end - base > size) {
            diag_raw_error(diag, "slotledger: %s: the range 0x%llx-0x%llx is outside of the code 0x%llx-0x%llx\n",
                           name, (unsigned long long)start, (unsigned long long)end, (unsigned long long)base,
                           (unsigned long long)(base + size));
            return false;
        }
        stretch.bytes += start - base;
        stretch.file_offset = start - base;
        stretch.address = start;
        stretch.size = end - start;
    }
    return code_read(block, &stretch, selection->skip_undecodable, diag);
}
