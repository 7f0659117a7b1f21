/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of 32-bit Arm: register lists, coded immediates, IT and VPT blocks. The expected opcodes and operands are what
 * llvm-mc-19 -show-inst prints for the assembly in the comment; r: LLVM's register number, else an immediate. */
#include <slotledger/isa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct known_insn {
    uint8_t bytes[4], len;
    const char *opcode, *operands;
};

/* One after the other: blocks reach over several. */
static const struct known_insn program[] = {
    { { 0x70, 0xb5 }, 2, "tPUSH", "14 r0 r77 r78 r79 r13" }, /* push {r4, r5, r6, lr} */
    { { 0x38, 0xc8 }, 2, "tLDMIA", "r73 14 r0 r76 r77 r78" }, /* ldm r0!, {r3, r4, r5} */
    { { 0x51, 0xf8, 0x04, 0x0d }, 4, "t2LDR_PRE", "r73 0 r74 -4 14 r0" }, /* ldr r0, [r1, #-4]! */
    { { 0x06, 0xbf }, 2, "t2IT", "0 6" }, /* itte eq */
    { { 0x88, 0x18 }, 2, "tADDrr", "r73 r0 r74 r75 0 r3" }, /* addeq r0, r1, r2 */
    { { 0x05, 0x23 }, 2, "tMOVi8", "r76 r0 5 0 r3" }, /* moveq r3, #5 */
    { { 0x2c, 0x46 }, 2, "tMOVr", "r77 r78 1 r3" }, /* movne r4, r5 */
    { { 0x88, 0x18 }, 2, "tADDrr", "r73 r3 r74 r75 14 r0" }, /* adds r0, r1, r2 */
    { { 0x4f, 0xf0, 0xff, 0x20 }, 4, "t2MOVi", "r73 4278255360 14 r0 r0" }, /* mov.w r0, #4278255360 */
    { { 0x6f, 0xf3, 0x47, 0x10 }, 4, "t2BFC", "r73 r73 4294967071 14 r0" }, /* bfc r0, #5, #3 */
    { { 0x51, 0xe9, 0x00, 0x23 }, 4, "t2LDRDi8", "r75 r76 r74 -2147483648 14 r0" }, /* ldrd r2, r3, [r1, #-0] */
    { { 0xff, 0xf7, 0x18, 0xbc }, 4, "t2B", "-2000 14 r0" }, /* b.w #-2000 */
    { { 0xf0, 0xec, 0x03, 0x2a }, 4, "VLDMSIA_UPD", "r73 r73 14 r0 r91 r92 r93" }, /* vldmia r0!, {s5, s6, s7} */
    { { 0x9f, 0xec, 0x02, 0x0a }, 4, "VSCCLRMS", "14 r0 r86 r87 r18" }, /* vscclrm {s0, s1, vpr} */
    { { 0x9f, 0xe8, 0x03, 0x80 }, 4, "t2CLRM", "14 r0 r73 r74 r1" }, /* clrm {r0, r1, apsr} */
    { { 0x71, 0xfe, 0x4d, 0x8f }, 4, "MVE_VPST", "12" }, /* vpste  */
    { { 0x22, 0xef, 0x44, 0x08 }, 4, "MVE_VADDi32", "r57 r58 r59 1 r56 r0 r57" }, /* vaddt.i32 q0, q1, q2 */
    { { 0x22, 0xef, 0x54, 0x69 }, 4, "MVE_VMULi32", "r60 r58 r59 2 r56 r0 r60" }, /* vmule.i32 q3, q1, q2 */
    { { 0x22, 0xef, 0x44, 0x08 }, 4, "MVE_VADDi32", "r57 r58 r59 0 r0 r0 r0" }, /* vadd.i32 q0, q1, q2 */
    { { 0x70, 0xbd }, 2, "tPOP", "14 r0 r77 r78 r79 r14" }, /* pop {r4, r5, r6, pc} */
};

static void operands_text(const struct sl_insn *insn, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < insn->n_operands && used < size; i++) {
        bool stored = i < sl_insn_stored(insn);
        if (!stored || insn->operand[i].kind == SL_OPERAND_REG)
            used += (size_t)snprintf(out + used, size - used, "%sr%u", i ? " " : "",
                                     stored ? insn->operand[i].reg
                                            : sl_insn_list_reg(&sl_isa_thumbm, insn, i - sl_insn_stored(insn)));
        else
            used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? " " : "", (long long)insn->operand[i].imm);
    }
}

