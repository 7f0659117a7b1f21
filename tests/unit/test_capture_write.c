/* SPDX-License-Identifier: Apache-2.0 */
/* core/capture, writing: what goes in comes out, and what does not go in is counted. */
#include "tests/unit/capture_fixture.h"

#include <stdlib.h>

static uint64_t memory[1024];

/* Check value of the CRC catalogue ("123456789"), and the vectors of RFC 3720, appendix B.4. */
static void crc32c_of_published_vectors(void **state)
{
    uint8_t bytes[32];

    (void)state;
    assert_int_equal(sl_crc32c(0, "123456789", 9), 0xe3069283u);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x8a9136aau);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x62a8ab43u);
    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x46dd794eu);
    assert_int_equal(sl_crc32c(sl_crc32c(0, bytes, 5), bytes + 5, 27), 0x46dd794eu);
    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x113fdb5cu);
}

static void expect_types(const void *bytes, size_t len, const uint8_t *types, unsigned n)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    unsigned seen = 0;

    sl_capture_reader_init(&reader, bytes, len);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_UNUSED)
            continue;
        assert_int_equal(item.kind, SL_ITEM_RECORD);
        assert_true(seen < n);
        assert_int_equal(item.header.type, types[seen]);
        assert_int_equal(item.header.sequence, seen);
        assert_int_equal(item.header.session, FIXTURE_SESSION);
        assert_int_equal(item.header.lost, 0);
        seen++;
    }
    assert_int_equal(seen, n);
}

static const uint8_t all_types[FIXTURE_RECORDS] = {1, 2, 3, 4, 5, 6, 8, 7, 9, 10, 11};

static void a_linear_buffer_holds_what_was_written(void **state)
{
    struct sl_capture c;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_write(&c);
    assert_int_equal(c.lost, 0);
    assert_int_equal(c.records, FIXTURE_RECORDS);
    assert_int_equal(c.bytes, sl_capture_used_bytes(&c));
    expect_types(memory, sizeof memory, all_types, FIXTURE_RECORDS);
    expect_types(memory, sl_capture_used_bytes(&c), all_types, FIXTURE_RECORDS);
}

struct stream {
    uint8_t bytes[sizeof memory];
    size_t len;
    size_t room;
};

static bool take(void *context, const void *bytes, uint32_t len)
{
    struct stream *s = context;

    if (len > s->room - s->len)
        return false;
    memcpy(s->bytes + s->len, bytes, len);
    s->len += len;
    return true;
}

