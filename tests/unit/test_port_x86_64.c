/* SPDX-License-Identifier: Apache-2.0 */
/* The x86-64 ports over a model of Intel's architectural PMU with PERF_METRICS (SDM 3B, chapter 20) and of AMD's
 * counters (APM 2, 13.2): none of it is in QEMU. */
#include "port_fake.h"

#include <ports/x86_64/regs.h>

#define WIDTH_MASK ((UINT64_C(1) << 48) - 1)

static uint64_t *msr(uint32_t number)
{
    return fake_cell(SL_FAKE_MSR, number);
}
static uint64_t *cpuid(uint32_t leaf, unsigned reg)
{
    return fake_cell(SL_FAKE_CPUID, X86_CPUID(leaf, 0, reg));
}

static bool forgetful; /* an emulator: takes every write and keeps nothing */

static bool on_write(enum sl_fake_space space, uint32_t number, uint64_t value)
{
    if (space != SL_FAKE_MSR) {
        return false;
    }
    if (forgetful) {
        return true;
    }
    if (number >= MSR_PMC0 && number < MSR_PMC0 + 8) {
        *msr(number) = (uint64_t)(int64_t)(int32_t)value & WIDTH_MASK; /* bit 31 is extended */
        return true;
    }
    if (number >= MSR_A_PMC0 && number < MSR_A_PMC0 + 8) {
        *msr(MSR_PMC0 + number - MSR_A_PMC0) = value & WIDTH_MASK;
        return true;
    }
    if (number == MSR_GLOBAL_STATUS_RESET) {
        *msr(MSR_GLOBAL_STATUS) &= ~value;
        return true;
    }
    if (number == MSR_AMD_GLOBAL_CLEAR) {
        *msr(MSR_AMD_GLOBAL_STATUS) &= ~value;
        return true;
    }
    return false;
}

static bool on_read(enum sl_fake_space space, uint32_t number, uint64_t *value)
{
    if (space != SL_FAKE_PMC) {
        return false;
    }
    if (number & PMC_METRICS) {
        *value = *msr(MSR_PERF_METRICS);
    } else {
        *value = *msr(number & PMC_FIXED ? MSR_FIXED_CTR0 + (number & 0xff) : MSR_PMC0 + number);
    }
    return true;
}

static void vendor(const char *text)
{ /* "GenuineIntel" in EBX, EDX, ECX */
    static const unsigned order[3] = {1, 3, 2};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t word;
        memcpy(&word, text + 4 * i, 4);
        *cpuid(0, order[i]) = word;
    }
}

/* Golden Cove: 8 general counters of 48 bits, 4 fixed ones, PERF_METRICS; out of reset GLOBAL_CTRL enables the general
 * ones. */
static void intel(void)
{
    fake_reset();
    forgetful = false;
    fake.on_write = on_write;
    fake.on_read = on_read;
    vendor("GenuineIntel");
    *cpuid(0, 0) = 0x20;
    *cpuid(1, 0) = 0x806f8;
    *cpuid(1, 1) = 0x05000000;
    *cpuid(1, 2) = 1u << 15;
    *cpuid(0xa, 0) = 5 | 8u << 8 | 48u << 16 | 8u << 24;
    *cpuid(0xa, 3) = 4 | 48u << 5;
    *msr(MSR_PERF_CAPABILITIES) = PERF_CAP_METRICS | PERF_CAP_FULL_WIDTH;
    *msr(MSR_GLOBAL_CTRL) = 0xff;
}

struct work {
    uint64_t code, count;
};

/* Counts what the enabled counters are programmed to count; shares: bytes of PERF_METRICS for this piece of work alone.
 */
