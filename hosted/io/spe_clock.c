/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks of the generic timer and nanoseconds. */
#include "spe_clock.h"

#define NS_PER_S UINT64_C(1000000000)

struct spe_clock spe_clock_of(uint64_t hz)
{
    struct spe_clock clock = {.mult = 1};

    if (hz == 0 || hz > UINT32_MAX)
        return clock;
    /* mult has to fit into 32 bits. */
    while (clock.shift < 31 && (NS_PER_S << (clock.shift + 1)) / hz <= UINT32_MAX)
        clock.shift++;
    clock.mult = (NS_PER_S << clock.shift) / hz;
    return clock;
}

uint64_t spe_clock_ns(const struct spe_clock *clock, uint64_t ticks)
{
    uint64_t low = ((uint64_t)1 << clock->shift) - 1;

    if (clock->is_short)
        ticks = clock->cycles + ((ticks - clock->cycles) & clock->mask);
    return clock->zero + (ticks >> clock->shift) * clock->mult + ((ticks & low) * clock->mult >> clock->shift);
}

uint64_t spe_clock_ticks(const struct spe_clock *clock, uint64_t ns)
{
    uint64_t t = ns - clock->zero;

    return (t / clock->mult << clock->shift) + (t % clock->mult << clock->shift) / clock->mult;
}
