/* SPDX-License-Identifier: Apache-2.0 */
/* Exact ratios of 126-bit integers. */
#include "wide.h"

#define RATIO_BITS 126u

static const struct sl_u128 one = {1, 0};

bool sl_ratio_is_value(const struct sl_ratio *r)
{
    return !wide_is_zero(r->den);
}

bool sl_ratio_is_zero(const struct sl_ratio *r)
{
    return wide_is_zero(r->num) && !wide_is_zero(r->den);
}

static void divide_by_common(struct sl_u128 *a, struct sl_u128 *b)
{
    struct sl_u128 rest, g = wide_gcd(*a, *b);
    if (wide_compare(g, one) <= 0)
        return;
    *a = wide_divide(*a, g, &rest);
    *b = wide_divide(*b, g, &rest);
}

static void normalise(struct sl_ratio *r)
{
    if (!sl_ratio_is_value(r) || wide_is_zero(r->num)) {
        r->negative = false;
        r->num = wide(0);
        r->den = sl_ratio_is_value(r) ? one : wide(0);
        return;
    }
    divide_by_common(&r->num, &r->den);
    while (wide_bits(r->num) > RATIO_BITS || wide_bits(r->den) > RATIO_BITS) {
        r->num = wide_shift_right(r->num, 1);
        r->den = wide_shift_right(r->den, 1);
        r->rounded = true;
        if (wide_is_zero(r->den))
            r->den = one;
    }
}

void sl_ratio_set(struct sl_ratio *r, uint64_t num, uint64_t den)
{
    r->num = wide(num);
    r->den = wide(den);
    r->negative = false;
    r->rounded = false;
    normalise(r);
}

static bool no_value(struct sl_ratio *r, const struct sl_ratio *b)
{
    if (sl_ratio_is_value(r) && sl_ratio_is_value(b))
        return false;
    sl_ratio_set(r, 0, 0);
    return true;
}

static bool product_fits(struct sl_u128 a, struct sl_u128 b)
{
    return wide_bits(a) + wide_bits(b) <= RATIO_BITS;
}

/* Halves numerator and denominator: costs the last bit. */
static void drop_bit(struct sl_ratio *r)
{
    r->num = wide_shift_right(r->num, 1);
    r->den = wide_shift_right(r->den, 1);
    if (wide_is_zero(r->den))
        r->den = one;
    r->rounded = true;
}

static void multiply(struct sl_ratio *r, struct sl_ratio *b)
{
    divide_by_common(&r->num, &b->den);
    divide_by_common(&b->num, &r->den);
    while (!product_fits(r->num, b->num) || !product_fits(r->den, b->den)) {
        if (wide_bits(r->num) + wide_bits(r->den) >= wide_bits(b->num) + wide_bits(b->den))
            drop_bit(r);
        else
            drop_bit(b);
    }
    r->num = wide_multiply(r->num, b->num);
    r->den = wide_multiply(r->den, b->den);
    r->negative = r->negative != b->negative;
    r->rounded = r->rounded || b->rounded;
    normalise(r);
}

void sl_ratio_mul(struct sl_ratio *r, const struct sl_ratio *b)
{
    struct sl_ratio other = *b;
    if (!no_value(r, b))
        multiply(r, &other);
}

void sl_ratio_div(struct sl_ratio *r, const struct sl_ratio *b)
{
    struct sl_ratio other = *b;
    if (no_value(r, b))
        return;
    if (wide_is_zero(b->num)) {
        sl_ratio_set(r, 0, 0);
        return;
    }
    other.num = b->den;
    other.den = b->num;
    multiply(r, &other);
}

/* The factors that bring both to a common denominator; drops bits until all products fit. */
static void common_denominator(struct sl_ratio *r, struct sl_ratio *b, struct sl_u128 *for_r, struct sl_u128 *for_b)
{
    for (;;) {
        struct sl_u128 rest, g = wide_gcd(r->den, b->den);
        *for_r = wide_divide(b->den, g, &rest);
        *for_b = wide_divide(r->den, g, &rest);
        if (product_fits(r->num, *for_r) && product_fits(b->num, *for_b) && product_fits(r->den, *for_r))
            return;
        if (wide_bits(r->num) + wide_bits(r->den) >= wide_bits(b->num) + wide_bits(b->den))
            drop_bit(r);
        else
            drop_bit(b);
    }
}

static void add(struct sl_ratio *r, struct sl_ratio *b)
{
    struct sl_u128 for_r, for_b, x, y;
    if (wide_compare(r->den, b->den) == 0) {
        x = r->num;
        y = b->num;
    } else {
        common_denominator(r, b, &for_r, &for_b);
        x = wide_multiply(r->num, for_r);
        y = wide_multiply(b->num, for_b);
        r->den = wide_multiply(r->den, for_r);
    }
    if (r->negative == b->negative) {
        r->num = sl_add128(x, y);
    } else if (wide_compare(x, y) >= 0) {
        r->num = wide_sub(x, y);
    } else {
        r->num = wide_sub(y, x);
        r->negative = b->negative;
    }
    r->rounded = r->rounded || b->rounded;
    normalise(r);
}

void sl_ratio_add(struct sl_ratio *r, const struct sl_ratio *b)
{
    struct sl_ratio other = *b;
    if (!no_value(r, b))
        add(r, &other);
}

void sl_ratio_sub(struct sl_ratio *r, const struct sl_ratio *b)
{
    struct sl_ratio other = *b;
    other.negative = !other.negative;
    if (!no_value(r, b))
        add(r, &other);
}

int sl_ratio_compare(const struct sl_ratio *a, const struct sl_ratio *b)
{
    struct sl_ratio difference = *a;
    sl_ratio_sub(&difference, b);
    return wide_is_zero(difference.num) ? 0 : difference.negative ? -1 : 1;
}

uint64_t sl_ratio_scale(const struct sl_ratio *r, uint64_t scale, uint32_t *rest)
{
    struct sl_u128 whole, part, left = {0, 0};
    uint64_t fraction = 0, result;
    uint32_t bits = 0;
    if (rest)
        *rest = 0;
    if (!sl_ratio_is_value(r))
        return 0;
    whole = wide_divide(r->num, r->den, &part);
    /* part / den * scale, scale's bits from the top; below 2^126 three times den does not overflow. */
    for (unsigned i = scale ? sl_msb64(scale) + 1u : 0u; i-- > 0;) {
        left = wide_double(left);
        fraction <<= 1;
        if (wide_right64(scale, i) & 1u)
            left = sl_add128(left, part);
        while (wide_compare(left, r->den) >= 0) {
            left = wide_sub(left, r->den);
            fraction++;
        }
    }
    for (unsigned i = 0; rest && i < 32; i++) {
        left = wide_double(left);
        bits <<= 1;
        if (wide_compare(left, r->den) >= 0) {
            left = wide_sub(left, r->den);
            bits |= 1u;
        }
    }
    if (rest)
        *rest = bits;
    if (whole.hi || (whole.lo && sl_mul64(whole.lo, scale).hi))
        return UINT64_MAX;
    result = whole.lo * scale;
    return result > UINT64_MAX - fraction ? UINT64_MAX : result + fraction;
}
