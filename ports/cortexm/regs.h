/* SPDX-License-Identifier: Apache-2.0 */
/* Memory-mapped registers of the DWT, the Armv8.1-M PMU, SysTick and the debug unit (Armv7-M and Armv8-M ARM).
 *
 * With SL_PORT_FAKE the accessors end in a test's register file. */
#ifndef SLOTLEDGER_PORTS_CORTEXM_REGS_H
#define SLOTLEDGER_PORTS_CORTEXM_REGS_H

#include <stdint.h>

#define DWT_CTRL       0xe0001000u
#define DWT_CYCCNT     0xe0001004u
#define DWT_CPICNT     0xe0001008u /* EXCCNT, SLEEPCNT, LSUCNT, FOLDCNT follow, 4 bytes apart */
#define DWT_LAR        0xe0001fb0u
#define DWT_LSR        0xe0001fb4u
#define PMU_EVCNTR     0xe0003000u /* + 4 n */
#define PMU_CCNTR      0xe000307cu
#define PMU_EVTYPER    0xe0003400u /* + 4 n */
#define PMU_CCFILTR    0xe000347cu
#define PMU_CNTENSET   0xe0003c00u
#define PMU_CNTENCLR   0xe0003c20u
#define PMU_INTENSET   0xe0003c40u
#define PMU_INTENCLR   0xe0003c60u
#define PMU_OVSCLR     0xe0003c80u
#define PMU_TYPE       0xe0003e00u
#define PMU_CTRL       0xe0003e04u
#define PMU_AUTHSTATUS 0xe0003fb8u
#define PMU_DEVARCH    0xe0003fbcu
#define SYST_CSR       0xe000e010u
#define SYST_RVR       0xe000e014u
#define SYST_CVR       0xe000e018u
#define SCB_CPUID      0xe000ed00u
#define SCB_DFSR       0xe000ed30u
#define SCB_ID_DFR0    0xe000ed48u
#define DCB_DEMCR      0xe000edfcu

#define DEMCR_MON_EN     (1u << 16) /* DebugMonitor exception: the PMU's overflow interrupt */
#define DEMCR_TRCENA     (1u << 24) /* without it DWT and PMU registers do nothing */
#define DFSR_PMU         (1u << 5)
#define DWT_CYCCNTENA    (1u << 0)
#define DWT_EVENTS_SHIFT 17 /* CPIEVTENA .. FOLDEVTENA: enables of the five profiling counters, in their order */
#define DWT_EVENTS       (31u << DWT_EVENTS_SHIFT)
#define DWT_NOPRFCNT     (1u << 24)
#define DWT_NOCYCCNT     (1u << 25)
#define DWT_LSR_LOCKED   (1u << 1)
#define DWT_LAR_KEY      0xc5acce55u
#define PMU_CTRL_E       (1u << 0)
#define PMU_CTRL_P       (1u << 1) /* reset event counters: not used */
#define PMU_CTRL_DP      (1u << 5)
#define PMU_CYCLE        (1u << 31)
#define PMU_DEVARCH_V1   0x47700a06u
#define PMU_TYPE_N(type) ((type)&0xffu)
#define PMU_EVENT_CHAIN  0x1eu
#define SYST_ENABLE      (1u << 0)
#define SYST_CLKSOURCE   (1u << 2)  /* the core's clock */
#define SYST_COUNTFLAG   (1u << 16) /* passed 0 since it was last read */
#define SYST_MAX         0xffffffu

#ifdef SL_PORT_FAKE
#include "../fake.h"
static inline uint32_t cm_read(uint32_t address)
{
    return (uint32_t)sl_fake_read(SL_FAKE_MMIO, address);
}
static inline void cm_write(uint32_t address, uint32_t value)
{
    sl_fake_write(SL_FAKE_MMIO, address, value);
}
static inline void cm_barrier(void)
{
    sl_fake_barrier("isb");
}
#else
static inline uint32_t cm_read(uint32_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}
static inline void cm_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}
/* The write has taken effect before the next instruction. */
static inline void cm_barrier(void)
{
    __asm__ volatile("dsb\n isb" : : : "memory");
}
#endif

#endif
