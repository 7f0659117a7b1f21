/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what a capture holds as numbers. */
#include "capture_names.h"

#include <stdio.h>

#define NAME(names, index) ((index) < sizeof names / sizeof names[0] && names[index] ? names[index] : "unknown")

const char *capture_type_name(uint8_t type)
{
    static const char *const names[] = {NULL,     "file",   "cpu",         "registers", "clock", "group",
                                        "region", "sample", "calibration", "SPE",       "note",  "end"};
    return NAME(names, type);
}

const char *capture_arch_name(uint16_t arch)
{
    static const char *const names[] = {
        "unknown architecture", "AArch64", "Armv7-M", "Armv8-M", "RV32", "RV64", "x86-64", "Armv6-M"};
    return NAME(names, arch);
}

const char *capture_sink_name(uint16_t sink)
{
    static const char *const names[] = {"stream", "linear buffer", "ring"};
    return NAME(names, sink);
}

const char *capture_pmu_name(uint8_t pmu)
{
    static const char *const names[] = {"no counters",      "Arm PMUv3",  "Armv8.1-M PMU",   "Cortex-M DWT",
                                        "Cortex-M SysTick", "RISC-V HPM", "RISC-V SBI PMU",  "Intel PMU",
                                        "AMD PMU",          "AMD PMUv2",  "Linux perf_event"};
    return NAME(names, pmu);
}

const char *capture_state_name(uint8_t state)
{
    static const char *const names[] = {"usable",           "not present",      "not permitted", "event not supported",
                                        "too few counters", "in use by others", "not examined"};
    return NAME(names, state);
}

const char *capture_owner_name(uint8_t owner)
{
    static const char *const names[] = {"nobody known", "EL3 firmware",     "EL2 software",
                                        "EL1 software", "M-mode firmware",  "the hypervisor",
                                        "a debugger",   "the Secure state", "other software"};
    return NAME(names, owner);
}

const char *capture_clock_name(uint16_t kind)
{
    static const char *const names[] = {"none",    "CNTVCT_EL0",  "CNTPCT_EL0", "cycle counter",
                                        "SysTick", "RISC-V time", "TSC",        "Linux CLOCK_MONOTONIC"};
    return NAME(names, kind);
}

const char *capture_when_name(uint16_t when)
{
    static const char *const names[] = {"at probing", "as programmed", "at the end"};
    return NAME(names, when);
}

const char *capture_level_name(uint16_t arch, uint16_t level)
{
    static const char *const arm[] = {"EL0", "EL1", "EL2", "EL3"};
    static const char *const cortexm[] = {"unprivileged", "privileged"};
    static const char *const riscv[] = {"U-mode", "S-mode", NULL, "M-mode"};
    static const char *const x86[] = {"ring 0", NULL, NULL, "ring 3"};
    switch (arch) {
    case SL_ARCH_AARCH64:
        return NAME(arm, level);
    case SL_ARCH_ARMV6M:
    case SL_ARCH_ARMV7M:
    case SL_ARCH_ARMV8M:
        return NAME(cortexm, level);
    case SL_ARCH_RV32:
    case SL_ARCH_RV64:
        return NAME(riscv, level);
    case SL_ARCH_X86_64:
        return NAME(x86, level);
    default:
        return "unknown level";
    }
}

struct register_name {
    uint8_t space;
    uint16_t sub;
    uint32_t number;
    const char *name;
};

#define SYSREG(op0, op1, crn, crm, op2, name)                                                                          \
    {                                                                                                                  \
        SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(op0, op1, crn, crm, op2), name                                           \
    }
#define CSR(number, name)                                                                                              \
    {                                                                                                                  \
        SL_SPACE_CSR, 0, number, name                                                                                  \
    }
#define MMIO(address, name)                                                                                            \
    {                                                                                                                  \
        SL_SPACE_MMIO, 0, address, name                                                                                \
    }
#define CPUID(leaf, sub, reg, name)                                                                                    \
    {                                                                                                                  \
        SL_SPACE_CPUID, (sub) << 2 | (reg), leaf, name                                                                 \
    }
#define MSR(number, name)                                                                                              \
    {                                                                                                                  \
        SL_SPACE_MSR, 0, number, name                                                                                  \
    }
#define SBI(eid, fid, name)                                                                                            \
    {                                                                                                                  \
        SL_SPACE_SBI, fid, eid, name                                                                                   \
    }

/* Encodings: Arm ARM (DDI 0487) and Linux' sysreg tables; CMSIS 6; RISC-V privileged specification; SBI 2.0; Intel SDM
 * volumes 2 and 4; AMD APM volume 2. */
