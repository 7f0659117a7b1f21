/* SPDX-License-Identifier: Apache-2.0 */
/* hosted/io/capture_file: streams, references, and a problem for everything that is not as it was written. */
#include "tests/unit/capture_fixture.h"

#include <stdlib.h>

#include "hosted/io/capture_file.h"

static uint64_t memory[1024];
static uint8_t bytes[32768];

static size_t write_stream(uint8_t *to, uint16_t core, uint32_t session)
{
    struct sl_capture c;
    struct sl_capture_config config = {
        .sink = SL_SINK_LINEAR, .core = core, .session = session, .mem = memory, .mem_bytes = sizeof memory};

    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    fixture_write(&c);
    memcpy(to, memory, sl_capture_used_bytes(&c));
    return sl_capture_used_bytes(&c);
}

static size_t losses(const struct capture *capture)
{
    size_t n = 0;

    for (size_t i = 0; i < capture->n_problems; i++)
        n += capture_problem_is_loss(capture->problems[i].kind);
    return n;
}

static const struct capture_problem *find(const struct capture *capture, enum capture_problem_kind kind)
{
    for (size_t i = 0; i < capture->n_problems; i++) {
        if (capture->problems[i].kind == kind)
            return &capture->problems[i];
    }
    return NULL;
}

static void a_good_capture_has_everything_and_no_problem(void **state)
{
    struct capture capture;
    size_t len = write_stream(bytes, 2, 9);

    (void)state;
    assert_true(capture_read(&capture, "x", bytes, len));
    assert_int_equal(capture.n_problems, 0);
    assert_int_equal(capture.n_records, FIXTURE_RECORDS);
    assert_int_equal(capture.n_streams, 1);
    assert_int_equal(capture.streams[0].core, 2);
    assert_int_equal(capture.streams[0].session, 9);
    assert_int_equal(capture.streams[0].cpu.n_counters, 6);
    assert_true(capture.streams[0].ended);
    assert_int_equal(capture.n_samples, 2);
    assert_true(capture.samples[0].calibration);
    assert_int_equal(capture.samples[1].group, 0);
    assert_string_equal(capture.regions[capture.samples[1].region].label, "inner loop");
    assert_int_equal(capture.samples[1].counts[0].value, 1000000);
    assert_int_equal(capture.samples[1].metrics->slots_start, 3);
    assert_int_equal(capture.samples[1].squares[1].low, 13);
    assert_int_equal(capture.groups[0].counters[1].event, 0x3e);
    assert_int_equal(capture.clocks[capture.samples[1].clock].clock.hz, 62500000);
    assert_int_equal(capture_register_find(&capture, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0))->value,
                     0x410fd493u);
    assert_null(capture_register_find(&capture, 0, SL_SPACE_CSR, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0)));
    assert_string_equal(capture.notes[0].text, "PMCR_EL0 traps");
    capture_free(&capture);
}

static void any_flipped_bit_is_a_loss(void **state)
{
    static uint8_t bad[sizeof memory];
    size_t len = write_stream(bytes, 0, 1);

    (void)state;
    for (size_t bit = 0; bit < 8 * len; bit++) {
        struct capture capture;

        memcpy(bad, bytes, len);
        bad[bit / 8] ^= (uint8_t)(1u << bit % 8);
        (void)capture_read(&capture, "x", bad, len);
        assert_true(losses(&capture) > 0);
        assert_true(capture.n_records == FIXTURE_RECORDS - 1);
        for (size_t i = 1; i < capture.n_problems; i++)
            assert_true(capture.problems[i - 1].offset <= capture.problems[i].offset);
        capture_free(&capture);
    }
}

static void any_cut_is_a_loss(void **state)
{
    size_t len = write_stream(bytes, 0, 1);

    (void)state;
    for (size_t cut = 1; cut < len; cut++) {
        struct capture capture;

        (void)capture_read(&capture, "x", bytes, cut);
        assert_true(losses(&capture) > 0);
        capture_free(&capture);
    }
}

static void whole_memory_without_an_end_is_none(void **state)
{
    struct capture capture;
    struct sl_capture c;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_head(&c);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, sizeof memory));
    assert_int_equal(losses(&capture), 0);
    assert_non_null(find(&capture, CAPTURE_NO_END));
    capture_free(&capture);
}

