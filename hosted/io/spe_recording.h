/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPE buffers as a recording: what a perf.data export of them holds, opened. */
#ifndef HOSTED_IO_SPE_RECORDING_H
#define HOSTED_IO_SPE_RECORDING_H

#include "perf_data.h"
#include "perf_export.h"

/* Goes through a temporary file that nobody else sees; the input is not needed afterwards. NULL: reported, and *status
 * is the exit status. */
struct perf_data *spe_recording_open(const struct spe_input *input, const struct perf_export_options *export_options,
                                     const struct perf_data_options *options, struct diag *diag, int *status);

#endif
