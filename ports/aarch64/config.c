/* SPDX-License-Identifier: Apache-2.0 */
/* Giving a group its counters, and giving them back. */
#include "aarch64.h"
#include "bits.h"
#include "counter.h"
#include "regs.h"

enum {
    SAVED_PMCR,
    SAVED_ENABLED,
    SAVED_INTERRUPTS,
    SAVED_CYCLE_FILTER,
    SAVED_INSTR_FILTER,
    SAVED_MDCR_EL2,
    SAVED_MDCR_EL3
};

/* PMCEID0/1 list events 0x0000-0x003f in their lower halves and 0x4000-0x403f in their upper ones (PMUv3p1). */
static bool implemented(const struct sl_port_caps *caps, uint64_t event)
{
    unsigned upper = event >= 0x4000 ? 32 : 0;
    uint64_t n = event - (upper != 0 ? 0x4000 : 0);
    if (n > 0x3f || (upper != 0 && DFR0_PMUVER(caps->id[SL_PORT_ID_DFR0]) < PMUVER_V3P1)) {
        return true; /* nobody lists these: an event's own table answers for it */
    }
    uint64_t list = caps->id[n < 32 ? SL_PORT_ID_PMCEID0 : SL_PORT_ID_PMCEID1];
    return (list >> (upper + (n & 31u)) & 1u) != 0;
}

static enum sl_status place_fixed(struct sl_port *port, const struct sl_port_caps *caps, unsigned i, unsigned fixed)
{
    if (fixed > SL_PORT_INSTRUCTIONS || (caps->fixed >> fixed & 1u) == 0) {
        port->why = SL_PORT_WHY_COUNTERS;
        return SL_E_EVENT;
    }
    port->slots[i] = (struct sl_port_slot){.width = 64, .fixed = (uint8_t)fixed};
    port->mask |= fixed == SL_PORT_CYCLES ? PM_CYCLE : PM_INSTR;
    return SL_OK;
}

/* Lowest free counter that can take the event; two from an even one on for a CHAIN pair. */
static enum sl_status place_event(struct sl_port *port, const struct sl_port_caps *caps, unsigned i,
                                  const struct sl_port_event *event, bool *plain)
{
    if (!implemented(caps, event->code & PMTYPER_EVENT)) {
        port->why = SL_PORT_WHY_PMCEID;
        return SL_E_EVENT;
    }
    bool chain = (event->flags & SL_PORT_WIDE) != 0 && (caps->can & SL_PORT_CAN_CHAIN) != 0;
    uint32_t need = chain ? 3 : 1, allowed = event->counters != 0 ? event->counters : UINT32_MAX;
    for (unsigned n = 0; n < 31; n += chain ? 2 : 1) {
        uint32_t bits = need << n;
        if ((bits & caps->counters) == bits && (port->mask & bits) == 0 && (allowed >> n & 1u) != 0) {
            uint8_t flags = (uint8_t)(event->flags | (chain ? SL_PORT_SLOT_CHAIN : 0));
            uint8_t width = chain ? 64 : caps->width;
            port->slots[i] =
                (struct sl_port_slot){.counter = (uint8_t)n, .width = width, .flags = flags, .period = event->period};
            port->mask |= bits;
            *plain = *plain && n == i && !chain && event->period == 0;
            return SL_OK;
        }
    }
    port->why = SL_PORT_WHY_COUNTERS;
    return SL_E_COUNTERS;
}

static enum sl_status place(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group)
{
    port->mask = 0;
    bool plain = true;
    port->programmed = 0;
    port->fixed_slot = 0;
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_event *event = &group->events[i];
        enum sl_status err = SL_E_ARGUMENT;
        if (event->fixed != SL_PORT_PROGRAMMABLE) {
            err = place_fixed(port, caps, i, event->fixed);
            port->fixed_slot = (uint8_t)(event->fixed == SL_PORT_CYCLES ? i + 1 : port->fixed_slot);
        } else if (port->programmed == i) {
            err = place_event(port, caps, i, event, &plain);
            port->programmed++;
        }
        if (err) {
            return err;
        }
    }
    /* What sl_a64_begin and sl_a64_end know: six counters, and only the cycle counter beside them. */
    port->gate.is.fast = port->mask != 0 && plain && port->programmed <= 6 && (port->mask & PM_INSTR) == 0;
    return SL_OK;
}

