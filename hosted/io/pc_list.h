/* SPDX-License-Identifier: Apache-2.0 */
/* Sampled code addresses with their counts. */
#ifndef HOSTED_IO_PC_LIST_H
#define HOSTED_IO_PC_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"

struct pc_count {
    uint64_t address;
    uint64_t count; /* at least 1 */
};

/* Zero-filled: empty. */
struct pc_list {
    struct pc_count *items; /* sorted; no address twice */
    size_t n_items, capacity;
    uint64_t total; /* of all counts; below 2^63 */
};

/* Text: "ADDRESS [COUNT]" a line, the address hexadecimal with or without 0x, the count decimal (default 1); empty lines
 * and what follows a # do not count. That is what `perf script -F ip` prints, too. false: reported with its line. */
bool pc_list_parse(struct pc_list *list, const struct source *source, struct diag *diag);

/* A file: text as above, or a capture dump, of whose SPE records each one's program counter counts. `base` is subtracted
 * from each address, which must not be below. false: reported. */
bool pc_list_read(struct pc_list *list, const char *name, uint64_t base, struct diag *diag);
void pc_list_free(struct pc_list *list);

/* The first item at or behind an address; n_items: none. */
size_t pc_list_at(const struct pc_list *list, uint64_t address);

#endif
