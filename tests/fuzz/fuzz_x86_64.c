/* SPDX-License-Identifier: Apache-2.0 */
/* The x86-64 decoder is total, keeps to the contract of an instruction, and reads no byte past it: the first len_bytes
 * alone decode to the same, and each shorter piece is truncated. */
#include "tests/fuzz/fuzz.h"

static bool equal(const struct sl_insn *a, const struct sl_insn *b)
{
    bool same = a->op == b->op && a->len_bytes == b->len_bytes && a->n_operands == b->n_operands && a->flags == b->flags;
    for (unsigned i = 0; same && i < a->n_operands; i++) {
        same = a->operand[i].kind == b->operand[i].kind && a->operand[i].reg == b->operand[i].reg &&
               a->operand[i].imm == b->operand[i].imm;
    }
    return same;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        fuzz_decode(&sl_isa_x86_64, data + at, size - at);
    }
    struct sl_insn insn, again;
    if (sl_decode_x86_64(data, size, &insn) != SL_OK) {
        return 0;
    }
    fuzz_require(insn.len_bytes >= 1 && insn.len_bytes <= 15 && insn.len_bytes <= size);
    /* A prefix byte that is all the input is an instruction; with more behind it, it is not. */
    bool lone = size == 1;
    fuzz_require(sl_decode_x86_64(data, insn.len_bytes, &again) == SL_OK && equal(&insn, &again));
    for (size_t n = lone ? 1 : 2; n < insn.len_bytes; n++) {
        fuzz_require(sl_decode_x86_64(data, n, &again) == SL_E_TRUNCATED);
    }
    return 0;
}
