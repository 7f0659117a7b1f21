/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V machine mode: mcycle, minstret and the programmable mhpmcounters; overflow interrupts with Sscofpmf. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "../common/rearm.h"
#include "regs.h"

#define HPM_ALL       UINT32_C(0xfffffff8)
#define EVENT_OF      (UINT64_C(1) << 63) /* Sscofpmf: overflow; an interrupt comes when it turns 1 */
#define EVENT_FILTERS (UINT64_C(0x1f) << 58)
/* Kept in sl_port.stop_word: mhpmevent<n>h exists. */
#define HIGH_HALF 1u

enum { SAVED_INHIBIT, SAVED_MIE };

static void note(struct sl_port_caps *caps, unsigned id, uint64_t value)
{
    caps->id[id] = value;
    caps->id_known = (uint16_t)(caps->id_known | 1u << id);
}

/* A counter exists if it keeps what is written to it. The largest value tells its width; then the old one is put back.
 */
static unsigned width_of(unsigned n)
{
    uint64_t old = sl_rv_read_hpm(n);
    sl_rv_write_hpm(n, UINT64_MAX);
    uint64_t kept = sl_rv_read_hpm(n);
    sl_rv_write_hpm(n, old);
    return kept != 0 ? sl_msb64(kept) + 1 : 0;
}

static void probe_hpm(struct sl_port_caps *caps)
{
    rv_word inhibit = 0, ignored;
    if (RV_TRY_READ(CSR_MCOUNTINHIBIT, &inhibit)) {
        caps->can |= SL_PORT_CAN_STOP;
        RV_WRITE(CSR_MCOUNTINHIBIT, inhibit | HPM_ALL); /* or their reading back would show them counting */
    } else {
        caps->why = SL_PORT_WHY_NO_INHIBIT;
    }
    for (unsigned n = 3; n < 32; n++) {
        unsigned width = sl_rv_has_hpm(n) ? width_of(n) : 0;
        if (width != 0) {
            caps->counters |= UINT32_C(1) << n;
            caps->width = (uint8_t)(caps->width == 0 || width < caps->width ? width : caps->width);
        }
    }
    if (caps->can & SL_PORT_CAN_STOP) {
        RV_WRITE(CSR_MCOUNTINHIBIT, inhibit);
    }
    if (caps->counters == 0) {
        caps->why = SL_PORT_WHY_NO_HPM;
    } else if (RV_TRY_READ(CSR_SCOUNTOVF, &ignored)) {
        caps->can |= SL_PORT_CAN_INTERRUPT;
    }
}

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    *caps = (struct sl_port_caps){.arch = RV_XLEN == 32 ? SL_PORT_RV32 : SL_PORT_RV64, .level = 3};
    struct sl_rv_guard guard;
    rv_word ignored;
    if (flags & SL_PORT_GUARD) {
        sl_rv_guard_begin(&guard, false);
    }
    note(caps, SL_PORT_ID_MVENDORID, RV_READ(CSR_MVENDORID));
    note(caps, SL_PORT_ID_MARCHID, RV_READ(CSR_MARCHID));
    note(caps, SL_PORT_ID_MIMPID, RV_READ(CSR_MIMPID));
    note(caps, SL_PORT_ID_MISA, RV_READ(CSR_MISA));
    caps->affinity = RV_READ(CSR_MHARTID);
    caps->fixed = 1u << SL_PORT_CYCLES | 1u << SL_PORT_INSTRUCTIONS;
    caps->fixed_width = 64;
    caps->can = SL_PORT_CAN_COUNT;
    if (RV_TRY_READ(CSR_TIME, &ignored)) {
        caps->can |= SL_PORT_CAN_TIME;
    }
    probe_hpm(caps);
    note(caps, SL_PORT_ID_HPM_MASK, caps->counters);
    if (caps->width == 64) {
        caps->can |= SL_PORT_CAN_WIDE;
    }
    if (flags & SL_PORT_GUARD) {
        sl_rv_guard_end(&guard);
    }
    return SL_OK;
}

