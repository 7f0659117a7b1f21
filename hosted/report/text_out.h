/* SPDX-License-Identifier: Apache-2.0 */
/* A text stream that knows its column, as LLVM's padding needs it. */
#ifndef HOSTED_REPORT_TEXT_OUT_H
#define HOSTED_REPORT_TEXT_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct text_out {
    FILE *file;
    size_t len;
    unsigned column;
    char buffer[1 << 16];
};

void text_open(struct text_out *out, FILE *file);
void text_flush(struct text_out *out);

/* Any text. A tab advances to the next multiple of 8, but not at all from one (the reference does so). */
void text_put(struct text_out *out, const char *text);
/* Text without tabs and line ends. */
void text_plain(struct text_out *out, const char *text, size_t len);
void text_fill(struct text_out *out, char c, size_t count);
void text_u32(struct text_out *out, uint32_t value);
/* Spaces up to the column, at least one. */
void text_pad(struct text_out *out, unsigned column);
/* printf of one double with %.1f or %.2f. */
void text_decimal(struct text_out *out, double value, int digits);
/* floor() of a number that is not negative (or not a number), without libm. */
static inline double text_floor(double value)
{
    return value < 9007199254740992.0 ? (double)(uint64_t)value : value;
}
/* The reference's own rounding to 1 or 2 digits before printing: floor(x * 10^digits + 0.5) / 10^digits. */
void text_rounded(struct text_out *out, double value, int digits);

#define TEXT_LITERAL(out, literal) text_plain(out, literal, sizeof(literal) - 1u)

static inline void text_char(struct text_out *out, char c)
{
    if (out->len == sizeof out->buffer)
        text_flush(out);
    out->buffer[out->len++] = c;
    out->column++;
}

static inline void text_newline(struct text_out *out)
{
    text_char(out, '\n');
    out->column = 0;
}

#endif
