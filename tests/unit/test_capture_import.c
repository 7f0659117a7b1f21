/* SPDX-License-Identifier: Apache-2.0 */
/* hosted/io/capture_hex: a console log back into bytes. */
#include "tests/unit/capture_fixture.h"

#include <stdio.h>

#include "hosted/io/capture_file.h"
#include "hosted/io/capture_hex.h"

#define LINES 64u

static char lines[LINES][128];
static unsigned n_lines;
static uint8_t original[4096];
static size_t original_len;
static uint64_t memory[512];
static char text[LINES * 256];

static bool put(void *context, const void *bytes, uint32_t len)
{
    (void)context;
    memcpy(lines[n_lines], bytes, len);
    lines[n_lines++][len] = '\0';
    return true;
}

static void make(uint32_t session)
{
    const struct sl_capture_config config = {
        .sink = SL_SINK_LINEAR, .session = session, .mem = memory, .mem_bytes = sizeof memory};
    struct sl_capture_hex hex;
    struct sl_capture c;

    n_lines = 0;
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    fixture_write(&c);
    original_len = sl_capture_used_bytes(&c);
    memcpy(original, memory, original_len);
    sl_capture_hex_init(&hex, 0, put, NULL);
    assert_true(sl_capture_hex_emit(&hex, original, (uint32_t)original_len));
    assert_true(sl_capture_hex_flush(&hex));
}

static int make_lines(void **state)
{
    (void)state;
    make(1);
    return 0;
}

/* All lines but `left_out`, each behind `prefix`. */
static size_t join(const char *prefix, unsigned left_out)
{
    size_t len = 0;

    for (unsigned i = 0; i < n_lines; i++) {
        if (i != left_out)
            len += (size_t)sprintf(text + len, "%s%s", prefix, lines[i]);
    }
    return len;
}

static void all_lines_give_the_capture(void **state)
{
    static const char *const prefixes[] = {"", "[    1.234567] ", "$", "$SL", "$SL0000", "<6>$SL000000000000:"};
    struct hex_import import;

    (void)state;
    for (unsigned i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t len = join(prefixes[i], LINES);

        assert_true(hex_import(&import, text, len));
        assert_int_equal(import.n_lines, n_lines);
        assert_int_equal(import.bytes.len, original_len);
        assert_memory_equal(import.bytes.data, original, original_len);
        /* A prefix that looks like the beginning of a line is one that was damaged. */
        assert_int_equal(import.n_problems, i < 4 ? 0 : n_lines);
        hex_import_free(&import);
    }
}

static void any_lost_line_is_a_hole_of_its_bytes(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost + 1 < n_lines; lost++) {
        struct hex_import import;
        size_t len = join("", lost);

        assert_true(hex_import(&import, text, len));
        assert_int_equal(import.n_problems, 1);
        assert_int_equal(import.problems[0].kind, HEX_HOLE);
        assert_int_equal(import.problems[0].from, 32 * lost);
        assert_int_equal(import.problems[0].to, 32 * lost + 31);
        assert_int_equal(import.problems[0].line, lost + 1);
        assert_int_equal(import.bytes.len, original_len);
        assert_memory_equal(import.bytes.data + 32 * (lost + 1), original + 32 * (lost + 1),
                            original_len - 32 * (lost + 1));
        hex_import_free(&import);
    }
}

/* The last line's loss shows in the capture: its stream has no end. */
static void a_lost_last_line_shows_in_the_capture(void **state)
{
    struct hex_import import;
    struct capture capture;
    size_t len = join("", n_lines - 1), losses = 0;

    (void)state;
    assert_true(hex_import(&import, text, len));
    assert_int_equal(import.n_problems, 0);
    assert_true(capture_read(&capture, "x", (uint8_t *)import.bytes.data, import.bytes.len));
    for (size_t i = 0; i < capture.n_problems; i++)
        losses += capture_problem_is_loss(capture.problems[i].kind);
    assert_true(losses > 0);
    capture_free(&capture);
    hex_import_free(&import);
}

static void any_changed_character_costs_at_most_its_line(void **state)
{
    size_t len = join("", LINES);

    (void)state;
    for (size_t at = 0; at < 400; at++) {
        struct hex_import import;
        char was = text[at];

        text[at] = was == '7' ? '8' : '7';
        assert_true(hex_import(&import, text, len));
        /* The line's end is not part of it. */
        assert_int_equal(import.n_lines, n_lines - (was != '\n'));
        assert_true(was == '\n' || import.n_problems >= 1);
        hex_import_free(&import);
        text[at] = was;
    }
}

static void order_and_repetition_do_not_matter(void **state)
{
    struct hex_import import;
    size_t len = 0;

    (void)state;
    for (unsigned i = 0; i < 3 * n_lines; i++)
        len += (size_t)sprintf(text + len, "%s", lines[(i * 7 + 3) % n_lines]);
    assert_true(hex_import(&import, text, len));
    assert_int_equal(import.n_problems, 0);
    assert_int_equal(import.n_repeated, 2 * n_lines);
    assert_int_equal(import.bytes.len, original_len);
    assert_memory_equal(import.bytes.data, original, original_len);
    hex_import_free(&import);
}

static void a_board_that_starts_again_gives_two_sessions(void **state)
{
    struct hex_import import;
    struct capture capture;
    size_t len = join("", LINES);

    (void)state;
    make(2);
    for (unsigned i = 0; i < n_lines; i++)
        len += (size_t)sprintf(text + len, "%s", lines[i]);
    assert_true(hex_import(&import, text, len));
    assert_int_equal(import.n_streams, 2);
    assert_int_equal(import.n_problems, 0);
    assert_true(capture_read(&capture, "x", (uint8_t *)import.bytes.data, import.bytes.len));
    assert_int_equal(capture.n_streams, 2);
    assert_int_equal(capture.n_problems, 0);
    assert_int_equal(capture.n_records, 2 * FIXTURE_RECORDS);
    capture_free(&capture);
    hex_import_free(&import);
    make(1);
}

/* Offsets that lie gigabytes apart must not make a file of gigabytes. */
static void large_holes_are_not_filled(void **state)
{
    struct sl_capture_hex hex;
    struct hex_import import;
    size_t len;

    (void)state;
    n_lines = 0;
    sl_capture_hex_init(&hex, 0, put, NULL);
    for (unsigned i = 0; i < 8; i++) {
        hex.offset = i * 0x1fffffe3u;
        (void)sl_capture_hex_emit(&hex, "0123456", 7);
        (void)sl_capture_hex_flush(&hex);
    }
    len = join("", LINES);
    assert_true(hex_import(&import, text, len));
    assert_int_equal(import.n_problems, 7);
    assert_true(import.bytes.len < 8 * 4200);
    assert_int_equal(import.problems[0].to - import.problems[0].from + 1, 0x1fffffe3u - 7);
    hex_import_free(&import);
    make(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lines_give_the_capture),
        cmocka_unit_test(any_lost_line_is_a_hole_of_its_bytes),
        cmocka_unit_test(a_lost_last_line_shows_in_the_capture),
        cmocka_unit_test(any_changed_character_costs_at_most_its_line),
        cmocka_unit_test(order_and_repetition_do_not_matter),
        cmocka_unit_test(a_board_that_starts_again_gives_two_sessions),
        cmocka_unit_test(large_holes_are_not_filled),
    };

    return cmocka_run_group_tests(tests, make_lines, NULL);
}
