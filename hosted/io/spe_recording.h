/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPE buffers as a recording: what a perf.data export of them holds, under a name to open. */
#ifndef HOSTED_IO_SPE_RECORDING_H
#define HOSTED_IO_SPE_RECORDING_H

#include "perf_data.h"
#include "perf_export.h"

/* A temporary file that nobody else sees; it lasts until it is closed. */
struct spe_recording {
    FILE *file;
    char path[32];
};

/* The input is not needed afterwards. false: reported, nothing to close. */
bool spe_recording_make(struct spe_recording *recording, const struct spe_input *input,
                        const struct perf_export_options *options, struct diag *diag);
void spe_recording_close(struct spe_recording *recording);

#endif
