/* SPDX-License-Identifier: Apache-2.0 */
/* The AArch64 port over a model of PMUv3 (Arm ARM D11): counters that count only what they are programmed to, only
 * while enabled, wrap at their width, chain, and set flags. What QEMU has not: slots, CHAIN, traps, lost ownership. */
#include "port_fake.h"

#include <ports/aarch64/bits.h>
#include <ports/aarch64/regs.h>

#define REG(op1, crn, crm, op2) A64_SYSREG(op1, crn, crm, op2)
#define PMCR                    REG(3, 9, 12, 0)
#define ENSET                   REG(3, 9, 12, 1)
#define ENCLR                   REG(3, 9, 12, 2)
#define OVSCLR                  REG(3, 9, 12, 3)
#define PMCEID0                 REG(3, 9, 12, 6)
#define PMCEID1                 REG(3, 9, 12, 7)
#define CCNTR                   REG(3, 9, 13, 0)
#define INTENSET                REG(0, 9, 14, 1)
#define INTENCLR                REG(0, 9, 14, 2)
#define PMMIR                   REG(0, 9, 14, 6)
#define CCFILTR                 REG(3, 14, 15, 7)
#define DFR0                    REG(0, 0, 5, 0)
#define DFR1                    REG(0, 0, 5, 1)
#define CURRENT                 REG(0, 4, 2, 2)
#define MDCR2                   REG(4, 1, 1, 1)
#define MDCR3                   REG(6, 1, 3, 1)
#define CNTVCT                  REG(3, 14, 0, 2)
#define PMSELR                  REG(3, 9, 12, 5)
#define XEVTYPER                REG(3, 9, 13, 1)
#define COUNTER(n)              REG(3, 14, 8 + (n) / 8, (n) % 8)
#define TYPE(n)                 REG(3, 14, 12 + (n) / 8, (n) % 8)

static uint64_t *reg(uint32_t number)
{
    return fake_cell(SL_FAKE_SYSREG, number);
}

/* Set and clear registers are two views of one cell; overflow flags are cleared by ones. */
static bool on_write(enum sl_fake_space space, uint32_t number, uint64_t value)
{
    (void)space;
    switch (number) {
    case PMCR:
        *reg(PMCR) = (*reg(PMCR) & UINT64_C(0xf800)) | (value & UINT64_C(0x7ff));
        return true; /* N is read-only */
    case XEVTYPER:
        *reg(TYPE((unsigned)*reg(PMSELR) & 31)) = value;
        return true;
    case ENSET:
        *reg(ENSET) |= value;
        return true;
    case ENCLR:
        *reg(ENSET) &= ~value;
        return true;
    case INTENSET:
        *reg(INTENSET) |= value;
        return true;
    case INTENCLR:
        *reg(INTENSET) &= ~value;
        return true;
    case OVSCLR:
        *reg(OVSCLR) &= ~value;
        return true;
    default:
        return false;
    }
}

/* The indirect view of a type register. */
static bool on_read(enum sl_fake_space space, uint32_t number, uint64_t *value)
{
    if (space != SL_FAKE_SYSREG || number != XEVTYPER) {
        return false;
    }
    *value = *reg(TYPE((unsigned)*reg(PMSELR) & 31));
    return true;
}

static bool trap_pmcr(enum sl_fake_space space, uint32_t number)
{
    return space == SL_FAKE_SYSREG && number == PMCR;
}

/* A core at `el` with `n` counters and PMUVer `ver`; all events of PMCEID are there. */
static void core(unsigned el, unsigned n, unsigned ver)
{
    fake_reset();
    fake.on_write = on_write;
    fake.on_read = on_read;
    *reg(PMSELR) = 5;
    *reg(CURRENT) = (uint64_t)el << 2;
    *reg(DFR0) = (uint64_t)ver << 8;
    *reg(PMCR) = (uint64_t)n << 11;
    *reg(PMCEID0) = UINT64_MAX;
    *reg(PMCEID1) = UINT64_MAX;
}

/* One event of the region's work and how often it happens. */
struct work {
    uint64_t event, count;
};

