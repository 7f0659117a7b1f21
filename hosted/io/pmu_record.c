/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters of a command under Linux. */
#include "pmu_record.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The command's process before it becomes the command: it waits at `go`, and tells errno at `failed` if it cannot. */
struct child {
    pid_t pid;
    int go[2];
    int failed[2]; /* closed by exec */
};

static int open_system(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
    return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static _Noreturn void run_child(const struct child *child, char *const *argv)
{
    char byte;
    close(child->go[1]);
    close(child->failed[0]);
    /* No byte: the parent has given up. */
    if (read(child->go[0], &byte, 1) == 1) {
        int error;
        execvp(argv[0], argv);
        error = errno;
        if (write(child->failed[1], &error, sizeof error) != sizeof error)
            _exit(126);
    }
    _exit(127);
}

static bool start_child(struct child *child, char *const *argv, struct diag *diag)
{
    if (pipe2(child->go, O_CLOEXEC) || pipe2(child->failed, O_CLOEXEC)) {
        diag_say(diag, DIAG_ERROR, "pipe: %s", strerror(errno));
        return false;
    }
    fflush(NULL);
    child->pid = fork();
    if (child->pid < 0) {
        diag_say(diag, DIAG_ERROR, "fork: %s", strerror(errno));
        return false;
    }
    if (child->pid == 0)
        run_child(child, argv);
    close(child->go[0]);
    close(child->failed[1]);
    return true;
}

/* A group waits for the command's start as its leader does. */
static int open_counter(const struct pmu_run *run, struct pmu_counter *counter, pid_t pid, int leader)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = counter->type;
    attr.config = counter->config;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.disabled = leader < 0;
    attr.enable_on_exec = leader < 0;
    attr.inherit = 1;
    attr.exclude_kernel = run->user_only;
    attr.exclude_hv = run->user_only;
    return (run->open ? run->open : open_system)(&attr, pid, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static size_t open_group(const struct pmu_run *run, struct pmu_group *group, pid_t pid)
{
    size_t n = 0;
    int leader = -1;
    for (size_t i = 0; i < group->n_counters; i++) {
        struct pmu_counter *counter = &group->counters[i];
        counter->fd = open_counter(run, counter, pid, leader);
        counter->error = counter->fd < 0 ? errno : 0;
        leader = leader < 0 ? counter->fd : leader;
        n += counter->fd >= 0;
    }
    return n;
}

static void close_all(struct pmu_run *run)
{
    for (size_t g = 0; g < run->n_groups; g++) {
        for (size_t i = 0; i < run->groups[g].n_counters; i++) {
            struct pmu_counter *counter = &run->groups[g].counters[i];
            if (counter->fd >= 0)
                close(counter->fd);
            counter->fd = -1;
        }
    }
}

/* The first error, for the message: that of permission before all others. */
static int first_error(const struct pmu_run *run)
{
    int error = 0;
    for (size_t g = 0; g < run->n_groups; g++) {
        for (size_t i = 0; i < run->groups[g].n_counters; i++) {
            int next = run->groups[g].counters[i].error;
            if (next == EACCES || next == EPERM)
                return next;
            error = error ? error : next;
        }
    }
    return error;
}

static size_t open_all(struct pmu_run *run, pid_t pid)
{
    size_t n = 0;
    for (size_t g = 0; g < run->n_groups; g++)
        n += open_group(run, &run->groups[g], pid);
    return n;
}

static void refused(int error, struct diag *diag)
{
    if (error == EACCES || error == EPERM)
        diag_raw_error(
            diag,
            "slotledger: perf_event_open: %s: set /proc/sys/kernel/perf_event_paranoid to 2 or less, or be root\n",
            strerror(error));
    else if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENOSYS)
        diag_raw_error(diag,
                       "slotledger: perf_event_open: %s: this machine offers no hardware counters (a virtual machine "
                       "needs a virtual PMU)\n",
                       strerror(error));
    else
        diag_raw_error(diag, "slotledger: perf_event_open: %s\n", strerror(error));
}

/* With the kernel, or where that is not permitted without. */
static bool open_permitted(struct pmu_run *run, pid_t pid, struct diag *diag)
{
    int error;
    run->user_only = false;
    if (open_all(run, pid) > 0 && first_error(run) != EACCES)
        return true;
    error = first_error(run);
    close_all(run);
    if (error == EACCES || error == EPERM) {
        run->user_only = true;
        if (open_all(run, pid) > 0)
            return true;
        error = first_error(run);
        close_all(run);
    }
    refused(error, diag);
    return false;
}

static void read_all(struct pmu_run *run)
{
    for (size_t g = 0; g < run->n_groups; g++) {
        for (size_t i = 0; i < run->groups[g].n_counters; i++) {
            struct pmu_counter *counter = &run->groups[g].counters[i];
            uint64_t data[3];
            if (counter->fd < 0)
                continue;
            if (read(counter->fd, data, sizeof data) != sizeof data) {
                counter->error = EIO;
                continue;
            }
            counter->value = data[0];
            counter->enabled_ns = data[1];
            counter->running_ns = data[2];
        }
    }
}

/* The command runs; an interrupt from the terminal is for it, not for us. */
static bool run_counted(struct pmu_run *run, struct child *child, const char *name, struct diag *diag)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    int error = 0;
    ssize_t got;
    sigaction(SIGINT, &ignore, &before);
    run->start_ns = now_ns();
    if (write(child->go[1], "", 1) != 1)
        error = errno;
    got = read(child->failed[0], &error, sizeof error);
    while (waitpid(child->pid, &run->wait_status, 0) < 0 && errno == EINTR)
        ;
    run->stop_ns = now_ns();
    sigaction(SIGINT, &before, NULL);
    if (got > 0 || error) {
        diag_raw_error(diag, "slotledger: %s: %s\n", name, strerror(error));
        return false;
    }
    read_all(run);
    return true;
}

bool pmu_record(struct pmu_run *run, char *const *argv, struct diag *diag)
{
    struct child child = {.go = {-1, -1}, .failed = {-1, -1}};
    bool ok;
    for (size_t g = 0; g < run->n_groups; g++) {
        for (size_t i = 0; i < run->groups[g].n_counters; i++)
            run->groups[g].counters[i].fd = -1;
    }
    if (!start_child(&child, argv, diag))
        return false;
    ok = open_permitted(run, child.pid, diag);
    if (ok) {
        ok = run_counted(run, &child, argv[0], diag);
        close(child.go[1]);
    } else {
        close(child.go[1]);
        while (waitpid(child.pid, &run->wait_status, 0) < 0 && errno == EINTR)
            ;
    }
    close(child.failed[0]);
    close_all(run);
    return ok;
}
