/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of AUX buffers, their order by time, and the tasks that run on CPUs. */
#include "perf_aux.h"

#include <string.h>

struct aux_queue *aux_queue_get(struct perf_data *data, uint32_t number)
{
    struct perf_spe *spe = data->spe;
    size_t at = spe->n_queues;
    struct aux_queue *queue;
    while (at && spe->queues[at - 1]->number > number)
        at--;
    if (at && spe->queues[at - 1]->number == number)
        return spe->queues[at - 1];
    queue = pool_take(&data->pool, sizeof *queue);
    queue->number = number;
    queue->tail = &queue->buffers;
    queue->pid = queue->tid = queue->cpu = -1;
    queue->first_tid = queue->first_cpu = -1;
    spe->queues = array_grow(spe->queues, spe->n_queues, &spe->queues_capacity, sizeof(struct aux_queue *));
    memmove(spe->queues + at + 1, spe->queues + at, (spe->n_queues - at) * sizeof(struct aux_queue *));
    spe->queues[at] = queue;
    spe->n_queues++;
    return queue;
}

/* ---- time; all arithmetic is modulo 2^64, as in perf ---- */

/* Nanoseconds of the records beside to ticks. */
uint64_t aux_ticks(const struct perf_data *data, uint64_t ns)
{
    uint64_t shift = data->time_conv[0] & 63u;
    uint64_t mult = data->has_time_conv && data->time_conv[1] ? data->time_conv[1] : 1;
    uint64_t t = ns - data->time_conv[2];
    uint64_t whole = t / mult, rest = t % mult;
    return (whole << shift) + (rest << shift) / mult;
}

uint64_t aux_ns(const struct perf_data *data, uint64_t ticks)
{
    uint64_t shift = data->time_conv[0] & 63u, mult = data->has_time_conv ? data->time_conv[1] : 1;
    uint64_t cycles = data->time_conv[3];
    if (data->time_conv_wraps)
        ticks = cycles + ((ticks - cycles) & data->time_conv[4]);
    return data->time_conv[2] + (ticks >> shift) * mult + ((ticks & (((uint64_t)1 << shift) - 1)) * mult >> shift);
}

/* ---- heap ---- */

void aux_heap_push(struct perf_spe *spe, struct aux_queue *queue, uint64_t time)
{
    size_t at = spe->n_heap;
    spe->heap = array_grow(spe->heap, spe->n_heap, &spe->heap_capacity, sizeof *spe->heap);
    spe->n_heap++;
    while (at && spe->heap[(at - 1) / 2].time > time) {
        spe->heap[at] = spe->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    spe->heap[at] = (struct heap_item){time, queue};
}

/* The hole at the top goes down along the earlier children; then the last item rises from it. */
void aux_heap_pop(struct perf_spe *spe)
{
    struct heap_item *heap = spe->heap;
    size_t n = spe->n_heap, at = 0;
    struct heap_item last = heap[n - 1];
    spe->n_heap--;
    while (2 * at + 1 < n) {
        size_t left = 2 * at + 1, right = left + 1;
        if (right >= n) {
            heap[at] = heap[left];
            return;
        }
        left = heap[left].time < heap[right].time ? left : right;
        heap[at] = heap[left];
        at = left;
    }
    while (at && heap[(at - 1) / 2].time > last.time) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = last;
}

/* ---- decoding ---- */

/* The queue's next record, whole or broken. false: there is none (now). */
bool aux_queue_next(struct perf_data *data, struct aux_queue *queue)
{
    while (!sl_spe_next(&queue->decoder)) {
        struct aux_buffer *next = queue->current ? queue->current->next : queue->buffers;
        if (!next)
            return false;
        if (queue->current)
            perf_input_trim(data, queue->current->size);
        queue->current = next;
        /* Alignment is that of the file's offsets. */
        queue->decoder.address = next->offset;
        sl_spe_feed(&queue->decoder, next->bytes, (size_t)next->size);
    }
    return true;
}

/* ---- tasks ---- */

int32_t aux_current_tid(const struct perf_spe *spe, int32_t cpu)
{
    return cpu >= 0 && (size_t)cpu < spe->n_cpus ? spe->tid_of_cpu[cpu] : -1;
}

#define MAX_CPUS 65536

void aux_set_current_tid(struct perf_data *data, int32_t cpu, int32_t tid)
{
    struct perf_spe *spe = data->spe;
    if (cpu < 0 || cpu >= MAX_CPUS)
        return;
    while ((size_t)cpu >= spe->n_cpus) {
        size_t n = spe->n_cpus ? spe->n_cpus * 2 : 64;
        int32_t *larger = pool_take(&data->pool, n * sizeof *larger);
        for (size_t i = 0; i < n; i++)
            larger[i] = i < spe->n_cpus ? spe->tid_of_cpu[i] : -1;
        spe->tid_of_cpu = larger;
        spe->n_cpus = n;
    }
    spe->tid_of_cpu[cpu] = tid;
}
