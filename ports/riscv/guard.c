/* SPDX-License-Identifier: Apache-2.0 */
/* The trap guard. The handler keeps nothing in memory: it steps over the illegal instruction, which is four bytes long,
 * and says so in t0; RV_TRY_READ gives it t0 and t1. No other exception can come from one CSR instruction. */
#include "regs.h"

#ifdef SL_PORT_FAKE
static rv_word vector_of(bool supervisor)
{
    return supervisor ? 0x2000 : 0x1000;
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
        ".balign 4\n"
        "sl_rv_guard_supervisor:\n"
        "    csrr t1, sepc\n"
        "    addi t1, t1, 4\n"
        "    csrw sepc, t1\n"
        "    li t0, 1\n"
        "    sret\n"
        ".popsection\n");

static rv_word vector_of(bool supervisor)
{
    rv_word vector, supervisor_vector;
    __asm__("lla %0, sl_rv_guard_vector" : "=r"(vector));
    __asm__("lla %0, sl_rv_guard_supervisor" : "=r"(supervisor_vector));
    return supervisor ? supervisor_vector : vector;
}
#endif

void sl_rv_guard_begin(struct sl_rv_guard *guard, bool supervisor)
{
    guard->supervisor = supervisor;
    if (supervisor) {
        guard->vector = RV_READ(CSR_STVEC);
        guard->status = RV_READ(CSR_SSTATUS);
        RV_CLEAR(CSR_SSTATUS, SSTATUS_SIE);
        RV_WRITE(CSR_STVEC, vector_of(true));
    } else {
        guard->vector = RV_READ(CSR_MTVEC);
        guard->status = RV_READ(CSR_MSTATUS);
        RV_CLEAR(CSR_MSTATUS, MSTATUS_MIE);
        RV_WRITE(CSR_MTVEC, vector_of(false));
    }
}

/* A trap has changed the previous-interrupt bits; the interrupt enable is what must come back. */
void sl_rv_guard_end(const struct sl_rv_guard *guard)
{
    if (guard->supervisor) {
        RV_WRITE(CSR_STVEC, guard->vector);
        RV_SET(CSR_SSTATUS, guard->status & SSTATUS_SIE);
    } else {
        RV_WRITE(CSR_MTVEC, guard->vector);
        RV_SET(CSR_MSTATUS, guard->status & MSTATUS_MIE);
    }
}