static void add(unsigned n, uint64_t amount)
{
    bool wide = (*reg(DFR0) >> 8 & 15) >= 6;
    uint64_t old = *reg(COUNTER(n)), sum = old + amount, limit = UINT64_C(1) << 32;
    bool lp = (*reg(PMCR) & PMCR_LP) != 0;
    if (wide ? (lp ? sum < old : (old & UINT32_MAX) + amount >= limit) : sum >= limit) {
        *reg(OVSCLR) |= UINT64_C(1) << n;
        bool chained =
            n % 2 == 0 && n < 30 && (*reg(TYPE(n + 1)) & 0xffff) == 0x1e && (*reg(ENSET) >> (n + 1) & 1) != 0;
        if (chained) {
            add(n + 1, sum >> 32);
        }
    }
    *reg(COUNTER(n)) = wide ? sum : sum & UINT32_MAX;
}

/* What happens on the core: counted where a counter is programmed for it, enabled, and PMCR.E is set. */
static void happen(uint64_t cycles, const struct work *work, unsigned n_work)
{
    *reg(CNTVCT) += cycles / 10;
    if ((*reg(PMCR) & PMCR_E) == 0) {
        return;
    }
    if (*reg(ENSET) & PM_CYCLE) {
        uint64_t old = *reg(CCNTR);
        *reg(CCNTR) += cycles;
        if (*reg(CCNTR) < old) {
            *reg(OVSCLR) |= PM_CYCLE;
        }
    }
    unsigned counters = (unsigned)(*reg(PMCR) >> 11) & 31;
    for (unsigned n = 0; n < counters; n++) {
        for (unsigned k = 0; k < n_work; k++) {
            if ((*reg(ENSET) >> n & 1) != 0 && (*reg(TYPE(n)) & 0xffff) == work[k].event) {
                add(n, work[k].count);
            }
        }
    }
}

static enum sl_status probe(struct sl_port_caps *caps)
{
    return sl_port_aarch64.probe(caps, SL_PORT_GUARD);
}

static void probe_tells_absent_from_denied(void **state)
{
    (void)state;
    static const struct {
        unsigned el, n, ver;
        bool trap;
        enum sl_status status;
        enum sl_port_why why;
    } cases[] = {
        {1, 6, 0, false, SL_E_ABSENT, SL_PORT_WHY_PMUVER_0}, {1, 6, 15, false, SL_E_ABSENT, SL_PORT_WHY_PMUVER_IMPDEF},
        {1, 6, 4, true, SL_E_DENIED, SL_PORT_WHY_TPM},       {2, 6, 4, true, SL_E_DENIED, SL_PORT_WHY_TPM},
        {1, 0, 4, false, SL_OK, SL_PORT_WHY_HPMN_0},         {1, 6, 4, false, SL_OK, SL_PORT_WHY_NOTHING},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        core(cases[i].el, cases[i].n, cases[i].ver);
        fake.on_trap = cases[i].trap ? trap_pmcr : NULL;
        struct sl_port_caps caps;
        assert_int_equal(probe(&caps), cases[i].status);
        assert_int_equal(caps.why, cases[i].why);
        assert_int_equal(caps.level, cases[i].el);
        assert_true((caps.can & SL_PORT_CAN_TIME) != 0);
        assert_int_equal((caps.can & SL_PORT_CAN_COUNT) != 0, cases[i].status == SL_OK);
    }
}

static void probe_reads_what_the_version_has(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    core(1, 6, 4);
    *reg(PMMIR) = 8;
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(caps.width, 32);
    assert_int_equal(caps.counters, 0x3f);
    assert_int_equal(caps.slots, 0); /* PMMIR_EL1 is undefined below PMUv3p4 */
    assert_true((caps.can & SL_PORT_CAN_CHAIN) != 0 && (caps.can & SL_PORT_CAN_WIDE) == 0);
    core(1, 20, 6);
    *reg(PMMIR) = 8;
    *reg(DFR1) = UINT64_C(1) << 36;
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(caps.width, 64);
    assert_int_equal(caps.counters, 0xfffff);
    assert_int_equal(caps.slots, 8);
    assert_true((caps.can & SL_PORT_CAN_WIDE) != 0);
    assert_true((caps.fixed >> SL_PORT_INSTRUCTIONS & 1) != 0);
    core(1, 31, 1);
    *reg(PMCEID0) = 0x20901; /* QEMU's: no CHAIN */
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(caps.counters, 0x7fffffff);
    assert_int_equal(caps.can & SL_PORT_CAN_CHAIN, 0);
}

