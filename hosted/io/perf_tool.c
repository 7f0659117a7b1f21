/* SPDX-License-Identifier: Apache-2.0 */
/* Records that the recorder writes beside the kernel's: they take effect as they are read. */
#include <string.h>

#include "perf_internal.h"

#define HEADER_BYTES 8u

static bool on_header_attr(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    size_t attr_bytes;
    const uint8_t *attr = record + HEADER_BYTES;
    if (size < HEADER_BYTES + PERF_ATTR_MIN_BYTES)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "an event attribute of %zu bytes is cut", size);
    attr_bytes = perf_u32(data->swap, attr + 4);
    if (!attr_bytes)
        attr_bytes = PERF_ATTR_MIN_BYTES;
    if (attr_bytes < PERF_ATTR_MIN_BYTES || attr_bytes > size - HEADER_BYTES)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "an event attribute of %zu bytes in a record of %zu",
                         attr_bytes, size);
    if (!perf_header_attribute(data, attr, attr_bytes, attr + attr_bytes, (size - HEADER_BYTES - attr_bytes) / 8))
        return false;
    perf_event_default_name(data, data->info.n_events - 1);
    data->ids_known = false;
    return true;
}

static bool on_header_feature(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    const uint8_t *body = record + HEADER_BYTES;
    uint64_t bit;
    if (size < HEADER_BYTES + 8)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "a feature record of %zu bytes is cut", size);
    bit = perf_u64(data->swap, body);
    /* A reader that fails leaves what it should have told unknown. */
    if (bit < PERF_FEAT_BITS && data->info.pipe)
        (void)perf_feature_read(data, (unsigned)bit, body + 8, size - HEADER_BYTES - 8, record + size);
    return true;
}

#define UPDATE_NAME 2u

static bool on_event_update(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    const uint8_t *body = record + HEADER_BYTES;
    uint32_t event;
    if (size < HEADER_BYTES + 16)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "an event update of %zu bytes is cut", size);
    event = perf_event_by_id(data, perf_u64(data->swap, body + 8));
    if (perf_u64(data->swap, body) == UPDATE_NAME && event != PERF_NO_EVENT) {
        const char *name = (const char *)body + 16;
        data->events[event].name = pool_text(&data->pool, name, strnlen(name, size - HEADER_BYTES - 16));
    }
    return true;
}

static bool on_build_id(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    (void)offset;
    perf_build_id_record(data, record, size);
    return true;
}

static bool on_round(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    (void)record;
    (void)size;
    (void)offset;
    perf_queue_round(data);
    return true;
}

static bool on_auxtrace_error(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    (void)record;
    (void)size;
    (void)offset;
    data->losses.aux_errors++;
    return true;
}

static bool on_time_conv(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    const uint8_t *body = record + HEADER_BYTES;
    if (size < HEADER_BYTES + 24)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "a time conversion record of %zu bytes is cut", size);
    for (unsigned i = 0; i < 5 && HEADER_BYTES + 8 * i + 8 <= size; i++)
        data->time_conv[i] = perf_u64(data->swap, body + 8 * i);
    data->time_conv_wraps = size >= HEADER_BYTES + 42 && body[41];
    data->has_time_conv = true;
    return true;
}

static bool on_compressed(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    return perf_unpack(data, record + HEADER_BYTES, size - HEADER_BYTES, offset) ||
           perf_fail(data, PERF_EXIT_FORMAT, offset, "%zu compressed bytes cannot be decompressed",
                     size - HEADER_BYTES);
}

typedef bool tool_fn(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset);

static tool_fn *const tool_handlers[PERF_REC_TOOL_MAX - PERF_REC_TOOL_MIN] = {
    [PERF_REC_HEADER_ATTR - PERF_REC_TOOL_MIN] = on_header_attr,
    [PERF_REC_BUILD_ID - PERF_REC_TOOL_MIN] = on_build_id,
    [PERF_REC_FINISHED_ROUND - PERF_REC_TOOL_MIN] = on_round,
    [PERF_REC_AUXTRACE_INFO - PERF_REC_TOOL_MIN] = perf_spe_info,
    [PERF_REC_AUXTRACE - PERF_REC_TOOL_MIN] = perf_spe_buffer,
    [PERF_REC_AUXTRACE_ERROR - PERF_REC_TOOL_MIN] = on_auxtrace_error,
    [PERF_REC_EVENT_UPDATE - PERF_REC_TOOL_MIN] = on_event_update,
    [PERF_REC_TIME_CONV - PERF_REC_TOOL_MIN] = on_time_conv,
    [PERF_REC_HEADER_FEATURE - PERF_REC_TOOL_MIN] = on_header_feature,
    [PERF_REC_COMPRESSED - PERF_REC_TOOL_MIN] = on_compressed,
};

bool perf_tool_record(struct perf_data *data, uint32_t type, const uint8_t *record, size_t size, uint64_t offset)
{
    tool_fn *handler;
    if (type >= PERF_REC_TOOL_MAX)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "a record of unknown type %u", (unsigned)type);
    handler = tool_handlers[type - PERF_REC_TOOL_MIN];
    return !handler || handler(data, record, size, offset);
}
