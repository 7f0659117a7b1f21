/* SPDX-License-Identifier: Apache-2.0 */
/* 128-bit integers from 64-bit ones, the same on every target (no compiler run-time library). */
#include "wide.h"

struct sl_u128 sl_mul64(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    struct sl_u128 r = {(uint32_t)low | other << 32, a1 * b1 + (middle >> 32) + (other >> 32)};
    return r;
}

struct sl_u128 sl_add128(struct sl_u128 a, struct sl_u128 b)
{
    struct sl_u128 r = {a.lo + b.lo, a.hi + b.hi};
    r.hi += r.lo < a.lo;
    return r;
}

struct sl_u128 wide_multiply(struct sl_u128 a, struct sl_u128 b)
{
    struct sl_u128 r = sl_mul64(a.lo, b.lo);
    r.hi += a.lo * b.hi + a.hi * b.lo;
    return r;
}

/* Restoring division: one bit of the quotient a step. The remainder may need the carry bit only if b has its top bit
 * set. */
static struct sl_u128 divide_slowly(struct sl_u128 a, struct sl_u128 b, struct sl_u128 *rest)
{
    struct sl_u128 r = {0, 0}, q = {0, 0};
    for (unsigned i = wide_bits(a); i-- > 0;) {
        bool carry = r.hi >> 63;
        r = wide_double(r);
        q = wide_double(q);
        r.lo |= wide_bit(a, i);
        if (carry || wide_compare(r, b) >= 0) {
            r = wide_sub(r, b);
            q.lo |= 1u;
        }
    }
    *rest = r;
    return q;
}

struct sl_u128 wide_divide(struct sl_u128 a, struct sl_u128 b, struct sl_u128 *rest)
{
#ifdef SL_HAS_DIV64
    if ((a.hi | b.hi) == 0) {
        *rest = wide(a.lo % b.lo);
        return wide(a.lo / b.lo);
    }
#endif
    if (wide_compare(a, b) < 0) {
        *rest = a;
        return wide(0);
    }
    return divide_slowly(a, b, rest);
}

static unsigned trailing_zeros(struct sl_u128 a)
{
    return a.lo ? sl_ctz64(a.lo) : 64u + sl_ctz64(a.hi);
}

struct sl_u128 wide_gcd(struct sl_u128 a, struct sl_u128 b)
{
    unsigned common, in_b;
    if (wide_is_zero(a))
        return b;
    if (wide_is_zero(b))
        return a;
    /* Binary: both odd in the loop, so their difference is even. */
    common = trailing_zeros(a);
    in_b = trailing_zeros(b);
    a = wide_shift_right(a, common);
    b = wide_shift_right(b, in_b);
    common = in_b < common ? in_b : common;
    for (;;) {
        int order = wide_compare(a, b);
        if (order == 0)
            break;
        if (order < 0) {
            struct sl_u128 swap = a;
            a = b;
            b = swap;
        }
#ifdef SL_HAS_DIV64
        if (a.hi == 0) {
            uint64_t x = a.lo, y = b.lo;
            while (y) {
                uint64_t t = x % y;
                x = y;
                y = t;
            }
            a = wide(x);
            break;
        }
#endif
        a = wide_sub(a, b);
        a = wide_shift_right(a, trailing_zeros(a));
    }
    while (common-- > 0)
        a = wide_double(a);
    return a;
}

uint64_t sl_div64(uint64_t a, uint64_t b)
{
#ifdef SL_HAS_DIV64
    return a / b;
#else
    struct sl_u128 rest;
    return divide_slowly(wide(a), wide(b), &rest).lo;
#endif
}

uint64_t sl_muldiv64(uint64_t a, uint64_t b, uint64_t c, uint64_t *remainder)
{
    struct sl_u128 q = {UINT64_MAX, 0}, rest = {0, 0};
    if (c)
        q = wide_divide(sl_mul64(a, b), wide(c), &rest);
    if (remainder)
        *remainder = rest.lo;
    return q.hi ? UINT64_MAX : q.lo;
}

uint64_t sl_sqrt128(struct sl_u128 a)
{
    uint64_t root = 0;
    for (unsigned i = 64; i-- > 0;) {
        uint64_t next = root | wide_left64(1, i);
        if (wide_compare(sl_mul64(next, next), a) <= 0)
            root = next;
    }
    return root;
}
