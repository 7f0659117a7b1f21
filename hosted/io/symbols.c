/* SPDX-License-Identifier: Apache-2.0 */
/* The table of symbols of one image: order, look-up. */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include "data_type.h"
#include "symbols_internal.h"

struct symbols *symbols_new(void)
{
    struct symbols *symbols = calloc(1, sizeof *symbols);
    if (!symbols)
        out_of_memory();
    symbols->origin = '!';
    return symbols;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    data_types_free(symbols->types);
    source_lines_free(symbols->lines);
    image_close(&symbols->table);
    image_close(&symbols->runtime);
    pool_free(&symbols->pool);
    free(symbols->items);
    free(symbols->path);
    free(symbols);
}

bool symbols_loaded(const struct symbols *symbols)
{
    return symbols->n > 0;
}

char symbols_origin(const struct symbols *symbols)
{
    return symbols->origin;
}

void symbols_set_origin(struct symbols *symbols, char origin)
{
    symbols->origin = origin;
}

size_t symbols_count(const struct symbols *symbols)
{
    return symbols->n;
}

const struct symbol *symbols_at(const struct symbols *symbols, size_t index)
{
    return &symbols->items[index];
}

void symbols_append(struct symbols *symbols, const struct symbol *symbol)
{
    symbols->items = array_grow(symbols->items, symbols->n, &symbols->capacity, sizeof *symbols->items);
    symbols->items[symbols->n++] = *symbol;
}

static void merge(const struct symbol *from, struct symbol *to, size_t a, size_t b, size_t c)
{
    size_t i = a, j = b;
    for (size_t k = a; k < c; k++)
        to[k] = j == c || (i < b && from[i].start <= from[j].start) ? from[i++] : from[j++];
}

/* Stable: of equal addresses, what was read first stays first. */
void symbols_sort(struct symbols *symbols)
{
    size_t n = symbols->n;
    struct symbol *from = symbols->items, *to;
    if (n < 2)
        return;
    to = malloc(n * sizeof *to);
    if (!to)
        out_of_memory();
    for (size_t width = 1; width < n; width *= 2) {
        struct symbol *swap = from;
        for (size_t a = 0; a < n; a += 2 * width) {
            size_t b = a + width < n ? a + width : n;
            size_t c = b + width < n ? b + width : n;
            merge(from, to, a, b, c);
        }
        from = to;
        to = swap;
    }
    symbols->items = from;
    symbols->capacity = n;
    free(to);
}

const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->n;
    const struct symbol *found;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    found = &symbols->items[low - 1];
    return address < found->end || address == found->start ? found : NULL;
}

void symbols_add(struct symbols *symbols, uint64_t start, uint64_t end, const char *name)
{
    struct symbol symbol = {.start = start, .end = end, .binding = STB_GLOBAL};
    symbol.name = pool_text(&symbols->pool, name, strlen(name));
    symbols_append(symbols, &symbol);
    symbols_sort(symbols);
}

void symbols_shift(struct symbols *symbols, uint64_t distance)
{
    for (size_t i = 0; i < symbols->n; i++) {
        symbols->items[i].start += distance;
        symbols->items[i].end += distance;
    }
    symbols->shifted += distance;
    symbols_sort(symbols);
}

uint64_t symbols_object_address(const struct symbols *symbols, uint64_t address)
{
    return (symbols->has_text ? address + symbols->text_shift : address) - symbols->shifted;
}
