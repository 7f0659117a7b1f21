/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds and targets of branches. The bytes are llvm-mc-19's for the assembly in the comments and the targets
 * llvm-objdump-19's; the kinds are those of the manuals. */
#include <slotledger/flow.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct known {
    const struct sl_isa *isa;
    uint8_t bytes[8], len;
    uint64_t address;
    enum sl_branch_kind kind;
    bool conditional, has_target;
    uint64_t target;
};

/* One after the other: IT blocks reach over several. */
static const struct known known[] = {
    { &sl_isa_aarch64, { 0xfe, 0xff, 0xff, 0x17 }, 4, 0x1000, SL_BRANCH_DIRECT, false, true, 0xff8 }, /* b 0xff8 */
    { &sl_isa_aarch64, { 0xc1, 0xff, 0xff, 0x54 }, 4, 0x1004, SL_BRANCH_DIRECT, true, true, 0xffc }, /* b.ne 0xffc */
    { &sl_isa_aarch64, { 0x8e, 0x00, 0x00, 0x54 }, 4, 0x1008, SL_BRANCH_DIRECT, false, true, 0x1018 }, /* b.al 0x1018 */
    { &sl_isa_aarch64, { 0xc0, 0xff, 0xff, 0xb4 }, 4, 0x100c, SL_BRANCH_DIRECT, true, true, 0x1004 }, /* cbz x0, 0x1004 */
    { &sl_isa_aarch64, { 0x01, 0x01, 0x18, 0x37 }, 4, 0x1010, SL_BRANCH_DIRECT, true, true, 0x1030 }, /* tbnz w1, #0x3, 0x1030 */
    { &sl_isa_aarch64, { 0xf0, 0xff, 0xff, 0x97 }, 4, 0x1014, SL_BRANCH_CALL, false, false, 0x0 }, /* bl 0xfd4 */
    { &sl_isa_aarch64, { 0x60, 0x00, 0x3f, 0xd6 }, 4, 0x1018, SL_BRANCH_CALL, false, false, 0x0 }, /* blr x3 */
    { &sl_isa_aarch64, { 0x80, 0x00, 0x1f, 0xd6 }, 4, 0x101c, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* br x4 */
    { &sl_isa_aarch64, { 0xc0, 0x03, 0x5f, 0xd6 }, 4, 0x1020, SL_BRANCH_RETURN, false, false, 0x0 }, /* ret */
    { &sl_isa_aarch64, { 0x1f, 0x20, 0x03, 0xd5 }, 4, 0x1024, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_aarch64, { 0x20, 0x00, 0x20, 0xd4 }, 4, 0x1028, SL_BRANCH_TRAP, false, false, 0x0 }, /* brk #0x1 */
    { &sl_isa_x86_64, { 0xeb, 0xfe }, 2, 0x1000, SL_BRANCH_DIRECT, false, true, 0x1000 }, /* jmp 0x1000 */
    { &sl_isa_x86_64, { 0x75, 0xfc }, 2, 0x1002, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* jne 0x1000 */
    { &sl_isa_x86_64, { 0x75, 0x1e }, 2, 0x1004, SL_BRANCH_DIRECT, true, true, 0x1024 }, /* jne 0x1024 */
    { &sl_isa_x86_64, { 0xe2, 0xf8 }, 2, 0x1006, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* loop 0x1000 */
    { &sl_isa_x86_64, { 0xe8, 0xf3, 0xff, 0xff, 0xff }, 5, 0x1008, SL_BRANCH_CALL, false, false, 0x0 }, /* callq 0x1000 */
    { &sl_isa_x86_64, { 0xff, 0xd0 }, 2, 0x100d, SL_BRANCH_CALL, false, false, 0x0 }, /* callq *%rax */
    { &sl_isa_x86_64, { 0xff, 0xe0 }, 2, 0x100f, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* jmpq *%rax */
    { &sl_isa_x86_64, { 0xff, 0x24, 0xcd, 0x00, 0x00, 0x00, 0x00 }, 7, 0x1011, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* jmpq *(,%rcx,8) */
    { &sl_isa_x86_64, { 0xc3 }, 1, 0x1018, SL_BRANCH_RETURN, false, false, 0x0 }, /* retq */
    { &sl_isa_x86_64, { 0x90 }, 1, 0x1019, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_x86_64, { 0x2e, 0x66, 0x0f, 0x1f, 0x04, 0x00 }, 6, 0x101a, SL_BRANCH_NOP, false, false, 0x0 }, /* nopw %cs:(%rax,%rax) */
    { &sl_isa_x86_64, { 0x0f, 0x0b }, 2, 0x1020, SL_BRANCH_TRAP, false, false, 0x0 }, /* ud2 */
    { &sl_isa_x86_64, { 0x0f, 0x05 }, 2, 0x1022, SL_BRANCH_NONE, false, false, 0x0 }, /* syscall */
    { &sl_isa_riscv64, { 0x6f, 0x00, 0x00, 0x00 }, 4, 0x1000, SL_BRANCH_DIRECT, false, true, 0x1000 }, /* j 0x1000 */
    { &sl_isa_riscv64, { 0xf5, 0xbf }, 2, 0x1004, SL_BRANCH_DIRECT, false, true, 0x1000 }, /* j 0x1000 */
    { &sl_isa_riscv64, { 0xe3, 0x0d, 0xb5, 0xfe }, 4, 0x1006, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* beq a0, a1, 0x1000 */
    { &sl_isa_riscv64, { 0x7d, 0xd9 }, 2, 0x100a, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* beqz a0, 0x1000 */
    { &sl_isa_riscv64, { 0xef, 0xf0, 0x5f, 0xff }, 4, 0x100c, SL_BRANCH_CALL, false, false, 0x0 }, /* jal 0x1000 */
    { &sl_isa_riscv64, { 0xe7, 0x00, 0x05, 0x00 }, 4, 0x1010, SL_BRANCH_CALL, false, false, 0x0 }, /* jalr a0 */
    { &sl_isa_riscv64, { 0x67, 0x00, 0x05, 0x00 }, 4, 0x1014, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* jr a0 */
    { &sl_isa_riscv64, { 0x02, 0x85 }, 2, 0x1018, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* jr a0 */
    { &sl_isa_riscv64, { 0x67, 0x80, 0x00, 0x00 }, 4, 0x101a, SL_BRANCH_RETURN, false, false, 0x0 }, /* ret */
    { &sl_isa_riscv64, { 0x82, 0x80 }, 2, 0x101e, SL_BRANCH_RETURN, false, false, 0x0 }, /* ret */
    { &sl_isa_riscv64, { 0x02, 0x95 }, 2, 0x1020, SL_BRANCH_CALL, false, false, 0x0 }, /* jalr a0 */
    { &sl_isa_riscv64, { 0x67, 0x80, 0x00, 0x00 }, 4, 0x1022, SL_BRANCH_RETURN, false, false, 0x0 }, /* ret */
    { &sl_isa_riscv64, { 0x13, 0x00, 0x00, 0x00 }, 4, 0x1026, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_riscv64, { 0x01, 0x00 }, 2, 0x102a, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_riscv64, { 0x73, 0x00, 0x10, 0x00 }, 4, 0x102c, SL_BRANCH_TRAP, false, false, 0x0 }, /* ebreak */
    { &sl_isa_riscv64, { 0x73, 0x10, 0x00, 0xc0 }, 4, 0x1030, SL_BRANCH_TRAP, false, false, 0x0 }, /* unimp */
    { &sl_isa_thumb, { 0xfe, 0xe7 }, 2, 0x1000, SL_BRANCH_DIRECT, false, true, 0x1000 }, /* b 0x1000 */
    { &sl_isa_thumb, { 0xfd, 0xd1 }, 2, 0x1002, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* bne 0x1000 */
    { &sl_isa_thumb, { 0xff, 0xf7, 0xfc, 0xbf }, 4, 0x1004, SL_BRANCH_DIRECT, false, true, 0x1000 }, /* b.w 0x1000 */
    { &sl_isa_thumb, { 0x7f, 0xf4, 0xfa, 0xaf }, 4, 0x1008, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* bne.w 0x1000 */
    { &sl_isa_thumb, { 0x00, 0xb1 }, 2, 0x100c, SL_BRANCH_DIRECT, true, true, 0x1010 }, /* cbz r0, 0x1010 */
    { &sl_isa_thumb, { 0x00, 0xbf }, 2, 0x100e, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_thumb, { 0xff, 0xf7, 0xf6, 0xff }, 4, 0x1010, SL_BRANCH_CALL, false, false, 0x0 }, /* bl 0x1000 */
    { &sl_isa_thumb, { 0x98, 0x47 }, 2, 0x1014, SL_BRANCH_CALL, false, false, 0x0 }, /* blx r3 */
    { &sl_isa_thumb, { 0x70, 0x47 }, 2, 0x1016, SL_BRANCH_RETURN, false, false, 0x0 }, /* bx lr */
    { &sl_isa_thumb, { 0x18, 0x47 }, 2, 0x1018, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* bx r3 */
    { &sl_isa_thumb, { 0x10, 0xbd }, 2, 0x101a, SL_BRANCH_RETURN, false, false, 0x0 }, /* pop {r4, pc} */
    { &sl_isa_thumb, { 0x5d, 0xf8, 0x04, 0xfb }, 4, 0x101c, SL_BRANCH_RETURN, false, false, 0x0 }, /* ldr pc, [sp], #4 */
    { &sl_isa_thumb, { 0xd0, 0xf8, 0x04, 0xf0 }, 4, 0x1020, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* ldr.w pc, [r0, #0x4] */
    { &sl_isa_thumb, { 0x9f, 0x46 }, 2, 0x1024, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* mov pc, r3 */
    { &sl_isa_thumb, { 0xdf, 0xe8, 0x00, 0xf0 }, 4, 0x1026, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* tbb [pc, r0] */
    { &sl_isa_thumb, { 0x18, 0xbf }, 2, 0x102a, SL_BRANCH_NONE, false, false, 0x0 }, /* it ne */
    { &sl_isa_thumb, { 0x70, 0x47 }, 2, 0x102c, SL_BRANCH_RETURN, true, false, 0x0 }, /* bxne lr */
    { &sl_isa_thumb, { 0x08, 0xbf }, 2, 0x102e, SL_BRANCH_NONE, false, false, 0x0 }, /* it eq */
    { &sl_isa_thumb, { 0x10, 0xbd }, 2, 0x1030, SL_BRANCH_RETURN, true, false, 0x0 }, /* popeq {r4, pc} */
    { &sl_isa_thumb, { 0x00, 0xde }, 2, 0x1032, SL_BRANCH_TRAP, false, false, 0x0 }, /* udf #0x0 */
    { &sl_isa_thumb, { 0x00, 0xbf }, 2, 0x1034, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_thumb, { 0xaf, 0xf3, 0x00, 0x80 }, 4, 0x1036, SL_BRANCH_NOP, false, false, 0x0 }, /* nop.w */
    { &sl_isa_thumb, { 0xbd, 0xe8, 0x10, 0x80 }, 4, 0x103a, SL_BRANCH_RETURN, false, false, 0x0 }, /* pop.w {r4, pc} */
    { &sl_isa_thumbm, { 0x40, 0xf0, 0x01, 0xe0 }, 4, 0x1000, SL_BRANCH_NONE, false, false, 0x0 }, /* dls lr, r0 */
    { &sl_isa_thumbm, { 0x40, 0xf0, 0x03, 0xc8 }, 4, 0x1004, SL_BRANCH_DIRECT, true, true, 0x100e }, /* wls lr, r0, 0x100e */
    { &sl_isa_thumbm, { 0x00, 0xbf }, 2, 0x1008, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_thumbm, { 0x0f, 0xf0, 0x03, 0xc8 }, 4, 0x100a, SL_BRANCH_DIRECT, true, true, 0x1008 }, /* le lr, 0x1008 */
    { &sl_isa_thumbm, { 0x2f, 0xf0, 0x05, 0xc8 }, 4, 0x100e, SL_BRANCH_DIRECT, false, true, 0x1008 }, /* le 0x1008 */
    { &sl_isa_thumbm, { 0x1f, 0xf0, 0x07, 0xc8 }, 4, 0x1012, SL_BRANCH_DIRECT, true, true, 0x1008 }, /* letp lr, 0x1008 */
    { &sl_isa_thumbm, { 0x20, 0xf0, 0x01, 0xc0 }, 4, 0x1016, SL_BRANCH_DIRECT, true, true, 0x101a }, /* wlstp.32 lr, r0, 0x101a */
    { &sl_isa_thumbm, { 0x00, 0xbf }, 2, 0x101a, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_arm, { 0xfe, 0xff, 0xff, 0xea }, 4, 0x1000, SL_BRANCH_DIRECT, false, true, 0x1000 }, /* b 0x1000 */
    { &sl_isa_arm, { 0xfd, 0xff, 0xff, 0x1a }, 4, 0x1004, SL_BRANCH_DIRECT, true, true, 0x1000 }, /* bne 0x1000 */
    { &sl_isa_arm, { 0xfe, 0xff, 0xff, 0xeb }, 4, 0x1008, SL_BRANCH_CALL, false, false, 0x0 }, /* bl 0x1008 */
    { &sl_isa_arm, { 0xfe, 0xff, 0xff, 0x1b }, 4, 0x100c, SL_BRANCH_CALL, true, false, 0x0 }, /* blne 0x100c */
    { &sl_isa_arm, { 0x1e, 0xff, 0x2f, 0xe1 }, 4, 0x1010, SL_BRANCH_RETURN, false, false, 0x0 }, /* bx lr */
    { &sl_isa_arm, { 0x1e, 0xff, 0x2f, 0x11 }, 4, 0x1014, SL_BRANCH_RETURN, true, false, 0x0 }, /* bxne lr */
    { &sl_isa_arm, { 0x13, 0xff, 0x2f, 0xe1 }, 4, 0x1018, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* bx r3 */
    { &sl_isa_arm, { 0x0e, 0xf0, 0xa0, 0xe1 }, 4, 0x101c, SL_BRANCH_RETURN, false, false, 0x0 }, /* mov pc, lr */
    { &sl_isa_arm, { 0x02, 0xf0, 0xa0, 0xe1 }, 4, 0x1020, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* mov pc, r2 */
    { &sl_isa_arm, { 0x00, 0xf1, 0x8f, 0xe0 }, 4, 0x1024, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* add pc, pc, r0, lsl #2 */
    { &sl_isa_arm, { 0x01, 0xf1, 0x90, 0xe7 }, 4, 0x1028, SL_BRANCH_INDIRECT, false, false, 0x0 }, /* ldr pc, [r0, r1, lsl #2] */
    { &sl_isa_arm, { 0x10, 0x80, 0xbd, 0xe8 }, 4, 0x102c, SL_BRANCH_RETURN, false, false, 0x0 }, /* pop {r4, pc} */
    { &sl_isa_arm, { 0x10, 0x80, 0xbd, 0x18 }, 4, 0x1030, SL_BRANCH_RETURN, true, false, 0x0 }, /* popne {r4, pc} */
    { &sl_isa_arm, { 0x10, 0xa0, 0x9d, 0xe8 }, 4, 0x1034, SL_BRANCH_RETURN, false, false, 0x0 }, /* ldm sp, {r4, sp, pc} */
    { &sl_isa_arm, { 0x00, 0xf0, 0x20, 0xe3 }, 4, 0x1038, SL_BRANCH_NOP, false, false, 0x0 }, /* nop */
    { &sl_isa_arm, { 0xf0, 0x00, 0xf0, 0xe7 }, 4, 0x103c, SL_BRANCH_TRAP, false, false, 0x0 }, /* udf #0x0 */
};

static void kinds_and_targets_are_known(void **state)
{
    struct sl_thumb_block block = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *k = &known[i];
        struct sl_insn insn;
        struct sl_branch branch;

        memset(&insn, 0, sizeof insn);
        assert_int_equal(k->isa->decode(k->bytes, k->len, &insn), SL_OK);
        if (k->isa == &sl_isa_thumb || k->isa == &sl_isa_thumbm)
            sl_thumb_next(k->isa, &block, &insn);
        assert_int_equal(insn.len_bytes, k->len);
        sl_branch_of(k->isa, &insn, k->bytes, k->address, &branch);
        if (branch.kind != k->kind || branch.conditional != k->conditional || branch.has_target != k->has_target ||
            branch.target != k->target)
            fail_msg("row %zu (%s at 0x%llx): kind %d conditional %d target %d 0x%llx", i, k->isa->name,
                     (unsigned long long)k->address, branch.kind, branch.conditional, branch.has_target,
                     (unsigned long long)branch.target);
    }
}

static void a_relocated_branch_has_no_target(void **state)
{
    static const uint8_t bytes[] = { 0x00, 0x00, 0x00, 0x14 }; /* b 0 */
    struct sl_branch branch;
    struct sl_insn insn;

    (void)state;
    assert_int_equal(sl_decode_aarch64(bytes, sizeof bytes, &insn), SL_OK);
    insn.operand[0].kind = SL_OPERAND_EXPR;
    sl_branch_of(&sl_isa_aarch64, &insn, bytes, 0x1000, &branch);
    assert_int_equal(branch.kind, SL_BRANCH_DIRECT);
    assert_false(branch.has_target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_targets_are_known),
        cmocka_unit_test(a_relocated_branch_has_no_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
