/* SPDX-License-Identifier: Apache-2.0 */
/* Intel's architectural PMU: general and fixed counters, PERF_METRICS.
 *
 * Nothing but CPUID says that counters exist: emulators take any of these registers and forget it. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "../common/rearm.h"
#include "x86_64.h"
#include "regs.h"

#define LEAF_A_VERSION(a) ((unsigned)(a)&0xffu)
#define LEAF_A_COUNT(a)   ((unsigned)((a) >> 8) & 0xffu)
#define LEAF_A_WIDTH(a)   ((unsigned)((a) >> 16) & 0xffu)
#define LEAF_A_EVENTS(a)  ((unsigned)((a) >> 24) & 0xffu)

enum { SAVED_GLOBAL, SAVED_FIXED_CTRL, SAVED_METRICS, FULL_WIDTH, LAST_METRICS, FIXED_WORD };

/* Hardware numbers of the fixed counters. */
static const uint8_t fixed_numbers[8] = {
    [SL_PORT_CYCLES] = 1,  [SL_PORT_INSTRUCTIONS] = 0, [SL_PORT_REF_CYCLES] = 2,  [SL_PORT_SLOTS] = 3,
    [SL_PORT_X86_BAD] = 4, [SL_PORT_X86_FRONTEND] = 5, [SL_PORT_X86_RETIRING] = 6};

static bool keeps_what_is_written(void)
{
    uint64_t old = x86_read_msr(MSR_PMC0);
    x86_write_msr(MSR_PMC0, 0x5a5a);
    bool kept = x86_read_msr(MSR_PMC0) == 0x5a5a;
    x86_write_msr(MSR_PMC0, old);
    return kept;
}

static void probe_fixed(struct sl_port_caps *caps, unsigned version)
{
    uint32_t c = (uint32_t)caps->id[SL_PORT_ID_LEAF_A_CD], d = (uint32_t)(caps->id[SL_PORT_ID_LEAF_A_CD] >> 32);
    if (version < 2) {
        return;
    }
    caps->fixed_width = (uint8_t)(d >> 5);
    unsigned contiguous = d & 31u;
    for (unsigned fixed = SL_PORT_CYCLES; fixed <= SL_PORT_X86_RETIRING; fixed++) {
        unsigned n = fixed_numbers[fixed];
        if (n < contiguous || (version >= 5 && (c >> n & 1u) != 0)) {
            caps->fixed |= 1u << fixed;
        }
    }
}

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    (void)flags;
    bool hypervisor = sl_x86_identify(caps);
    if (sl_x86_is_amd(caps)) {
        caps->can = 0; /* the other port's processor */
        return SL_E_ABSENT;
    }
    struct x86_cpuid a = {0, 0, 0, 0};
    if (x86_cpuid(0, 0).a >= 0xa) {
        a = x86_cpuid(0xa, 0);
    }
    sl_x86_note(caps, SL_PORT_ID_LEAF_A_AB, (uint64_t)a.b << 32 | a.a);
    sl_x86_note(caps, SL_PORT_ID_LEAF_A_CD, (uint64_t)a.d << 32 | a.c);
    unsigned version = LEAF_A_VERSION(a.a), count = LEAF_A_COUNT(a.a);
    if (version == 0 || count == 0) {
        caps->why = hypervisor ? SL_PORT_WHY_VPMU_OFF : SL_PORT_WHY_LEAF_A;
        return SL_E_ABSENT;
    }
    if (!keeps_what_is_written()) {
        caps->why = SL_PORT_WHY_READ_BACK;
        return SL_E_DENIED;
    }
    caps->counters = count < 32 ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
    caps->width = (uint8_t)LEAF_A_WIDTH(a.a);
    probe_fixed(caps, version);
    caps->can |= SL_PORT_CAN_COUNT | SL_PORT_CAN_INTERRUPT | (version >= 2 ? SL_PORT_CAN_STOP : 0);
    /* CPUID.1:ECX.PDCM says that PERF_CAPABILITIES can be read. */
    if (caps->id[SL_PORT_ID_SIGNATURE] >> (32 + 15) & 1u) {
        sl_x86_note(caps, SL_PORT_ID_PERF_CAPS, x86_read_msr(MSR_PERF_CAPABILITIES));
    }
    if ((caps->id[SL_PORT_ID_PERF_CAPS] & PERF_CAP_METRICS) != 0 && (caps->fixed >> SL_PORT_SLOTS & 1u) != 0) {
        caps->can |= SL_PORT_CAN_METRICS;
        caps->fixed |= 0xffu << SL_PORT_METRIC_0;
    } else {
        caps->why = SL_PORT_WHY_NO_METRICS;
    }
    return SL_OK;
}