static void streams_of_cores_and_sessions_are_told_apart(void **state)
{
    static const struct {
        uint16_t core;
        uint32_t session;
    } order[] = {{1, 700}, {0, 700}, {0, 3}, {3, 3}}, expected[] = {{0, 700}, {1, 700}, {0, 3}, {3, 3}};
    struct capture capture;
    size_t len = 0;

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        len += write_stream(bytes + len, order[i].core, order[i].session);
    assert_true(capture_read(&capture, "x", bytes, len));
    assert_int_equal(capture.n_problems, 0);
    assert_int_equal(capture.n_streams, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(capture.streams[i].core, expected[i].core);
        assert_int_equal(capture.streams[i].session, expected[i].session);
        assert_int_equal(capture.samples[2 * i].stream, i);
    }
    capture_free(&capture);
}

/* Offsets of the records in bytes, and behind the last. */
static unsigned offsets(size_t len, size_t *at)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    unsigned n = 0;

    sl_capture_reader_init(&reader, bytes, len);
    while (sl_capture_next(&reader, &item))
        at[n++] = item.offset;
    at[n] = len;
    return n;
}

static void missing_records_are_named(void **state)
{
    static uint8_t bad[sizeof memory];
    size_t len = write_stream(bytes, 0, 1), at[FIXTURE_RECORDS + 1];
    const struct capture_problem *p;
    struct capture capture;

    (void)state;
    (void)offsets(len, at);
    memcpy(bad, bytes, at[4]);
    memcpy(bad + at[4], bytes + at[6], len - at[6]); /* without group and region */
    assert_true(capture_read(&capture, "x", bad, len - (at[6] - at[4])));
    p = find(&capture, CAPTURE_MISSING);
    assert_non_null(p);
    assert_int_equal(p->from, 4);
    assert_int_equal(p->to, 5);
    assert_int_equal(p->given_up, 0);
    assert_int_equal(p->offset, at[4]);
    assert_int_equal(capture.streams[0].n_missing, 2);
    assert_non_null(find(&capture, CAPTURE_NO_GROUP));
    assert_int_equal(find(&capture, CAPTURE_NO_REGION)->a, 7);
    assert_int_equal(capture.samples[1].group, CAPTURE_NONE);
    assert_int_equal(capture.n_problems, 4); /* two samples have no group */
    capture_free(&capture);
}

static void repeated_and_reordered_records_are_taken_once_and_in_order(void **state)
{
    static uint8_t bad[2 * sizeof memory];
    size_t len = write_stream(bytes, 0, 1), at[FIXTURE_RECORDS + 1], n = 0;
    static const unsigned order[] = {0, 1, 2, 3, 5, 4, 6, 7, 7, 8, 9, 10};
    struct capture capture;

    (void)state;
    (void)offsets(len, at);
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++) {
        memcpy(bad + n, bytes + at[order[i]], at[order[i] + 1] - at[order[i]]);
        n += at[order[i] + 1] - at[order[i]];
    }
    assert_true(capture_read(&capture, "x", bad, n));
    assert_int_equal(capture.n_records, FIXTURE_RECORDS);
    assert_int_equal(capture.n_samples, 2);
    assert_int_equal(capture.samples[1].group, 0);
    assert_int_equal(capture.n_problems, 2);
    assert_int_equal(find(&capture, CAPTURE_DISORDER)->from, 5);
    assert_int_equal(find(&capture, CAPTURE_DISORDER)->sequence, 4);
    assert_int_equal(find(&capture, CAPTURE_REPEATED)->a, at[7]);
    capture_free(&capture);
}

static void two_records_of_one_number_are_a_conflict(void **state)
{
    struct capture capture;
    struct sl_capture c;
    size_t len;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_write(&c);
    len = sl_capture_used_bytes(&c);
    memcpy(bytes, memory, len);
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    (void)sl_capture_note(&c, &(struct sl_capture_note){.code = 0}, "number 0, too");
    memcpy(bytes + len, memory, sl_capture_used_bytes(&c));
    assert_true(capture_read(&capture, "x", bytes, len + sl_capture_used_bytes(&c)));
    assert_int_equal(find(&capture, CAPTURE_CONFLICT)->a, 0);
    assert_int_equal(capture.n_notes, 1);
    capture_free(&capture);
}

