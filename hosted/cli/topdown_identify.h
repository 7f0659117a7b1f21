/* SPDX-License-Identifier: Apache-2.0 */
/* Which core a capture is of. */
#ifndef HOSTED_CLI_TOPDOWN_IDENTIFY_H
#define HOSTED_CLI_TOPDOWN_IDENTIFY_H

#include "../io/capture_file.h"
#include "../report/topdown_report.h"

/* Core, width and its source of an entry, from the identification registers that a stream recorded. */
void topdown_identify(const struct capture *capture, uint32_t stream, struct topdown_entry *entry);
/* Why a core gave no counts, in words. */
const char *topdown_absence(const struct sl_capture_cpu *cpu);

#endif
