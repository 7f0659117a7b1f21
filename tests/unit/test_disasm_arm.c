/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text of 32-bit Arm instructions. Words and texts are llvm-mc-19's. */
#include "disasm_fixture.h"

#include <slotledger/isa.h>

static const struct disasm_case a32[] = {
    { { 0x00, 0x00, 0x91, 0xe5 }, "ldr\tr0, [r1]" },
    { { 0x00, 0x00, 0x11, 0xe5 }, "ldr\tr0, [r1, #-0]" },
    { { 0x04, 0x10, 0x11, 0xe5 }, "ldr\tr1, [r1, #-4]" },
    { { 0x03, 0x00, 0x81, 0x10 }, "addne\tr0, r1, r3" },
    { { 0xf0, 0x41, 0x2d, 0xe9 }, "push\t{r4, r5, r6, r7, r8, lr}" },
    { { 0x01, 0x00, 0x52, 0xe2 }, "subs\tr0, r2, #1" },
    { { 0x82, 0x01, 0x91, 0xe7 }, "ldr\tr0, [r1, r2, lsl #3]" },
    { { 0x1f, 0x02, 0xc7, 0xe7 }, "bfc\tr0, #4, #4" },
    { { 0x8d, 0x0a, 0x60, 0xf4 }, "vld1.32\t{d16, d17}, [r0]!" },
    { { 0x1e, 0xff, 0x2f, 0xe1 }, "bx\tlr" },
    { { 0x5b, 0xf0, 0x7f, 0xf5 }, "dmb\tish" },
    { { 0x10, 0x1f, 0x11, 0xee }, "mrc\tp15, #0, r1, c1, c0, #0" },
    { { 0x01, 0x0c, 0xa0, 0xe3 }, "mov\tr0, #256" },
};

static const struct disasm_case a32_hexadecimal[] = {
    { { 0x00, 0x00, 0x11, 0xe5 }, "ldr\tr0, [r1, #-0x0]" },
    { { 0x01, 0x0c, 0xa0, 0xe3 }, "mov\tr0, #256" }, /* modified immediates stay decimal */
};

static const struct disasm_case thumb[] = {
    { { 0x08, 0xbf }, "it\teq" },
    { { 0x10, 0xb5 }, "push\t{r4, lr}" },
    { { 0xb0, 0xe8, 0x0e, 0x00 }, "ldm.w\tr0!, {r1, r2, r3}" },
    { { 0x4f, 0xf0, 0xff, 0x30 }, "mov.w\tr0, #4294967295" },
    { { 0x40, 0x18 }, "adds\tr0, r0, r1" },
    { { 0x51, 0xf8, 0x04, 0x0c }, "ldr\tr0, [r1, #-4]" },
    { { 0x00, 0x48 }, "ldr\tr0, [pc, #0]" },
    { { 0x70, 0x47 }, "bx\tlr" },
    { { 0x00, 0xf0, 0x02, 0xf8 }, "bl\t#4" },
    { { 0x00, 0xbf }, "nop" },
};

static const struct disasm_case m_profile[] = { { { 0xef, 0xf3, 0x10, 0x80 }, "mrs\tr0, primask" },
                                                { { 0x71, 0xfe, 0x4d, 0x8f }, "vpste\t" } };

#define CHECK(isa, hex, cases) disasm_check(isa, 0, hex, cases, sizeof(cases) / sizeof(cases)[0])

static void test_texts(void **state)
{
    (void)state;
    CHECK(&sl_isa_arm, false, a32);
    CHECK(&sl_isa_arm, true, a32_hexadecimal);
    CHECK(&sl_isa_thumb, false, thumb);
    CHECK(&sl_isa_thumbm, false, thumb);
    CHECK(&sl_isa_thumbm, false, m_profile);
}

/* "it eq" makes "pusheq" and "addeq" of what follows: llvm-mc's texts. */
static void test_block(void **state)
{
    static const uint8_t code[][4] = { { 0x04, 0xbf }, { 0x10, 0xb5 }, { 0x40, 0x18 }, { 0x40, 0x18 } };
    static const char *const texts[] = { "itt\teq", "pusheq\t{r4, lr}", "addeq\tr0, r0, r1", "adds\tr0, r0, r1" };
    struct sl_thumb_block block = { 0 };
    struct disasm_options options = { 0, false };
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct sl_insn insn;
        char text[DISASM_TEXT_BYTES];
        assert_int_equal(sl_decode_thumb(code[i], 4, &insn), SL_OK);
        sl_thumb_next(&sl_isa_thumb, &block, &insn);
        assert_true(disasm_text(&sl_isa_thumb, &insn, code[i], &options, NULL, text, sizeof text));
        assert_string_equal(text, texts[i]);
    }
}

/* A symbol stands for the whole address. */
static void test_symbols(void **state)
{
    static const uint8_t load[] = { 0x00, 0x00, 0x9f, 0xe5 }, call[] = { 0xfe, 0xff, 0xff, 0xeb };
    (void)state;
    disasm_check_symbol(&sl_isa_arm, 0, load, 2, "foo", "ldr\tr0, foo");
    disasm_check_symbol(&sl_isa_arm, 0, call, 0, "foo+4", "bl\tfoo+4");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_block),
                                        cmocka_unit_test(test_symbols) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
