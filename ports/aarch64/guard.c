/* SPDX-License-Identifier: Apache-2.0 */
/* The trap guard: a vector table for the few instructions of one guarded access; and the event counters by number.
 *
 * Only the two synchronous entries can be reached (interrupts are masked), so the table ends after the second of them.
 * The handler keeps nothing in memory: it steps over the instruction and leaves the syndrome in x17. MRS and MSR name
 * their register in the instruction, so each counter has its own; they fill the room between the two entries. */
#include "counter.h"
#include "regs.h"

#ifdef SL_PORT_FAKE
uint64_t sl_a64_guarded_pmcr(uint64_t *value)
{
    /* EC 0x18: a trapped MRS. */
    if (sl_fake_traps(SL_FAKE_SYSREG, A64_SYSREG(3, 9, 12, 0))) {
        return UINT64_C(0x18) << 26;
    }
    *value = a64_read_pmcr_el0();
    return 0;
}
#else
#define NUMBERS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30"
/* Reads begin 4 bytes from the table's start, writes after 31 counters of 8 bytes more: 252. */

__asm__(".pushsection .text.sl_a64_guard, \"ax\"\n"
        ".balign 2048\n"
        "sl_a64_guard_vectors:\n"
        "    b 1f\n" /* current exception level with SP_EL0 */
        ".irp n," NUMBERS "\n"
        "    mrs x0, pmevcntr\\n\\()_el0\n"
        "    ret\n"
        ".endr\n"
        ".irp n," NUMBERS "\n"
        "    msr pmevcntr\\n\\()_el0, x1\n"
        "    ret\n"
        ".endr\n"
        "    .org sl_a64_guard_vectors + 0x200\n"
        "1:  mrs x16, CurrentEL\n" /* current exception level with SP_ELx */
        "    tbnz x16, #3, 2f\n"
        "    mrs x17, esr_el1\n"
        "    mrs x16, elr_el1\n"
        "    add x16, x16, #4\n"
        "    msr elr_el1, x16\n"
        "    eret\n"
        "2:  tbnz x16, #2, 3f\n"
        "    mrs x17, esr_el2\n"
        "    mrs x16, elr_el2\n"
        "    add x16, x16, #4\n"
        "    msr elr_el2, x16\n"
        "    eret\n"
        "3:  mrs x17, esr_el3\n"
        "    mrs x16, elr_el3\n"
        "    add x16, x16, #4\n"
        "    msr elr_el3, x16\n"
        "    eret\n"
        ".popsection\n");

__asm__(".pushsection .text.sl_a64_counters, \"ax\"\n"
        "    .global sl_a64_read_counter\n"
        "sl_a64_read_counter:\n"
        "    adrp x2, sl_a64_guard_vectors + 4\n"
        "    add x2, x2, :lo12:sl_a64_guard_vectors + 4\n"
        "    add x2, x2, w0, uxtw #3\n"
        "    br x2\n"
        "    .global sl_a64_write_counter\n"
        "sl_a64_write_counter:\n"
        "    adrp x2, sl_a64_guard_vectors + 252\n"
        "    add x2, x2, :lo12:sl_a64_guard_vectors + 252\n"
        "    add x2, x2, w0, uxtw #3\n"
        "    br x2\n"
        ".popsection\n");

A64_REGISTER(vbar_el1, 0, 12, 0, 0)
A64_REGISTER(vbar_el2, 4, 12, 0, 0)
A64_REGISTER(vbar_el3, 6, 12, 0, 0)
A64_REGISTER(daif, 3, 4, 2, 1)

static uint64_t vbar(unsigned el)
{
    return el == 1 ? a64_read_vbar_el1() : el == 2 ? a64_read_vbar_el2() : a64_read_vbar_el3();
}

static void set_vbar(unsigned el, uint64_t value)
{
    if (el == 1) {
        a64_write_vbar_el1(value);
    } else if (el == 2) {
        a64_write_vbar_el2(value);
    } else {
        a64_write_vbar_el3(value);
    }
    a64_isb();
}

uint64_t sl_a64_guarded_pmcr(uint64_t *value)
{
    unsigned el = a64_current_el();
    uint64_t daif = a64_read_daif(), old = vbar(el), guard, pmcr, syndrome;
    __asm__ volatile("msr daifset, #15" : : : "memory");
    __asm__("adrp %0, sl_a64_guard_vectors\n add %0, %0, :lo12:sl_a64_guard_vectors" : "=r"(guard));
    set_vbar(el, guard);
    __asm__ volatile("mov x17, #0\n"
                     "mov %0, #0\n"
                     "mrs %0, S3_3_C9_C12_0\n" /* PMCR_EL0 */
                     "mov %1, x17\n"
                     : "=&r"(pmcr), "=r"(syndrome)
                     :
                     : "x16", "x17", "memory");
    set_vbar(el, old);
    a64_write_daif(daif);
    *value = pmcr;
    return syndrome;
}
#endif
