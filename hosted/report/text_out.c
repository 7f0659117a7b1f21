/* SPDX-License-Identifier: Apache-2.0 */
/* A text stream that knows its column, as LLVM's padding needs it. */
#include "text_out.h"

void text_open(struct text_out *out, FILE *file)
{
    out->file = file;
    out->len = 0;
    out->column = 0;
}

void text_flush(struct text_out *out)
{
    fwrite(out->buffer, 1, out->len, out->file);
    out->len = 0;
}

static void append(struct text_out *out, const char *text, size_t len)
{
    while (len > 0) {
        size_t room = sizeof out->buffer - out->len, now = len < room ? len : room;

        memcpy(out->buffer + out->len, text, now);
        out->len += now;
        text += now;
        len -= now;
        if (out->len == sizeof out->buffer)
            text_flush(out);
    }
}

void text_plain(struct text_out *out, const char *text, size_t len)
{
    append(out, text, len);
    out->column += (unsigned)len;
}

void text_put(struct text_out *out, const char *text)
{
    const char *p;

    for (p = text; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;

        if (c == '\n' || c == '\r')
            out->column = 0;
        else if (c == '\t')
            out->column += (8u - (out->column & 7u)) & 7u;
        else if ((c & 0xc0u) != 0x80u) /* not a UTF-8 continuation byte */
            out->column++;
    }
    append(out, text, (size_t)(p - text));
}

void text_fill(struct text_out *out, char c, size_t count)
{
    out->column += (unsigned)count;
    while (count > 0) {
        size_t room = sizeof out->buffer - out->len, now = count < room ? count : room;

        memset(out->buffer + out->len, c, now);
        out->len += now;
        count -= now;
        if (out->len == sizeof out->buffer)
            text_flush(out);
    }
}

void text_u32(struct text_out *out, uint32_t value)
{
    char digits[10];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value != 0);
    text_plain(out, digits + at, sizeof digits - at);
}

void text_pad(struct text_out *out, unsigned column)
{
    text_fill(out, ' ', column > out->column ? column - out->column : 1u);
}

void text_decimal(struct text_out *out, double value, int digits)
{
    char text[352]; /* the longest double has 309 digits before the point */

    snprintf(text, sizeof text, "%.*f", digits, value);
    text_plain(out, text, strlen(text));
}

void text_rounded(struct text_out *out, double value, int digits)
{
    double scale = digits == 1 ? 10.0 : 100.0;

    text_decimal(out, text_floor(value * scale + 0.5) / scale, digits);
}
