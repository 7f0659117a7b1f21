/* SPDX-License-Identifier: Apache-2.0 */
/* The counters' read-only views, which supervisor mode may use where the firmware lets it. */
#include "regs.h"

#define EACH_COUNTER(X) X(0) X(1) X(2) RV_EACH_HPM(X)

uint64_t sl_rv_read_user(unsigned n)
{
    switch (n) {
#if RV_XLEN == 32
#define CASE(n)                                                                                                        \
    case n: {                                                                                                          \
        uint32_t upper = RV_READ(CSR_HPMCOUNTERH + n), lower, again;                                                   \
        while (lower = RV_READ(CSR_HPMCOUNTER + n), (again = RV_READ(CSR_HPMCOUNTERH + n)) != upper) {                 \
            upper = again;                                                                                             \
        }                                                                                                              \
        return (uint64_t)upper << 32 | lower;                                                                          \
    }
#else
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        return RV_READ(CSR_HPMCOUNTER + n);
#endif
        EACH_COUNTER(CASE)
#undef CASE
    default:
        return 0;
    }
}
