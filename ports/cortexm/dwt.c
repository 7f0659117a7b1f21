/* SPDX-License-Identifier: Apache-2.0 */
/* The Data Watchpoint and Trace unit: a 32-bit cycle counter and five 8-bit profiling counters.
 *
 * An 8-bit counter counts at most one a cycle, so it is exact while less than 256 cycles pass between two readings; no
 * flag tells of more. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "cortexm.h"
#include "regs.h"

enum { SAVED_DEMCR, SAVED_CTRL, SAVED_CYCLES, LAST_CYCLES };

/* Enough work for a counter to move. */
static bool moves(void)
{
    uint32_t before = cm_read(DWT_CYCCNT);
    for (unsigned i = 0; i < 16; i++) {
        cm_barrier();
    }
    return cm_read(DWT_CYCCNT) != before;
}

static void unlock(void)
{
    /* Cortex-M7 locks the DWT against software; a core without a lock reads 0 here. */
    if (cm_read(DWT_LSR) & DWT_LSR_LOCKED) {
        cm_write(DWT_LAR, DWT_LAR_KEY);
    }
}

static enum sl_port_why probe_cycles(uint32_t ctrl)
{
    if (ctrl & DWT_NOCYCCNT) {
        return SL_PORT_WHY_NOCYCCNT;
    }
    unlock();
    cm_write(DWT_CTRL, ctrl | DWT_CYCCNTENA);
    cm_barrier();
    bool alive = moves();
    cm_write(DWT_CTRL, ctrl);
    return alive ? SL_PORT_WHY_NOTHING : SL_PORT_WHY_STUCK;
}

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    (void)flags;
    uint32_t demcr = sl_cm_identify(caps), ctrl = cm_read(DWT_CTRL);
    sl_cm_note(caps, SL_PORT_ID_DWT_CTRL, ctrl);
    enum sl_port_why why = SL_PORT_WHY_TRCENA;
    if (caps->id[SL_PORT_ID_DEMCR] & DEMCR_TRCENA) {
        why = probe_cycles(ctrl);
    }
    cm_write(DCB_DEMCR, demcr);
    caps->why = (uint8_t)why;
    if (why != SL_PORT_WHY_NOTHING) {
        return SL_E_ABSENT;
    }
    caps->fixed = 1u << SL_PORT_CYCLES;
    caps->fixed_width = 32;
    caps->can = SL_PORT_CAN_COUNT | SL_PORT_CAN_STOP;
    if (ctrl & DWT_NOPRFCNT) {
        caps->why = SL_PORT_WHY_NOPRFCNT;
    } else {
        caps->fixed |= 31u << SL_PORT_DWT_CPI;
    }
    return SL_OK;
}

static uint32_t address_of(const struct sl_port_slot *slot)
{
    return slot->fixed == SL_PORT_CYCLES ? DWT_CYCCNT : DWT_CPICNT + 4u * (slot->fixed - SL_PORT_DWT_CPI);
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    port->mask = 0;
    for (unsigned i = 0; i < group->count; i++) {
        unsigned fixed = group->events[i].fixed;
        if (fixed == SL_PORT_PROGRAMMABLE || fixed > SL_PORT_DWT_FOLD || (caps->fixed >> fixed & 1u) == 0) {
            port->why = fixed >= SL_PORT_DWT_CPI ? SL_PORT_WHY_NOPRFCNT : SL_PORT_WHY_COUNTERS;
            return fixed == SL_PORT_PROGRAMMABLE ? SL_E_COUNTERS : SL_E_EVENT;
        }
        port->slots[i] = (struct sl_port_slot){.fixed = (uint8_t)fixed, .width = fixed == SL_PORT_CYCLES ? 32 : 8};
        port->mask |= fixed == SL_PORT_CYCLES ? 0 : UINT64_C(1) << (DWT_EVENTS_SHIFT + fixed - SL_PORT_DWT_CPI);
    }
    if (group->count == 0) {
        return SL_OK;
    }
    uint32_t demcr = cm_read(DCB_DEMCR);
    cm_write(DCB_DEMCR, demcr | DEMCR_TRCENA);
    cm_barrier();
    uint32_t ctrl = cm_read(DWT_CTRL);
    if ((ctrl & (DWT_CYCCNTENA | DWT_EVENTS)) != 0 && (flags & SL_PORT_FORCE) == 0) {
        cm_write(DCB_DEMCR, demcr);
        port->why = SL_PORT_WHY_DWT_BUSY;
        return SL_E_BUSY;
    }
    unlock();
    port->saved[SAVED_DEMCR] = demcr;
    port->saved[SAVED_CTRL] = ctrl;
    port->saved[SAVED_CYCLES] = cm_read(DWT_CYCCNT);
    /* The cycle counter runs even if nobody asked: it tells whether the 8-bit ones can be trusted. */
    port->stop_word = ctrl & ~(DWT_CYCCNTENA | DWT_EVENTS);
    port->start_word = port->stop_word | DWT_CYCCNTENA | port->mask;
    port->mask |= DWT_CYCCNTENA;
    cm_write(DWT_CTRL, (uint32_t)port->stop_word);
    cm_write(DWT_CYCCNT, 0);
    port->saved[LAST_CYCLES] = 0;
    for (unsigned i = 0; i < group->count; i++) {
        if (port->slots[i].width == 8) {
            port->saved_value[i] = cm_read(address_of(&port->slots[i]));
            cm_write(address_of(&port->slots[i]), 0);
        }
        port->last[i] = 0;
    }
    cm_barrier();
    return SL_OK;
}