static const struct register_name registers[] = {
    SYSREG(3, 0, 0, 0, 0, "MIDR_EL1"),
    SYSREG(3, 0, 0, 0, 5, "MPIDR_EL1"),
    SYSREG(3, 0, 0, 0, 6, "REVIDR_EL1"),
    SYSREG(3, 0, 0, 4, 0, "ID_AA64PFR0_EL1"),
    SYSREG(3, 0, 0, 5, 0, "ID_AA64DFR0_EL1"),
    SYSREG(3, 0, 0, 5, 1, "ID_AA64DFR1_EL1"),
    SYSREG(3, 0, 0, 7, 0, "ID_AA64MMFR0_EL1"),
    SYSREG(3, 0, 4, 2, 2, "CurrentEL"),
    SYSREG(3, 3, 9, 12, 0, "PMCR_EL0"),
    SYSREG(3, 3, 9, 12, 1, "PMCNTENSET_EL0"),
    SYSREG(3, 3, 9, 12, 3, "PMOVSCLR_EL0"),
    SYSREG(3, 3, 9, 12, 6, "PMCEID0_EL0"),
    SYSREG(3, 3, 9, 12, 7, "PMCEID1_EL0"),
    SYSREG(3, 3, 9, 13, 0, "PMCCNTR_EL0"),
    SYSREG(3, 3, 9, 14, 0, "PMUSERENR_EL0"),
    SYSREG(3, 0, 9, 14, 1, "PMINTENSET_EL1"),
    SYSREG(3, 0, 9, 14, 6, "PMMIR_EL1"),
    SYSREG(3, 3, 14, 15, 7, "PMCCFILTR_EL0"),
    SYSREG(3, 3, 14, 0, 0, "CNTFRQ_EL0"),
    SYSREG(3, 4, 1, 1, 1, "MDCR_EL2"),
    SYSREG(3, 6, 1, 3, 1, "MDCR_EL3"),
    SYSREG(3, 6, 1, 1, 0, "SCR_EL3"),
    SYSREG(3, 4, 1, 1, 0, "HCR_EL2"),
    SYSREG(3, 0, 9, 9, 0, "PMSCR_EL1"),
    SYSREG(3, 0, 9, 9, 1, "PMSNEVFR_EL1"),
    SYSREG(3, 0, 9, 9, 3, "PMSIRR_EL1"),
    SYSREG(3, 0, 9, 9, 4, "PMSFCR_EL1"),
    SYSREG(3, 0, 9, 9, 5, "PMSEVFR_EL1"),
    SYSREG(3, 0, 9, 9, 6, "PMSLATFR_EL1"),
    SYSREG(3, 0, 9, 9, 7, "PMSIDR_EL1"),
    SYSREG(3, 0, 9, 10, 0, "PMBLIMITR_EL1"),
    SYSREG(3, 0, 9, 10, 1, "PMBPTR_EL1"),
    SYSREG(3, 0, 9, 10, 3, "PMBSR_EL1"),
    SYSREG(3, 0, 9, 10, 7, "PMBIDR_EL1"),
    SYSREG(3, 4, 9, 9, 0, "PMSCR_EL2"),
    MMIO(0xe000ed00u, "CPUID"),
    MMIO(0xe000ed48u, "ID_DFR0"),
    MMIO(0xe000edfcu, "DEMCR"),
    MMIO(0xe000edf0u, "DHCSR"),
    MMIO(0xe0001000u, "DWT_CTRL"),
    MMIO(0xe0001004u, "DWT_CYCCNT"),
    MMIO(0xe0001fbcu, "DWT_DEVARCH"),
    MMIO(0xe0001fb4u, "DWT_LSR"),
    MMIO(0xe0003e00u, "PMU_TYPE"),
    MMIO(0xe0003e04u, "PMU_CTRL"),
    MMIO(0xe0003fb8u, "PMU_AUTHSTATUS"),
    MMIO(0xe0003fbcu, "PMU_DEVARCH"),
    MMIO(0xe0003fccu, "PMU_DEVTYPE"),
    MMIO(0xe000e010u, "SYST_CSR"),
    MMIO(0xe000e014u, "SYST_RVR"),
    MMIO(0xe000e01cu, "SYST_CALIB"),
    CSR(0x301, "misa"),
    CSR(0x306, "mcounteren"),
    CSR(0x30a, "menvcfg"),
    CSR(0x320, "mcountinhibit"),
    CSR(0x321, "mcyclecfg"),
    CSR(0x322, "minstretcfg"),
    CSR(0x323, "mhpmevent3"),
    CSR(0x106, "scounteren"),
    CSR(0x606, "hcounteren"),
    CSR(0xb00, "mcycle"),
    CSR(0xb02, "minstret"),
    CSR(0xb03, "mhpmcounter3"),
    CSR(0xc00, "cycle"),
    CSR(0xc01, "time"),
    CSR(0xc02, "instret"),
    CSR(0xda0, "scountovf"),
    CSR(0xf11, "mvendorid"),
    CSR(0xf12, "marchid"),
    CSR(0xf13, "mimpid"),
    CSR(0xf14, "mhartid"),
    SBI(0x10, 0, "SBI specification version"),
    SBI(0x10, 1, "SBI implementation ID"),
    SBI(0x10, 2, "SBI implementation version"),
    SBI(0x10, 3, "SBI probe of the PMU extension"),
    SBI(0x10, 4, "SBI mvendorid"),
    SBI(0x10, 5, "SBI marchid"),
    SBI(0x10, 6, "SBI mimpid"),
    SBI(0x504d55, 0, "SBI PMU number of counters"),
    SBI(0x504d55, 1, "SBI PMU counter information"),
    SBI(0x504d55, 2, "SBI PMU counter configuration"),
    SBI(0x504d55, 3, "SBI PMU counter start"),
    CPUID(0, 0, 0, "CPUID.0:EAX"),
    CPUID(0, 0, 1, "CPUID.0:EBX"),
    CPUID(0, 0, 2, "CPUID.0:ECX"),
    CPUID(0, 0, 3, "CPUID.0:EDX"),
    CPUID(1, 0, 0, "CPUID.1:EAX"),
    CPUID(1, 0, 1, "CPUID.1:EBX"),
    CPUID(1, 0, 2, "CPUID.1:ECX"),
    CPUID(1, 0, 3, "CPUID.1:EDX"),
    CPUID(7, 0, 1, "CPUID.7:EBX"),
    CPUID(7, 0, 3, "CPUID.7:EDX"),
    CPUID(0xa, 0, 0, "CPUID.0AH:EAX"),
    CPUID(0xa, 0, 1, "CPUID.0AH:EBX"),
    CPUID(0xa, 0, 2, "CPUID.0AH:ECX"),
    CPUID(0xa, 0, 3, "CPUID.0AH:EDX"),
    CPUID(0x1a, 0, 0, "CPUID.1AH:EAX"),
    CPUID(0x23, 0, 0, "CPUID.23H:EAX"),
    CPUID(0x40000000u, 0, 1, "CPUID.40000000H:EBX"),
    CPUID(0x80000001u, 0, 2, "CPUID.80000001H:ECX"),
    CPUID(0x80000022u, 0, 0, "CPUID.80000022H:EAX"),
    CPUID(0x80000022u, 0, 1, "CPUID.80000022H:EBX"),
    MSR(0x8b, "IA32_BIOS_SIGN_ID"),
    MSR(0x34, "MSR_SMI_COUNT"),
    MSR(0x345, "IA32_PERF_CAPABILITIES"),
    MSR(0x38d, "IA32_FIXED_CTR_CTRL"),
    MSR(0x38e, "IA32_PERF_GLOBAL_STATUS"),
    MSR(0x38f, "IA32_PERF_GLOBAL_CTRL"),
    MSR(0x329, "IA32_PERF_METRICS"),
    MSR(0xc0000300u, "PerfCntrGlobalStatus"),
    MSR(0xc0000301u, "PerfCntrGlobalCtl"),
    {SL_SPACE_XCR, 0, 4, "CR4"},
};

