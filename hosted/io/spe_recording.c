/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPE buffers as a recording. */
#include "spe_recording.h"

#include <errno.h>
#include <string.h>

struct perf_data *spe_recording_open(const struct spe_input *input, const struct perf_export_options *export_options,
                                     const struct perf_data_options *options, struct diag *diag, int *status)
{
    struct perf_export *export = perf_export_new(input, export_options, diag);
    struct perf_data *data = NULL;
    FILE *file;

    *status = 1;
    if (!export)
        return NULL;
    file = tmpfile();
    if (file && perf_export_write(export, file)) {
        struct perf_data_options own = *options;
        char name[64];
        own.force = true;
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
        data = perf_data_open(name, &own, diag, status);
    } else {
        diag_say(diag, DIAG_ERROR, "temporary file: %s", strerror(errno));
    }
    if (file && fclose(file) && data) { /* the reader has it open */
        diag_say(diag, DIAG_ERROR, "temporary file: %s", strerror(errno));
        perf_data_close(data);
        data = NULL;
    }
    perf_export_free(export);
    return data;
}
