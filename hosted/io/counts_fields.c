/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a line of counts, and the numbers in them. */
#include "counts_fields.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void counts_trim(struct counts_field *f)
{
    while (f->len && isspace((unsigned char)f->text[0])) {
        f->text++;
        f->len--;
    }
    while (f->len && isspace((unsigned char)f->text[f->len - 1]))
        f->len--;
}

/* "PMU/term,term/" is one field although it holds commas. */
static size_t field_len(const char *text, size_t len, char separator)
{
    const char *end = memchr(text, separator, len);
    size_t first = end ? (size_t)(end - text) : len;
    const char *slash = memchr(text, '/', first);
    if (end && slash && !memchr(slash + 1, '/', first - (size_t)(slash + 1 - text))) {
        const char *close = memchr(end, '/', len - first);
        const char *next = close ? memchr(close, separator, len - (size_t)(close - text)) : NULL;
        if (close)
            return next ? (size_t)(next - text) : len;
    }
    return first;
}

size_t counts_split(const char *line, size_t len, struct counts_field fields[COUNTS_FIELDS])
{
    char separator = memchr(line, ';', len) ? ';' : memchr(line, '\t', len) ? '\t' : ',';
    size_t n_fields = 0;
    for (;;) {
        struct counts_field *f = &fields[n_fields++];
        size_t n = field_len(line, len, separator);
        f->text = line;
        f->len = n;
        counts_trim(f);
        if (n == len || n_fields == COUNTS_FIELDS)
            return n_fields;
        line += n + 1;
        len -= n + 1;
    }
}

bool counts_is_text(const struct counts_field *f, const char *text)
{
    return f->len == strlen(text) && !strncasecmp(f->text, text, f->len);
}

bool counts_whole(const struct counts_field *f, uint64_t *value)
{
    bool hex = f->len > 2 && f->text[0] == '0' && (f->text[1] == 'x' || f->text[1] == 'X');
    unsigned base = hex ? 16 : 10;
    *value = 0;
    if (f->len == 0)
        return false;
    for (size_t i = hex ? 2 : 0; i < f->len; i++) {
        unsigned char c = (unsigned char)f->text[i];
        unsigned digit = isdigit(c) ? (unsigned)c - '0' : isxdigit(c) ? (unsigned)tolower(c) - 'a' + 10u : 16u;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

bool counts_hundredths(const struct counts_field *f, uint64_t *value)
{
    struct counts_field part = *f;
    const char *dot = memchr(f->text, '.', f->len);
    uint64_t fraction = 0;
    if (dot) {
        part.len = (size_t)(dot - f->text);
        for (size_t i = part.len + 1; i < f->len; i++) {
            if (!isdigit((unsigned char)f->text[i]))
                return false;
        }
        if (part.len + 1 < f->len)
            fraction += 10u * (unsigned)(f->text[part.len + 1] - '0');
        if (part.len + 2 < f->len)
            fraction += (unsigned)(f->text[part.len + 2] - '0');
    }
    if (!counts_whole(&part, value) || *value > UINT64_MAX / 100 - 1)
        return false;
    *value = *value * 100 + fraction;
    return true;
}

bool counts_is_number(const struct counts_field *f)
{
    uint64_t value;
    return counts_hundredths(f, &value) || counts_whole(f, &value);
}

bool counts_is_absent(const struct counts_field *f)
{
    return f->len > 1 && f->text[0] == '<' && f->text[f->len - 1] == '>';
}
