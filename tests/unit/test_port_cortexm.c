/* SPDX-License-Identifier: Apache-2.0 */
/* The Cortex-M ports over models of the DWT (Armv7-M ARM, C1.8), the Armv8.1-M PMU (Armv8-M ARM, B15) and SysTick. QEMU
 * has none of the first two. */
#include "port_fake.h"

#include <ports/cortexm/regs.h>

static uint64_t *mmio(uint32_t address)
{
    return fake_cell(SL_FAKE_MMIO, address);
}

static bool no_trcena, stuck;
static unsigned reads_of_cyccnt;

static bool on_write(enum sl_fake_space space, uint32_t address, uint64_t value)
{
    (void)space;
    switch (address) {
    case DCB_DEMCR:
        *mmio(address) = no_trcena ? 0 : value;
        return true;
    case DWT_CTRL:
        *mmio(address) = (*mmio(address) & UINT64_C(0xff000000)) | (value & 0xffffff);
        return true;
    case PMU_CNTENSET:
        *mmio(PMU_CNTENSET) |= value;
        return true;
    case PMU_CNTENCLR:
        *mmio(PMU_CNTENSET) &= ~value;
        return true;
    case PMU_INTENSET:
        *mmio(PMU_INTENSET) |= value;
        return true;
    case PMU_INTENCLR:
        *mmio(PMU_INTENSET) &= ~value;
        return true;
    case PMU_OVSCLR:
        *mmio(PMU_OVSCLR) &= ~value;
        return true;
    case SCB_DFSR:
        *mmio(SCB_DFSR) &= ~value;
        return true;
    case SYST_CVR:
        *mmio(SYST_CVR) = 0;
        return true;
    default:
        return false;
    }
}

/* Time passes while the cycle counter is looked at; COUNTFLAG goes with being read. */
static bool on_read(enum sl_fake_space space, uint32_t address, uint64_t *value)
{
    (void)space;
    if (address == DWT_CYCCNT && !stuck && (*mmio(DWT_CTRL) & DWT_CYCCNTENA) != 0) {
        reads_of_cyccnt++;
        *value = (*mmio(DWT_CYCCNT) += 3) & UINT32_MAX;
        return true;
    }
    if (address == SYST_CSR) {
        *value = *mmio(SYST_CSR);
        *mmio(SYST_CSR) &= ~(uint64_t)SYST_COUNTFLAG;
        return true;
    }
    return false;
}

static void board(uint32_t cpuid)
{
    fake_reset();
    no_trcena = stuck = false;
    fake.on_write = on_write;
    fake.on_read = on_read;
    *mmio(SCB_CPUID) = cpuid;
}

/* ---- DWT
 * ------------------------------------------------------------------------------------------------------------- */

/* cpi, exc, sleep, lsu, fold happen while `cycles` pass. */
static void dwt_happen(uint32_t cycles, const uint32_t amounts[5])
{
    uint32_t ctrl = (uint32_t)*mmio(DWT_CTRL);
    if (ctrl & DWT_CYCCNTENA) {
        *mmio(DWT_CYCCNT) = (uint32_t)(*mmio(DWT_CYCCNT) + cycles);
    }
    for (unsigned i = 0; i < 5; i++) {
        if (ctrl >> (DWT_EVENTS_SHIFT + i) & 1) {
            *mmio(DWT_CPICNT + 4 * i) = (*mmio(DWT_CPICNT + 4 * i) + amounts[i]) & 0xff;
        }
    }
}

static const struct sl_port_event dwt_events[] = {
    {.fixed = SL_PORT_CYCLES},    {.fixed = SL_PORT_DWT_CPI}, {.fixed = SL_PORT_DWT_EXC},
    {.fixed = SL_PORT_DWT_SLEEP}, {.fixed = SL_PORT_DWT_LSU}, {.fixed = SL_PORT_DWT_FOLD},
};
static const struct sl_port_group dwt_group = {.events = dwt_events, .count = 6};

