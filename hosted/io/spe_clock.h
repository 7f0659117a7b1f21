/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks of the generic timer to nanoseconds, the kernel's way; modulo 2^64. */
#ifndef HOSTED_IO_SPE_CLOCK_H
#define HOSTED_IO_SPE_CLOCK_H

#include <stdint.h>

/* ns = ticks * mult >> shift; mult is not 0, both fit into 32 bits. */
struct spe_clock {
    uint64_t shift, mult;
};

/* The clock of a timer of this frequency; 0 (not known): ticks are nanoseconds. */
struct spe_clock spe_clock_of(uint64_t hz);

uint64_t spe_clock_ns(const struct spe_clock *clock, uint64_t ticks);

#endif
