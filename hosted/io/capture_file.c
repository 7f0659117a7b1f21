/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes -> records -> streams -> arrays; what cannot be used becomes a problem. */
#include "capture_file.h"

#include <stdlib.h>
#include <string.h>

#include "capture_internal.h"

struct capture_problem *capture_add_problem(struct capture_reading *reading, enum capture_problem_kind kind,
                                            size_t offset)
{
    struct capture_problem *problem = CAPTURE_APPEND(reading, problems);
    problem->kind = kind;
    problem->offset = offset;
    problem->stream = CAPTURE_NONE;
    return problem;
}

struct capture_problem *capture_add_record_problem(struct capture_reading *reading, enum capture_problem_kind kind,
                                                   const struct capture_record *record)
{
    struct capture_problem *problem = capture_add_problem(reading, kind, record->item.offset);
    problem->stream = record->stream;
    problem->type = record->item.header.type;
    problem->version = record->item.header.version;
    problem->sequence = record->item.header.sequence;
    return problem;
}

static void scan(struct capture_reading *reading, const uint8_t *data, size_t size)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    sl_capture_reader_init(&reader, data, size);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_UNUSED) {
            reading->capture->n_unused_bytes += item.len_bytes;
        } else if (item.kind == SL_ITEM_GARBAGE) {
            capture_add_problem(reading, CAPTURE_GARBAGE, item.offset)->a = item.len_bytes;
        } else {
            struct capture_record *record;
            reading->records =
                array_grow(reading->records, reading->n_records, &reading->records_room, sizeof *reading->records);
            record = &reading->records[reading->n_records++];
            record->item = item;
            record->stream = CAPTURE_NONE;
            record->used = item.kind == SL_ITEM_RECORD;
        }
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct capture_problem *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

bool capture_problem_is_loss(enum capture_problem_kind kind)
{
    return kind != CAPTURE_OVERWRITTEN && kind != CAPTURE_REPEATED && kind != CAPTURE_UNKNOWN &&
           kind != CAPTURE_NO_END && kind != CAPTURE_NO_FILE;
}

bool capture_read(struct capture *capture, const char *name, const uint8_t *data, size_t size)
{
    struct capture_reading reading = {.capture = capture};
    memset(capture, 0, sizeof *capture);
    capture->name = name;
    capture->size_bytes = size;
    scan(&reading, data, size);
    capture_make_streams(&reading);
    capture_fill(&reading);
    capture_link(&reading);
    if (capture->n_problems > 1)
        qsort(capture->problems, capture->n_problems, sizeof *capture->problems, by_offset);
    free(reading.records);
    return capture->n_records > 0;
}

void capture_free(struct capture *capture)
{
    free(capture->streams);
    free(capture->registers);
    free(capture->clocks);
    free(capture->groups);
    free(capture->regions);
    free(capture->samples);
    free(capture->spes);
    free(capture->notes);
    free(capture->problems);
    pool_free(&capture->pool);
    memset(capture, 0, sizeof *capture);
}

const struct sl_capture_register *capture_register_find(const struct capture *capture, uint32_t stream, uint8_t space,
                                                        uint16_t sub, uint32_t number)
{
    size_t low = 0, high = capture->n_registers;
    /* The first register of a later stream. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (capture->registers[middle].stream <= stream)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0 && capture->registers[low].stream == stream) {
        const struct sl_capture_register *reg = &capture->registers[low].reg;
        if (reg->space == space && reg->sub == sub && reg->number == number)
            return reg;
    }
    return NULL;
}
