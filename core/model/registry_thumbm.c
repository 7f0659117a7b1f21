/* SPDX-License-Identifier: Apache-2.0 */
/* Every thumbm CPU name and its model; linking this links all models of the instruction set. */
#include <slotledger/model.h>

#include "../gen/thumbm_cpus.inc"

const struct sl_cpu_name sl_cpus_thumbm[] = {SL_CPU_LIST};
const size_t sl_n_cpus_thumbm = SL_N_CPUS;
