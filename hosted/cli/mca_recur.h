/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulation to its end, extrapolated where the machine's state recurs. */
#ifndef HOSTED_CLI_MCA_RECUR_H
#define HOSTED_CLI_MCA_RECUR_H

#include <slotledger/recur.h>

#include "../io/diag.h"

/* What has been extrapolated; period_iterations 0: nothing recurred. */
struct mca_extrapolated {
    uint32_t found_at, period_iterations, period_cycles, skipped_iterations;
};

/* After all observers are attached. Without memory for it nothing is extrapolated. extrapolated may be NULL. */
enum sl_status mca_recur_run(struct sl_mca *m, bool extrapolate, struct mca_extrapolated *extrapolated);
void mca_recur_note(const struct mca_extrapolated *extrapolated, struct diag *diag);

#endif
