/* SPDX-License-Identifier: Apache-2.0 */
/* Variables and their members by address, out of an image's DWARF: "counters[3].hits". */
#ifndef HOSTED_IO_DATA_TYPE_H
#define HOSTED_IO_DATA_TYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* The innermost thing with a name that an address lies in. */
struct data_member {
    const char *path; /* variable with its scopes, members and indices; bit-fields of one byte: "s.ready|dirty" */
    const char *type; /* as declared, without const and volatile; padding: of what holds it. Never NULL */
    uint64_t offset;  /* of the member, in bytes from the variable's beginning; padding: of the address */
    uint64_t bytes;   /* of the member; bit-fields: 1, the byte they are in; padding: 0 */
    uint64_t into;    /* bytes from the member's beginning to the address */
    bool is_choice;   /* members of a union lie there: this is the first that fits */
    bool is_padding;  /* in the path's object, but in none of its members */
    bool is_bit_field;
};

/* What the symbol table says of the place, in the image's own addresses. */
struct data_range {
    uint64_t start, end; /* end is outside; equal: not known */
    const char *name;    /* of the symbol */
};

struct data_types;

/* `dwarf` must outlive them. Never NULL. */
struct data_types *data_types_new(Dwarf *dwarf);
void data_types_free(struct data_types *types);

/* Variable and member at an address of the image, of a variable within the range. NULL: DWARF knows none. What is
 * returned lives as long as the types, and is looked for only once. */
const struct data_member *data_types_find(struct data_types *types, uint64_t address, const struct data_range *range);

#endif
