/* SPDX-License-Identifier: Apache-2.0 */
/* Records into streams by session and core; from the numbers, what is missing, repeated or out of order. */
#include <stdlib.h>
#include <string.h>

#include "capture_internal.h"

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Intact records come before damaged ones of the same number: these are then repetitions. */
static int by_number(const void *a, const void *b)
{
    const struct capture_record *x = a, *y = b;
    const struct sl_capture_header *p = &x->item.header, *q = &y->item.header;
    int order = compare(p->session, q->session);
    order = order ? order : compare(p->core, q->core);
    order = order ? order : compare(p->sequence, q->sequence);
    order = order ? order : compare(!x->used, !y->used);
    return order ? order : compare(x->item.offset, y->item.offset);
}

static int by_file(const void *a, const void *b)
{
    const struct capture_record *x = a, *y = b;
    return compare(x->item.offset, y->item.offset);
}

static int by_stream(const void *a, const void *b)
{
    const struct capture_record *x = a, *y = b;
    int order = compare(x->stream, y->stream);
    return order ? order : by_number(a, b);
}

/* Of the streams while they are sorted: sessions in the order of their first record, and within them by core. */
struct place {
    size_t session_offset;
    uint16_t core;
    uint32_t stream;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = compare(x->session_offset, y->session_offset);
    return order ? order : compare(x->core, y->core);
}

static void order_streams(struct capture_reading *reading)
{
    struct capture *capture = reading->capture;
    size_t n = capture->n_streams;
    struct place *places = pool_take(&capture->pool, n * sizeof *places);
    uint32_t *rank = pool_take(&capture->pool, n * sizeof *rank);
    struct capture_stream *sorted = pool_take(&capture->pool, n * sizeof *sorted);
    for (size_t i = 0, end; i < n; i = end) {
        size_t first = SIZE_MAX;
        for (end = i; end < n && capture->streams[end].session == capture->streams[i].session; end++)
            first = capture->streams[end].offset < first ? capture->streams[end].offset : first;
        for (size_t j = i; j < end; j++)
            places[j] = (struct place){first, capture->streams[j].core, (uint32_t)j};
    }
    qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++) {
        rank[places[i].stream] = (uint32_t)i;
        sorted[i] = capture->streams[places[i].stream];
    }
    memcpy(capture->streams, sorted, n * sizeof *sorted);
    for (size_t i = 0; i < reading->n_records; i++)
        reading->records[i].stream = rank[reading->records[i].stream];
}

static void assign_streams(struct capture_reading *reading)
{
    struct capture_stream *stream = NULL;
    qsort(reading->records, reading->n_records, sizeof *reading->records, by_number);
    for (size_t i = 0; i < reading->n_records; i++) {
        struct capture_record *record = &reading->records[i];
        const struct sl_capture_header *header = &record->item.header;
        if (!stream || stream->session != header->session || stream->core != header->core) {
            stream = CAPTURE_APPEND(reading, streams);
            stream->session = header->session;
            stream->core = header->core;
            stream->offset = record->item.offset;
        }
        record->stream = (uint32_t)(reading->capture->n_streams - 1);
        stream->offset = record->item.offset < stream->offset ? record->item.offset : stream->offset;
    }
    order_streams(reading);
}

/* Numbers have to rise within a stream; a ring begins anew once. */
static void find_disorder(struct capture_reading *reading)
{
    struct capture *capture = reading->capture;
    uint32_t *last = pool_take(&capture->pool, capture->n_streams * sizeof *last);
    bool *seen = pool_take(&capture->pool, capture->n_streams * sizeof *seen);
    bool *turned = pool_take(&capture->pool, capture->n_streams * sizeof *turned);
    qsort(reading->records, reading->n_records, sizeof *reading->records, by_file);
    for (size_t i = 0; i < reading->n_records; i++) {
        struct capture_record *record = &reading->records[i];
        uint32_t stream = record->stream, number = record->item.header.sequence;
        if (!record->used)
            continue;
        if (seen[stream] && number < last[stream]) {
            if (capture->streams[stream].file.sink != SL_SINK_RING || turned[stream])
                capture_add_record_problem(reading, CAPTURE_DISORDER, record)->from = last[stream];
            turned[stream] = true;
        }
        seen[stream] = true;
        last[stream] = number;
    }
}

static bool same_record(const struct capture_record *a, const struct capture_record *b)
{
    return !memcmp(&a->item.header, &b->item.header, sizeof a->item.header);
}

