/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's aarch64 `virt` board: exception levels, GICv2 or GICv3, PSCI, semihosting.
 *
 * Argument `hpmn`: from EL2 to EL1, two counters left to EL1. `tpm`: every PMU access of EL1 traps to EL2, which makes
 * it undefined, as a hypervisor without a virtual PMU does. */
#include "board.h"

#include <ports/aarch64/bits.h>
#include <ports/aarch64/regs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

A64_REGISTER(esr_el1, 0, 5, 2, 0)
A64_REGISTER(elr_el1, 0, 4, 0, 1)
A64_REGISTER(spsr_el1, 0, 4, 0, 0)
A64_REGISTER(vbar_el1, 0, 12, 0, 0)
A64_REGISTER(esr_el2, 4, 5, 2, 0)
A64_REGISTER(elr_el2, 4, 4, 0, 1)
A64_REGISTER(spsr_el2, 4, 4, 0, 0)
A64_REGISTER(vbar_el2, 4, 12, 0, 0)
A64_REGISTER(hcr_el2, 4, 1, 1, 0)
A64_REGISTER(cptr_el2, 4, 1, 1, 2)
A64_REGISTER(esr_el3, 6, 5, 2, 0)
A64_REGISTER(vbar_el3, 6, 12, 0, 0)
A64_REGISTER(scr_el3, 6, 1, 1, 0)
A64_REGISTER(cpacr_el1, 0, 1, 0, 2)
A64_REGISTER(id_aa64pfr0_el1, 0, 0, 4, 0)
A64_REGISTER(icc_pmr_el1, 0, 4, 6, 0)
A64_REGISTER(icc_iar1_el1, 0, 12, 12, 0)
A64_REGISTER(icc_eoir1_el1, 0, 12, 12, 1)
A64_REGISTER(icc_sre_el1, 0, 12, 12, 5)
A64_REGISTER(icc_igrpen1_el1, 0, 12, 12, 7)
A64_REGISTER(icc_igrpen1_el3, 6, 12, 12, 7)
A64_REGISTER(pmswinc_el0, 3, 9, 12, 4)

#define GICD          0x08000000u
#define GICC_V2       0x08010000u
#define GICR          0x080a0000u /* 128 KiB a core: control frame, then interrupts frame */
#define PMU_PPI       23u
#define SW_INCR_TIMES 25u

extern const char board_vectors[];
extern void board_secondary(void);
void board_exception(uint64_t kind);
extern void board_drop_to_el1(void (*entry)(void), void *stack);
int main(void);

static unsigned core_number(void)
{
    return (unsigned)a64_read_mpidr_el1() & 3u;
}

static bool gic_v3(void)
{
    return (a64_read_id_aa64pfr0_el1() >> 24 & 15u) != 0;
}

static volatile uint32_t *io(uintptr_t address)
{
    return (volatile uint32_t *)address;
}

static void take_overflow(void)
{
    struct board_core *core = &board_cores[core_number()];
    uint32_t hit = sl_port_aarch64.overflow_isr(&core->port);
    core->interrupts++;
    core->hits += sl_popcount64(hit);
}

/* The trapped access is made undefined for EL1: what EL1 sees is an exception of its own. */
static void reflect(void)
{
    a64_write_elr_el1(a64_read_elr_el2());
    a64_write_spsr_el1(a64_read_spsr_el2());
    a64_write_esr_el1(UINT64_C(1) << 25); /* EC 0: unknown; IL */
    a64_write_elr_el2(a64_read_vbar_el1() + 0x200);
    a64_write_spsr_el2(0x3c5); /* EL1h, interrupts masked */
}

