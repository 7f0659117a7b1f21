/* SPDX-License-Identifier: Apache-2.0 */
/* Any capture gives a report or an error: `slotledger topdown DUMP` from its bytes to its three forms. */
#include "tests/fuzz/capture_mutate.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hosted/cli/topdown.h"

/* A file that exists in memory only; its name. */
static const char *file_of(const uint8_t *data, size_t size)
{
    static char name[32];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("capture", 0);
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    }
    fuzz_require(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    return name;
}

static void print(const struct topdown_report *report, size_t size)
{
    static const struct topdown_options options = {.raw = true};
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    switch (size % 16u) {
    case 0:
        topdown_text(report, &options, nowhere);
        break;
    case 1:
        topdown_json(report, &options, nowhere);
        break;
    case 2:
        topdown_csv(report, &options, nowhere);
        break;
    case 3:
        topdown_diff(report, report, &options, TOPDOWN_TEXT, nowhere);
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct topdown_command command = {.width = size % 5u == 0 ? 5u : 0};
    struct diag diag = {.stream = NULL};
    struct topdown_input input;
    memset(&input, 0, sizeof input);
    if (topdown_from_capture(&input, &command, file_of(data, size), &diag)) {
        topdown_evaluate_all(&input.report);
        print(&input.report, size);
    } else {
        fuzz_require(diag.n_errors > 0);
    }
    topdown_input_free(&input);
    return 0;
}
