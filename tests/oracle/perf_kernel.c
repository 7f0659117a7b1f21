/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for a kernel image in generated recordings: linked at a kernel's address, never run. */
#include <stdint.h>

__asm__(".text\n.globl _text\n_text:\n.globl _stext\n_stext:\n.space 64\n");

uint64_t kernel_counters[64] = { 1 };

uint64_t kernel_read(unsigned i);
void kernel_write(unsigned i, uint64_t value);
void kernel_lock(unsigned i);
void _start(void);

__attribute__((noinline)) uint64_t kernel_read(unsigned i)
{
    return kernel_counters[i & 63];
}

__attribute__((noinline)) void kernel_write(unsigned i, uint64_t value)
{
    kernel_counters[i & 63] = value;
}

__attribute__((noinline)) void kernel_lock(unsigned i)
{
    __sync_fetch_and_add(&kernel_counters[i & 63], 1);
}

void _start(void)
{
    kernel_write(0, kernel_read(1));
    kernel_lock(2);
}

__asm__(".text\n.globl _etext\n_etext:\n");
