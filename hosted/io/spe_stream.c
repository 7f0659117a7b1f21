/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of SPE buffers, merged by time. */
#include "spe_stream.h"

#include <stdlib.h>
#include <string.h>

#include "pool.h"
#include "spe_heap.h"

#define MAX_QUEUES 65536u
#define MAX_CPUS   65536u
/* Bytes are given back in pieces of this size. */
#define RELEASE_BYTES ((size_t)1 << 20)

struct buffer {
    const uint8_t *bytes;
    size_t len;
    uint64_t address;
};

struct queue {
    uint32_t number;
    uint32_t cpu; /* of the first buffer */
    uint32_t tid;
    uint32_t now_pid, now_tid, now_cpu; /* that samples get */
    struct buffer *buffers;
    size_t n_buffers, capacity, next_buffer;
    const uint8_t *held; /* start of what is not released */
    struct sl_spe_decoder decoder;
    struct sl_spe_record pending; /* without times: the last record; otherwise it stays in the decoder */
    uint64_t time;                /* ticks */
    bool started;
    bool has_pending;
};

struct spe_stream {
    struct spe_stream_config config;
    struct queue **queues; /* by number */
    size_t n_queues, capacity;
    struct spe_heap heap;
    uint32_t *running; /* [n_running] tid by CPU; SL_MEM_NO_ID: not known */
    size_t n_running;
    struct spe_unknown unknown;
    struct pool pool; /* holds the queues and this struct */
    bool has_new;
    bool has_context;
    bool failed;
};

struct spe_stream *spe_stream_new(const struct spe_stream_config *config)
{
    struct pool pool = {NULL, 0};
    struct spe_stream *s = pool_take(&pool, sizeof *s);

    s->pool = pool;
    s->config = *config;
    if (s->config.clock.mult == 0)
        s->config.clock = (struct spe_clock){.mult = 1};
    s->config.clock.shift &= 63;
    return s;
}

void spe_stream_free(struct spe_stream *stream)
{
    struct pool pool;

    if (!stream)
        return;
    for (size_t i = 0; i < stream->n_queues; i++)
        free(stream->queues[i]->buffers);
    free(stream->queues);
    spe_heap_free(&stream->heap);
    free(stream->running);
    pool = stream->pool;
    pool_free(&pool);
}

/* ---- queues ----------------------------------------------------------------------------------------------------- */