static enum sl_status place(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group)
{
    port->mask = 0;
    port->programmed = 0;
    port->fixed_slot = 0;
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_event *event = &group->events[i];
        uint32_t free = caps->counters & ~(uint32_t)port->mask & (event->counters != 0 ? event->counters : UINT32_MAX);
        unsigned n;
        if (event->fixed == SL_PORT_CYCLES || event->fixed == SL_PORT_INSTRUCTIONS) {
            n = event->fixed == SL_PORT_CYCLES ? 0 : 2;
        } else if (event->fixed != SL_PORT_PROGRAMMABLE) {
            port->why = SL_PORT_WHY_COUNTERS;
            return SL_E_EVENT;
        } else if (port->programmed != i || (event->period != 0 && caps->width != 64)) {
            return SL_E_ARGUMENT; /* without all 64 bits nothing tells where the counter began */
        } else if (free == 0) {
            port->why = SL_PORT_WHY_COUNTERS;
            return SL_E_COUNTERS;
        } else {
            n = sl_ctz64(free);
            port->programmed++;
        }
        port->slots[i] = (struct sl_port_slot){.counter = (uint8_t)n,
                                               .width = event->fixed ? 64 : caps->width,
                                               .fixed = event->fixed,
                                               .flags = event->flags,
                                               .period = event->period};
        port->mask |= UINT64_C(1) << n;
    }
    return SL_OK;
}

static bool busy(const struct sl_port *port)
{
    uint32_t running = (port->can & SL_PORT_CAN_STOP) ? ~(uint32_t)port->saved[SAVED_INHIBIT] : UINT32_MAX;
    for (unsigned i = 0; i < port->programmed; i++) {
        unsigned n = port->slots[i].counter;
        if ((running >> n & 1u) != 0 && (sl_rv_read_event(n, false) & ~(EVENT_OF | EVENT_FILTERS)) != 0) {
            return true;
        }
    }
    return false;
}

/* Counters run from config to restore and regions take differences: a CSR is read in one instruction, each counter's
 * window is as long as the others', and mcycle and minstret, which others may use for time, never stand still.
 * (QEMU 7.2 lets inhibited counters run on unseen, too.) */
static void nothing(struct sl_port *port)
{
    (void)port;
}

static void inhibit(const struct sl_port *port, rv_word mask)
{
    if (port->can & SL_PORT_CAN_STOP) {
        RV_WRITE(CSR_MCOUNTINHIBIT, mask);
    }
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    enum sl_status err = place(port, caps, group);
    if (err) {
        return err;
    }
    port->saved[SAVED_INHIBIT] = (caps->can & SL_PORT_CAN_STOP) ? RV_READ(CSR_MCOUNTINHIBIT) : 0;
    port->saved[SAVED_MIE] = RV_READ(CSR_MIE);
    if ((flags & SL_PORT_FORCE) == 0 && busy(port)) {
        port->why = SL_PORT_WHY_HPM_BUSY;
        return SL_E_BUSY;
    }
    bool high = RV_XLEN == 32 && (caps->can & SL_PORT_CAN_INTERRUPT) != 0, interrupt = false;
    port->stop_word = high ? HIGH_HALF : 0;
    inhibit(port, (rv_word)(port->saved[SAVED_INHIBIT] | (port->mask & HPM_ALL)));
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        port->saved_type[i] = sl_rv_read_event(slot->counter, high);
        port->saved_value[i] = sl_rv_read_hpm(slot->counter);
        /* 0 first: an event select that maps to another counter (QEMU's do) lets go of it. */
        sl_rv_write_event(slot->counter, 0, high);
        sl_rv_write_event(slot->counter, group->events[i].code & ~EVENT_OF, high);
        sl_rv_write_hpm(slot->counter, 0 - (uint64_t)slot->period);
        port->last[i] = slot->period;
        interrupt = interrupt || (slot->flags & SL_PORT_INTERRUPT) != 0;
    }
    if (interrupt && (caps->can & SL_PORT_CAN_INTERRUPT) != 0) {
        RV_CLEAR(CSR_MIP, IRQ_LCOFI); /* one of before is nobody's */
        RV_SET(CSR_MIE, IRQ_LCOFI);
    }
    inhibit(port, (rv_word)(port->saved[SAVED_INHIBIT] & ~port->mask)); /* one write starts all */
    for (unsigned i = port->programmed; i < group->count; i++) {
        port->last[i] = 0 - sl_rv_read_hpm(port->slots[i].counter);
    }
    return SL_OK;
}

