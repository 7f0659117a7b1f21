/* SPDX-License-Identifier: Apache-2.0 */
/* What is in a capture, and what is wrong with it, as text. */
#ifndef HOSTED_REPORT_CAPTURE_TEXT_H
#define HOSTED_REPORT_CAPTURE_TEXT_H

#include <stdio.h>

#include "../io/capture_file.h"
#include "../io/capture_hex.h"
#include "../io/diag.h"

/* One line for each problem, with its offset, at most `max` of each kind of line: losses as errors "slotledger:
 * FILE:0xOFFSET:
 * ...", the rest as notes. Returns how many losses there are (also those that were not printed). */
size_t capture_say_problems(const struct capture *capture, size_t max, struct diag *diag);
/* The same for the lines of a log. */
size_t capture_say_hex_problems(const struct hex_import *import, const char *name, struct diag *diag);

struct capture_text_options {
    bool registers; /* list all of them */
    bool counts;    /* list the counts of each sample */
};
void capture_print(const struct capture *capture, const struct capture_text_options *options, FILE *out);

#endif
