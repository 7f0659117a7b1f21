/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger topdown record`. */
#ifndef HOSTED_CLI_TOPDOWN_RECORD_H
#define HOSTED_CLI_TOPDOWN_RECORD_H

#include "../io/pmu_record.h"

/* The arguments behind "record", with a NULL behind the last. open: NULL for the system's. Returns the exit status. */
int topdown_record(const char *program, int argc, char **argv, pmu_open_fn *open);

#endif
