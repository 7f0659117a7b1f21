/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V decoding. The expected opcodes and operands are what llvm-mc-19 -show-inst prints for the assembly in
 * the comment; r: LLVM's register number, else an immediate. */
#include <slotledger/isa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct known_word {
    uint32_t word;
    uint8_t len;
    const char *opcode, *operands;
};

static const struct known_word rv64_words[] = {
    { 0x00c58533, 4, "ADD", "r53 r54 r55" }, /* add a0, a1, a2 */
    { 0x0505, 2, "C_ADDI", "r53 r53 1" }, /* addi a0, a0, 1 */
    { 0x41c8, 2, "C_LW", "r53 r54 4" }, /* lw a0, 4(a1) */
    { 0x80012503, 4, "LW", "r53 r45 -2048" }, /* lw a0, -2048(sp) */
    { 0x7fbfbfa3, 4, "SD", "r70 r74 2047" }, /* sd s11, 2047(t6) */
    { 0x757d, 2, "C_LUI", "r53 1048575" }, /* lui a0, 1048575 */
    { 0x00001297, 4, "AUIPC", "r48 1" }, /* auipc t0, 1 */
    { 0xffdff0ef, 4, "JAL", "r44 -4" }, /* jal -4 */
    { 0xfff780e7, 4, "JALR", "r44 r58 -1" }, /* jalr -1(a5) */
    { 0x80b50063, 4, "BEQ", "r53 r54 -4096" }, /* beq a0, a1, -4096 */
    { 0xfff5851b, 4, "ADDIW", "r53 r54 -1" }, /* addiw a0, a1, -1 */
    { 0x03f59513, 4, "SLLI", "r53 r54 63" }, /* slli a0, a1, 63 */
    { 0x1605a52f, 4, "LR_W_AQ_RL", "r53 r54" }, /* lr.w.aqrl a0, (a1) */
    { 0x00b6352f, 4, "AMOADD_D", "r53 r55 r54" }, /* amoadd.d a0, a1, (a2) */
    { 0x6ac59543, 4, "FMADD_D", "r85 r86 r87 r88 1" }, /* fmadd.d fa0, fa1, fa2, fa3, rtz */
    { 0x0420f053, 4, "FADD_H", "r139 r140 r141 7" }, /* fadd.h ft0, ft1, ft2 */
    { 0xc0250553, 4, "FCVT_L_S", "r53 r117 0" }, /* fcvt.l.s a0, fa0, rne */
    { 0x3005a573, 4, "CSRRS", "r53 768 r54" }, /* csrrs a0, mstatus, a1 */
    { 0x7c0fd073, 4, "CSRRWI", "r43 1984 31" }, /* csrwi 1984, 31 */
    { 0x0310000f, 4, "FENCE", "3 1" }, /* fence rw, w */
    { 0x8330000f, 4, "FENCE_TSO", "" }, /* fence.tso */
    { 0x00000073, 4, "ECALL", "" }, /* ecall */
    { 0x30200073, 4, "MRET", "0 0" }, /* mret */
    { 0x10500073, 4, "WFI", "0 0" }, /* wfi */
    { 0x12b50073, 4, "SFENCE_VMA", "r53 r54" }, /* sfence.vma a0, a1 */
    { 0x20c5e533, 4, "SH3ADD", "r53 r54 r55" }, /* sh3add a0, a1, a2 */
    { 0x6b85d513, 4, "REV8_RV64", "r53 r54" }, /* rev8 a0, a1 */
    { 0x0ac59533, 4, "CLMUL", "r53 r54 r55" }, /* clmul a0, a1, a2 */
    { 0x0ec5d533, 4, "CZERO_EQZ", "r53 r54 r55" }, /* czero.eqz a0, a1, a2 */
    { 0x81e8, 2, "C_LBU", "r53 r54 3" }, /* lbu a0, 3(a1) */
    { 0x9d4d, 2, "C_MUL", "r53 r53 r54" }, /* mul a0, a0, a1 */
    { 0x9002, 2, "C_EBREAK", "" }, /* ebreak */
    { 0x0001, 2, "C_NOP", "" }, /* nop */
    { 0x0000, 2, "C_UNIMP", "" }, /* unimp */
    { 0x757e, 2, "C_LDSP", "r53 r45 504" }, /* ld a0, 504(sp) */
    { 0x7101, 2, "C_ADDI16SP", "r45 r45 -512" }, /* addi sp, sp, -512 */
    { 0x0d15f557, 4, "VSETVLI", "r53 r54 209" }, /* vsetvli a0, a1, e32, m2, ta, ma */
    { 0xc05ff557, 4, "VSETIVLI", "r53 31 5" }, /* vsetivli a0, 31, e8, mf8, tu, mu */
    { 0x80c5f557, 4, "VSETVL", "r53 r54 r55" }, /* vsetvl a0, a1, a2 */
    { 0x02056407, 4, "VLE32_V", "r19 r53 r0" }, /* vle32.v v8, (a0) */
    { 0x00056407, 4, "VLE32_V", "r19 r53 r11" }, /* vle32.v v8, (a0), v0.t */
    { 0x22056407, 4, "VLSEG2E32_V", "r19 r53 r0" }, /* vlseg2e32.v v8, (a0) */
    { 0x05057407, 4, "VLUXEI64_V", "r19 r53 r27 r11" }, /* vluxei64.v v8, (a0), v16, v0.t */
    { 0x022180d7, 4, "VADD_VV", "r12 r13 r14 r0" }, /* vadd.vv v1, v2, v3 */
    { 0x002830d7, 4, "VADD_VI", "r12 r13 -16 r11" }, /* vadd.vi v1, v2, -16, v0.t */
    { 0x4022b0d7, 4, "VADC_VIM", "r12 r13 5 0" }, /* vadc.vim v1, v2, 5, v0 */
    { 0x5c2180d7, 4, "VMERGE_VVM", "r12 r13 r14 0" }, /* vmerge.vvm v1, v2, v3, v0 */
    { 0x5c2550d7, 4, "VFMERGE_VFM", "r12 r13 r117 0" }, /* vfmerge.vfm v1, v2, fa0, v0 */
    { 0x4420b0d7, 4, "VMADC_VIM", "r12 r13 1 0" }, /* vmadc.vim v1, v2, 1, v0 */
    { 0xb3055457, 4, "VFMACC_VF", "r19 r19 r117 r27 r0" }, /* vfmacc.vf v8, fa0, v16 */
    { 0xc70c0457, 4, "VWREDSUM_VS", "r19 r27 r35 r0" }, /* vwredsum.vs v8, v16, v24 */
    { 0x562fb0d7, 4, "VROR_VI", "r12 r13 63 r0" }, /* vror.vi v1, v2, 63 */
    { 0x9f03b457, 4, "VMV8R_V", "r181 r188" }, /* vmv8r.v v8, v16 */
    { 0x0045200f, 4, "CBO_ZERO", "r53" }, /* cbo.zero (a0) */
    { 0xcdf5c573, 4, "MOPR31", "r53 r54" }, /* mop.r.31 a0, a1 */
};

