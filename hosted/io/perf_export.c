/* SPDX-License-Identifier: Apache-2.0 */
/* SPE buffers of a board as a perf.data file that perf script, perf mem and perf c2c open. */
#include "perf_export.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "perf_export_scan.h"
#include "spe_clock.h"

#define SPE_SAMPLE                                                                                                     \
    (PERF_S_IDENTIFIER | PERF_S_IP | PERF_S_TID | PERF_S_TIME | PERF_S_ADDR | PERF_S_CPU | PERF_S_PERIOD |             \
     PERF_S_WEIGHT | PERF_S_DATA_SRC | PERF_S_PHYS_ADDR)
#define TRACK_SAMPLE (PERF_S_IDENTIFIER | PERF_S_IP | PERF_S_TID | PERF_S_TIME | PERF_S_CPU)
/* Bits of perf_event_attr: inherit 1, exclude_kernel 5, exclude_hv 6, mmap 8, comm 9, task 13, mmap_data 17,
 * sample_id_all 18, exclude_guest 20, mmap2 23, comm_exec 24. */
#define SPE_FLAGS   ((uint64_t)1 << 1 | (uint64_t)1 << 18 | (uint64_t)1 << 20)
#define TRACK_FLAGS ((uint64_t)0x00862360 | (uint64_t)1 << 20 | (uint64_t)1 << 24)

#define PAGE_BYTES 4096u

struct perf_export {
    const struct spe_input *input;
    const struct perf_export_options *options;
    struct perf_export_scan scan;
    struct perf_image_event events[2];
    struct perf_image image;
    struct spe_clock clock;
    struct pool pool;
};

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void describe_events(struct perf_export *e)
{
    const struct spe_input *in = e->input;
    uint32_t n_cpus = e->scan.n_cpus;
    /* PMSCR_EL1: PCT 7:6, TS 5, PA 4; PMSFCR_EL1: B 16, LD 17, ST 18; PMSIRR_EL1: INTERVAL 31:8, RND 0. */
    bool is_known = in->pmscr != 0;
    uint64_t ts = is_known ? in->pmscr >> 5 & 1u : 1, pa = is_known ? in->pmscr >> 4 & 1u : 1;
    uint64_t filters = in->pmsfcr >> 16 & 7u, interval = in->pmsirr & 0xffffff00u;
    struct text name = {0};

    text_printf(&name, "arm_spe_0/ts_enable=%u,pa_enable=%u", (unsigned)ts, (unsigned)pa);
    if (filters & 1u)
        text_printf(&name, ",branch_filter=1");
    if (filters & 2u)
        text_printf(&name, ",load_filter=1");
    if (filters & 4u)
        text_printf(&name, ",store_filter=1");
    text_printf(&name, ",min_latency=%u/", (unsigned)(in->pmslatfr & 0xffffu));
    e->events[0] = (struct perf_image_event){.name = pool_text(&e->pool, name.data, name.len),
                                             .type = PERF_EXPORT_SPE_TYPE,
                                             .config = ts | pa << 1 | filters << 32 | (in->pmsirr & 1u) << 16,
                                             .config1 = in->pmsevfr,
                                             .config2 = in->pmslatfr & 0xffffu,
                                             .config3 = in->pmsnevfr,
                                             .period = interval ? interval : 1024,
                                             .sample_type = SPE_SAMPLE,
                                             .flags = SPE_FLAGS,
                                             .first_id = 1,
                                             .n_ids = n_cpus};
    text_free(&name);
    e->events[1] = (struct perf_image_event){.name = "dummy:u",
                                             .type = 1,   /* software */
                                             .config = 9, /* dummy */
                                             .period = 1,
                                             .sample_type = TRACK_SAMPLE,
                                             .flags = TRACK_FLAGS,
                                             .first_id = 1 + n_cpus,
                                             .n_ids = n_cpus};
}

