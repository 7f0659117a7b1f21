/* SPDX-License-Identifier: Apache-2.0 */
/* SPE bytes of any kind: both readers agree, nothing outside of the buffer is read, what an export rewrites still means
 * the same, and queues deliver each record once. */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

#include "hosted/io/perf_export_scan.h"

#define MAX_BYTES 4096u

struct seen {
    uint64_t samples, hash, last;
};

static void mix(struct seen *seen, const struct sl_spe_record *r)
{
    struct sl_mem_sample s;
    for (int edition = 0; edition < 2; edition++) {
        static const uint64_t midrs[] = {0x413fd0c1, 0xc00fac30, 0x480fd060, 0};
        const struct sl_spe_family *family = sl_spe_family(midrs[r->timestamp & 3u], (enum sl_spe_edition)edition);
        if (!sl_spe_sample(r, family, UINT64_C(1) << 63, &s))
            continue;
        seen->samples++;
        seen->hash = (seen->hash ^ s.source ^ s.ip ^ s.address ^ s.phys_address ^ s.weight ^ s.time ^ s.tid) *
                     UINT64_C(0x100000001b3);
    }
}

/* Decodes an exact-size copy, so that the sanitizer sees each read past the end. */
static struct seen decode(const uint8_t *data, size_t size, uint64_t base, struct sl_spe_counts *counts)
{
    const struct sl_spe_config config = {.base_address = base, .sve_other_is_load = base & 8u};
    struct seen seen = {0, 0, 0};
    struct sl_spe_decoder d;
    uint8_t *copy = malloc(size ? size : 1);
    fuzz_require(copy);
    memcpy(copy, data, size);
    sl_spe_init(&d, &config);
    sl_spe_feed(&d, copy, size);
    while (sl_spe_next(&d))
        mix(&seen, &d.record);
    fuzz_require(d.next == d.end);
    sl_spe_finish(&d);
    *counts = d.counts;
    free(copy);
    return seen;
}

static void readers_agree(const uint8_t *data, size_t size, uint64_t base, const struct sl_spe_counts *counts)
{
    uint64_t bad = 0, ends = 0;
    for (size_t at = 0; at < size;) {
        struct sl_spe_packet p;
        sl_spe_packet_read(data + at, size - at, base + at, &p);
        fuzz_require(p.len_bytes > 0 && p.len_bytes <= size - at && p.kind < SL_SPE_N_KINDS && p.index < 32);
        bad += p.kind == SL_SPE_BAD;
        ends += p.kind == SL_SPE_END || p.kind == SL_SPE_TIMESTAMP;
        at += p.len_bytes;
    }
    fuzz_require(bad == counts->bad_bytes && ends == counts->records);
}

static void settled_means_the_same(const uint8_t *data, size_t size, uint64_t base, uint64_t position,
                                   const struct seen *before)
{
    static uint8_t copy[MAX_BYTES + 8];
    struct sl_spe_counts counts;
    size_t padded = (size + 7) / 8 * 8;
    struct seen after;
    memset(copy, 0, sizeof copy);
    memcpy(copy, data, size);
    position |= base & 8u; /* which also says how SVE is read: see decode() */
    perf_export_settle(copy, size, base, position);
    after = decode(copy, padded, position, &counts);
    fuzz_require(after.hash == before->hash && after.samples == before->samples);
}

static void thread_runs(void *user, uint32_t pid, uint32_t tid, uint32_t cpu)
{
    (void)user, (void)pid, (void)tid;
    fuzz_require(cpu < 2);
}

static bool find_thread(void *user, uint32_t tid, uint32_t *pid, uint32_t *cpu)
{
    (void)user, (void)cpu;
    *pid = tid / 2;
    return tid & 1u;
}

static void take_sample(void *user, const struct sl_mem_sample *sample, const struct sl_spe_record *record)
{
    struct seen *seen = user;
    fuzz_require(record->has & ((unsigned)SL_SPE_HAS_LOAD | (unsigned)SL_SPE_HAS_STORE));
    fuzz_require(sample->cpu < 2);
    seen->samples++;
}

/* Two queues, three buffers; the samples of both come out, whatever the steps in time. */
static void run_stream(const uint8_t *data, size_t size, uint8_t how)
{
    static const struct spe_stream_ops ops = {thread_runs, find_thread, take_sample, NULL};
    struct seen seen = {0, 0, 0};
    const struct spe_stream_config config = {.family = sl_spe_family(0x413fd0c1, SL_SPE_EDITION_PERF_6_1),
                                             .clock = {.shift = how & 31u, .mult = how & 64u ? 40 : 0},
                                             .timeless = how & 128u,
                                             .ops = &ops,
                                             .user = &seen};
    struct spe_stream *s = spe_stream_new(&config);
    struct sl_spe_counts counts;
    size_t third = size / 3;
    fuzz_require(spe_stream_add(s, 1, 1, 401, data, third, 0));
    fuzz_require(spe_stream_add(s, 0, 0, SL_MEM_NO_ID, data + third, third, 0));
    if (how & 32u)
        fuzz_require(spe_stream_advance(s, 1000));
    fuzz_require(spe_stream_add(s, 1, 1, 401, data + 2 * third, size - 2 * third, 0));
    spe_stream_switch(s, how & 1u, 200, 401);
    fuzz_require(spe_stream_advance(s, UINT64_C(1) << (how & 63u)) && spe_stream_exit(s, 401) && spe_stream_finish(s));
    spe_stream_counts(s, &counts);
    /* What came after a queue had run dry, or is of the last possible time, is not read, as by perf, but counted. */
    fuzz_require(counts.bytes <= size && size - counts.bytes <= spe_stream_unread_bytes(s));
    fuzz_require(how & 32u || !config.timeless || spe_stream_unread_bytes(s) == 0);
    fuzz_require(config.timeless || seen.samples <= counts.records + counts.broken_records);
    spe_stream_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_spe_counts counts;
    struct seen seen;
    uint64_t base;
    if (size < 2 || size > MAX_BYTES)
        return 0;
    base = data[0];
    seen = decode(data + 2, size - 2, base, &counts);
    readers_agree(data + 2, size - 2, base, &counts);
    settled_means_the_same(data + 2, size - 2, base, (uint64_t)data[1] * 8 & ~UINT64_C(8), &seen);
    run_stream(data + 2, size - 2, data[1]);
    return 0;
}
