/* SPDX-License-Identifier: Apache-2.0 */
/* One call of the supervisor binary interface (RISC-V SBI 2.0, chapter 3). */
#include "regs.h"

#ifdef SL_PORT_FAKE
struct sl_rv_sbi sl_rv_sbi_call(uint32_t extension, uint32_t function, const rv_word arguments[6])
{
    uint64_t wide[6];
    int64_t result[2] = {0, 0};
    for (unsigned i = 0; i < 6; i++) {
        wide[i] = arguments[i];
    }
    sl_fake_sbi(extension, function, wide, result);
    return (struct sl_rv_sbi){.error = (rv_signed)result[0], .value = (rv_word)result[1]};
}
#else
struct sl_rv_sbi sl_rv_sbi_call(uint32_t extension, uint32_t function, const rv_word arguments[6])
{
    register rv_word a0 __asm__("a0") = arguments[0];
    register rv_word a1 __asm__("a1") = arguments[1];
    register rv_word a2 __asm__("a2") = arguments[2];
    register rv_word a3 __asm__("a3") = arguments[3];
    register rv_word a4 __asm__("a4") = arguments[4];
    register rv_word a5 __asm__("a5") = arguments[5];
    register rv_word a6 __asm__("a6") = function;
    register rv_word a7 __asm__("a7") = extension;
    __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7) : "memory");
    return (struct sl_rv_sbi){.error = (rv_signed)a0, .value = a1};
}
#endif
