/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines of one image (ELF with DWARF), by addresses as perf makes them: file offsets for programs
 * and libraries, virtual addresses for a kernel. */
#ifndef HOSTED_IO_SYMBOLS_H
#define HOSTED_IO_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

struct symbol {
    uint64_t start, end; /* end is outside */
    const char *name;    /* never NULL */
    bool is_object;      /* data, not code */
    uint8_t binding;     /* STB_* */
};

/* How the image is told apart from others of the same name, and where to look. */
struct symbols_request {
    const char *path;
    const uint8_t *build_id; /* [build_id_bytes]; files with another one are not taken */
    size_t build_id_bytes;
    bool virtual_addresses; /* keep them: a kernel, firmware */
    bool only_path;         /* no separate debug files */
};

/* No symbols at all. Never NULL. */
struct symbols *symbols_new(void);
/* The first file with symbols out of the image and the usual places of its debug file. Never NULL. */
struct symbols *symbols_load(const struct symbols_request *request);
/* The kernel's own list, in the form of /proc/kallsyms. Never NULL. */
struct symbols *symbols_load_kallsyms(const char *path);
void symbols_free(struct symbols *symbols);

/* Whether any file gave symbols, and perf's letter for which one ('!': none). */
bool symbols_loaded(const struct symbols *symbols);
char symbols_origin(const struct symbols *symbols);

/* Symbol that covers an address; NULL: none. */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);
/* Value of any symbol of the image by its name, as it is in the file. false: there is none. */
bool symbols_value_of(const struct symbols *symbols, const char *name, uint64_t *value);
size_t symbols_count(const struct symbols *symbols);
const struct symbol *symbols_at(const struct symbols *symbols, size_t index);
/* Adds one beside those of the files; the name is copied. */
void symbols_add(struct symbols *symbols, uint64_t start, uint64_t end, const char *name);
void symbols_set_origin(struct symbols *symbols, char origin);
/* Moves all symbols by a distance (a kernel that was loaded elsewhere). */
void symbols_shift(struct symbols *symbols, uint64_t distance);

/* The address as objdump and addr2line know it. */
uint64_t symbols_object_address(const struct symbols *symbols, uint64_t address);

struct source_place {
    const char *file; /* as in the line table */
    unsigned line;    /* 0: not known */
};

/* The line-table row of an object address. false: none. */
bool symbols_source(struct symbols *symbols, uint64_t object_address, struct source_place *place);

struct data_member;

/* Variable and member at an address within a data symbol, by DWARF (data_type.h). NULL: not known. The symbols keep it.
 */
const struct data_member *symbols_member(struct symbols *symbols, const struct symbol *symbol, uint64_t address);

#endif
