/* SPDX-License-Identifier: Apache-2.0 */
/* --version. */
#include "commands.h"
#include "host_cpu.h"

#ifndef SL_VERSION
#define SL_VERSION "unversioned"
#endif

void command_version(FILE *out)
{
    fprintf(out, "slotledger " SL_VERSION "\n  Tables from LLVM 19.1.7\n  Host CPU: %s\n", host_cpu_name());
}
