/* SPDX-License-Identifier: Apache-2.0 */
/* Samples events around a command, or on all CPUs, into a perf.data. */
#include "perf_record.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_record_internal.h"

#define RING_PAGES 128u
#define ID_ALL     (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* ---- events ---- */

static void fill_attr(struct recorder *r, unsigned number)
{
    const struct perf_record_options *options = r->options;
    struct perf_event_attr *attr = &r->attrs[number];
    *attr = options->events[number].attr;
    attr->sample_type = ID_ALL | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR |
                        PERF_SAMPLE_WEIGHT;
    attr->read_format = PERF_FORMAT_ID;
    attr->sample_id_all = 1;
    attr->disabled = number == 0 || !options->events[number - 1].leads_next;
    attr->inherit = !options->all_cpus;
    attr->exclude_guest = 1;
    attr->exclude_kernel = options->user_only;
    attr->exclude_user = options->kernel_only;
    if (options->period) {
        attr->sample_period = options->period;
    } else {
        attr->freq = 1;
        attr->sample_freq = options->frequency ? options->frequency : 4000;
    }
    attr->enable_on_exec = attr->disabled && options->command && !options->all_cpus;
    attr->watermark = 1;
    attr->wakeup_watermark = RING_PAGES * 4096 / 4;
    if (number == 0) {
        attr->mmap = attr->mmap2 = attr->mmap_data = 1;
        attr->comm = attr->comm_exec = attr->task = 1;
        attr->ksymbol = 1;
    }
}

static int open_event(const struct perf_event_attr *attr, int pid, int cpu, int group)
{
    return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

/* What an older kernel or a weaker right refuses is asked for less. false: nothing is left to give up. */
static bool ask_for_less(struct recorder *r, struct perf_event_attr *attr, int error)
{
    if ((error == EACCES || error == EPERM) && !attr->exclude_kernel && !attr->exclude_user) {
        attr->exclude_kernel = 1;
        r->user_only = true;
    } else if ((error == EACCES || error == EPERM) && attr->sample_type & PERF_SAMPLE_PHYS_ADDR) {
        attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PHYS_ADDR;
    } else if ((error == EOPNOTSUPP || error == EINVAL) && attr->precise_ip) {
        attr->precise_ip--;
    } else if (error == EINVAL && attr->ksymbol) {
        attr->ksymbol = 0;
    } else {
        return false;
    }
    return true;
}

static const char *reason(int error)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return "not permitted: see /proc/sys/kernel/perf_event_paranoid (2 lets users sample their own programs), or a "
               "container without CAP_PERFMON";
    case ENOENT:
    case ENODEV:
        return "the kernel does not know this event: no such PMU";
    case EOPNOTSUPP:
        return "the PMU cannot sample this event (a virtual machine's often cannot)";
    case EMFILE:
        return "too many open files: raise ulimit -n";
    case ENOSYS:
        return "this kernel has no perf_event_open";
    default:
        return strerror(error);
    }
}

static bool open_failed(struct recorder *r, unsigned number, int error)
{
    diag_say(r->diag, DIAG_ERROR, "cannot sample %s: %s", r->options->events[number].name, reason(error));
    return false;
}

/* One event on all CPUs; the first CPU settles what the kernel grants. */
static bool open_on_cpus(struct recorder *r, unsigned number, int pid)
{
    struct perf_event_attr *attr = &r->attrs[number];
    for (unsigned c = 0; c < r->n_cpus; c++) {
        bool follows = number && r->options->events[number - 1].leads_next;
        int group = follows ? r->fds[(number - 1) * r->n_cpus + c] : -1;
        int *fd = &r->fds[number * r->n_cpus + c];
        while ((*fd = open_event(attr, pid, r->cpus[c], group)) < 0) {
            int error = errno;
            if (c || !ask_for_less(r, attr, error))
                return open_failed(r, number, error);
        }
        if (ioctl(*fd, PERF_EVENT_IOC_ID, &r->ids[number * r->n_cpus + c]))
            return open_failed(r, number, errno);
    }
    return true;
}

/* All events must place their ids and fields alike where one loses some. */
static bool open_events(struct recorder *r, int pid)
{
    unsigned n = r->options->n_events;
    for (unsigned i = 0; i < n; i++) {
        fill_attr(r, i);
        if (i) {
            r->attrs[i].sample_type &= r->attrs[0].sample_type | ~(uint64_t)PERF_SAMPLE_PHYS_ADDR;
            r->attrs[i].exclude_kernel |= r->attrs[0].exclude_kernel;
        }
        if (!open_on_cpus(r, i, pid))
            return false;
    }
    return true;
}

