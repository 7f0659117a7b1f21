/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities that several witnesses need: executions, bounds of a cycle's work, resource bits. */
#include "observe.h"

uint32_t sl_obs_executions(const struct sl_mca *m)
{
    /* The last dispatched instruction is the last one in program order, in every run that ends. */
    if (m->config.instruction_tables || m->n_insns == 0)
        return 1;
    return (m->config.iterations * m->n_insns - 1u) / m->n_insns + 1u;
}

uint32_t sl_obs_reorder_buffer(const struct sl_cpu *cpu)
{
    return cpu->reorder_buffer_size != 0 ? cpu->reorder_buffer_size : cpu->micro_op_buffer_size;
}

uint32_t sl_obs_max_uops(const struct sl_mca *m)
{
    uint32_t max = 0;

    for (uint32_t i = 0; i < m->n_insns; i++)
        max = sl_max_u32(max, m->insns[i].desc->uops);
    return max;
}

uint64_t sl_obs_issue_bound(const struct sl_mca *m)
{
    uint32_t max_uops = sl_obs_max_uops(m);

    /* In order: micro-ops are taken from a bandwidth of issue_width; the one instruction that exceeds what is left is
     * carried over, and ends the cycle's issue. */
    if (m->in_order)
        return (uint64_t)m->cpu->issue_width + max_uops;
    /* Out of order: whatever issues in a cycle holds its reorder buffer entries until a later one. An instruction takes
     * as many entries as micro-ops, or else all of them. */
    return sl_max_u32(sl_obs_reorder_buffer(m->cpu), max_uops);
}

void sl_obs_resource_bits(const struct sl_cpu *cpu, uint64_t *masks, uint8_t *resource_of)
{
    for (unsigned bit = 0; bit < 64; bit++)
        resource_of[bit] = 0;
    sl_mca_resource_masks(cpu, masks);
    for (unsigned i = 1; i < cpu->n_resources; i++)
        resource_of[sl_msb64(masks[i])] = (uint8_t)i;
}
