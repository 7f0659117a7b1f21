/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that read captures have in common. */
#ifndef HOSTED_CLI_CAPTURE_H
#define HOSTED_CLI_CAPTURE_H

#include "../io/capture_file.h"
#include "../io/file.h"

/* Exit status: usable, but something of it is missing. */
#define EXIT_CAPTURE_LOSS 2

/* Reads file and capture, and says the first few problems. *losses: how many pieces are missing or damaged. false: not
 * a single record; reported, nothing to free. */
bool capture_open(struct capture *capture, struct file *file, const char *name, size_t *losses, struct diag *diag);
/* 0, EXIT_CAPTURE_LOSS or EXIT_FAILURE. */
int capture_status(const struct capture *capture, size_t losses);

#endif