static const struct known_word rv32_words[] = {
    { 0x2009, 2, "C_JAL", "2" }, /* jal 2 */
    { 0x3ffd, 2, "C_JAL", "-2" }, /* jal -2 */
    { 0x6148, 2, "C_FLW", "r117 r53 4" }, /* flw fa0, 4(a0) */
    { 0x757e, 2, "C_FLWSP", "r117 r45 252" }, /* flw fa0, 252(sp) */
    { 0xe2c58533, 4, "AES32ESI", "r53 r54 r55 3" }, /* aes32esi a0, a1, a2, 3 */
    { 0x50c58533, 4, "SHA512SUM0R", "r53 r54 r55" }, /* sha512sum0r a0, a1, a2 */
    { 0x01f59513, 4, "SLLI", "r53 r54 31" }, /* slli a0, a1, 31 */
    { 0x022180d7, 4, "VADD_VV", "r12 r13 r14 r0" }, /* vadd.vv v1, v2, v3 */
};

static void put_word(uint8_t bytes[4], uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

static void operands_text(const struct sl_insn *insn, char *text, size_t room)
{
    size_t at = 0;
    text[0] = '\0';
    for (unsigned n = 0; n < insn->n_operands && at < room; n++) {
        const struct sl_operand *operand = &insn->operand[n];
        const char *space = n == 0 ? "" : " ";
        int wrote = operand->kind == SL_OPERAND_REG
                        ? snprintf(text + at, room - at, "%sr%u", space, operand->reg)
                        : snprintf(text + at, room - at, "%s%lld", space, (long long)operand->imm);
        at += wrote < 0 ? room : (size_t)wrote;
    }
}

static void expect_words(sl_decode_fn *decode, const struct known_word *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sl_insn insn;
        uint8_t bytes[4];
        char text[128];
        put_word(bytes, words[i].word);
        assert_int_equal(decode(bytes, 4, &insn), SL_OK);
        operands_text(&insn, text, sizeof text);
        assert_string_equal(sl_riscv_op_name(insn.op), words[i].opcode);
        assert_string_equal(text, words[i].operands);
        assert_int_equal(insn.len_bytes, words[i].len);
        assert_int_equal(insn.sched_class, 0);
    }
}

