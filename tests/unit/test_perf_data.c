/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings made record by record: order of delivery, threads and maps, counts, losses, and what is refused. Expected
 * values are those of the format's description; tests/oracle/perf_data.sh compares with perf itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hosted/io/perf_data.h"
#include "tests/oracle/perf_writer.h"

#define FIELDS (T_IP | T_TID | T_TIME | T_ADDR | T_CPU | T_PERIOD | T_DATA_SRC | T_IDENTIFIER)

static void add_event(struct writer *w, uint64_t sample_type, uint64_t read_format)
{
    struct attr *a = &w->attrs[w->n_attrs++];
    *a = (struct attr){.name = w->n_attrs == 1 ? "loads" : "stores",
                       .type = 4,
                       .sample_type = sample_type,
                       .flags = A_SAMPLE_ID_ALL,
                       .period = 7,
                       .read_format = read_format,
                       .first_id = 100 * w->n_attrs,
                       .n_ids = 1};
}

static size_t put_sample_head(struct writer *w, uint32_t tid, uint64_t time, uint64_t address, uint64_t id)
{
    size_t at = begin(w, 9, 2);
    put64(w, &w->data, id);
    put64(w, &w->data, 0x401000);
    put32(w, &w->data, 1000);
    put32(w, &w->data, tid);
    put64(w, &w->data, time);
    put64(w, &w->data, address);
    put32(w, &w->data, 3);
    put32(w, &w->data, 0);
    put64(w, &w->data, 11);
    return at;
}

static void sample(struct writer *w, uint64_t time, uint64_t address)
{
    size_t at = put_sample_head(w, 1000, time, address, 100);
    put64(w, &w->data, 2);
    end(w, at);
}

static void round_end(struct writer *w)
{
    end(w, begin(w, 68, 0));
}

static void map(struct writer *w, uint32_t pid, uint64_t start, uint64_t len, uint64_t offset, const char *name,
                uint64_t time)
{
    struct who who = {pid, pid, 0, time};
    size_t at = begin(w, 10, 2);
    put32(w, &w->data, pid);
    put32(w, &w->data, pid);
    put64(w, &w->data, start);
    put64(w, &w->data, len);
    put64(w, &w->data, offset);
    put64(w, &w->data, 8);
    put64(w, &w->data, 77);
    put64(w, &w->data, 0);
    put32(w, &w->data, 1);
    put32(w, &w->data, 2);
    put_padded(&w->data, name, 8);
    end_with(w, at, &who);
}

static void fork_of(struct writer *w, uint32_t parent, uint32_t child, uint64_t time)
{
    struct who who = {parent, parent, 0, time};
    size_t at = begin(w, 7, 0);
    put32(w, &w->data, child);
    put32(w, &w->data, parent);
    put32(w, &w->data, child);
    put32(w, &w->data, parent);
    put64(w, &w->data, time);
    end_with(w, at, &who);
}

/* The file's bytes; free() them. */
static uint8_t *bytes_of(struct writer *w, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    assert_non_null(out);
    write_file(w, out);
    assert_int_equal(fclose(out), 0);
    free(w->data.data);
    for (unsigned i = 0; i < MAX_FEATURES; i++) {
        free(w->features[i].data);
    }
    return (uint8_t *)text;
}

struct opened {
    struct diag diag;
    struct perf_data *data;
    uint8_t *bytes;
    int status;
};

static void open_writer(struct opened *o, struct writer *w)
{
    size_t size;
    memset(o, 0, sizeof *o);
    o->bytes = bytes_of(w, &size);
    o->data = perf_data_open_memory("test", o->bytes, size, NULL, &o->diag, &o->status);
    assert_non_null(o->data);
}

static void close_opened(struct opened *o)
{
    perf_data_close(o->data);
    free(o->bytes);
}

static void test_delivers_by_time_within_rounds(void **unused)
{
    /* The rounds: 500 is the newest of the first, so it all goes at the second round's end; what comes later and is
     * older is delivered late and counted. Time 0 goes at once, ahead of what waits. */
    static const uint64_t expected[] = {0, 100, 200, 300, 300, 500, 50, 40, 600};
    static const uint64_t addresses[] = {9, 1, 4, 2, 3, 0, 5, 6, 7};
    struct writer w = {.swap = false};
    struct opened o;
    struct perf_sample s;
    (void)unused;
    add_event(&w, FIELDS, 4);
    sample(&w, 500, 0);
    sample(&w, 100, 1);
    sample(&w, 300, 2);
    sample(&w, 300, 3);
    sample(&w, 200, 4);
    sample(&w, 0, 9);
    round_end(&w);
    round_end(&w);
    sample(&w, 50, 5);
    round_end(&w);
    sample(&w, 40, 6);
    round_end(&w);
    sample(&w, 600, 7);
    open_writer(&o, &w);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_SAMPLE);
        assert_int_equal(s.mem.time, expected[i]);
        assert_int_equal(s.mem.address, addresses[i]);
    }
    assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_END);
    assert_int_equal(perf_data_losses(o.data)->out_of_order, 2);
    assert_int_equal(perf_data_losses(o.data)->n_samples, 9);
    close_opened(&o);
}

