/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap. */
#include "spe_heap.h"

#include <stdlib.h>
#include <string.h>

#include "pool.h"

static void sift_up(struct spe_heap *h, size_t at, struct spe_heap_item item)
{
    while (at > 0 && h->items[(at - 1) / 2].time > item.time) {
        h->items[at] = h->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->items[at] = item;
}

void spe_heap_add(struct spe_heap *heap, void *queue, uint64_t time)
{
    heap->items = array_grow(heap->items, heap->n, &heap->capacity, sizeof *heap->items);
    sift_up(heap, heap->n++, (struct spe_heap_item){time, queue});
}

/* The smaller child moves up, the right one of equals; the last element fills the hole at the bottom. */
void *spe_heap_take(struct spe_heap *heap)
{
    void *first = heap->items[0].queue;
    size_t hole = 0, last = --heap->n;

    while (hole * 2 + 1 <= last) {
        size_t child = hole * 2 + 1;
        if (child == last) /* no right child: the left one is the last element */
            break;
        if (heap->items[child].time >= heap->items[child + 1].time)
            child++;
        heap->items[hole] = heap->items[child];
        hole = child;
    }
    if (hole != last)
        sift_up(heap, hole, heap->items[last]);
    return first;
}

void spe_heap_free(struct spe_heap *heap)
{
    free(heap->items);
    memset(heap, 0, sizeof *heap);
}