static void what_a_writer_gave_up_is_told_from_what_was_lost(void **state)
{
    const struct capture_problem *p;
    struct capture capture;
    struct sl_capture c;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, 2048);
    fixture_head(&c);
    for (unsigned i = 0; i < 50; i++)
        fixture_sample(&c, SL_CAPTURE_SAMPLE, i);
    assert_int_equal(sl_capture_finish(&c), SL_OK);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, 2048));
    p = find(&capture, CAPTURE_MISSING);
    assert_int_equal(p->to, 55);
    assert_int_equal(p->given_up, p->to - p->from + 1);
    assert_int_equal(capture.n_samples, p->from - 6);
    assert_int_equal(capture.streams[0].n_given_up, capture.streams[0].n_missing);
    assert_int_equal(losses(&capture), 1);
    capture_free(&capture);
}

static void a_ring_that_went_round_is_complete(void **state)
{
    static uint8_t bad[2048];
    const struct capture_problem *p;
    struct capture capture;
    struct sl_capture c;

    (void)state;
    fixture_ram(&c, SL_SINK_RING, memory, 2048);
    fixture_head(&c);
    sl_capture_pin(&c);
    for (unsigned i = 0; i < 50; i++)
        fixture_sample(&c, SL_CAPTURE_SAMPLE, i);
    assert_int_equal(sl_capture_finish(&c), SL_OK);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, 2048));
    assert_int_equal(losses(&capture), 0);
    p = find(&capture, CAPTURE_OVERWRITTEN);
    assert_int_equal(p->from, 6);
    assert_int_equal(capture.n_samples, 50 - (p->to - p->from + 1));
    assert_int_equal(capture.samples[0].sample.stop, 100 + 50 - capture.n_samples);
    assert_int_equal(capture.samples[capture.n_samples - 1].sample.stop, 149);
    /* One of the kept ones is damaged: that is a loss, and the overwritten ones are still none. */
    memcpy(bad, memory, sizeof bad);
    bad[capture.samples[2].offset + 40] ^= 1;
    capture_free(&capture);
    assert_true(capture_read(&capture, "x", bad, 2048));
    assert_int_equal(losses(&capture), 1);
    assert_non_null(find(&capture, CAPTURE_DAMAGED));
    assert_non_null(find(&capture, CAPTURE_OVERWRITTEN));
    capture_free(&capture);
}

static void foreign_formats_and_unknown_types_are_left_out(void **state)
{
    struct capture capture;
    struct sl_capture c;
    struct sl_capture_file file = {.major = 2, .order_tag = SL_CAPTURE_ORDER_TAG};
    struct sl_capture_span span = {&file, sizeof file};

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    (void)sl_capture_write(&c, SL_CAPTURE_FILE, &span, 1);
    fixture_sample(&c, SL_CAPTURE_SAMPLE, 1);
    assert_false(capture_read(&capture, "x", (uint8_t *)memory, sl_capture_used_bytes(&c)));
    assert_int_equal(find(&capture, CAPTURE_FORMAT)->a, 2);
    assert_int_equal(capture.n_samples, 0);
    capture_free(&capture);

    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    fixture_head(&c);
    (void)sl_capture_write(&c, (enum sl_capture_type)77, &span, 1);
    span.len_bytes = 3;
    (void)sl_capture_write(&c, SL_CAPTURE_SAMPLE, &span, 1);
    (void)sl_capture_finish(&c);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, sl_capture_used_bytes(&c)));
    assert_int_equal(find(&capture, CAPTURE_UNKNOWN)->type, 77);
    assert_int_equal(find(&capture, CAPTURE_MALFORMED)->sequence, 7);
    assert_int_equal(losses(&capture), 1);
    capture_free(&capture);
}

static void texts_are_made_printable(void **state)
{
    static const struct {
        const char *written, *read;
    } cases[] = {{"tight loop", "tight loop"},
                 {"\x1b[31mred", "?[31mred"},
                 {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
                 {"bad \xc3", "bad ?"},
                 {"\xff\xc0\x80", "???"},
                 {"\xc2\x9b", "??"},
                 {"\xed\xa0\x80", "???"},
                 {"\xf0\x9f\x90\x9b!", "\xf0\x9f\x90\x9b!"}};

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct capture capture;
        struct sl_capture c;

        fixture_ram(&c, SL_SINK_LINEAR, memory, 512);
        (void)sl_capture_region(&c, 1, SL_REGION_NONE, 0, cases[i].written);
        assert_true(capture_read(&capture, "x", (uint8_t *)memory, 512));
        assert_string_equal(capture.regions[0].label, cases[i].read);
        capture_free(&capture);
    }
}

