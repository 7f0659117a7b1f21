/* SPDX-License-Identifier: Apache-2.0 */
/* The reader: finds records again in a dump that may be cut, torn, shifted or partly overwritten. */
#include "internal.h"

/* Payload bytes whose CRC may be computed, as a multiple of the input's length. A capture without damage needs one;
 * with headers inside damaged payloads bytes may be looked at again. */
#define SEARCH_SHARE 8u

/* Shortest run of zeros or 0xff that counts as memory nobody wrote to. */
#define UNUSED_MIN 8u

void sl_capture_reader_init(struct sl_capture_reader *r, const void *bytes, size_t len_bytes)
{
    r->bytes = bytes;
    r->len_bytes = len_bytes;
    r->at = 0;
    r->search_bytes = len_bytes > SIZE_MAX / SEARCH_SHARE ? SIZE_MAX : len_bytes * SEARCH_SHARE;
}

static bool header_at(const struct sl_capture_reader *r, size_t at, struct sl_capture_header *header)
{
    const uint8_t *p = r->bytes + at;

    if (r->len_bytes - at < HEADER_BYTES || p[0] != (SL_CAPTURE_MAGIC & 0xffu) || p[1] != SL_CAPTURE_MAGIC >> 8)
        return false;
    COPY(header, p, HEADER_BYTES);
    return header->header_crc == sl_crc32c(0, p, HEADER_CRC_BYTES) && header->len_bytes <= SL_CAPTURE_MAX_BYTES;
}

/* First place in [from, end) that has a header, or end. */
static size_t next_header(const struct sl_capture_reader *r, size_t from, size_t end)
{
    struct sl_capture_header header;

    for (size_t at = from; at < end; at++) {
        if (header_at(r, at, &header))
            return at;
    }
    return end;
}

static size_t run_of(const struct sl_capture_reader *r, size_t from, uint8_t value)
{
    size_t at = from;

    while (at < r->len_bytes && r->bytes[at] == value)
        at++;
    return at - from;
}

/* Bytes of no record, up to the next header, without unused ones at the end. */
static void garbage(const struct sl_capture_reader *r, struct sl_capture_item *item)
{
    size_t end = next_header(r, r->at + 1u, r->len_bytes), cut = end;
    uint8_t last = r->bytes[end - 1u];

    if (last == 0 || last == 0xffu) {
        while (cut > r->at + 1u && r->bytes[cut - 1u] == last)
            cut--;
        if (end - cut < UNUSED_MIN && end < r->len_bytes)
            cut = end;
    }
    item->kind = SL_ITEM_GARBAGE;
    item->len_bytes = cut - r->at;
}

/* The header is good: is the payload? If not, the records that may have been torn into it are looked for. */
static void record(struct sl_capture_reader *r, struct sl_capture_item *item)
{
    size_t left = r->len_bytes - r->at - HEADER_BYTES, want = PADDED(item->header.len_bytes);
    const uint8_t *payload = r->bytes + r->at + HEADER_BYTES;
    size_t end = r->at + HEADER_BYTES + (want < left ? want : left);

    item->kind = want > left ? SL_ITEM_TRUNCATED : SL_ITEM_DAMAGED;
    if (want <= left && sl_crc32c(0, payload, want) == item->header.payload_crc) {
        item->kind = SL_ITEM_RECORD;
        item->payload = payload;
    } else if (want <= r->search_bytes) {
        r->search_bytes -= want;
        end = next_header(r, r->at + HEADER_BYTES, end);
    }
    item->len_bytes = end - r->at;
}

bool sl_capture_next(struct sl_capture_reader *r, struct sl_capture_item *item)
{
    size_t unused;

    if (r->at >= r->len_bytes)
        return false;
    item->offset = r->at;
    item->payload = NULL;
    if (header_at(r, r->at, &item->header)) {
        record(r, item);
    } else {
        unused = run_of(r, r->at, 0);
        unused = unused != 0 ? unused : run_of(r, r->at, 0xffu);
        item->kind = SL_ITEM_UNUSED;
        item->len_bytes = unused;
        if (unused < UNUSED_MIN && unused != r->len_bytes - r->at)
            garbage(r, item);
    }
    r->at += item->len_bytes;
    return true;
}
