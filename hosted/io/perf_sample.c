/* SPDX-License-Identifier: Apache-2.0 */
/* A sample's thread, maps and nodes. */
#include "perf_internal.h"

const struct perf_map *perf_data_find_map(struct perf_data *data, struct perf_thread *thread, unsigned mode,
                                          uint64_t address)
{
    if (mode == SL_MEM_MODE_KERNEL)
        return perf_maps_find(&data->machine.kernel_maps, address, true);
    if (mode == SL_MEM_MODE_USER)
        return perf_maps_find(thread->maps, address, true);
    return NULL;
}

static int32_t node_of_memory(struct perf_data *data, uint64_t address)
{
    const struct perf_memory_range *ranges = data->memory;
    size_t low = 0, high = data->n_memory;
    if (!high)
        return -1;
    if (address >= ranges[data->last_memory].start && address < ranges[data->last_memory].end)
        return ranges[data->last_memory].node;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == data->n_memory || ranges[low].start > address)
        return -1;
    data->last_memory = low;
    return ranges[low].node;
}

static const struct perf_map *data_map(struct perf_data *data, struct perf_thread *thread, unsigned mode,
                                       uint64_t address)
{
    if (mode == SL_MEM_MODE_KERNEL)
        return perf_maps_find(&data->machine.kernel_maps, address, false);
    return mode == SL_MEM_MODE_USER ? perf_maps_find(thread->maps, address, false) : NULL;
}

void perf_sample_resolve(struct perf_data *data, struct perf_sample *sample)
{
    const struct sl_mem_sample *mem = &sample->mem;
    uint64_t n_changes = data->machine.n_changes;
    struct perf_thread *thread = perf_thread_get(data, (int32_t)mem->pid, (int32_t)mem->tid);
    sample->made_thread = data->machine.n_changes != n_changes;
    sample->thread = thread;
    sample->level = mem->mode == SL_MEM_MODE_KERNEL ? 'k' : mem->mode == SL_MEM_MODE_USER ? '.' : 'H';
    sample->guest = mem->mode == SL_MEM_MODE_GUEST_KERNEL || mem->mode == SL_MEM_MODE_GUEST_USER;
    sample->ip_map = perf_data_find_map(data, thread, mem->mode, mem->ip);
    /* Whether the instruction is mapped is asked of user and kernel, whatever the mode. */
    sample->has_ip_map = sample->ip_map || perf_maps_find(thread->maps, mem->ip, true) ||
                         perf_maps_find(&data->machine.kernel_maps, mem->ip, true);
    sample->ip_address = sample->ip_map ? perf_map_relative(sample->ip_map, mem->ip) : mem->ip;
    sample->data_map = data_map(data, thread, mem->mode, mem->address);
    sample->data_address = sample->data_map ? perf_map_relative(sample->data_map, mem->address) : mem->address;
    sample->numa_node = perf_data_node_of_cpu(data, mem->cpu == SL_MEM_NO_CPU ? 0 : mem->cpu);
    sample->memory_node = mem->phys_address ? node_of_memory(data, mem->phys_address) : -1;
}
