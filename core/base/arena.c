/* SPDX-License-Identifier: Apache-2.0 */
/* The caller-given memory block. */
#include <slotledger/base.h>

void sl_arena_init(struct sl_arena *arena, void *mem, size_t mem_bytes)
{
    unsigned char *base = mem;
    size_t skip = 0;

    if (base != NULL) {
        skip = (size_t)(-(uintptr_t)base & (SL_ARENA_ALIGN - 1u));
        skip = skip < mem_bytes ? skip : mem_bytes;
        base += skip;
    }
    arena->base = base;
    arena->size_bytes = mem_bytes - skip;
    arena->used_bytes = 0;
}

void *sl_arena_take_dirty(struct sl_arena *arena, size_t count, size_t size_bytes)
{
    size_t bytes, from = arena->used_bytes;

    if (size_bytes != 0 && count > (SIZE_MAX - SL_ARENA_ALIGN) / size_bytes) {
        arena->used_bytes = SIZE_MAX;
        return NULL;
    }
    bytes = (count * size_bytes + (SL_ARENA_ALIGN - 1u)) & ~(size_t)(SL_ARENA_ALIGN - 1u);
    if (bytes > SIZE_MAX - from) {
        arena->used_bytes = SIZE_MAX;
        return NULL;
    }
    arena->used_bytes = from + bytes;
    if (arena->base == NULL || from > arena->size_bytes || bytes > arena->size_bytes - from)
        return NULL;
    return arena->base + from;
}

static void clear(unsigned char *piece, size_t n)
{
#if defined(__GNUC__)
    __builtin_memset(piece, 0, n); /* written as a loop, freestanding code stays one, byte by byte */
#else
    for (size_t i = 0; i < n; i++)
        piece[i] = 0;
#endif
}

void *sl_arena_take(struct sl_arena *arena, size_t count, size_t size_bytes)
{
    size_t from = arena->used_bytes;
    unsigned char *piece = sl_arena_take_dirty(arena, count, size_bytes);

    if (piece != NULL)
        clear(piece, arena->used_bytes - from);
    return piece;
}
