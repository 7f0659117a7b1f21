/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as lines of text, for a console that other output shares: each line stands alone and has its own check. */
#include "internal.h"

/* "$SL" CORE(4) OFFSET(8) ":" ... "*" CRC(8) "\n" */
#define CORE_AT    3u
#define OFFSET_AT  7u
#define DATA_AT    16u
#define LINE_CHARS (DATA_AT + 2u * SL_HEX_BYTES + 10u)

void sl_capture_hex_init(struct sl_capture_hex *hex, uint16_t core, sl_capture_emit_fn *put, void *context)
{
    CLEAR(hex, sizeof *hex);
    hex->core = core;
    hex->put = put;
    hex->context = context;
}

/* Over the fields' values, so that the spelling of digits does not matter. */
static uint32_t line_crc(uint16_t core, uint32_t offset, const uint8_t *bytes, size_t len_bytes)
{
    const uint8_t fields[6] = {(uint8_t)core,          (uint8_t)(core >> 8),    (uint8_t)offset,
                               (uint8_t)(offset >> 8), (uint8_t)(offset >> 16), (uint8_t)(offset >> 24)};

    return sl_crc32c(sl_crc32c(0, fields, sizeof fields), bytes, len_bytes);
}

static char *digits(char *text, uint32_t value, unsigned count)
{
    for (unsigned i = count; i-- > 0; value >>= 4)
        text[i] = "0123456789abcdef"[value & 15u];
    return text + count;
}

bool sl_capture_hex_flush(struct sl_capture_hex *hex)
{
    char line[LINE_CHARS] = {'$', 'S', 'L'};
    char *p = digits(line + CORE_AT, hex->core, 4);

    if (hex->fill == 0)
        return true;
    p = digits(p, hex->offset, 8);
    *p++ = ':';
    for (unsigned i = 0; i < hex->fill; i++)
        p = digits(p, hex->bytes[i], 2);
    *p++ = '*';
    p = digits(p, line_crc(hex->core, hex->offset, hex->bytes, hex->fill), 8);
    *p++ = '\n';
    hex->offset += hex->fill;
    hex->fill = 0;
    return hex->put(hex->context, line, (uint32_t)(p - line));
}

bool sl_capture_hex_emit(void *context, const void *bytes, uint32_t len_bytes)
{
    struct sl_capture_hex *hex = context;
    const uint8_t *p = bytes;
    bool ok = true;

    for (uint32_t i = 0; i < len_bytes; i++) {
        hex->bytes[hex->fill++] = p[i];
        if (hex->fill == SL_HEX_BYTES)
            ok = sl_capture_hex_flush(hex) && ok;
    }
    return ok;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Reads `count` digits at text[*at], at most to `len`; advances *at over those that are digits. */
static enum sl_status number(const char *text, size_t len, size_t *at, unsigned count, uint32_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < count; i++, (*at)++) {
        if (*at >= len)
            return SL_E_TRUNCATED;
        if (digit(text[*at]) < 0)
            return SL_E_DATA;
        *value = *value << 4 | (uint32_t)digit(text[*at]);
    }
    return SL_OK;
}

static enum sl_status mark(const char *text, size_t len, size_t *at, char c)
{
    if (*at >= len)
        return SL_E_TRUNCATED;
    if (text[*at] != c)
        return SL_E_DATA;
    (*at)++;
    return SL_OK;
}

static enum sl_status fields(const char *text, size_t len, size_t *at, struct sl_capture_hex_line *line, uint32_t *crc)
{
    enum sl_status status = SL_OK;
    uint32_t value;

    for (unsigned i = 0; status == SL_OK && i < CORE_AT; i++)
        status = mark(text, len, at, "$SL"[i]);
    if (status == SL_OK)
        status = number(text, len, at, 4, &value);
    if (status == SL_OK) {
        line->core = (uint16_t)value;
        status = number(text, len, at, 8, &line->offset);
    }
    if (status == SL_OK)
        status = mark(text, len, at, ':');
    while (status == SL_OK && line->len_bytes < SL_HEX_BYTES && *at < len && text[*at] != '*') {
        status = number(text, len, at, 2, &value);
        line->bytes[line->len_bytes] = (uint8_t)value;
        line->len_bytes = (uint16_t)(line->len_bytes + (status == SL_OK));
    }
    if (status == SL_OK)
        status = mark(text, len, at, '*');
    return status == SL_OK ? number(text, len, at, 8, crc) : status;
}

enum sl_status sl_capture_hex_read(const char *text, size_t len, struct sl_capture_hex_line *line, size_t *line_chars)
{
    enum sl_status status;
    size_t at = 0;
    uint32_t crc = 0;

    CLEAR(line, sizeof *line);
    status = fields(text, len, &at, line, &crc);
    *line_chars = at > 0 ? at : 1u;
    if (status == SL_OK &&
        (line->len_bytes == 0 || crc != line_crc(line->core, line->offset, line->bytes, line->len_bytes)))
        status = SL_E_DATA;
    return status;
}
