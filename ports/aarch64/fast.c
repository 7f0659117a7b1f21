/* SPDX-License-Identifier: Apache-2.0 */
/* Begin and end of the common case in as few instructions as it takes: up to six counters and the cycle counter, no
 * region open, nothing wrapped so far.
 *
 * Begin sets the counters to 0, so that end only adds what they hold. Regions that open inside this one take the long
 * way, and find counters that run on. */
#include "aarch64.h"
#include "bits.h"
#include "regs.h"

/* Gates of a port at rest and of one whose only region is open (union sl_port_gate, little-endian). */
#define GATE_REST ((uint32_t)SL_PORT_READY << 16 | UINT32_C(1) << 24)
#define GATE_OPEN (GATE_REST | UINT32_C(1) << 8)
#define GATE_BUSY (GATE_OPEN | 1u)

/* Six counters are what most cores have: they go straight through. */
static inline void clear_counters(unsigned n)
{
    if (n == 6) {
        a64_write_pmevcntr0(0);
        a64_write_pmevcntr1(0);
        a64_write_pmevcntr2(0);
        a64_write_pmevcntr3(0);
        a64_write_pmevcntr4(0);
        a64_write_pmevcntr5(0);
        return;
    }
    switch (n) {
    case 5:
        a64_write_pmevcntr4(0); /* fall through */
    case 4:
        a64_write_pmevcntr3(0); /* fall through */
    case 3:
        a64_write_pmevcntr2(0); /* fall through */
    case 2:
        a64_write_pmevcntr1(0); /* fall through */
    case 1:
        a64_write_pmevcntr0(0); /* fall through */
    default:
        break;
    }
}

static inline void add_counters(unsigned n, uint64_t *sums)
{
    if (n == 6) {
        uint64_t a = a64_read_pmevcntr0(), b = a64_read_pmevcntr1(), c = a64_read_pmevcntr2();
        uint64_t d = a64_read_pmevcntr3(), e = a64_read_pmevcntr4(), f = a64_read_pmevcntr5();
        sums[0] += a;
        sums[1] += b;
        sums[2] += c;
        sums[3] += d;
        sums[4] += e;
        sums[5] += f;
        return;
    }
    switch (n) {
    case 5:
        sums[4] += a64_read_pmevcntr4(); /* fall through */
    case 4:
        sums[3] += a64_read_pmevcntr3(); /* fall through */
    case 3:
        sums[2] += a64_read_pmevcntr2(); /* fall through */
    case 2:
        sums[1] += a64_read_pmevcntr1(); /* fall through */
    case 1:
        sums[0] += a64_read_pmevcntr0(); /* fall through */
    default:
        break;
    }
}

void sl_a64_begin(struct sl_port *port, struct sl_region *region)
{
    if (port->gate.word != GATE_REST || region->open) {
        sl_region_begin_any(port, region);
        return;
    }
    port->gate.word = GATE_BUSY;
    uint64_t now = a64_read_cntvct_el0();
    region->ticks -= now;
    if (region->count == 0) {
        region->first_ticks = now;
    }
    region->open = 1;
    clear_counters(port->programmed);
    if (port->fixed_slot != 0) {
        a64_write_pmccntr_el0(0);
    }
    port->gate.word = GATE_OPEN;
    a64_write_pmcr_el0(port->start_word);
    a64_isb();
}

void sl_a64_end(struct sl_port *port, struct sl_region *region)
{
    if (port->gate.word != GATE_OPEN || !region->open) {
        sl_region_end_any(port, region);
        return;
    }
    a64_isb();
    uint64_t pmcr = a64_read_pmcr_el0();
    a64_write_pmcr_el0(port->stop_word);
    a64_isb();
    /* A flag means that a counter has wrapped or lost its owner: the long way looks into it. */
    if ((pmcr & PMCR_E) == 0 || (a64_read_pmovsclr_el0() & port->mask) != 0) {
        port->quality |= (pmcr & PMCR_E) == 0 ? SL_PORT_Q_LOST : 0;
        sl_region_end_stopped(port, region);
        return;
    }
    port->gate.word = GATE_BUSY;
    uint64_t now = a64_read_cntvct_el0();
    uint64_t *sums = region->sums;
    add_counters(port->programmed, sums);
    unsigned fixed_slot = port->fixed_slot;
    if (fixed_slot != 0) {
        sums[fixed_slot - 1u] += a64_read_pmccntr_el0();
    }
    region->ticks += now;
    region->last_ticks = now;
    region->count++;
    region->open = 0;
    port->gate.word = GATE_REST;
}
