/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of SPE buffers: order of delivery, threads, clocks. Expected values: by hand from the rules that perf follows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hosted/io/spe_stream.h"

#define MAX_SAMPLES 16u

struct log {
    struct sl_mem_sample samples[MAX_SAMPLES];
    unsigned n;
    uint32_t ran_tid, ran_pid;
    size_t released;
};

static void thread_runs(void *user, uint32_t pid, uint32_t tid, uint32_t cpu)
{
    struct log *log = user;
    (void)cpu;
    log->ran_pid = pid;
    log->ran_tid = tid;
}

/* Threads 400 to 499 belong to process 400. */
static bool find_thread(void *user, uint32_t tid, uint32_t *pid, uint32_t *cpu)
{
    (void)user, (void)cpu;
    if (tid / 100 != 4)
        return false;
    *pid = 400;
    return true;
}

static void take_sample(void *user, const struct sl_mem_sample *sample, const struct sl_spe_record *record)
{
    struct log *log = user;
    (void)record;
    assert_true(log->n < MAX_SAMPLES);
    log->samples[log->n++] = *sample;
}

static void release(void *user, const uint8_t *bytes, size_t len)
{
    struct log *log = user;
    (void)bytes;
    log->released += len;
}

static const struct spe_stream_ops ops = {thread_runs, find_thread, take_sample, release};

static struct spe_stream *new_stream(struct log *log, struct spe_stream_config config)
{
    memset(log, 0, sizeof *log);
    config.family = sl_spe_family(0x413fd0c1, SL_SPE_EDITION_PERF_6_1);
    config.kernel_start = UINT64_C(1) << 63;
    config.ops = &ops;
    config.user = log;
    return spe_stream_new(&config);
}

/* Loads of these times; the low byte of the address numbers them. context 0: none; time 0: an end packet. */
static size_t loads(uint8_t *bytes, size_t room, const uint64_t *times, unsigned n, unsigned first, uint32_t context)
{
    struct sl_spe_encoder e = {.bytes = bytes, .room_bytes = room};

    for (unsigned i = 0; i < n; i++) {
        struct sl_spe_record r = {.has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_LOAD | 1u << SL_SPE_ADDRESS_VIRTUAL,
                                  .operation_class = SL_SPE_CLASS_MEMORY,
                                  .address[SL_SPE_ADDRESS_VIRTUAL] = 0x1000 + first + i,
                                  .timestamp = times[i],
                                  .context = context};
        r.has |= times[i] ? SL_SPE_HAS_TIMESTAMP : 0u;
        r.has |= context ? SL_SPE_HAS_CONTEXT : 0u;
        sl_spe_put_record(&e, &r, 64);
    }
    assert_true(e.used_bytes <= room);
    return e.used_bytes;
}

static void assert_order(const struct log *log, const char *order)
{
    char seen[MAX_SAMPLES + 1] = "";
    for (unsigned i = 0; i < log->n; i++)
        seen[i] = (char)('a' + (log->samples[i].address & 0xff));
    assert_string_equal(seen, order);
}

static void queues_are_merged_by_time(void **state)
{
    uint8_t a[512], b[512];
    size_t a_len = loads(a, sizeof a, (const uint64_t[]){10, 20, 30}, 3, 0, 0);
    size_t b_len = loads(b, sizeof b, (const uint64_t[]){15, 25, 26}, 3, 3, 0);
    struct log log;
    struct spe_stream *s = new_stream(&log, (struct spe_stream_config){.timeless = false});

    (void)state;
    assert_true(spe_stream_add(s, 7, 1, SL_MEM_NO_ID, b, b_len, 0));
    assert_true(spe_stream_add(s, 3, 0, 401, a, a_len, 0));
    assert_true(spe_stream_advance(s, 0)); /* no time: nothing */
    assert_order(&log, "");
    assert_true(spe_stream_advance(s, 16)); /* 10 and 15 are older */
    assert_order(&log, "ad");
    assert_true(spe_stream_finish(s));
    assert_order(&log, "adbefc");
    assert_int_equal(log.samples[0].cpu, 0);
    assert_int_equal(log.samples[0].tid, 401);
    assert_int_equal(log.samples[0].pid, 400);
    assert_int_equal(log.samples[1].cpu, 1);
    assert_true(log.samples[1].tid == SL_MEM_NO_ID);
    assert_int_equal(log.released, a_len + b_len);
    assert_false(spe_stream_has_context(s));
    spe_stream_free(s);
}