/* Leaf 0xA EBX: bit n set (or beyond the list's length) = architectural event n is not available. */
static bool available(const struct sl_port_caps *caps, uint64_t code)
{
    static const uint16_t events[] = {0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x01a4};
    uint32_t a = (uint32_t)caps->id[SL_PORT_ID_LEAF_A_AB], b = (uint32_t)(caps->id[SL_PORT_ID_LEAF_A_AB] >> 32);
    for (unsigned n = 0; n < 7; n++) {
        if ((code & 0xffff) == events[n]) {
            return n < LEAF_A_EVENTS(a) && (b >> n & 1u) == 0;
        }
    }
    return true;
}

static enum sl_status place_event(struct sl_port *port, const struct sl_port_caps *caps, unsigned i,
                                  const struct sl_port_event *event)
{
    uint32_t free = caps->counters & ~(uint32_t)port->mask & (event->counters != 0 ? event->counters : UINT32_MAX);
    if (!available(caps, event->code)) {
        port->why = SL_PORT_WHY_EVENT_MASK;
        return SL_E_EVENT;
    }
    if (free == 0) {
        port->why = SL_PORT_WHY_COUNTERS;
        return SL_E_COUNTERS;
    }
    unsigned n = sl_ctz64(free);
    port->slots[i] = (struct sl_port_slot){
        .counter = (uint8_t)n, .width = caps->width, .flags = event->flags, .period = event->period};
    port->mask |= UINT64_C(1) << n;
    port->programmed++;
    return SL_OK;
}

static enum sl_status place(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group)
{
    port->mask = 0;
    port->programmed = 0;
    port->fixed_slot = 0;
    bool metrics = false;
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_event *event = &group->events[i];
        unsigned fixed = event->fixed;
        if (fixed == SL_PORT_PROGRAMMABLE) {
            enum sl_status err = port->programmed == i ? place_event(port, caps, i, event) : SL_E_ARGUMENT;
            if (err) {
                return err;
            }
            continue;
        }
        if (fixed > SL_PORT_METRIC_7 || (caps->fixed >> fixed & 1u) == 0) {
            port->why = fixed >= SL_PORT_METRIC_0 ? SL_PORT_WHY_NO_METRICS : SL_PORT_WHY_COUNTERS;
            return SL_E_EVENT;
        }
        port->slots[i] = (struct sl_port_slot){.width = caps->fixed_width, .fixed = (uint8_t)fixed};
        if (fixed >= SL_PORT_METRIC_0) {
            metrics = true;
            port->mask |= GLOBAL_METRICS;
        } else {
            port->slots[i].counter = (uint8_t)fixed_numbers[fixed];
            port->mask |= UINT64_C(1) << (32 + fixed_numbers[fixed]);
            port->fixed_slot = (uint8_t)(fixed == SL_PORT_SLOTS ? i + 1 : port->fixed_slot);
        }
    }
    /* PERF_METRICS are shares of the slots: without those they are nothing. */
    return metrics && port->fixed_slot == 0 ? SL_E_ARGUMENT : SL_OK;
}

/* A counter that is selected, enabled and globally on. Out of reset GLOBAL_CTRL alone says nothing: its bits are 1. */
static bool busy(const struct sl_port *port, const struct sl_port_caps *caps)
{
    uint64_t global = port->can & SL_PORT_CAN_STOP ? port->saved[SAVED_GLOBAL] : UINT32_MAX;
    for (unsigned n = 0; n < 32 && (caps->counters >> n & 1u) != 0; n++) {
        if ((global >> n & 1u) != 0 && (x86_read_msr(MSR_PERFEVTSEL0 + n) & EVTSEL_EN) != 0) {
            return true;
        }
    }
    for (unsigned n = 0; n < 16; n++) {
        if ((global >> (32 + n) & 1u) != 0 && (port->saved[SAVED_FIXED_CTRL] >> (4 * n) & FIXED_OS_USR) != 0) {
            return true;
        }
    }
    return false;
}

static void write_counter(const struct sl_port *port, unsigned n, uint64_t value)
{
    x86_write_msr((port->saved[FULL_WIDTH] ? MSR_A_PMC0 : MSR_PMC0) + n, value);
}

/* This order: FIXED_CTR3, then PERF_METRICS (Intel SDM 3B, "Performance Metrics"). */
static void reset_slots(const struct sl_port *port)
{
    x86_write_msr(MSR_FIXED_CTR0 + 3, 0);
    if (port->mask & GLOBAL_METRICS) {
        x86_write_msr(MSR_PERF_METRICS, 0);
    }
}

