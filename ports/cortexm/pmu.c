/* SPDX-License-Identifier: Apache-2.0 */
/* The Armv8.1-M PMU: 16-bit event counters, pairs of them by CHAIN, a 32-bit cycle counter. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "../common/rearm.h"
#include "cortexm.h"
#include "regs.h"

enum { SAVED_DEMCR, SAVED_CTRL, SAVED_ENABLED, SAVED_INTERRUPTS, SAVED_CYCLES };

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    (void)flags;
    uint32_t demcr = sl_cm_identify(caps);
    uint32_t devarch = cm_read(PMU_DEVARCH);
    sl_cm_note(caps, SL_PORT_ID_PMU_DEVARCH, devarch);
    if ((caps->id[SL_PORT_ID_DEMCR] & DEMCR_TRCENA) == 0) {
        caps->why = SL_PORT_WHY_TRCENA;
    } else if (devarch != PMU_DEVARCH_V1) {
        caps->why = SL_PORT_WHY_DEVARCH;
    } else {
        uint32_t type = cm_read(PMU_TYPE);
        sl_cm_note(caps, SL_PORT_ID_PMU_TYPE, type);
        sl_cm_note(caps, SL_PORT_ID_AUTHSTATUS, cm_read(PMU_AUTHSTATUS));
        unsigned n = PMU_TYPE_N(type) < 31 ? PMU_TYPE_N(type) : 31;
        caps->counters = (UINT32_C(1) << n) - 1;
        caps->width = 16;
        caps->fixed = 1u << SL_PORT_CYCLES;
        caps->fixed_width = 32;
        caps->can = SL_PORT_CAN_COUNT | SL_PORT_CAN_INTERRUPT | SL_PORT_CAN_STOP | SL_PORT_CAN_CHAIN;
    }
    cm_write(DCB_DEMCR, demcr);
    return caps->why == SL_PORT_WHY_NOTHING ? SL_OK : SL_E_ABSENT;
}

static enum sl_status place_event(struct sl_port *port, const struct sl_port_caps *caps, unsigned i,
                                  const struct sl_port_event *event)
{
    bool chain = (event->flags & SL_PORT_WIDE) != 0;
    uint32_t need = chain ? 3 : 1, allowed = event->counters != 0 ? event->counters : UINT32_MAX;
    for (unsigned n = 0; n < 31; n += chain ? 2 : 1) {
        uint32_t bits = need << n;
        if ((bits & caps->counters) == bits && (port->mask & bits) == 0 && (allowed >> n & 1u) != 0) {
            port->slots[i] = (struct sl_port_slot){.counter = (uint8_t)n,
                                                   .width = chain ? 32 : 16,
                                                   .flags = (uint8_t)(event->flags | (chain ? SL_PORT_SLOT_CHAIN : 0)),
                                                   .period = event->period};
            port->mask |= bits;
            return SL_OK;
        }
    }
    port->why = SL_PORT_WHY_COUNTERS;
    return SL_E_COUNTERS;
}

static enum sl_status place(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group)
{
    port->mask = 0;
    port->programmed = 0;
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_event *event = &group->events[i];
        enum sl_status err = SL_OK;
        if (event->fixed == SL_PORT_CYCLES) {
            port->slots[i] = (struct sl_port_slot){.width = 32, .fixed = SL_PORT_CYCLES};
            port->mask |= PMU_CYCLE;
        } else if (event->fixed != SL_PORT_PROGRAMMABLE) {
            port->why = SL_PORT_WHY_COUNTERS;
            err = SL_E_EVENT;
        } else if (port->programmed != i) {
            err = SL_E_ARGUMENT;
        } else {
            err = place_event(port, caps, i, event);
            port->programmed++;
        }
        if (err) {
            return err;
        }
    }
    return SL_OK;
}

static uint32_t counter_at(unsigned n)
{
    return PMU_EVCNTR + 4 * n;
}
static uint32_t type_at(unsigned n)
{
    return PMU_EVTYPER + 4 * n;
}

static uint32_t overflow_bit(const struct sl_port_slot *slot)
{
    if (slot->fixed != SL_PORT_PROGRAMMABLE) {
        return PMU_CYCLE;
    }
    return UINT32_C(1) << (slot->counter + (slot->flags & SL_PORT_SLOT_CHAIN ? 1u : 0u));
}

static uint64_t wrap_of(const struct sl_port_slot *slot)
{
    return UINT64_C(1) << slot->width;
}

static uint32_t read_slot(const struct sl_port_slot *slot)
{
    if (slot->fixed != SL_PORT_PROGRAMMABLE) {
        return cm_read(PMU_CCNTR);
    }
    if ((slot->flags & SL_PORT_SLOT_CHAIN) == 0) {
        return cm_read(counter_at(slot->counter)) & 0xffffu;
    }
    uint32_t high = cm_read(counter_at(slot->counter + 1u)) & 0xffffu, low, again;
    while (low = cm_read(counter_at(slot->counter)) & 0xffffu,
           (again = cm_read(counter_at(slot->counter + 1u)) & 0xffffu) != high) {
        high = again;
    }
    return high << 16 | low;
}

static void write_slot(const struct sl_port_slot *slot, uint32_t value)
{
    cm_write(counter_at(slot->counter), value & 0xffffu);
    if (slot->flags & SL_PORT_SLOT_CHAIN) {
        cm_write(counter_at(slot->counter + 1u), value >> 16);
    }
}

static void program(struct sl_port *port, const struct sl_port_group *group)
{
    uint32_t interrupts = 0;
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        port->saved_value[i] = read_slot(slot);
        port->saved_type[i] = cm_read(type_at(slot->counter));
        if (slot->flags & SL_PORT_SLOT_CHAIN) {
            port->saved_type[i] |= (uint64_t)cm_read(type_at(slot->counter + 1u)) << 32;
            cm_write(type_at(slot->counter + 1u), PMU_EVENT_CHAIN);
        }
        cm_write(type_at(slot->counter), (uint32_t)group->events[i].code);
        write_slot(slot, 0 - slot->period);
        port->last[i] = slot->period != 0 ? slot->period - wrap_of(slot) : 0;
        interrupts |= slot->flags & SL_PORT_INTERRUPT ? overflow_bit(slot) : 0;
    }
    for (unsigned i = port->programmed; i < group->count; i++) {
        cm_write(PMU_CCNTR, 0);
        port->last[i] = 0;
    }
    cm_write(PMU_OVSCLR, UINT32_MAX);
    if (interrupts != 0) {
        /* Overflow raises DebugMonitor, which must be enabled; it is pended by DFSR.PMU. */
        cm_write(SCB_DFSR, DFSR_PMU);
        cm_write(DCB_DEMCR, cm_read(DCB_DEMCR) | DEMCR_MON_EN);
        cm_write(PMU_INTENSET, interrupts);
    }
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    enum sl_status err = place(port, caps, group);
    if (err || group->count == 0) {
        return err;
    }
    port->saved[SAVED_DEMCR] = cm_read(DCB_DEMCR);
    cm_write(DCB_DEMCR, (uint32_t)port->saved[SAVED_DEMCR] | DEMCR_TRCENA);
    cm_barrier();
    uint32_t ctrl = cm_read(PMU_CTRL), enabled = cm_read(PMU_CNTENSET);
    if ((ctrl & PMU_CTRL_E) != 0 && enabled != 0 && (flags & SL_PORT_FORCE) == 0) {
        cm_write(DCB_DEMCR, (uint32_t)port->saved[SAVED_DEMCR]);
        port->why = SL_PORT_WHY_PMU_BUSY;
        return SL_E_BUSY;
    }
    port->saved[SAVED_CTRL] = ctrl;
    port->saved[SAVED_ENABLED] = enabled;
    port->saved[SAVED_INTERRUPTS] = cm_read(PMU_INTENSET);
    port->saved[SAVED_CYCLES] = cm_read(PMU_CCNTR);
    port->stop_word = ctrl & PMU_CTRL_DP;
    port->start_word = port->stop_word | PMU_CTRL_E;
    cm_write(PMU_CTRL, (uint32_t)port->stop_word);
    cm_write(PMU_CNTENCLR, UINT32_MAX);
    cm_write(PMU_INTENCLR, UINT32_MAX);
    program(port, group);
    cm_write(PMU_CNTENSET, (uint32_t)port->mask);
    cm_barrier();
    return SL_OK;
}

