/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the symbols*.c files only. */
#ifndef HOSTED_IO_SYMBOLS_INTERNAL_H
#define HOSTED_IO_SYMBOLS_INTERNAL_H

#include <elfutils/libdw.h>

#include "elf_file.h"
#include "file.h"
#include "pool.h"
#include "symbols.h"

struct source_lines; /* symbols_elf.c: after sorting, ends that are not told and several names of one place. There must
                        be a symbol. */
void symbols_fix(struct symbols *symbols);

/* symbols_dwarf.c */

/* An open image. */
struct image {
    struct file file;
    struct elf_file elf;
    bool is_open;
};

struct symbols {
    struct pool pool;
    struct symbol *items; /* sorted by start; of equal starts the last one is found */
    size_t n, capacity;
    struct image table;   /* gave .symtab */
    struct image runtime; /* gave .dynsym and the procedure linkage table; may be closed */
    char origin;
    bool has_text;
    uint64_t text_shift; /* address of .text minus its offset in the file */
    uint64_t shifted;    /* distance that all symbols were moved by */
    char *path;          /* of the image itself */
    struct source_lines *lines;
    bool tried_lines;
    bool virtual_addresses;
    struct data_types *types;
};

bool image_open(struct image *image, const char *path);
void image_close(struct image *image);
/* Section by name (and type, 0: any). false: there is none, or it is damaged. */
bool image_section(const struct image *image, const char *name, uint32_t type, struct elf_section *section);
/* The build id's bytes within the image; NULL: none. */
const uint8_t *image_build_id(const struct image *image, size_t *size);

/* symbols_elf.c: fills the items from both images. Returns how many entries were taken. */
size_t symbols_read(struct symbols *symbols, bool virtual_addresses);
/* symbols.c: appends one; symbols_sort puts them in order, stable. */
void symbols_append(struct symbols *symbols, const struct symbol *symbol);
void symbols_sort(struct symbols *symbols);

/* symbols_elf.c: after sorting, ends that are not told and several names of one place. There must be a symbol. */
void symbols_fix(struct symbols *symbols);

/* symbols_dwarf.c */
void source_lines_free(struct source_lines *lines);
/* The image's DWARF, opened when it was not; NULL: it has none. */
Dwarf *symbols_dwarf(struct symbols *symbols);

#endif
