/* SPDX-License-Identifier: Apache-2.0 */
/* AMD cores by family and model (AMD's Processor Programming References and revision guides). */
#include "cores.h"

#define U SL_TOPDOWN_WIDTH_UNVERIFIED

const struct sl_topdown_core topdown_cores_amd[] = {
    { "amd", 0, 0, 0, 0, &sl_topdown_model_amd_retire },
    { "zen1", 0x1700u, 0, 6, U, &sl_topdown_model_amd_retire },
    { "zen2", 0x1730u, 0, 6, U, &sl_topdown_model_amd_retire },
    { "zen3", 0x1900u, 0, 6, U, &sl_topdown_model_amd_retire },
    { "zen4", 0x1910u, 0, 6, 0, &sl_topdown_model_zen4 },
    { "zen5", 0x1a00u, 0, 8, 0, &sl_topdown_model_zen5 },
};
const size_t topdown_cores_amd_n = sizeof topdown_cores_amd / sizeof topdown_cores_amd[0];

/* First and last model of a generation within its family; id as in the table above. */
static const struct {
    uint32_t family;
    uint32_t first, last;
    uint32_t id;
} ranges[] = {
    { 0x17, 0x00, 0x2f, 0x1700u }, { 0x17, 0x30, 0xff, 0x1730u }, { 0x19, 0x00, 0x0f, 0x1900u },
    { 0x19, 0x10, 0x1f, 0x1910u }, { 0x19, 0x20, 0x5f, 0x1900u }, { 0x19, 0x60, 0xaf, 0x1910u },
    { 0x1a, 0x00, 0xff, 0x1a00u },
};

const struct sl_topdown_core *sl_topdown_core_amd(uint32_t family, uint32_t model)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].family != family || model < ranges[i].first || model > ranges[i].last)
            continue;
        for (size_t c = 1; c < topdown_cores_amd_n; c++) {
            if (topdown_cores_amd[c].id == ranges[i].id)
                return &topdown_cores_amd[c];
        }
    }
    return &topdown_cores_amd[0];
}