static void start(struct sl_port *port)
{
    if (port->mask != 0) {
        cm_write(PMU_CTRL, (uint32_t)port->start_word);
        cm_barrier();
    }
}

static void stop(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    uint32_t ctrl = cm_read(PMU_CTRL);
    cm_write(PMU_CTRL, (uint32_t)port->stop_word);
    cm_barrier();
    if (port->gate.is.depth != 0 && (ctrl & PMU_CTRL_E) == 0) {
        port->quality |= SL_PORT_Q_LOST;
    }
}

/* As on AArch64: a flag that an interrupt will clear is added for this reading only, others are taken. */
static void settle(struct sl_port *port, uint64_t *values, uint32_t pending)
{
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        uint32_t bit = overflow_bit(slot);
        if ((pending & bit) == 0) {
            continue;
        }
        values[i] += wrap_of(slot);
        if ((slot->flags & SL_PORT_INTERRUPT) == 0) {
            cm_write(PMU_OVSCLR, bit);
            port->last[i] += wrap_of(slot);
            port->quality |= SL_PORT_Q_WRAPPED;
        }
    }
}

static void read_all(struct sl_port *port, uint64_t *values)
{
    uint32_t seen, pending;
    do {
        seen = port->overflows;
        for (unsigned i = 0; i < port->group->count; i++) {
            values[i] = read_slot(&port->slots[i]) + port->last[i];
        }
        pending = cm_read(PMU_OVSCLR) & (uint32_t)port->mask;
    } while (seen != port->overflows);
    if (pending != 0) {
        settle(port, values, pending);
    }
}

