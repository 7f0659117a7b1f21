/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a recording: magic, sections, attributes and their ids. */
#include <string.h>

#include "perf_internal.h"

#define ATTR_TYPE        0u
#define ATTR_SIZE        4u
#define ATTR_CONFIG      8u
#define ATTR_PERIOD      16u
#define ATTR_SAMPLE_TYPE 24u
#define ATTR_READ_FORMAT 32u
#define ATTR_FLAGS       40u
#define ATTR_CONFIG1     56u
#define ATTR_CONFIG2     64u
#define ATTR_BRANCH_TYPE 72u
#define ATTR_REGS_USER   80u
#define ATTR_REGS_INTR   96u

static bool bad_format(struct perf_data *data, uint64_t offset, const char *what)
{
    return perf_fail(data, PERF_EXIT_FORMAT, offset, "%s: incompatible file format", what);
}

/* Flags are bit-fields of the writing compiler: on machines of the other byte order each byte is mirrored. */
static uint64_t mirrored_flags(const uint8_t *p)
{
    uint64_t flags = 0;
    for (unsigned i = 0; i < 64; i++)
        flags |= (uint64_t)((unsigned)p[i / 8] >> (7 - i % 8) & 1u) << i;
    return flags;
}

static uint64_t attr_u64(const struct perf_data *data, const uint8_t *attr, size_t attr_bytes, unsigned at)
{
    return attr_bytes >= at + 8 ? perf_u64(data->swap, attr + at) : 0;
}

bool perf_header_attribute(struct perf_data *data, const uint8_t *attr, size_t attr_bytes, const uint8_t *ids,
                           size_t n_ids)
{
    uint32_t index = data->info.n_events;
    struct perf_event *event;
    struct perf_event_state *state;
    uint64_t *copy = pool_take(&data->pool, n_ids * sizeof *copy);
    data->events = array_grow(data->events, index, &data->events_capacity, sizeof *data->events);
    data->states = array_grow(data->states, index, &data->states_capacity, sizeof *data->states);
    event = &data->events[index];
    state = &data->states[index];
    memset(event, 0, sizeof *event);
    memset(state, 0, sizeof *state);
    event->type = perf_u32(data->swap, attr + ATTR_TYPE);
    event->config = attr_u64(data, attr, attr_bytes, ATTR_CONFIG);
    event->period = attr_u64(data, attr, attr_bytes, ATTR_PERIOD);
    event->sample_type = attr_u64(data, attr, attr_bytes, ATTR_SAMPLE_TYPE);
    event->flags = data->swap ? mirrored_flags(attr + ATTR_FLAGS) : sl_get_u64le(attr + ATTR_FLAGS);
    event->config1 = attr_u64(data, attr, attr_bytes, ATTR_CONFIG1);
    event->config2 = attr_u64(data, attr, attr_bytes, ATTR_CONFIG2);
    event->branch_sample_type = attr_u64(data, attr, attr_bytes, ATTR_BRANCH_TYPE);
    state->read_format = attr_u64(data, attr, attr_bytes, ATTR_READ_FORMAT);
    state->regs_user = attr_u64(data, attr, attr_bytes, ATTR_REGS_USER);
    state->regs_intr = attr_u64(data, attr, attr_bytes, ATTR_REGS_INTR);
    event->ids = copy;
    event->n_ids = (uint32_t)n_ids;
    data->info.n_events++;
    data->info.events = data->events;
    perf_event_layout(data, index);
    for (size_t i = 0; i < n_ids; i++) {
        copy[i] = perf_u64(data->swap, ids + 8 * i);
        perf_event_add_id(data, copy[i], index);
    }
    return true;
}

static unsigned bits(uint64_t type, uint64_t mask)
{
    return sl_popcount64(type & mask);
}

static unsigned sample_id_place(uint64_t type)
{
    if (type & PERF_S_IDENTIFIER)
        return 0;
    return type & PERF_S_ID ? bits(type, PERF_S_IP | PERF_S_TID | PERF_S_TIME | PERF_S_ADDR) : PERF_NO_WORD;
}

static unsigned trailer_id_place(uint64_t type)
{
    if (type & PERF_S_IDENTIFIER)
        return 1;
    return type & PERF_S_ID ? 1 + bits(type, PERF_S_CPU | PERF_S_STREAM_ID) : 0;
}

bool perf_header_check_events(struct perf_data *data)
{
    const struct perf_event *first = data->events;
    const char *what = NULL;
    if (!data->info.n_events)
        return true;
    data->sample_id_word = (uint8_t)sample_id_place(first->sample_type);
    data->trailer_id_word = (uint8_t)trailer_id_place(first->sample_type);
    for (uint32_t i = 1; i < data->info.n_events && !what && !data->info.has_stat; i++) {
        const struct perf_event *event = &data->events[i];
        if (sample_id_place(event->sample_type) != data->sample_id_word ||
            trailer_id_place(event->sample_type) != data->trailer_id_word)
            what = "sample_type";
        else if ((event->flags ^ first->flags) & PERF_A_SAMPLE_ID_ALL)
            what = "sample_id_all";
        else if (data->states[i].read_format != data->states[0].read_format)
            what = "read_format";
    }
    return !what || perf_fail(data, PERF_EXIT_FORMAT, data->attrs_offset, "non matching %s of the events", what);
}