static void start(struct sl_port *port)
{
    if (port->mask != 0) {
        cm_write(DWT_CTRL, (uint32_t)port->start_word);
        cm_barrier();
    }
}

static void stop(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    uint32_t ctrl = cm_read(DWT_CTRL);
    cm_write(DWT_CTRL, (uint32_t)port->stop_word);
    cm_barrier();
    if (port->gate.is.depth != 0 && (ctrl & DWT_CYCCNTENA) == 0) {
        port->quality |= SL_PORT_Q_LOST;
    }
}

/* All counters began at 0, so `last` is each one's count so far and its lower bits what it read last. */
static void read_all(struct sl_port *port, uint64_t *values)
{
    if (port->mask == 0) {
        return;
    }
    uint32_t cycles = cm_read(DWT_CYCCNT), passed = cycles - (uint32_t)port->saved[LAST_CYCLES];
    port->saved[LAST_CYCLES] = cycles;
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if (slot->width == 32) {
            port->last[i] += passed;
        } else {
            port->last[i] += (cm_read(address_of(slot)) - (uint32_t)port->last[i]) & 0xffu;
            port->quality |= passed >= 256 ? SL_PORT_Q_AMBIGUOUS : 0;
        }
        values[i] = port->last[i];
    }
}

static void restore(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    for (unsigned i = 0; i < port->group->count; i++) {
        if (port->slots[i].width == 8) {
            cm_write(address_of(&port->slots[i]), (uint32_t)port->saved_value[i]);
        }
    }
    cm_write(DWT_CYCCNT, (uint32_t)port->saved[SAVED_CYCLES]);
    cm_write(DWT_CTRL, (uint32_t)port->saved[SAVED_CTRL]);
    cm_write(DCB_DEMCR, (uint32_t)port->saved[SAVED_DEMCR]);
    cm_barrier();
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_CPUID, 0, SL_SPACE_MMIO, 0, SCB_CPUID},
    {SL_PORT_ID_ID_DFR0, 0, SL_SPACE_MMIO, 0, SCB_ID_DFR0},
    {SL_PORT_ID_DEMCR, 0, SL_SPACE_MMIO, 0, DCB_DEMCR},
    {SL_PORT_ID_DWT_CTRL, 0, SL_SPACE_MMIO, 0, DWT_CTRL},
};

static const uint8_t fixed_numbers[8] = {[SL_PORT_CYCLES] = 31};

const struct sl_port_ops sl_port_cortexm_dwt = {
    .name = "cortexm-dwt",
    .pmu = SL_PMU_ARM_DWT,
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
    .restore = restore,
    .begin = sl_region_begin_any,
    .end = sl_region_end_any,
    .now = sl_cm_no_time,
    .affinity = sl_cm_affinity,
};
