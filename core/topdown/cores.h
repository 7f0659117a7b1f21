/* SPDX-License-Identifier: Apache-2.0 */
/* The cores of each architecture, in files of their own so that a board links its architecture's only. */
#ifndef CORE_TOPDOWN_CORES_H
#define CORE_TOPDOWN_CORES_H

#include <slotledger/topdown.h>

/* Each starts with the architecture's generic core. */
extern const struct sl_topdown_core topdown_cores_arm[];
extern const size_t topdown_cores_arm_n;
extern const struct sl_topdown_core topdown_cores_cortexm[];
extern const size_t topdown_cores_cortexm_n;
extern const struct sl_topdown_core topdown_cores_intel[];
extern const size_t topdown_cores_intel_n;
extern const struct sl_topdown_core topdown_cores_amd[];
extern const size_t topdown_cores_amd_n;
extern const struct sl_topdown_core topdown_cores_riscv[];
extern const size_t topdown_cores_riscv_n;

#endif
