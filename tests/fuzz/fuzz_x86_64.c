/* SPDX-License-Identifier: Apache-2.0 */
/* The x86-64 decoder is total: any bytes give a status, and an instruction keeps to its contract. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        fuzz_decode(&sl_isa_x86_64, data + at, size - at);
    }
    return 0;
}
