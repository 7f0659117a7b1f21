/* SPDX-License-Identifier: Apache-2.0 */
/* AUX data of Arm SPE in a recording: buffers of several CPUs, merged by time with the records beside them. */
#include <slotledger/spe.h>
#include <stdlib.h>
#include <string.h>

#include "perf_aux.h"

#define HEADER_BYTES       8u
#define INFO_TYPE_SPE      4u
#define AUXTRACE_MIN_BYTES 48u
#define MEMORY_ID_DISTANCE 1000000000u

/* ---- queues ---- */

static void add_buffer(struct perf_data *data, const uint8_t *record, const uint8_t *bytes, uint64_t size,
                       uint64_t offset)
{
    const uint8_t *body = record + HEADER_BYTES;
    struct aux_queue *queue = aux_queue_get(data, perf_u32(data->swap, body + 24));
    struct aux_buffer *buffer = pool_take(&data->pool, sizeof *buffer);
    if (!queue->buffers) {
        queue->first_tid = (int32_t)perf_u32(data->swap, body + 28);
        queue->first_cpu = (int32_t)perf_u32(data->swap, body + 32);
    }
    buffer->bytes = bytes;
    buffer->size = size;
    buffer->offset = offset;
    *queue->tail = buffer;
    queue->tail = &buffer->next;
    data->spe->has_new_queues = true;
}

bool perf_spe_buffer(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    uint64_t len;
    const uint8_t *bytes;
    uint8_t head[AUXTRACE_MIN_BYTES];
    if (size < AUXTRACE_MIN_BYTES)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "an AUX record of %zu bytes is cut", size);
    /* Reading on may move a stream's buffer. */
    memcpy(head, record, sizeof head);
    len = perf_u64(data->swap, head + HEADER_BYTES);
    bytes = perf_input_payload(data, len, offset);
    if (!bytes)
        return false;
    if (data->spe && !data->spe->is_indexed)
        add_buffer(data, head, bytes, len, offset + size);
    return true;
}

/* The index names all AUX records of the file beforehand. */
static bool read_index(struct perf_data *data)
{
    for (uint64_t i = 0; i < data->n_aux_index; i++) {
        uint64_t at = data->aux_index[i][0], len;
        const uint8_t *record = data->map + at;
        size_t size;
        if (!data->map || at > data->map_size || data->map_size - at < AUXTRACE_MIN_BYTES)
            return perf_fail(data, PERF_EXIT_INVALID, at, "the AUX index names what lies behind the file");
        size = perf_u16(data->swap, record + 6);
        len = perf_u64(data->swap, record + HEADER_BYTES);
        if (perf_u32(data->swap, record) != PERF_REC_AUXTRACE || size < AUXTRACE_MIN_BYTES ||
            len > data->map_size - at || size > data->map_size - at - len)
            return perf_fail(data, PERF_EXIT_INVALID, at, "the AUX index names what is no AUX record");
        add_buffer(data, record, record + size, len, at + size);
    }
    data->spe->is_indexed = data->n_aux_index > 0;
    return true;
}

/* ---- the synthesised event ---- */

static void add_event(struct perf_data *data, uint64_t pmu_type)
{
    uint32_t source = 0, index = data->info.n_events;
    struct perf_event *event;
    uint64_t *id;
    while (source < index && data->events[source].type != pmu_type)
        source++;
    if (source == index)
        return;
    id = pool_take(&data->pool, sizeof *id);
    *id = (data->events[source].n_ids ? data->events[source].ids[0] : 0) + MEMORY_ID_DISTANCE;
    data->events = array_grow(data->events, index, &data->events_capacity, sizeof *data->events);
    data->states = array_grow(data->states, index, &data->states_capacity, sizeof *data->states);
    event = &data->events[index];
    *event = (struct perf_event){.name = "memory",
                                 .sample_type = data->events[source].sample_type,
                                 .flags = data->events[source].flags & PERF_A_SAMPLE_ID_ALL,
                                 .ids = id,
                                 .n_ids = 1};
    data->states[index] = (struct perf_event_state){0};
    data->info.n_events++;
    data->info.events = data->events;
    perf_event_layout(data, index);
    perf_event_add_id(data, *id, index);
    data->spe->event = index;
}

