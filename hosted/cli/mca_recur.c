/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulation to its end, extrapolated where the machine's state recurs. */
#include "mca_recur.h"

#include <stdlib.h>

enum sl_status mca_recur_run(struct sl_mca *m, bool extrapolate, struct mca_extrapolated *extrapolated)
{
    struct sl_mca_recur r;
    size_t need = extrapolate ? sl_mca_recur_need(m) : 0;
    void *memory = need != 0 && need < SIZE_MAX ? malloc(need) : NULL;
    enum sl_status status;
    if (memory == NULL)
        return sl_mca_run(m);
    status = sl_mca_recur_init(&r, m, memory, need);
    if (!status)
        status = sl_mca_recur_run(&r);
    if (extrapolated)
        *extrapolated = (struct mca_extrapolated){ r.found_at, r.period_iterations, r.period_cycles, r.skipped_iterations };
    free(memory);
    return status;
}

void mca_recur_note(const struct mca_extrapolated *e, struct diag *diag)
{
    if (e->period_iterations == 0)
        diag_say(diag, DIAG_NOTE, "extrapolation: no recurrence, every iteration was simulated.");
    else
        diag_say(diag, DIAG_NOTE, "extrapolation: after %u iterations every %u take %u cycles; %u iterations were not simulated.",
                 e->found_at, e->period_iterations, e->period_cycles, e->skipped_iterations);
}
