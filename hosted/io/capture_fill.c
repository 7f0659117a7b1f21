/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of the records into the capture's arrays. */
#include <string.h>

#include "capture_internal.h"

/* Length of the UTF-8 character at p, 0 if it is none. */
static size_t utf8_len(const uint8_t *p, size_t left)
{
    size_t n = p[0] < 0x80                   ? 1
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
               : (p[0] & 0xf0) == 0xe0       ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Longer than needed, a surrogate, or above U+10FFFF. */
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

/* What a terminal and a JSON reader can take: everything else becomes a question mark. */
static const char *printable(struct capture *capture, const uint8_t *bytes, size_t len)
{
    char *text = pool_text(&capture->pool, (const char *)bytes, len);
    for (size_t i = 0, n; i < len; i += n) {
        n = utf8_len(bytes + i, len - i);
        if (n == 0 || (n == 1 && (bytes[i] < ' ' || bytes[i] == 0x7f)) ||
            (n == 2 && bytes[i] == 0xc2 && bytes[i + 1] < 0xa0)) {
            memset(text + i, '?', n ? n : 1);
            n = n ? n : 1;
        }
    }
    return text;
}

/* The elements behind the fixed part, in memory that is aligned for them. */
static void *elements(struct capture *capture, const struct sl_capture_item *item, size_t n, size_t size)
{
    uint8_t *copy = n ? pool_take(&capture->pool, n * size) : NULL;
    for (size_t i = 0; i < n; i++)
        sl_capture_element(item, (uint32_t)i, copy + i * size, size);
    return copy;
}

/* Each takes a record whose type it is; false: the payload is shorter than it says. */
typedef bool fill_fn(struct capture_reading *reading, const struct capture_record *record, uint32_t order);

static bool fill_cpu(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct capture_stream *stream = &reading->capture->streams[record->stream];
    (void)order;
    if (sl_capture_get(&record->item, &stream->cpu, sizeof stream->cpu) != SL_OK)
        return false;
    stream->has_cpu = true;
    memcpy(stream->cpu.name,
           printable(reading->capture, (const uint8_t *)stream->cpu.name,
                     strnlen(stream->cpu.name, sizeof stream->cpu.name - 1)),
           strnlen(stream->cpu.name, sizeof stream->cpu.name - 1));
    stream->cpu.name[sizeof stream->cpu.name - 1] = '\0';
    return true;
}

static bool fill_regs(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_regs regs;
    (void)order;
    if (sl_capture_get(&record->item, &regs, sizeof regs) != SL_OK)
        return false;
    for (uint32_t i = 0; i < regs.n_registers; i++) {
        struct capture_register *reg = CAPTURE_APPEND(reading, registers);
        reg->stream = record->stream;
        reg->when = regs.when;
        sl_capture_element(&record->item, i, &reg->reg, sizeof reg->reg);
    }
    return true;
}

static bool fill_clock(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_clock clock;
    struct capture_clock *entry;
    (void)order;
    if (sl_capture_get(&record->item, &clock, sizeof clock) != SL_OK)
        return false;
    entry = CAPTURE_APPEND(reading, clocks);
    entry->stream = record->stream;
    entry->clock = clock;
    return true;
}

static bool fill_group(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_group group;
    struct capture_group *entry;
    if (sl_capture_get(&record->item, &group, sizeof group) != SL_OK)
        return false;
    entry = CAPTURE_APPEND(reading, groups);
    entry->stream = record->stream;
    entry->order = order;
    entry->group = group;
    entry->counters = elements(reading->capture, &record->item, group.n_counters, sizeof *entry->counters);
    return true;
}

static bool fill_region(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_region region;
    struct capture_region *entry;
    const uint8_t *label;
    uint32_t len;
    if (sl_capture_get(&record->item, &region, sizeof region) != SL_OK)
        return false;
    label = sl_capture_tail(&record->item, &len);
    entry = CAPTURE_APPEND(reading, regions);
    entry->stream = record->stream;
    entry->order = order;
    entry->region = region;
    entry->label = printable(reading->capture, label, len);
    return true;
}

static bool fill_sample(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct capture *capture = reading->capture;
    struct sl_capture_metrics metrics;
    struct sl_capture_sample sample;
    struct capture_sample *entry;
    if (sl_capture_get(&record->item, &sample, sizeof sample) != SL_OK)
        return false;
    entry = CAPTURE_APPEND(reading, samples);
    entry->stream = record->stream;
    entry->order = order;
    entry->offset = record->item.offset;
    entry->calibration = record->item.header.type == SL_CAPTURE_CALIBRATION;
    entry->sample = sample;
    entry->counts = elements(capture, &record->item, sample.n_counts, sizeof *entry->counts);
    entry->group = entry->region = entry->clock = CAPTURE_NONE;
    if (capture->n_clocks > 0 && capture->clocks[capture->n_clocks - 1].stream == record->stream)
        entry->clock = (uint32_t)capture->n_clocks - 1;
    if (sl_capture_metrics_of(&record->item, &metrics)) {
        struct sl_capture_metrics *copy = pool_take(&capture->pool, sizeof *copy);
        *copy = metrics;
        entry->metrics = copy;
    }
    if (sample.parts & SL_SAMPLE_SQUARES && sample.n_counts > 0) {
        struct sl_capture_square *copy = pool_take(&capture->pool, sample.n_counts * sizeof *copy);
        for (uint32_t i = 0; i < sample.n_counts; i++)
            (void)sl_capture_square_of(&record->item, i, &copy[i]);
        entry->squares = copy;
    }
    return true;
}

static bool fill_spe(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_spe spe;
    struct capture_spe *entry;
    (void)order;
    if (sl_capture_get(&record->item, &spe, sizeof spe) != SL_OK)
        return false;
    entry = CAPTURE_APPEND(reading, spes);
    entry->stream = record->stream;
    entry->offset = record->item.offset;
    entry->spe = spe;
    entry->bytes = sl_capture_tail(&record->item, &entry->len_bytes);
    return true;
}

static bool fill_note(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_note note;
    struct capture_note *entry;
    const uint8_t *text;
    uint32_t len;
    (void)order;
    if (sl_capture_get(&record->item, &note, sizeof note) != SL_OK)
        return false;
    text = sl_capture_tail(&record->item, &len);
    entry = CAPTURE_APPEND(reading, notes);
    entry->stream = record->stream;
    entry->offset = record->item.offset;
    entry->note = note;
    entry->text = printable(reading->capture, text, len);
    return true;
}

static bool fill_end(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct capture_stream *stream = &reading->capture->streams[record->stream];
    struct sl_capture_end end;
    (void)order;
    if (sl_capture_get(&record->item, &end, sizeof end) != SL_OK)
        return false;
    stream->ended = true;
    if (stream->file.sink != SL_SINK_RING && end.records + end.lost != record->item.header.sequence) {
        struct capture_problem *problem = capture_add_record_problem(reading, CAPTURE_END_COUNT, record);
        problem->a = end.records + end.lost;
        problem->b = record->item.header.sequence;
    }
    return true;
}

static bool fill_file(struct capture_reading *reading, const struct capture_record *record, uint32_t order)
{
    struct sl_capture_file file;
    (void)reading;
    (void)order;
    return sl_capture_get(&record->item, &file, sizeof file) == SL_OK;
}

static fill_fn *const fills[SL_CAPTURE_TYPES] = {
    [SL_CAPTURE_FILE] = fill_file,     [SL_CAPTURE_CPU] = fill_cpu,
    [SL_CAPTURE_REGS] = fill_regs,     [SL_CAPTURE_CLOCK] = fill_clock,
    [SL_CAPTURE_GROUP] = fill_group,   [SL_CAPTURE_REGION] = fill_region,
    [SL_CAPTURE_SAMPLE] = fill_sample, [SL_CAPTURE_CALIBRATION] = fill_sample,
    [SL_CAPTURE_SPE] = fill_spe,       [SL_CAPTURE_NOTE] = fill_note,
    [SL_CAPTURE_END] = fill_end,
};

static bool readable_format(const struct capture_stream *stream)
{
    return !stream->has_file ||
           (stream->file.major == SL_CAPTURE_MAJOR && stream->file.order_tag == SL_CAPTURE_ORDER_TAG);
}

/* A debugger may save RAM at any time; but then all of it is there. */
static void no_end(struct capture_reading *reading, uint32_t index)
{
    const struct capture *capture = reading->capture;
    const struct capture_stream *stream = &capture->streams[index];
    size_t there = capture->size_bytes - stream->offset, all = stream->file.mem_bytes;
    bool saved = stream->has_file && stream->file.sink != SL_SINK_STREAM && there >= all;
    struct capture_problem *problem =
        capture_add_problem(reading, saved ? CAPTURE_NO_END : CAPTURE_CUT_END, capture->size_bytes);
    problem->stream = index;
    problem->a = there;
    problem->b = all;
}

static void stream_problems(struct capture_reading *reading)
{
    struct capture *capture = reading->capture;
    for (uint32_t i = 0; i < capture->n_streams; i++) {
        const struct capture_stream *stream = &capture->streams[i];
        struct capture_problem *problem = NULL;
        if (!readable_format(stream)) {
            problem = capture_add_problem(reading, CAPTURE_FORMAT, stream->offset);
            problem->a = stream->file.major;
            problem->b = stream->file.order_tag;
            problem->stream = i;
            continue;
        }
        if (!stream->has_file)
            capture_add_problem(reading, CAPTURE_NO_FILE, stream->offset)->stream = i;
        if (!stream->ended)
            no_end(reading, i);
    }
}

void capture_fill(struct capture_reading *reading)
{
    for (size_t i = 0; i < reading->n_records; i++) {
        const struct capture_record *record = &reading->records[i];
        uint8_t type = record->item.header.type;
        if (!record->used || !readable_format(&reading->capture->streams[record->stream]))
            continue;
        reading->capture->n_records++;
        if (type >= SL_CAPTURE_TYPES || !fills[type] || record->item.header.version != 1)
            capture_add_record_problem(reading, CAPTURE_UNKNOWN, record);
        else if (!fills[type](reading, record, (uint32_t)i))
            capture_add_record_problem(reading, CAPTURE_MALFORMED, record);
    }
    stream_problems(reading);
}
