/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's core counters: four of old, six with PerfCtrExtCore, one switch for all with PerfMonV2.
 *
 * Without the switch counters start and stop one after the other: the last event of a group starts first and stops
 * last, so cycles belong there. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "../common/rearm.h"
#include "x86_64.h"
#include "regs.h"

#define WIDTH 48u

/* Kept in sl_port.stop_word. */
enum { BANK_LEGACY = 0, BANK_EXTENDED = 1 };

enum { SAVED_GLOBAL };

static uint32_t control_msr(const struct sl_port *port, unsigned n)
{
    return port->stop_word == BANK_EXTENDED ? MSR_AMD_PERF_CTL0 + 2 * n : MSR_K7_EVNTSEL0 + n;
}

static uint32_t counter_msr(const struct sl_port *port, unsigned n)
{
    return port->stop_word == BANK_EXTENDED ? MSR_AMD_PERF_CTR0 + 2 * n : MSR_K7_PERFCTR0 + n;
}

static bool keeps_what_is_written(uint32_t msr)
{
    uint64_t old = x86_read_msr(msr);
    x86_write_msr(msr, 0x5a5a);
    bool kept = x86_read_msr(msr) == 0x5a5a;
    x86_write_msr(msr, old);
    return kept;
}

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    (void)flags;
    bool hypervisor = sl_x86_identify(caps);
    if (!sl_x86_is_amd(caps)) {
        caps->can = 0; /* the other port's processor */
        caps->why = SL_PORT_WHY_LEAF_A;
        return SL_E_ABSENT;
    }
    uint32_t last = x86_cpuid(UINT32_C(0x80000000), 0).a;
    bool extended = (x86_cpuid(UINT32_C(0x80000001), 0).c >> 23 & 1u) != 0;
    unsigned count = extended ? 6 : 4;
    if (last >= UINT32_C(0x80000022)) {
        struct x86_cpuid r = x86_cpuid(UINT32_C(0x80000022), 0);
        sl_x86_note(caps, SL_PORT_ID_AMD_22, (uint64_t)r.b << 32 | r.a);
        if (r.a & 1u) {
            count = r.b & 15u;
            caps->can |= SL_PORT_CAN_STOP;
        }
    }
    /* Every AMD processor has the four of old; an emulator that has none of them forgets what is written. */
    if (!keeps_what_is_written(extended ? MSR_AMD_PERF_CTR0 : MSR_K7_PERFCTR0)) {
        caps->can = SL_PORT_CAN_TIME;
        caps->why = hypervisor ? SL_PORT_WHY_VPMU_OFF : SL_PORT_WHY_READ_BACK;
        return SL_E_ABSENT;
    }
    caps->counters = (UINT32_C(1) << count) - 1;
    caps->width = WIDTH;
    caps->can |= SL_PORT_CAN_COUNT | SL_PORT_CAN_INTERRUPT;
    return SL_OK;
}

static enum sl_status place(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group)
{
    port->mask = 0;
    port->programmed = 0;
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_event *event = &group->events[i];
        uint32_t free = caps->counters & ~(uint32_t)port->mask & (event->counters != 0 ? event->counters : UINT32_MAX);
        if (event->fixed != SL_PORT_PROGRAMMABLE) {
            port->why = SL_PORT_WHY_COUNTERS; /* AMD has no fixed core counters: cycles are event 0x76 */
            return SL_E_EVENT;
        }
        if (free == 0) {
            port->why = SL_PORT_WHY_COUNTERS;
            return SL_E_COUNTERS;
        }
        unsigned n = sl_ctz64(free);
        port->slots[i] = (struct sl_port_slot){
            .counter = (uint8_t)n, .width = WIDTH, .flags = event->flags, .period = event->period};
        port->mask |= UINT64_C(1) << n;
        port->programmed++;
    }
    return SL_OK;
}

static bool busy(const struct sl_port *port, const struct sl_port_caps *caps)
{
    uint64_t global = port->can & SL_PORT_CAN_STOP ? port->saved[SAVED_GLOBAL] : UINT32_MAX;
    for (unsigned n = 0; n < 32 && (caps->counters >> n & 1u) != 0; n++) {
        if ((global >> n & 1u) != 0 && (x86_read_msr(control_msr(port, n)) & EVTSEL_EN) != 0) {
            return true;
        }
    }
    return false;
}

static uint64_t select_of(const struct sl_port *port, unsigned i)
{
    uint64_t select = port->group->events[i].code | EVTSEL_OS | EVTSEL_USR;
    return select | (port->slots[i].flags & SL_PORT_INTERRUPT ? EVTSEL_INT : 0);
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    enum sl_status err = place(port, caps, group);
    if (err || group->count == 0) {
        return err;
    }
    bool global = (caps->can & SL_PORT_CAN_STOP) != 0;
    /* More than four counters are never the old ones. */
    port->stop_word = caps->counters > 15u ? BANK_EXTENDED : BANK_LEGACY;
    port->saved[SAVED_GLOBAL] = global ? x86_read_msr(MSR_AMD_GLOBAL_CTL) : 0;
    if ((flags & SL_PORT_FORCE) == 0 && busy(port, caps)) {
        port->why = SL_PORT_WHY_GLOBAL_CTRL;
        return SL_E_BUSY;
    }
    if (global) {
        x86_write_msr(MSR_AMD_GLOBAL_CTL, 0);
    } else {
        port->quality |= SL_PORT_Q_SKEW;
    }
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        port->saved_type[i] = x86_read_msr(control_msr(port, slot->counter));
        port->saved_value[i] = x86_read_msr(counter_msr(port, slot->counter));
        x86_write_msr(control_msr(port, slot->counter), 0);
        x86_write_msr(counter_msr(port, slot->counter), (0 - (uint64_t)slot->period) & ((UINT64_C(1) << WIDTH) - 1));
        x86_write_msr(control_msr(port, slot->counter), select_of(port, i) | (global ? EVTSEL_EN : 0));
        port->last[i] = 0;
    }
    if (global) {
        x86_write_msr(MSR_AMD_GLOBAL_CLEAR, port->mask);
    }
    return SL_OK;
}