static void test_new_maps_cut_old_ones(void **unused)
{
    static const struct {
        uint64_t address, relative;
        const char *name;
    } expected[] = {
        {0x10000, 0x1000, "/old"}, {0x10fff, 0x1fff, "/old"}, {0x11000, 0x5000, "/new"},
        {0x12000, 0x3000, "/old"}, {0x13000, 0x13000, NULL},
    };
    struct writer w = {.swap = true};
    struct opened o;
    struct perf_sample s;
    (void)unused;
    add_event(&w, FIELDS, 4);
    map(&w, 1000, 0x10000, 0x3000, 0x1000, "/old", 1);
    map(&w, 1000, 0x11000, 0x1000, 0x5000, "/new", 2);
    for (size_t i = 0; i < 5; i++) {
        sample(&w, 10 + i, expected[i].address);
    }
    open_writer(&o, &w);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_SAMPLE);
        assert_int_equal(s.data_address, expected[i].relative);
        assert_true(!s.data_map == !expected[i].name);
        if (s.data_map) {
            assert_string_equal(s.data_map->dso->name, expected[i].name);
        }
    }
    close_opened(&o);
}

static void test_a_fork_has_its_own_copy_of_the_maps(void **unused)
{
    struct writer w = {.swap = false};
    struct opened o;
    struct perf_sample s;
    size_t at;
    (void)unused;
    add_event(&w, FIELDS, 4);
    map(&w, 1000, 0x10000, 0x1000, 0, "/both", 1);
    fork_of(&w, 1000, 2000, 2);
    map(&w, 1000, 0x10000, 0x1000, 0, "/parent", 3);
    sample(&w, 4, 0x10000);
    at = put_sample_head(&w, 2000, 5, 0x10000, 100);
    put64(&w, &w.data, 2);
    end(&w, at);
    open_writer(&o, &w);
    assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_SAMPLE);
    assert_string_equal(s.data_map->dso->short_name, "parent");
    assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_SAMPLE);
    assert_string_equal(s.data_map->dso->short_name, "both");
    assert_int_equal(s.thread->pid, 2000);
    close_opened(&o);
}

static void test_counts_become_samples_of_their_growth(void **unused)
{
    static const uint64_t counts[][2] = {{5, 2}, {5, 6}, {9, 6}};
    static const struct {
        uint32_t event;
        uint64_t period;
    } expected[] = {{0, 5}, {1, 2}, {1, 4}, {0, 4}};
    struct writer w = {.swap = false};
    struct opened o;
    struct perf_sample s;
    (void)unused;
    add_event(&w, FIELDS | T_READ, 4 | 8);
    add_event(&w, FIELDS | T_READ, 4 | 8);
    for (size_t i = 0; i < 3; i++) {
        size_t at = put_sample_head(&w, 1000, 1 + i, 64, 100);
        put64(&w, &w.data, 2);
        for (size_t k = 0; k < 2; k++) {
            put64(&w, &w.data, counts[i][k]);
            put64(&w, &w.data, 100 * (k + 1));
        }
        put64(&w, &w.data, 2);
        end(&w, at);
    }
    open_writer(&o, &w);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_SAMPLE);
        assert_int_equal(s.mem.event, expected[i].event);
        assert_int_equal(s.mem.period, expected[i].period);
    }
    assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_END);
    close_opened(&o);
}