static void happen(const struct work *work, unsigned n_work, uint64_t instructions, uint64_t cycles, uint64_t slots,
                   uint64_t shares)
{
    uint64_t global = *msr(MSR_GLOBAL_CTRL), fixed = *msr(MSR_FIXED_CTR_CTRL);
    for (unsigned n = 0; n < 8; n++) {
        uint64_t select = *msr(MSR_PERFEVTSEL0 + n);
        for (unsigned k = 0; k < n_work; k++) {
            if ((global >> n & 1) != 0 && (select & EVTSEL_EN) != 0 && (select & 0xff00ffff) == work[k].code) {
                uint64_t sum = *msr(MSR_PMC0 + n) + work[k].count;
                *msr(MSR_GLOBAL_STATUS) |= sum > WIDTH_MASK ? UINT64_C(1) << n : 0;
                *msr(MSR_PMC0 + n) = sum & WIDTH_MASK;
            }
        }
    }
    const uint64_t amounts[4] = {instructions, cycles, cycles, slots};
    for (unsigned n = 0; n < 4; n++) {
        if ((global >> (32 + n) & 1) != 0 && (fixed >> (4 * n) & 3) != 0) {
            *msr(MSR_FIXED_CTR0 + n) = (*msr(MSR_FIXED_CTR0 + n) + amounts[n]) & WIDTH_MASK;
        }
    }
    if ((global & GLOBAL_METRICS) != 0) {
        *msr(MSR_PERF_METRICS) = shares;
    }
}

static void probe_trusts_cpuid_alone(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    intel();
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_OK);
    assert_int_equal(caps.counters, 0xff);
    assert_int_equal(caps.width, 48);
    assert_int_equal(caps.affinity, 5);
    assert_true((caps.can & SL_PORT_CAN_METRICS) != 0);
    assert_int_equal(caps.fixed & 0xffff, 1u << SL_PORT_CYCLES | 1u << SL_PORT_INSTRUCTIONS | 1u << SL_PORT_REF_CYCLES |
                                              1u << SL_PORT_SLOTS);
    *msr(MSR_PERF_CAPABILITIES) = 0;
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_OK);
    assert_int_equal(caps.why, SL_PORT_WHY_NO_METRICS);
    assert_int_equal(caps.fixed >> SL_PORT_METRIC_0, 0);
    *cpuid(0xa, 0) = 0;
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_LEAF_A);
    *cpuid(1, 2) |= UINT32_C(1) << 31;
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_VPMU_OFF);
    intel();
    forgetful = true; /* CPUID promises what the emulator does not keep */
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_E_DENIED);
    assert_int_equal(caps.why, SL_PORT_WHY_READ_BACK);
    intel();
    vendor("AuthenticAMD");
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.can, 0);
}

/* Level 1 of two windows: slots times bytes add up, window by window; 255 is the whole. */
static void metrics_are_summed_by_window(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {
        {.code = 0x01ad},
        {.fixed = SL_PORT_SLOTS},
        {.fixed = SL_PORT_METRIC_0},
        {.fixed = SL_PORT_METRIC_0 + 1},
        {.fixed = SL_PORT_METRIC_0 + 2},
        {.fixed = SL_PORT_METRIC_0 + 3},
        {.fixed = SL_PORT_CYCLES},
        {.fixed = SL_PORT_INSTRUCTIONS},
    };
    static const struct sl_port_group group = {.events = events, .count = 8};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    intel();
    for (unsigned n = 0; n < 4; n++) {
        *msr(MSR_FIXED_CTR0 + n) = WIDTH_MASK - 5; /* they wrap at once */
    }
    *msr(MSR_PERF_METRICS) = 0x1234;
    *msr(MSR_PMC0) = UINT64_C(0x923456789abc);
    *msr(MSR_PERFEVTSEL0) = 0x4300c0 & ~EVTSEL_EN;
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_OK);
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_x86_64_intel, &caps, &group, 0), SL_OK);
    assert_int_equal(*msr(MSR_GLOBAL_CTRL), 0);
    const struct work work = {0x01ad, 11};
    sl_region_begin(&port, &region);
    assert_int_equal(*msr(MSR_GLOBAL_CTRL), UINT64_C(0xb00000001) | GLOBAL_METRICS);
    happen(&work, 1, 3000, 1000, 6000, 0x33660099); /* retiring 0x99, bad 0, frontend 0x66, backend 0x33: of 0x132 */
    fake.logging = true;
    sl_region_end(&port, &region);
    /* Put back to 0 for the next window, the slots (0x30c) first. */
    assert_int_equal(*msr(MSR_PERF_METRICS), 0);
    assert_int_equal(*msr(MSR_FIXED_CTR0 + 3), 0);
    assert_int_equal(fake_logged("329", fake_logged("30c", 0)), fake_logged("30c", 0) + 1);
    happen(&work, 1, 9, 9, 9, 0xff); /* outside */
    sl_region_begin(&port, &region);
    happen(&work, 1, 100, 500, 3000, 0x00ff0000);
    sl_region_end(&port, &region);
    static const uint64_t expected[] = {22, 9000, 6000 * 0x99, 0, 6000 * 0x66 + 3000 * 0xff, 6000 * 0x33, 1500, 3100};
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(region.sums[i], expected[i]);
    }
    assert_int_equal(region.quality, 0);
    sl_region_close(&port);
    fake_assert_restored(NULL, 0);
}

