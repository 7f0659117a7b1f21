/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: the contract of a decoder, as checks that trap. */
#ifndef SLOTLEDGER_TESTS_FUZZ_H
#define SLOTLEDGER_TESTS_FUZZ_H

#include <slotledger/isa.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool holds)
{
    if (!holds) {
        __builtin_trap();
    }
}

/* Decodes one instruction from an exact-size copy, so that the sanitizer sees each read past the end. */
static inline bool fuzz_decode_into(const struct sl_isa *isa, const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    uint8_t copy[16];
    size_t given = len < 16 ? len : 16;
    memcpy(copy + 16 - given, bytes, given);
    const struct sl_insn before = *out;
    enum sl_status status = isa->decode(copy + 16 - given, given, out);
    if (status) {
        fuzz_require(status == SL_E_TRUNCATED || status == SL_E_UNDECODABLE);
        fuzz_require(status != SL_E_TRUNCATED || given < isa->max_len_bytes);
        fuzz_require(memcmp(&before, out, sizeof before) == 0);
        return false;
    }
    fuzz_require(out->len_bytes >= isa->min_len_bytes && out->len_bytes <= given);
    fuzz_require(out->op > 0 && out->op < isa->n_ops);
    fuzz_require(sl_insn_stored(out) <= SL_INSN_OPERANDS && sl_insn_stored(out) <= out->n_operands);
    fuzz_require(out->n_operands - sl_insn_stored(out) <= SL_LIST_MOST);
    fuzz_require(out->n_operands >= sl_op_row(isa, out->op)->n_defs);
    for (unsigned i = 0; i < sl_insn_stored(out); i++) {
        const struct sl_operand *operand = &out->operand[i];
        fuzz_require(operand->kind == SL_OPERAND_REG || operand->kind == SL_OPERAND_IMM);
        fuzz_require(operand->kind != SL_OPERAND_REG || operand->reg < isa->n_regs);
    }
    return true;
}

static inline void fuzz_decode(const struct sl_isa *isa, const uint8_t *bytes, size_t len)
{
    struct sl_insn insn;
    memset(&insn, 0, sizeof insn);
    (void)fuzz_decode_into(isa, bytes, len, &insn);
}

#endif