static void test_features_tell_cpus_and_memory(void **unused)
{
    struct writer w = {.swap = true};
    struct opened o;
    struct perf_sample s;
    size_t at;
    (void)unused;
    add_event(&w, FIELDS | T_PHYS, 4);
    /* In the other byte order a bitmap without the host's name is taken for one of an old writer. */
    put_string(&w, &w.features[3], "host");
    put32(&w, &w.features[7], 8);
    put32(&w, &w.features[7], 8);
    put32(&w, &w.features[14], 2);
    for (unsigned n = 0; n < 2; n++) {
        put32(&w, &w.features[14], 5 * n);
        put64(&w, &w.features[14], 1);
        put64(&w, &w.features[14], 1);
        put_string(&w, &w.features[14], n ? "1-3,7" : "0,4-6");
    }
    put64(&w, &w.features[22], 1);
    put64(&w, &w.features[22], 0x1000);
    put64(&w, &w.features[22], 1);
    put64(&w, &w.features[22], 5);
    put64(&w, &w.features[22], 2);
    put64(&w, &w.features[22], 66);
    put64(&w, &w.features[22], 2);
    put64(&w, &w.features[22], 2);
    for (unsigned i = 0; i < 3; i++) {
        at = put_sample_head(&w, 1000, 1 + i, 64, 100);
        put64(&w, &w.data, 2);
        put64(&w, &w.data, i == 0 ? 0x1fff : i == 1 ? 65 * 0x1000 : 0x2000);
        end(&w, at);
    }
    open_writer(&o, &w);
    assert_true(perf_data_numa_ok(o.data));
    assert_int_equal(perf_data_node_of_cpu(o.data, 7), 1);
    assert_int_equal(perf_data_node_of_cpu(o.data, 6), 0);
    assert_int_equal(perf_data_node_of_cpu(o.data, 8), -1);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(perf_data_next(o.data, &s), PERF_NEXT_SAMPLE);
        assert_int_equal(s.numa_node, 1);
        assert_int_equal(s.memory_node, i < 2 ? 5 : -1);
    }
    close_opened(&o);
}

static void test_refuses_with_place_and_status(void **unused)
{
    /* What is put over the bytes at the start of the data section, and how it ends. */
    static const struct {
        unsigned at;
        uint8_t byte;
        int status;
    } cases[] = {
        {6, 4, PERF_EXIT_INVALID},    /* size below a header's */
        {7, 0xff, PERF_EXIT_INVALID}, /* behind the data */
        {0, 100, PERF_EXIT_INVALID},  /* a type of no recorder */
        {0, 30, PERF_EXIT_FORMAT},    /* a type of no kernel */
        {8, 55, PERF_EXIT_FAULT},     /* an id of no event */
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct writer w = {.swap = false};
        struct opened o;
        struct perf_sample s;
        enum perf_next next;
        char *said = NULL;
        size_t len;
        add_event(&w, FIELDS, 4);
        add_event(&w, FIELDS, 4);
        sample(&w, 1, 2);
        /* Types of the kernel end with the id, too. */
        w.data.data[cases[i].at] = cases[i].byte;
        memcpy(w.data.data + w.data.len - 8, "d\0\0\0\0\0\0\0", 8);
        open_writer(&o, &w);
        o.diag.stream = open_memstream(&said, &len);
        while ((next = perf_data_next(o.data, &s)) == PERF_NEXT_SAMPLE) {
        }
        fclose(o.diag.stream);
        assert_int_equal(next, PERF_NEXT_FAILED);
        assert_int_equal(perf_data_status(o.data), cases[i].status);
        assert_int_equal(o.diag.n_errors, 1);
        assert_ptr_equal(strstr(said, "slotledger: test:0x198: "), said);
        free(said);
        close_opened(&o);
    }
}

static void test_a_stream_is_refused_that_has_no_header(void **unused)
{
    static const char *const texts[] = {"", "PERF", "PERFILE2", "PERFILE2\x68\0\0\0\0\0\0\0", "nothing of the kind"};
    static const size_t sizes[] = {0, 4, 8, 16, 19};
    (void)unused;
    for (size_t i = 0; i < 5; i++) {
        struct diag diag = {.stream = NULL};
        int status = 0;
        assert_null(perf_data_open_memory("test", (const uint8_t *)texts[i], sizes[i], NULL, &diag, &status));
        assert_int_equal(status, PERF_EXIT_FORMAT);
        assert_int_equal(diag.n_errors, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delivers_by_time_within_rounds),
        cmocka_unit_test(test_new_maps_cut_old_ones),
        cmocka_unit_test(test_a_fork_has_its_own_copy_of_the_maps),
        cmocka_unit_test(test_counts_become_samples_of_their_growth),
        cmocka_unit_test(test_features_tell_cpus_and_memory),
        cmocka_unit_test(test_refuses_with_place_and_status),
        cmocka_unit_test(test_a_stream_is_refused_that_has_no_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