static void nested_windows_keep_the_outer_slots(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.fixed = SL_PORT_SLOTS}, {.fixed = SL_PORT_METRIC_0}};
    static const struct sl_port_group group = {.events = events, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region outer = {0}, inner = {0};
    intel();
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_x86_64_intel, &caps, &group, 0), SL_OK);
    sl_region_begin(&port, &outer);
    happen(NULL, 0, 0, 0, 100, 10);
    sl_region_begin(&port, &inner);
    happen(NULL, 0, 0, 0, 1000, 20);
    sl_region_end(&port, &inner);
    happen(NULL, 0, 0, 0, 7, 30);
    sl_region_end(&port, &outer);
    assert_int_equal(inner.sums[0], 1000);
    assert_int_equal(inner.sums[1], 20000);
    assert_int_equal(outer.sums[0], 1107);
    assert_int_equal(outer.sums[1], 1000 + 20000 + 210);
    sl_region_close(&port);
}

static void intel_refusals_change_nothing(void **state)
{
    (void)state;
    static const struct sl_port_event metrics_alone[] = {{.fixed = SL_PORT_METRIC_0}};
    static const struct sl_port_event llc[] = {{.code = 0x4f2e}};
    static const struct sl_port_event restricted[] = {{.code = 0x0347, .counters = 1}, {.code = 0x0547, .counters = 1}};
    static const struct sl_port_event skymont[] = {{.fixed = SL_PORT_X86_BAD}};
    static const struct sl_port_event good[] = {{.code = 0x00c0}};
    static const struct {
        struct sl_port_group group;
        enum sl_status status;
        enum sl_port_why why;
    } cases[] = {
        {{.events = metrics_alone, .count = 1}, SL_E_ARGUMENT, SL_PORT_WHY_NOTHING},
        {{.events = llc, .count = 1}, SL_E_EVENT, SL_PORT_WHY_EVENT_MASK},
        {{.events = restricted, .count = 2}, SL_E_COUNTERS, SL_PORT_WHY_COUNTERS},
        {{.events = skymont, .count = 1}, SL_E_EVENT, SL_PORT_WHY_COUNTERS},
        {{.events = good, .count = 1}, SL_E_BUSY, SL_PORT_WHY_GLOBAL_CTRL},
    };
    struct sl_port_caps caps;
    intel();
    *cpuid(0xa, 1) = 1u << 3; /* LLC references are not available */
    *msr(MSR_PERFEVTSEL0 + 2) = 0x4300c0;
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_OK);
    fake_remember();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_port port = {0};
        assert_int_equal(sl_region_open(&port, &sl_port_x86_64_intel, &caps, &cases[i].group, 0), cases[i].status);
        assert_int_equal(port.why, cases[i].why);
        fake_assert_restored(NULL, 0);
    }
}