/* Position of the queue with this number, or where it belongs. */
static size_t queue_position(const struct spe_stream *s, uint32_t number)
{
    size_t low = 0, high = s->n_queues;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->queues[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct queue *queue_new(struct spe_stream *s, size_t at, uint32_t number, uint32_t cpu, uint32_t tid)
{
    const struct sl_spe_config config = {.drop_broken = s->config.drop_broken,
                                         .sve_other_is_load = s->config.sve_other_is_load};
    struct queue *q = pool_take(&s->pool, sizeof *q);

    q->number = number;
    q->cpu = cpu;
    q->tid = tid;
    q->now_pid = q->now_tid = SL_MEM_NO_ID;
    q->now_cpu = cpu;
    sl_spe_init(&q->decoder, &config);
    s->queues = array_grow(s->queues, s->n_queues, &s->capacity, sizeof(struct queue *));
    memmove(s->queues + at + 1, s->queues + at, (s->n_queues - at) * sizeof(struct queue *));
    s->queues[at] = q;
    s->n_queues++;
    return q;
}

bool spe_stream_add(struct spe_stream *stream, uint32_t queue, uint32_t cpu, uint32_t tid, const uint8_t *bytes,
                    size_t len, uint64_t address)
{
    size_t at = queue_position(stream, queue);
    struct queue *q = at < stream->n_queues && stream->queues[at]->number == queue ? stream->queues[at] : NULL;

    if (!q && stream->n_queues >= MAX_QUEUES)
        return false;
    if (!q)
        q = queue_new(stream, at, queue, cpu, tid);
    q->buffers = array_grow(q->buffers, q->n_buffers, &q->capacity, sizeof *q->buffers);
    q->buffers[q->n_buffers++] = (struct buffer){bytes, len, address};
    stream->has_new = true;
    return true;
}

static void release(const struct spe_stream *s, struct queue *q, const uint8_t *up_to, size_t at_least)
{
    if (s->config.ops->release && q->held && (size_t)(up_to - q->held) >= at_least && up_to != q->held) {
        s->config.ops->release(s->config.user, q->held, (size_t)(up_to - q->held));
        q->held = up_to;
    }
}

/* The next record, broken or not, into the decoder's; false: no more. */
static bool queue_read(const struct spe_stream *s, struct queue *q)
{
    while (!sl_spe_next(&q->decoder)) {
        if (q->next_buffer == q->n_buffers) {
            release(s, q, q->decoder.next, 1);
            return false;
        }
        release(s, q, q->decoder.next, 1);
        const struct buffer *b = &q->buffers[q->next_buffer++];
        q->decoder.address = b->address;
        sl_spe_feed(&q->decoder, b->bytes, b->len);
        q->held = b->bytes;
    }
    release(s, q, q->decoder.next, RELEASE_BYTES);
    return true;
}

/* New queues enter the heap with the time of their first good record. */
static void start_queues(struct spe_stream *s)
{
    if (!s->has_new)
        return;
    s->has_new = false;
    for (size_t i = 0; i < s->n_queues; i++) {
        struct queue *q = s->queues[i];
        if (q->started)
            continue;
        q->started = true;
        if (s->config.timeless)
            continue;
        do {
            q->has_pending = queue_read(s, q);
        } while (q->has_pending && q->decoder.record.has & SL_SPE_BROKEN);
        if (q->has_pending) {
            q->time = q->decoder.record.timestamp;
            spe_heap_add(&s->heap, q, q->time);
        }
    }
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

static void set_running(struct spe_stream *s, uint32_t cpu, uint32_t tid)
{
    if (cpu >= MAX_CPUS)
        return;
    if (cpu >= s->n_running) {
        size_t n = s->n_running, capacity = n;
        while (capacity <= cpu)
            s->running = array_grow(s->running, capacity, &capacity, sizeof *s->running);
        memset(s->running + n, 0xff, (capacity - n) * sizeof *s->running);
        s->n_running = capacity;
    }
    s->running[cpu] = tid;
}

/* Whom the queue's samples belong to now. */
static void refresh_thread(struct spe_stream *s, struct queue *q)
{
    uint32_t tid = q->now_cpu < s->n_running ? s->running[q->now_cpu] : SL_MEM_NO_ID, cpu = q->now_cpu;

    q->now_tid = tid != SL_MEM_NO_ID ? tid : q->tid;
    if (q->now_tid != SL_MEM_NO_ID && s->config.ops->find_thread(s->config.user, q->now_tid, &q->now_pid, &cpu) &&
        q->cpu == SL_MEM_NO_CPU)
        q->now_cpu = cpu;
}

static bool take_context(struct spe_stream *s, struct queue *q, const struct sl_spe_record *record)
{
    if (q->now_cpu == SL_MEM_NO_CPU && !s->config.any_thread_context) {
        s->failed = true;
        return false;
    }
    set_running(s, q->now_cpu, record->context);
    s->config.ops->thread_runs(s->config.user, SL_MEM_NO_ID, record->context, q->now_cpu);
    refresh_thread(s, q);
    s->has_context = true;
    return true;
}

void spe_stream_switch(struct spe_stream *stream, uint32_t cpu, uint32_t pid, uint32_t tid)
{
    if (stream->has_context)
        return;
    set_running(stream, cpu, tid);
    stream->config.ops->thread_runs(stream->config.user, pid, tid, cpu);
}

/* ---- samples ---------------------------------------------------------------------------------------------------- */

static void count_unknown(struct spe_unknown *u, uint16_t source)
{
    unsigned i = 0;

    u->samples++;
    while (i < u->n && u->of[i].source != source)
        i++;
    if (i == SPE_UNKNOWN_SOURCES) {
        u->other++;
        return;
    }
    if (i == u->n) {
        u->of[i].source = source;
        u->of[i].samples = 0;
        u->n++;
    }
    u->of[i].samples++;
}

static void emit(struct spe_stream *s, const struct queue *q, const struct sl_spe_record *record)
{
    struct sl_mem_sample sample;

    if (!sl_spe_sample(record, s->config.family, s->config.kernel_start, &sample))
        return;
    sample.cpu = q->now_cpu;
    sample.pid = q->now_pid;
    sample.tid = q->now_tid;
    sample.time = spe_clock_ns(&s->config.clock, record->timestamp);
    if (sample.flags & SL_MEM_FLAG_UNKNOWN_SOURCE)
        count_unknown(&s->unknown, record->source);
    s->config.ops->sample(s->config.user, &sample, record);
}

/* Samples of one queue up to the first record at or behind `limit`, which stays pending (put back into the heap). The
 * thread of a context that repeats is looked up once: side-band events come between calls only. */
static bool run_queue(struct spe_stream *s, struct queue *q, uint64_t limit)
{
    const struct sl_spe_record *record = &q->decoder.record;
    bool has_looked_up = false;
    uint32_t context = 0;

    for (;;) {
        if (q->has_pending) {
            if (record->has & SL_SPE_HAS_CONTEXT && !(has_looked_up && context == record->context)) {
                if (!take_context(s, q, record))
                    return false;
                has_looked_up = true;
                context = record->context;
            }
            emit(s, q, record);
        }
        q->has_pending = queue_read(s, q);
        if (!q->has_pending)
            return true;
        if (record->has & SL_SPE_BROKEN) /* goes out without a look at the time */
            continue;
        if (record->timestamp > q->time)
            q->time = record->timestamp;
        if (q->time >= limit) {
            spe_heap_add(&s->heap, q, q->time);
            return true;
        }
    }
}

static bool run_ordered(struct spe_stream *s, uint64_t ticks)
{
    while (s->heap.n && s->heap.items[0].time < ticks) {
        struct queue *q = spe_heap_take(&s->heap);
        uint64_t limit = ticks;

        if (s->heap.n && s->heap.items[0].time + 1 < ticks)
            limit = s->heap.items[0].time + 1;
        if (!s->has_context)
            refresh_thread(s, q);
        if (!run_queue(s, q, limit))
            return false;
    }
    return true;
}

/* Without times. The last record stays pending: perf gives its sample once more when the queue is run again. */
static void run_timeless(struct spe_stream *s, bool all, uint32_t tid)
{
    for (size_t i = 0; i < s->n_queues; i++) {
        struct queue *q = s->queues[i];
        if (!q->started || (!all && q->now_tid != tid))
            continue;
        refresh_thread(s, q);
        if (q->has_pending)
            emit(s, q, &q->pending);
        while (queue_read(s, q)) {
            q->pending = q->decoder.record;
            q->has_pending = true;
            emit(s, q, &q->pending);
        }
    }
}

bool spe_stream_advance(struct spe_stream *stream, uint64_t ns)
{
    uint64_t ticks = ns && ns != UINT64_MAX ? spe_clock_ticks(&stream->config.clock, ns) : 0;

    if (stream->failed)
        return false;
    if (ticks || stream->config.timeless)
        start_queues(stream);
    return !ticks || stream->config.timeless || run_ordered(stream, ticks);
}

bool spe_stream_exit(struct spe_stream *stream, uint32_t tid)
{
    if (stream->config.timeless && !stream->failed)
        run_timeless(stream, tid == SL_MEM_NO_ID, tid);
    return !stream->failed;
}

bool spe_stream_finish(struct spe_stream *stream)
{
    if (stream->failed)
        return false;
    start_queues(stream);
    if (stream->config.timeless)
        run_timeless(stream, true, 0);
    else if (!run_ordered(stream, UINT64_MAX))
        return false;
    for (size_t i = 0; i < stream->n_queues; i++)
        sl_spe_finish(&stream->queues[i]->decoder);
    return true;
}

bool spe_stream_has_context(const struct spe_stream *stream)
{
    return stream->has_context;
}

void spe_stream_counts(const struct spe_stream *stream, struct sl_spe_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < stream->n_queues; i++) {
        const struct sl_spe_counts *c = &stream->queues[i]->decoder.counts;
        counts->bytes += c->bytes;
        counts->records += c->records;
        counts->broken_records += c->broken_records;
        counts->bad_bytes += c->bad_bytes;
        counts->reserved_packets += c->reserved_packets;
        counts->cut_records += c->cut_records;
        counts->alignments += c->alignments;
    }
}

uint64_t spe_stream_unread_bytes(const struct spe_stream *stream)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < stream->n_queues; i++) {
        const struct queue *q = stream->queues[i];
        bytes += q->next_buffer ? (uint64_t)(q->decoder.end - q->decoder.next) : 0;
        for (size_t k = q->next_buffer; k < q->n_buffers; k++)
            bytes += q->buffers[k].len;
    }
    return bytes;
}

const struct spe_unknown *spe_stream_unknown(const struct spe_stream *stream)
{
    return &stream->unknown;
}
