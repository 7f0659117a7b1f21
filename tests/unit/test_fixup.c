/* SPDX-License-Identifier: Apache-2.0 */
/* Relocated fields: the operands they are, and the relaxed encodings llvm-mca-19 prints. */
#include "cli_fixture.h"

#include "hosted/io/fixup.h"

static struct block_insn decoded(const struct sl_isa *isa, const char *bytes, unsigned len)
{
    struct block_insn insn;
    memset(&insn, 0, sizeof insn);
    memcpy(insn.bytes, bytes, len);
    memcpy(insn.encoding, bytes, len);
    insn.len_bytes = insn.encoding_len = (uint8_t)len;
    block_insn_decode(&insn, isa);
    assert_int_equal(insn.status, SL_OK);
    return insn;
}

static unsigned expressions(const struct block_insn *insn)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < insn->insn.n_operands; i++)
        mask |= (unsigned)(insn->insn.operand[i].kind == SL_OPERAND_EXPR) << i;
    return mask;
}

static void test_x86_operands(void **state)
{
    static const struct {
        const char *bytes;
        unsigned len, offset, count, mask;
    } cases[] = {
        { "\xe8\0\0\0\0", 5, 1, 4, 1 },                      /* call foo */
        { "\xb8\0\0\0\0", 5, 1, 4, 2 },                      /* mov $foo, %eax */
        { "\x48\x8b\x05\0\0\0\0", 7, 3, 4, 1 << 4 },         /* mov foo(%rip), %rax: displacement */
        { "\xc7\x05\0\0\0\0\1\0\0\0", 10, 2, 4, 1 << 3 },    /* movl $1, foo(%rip) */
        { "\xc7\x05\0\0\0\0\0\0\0\0", 10, 6, 4, 1 << 5 },    /* movl $foo, 0(%rip) */
        { "\x48\xb8\0\0\0\0\0\0\0\0", 10, 2, 8, 2 },         /* movabs $foo, %rax */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block_insn insn = decoded(&sl_isa_x86_64, cases[i].bytes, cases[i].len);
        fixup_mark(&insn, &sl_isa_x86_64, cases[i].offset, cases[i].count);
        assert_int_equal(expressions(&insn), cases[i].mask);
    }
}

static void test_aarch64_operands(void **state)
{
    static const struct {
        const char *bytes;
        unsigned mask;
    } cases[] = {
        { "\0\0\0\x14", 1 },        /* b foo */
        { "\0\0\0\x94", 1 },        /* bl foo */
        { "\x01\0\0\x54", 2 },      /* b.ne foo */
        { "\0\0\0\xb4", 2 },        /* cbz x0, foo */
        { "\0\0\x18\x36", 4 },      /* tbz w0, #3, foo */
        { "\x03\0\0\x90", 2 },      /* adrp x3, foo */
        { "\0\0\0\x91", 4 },        /* add x0, x0, :lo12:foo */
        { "\x01\0\x40\xf9", 4 },    /* ldr x1, [x0, :lo12:foo] */
        { "\x01\0\0\x58", 2 },      /* ldr x1, foo */
        { "\0\0\xa0\xd2", 2 },      /* movz x0, #:abs_g1:foo */
        { "\x20\0\x3f\xd6", 0 },    /* blr x1: nothing to relocate */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block_insn insn = decoded(&sl_isa_aarch64, cases[i].bytes, 4);
        fixup_mark(&insn, &sl_isa_aarch64, 0, 4);
        assert_int_equal(expressions(&insn), cases[i].mask);
    }
}

static void test_x86_relaxation(void **state)
{
    static const struct {
        const char *from;
        unsigned from_len, offset;
        bool pc_relative;
        const char *to;
        unsigned to_len;
    } cases[] = {
        { "\xeb\0", 2, 1, true, "\xe9\0\0\0\0", 5 },
        { "\x75\0", 2, 1, true, "\x0f\x85\0\0\0\0", 6 },
        { "\xe2\0", 2, 1, true, "\xe2\0", 2 },                              /* loop has one form */
        { "\x83\xc0\0", 3, 2, false, "\x81\xc0\0\0\0\0", 6 },
        { "\x66\x83\xc0\0", 4, 3, false, "\x66\x81\xc0\0\0", 5 },
        { "\x48\x83\xc0\0", 4, 3, false, "\x48\x81\xc0\0\0\0\0", 7 },
        { "\x66\x48\x83\xc0\0", 5, 4, false, "\x66\x48\x81\xc0\0\0\0\0", 8 }, /* REX.W wins */
        { "\x6a\0", 2, 1, false, "\x68\0\0\0\0", 5 },
        { "\x66\x6a\0", 3, 2, false, "\x66\x68\0\0", 4 },
        { "\x6b\xd8\0", 3, 2, false, "\x69\xd8\0\0\0\0", 6 },
        { "\x04\0", 2, 1, false, "\x04\0", 2 },                             /* add $foo, %al */
        { "\x48\x83\x1d\0\0\0\0\0", 8, 7, false, "\x48\x81\x1d\0\0\0\0\0\0\0\0", 11 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block_insn insn;
        memset(&insn, 0, sizeof insn);
        memcpy(insn.bytes, cases[i].from, cases[i].from_len);
        memcpy(insn.encoding, cases[i].from, cases[i].from_len);
        insn.len_bytes = insn.encoding_len = (uint8_t)cases[i].from_len;
        fixup_relax_x86(&insn, cases[i].offset, cases[i].pc_relative);
        assert_int_equal(insn.encoding_len, cases[i].to_len);
        assert_memory_equal(insn.encoding, cases[i].to, cases[i].to_len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_x86_operands),
        cmocka_unit_test(test_aarch64_operands),
        cmocka_unit_test(test_x86_relaxation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