bool perf_spe_info(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset)
{
    const uint8_t *body = record + HEADER_BYTES;
    struct perf_spe *spe;
    if (size < HEADER_BYTES + 8)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "an AUX information record of %zu bytes is cut", size);
    if (perf_u32(data->swap, body) != INFO_TYPE_SPE || data->spe)
        return true;
    if (size < HEADER_BYTES + 24)
        return perf_fail(data, PERF_EXIT_INVALID, offset, "an SPE information record of %zu bytes is cut", size);
    spe = pool_take(&data->pool, sizeof *spe);
    spe->event = PERF_NO_EVENT;
    spe->family = sl_spe_family(data->info.cpuid ? strtoull(data->info.cpuid, NULL, 16) : 0,
                                data->options.newer_sources ? SL_SPE_EDITION_CURRENT : SL_SPE_EDITION_PERF_6_1);
    spe->timeless = true;
    for (uint32_t i = 0; i < data->info.n_events; i++)
        spe->timeless = spe->timeless && !(data->events[i].sample_type & PERF_S_TIME);
    data->spe = spe;
    data->n_skip = 0; /* the order of AUX data depends on every record */
    add_event(data, perf_u64(data->swap, body + 8));
    return read_index(data);
}

/* ---- decoding ---- */

static void start_queues(struct perf_data *data)
{
    struct perf_spe *spe = data->spe;
    struct sl_spe_config config = {.sve_other_is_load = !data->options.newer_sources};
    if (!spe->has_new_queues)
        return;
    spe->has_new_queues = false;
    for (size_t i = 0; i < spe->n_queues; i++) {
        struct aux_queue *queue = spe->queues[i];
        if (queue->is_started)
            continue;
        queue->is_started = true;
        sl_spe_init(&queue->decoder, &config);
        queue->cpu = queue->first_cpu;
        if (spe->timeless)
            continue;
        /* What is broken before the first whole record gives nothing. */
        do
            queue->has_record = aux_queue_next(data, queue);
        while (queue->has_record && queue->decoder.record.has & SL_SPE_BROKEN);
        if (!queue->has_record)
            continue;
        queue->time = queue->decoder.record.timestamp;
        aux_heap_push(spe, queue, queue->time);
    }
}

/* ---- whose samples they are ---- */

static void refresh_owner(struct perf_data *data, struct aux_queue *queue)
{
    int32_t tid = aux_current_tid(data->spe, queue->cpu);
    if (tid != -1) {
        queue->tid = tid;
        queue->thread = NULL;
    } else {
        queue->tid = queue->first_tid;
    }
    if (!queue->thread && queue->tid != -1)
        queue->thread = perf_thread_find(data, queue->tid);
    if (queue->thread) {
        queue->pid = queue->thread->pid;
        if (queue->first_cpu == -1)
            queue->cpu = queue->thread->cpu;
    }
}

static bool take_context(struct perf_data *data, struct aux_queue *queue)
{
    struct perf_spe *spe = data->spe;
    int32_t tid = (int32_t)queue->decoder.record.context;
    struct perf_thread *thread;
    if (spe->timeless || !(queue->decoder.record.has & SL_SPE_HAS_CONTEXT) || tid == -1)
        return true;
    if (queue->cpu < 0)
        return perf_fail(data, PERF_EXIT_INVALID, queue->current ? queue->current->offset : 0,
                         "context packets in AUX data of a thread");
    aux_set_current_tid(data, queue->cpu, tid);
    thread = perf_thread_get(data, -1, tid);
    thread->cpu = queue->cpu;
    refresh_owner(data, queue);
    spe->context_seen = true;
    return true;
}

/* 1: a sample; 0: the record is none; -1: reported. */
static int take_sample(struct perf_data *data, struct aux_queue *queue, struct perf_sample *sample)
{
    struct perf_spe *spe = data->spe;
    if (!take_context(data, queue))
        return -1;
    if (!sl_spe_sample(&queue->decoder.record, spe->family, data->machine.kernel_start, &sample->mem))
        return 0;
    if (spe->event == PERF_NO_EVENT) {
        data->losses.unknown_ids++;
        return 0;
    }
    sample->mem.pid = (uint32_t)queue->pid;
    sample->mem.tid = (uint32_t)queue->tid;
    sample->mem.cpu = (uint32_t)queue->cpu;
    sample->mem.event = spe->event;
    sample->mem.time = aux_ns(data, sample->mem.time);
    data->losses.n_samples++;
    perf_sample_resolve(data, sample);
    return 1;
}

