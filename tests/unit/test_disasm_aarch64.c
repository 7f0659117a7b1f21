/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text of AArch64 instructions. Words and texts are llvm-mc-19's. */
#include "disasm_fixture.h"

static const struct disasm_case cases[] = {
    { { 0x20, 0x0c, 0x02, 0x8b }, "add\tx0, x1, x2, lsl #3" },
    { { 0x3f, 0x40, 0x22, 0x0b }, "add\twsp, w1, w2" },
    { { 0xe0, 0x03, 0x01, 0xaa }, "mov\tx0, x1" },
    { { 0xe1, 0x1f, 0x1c, 0x32 }, "orr\tw1, wzr, #0xff0" },
    { { 0x23, 0x00, 0xa0, 0x92 }, "mov\tx3, #-65537" },
    { { 0x20, 0x1c, 0x18, 0x53 }, "ubfiz\tw0, w1, #8, #8" },
    { { 0x20, 0x7c, 0x40, 0x93 }, "sxtw\tx0, w1" },
    { { 0xe3, 0x07, 0x9f, 0x9a }, "cset\tx3, ne" },
    { { 0x20, 0xd8, 0x62, 0xf8 }, "ldr\tx0, [x1, w2, sxtw #3]" },
    { { 0xfd, 0x7b, 0xc1, 0xa8 }, "ldp\tx29, x30, [sp], #16" },
    { { 0x9f, 0x89, 0xdf, 0x4c }, "ld2\t{ v31.4s, v0.4s }, [x12], #32" },
    { { 0x00, 0x10, 0x6f, 0x1e }, "fmov\td0, #1.50000000" },
    { { 0x23, 0xe5, 0x01, 0x2f }, "movi\td3, #0x00ff00ff0000ff" },
    { { 0x29, 0x7a, 0x0b, 0xd5 }, "dc\tcvac, x9" },
    { { 0x23, 0xf2, 0x18, 0xd5 }, "msr\tS3_0_C15_C2_1, x3" },
    { { 0x40, 0xd0, 0x3b, 0xd5 }, "mrs\tx0, TPIDR_EL0" },
    { { 0x00, 0x04, 0x80, 0xf9 }, "prfm\tpldl1keep, [x0, #8]" },
    { { 0xbf, 0x3b, 0x03, 0xd5 }, "dmb\tish" },
    { { 0x81, 0xff, 0xff, 0x54 }, "b.ne\t#-16" },
    { { 0x03, 0x01, 0x28, 0x36 }, "tbz\tw3, #5, #32" },
    { { 0x00, 0xe0, 0x41, 0xa0 }, "ld1d\t{ z0.d - z3.d }, pn8/z, [x0, #4, mul vl]" },
    { { 0x20, 0x0c, 0xc0, 0x05 }, "mov\tz0.h, #-32767" },
    { { 0x00, 0x54, 0x10, 0x05 }, "mov\tz0.b, p0/m, #-96" },
    { { 0x41, 0xfc, 0xe0, 0xc8 }, "casal\tx0, x1, [x2]" },
    { { 0x3f, 0x23, 0x03, 0xd5 }, "paciasp" },
};

static const struct disasm_case hexadecimal[] = {
    { { 0x23, 0x00, 0xa0, 0x92 }, "mov\tx3, #-0x10001" },
    { { 0x00, 0xe0, 0x41, 0xa0 }, "ld1d\t{ z0.d - z3.d }, pn8/z, [x0, #0x4, mul vl]" },
    { { 0x00, 0x54, 0x10, 0x05 }, "mov\tz0.b, p0/m, #0xa0" },
    { { 0x81, 0xff, 0xff, 0x54 }, "b.ne\t#-0x10" },
    { { 0x20, 0x0c, 0x02, 0x8b }, "add\tx0, x1, x2, lsl #3" },
};

static void test_texts(void **state)
{
    (void)state;
    disasm_check(&sl_isa_aarch64, 0, false, cases, sizeof cases / sizeof cases[0]);
    disasm_check(&sl_isa_aarch64, 0, true, hexadecimal, sizeof hexadecimal / sizeof hexadecimal[0]);
}

/* A symbol takes the place of a number and of its sign. */
static void test_symbols(void **state)
{
    static const uint8_t add[] = { 0x00, 0x00, 0x00, 0x91 }, branch[] = { 0x00, 0x00, 0x00, 0x94 };
    (void)state;
    disasm_check_symbol(&sl_isa_aarch64, 0, add, 2, ":lo12:foo+8", "add\tx0, x0, :lo12:foo+8");
    disasm_check_symbol(&sl_isa_aarch64, 0, branch, 0, "foo", "bl\tfoo");
}

/* No room, little room: cut, never overrun. */
static void test_short_buffer(void **state)
{
    static const uint8_t word[4] = { 0x20, 0x0c, 0x02, 0x8b };
    struct disasm_options options = { 0, false };
    struct sl_insn insn;
    char text[8] = "xxxxxxx";
    (void)state;
    assert_int_equal(sl_decode_aarch64(word, 4, &insn), SL_OK);
    disasm_text(&sl_isa_aarch64, &insn, word, &options, NULL, text, 0);
    assert_string_equal(text, "xxxxxxx");
    disasm_text(&sl_isa_aarch64, &insn, word, &options, NULL, text, 5);
    assert_string_equal(text, "add\t");
}

/* What is not known is printed as its encoding. */
static void test_unknown(void **state)
{
    static const uint8_t word[4] = { 0x78, 0x56, 0x34, 0x12 };
    struct disasm_options options = { 0, false };
    struct sl_insn insn = { .op = 0xffff, .len_bytes = 4 };
    char text[DISASM_TEXT_BYTES];
    (void)state;
    assert_false(disasm_text(&sl_isa_aarch64, &insn, word, &options, NULL, text, sizeof text));
    assert_string_equal(text, ".inst\t0x12345678");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_short_buffer),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
