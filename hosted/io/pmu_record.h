/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters of a command under Linux: perf_event_open(2), groups that take turns when they do not fit. */
#ifndef HOSTED_IO_PMU_RECORD_H
#define HOSTED_IO_PMU_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "diag.h"

struct perf_event_attr;

/* perf_event_open(2): a file descriptor, or -1 and errno. */
typedef int pmu_open_fn(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);

struct pmu_counter {
    uint32_t type; /* PERF_TYPE_RAW and the like */
    uint64_t config;
    /* Out. */
    int fd;
    int error; /* errno of what failed; 0 */
    uint64_t value;
    uint64_t enabled_ns, running_ns; /* of the command's threads together */
};

/* Counted at the same time; the first one leads. */
struct pmu_group {
    struct pmu_counter *counters;
    size_t n_counters;
};

struct pmu_run {
    struct pmu_group *groups;
    size_t n_groups;
    pmu_open_fn *open; /* NULL: the system call */
    /* Out. */
    bool user_only;             /* the kernel may not be counted */
    uint64_t start_ns, stop_ns; /* CLOCK_MONOTONIC */
    int wait_status;            /* of the command, as waitpid gives it */
};

/* Runs the command with all groups counting it and its children. false: reported, nothing was counted: no counter could
 * be opened (the command was not run then), or the command does not start. */
bool pmu_record(struct pmu_run *run, char *const *argv, struct diag *diag);

#endif
