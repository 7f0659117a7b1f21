/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed records: the chunks of one continuous zstd stream; records may cross from chunk to chunk. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "perf_internal.h"

#define HEADER_BYTES 8u
/* Far more than any recorder's buffers; a stream that claims more is not believed. */
#define MAX_ROOM ((size_t)256 << 20)

struct perf_unpacker {
    ZSTD_DStream *stream;
    uint8_t *buffer;
    size_t begin, end, capacity;
    uint64_t offset; /* of the chunk that was unpacked last */
};

static bool make_unpacker(struct perf_data *data)
{
    struct perf_unpacker *unpacker = pool_take(&data->pool, sizeof *unpacker);
    unpacker->stream = ZSTD_createDStream();
    if (!unpacker->stream)
        return false;
    data->unpacker = unpacker;
    return !ZSTD_isError(ZSTD_initDStream(unpacker->stream));
}

static bool make_room(struct perf_unpacker *unpacker, size_t more)
{
    uint8_t *larger;
    size_t kept = unpacker->end - unpacker->begin;
    if (unpacker->begin) {
        memmove(unpacker->buffer, unpacker->buffer + unpacker->begin, kept);
        unpacker->begin = 0;
        unpacker->end = kept;
    }
    if (unpacker->capacity - unpacker->end >= more)
        return true;
    if (kept + more > MAX_ROOM)
        return false;
    larger = realloc(unpacker->buffer, kept + more);
    if (!larger)
        return false;
    unpacker->buffer = larger;
    unpacker->capacity = kept + more;
    return true;
}

bool perf_unpack(struct perf_data *data, const uint8_t *chunk, size_t size, uint64_t offset)
{
    struct perf_unpacker *unpacker;
    ZSTD_inBuffer in = {chunk, size, 0};
    ZSTD_outBuffer out;
    size_t before;
    if (!data->compressed_room || (!data->unpacker && !make_unpacker(data)))
        return false;
    unpacker = data->unpacker;
    unpacker->offset = offset;
    /* A chunk becomes at most what the recorder's buffer held. */
    if (!make_room(unpacker, data->compressed_room))
        return false;
    before = unpacker->end;
    out = (ZSTD_outBuffer){unpacker->buffer, unpacker->capacity, unpacker->end};
    while (in.pos < in.size) {
        size_t in_before = in.pos, out_before = out.pos;
        if (ZSTD_isError(ZSTD_decompressStream(unpacker->stream, &out, &in)))
            return false;
        if (in.pos == in_before && out.pos == out_before)
            break;
    }
    unpacker->end = out.pos;
    return unpacker->end > before;
}

const uint8_t *perf_unpacked_next(struct perf_data *data, size_t *size, uint64_t *offset)
{
    struct perf_unpacker *unpacker = data->unpacker;
    const uint8_t *record;
    if (!unpacker || unpacker->end - unpacker->begin < HEADER_BYTES)
        return NULL;
    record = unpacker->buffer + unpacker->begin;
    *size = perf_u16(data->swap, record + 6);
    *offset = unpacker->offset;
    if (*size < HEADER_BYTES) {
        perf_fail(data, PERF_EXIT_INVALID, *offset, "a compressed record has %zu bytes, 8 or more were expected",
                  *size);
        return NULL;
    }
    if (*size > unpacker->end - unpacker->begin)
        return NULL;
    unpacker->begin += *size;
    return record;
}

void perf_unpack_free(struct perf_data *data)
{
    if (!data->unpacker)
        return;
    ZSTD_freeDStream(data->unpacker->stream);
    free(data->unpacker->buffer);
}