/* Level 1 of a core with slot events: 4 slots x 1000 cycles = 2500 + 900 + 600 slots. */
static const struct sl_port_event slot_events[] = {
    {.code = 0x3e},
    {.code = 0x3d},
    {.code = 0x3b},
    {.code = 0x3a},
    {.code = 0x10},
    {.code = 0x08},
    {.fixed = SL_PORT_CYCLES},
};
static const struct sl_port_group slot_group = {.events = slot_events, .count = 7, .id = 1};
static const struct work slot_work[] = {{0x3e, 900}, {0x3d, 600}, {0x3b, 2600}, {0x3a, 2500}, {0x10, 7}, {0x08, 2400}};

static void slot_events_are_counted_and_put_back(void **state)
{
    (void)state;
    for (unsigned el = 1; el <= 3; el++) {
        struct sl_port_caps caps;
        struct sl_port port = {0};
        struct sl_region region = {.id = 3};
        core(el, 6, 4);
        /* Somebody's registers, none of them counting. */
        for (unsigned n = 0; n < 6; n++) {
            *reg(TYPE(n)) = 0x100 + n;
            *reg(COUNTER(n)) = 0xfffff000 + n;
        }
        *reg(CCFILTR) = UINT64_C(1) << 30;
        *reg(ENSET) = 0x5;
        *reg(INTENSET) = 0x2;
        *reg(MDCR2) = 2 | MDCR_EL2_HPMD;
        *reg(MDCR3) = 0;
        *reg(PMCR) |= PMCR_DP;
        *reg(OVSCLR) = 0x80000001; /* flags left over from somebody are not ours */
        assert_int_equal(probe(&caps), SL_OK);
        fake_remember();
        assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &slot_group, 0), SL_OK);
        assert_int_equal(*reg(PMCR) & PMCR_E, 0);
        assert_int_equal(*reg(PMCR) & PMCR_DP, PMCR_DP);
        assert_int_equal(*reg(ENSET), 0x8000003f);
        assert_int_equal(*reg(INTENSET), 0);
        assert_int_equal(*reg(TYPE(0)), 0x3e | (el >= 2 ? PMTYPER_NSH : 0));
        assert_int_equal(*reg(CCFILTR), el >= 2 ? PMTYPER_NSH : 0);
        assert_int_equal(*reg(MDCR2), el >= 2 ? 6 : 2 | MDCR_EL2_HPMD);
        assert_int_equal(*reg(MDCR3), el == 3 ? MDCR_EL3_SPME : 0);
        happen(5000, slot_work, 6); /* before: not counted */
        for (unsigned run = 0; run < 3; run++) {
            sl_region_begin(&port, &region);
            happen(1000, slot_work, 6);
            sl_region_end(&port, &region);
            happen(777, slot_work, 6);
        }
        static const uint64_t expected[] = {2700, 1800, 7800, 7500, 21, 7200, 3000};
        for (unsigned i = 0; i < 7; i++) {
            assert_int_equal(region.sums[i], expected[i]);
        }
        assert_int_equal(region.sums[0] + region.sums[1] + region.sums[3] + 0, 12000);
        assert_int_equal(region.count, 3);
        assert_int_equal(region.quality, 0);
        assert_int_equal(region.ticks, 300);
        sl_region_close(&port);
        static const uint32_t except[] = {CNTVCT, OVSCLR};
        fake_assert_restored(except, 2);
    }
}

static const struct sl_port_event one_event[] = {{.code = 0x08}, {.fixed = SL_PORT_CYCLES}};
static const struct sl_port_group one_group = {.events = one_event, .count = 2};

/* Without an interrupt one wrap of 32 bits is taken from the flag, and told. */
static void one_wrap_is_extended_and_flagged(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(1, 6, 4);
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &one_group, 0), SL_OK);
    static const struct work much = {0x08, UINT64_C(0xf0000000)}, more = {0x08, 0x10000003};
    for (unsigned run = 1; run <= 3; run++) {
        sl_region_begin(&port, &region);
        happen(10, &much, 1);
        happen(10, &more, 1);
        sl_region_end(&port, &region);
        assert_int_equal(region.sums[0], run * (much.count + more.count));
        assert_int_equal(region.sums[1], run * 20);
        assert_int_equal(region.quality, SL_PORT_Q_WRAPPED);
    }
    struct sl_region other = {0};
    sl_region_begin(&port, &other);
    happen(10, &much, 1);
    sl_region_end(&port, &other);
    assert_int_equal(other.sums[0], much.count);
    sl_region_close(&port);
}

