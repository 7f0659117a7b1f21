/* SPDX-License-Identifier: Apache-2.0 */
/* The AArch64 decoder is total: any bytes give a status, and an instruction keeps to its contract. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size; at += 4) {
        fuzz_decode(&sl_isa_aarch64, data + at, size - at);
    }
    return 0;
}
