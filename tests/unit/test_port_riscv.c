/* SPDX-License-Identifier: Apache-2.0 */
/* The RISC-V ports over models of the privileged counters with Sscofpmf, and of firmware with the SBI PMU extension;
 * for RV64, and for RV32 where test_port_riscv32.c includes this. What QEMU has not: narrow counters, carries between
 * the halves of RV32, owners, refusals. */
#ifndef RV_XLEN
#define RV_XLEN 64
#endif
#include "port_fake.h"

#include <ports/riscv/regs.h>

static uint64_t counters[32], events[32]; /* 64 bits behind the one or two CSRs */
static unsigned present = 0x000003f8, width = 64;
static bool has_inhibit = true, has_overflow = true, carry_between_halves;

static uint64_t *csr(uint32_t number)
{
    return fake_cell(SL_FAKE_CSR, number);
}

/* 64-bit value behind a CSR of 0xb00.. (and 0xb80..), 0x320.. (and 0x720..), 0xc00.. (and 0xc80..); NULL: another CSR.
 */
static uint64_t *behind(uint32_t number, bool *high)
{
    uint32_t base = number & ~31u, n = number & 31;
    *high = base == CSR_MHPMCOUNTERH || base == CSR_MHPMEVENTH || base == CSR_HPMCOUNTERH;
    if (base == CSR_MHPMCOUNTER || base == CSR_MHPMCOUNTERH || base == CSR_HPMCOUNTER || base == CSR_HPMCOUNTERH) {
        return &counters[n];
    }
    return (base == CSR_MHPMEVENT || base == CSR_MHPMEVENTH) && n >= 3 ? &events[n] : NULL;
}

