/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of DWARF by address. */
#include "data_type.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "data_type_internal.h"

/* A variable, or the piece of it that is in memory here. */
struct variable {
    uint64_t start, bytes; /* bytes 0: not known */
    uint64_t offset;       /* of the piece, in the variable */
    Dwarf_Die die;
};

struct known {
    uint64_t address;
    bool is_used;
    const struct data_member *member; /* NULL: there is none */
};

/* Few recordings need variables within functions, which are dear to look for. */
enum indexed { INDEXED_NOTHING, INDEXED_GLOBALS, INDEXED_ALL };

struct data_types {
    Dwarf *dwarf;
    struct variable *items; /* by address */
    size_t n, capacity;
    enum indexed indexed;
    struct known *known; /* hash table */
    size_t known_size, n_known;
    struct pool pool;
};

struct data_types *data_types_new(Dwarf *dwarf)
{
    struct data_types *types = calloc(1, sizeof *types);
    if (!types)
        out_of_memory();
    types->dwarf = dwarf;
    return types;
}

void data_types_free(struct data_types *types)
{
    if (!types)
        return;
    free(types->items);
    free(types->known);
    pool_free(&types->pool);
    free(types);
}

/* ---- the index ---- */

static void add(struct data_types *types, const Dwarf_Die *die, uint64_t start, uint64_t bytes, uint64_t offset)
{
    types->items = array_grow(types->items, types->n, &types->capacity, sizeof *types->items);
    types->items[types->n++] = (struct variable){start, bytes, offset, *die};
}

/* The address an operation puts on the stack. false: it does something else. */
static bool address_of(Dwarf_Attribute *location, Dwarf_Op *op, uint64_t *address)
{
    Dwarf_Attribute indexed;
    Dwarf_Addr value;
    if (op->atom == DW_OP_addr) {
        *address = op->number;
        return true;
    }
    if ((op->atom != DW_OP_addrx && op->atom != DW_OP_GNU_addr_index) ||
        dwarf_getlocation_attr(location, op, &indexed) || dwarf_formaddr(&indexed, &value))
        return false;
    *address = value;
    return true;
}

/* Compilers keep a struct whose parts they split in several places: a row of addresses and pieces. */
static void add_variable(struct data_types *types, Dwarf_Die *die)
{
    Dwarf_Attribute location;
    Dwarf_Op *ops;
    Dwarf_Die type;
    uint64_t address = 0, offset = 0;
    bool has_address = false, has_pieces = false;
    size_t n;
    if (!dwarf_attr(die, DW_AT_location, &location) || dwarf_getlocation(&location, &ops, &n))
        return;
    for (size_t i = 0; i < n; i++) {
        if (ops[i].atom == DW_OP_piece) {
            if (has_address)
                add(types, die, address, ops[i].number, offset);
            offset += ops[i].number;
            has_address = false;
            has_pieces = true;
        } else if (has_address && ops[i].atom == DW_OP_plus_uconst) {
            address += ops[i].number;
        } else {
            has_address = address_of(&location, &ops[i], &address);
        }
    }
    if (has_address && !has_pieces)
        add(types, die, address, data_type_of(die, &type) ? data_type_bytes(&type) : 0, 0);
}

static bool is_entered(int tag, bool with_functions)
{
    if (tag == DW_TAG_namespace || tag == DW_TAG_module)
        return true;
    return with_functions &&
           (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
            tag == DW_TAG_structure_type || tag == DW_TAG_class_type);
}

static void add_unit(struct data_types *types, Dwarf_Die *unit, bool with_functions)
{
    Dwarf_Die stack[DATA_MAX_DEPTH];
    unsigned depth = 0;
    bool more = data_first_child(unit, &stack[0]);
    while (more) {
        int tag = dwarf_tag(&stack[depth]);
        if (tag == DW_TAG_variable)
            add_variable(types, &stack[depth]);
        if (is_entered(tag, with_functions) && depth + 1 < DATA_MAX_DEPTH &&
            data_first_child(&stack[depth], &stack[depth + 1])) {
            depth++;
            continue;
        }
        while (!(more = data_next_sibling(&stack[depth])) && depth)
            depth--;
    }
}

/* Of equal places, in the order of the file. */
static int compare_variables(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    Dwarf_Die dx = x->die, dy = y->die;
    Dwarf_Off ox, oy;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    ox = dwarf_dieoffset(&dx);
    oy = dwarf_dieoffset(&dy);
    return ox < oy ? -1 : ox > oy;
}

static void index_variables(struct data_types *types, enum indexed what)
{
    Dwarf_CU *at = NULL;
    Dwarf_Die die, split;
    uint8_t kind;
    types->indexed = what;
    types->n = 0;
    while (dwarf_get_units(types->dwarf, at, &at, NULL, &kind, &die, &split) == 0) {
        if (kind == DW_UT_skeleton && split.addr)
            die = split;
        if (dwarf_tag(&die) == DW_TAG_compile_unit)
            add_unit(types, &die, what == INDEXED_ALL);
    }
    if (types->n)
        qsort(types->items, types->n, sizeof *types->items, compare_variables);
}

/* ---- look-up ---- */

