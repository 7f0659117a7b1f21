/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons in words. */
#include <slotledger/port.h>

static const char *const texts[SL_PORT_WHY_COUNT] = {
    [SL_PORT_WHY_NOTHING] = "nothing is missing",
    [SL_PORT_WHY_PMUVER_0] = "ID_AA64DFR0_EL1.PMUVer is 0: the core has no PMU, or a hypervisor hides it",
    [SL_PORT_WHY_PMUVER_IMPDEF] = "ID_AA64DFR0_EL1.PMUVer is 15: a PMU of the implementer's own kind",
    [SL_PORT_WHY_HPMN_0] = "PMCR_EL0.N is 0: EL2 keeps all event counters (MDCR_EL2.HPMN)",
    [SL_PORT_WHY_TPM] =
        "PMU accesses are trapped by a higher exception level (MDCR_EL2.TPM, MDCR_EL3.TPM, HDFGRTR_EL2)",
    [SL_PORT_WHY_PMCR_E] = "PMCR_EL0.E is set with counters enabled: somebody else is counting",
    [SL_PORT_WHY_PMCEID] = "PMCEID0_EL0 and PMCEID1_EL0 do not list the event",
    [SL_PORT_WHY_PMSVER_0] = "ID_AA64DFR0_EL1.PMSVer is 0: no Statistical Profiling Extension",
    [SL_PORT_WHY_PMBIDR_P] =
        "PMBIDR_EL1.P is set: a higher exception level owns the buffer (MDCR_EL3.NSPB, MDCR_EL2.E2PB)",
    [SL_PORT_WHY_PMBLIMITR_E] = "PMBLIMITR_EL1.E is not as it was left: somebody else uses the profiling buffer",
    [SL_PORT_WHY_SPE_ALIGN] = "the profiling buffer is not aligned to 4 KiB and to PMBIDR_EL1.Align",
    [SL_PORT_WHY_SPE_INTERVAL] = "the sampling interval is below PMSIDR_EL1.Interval or over 24 bits",
    [SL_PORT_WHY_MMU_OFF] = "SCTLR_ELx.M is 0: the profiling buffer needs translation",
    [SL_PORT_WHY_TRCENA] = "DEMCR.TRCENA does not stick: the core has no DWT",
    [SL_PORT_WHY_NOCYCCNT] = "DWT_CTRL.NOCYCCNT is set: no cycle counter",
    [SL_PORT_WHY_NOPRFCNT] = "DWT_CTRL.NOPRFCNT is set: no profiling counters",
    [SL_PORT_WHY_STUCK] = "the cycle counter does not move (a debugger, or DWT_CTRL.CYCDISS in Secure state)",
    [SL_PORT_WHY_DEVARCH] = "PMU_DEVARCH is not 0x47700A06: no Armv8.1-M PMU",
    [SL_PORT_WHY_DWT_BUSY] = "DWT counters are enabled: a debugger or the application owns them",
    [SL_PORT_WHY_PMU_BUSY] = "PMU_CTRL.E is set with counters enabled: somebody else is counting",
    [SL_PORT_WHY_SYSTICK] = "SYST_CSR.ENABLE is set: the application owns SysTick",
    [SL_PORT_WHY_AUTHSTATUS] = "PMU_AUTHSTATUS allows no non-invasive debug here: event counters stand still",
    [SL_PORT_WHY_NO_INHIBIT] = "mcountinhibit traps (privileged architecture before 1.11): counters cannot be stopped",
    [SL_PORT_WHY_NO_HPM] = "no mhpmcounter can be written: the hart has no programmable counters",
    [SL_PORT_WHY_HPM_BUSY] = "mhpmevent is programmed and mcountinhibit lets it count: somebody else is counting",
    [SL_PORT_WHY_SBI_NO_PMU] = "the firmware has no SBI PMU extension",
    [SL_PORT_WHY_SBI_REFUSED] = "the firmware maps the event to no counter",
    [SL_PORT_WHY_SBI_DENIED] = "the firmware denies the counter",
    [SL_PORT_WHY_LEAF_A] = "CPUID leaf 0xA (AMD: 0x80000001) shows no performance counters",
    [SL_PORT_WHY_VPMU_OFF] = "CPUID shows no performance counters, and a hypervisor: it gives its guest none",
    [SL_PORT_WHY_NO_METRICS] = "IA32_PERF_CAPABILITIES bit 15 is clear: no PERF_METRICS",
    [SL_PORT_WHY_READ_BACK] = "a counter does not keep what is written to it",
    [SL_PORT_WHY_GLOBAL_CTRL] = "a performance counter is enabled: somebody else is counting",
    [SL_PORT_WHY_EVENT_MASK] = "CPUID leaf 0xA EBX says that the event is not available",
    [SL_PORT_WHY_COUNTERS] = "more events than counters that can count them",
};

const char *sl_port_why_text(enum sl_port_why why)
{
    return (unsigned)why < SL_PORT_WHY_COUNT ? texts[why] : "unknown reason";
}
