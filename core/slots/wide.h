/* SPDX-License-Identifier: Apache-2.0 */
/* 128-bit integers from 64-bit ones, the same on every target (no compiler run-time library). */
#ifndef CORE_SLOTS_WIDE_H
#define CORE_SLOTS_WIDE_H

#include <slotledger/slots.h>

#if UINTPTR_MAX > 0xffffffffu
#define SL_HAS_DIV64 1
#endif

static inline struct sl_u128 wide(uint64_t x)
{
    struct sl_u128 r = {x, 0};
    return r;
}

static inline bool wide_is_zero(struct sl_u128 a)
{
    return (a.lo | a.hi) == 0;
}

static inline unsigned wide_bits(struct sl_u128 a)
{
    return a.hi ? 65u + sl_msb64(a.hi) : a.lo ? 1u + sl_msb64(a.lo) : 0u;
}

static inline int wide_compare(struct sl_u128 a, struct sl_u128 b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

static inline struct sl_u128 wide_sub(struct sl_u128 a, struct sl_u128 b)
{
    struct sl_u128 r = {a.lo - b.lo, a.hi - b.hi - (a.lo < b.lo)};
    return r;
}

/* x >> n and x << n for n < 64: written out where compilers would call a run-time library. */
static inline uint64_t wide_right64(uint64_t x, unsigned n)
{
#ifdef SL_HAS_DIV64
    return x >> n;
#else
    uint32_t lo = (uint32_t)x, hi = (uint32_t)(x >> 32);
    if (n >= 32)
        return hi >> (n - 32u);
    if (n == 0)
        return x;
    return (uint64_t)(hi >> n) << 32 | (lo >> n | hi << (32u - n));
#endif
}

static inline uint64_t wide_left64(uint64_t x, unsigned n)
{
#ifdef SL_HAS_DIV64
    return x << n;
#else
    uint32_t lo = (uint32_t)x, hi = (uint32_t)(x >> 32);
    if (n >= 32)
        return (uint64_t)(lo << (n - 32u)) << 32;
    if (n == 0)
        return x;
    return (uint64_t)(hi << n | lo >> (32u - n)) << 32 | (lo << n);
#endif
}

static inline bool wide_bit(struct sl_u128 a, unsigned i)
{
    return wide_right64(i >= 64 ? a.hi : a.lo, i & 63u) & 1u;
}

static inline struct sl_u128 wide_shift_right(struct sl_u128 a, unsigned n)
{
    struct sl_u128 r = a;
    if (n >= 64) {
        r.lo = n >= 128 ? 0 : wide_right64(a.hi, n - 64u);
        r.hi = 0;
    } else if (n) {
        r.lo = wide_right64(a.lo, n) | wide_left64(a.hi, 64u - n);
        r.hi = wide_right64(a.hi, n);
    }
    return r;
}

static inline struct sl_u128 wide_double(struct sl_u128 a)
{
    struct sl_u128 r = {a.lo << 1, a.hi << 1 | a.lo >> 63};
    return r;
}

/* a / b and a % b, b != 0. */
struct sl_u128 wide_divide(struct sl_u128 a, struct sl_u128 b, struct sl_u128 *rest);
/* a * b modulo 2^128. */
struct sl_u128 wide_multiply(struct sl_u128 a, struct sl_u128 b);
/* Greatest common divisor; gcd(0, b) = b. */
struct sl_u128 wide_gcd(struct sl_u128 a, struct sl_u128 b);

#endif