/* ---- rings ---- */

static bool map_rings(struct recorder *r)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (unsigned c = 0; c < r->n_cpus; c++) {
        struct ring *ring = &r->rings[c];
        void *map = mmap(NULL, (RING_PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, r->fds[c], 0);
        if (map == MAP_FAILED) {
            diag_say(r->diag, DIAG_ERROR, "cannot map the buffer of CPU %d: %s (see perf_event_mlock_kb)", r->cpus[c],
                     strerror(errno));
            return false;
        }
        ring->cpu = r->cpus[c];
        ring->page = map;
        ring->bytes = RING_PAGES * page;
        for (unsigned i = 1; i < r->options->n_events; i++) {
            if (ioctl(r->fds[i * r->n_cpus + c], PERF_EVENT_IOC_SET_OUTPUT, r->fds[c]))
                return open_failed(r, i, errno);
        }
    }
    return true;
}

static void count_record(struct recorder *r, const struct perf_event_header *header, const uint8_t *body)
{
    uint64_t value;
    if (header->type == PERF_RECORD_SAMPLE) {
        r->samples++;
        /* identifier, ip, pid and tid, time */
        memcpy(&value, body + 24, sizeof value);
        if (!r->first_time || value < r->first_time)
            r->first_time = value;
        if (value > r->last_time)
            r->last_time = value;
    } else if (header->type == PERF_RECORD_LOST) {
        memcpy(&value, body + 8, sizeof value);
        r->lost += value;
    }
}

static void copy_out(const struct ring *ring, uint64_t at, void *out, size_t n)
{
    const uint8_t *base = (const uint8_t *)ring->page + (size_t)sysconf(_SC_PAGESIZE);
    size_t offset = (size_t)(at % ring->bytes);
    size_t first = ring->bytes - offset < n ? ring->bytes - offset : n;
    memcpy(out, base + offset, first);
    memcpy((uint8_t *)out + first, base, n - first);
}

