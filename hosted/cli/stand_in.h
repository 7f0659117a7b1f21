/* SPDX-License-Identifier: Apache-2.0 */
/* Processor names that LLVM answers with the scheduling model of another core. */
#ifndef HOSTED_CLI_STAND_IN_H
#define HOSTED_CLI_STAND_IN_H

#include <slotledger/model.h>

/* The core that the model behind a name was made for; NULL: the name is that core's own. */
const char *stand_in_for(const struct sl_cpu_name *entry);

#endif
