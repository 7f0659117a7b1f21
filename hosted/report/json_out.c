/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as LLVM prints it. */
#include "json_out.h"

#include <string.h>

void json_quote(FILE *file, const char *text, size_t len)
{
    putc_unlocked('"', file);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        switch (c) {
        case '"': fputs("\\\"", file); break;
        case '\\': fputs("\\\\", file); break;
        case '\t': fputs("\\t", file); break;
        case '\n': fputs("\\n", file); break;
        case '\r': fputs("\\r", file); break;
        default:
            if (c < 0x20)
                fprintf(file, "\\u%04x", c);
            else
                putc_unlocked(c, file);
        }
    }
    putc_unlocked('"', file);
}

static void indent(const struct json_out *json)
{
    putc_unlocked('\n', json->file);
    for (unsigned i = 0; i < json->depth; i++)
        fputs("  ", json->file);
}

static void begin(struct json_out *json, const char *key)
{
    if (json->depth != 0) {
        if (!json->empty)
            putc_unlocked(',', json->file);
        indent(json);
    }
    json->empty = false;
    if (key != NULL) {
        json_quote(json->file, key, strlen(key));
        fputs(": ", json->file);
    }
}

void json_open(struct json_out *json, const char *key, char bracket)
{
    begin(json, key);
    putc_unlocked(bracket, json->file);
    json->depth++;
    json->empty = true;
}

void json_close(struct json_out *json, char bracket)
{
    json->depth--;
    if (!json->empty)
        indent(json);
    putc_unlocked(bracket, json->file);
    json->empty = false;
}

void json_string(struct json_out *json, const char *key, const char *text, size_t len)
{
    begin(json, key);
    json_quote(json->file, text, len);
}

void json_integer(struct json_out *json, const char *key, uint64_t value)
{
    begin(json, key);
    fprintf(json->file, "%llu", (unsigned long long)value);
}

void json_double(struct json_out *json, const char *key, double value)
{
    begin(json, key);
    fprintf(json->file, "%.17g", value);
}

void json_bool(struct json_out *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->file);
}
