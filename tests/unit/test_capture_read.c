/* SPDX-License-Identifier: Apache-2.0 */
/* core/capture, reading: damage is always seen, and costs no more than the records it hits. */
#include "tests/unit/capture_fixture.h"

#define ROOM 4096u

static uint64_t memory[ROOM / 8];
static uint8_t good[ROOM], bad[2 * ROOM];
static size_t good_len;
static size_t starts[FIXTURE_RECORDS + 1]; /* of the records, and the end */

static int make_capture(void **state)
{
    struct sl_capture c;
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    unsigned n = 0;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_write(&c);
    good_len = sl_capture_used_bytes(&c);
    memcpy(good, memory, good_len);
    sl_capture_reader_init(&reader, good, good_len);
    while (sl_capture_next(&reader, &item))
        starts[n++] = item.offset;
    starts[n] = good_len;
    return n == FIXTURE_RECORDS ? 0 : -1;
}

/* The sequence numbers of the intact records, as bits. The items must cover the input without gap or overlap. */
static uint32_t intact(const uint8_t *bytes, size_t len, unsigned *n_bad)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    uint32_t found = 0;
    size_t at = 0;

    *n_bad = 0;
    sl_capture_reader_init(&reader, bytes, len);
    while (sl_capture_next(&reader, &item)) {
        assert_int_equal(item.offset, at);
        assert_true(item.len_bytes > 0 && item.len_bytes <= len - at);
        at += item.len_bytes;
        if (item.kind == SL_ITEM_RECORD)
            found |= 1u << item.header.sequence;
        else if (item.kind != SL_ITEM_UNUSED)
            (*n_bad)++;
    }
    assert_int_equal(at, len);
    return found;
}

#define ALL ((1u << FIXTURE_RECORDS) - 1u)

static void a_good_capture_is_good_at_any_place(void **state)
{
    unsigned n_bad;

    (void)state;
    for (unsigned shift = 0; shift < 17; shift++) {
        memset(bad, 0, shift);
        memcpy(bad + shift, good, good_len);
        assert_int_equal(intact(bad, shift + good_len, &n_bad), ALL);
        assert_int_equal(n_bad, shift > 0 && shift < 8); /* fewer zeros than unused memory has are odd */
    }
}

static void any_flipped_bit_is_seen_and_costs_one_record(void **state)
{
    (void)state;
    for (size_t bit = 0; bit < 8 * good_len; bit++) {
        unsigned n_bad, hit = 0;

        memcpy(bad, good, good_len);
        bad[bit / 8] ^= (uint8_t)(1u << bit % 8);
        while (starts[hit + 1] <= bit / 8)
            hit++;
        assert_int_equal(intact(bad, good_len, &n_bad), ALL & ~(1u << hit));
        assert_true(n_bad >= 1);
    }
}

static void any_cut_loses_only_what_it_cuts(void **state)
{
    (void)state;
    for (size_t len = 0; len <= good_len; len++) {
        unsigned n_bad, whole = 0;

        memcpy(bad, good, len);
        while (whole < FIXTURE_RECORDS && starts[whole + 1] <= len)
            whole++;
        assert_int_equal(intact(bad, len, &n_bad), (1u << whole) - 1u);
        assert_int_equal(n_bad, starts[whole] != len);
    }
}

/* Bytes that a UART drops in the middle; what is left of the records must be told from what is behind it. */
static void any_hole_loses_only_what_it_hits(void **state)
{
    (void)state;
    for (size_t from = 0; from < good_len; from += 3) {
        for (size_t len = 1; from + len <= good_len; len += 1 + len / 2) {
            uint32_t expected = 0;
            unsigned n_bad;

            memcpy(bad, good, from);
            memcpy(bad + from, good + from + len, good_len - from - len);
            for (unsigned i = 0; i < FIXTURE_RECORDS; i++) {
                if (starts[i + 1] <= from || starts[i] >= from + len)
                    expected |= 1u << i;
            }
            /* More may be there: a hole can begin and end with the same bytes. */
            assert_int_equal(intact(bad, good_len - len, &n_bad) & expected, expected);
        }
    }
}

static void other_bytes_between_records_do_not_hide_them(void **state)
{
    static const char text[] = "SL[   12.345] SLwatchdog: barkedSL";
    unsigned n_bad;

    (void)state;
    for (unsigned i = 0; i < FIXTURE_RECORDS; i++) {
        memcpy(bad, good, starts[i]);
        memcpy(bad + starts[i], text, sizeof text);
        memcpy(bad + starts[i] + sizeof text, good + starts[i], good_len - starts[i]);
        assert_int_equal(intact(bad, good_len + sizeof text, &n_bad), ALL);
        assert_int_equal(n_bad, 1);
    }
}

static void text_inside_a_record_costs_that_record(void **state)
{
    static const char text[] = "\r\nSL interrupt\r\n";

    (void)state;
    for (size_t at = 0; at < good_len; at++) {
        uint32_t expected = 0;
        unsigned n_bad;

        memcpy(bad, good, at);
        memcpy(bad + at, text, sizeof text);
        memcpy(bad + at + sizeof text, good + at, good_len - at);
        for (unsigned i = 0; i < FIXTURE_RECORDS; i++) {
            if (starts[i + 1] <= at || starts[i] >= at)
                expected |= 1u << i;
        }
        assert_int_equal(intact(bad, good_len + sizeof text, &n_bad), expected);
        assert_true(n_bad >= 1);
    }
}

