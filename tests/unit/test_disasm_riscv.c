/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text of RISC-V instructions. Words and texts are llvm-mc-19's. */
#include "disasm_fixture.h"

static const struct disasm_case cases[] = {
    { { 0x13, 0x05, 0x85, 0x67 }, "addi\ta0, a0, 1656" },
    { { 0x07, 0x04, 0x05, 0x00 }, "vle8.v\tv8, (a0), v0.t" },
    { { 0x07, 0x04, 0x05, 0x02 }, "vle8.v\tv8, (a0)" },
    { { 0xd7, 0x72, 0x05, 0x0d }, "vsetvli\tt0, a0, e32, m1, ta, ma" },
    { { 0xd7, 0x72, 0x35, 0x12 }, "vsetvli\tt0, a0, 291" },
    { { 0x73, 0x25, 0x00, 0xc0 }, "rdcycle\ta0" },
    { { 0x73, 0x10, 0x52, 0x30 }, "csrw\tmtvec, tp" },
    { { 0x73, 0x10, 0x52, 0x7c }, "csrw\t1989, tp" },
    { { 0x01, 0xc9 }, "beqz\ta0, 16" },
    { { 0x82, 0x80 }, "ret" },
    { { 0xe3, 0x84, 0xa5, 0xfe }, "beq\ta1, a0, -24" },
    { { 0x37, 0x55, 0x34, 0x12 }, "lui\ta0, 74565" },
    { { 0x53, 0x15, 0xb5, 0x00 }, "fadd.s\tfa0, fa0, fa1, rtz" },
    { { 0x53, 0x75, 0xb5, 0x00 }, "fadd.s\tfa0, fa0, fa1" },
    { { 0x53, 0x05, 0x18, 0xf0 }, "fli.s\tfa0, 1.0" },
    { { 0x0f, 0x00, 0x10, 0x01 }, "fence\tw, w" },
    { { 0x33, 0x00, 0x20, 0x00 }, "ntl.p1" },
    { { 0x3b, 0x05, 0x05, 0x08 }, "zext.w\ta0, a0" },
};

static const struct disasm_case hexadecimal[] = {
    { { 0x13, 0x05, 0x85, 0x67 }, "addi\ta0, a0, 0x678" },
    { { 0x73, 0x10, 0x52, 0x7c }, "csrw\t0x7c5, tp" },
    { { 0xe3, 0x84, 0xa5, 0xfe }, "beq\ta1, a0, -0x18" },
};

/* JAL has a compressed form on RV32 alone. */
static const struct disasm_case narrow[] = { { { 0x01, 0x20 }, "jal\t0" }, { { 0x73, 0x25, 0x00, 0xc8 }, "rdcycleh\ta0" } };

static void test_texts(void **state)
{
    (void)state;
    disasm_check(&sl_isa_riscv64, 0, false, cases, sizeof cases / sizeof cases[0]);
    disasm_check(&sl_isa_riscv64, 0, true, hexadecimal, sizeof hexadecimal / sizeof hexadecimal[0]);
    disasm_check(&sl_isa_riscv32, 0, false, narrow, sizeof narrow / sizeof narrow[0]);
}

static void test_symbols(void **state)
{
    static const uint8_t lui[] = { 0x37, 0x05, 0x00, 0x00 }, load[] = { 0x03, 0x25, 0x05, 0x00 };
    (void)state;
    disasm_check_symbol(&sl_isa_riscv64, 0, lui, 1, "%hi(foo)", "lui\ta0, %hi(foo)");
    disasm_check_symbol(&sl_isa_riscv64, 0, load, 2, "%lo(foo+4)", "lw\ta0, %lo(foo+4)(a0)");
}

static void test_unknown(void **state)
{
    static const uint8_t half[2] = { 0x34, 0x12 };
    struct disasm_options options = { 0, false };
    struct sl_insn insn = { .op = 0xffff, .len_bytes = 2 };
    char text[DISASM_TEXT_BYTES];
    (void)state;
    assert_false(disasm_text(&sl_isa_riscv64, &insn, half, &options, NULL, text, sizeof text));
    assert_string_equal(text, ".insn\t0x1234");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