static void find_repetition(struct capture_reading *reading, const struct capture_record *first,
                            struct capture_record *record)
{
    enum capture_problem_kind kind = same_record(first, record) ? CAPTURE_REPEATED : CAPTURE_CONFLICT;
    if (record->used)
        capture_add_record_problem(reading, kind, record)->a = first->item.offset;
    record->used = false;
}

static void damaged(struct capture_reading *reading, const struct capture_record *record)
{
    bool cut = record->item.kind == SL_ITEM_TRUNCATED;
    struct capture_problem *problem =
        capture_add_record_problem(reading, cut ? CAPTURE_TRUNCATED : CAPTURE_DAMAGED, record);
    problem->a = record->item.len_bytes;
    problem->b = sizeof(struct sl_capture_header) + (((size_t)record->item.header.len_bytes + 7) & ~(size_t)7);
}

/* Of a stream while its numbers are counted. */
struct counting {
    uint32_t next;      /* number expected */
    uint32_t lost;      /* of the last header: what the writer gave up until then */
    uint32_t ring_lost; /* ring: what it gave up in all that is not yet found missing */
    bool ring;
};

/* Numbers next..to are not in the file. A ring gives up what follows its pinned records, but each header after that
 * says so; other sinks drop records where the gap is. */
static void gap(struct capture_reading *reading, struct counting *counting, const struct capture_record *record,
                uint32_t to)
{
    struct capture_stream *stream = &reading->capture->streams[record->stream];
    uint32_t missing = to - counting->next, lost = record->item.header.lost;
    uint32_t given_up = counting->ring ? counting->ring_lost : lost > counting->lost ? lost - counting->lost : 0;
    struct capture_problem *problem;
    given_up = given_up < missing ? given_up : missing;
    counting->ring_lost -= counting->ring ? given_up : 0;
    stream->n_missing += missing;
    stream->n_given_up += given_up;
    if (missing == 0)
        return;
    problem = capture_add_record_problem(
        reading, counting->ring && given_up == missing ? CAPTURE_OVERWRITTEN : CAPTURE_MISSING, record);
    problem->from = counting->next;
    problem->to = to - 1;
    problem->given_up = given_up;
}

/* Records [from, to) are those of one stream, by number. */
static void count_stream(struct capture_reading *reading, size_t from, size_t to)
{
    struct capture_stream *stream = &reading->capture->streams[reading->records[from].stream];
    struct counting counting = {.ring = stream->file.sink == SL_SINK_RING};
    for (size_t i = from; i < to; i++) {
        uint32_t lost = reading->records[i].item.header.lost;
        if (reading->records[i].used && lost > counting.ring_lost)
            counting.ring_lost = lost;
    }
    for (size_t i = from, first = from; i < to; i++) {
        struct capture_record *record = &reading->records[i];
        const struct sl_capture_header *header = &record->item.header;
        if (i > from && header->sequence == reading->records[first].item.header.sequence) {
            find_repetition(reading, &reading->records[first], record);
            continue;
        }
        first = i;
        gap(reading, &counting, record, header->sequence);
        counting.next = header->sequence + 1;
        counting.lost = header->lost;
        if (record->used)
            stream->n_records++;
        else
            stream->n_missing++;
    }
}

static void file_record(struct capture_reading *reading, struct capture_record *record)
{
    struct capture_stream *stream = &reading->capture->streams[record->stream];
    struct sl_capture_file file;
    if (!record->used || record->item.header.type != SL_CAPTURE_FILE ||
        sl_capture_get(&record->item, &file, sizeof file) != SL_OK || stream->has_file)
        return;
    stream->has_file = true;
    stream->file = file;
}

void capture_make_streams(struct capture_reading *reading)
{
    if (reading->n_records == 0)
        return;
    assign_streams(reading);
    for (size_t i = 0; i < reading->n_records; i++) {
        file_record(reading, &reading->records[i]);
        if (!reading->records[i].used)
            damaged(reading, &reading->records[i]);
    }
    find_disorder(reading);
    qsort(reading->records, reading->n_records, sizeof *reading->records, by_stream);
    for (size_t i = 0, end; i < reading->n_records; i = end) {
        for (end = i; end < reading->n_records && reading->records[end].stream == reading->records[i].stream; end++)
            ;
        count_stream(reading, i, end);
    }
}
