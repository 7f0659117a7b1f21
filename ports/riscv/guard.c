/* SPDX-License-Identifier: Apache-2.0 */
/* The trap guard of machine mode. The handler keeps nothing in memory: it steps over the illegal instruction, which is
 * four bytes long, and says so in t0; RV_TRY_READ gives it t0 and t1. No other exception can come from one CSR
 * instruction. */
#include "regs.h"

#ifdef SL_PORT_FAKE
void sl_rv_guard_begin(struct sl_rv_guard *guard)
{
    guard->mtvec = RV_READ(CSR_MTVEC);
    guard->mstatus = RV_READ(CSR_MSTATUS);
    RV_CLEAR(CSR_MSTATUS, MSTATUS_MIE);
    RV_WRITE(CSR_MTVEC, 0x1000);
}
#else
__asm__(".pushsection .text.sl_rv_guard, \"ax\"\n"
        ".balign 4\n"
        "sl_rv_guard_vector:\n"
        "    csrr t1, mepc\n"
        "    addi t1, t1, 4\n"
        "    csrw mepc, t1\n"
        "    li t0, 1\n"
        "    mret\n"
        ".popsection\n");

void sl_rv_guard_begin(struct sl_rv_guard *guard)
{
    rv_word vector;
    __asm__("lla %0, sl_rv_guard_vector" : "=r"(vector));
    guard->mtvec = RV_READ(CSR_MTVEC);
    guard->mstatus = RV_READ(CSR_MSTATUS);
    RV_CLEAR(CSR_MSTATUS, MSTATUS_MIE);
    RV_WRITE(CSR_MTVEC, vector);
}
#endif

void sl_rv_guard_end(const struct sl_rv_guard *guard)
{
    RV_WRITE(CSR_MTVEC, guard->mtvec);
    /* A trap has set MPIE and MPP anew; MIE is what must come back. */
    RV_SET(CSR_MSTATUS, guard->mstatus & MSTATUS_MIE);
}
