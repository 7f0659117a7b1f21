/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and events by number: a CSR instruction has its register's number in it. */
#include "regs.h"

#define EACH_COUNTER(X) X(0) X(2) RV_EACH_HPM(X)

#if RV_XLEN == 32
/* The halves are of one moment when the upper one has not changed meanwhile. */
#define READ_64(low, high)                                                                                             \
    {                                                                                                                  \
        uint32_t upper = RV_READ(high), lower, again;                                                                  \
        while (lower = RV_READ(low), (again = RV_READ(high)) != upper) {                                               \
            upper = again;                                                                                             \
        }                                                                                                              \
        return (uint64_t)upper << 32 | lower;                                                                          \
    }
/* Lower half 0 first: no carry can go into the new upper half. */
#define WRITE_64(low, high, value)                                                                                     \
    {                                                                                                                  \
        RV_WRITE(low, 0);                                                                                              \
        RV_WRITE(high, (value) >> 32);                                                                                 \
        RV_WRITE(low, value);                                                                                          \
    }
#else
#define READ_64(low, high)                                                                                             \
    {                                                                                                                  \
        return RV_READ(low);                                                                                           \
    }
#define WRITE_64(low, high, value)                                                                                     \
    {                                                                                                                  \
        RV_WRITE(low, value);                                                                                          \
    }
#endif

uint64_t sl_rv_read_hpm(unsigned n)
{
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        READ_64(CSR_MHPMCOUNTER + n, CSR_MHPMCOUNTERH + n)
        EACH_COUNTER(CASE)
#undef CASE
    default:
        return 0;
    }
}

void sl_rv_write_hpm(unsigned n, uint64_t value)
{
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        WRITE_64(CSR_MHPMCOUNTER + n, CSR_MHPMCOUNTERH + n, value)                                                     \
        break;
        EACH_COUNTER(CASE)
#undef CASE
    default:
        break;
    }
}

#if RV_XLEN == 32
static uint32_t read_event_high(unsigned n)
{
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        return RV_READ(CSR_MHPMEVENTH + n);
        RV_EACH_HPM(CASE)
#undef CASE
    default:
        return 0;
    }
}

static void write_event_high(unsigned n, uint32_t value)
{
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        RV_WRITE(CSR_MHPMEVENTH + n, value);                                                                           \
        break;
        RV_EACH_HPM(CASE)
#undef CASE
    default:
        break;
    }
}
#endif

uint64_t sl_rv_read_event(unsigned n, bool high_half)
{
    uint64_t value = 0;
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        value = RV_READ(CSR_MHPMEVENT + n);                                                                            \
        break;
        RV_EACH_HPM(CASE)
#undef CASE
    default:
        break;
    }
#if RV_XLEN == 32
    return high_half ? value | (uint64_t)read_event_high(n) << 32 : value;
#else
    (void)high_half;
    return value;
#endif
}

void sl_rv_write_event(unsigned n, uint64_t value, bool high_half)
{
#if RV_XLEN == 32
    if (high_half) {
        write_event_high(n, (uint32_t)(value >> 32));
    }
#else
    (void)high_half;
#endif
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        RV_WRITE(CSR_MHPMEVENT + n, value);                                                                            \
        break;
        RV_EACH_HPM(CASE)
#undef CASE
    default:
        break;
    }
}

bool sl_rv_has_hpm(unsigned n)
{
    rv_word value;
    switch (n) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        return RV_TRY_READ(CSR_MHPMCOUNTER + n, &value);
        RV_EACH_HPM(CASE)
#undef CASE
    default:
        return false;
    }
}