static void wide_counters_do_not_wrap(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(1, 6, 6);
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &one_group, 0), SL_OK);
    assert_int_equal(*reg(PMCR) & (PMCR_LP | PMCR_LC), PMCR_LP | PMCR_LC);
    static const struct work much = {0x08, UINT64_C(0x700000000)};
    for (unsigned run = 0; run < 2; run++) {
        sl_region_begin(&port, &region);
        happen(10, &much, 1);
        sl_region_end(&port, &region);
    }
    assert_int_equal(region.sums[0], 2 * much.count);
    assert_int_equal(region.quality, 0);
    sl_region_close(&port);
}

/* Below PMUv3p5 a pair of neighbours makes a wide counter; a third event goes past the pair. */
static void chain_makes_a_pair(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {
        {.code = 0x24}, {.code = 0x08, .flags = SL_PORT_WIDE}, {.code = 0x23}, {.fixed = SL_PORT_CYCLES}};
    static const struct sl_port_group group = {.events = events, .count = 4};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(2, 4, 4);
    *reg(TYPE(2)) = 0x77;
    *reg(TYPE(3)) = 0x78;
    *reg(COUNTER(2)) = 0x1234;
    *reg(COUNTER(3)) = 0x5678;
    assert_int_equal(probe(&caps), SL_OK);
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &group, 0), SL_OK);
    assert_int_equal(*reg(TYPE(0)), 0x24 | PMTYPER_NSH);
    assert_int_equal(*reg(TYPE(2)), 0x08 | PMTYPER_NSH);
    assert_int_equal(*reg(TYPE(3)), 0x1e | PMTYPER_NSH);
    assert_int_equal(*reg(TYPE(1)), 0x23 | PMTYPER_NSH);
    assert_int_equal(*reg(ENSET), 0x8000000f);
    const struct work work[] = {{0x08, UINT64_C(0x2fffffff0)}, {0x24, 5}, {0x23, 6}};
    for (unsigned run = 0; run < 2; run++) {
        sl_region_begin(&port, &region);
        happen(100, work, 3);
        sl_region_end(&port, &region);
    }
    assert_int_equal(region.sums[0], 10);
    assert_int_equal(region.sums[1], UINT64_C(0x5ffffffe0));
    assert_int_equal(region.sums[2], 12);
    assert_int_equal(region.quality, 0);
    sl_region_close(&port);
    static const uint32_t except[] = {CNTVCT};
    fake_assert_restored(except, 1);
    static const struct sl_port_event two[] = {
        {.code = 0x08, .flags = SL_PORT_WIDE}, {.code = 0x11, .flags = SL_PORT_WIDE}, {.code = 0x10}};
    static const struct sl_port_group too_many = {.events = two, .count = 3};
    struct sl_port other = {0};
    assert_int_equal(sl_region_open(&other, &sl_port_aarch64, &caps, &too_many, 0), SL_E_COUNTERS);
    assert_int_equal(other.why, SL_PORT_WHY_COUNTERS);
}

static struct sl_port *interrupted;

/* The core takes the interrupt as soon as a flag that may interrupt is up. */
static uint32_t take_interrupt(void)
{
    uint32_t hit = 0;
    while ((*reg(OVSCLR) & *reg(INTENSET)) != 0) {
        hit |= sl_port_aarch64.overflow_isr(interrupted);
    }
    return hit;
}

static void interrupt_counts_wraps(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0x08, .flags = SL_PORT_INTERRUPT},
                                                  {.fixed = SL_PORT_CYCLES}};
    static const struct sl_port_group group = {.events = events, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(1, 6, 1);
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &group, 0), SL_OK);
    assert_int_equal(*reg(INTENSET), 1);
    interrupted = &port;
    static const struct work much = {0x08, UINT64_C(0xc0000000)};
    sl_region_begin(&port, &region);
    for (unsigned i = 0; i < 8; i++) {
        happen(100, &much, 1);
        if (i != 7) {
            (void)take_interrupt();
        }
    }
    /* The last flag is still up when the region ends: it counts for the reading, and once only. */
    assert_true((*reg(OVSCLR) & 1) != 0);
    sl_region_end(&port, &region);
    assert_int_equal(region.sums[0], 8 * much.count);
    assert_int_equal(take_interrupt(), 1);
    sl_region_begin(&port, &region);
    sl_region_end(&port, &region);
    assert_int_equal(region.sums[0], 8 * much.count);
    assert_int_equal(region.quality, 0);
    sl_region_close(&port);
}

