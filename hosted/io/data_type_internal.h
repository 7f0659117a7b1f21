/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the data_*.c files that walk DWARF only. */
#ifndef HOSTED_IO_DATA_TYPE_INTERNAL_H
#define HOSTED_IO_DATA_TYPE_INTERNAL_H

#include "data_type.h"
#include "pool.h"

/* Damaged DWARF may lead in circles: chains of types and nests of scopes end here. */
#define DATA_MAX_DEPTH 64u

/* Children of a DIE, in the order of the file. false: no more (or the file leads backwards). */
bool data_first_child(Dwarf_Die *parent, Dwarf_Die *child);
bool data_next_sibling(Dwarf_Die *die);

/* A constant attribute, not inherited. false: it is not there, or no constant. */
bool data_constant(Dwarf_Die *die, unsigned name, uint64_t *value);
/* The type a DIE refers to, without names and qualifiers. false: none. */
bool data_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Bytes of a type as data_type_of gives it; 0: not known. */
uint64_t data_type_bytes(const Dwarf_Die *type);
/* Name of the type a DIE refers to. */
void data_type_name(Dwarf_Die *die, struct text *out);

/* From a variable to the member `at` bytes from its beginning; `bytes`: of the variable, as far as is known. Extends
 * the path, which holds the variable's name. Fills all of *member but its path. */
void data_member_walk(Dwarf_Die *variable, uint64_t at, uint64_t bytes, struct pool *pool, struct text *path,
                      struct data_member *member);

#endif
