/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPE buffers as a recording. */
#include "spe_recording.h"

#include <errno.h>
#include <string.h>

bool spe_recording_make(struct spe_recording *recording, const struct spe_input *input,
                        const struct perf_export_options *options, struct diag *diag)
{
    struct perf_export *export = perf_export_new(input, options, diag);
    bool ok;

    if (!export)
        return false;
    recording->file = tmpfile();
    ok = recording->file && perf_export_write(export, recording->file);
    perf_export_free(export);
    if (!ok) {
        diag_say(diag, DIAG_ERROR, "temporary file: %s", strerror(errno));
        spe_recording_close(recording);
        return false;
    }
    snprintf(recording->path, sizeof recording->path, "/dev/fd/%d", fileno(recording->file));
    return true;
}

void spe_recording_close(struct spe_recording *recording)
{
    /* Written and read long ago: nothing is lost if this fails. */
    if (recording->file)
        (void)fclose(recording->file);
    recording->file = NULL;
}