static void program(struct sl_port *port, const struct sl_port_group *group)
{
    uint64_t fixed_ctrl = port->saved[SAVED_FIXED_CTRL];
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        unsigned n = slot->counter;
        port->last[i] = 0;
        if (i < port->programmed) {
            port->saved_type[i] = x86_read_msr(MSR_PERFEVTSEL0 + n);
            port->saved_value[i] = x86_read_msr(MSR_PMC0 + n);
            x86_write_msr(MSR_PERFEVTSEL0 + n, 0);
            write_counter(port, n, 0 - (uint64_t)slot->period);
            /* OS and USR: all rings. EN here; without GLOBAL_CTRL start sets it. */
            uint64_t select = group->events[i].code | EVTSEL_OS | EVTSEL_USR;
            select |= slot->flags & SL_PORT_INTERRUPT ? EVTSEL_INT : 0;
            x86_write_msr(MSR_PERFEVTSEL0 + n, select | (port->can & SL_PORT_CAN_STOP ? EVTSEL_EN : 0));
        } else if (slot->fixed < SL_PORT_METRIC_0) {
            port->saved_value[i] = x86_read_msr(MSR_FIXED_CTR0 + n);
            fixed_ctrl = (fixed_ctrl & ~(UINT64_C(15) << (4 * n))) | (uint64_t)FIXED_OS_USR << (4 * n);
        }
    }
    if (port->can & SL_PORT_CAN_STOP) {
        x86_write_msr(MSR_FIXED_CTR_CTRL, fixed_ctrl);
    }
    if (port->fixed_slot != 0) {
        reset_slots(port);
    }
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    enum sl_status err = place(port, caps, group);
    if (err || group->count == 0) {
        return err;
    }
    bool global = (caps->can & SL_PORT_CAN_STOP) != 0;
    port->saved[SAVED_GLOBAL] = global ? x86_read_msr(MSR_GLOBAL_CTRL) : 0;
    port->saved[SAVED_FIXED_CTRL] = global ? x86_read_msr(MSR_FIXED_CTR_CTRL) : 0;
    port->saved[FULL_WIDTH] = caps->id[SL_PORT_ID_PERF_CAPS] & PERF_CAP_FULL_WIDTH;
    if ((flags & SL_PORT_FORCE) == 0 && busy(port, caps)) {
        port->why = SL_PORT_WHY_GLOBAL_CTRL;
        return SL_E_BUSY;
    }
    port->saved[SAVED_METRICS] = port->mask & GLOBAL_METRICS ? x86_read_msr(MSR_PERF_METRICS) : 0;
    if (global) {
        x86_write_msr(MSR_GLOBAL_CTRL, 0);
        x86_write_msr(MSR_GLOBAL_STATUS_RESET, port->mask & ~GLOBAL_METRICS);
    } else {
        port->quality |= SL_PORT_Q_SKEW;
    }
    program(port, group);
    return SL_OK;
}

static void enable_each(const struct sl_port *port, bool on)
{
    for (unsigned i = 0; i < port->programmed; i++) {
        unsigned n = port->slots[i].counter;
        uint64_t select = x86_read_msr(MSR_PERFEVTSEL0 + n);
        x86_write_msr(MSR_PERFEVTSEL0 + n, on ? select | EVTSEL_EN : select & ~EVTSEL_EN);
    }
}

static void start(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    x86_lfence();
    if (port->can & SL_PORT_CAN_STOP) {
        x86_write_msr(MSR_GLOBAL_CTRL, port->mask);
    } else {
        enable_each(port, true);
    }
}

static void stop(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    x86_lfence();
    if ((port->can & SL_PORT_CAN_STOP) == 0) {
        enable_each(port, false);
        return;
    }
    uint64_t global = port->gate.is.depth != 0 ? x86_read_msr(MSR_GLOBAL_CTRL) : port->mask;
    x86_write_msr(MSR_GLOBAL_CTRL, 0);
    if (global != port->mask) {
        port->quality |= SL_PORT_Q_LOST;
    }
}

/* Slots and metrics began at 0 with this window and are put back to 0: each window adds its slots times its shares. */
static void read_metrics(struct sl_port *port)
{
    uint64_t slots = x86_read_pmc(PMC_FIXED | 3u), shares = 0;
    if (slots == 0) {
        return;
    }
    if (port->mask & GLOBAL_METRICS) {
        shares = x86_read_pmc(PMC_METRICS);
        port->saved[LAST_METRICS] = shares;
    }
    for (unsigned i = port->programmed; i < port->group->count; i++) {
        unsigned fixed = port->slots[i].fixed;
        if (fixed >= SL_PORT_METRIC_0) {
            port->last[i] += slots * (shares >> (8 * (fixed - SL_PORT_METRIC_0)) & 0xffu);
        }
    }
    port->last[port->fixed_slot - 1u] += slots;
    reset_slots(port);
}