static void test_known_words(void **state)
{
    (void)state;
    expect_words(sl_decode_riscv64, rv64_words, sizeof rv64_words / sizeof rv64_words[0]);
    expect_words(sl_decode_riscv32, rv32_words, sizeof rv32_words / sizeof rv32_words[0]);
}

static void test_lengths(void **state)
{
    static const struct {
        uint32_t word;
        uint8_t len;
        enum sl_status status;
    } cases[] = {
        { 0x00000000, 0, SL_E_TRUNCATED },   { 0x00000000, 1, SL_E_TRUNCATED },   { 0x00000000, 2, SL_OK },
        { 0x00c58533, 2, SL_E_TRUNCATED },   { 0x00c58533, 3, SL_E_TRUNCATED },   { 0x00c58533, 4, SL_OK },
        { 0xffffffff, 4, SL_E_UNDECODABLE }, { 0x0000001f, 4, SL_E_UNDECODABLE }, { 0x00000004, 4, SL_E_UNDECODABLE },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_insn insn;
        uint8_t bytes[4];
        put_word(bytes, cases[i].word);
        assert_int_equal(sl_decode_riscv64(bytes, cases[i].len, &insn), cases[i].status);
    }
}

/* The words that only the other width of registers knows. */
static void test_widths_differ(void **state)
{
    static const uint8_t ld[4] = { 0x03, 0xb5, 0x05, 0x00 }, zip[4] = { 0x13, 0x95, 0xf5, 0x08 };
    struct sl_insn insn;
    (void)state;
    assert_int_equal(sl_decode_riscv64(ld, 4, &insn), SL_OK);
    assert_int_equal(sl_decode_riscv32(ld, 4, &insn), SL_E_UNDECODABLE);
    assert_int_equal(sl_decode_riscv64(zip, 4, &insn), SL_E_UNDECODABLE);
    assert_int_equal(sl_decode_riscv32(zip, 4, &insn), SL_OK);
}

static void test_vtype(void **state)
{
    static const uint8_t vsetvli[4] = { 0x57, 0xf5, 0x15, 0x0d }; /* e32, m2 */
    static const uint8_t vadd[4] = { 0xd7, 0x80, 0x21, 0x02 };
    struct sl_riscv_vtype vtype = { 0 };
    struct sl_insn insn;
    (void)state;
    assert_int_equal(sl_decode_riscv64(vadd, 4, &insn), SL_OK);
    assert_false(sl_riscv_read_vtype(&insn, &vtype));
    assert_int_equal(sl_riscv_vector_class(insn.op, &(struct sl_riscv_vtype){ .vlmul = 4 }), 0);
    assert_int_not_equal(sl_riscv_vector_class(insn.op, &(struct sl_riscv_vtype){ .vlmul = 1 }),
                         sl_riscv_vector_class(insn.op, &(struct sl_riscv_vtype){ .vlmul = 3 }));
    assert_int_equal(sl_decode_riscv64(vsetvli, 4, &insn), SL_OK);
    assert_true(sl_riscv_read_vtype(&insn, &vtype));
    assert_int_equal(vtype.vlmul, 1);
    assert_int_equal(vtype.sew, 3);
    assert_int_equal(sl_riscv_vector_class(insn.op, &vtype), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_words),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_widths_differ),
        cmocka_unit_test(test_vtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
