/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of perf.data takes any bytes: it reads nothing outside of them, ends, and either delivers or says why not.
 *
 * The first byte tells what the others are: a whole file, or the records behind a sound header of some events (so that
 * the fuzzer need not find one), in either byte order. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "hosted/io/perf_data.h"
#include "hosted/io/perf_format.h"

#define WHOLE_FILE 1u
#define SWAPPED    2u
#define PIPE       4u

#define ATTR_BYTES 144u
#define N_ATTRS    2u
#define HEAD_BYTES (PERF_HEADER_BYTES + 8u * N_ATTRS + N_ATTRS * ATTR_BYTES)

#define BASE (PERF_S_IP | PERF_S_TID | PERF_S_TIME | PERF_S_ADDR | PERF_S_CPU | PERF_S_PERIOD | PERF_S_DATA_SRC)

static const uint32_t sample_types[] = {
    BASE | PERF_S_IDENTIFIER | PERF_S_WEIGHT | PERF_S_PHYS_ADDR,
    BASE | PERF_S_IDENTIFIER | PERF_S_CALLCHAIN | PERF_S_WEIGHT_STRUCT | PERF_S_PHYS_ADDR,
    BASE | PERF_S_ID | PERF_S_STREAM_ID | PERF_S_READ | PERF_S_RAW | PERF_S_BRANCH_STACK,
    BASE | PERF_S_IDENTIFIER | PERF_S_REGS_USER | PERF_S_STACK_USER | PERF_S_REGS_INTR | PERF_S_PHYS_ADDR,
    BASE,
    PERF_S_IP | PERF_S_TID,
    BASE | PERF_S_IDENTIFIER | PERF_S_READ | PERF_S_ID,
    BASE | PERF_S_IDENTIFIER | PERF_S_AUX,
};

static bool swapped;

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8 * (swapped ? bytes - 1 - i : i));
    }
}

/* The first feature sections name the AUX index and the room of compressed records. */
static void put_head(uint8_t *head, uint8_t kind, size_t data_bytes)
{
    const uint8_t *attrs = head + PERF_HEADER_BYTES + 8 * N_ATTRS;
    memset(head, 0, HEAD_BYTES);
    memcpy(head, swapped ? "2ELIFREP" : "PERFILE2", 8);
    put(head + 8, PERF_HEADER_BYTES, 8);
    put(head + 16, ATTR_BYTES, 8);
    put(head + 24, (uint64_t)(attrs - head), 8);
    put(head + 32, (uint64_t)N_ATTRS * ATTR_BYTES, 8);
    put(head + 40, HEAD_BYTES, 8);
    put(head + 48, data_bytes, 8);
    put(head + 72, (uint64_t)1 << PERF_FEAT_COMPRESSED, 8);
    for (unsigned i = 0; i < N_ATTRS; i++) {
        uint8_t *attr = head + PERF_HEADER_BYTES + 8 * N_ATTRS + (size_t)i * ATTR_BYTES;
        put(head + PERF_HEADER_BYTES + 8 * i, 100 + i, 8);
        put(attr, i ? 4 : 9, 4);
        put(attr + 4, 128, 4);
        put(attr + 16, 1000, 8);
        put(attr + 24, sample_types[kind >> 3 & 7], 8);
        put(attr + 32, kind & 0x40 ? 8 | 4 : 4, 8);
        attr[42] = swapped ? 0x20 : 0x04; /* sample_id_all */
        put(attr + 80, 3, 8);
        put(attr + 96, 3, 8);
        put(attr + 128, (uint64_t)PERF_HEADER_BYTES + 8 * i, 8);
        put(attr + 136, 8, 8);
    }
}

static uint8_t *make_file(const uint8_t *data, size_t size, size_t *out_size)
{
    uint8_t kind = data[0];
    const size_t tail = 16 + 20;
    uint8_t *file;
    data++;
    size--;
    swapped = kind & SWAPPED;
    *out_size = kind & WHOLE_FILE ? size : kind & PIPE ? 16 + size : HEAD_BYTES + size + tail;
    file = calloc(1, *out_size + 1);
    if (!file) {
        abort();
    }
    if (kind & WHOLE_FILE) {
        memcpy(file, data, size);
    } else if (kind & PIPE) {
        memcpy(file, swapped ? "2ELIFREP" : "PERFILE2", 8);
        put(file + 8, 16, 8);
        memcpy(file + 16, data, size);
    } else {
        put_head(file, kind, size);
        memcpy(file + HEAD_BYTES, data, size);
        put(file + HEAD_BYTES + size, HEAD_BYTES + size + 16, 8);
        put(file + HEAD_BYTES + size + 8, 20, 8);
        put(file + HEAD_BYTES + size + 32, 65536, 4);
    }
    return file;
}

static void check_sample(struct perf_data *data, const struct perf_sample *sample)
{
    const struct perf_info *info = perf_data_info(data);
    uint64_t sum = 0;
    fuzz_require(sample->mem.event < info->n_events && info->events[sample->mem.event].name != NULL);
    fuzz_require(sample->thread != NULL && sample->thread->comm != NULL);
    fuzz_require(!sample->ip_map || (sample->mem.ip >= sample->ip_map->start && sample->mem.ip < sample->ip_map->end));
    fuzz_require(!sample->data_map || sample->data_map->dso != NULL);
    fuzz_require(sample->mem.chain_len == 0 || sample->mem.chain != NULL);
    for (uint32_t i = 0; i < sample->mem.chain_len; i++) {
        sum += sample->mem.chain[i];
    }
    fuzz_require(sample->mem.chain_len || sum == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct diag diag = {.stream = NULL};
    struct perf_data *data;
    struct perf_sample sample;
    enum perf_next next;
    size_t file_size;
    uint8_t *file;
    int status = 0;
    if (size < 1) {
        return 0;
    }
    file = make_file(bytes, size, &file_size);
    /* An exact copy, so that the sanitizer sees each read past the end. */
    file = realloc(file, file_size ? file_size : 1);
    data = perf_data_open_memory("fuzz", file, file_size, NULL, &diag, &status);
    fuzz_require(data ? status == 0 : status != 0 && diag.n_errors > 0);
    if (data) {
        (void)perf_data_numa_ok(data);
        while ((next = perf_data_next(data, &sample)) == PERF_NEXT_SAMPLE) {
            check_sample(data, &sample);
        }
        fuzz_require((next == PERF_NEXT_FAILED) == (diag.n_errors > 0));
        fuzz_require(next == PERF_NEXT_END || perf_data_status(data) != 0);
        perf_data_close(data);
    }
    free(file);
    return 0;
}
