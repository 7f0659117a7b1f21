/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64 system registers of the PMU and the Statistical Profiling Extension, by their encodings (Arm ARM, D19 and
 * D21).
 *
 * a64_read_NAME() and a64_write_NAME() are one MRS or MSR each; with SL_PORT_FAKE they end in a test's register file.
 */
#ifndef SLOTLEDGER_PORTS_AARCH64_REGS_H
#define SLOTLEDGER_PORTS_AARCH64_REGS_H

#include <stdint.h>

/* The fake's number of register S3_<op1>_C<crn>_C<crm>_<op2>. */
#define A64_SYSREG(op1, crn, crm, op2)                                                                                 \
    ((uint32_t)(op1) << 14 | (uint32_t)(crn) << 10 | (uint32_t)(crm) << 6 | (uint32_t)(op2))

#ifdef SL_PORT_FAKE
#include "../fake.h"
#define A64_REGISTER(name, op1, crn, crm, op2)                                                                         \
    static inline uint64_t a64_read_##name(void)                                                                       \
    {                                                                                                                  \
        return sl_fake_read(SL_FAKE_SYSREG, A64_SYSREG(op1, crn, crm, op2));                                           \
    }                                                                                                                  \
    static inline void a64_write_##name(uint64_t value)                                                                \
    {                                                                                                                  \
        sl_fake_write(SL_FAKE_SYSREG, A64_SYSREG(op1, crn, crm, op2), value);                                          \
    }
static inline void a64_isb(void)
{
    sl_fake_barrier("isb");
}
static inline void a64_dsb_nsh(void)
{
    sl_fake_barrier("dsb");
}
static inline void a64_psb_csync(void)
{
    sl_fake_barrier("psb");
}
static inline unsigned a64_current_el(void)
{
    return (unsigned)sl_fake_read(SL_FAKE_SYSREG, A64_SYSREG(0, 4, 2, 2)) >> 2 & 3u;
}
#else
#define A64_REGISTER(name, op1, crn, crm, op2)                                                                         \
    static inline uint64_t a64_read_##name(void)                                                                       \
    {                                                                                                                  \
        uint64_t value;                                                                                                \
        __asm__ volatile("mrs %0, S3_" #op1 "_C" #crn "_C" #crm "_" #op2 : "=r"(value));                               \
        return value;                                                                                                  \
    }                                                                                                                  \
    static inline void a64_write_##name(uint64_t value)                                                                \
    {                                                                                                                  \
        __asm__ volatile("msr S3_" #op1 "_C" #crn "_C" #crm "_" #op2 ", %x0" : : "rZ"(value) : "memory");              \
    }
static inline void a64_isb(void)
{
    __asm__ volatile("isb" : : : "memory");
}
static inline void a64_dsb_nsh(void)
{
    __asm__ volatile("dsb nsh" : : : "memory");
}
/* PSB CSYNC is HINT #17: older assemblers know it by this name only. */
static inline void a64_psb_csync(void)
{
    __asm__ volatile("hint #17" : : : "memory");
}
static inline unsigned a64_current_el(void)
{
    uint64_t el;
    __asm__ volatile("mrs %0, CurrentEL" : "=r"(el));
    return (unsigned)el >> 2 & 3u;
}
#endif

/* Identification: readable at EL1 and above. */
A64_REGISTER(midr_el1, 0, 0, 0, 0)
A64_REGISTER(mpidr_el1, 0, 0, 0, 5)
A64_REGISTER(revidr_el1, 0, 0, 0, 6)
A64_REGISTER(id_aa64dfr0_el1, 0, 0, 5, 0)
A64_REGISTER(id_aa64dfr1_el1, 0, 0, 5, 1)
A64_REGISTER(sctlr_el1, 0, 1, 0, 0)
A64_REGISTER(sctlr_el2, 4, 1, 0, 0)
A64_REGISTER(sctlr_el3, 6, 1, 0, 0)
A64_REGISTER(cntfrq_el0, 3, 14, 0, 0)
A64_REGISTER(cntvct_el0, 3, 14, 0, 2)

/* PMU. */
A64_REGISTER(pmcr_el0, 3, 9, 12, 0)
A64_REGISTER(pmcntenset_el0, 3, 9, 12, 1)
A64_REGISTER(pmcntenclr_el0, 3, 9, 12, 2)
A64_REGISTER(pmovsclr_el0, 3, 9, 12, 3)
A64_REGISTER(pmceid0_el0, 3, 9, 12, 6)
A64_REGISTER(pmceid1_el0, 3, 9, 12, 7)
A64_REGISTER(pmccntr_el0, 3, 9, 13, 0)
A64_REGISTER(pmintenset_el1, 0, 9, 14, 1)
A64_REGISTER(pmintenclr_el1, 0, 9, 14, 2)
A64_REGISTER(pmmir_el1, 0, 9, 14, 6)
A64_REGISTER(pmccfiltr_el0, 3, 14, 15, 7)
A64_REGISTER(pmicntr_el0, 3, 9, 4, 0)
A64_REGISTER(pmicfiltr_el0, 3, 9, 6, 0)
A64_REGISTER(mdcr_el2, 4, 1, 1, 1)
A64_REGISTER(mdcr_el3, 6, 1, 3, 1)

/* Statistical Profiling Extension. */
A64_REGISTER(pmscr_el1, 0, 9, 9, 0)
A64_REGISTER(pmscr_el2, 4, 9, 9, 0)
A64_REGISTER(pmsicr_el1, 0, 9, 9, 2)
A64_REGISTER(pmsirr_el1, 0, 9, 9, 3)
A64_REGISTER(pmsfcr_el1, 0, 9, 9, 4)
A64_REGISTER(pmsevfr_el1, 0, 9, 9, 5)
A64_REGISTER(pmslatfr_el1, 0, 9, 9, 6)
A64_REGISTER(pmsidr_el1, 0, 9, 9, 7)
A64_REGISTER(pmblimitr_el1, 0, 9, 10, 0)
A64_REGISTER(pmbptr_el1, 0, 9, 10, 1)
A64_REGISTER(pmbsr_el1, 0, 9, 10, 3)
A64_REGISTER(pmbidr_el1, 0, 9, 10, 7)

A64_REGISTER(pmselr_el0, 3, 9, 12, 5)
A64_REGISTER(pmxevtyper_el0, 3, 9, 13, 1)

/* The first counters, which regions read at once; sl_a64_read_counter knows all. */
A64_REGISTER(pmevcntr0, 3, 14, 8, 0)
A64_REGISTER(pmevcntr1, 3, 14, 8, 1)
A64_REGISTER(pmevcntr2, 3, 14, 8, 2)
A64_REGISTER(pmevcntr3, 3, 14, 8, 3)
A64_REGISTER(pmevcntr4, 3, 14, 8, 4)
A64_REGISTER(pmevcntr5, 3, 14, 8, 5)
A64_REGISTER(pmevtyper0, 3, 14, 12, 0)

#endif