/* Runs the queue up to its next sample. 1: a sample; 0: the queue has reached its limit or its end; -1: reported. */
static int run_queue(struct perf_data *data, struct aux_queue *queue, struct perf_sample *sample)
{
    struct perf_spe *spe = data->spe;
    int got = 0;
    while (!got) {
        if (queue->has_record)
            got = take_sample(data, queue, sample);
        if (got < 0)
            return -1;
        queue->has_record = aux_queue_next(data, queue);
        if (!queue->has_record) {
            spe->running = NULL;
            break;
        }
        if (queue->decoder.record.has & SL_SPE_BROKEN)
            continue;
        if (queue->decoder.record.timestamp > queue->time)
            queue->time = queue->decoder.record.timestamp;
        if (!spe->timeless && queue->time >= spe->limit) {
            aux_heap_push(spe, queue, queue->time);
            spe->running = NULL;
            break;
        }
    }
    return got;
}

/* Chooses the queue to run next. false: none is due. */
static bool pick_queue(struct perf_data *data)
{
    struct perf_spe *spe = data->spe;
    if (spe->timeless) {
        while (spe->next_timeless < spe->n_queues) {
            struct aux_queue *queue = spe->queues[spe->next_timeless++];
            if (!queue->is_started || (spe->timeless_tid != -1 && queue->tid != spe->timeless_tid))
                continue;
            refresh_owner(data, queue);
            spe->running = queue;
            return true;
        }
        return false;
    }
    if (!spe->n_heap || spe->heap[0].time >= spe->until)
        return false;
    spe->running = spe->heap[0].queue;
    aux_heap_pop(spe);
    spe->limit = spe->until;
    if (spe->n_heap && spe->heap[0].time + 1 < spe->limit)
        spe->limit = spe->heap[0].time + 1;
    if (!spe->context_seen)
        refresh_owner(data, spe->running);
    return true;
}

int perf_spe_next(struct perf_data *data, struct perf_sample *sample)
{
    struct perf_spe *spe = data->spe;
    while (spe->state != RUN_IDLE) {
        int got;
        if (!spe->running && !pick_queue(data)) {
            spe->state = RUN_IDLE;
            break;
        }
        got = run_queue(data, spe->running, sample);
        if (got)
            return got;
    }
    return 0;
}

/* ---- beside the records ---- */

static void end_of_stream(struct perf_data *data)
{
    struct perf_spe *spe = data->spe;
    start_queues(data);
    spe->state = RUN_PICK;
    spe->until = UINT64_MAX;
    spe->next_timeless = 0;
    spe->timeless_tid = -1;
}

bool perf_spe_before(struct perf_data *data, uint32_t type, uint32_t event, const uint8_t *record, size_t size)
{
    struct perf_spe *spe = data->spe;
    uint64_t time;
    if (type == PERF_REC_FINISHED_ROUND) {
        end_of_stream(data);
        return true;
    }
    if (spe->timeless) {
        start_queues(data);
        if (type == PERF_REC_EXIT && size >= HEADER_BYTES + 16) {
            spe->state = RUN_PICK;
            spe->next_timeless = 0;
            spe->timeless_tid = (int32_t)perf_u32(data->swap, record + HEADER_BYTES + 8);
        }
        return true;
    }
    if (!perf_event_time(data, event, record, size, &time) || !time || time == UINT64_MAX)
        return true;
    time = aux_ticks(data, time);
    if (!time)
        return true;
    start_queues(data);
    spe->until = time;
    spe->state = RUN_PICK;
    return true;
}

void perf_spe_after(struct perf_data *data, uint32_t type, uint32_t event, const uint8_t *record, size_t size)
{
    struct perf_spe *spe = data->spe;
    const uint8_t *body = record + HEADER_BYTES;
    struct perf_thread *thread;
    uint32_t cpu;
    int32_t pid, tid;
    if (spe->timeless || spe->context_seen || type != PERF_REC_SWITCH_CPU_WIDE || size < HEADER_BYTES + 8 ||
        !(perf_u16(data->swap, record + 4) & PERF_MISC_SWITCH_OUT))
        return;
    cpu = perf_event_trailer_cpu(data, event, record, size);
    pid = (int32_t)perf_u32(data->swap, body);
    tid = (int32_t)perf_u32(data->swap, body + 4);
    aux_set_current_tid(data, (int32_t)cpu, tid);
    thread = perf_thread_get(data, pid, tid);
    thread->cpu = (int32_t)cpu;
}

void perf_spe_free(struct perf_data *data)
{
    if (!data->spe)
        return;
    free(data->spe->queues);
    free(data->spe->heap);
}
