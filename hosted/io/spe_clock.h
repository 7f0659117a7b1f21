/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks of the generic timer and nanoseconds, the kernel's way. All arithmetic is modulo 2^64, as perf's. */
#ifndef HOSTED_IO_SPE_CLOCK_H
#define HOSTED_IO_SPE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* ns = zero + (ticks * mult >> shift); mult is not 0, shift is below 64. */
struct spe_clock {
    uint64_t shift, mult, zero;
    uint64_t cycles, mask; /* of short counters, with is_short: upper bits are those of `cycles` */
    bool is_short;
};

/* The clock of a timer of this frequency; 0 (not known): ticks are nanoseconds. */
struct spe_clock spe_clock_of(uint64_t hz);

uint64_t spe_clock_ns(const struct spe_clock *clock, uint64_t ticks);
uint64_t spe_clock_ticks(const struct spe_clock *clock, uint64_t ns);

#endif
