/* SPDX-License-Identifier: Apache-2.0 */
/* AUX data of Arm SPE while they are read: queues of buffers, their order, whose they are. Shared by perf_aux.c and
 * perf_spe.c only. */
#ifndef HOSTED_IO_PERF_AUX_H
#define HOSTED_IO_PERF_AUX_H

#include <slotledger/spe.h>

#include "perf_internal.h"

/* One AUXTRACE record's payload. */
struct aux_buffer {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t offset; /* in the file */
    struct aux_buffer *next;
};

/* The stream of one CPU or thread. */
struct aux_queue {
    uint32_t number;
    int32_t first_tid, first_cpu; /* of its first buffer */
    struct aux_buffer *buffers, **tail, *current;
    struct sl_spe_decoder decoder;
    bool is_started, has_record, is_ended;
    int32_t pid, tid, cpu;
    struct perf_thread *thread;
    uint64_t time; /* of the newest record, in ticks */
};

struct heap_item {
    uint64_t time;
    struct aux_queue *queue;
};

/* What the samples between two records come from. */
enum run_state { RUN_IDLE, RUN_PICK, RUN_QUEUE };

struct perf_spe {
    const struct sl_spe_family *family;
    struct aux_queue **queues; /* sorted by number */
    size_t n_queues, queues_capacity;
    bool has_new_queues, is_indexed, timeless, context_seen;
    struct heap_item *heap;
    size_t n_heap, heap_capacity;
    int32_t *tid_of_cpu; /* -1: not known */
    size_t n_cpus;
    uint32_t event; /* index of the "memory" event; PERF_NO_EVENT: none */
    enum run_state state;
    uint64_t until; /* samples older than this many ticks are due */
    struct aux_queue *running;
    uint64_t limit;
    size_t next_timeless;
    int32_t timeless_tid; /* -1: all */
};

/* The queue of this number, made when there is none. */
struct aux_queue *aux_queue_get(struct perf_data *data, uint32_t number);
/* Decodes the queue's next record, whole or broken. false: there is none (now). */
bool aux_queue_next(struct perf_data *data, struct aux_queue *queue);

/* Nanoseconds of the records beside and ticks of SPE. */
uint64_t aux_ticks(const struct perf_data *data, uint64_t ns);
uint64_t aux_ns(const struct perf_data *data, uint64_t ticks);

/* Queues by time; equal times in perf's order, which its two sifts make. */
void aux_heap_push(struct perf_spe *spe, struct aux_queue *queue, uint64_t time);
void aux_heap_pop(struct perf_spe *spe);

/* The task that runs on a CPU; -1: not known. */
int32_t aux_current_tid(const struct perf_spe *spe, int32_t cpu);
void aux_set_current_tid(struct perf_data *data, int32_t cpu, int32_t tid);

#endif
