/* SPDX-License-Identifier: Apache-2.0 */
/* Samples events around a command, or on all CPUs, into a perf.data: perf_event_open(2), one ring buffer a CPU. */
#ifndef HOSTED_IO_PERF_RECORD_H
#define HOSTED_IO_PERF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "diag.h"

#define PERF_RECORD_EVENTS 8u

struct perf_record_event {
    const char *name;
    struct perf_event_attr attr; /* type, size, configurations, wished precision; the rest is filled in */
    bool leads_next;             /* the event behind is in its group */
};

struct perf_record_options {
    struct perf_record_event events[PERF_RECORD_EVENTS];
    unsigned n_events;
    const char *output; /* NULL: perf.data */
    uint64_t period;    /* 0: by frequency */
    uint64_t frequency; /* 0: 4000 */
    bool all_cpus;
    bool user_only, kernel_only;
    const char *const *command_line; /* for the header */
    unsigned n_command_line;
    char *const *command; /* NULL: until interrupted */
};

struct perf_record_result {
    uint64_t bytes, samples, lost;
    int wait_status; /* of the command */
    bool user_only;  /* the kernel could not be sampled */
};

/* false: reported; no file is left behind. */
bool perf_record(const struct perf_record_options *options, struct perf_record_result *result, struct diag *diag);

#endif
