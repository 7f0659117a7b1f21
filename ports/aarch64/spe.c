/* SPDX-License-Identifier: Apache-2.0 */
/* Statistical profiling into a buffer: the order of writes is that of the Arm ARM, D17 ("Enabling profiling"). */
#include "aarch64.h"
#include "bits.h"
#include "regs.h"

#define PAGE_BYTES          4096u
#define PMSIRR_INTERVAL_MAX UINT64_C(0xffffff)

/* PMSIDR_EL1.Interval: the smallest interval that is recommended. */
static const uint16_t intervals[] = {256, 0, 512, 768, 1024, 1536, 2048, 3072, 4096};

static uint64_t least_interval(uint64_t pmsidr)
{
    unsigned code = (unsigned)(pmsidr >> 8) & 15u;
    uint64_t n = code < sizeof intervals / sizeof intervals[0] ? intervals[code] : 0;
    return n != 0 ? n : 4096; /* a code of the future: the largest of today */
}

/* Each exception level translates with its own SCTLR.M; the buffer belongs to the one that runs here. */
static bool mmu_on(unsigned level)
{
    uint64_t sctlr = level == 1 ? a64_read_sctlr_el1() : level == 2 ? a64_read_sctlr_el2() : a64_read_sctlr_el3();
    return (sctlr & SCTLR_M) != 0;
}

static enum sl_status refuse(struct sl_port_spe_state *spe, enum sl_port_why why, enum sl_status err)
{
    spe->why = (uint8_t)why;
    return err;
}

static enum sl_status check(struct sl_port_spe_state *spe, const struct sl_port_spe *config)
{
    if (DFR0_PMSVER(a64_read_id_aa64dfr0_el1()) == 0) {
        return refuse(spe, SL_PORT_WHY_PMSVER_0, SL_E_ABSENT);
    }
    spe->pmbidr = a64_read_pmbidr_el1();
    /* EL3 has no profiling of its own. */
    if ((spe->pmbidr & PMBIDR_P) != 0 || a64_current_el() == 3) {
        return refuse(spe, SL_PORT_WHY_PMBIDR_P, SL_E_DENIED);
    }
    if (!mmu_on(a64_current_el())) {
        return refuse(spe, SL_PORT_WHY_MMU_OFF, SL_E_DENIED);
    }
    if ((a64_read_pmblimitr_el1() & PMBLIMITR_E) != 0) {
        return refuse(spe, SL_PORT_WHY_PMBLIMITR_E, SL_E_BUSY);
    }
    spe->pmsidr = a64_read_pmsidr_el1();
    uintptr_t base = (uintptr_t)config->buffer;
    uintptr_t align = ((uintptr_t)1 << PMBIDR_ALIGN(spe->pmbidr)) - 1;
    if (base == 0 || config->buffer_bytes == 0 || (base | config->buffer_bytes) % PAGE_BYTES != 0 ||
        (base & align) != 0) {
        return refuse(spe, SL_PORT_WHY_SPE_ALIGN, SL_E_ARGUMENT);
    }
    if (config->interval < least_interval(spe->pmsidr) || config->interval > PMSIRR_INTERVAL_MAX) {
        return refuse(spe, SL_PORT_WHY_SPE_INTERVAL, SL_E_ARGUMENT);
    }
    return SL_OK;
}

/* PMSCR_EL1 controls EL0 and EL1; PMSCR_EL2 controls EL2, which keeps the buffer while MDCR_EL2.E2PB is 0. */
static void write_pmscr(uint64_t value)
{
    if (a64_current_el() == 2) {
        a64_write_pmscr_el2(value);
    } else {
        a64_write_pmscr_el1(value);
    }
    a64_isb();
}

/* Buffer first, then filters, then the sampling counter, then sampling itself. */
static enum sl_status begin(struct sl_port_spe_state *spe)
{
    uint64_t base = (uint64_t)(uintptr_t)spe->config.buffer;
    write_pmscr(0);
    a64_write_pmbsr_el1(0); /* with S set nothing would be written */
    a64_write_pmbptr_el1(base);
    a64_write_pmblimitr_el1((base + spe->config.buffer_bytes) | PMBLIMITR_E); /* FM = 0: stop when full */
    a64_write_pmsfcr_el1(spe->pmsfcr);
    a64_write_pmsevfr_el1(spe->pmsevfr);
    a64_write_pmslatfr_el1(spe->pmslatfr);
    a64_write_pmsirr_el1(spe->pmsirr);
    a64_isb();
    a64_write_pmsicr_el1(0);
    a64_isb();
    if ((a64_read_pmblimitr_el1() & PMBLIMITR_E) == 0) {
        return refuse(spe, SL_PORT_WHY_PMBLIMITR_E, SL_E_DENIED);
    }
    spe->start_time = a64_read_cntvct_el0();
    spe->running = 1;
    write_pmscr(spe->pmscr);
    return SL_OK;
}