static void erased_flash_is_no_garbage(void **state)
{
    unsigned n_bad;

    (void)state;
    memset(bad, 0xff, sizeof bad);
    memcpy(bad + 64, good, good_len);
    assert_int_equal(intact(bad, sizeof bad, &n_bad), ALL);
    assert_int_equal(n_bad, 0);
}

/* Headers that announce a megabyte each, one in the other: the payload's CRC must not be computed for each of them. */
static void nested_headers_take_linear_time(void **state)
{
    enum { N = 40000 };
    static uint8_t hostile[N * 32 + SL_CAPTURE_MAX_BYTES];
    struct sl_capture_header header = {
        .magic = SL_CAPTURE_MAGIC, .type = 7, .version = 1, .len_bytes = SL_CAPTURE_MAX_BYTES};
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    size_t n = 0;

    (void)state;
    memset(hostile, 0x55, sizeof hostile);
    for (uint32_t i = 0; i < N; i++) {
        header.sequence = i;
        header.header_crc = sl_crc32c(0, &header, sizeof header - 4);
        memcpy(hostile + i * sizeof header, &header, sizeof header);
    }
    sl_capture_reader_init(&reader, hostile, sizeof hostile);
    while (sl_capture_next(&reader, &item)) {
        assert_int_not_equal(item.kind, SL_ITEM_RECORD);
        n++;
    }
    assert_in_range(n, 1, 64);
}

static void a_length_over_the_limit_is_no_header(void **state)
{
    struct sl_capture_header header = {.magic = SL_CAPTURE_MAGIC, .type = 7, .version = 1, .len_bytes = UINT32_MAX};
    unsigned n_bad;

    (void)state;
    header.header_crc = sl_crc32c(0, &header, sizeof header - 4);
    memcpy(bad, &header, sizeof header);
    memcpy(bad + sizeof header, good, good_len);
    assert_int_equal(intact(bad, sizeof header + good_len, &n_bad), ALL);
    assert_int_equal(n_bad, 1);
}

/* ---- payloads that contradict themselves, under a right CRC ---------------------------------------------------------
 */

static enum sl_status get(uint8_t type, uint8_t version, const void *payload, uint32_t len, void *fixed, size_t bytes)
{
    const struct sl_capture_item item = {
        .kind = SL_ITEM_RECORD, .payload = payload, .header = {.type = type, .version = version, .len_bytes = len}};

    return sl_capture_get(&item, fixed, bytes);
}

static void payloads_shorter_than_they_say_are_refused(void **state)
{
    struct sl_capture_sample sample = {.n_counts = 2, .parts = SL_SAMPLE_SQUARES | SL_SAMPLE_METRICS};
    struct sl_capture_group group = {.n_counters = 65535};
    struct sl_capture_region region = {.label_bytes = 3};
    uint8_t payload[256] = {0};

    (void)state;
    memcpy(payload, &sample, sizeof sample);
    assert_int_equal(get(7, 1, payload, 56 + 2 * 16 + 32 + 2 * 16, &sample, sizeof sample), SL_OK);
    assert_int_equal(get(7, 1, payload, 56 + 2 * 16 + 32 + 2 * 16 - 1, &sample, sizeof sample), SL_E_TRUNCATED);
    assert_int_equal(get(7, 1, payload, 55, &sample, sizeof sample), SL_E_TRUNCATED);
    assert_int_equal(get(7, 1, payload, 0, &sample, sizeof sample), SL_E_TRUNCATED);
    assert_int_equal(get(7, 2, payload, 200, &sample, sizeof sample), SL_E_UNSUPPORTED);
    assert_int_equal(get(0, 1, payload, 200, &sample, sizeof sample), SL_E_UNSUPPORTED);
    assert_int_equal(get(200, 1, payload, 200, &sample, sizeof sample), SL_E_UNSUPPORTED);
    memcpy(payload, &group, sizeof group);
    assert_int_equal(get(5, 1, payload, 200, &group, sizeof group), SL_E_TRUNCATED);
    memcpy(payload, &region, sizeof region);
    assert_int_equal(get(6, 1, payload, 11, &region, sizeof region), SL_OK);
    assert_int_equal(get(6, 1, payload, 10, &region, sizeof region), SL_E_TRUNCATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_capture_is_good_at_any_place),
        cmocka_unit_test(any_flipped_bit_is_seen_and_costs_one_record),
        cmocka_unit_test(any_cut_loses_only_what_it_cuts),
        cmocka_unit_test(any_hole_loses_only_what_it_hits),
        cmocka_unit_test(other_bytes_between_records_do_not_hide_them),
        cmocka_unit_test(text_inside_a_record_costs_that_record),
        cmocka_unit_test(erased_flash_is_no_garbage),
        cmocka_unit_test(nested_headers_take_linear_time),
        cmocka_unit_test(a_length_over_the_limit_is_no_header),
        cmocka_unit_test(payloads_shorter_than_they_say_are_refused),
    };

    return cmocka_run_group_tests(tests, make_capture, NULL);
}