static uint64_t width_mask(unsigned n)
{
    return n < 3 || width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static bool on_write(enum sl_fake_space space, uint32_t number, uint64_t value)
{
    bool high;
    uint64_t *cell = space == SL_FAKE_CSR ? behind(number, &high) : NULL;
    if (cell == NULL) {
        return false;
    }
    unsigned n = number & 31;
    uint64_t mask = cell == &counters[n] ? width_mask(n) : UINT64_MAX;
    if (RV_XLEN == 32) {
        value = high ? (*cell & UINT32_MAX) | value << 32 : (*cell & ~(uint64_t)UINT32_MAX) | (value & UINT32_MAX);
    }
    *cell = value & mask;
    return true;
}

static bool on_read(enum sl_fake_space space, uint32_t number, uint64_t *value)
{
    bool high;
    uint64_t *cell = space == SL_FAKE_CSR ? behind(number, &high) : NULL;
    if (cell == NULL) {
        return false;
    }
    *value = high ? *cell >> 32 : RV_XLEN == 32 ? *cell & UINT32_MAX : *cell;
    /* A carry between reading the upper and the lower half. */
    if (high && carry_between_halves) {
        carry_between_halves = false;
        *cell += UINT64_C(0x100000000);
    }
    return true;
}

static bool on_trap(enum sl_fake_space space, uint32_t number)
{
    uint32_t base = number & ~31u;
    (void)space;
    if (number == CSR_MCOUNTINHIBIT) {
        return !has_inhibit;
    }
    if (number == CSR_SCOUNTOVF) {
        return !has_overflow;
    }
    return base == CSR_MHPMCOUNTER && (number & 31) >= 3 && (present >> (number & 31) & 1) == 0;
}

static void hart(void)
{
    fake_reset();
    memset(counters, 0, sizeof counters);
    memset(events, 0, sizeof events);
    present = 0x000003f8;
    width = 64;
    has_inhibit = has_overflow = true;
    carry_between_halves = false;
    fake.on_write = on_write;
    fake.on_read = on_read;
    fake.on_trap = on_trap;
    *csr(CSR_MTVEC) = 0x80001234;
    *csr(CSR_MSTATUS) = MSTATUS_MIE;
    *csr(CSR_MHARTID) = 2;
}

struct work {
    uint64_t event, count;
};

static void add(unsigned n, uint64_t amount)
{
    uint64_t old = counters[n];
    counters[n] = (old + amount) & width_mask(n);
    bool overflow = n >= 3 && counters[n] < old && has_overflow && (events[n] >> 63) == 0;
    if (overflow) {
        events[n] |= UINT64_C(1) << 63;
        *csr(CSR_MIP) |= IRQ_LCOFI;
        *csr(CSR_SIP) |= IRQ_LCOFI;
    }
}

static void happen(uint64_t cycles, uint64_t instructions, const struct work *work, unsigned n_work)
{
    uint32_t inhibit = has_inhibit ? (uint32_t)*csr(CSR_MCOUNTINHIBIT) : 0;
    counters[1] += cycles / 10; /* time */
    if ((inhibit & 1) == 0) {
        counters[0] += cycles;
    }
    if ((inhibit & 4) == 0) {
        counters[2] += instructions;
    }
    for (unsigned n = 3; n < 32; n++) {
        for (unsigned k = 0; k < n_work; k++) {
            if ((present >> n & 1) != 0 && (inhibit >> n & 1) == 0 &&
                (events[n] & ~(UINT64_C(1) << 63)) == work[k].event) {
                add(n, work[k].count);
            }
        }
    }
}

static void probe_finds_what_is_there(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    hart();
    counters[3] = 0x1234;
    *csr(CSR_MCOUNTINHIBIT) = 0x10;
    fake_remember();
    assert_int_equal(sl_port_riscv_machine.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(caps.counters, 0x3f8);
    assert_int_equal(caps.width, 64);
    assert_int_equal(caps.affinity, 2);
    assert_int_equal(caps.can & (SL_PORT_CAN_STOP | SL_PORT_CAN_INTERRUPT | SL_PORT_CAN_TIME),
                     SL_PORT_CAN_STOP | SL_PORT_CAN_INTERRUPT | SL_PORT_CAN_TIME);
    fake_assert_restored(NULL, 0); /* vectors, interrupt enable and inhibits are back */
    assert_int_equal(counters[3], 0x1234);
    width = 40; /* as on a SiFive U74 */
    has_overflow = false;
    assert_int_equal(sl_port_riscv_machine.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(caps.width, 40);
    assert_int_equal(caps.can & (SL_PORT_CAN_WIDE | SL_PORT_CAN_INTERRUPT), 0);
    has_inhibit = false;
    present = 0;
    assert_int_equal(sl_port_riscv_machine.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(caps.counters, 0);
    assert_int_equal(caps.why, SL_PORT_WHY_NO_HPM);
    assert_int_equal(caps.can & SL_PORT_CAN_STOP, 0);
}

static const struct sl_port_event stall_events[] = {
    {.code = 0x27}, {.code = 0x28}, {.fixed = SL_PORT_INSTRUCTIONS}, {.fixed = SL_PORT_CYCLES}};
static const struct sl_port_group stall_group = {.events = stall_events, .count = 4};

static void differences_and_restore(void **state)
{
    (void)state;
    for (unsigned w = 40; w <= 64; w += 24) {
        struct sl_port_caps caps;
        struct sl_port port = {0};
        struct sl_region region = {0};
        hart();
        width = w;
        counters[0] = UINT64_C(0xfffffffffffff000);
        counters[2] = UINT64_C(0xfffffff0);
        counters[3] = 77;
        events[3] = 0; /* somebody's counter, not counting */
        *csr(CSR_MCOUNTINHIBIT) = 0x8;
        assert_int_equal(sl_port_riscv_machine.probe(&caps, SL_PORT_GUARD), SL_OK);
        fake_remember();
        assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &stall_group, 0), SL_OK);
        assert_int_equal(*csr(CSR_MCOUNTINHIBIT) & 0x1d, 0);
        const struct work work[] = {{0x27, w == 40 ? UINT64_C(0xc000000000) : 300}, {0x28, 200}};
        for (unsigned run = 0; run < 5; run++) {
            sl_region_begin(&port, &region);
            happen(5000, 3000, work, 2);
            sl_region_end(&port, &region);
        }
        assert_int_equal(region.sums[0], 5 * work[0].count); /* 40 bits wrap more than once over the runs */
        assert_int_equal(region.sums[1], 1000);
        assert_int_equal(region.sums[2], 15000);
        assert_int_equal(region.sums[3], 25000);
        assert_int_equal(region.ticks, 2500);
        sl_region_close(&port);
        assert_int_equal(counters[3], 77);
        assert_int_equal(events[3], 0);
        assert_int_equal(events[4], 0);
        assert_int_equal(counters[2], UINT64_C(0xfffffff0) + 15000); /* mcycle and minstret never stood still */
        static const uint32_t except[] = {CSR_SIP};                  /* the model's own copy of MIP */
        fake_assert_restored(except, 1);
    }
}

static void refusals_change_nothing(void **state)
{
    (void)state;
    static const struct sl_port_event eight[8] = {{.code = 1}, {.code = 2}, {.code = 3}, {.code = 4},
                                                  {.code = 5}, {.code = 6}, {.code = 7}, {.code = 8}};
    static const struct sl_port_event slots[] = {{.fixed = SL_PORT_SLOTS}};
    static const struct sl_port_event period[] = {{.code = 1, .period = 100}};
    static const struct sl_port_group many = {.events = eight, .count = 8}, no_slots = {.events = slots, .count = 1},
                                      sampled = {.events = period, .count = 1};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    hart();
    width = 40;
    events[4] = 0x99; /* somebody counts */
    assert_int_equal(sl_port_riscv_machine.probe(&caps, SL_PORT_GUARD), SL_OK);
    fake_remember();
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &many, 0), SL_E_COUNTERS);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &no_slots, 0), SL_E_EVENT);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &sampled, 0), SL_E_ARGUMENT);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &stall_group, 0), SL_E_BUSY);
    assert_int_equal(port.why, SL_PORT_WHY_HPM_BUSY);
    fake_assert_restored(NULL, 0);
    *csr(CSR_MCOUNTINHIBIT) = 0x10; /* programmed, but inhibited: free */
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &stall_group, 0), SL_OK);
    sl_region_close(&port);
    assert_int_equal(events[4], 0x99);
}

