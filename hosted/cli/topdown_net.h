/* SPDX-License-Identifier: Apache-2.0 */
/* What measuring itself costs: counts of an empty region, which a capture records as calibration. */
#ifndef HOSTED_CLI_TOPDOWN_NET_H
#define HOSTED_CLI_TOPDOWN_NET_H

#include "../io/capture_file.h"
#include "../report/topdown_report.h"

/* All calibration samples of one group on one core. */
struct topdown_own {
    uint64_t invocations; /* of the empty region; 0: the group was not calibrated */
    uint64_t *values;     /* [n_counts] their counts, summed up; from the pool */
    size_t n_counts;
};

/* Calibration of the group that sample s belongs to. Sums that do not fit 64 bits count as no calibration. */
struct topdown_own topdown_own_cost(const struct capture *capture, const struct capture_sample *s, struct pool *pool);

/* Takes the cost of so many invocations from counts[own->n_counts]: whole events an invocation, rounded down. A count
 * that would be negative becomes 0 and is marked as clamped. */
void topdown_subtract_own(const struct topdown_own *own, uint64_t invocations, struct sl_topdown_count *counts);

#endif
