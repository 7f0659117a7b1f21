/* SPDX-License-Identifier: Apache-2.0 */
/* The decoders of 32-bit Arm are total: any bytes give a status, and an instruction keeps to its contract, in any block. */
#include "tests/fuzz/fuzz.h"

static void walk(const struct sl_isa *isa, const uint8_t *data, size_t size)
{
    struct sl_thumb_block block = { 0 };
    for (size_t at = 0; at < size;) {
        struct sl_insn insn;
        fuzz_decode(isa, data + at, size - at);
        if (isa->decode(data + at, size - at, &insn) != SL_OK) {
            at += isa->min_len_bytes;
            continue;
        }
        sl_thumb_next(isa, &block, &insn);
        for (unsigned k = 0; k + sl_insn_stored(&insn) < insn.n_operands; k++)
            if (sl_insn_list_reg(isa, &insn, k) >= isa->n_regs)
                __builtin_trap();
        at += insn.len_bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    walk(&sl_isa_thumbm, data, size);
    walk(&sl_isa_thumbv8m, data, size);
    walk(&sl_isa_thumb, data, size);
    walk(&sl_isa_arm, data, size);
    return 0;
}
