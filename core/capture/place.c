/* SPDX-License-Identifier: Apache-2.0 */
/* Where a record goes in a RAM sink. A ring keeps whole records only: what is between the newest and the oldest is
 * zero. */
#include "internal.h"

/* The oldest record makes room. Its length is in its header; if that has been overwritten by somebody else, none of the
 * older records can be found any more, and the reader sees that they are missing without having been given up. */
static void evict(struct sl_capture *c)
{
    struct sl_capture_header old;
    uint32_t bytes = c->limit - c->tail;

    COPY(&old, c->mem + c->tail, sizeof old);
    if (old.magic == SL_CAPTURE_MAGIC && old.len_bytes <= bytes && HEADER_BYTES + PADDED(old.len_bytes) <= bytes) {
        bytes = HEADER_BYTES + PADDED(old.len_bytes);
        c->lost++;
    }
    CLEAR(c->mem + c->tail, bytes);
    c->tail += bytes;
    if (c->tail >= c->limit) {
        c->wrapped = false;
        c->tail = c->pinned;
    }
}

static uint8_t *place_ring(struct sl_capture *c, uint32_t bytes)
{
    if (bytes > c->size_bytes - c->head) {
        while (c->wrapped)
            evict(c);
        c->limit = c->head;
        c->head = c->pinned;
        c->tail = c->pinned;
        c->wrapped = c->limit > c->pinned;
    }
    while (c->wrapped && c->tail - c->head < bytes)
        evict(c);
    return c->mem + c->head;
}

uint8_t *sl_capture_place(struct sl_capture *c, uint32_t bytes)
{
    uint32_t room = c->sink == SL_SINK_RING ? c->size_bytes - c->pinned
                                            : c->size_bytes - c->head - (c->ended ? 0 : END_RECORD_BYTES);

    if (bytes > room)
        return NULL;
    return c->sink == SL_SINK_RING ? place_ring(c, bytes) : c->mem + c->head;
}

void sl_capture_pin(struct sl_capture *c)
{
    /* Half of the memory at most: a ring without room for records would lose all of them. */
    if (c->sink == SL_SINK_RING && !c->wrapped && c->head <= c->size_bytes / 2u) {
        c->pinned = c->head;
        c->tail = c->head;
    }
}

uint32_t sl_capture_used_bytes(const struct sl_capture *c)
{
    return c->wrapped ? c->limit : c->head;
}
