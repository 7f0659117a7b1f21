/* SPDX-License-Identifier: Apache-2.0 */
/* The SPE buffers of a recording -> memory samples in the order in which perf 6.1 delivers them.
 *
 * Each core (or thread) has a queue of buffers. Records of all queues are merged by timestamp, against the side-band
 * events that the caller delivers: before an event of time T, spe_stream_advance(T) gives the samples that are older.
 */
#ifndef HOSTED_IO_SPE_STREAM_H
#define HOSTED_IO_SPE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include <slotledger/spe.h>

#include "spe_clock.h"

/* What the stream needs of its owner. */
struct spe_stream_ops {
    /* Thread `tid` runs on `cpu` from here on; pid is SL_MEM_NO_ID when a context packet tells it. */
    void (*thread_runs)(void *user, uint32_t pid, uint32_t tid, uint32_t cpu);
    /* Process and last CPU of a thread that is known already. */
    bool (*find_thread)(void *user, uint32_t tid, uint32_t *pid, uint32_t *cpu);
    /* raw: the record it was made from. */
    void (*sample)(void *user, const struct sl_mem_sample *sample, const struct sl_spe_record *record);
    /* These bytes are not needed any more (NULL: nobody wants to know). */
    void (*release)(void *user, const uint8_t *bytes, size_t len);
};

struct spe_stream_config {
    const struct sl_spe_family *family;
    struct spe_clock clock; /* mult 0: ticks are nanoseconds */
    uint64_t kernel_start;  /* see sl_spe_sample() */
    bool timeless;          /* no event has a time: queues are read one after the other */
    bool sve_other_is_load; /* see struct sl_spe_config */
    bool drop_broken;
    bool any_thread_context; /* contexts in buffers without a CPU are accepted; perf gives up */
    const struct spe_stream_ops *ops;
    void *user;
};

#define SPE_UNKNOWN_SOURCES 16u

/* Data sources that the processor's family does not explain. */
struct spe_unknown {
    uint64_t samples; /* in all */
    uint64_t other;   /* of values beyond the list */
    unsigned n;
    struct {
        uint16_t source;
        uint64_t samples;
    } of[SPE_UNKNOWN_SOURCES]; /* in order of appearance */
};

struct spe_stream;

struct spe_stream *spe_stream_new(const struct spe_stream_config *config);
void spe_stream_free(struct spe_stream *stream);

/* One buffer; its bytes stay the caller's, until released. cpu, tid: SL_MEM_NO_CPU, SL_MEM_NO_ID where there is none;
 * those of a queue's first buffer count. address: where the buffer lay, for alignment packets. false: too many queues.
 */
bool spe_stream_add(struct spe_stream *stream, uint32_t queue, uint32_t cpu, uint32_t tid, const uint8_t *bytes,
                    size_t len, uint64_t address);
/* Samples older than `ns`; 0: nothing. false: a context packet in a buffer without a CPU (now or before). */
bool spe_stream_advance(struct spe_stream *stream, uint64_t ns) SL_MUST_CHECK;
/* A switch away from a thread: pid, tid run on `cpu` now. Ignored once there were context packets. */
void spe_stream_switch(struct spe_stream *stream, uint32_t cpu, uint32_t pid, uint32_t tid);
/* Thread `tid` has ended: without times, its buffers are read now. */
bool spe_stream_exit(struct spe_stream *stream, uint32_t tid) SL_MUST_CHECK;
/* All that is left. */
bool spe_stream_finish(struct spe_stream *stream) SL_MUST_CHECK;

/* Whether a context packet was seen. */
bool spe_stream_has_context(const struct spe_stream *stream);
/* Sums over all queues. */
void spe_stream_counts(const struct spe_stream *stream, struct sl_spe_counts *counts);
/* Bytes that were not read: buffers that came when their queue was done, records of the last possible time. */
uint64_t spe_stream_unread_bytes(const struct spe_stream *stream);
const struct spe_unknown *spe_stream_unknown(const struct spe_stream *stream);

#endif