static void operands_are_the_assemblers(void **state)
{
    struct sl_thumb_block block = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        struct sl_insn insn;
        char text[256];
        assert_int_equal(sl_decode_thumbm(program[i].bytes, program[i].len, &insn), SL_OK);
        sl_thumb_next(&sl_isa_thumbm, &block, &insn);
        assert_int_equal(insn.len_bytes, program[i].len);
        assert_string_equal(sl_thumbm_op_name(insn.op), program[i].opcode);
        operands_text(&insn, text, sizeof text);
        assert_string_equal(text, program[i].operands);
    }
}

/* Armv8.1-M and MVE: for Armv8-M llvm-mc-19 reads another instruction or none. */
static bool newer(const char *opcode)
{
    return strncmp(opcode, "MVE_", 4) == 0 || strcmp(opcode, "VSCCLRMS") == 0 || strcmp(opcode, "t2CLRM") == 0;
}

static void the_decoder_for_boards_knows_what_is_not_newer(void **state)
{
    struct sl_thumb_block block = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        struct sl_insn insn;
        char text[256];
        if (newer(program[i].opcode)) {
            if (sl_decode_thumbv8m(program[i].bytes, program[i].len, &insn) == SL_OK)
                assert_string_not_equal(sl_thumbv8m_op_name(insn.op), program[i].opcode);
            continue;
        }
        assert_int_equal(sl_decode_thumbv8m(program[i].bytes, program[i].len, &insn), SL_OK);
        sl_thumb_next(&sl_isa_thumbv8m, &block, &insn);
        assert_string_equal(sl_thumbv8m_op_name(insn.op), program[i].opcode);
        operands_text(&insn, text, sizeof text);
        assert_string_equal(text, program[i].operands);
    }
    assert_null(sl_thumbv8m_op_name(sl_isa_thumbv8m.n_ops));
}

/* Opcodes are numbered otherwise, classes and registers are not. */
static void the_tables_for_boards_agree(void **state)
{
    (void)state;
    for (uint16_t op = 1; op < sl_isa_thumbv8m.n_ops; op++) {
        const char *name = sl_thumbv8m_op_name(op);
        uint16_t other = 1;
        while (other < sl_isa_thumbm.n_ops && strcmp(sl_thumbm_op_name(other), name) != 0)
            other++;
        if (other == sl_isa_thumbm.n_ops) { /* MVE has others for their words */
            assert_true(strcmp(name, "VGETLNi32") == 0 || strcmp(name, "VSETLNi32") == 0);
            assert_int_equal(sl_isa_thumbv8m.ops[op].sched_class, 0);
            continue;
        }
        assert_int_equal(sl_isa_thumbv8m.ops[op].sched_class, sl_isa_thumbm.ops[other].sched_class);
        assert_int_equal(sl_op_row(&sl_isa_thumbv8m, op)->flags, sl_op_row(&sl_isa_thumbm, other)->flags);
        assert_int_equal(sl_op_row(&sl_isa_thumbv8m, op)->predicate, sl_op_row(&sl_isa_thumbm, other)->predicate);
    }
    assert_int_equal(sl_isa_thumbv8m.n_classes, sl_isa_thumbm.n_classes);
    assert_int_equal(sl_isa_thumbv8m.n_regs, sl_isa_thumbm.n_regs);
}

static void every_length_is_checked(void **state)
{
    struct sl_insn insn;
    static const uint8_t wide[] = { 0x4f, 0xf0, 0xff, 0x20 };

    (void)state;
    for (size_t len = 0; len < 2; len++)
        assert_int_equal(sl_decode_thumb(wide, len, &insn), SL_E_TRUNCATED);
    assert_int_equal(sl_decode_thumb(wide, 2, &insn), SL_E_TRUNCATED);
    assert_int_equal(sl_decode_thumb(wide, 4, &insn), SL_OK);
    assert_int_equal(sl_decode_arm(wide, 3, &insn), SL_E_TRUNCATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_are_the_assemblers),
        cmocka_unit_test(the_decoder_for_boards_knows_what_is_not_newer),
        cmocka_unit_test(the_tables_for_boards_agree),
        cmocka_unit_test(every_length_is_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