static void a_stream_is_the_same_bytes(void **state)
{
    static struct stream s = {.room = sizeof memory};
    const struct sl_capture_config config = {.session = FIXTURE_SESSION, .emit = take, .context = &s};
    struct sl_capture c, ram;

    (void)state;
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    fixture_write(&c);
    expect_types(s.bytes, s.len, all_types, FIXTURE_RECORDS);
    fixture_ram(&ram, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_write(&ram);
    assert_int_equal(s.len, sl_capture_used_bytes(&ram));
    /* The FILE record names the sink; all others are equal. */
    assert_memory_equal(s.bytes + 96, (uint8_t *)memory + 96, s.len - 96);
}

static void a_stream_that_fails_is_counted(void **state)
{
    static struct stream s = {.room = 700};
    const struct sl_capture_config config = {.session = FIXTURE_SESSION, .emit = take, .context = &s};
    struct sl_capture c;

    (void)state;
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    fixture_write(&c);
    assert_true(c.lost > 0);
    assert_int_equal(c.records + c.lost, FIXTURE_RECORDS);
    assert_int_equal(c.sequence, FIXTURE_RECORDS);
}

static void payloads_come_back(void **state)
{
    struct sl_capture c;
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    struct sl_capture_sample sample;
    struct sl_capture_count count;
    struct sl_capture_metrics metrics;
    struct sl_capture_square square;
    struct sl_capture_region region;
    uint32_t len;
    unsigned seen = 0;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_write(&c);
    sl_capture_reader_init(&reader, memory, sl_capture_used_bytes(&c));
    while (sl_capture_next(&reader, &item)) {
        if (item.header.type == SL_CAPTURE_REGION) {
            assert_int_equal(sl_capture_get(&item, &region, sizeof region), SL_OK);
            assert_int_equal(region.id, 7);
            assert_memory_equal(sl_capture_tail(&item, &len), "inner loop", 10);
            assert_int_equal(len, 10);
            seen++;
        }
        if (item.header.type == SL_CAPTURE_SAMPLE) {
            assert_int_equal(sl_capture_get(&item, &region, sizeof region), SL_E_ARGUMENT);
            assert_int_equal(sl_capture_get(&item, &sample, sizeof sample), SL_OK);
            assert_int_equal(sample.stop, 1000100);
            sl_capture_element(&item, 1, &count, sizeof count);
            assert_int_equal(count.value, 500000);
            assert_int_equal(count.quality, SL_QUALITY_WRAPPED);
            assert_true(sl_capture_metrics_of(&item, &metrics));
            assert_int_equal(metrics.slots_stop, 4);
            assert_true(sl_capture_square_of(&item, 1, &square));
            assert_int_equal(square.high, 14);
            assert_false(sl_capture_square_of(&item, 2, &square));
            seen++;
        }
        if (item.header.type == SL_CAPTURE_SPE) {
            assert_memory_equal(sl_capture_tail(&item, &len), "\xb0\x01\x02\x03\x04", 5);
            assert_int_equal(len, 5);
            seen++;
        }
    }
    assert_int_equal(seen, 3);
}

static void a_full_linear_buffer_drops_and_still_ends(void **state)
{
    struct sl_capture c;
    struct sl_capture_reader reader;
    struct sl_capture_item item, last = {.len_bytes = 0};
    struct sl_capture_end end;
    uint32_t n = 0;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, 1024);
    for (unsigned i = 0; i < 100; i++)
        fixture_sample(&c, SL_CAPTURE_SAMPLE, i);
    assert_int_equal(sl_capture_finish(&c), SL_OK);
    assert_int_equal(sl_capture_finish(&c), SL_E_ROOM);
    sl_capture_reader_init(&reader, memory, 1024);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_RECORD) {
            last = item;
            n++;
        }
    }
    assert_int_equal(last.header.type, SL_CAPTURE_END);
    assert_int_equal(last.header.sequence, 100);
    assert_int_equal(sl_capture_get(&last, &end, sizeof end), SL_OK);
    assert_int_equal(end.records, n - 1);
    assert_int_equal(end.lost, 100 - (n - 1));
    assert_int_equal(last.header.lost, end.lost);
    assert_true(sl_capture_used_bytes(&c) <= 1024);
}

static void labels_are_cut_between_characters(void **state)
{
    struct sl_capture c;
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    char label[64];
    uint32_t len;

    (void)state;
    for (unsigned lead = 40; lead < 50; lead++) {
        memset(label, 'x', lead);
        strcpy(label + lead, "\xe2\x82\xac\xe2\x82\xac"); /* two euro signs */
        fixture_ram(&c, SL_SINK_LINEAR, memory, 512);
        (void)sl_capture_region(&c, 1, SL_REGION_NONE, 0, label);
        sl_capture_reader_init(&reader, memory, 512);
        assert_true(sl_capture_next(&reader, &item));
        (void)sl_capture_tail(&item, &len);
        assert_int_equal(len, lead >= 47 ? 47 : lead + (47 - lead) / 3 * 3);
    }
}

static void long_drains_are_split(void **state)
{
    static uint8_t bytes[3000];
    struct sl_capture c;
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    struct sl_capture_spe spe = {.drain = 9};
    const uint8_t *tail;
    uint32_t at = 0, len;

    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7u);
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    assert_int_equal(sl_capture_spe(&c, &spe, bytes, sizeof bytes), SL_OK);
    sl_capture_reader_init(&reader, memory, sl_capture_used_bytes(&c));
    while (sl_capture_next(&reader, &item)) {
        assert_int_equal(sl_capture_get(&item, &spe, sizeof spe), SL_OK);
        assert_int_equal(spe.offset, at);
        assert_int_equal(spe.total_bytes, sizeof bytes);
        tail = sl_capture_tail(&item, &len);
        assert_memory_equal(tail, bytes + at, len);
        at += len;
    }
    assert_int_equal(at, sizeof bytes);
}

