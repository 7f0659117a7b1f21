/* SPDX-License-Identifier: Apache-2.0 */
/* Model-specific registers, CPUID, RDPMC and RDTSC (Intel SDM volumes 3 and 4; AMD APM volume 2, PPR). Ring 0.
 *
 * With SL_PORT_FAKE the accessors end in a test's register file. */
#ifndef SLOTLEDGER_PORTS_X86_64_REGS_H
#define SLOTLEDGER_PORTS_X86_64_REGS_H

#include <stdint.h>

#define MSR_APIC_BASE           0x1bu
#define MSR_PMC0                0xc1u  /* + n; writes extend the sign of bit 31 */
#define MSR_PERFEVTSEL0         0x186u /* + n */
#define MSR_FIXED_CTR0          0x309u /* + n */
#define MSR_PERF_METRICS        0x329u
#define MSR_PERF_CAPABILITIES   0x345u
#define MSR_FIXED_CTR_CTRL      0x38du /* four bits a counter */
#define MSR_GLOBAL_STATUS       0x38eu
#define MSR_GLOBAL_CTRL         0x38fu
#define MSR_GLOBAL_STATUS_RESET 0x390u
#define MSR_A_PMC0              0x4c1u /* + n; full-width writes */
#define MSR_X2APIC_LVT_PMC      0x834u
#define MSR_K7_EVNTSEL0         0xc0010000u
#define MSR_K7_PERFCTR0         0xc0010004u
#define MSR_AMD_PERF_CTL0       0xc0010200u /* + 2 n */
#define MSR_AMD_PERF_CTR0       0xc0010201u /* + 2 n */
#define MSR_AMD_GLOBAL_STATUS   0xc0000300u
#define MSR_AMD_GLOBAL_CTL      0xc0000301u
#define MSR_AMD_GLOBAL_CLEAR    0xc0000302u

#define EVTSEL_USR          (UINT64_C(1) << 16)
#define EVTSEL_OS           (UINT64_C(1) << 17)
#define EVTSEL_INT          (UINT64_C(1) << 20)
#define EVTSEL_EN           (UINT64_C(1) << 22)
#define FIXED_OS_USR        3u
#define FIXED_PMI           8u
#define GLOBAL_METRICS      (UINT64_C(1) << 48)
#define PERF_CAP_FULL_WIDTH (1u << 13)
#define PERF_CAP_METRICS    (1u << 15)
#define PMC_FIXED           (UINT32_C(1) << 30) /* RDPMC's index of fixed counter 0 */
#define PMC_METRICS         (UINT32_C(1) << 29)
#define APIC_X2APIC         (UINT64_C(1) << 10)
#define APIC_ENABLE         (UINT64_C(1) << 11)
#define APIC_LVT_PMC        0x340u
#define LVT_MASKED          (1u << 16)

struct x86_cpuid {
    uint32_t a, b, c, d;
};

#ifdef SL_PORT_FAKE
#include "../fake.h"
/* The fake's number of one register of a leaf: leaf bits 31 and 7:0, sub-leaf, 0 .. 3 for EAX .. EDX. */
#define X86_CPUID(leaf, sub, reg)                                                                                      \
    (((leaf) >> 16 & 0x8000u) | ((leaf)&0xffu) << 4 | (uint32_t)(sub) << 2 | (uint32_t)(reg))
static inline uint64_t x86_read_msr(uint32_t msr)
{
    return sl_fake_read(SL_FAKE_MSR, msr);
}
static inline void x86_write_msr(uint32_t msr, uint64_t value)
{
    sl_fake_write(SL_FAKE_MSR, msr, value);
}
static inline uint64_t x86_read_pmc(uint32_t index)
{
    return sl_fake_read(SL_FAKE_PMC, index);
}
static inline void x86_lfence(void)
{
    sl_fake_barrier("lfence");
}
static inline uint64_t x86_tsc(void)
{
    return sl_fake_read(SL_FAKE_MSR, 0x10);
}
static inline struct x86_cpuid x86_cpuid(uint32_t leaf, uint32_t sub)
{
    return (struct x86_cpuid){(uint32_t)sl_fake_read(SL_FAKE_CPUID, X86_CPUID(leaf, sub, 0)),
                              (uint32_t)sl_fake_read(SL_FAKE_CPUID, X86_CPUID(leaf, sub, 1)),
                              (uint32_t)sl_fake_read(SL_FAKE_CPUID, X86_CPUID(leaf, sub, 2)),
                              (uint32_t)sl_fake_read(SL_FAKE_CPUID, X86_CPUID(leaf, sub, 3))};
}
static inline uint32_t x86_read_mmio(uint64_t address)
{
    return (uint32_t)sl_fake_read(SL_FAKE_MMIO, (uint32_t)address);
}
static inline void x86_write_mmio(uint64_t address, uint32_t value)
{
    sl_fake_write(SL_FAKE_MMIO, (uint32_t)address, value);
}
#else
static inline uint64_t x86_read_msr(uint32_t msr)
{
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr) : "memory");
    return (uint64_t)high << 32 | low;
}
static inline void x86_write_msr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr" : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}
static inline uint64_t x86_read_pmc(uint32_t index)
{
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index) : "memory");
    return (uint64_t)high << 32 | low;
}
/* RDPMC does not wait for what is before it. */
static inline void x86_lfence(void)
{
    __asm__ volatile("lfence" : : : "memory");
}
static inline uint64_t x86_tsc(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}
static inline struct x86_cpuid x86_cpuid(uint32_t leaf, uint32_t sub)
{
    struct x86_cpuid r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(sub));
    return r;
}
static inline uint32_t x86_read_mmio(uint64_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}
static inline void x86_write_mmio(uint64_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}
#endif

#endif