static void sampling_rearms_and_keeps_the_count(void **state)
{
    (void)state;
    static const struct sl_port_event events[] = {{.code = 0x08, .period = 1000, .flags = SL_PORT_INTERRUPT}};
    static const struct sl_port_group group = {.events = events, .count = 1};
    for (unsigned ver = 1; ver <= 6; ver += 5) {
        struct sl_port_caps caps;
        struct sl_port port = {0};
        struct sl_region region = {0};
        unsigned hits = 0;
        core(1, 6, ver);
        assert_int_equal(probe(&caps), SL_OK);
        assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &group, 0), SL_OK);
        interrupted = &port;
        static const struct work some = {0x08, 370};
        sl_region_begin(&port, &region);
        for (unsigned i = 0; i < 100; i++) {
            happen(100, &some, 1);
            hits += take_interrupt() != 0;
        }
        sl_region_end(&port, &region);
        assert_int_equal(region.sums[0], 37000);
        assert_int_equal(hits, 37);
        sl_region_close(&port);
    }
}

/* The interrupt comes between the reads of one reading: all is read again. */
static bool interrupt_while_reading(enum sl_fake_space space, uint32_t number, uint64_t *value)
{
    static bool inside;
    if (space == SL_FAKE_SYSREG && number == CCNTR && !inside) {
        inside = true;
        (void)take_interrupt();
        inside = false;
    }
    if (!on_read(space, number, value)) {
        *value = *reg(number);
    }
    return true;
}

static void interrupt_between_reads(void **state)
{
    (void)state;
    /* Arming anew takes the period off the counter, which has been read already. */
    static const struct sl_port_event events[] = {{.code = 0x08, .period = 0x80000000, .flags = SL_PORT_INTERRUPT},
                                                  {.fixed = SL_PORT_CYCLES}};
    static const struct sl_port_group group = {.events = events, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(1, 6, 1);
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &group, 0), SL_OK);
    interrupted = &port;
    fake.on_read = interrupt_while_reading;
    static const struct work much = {0x08, UINT64_C(0xc0000000)};
    for (unsigned i = 1; i <= 4; i++) {
        sl_region_begin(&port, &region);
        happen(100, &much, 1);
        sl_region_end(&port, &region);
        assert_int_equal(region.sums[0], i * much.count);
        assert_int_equal(region.sums[1], i * 100);
    }
    sl_region_close(&port);
}

static void refusals_change_nothing(void **state)
{
    (void)state;
    static const struct sl_port_event unknown[] = {{.code = 0x4005}};
    static const struct sl_port_event seven[7] = {{.code = 1}, {.code = 2}, {.code = 3}, {.code = 4},
                                                  {.code = 5}, {.code = 6}, {.code = 7}};
    static const struct sl_port_event order[] = {{.fixed = SL_PORT_CYCLES}, {.code = 8}};
    static const struct sl_port_event no_pmicntr[] = {{.fixed = SL_PORT_INSTRUCTIONS}};
    static const struct sl_port_event only_2[] = {{.code = 8, .counters = 4}, {.code = 9, .counters = 4}};
    static const struct {
        struct sl_port_group group;
        enum sl_status status;
        enum sl_port_why why;
    } cases[] = {
        {{.events = unknown, .count = 1}, SL_E_EVENT, SL_PORT_WHY_PMCEID},
        {{.events = seven, .count = 7}, SL_E_COUNTERS, SL_PORT_WHY_COUNTERS},
        {{.events = order, .count = 2}, SL_E_ARGUMENT, SL_PORT_WHY_NOTHING},
        {{.events = no_pmicntr, .count = 1}, SL_E_EVENT, SL_PORT_WHY_COUNTERS},
        {{.events = only_2, .count = 2}, SL_E_COUNTERS, SL_PORT_WHY_COUNTERS},
        {{.events = seven, .count = SL_PORT_EVENTS + 1}, SL_E_ARGUMENT, SL_PORT_WHY_NOTHING},
        {{.events = one_event, .count = 2}, SL_E_BUSY, SL_PORT_WHY_PMCR_E},
    };
    core(1, 6, 4);
    *reg(PMCEID0) = 0x0000ffff;
    *reg(PMCEID1) = 0;
    struct sl_port_caps caps;
    assert_int_equal(probe(&caps), SL_OK);
    *reg(PMCR) |= PMCR_E;
    *reg(ENSET) = 4;
    fake_remember();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_port port = {0};
        assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &cases[i].group, 0), cases[i].status);
        assert_int_equal(port.why, cases[i].why);
        assert_int_equal(port.gate.is.state, SL_PORT_CLOSED);
        fake_assert_restored(NULL, 0);
    }
    /* By force it is taken, and given back running. */
    struct sl_port port = {0};
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &one_group, SL_PORT_FORCE), SL_OK);
    assert_int_equal(*reg(PMCR) & PMCR_E, 0);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &one_group, SL_PORT_FORCE), SL_E_BUSY);
    sl_region_close(&port);
    static const uint32_t except[] = {CNTVCT};
    fake_assert_restored(except, 1);
}