static void intel_interrupts_rearm(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0x00c0, .period = 1000, .flags = SL_PORT_INTERRUPT}};
    static const struct sl_port_group group = {.events = events, .count = 1};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    intel();
    *msr(MSR_APIC_BASE) = APIC_ENABLE | APIC_X2APIC;
    *msr(MSR_X2APIC_LVT_PMC) = 0xfe;
    assert_int_equal(sl_port_x86_64_intel.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_x86_64_intel, &caps, &group, 0), SL_OK);
    assert_true((*msr(MSR_PERFEVTSEL0) & EVTSEL_INT) != 0);
    const struct work work = {0x00c0, 370};
    unsigned hits = 0;
    sl_region_begin(&port, &region);
    for (unsigned i = 0; i < 100; i++) {
        happen(&work, 1, 0, 0, 0, 0);
        if (*msr(MSR_GLOBAL_STATUS) & 1) {
            *msr(MSR_X2APIC_LVT_PMC) |= LVT_MASKED; /* delivery masks the entry */
            assert_int_equal(sl_port_x86_64_intel.overflow_isr(&port), 1);
            hits++;
        }
    }
    const struct work late = {0x00c0, 7777};
    happen(&late, 1, 0, 0, 0, 0);
    assert_int_equal(sl_port_x86_64_intel.overflow_isr(&port), 1);
    assert_int_equal(*msr(MSR_PMC0), WIDTH_MASK + 1 - 1000);
    sl_region_end(&port, &region);
    assert_int_equal(hits, 37);
    assert_int_equal(region.sums[0], 44777);
    assert_int_equal(*msr(MSR_X2APIC_LVT_PMC), 0xfe);
    sl_region_close(&port);
}

/* ---- AMD
 * ------------------------------------------------------------------------------------------------------------- */

enum { LEGACY, EXTENDED, V2 };

static void amd(unsigned kind)
{
    fake_reset();
    forgetful = false;
    fake.on_write = on_write;
    vendor("AuthenticAMD");
    *cpuid(0x80000000, 0) = kind == V2 ? 0x80000022 : 0x80000008;
    *cpuid(0x80000001, 2) = kind == LEGACY ? 0 : 1u << 23;
    if (kind == V2) {
        *cpuid(0x80000022, 0) = 1;
        *cpuid(0x80000022, 1) = 6;
    }
}

static uint32_t amd_control(unsigned kind, unsigned n)
{
    return kind == LEGACY ? MSR_K7_EVNTSEL0 + n : MSR_AMD_PERF_CTL0 + 2 * n;
}
static uint32_t amd_counter(unsigned kind, unsigned n)
{
    return kind == LEGACY ? MSR_K7_PERFCTR0 + n : MSR_AMD_PERF_CTR0 + 2 * n;
}

static void amd_happen(unsigned kind, const struct work *work, unsigned n_work)
{
    for (unsigned n = 0; n < (kind == LEGACY ? 4u : 6u); n++) {
        uint64_t select = *msr(amd_control(kind, n));
        bool on = (select & EVTSEL_EN) != 0 && (kind != V2 || (*msr(MSR_AMD_GLOBAL_CTL) >> n & 1) != 0);
        for (unsigned k = 0; k < n_work; k++) {
            if (on && (select & UINT64_C(0xf0000ffff)) == work[k].code) {
                uint64_t sum = *msr(amd_counter(kind, n)) + work[k].count;
                *msr(MSR_AMD_GLOBAL_STATUS) |= sum > WIDTH_MASK ? UINT64_C(1) << n : 0;
                *msr(amd_counter(kind, n)) = sum & WIDTH_MASK;
            }
        }
    }
}

/* Zen 4's level 1: five classes of slots; a sixth counter for what retired. */
static void amd_counts_with_and_without_a_switch(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {
        {.code = UINT64_C(0x1000001a0)}, {.code = UINT64_C(0x100001ea0)}, {.code = 0x07aa}, {.code = 0x76}};
    static const struct sl_port_group group = {.events = events, .count = 4};
    const struct work work[] = {{UINT64_C(0x1000001a0), 100}, {UINT64_C(0x100001ea0), 200}, {0x07aa, 310}, {0x76, 100}};
    for (unsigned kind = LEGACY; kind <= V2; kind++) {
        struct sl_port_caps caps;
        struct sl_port port = {0};
        struct sl_region region = {0};
        amd(kind);
        *msr(amd_counter(kind, 1)) = 77;
        *msr(amd_control(kind, 1)) = 0x123;
        assert_int_equal(sl_port_x86_64_amd.probe(&caps, 0), SL_OK);
        assert_int_equal(sl_popcount64(caps.counters), kind == LEGACY ? 4 : 6);
        assert_int_equal((caps.can & SL_PORT_CAN_STOP) != 0, kind == V2);
        fake_remember();
        assert_int_equal(sl_region_open(&port, &sl_port_x86_64_amd, &caps, &group, 0), SL_OK);
        amd_happen(kind, work, 4);
        for (unsigned run = 0; run < 2; run++) {
            sl_region_begin(&port, &region);
            amd_happen(kind, work, 4);
            sl_region_end(&port, &region);
            amd_happen(kind, work, 4);
        }
        static const uint64_t expected[] = {200, 400, 620, 200};
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(region.sums[i], expected[i]);
        }
        assert_int_equal(region.quality, kind == V2 ? 0 : SL_PORT_Q_SKEW);
        sl_region_close(&port);
        fake_assert_restored(NULL, 0);
    }
}

