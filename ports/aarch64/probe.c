/* SPDX-License-Identifier: Apache-2.0 */
/* What the core's identification registers promise at this exception level. */
#include "aarch64.h"
#include "bits.h"
#include "counter.h"
#include "regs.h"

static void note(struct sl_port_caps *caps, unsigned id, uint64_t value)
{
    caps->id[id] = value;
    caps->id_known = (uint16_t)(caps->id_known | 1u << id);
}

static void probe_spe(struct sl_port_caps *caps)
{
    if (DFR0_PMSVER(caps->id[SL_PORT_ID_DFR0]) == 0) {
        return;
    }
    /* PMBIDR_EL1 is there to be asked: it is not trapped by those who own the buffer. PMSIDR_EL1 may be. */
    uint64_t pmbidr = a64_read_pmbidr_el1();
    note(caps, SL_PORT_ID_PMBIDR, pmbidr);
    if ((pmbidr & PMBIDR_P) == 0) {
        note(caps, SL_PORT_ID_PMSIDR, a64_read_pmsidr_el1());
        caps->can |= SL_PORT_CAN_SPE;
    }
}

static void probe_counters(struct sl_port_caps *caps, unsigned pmuver, uint64_t pmcr)
{
    note(caps, SL_PORT_ID_PMCR, pmcr);
    note(caps, SL_PORT_ID_PMCEID0, a64_read_pmceid0_el0());
    note(caps, SL_PORT_ID_PMCEID1, a64_read_pmceid1_el0());
    if (pmuver >= PMUVER_V3P4) {
        note(caps, SL_PORT_ID_PMMIR, a64_read_pmmir_el1());
        caps->slots = (uint8_t)caps->id[SL_PORT_ID_PMMIR];
    }
    caps->counters = (UINT32_C(1) << PMCR_N(pmcr)) - 1;
    caps->width = pmuver >= PMUVER_V3P5 ? 64 : 32;
    caps->fixed_width = 64;
    caps->fixed = 1u << SL_PORT_CYCLES;
    if (DFR1_PMICNTR(caps->id[SL_PORT_ID_DFR1]) != 0) {
        caps->fixed |= 1u << SL_PORT_INSTRUCTIONS;
    }
    caps->can |= SL_PORT_CAN_COUNT | SL_PORT_CAN_INTERRUPT | SL_PORT_CAN_STOP | SL_PORT_CAN_TELL_EVENT;
    if (pmuver >= PMUVER_V3P5) {
        caps->can |= SL_PORT_CAN_WIDE;
    } else if (caps->id[SL_PORT_ID_PMCEID0] >> EVENT_CHAIN & 1u) {
        caps->can |= SL_PORT_CAN_CHAIN;
    }
    if (caps->counters == 0) {
        caps->why = SL_PORT_WHY_HPMN_0;
    }
}

enum sl_status sl_a64_probe(struct sl_port_caps *caps, uint32_t flags)
{
    *caps = (struct sl_port_caps){.arch = SL_PORT_AARCH64, .level = (uint8_t)a64_current_el()};
    note(caps, SL_PORT_ID_MIDR, a64_read_midr_el1());
    note(caps, SL_PORT_ID_REVIDR, a64_read_revidr_el1());
    note(caps, SL_PORT_ID_DFR0, a64_read_id_aa64dfr0_el1());
    note(caps, SL_PORT_ID_DFR1, a64_read_id_aa64dfr1_el1());
    caps->affinity = a64_read_mpidr_el1() & UINT64_C(0xff00ffffff);
    caps->time_hz = a64_read_cntfrq_el0();
    caps->can = SL_PORT_CAN_TIME;
    if (caps->level >= 2) {
        note(caps, SL_PORT_ID_MDCR_EL2, a64_read_mdcr_el2());
    }
    if (caps->level == 3) {
        note(caps, SL_PORT_ID_MDCR_EL3, a64_read_mdcr_el3());
    }
    probe_spe(caps);
    unsigned pmuver = DFR0_PMUVER(caps->id[SL_PORT_ID_DFR0]);
    if (pmuver == 0 || pmuver == PMUVER_IMPDEF) {
        caps->why = pmuver == 0 ? SL_PORT_WHY_PMUVER_0 : SL_PORT_WHY_PMUVER_IMPDEF;
        return SL_E_ABSENT;
    }
    uint64_t pmcr;
    if (flags & SL_PORT_GUARD) {
        if (sl_a64_guarded_pmcr(&pmcr) != 0) {
            caps->why = SL_PORT_WHY_TPM;
            return SL_E_DENIED;
        }
    } else {
        pmcr = a64_read_pmcr_el0();
    }
    probe_counters(caps, pmuver, pmcr);
    return SL_OK;
}