static void contexts_and_switches_name_threads(void **state)
{
    uint8_t a[512], b[512];
    size_t a_len = loads(a, sizeof a, (const uint64_t[]){10, 20}, 2, 0, 0);
    size_t b_len = loads(b, sizeof b, (const uint64_t[]){30, 40}, 2, 2, 450);
    struct log log;
    struct spe_stream *s = new_stream(&log, (struct spe_stream_config){.timeless = false});

    (void)state;
    assert_true(spe_stream_add(s, 0, 0, SL_MEM_NO_ID, a, a_len, 0));
    assert_true(spe_stream_advance(s, 15));
    spe_stream_switch(s, 0, 400, 402);
    assert_int_equal(log.ran_tid, 402);
    assert_true(spe_stream_add(s, 0, 0, SL_MEM_NO_ID, b, b_len, 0));
    assert_true(spe_stream_finish(s));
    assert_order(&log, "abcd");
    assert_true(log.samples[0].tid == SL_MEM_NO_ID);
    assert_int_equal(log.samples[1].tid, 402);
    assert_int_equal(log.samples[2].tid, 450);
    assert_int_equal(log.ran_tid, 450);
    assert_true(log.ran_pid == SL_MEM_NO_ID);
    assert_true(spe_stream_has_context(s));
    spe_stream_switch(s, 0, 400, 403); /* contexts know better */
    assert_int_equal(log.ran_tid, 450);
    spe_stream_free(s);
}

/* perf gives up on context packets in the buffer of a thread. */
static void a_context_needs_a_cpu(void **state)
{
    uint8_t a[256];
    size_t a_len = loads(a, sizeof a, (const uint64_t[]){10}, 1, 0, 450);
    struct log log;

    (void)state;
    for (int any = 0; any < 2; any++) {
        struct spe_stream *s = new_stream(&log, (struct spe_stream_config){.any_thread_context = any});
        assert_true(spe_stream_add(s, 0, SL_MEM_NO_CPU, 401, a, a_len, 0));
        assert_int_equal(spe_stream_finish(s), any);
        assert_int_equal(log.n, any);
        spe_stream_free(s);
    }
}

/* Without times a queue is read when its thread ends; at the end, its last sample comes once more. */
static void without_times(void **state)
{
    uint8_t a[256];
    size_t a_len = loads(a, sizeof a, (const uint64_t[]){0, 0}, 2, 0, 0);
    struct log log;
    struct spe_stream *s = new_stream(&log, (struct spe_stream_config){.timeless = true});

    (void)state;
    assert_true(spe_stream_add(s, 0, 0, 401, a, a_len, 0));
    assert_true(spe_stream_advance(s, 5));
    assert_true(spe_stream_exit(s, 77));
    assert_order(&log, "");
    assert_true(spe_stream_finish(s));
    assert_order(&log, "ab");
    assert_true(spe_stream_exit(s, 401));
    assert_order(&log, "abb");
    spe_stream_free(s);
}

static void ticks_become_nanoseconds(void **state)
{
    uint8_t a[256];
    size_t a_len = loads(a, sizeof a, (const uint64_t[]){1000, 2000}, 2, 0, 0);
    struct log log;
    /* 25 MHz: 40 ns a tick, as mult >> shift; the timer started 5 s before the clock */
    const struct spe_clock clock = {.mult = 40u << 4, .shift = 4, .zero = 5000000000u};
    struct spe_stream *s = new_stream(&log, (struct spe_stream_config){.clock = clock});

    (void)state;
    assert_true(spe_stream_add(s, 0, 0, 401, a, a_len, 0));
    assert_true(spe_stream_advance(s, 5000000000u + 1001 * 40));
    assert_order(&log, "a");
    assert_true(log.samples[0].time == 5000000000u + 1000 * 40);
    assert_true(spe_stream_finish(s));
    assert_true(log.samples[1].time == 5000000000u + 2000 * 40);
    spe_stream_free(s);
}

static void unknown_sources_are_listed(void **state)
{
    uint8_t a[2048];
    struct sl_spe_encoder e = {.bytes = a, .room_bytes = sizeof a};
    struct log log;
    struct spe_stream *s = new_stream(&log, (struct spe_stream_config){.timeless = false});

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        static const uint16_t sources[] = {3, 9, 700, 3, 8, 3};
        struct sl_spe_record r = {.has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_LOAD | SL_SPE_HAS_SOURCE,
                                  .operation_class = SL_SPE_CLASS_MEMORY,
                                  .source = sources[i]};
        sl_spe_put_record(&e, &r, 64);
    }
    assert_true(spe_stream_add(s, 0, 0, 401, a, e.used_bytes, 0));
    assert_true(spe_stream_finish(s));
    const struct spe_unknown *u = spe_stream_unknown(s);
    assert_int_equal(u->samples, 4);
    assert_int_equal(u->n, 2);
    assert_int_equal(u->of[0].source, 3);
    assert_int_equal(u->of[0].samples, 3);
    assert_int_equal(u->of[1].source, 700);
    spe_stream_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_merged_by_time), cmocka_unit_test(contexts_and_switches_name_threads),
        cmocka_unit_test(a_context_needs_a_cpu),     cmocka_unit_test(without_times),
        cmocka_unit_test(ticks_become_nanoseconds),  cmocka_unit_test(unknown_sources_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