static void lost_counters_are_told(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(1, 6, 4);
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &one_group, 0), SL_OK);
    sl_region_begin(&port, &region);
    *reg(PMCR) &= ~PMCR_E; /* a debugger, or an interrupt's own profiler */
    sl_region_end(&port, &region);
    assert_int_equal(region.quality, SL_PORT_Q_LOST);
    sl_region_close(&port);
}

static void regions_nest(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region outer = {.id = 1}, inner = {.id = 2};
    core(1, 6, 4);
    assert_int_equal(probe(&caps), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &one_group, 0), SL_OK);
    static const struct work work = {0x08, 30};
    sl_region_begin(&port, &outer);
    happen(100, &work, 1);
    sl_region_begin(&port, &inner);
    happen(1000, &work, 1);
    sl_region_end(&port, &inner);
    assert_int_equal(*reg(PMCR) & PMCR_E, PMCR_E);
    happen(10, &work, 1);
    sl_region_end(&port, &outer);
    assert_int_equal(*reg(PMCR) & PMCR_E, 0);
    sl_region_end(&port, &outer); /* one too many: nothing */
    assert_int_equal(outer.sums[1], 1110);
    assert_int_equal(outer.sums[0], 90);
    assert_int_equal(inner.sums[1], 1000);
    assert_int_equal(inner.sums[0], 30);
    assert_int_equal(outer.count, 1);
    sl_region_begin(&port, &outer);
    sl_region_begin(&port, &outer); /* open already */
    assert_int_equal(outer.lost, 1);
    sl_region_end(&port, &outer);
    sl_region_close(&port);
    sl_region_begin(&port, &outer); /* closed: counted as lost, nothing else */
    assert_int_equal(outer.lost, 2);
}

/* No counters: the regions still tell time. */
static void absent_pmu_leaves_time(void **state)
{
    (void)state;
    static const struct sl_port_group empty = {.events = NULL, .count = 0};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    core(1, 6, 0);
    assert_int_equal(probe(&caps), SL_E_ABSENT);
    fake_remember();
    fake.logging = true;
    assert_int_equal(sl_region_open(&port, &sl_port_aarch64, &caps, &empty, 0), SL_OK);
    sl_region_begin(&port, &region);
    happen(1000, NULL, 0);
    sl_region_end(&port, &region);
    sl_region_close(&port);
    assert_int_equal(region.ticks, 100);
    assert_int_equal(region.count, 1);
    assert_int_equal(fake.n_log, 0); /* no register of the PMU that is not there was written */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_tells_absent_from_denied),
        cmocka_unit_test(probe_reads_what_the_version_has),
        cmocka_unit_test(slot_events_are_counted_and_put_back),
        cmocka_unit_test(one_wrap_is_extended_and_flagged),
        cmocka_unit_test(wide_counters_do_not_wrap),
        cmocka_unit_test(chain_makes_a_pair),
        cmocka_unit_test(interrupt_counts_wraps),
        cmocka_unit_test(sampling_rearms_and_keeps_the_count),
        cmocka_unit_test(interrupt_between_reads),
        cmocka_unit_test(refusals_change_nothing),
        cmocka_unit_test(lost_counters_are_told),
        cmocka_unit_test(regions_nest),
        cmocka_unit_test(absent_pmu_leaves_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