static void start(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    x86_lfence();
    if (port->can & SL_PORT_CAN_STOP) {
        x86_write_msr(MSR_AMD_GLOBAL_CTL, port->mask);
        return;
    }
    for (unsigned i = port->programmed; i-- > 0;) {
        x86_write_msr(control_msr(port, port->slots[i].counter), select_of(port, i) | EVTSEL_EN);
    }
}

static void stop(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    x86_lfence();
    if (port->can & SL_PORT_CAN_STOP) {
        uint64_t global = port->gate.is.depth != 0 ? x86_read_msr(MSR_AMD_GLOBAL_CTL) : port->mask;
        x86_write_msr(MSR_AMD_GLOBAL_CTL, 0);
        port->quality |= global != port->mask ? SL_PORT_Q_LOST : 0;
        return;
    }
    for (unsigned i = 0; i < port->programmed; i++) {
        x86_write_msr(control_msr(port, port->slots[i].counter), select_of(port, i));
    }
}

static void read_all(struct sl_port *port, uint64_t *values)
{
    uint32_t seen;
    do {
        seen = port->overflows;
        for (unsigned i = 0; i < port->group->count; i++) {
            const struct sl_port_slot *slot = &port->slots[i];
            uint64_t raw = x86_read_msr(counter_msr(port, slot->counter));
            if (slot->period != 0) {
                values[i] = port->last[i] + sl_x86_extend(0, raw, 0 - (uint64_t)slot->period, WIDTH);
            } else {
                port->last[i] = sl_x86_extend(port->last[i], raw, 0, WIDTH);
                values[i] = port->last[i];
            }
        }
    } while (seen != port->overflows);
}

/* Without a status register the counter itself tells: armed it is negative, so a clear top bit means that it passed 0.
 */
static bool overflowed(const struct sl_port *port, const struct sl_port_slot *slot, uint64_t status)
{
    if (port->can & SL_PORT_CAN_STOP) {
        return (status >> slot->counter & 1u) != 0;
    }
    return slot->period != 0 && (x86_read_msr(counter_msr(port, slot->counter)) >> (WIDTH - 1) & 1u) == 0;
}

static uint32_t overflow_isr(struct sl_port *port)
{
    bool global = (port->can & SL_PORT_CAN_STOP) != 0;
    uint64_t running = global ? x86_read_msr(MSR_AMD_GLOBAL_CTL) : 0;
    uint64_t status = global ? x86_read_msr(MSR_AMD_GLOBAL_STATUS) & port->mask : 0;
    if (global) {
        x86_write_msr(MSR_AMD_GLOBAL_CTL, 0);
    }
    uint32_t hit = 0;
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if (!overflowed(port, slot, status)) {
            continue;
        }
        hit |= 1u << i;
        if (slot->period != 0) {
            uint32_t msr = counter_msr(port, slot->counter);
            uint64_t raw = x86_read_msr(msr), next = sl_port_rearm(raw, slot->period) & ((UINT64_C(1) << WIDTH) - 1);
            x86_write_msr(msr, next);
            port->last[i] += sl_x86_extend(0, raw - next, 0, WIDTH);
        }
    }
    port->overflows++;
    if (global) {
        x86_write_msr(MSR_AMD_GLOBAL_CLEAR, status);
        x86_write_msr(MSR_AMD_GLOBAL_CTL, running);
    }
    return hit;
}

static void restore(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    for (unsigned i = 0; i < port->programmed; i++) {
        unsigned n = port->slots[i].counter;
        x86_write_msr(control_msr(port, n), 0);
        x86_write_msr(counter_msr(port, n), port->saved_value[i]);
        x86_write_msr(control_msr(port, n), port->saved_type[i]);
    }
    if (port->can & SL_PORT_CAN_STOP) {
        x86_write_msr(MSR_AMD_GLOBAL_CTL, port->saved[SAVED_GLOBAL]);
    }
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_VENDOR, 0, SL_SPACE_CPUID, 1, 0},
    {SL_PORT_ID_VENDOR, 32, SL_SPACE_CPUID, 3, 0},
    {SL_PORT_ID_VENDOR_2, 0, SL_SPACE_CPUID, 2, 0},
    {SL_PORT_ID_SIGNATURE, 0, SL_SPACE_CPUID, 0, 1},
    {SL_PORT_ID_SIGNATURE, 32, SL_SPACE_CPUID, 2, 1},
    {SL_PORT_ID_AMD_22, 0, SL_SPACE_CPUID, 0, UINT32_C(0x80000022)},
    {SL_PORT_ID_AMD_22, 32, SL_SPACE_CPUID, 1, UINT32_C(0x80000022)},
};

static const uint8_t fixed_numbers[8] = {0};

const struct sl_port_ops sl_port_x86_64_amd = {
    .name = "x86_64-amd",
    .pmu = SL_PMU_AMD,
    .clock = SL_CLOCK_TSC,
    .n_registers = sizeof registers / sizeof registers[0],
    .wide_registers = 0,
    .registers = registers,
    .fixed_numbers = fixed_numbers,
    .probe = probe,
    .config = config,
    .start = start,
    .stop = stop,
    .read = read_all,
    .overflow_isr = overflow_isr,
    .restore = restore,
    .begin = sl_region_begin_any,
    .end = sl_region_end_any,
    .now = sl_x86_now,
    .affinity = sl_x86_affinity,
};