static void read_all(struct sl_port *port, uint64_t *values)
{
    uint32_t seen;
    if (port->mask != 0 && port->fixed_slot != 0) {
        read_metrics(port);
    }
    do {
        seen = port->overflows;
        for (unsigned i = 0; i < port->group->count; i++) {
            const struct sl_port_slot *slot = &port->slots[i];
            if (slot->fixed == SL_PORT_SLOTS || slot->fixed >= SL_PORT_METRIC_0) {
                values[i] = port->last[i];
            } else if (slot->period != 0) {
                /* `last` is the count at the last arming, from which on `period` are counted. */
                values[i] = sl_x86_extend(0, x86_read_pmc(slot->counter), 0 - (uint64_t)slot->period, slot->width) +
                            port->last[i];
            } else {
                bool fixed = i >= port->programmed;
                uint64_t raw = x86_read_pmc((fixed ? PMC_FIXED : 0) | slot->counter);
                port->last[i] = sl_x86_extend(port->last[i], raw, fixed ? port->saved_value[i] : 0, slot->width);
                values[i] = port->last[i];
            }
        }
    } while (seen != port->overflows);
}

static uint32_t overflow_isr(struct sl_port *port)
{
    if ((port->can & SL_PORT_CAN_STOP) == 0) {
        return 0; /* version 1 has no status register */
    }
    uint64_t global = x86_read_msr(MSR_GLOBAL_CTRL);
    x86_write_msr(MSR_GLOBAL_CTRL, 0);
    uint64_t status = x86_read_msr(MSR_GLOBAL_STATUS) & port->mask;
    uint32_t hit = 0;
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if ((status >> slot->counter & 1u) == 0) {
            continue;
        }
        hit |= 1u << i;
        if (slot->period != 0) {
            uint64_t raw = x86_read_pmc(slot->counter), next = sl_port_rearm(raw, slot->period);
            write_counter(port, slot->counter, next);
            port->last[i] += sl_x86_extend(0, raw - next, 0, slot->width);
        }
    }
    port->overflows++;
    x86_write_msr(MSR_GLOBAL_STATUS_RESET, status);
    sl_x86_unmask_interrupt();
    x86_write_msr(MSR_GLOBAL_CTRL, global);
    return hit;
}

static void restore(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if (i < port->programmed) {
            write_counter(port, slot->counter, port->saved_value[i]);
            x86_write_msr(MSR_PERFEVTSEL0 + slot->counter, port->saved_type[i]);
        } else if (slot->fixed < SL_PORT_METRIC_0) {
            x86_write_msr(MSR_FIXED_CTR0 + slot->counter, port->saved_value[i]);
        }
    }
    if (port->mask & GLOBAL_METRICS) {
        x86_write_msr(MSR_PERF_METRICS, port->saved[SAVED_METRICS]);
    }
    if (port->can & SL_PORT_CAN_STOP) {
        x86_write_msr(MSR_FIXED_CTR_CTRL, port->saved[SAVED_FIXED_CTRL]);
        x86_write_msr(MSR_GLOBAL_STATUS_RESET, port->mask & ~GLOBAL_METRICS);
        x86_write_msr(MSR_GLOBAL_CTRL, port->saved[SAVED_GLOBAL]);
    }
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_VENDOR, 0, SL_SPACE_CPUID, 1, 0},
    {SL_PORT_ID_VENDOR, 32, SL_SPACE_CPUID, 3, 0},
    {SL_PORT_ID_VENDOR_2, 0, SL_SPACE_CPUID, 2, 0},
    {SL_PORT_ID_SIGNATURE, 0, SL_SPACE_CPUID, 0, 1},
    {SL_PORT_ID_SIGNATURE, 32, SL_SPACE_CPUID, 2, 1},
    {SL_PORT_ID_LEAF_A_AB, 0, SL_SPACE_CPUID, 0, 0xa},
    {SL_PORT_ID_LEAF_A_AB, 32, SL_SPACE_CPUID, 1, 0xa},
    {SL_PORT_ID_LEAF_A_CD, 0, SL_SPACE_CPUID, 2, 0xa},
    {SL_PORT_ID_LEAF_A_CD, 32, SL_SPACE_CPUID, 3, 0xa},
    {SL_PORT_ID_CORE_TYPE, 0, SL_SPACE_CPUID, 0, 0x1a},
    {SL_PORT_ID_PERF_CAPS, 0, SL_SPACE_MSR, 0, MSR_PERF_CAPABILITIES},
};

const struct sl_port_ops sl_port_x86_64_intel = {
    .name = "x86_64-intel",
    .pmu = SL_PMU_INTEL,
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
