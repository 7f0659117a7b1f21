/* SPDX-License-Identifier: Apache-2.0 */
/* SPE bytes of any kind: both readers agree, nothing outside of the buffer is read, and what an export rewrites still
 * means the same. */
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
    return 0;
}
