/* SPDX-License-Identifier: Apache-2.0 */
/* Records that wait for their turn: delivered by time, equal times as they came, in the portions that rounds allow.
 *
 * At a round's end no CPU's buffer can hold anything older than what the round before had seen, so everything up to
 * that time may go. Records of a mapped file are queued by address; others are copied into blocks. */
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

#define BLOCK_BYTES ((size_t)1 << 20)

/* ---- copies ---- */

static struct perf_block *block_of(const uint8_t *record)
{
    return (struct perf_block *)((uintptr_t)record & ~(uintptr_t)(BLOCK_BYTES - 1));
}

static struct perf_block *new_block(struct perf_data *data)
{
    struct perf_block *block = data->free_blocks;
    if (block) {
        data->free_blocks = block->next;
    } else {
        block = aligned_alloc(BLOCK_BYTES, BLOCK_BYTES);
        if (!block)
            out_of_memory();
    }
    if (data->blocks)
        data->blocks->open = false;
    memset(block, 0, sizeof *block);
    block->used = (sizeof *block + 7) / 8 * 8;
    block->open = true;
    block->next = data->blocks;
    data->blocks = block;
    return block;
}

/* The offset in the file goes in front, for messages. */
static const uint8_t *copy_record(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    struct perf_block *block = data->blocks;
    uint8_t *place;
    size_t room = (sizeof offset + size + 7) / 8 * 8;
    if (!block || !block->open || BLOCK_BYTES - block->used < room)
        block = new_block(data);
    place = (uint8_t *)block + block->used;
    memcpy(place, &offset, sizeof offset);
    memcpy(place + sizeof offset, record, size);
    block->used += room;
    block->live++;
    return place + sizeof offset;
}

static void free_block(struct perf_data *data, struct perf_block *block)
{
    struct perf_block **link = &data->blocks;
    if (block == data->blocks) {
        block->used = (sizeof *block + 7) / 8 * 8;
        return;
    }
    while (*link != block)
        link = &(*link)->next;
    *link = block->next;
    block->next = data->free_blocks;
    data->free_blocks = block;
}

static void release(struct perf_data *data, const uint8_t *record)
{
    if (perf_input_is_mapped(data, record))
        return;
    if (--block_of(record)->live == 0)
        free_block(data, block_of(record));
}

static uint64_t offset_of(const struct perf_data *data, const uint8_t *record)
{
    uint64_t offset;
    if (perf_input_is_mapped(data, record))
        return (uint64_t)(record - data->map);
    memcpy(&offset, record - sizeof offset, sizeof offset);
    return offset;
}

/* ---- order ---- */

/* Merges the neighbouring sorted runs [a, b) and [b, c) into `to`. */
static void merge(const struct perf_queued *from, struct perf_queued *to, size_t a, size_t b, size_t c)
{
    size_t i = a, j = b;
    for (size_t k = a; k < c; k++)
        to[k] = j == c || (i < b && from[i].time <= from[j].time) ? from[i++] : from[j++];
}

static size_t run_end(const struct perf_queued *entries, size_t at, size_t end)
{
    at++;
    while (at < end && entries[at - 1].time <= entries[at].time)
        at++;
    return at;
}

/* One pass over [from, end): pairs of runs become one. Returns how many runs are left. */
static size_t merge_pass(const struct perf_queued *from, struct perf_queued *to, size_t at, size_t end)
{
    size_t n_runs = 0;
    while (at < end) {
        size_t middle = run_end(from, at, end);
        size_t last = middle < end ? run_end(from, middle, end) : end;
        merge(from, to, at, middle, last);
        at = last;
        n_runs++;
    }
    return n_runs;
}

/* Stable merge sort over the runs that are there: what comes from one CPU's buffer is in order already. */
static void sort(struct perf_queue *queue)
{
    size_t n_runs;
    if (queue->sorted)
        return;
    queue->sorted = true;
    if (queue->spare_capacity < queue->capacity) {
        free(queue->spare);
        queue->spare = calloc(queue->capacity, sizeof *queue->spare);
        if (!queue->spare)
            out_of_memory();
        queue->spare_capacity = queue->capacity;
    }
    do {
        struct perf_queued *entries = queue->entries;
        size_t capacity = queue->capacity;
        n_runs = merge_pass(entries, queue->spare, queue->head, queue->n);
        queue->entries = queue->spare;
        queue->capacity = queue->spare_capacity;
        queue->spare = entries;
        queue->spare_capacity = capacity;
    } while (n_runs > 1);
}