static void save(struct sl_port *port)
{
    uint64_t *saved = port->saved;
    saved[SAVED_PMCR] = a64_read_pmcr_el0();
    saved[SAVED_ENABLED] = a64_read_pmcntenset_el0();
    saved[SAVED_INTERRUPTS] = a64_read_pmintenset_el1();
    saved[SAVED_CYCLE_FILTER] = a64_read_pmccfiltr_el0();
    saved[SAVED_INSTR_FILTER] = port->mask & PM_INSTR ? a64_read_pmicfiltr_el0() : 0;
    saved[SAVED_MDCR_EL2] = port->level >= 2 ? a64_read_mdcr_el2() : 0;
    saved[SAVED_MDCR_EL3] = port->level == 3 ? a64_read_mdcr_el3() : 0;
}

/* The exception levels above EL1 say themselves whether they are counted. */
static void permit(const struct sl_port *port)
{
    const uint64_t *saved = port->saved;
    if (port->level >= 2) {
        /* HPMN = N: PMCR_EL0.E gates every counter, none is MDCR_EL2.HPME's. HPMD, HCCD = 0: EL2 is counted. */
        a64_write_mdcr_el2((saved[SAVED_MDCR_EL2] & ~(MDCR_EL2_HPMN | MDCR_EL2_HPMD | MDCR_EL2_HCCD)) |
                           PMCR_N(saved[SAVED_PMCR]));
    }
    if (port->level == 3) {
        /* SPME = 1, SCCD = 0: Secure state, which EL3 belongs to, is counted. */
        a64_write_mdcr_el3((saved[SAVED_MDCR_EL3] & ~MDCR_EL3_SCCD) | MDCR_EL3_SPME);
    }
    a64_isb();
}

/* A chain's odd counter counts the even one's overflows; its filter must let it, so it is the same. */
static void program(struct sl_port *port, const struct sl_port_event *events)
{
    /* EL1 and EL0 are counted with no filter bit set; EL2 asks for NSH. EL3 is counted where M equals P: both are 0. */
    uint64_t filter = port->level >= 2 ? PMTYPER_NSH : 0;
    for (unsigned i = 0; i < port->programmed; i++) {
        struct sl_port_slot *slot = &port->slots[i];
        unsigned n = slot->counter;
        port->saved_type[i] = sl_a64_read_type(n);
        port->saved_value[i] = sl_a64_read_counter(n);
        uint64_t first = slot->period != 0 ? 0 - (uint64_t)slot->period : 0;
        if (slot->flags & SL_PORT_SLOT_CHAIN) {
            /* The pair's event counters are 32 bits each: both fit one word. Of two types only the even one's matters
             * to others, and the odd one's fits above it. */
            port->saved_type[i] |= sl_a64_read_type(n + 1) << 32;
            port->saved_value[i] = (port->saved_value[i] & UINT32_MAX) | sl_a64_read_counter(n + 1) << 32;
            sl_a64_write_type(n + 1, EVENT_CHAIN | filter);
            sl_a64_write_counter(n + 1, first >> 32);
            first &= UINT32_MAX;
        } else if (slot->width == 32) {
            first &= UINT32_MAX;
        }
        sl_a64_write_type(n, events[i].code | filter);
        sl_a64_write_counter(n, first);
        port->last[i] = slot->period != 0 ? (uint64_t)slot->period - (slot->width == 32 ? UINT64_C(1) << 32 : 0) : 0;
    }
    if (port->mask & PM_CYCLE) {
        a64_write_pmccfiltr_el0(filter);
    }
    if (port->mask & PM_INSTR) {
        a64_write_pmicfiltr_el0(filter);
    }
}

static void start_fixed(struct sl_port *port)
{
    for (unsigned i = port->programmed; i < port->group->count; i++) {
        if (port->slots[i].fixed == SL_PORT_CYCLES) {
            port->saved_value[i] = a64_read_pmccntr_el0();
            a64_write_pmccntr_el0(0);
        } else {
            port->saved_value[i] = a64_read_pmicntr_el0();
            a64_write_pmicntr_el0(0);
        }
        port->last[i] = 0;
    }
}

