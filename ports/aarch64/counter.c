/* SPDX-License-Identifier: Apache-2.0 */
/* Event counters by number, where a test's registers take their place; hardware's are in guard.c. And their types. */
#include "counter.h"
#include "regs.h"

#ifdef SL_PORT_FAKE
uint64_t sl_a64_read_counter(unsigned n)
{
    return sl_fake_read(SL_FAKE_SYSREG, A64_SYSREG(3, 14, 8 + n / 8, n % 8));
}

void sl_a64_write_counter(unsigned n, uint64_t value)
{
    sl_fake_write(SL_FAKE_SYSREG, A64_SYSREG(3, 14, 8 + n / 8, n % 8), value);
}
#endif

static void select_counter(unsigned n)
{
    a64_write_pmselr_el0(n);
    a64_isb(); /* or PMXEVTYPER would still be the one before */
}

uint64_t sl_a64_read_type(unsigned n)
{
    select_counter(n);
    return a64_read_pmxevtyper_el0();
}

void sl_a64_write_type(unsigned n, uint64_t value)
{
    select_counter(n);
    a64_write_pmxevtyper_el0(value);
}
