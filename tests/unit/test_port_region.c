/* SPDX-License-Identifier: Apache-2.0 */
/* Regions over a port made of plain memory, and their way into a capture and back. Shared: under cmocka on the host,
 * under tests/qemu/shim on the boards. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <slotledger/dump.h>

/* The "hardware": three counters that run while on, and a clock. */
static struct {
    uint64_t counters[3], clock;
    bool on;
    unsigned starts, stops;
} soft;

static enum sl_status soft_probe(struct sl_port_caps *caps, uint32_t flags)
{
    (void)flags;
    *caps = (struct sl_port_caps){.arch = SL_PORT_RV64,
                                  .level = 3,
                                  .counters = 7,
                                  .width = 64,
                                  .time_hz = 1000,
                                  .can = SL_PORT_CAN_COUNT | SL_PORT_CAN_STOP | SL_PORT_CAN_TIME};
    caps->id[0] = 0x489;
    caps->id_known = 1;
    return SL_OK;
}

static enum sl_status soft_config(struct sl_port *port, const struct sl_port_caps *caps,
                                  const struct sl_port_group *group, uint32_t flags)
{
    (void)flags;
    for (unsigned i = 0; i < group->count; i++) {
        if (i >= sl_popcount64(caps->counters)) {
            port->why = SL_PORT_WHY_COUNTERS;
            return SL_E_COUNTERS;
        }
        port->slots[i] = (struct sl_port_slot){.counter = (uint8_t)i, .width = 64};
    }
    port->programmed = group->count;
    return SL_OK;
}

static void soft_start(struct sl_port *port)
{
    (void)port;
    soft.on = true;
    soft.starts++;
}

static void soft_stop(struct sl_port *port)
{
    (void)port;
    soft.on = false;
    soft.stops++;
}

static void soft_read(struct sl_port *port, uint64_t *values)
{
    assert_false(soft.on); /* never while they run */
    for (unsigned i = 0; i < port->group->count; i++) {
        values[i] = soft.counters[i];
    }
}

static void soft_restore(struct sl_port *port)
{
    (void)port;
}

static uint64_t soft_now(struct sl_port *port)
{
    (void)port;
    return soft.clock;
}

static uint64_t soft_affinity(void)
{
    return 5;
}

static const struct sl_port_register soft_registers[] = {{SL_PORT_ID_MVENDORID, 0, SL_SPACE_CSR, 0, 0xf11}};
static const uint8_t soft_numbers[8] = {0};

static const struct sl_port_ops soft_port = {
    .name = "soft",
    .pmu = SL_PMU_RISCV_HPM,
    .clock = SL_CLOCK_RISCV_TIME,
    .n_registers = 1,
    .wide_registers = 1,
    .registers = soft_registers,
    .fixed_numbers = soft_numbers,
    .probe = soft_probe,
    .config = soft_config,
    .start = soft_start,
    .stop = soft_stop,
    .read = soft_read,
    .restore = soft_restore,
    .begin = sl_region_begin_any,
    .end = sl_region_end_any,
    .now = soft_now,
    .affinity = soft_affinity,
};

static void happen(uint64_t n)
{
    soft.clock += n;
    for (unsigned i = 0; soft.on && i < 3; i++) {
        soft.counters[i] += n * (i + 1);
    }
}

static const struct sl_port_event events[4] = {{.code = 0x27}, {.code = 0x28}, {.code = 0x29}, {.code = 0x2a}};
static const struct sl_port_group group = {.events = events, .count = 3, .id = 9, .pass = 1};

static void sums_are_of_what_is_inside(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    soft.counters[0] = UINT64_MAX - 2; /* wraps inside */
    assert_int_equal(soft_port.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &group, 0), SL_OK);
    for (unsigned i = 1; i <= 4; i++) {
        happen(1000);
        sl_region_begin(&port, &region);
        happen(i);
        sl_region_end(&port, &region);
    }
    assert_int_equal(region.sums[0], 10);
    assert_int_equal(region.sums[1], 20);
    assert_int_equal(region.sums[2], 30);
    assert_int_equal(region.ticks, 10);
    assert_int_equal(region.count, 4);
    assert_int_equal(region.last_ticks - region.first_ticks, 3010);
    sl_region_close(&port);
    assert_int_equal(port.gate.is.state, SL_PORT_CLOSED);
}

/* Any order of nesting: what is inside a region is counted once in each region that is open. */
static void nesting_counts_each_open_region(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region a = {0}, b = {0};
    assert_int_equal(soft_port.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &group, 0), SL_OK);
    sl_region_begin(&port, &a);
    happen(1);
    sl_region_begin(&port, &b);
    happen(10);
    sl_region_end(&port, &a); /* not the innermost one */
    happen(100);
    sl_region_end(&port, &b);
    happen(1000);
    assert_int_equal(a.sums[0], 11);
    assert_int_equal(b.sums[0], 110);
    assert_int_equal(port.gate.is.depth, 0);
    assert_false(soft.on);
    sl_region_close(&port);
}

/* An interrupt's region that comes while begin or end is at work is left out, and told. */
static void busy_is_left_out(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {0};
    assert_int_equal(soft_port.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &group, 0), SL_OK);
    port.gate.is.busy = 1;
    sl_region_begin(&port, &region);
    sl_region_end(&port, &region);
    port.gate.is.busy = 0;
    assert_int_equal(region.count, 0);
    assert_int_equal(region.lost, 1);
    assert_int_equal(region.quality, SL_PORT_Q_NESTED);
    sl_region_close(&port);
}

