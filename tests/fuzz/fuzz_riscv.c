/* SPDX-License-Identifier: Apache-2.0 */
/* The RISC-V decoders are total: any bytes give a status, and an instruction keeps to its contract. The first byte
 * chooses between RV64 and RV32. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sl_isa *isa = size > 0 && (data[0] & 1) != 0 ? &sl_isa_riscv32 : &sl_isa_riscv64;
    for (size_t at = 1; at < size; at += 2)
        fuzz_decode(isa, data + at, size - at);
    return 0;
}
