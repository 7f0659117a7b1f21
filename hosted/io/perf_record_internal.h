/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the perf_record*.c files only. */
#ifndef HOSTED_IO_PERF_RECORD_INTERNAL_H
#define HOSTED_IO_PERF_RECORD_INTERNAL_H

#include <stdio.h>

#include "perf_record.h"
#include "pool.h"

/* One CPU's buffer: the kernel's page of positions, then the ring. */
struct ring {
    int cpu;
    struct perf_event_mmap_page *page;
    size_t bytes; /* of the ring */
};

struct recorder {
    const struct perf_record_options *options;
    struct diag *diag;
    FILE *file;
    const char *path;
    int *cpus;
    unsigned n_cpus;
    struct perf_event_attr attrs[PERF_RECORD_EVENTS]; /* as they were opened */
    int *fds;                                         /* [n_events][n_cpus] */
    uint64_t *ids;                                    /* likewise */
    struct ring *rings;
    uint64_t data_offset, data_bytes;
    uint64_t samples, lost, first_time, last_time;
    bool failed, user_only;
};

/* perf_record_file.c */
/* The place of header, ids and attributes; their contents come at the end. */
bool record_file_start(struct recorder *recorder);
void record_file_write(struct recorder *recorder, const void *bytes, size_t n);
/* What was there before the recording: the kernel's map, the processes when all CPUs are recorded, the command's name.
 */
void record_file_state(struct recorder *recorder, int command_pid);
void record_file_round(struct recorder *recorder);
bool record_file_end(struct recorder *recorder);

#endif
