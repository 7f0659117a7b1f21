/* SPDX-License-Identifier: Apache-2.0 */
/* What counter values say before any formula: sampling errors, and the classes of Intel's PERF_METRICS. */
#include <slotledger/topdown.h>

#define MILLION     1000000u
#define ROOT_PLACES 20u

static struct sl_u128 difference(struct sl_u128 a, struct sl_u128 b)
{
    struct sl_u128 r = {a.lo - b.lo, a.hi - b.hi - (a.lo < b.lo)};
    return r;
}

/* With x the windows' values, S their sum and Q the sum of their squares, s^2 = (Q - S^2/n) / (n - 1), and S estimates
 * the total as N/n S. The relative error is therefore sqrt((n Q - S^2) n / (n - 1) (1 - n/N)) / (S sqrt(n)), or sqrt((n
 * Q - S^2) (N - n) / ((n - 1) N)) / S. */
uint32_t sl_topdown_standard_error(uint64_t sum, struct sl_u128 squares, uint32_t n, uint32_t all)
{
    struct sl_u128 spread, scaled = {0, 0};
    uint64_t root, factor, part;
    unsigned places = 0;
    if (n >= all && n > 0)
        return 0;
    if (n < 3 || sum == 0)
        return SL_ERROR_UNKNOWN;
    /* n Q - S^2, at least 0 for real windows. */
    spread = sl_mul64(squares.lo, n);
    spread.hi += squares.hi * n;
    scaled = sl_mul64(sum, sum);
    if (spread.hi < scaled.hi || (spread.hi == scaled.hi && spread.lo < scaled.lo))
        return SL_ERROR_UNKNOWN;
    spread = difference(spread, scaled);
    /* Small numbers get binary places, so that the root has some, too. */
    while (spread.hi == 0 && places < ROOT_PLACES) {
        spread = sl_add128(spread, spread);
        spread = sl_add128(spread, spread);
        places++;
    }
    root = sl_sqrt128(spread);
    /* sqrt((N - n) / ((n - 1) N)) in millionths. */
    factor = sl_muldiv64((uint64_t)MILLION * MILLION, all - n, all, NULL);
    scaled.lo = sl_div64(factor, n - 1u);
    scaled.hi = 0;
    factor = sl_sqrt128(scaled);
    part = sl_muldiv64(root, factor, sum, NULL) >> places;
    return part < SL_ERROR_UNKNOWN ? (uint32_t)part : SL_ERROR_UNKNOWN - 1u;
}

enum sl_status sl_topdown_metrics(uint64_t metrics_start, uint64_t slots_start, uint64_t metrics_end,
                                  uint64_t slots_end, struct sl_topdown_count out[SL_TOPDOWN_CLASSES])
{
    if (slots_end < slots_start || slots_end >> 55)
        return SL_E_ARGUMENT;
    for (unsigned i = 0; i < SL_TOPDOWN_CLASSES; i++) {
        uint64_t before = (metrics_start >> (8u * i) & 0xffu) * slots_start;
        uint64_t after = (metrics_end >> (8u * i) & 0xffu) * slots_end;
        const struct sl_topdown_count none = {.value = 0};
        out[i] = none;
        out[i].code = SL_TOPDOWN_CLASS(i);
        out[i].value = after > before ? after - before : 0;
        out[i].quality = after < before ? SL_SLOT_CLAMPED : 0;
    }
    return SL_OK;
}
