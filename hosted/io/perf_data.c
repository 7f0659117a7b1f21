/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a recording: records in, samples out in perf's order. */
#include "perf_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf_internal.h"
#include "symbols.h"

#define HEADER_BYTES 8u
/* Bytes read at once before pages are given back. */
#define MAX_BATCH ((uint64_t)1 << 20)

bool perf_fail(struct perf_data *data, int status, uint64_t offset, const char *format, ...)
{
    char text[256];
    va_list args;
    if (data->failed)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    data->failed = true;
    data->status = status;
    diag_at_offset(data->diag, data->name, offset, "%s", text);
    return false;
}

/* ---- open and close ---- */

static bool refuse(struct perf_data *data, const char *what)
{
    data->failed = true;
    data->status = PERF_EXIT_FORMAT;
    diag_say(data->diag, DIAG_ERROR, "%s: %s", data->name, what);
    return false;
}

static bool check_owner(struct perf_data *data, const struct stat *st)
{
    if (data->options.force || !st->st_uid || st->st_uid == geteuid())
        return true;
    return refuse(data, "the file is not owned by the current user or root (use -f to read it nevertheless)");
}

static bool open_file(struct perf_data *data)
{
    bool standard = !strcmp(data->name, "-");
    struct stat st;
    void *map;
    data->fd = standard ? STDIN_FILENO : open(data->name, O_RDONLY | O_CLOEXEC);
    if (data->fd < 0 || fstat(data->fd, &st))
        return refuse(data, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return refuse(data, "a directory: recordings of 'perf record --threads' are not read");
    if (!S_ISREG(st.st_mode))
        return true;
    if (!standard && !check_owner(data, &st))
        return false;
    if (st.st_size == 0)
        return refuse(data, "zero-sized data, nothing to do");
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, data->fd, 0);
    if (map == MAP_FAILED)
        return refuse(data, strerror(errno));
    data->map = map;
    data->map_size = (uint64_t)st.st_size;
    return true;
}

static struct perf_data *new_data(const char *name, const struct perf_data_options *options, struct diag *diag)
{
    struct perf_data *data = calloc(1, sizeof *data);
    if (!data)
        out_of_memory();
    data->name = name;
    data->diag = diag;
    data->fd = -1;
    if (options)
        data->options = *options;
    data->info.file = !strcmp(name, "-") ? "<stdin>" : name;
    data->sample_id_word = PERF_NO_WORD;
    perf_machine_init(data);
    return data;
}

struct perf_data *perf_data_open(const char *name, const struct perf_data_options *options, struct diag *diag,
                                 int *status)
{
    struct perf_data *data = new_data(name, options, diag);
    if (open_file(data) && perf_header_read(data))
        return data;
    *status = data->status;
    perf_data_close(data);
    return NULL;
}

struct perf_data *perf_data_open_memory(const char *name, const uint8_t *bytes, size_t size,
                                        const struct perf_data_options *options, struct diag *diag, int *status)
{
    struct perf_data *data = new_data(name, options, diag);
    data->map = bytes;
    data->map_size = size;
    data->map_is_given = true;
    if (size ? perf_header_read(data) : refuse(data, "zero-sized data, nothing to do"))
        return data;
    *status = data->status;
    perf_data_close(data);
    return NULL;
}

void perf_data_close(struct perf_data *data)
{
    if (!data)
        return;
    perf_spe_free(data);
    perf_unpack_free(data);
    perf_queue_free(data);
    perf_maps_free(data);
    perf_symbols_free(data);
    perf_input_free(data);
    free(data->events);
    free(data->states);
    free(data->memory);
    free(data->chain);
    free(data->reads.items);
    pool_free(&data->pool);
    free(data);
}

const struct perf_info *perf_data_info(const struct perf_data *data)
{
    return &data->info;
}

const struct perf_losses *perf_data_losses(const struct perf_data *data)
{
    return &data->losses;
}

int perf_data_status(const struct perf_data *data)
{
    return data->status;
}

void perf_data_skip(struct perf_data *data, const uint32_t *records, uint64_t n)
{
    data->skip = records;
    data->n_skip = n;
}

uint64_t perf_data_position(const struct perf_data *data, uint64_t *size)
{
    *size = data->map_size;
    return data->map ? data->position : data->stream.offset;
}

/* ---- records of the kernel ---- */

static bool no_event(struct perf_data *data, uint64_t offset)
{
    return perf_fail(data, PERF_EXIT_FAULT, offset, "the record's id is none of an event of the header");
}

