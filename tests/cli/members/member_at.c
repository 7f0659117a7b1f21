/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols_member() tells of places in a program: member_at PROGRAM, and on standard input lines
 * "SYMBOL<tab>OFFSET". A line for each: path, offset, bytes, bytes into it, marks, type. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hosted/io/data_type.h"
#include "hosted/io/symbols.h"

static const struct symbol *symbol_named(const struct symbols *symbols, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < symbols_count(symbols); i++) {
        const struct symbol *symbol = symbols_at(symbols, i);
        /* Compilers number variables of functions: "calls.0". */
        if (symbol->is_object && !strncmp(symbol->name, name, len) && (!symbol->name[len] || symbol->name[len] == '.'))
            return symbol;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct symbols_request request = {.path = argc > 1 ? argv[1] : ""};
    struct symbols *symbols = symbols_load(&request);
    char name[128];
    uint64_t offset;
    while (scanf(" %127[^\t] %" SCNu64, name, &offset) == 2) {
        const struct symbol *symbol = symbol_named(symbols, name);
        const struct data_member *m = symbol ? symbols_member(symbols, symbol, symbol->start + offset) : NULL;
        if (!m)
            printf("%s %" PRIu64 ": %s\n", name, offset, symbol ? "not known" : "no symbol");
        else
            printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "%s%s%s: %s\n", m->path, m->offset, m->bytes, m->into,
                   m->is_choice ? " union" : "", m->is_padding ? " padding" : "", m->is_bit_field ? " bits" : "",
                   m->type);
    }
    symbols_free(symbols);
    return 0;
}