static void dwt_absence_has_reasons(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    board(0x410fc241);
    no_trcena = true;
    assert_int_equal(sl_port_cortexm_dwt.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_TRCENA);
    assert_int_equal(caps.arch, SL_PORT_ARMV7M);
    board(0x410fd213);
    *mmio(DWT_CTRL) = DWT_NOCYCCNT;
    assert_int_equal(sl_port_cortexm_dwt.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_NOCYCCNT);
    assert_int_equal(caps.arch, SL_PORT_ARMV8M);
    board(0x410fc241);
    stuck = true;
    assert_int_equal(sl_port_cortexm_dwt.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_STUCK);
    board(0x410fc241);
    *mmio(DWT_CTRL) = DWT_NOPRFCNT;
    fake_remember();
    assert_int_equal(sl_port_cortexm_dwt.probe(&caps, 0), SL_OK);
    assert_int_equal(caps.why, SL_PORT_WHY_NOPRFCNT);
    assert_int_equal(caps.fixed, 1u << SL_PORT_CYCLES);
    static const uint32_t except[] = {DWT_CYCCNT};
    fake_assert_restored(except, 1); /* probing puts DEMCR and DWT_CTRL back */
    struct sl_port port = {0};
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_dwt, &caps, &dwt_group, 0), SL_E_EVENT);
    assert_int_equal(port.why, SL_PORT_WHY_NOPRFCNT);
}

/* Short windows are exact over any number of 8-bit wraps; a long one is told. */
static void dwt_bytes_wrap(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0}, late = {0};
    board(0x410fc241);
    *mmio(DWT_CYCCNT) = 0xffffff00;
    *mmio(DWT_CPICNT) = 0x55;
    assert_int_equal(sl_port_cortexm_dwt.probe(&caps, 0), SL_OK);
    fake_remember();
    uint32_t cycles_before = (uint32_t)*mmio(DWT_CYCCNT);
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_dwt, &caps, &dwt_group, 0), SL_OK);
    static const uint32_t amounts[5] = {100, 12, 0, 90, 3}, longer[5] = {200, 0, 0, 299, 0};
    for (unsigned i = 0; i < 50; i++) {
        sl_region_begin(&port, &region);
        dwt_happen(250, amounts);
        sl_region_end(&port, &region);
        dwt_happen(1000, amounts); /* nothing is counted outside */
    }
    static const uint64_t expected[] = {12500, 5000, 600, 0, 4500, 150};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(region.sums[i], expected[i]);
    }
    assert_int_equal(region.quality, 0);
    sl_region_begin(&port, &late);
    dwt_happen(300, longer);
    sl_region_end(&port, &late);
    assert_int_equal(late.quality, SL_PORT_Q_AMBIGUOUS);
    assert_int_equal(late.sums[0], 300);
    assert_int_equal(late.sums[4], 299 & 0xff);
    sl_region_close(&port);
    assert_int_equal(*mmio(DWT_CYCCNT), cycles_before);
    fake_assert_restored(NULL, 0);
}

static void dwt_of_others_is_left_alone(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    board(0x411fc272);
    *mmio(DWT_LSR) = DWT_LSR_LOCKED;
    assert_int_equal(sl_port_cortexm_dwt.probe(&caps, 0), SL_OK);
    assert_int_equal(*mmio(DWT_LAR), DWT_LAR_KEY);
    *mmio(DWT_CTRL) |= DWT_CYCCNTENA;
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_dwt, &caps, &dwt_group, 0), SL_E_BUSY);
    assert_int_equal(port.why, SL_PORT_WHY_DWT_BUSY);
    fake_assert_restored(NULL, 0);
    static const struct sl_port_event programmable[] = {{.code = 8}};
    static const struct sl_port_group group = {.events = programmable, .count = 1};
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_dwt, &caps, &group, SL_PORT_FORCE), SL_E_COUNTERS);
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_dwt, &caps, &dwt_group, SL_PORT_FORCE), SL_OK);
    struct sl_region region = {0};
    sl_region_begin(&port, &region);
    *mmio(DWT_CTRL) &= ~(uint64_t)DWT_CYCCNTENA; /* a debugger takes it */
    sl_region_end(&port, &region);
    assert_int_equal(region.quality, SL_PORT_Q_LOST);
    sl_region_close(&port);
}

/* ---- Armv8.1-M PMU ----------------------------------------------------------------------------------------------- */

struct work {
    uint32_t event, count;
};

static void pmu_add(unsigned n, uint32_t amount)
{
    uint64_t sum = *mmio(PMU_EVCNTR + 4 * n) + amount;
    *mmio(PMU_EVCNTR + 4 * n) = sum & 0xffff;
    if (sum > 0xffff) {
        *mmio(PMU_OVSCLR) |= UINT64_C(1) << n;
        if (n % 2 == 0 && *mmio(PMU_EVTYPER + 4 * (n + 1)) == PMU_EVENT_CHAIN) {
            pmu_add(n + 1, (uint32_t)(sum >> 16));
        }
    }
}