/* The record waits in `pending` until older AUX data are delivered. */
static bool start_delivery(struct perf_data *data, const uint8_t *record, uint32_t event, uint64_t offset, bool queued)
{
    size_t size = perf_u16(data->swap, record + 6);
    if (event == PERF_REF_EVENT)
        event = perf_event_of_record(data, record, size);
    data->pending = record;
    data->pending_event = event;
    data->pending_offset = offset;
    data->pending_queued = queued;
    data->losses.n_records++;
    perf_input_trim(data, size);
    return !data->spe || perf_spe_before(data, perf_u32(data->swap, record), event, record, size);
}

static bool accept(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset, bool stable)
{
    uint32_t event;
    uint64_t time;
    if (!data->ids_known) {
        if (data->info.pipe && !perf_header_check_events(data))
            return false;
        data->ids_known = true;
    }
    event = perf_event_of_record(data, record, size);
    if (event == PERF_NO_EVENT)
        return no_event(data, offset);
    if (!perf_event_time(data, event, record, size, &time))
        return perf_fail(data, PERF_EXIT_FAULT, offset, "a record of %zu bytes is too short for its sample id", size);
    if (!time || time == UINT64_MAX)
        return start_delivery(data, record, event, offset, false);
    perf_queue_add(data, time, record, size, offset, event, stable);
    return true;
}

/* Events of ids that came lately: each CPU's buffer has one for each event, and they are numbered in a row. */
#define MEMOS 64u
struct id_memo {
    uint64_t id; /* 0: none */
    uint32_t event;
};

static inline uint32_t event_of_sample(const struct perf_data *data, bool swap, const uint8_t *record, size_t size,
                                       struct id_memo memos[MEMOS])
{
    struct id_memo *memo;
    size_t word = data->sample_id_word;
    uint64_t id;
    if (data->info.n_events == 1)
        return 0;
    if (size < HEADER_BYTES + 8 * (word + 1))
        return PERF_NO_EVENT;
    id = perf_u64(swap, record + HEADER_BYTES + 8 * word);
    memo = &memos[id % MEMOS];
    if (id != memo->id || !id) {
        memo->id = id;
        memo->event = perf_event_of_record(data, record, size);
    }
    return memo->event;
}

/* The usual case in one loop: samples of a mapped file, one after the other, whose ids and times are where they should
 * be. Stops before anything else. */
static PERF_INLINE void read_samples_in(struct perf_data *data, bool swap)
{
    uint64_t end = data->data_end < data->map_size ? data->data_end : data->map_size;
    uint64_t start = data->position, at = start;
    struct id_memo memos[MEMOS] = {{0, 0}};
    while (at < end && end - at >= HEADER_BYTES && at - start < MAX_BATCH) {
        const uint8_t *record = data->map + at;
        size_t size = perf_u16(swap, record + 6);
        uint32_t event;
        uint64_t time;
        uint8_t word;
        if (perf_u32(swap, record) != PERF_REC_SAMPLE || size > end - at)
            break;
        event = event_of_sample(data, swap, record, size, memos);
        if (event == PERF_NO_EVENT)
            break;
        word = data->states[event].layout.time;
        if (word == PERF_NO_WORD || size < HEADER_BYTES + 8u * (word + 1u))
            break;
        time = perf_u64(swap, record + HEADER_BYTES + 8u * word);
        if (!time || time == UINT64_MAX)
            break;
        perf_queue_add_sample(data, time, record, event);
        at += size;
    }
    data->position = at;
    perf_input_trim(data, at - start);
}

static void read_samples(struct perf_data *data)
{
    if (data->swap)
        read_samples_in(data, true);
    else
        read_samples_in(data, false);
}

/* Reads one record. false: reported, or the end (phase). */
static bool read_record(struct perf_data *data)
{
    const uint8_t *record = NULL;
    size_t size = 0;
    uint64_t offset = 0;
    bool stable;
    uint32_t type;
    switch (perf_input_next(data, &record, &size, &offset, &stable)) {
    case PERF_INPUT_FAILED:
        return false;
    case PERF_INPUT_END:
        if (!data->info.pipe && !data->data_size)
            return perf_fail(data, PERF_EXIT_FORMAT, data->data_offset, "the data section is empty");
        perf_queue_flush_all(data);
        data->phase = PERF_PHASE_FINAL_FLUSH;
        return true;
    case PERF_INPUT_RECORD:
        break;
    }
    type = perf_u32(data->swap, record);
    perf_input_trim(data, size);
    if (type < PERF_REC_TOOL_MIN) {
        bool ok = accept(data, record, size, offset, stable);
        /* One that goes at once must not be overtaken. */
        if (ok && stable && !data->pending)
            read_samples(data);
        return ok;
    }
    return perf_tool_record(data, type, record, size, offset);
}

