/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger topdown`: options, and where its counts come from. */
#ifndef HOSTED_CLI_TOPDOWN_H
#define HOSTED_CLI_TOPDOWN_H

#include "../io/capture_file.h"
#include "../io/counts.h"
#include "../io/file.h"
#include "../report/topdown_report.h"

struct topdown_command {
    bool help, raw, net, json, csv, list_cores, diff;
    const char *core, *counts, *region;
    uint32_t width, penalty, level, plan;
    int thresholds;
};

/* A report with everything that its entries point into. */
struct topdown_input {
    struct topdown_report report;
    struct file file;
    struct counts counts;
    struct capture capture;
    struct pool pool;
    bool has_file, has_counts, has_capture;
    bool several_sessions;
    size_t losses; /* of a capture */
};

/* The core that the command line names; NULL: reported. *width: its own, or --width's. */
const struct sl_topdown_core *topdown_named_core(const struct topdown_command *command, unsigned *width,
                                                 const char **source, struct diag *diag);
const struct sl_topdown_thresholds *topdown_thresholds(const struct topdown_command *command);

/* Each fills in the report; false: reported. Free the input either way. */
bool topdown_from_counts(struct topdown_input *input, const struct topdown_command *command, const char *name,
                         struct diag *diag);
bool topdown_from_capture(struct topdown_input *input, const struct topdown_command *command, const char *name,
                          struct diag *diag);
void topdown_input_free(struct topdown_input *input);

#endif