static void pmu_happen(uint32_t cycles, const struct work *work, unsigned n_work)
{
    if ((*mmio(PMU_CTRL) & PMU_CTRL_E) == 0) {
        return;
    }
    uint64_t sum = *mmio(PMU_CCNTR) + cycles;
    *mmio(PMU_CCNTR) = sum & UINT32_MAX;
    *mmio(PMU_OVSCLR) |= sum > UINT32_MAX ? PMU_CYCLE : 0;
    for (unsigned n = 0; n < 8; n++) {
        for (unsigned k = 0; k < n_work; k++) {
            if ((*mmio(PMU_CNTENSET) >> n & 1) != 0 && *mmio(PMU_EVTYPER + 4 * n) == work[k].event) {
                pmu_add(n, work[k].count);
            }
        }
    }
}

static void m55(void)
{
    board(0x410fd221);
    *mmio(PMU_DEVARCH) = PMU_DEVARCH_V1;
    *mmio(PMU_TYPE) = 8 | 15u << 8 | 1u << 14;
}

static void pmu_counts_stalls_and_restores(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {
        {.code = 0x08, .flags = SL_PORT_WIDE}, {.code = 0x23}, {.code = 0x24}, {.fixed = SL_PORT_CYCLES}};
    static const struct sl_port_group group = {.events = events, .count = 4};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    m55();
    for (unsigned n = 0; n < 8; n++) {
        *mmio(PMU_EVTYPER + 4 * n) = 0x100 + n;
        *mmio(PMU_EVCNTR + 4 * n) = 0xff00 + n;
    }
    *mmio(PMU_CCNTR) = 0xfffffff0;
    assert_int_equal(sl_port_cortexm_pmu.probe(&caps, 0), SL_OK);
    assert_int_equal(caps.counters, 0xff);
    assert_int_equal(caps.width, 16);
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_pmu, &caps, &group, 0), SL_OK);
    assert_int_equal(*mmio(PMU_EVTYPER + 4), PMU_EVENT_CHAIN);
    assert_int_equal(*mmio(PMU_CNTENSET), 0x8000000f);
    const struct work work[] = {{0x08, 200000}, {0x23, 900}, {0x24, 40000}};
    for (unsigned run = 0; run < 3; run++) {
        sl_region_begin(&port, &region);
        pmu_happen(250000, work, 3);
        sl_region_end(&port, &region);
        pmu_happen(250000, work, 3);
    }
    assert_int_equal(region.sums[0], 600000); /* the pair holds 32 bits */
    assert_int_equal(region.sums[1], 2700);
    assert_int_equal(region.sums[2], 120000); /* one wrap, seen by its flag */
    assert_int_equal(region.sums[3], 750000);
    assert_int_equal(region.quality, SL_PORT_Q_WRAPPED);
    sl_region_close(&port);
    fake_assert_restored(NULL, 0);
}

static void pmu_interrupt_is_debug_monitor(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0x08, .period = 1000, .flags = SL_PORT_INTERRUPT},
                                                  {.fixed = SL_PORT_CYCLES}};
    static const struct sl_port_group group = {.events = events, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    m55();
    assert_int_equal(sl_port_cortexm_pmu.probe(&caps, 0), SL_OK);
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_pmu, &caps, &group, 0), SL_OK);
    assert_true((*mmio(DCB_DEMCR) & DEMCR_MON_EN) != 0);
    const struct work work = {0x08, 370};
    unsigned hits = 0;
    sl_region_begin(&port, &region);
    for (unsigned i = 0; i < 1000; i++) {
        pmu_happen(500, &work, 1);
        if (*mmio(PMU_OVSCLR) & *mmio(PMU_INTENSET)) {
            *mmio(SCB_DFSR) |= DFSR_PMU;
            assert_int_equal(sl_port_cortexm_pmu.overflow_isr(&port), 1);
            assert_int_equal(*mmio(SCB_DFSR), 0);
            hits++;
        }
    }
    /* One that comes periods late loses nothing, and the next one comes in time. */
    const struct work late = {0x08, 7777};
    pmu_happen(0, &late, 1);
    assert_int_equal(sl_port_cortexm_pmu.overflow_isr(&port), 1);
    assert_int_equal(*mmio(PMU_EVCNTR), 0x10000 - 1000);
    sl_region_end(&port, &region);
    assert_int_equal(hits, 370);
    assert_int_equal(region.sums[0], 377777);
    assert_int_equal(region.sums[1], 500000);
    sl_region_close(&port);
    fake_assert_restored(NULL, 0);
}