/* Goes on to the next record to deliver, or to the next phase. false: reported. */
static bool advance(struct perf_data *data)
{
    uint32_t event;
    uint64_t offset;
    const uint8_t *record = perf_queue_next(data, &event, &offset);
    if (record)
        return start_delivery(data, record, event, offset, true);
    if (data->phase == PERF_PHASE_READING)
        return read_record(data);
    data->phase = data->phase == PERF_PHASE_FINAL_FLUSH ? PERF_PHASE_AUX_FLUSH : PERF_PHASE_DONE;
    return data->phase == PERF_PHASE_DONE || !data->spe || perf_spe_before(data, PERF_REC_FINISHED_ROUND, 0, NULL, 0);
}

/* 1: a sample; 0: nothing to show; -1: reported. */
static int deliver_sample(struct perf_data *data, uint32_t event, const uint8_t *record, size_t size, uint64_t offset,
                          struct perf_sample *sample)
{
    const struct perf_layout *layout = &data->states[event].layout;
    if (!perf_event_sample(data, event, record, size, &sample->mem)) {
        perf_fail(data, PERF_EXIT_FAULT, offset, "a sample of %zu bytes is too short for its fields", size);
        return -1;
    }
    /* The id within the sample, where it has two: only this one must be known, too. */
    if (layout->id != PERF_NO_WORD && layout->identifier != PERF_NO_WORD && data->info.n_events > 1) {
        uint64_t id = perf_u64(data->swap, record + HEADER_BYTES + 8u * layout->id);
        if (id && perf_event_by_id(data, id) == PERF_NO_EVENT) {
            data->losses.unknown_ids++;
            return 0;
        }
    }
    if (data->events[event].sample_type & PERF_S_READ) {
        data->reads.mem = sample->mem;
        return 0;
    }
    data->losses.n_samples++;
    perf_sample_resolve(data, sample);
    return 1;
}

/* The next of the samples that one record's counts make. 0: none is left. */
static int deliver_read(struct perf_data *data, struct perf_sample *sample)
{
    struct perf_reads *reads = &data->reads;
    while (reads->next < reads->n) {
        size_t i = reads->next++;
        struct perf_id_slot *slot = perf_event_slot(data, reads->items[i].id);
        uint64_t growth;
        if (!slot) {
            data->losses.unknown_ids++;
            continue;
        }
        growth = reads->items[i].count - slot->count;
        slot->count = reads->items[i].count;
        if (!growth)
            continue;
        sample->mem = reads->mem;
        sample->mem.period = growth;
        sample->mem.event = slot->event - 1;
        data->losses.n_samples++;
        perf_sample_resolve(data, sample);
        return 1;
    }
    return 0;
}

static int deliver_record(struct perf_data *data, struct perf_sample *sample)
{
    const uint8_t *record = data->pending;
    uint64_t offset = data->pending_offset;
    uint32_t event = data->pending_event, type = perf_u32(data->swap, record);
    size_t size = perf_u16(data->swap, record + 6);
    int got = 0;
    data->pending = NULL;
    if (data->spe)
        perf_spe_after(data, type, event, record, size);
    if (type == PERF_REC_SAMPLE) {
        sample->record = data->n_sample_records++;
        got = deliver_sample(data, event, record, size, offset, sample);
    } else if (type == 0 || type >= PERF_REC_KERNEL_MAX) {
        data->losses.unknown_records++;
        perf_fail(data, PERF_EXIT_FORMAT, offset, "a record of unknown type %u", (unsigned)type);
        got = -1;
    } else if (!perf_sideband(data, type, record, size, offset)) {
        got = -1;
    }
    if (data->pending_queued)
        perf_queue_done(data, record);
    return got;
}

enum perf_next perf_data_next(struct perf_data *data, struct perf_sample *sample)
{
    while (!data->failed && data->phase != PERF_PHASE_DONE) {
        int got = 0;
        if (data->reads.next < data->reads.n) {
            sample->record = data->n_sample_records - 1;
            got = deliver_read(data, sample);
        }
        if (!got && data->spe) {
            sample->record = PERF_NO_RECORD;
            got = perf_spe_next(data, sample);
        }
        if (!got && data->pending)
            got = deliver_record(data, sample);
        else if (!got && !advance(data))
            break;
        if (got > 0)
            return PERF_NEXT_SAMPLE;
    }
    return data->failed ? PERF_NEXT_FAILED : PERF_NEXT_END;
}
