/* SPDX-License-Identifier: Apache-2.0 */
/* What the board program needs of a board; one file for each architecture. */
#ifndef TESTS_QEMU_BOARD_H
#define TESTS_QEMU_BOARD_H

#include <slotledger/dump.h>
#include <slotledger/plan.h>

#define BOARD_CORES      4u
#define BOARD_DUMP_BYTES 4096u

/* QEMU counts instructions of all RISC-V harts together: a hart that waits for its turn sees those of others. */
#if defined(__riscv)
#define BOARD_COUNTS_PER_CORE 0
#else
#define BOARD_COUNTS_PER_CORE 1
#endif

/* One core's measurement. */
struct board_core {
    struct sl_port port;
    struct sl_port_caps caps;
    const struct sl_port_ops *ops;
    enum sl_status probed;
    struct sl_capture capture;
    uint64_t dump[BOARD_DUMP_BYTES / 8];
    volatile uint32_t interrupts; /* overflow interrupts taken, */
    volatile uint32_t hits;       /* and events that had overflowed */
    volatile uint32_t done;
    uint32_t failures;
};

extern struct board_core board_cores[BOARD_CORES];

/* Vectors and interrupt controller of the core this runs on; interrupts on. */
void board_start(unsigned core);
/* Cores that run board_other(core); they have begun when this returns. 1: only this one. */
unsigned board_start_others(void);
void board_other(unsigned core);

void board_put(const char *text);
/* Appends to the dump file on the host. */
bool board_save(const void *bytes, uint32_t len_bytes);
void board_exit(int status) __attribute__((noreturn));

/* Events to count, the group's first one being retired instructions if `*instructions` says so: its index, or -1. */
unsigned board_events(const struct sl_port_caps *caps, struct sl_port_event *events, int *instructions);
/* The first pass of level 1 of the core's Top-Down model, or of what it falls back to; 0: none can be counted. */
unsigned board_plan(const struct sl_port_ops *ops, const struct sl_port_caps *caps, struct sl_port_event *events);
/* An event whose overflow interrupts: 1; 0: none. */
unsigned board_overflow_event(const struct sl_port_caps *caps, struct sl_port_event *event);
/* Makes the event above happen; returns how often it must have happened, 0 if only the hardware knows. */
uint64_t board_overflow_work(void);
/* Registers that the port changes, in one number: equal before and after. */
uint64_t board_fingerprint(const struct board_core *core);

/* Two instructions n times over, and as many outside the loop whatever n is. */
static inline void board_work(uint32_t n)
{
#if defined(__aarch64__)
    __asm__ volatile("1: subs %w0, %w0, #1\n b.ne 1b" : "+r"(n) : : "cc");
#elif defined(__arm__)
    __asm__ volatile("1: subs %0, %0, #1\n bne 1b" : "+l"(n) : : "cc");
#elif defined(__riscv)
    uintptr_t left = n;
    __asm__ volatile("1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(left));
#else
    __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(n) : : "cc");
#endif
}

#endif