static void groups_are_those_of_their_time_and_core(void **state)
{
    const struct sl_capture_counter counter = {.event = 0x11}, other = {.event = 0x23};
    const struct sl_capture_group group = {.id = 1, .n_counters = 1};
    const struct sl_capture_sample sample = {.region = SL_REGION_NONE, .group = 1, .n_counts = 1};
    const struct sl_capture_count count = {5, 0, 0};
    struct sl_capture_config config = {
        .sink = SL_SINK_LINEAR, .core = 1, .session = FIXTURE_SESSION, .mem = memory, .mem_bytes = 4096};
    struct capture capture;
    struct sl_capture c;
    size_t len;

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, 4096);
    (void)sl_capture_group(&c, &group, &counter);
    (void)sl_capture_sample(&c, SL_CAPTURE_SAMPLE, &sample, &count, NULL, NULL);
    (void)sl_capture_group(&c, &group, &other);
    (void)sl_capture_sample(&c, SL_CAPTURE_SAMPLE, &sample, &count, NULL, NULL);
    len = sl_capture_used_bytes(&c);
    memcpy(bytes, memory, len);
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    (void)sl_capture_sample(&c, SL_CAPTURE_SAMPLE, &sample, &count, NULL, NULL); /* core 1 describes none */
    memcpy(bytes + len, memory, sl_capture_used_bytes(&c));
    assert_true(capture_read(&capture, "x", bytes, len + sl_capture_used_bytes(&c)));
    assert_int_equal(capture.n_samples, 3);
    assert_int_equal(capture.groups[capture.samples[0].group].counters[0].event, 0x11);
    assert_int_equal(capture.groups[capture.samples[1].group].counters[0].event, 0x23);
    assert_int_not_equal(capture.samples[2].group, CAPTURE_NONE);
    capture_free(&capture);
}

static void holes_in_spe_drains_are_seen(void **state)
{
    static uint8_t drain[3000];
    size_t at[64], len;
    const struct capture_problem *p;
    struct capture capture;
    struct sl_capture c;
    const struct sl_capture_spe spe = {.drain = 4};

    (void)state;
    fixture_ram(&c, SL_SINK_LINEAR, memory, sizeof memory);
    (void)sl_capture_spe(&c, &spe, drain, sizeof drain); /* pieces of 1024, 1024 and 952 bytes */
    len = sl_capture_used_bytes(&c);
    memcpy(bytes, memory, len);
    assert_int_equal(offsets(len, at), 3);
    memmove(bytes + at[1], bytes + at[2], len - at[2]);
    assert_true(capture_read(&capture, "x", bytes, len - (at[2] - at[1])));
    p = find(&capture, CAPTURE_SPE_HOLE);
    assert_int_equal(p->from, 4);
    assert_int_equal(p->a, 1024);
    assert_int_equal(p->b, 2047);
    capture_free(&capture);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, at[2]));
    p = find(&capture, CAPTURE_SPE_HOLE);
    assert_int_equal(p->a, 2048);
    assert_int_equal(p->b, 2999);
    capture_free(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_capture_has_everything_and_no_problem),
        cmocka_unit_test(any_flipped_bit_is_a_loss),
        cmocka_unit_test(any_cut_is_a_loss),
        cmocka_unit_test(whole_memory_without_an_end_is_none),
        cmocka_unit_test(streams_of_cores_and_sessions_are_told_apart),
        cmocka_unit_test(missing_records_are_named),
        cmocka_unit_test(repeated_and_reordered_records_are_taken_once_and_in_order),
        cmocka_unit_test(two_records_of_one_number_are_a_conflict),
        cmocka_unit_test(what_a_writer_gave_up_is_told_from_what_was_lost),
        cmocka_unit_test(a_ring_that_went_round_is_complete),
        cmocka_unit_test(foreign_formats_and_unknown_types_are_left_out),
        cmocka_unit_test(texts_are_made_printable),
        cmocka_unit_test(groups_are_those_of_their_time_and_core),
        cmocka_unit_test(holes_in_spe_drains_are_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
