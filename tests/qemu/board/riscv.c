/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's riscv `virt` board in machine mode, or with BOARD_SUPERVISOR in supervisor mode on OpenSBI. */
#include "board.h"

#include <ports/riscv/regs.h>

#include <stdio.h>
#include <stdlib.h>

#ifndef BOARD_HARTS
#define BOARD_HARTS 1
#endif
#define SAMPLE_PERIOD 5000u
#define SAMPLE_WORK   20000u

void board_trap_c(rv_word cause, rv_word pc);
extern void board_trap(void);
extern volatile rv_word board_release;
extern uint32_t board_waiting;

#ifdef BOARD_SUPERVISOR
#define CSR_TVEC   CSR_STVEC
#define CSR_STATUS CSR_SSTATUS
#define STATUS_IE  SSTATUS_SIE
const struct sl_port_ops *const sl_port_all[] = {&sl_port_riscv_sbi, NULL};
static unsigned hart(void)
{
    return 0;
}
#else
#define CSR_TVEC   CSR_MTVEC
#define CSR_STATUS CSR_MSTATUS
#define STATUS_IE  MSTATUS_MIE
static unsigned hart(void)
{
    return (unsigned)RV_READ(CSR_MHARTID) & 3u;
}
#endif

void board_trap_c(rv_word cause, rv_word pc)
{
    if ((rv_signed)cause < 0 && (cause & 63u) == 13) {
        struct board_core *core = &board_cores[hart()];
        uint32_t hit = core->ops->overflow_isr(&core->port);
        core->interrupts++;
        core->hits += sl_popcount64(hit);
        return;
    }
    printf("trap: cause %lx at %lx\n", (unsigned long)cause, (unsigned long)pc);
    exit(99);
}

void board_start(unsigned core)
{
    (void)core;
    RV_WRITE(CSR_TVEC, (uintptr_t)&board_trap);
    RV_SET(CSR_STATUS, STATUS_IE);
}

unsigned board_start_others(void)
{
#if BOARD_HARTS > 1
    /* All harts are at the start; QEMU runs them in turns, and this one's turn may be long. */
    while (__atomic_load_n(&board_waiting, __ATOMIC_ACQUIRE) != BOARD_HARTS - 1) {
    }
    __atomic_store_n(&board_release, 0x600d600du, __ATOMIC_RELEASE);
#endif
    return BOARD_HARTS;
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
    unsigned n = 0;
    if ((caps->can & SL_PORT_CAN_COUNT) == 0) {
        return 0;
    }
#ifdef BOARD_SUPERVISOR
    /* dTLB read misses: OpenSBI on QEMU configures and never starts them, so only the two of the standard are counted.
     */
#else
    if (caps->counters != 0) {
        events[n++] = (struct sl_port_event){.code = 2}; /* QEMU's own codes: instructions, */
    }
    if (sl_popcount64(caps->counters) > 1) {
        events[n++] = (struct sl_port_event){.code = 1}; /* cycles */
    }
#endif
    *instructions = (int)n;
    events[n++] = (struct sl_port_event){.fixed = SL_PORT_INSTRUCTIONS};
    events[n++] = (struct sl_port_event){.fixed = SL_PORT_CYCLES};
    return n;
}

unsigned board_overflow_event(const struct sl_port_caps *caps, struct sl_port_event *event)
{
    (void)caps;
#if RV_XLEN == 32
    /* QEMU 7.2 keeps the halves of a counter apart: it never carries from the lower one, so a preload is not counted
     * over. */
    return 0;
#endif
#ifdef BOARD_SUPERVISOR
    *event = (struct sl_port_event){.fixed = SL_PORT_INSTRUCTIONS, .period = SAMPLE_PERIOD, .flags = SL_PORT_INTERRUPT};
#else
    *event = (struct sl_port_event){.code = 2, .period = SAMPLE_PERIOD, .flags = SL_PORT_INTERRUPT};
#endif
    return 1;
}

/* The handler's own instructions are counted where nothing stops the counter, so only the hardware knows how many. */
uint64_t board_overflow_work(void)
{
    board_work(SAMPLE_WORK);
    return 0;
}

uint64_t board_fingerprint(const struct board_core *core)
{
#ifdef BOARD_SUPERVISOR
    (void)core;
    return RV_READ(CSR_SIE);
#else
    uint64_t sum = RV_READ(CSR_MIE) * UINT64_C(3) + RV_READ(CSR_MTVEC) * UINT64_C(5);
    if (core->caps.can & SL_PORT_CAN_STOP) {
        sum += RV_READ(CSR_MCOUNTINHIBIT) * UINT64_C(7);
    }
    if (core->caps.counters != 0) {
        sum += sl_rv_read_event(3, false) * 11 + sl_rv_read_hpm(3) * 13;
    }
    return sum;
#endif
}
