/* SPDX-License-Identifier: Apache-2.0 */
/* hosted/report/doctor: what it finds in dumps of machines whose registers are known. The values are those measured
 * under QEMU 7.2 and OpenSBI 1.1, or put together from the architectures' manuals. */
#include "tests/unit/capture_fixture.h"

#include <stdlib.h>

#include "hosted/report/doctor.h"

#define SYS(op1, crn, crm, op2, value)                                                                                 \
    {                                                                                                                  \
        SL_SPACE_SYSREG, SL_STATE_OK, 0, SL_CAPTURE_SYSREG(3, op1, crn, crm, op2), value                               \
    }
#define MIDR(value)    SYS(0, 0, 0, 0, value)
#define DFR0(value)    SYS(0, 0, 5, 0, value)
#define PMCR(n)        SYS(3, 9, 12, 0, (uint64_t)(n) << 11)
#define PMCEID0(value) SYS(3, 9, 12, 6, value)
#define PMCEID1(value) SYS(3, 9, 12, 7, value)
#define PMMIR(value)   SYS(0, 9, 14, 6, value)
#define PMBIDR(value)  SYS(0, 9, 10, 7, value)
#define MDCR2(value)   SYS(4, 1, 1, 1, value)
#define MDCR3(value)   SYS(6, 1, 3, 1, value)
#define MMIO(address, value)                                                                                           \
    {                                                                                                                  \
        SL_SPACE_MMIO, SL_STATE_OK, 0, address, value                                                                  \
    }
#define CSR(number, value)                                                                                             \
    {                                                                                                                  \
        SL_SPACE_CSR, SL_STATE_OK, 0, number, value                                                                    \
    }
#define CPUID(leaf, reg, value)                                                                                        \
    {                                                                                                                  \
        SL_SPACE_CPUID, SL_STATE_OK, reg, leaf, value                                                                  \
    }
#define MSR(number, value)                                                                                             \
    {                                                                                                                  \
        SL_SPACE_MSR, SL_STATE_OK, 0, number, value                                                                    \
    }

#define N_REGISTERS 8u
#define N_FINDINGS  6u

struct scenario {
    const char *name;
    uint16_t arch;
    struct sl_capture_cpu cpu;
    struct sl_capture_register registers[N_REGISTERS];
    uint64_t event; /* of a programmable counter; 0: nothing is counted */
    uint64_t count;
    uint32_t quality;
    const char *findings[N_FINDINGS]; /* all of them, in order */
};

#define NEOVERSE_N2_EVENTS PMCEID0(0x7fff0f3f), PMCEID1(0xfef2ae7f) /* with STALL_SLOT, as its manual lists */

