/* SPDX-License-Identifier: Apache-2.0 */
/* From an offset in a variable to the member there, down the types of its DWARF. */
#include <dwarf.h>
#include <string.h>

#include "data_type_internal.h"

#define MAX_DIMENSIONS 16u

bool data_first_child(Dwarf_Die *parent, Dwarf_Die *child)
{
    return dwarf_child(parent, child) == 0;
}

bool data_next_sibling(Dwarf_Die *die)
{
    Dwarf_Off here = dwarf_dieoffset(die);
    return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > here;
}

bool data_constant(Dwarf_Die *die, unsigned name, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &word))
        return false;
    *value = word;
    return true;
}

/* One step along DW_AT_type. A type in a unit of its own has only its signature here. */
static bool follow(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die whole;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
        return false;
    if (dwarf_attr(type, DW_AT_signature, &attribute) && dwarf_formref_die(&attribute, &whole))
        *type = whole;
    return true;
}

static bool is_qualifier(int tag)
{
    static const int tags[] = {DW_TAG_const_type,  DW_TAG_volatile_type, DW_TAG_restrict_type,
                               DW_TAG_atomic_type, DW_TAG_packed_type,   DW_TAG_immutable_type};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (tags[i] == tag)
            return true;
    }
    return false;
}

bool data_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Die at = *die;
    for (unsigned depth = 0; depth < DATA_MAX_DEPTH; depth++) {
        int tag;
        if (!follow(&at, type))
            return false;
        tag = dwarf_tag(type);
        if (tag != DW_TAG_typedef && !is_qualifier(tag))
            return true;
        at = *type;
    }
    return false;
}

/* Elements of one dimension; 0: not known. */
static uint64_t count_of(Dwarf_Die *dimension)
{
    uint64_t count, last, first = 0;
    if (data_constant(dimension, DW_AT_count, &count))
        return count;
    if (!data_constant(dimension, DW_AT_upper_bound, &last))
        return 0;
    if (!data_constant(dimension, DW_AT_lower_bound, &first))
        first = 0;
    return last >= first && last - first < UINT64_MAX ? last - first + 1 : 0;
}

/* Dimensions of an array, outermost first. */
static unsigned dimensions(Dwarf_Die *array, uint64_t counts[MAX_DIMENSIONS])
{
    Dwarf_Die child;
    unsigned n = 0;
    bool more = data_first_child(array, &child);
    for (; more && n < MAX_DIMENSIONS; more = data_next_sibling(&child)) {
        if (dwarf_tag(&child) == DW_TAG_subrange_type)
            counts[n++] = count_of(&child);
    }
    return n;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? 0 : a * b;
}

uint64_t data_type_bytes(const Dwarf_Die *of)
{
    Dwarf_Die type = *of;
    uint64_t factor = 1;
    for (unsigned depth = 0; depth < DATA_MAX_DEPTH; depth++) {
        uint64_t bytes, counts[MAX_DIMENSIONS];
        int tag = dwarf_tag(&type);
        unsigned n;
        Dwarf_Die element;
        if (data_constant(&type, DW_AT_byte_size, &bytes))
            return times(factor, bytes);
        if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
            Dwarf_Die unit;
            uint8_t address_bytes = 0;
            return dwarf_diecu(&type, &unit, &address_bytes, NULL) ? times(factor, address_bytes) : 0;
        }
        if ((tag != DW_TAG_array_type && tag != DW_TAG_enumeration_type) || !data_type_of(&type, &element))
            return 0;
        n = tag == DW_TAG_array_type ? dimensions(&type, counts) : 0;
        for (unsigned i = 0; i < n; i++)
            factor = times(factor, counts[i]);
        type = element;
    }
    return 0;
}

/* ---- names of types ---- */

static bool is_c(Dwarf_Die *die)
{
    static const int languages[] = {DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11};
    Dwarf_Die unit;
    int language = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : 0;
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        if (languages[i] == language)
            return true;
    }
    return false;
}