/* kind: 0 synchronous, 1 interrupt. */
void board_exception(uint64_t kind)
{
    unsigned el = a64_current_el();
    if (kind == 1) {
        uint32_t id = gic_v3() ? (uint32_t)a64_read_icc_iar1_el1() : *io(GICC_V2 + 0xc);
        if ((id & 0x3ff) == PMU_PPI) {
            take_overflow();
        }
        if (gic_v3()) {
            a64_write_icc_eoir1_el1(id);
        } else {
            *io(GICC_V2 + 0x10) = id;
        }
        return;
    }
    uint64_t esr = el == 1 ? a64_read_esr_el1() : el == 2 ? a64_read_esr_el2() : a64_read_esr_el3();
    if (el == 2 && esr >> 26 == 0x18) {
        reflect();
        return;
    }
    printf("exception at EL%u, ESR %llx\n", el, (unsigned long long)esr);
    exit(99);
}

static void start_gic_v3(unsigned core, unsigned el)
{
    uintptr_t frame = GICR + 0x20000u * core;
    a64_write_icc_sre_el1(a64_read_icc_sre_el1() | 1u);
    a64_isb();
    if (core == 0) {
        *io(GICD) = 0x37; /* affinity routing, all groups */
    }
    *io(frame + 0x14) &= ~2u; /* wake this core's redistributor */
    while (*io(frame + 0x14) & 4u) {
    }
    *io(frame + 0x10080) = UINT32_MAX; /* group 1 */
    *io(frame + 0x10100) = 1u << PMU_PPI;
    a64_write_icc_pmr_el1(0xff);
    a64_write_icc_igrpen1_el1(1);
    if (el == 3) {
        a64_write_icc_igrpen1_el3(3);
    }
    a64_isb();
}

static void start_gic_v2(void)
{
    *io(GICD) = 3;
    *io(GICD + 0x100) = 1u << PMU_PPI;
    *io(GICC_V2 + 4) = 0xff;
    *io(GICC_V2) = 3;
}

void board_start(unsigned core)
{
    unsigned el = a64_current_el();
    uint64_t vectors = (uint64_t)(uintptr_t)board_vectors;
    if (el == 1) {
        a64_write_vbar_el1(vectors);
    } else if (el == 2) {
        a64_write_vbar_el2(vectors);
        a64_write_hcr_el2(a64_read_hcr_el2() | 0x18); /* IMO, FMO: interrupts come to EL2 */
    } else {
        a64_write_vbar_el3(vectors);
        a64_write_scr_el3(a64_read_scr_el3() | 6); /* IRQ, FIQ: to EL3 */
    }
    a64_isb();
    if (gic_v3()) {
        start_gic_v3(core, el);
    } else {
        start_gic_v2();
    }
    __asm__ volatile("msr daifclr, #3" : : : "memory");
}

