/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one run: pieces that live until the pool is freed, and arrays that grow. */
#include "pool.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 16384u
#define ALIGN       16u

struct pool_chunk {
    struct pool_chunk *next;
    size_t size;
    _Alignas(16) unsigned char data[];
};

_Noreturn void out_of_memory(void)
{
    fputs("slotledger: out of memory\n", stderr);
    exit(1);
}

void *pool_take(struct pool *pool, size_t bytes)
{
    struct pool_chunk *chunk = pool->chunks;
    void *piece;
    if (bytes > SIZE_MAX / 2)
        out_of_memory();
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (!chunk || chunk->size - pool->used < bytes) {
        size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = calloc(1, sizeof *chunk + size);
        if (!chunk)
            out_of_memory();
        chunk->next = pool->chunks;
        chunk->size = size;
        pool->chunks = chunk;
        pool->used = 0;
    }
    piece = chunk->data + pool->used;
    pool->used += bytes;
    return piece;
}

char *pool_text(struct pool *pool, const char *text, size_t len)
{
    char *copy = pool_take(pool, len + 1);
    memcpy(copy, text, len);
    return copy;
}

void pool_free(struct pool *pool)
{
    while (pool->chunks) {
        struct pool_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    pool->used = 0;
}

void *array_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? *capacity * 2 : 16;
    if (*capacity > SIZE_MAX / 2 / size)
        out_of_memory();
    array = realloc(array, *capacity * size);
    if (!array)
        out_of_memory();
    return array;
}

static void text_room(struct text *text, size_t more)
{
    if (more >= SIZE_MAX / 2 - text->len)
        out_of_memory();
    if (text->len + more + 1 <= text->capacity)
        return;
    text->capacity = (text->len + more + 1) * 2;
    text->data = realloc(text->data, text->capacity);
    if (!text->data)
        out_of_memory();
}

void text_add(struct text *text, const char *data, size_t len)
{
    text_room(text, len);
    if (len)
        memcpy(text->data + text->len, data, len);
    text->len += len;
    text->data[text->len] = '\0';
}

void text_add_char(struct text *text, char c, size_t times)
{
    text_room(text, times);
    memset(text->data + text->len, c, times);
    text->len += times;
    text->data[text->len] = '\0';
}

#define USUAL_BYTES 48u /* what fits is printed at once */

void text_printf(struct text *text, const char *format, ...)
{
    va_list args, again;
    int need;
    va_start(args, format);
    va_copy(again, args);
    text_room(text, USUAL_BYTES);
    need = vsnprintf(text->data + text->len, USUAL_BYTES + 1, format, args);
    va_end(args);
    if (need > (int)USUAL_BYTES) {
        text_room(text, (size_t)need);
        vsnprintf(text->data + text->len, (size_t)need + 1, format, again);
    }
    text->len += need > 0 ? (size_t)need : 0;
    va_end(again);
}

void text_free(struct text *text)
{
    free(text->data);
    memset(text, 0, sizeof *text);
}
