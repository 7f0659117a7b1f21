/* SPDX-License-Identifier: Apache-2.0 */
/* Resource masks: one bit a unit resource, a further bit above all of those for each group (chapter 2). */
#include "internal.h"

void sl_mca_resource_masks(const struct sl_cpu *cpu, uint64_t *masks)
{
    unsigned bit = 0;

    masks[0] = 0;
    for (unsigned i = 1; i < cpu->n_resources; i++)
        if (!cpu->resources[i].is_group)
            masks[i] = (uint64_t)1 << (bit++ & 63u);
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        const struct sl_proc_resource *res = &cpu->resources[i];
        if (!res->is_group)
            continue;
        masks[i] = (uint64_t)1 << (bit++ & 63u);
        for (unsigned k = 0; k < res->n_units; k++)
            masks[i] |= masks[cpu->members[res->members + k]];
    }
}
