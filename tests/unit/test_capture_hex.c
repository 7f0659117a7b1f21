/* SPDX-License-Identifier: Apache-2.0 */
/* core/capture, hexadecimal lines. */
#include "tests/unit/capture_fixture.h"

struct console {
    char text[4096];
    size_t len;
    unsigned lines;
};

static bool put(void *context, const void *bytes, uint32_t len)
{
    struct console *console = context;

    memcpy(console->text + console->len, bytes, len);
    console->len += len;
    console->lines++;
    return true;
}

/* The CRC is that of core 0x12, offset 0 and the two bytes: 12 00 00 00 00 00 ab cd, computed bit by bit in Python. */
static void a_line_is_spelt_as_documented(void **state)
{
    struct console console = {.len = 0};
    struct sl_capture_hex hex;

    (void)state;
    sl_capture_hex_init(&hex, 0x12, put, &console);
    assert_true(sl_capture_hex_emit(&hex, "\xab\xcd", 2));
    assert_int_equal(console.len, 0);
    assert_true(sl_capture_hex_flush(&hex));
    assert_true(sl_capture_hex_flush(&hex));
    console.text[console.len] = '\0';
    assert_string_equal(console.text, "$SL001200000000:abcd*cb3859bd\n");
}

static void lines_come_back_and_damage_is_seen(void **state)
{
    struct console console = {.len = 0};
    struct sl_capture_hex hex;
    struct sl_capture_hex_line line;
    uint8_t bytes[77];
    size_t at = 0, chars, total = 0;

    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37u);
    sl_capture_hex_init(&hex, 3, put, &console);
    assert_true(sl_capture_hex_emit(&hex, bytes, 40) && sl_capture_hex_emit(&hex, bytes + 40, 37));
    assert_true(sl_capture_hex_flush(&hex));
    assert_int_equal(console.lines, 3);
    while (at < console.len) {
        assert_int_equal(sl_capture_hex_read(console.text + at, console.len - at, &line, &chars), SL_OK);
        assert_int_equal(line.core, 3);
        assert_int_equal(line.offset, total);
        assert_memory_equal(line.bytes, bytes + total, line.len_bytes);
        total += line.len_bytes;
        at += chars;
        assert_int_equal(console.text[at++], '\n');
    }
    assert_int_equal(total, sizeof bytes);
    /* Any cut of the first line, and any changed character of it (upper case is the same digit). */
    for (size_t len = 0; len < 89; len++)
        assert_int_equal(sl_capture_hex_read(console.text, len, &line, &chars), SL_E_TRUNCATED);
    assert_int_equal(sl_capture_hex_read(console.text, 89, &line, &chars), SL_OK);
    for (size_t i = 0; i < 89; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            char was = console.text[i];

            console.text[i] = (char)(was ^ (char)(1u << bit));
            if (!(bit == 5 && was >= 'a' && was <= 'f'))
                assert_int_not_equal(sl_capture_hex_read(console.text, console.len, &line, &chars), SL_OK);
            assert_true(chars >= 1 && chars <= 89);
            console.text[i] = was;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_spelt_as_documented),
        cmocka_unit_test(lines_come_back_and_damage_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
