/* SPDX-License-Identifier: Apache-2.0 */
/* Queues by the time of their next record. The order of equal times is that of perf: part of what is delivered. */
#ifndef HOSTED_IO_SPE_HEAP_H
#define HOSTED_IO_SPE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct spe_heap_item {
    uint64_t time;
    void *queue;
};

/* Zero-filled means empty; items[0] is the earliest. */
struct spe_heap {
    struct spe_heap_item *items;
    size_t n, capacity;
};

void spe_heap_add(struct spe_heap *heap, void *queue, uint64_t time);
/* Takes out the earliest; there must be one. */
void *spe_heap_take(struct spe_heap *heap);
void spe_heap_free(struct spe_heap *heap);

#endif
