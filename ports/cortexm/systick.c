/* SPDX-License-Identifier: Apache-2.0 */
/* No counters at all: SysTick as a clock, unless the application has it. Regions then hold time only. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "cortexm.h"
#include "regs.h"

enum { SAVED_CSR, SAVED_RVR, LAST_CVR, TICKS };

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    (void)flags;
    cm_write(DCB_DEMCR, sl_cm_identify(caps));
    if (cm_read(SYST_CSR) & SYST_ENABLE) {
        caps->why = SL_PORT_WHY_SYSTICK;
        return SL_E_DENIED;
    }
    caps->why = SL_PORT_WHY_TRCENA;
    caps->can = SL_PORT_CAN_TIME;
    return SL_E_ABSENT;
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    (void)flags;
    port->mask = 0;
    if (group->count != 0) {
        port->why = SL_PORT_WHY_COUNTERS;
        return SL_E_COUNTERS;
    }
    if ((caps->can & SL_PORT_CAN_TIME) == 0) {
        return SL_OK; /* the application's: time is 0 */
    }
    uint32_t csr = cm_read(SYST_CSR);
    if (csr & SYST_ENABLE) {
        port->why = SL_PORT_WHY_SYSTICK;
        return SL_E_BUSY;
    }
    port->saved[SAVED_CSR] = csr;
    port->saved[SAVED_RVR] = cm_read(SYST_RVR);
    port->saved[LAST_CVR] = 0;
    port->saved[TICKS] = 0;
    port->mask = SYST_ENABLE;
    cm_write(SYST_RVR, SYST_MAX);
    cm_write(SYST_CVR, 0); /* any write: counts down from RVR on the next tick */
    cm_write(SYST_CSR, SYST_ENABLE | SYST_CLKSOURCE);
    cm_barrier();
    return SL_OK;
}

static void nothing(struct sl_port *port)
{
    (void)port;
}

static void no_values(struct sl_port *port, uint64_t *values)
{
    (void)port;
    (void)values;
}

/* A 24-bit counter that goes down. Its flag says that it passed 0; passing 0 without being above the last value is a
 * whole round more. */
static uint64_t now(struct sl_port *port)
{
    if (port->mask == 0) {
        return 0;
    }
    uint32_t csr = cm_read(SYST_CSR), value = cm_read(SYST_CVR), last = (uint32_t)port->saved[LAST_CVR];
    uint32_t passed = (last - value) & SYST_MAX;
    if ((csr & SYST_COUNTFLAG) != 0 && value <= last && last != 0) {
        passed += SYST_MAX + 1;
        port->quality |= SL_PORT_Q_WRAPPED;
    }
    port->saved[LAST_CVR] = value;
    port->saved[TICKS] += passed;
    return port->saved[TICKS];
}

static void restore(struct sl_port *port)
{
    if (port->mask != 0) {
        cm_write(SYST_CSR, (uint32_t)port->saved[SAVED_CSR]);
        cm_write(SYST_RVR, (uint32_t)port->saved[SAVED_RVR]);
        cm_write(SYST_CVR, 0);
        cm_barrier();
    }
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_CPUID, 0, SL_SPACE_MMIO, 0, SCB_CPUID},
    {SL_PORT_ID_ID_DFR0, 0, SL_SPACE_MMIO, 0, SCB_ID_DFR0},
    {SL_PORT_ID_DEMCR, 0, SL_SPACE_MMIO, 0, DCB_DEMCR},
};

static const uint8_t fixed_numbers[8] = {[SL_PORT_CYCLES] = 31};

const struct sl_port_ops sl_port_cortexm_systick = {
    .name = "cortexm-systick",
    .pmu = SL_PMU_ARM_SYSTICK,
    .clock = SL_CLOCK_SYSTICK,
    .n_registers = sizeof registers / sizeof registers[0],
    .wide_registers = 0,
    .registers = registers,
    .fixed_numbers = fixed_numbers,
    .probe = probe,
    .config = config,
    .start = nothing,
    .stop = nothing,
    .read = no_values,
    .restore = restore,
    .begin = sl_region_begin_any,
    .end = sl_region_end_any,
    .now = now,
    .affinity = sl_cm_affinity,
};
