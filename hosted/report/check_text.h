/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted figures beside those of a baseline. */
#ifndef HOSTED_REPORT_CHECK_TEXT_H
#define HOSTED_REPORT_CHECK_TEXT_H

#include "../io/baseline.h"

struct check_counts {
    uint32_t same, worse, tolerated, better, added, missing;
};

/* Each region that differs, the worse ones first, then a summary. Both are sorted. Returns how many of each kind. */
struct check_counts check_text(const struct baseline *before, const struct baseline *after,
                               const struct baseline_tolerance tolerance[BASELINE_FIGURES], FILE *out);

/* What counts as a regression: something worse, or missing. */
static inline bool check_failed(const struct check_counts *counts)
{
    return counts->worse || counts->missing;
}

#endif