static void refusals(void **state)
{
    (void)state;
    static const struct sl_port_group four = {.events = events, .count = 4};
    struct sl_port_caps caps;
    struct sl_port port = {0};
    assert_int_equal(soft_port.probe(&caps, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &four, 0), SL_E_COUNTERS);
    assert_string_equal(sl_port_why_text((enum sl_port_why)port.why), "more events than counters that can count them");
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &group, 0), SL_OK);
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &group, 0), SL_E_BUSY);
    sl_region_close(&port);
    for (unsigned i = 0; i < SL_PORT_WHY_COUNT; i++) {
        assert_non_null(sl_port_why_text((enum sl_port_why)i));
    }
    assert_string_equal(sl_port_why_text(SL_PORT_WHY_COUNT), "unknown reason");
}

static uint64_t memory[256];

static bool find(struct sl_capture_reader *reader, enum sl_capture_type type, struct sl_capture_item *item)
{
    while (sl_capture_next(reader, item)) {
        if (item->kind == SL_ITEM_RECORD && item->header.type == type) {
            return true;
        }
    }
    return false;
}

static void dump_holds_all_counts(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_port port = {0};
    struct sl_region region = {.id = 7}, empty = {0};
    struct sl_capture c;
    const struct sl_capture_config config = {
        .sink = SL_SINK_LINEAR, .core = 2, .session = 3, .mem = memory, .mem_bytes = sizeof memory};
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    enum sl_status probed = soft_port.probe(&caps, 0);
    assert_int_equal(sl_region_open(&port, &soft_port, &caps, &group, 0), SL_OK);
    sl_region_calibrate(&port, &empty, 5);
    sl_region_begin(&port, &region);
    happen(123);
    sl_region_end(&port, &region);
    sl_region_begin(&port, &region);
    sl_region_begin(&port, &region);
    sl_region_end(&port, &region);
    sl_dump_core(&c, &soft_port, &caps, probed, 1);
    sl_dump_group(&c, &port);
    sl_dump_region(&c, &port, &empty, SL_CAPTURE_CALIBRATION);
    sl_dump_region(&c, &port, &region, SL_CAPTURE_SAMPLE);
    sl_region_close(&port);
    assert_int_equal(sl_capture_finish(&c), SL_OK);

    struct sl_capture_reader reader;
    struct sl_capture_item item;
    sl_capture_reader_init(&reader, memory, sl_capture_used_bytes(&c));
    struct sl_capture_cpu cpu;
    assert_true(find(&reader, SL_CAPTURE_CPU, &item));
    assert_int_equal(sl_capture_get(&item, &cpu, sizeof cpu), SL_OK);
    assert_int_equal(cpu.level, 3);
    assert_int_equal(cpu.n_counters, 3);
    assert_int_equal(cpu.pmu_state, SL_STATE_OK);
    struct sl_capture_regs regs;
    struct sl_capture_register r;
    assert_true(find(&reader, SL_CAPTURE_REGS, &item));
    assert_int_equal(sl_capture_get(&item, &regs, sizeof regs), SL_OK);
    assert_int_equal(regs.n_registers, 1);
    sl_capture_element(&item, 0, &r, sizeof r);
    assert_int_equal(r.number, 0xf11);
    assert_int_equal(r.value, 0x489);
    struct sl_capture_group g;
    struct sl_capture_counter counter;
    assert_true(find(&reader, SL_CAPTURE_GROUP, &item));
    assert_int_equal(sl_capture_get(&item, &g, sizeof g), SL_OK);
    assert_int_equal(g.id, 9);
    assert_int_equal(g.pass, 1);
    sl_capture_element(&item, 1, &counter, sizeof counter);
    assert_int_equal(counter.event, 0x28);
    struct sl_capture_sample sample;
    struct sl_capture_count count;
    assert_true(find(&reader, SL_CAPTURE_CALIBRATION, &item));
    assert_int_equal(sl_capture_get(&item, &sample, sizeof sample), SL_OK);
    assert_int_equal(sample.invocations, 5);
    assert_true(find(&reader, SL_CAPTURE_SAMPLE, &item));
    assert_int_equal(sl_capture_get(&item, &sample, sizeof sample), SL_OK);
    assert_int_equal(sample.region, 7);
    assert_int_equal(sample.invocations, 2);
    for (unsigned i = 0; i < 3; i++) {
        sl_capture_element(&item, i, &count, sizeof count);
        assert_int_equal(count.value, 123 * (i + 1));
    }
    struct sl_capture_note note;
    assert_true(find(&reader, SL_CAPTURE_NOTE, &item)); /* a begin found its region open */
    assert_int_equal(sl_capture_get(&item, &note, sizeof note), SL_OK);
    assert_int_equal(note.code, SL_NOTE_LOST);
    assert_int_equal(note.a, 1);
    assert_true(find(&reader, SL_CAPTURE_END, &item));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_of_what_is_inside), cmocka_unit_test(nesting_counts_each_open_region),
        cmocka_unit_test(busy_is_left_out),           cmocka_unit_test(refusals),
        cmocka_unit_test(dump_holds_all_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