static void bad_configurations_are_refused(void **state)
{
    struct sl_capture c;
    struct sl_capture_config config = {.sink = SL_SINK_LINEAR, .mem = memory, .mem_bytes = 256};
    const struct sl_capture_span huge = {memory, SL_CAPTURE_MAX_BYTES + 1u};

    (void)state;
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    assert_int_equal(sl_capture_write(&c, SL_CAPTURE_NOTE, &huge, 1), SL_E_ARGUMENT);
    assert_int_equal(c.lost, 1);
    config.mem_bytes = 255;
    assert_int_equal(sl_capture_init(&c, &config), SL_E_ARGUMENT);
    config.mem_bytes = 248;
    assert_int_equal(sl_capture_init(&c, &config), SL_E_ARGUMENT);
    config.mem_bytes = 256;
    config.mem = (uint8_t *)memory + 1;
    assert_int_equal(sl_capture_init(&c, &config), SL_E_ARGUMENT);
    config.mem = NULL;
    assert_int_equal(sl_capture_init(&c, &config), SL_E_ARGUMENT);
    config.sink = SL_SINK_STREAM;
    assert_int_equal(sl_capture_init(&c, &config), SL_E_ARGUMENT);
    config.sink = (enum sl_capture_sink)3;
    assert_int_equal(sl_capture_init(&c, &config), SL_E_ARGUMENT);
}

/* ---- the ring: whatever is written, the newest records are there, in order and whole --------------------------- */

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % n;
}

/* Every record of the dump is intact; numbers from some one on are all there; with the pinned ones and the lost, they
 * are all that were written. */
static void expect_newest(const struct sl_capture *c, uint32_t n_pinned)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    static uint8_t seen[1u << 12];
    uint32_t n = 0, first = c->sequence;

    memset(seen, 0, sizeof seen);
    sl_capture_reader_init(&reader, c->mem, c->size_bytes);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_UNUSED)
            continue;
        assert_int_equal(item.kind, SL_ITEM_RECORD);
        assert_true(item.header.sequence < sizeof seen);
        assert_int_equal(seen[item.header.sequence]++, 0);
        n++;
    }
    while (first > n_pinned && seen[first - 1])
        first--;
    for (uint32_t i = 0; i < n_pinned; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(n, n_pinned + c->sequence - first);
    assert_int_equal(c->lost, first - n_pinned);
}

static uint8_t source[200];

static void a_ring_keeps_the_newest(void **state)
{
    (void)state;
    random_state = 1;
    for (unsigned i = 0; i < sizeof source; i++)
        source[i] = (uint8_t)(i * 13u);
    for (unsigned round = 0; round < 60; round++) {
        uint32_t size = 1024 + 8 * random_below(600), biggest = 1 + random_below(200), n_pinned = 0;
        struct sl_capture c;

        fixture_ram(&c, SL_SINK_RING, memory, size);
        if (random_below(2)) {
            (void)sl_capture_region(&c, 1, SL_REGION_NONE, 0, "pinned");
            (void)sl_capture_region(&c, 2, 1, 0, "pinned, too");
            sl_capture_pin(&c);
            n_pinned = 2;
        }
        for (unsigned i = 0; i < 200; i++) {
            const struct sl_capture_span span = {source, random_below(biggest)};

            assert_int_equal(sl_capture_write(&c, SL_CAPTURE_NOTE, &span, 1), SL_OK);
            expect_newest(&c, n_pinned);
        }
        assert_true(c.wrapped || c.lost > 0 || size > 200 * 32);
    }
}

static void a_ring_in_overwritten_memory_stops_at_its_edge(void **state)
{
    struct sl_capture c;

    (void)state;
    random_state = 2;
    for (unsigned round = 0; round < 200; round++) {
        memset((uint8_t *)memory + 2048, 0xa5, 64);
        fixture_ram(&c, SL_SINK_RING, memory, 2048);
        for (unsigned i = 0; i < 40; i++) {
            fixture_sample(&c, SL_CAPTURE_SAMPLE, i);
            ((uint8_t *)memory)[random_below(2048)] ^= (uint8_t)(1u << random_below(8));
        }
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(((uint8_t *)memory)[2048 + i], 0xa5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32c_of_published_vectors),
        cmocka_unit_test(a_linear_buffer_holds_what_was_written),
        cmocka_unit_test(a_stream_is_the_same_bytes),
        cmocka_unit_test(a_stream_that_fails_is_counted),
        cmocka_unit_test(payloads_come_back),
        cmocka_unit_test(a_full_linear_buffer_drops_and_still_ends),
        cmocka_unit_test(labels_are_cut_between_characters),
        cmocka_unit_test(long_drains_are_split),
        cmocka_unit_test(bad_configurations_are_refused),
        cmocka_unit_test(a_ring_keeps_the_newest),
        cmocka_unit_test(a_ring_in_overwritten_memory_stops_at_its_edge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