/* The end of a record that is not a sample: thread, time, CPU, id. */
static void put_trailer(struct text *text, const struct perf_image_event *event, uint32_t pid, uint32_t tid,
                        uint64_t time, uint32_t cpu)
{
    perf_put(text, pid, 4);
    perf_put(text, tid, 4);
    perf_put(text, time, 8);
    perf_put(text, cpu, 8);
    perf_put(text, event->first_id + cpu, 8);
}

static void put_clock(struct perf_export *e)
{
    struct text body = {0};

    perf_put(&body, e->clock.shift, 8);
    perf_put(&body, e->clock.mult, 8);
    perf_put(&body, 0, 8);                       /* zero */
    perf_put(&body, 0, 8);                       /* cycles */
    perf_put(&body, (UINT64_C(1) << 56) - 1, 8); /* mask */
    perf_put(&body, 1, 8);                       /* zero is valid, counters are not short */
    perf_image_record(&e->image, PERF_REC_TIME_CONV, 0, &body);
    body.len = 0;
    perf_put(&body, 4, 8); /* Arm SPE */
    perf_put(&body, PERF_EXPORT_SPE_TYPE, 8);
    perf_put(&body, 1, 8); /* a buffer for each CPU */
    perf_image_record(&e->image, PERF_REC_AUXTRACE_INFO, 0, &body);
    text_free(&body);
}

/* ---- threads and maps: of time 0, so that they hold before any sample -----------------------------------------------
 */