static void read_all(struct sl_port *port, uint64_t *values)
{
    uint32_t seen;
    do {
        seen = port->overflows;
        for (unsigned i = 0; i < port->group->count; i++) {
            const struct sl_port_slot *slot = &port->slots[i];
            uint64_t raw = sl_rv_read_hpm(slot->counter);
            if (slot->width < 64) {
                /* Narrow ones began at 0, so `last` is their count so far, and at most one wrap has come since. */
                uint64_t mask = (UINT64_C(1) << slot->width) - 1;
                port->last[i] += (raw - port->last[i]) & mask;
                values[i] = port->last[i];
            } else {
                values[i] = raw + port->last[i];
            }
        }
    } while (seen != port->overflows);
}

/* Stop, ask, arm, then clear the pending bit: one that comes in between is not lost. OF is asked for where it is kept:
 * scountovf shows only what mcounteren lets supervisor mode see. */
static uint32_t overflow_isr(struct sl_port *port)
{
    rv_word running = RV_READ(CSR_MCOUNTINHIBIT);
    RV_WRITE(CSR_MCOUNTINHIBIT, running | (rv_word)(port->mask & HPM_ALL));
    uint32_t hit = 0;
    bool high = port->stop_word == HIGH_HALF;
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if ((sl_rv_read_event(slot->counter, high) & EVENT_OF) == 0) {
            continue;
        }
        hit |= 1u << i;
        sl_rv_write_event(slot->counter, port->group->events[i].code & ~EVENT_OF, high);
        uint64_t raw = sl_rv_read_hpm(slot->counter), next = sl_port_rearm(raw, slot->period);
        sl_rv_write_hpm(slot->counter, next);
        port->last[i] += raw - next;
    }
    port->overflows++;
    RV_CLEAR(CSR_MIP, IRQ_LCOFI);
    RV_WRITE(CSR_MCOUNTINHIBIT, running);
    return hit;
}

static void restore(struct sl_port *port)
{
    bool high = port->stop_word == HIGH_HALF;
    inhibit(port, (rv_word)(port->saved[SAVED_INHIBIT] | (port->mask & HPM_ALL)));
    for (unsigned i = 0; i < port->programmed; i++) {
        unsigned n = port->slots[i].counter;
        sl_rv_write_event(n, port->saved_type[i], high);
        sl_rv_write_hpm(n, port->saved_value[i]);
    }
    if ((port->saved[SAVED_MIE] & IRQ_LCOFI) == 0) {
        RV_CLEAR(CSR_MIE, IRQ_LCOFI);
    }
    if (port->can & SL_PORT_CAN_INTERRUPT) {
        RV_CLEAR(CSR_MIP, IRQ_LCOFI); /* what our counters have left */
    }
    inhibit(port, (rv_word)port->saved[SAVED_INHIBIT]);
}

static uint64_t now(struct sl_port *port)
{
    return port->can & SL_PORT_CAN_TIME ? sl_rv_read_user(1) : 0;
}

static uint64_t affinity(void)
{
    return RV_READ(CSR_MHARTID);
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_MVENDORID, 0, SL_SPACE_CSR, 0, CSR_MVENDORID},
    {SL_PORT_ID_MARCHID, 0, SL_SPACE_CSR, 0, CSR_MARCHID},
    {SL_PORT_ID_MIMPID, 0, SL_SPACE_CSR, 0, CSR_MIMPID},
    {SL_PORT_ID_MISA, 0, SL_SPACE_CSR, 0, CSR_MISA},
};

static const uint8_t fixed_numbers[8] = {[SL_PORT_CYCLES] = 0, [SL_PORT_INSTRUCTIONS] = 2};

const struct sl_port_ops sl_port_riscv_machine = {
    .name = "riscv-machine",
    .pmu = SL_PMU_RISCV_HPM,
    .clock = SL_CLOCK_RISCV_TIME,
    .n_registers = sizeof registers / sizeof registers[0],
    .wide_registers = 1,
    .registers = registers,
    .fixed_numbers = fixed_numbers,
    .probe = probe,
    .config = config,
    .start = nothing,
    .stop = nothing,
    .read = read_all,
    .overflow_isr = overflow_isr,
    .restore = restore,
    .begin = sl_region_begin_any,
    .end = sl_region_end_any,
    .now = now,
    .affinity = affinity,
};
