/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's q35 board in long mode: serial port, debug console for the dump, debug exit. No C library. */
#include "board.h"

#include <ports/x86_64/regs.h>

#define COM1      0x3f8u
#define DEBUGCON  0xe9u /* -device isa-debugcon: bytes go to a file on the host */
#define EXIT_PORT 0xf4u /* -device isa-debug-exit: QEMU ends with value << 1 | 1 */

static inline void out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint8_t in8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

/* What compilers demand of a freestanding program. */
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int value, size_t n);

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    void *start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    return start;
}

void *memset(void *to, int value, size_t n)
{
    void *start = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
    return start;
}

void board_start(unsigned core)
{
    (void)core;
}
unsigned board_start_others(void)
{
    return 1;
}

void board_put(const char *text)
{
    for (; *text != '\0'; text++) {
        while ((in8(COM1 + 5) & 0x20) == 0) {
        }
        out8(COM1, (uint8_t)*text);
    }
}

bool board_save(const void *bytes, uint32_t len_bytes)
{
    const uint8_t *p = bytes;
    for (uint32_t i = 0; i < len_bytes; i++) {
        out8(DEBUGCON, p[i]);
    }
    return in8(DEBUGCON) == DEBUGCON; /* the device answers with its own port number */
}

void board_exit(int status)
{
    out8(EXIT_PORT, (uint8_t)status);
    for (;;) {
        __asm__ volatile("hlt");
    }
}

unsigned board_events(const struct sl_port_caps *caps, struct sl_port_event *events, int *instructions)
{
    if ((caps->can & SL_PORT_CAN_COUNT) == 0) {
        return 0;
    }
    /* Retired instructions, architectural on Intel and the same code on AMD. */
    *instructions = 0;
    events[0] = (struct sl_port_event){.code = 0xc0};
    return 1;
}

unsigned board_overflow_event(const struct sl_port_caps *caps, struct sl_port_event *event)
{
    (void)caps;
    (void)event;
    return 0;
}

uint64_t board_overflow_work(void)
{
    return 0;
}

uint64_t board_fingerprint(const struct board_core *core)
{
    (void)core;
    return 0;
}