static bool has_name(const struct variable *v, const char *name)
{
    static const unsigned attributes[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    Dwarf_Die die = v->die;
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        Dwarf_Attribute attribute;
        const char *text = dwarf_attr_integrate(&die, attributes[i], &attribute) ? dwarf_formstring(&attribute) : NULL;
        size_t len = text ? strlen(text) : 0;
        if (text && !strncmp(text, name, len) && (!name[len] || name[len] == '.'))
            return true;
    }
    return false;
}

/* The linker leaves variables at 0 that it dropped: where several begin at one place, the symbol's name tells. */
static const struct variable *variable_at(const struct data_types *types, uint64_t address,
                                          const struct data_range *range)
{
    size_t low = 0, high = types->n;
    const struct variable *found = NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (types->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && types->items[i - 1].start == types->items[low - 1].start; i--) {
        const struct variable *v = &types->items[i - 1];
        uint64_t end = v->start + v->bytes;
        /* An array of any length at its end, or a type that is not known: the symbol has the size. */
        if (v->start == range->start && range->end > end)
            end = range->end;
        if (v->start >= range->start && address < end && (!found || has_name(v, range->name)))
            found = v;
    }
    return found;
}

/* Names of the scopes from the unit to a DIE, as C++ writes them. */
static void add_scopes(Dwarf_Die *target, struct text *out)
{
    Dwarf_Off goal = dwarf_dieoffset(target);
    Dwarf_Die scope, child, whole;
    Dwarf_Attribute attribute;
    if (!dwarf_diecu(target, &scope, NULL, NULL))
        return;
    for (unsigned depth = 0; depth < DATA_MAX_DEPTH && data_first_child(&scope, &child); depth++) {
        const char *name;
        int tag;
        /* The last child that does not begin behind it holds it. */
        scope = child;
        while (data_next_sibling(&child) && dwarf_dieoffset(&child) <= goal)
            scope = child;
        if (dwarf_dieoffset(&scope) == goal)
            return;
        name = dwarf_diename(&scope);
        if (!name && dwarf_attr(&scope, DW_AT_signature, &attribute) && dwarf_formref_die(&attribute, &whole))
            name = dwarf_diename(&whole);
        tag = dwarf_tag(&scope);
        if (name || tag == DW_TAG_namespace)
            text_printf(out, "%s::", name ? name : "(anonymous namespace)");
    }
}

static void add_variable_name(const struct variable *v, struct text *out)
{
    Dwarf_Die die = v->die, origin;
    Dwarf_Attribute attribute;
    const char *name = dwarf_diename(&die);
    for (unsigned depth = 0; depth < DATA_MAX_DEPTH; depth++) {
        if ((!dwarf_attr(&die, DW_AT_specification, &attribute) &&
             !dwarf_attr(&die, DW_AT_abstract_origin, &attribute)) ||
            !dwarf_formref_die(&attribute, &origin))
            break;
        die = origin;
    }
    add_scopes(&die, out);
    text_printf(out, "%s", name ? name : "(unnamed)");
}

static const struct data_member *make_member(struct data_types *types, uint64_t address, const struct data_range *range)
{
    const struct variable *v = variable_at(types, address, range);
    struct data_member *member;
    struct text path = {NULL, 0, 0};
    Dwarf_Die die;
    uint64_t bytes;
    if (!v)
        return NULL;
    die = v->die;
    member = pool_take(&types->pool, sizeof *member);
    bytes = v->start == range->start && range->end - v->start > v->bytes ? range->end - v->start : v->bytes;
    add_variable_name(v, &path);
    data_member_walk(&die, address - v->start + v->offset, v->offset + bytes, &types->pool, &path, member);
    member->path = pool_text(&types->pool, path.data, path.len);
    text_free(&path);
    return member;
}

static const struct data_member *look_up(struct data_types *types, uint64_t address, const struct data_range *range)
{
    const struct data_member *member;
    if (types->indexed == INDEXED_NOTHING)
        index_variables(types, INDEXED_GLOBALS);
    member = make_member(types, address, range);
    if (!member && types->indexed == INDEXED_GLOBALS) {
        index_variables(types, INDEXED_ALL);
        member = make_member(types, address, range);
    }
    return member;
}

/* ---- what was found before ---- */

static struct known *slot_of(struct data_types *types, uint64_t address)
{
    size_t at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (types->known_size - 1);
    while (types->known[at].is_used && types->known[at].address != address)
        at = (at + 1) & (types->known_size - 1);
    return &types->known[at];
}

static void grow_known(struct data_types *types)
{
    struct known *old = types->known;
    size_t n = types->known_size;
    types->known_size = n ? 2 * n : 64;
    types->known = calloc(types->known_size, sizeof *types->known);
    if (!types->known)
        out_of_memory();
    for (size_t i = 0; i < n; i++) {
        if (old[i].is_used)
            *slot_of(types, old[i].address) = old[i];
    }
    free(old);
}

const struct data_member *data_types_find(struct data_types *types, uint64_t address, const struct data_range *range)
{
    struct known *slot;
    if (2 * types->n_known >= types->known_size)
        grow_known(types);
    slot = slot_of(types, address);
    if (!slot->is_used) {
        *slot = (struct known){address, true, look_up(types, address, range)};
        types->n_known++;
    }
    return slot->member;
}