static bool read_attributes(struct perf_data *data)
{
    uint64_t at = data->attrs_offset;
    uint64_t n = data->attrs_size / data->attr_entry_size;
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *attr, *ids;
        uint64_t ids_offset, ids_size;
        uint32_t size;
        if (at > data->map_size || data->map_size - at < PERF_ATTR_MIN_BYTES)
            return bad_format(data, at, "an event attribute ends behind the file");
        attr = data->map + at;
        size = perf_u32(data->swap, attr + ATTR_SIZE);
        if (!size)
            size = PERF_ATTR_MIN_BYTES;
        if (size < PERF_ATTR_MIN_BYTES || size > PERF_ATTR_MAX_BYTES)
            return bad_format(data, at + ATTR_SIZE, "an event attribute of unknown size");
        if (data->map_size - at < size + 16u)
            return bad_format(data, at, "an event attribute ends behind the file");
        ids_offset = perf_u64(data->swap, attr + size);
        ids_size = perf_u64(data->swap, attr + size + 8);
        if (ids_offset > data->map_size || ids_size > data->map_size - ids_offset)
            return bad_format(data, at + size, "the ids of an event lie behind the file");
        ids = data->map + ids_offset;
        if (!perf_header_attribute(data, attr, size, ids, (size_t)(ids_size / 8)))
            return false;
        at += size + 16u;
    }
    return true;
}

static bool test_feature(const struct perf_data *data, unsigned bit)
{
    return data->features[bit / 64] >> (bit % 64) & 1;
}

/* Old big-endian writers swapped the bitmap as words of other widths. */
static void read_bitmap(struct perf_data *data)
{
    const uint8_t *at = data->map + PERF_HEADER_OLD_BYTES;
    for (unsigned i = 0; i < 4; i++)
        data->features[i] = perf_u64(data->swap, at + 8 * i);
    if (!data->swap || test_feature(data, PERF_FEAT_HOSTNAME))
        return;
    for (unsigned i = 0; i < 4; i++)
        data->features[i] = data->features[i] << 32 | data->features[i] >> 32;
    if (test_feature(data, PERF_FEAT_HOSTNAME))
        return;
    memset(data->features, 0, sizeof data->features);
    data->features[0] = (uint64_t)1 << PERF_FEAT_BUILD_ID;
}

static bool read_magic(struct perf_data *data, const uint8_t *head)
{
    if (!memcmp(head, "PERFILE2", 8))
        data->swap = false;
    else if (!memcmp(head, "2ELIFREP", 8))
        data->swap = true;
    else
        return bad_format(data, 0, "no magic number of perf.data");
    data->info.big_endian = data->swap;
    return true;
}

static bool read_sections(struct perf_data *data, uint64_t header_size)
{
    const uint8_t *head = data->map;
    bool swap = data->swap;
    if (header_size != PERF_HEADER_BYTES && header_size != PERF_HEADER_OLD_BYTES)
        return bad_format(data, 8, "an unknown header size");
    if (data->map_size < header_size || data->map_size < PERF_HEADER_BYTES)
        return bad_format(data, data->map_size, "the header is cut");
    data->attr_entry_size = perf_u64(swap, head + 16);
    data->attrs_offset = perf_u64(swap, head + 24);
    data->attrs_size = perf_u64(swap, head + 32);
    data->data_offset = perf_u64(swap, head + 40);
    data->data_size = perf_u64(swap, head + 48);
    if (header_size == PERF_HEADER_BYTES)
        read_bitmap(data);
    if (!data->attr_entry_size)
        return bad_format(data, 16, "the size of an attribute is 0 (was the recording ended properly?)");
    return true;
}

static void finish_events(struct perf_data *data)
{
    for (uint32_t i = 0; i < data->info.n_events; i++) {
        if (!data->events[i].name)
            perf_event_default_name(data, i);
    }
}

bool perf_header_read(struct perf_data *data)
{
    uint64_t header_size;
    const uint8_t *head = data->map;
    if (!head) {
        if (!perf_stream_fill(data, PERF_HEADER_PIPE_BYTES))
            return data->failed ? false : bad_format(data, 0, "the header is cut");
        head = data->stream.buffer;
    } else if (data->map_size < PERF_HEADER_PIPE_BYTES) {
        return bad_format(data, 0, "the header is cut");
    }
    if (!read_magic(data, head))
        return false;
    header_size = perf_u64(data->swap, head + 8);
    if (header_size == PERF_HEADER_PIPE_BYTES) {
        data->info.pipe = true;
        data->position = PERF_HEADER_PIPE_BYTES;
        data->data_end = data->map_size;
        if (!data->map) {
            data->stream.begin += PERF_HEADER_PIPE_BYTES;
            data->stream.offset += PERF_HEADER_PIPE_BYTES;
        }
        return true;
    }
    if (!data->map)
        return bad_format(data, 8, "a stream must have the form that perf writes into a pipe");
    if (!read_sections(data, header_size) || !read_attributes(data))
        return false;
    perf_features_read(data);
    if (!perf_header_check_events(data))
        return false;
    finish_events(data);
    data->position = data->data_offset;
    data->data_end =
        data->data_size > UINT64_MAX - data->data_offset ? UINT64_MAX : data->data_offset + data->data_size;
    return true;
}
