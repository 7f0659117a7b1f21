/* SPDX-License-Identifier: Apache-2.0 */
/* The variable or member of an entry, in words. */
#include "c2c_member.h"

#include <string.h>

bool c2c_member_name(const struct c2c_site *site, struct text *out)
{
    const struct data_member *m = site->member;
    if (!m && !site->data_symbol)
        return false;
    text_printf(out, "%s", m ? m->path : site->data_symbol);
    if (!m || m->into)
        text_printf(out, "+%llu", (unsigned long long)(m ? m->into : site->data_symbol_offset));
    return true;
}

bool c2c_member_details(const struct c2c_site *site, struct text *out)
{
    const struct data_member *m = site->member;
    if (!m)
        return false;
    if (m->is_padding)
        text_printf(out, "padding at offset %llu, %s", (unsigned long long)m->offset, m->type);
    else
        text_printf(out, "offset %llu, %llu byte%s, %s%s%s", (unsigned long long)m->offset,
                    (unsigned long long)m->bytes, m->bytes == 1 ? "" : "s", m->type,
                    m->is_bit_field ? ", bit-fields" : "", m->is_choice ? ", first that fits of a union" : "");
    return true;
}

bool c2c_member_same(const struct c2c_site *a, const struct c2c_site *b)
{
    return a->member && b->member && !a->member->is_padding && !b->member->is_padding &&
           a->member->offset == b->member->offset && !strcmp(a->member->path, b->member->path);
}

size_t c2c_member_array(const struct c2c_site *a, const struct c2c_site *b)
{
    const char *x, *y;
    size_t bracket = 0;
    if (!a->member || !b->member)
        return 0;
    x = a->member->path;
    y = b->member->path;
    for (size_t i = 0; x[i] && x[i] == y[i]; i++) {
        if (x[i] == '[')
            bracket = i;
        else if (x[i] == ']')
            bracket = 0;
    }
    return bracket;
}

size_t c2c_member_apart(const struct c2c_site *earlier, const struct c2c_site *later)
{
    const char *path = later->member->path;
    size_t variable = strcspn(path, ".[");
    bool is_same = earlier->member && strcspn(earlier->member->path, ".[") == variable &&
                   !strncmp(earlier->member->path, path, variable);
    return is_same ? strlen(path) : variable;
}
