/* SPDX-License-Identifier: Apache-2.0 */
/* What the three Cortex-M ports share, and the order in which they are tried: the PMU came with Armv8.1-M. */
#include "cortexm.h"
#include "regs.h"

#define PARTNO(cpuid) ((cpuid) >> 4 & 0xfffu)

void sl_cm_note(struct sl_port_caps *caps, unsigned id, uint32_t value)
{
    caps->id[id] = value;
    caps->id_known = (uint16_t)(caps->id_known | 1u << id);
}

uint32_t sl_cm_identify(struct sl_port_caps *caps)
{
    uint32_t cpuid = cm_read(SCB_CPUID), demcr = cm_read(DCB_DEMCR);
    /* Part numbers 0xC2x are Armv7-M (and Armv6-M 0xC20, 0xC60); Armv8-M has 0xD2x and above. */
    *caps = (struct sl_port_caps){.arch = PARTNO(cpuid) >= 0xd00 ? SL_PORT_ARMV8M : SL_PORT_ARMV7M, .level = 1};
    sl_cm_note(caps, SL_PORT_ID_CPUID, cpuid);
    sl_cm_note(caps, SL_PORT_ID_ID_DFR0, cm_read(SCB_ID_DFR0));
    cm_write(DCB_DEMCR, demcr | DEMCR_TRCENA);
    cm_barrier();
    sl_cm_note(caps, SL_PORT_ID_DEMCR, cm_read(DCB_DEMCR));
    return demcr;
}

uint64_t sl_cm_no_time(struct sl_port *port)
{
    (void)port;
    return 0;
}

/* No register numbers the cores of a chip. */
uint64_t sl_cm_affinity(void)
{
    return 0;
}

#ifndef SL_PORT_FAKE
const struct sl_port_ops *const sl_port_all[] = {
#ifdef __ARM_ARCH_8_1M_MAIN__
    &sl_port_cortexm_pmu,
#endif
    &sl_port_cortexm_dwt, &sl_port_cortexm_systick, NULL};
#endif