static void overflow_rearms(void **state)
{
    (void)state;
    static const struct sl_port_event sampled[] = {{.code = 0x27, .period = 1000, .flags = SL_PORT_INTERRUPT},
                                                   {.code = 0x28}};
    static const struct sl_port_group group = {.events = sampled, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    hart();
    *csr(CSR_MIP) = IRQ_LCOFI; /* left over from somebody */
    assert_int_equal(sl_port_riscv_machine.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_machine, &caps, &group, 0), SL_OK);
    assert_int_equal(*csr(CSR_MIP) & IRQ_LCOFI, 0);
    assert_int_equal(*csr(CSR_MIE) & IRQ_LCOFI, IRQ_LCOFI);
    const struct work work[] = {{0x27, 370}, {0x28, 1}};
    unsigned hits = 0;
    sl_region_begin(&port, &region);
    for (unsigned i = 0; i < 100; i++) {
        happen(10, 10, work, 2);
        if (*csr(CSR_MIP) & *csr(CSR_MIE) & IRQ_LCOFI) {
            assert_int_equal(sl_port_riscv_machine.overflow_isr(&port), 1);
            hits++;
        }
    }
    const struct work late = {0x27, 7777};
    happen(10, 10, &late, 1);
    assert_int_equal(sl_port_riscv_machine.overflow_isr(&port), 1);
    assert_int_equal(counters[3], (uint64_t)0 - 1000);
    sl_region_end(&port, &region);
    assert_int_equal(hits, 37);
    assert_int_equal(region.sums[0], 44777);
    assert_int_equal(region.sums[1], 100);
    sl_region_close(&port);
    assert_int_equal(*csr(CSR_MIE) & IRQ_LCOFI, 0);
}

/* The upper half changes between the two reads: both are read again. On RV64 there is one read. */
static void halves_are_of_one_moment(void **state)
{
    (void)state;
    hart();
    counters[5] = UINT64_C(0x1ffffffff);
    carry_between_halves = RV_XLEN == 32;
    uint64_t value = sl_rv_read_hpm(5);
    assert_int_equal(value, counters[5]);
    sl_rv_write_hpm(5, UINT64_C(0x123456789abcdef0));
    assert_int_equal(counters[5], UINT64_C(0x123456789abcdef0));
    sl_rv_write_event(5, UINT64_C(0x8000000000000021), true);
    assert_int_equal(events[5], UINT64_C(0x8000000000000021));
    assert_int_equal(sl_rv_read_event(5, true), UINT64_C(0x8000000000000021));
}