static uint32_t overflow_isr(struct sl_port *port)
{
    uint32_t ctrl = cm_read(PMU_CTRL), hit = 0;
    cm_write(PMU_CTRL, (uint32_t)port->stop_word);
    cm_barrier();
    uint32_t flags = cm_read(PMU_OVSCLR) & (uint32_t)port->mask;
    cm_write(PMU_OVSCLR, flags);
    cm_write(SCB_DFSR, DFSR_PMU);
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if ((flags & overflow_bit(slot)) == 0) {
            continue;
        }
        hit |= 1u << i;
        if (slot->period == 0 || slot->fixed != SL_PORT_PROGRAMMABLE) {
            port->last[i] += wrap_of(slot);
        } else {
            uint32_t raw = read_slot(slot);
            uint64_t next = sl_port_rearm(raw, slot->period) & (wrap_of(slot) - 1);
            write_slot(slot, (uint32_t)next);
            port->last[i] += raw + wrap_of(slot) - next;
        }
    }
    port->overflows++;
    cm_write(PMU_CTRL, ctrl);
    cm_barrier();
    return hit;
}

static void restore(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    cm_write(PMU_CNTENCLR, UINT32_MAX);
    cm_write(PMU_INTENCLR, UINT32_MAX);
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        cm_write(type_at(slot->counter), (uint32_t)port->saved_type[i]);
        if (slot->flags & SL_PORT_SLOT_CHAIN) {
            cm_write(type_at(slot->counter + 1u), (uint32_t)(port->saved_type[i] >> 32));
        }
        write_slot(slot, (uint32_t)port->saved_value[i]);
    }
    cm_write(PMU_CCNTR, (uint32_t)port->saved[SAVED_CYCLES]);
    cm_write(PMU_OVSCLR, (uint32_t)port->mask);
    cm_write(PMU_INTENSET, (uint32_t)port->saved[SAVED_INTERRUPTS]);
    cm_write(PMU_CNTENSET, (uint32_t)port->saved[SAVED_ENABLED]);
    cm_write(PMU_CTRL, (uint32_t)port->saved[SAVED_CTRL]);
    cm_write(DCB_DEMCR, (uint32_t)port->saved[SAVED_DEMCR]);
    cm_barrier();
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_CPUID, 0, SL_SPACE_MMIO, 0, SCB_CPUID},
    {SL_PORT_ID_ID_DFR0, 0, SL_SPACE_MMIO, 0, SCB_ID_DFR0},
    {SL_PORT_ID_DEMCR, 0, SL_SPACE_MMIO, 0, DCB_DEMCR},
    {SL_PORT_ID_PMU_TYPE, 0, SL_SPACE_MMIO, 0, PMU_TYPE},
    {SL_PORT_ID_PMU_DEVARCH, 0, SL_SPACE_MMIO, 0, PMU_DEVARCH},
    {SL_PORT_ID_AUTHSTATUS, 0, SL_SPACE_MMIO, 0, PMU_AUTHSTATUS},
};

static const uint8_t fixed_numbers[8] = {[SL_PORT_CYCLES] = 31};

const struct sl_port_ops sl_port_cortexm_pmu = {
    .name = "cortexm-pmu",
    .pmu = SL_PMU_ARM_M_PMU,
    .clock = SL_CLOCK_NONE,
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
    .now = sl_cm_no_time,
    .affinity = sl_cm_affinity,
};
