/* SPDX-License-Identifier: Apache-2.0 */
/* Cortex-M cores by CPUID (part numbers: each core's TRM). With a PMU its model; else the DWT's; else time only. */
#include "cores.h"

#define ARM(part) (0x41000000u | (part) << 4)
#define U SL_TOPDOWN_WIDTH_UNVERIFIED

const struct sl_topdown_core topdown_cores_cortexm[] = {
    { "cortex-m", 0, 0, 0, 0, &sl_topdown_model_time },
    { "cortex-m0", ARM(0xc20u), 0, 0, 0, &sl_topdown_model_time },
    { "cortex-m0plus", ARM(0xc60u), 0, 0, 0, &sl_topdown_model_time },
    { "cortex-m1", ARM(0xc21u), 0, 0, 0, &sl_topdown_model_time },
    { "cortex-m23", ARM(0xd20u), 0, 0, 0, &sl_topdown_model_time },
    { "cortex-m3", ARM(0xc23u), 0, 1, 0, &sl_topdown_model_dwt },
    { "cortex-m4", ARM(0xc24u), 0, 1, 0, &sl_topdown_model_dwt },
    { "cortex-m33", ARM(0xd21u), 0, 1, 0, &sl_topdown_model_dwt },
    { "cortex-m35p", ARM(0xd31u), 0, 1, 0, &sl_topdown_model_dwt },
    { "cortex-m7", ARM(0xc27u), 0, 2, 0, &sl_topdown_model_dwt_raw },
    { "cortex-m52", ARM(0xd24u), 0, 1, U, &sl_topdown_model_arm_m },
    { "cortex-m55", ARM(0xd22u), 0, 1, U, &sl_topdown_model_arm_m },
    { "cortex-m85", ARM(0xd23u), 0, 2, U, &sl_topdown_model_arm_m },
    /* Without their PMU, these have the DWT's counters. */
    { "cortex-m52-dwt", ARM(0xd24u), 0, 1, U, &sl_topdown_model_dwt },
    { "cortex-m55-dwt", ARM(0xd22u), 0, 1, U, &sl_topdown_model_dwt },
    { "cortex-m85-dwt", ARM(0xd23u), 0, 2, U, &sl_topdown_model_dwt_raw },
    { "cortex-m-pmu", 0, 0, 0, 0, &sl_topdown_model_arm_m },
};
const size_t topdown_cores_cortexm_n = sizeof topdown_cores_cortexm / sizeof topdown_cores_cortexm[0];

const struct sl_topdown_core *sl_topdown_core_cortexm(uint32_t cpuid, bool pmu, bool dwt)
{
    const struct sl_topdown_core *generic = &topdown_cores_cortexm[pmu ? topdown_cores_cortexm_n - 1 : 0];
    for (size_t i = 1; i < topdown_cores_cortexm_n; i++) {
        const struct sl_topdown_core *core = &topdown_cores_cortexm[i];
        bool of_pmu = core->model == &sl_topdown_model_arm_m, of_time = core->model == &sl_topdown_model_time;
        if (core->id == (cpuid & 0xff00fff0u) && core->id && of_pmu == pmu && (of_time || pmu || dwt))
            return core;
    }
    return generic;
}