static int64_t cpu_on(uint64_t target, uint64_t entry, bool smc)
{
    register uint64_t x0 __asm__("x0") = 0xc4000003u; /* PSCI CPU_ON */
    register uint64_t x1 __asm__("x1") = target;
    register uint64_t x2 __asm__("x2") = entry;
    register uint64_t x3 __asm__("x3") = target;
    if (smc) {
        __asm__ volatile("smc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
    } else {
        __asm__ volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
    }
    return (int64_t)x0;
}

static bool dropped;

unsigned board_start_others(void)
{
    unsigned cores = 1, el = a64_current_el();
    /* Firmware (QEMU's own PSCI) is there unless EL3 is ours; under our EL2 nobody answers. */
    while (el < 3 && !dropped && cores < BOARD_CORES &&
           cpu_on(cores, (uint64_t)(uintptr_t)board_secondary, el == 2) == 0) {
        cores++;
    }
    return cores;
}

void board_put(const char *text)
{
    fputs(text, stdout);
}

bool board_save(const void *bytes, uint32_t len_bytes)
{
    FILE *f = fopen("dump.bin", "ab");
    bool ok = f != NULL && fwrite(bytes, 1, len_bytes, f) == len_bytes;
    return (f == NULL || fclose(f) == 0) && ok;
}

void board_exit(int status)
{
    exit(status);
}

unsigned board_events(const struct sl_port_caps *caps, struct sl_port_event *events, int *instructions)
{
    unsigned n = 0, room = sl_popcount64(caps->counters);
    if ((caps->can & SL_PORT_CAN_COUNT) == 0) {
        return 0;
    }
    n = board_plan(&sl_port_aarch64, caps, events);
    if (n == 0) {
        events[n++] = (struct sl_port_event){.fixed = SL_PORT_CYCLES};
    }
    unsigned programmed = 0;
    while (programmed < n && events[programmed].fixed == SL_PORT_PROGRAMMABLE) {
        *instructions = events[programmed].code == 0x08 ? (int)programmed : *instructions;
        programmed++;
    }
    /* The rest is filled up to six with retired instructions, where the core counts them and the plan does not, and
     * with software increments, which do not happen. */
    bool retired = *instructions < 0 && (caps->id[SL_PORT_ID_PMCEID0] >> 8 & 1u) != 0;
    for (; programmed < room && programmed < 6; programmed++, n++) {
        for (unsigned i = n; i > programmed; i--) {
            events[i] = events[i - 1];
        }
        *instructions = retired ? (int)programmed : *instructions;
        events[programmed] = (struct sl_port_event){.code = retired ? 0x08 : 0x00};
        retired = false;
    }
    return n;
}

unsigned board_overflow_event(const struct sl_port_caps *caps, struct sl_port_event *event)
{
    if (caps->counters == 0) {
        return 0;
    }
    *event = (struct sl_port_event){.code = 0x00, .period = 10, .flags = SL_PORT_INTERRUPT};
    return 1;
}

uint64_t board_overflow_work(void)
{
    for (unsigned i = 0; i < SW_INCR_TIMES; i++) {
        a64_write_pmswinc_el0(1);
        a64_isb();
    }
    return SW_INCR_TIMES;
}

uint64_t board_fingerprint(const struct board_core *core)
{
    if ((core->caps.can & SL_PORT_CAN_COUNT) == 0) {
        return 0;
    }
    uint64_t sum = a64_read_pmcr_el0() * 3 + a64_read_pmcntenset_el0() * 5 + a64_read_pmintenset_el1() * 7 +
                   a64_read_pmccfiltr_el0() * 11;
    if (core->caps.counters != 0) {
        sum += a64_read_pmevtyper0() * 13 + a64_read_pmevcntr0() * 17;
    }
    if (core->caps.level >= 2) {
        sum += a64_read_mdcr_el2() * 19;
    }
    return core->caps.level == 3 ? sum + a64_read_mdcr_el3() * 23 : sum;
}

static void main_at_el1(void)
{
    exit(main());
}

static uint64_t el1_stack[1024] __attribute__((aligned(16)));

/* Runs before main: the argument says whether to go down to EL1 first. */
static void drop(const char *how)
{
    uint64_t hpmn = strcmp(how, "hpmn") == 0 ? 2 : PMCR_N(a64_read_pmcr_el0());
    dropped = true;
    a64_write_vbar_el2((uint64_t)(uintptr_t)board_vectors);
    a64_write_mdcr_el2(hpmn | (strcmp(how, "tpm") == 0 ? 1u << 6 : 0));
    a64_write_hcr_el2(UINT64_C(1) << 31); /* EL1 is AArch64 */
    a64_write_cptr_el2(0x33ff);
    a64_write_sctlr_el1(0x30d00800);
    a64_write_cpacr_el1(UINT64_C(3) << 20);
    a64_isb();
    board_drop_to_el1(main_at_el1, el1_stack + sizeof el1_stack / sizeof el1_stack[0]);
}

/* picolibc's start file calls constructors with nothing; the command line is read from the host. */
__attribute__((constructor)) static void before_main(void)
{
    static char line[64];
    struct {
        char *text;
        size_t bytes;
    } block = {line, sizeof line};
    register uint64_t w0 __asm__("x0") = 0x15; /* SYS_GET_CMDLINE */
    register void *x1 __asm__("x1") = &block;
    __asm__ volatile("hlt #0xf000" : "+r"(w0) : "r"(x1) : "memory");
    if (w0 == 0 && a64_current_el() == 2 && (strcmp(line, "hpmn") == 0 || strcmp(line, "tpm") == 0)) {
        drop(line);
    }
}