static const struct scenario scenarios[] = {
    {"QEMU cortex-a57 under icount",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {MIDR(0x411fd070), DFR0(0x10305106), PMCR(6), PMCEID0(0x20100), PMCEID1(0)},
     8,
     1000,
     0,
     {"no-stall", "spe-absent"}},
    {"QEMU cortex-a57,pmu=off",
     SL_ARCH_AARCH64,
     {.level = 1, .pmu_state = SL_STATE_NOT_PRESENT},
     {MIDR(0x411fd070), DFR0(0x10305006)},
     0,
     0,
     0,
     {"pmu-absent", "spe-absent"}},
    {"QEMU cortex-a76 without icount",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {DFR0(0x10305408), PMCR(6), PMCEID0(0x20001), PMCEID1(0x18)},
     0x23,
     0,
     0,
     {"el1-zeros", "no-stall-slot", "no-inst-retired", "spe-absent"}},
    {"QEMU max",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {DFR0(0x10305609), PMCR(6), PMCEID0(0x20101), PMCEID1(0x10000018), PMMIR(0)},
     8,
     5,
     0,
     {"no-stall-slot", "slots-unknown", "spe-absent"}},
    {"Neoverse N2, nothing wrong",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {DFR0(0x310305509), PMCR(6), NEOVERSE_N2_EVENTS, PMMIR(5), PMBIDR(0x26)},
     0x3e,
     7,
     0,
     {NULL}},
    {"an event that is not listed",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {DFR0(0x310305509), PMCR(6), PMCEID0(0x7fff0f3f), PMCEID1(0xfef2ae7f), PMMIR(5)},
     0x4005,
     7,
     0,
     {"event-not-listed"}},
    {"EL2 traps the PMU",
     SL_ARCH_AARCH64,
     {.level = 1, .pmu_state = SL_STATE_NOT_PERMITTED, .pmu_owner = SL_OWNER_EL2},
     {DFR0(0x10305106)},
     0,
     0,
     0,
     {"pmu-trapped", "spe-absent"}},
    {"own EL2 with TPM and TPMCR",
     SL_ARCH_AARCH64,
     {.level = 2, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {MDCR2(0x66), PMCR(6)},
     0,
     0,
     0,
     {"el2-traps-pmu", "el2-traps-pmcr"}},
    {"own EL3 with TPM and without SPME",
     SL_ARCH_AARCH64,
     {.level = 3, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {MDCR3(0x40), PMCR(6)},
     8,
     0,
     0,
     {"el3-traps-pmu", "secure-not-counted"}},
    {"EL3 with SPME, QEMU with EL2",
     SL_ARCH_AARCH64,
     {.level = 3, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {MDCR3(0x20000), PMCR(6)},
     8,
     0,
     0,
     {"el3-zeros"}},
    {"HPMN = 0",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 0, .pmu = SL_PMU_ARM_PMUV3},
     {DFR0(0x10305106), PMCR(0)},
     0,
     0,
     0,
     {"hpmn-takes-all", "spe-absent"}},
    {"HPMN = 2",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 2, .pmu = SL_PMU_ARM_PMUV3},
     {DFR0(0x10305106), PMCR(2)},
     8,
     9,
     0,
     {"hpmn-leaves-few", "spe-absent"}},
    {"EL2 without NSH",
     SL_ARCH_AARCH64,
     {.level = 2, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {MDCR2(6), PMCR(6)},
     8,
     0,
     0,
     {"el2-filter"}},
    {"EL2 with HPMD and HCCD",
     SL_ARCH_AARCH64,
     {.level = 2, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3},
     {MDCR2(0x820006), PMCR(6)},
     8,
     0,
     0,
     {"el2-prohibited", "el2-cycles-prohibited"}},
    {"SPE buffer at EL3",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3, .spe_state = SL_STATE_NOT_PERMITTED},
     {DFR0(0x210305509), PMCR(6), PMBIDR(0x16)},
     0,
     0,
     0,
     {"spe-owned"}},
    {"SPE traps",
     SL_ARCH_AARCH64,
     {.level = 1, .n_counters = 6, .pmu = SL_PMU_ARM_PMUV3, .spe_state = SL_STATE_NOT_PERMITTED},
     {DFR0(0x210305509), PMCR(6)},
     0,
     0,
     0,
     {"spe-trapped"}},
    {"somebody counts",
     SL_ARCH_AARCH64,
     {.level = 1, .pmu_state = SL_STATE_BUSY, .n_counters = 6},
     {PMCR(6)},
     0,
     0,
     0,
     {"pmu-busy"}},
    {"QEMU mps2-an385 (Cortex-M3)",
     SL_ARCH_ARMV7M,
     {.level = 1, .pmu = SL_PMU_ARM_SYSTICK},
     {MMIO(0xe000ed00, 0x410fc231), MMIO(0xe000edfc, 0)},
     0,
     0,
     0,
     {"no-trcena", "time-only"}},
    {"QEMU mps3-an547 (Cortex-M55)",
     SL_ARCH_ARMV8M,
     {.level = 1, .pmu = SL_PMU_ARM_SYSTICK},
     {MMIO(0xe000ed00, 0x410fd221), MMIO(0xe000edfc, 0), MMIO(0xe0003fbc, 0)},
     0,
     0,
     0,
     {"no-trcena", "m-pmu-absent", "time-only"}},
    {"Cortex-M33 without counters in its DWT",
     SL_ARCH_ARMV8M,
     {.level = 1, .pmu = SL_PMU_ARM_DWT},
     {MMIO(0xe000ed00, 0x410fd213), MMIO(0xe000edfc, 1 << 24), MMIO(0xe0001000, 0x43000000)},
     0,
     0,
     0,
     {"no-cyccnt", "no-prfcnt"}},
    {"Cortex-M4, too long a region",
     SL_ARCH_ARMV7M,
     {.level = 1, .pmu = SL_PMU_ARM_DWT},
     {MMIO(0xe000ed00, 0x410fc240), MMIO(0xe000edfc, 1 << 24), MMIO(0xe0001000, 0x40000001)},
     0xe0001008,
     3,
     SL_QUALITY_AMBIGUOUS,
     {"dwt-ambiguous"}},
    {"Cortex-M0+",
     SL_ARCH_ARMV6M,
     {.level = 1, .pmu = SL_PMU_ARM_SYSTICK},
     {MMIO(0xe000ed00, 0x410cc601)},
     0,
     0,
     0,
     {"no-counters-m0plus", "time-only"}},
    {"Cortex-M85, debug locked",
     SL_ARCH_ARMV8M,
     {.level = 1, .pmu = SL_PMU_ARM_M_PMU, .n_counters = 8},
     {MMIO(0xe0003fbc, 0x47700a06), MMIO(0xe0003fb8, 0x88), MMIO(0xe000edfc, 1 << 24)},
     0x3e,
     0,
     0,
     {"m-not-authenticated", "m-zeros"}},
    {"QEMU sifive-u54",
     SL_ARCH_RV64,
     {.level = 3, .pmu = SL_PMU_RISCV_HPM, .pmu_reason = {.space = SL_SPACE_CSR, .number = 0xb03}},
     {CSR(0xf11, 0),
      {SL_SPACE_CSR, SL_STATE_NOT_PERMITTED, 0, 0x320, 0},
      {SL_SPACE_CSR, SL_STATE_NOT_PERMITTED, 0, 0xda0, 0}},
     0,
     0,
     0,
     {"no-mcountinhibit", "no-hpm", "no-sscofpmf"}},
    {"QEMU rv64,pmu-num=0",
     SL_ARCH_RV64,
     {.level = 3, .pmu = SL_PMU_RISCV_HPM, .pmu_reason = {.space = SL_SPACE_CSR, .number = 0xb03}},
     {CSR(0xf11, 0)},
     0,
     0,
     0,
     {"no-hpm"}},
    {"U74, its two counters at 0",
     SL_ARCH_RV64,
     {.level = 3, .pmu = SL_PMU_RISCV_HPM, .n_counters = 2},
     {CSR(0xf11, 0x489)},
     0x801,
     0,
     0,
     {"rv-few-counters", "rv-zeros"}},
    {"S-mode, firmware without the extension",
     SL_ARCH_RV64,
     {.level = 1,
      .pmu_state = SL_STATE_NOT_PRESENT,
      .pmu_owner = SL_OWNER_M_MODE,
      .pmu_reason = {.space = SL_SPACE_SBI, .number = 0x504d55}},
     {CSR(0xf11, 0)},
     0,
     0,
     0,
     {"sbi-no-pmu"}},
    {"QEMU q35, TCG",
     SL_ARCH_X86_64,
     {.flags = SL_CPU_HYPERVISOR, .pmu_state = SL_STATE_NOT_PRESENT},
     {CPUID(0, 1, 0x756e6547), CPUID(0xa, 0, 0)},
     0,
     0,
     0,
     {"vpmu-off"}},
    {"EPYC guest without vPMU",
     SL_ARCH_X86_64,
     {.flags = SL_CPU_HYPERVISOR, .pmu_state = SL_STATE_NOT_PRESENT},
     {CPUID(0, 1, 0x68747541)},
     0,
     0,
     0,
     {"amd-vpmu-off"}},
    {"Ice Lake guest",
     SL_ARCH_X86_64,
     {.flags = SL_CPU_HYPERVISOR, .pmu = SL_PMU_INTEL, .n_counters = 8},
     {CPUID(0xa, 0, 0x08300802), MSR(0x345, 0x2000)},
     0x019c,
     9,
     0,
     {"no-perf-metrics-vm"}},
    {"Sapphire Rapids, nothing wrong",
     SL_ARCH_X86_64,
     {.pmu = SL_PMU_INTEL, .n_counters = 8},
     {CPUID(0xa, 0, 0x08300805), MSR(0x345, 0xb4c5)},
     0x019c,
     9,
     0,
     {NULL}},
    {"Zen 2",
     SL_ARCH_X86_64,
     {.pmu = SL_PMU_AMD, .n_counters = 6},
     {CPUID(0x80000022u, 0, 0)},
     0xc0,
     4,
     0,
     {"amd-no-v2"}},
};

static uint64_t memory[512];

static void write_scenario(const struct scenario *s, struct sl_capture *c)
{
    const struct sl_capture_file file = {.arch = s->arch};
    const struct sl_capture_group group = {.id = 0, .n_counters = 1};
    const struct sl_capture_counter counter = {.event = s->event};
    const struct sl_capture_sample sample = {.region = SL_REGION_NONE, .n_counts = 1};
    const struct sl_capture_count count = {s->count, 0, s->quality};
    uint16_t n = 0;

    fixture_ram(c, SL_SINK_LINEAR, memory, sizeof memory);
    (void)sl_capture_file(c, &file);
    (void)sl_capture_cpu(c, &s->cpu);
    while (n < N_REGISTERS && s->registers[n].space != SL_SPACE_NONE)
        n++;
    (void)sl_capture_regs(c, SL_REGS_PROBED, s->registers, n);
    if (s->event) {
        (void)sl_capture_group(c, &group, &counter);
        (void)sl_capture_sample(c, SL_CAPTURE_SAMPLE, &sample, &count, NULL, NULL);
    }
    assert_int_equal(sl_capture_finish(c), SL_OK);
}

static void scenario(const struct scenario *s)
{
    struct doctor_report report;
    struct capture capture;
    struct sl_capture c;
    size_t n = 0;

    write_scenario(s, &c);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, sl_capture_used_bytes(&c)));
    doctor_examine(&report, &capture);
    while (n < N_FINDINGS && s->findings[n])
        n++;
    for (size_t i = 0; i < report.n_findings; i++) {
        if (i >= n || strcmp(report.findings[i].name, s->findings[i]) != 0)
            print_error("%s: finding %zu: %s\n", s->name, i, report.findings[i].name);
    }
    for (size_t i = 0; i < n && i < report.n_findings; i++)
        assert_string_equal(report.findings[i].name, s->findings[i]);
    if (n != report.n_findings)
        print_error("%s: %zu findings\n", s->name, report.n_findings);
    assert_int_equal(report.n_findings, n);
    doctor_free(&report);
    capture_free(&capture);
}