static const struct {
    int tag;
    const char *word;
    bool only_c; /* in C++ the name does without */
} words[] = {
    {DW_TAG_structure_type, "struct", true},     {DW_TAG_class_type, "class", true},
    {DW_TAG_union_type, "union", true},          {DW_TAG_enumeration_type, "enum", true},
    {DW_TAG_subroutine_type, "function", false},
};

static void name_end(Dwarf_Die *type, struct text *out)
{
    const char *name = dwarf_diename(type), *word = NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].tag == dwarf_tag(type) && (!name || !words[i].only_c || is_c(type)))
            word = words[i].word;
    }
    text_printf(out, "%s%s%s", word ? word : "", word && name ? " " : "", name ? name : word ? "" : "unknown");
}

void data_type_name(Dwarf_Die *die, struct text *out)
{
    struct text tail = {NULL, 0, 0};
    Dwarf_Die at = *die, type;
    bool found = false;
    for (unsigned depth = 0; depth < DATA_MAX_DEPTH && !found; depth++) {
        uint64_t counts[MAX_DIMENSIONS];
        int tag;
        if (!follow(&at, &type)) {
            text_add(out, "void", 4);
            break;
        }
        tag = dwarf_tag(&type);
        found = !is_qualifier(tag);
        if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
            text_add(&tail,
                     tag == DW_TAG_rvalue_reference_type ? "&&"
                     : tag == DW_TAG_pointer_type        ? "*"
                                                         : "&",
                     tag == DW_TAG_rvalue_reference_type ? 2 : 1);
            found = false;
        } else if (tag == DW_TAG_array_type) {
            unsigned n = dimensions(&type, counts);
            for (unsigned i = 0; i < n; i++)
                text_printf(&tail, "[%llu]", (unsigned long long)counts[i]);
            found = false;
        }
        if (found)
            name_end(&type, out);
        at = type;
    }
    if (tail.len)
        text_printf(out, "%s%s", tail.data[0] == '[' ? "" : " ", tail.data);
    text_free(&tail);
}

/* ---- members ---- */

static bool is_aggregate(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Where a member begins. false: only known at run time (a virtual base). */
static bool location_of(Dwarf_Die *member, uint64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t n;
    *offset = 0;
    if (!dwarf_attr(member, DW_AT_data_member_location, &attribute) ||
        data_constant(member, DW_AT_data_member_location, offset))
        return true;
    if (dwarf_getlocation(&attribute, &ops, &n) || n != 1 || ops[0].atom != DW_OP_plus_uconst)
        return false;
    *offset = ops[0].number;
    return true;
}

static bool is_big_endian(Dwarf_Die *die)
{
    Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(die->cu));
    const char *ident = elf ? elf_getident(elf, NULL) : NULL;
    return ident && ident[EI_DATA] == ELFDATA2MSB;
}

/* Bits of a bit-field, from the beginning of its struct in the order of memory. false: it is none. */
static bool bits_of(Dwarf_Die *member, const Dwarf_Die *type, uint64_t location, uint64_t *first, uint64_t *count)
{
    uint64_t from, storage;
    if (!data_constant(member, DW_AT_bit_size, count) || !*count)
        return false;
    if (data_constant(member, DW_AT_data_bit_offset, first))
        return true;
    if (!data_constant(member, DW_AT_bit_offset, &from))
        from = 0;
    if (!data_constant(member, DW_AT_byte_size, &storage))
        storage = data_type_bytes(type);
    /* DWARF 3: from the most significant bit of the storage unit to that of the field. */
    *first = location * 8 + (is_big_endian(member) ? from : storage * 8 - from - *count);
    return true;
}

struct candidate {
    Dwarf_Die die, type;
    uint64_t offset, bytes;
    bool is_bit_field;
};

