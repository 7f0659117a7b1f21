/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks of the generic timer to nanoseconds. */
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

    return (ticks >> clock->shift) * clock->mult + ((ticks & low) * clock->mult >> clock->shift);
}
