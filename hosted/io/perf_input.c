/* SPDX-License-Identifier: Apache-2.0 */
/* Where records come from: a mapping of the file, of which only a window is kept in memory, or a stream. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf_internal.h"

#define HEADER_BYTES 8u
#define STREAM_BYTES ((size_t)1 << 20)
/* Pages touched before those behind the reader are given back. */
#define WINDOW_BYTES ((uint64_t)32 << 20)

bool perf_input_is_mapped(const struct perf_data *data, const uint8_t *at)
{
    return data->map && (uintptr_t)at - (uintptr_t)data->map < data->map_size;
}

/* Only which pages are resident changes: what is touched again comes back from the file. */
static void trim(struct perf_data *data)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t len = (size_t)data->map_size / page * page;
    if (len)
        (void)madvise((void *)(uintptr_t)data->map, len, MADV_DONTNEED);
}

void perf_input_trim(struct perf_data *data, uint64_t touched)
{
    data->touched += touched;
    if (data->touched < WINDOW_BYTES)
        return;
    data->touched = 0;
    if (data->map && !data->map_is_given)
        trim(data);
}

bool perf_stream_fill(struct perf_data *data, size_t need)
{
    struct perf_stream *stream = &data->stream;
    if (!stream->buffer || need > stream->capacity) {
        size_t capacity = need > STREAM_BYTES ? need : STREAM_BYTES;
        uint8_t *larger = realloc(stream->buffer, capacity);
        if (!larger)
            return perf_fail(data, 1, stream->offset, "out of memory");
        stream->buffer = larger;
        stream->capacity = capacity;
    }
    if (stream->end - stream->begin >= need)
        return true;
    memmove(stream->buffer, stream->buffer + stream->begin, stream->end - stream->begin);
    stream->end -= stream->begin;
    stream->begin = 0;
    while (stream->end < need && !stream->eof) {
        ssize_t got = read(data->fd, stream->buffer + stream->end, stream->capacity - stream->end);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return perf_fail(data, PERF_EXIT_FORMAT, stream->offset, "%s", strerror(errno));
        stream->eof = got == 0;
        stream->end += (size_t)got;
    }
    return stream->end >= need;
}

static bool bad_size(struct perf_data *data, uint64_t offset, uint32_t type, size_t size)
{
    return perf_fail(data, PERF_EXIT_INVALID, offset, "a record of type %u has %zu bytes, 8 or more were expected",
                     (unsigned)type, size);
}

static enum perf_input next_of_stream(struct perf_data *data, const uint8_t **record, size_t *size, uint64_t *offset)
{
    struct perf_stream *stream = &data->stream;
    uint32_t type;
    if (!perf_stream_fill(data, HEADER_BYTES)) {
        if (data->failed)
            return PERF_INPUT_FAILED;
        if (stream->end == stream->begin)
            return PERF_INPUT_END;
        perf_fail(data, PERF_EXIT_INVALID, stream->offset, "the stream ends inside a record");
        return PERF_INPUT_FAILED;
    }
    *offset = stream->offset;
    type = perf_u32(data->swap, stream->buffer + stream->begin);
    *size = perf_u16(data->swap, stream->buffer + stream->begin + 6);
    if (*size < HEADER_BYTES) {
        bad_size(data, *offset, type, *size);
        return PERF_INPUT_FAILED;
    }
    if (!perf_stream_fill(data, *size)) {
        perf_fail(data, PERF_EXIT_INVALID, stream->offset, "the stream ends inside a record");
        return PERF_INPUT_FAILED;
    }
    *record = stream->buffer + stream->begin;
    stream->begin += *size;
    stream->offset += *size;
    return PERF_INPUT_RECORD;
}

static enum perf_input next_of_map(struct perf_data *data, const uint8_t **record, size_t *size, uint64_t *offset)
{
    uint64_t end = data->data_end < data->map_size ? data->data_end : data->map_size;
    const uint8_t *at;
    if (data->position >= data->data_end)
        return PERF_INPUT_END;
    *offset = data->position;
    if (data->position > end || end - data->position < HEADER_BYTES) {
        perf_fail(data, PERF_EXIT_INVALID, *offset, "the file ends inside its records");
        return PERF_INPUT_FAILED;
    }
    at = data->map + data->position;
    *size = perf_u16(data->swap, at + 6);
    if (*size < HEADER_BYTES) {
        bad_size(data, *offset, perf_u32(data->swap, at), *size);
        return PERF_INPUT_FAILED;
    }
    if (*size > end - data->position) {
        perf_fail(data, PERF_EXIT_INVALID, *offset, "a record of %zu bytes ends behind the data section", *size);
        return PERF_INPUT_FAILED;
    }
    *record = at;
    data->position += *size;
    return PERF_INPUT_RECORD;
}

enum perf_input perf_input_next(struct perf_data *data, const uint8_t **record, size_t *size, uint64_t *offset,
                                bool *stable)
{
    *record = perf_unpacked_next(data, size, offset);
    *stable = false;
    if (*record)
        return PERF_INPUT_RECORD;
    if (data->failed)
        return PERF_INPUT_FAILED;
    if (!data->map)
        return next_of_stream(data, record, size, offset);
    *stable = true;
    return next_of_map(data, record, size, offset);
}

const uint8_t *perf_input_payload(struct perf_data *data, uint64_t size, uint64_t offset)
{
    const uint8_t *at;
    uint8_t *copy;
    if (data->map) {
        uint64_t end = data->data_end < data->map_size ? data->data_end : data->map_size;
        if (data->position > end || size > end - data->position) {
            perf_fail(data, PERF_EXIT_INVALID, offset, "AUX data of %llu bytes end behind the data section",
                      (unsigned long long)size);
            return NULL;
        }
        at = data->map + data->position;
        data->position += size;
        return at;
    }
    /* Grows with what really comes, so that a wrong size asks for nothing. */
    if (size > SIZE_MAX / 2 || !perf_stream_fill(data, (size_t)size)) {
        if (!data->failed)
            perf_fail(data, PERF_EXIT_INVALID, offset, "the stream ends inside AUX data of %llu bytes",
                      (unsigned long long)size);
        return NULL;
    }
    copy = pool_take(&data->pool, (size_t)size);
    memcpy(copy, data->stream.buffer + data->stream.begin, (size_t)size);
    data->stream.begin += (size_t)size;
    data->stream.offset += size;
    return copy;
}

void perf_input_free(struct perf_data *data)
{
    free(data->stream.buffer);
    if (data->map && !data->map_is_given)
        munmap((void *)(uintptr_t)data->map, (size_t)data->map_size);
    if (data->fd > STDIN_FILENO)
        close(data->fd);
}
