/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text of x86-64 instructions in both syntaxes. Encodings and texts are llvm-mc-19's. */
#include "disasm_fixture.h"

static const struct disasm_case att[] = {
    { { 0x83, 0x44, 0x88, 0xf8, 0xff }, "addl\t$-1, -8(%rax,%rcx,4)" },
    { { 0x48, 0xb8, 0x9a, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0x00 }, "movabsq\t$78187493530, %rax" },
    { { 0x64, 0x8a, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00 }, "movb\t%fs:40, %al" },
    { { 0x66, 0x44, 0x89, 0x0c, 0x47 }, "movw\t%r9w, (%rdi,%rax,2)" },
    { { 0xf0, 0x48, 0x0f, 0xc1, 0x07 }, "lock\t\txaddq\t%rax, (%rdi)" },
    { { 0xf3, 0xa4 }, "rep\t\tmovsb\t(%rsi), %es:(%rdi)" },
    { { 0x0f, 0x4d, 0xd8 }, "cmovgel\t%eax, %ebx" },
    { { 0x0f, 0x92, 0xc1 }, "setb\t%cl" },
    { { 0xc5, 0xe8, 0xc2, 0xd9, 0x01 }, "vcmpltps\t%xmm1, %xmm2, %xmm3" },
    { { 0x62, 0xf1, 0x74, 0xd9, 0x58, 0x10 }, "vaddps\t(%rax){1to16}, %zmm1, %zmm2 {%k1} {z}" },
    { { 0x62, 0xf2, 0x7d, 0x49, 0x92, 0x14, 0x88 }, "vgatherdps\t(%rax,%zmm1,4), %zmm2 {%k1}" },
    { { 0x62, 0xf3, 0x6d, 0x48, 0x1e, 0xc9, 0x02 }, "vpcmpleud\t%zmm1, %zmm2, %k1" },
    { { 0x66, 0x0f, 0x70, 0xd1, 0xe4 }, "pshufd\t$228, %xmm1, %xmm2" },
    { { 0xd8, 0xc3 }, "fadd\t%st(3), %st" },
    { { 0x48, 0x8d, 0x0c, 0xc5, 0x00, 0x00, 0x00, 0x00 }, "leaq\t(,%rax,8), %rcx" },
    { { 0x8b, 0x0d, 0x10, 0x00, 0x00, 0x00 }, "movl\t16(%rip), %ecx" },
    { { 0x66, 0x0f, 0x1f, 0x04, 0x00 }, "nopw\t(%rax,%rax)" },
    { { 0xff, 0xe0 }, "jmpq\t*%rax" },
    { { 0xc8, 0x01, 0x00, 0x02 }, "enter\t$1, $2" },
};

static const struct disasm_case intel[] = {
    { { 0x83, 0x44, 0x88, 0xf8, 0xff }, "add\tdword ptr [rax + 4*rcx - 8], -1" },
    { { 0x48, 0xb8, 0x9a, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0x00 }, "movabs\trax, 78187493530" },
    { { 0x64, 0x8a, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00 }, "mov\tal, byte ptr fs:[40]" },
    { { 0x66, 0x44, 0x89, 0x0c, 0x47 }, "mov\tword ptr [rdi + 2*rax], r9w" },
    { { 0xf0, 0x48, 0x0f, 0xc1, 0x07 }, "lock\t\txadd\tqword ptr [rdi], rax" },
    { { 0xf3, 0xa4 }, "rep\t\tmovsb\tbyte ptr es:[rdi], byte ptr [rsi]" },
    { { 0x0f, 0x4d, 0xd8 }, "cmovge\tebx, eax" },
    { { 0x0f, 0x92, 0xc1 }, "setb\tcl" },
    { { 0xc5, 0xe8, 0xc2, 0xd9, 0x01 }, "vcmpltps\txmm3, xmm2, xmm1" },
    { { 0x62, 0xf1, 0x74, 0xd9, 0x58, 0x10 }, "vaddps\tzmm2 {k1} {z}, zmm1, dword ptr [rax]{1to16}" },
    { { 0x62, 0xf2, 0x7d, 0x49, 0x92, 0x14, 0x88 }, "vgatherdps\tzmm2 {k1}, zmmword ptr [rax + 4*zmm1]" },
    { { 0x62, 0xf3, 0x6d, 0x48, 0x1e, 0xc9, 0x02 }, "vpcmpleud\tk1, zmm2, zmm1" },
    { { 0x66, 0x0f, 0x70, 0xd1, 0xe4 }, "pshufd\txmm2, xmm1, 228" },
    { { 0xd8, 0xc3 }, "fadd\tst, st(3)" },
    { { 0x48, 0x8d, 0x0c, 0xc5, 0x00, 0x00, 0x00, 0x00 }, "lea\trcx, [8*rax]" },
    { { 0x8b, 0x0d, 0x10, 0x00, 0x00, 0x00 }, "mov\tecx, dword ptr [rip + 16]" },
    { { 0x66, 0x0f, 0x1f, 0x04, 0x00 }, "nop\tword ptr [rax + rax]" },
    { { 0xff, 0xe0 }, "jmp\trax" },
    { { 0xc8, 0x01, 0x00, 0x02 }, "enter\t1, 2" },
};

static void test_texts(void **state)
{
    (void)state;
    disasm_check(&sl_isa_x86_64, 0, false, att, sizeof att / sizeof att[0]);
    disasm_check(&sl_isa_x86_64, 1, false, intel, sizeof intel / sizeof intel[0]);
}

static void test_hexadecimal(void **state)
{
    static const struct disasm_case cases[] = {
        { { 0x83, 0x44, 0x88, 0xf8, 0xff }, "addl\t$-0x1, -0x8(%rax,%rcx,4)" },
        { { 0x75, 0x03 }, "jne\t0x3" },
    };
    (void)state;
    disasm_check(&sl_isa_x86_64, 0, true, cases, sizeof cases / sizeof cases[0]);
}

static void test_symbols(void **state)
{
    static const uint8_t mov[16] = { 0x8b, 0x05 }, call[16] = { 0xe8 }, move_address[16] = { 0xb8 };
    (void)state;
    disasm_check_symbol(&sl_isa_x86_64, 0, mov, 4, "foo@GOTPCREL", "movl\tfoo@GOTPCREL(%rip), %eax");
    disasm_check_symbol(&sl_isa_x86_64, 1, mov, 4, "foo+4", "mov\teax, dword ptr [rip + foo+4]");
    disasm_check_symbol(&sl_isa_x86_64, 0, call, 0, "foo@PLT", "callq\tfoo@PLT");
    disasm_check_symbol(&sl_isa_x86_64, 1, call, 0, "foo@PLT", "call\tfoo@PLT");
    disasm_check_symbol(&sl_isa_x86_64, 0, move_address, 1, "foo", "movl\t$foo, %eax");
    disasm_check_symbol(&sl_isa_x86_64, 1, move_address, 1, "foo", "mov\teax, offset foo");
}

static void test_unknown(void **state)
{
    static const uint8_t bytes[] = { 0x0f, 0x0b };
    struct disasm_options options = { 0, false };
    struct sl_insn insn = { .op = 0xffff, .len_bytes = 2 };
    char text[DISASM_TEXT_BYTES];
    (void)state;
    assert_false(disasm_text(&sl_isa_x86_64, &insn, bytes, &options, NULL, text, sizeof text));
    assert_string_equal(text, ".byte\t0x0f, 0x0b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_hexadecimal),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
