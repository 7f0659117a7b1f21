/* SPDX-License-Identifier: Apache-2.0 */
/* Every CPU name of the A and R profiles and its model; linking this links all models of arm and thumb. */
#include <slotledger/model.h>

#include "../gen/arm_cpus.inc"

const struct sl_cpu_name sl_cpus_arm[] = {SL_CPU_LIST};
const size_t sl_n_cpus_arm = SL_N_CPUS;