/* One after the other: the last event starts first and stops last. */
static void amd_starts_cycles_first(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0xc1}, {.code = 0x76}};
    static const struct sl_port_group group = {.events = events, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    amd(EXTENDED);
    assert_int_equal(sl_port_x86_64_amd.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_x86_64_amd, &caps, &group, 0), SL_OK);
    fake.logging = true;
    sl_region_begin(&port, &region);
    sl_region_end(&port, &region);
    unsigned cycles_on = fake_logged("c0010202", 0), other_on = fake_logged("c0010200", 0);
    assert_true(cycles_on < other_on);
    assert_true(fake_logged("c0010200", other_on + 1) < fake_logged("c0010202", other_on + 1));
    sl_region_close(&port);
}

static void amd_interrupts_rearm(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0x76, .period = 1000, .flags = SL_PORT_INTERRUPT}};
    static const struct sl_port_group group = {.events = events, .count = 1};
    const struct work work = {0x76, 370};
    for (unsigned kind = EXTENDED; kind <= V2; kind++) {
        struct sl_port_caps caps;
        struct sl_port port = {0};
        struct sl_region region = {0};
        amd(kind);
        assert_int_equal(sl_port_x86_64_amd.probe(&caps, 0), SL_OK);
        assert_int_equal(sl_region_open(&port, &sl_port_x86_64_amd, &caps, &group, 0), SL_OK);
        unsigned hits = 0;
        sl_region_begin(&port, &region);
        for (unsigned i = 0; i < 100; i++) {
            amd_happen(kind, &work, 1);
            hits += sl_port_x86_64_amd.overflow_isr(&port);
        }
        const struct work late = {0x76, 7777};
        amd_happen(kind, &late, 1);
        assert_int_equal(sl_port_x86_64_amd.overflow_isr(&port), 1);
        sl_region_end(&port, &region);
        assert_int_equal(hits, 37);
        assert_int_equal(region.sums[0], 44777);
        sl_region_close(&port);
    }
}

static void amd_absence_and_owners(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0x76}};
    static const struct sl_port_group group = {.events = events, .count = 1};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    amd(EXTENDED);
    forgetful = true;
    *cpuid(1, 2) = UINT32_C(1) << 31;
    assert_int_equal(sl_port_x86_64_amd.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_VPMU_OFF);
    amd(V2);
    *msr(MSR_AMD_GLOBAL_CTL) = 1;
    *msr(MSR_AMD_PERF_CTL0) = 0x76 | EVTSEL_EN;
    assert_int_equal(sl_port_x86_64_amd.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_x86_64_amd, &caps, &group, 0), SL_E_BUSY);
    assert_int_equal(port.why, SL_PORT_WHY_GLOBAL_CTRL);
    amd(V2);
    vendor("GenuineIntel");
    assert_int_equal(sl_port_x86_64_amd.probe(&caps, 0), SL_E_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_trusts_cpuid_alone),
        cmocka_unit_test(metrics_are_summed_by_window),
        cmocka_unit_test(nested_windows_keep_the_outer_slots),
        cmocka_unit_test(intel_refusals_change_nothing),
        cmocka_unit_test(intel_interrupts_rearm),
        cmocka_unit_test(amd_counts_with_and_without_a_switch),
        cmocka_unit_test(amd_starts_cycles_first),
        cmocka_unit_test(amd_interrupts_rearm),
        cmocka_unit_test(amd_absence_and_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