/* ---- firmware -------------------------------------------------------------------------------------------------------
 */

/* Counters: 0 cycle, 1 a hole, 2 instret, 3..6 hpm, 7 firmware's own. */
static struct {
    bool absent, denied;
    uint64_t event[8];
    bool used[8], running[8];
    uint64_t firmware;
    unsigned started, stopped, configured;
} sbi;

static int64_t sbi_config(const uint64_t *a, int64_t *value)
{
    static const uint64_t known[] = {1, 2, 0x20000, 0x10019, 0xf0005};
    bool found = false;
    for (unsigned k = 0; k < 5; k++) {
        found = found || a[3] == known[k];
    }
    if (!found) {
        return -2;
    }
    for (unsigned n = 0; n < 8; n++) {
        bool fits = a[3] == 1         ? n == 0 || (n >= 3 && n < 7)
                    : a[3] == 2       ? n >= 2 && n < 7
                    : a[3] >= 0xf0000 ? n == 7
                                      : n >= 3 && n < 7;
        if ((a[1] >> (n - a[0]) & 1) != 0 && fits && !sbi.used[n]) {
            sbi.used[n] = true;
            sbi.event[n] = a[3] == 0x20000 ? a[4] : a[3];
            sbi.configured++;
            *value = n;
            return 0;
        }
    }
    return -2;
}

static void on_sbi(uint32_t extension, uint32_t function, const uint64_t *a, int64_t *result)
{
    result[0] = 0;
    result[1] = 0;
    if (extension == 0x10) {
        result[1] = function == 3 ? !sbi.absent : function == 0 ? 0x1000000 : 1;
        return;
    }
    assert_int_equal(extension, 0x504d55);
    switch (function) {
    case 0:
        result[1] = sbi.denied ? 0 : 8;
        break;
    case 1:
        if (a[0] == 1) {
            result[0] = -3;
        } else if (a[0] == 7) {
            result[1] = RV_XLEN == 32 ? INT32_MIN : INT64_MIN;
        } else {
            result[1] = (int64_t)(0xc00 + a[0]) | 63 << 12;
        }
        break;
    case 2:
        result[0] = sbi_config(a, &result[1]);
        break;
    case 3:
        for (unsigned n = 0; n < 8; n++) {
            if (n >= a[0] && (a[1] >> (n - a[0]) & 1) != 0) {
                result[0] = sbi.running[n] ? -7 : result[0];
                sbi.running[n] = true;
                sbi.started++;
                if (a[2] & 1) {
                    counters[n] = RV_XLEN == 32 ? (a[3] & UINT32_MAX) | a[4] << 32 : a[3];
                    events[n] &= (*csr(CSR_SIP) & IRQ_LCOFI) ? UINT64_MAX : UINT64_MAX >> 1;
                }
            }
        }
        break;
    case 4:
        for (unsigned n = 0; n < 8; n++) {
            if (n >= a[0] && (a[1] >> (n - a[0]) & 1) != 0) {
                sbi.running[n] = false;
                sbi.stopped++;
                sbi.used[n] = sbi.used[n] && (a[2] & 1) == 0;
            }
        }
        break;
    case 5:
        result[1] = (int64_t)sbi.firmware;
        break;
    default:
        result[0] = -2;
        break;
    }
}

static void firmware(void)
{
    hart();
    memset(&sbi, 0, sizeof sbi);
    sbi.running[0] = sbi.running[2] = true; /* they run out of reset */
    fake.on_sbi = on_sbi;
}

static void sbi_happen(uint64_t event, uint64_t count)
{
    *csr(CSR_SCOUNTOVF) = 0xffffff00; /* bits of counters that are nobody's, as OpenSBI leaves them */
    for (unsigned n = 0; n < 7; n++) {
        if (sbi.running[n] && sbi.used[n] && sbi.event[n] == event) {
            add(n, count);
        }
        *csr(CSR_SCOUNTOVF) |= (events[n] >> 63) << n;
    }
    sbi.firmware += sbi.running[7] && event == 0xf0005 ? count : 0;
}