static inline void append(struct perf_data *data, uint64_t time, uint64_t ref)
{
    struct perf_queue *queue = &data->queue;
    if (queue->head == queue->n) {
        queue->head = queue->n = queue->deliver_end = 0;
        queue->sorted = true;
        queue->newest = 0;
    }
    if (time < queue->last_delivered)
        data->losses.out_of_order++;
    if (time >= queue->newest) {
        queue->newest = time;
        queue->max_time = time;
    } else {
        queue->sorted = false;
    }
    if (queue->n == queue->capacity)
        queue->entries = array_grow(queue->entries, queue->n, &queue->capacity, sizeof *queue->entries);
    queue->entries[queue->n].time = time;
    queue->entries[queue->n].ref = ref;
    queue->n++;
}

static uint64_t ref_of(const uint8_t *record, uint32_t event)
{
    uint64_t number = event < PERF_REF_EVENT ? event : PERF_REF_EVENT;
    return (uint64_t)(uintptr_t)record | number << PERF_REF_BITS;
}

void perf_queue_add(struct perf_data *data, uint64_t time, const uint8_t *record, size_t size, uint64_t offset,
                    uint32_t event, bool stable)
{
    if (!stable)
        record = copy_record(data, record, size, offset);
    append(data, time, ref_of(record, event));
}

void perf_queue_add_sample(struct perf_data *data, uint64_t time, const uint8_t *record, uint32_t event)
{
    append(data, time, ref_of(record, event) | PERF_REF_SAMPLE);
}

static void flush(struct perf_data *data, uint64_t limit)
{
    struct perf_queue *queue = &data->queue;
    size_t low = queue->head, high = queue->n;
    sort(queue);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (queue->entries[middle].time <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    queue->deliver_end = low;
}

void perf_queue_round(struct perf_data *data)
{
    struct perf_queue *queue = &data->queue;
    uint64_t limit = queue->next_flush;
    if (queue->head == queue->n)
        return;
    queue->next_flush = queue->max_time;
    if (limit)
        flush(data, limit);
}

void perf_queue_flush_all(struct perf_data *data)
{
    flush(data, UINT64_MAX);
}

/* What waits moves to the front when more than half of the room is behind. */
static void compact(struct perf_queue *queue)
{
    size_t n = queue->n - queue->head;
    if (queue->head < n || queue->head < 4096)
        return;
    memmove(queue->entries, queue->entries + queue->head, n * sizeof *queue->entries);
    queue->head = queue->deliver_end = 0;
    queue->n = n;
}

static bool is_skipped(const struct perf_data *data, uint64_t number)
{
    return number < data->n_skip && data->skip[number / 32] >> number % 32 & 1u;
}

/* Between its reading and its delivery a record has left the nearer caches. */
static void prefetch(const struct perf_data *data)
{
    const struct perf_queue *queue = &data->queue;
    const size_t ahead = 12;
    const uint8_t *record;
    if (queue->deliver_end - queue->head <= ahead || is_skipped(data, data->n_sample_records + ahead))
        return;
    record = (const uint8_t *)(uintptr_t)(queue->entries[queue->head + ahead].ref & PERF_REF_MASK);
    __builtin_prefetch(record);
    __builtin_prefetch(record + 64);
}

const uint8_t *perf_queue_next(struct perf_data *data, uint32_t *event, uint64_t *offset)
{
    struct perf_queue *queue = &data->queue;
    const struct perf_queued *entry;
    const uint8_t *record;
    for (;;) {
        if (queue->head == queue->deliver_end) {
            compact(queue);
            return NULL;
        }
        prefetch(data);
        entry = &queue->entries[queue->head++];
        if (!(entry->ref & PERF_REF_SAMPLE) || !is_skipped(data, data->n_sample_records))
            break;
        data->n_sample_records++;
        queue->last_delivered = entry->time;
    }
    record = (const uint8_t *)(uintptr_t)(entry->ref & PERF_REF_MASK);
    *event = (uint32_t)((entry->ref & ~PERF_REF_SAMPLE) >> PERF_REF_BITS);
    *offset = offset_of(data, record);
    queue->last_delivered = entry->time;
    return record;
}

void perf_queue_done(struct perf_data *data, const uint8_t *record)
{
    release(data, record);
}

static void free_blocks(struct perf_block *block)
{
    while (block) {
        struct perf_block *next = block->next;
        free(block);
        block = next;
    }
}

void perf_queue_free(struct perf_data *data)
{
    free(data->queue.entries);
    free(data->queue.spare);
    free_blocks(data->blocks);
    free_blocks(data->free_blocks);
}
