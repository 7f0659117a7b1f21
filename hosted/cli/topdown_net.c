/* SPDX-License-Identifier: Apache-2.0 */
#include "topdown_net.h"

static bool add_values(struct topdown_own *own, const struct capture_sample *s)
{
    for (size_t i = 0; i < own->n_counts; i++) {
        if (own->values[i] > UINT64_MAX - s->counts[i].value)
            return false;
        own->values[i] += s->counts[i].value;
    }
    if (own->invocations > UINT64_MAX - s->sample.invocations)
        return false;
    own->invocations += s->sample.invocations;
    return true;
}

struct topdown_own topdown_own_cost(const struct capture *capture, const struct capture_sample *s, struct pool *pool)
{
    struct topdown_own own = {.n_counts = s->sample.n_counts};
    own.values = pool_take(pool, (own.n_counts + 1) * sizeof *own.values);
    for (size_t i = 0; i <= own.n_counts; i++)
        own.values[i] = 0;
    for (size_t i = 0; i < capture->n_samples; i++) {
        const struct capture_sample *other = &capture->samples[i];
        if (!other->calibration || other->stream != s->stream || other->group != s->group ||
            other->sample.n_counts != s->sample.n_counts)
            continue;
        if (!add_values(&own, other)) {
            own.invocations = 0;
            break;
        }
    }
    return own;
}

/* Sum of (x - each)^2 over the windows, from that of x^2 and the sum of x: the spread stays what it was. */
static struct sl_u128 shifted_squares(struct sl_u128 squares, uint64_t sum, uint64_t each, uint64_t windows)
{
    const struct sl_u128 cross = sl_mul64(sum, each);
    struct sl_u128 result = sl_add128(squares, sl_mul64(each * windows, each));
    for (int twice = 0; twice < 2; twice++) {
        result.hi -= cross.hi + (result.lo < cross.lo);
        result.lo -= cross.lo;
    }
    return result;
}

void topdown_subtract_own(const struct topdown_own *own, uint64_t invocations, struct sl_topdown_count *counts)
{
    for (size_t i = 0; own->invocations && i < own->n_counts; i++) {
        uint64_t each = own->values[i] / own->invocations;
        struct sl_topdown_count *count = &counts[i];
        if (each == 0 || invocations == 0)
            continue;
        if (each > count->value / invocations) {
            count->value = 0;
            count->quality |= SL_SLOT_CLAMPED;
            count->squares = (struct sl_u128){0};
            continue;
        }
        if (count->squares.lo || count->squares.hi)
            count->squares = shifted_squares(count->squares, count->value, each, invocations);
        count->value -= each * invocations;
    }
}