static void restore_fixed(const struct sl_port *port)
{
    for (unsigned i = port->programmed; i < port->group->count; i++) {
        if (port->slots[i].fixed == SL_PORT_CYCLES) {
            a64_write_pmccntr_el0(port->saved_value[i]);
        } else {
            a64_write_pmicntr_el0(port->saved_value[i]);
        }
    }
}

static uint64_t interrupts(const struct sl_port *port)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < port->programmed; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if (slot->flags & SL_PORT_INTERRUPT) {
            mask |= UINT64_C(1) << (slot->counter + (slot->flags & SL_PORT_SLOT_CHAIN ? 1u : 0u));
        }
    }
    return mask;
}

enum sl_status sl_a64_config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    enum sl_status err = place(port, caps, group);
    if (err || group->count == 0) {
        return err;
    }
    save(port);
    uint64_t pmcr = port->saved[SAVED_PMCR];
    if ((pmcr & PMCR_E) != 0 && port->saved[SAVED_ENABLED] != 0 && (flags & SL_PORT_FORCE) == 0) {
        port->why = SL_PORT_WHY_PMCR_E;
        return SL_E_BUSY;
    }
    /* D = 0: cycles are not divided. LC: 64 bits of cycles; LP (PMUv3p5): 64 bits of events. */
    port->stop_word = (pmcr & (PMCR_X | PMCR_DP)) | PMCR_LC | (caps->can & SL_PORT_CAN_WIDE ? PMCR_LP : 0);
    port->start_word = port->stop_word | PMCR_E;
    a64_write_pmcr_el0(port->stop_word);
    a64_isb();
    permit(port);
    uint64_t all = caps->counters | PM_CYCLE | (caps->fixed >> SL_PORT_INSTRUCTIONS & 1u ? PM_INSTR : 0);
    a64_write_pmcntenclr_el0(all);
    a64_write_pmintenclr_el1(all);
    uint64_t selected = a64_read_pmselr_el0();
    program(port, group->events);
    a64_write_pmselr_el0(selected);
    start_fixed(port);
    a64_write_pmovsclr_el0(all); /* flags of before are nobody's: they would count as wraps */
    a64_isb();
    a64_write_pmintenset_el1(interrupts(port));
    a64_write_pmcntenset_el0(port->mask);
    a64_isb();
    return SL_OK;
}

void sl_a64_restore(struct sl_port *port)
{
    if (port->mask == 0) {
        return;
    }
    const uint64_t *saved = port->saved;
    a64_write_pmcntenclr_el0(port->mask);
    a64_write_pmintenclr_el1(port->mask);
    a64_isb();
    uint64_t selected = a64_read_pmselr_el0();
    for (unsigned i = 0; i < port->programmed; i++) {
        unsigned n = port->slots[i].counter;
        uint64_t type = port->saved_type[i], value = port->saved_value[i];
        if (port->slots[i].flags & SL_PORT_SLOT_CHAIN) {
            sl_a64_write_type(n + 1, type >> 32);
            sl_a64_write_counter(n + 1, value >> 32);
            type &= UINT32_MAX;
            value &= UINT32_MAX;
        }
        sl_a64_write_type(n, type);
        sl_a64_write_counter(n, value);
    }
    a64_write_pmselr_el0(selected);
    restore_fixed(port);
    a64_write_pmccfiltr_el0(saved[SAVED_CYCLE_FILTER]);
    if (port->mask & PM_INSTR) {
        a64_write_pmicfiltr_el0(saved[SAVED_INSTR_FILTER]);
    }
    a64_write_pmovsclr_el0(port->mask);
    if (port->level == 3) {
        a64_write_mdcr_el3(saved[SAVED_MDCR_EL3]);
    }
    if (port->level >= 2) {
        a64_write_mdcr_el2(saved[SAVED_MDCR_EL2]);
    }
    a64_write_pmintenset_el1(saved[SAVED_INTERRUPTS]);
    a64_write_pmcntenset_el0(saved[SAVED_ENABLED]);
    a64_write_pmcr_el0(saved[SAVED_PMCR]);
    a64_isb();
}
