/* SPDX-License-Identifier: Apache-2.0 */
/* The AArch64 port: start, stop, read, and the overflow interrupt. */
#include <slotledger/capture.h>

#include "../common/rearm.h"
#include "aarch64.h"
#include "bits.h"
#include "counter.h"
#include "regs.h"

/* The ISB keeps what comes before the region from being counted late, and the write from taking effect late. */
static void start(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    a64_write_pmcr_el0(port->start_word);
    a64_isb();
}

static void stop(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    a64_isb();
    uint64_t pmcr = a64_read_pmcr_el0();
    a64_write_pmcr_el0(port->stop_word);
    a64_isb();
    if (port->gate.is.depth != 0 && (pmcr & PMCR_E) == 0) {
        port->quality |= SL_PORT_Q_LOST;
    }
}

/* The enable and overflow bit of a slot; a chain overflows where its odd counter does. */
static uint64_t overflow_bit(const struct sl_port_slot *slot)
{
    if (slot->fixed != SL_PORT_PROGRAMMABLE) {
        return slot->fixed == SL_PORT_CYCLES ? PM_CYCLE : PM_INSTR;
    }
    return UINT64_C(1) << (slot->counter + (slot->flags & SL_PORT_SLOT_CHAIN ? 1u : 0u));
}

/* What one wrap is worth; a 64-bit counter's is worth nothing, since sums are 64 bits, too. */
static uint64_t wrap_of(const struct sl_port_slot *slot)
{
    return slot->width == 32 ? UINT64_C(1) << 32 : 0;
}

static uint64_t read_slot(const struct sl_port_slot *slot)
{
    if (slot->fixed != SL_PORT_PROGRAMMABLE) {
        return slot->fixed == SL_PORT_CYCLES ? a64_read_pmccntr_el0() : a64_read_pmicntr_el0();
    }
    uint64_t low = sl_a64_read_counter(slot->counter);
    if (slot->flags & SL_PORT_SLOT_CHAIN) {
        uint64_t high = sl_a64_read_counter(slot->counter + 1u), again;
        while (low = sl_a64_read_counter(slot->counter), (again = sl_a64_read_counter(slot->counter + 1u)) != high) {
            high = again;
        }
        return high << 32 | (low & UINT32_MAX);
    }
    /* PMUv3p5 counts 64 bits whatever LP says; below it the upper half reads as 0. */
    return low & (slot->width == 32 ? UINT64_C(0xffffffff) : UINT64_MAX);
}

/* Overflow flags that no interrupt has taken. Where one will come, it will also clear the flag: the wrap is added for
 * this reading only. Where none will, the flag is taken here; more than one wrap looks the same. */
static void settle(struct sl_port *port, uint64_t *values, uint64_t pending)
{
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        uint64_t bit = overflow_bit(slot);
        if ((pending & bit) == 0) {
            continue;
        }
        if (slot->flags & SL_PORT_INTERRUPT) {
            values[i] += wrap_of(slot);
            continue;
        }
        a64_write_pmovsclr_el0(bit);
        port->gate.is.fast = 0; /* from now on `last` matters */
        if (slot->fixed == SL_PORT_PROGRAMMABLE && slot->width == 32) {
            port->last[i] += wrap_of(slot);
            port->quality |= SL_PORT_Q_WRAPPED;
        }
    }
}

/* An interrupt between the reads moves counts from a counter to `last`: it is noticed, and all is read again. */
void sl_a64_read(struct sl_port *port, uint64_t *values)
{
    if (port->mask == 0) {
        return;
    }
    unsigned count = port->group->count;
    uint64_t pending;
    uint32_t seen;
    do {
        seen = port->overflows;
        for (unsigned i = 0; i < count; i++) {
            values[i] = read_slot(&port->slots[i]);
        }
        pending = a64_read_pmovsclr_el0() & port->mask;
    } while (seen != port->overflows);
    if (pending != 0) {
        settle(port, values, pending);
    }
    for (unsigned i = 0; i < count; i++) {
        values[i] += port->last[i];
    }
}

uint32_t sl_a64_overflow_isr(struct sl_port *port)
{
    uint64_t pmcr = a64_read_pmcr_el0(), flags = a64_read_pmovsclr_el0() & port->mask;
    uint32_t hit = 0;
    a64_write_pmcr_el0(port->stop_word); /* nothing counts while counters are set anew */
    a64_isb();
    /* The flags go before the end of the interrupt: it is level sensitive and would come again. */
    a64_write_pmovsclr_el0(flags);
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if ((flags & overflow_bit(slot)) == 0) {
            continue;
        }
        hit |= 1u << i;
        if (slot->period == 0 || i >= port->programmed) {
            port->last[i] += wrap_of(slot);
            continue;
        }
        uint64_t raw = read_slot(slot), next = sl_port_rearm(raw, slot->period);
        next &= slot->width == 32 ? UINT64_C(0xffffffff) : UINT64_MAX;
        if (slot->flags & SL_PORT_SLOT_CHAIN) {
            sl_a64_write_counter(slot->counter + 1u, next >> 32);
            sl_a64_write_counter(slot->counter, next & UINT32_MAX);
        } else {
            sl_a64_write_counter(slot->counter, next);
        }
        port->last[i] += raw + wrap_of(slot) - next;
    }
    port->overflows++;
    port->gate.is.fast = 0; /* from now on `last` matters */
    a64_isb();
    a64_write_pmcr_el0(pmcr);
    a64_isb();
    return hit;
}

static uint64_t now(struct sl_port *port)
{
    (void)port;
    return a64_read_cntvct_el0();
}

static uint64_t affinity(void)
{
    return a64_read_mpidr_el1() & UINT64_C(0xff00ffffff);
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_MIDR, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0)},
    {SL_PORT_ID_REVIDR, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 6)},
    {SL_PORT_ID_DFR0, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 5, 0)},
    {SL_PORT_ID_DFR1, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 5, 1)},
    {SL_PORT_ID_PMCR, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 3, 9, 12, 0)},
    {SL_PORT_ID_PMCEID0, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 3, 9, 12, 6)},
    {SL_PORT_ID_PMCEID1, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 3, 9, 12, 7)},
    {SL_PORT_ID_PMMIR, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 9, 14, 6)},
    {SL_PORT_ID_MDCR_EL2, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 4, 1, 1, 1)},
    {SL_PORT_ID_MDCR_EL3, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 6, 1, 3, 1)},
    {SL_PORT_ID_PMSIDR, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 9, 9, 7)},
    {SL_PORT_ID_PMBIDR, 0, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 9, 10, 7)},
};

/* As PMCNTENSET_EL0 numbers them. */
static const uint8_t fixed_numbers[8] = {[SL_PORT_CYCLES] = 31, [SL_PORT_INSTRUCTIONS] = 32};

const struct sl_port_ops sl_port_aarch64 = {
    .name = "aarch64",
    .pmu = SL_PMU_ARM_PMUV3,
    .clock = SL_CLOCK_CNTVCT,
    .n_registers = sizeof registers / sizeof registers[0],
    .wide_registers = 1,
    .registers = registers,
    .fixed_numbers = fixed_numbers,
    .probe = sl_a64_probe,
    .config = sl_a64_config,
    .start = start,
    .stop = stop,
    .read = sl_a64_read,
    .overflow_isr = sl_a64_overflow_isr,
    .restore = sl_a64_restore,
    .begin = sl_a64_begin,
    .end = sl_a64_end,
    .now = now,
    .affinity = affinity,
};

#ifndef SL_PORT_FAKE
const struct sl_port_ops *const sl_port_all[] = {&sl_port_aarch64, NULL};
#endif
