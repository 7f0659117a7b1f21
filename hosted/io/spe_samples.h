/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPE buffers -> memory samples in the order of time, with the threads that an export gives them. */
#ifndef HOSTED_IO_SPE_SAMPLES_H
#define HOSTED_IO_SPE_SAMPLES_H

#include "spe_input.h"
#include "spe_stream.h"

typedef void spe_sample_fn(void *user, const struct sl_mem_sample *sample);

/* What was found on the way. */
struct spe_samples_info {
    struct sl_spe_counts counts;
    struct spe_unknown unknown;
};

/* false: reported. info may be NULL. */
bool spe_samples(const struct spe_input *input, enum sl_spe_edition edition, spe_sample_fn *sample, void *user,
                 struct spe_samples_info *info, struct diag *diag);

#endif