static void put_comm(struct perf_export *e, uint32_t pid, uint32_t tid, const char *name)
{
    struct text body = {0};

    perf_put(&body, pid, 4);
    perf_put(&body, tid, 4);
    perf_put_name(&body, name, 8);
    put_trailer(&body, &e->events[1], pid, tid, 0, 0);
    perf_image_record(&e->image, PERF_REC_COMM, 0, &body);
    text_free(&body);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void put_threads(struct perf_export *e)
{
    const struct perf_export_scan *scan = &e->scan;
    char name[16];

    snprintf(name, sizeof name, "%.15s", e->options->n_programs ? base_name(e->options->programs[0].path) : "board");
    put_comm(e, PERF_EXPORT_PID, PERF_EXPORT_PID, name);
    for (size_t i = 0; i < scan->n_cores; i++) {
        snprintf(name, sizeof name, "core%u", (unsigned)scan->cores[i]);
        put_comm(e, PERF_EXPORT_PID, PERF_EXPORT_PID + scan->cores[i], name);
    }
    /* perf has a thread 0 of its own, in a process of its own. */
    for (size_t i = 0; i < scan->n_contexts; i++) {
        snprintf(name, sizeof name, "context%u", (unsigned)scan->contexts[i]);
        put_comm(e, scan->contexts[i] ? PERF_EXPORT_PID : 0, scan->contexts[i], name);
    }
}

static void put_map(struct perf_export *e, uint32_t pid, const char *path, uint32_t inode,
                    const struct perf_export_segment *segment)
{
    struct text body = {0};
    bool in_kernel = segment->start >> 63;
    uint32_t misc = (in_kernel ? PERF_MISC_KERNEL : PERF_MISC_USER) | (segment->executable ? 0 : PERF_MISC_MMAP_DATA);

    perf_put(&body, in_kernel ? UINT32_MAX : pid, 4);
    perf_put(&body, in_kernel ? 0 : pid, 4);
    perf_put(&body, segment->start, 8);
    perf_put(&body, segment->len, 8);
    perf_put(&body, in_kernel ? 0 : segment->offset, 8);
    perf_put(&body, 8, 4); /* a device and an inode: processes that map it share its lines */
    perf_put(&body, 1, 4);
    perf_put(&body, inode, 8);
    perf_put(&body, 0, 8);
    perf_put(&body, segment->protection, 4);
    perf_put(&body, 2, 4); /* private */
    perf_put_name(&body, path, 8);
    put_trailer(&body, &e->events[1], pid, pid, 0, 0);
    perf_image_record(&e->image, PERF_REC_MMAP2, (uint16_t)misc, &body);
    text_free(&body);
}

static bool put_programs(struct perf_export *e, struct diag *diag)
{
    bool has_thread_0 = e->scan.n_contexts && e->scan.contexts[0] == 0;

    for (size_t i = 0; i < e->options->n_programs; i++) {
        const struct perf_export_program *program = &e->options->programs[i];
        struct perf_export_segment *segments;
        char path[PATH_MAX];
        size_t n;
        if (!perf_export_segments(program, &segments, &n, diag))
            return false;
        if (!realpath(program->path, path))
            snprintf(path, sizeof path, "%s", program->path);
        for (size_t k = 0; k < n; k++) {
            put_map(e, PERF_EXPORT_PID, path, (uint32_t)i + 1, &segments[k]);
            if (has_thread_0 && !(segments[k].start >> 63))
                put_map(e, 0, path, (uint32_t)i + 1, &segments[k]);
        }
        free(segments);
    }
    return true;
}

/* ---- buffers --------------------------------------------------------------------------------------------------------
 */

/* perf aligns by the place of a buffer in its file: move the buffer to the same place in a page. */
static void fill_up_to(struct perf_export *e, uint64_t base, uint64_t bytes_before)
{
    uint64_t at = perf_image_position(&e->image) + bytes_before;

    for (uint64_t gap = (base - at) % PAGE_BYTES / 8; gap > 0; gap--)
        perf_image_record(&e->image, PERF_REC_FINISHED_INIT, 0, NULL);
}

static void put_buffer(struct perf_export *e, const struct perf_export_buffer *b)
{
    struct sl_spe_counts counts = {.bytes = 0};
    struct text body = {0};
    uint64_t flags;
    const uint8_t *bytes = b->input->bytes;

    sl_spe_note_buffer(&counts, b->input->pmbsr);
    flags = counts.truncated_buffers || counts.failed_buffers ? PERF_AUX_TRUNCATED : 0;
    flags |= counts.collided_buffers ? PERF_AUX_COLLISION : 0;
    flags |= b->input->has_gap ? PERF_AUX_PARTIAL : 0;
    perf_put(&body, b->offset, 8);
    perf_put(&body, b->input->len, 8);
    perf_put(&body, flags, 8);
    /* Of no time: a time would make perf sample what is older first, which can change the order of equal times. */
    put_trailer(&body, &e->events[0], PERF_EXPORT_PID, PERF_EXPORT_PID + b->input->core, 0, b->input->core);
    if (b->has_alignments)
        fill_up_to(e, b->input->base, 8 + body.len + 48);
    perf_image_record(&e->image, PERF_REC_AUX, 0, &body);
    text_free(&body);
    if (b->has_alignments || (b->has_damage && b->input->len % 8 != 0)) {
        uint8_t *copy = pool_take(&e->pool, b->input->len);
        memcpy(copy, bytes, b->input->len);
        perf_export_settle(copy, b->input->len, b->input->base, perf_image_position(&e->image) + 48);
        bytes = copy;
    }
    perf_image_auxtrace(&e->image, b->input->core, PERF_EXPORT_PID + b->input->core, b->input->core, b->offset, bytes,
                        b->input->len);
}

/* ---- features -------------------------------------------------------------------------------------------------------
 */

/* One node owns all memory that samples name: blocks of a size that keeps their list short. */
static void put_memory(struct text *text, uint64_t max_physical)
{
    uint64_t block = UINT64_C(1) << 27, n;

    while (max_physical / block >= 1024)
        block <<= 1;
    n = max_physical / block + 1;
    perf_put(text, 1, 8);
    perf_put(text, block, 8);
    perf_put(text, 1, 8); /* nodes */
    perf_put(text, 0, 8); /* node 0: its blocks */
    perf_put(text, n, 8);
    perf_put(text, n, 8);
    for (; n > 64; n -= 64)
        perf_put(text, UINT64_MAX, 8);
    perf_put(text, UINT64_MAX >> (64 - n), 8);
}

static void put_machine(struct perf_export *e)
{
    struct text *f = e->image.features;
    uint32_t n = e->scan.n_cpus;
    char cpus[32], midr[32];

    snprintf(cpus, sizeof cpus, n > 1 ? "0-%u" : "0", (unsigned)(n - 1));
    snprintf(midr, sizeof midr, "0x%016llx", (unsigned long long)e->input->midr);
    perf_put_string(&f[PERF_FEAT_HOSTNAME], "board");
    perf_put_string(&f[PERF_FEAT_OSRELEASE], "none");
    perf_put_string(&f[PERF_FEAT_VERSION], "slotledger " SL_VERSION);
    perf_put_string(&f[PERF_FEAT_ARCH], "aarch64");
    perf_put(&f[PERF_FEAT_NRCPUS], n, 4);
    perf_put(&f[PERF_FEAT_NRCPUS], n, 4);
    perf_put_string(&f[PERF_FEAT_CPUID], midr);
    perf_put(&f[PERF_FEAT_CMDLINE], 1, 4);
    perf_put_string(&f[PERF_FEAT_CMDLINE], e->options->command ? e->options->command : "slotledger export");
    perf_put(&f[PERF_FEAT_NUMA_TOPOLOGY], 1, 4);
    perf_put(&f[PERF_FEAT_NUMA_TOPOLOGY], 0, 4);
    perf_put(&f[PERF_FEAT_NUMA_TOPOLOGY], 0, 8);
    perf_put(&f[PERF_FEAT_NUMA_TOPOLOGY], 0, 8);
    perf_put_string(&f[PERF_FEAT_NUMA_TOPOLOGY], cpus);
    perf_put(&f[PERF_FEAT_PMU_MAPPINGS], 2, 4);
    perf_put(&f[PERF_FEAT_PMU_MAPPINGS], PERF_EXPORT_SPE_TYPE, 4);
    perf_put_string(&f[PERF_FEAT_PMU_MAPPINGS], "arm_spe_0");
    perf_put(&f[PERF_FEAT_PMU_MAPPINGS], 1, 4);
    perf_put_string(&f[PERF_FEAT_PMU_MAPPINGS], "software");
    perf_put(&f[PERF_FEAT_SAMPLE_TIME], spe_clock_ns(&e->clock, e->scan.first_time), 8);
    perf_put(&f[PERF_FEAT_SAMPLE_TIME], spe_clock_ns(&e->clock, e->scan.last_time), 8);
    put_memory(&f[PERF_FEAT_MEM_TOPOLOGY], e->scan.max_physical);
}

struct perf_export *perf_export_new(const struct spe_input *input, const struct perf_export_options *options,
                                    struct diag *diag)
{
    struct pool pool = {NULL, 0};
    struct perf_export *e = pool_take(&pool, sizeof *e);

    e->pool = pool;
    e->input = input;
    e->options = options;
    e->clock = spe_clock_of(input->hz);
    if (!perf_export_scan(input, &e->scan, diag)) {
        perf_export_free(e);
        return NULL;
    }
    describe_events(e);
    perf_image_init(&e->image, e->events, 2);
    put_clock(e);
    put_threads(e);
    if (!put_programs(e, diag)) {
        perf_export_free(e);
        return NULL;
    }
    for (size_t i = 0; i < e->scan.n_buffers; i++)
        put_buffer(e, &e->scan.buffers[i]);
    perf_image_record(&e->image, PERF_REC_FINISHED_ROUND, 0, NULL);
    put_machine(e);
    return e;
}

bool perf_export_write(struct perf_export *export, FILE *out)
{
    return perf_image_write(&export->image, out);
}

void perf_export_free(struct perf_export *export)
{
    struct pool pool;

    if (!export)
        return;
    perf_image_free(&export->image);
    perf_export_scan_free(&export->scan);
    pool = export->pool;
    pool_free(&pool);
}
