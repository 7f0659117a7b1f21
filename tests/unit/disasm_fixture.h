/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes bytes and compares their text. */
#ifndef TESTS_UNIT_DISASM_FIXTURE_H
#define TESTS_UNIT_DISASM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hosted/report/disasm.h"

struct disasm_case {
    uint8_t bytes[16];
    const char *text;
};

static inline void disasm_check(const struct sl_isa *isa, unsigned dialect, bool hex, const struct disasm_case *cases,
                                size_t n)
{
    struct disasm_options options = { dialect, hex };
    for (size_t i = 0; i < n; i++) {
        struct sl_insn insn;
        char text[DISASM_TEXT_BYTES];
        assert_int_equal(isa->decode(cases[i].bytes, sizeof cases[i].bytes, &insn), SL_OK);
        disasm_text(isa, &insn, cases[i].bytes, &options, NULL, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

/* Operand `operand` is a symbol. */
static inline void disasm_check_symbol(const struct sl_isa *isa, unsigned dialect, const uint8_t *bytes,
                                       unsigned operand, const char *symbol, const char *expected)
{
    const char *symbols[SL_INSN_OPERANDS] = { NULL };
    uint8_t code[16] = { 0 };
    struct disasm_options options = { dialect, false };
    struct sl_insn insn;
    char text[DISASM_TEXT_BYTES];
    for (unsigned i = 0; i < isa->max_len_bytes; i++)
        code[i] = bytes[i];
    assert_int_equal(isa->decode(code, sizeof code, &insn), SL_OK);
    insn.operand[operand].kind = SL_OPERAND_EXPR;
    symbols[operand] = symbol;
    assert_true(disasm_text(isa, &insn, code, &options, symbols, text, sizeof text));
    assert_string_equal(text, expected);
}

#endif