/* Everything the kernel has written so far goes to the file. */
static void drain(struct recorder *r, struct ring *ring)
{
    uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = ring->page->data_tail;
    union {
        struct perf_event_header header;
        uint8_t bytes[65536];
    } record;
    while (tail < head) {
        copy_out(ring, tail, &record.header, sizeof record.header);
        if (record.header.size < sizeof record.header)
            break;
        copy_out(ring, tail, &record, record.header.size);
        count_record(r, &record.header, record.bytes + sizeof record.header);
        record_file_write(r, &record, record.header.size);
        tail += record.header.size;
    }
    __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

static void drain_all(struct recorder *r)
{
    uint64_t before = r->data_bytes;
    for (unsigned c = 0; c < r->n_cpus; c++)
        drain(r, &r->rings[c]);
    if (r->data_bytes != before)
        record_file_round(r);
}

/* ---- the command ---- */

/* Waits in the child until the events are open. */
static pid_t start_command(const struct recorder *r, int *go)
{
    int ends[2];
    pid_t pid;
    if (pipe(ends))
        return -1;
    pid = fork();
    if (pid == 0) {
        char byte;
        close(ends[1]);
        if (read(ends[0], &byte, 1) == 1) {
            execvp(r->options->command[0], r->options->command);
            fprintf(stderr, "slotledger: %s: %s\n", r->options->command[0], strerror(errno));
        }
        _exit(127);
    }
    close(ends[0]);
    *go = ends[1];
    return pid;
}

static void progress(const struct recorder *r)
{
    if (r->diag->stream && isatty(fileno(r->diag->stream)))
        fprintf(r->diag->stream, "\r[ recording: %llu samples, %.1f MB ]", (unsigned long long)r->samples,
                (double)r->data_bytes / 1e6);
}

static void record_until(struct recorder *r, pid_t pid, int *wait_status)
{
    struct pollfd *polls = calloc(r->n_cpus, sizeof *polls);
    bool running = true;
    for (unsigned c = 0; polls && c < r->n_cpus; c++)
        polls[c] = (struct pollfd){.fd = r->fds[c], .events = POLLIN};
    while (polls && running && !interrupted && !r->failed) {
        (void)poll(polls, r->n_cpus, 200);
        if (pid > 0 && waitpid(pid, wait_status, WNOHANG) == pid)
            running = false;
        drain_all(r);
        progress(r);
    }
    if (pid > 0 && running) {
        kill(pid, SIGINT);
        waitpid(pid, wait_status, 0);
    }
    for (size_t i = 0; i < (size_t)r->options->n_events * r->n_cpus; i++)
        (void)ioctl(r->fds[i], PERF_EVENT_IOC_DISABLE, 0);
    drain_all(r);
    free(polls);
}

static void enable(const struct recorder *r)
{
    for (unsigned i = 0; i < r->options->n_events; i++) {
        if (!r->attrs[i].disabled || r->attrs[i].enable_on_exec)
            continue;
        for (unsigned c = 0; c < r->n_cpus; c++)
            (void)ioctl(r->fds[i * r->n_cpus + c], PERF_EVENT_IOC_ENABLE, 0);
    }
}

static bool run(struct recorder *r, int *wait_status)
{
    int go = -1;
    pid_t pid = r->options->command ? start_command(r, &go) : 0;
    bool ok;
    if (pid < 0) {
        diag_say(r->diag, DIAG_ERROR, "cannot start a process: %s", strerror(errno));
        return false;
    }
    ok = open_events(r, r->options->all_cpus || !pid ? -1 : pid) && map_rings(r) && record_file_start(r);
    if (ok) {
        record_file_state(r, pid);
        enable(r);
        if (pid)
            ok = write(go, "g", 1) == 1;
    }
    if (pid)
        close(go);
    if (ok)
        record_until(r, pid, wait_status);
    else if (pid)
        waitpid(pid, wait_status, 0);
    return ok && !r->failed;
}

static void find_cpus(struct recorder *r)
{
    long n = sysconf(_SC_NPROCESSORS_CONF);
    r->cpus = calloc((size_t)(n > 0 ? n : 1), sizeof *r->cpus);
    for (int cpu = 0; r->cpus && cpu < n; cpu++) {
        char path[64];
        FILE *online;
        int on = 1;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/online", cpu);
        /* CPUs that cannot be switched off have no such file. */
        online = fopen(path, "re");
        if (online) {
            on = fgetc(online) == '1';
            fclose(online);
        }
        if (on)
            r->cpus[r->n_cpus++] = cpu;
    }
}

static void release(struct recorder *r)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (unsigned c = 0; c < r->n_cpus; c++) {
        if (r->rings && r->rings[c].page)
            munmap(r->rings[c].page, (RING_PAGES + 1) * page);
    }
    for (size_t i = 0; r->fds && i < (size_t)r->options->n_events * r->n_cpus; i++) {
        if (r->fds[i] > 0)
            close(r->fds[i]);
    }
    free(r->cpus);
    free(r->rings);
    free(r->fds);
    free(r->ids);
}

bool perf_record(const struct perf_record_options *options, struct perf_record_result *result, struct diag *diag)
{
    struct recorder r = {.options = options, .diag = diag, .path = options->output ? options->output : "perf.data"};
    struct sigaction action = {.sa_handler = on_interrupt}, before;
    size_t n;
    bool ok;
    memset(result, 0, sizeof *result);
    find_cpus(&r);
    n = (size_t)options->n_events * (r.n_cpus ? r.n_cpus : 1);
    r.fds = calloc(n, sizeof *r.fds);
    r.ids = calloc(n, sizeof *r.ids);
    r.rings = calloc(r.n_cpus ? r.n_cpus : 1, sizeof *r.rings);
    if (!r.fds || !r.ids || !r.rings || !r.n_cpus || !options->n_events) {
        diag_say(diag, DIAG_ERROR, "no CPU or no event to sample");
        release(&r);
        return false;
    }
    memset(r.fds, -1, n * sizeof *r.fds);
    interrupted = 0;
    sigaction(SIGINT, &action, &before);
    ok = run(&r, &result->wait_status);
    sigaction(SIGINT, &before, NULL);
    ok = (!r.file || record_file_end(&r)) && ok;
    if (!ok && r.file)
        unlink(r.path);
    result->bytes = r.data_offset + r.data_bytes;
    result->samples = r.samples;
    result->lost = r.lost;
    result->user_only = r.user_only;
    release(&r);
    return ok;
}