static enum sl_status spe_start(struct sl_port_spe_state *spe, const struct sl_port_spe *config)
{
    *spe = (struct sl_port_spe_state){.config = *config};
    enum sl_status err = check(spe, config);
    if (err) {
        return err;
    }
    /* A filter that is given turns its own enable bit on. */
    spe->pmsevfr = config->events;
    spe->pmslatfr = config->latency;
    spe->pmsfcr = config->filter | (config->events != 0 ? PMSFCR_FE : 0) | (config->latency != 0 ? PMSFCR_FL : 0);
    spe->pmsirr = config->interval << 8 | PMSIRR_RND;
    /* TS: timestamps. CX: context. E1SPE (at EL2: E2SPE): this level; E0SPE too. PA stays 0: only virtual addresses. */
    spe->pmscr = PMSCR_TS | PMSCR_CX | PMSCR_E1SPE | PMSCR_E0SPE | (config->physical ? PMSCR_PCT_PHYSICAL : 0);
    return begin(spe);
}

/* PSB CSYNC and the DSB see to it that all records are in memory before the write pointer is read. */
static void halt(struct sl_port_spe_state *spe)
{
    write_pmscr(0);
    a64_psb_csync();
    a64_dsb_nsh();
    uint64_t limit = a64_read_pmblimitr_el1();
    a64_write_pmblimitr_el1(0);
    a64_isb();
    uint64_t base = (uint64_t)(uintptr_t)spe->config.buffer, end = a64_read_pmbptr_el1();
    spe->pmbsr = a64_read_pmbsr_el1();
    a64_write_pmbsr_el1(0);
    a64_isb();
    spe->stop_time = a64_read_cntvct_el0();
    spe->bytes = spe->config.buffer;
    spe->running = 0;
    spe->flags = 0;
    spe->why = SL_PORT_WHY_NOTHING;
    /* Taken away meanwhile: neither the limit nor the pointer is ours, and nothing in the buffer can be vouched for. */
    if (limit != ((base + spe->config.buffer_bytes) | PMBLIMITR_E) || end < base ||
        end > base + spe->config.buffer_bytes) {
        spe->length_bytes = 0;
        spe->why = SL_PORT_WHY_PMBLIMITR_E;
        return;
    }
    spe->length_bytes = (size_t)(end - base);
    if (spe->pmbsr & PMBSR_DL) {
        spe->flags |= SL_PORT_SPE_TRUNCATED;
    }
    if (spe->pmbsr & PMBSR_COLL) {
        spe->flags |= SL_PORT_SPE_COLLIDED;
    }
    if (spe->pmbsr & PMBSR_S) {
        bool full =
            PMBSR_EC(spe->pmbsr) == 0 && PMBSR_BSC(spe->pmbsr) == PMBSR_BSC_FULL && (spe->pmbsr & PMBSR_EA) == 0;
        spe->flags |= full ? SL_PORT_SPE_FULL : SL_PORT_SPE_FAULT;
    }
}

static enum sl_status spe_drain(struct sl_port_spe_state *spe)
{
    if (!spe->running) {
        return SL_E_ARGUMENT;
    }
    halt(spe);
    return spe->why == SL_PORT_WHY_NOTHING ? SL_OK : SL_E_DENIED;
}

static enum sl_status spe_resume(struct sl_port_spe_state *spe)
{
    if (spe->running || spe->config.buffer == NULL) {
        return SL_E_ARGUMENT;
    }
    if ((a64_read_pmbidr_el1() & PMBIDR_P) != 0) {
        return refuse(spe, SL_PORT_WHY_PMBIDR_P, SL_E_DENIED);
    }
    return begin(spe);
}

static void spe_stop(struct sl_port_spe_state *spe)
{
    if (spe->running) {
        halt(spe);
    }
}

const struct sl_port_spe_ops sl_port_aarch64_spe = {
    .start = spe_start, .drain = spe_drain, .resume = spe_resume, .stop = spe_stop};
