/* SPDX-License-Identifier: Apache-2.0 */
/* Every riscv64 CPU name and its model; linking this links all models of the instruction set. */
#include <slotledger/model.h>

#include "../gen/riscv64_cpus.inc"

const struct sl_cpu_name sl_cpus_riscv64[] = {SL_CPU_LIST};
const size_t sl_n_cpus_riscv64 = SL_N_CPUS;