static void pmu_absence_and_owners(void **state)
{
    (void)state;
    static const struct sl_port_event five_wide[] = {{.code = 8, .flags = 1},
                                                     {.code = 9, .flags = 1},
                                                     {.code = 10, .flags = 1},
                                                     {.code = 11, .flags = 1},
                                                     {.code = 12, .flags = 1}};
    static const struct sl_port_group too_many = {.events = five_wide, .count = 5},
                                      one = {.events = five_wide, .count = 1};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    m55();
    *mmio(PMU_DEVARCH) = 0;
    assert_int_equal(sl_port_cortexm_pmu.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_DEVARCH);
    m55();
    no_trcena = true;
    assert_int_equal(sl_port_cortexm_pmu.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_TRCENA);
    m55();
    assert_int_equal(sl_port_cortexm_pmu.probe(&caps, 0), SL_OK);
    *mmio(PMU_CTRL) = PMU_CTRL_E;
    *mmio(PMU_CNTENSET) = 1;
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_pmu, &caps, &too_many, 0), SL_E_COUNTERS);
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_pmu, &caps, &one, 0), SL_E_BUSY);
    assert_int_equal(port.why, SL_PORT_WHY_PMU_BUSY);
    fake_assert_restored(NULL, 0);
}

/* ---- SysTick ----------------------------------------------------------------------------------------------------- */

static void ticks(uint32_t n)
{
    uint32_t value = (uint32_t)*mmio(SYST_CVR);
    *mmio(SYST_CSR) |= n > value ? SYST_COUNTFLAG : 0;
    *mmio(SYST_CVR) = (value - n) & SYST_MAX;
}

static void systick_is_the_clock_of_last_resort(void **state)
{
    (void)state;
    static const struct sl_port_group empty = {.count = 0};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    board(0x410cc200);
    no_trcena = true;
    *mmio(SYST_RVR) = 99;
    assert_int_equal(sl_port_cortexm_systick.probe(&caps, 0), SL_E_ABSENT);
    assert_true((caps.can & SL_PORT_CAN_TIME) != 0);
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_cortexm_systick, &caps, &empty, 0), SL_OK);
    ticks(10);
    for (unsigned i = 0; i < 4; i++) {
        sl_region_begin(&port, &region);
        ticks(0x600000);
        sl_region_end(&port, &region);
    }
    assert_int_equal(region.ticks, 4u * 0x600000u); /* 24 bits wrap on the way */
    assert_int_equal(region.quality, 0);
    sl_region_begin(&port, &region);
    ticks(0xffffff);
    *mmio(SYST_CSR) |= SYST_COUNTFLAG;
    ticks(0x10);
    sl_region_end(&port, &region);
    assert_int_equal(region.ticks, 4u * 0x600000u + 0x100000fu);
    sl_region_close(&port);
    static const uint32_t except[] = {SYST_CVR};
    fake_assert_restored(except, 1);
    *mmio(SYST_CSR) = SYST_ENABLE; /* the application's */
    assert_int_equal(sl_port_cortexm_systick.probe(&caps, 0), SL_E_DENIED);
    assert_int_equal(caps.why, SL_PORT_WHY_SYSTICK);
    struct sl_port other = {0};
    struct sl_region timeless = {0};
    assert_int_equal(sl_region_open(&other, &sl_port_cortexm_systick, &caps, &empty, 0), SL_OK);
    sl_region_begin(&other, &timeless);
    ticks(100);
    sl_region_end(&other, &timeless);
    assert_int_equal(timeless.ticks, 0);
    assert_int_equal(timeless.count, 1);
    assert_int_equal(*mmio(SYST_CSR) & ~(uint64_t)SYST_COUNTFLAG, SYST_ENABLE);
    sl_region_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dwt_absence_has_reasons),
        cmocka_unit_test(dwt_bytes_wrap),
        cmocka_unit_test(dwt_of_others_is_left_alone),
        cmocka_unit_test(pmu_counts_stalls_and_restores),
        cmocka_unit_test(pmu_interrupt_is_debug_monitor),
        cmocka_unit_test(pmu_absence_and_owners),
        cmocka_unit_test(systick_is_the_clock_of_last_resort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