/* `whole`: bytes of what the member is in, for an array of any length at its end. */
static bool covers(Dwarf_Die *member, uint64_t at, uint64_t whole, struct candidate *c)
{
    uint64_t first, count;
    int tag = dwarf_tag(member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(member, DW_AT_declaration) ||
        dwarf_hasattr(member, DW_AT_external) || !location_of(member, &c->offset) || !data_type_of(member, &c->type))
        return false;
    c->die = *member;
    c->bytes = data_type_bytes(&c->type);
    c->is_bit_field = bits_of(member, &c->type, c->offset, &first, &count);
    if (c->is_bit_field) {
        c->offset = at;
        c->bytes = 1;
        return first / 8 <= at && at <= (first + count - 1) / 8;
    }
    if (!c->bytes && dwarf_tag(&c->type) == DW_TAG_array_type && whole > c->offset)
        c->bytes = whole - c->offset;
    return at >= c->offset && at - c->offset < c->bytes;
}

struct walk {
    Dwarf_Die holder, type; /* what has the type, and the type */
    uint64_t at, bytes;     /* the address in it, its size */
    struct text *path;
    struct data_member *member;
};

static void add_name(struct walk *w, const struct candidate *c, bool joins)
{
    Dwarf_Die die = c->die;
    const char *name = dwarf_tag(&die) == DW_TAG_inheritance ? NULL : dwarf_diename(&die);
    if (name)
        text_printf(w->path, "%s%s", joins ? "|" : ".", name);
}

/* Into the first member that covers the address; bit-fields of the same byte join it. false: there is no further. */
static bool enter_aggregate(struct walk *w)
{
    struct candidate found = {0}, c;
    Dwarf_Die child;
    bool any = false, is_union = dwarf_tag(&w->type) == DW_TAG_union_type;
    for (bool more = data_first_child(&w->type, &child); more; more = data_next_sibling(&child)) {
        if (!covers(&child, w->at, w->bytes, &c))
            continue;
        if (any && is_union)
            w->member->is_choice = true;
        if (any && !(found.is_bit_field && c.is_bit_field && !is_union))
            continue;
        add_name(w, &c, any);
        if (!any)
            found = c;
        any = true;
    }
    if (!any) {
        w->member->is_padding = data_first_child(&w->type, &child);
        return false;
    }
    w->member->is_bit_field = found.is_bit_field;
    w->member->offset += found.offset;
    w->at -= found.offset;
    w->bytes = found.bytes;
    w->holder = found.die;
    w->type = found.type;
    return !found.is_bit_field;
}

static bool enter_array(struct walk *w)
{
    uint64_t counts[MAX_DIMENSIONS], bytes, index, below = 1;
    unsigned n = dimensions(&w->type, counts);
    Dwarf_Die element;
    if (!n || !data_type_of(&w->type, &element))
        return false;
    bytes = data_type_bytes(&element);
    for (unsigned i = 1; i < n; i++)
        below = times(below, counts[i]);
    if (!bytes || !below)
        return false;
    index = w->at / bytes;
    for (unsigned i = 0; i < n; i++) {
        text_printf(w->path, "[%llu]", (unsigned long long)(index / below));
        index %= below;
        below /= i + 1 < n ? counts[i + 1] : 1;
    }
    w->member->offset += w->at / bytes * bytes;
    w->at %= bytes;
    w->bytes = bytes;
    w->holder = w->type;
    w->type = element;
    return true;
}

void data_member_walk(Dwarf_Die *variable, uint64_t at, uint64_t bytes, struct pool *pool, struct text *path,
                      struct data_member *member)
{
    struct walk w = {.holder = *variable, .at = at, .bytes = bytes, .path = path, .member = member};
    struct text name = {NULL, 0, 0};
    bool more = data_type_of(variable, &w.type);
    if (more && data_type_bytes(&w.type) > w.bytes)
        w.bytes = data_type_bytes(&w.type);
    for (unsigned depth = 0; depth < DATA_MAX_DEPTH && more; depth++) {
        int tag = dwarf_tag(&w.type);
        more = is_aggregate(tag) ? enter_aggregate(&w) : tag == DW_TAG_array_type && enter_array(&w);
    }
    member->into = w.at;
    member->bytes = w.bytes;
    if (member->is_padding) {
        member->offset += w.at;
        member->into = member->bytes = 0;
    }
    data_type_name(&w.holder, &name);
    member->type = pool_text(pool, name.data, name.len);
    text_free(&name);
}
