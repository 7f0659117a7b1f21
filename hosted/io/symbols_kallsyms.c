/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of a running kernel: "address type name [module]" a line, as /proc/kallsyms and perf's cache have them. */
#include <stdlib.h>
#include <string.h>

#include "symbols_internal.h"

/* Functions and data of the kernel itself; absolute symbols and modules have other owners. */
static bool is_wanted(char type, const char *rest, size_t len)
{
    return type && strchr("tTwWdDbB", type) && !memchr(rest, '[', len);
}

static bool take_line(struct symbols *symbols, const char *line, size_t len)
{
    struct symbol symbol = {.binding = STB_GLOBAL};
    char *at;
    char type;
    symbol.start = symbol.end = strtoull(line, &at, 16);
    if (at == line || (size_t)(at - line) + 3 >= len || at[0] != ' ' || at[2] != ' ')
        return false;
    type = at[1];
    len -= (size_t)(at + 3 - line);
    at += 3;
    if (!is_wanted(type, at, len))
        return false;
    symbol.binding = type == 'w' || type == 'W' ? STB_WEAK : type >= 'a' ? STB_LOCAL : STB_GLOBAL;
    symbol.is_object = strchr("dDbB", type) != NULL;
    symbol.name = pool_text(&symbols->pool, at, len);
    symbols_append(symbols, &symbol);
    /* To those without the right the kernel shows only zeros. */
    return symbol.start != 0;
}

struct symbols *symbols_load_kallsyms(const char *path)
{
    struct symbols *symbols = symbols_new();
    struct diag silent = {.stream = NULL};
    struct file file;
    bool useful = false;
    if (!file_read(&file, path, &silent))
        return symbols;
    for (const char *line = (const char *)file.data, *end = line + file.size; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t len = next ? (size_t)(next - line) : (size_t)(end - line);
        useful |= take_line(symbols, line, len);
        line += len + 1;
    }
    file_free(&file);
    if (!useful)
        symbols->n = 0;
    if (symbols->n) {
        symbols->origin = 'k';
        symbols_sort(symbols);
        symbols_fix(symbols);
    }
    return symbols;
}