static void known_machines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        scenario(&scenarios[i]);
}

static void rules_are_complete_and_have_names_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < doctor_n_rules; i++) {
        assert_non_null(doctor_rules[i].finding);
        assert_non_null(doctor_rules[i].advice);
        assert_int_not_equal(doctor_rules[i].when[0].source, DOCTOR_NOTHING);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(doctor_rules[i].name, doctor_rules[j].name);
        for (size_t k = 0; k < DOCTOR_CONDITIONS; k++) {
            const struct doctor_condition *c = &doctor_rules[i].when[k];
            if (c->source == DOCTOR_REGISTER && c->op != DOCTOR_UNREAD && c->op != DOCTOR_TRAPPED)
                assert_non_null(c->field);
        }
    }
}

static void evidence_names_register_field_and_value(void **state)
{
    struct doctor_report report;
    struct capture capture;
    struct sl_capture c;

    (void)state;
    write_scenario(&scenarios[1], &c);
    assert_true(capture_read(&capture, "x", (uint8_t *)memory, sl_capture_used_bytes(&c)));
    doctor_examine(&report, &capture);
    assert_string_equal(report.findings[0].evidence, "ID_AA64DFR0_EL1 = 0x10305006, PMUVer = 0x0");
    doctor_free(&report);
    capture_free(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_machines),
        cmocka_unit_test(rules_are_complete_and_have_names_of_their_own),
        cmocka_unit_test(evidence_names_register_field_and_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