static void supervisor_asks_the_firmware(void **state)
{
    (void)state;
    static const struct sl_port_event asked[] = {{.code = 0x27},
                                                 {.code = SL_PORT_SBI_EVENT(0xf0005)},
                                                 {.fixed = SL_PORT_CYCLES},
                                                 {.fixed = SL_PORT_INSTRUCTIONS}};
    static const struct sl_port_group group = {.events = asked, .count = 4};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    firmware();
    assert_int_equal(sl_port_riscv_sbi.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(caps.counters, 0xfd);
    assert_int_equal(caps.can & SL_PORT_CAN_INTERRUPT, SL_PORT_CAN_INTERRUPT);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_sbi, &caps, &group, 0), SL_OK);
    unsigned calls = sbi.started;
    for (unsigned run = 0; run < 3; run++) {
        sl_region_begin(&port, &region);
        sbi_happen(0x27, 11);
        sbi_happen(0xf0005, 2);
        sbi_happen(1, 1000);
        sbi_happen(2, 700);
        sl_region_end(&port, &region);
        sbi_happen(1, 5);
    }
    assert_int_equal(region.sums[0], 33);
    assert_int_equal(region.sums[1], 6);
    assert_int_equal(region.sums[2], 3000);
    assert_int_equal(region.sums[3], 2100);
    assert_int_equal(sbi.started,
                     calls); /* no call of the firmware inside or around a region, but for its own counter */
    assert_int_equal(region.quality, SL_PORT_Q_SKEW);
    sl_region_close(&port);
    for (unsigned n = 0; n < 8; n++) {
        assert_false(sbi.used[n]);
    }
}

static void firmware_refuses(void **state)
{
    (void)state;
    static const struct sl_port_event generic[] = {{.fixed = SL_PORT_CYCLES}, {.code = SL_PORT_SBI_EVENT(8)}};
    static const struct sl_port_group group = {.events = generic, .count = 2};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    firmware();
    sbi.absent = true;
    assert_int_equal(sl_port_riscv_sbi.probe(&caps, 0), SL_E_ABSENT);
    assert_int_equal(caps.why, SL_PORT_WHY_SBI_NO_PMU);
    assert_true((caps.can & SL_PORT_CAN_TIME) != 0);
    firmware();
    sbi.denied = true;
    assert_int_equal(sl_port_riscv_sbi.probe(&caps, 0), SL_E_DENIED);
    assert_int_equal(caps.why, SL_PORT_WHY_SBI_DENIED);
    firmware();
    has_overflow = false;
    assert_int_equal(sl_port_riscv_sbi.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(caps.can & SL_PORT_CAN_INTERRUPT, 0);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_sbi, &caps, &group, 0), SL_E_EVENT);
    assert_int_equal(port.why, SL_PORT_WHY_SBI_REFUSED);
    assert_int_equal(sbi.configured, 1);
    assert_false(sbi.used[0]); /* what had been given is given back */
}

static void supervisor_overflow_rearms(void **state)
{
    (void)state;
    static const struct sl_port_event sampled[] = {{.code = 0x27, .period = 1000, .flags = SL_PORT_INTERRUPT}};
    static const struct sl_port_group group = {.events = sampled, .count = 1};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    firmware();
    assert_int_equal(sl_port_riscv_sbi.probe(&caps, SL_PORT_GUARD), SL_OK);
    assert_int_equal(sl_region_open(&port, &sl_port_riscv_sbi, &caps, &group, 0), SL_OK);
    unsigned hits = 0;
    sl_region_begin(&port, &region);
    for (unsigned i = 0; i < 100; i++) {
        sbi_happen(0x27, 370);
        if (*csr(CSR_SIP) & *csr(CSR_SIE) & IRQ_LCOFI) {
            assert_int_equal(sl_port_riscv_sbi.overflow_isr(&port), 1);
            hits++;
        }
    }
    sl_region_end(&port, &region);
    /* Each arming starts a whole period anew, after 3 x 370. */
    assert_int_equal(hits, 33);
    assert_int_equal(region.sums[0], 37000);
    sl_region_close(&port);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_finds_what_is_there), cmocka_unit_test(differences_and_restore),
        cmocka_unit_test(refusals_change_nothing),   cmocka_unit_test(overflow_rearms),
        cmocka_unit_test(halves_are_of_one_moment),  cmocka_unit_test(supervisor_asks_the_firmware),
        cmocka_unit_test(firmware_refuses),          cmocka_unit_test(supervisor_overflow_rearms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