const char *capture_register_name(uint8_t space, uint16_t sub, uint32_t number)
{
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        if (registers[i].space == space && registers[i].sub == sub && registers[i].number == number)
            return registers[i].name;
    }
    return NULL;
}

void capture_register_text(char text[CAPTURE_REGISTER_TEXT], uint8_t space, uint16_t sub, uint32_t number)
{
    static const char *const spaces[] = {"register", "system register", "CSR", "address", "CPUID leaf",
                                         "MSR",      "SBI extension",   "CR"};
    const char *name = capture_register_name(space, sub, number);
    int used;
    if (name) {
        snprintf(text, CAPTURE_REGISTER_TEXT, "%s", name);
        return;
    }
    /* S<op0>_<op1>_<Cn>_<Cm>_<op2>, as assemblers write what they have no name for. */
    if (space == SL_SPACE_SYSREG) {
        snprintf(text, CAPTURE_REGISTER_TEXT, "S%u_%u_C%u_C%u_%u", number >> 14 & 3u, number >> 11 & 7u,
                 number >> 7 & 15u, number >> 3 & 15u, number & 7u);
        return;
    }
    used = snprintf(text, CAPTURE_REGISTER_TEXT, "%s 0x%x", NAME(spaces, space), number);
    if (sub && used > 0 && (unsigned)used < CAPTURE_REGISTER_TEXT)
        snprintf(text + used, CAPTURE_REGISTER_TEXT - (unsigned)used, ".%u", sub);
}
