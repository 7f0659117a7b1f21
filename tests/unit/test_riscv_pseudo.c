/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: encodings of relaxed branches as llvm-mca-19 -show-encoding prints them, and pairs that are one call. */
#include "cli_fixture.h"

#include "hosted/io/fixup.h"
#include "hosted/io/riscv_pseudo.h"
#include "hosted/io/riscv_vtype.h"

static struct block_insn decoded(const char *bytes, unsigned len)
{
    struct block_insn insn;
    memset(&insn, 0, sizeof insn);
    memcpy(insn.bytes, bytes, len);
    memcpy(insn.encoding, bytes, len);
    insn.len_bytes = insn.encoding_len = (uint8_t)len;
    block_insn_decode(&insn, &sl_isa_riscv64);
    return insn;
}

static void test_relaxed(void **state)
{
    static const struct {
        const char *bytes;
        unsigned len;
        bool compressed;
        const char *want;
        unsigned want_len;
    } cases[] = {
        { "\x63\x08\xb5\0", 4, true, "\x63\x14\xb5\0\x6f\0\0\x01", 8 },  /* beq a0, a1, 16 */
        { "\x01\xc9", 2, true, "\x63\x08\x05\0", 4 },                    /* c.beqz a0, 16 */
        { "\x01\xa8", 2, true, "\x6f\0\0\x01", 4 },                      /* c.j 16 */
        { "\x63\x15\x04\x48", 4, true, "\x19\xc0\x6f\0\xa0\x48", 6 },    /* bnez s0, 1162 */
        { "\x63\x15\x04\x48", 4, false, "\x63\x04\x04\0\x6f\0\xa0\x48", 8 },
        { "\x33\x05\xb5\0", 4, true, "\x33\x05\xb5\0", 4 },              /* add a0, a0, a1 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block_insn insn = decoded(cases[i].bytes, cases[i].len);
        riscv_relax(&insn, cases[i].compressed);
        assert_int_equal(insn.encoding_len, cases[i].want_len);
        assert_memory_equal(insn.encoding, cases[i].want, cases[i].want_len);
    }
}

static void test_pairs(void **state)
{
    static const struct {
        const char *first, *second, *text, *op;
    } cases[] = {
        { "\x97\0\0\0", "\xe7\x80\0\0", "call\tf", "PseudoCALL" },
        { "\x17\x03\0\0", "\x67\0\x03\0", "tail\tf", "PseudoTAIL" },
        { "\x97\x02\0\0", "\xe7\x82\x02\0", "call\tt0, f", "PseudoCALLReg" },
        { "\x97\x02\0\0", "\x67\x80\x02\0", "jump\tf, t0", "PseudoJump" },
        { "\x97\x02\0\0", "\x67\x80\x03\0", NULL, NULL }, /* of another register */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block block;
        struct block_insn insn = decoded(cases[i].first, 4), second = decoded(cases[i].second, 4);
        block_init(&block, &sl_isa_riscv64);
        insn.n_symbols = 1;
        insn.symbol[0] = "f";
        assert_int_equal(riscv_pseudo_pair(&block, &insn, second.bytes, &second.insn), cases[i].text != NULL);
        if (cases[i].text) {
            assert_string_equal(insn.text, cases[i].text);
            assert_string_equal(sl_riscv_op_name(insn.insn.op), cases[i].op);
            assert_int_equal(insn.insn.operand[insn.insn.n_operands - 1].kind, SL_OPERAND_EXPR);
        }
        block_free(&block);
    }
}

static void test_instruments(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        uint8_t vlmul, sew;
    } cases[] = {
        { "RISCV-LMUL MF4", true, 6, 0 }, { "RISCV-SEW E64", true, 4, 4 }, { "RISCV-LMUL M3", false, 4, 0 },
        { "RISCV-LMUL  M1", false, 4, 0 }, { "RISCV-SEW", false, 4, 0 }, { "", false, 4, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const struct source source = { "x.s", "# LLVM-MCA", 10 };
        struct diag silent = { .stream = NULL };
        struct block block;
        block_init(&block, &sl_isa_riscv64);
        block_instrument(&block, 1, cases[i].text);
        block_add(&block)->status = SL_E_UNRESOLVED;
        assert_int_equal(riscv_instruments_check(&block, &silent, &source), cases[i].ok);
        riscv_vtype_apply(&block);
        assert_int_equal(block.insns[0].vtype.vlmul, cases[i].vlmul);
        assert_int_equal(block.insns[0].vtype.sew, cases[i].sew);
        block_free(&block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relaxed),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_instruments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
