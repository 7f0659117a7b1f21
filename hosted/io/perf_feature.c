/* SPDX-License-Identifier: Apache-2.0 */
/* The feature sections of a recording: who recorded, on which machine, and where its CPUs and memory are. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf_internal.h"

/* ---- reading ---- */

uint32_t perf_cursor_u32(struct perf_cursor *cursor)
{
    uint32_t value;
    if (cursor->bad || cursor->end - cursor->at < 4) {
        cursor->bad = true;
        return 0;
    }
    value = perf_u32(cursor->swap, cursor->at);
    cursor->at += 4;
    return value;
}

uint64_t perf_cursor_u64(struct perf_cursor *cursor)
{
    uint64_t value;
    if (cursor->bad || cursor->end - cursor->at < 8) {
        cursor->bad = true;
        return 0;
    }
    value = perf_u64(cursor->swap, cursor->at);
    cursor->at += 8;
    return value;
}

const char *perf_cursor_string(struct perf_cursor *cursor, struct pool *pool)
{
    uint32_t len = perf_cursor_u32(cursor);
    const char *text = (const char *)cursor->at;
    if (cursor->bad || len > (size_t)(cursor->end - cursor->at)) {
        cursor->bad = true;
        return NULL;
    }
    cursor->at += len;
    return pool_text(pool, text, strnlen(text, len));
}

/* A count whose items take at least `item_bytes` each, so that a wrong one cannot ask for memory. */
static uint64_t checked_count(struct perf_cursor *cursor, uint64_t n, size_t item_bytes)
{
    if (n > (size_t)(cursor->end - cursor->at) / item_bytes) {
        cursor->bad = true;
        return 0;
    }
    return n;
}

/* ---- one reader for each feature ---- */

typedef void feature_fn(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end);

static void read_hostname(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.hostname = perf_cursor_string(cursor, &data->pool);
}

static void read_os_release(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.os_release = perf_cursor_string(cursor, &data->pool);
}

static void read_version(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.version = perf_cursor_string(cursor, &data->pool);
}

static void read_arch(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.arch = perf_cursor_string(cursor, &data->pool);
}

static void read_cpu_desc(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.cpu_desc = perf_cursor_string(cursor, &data->pool);
}

static void read_cpuid(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.cpuid = perf_cursor_string(cursor, &data->pool);
}

static void read_n_cpus(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.n_cpus_available = perf_cursor_u32(cursor);
    data->info.n_cpus_online = perf_cursor_u32(cursor);
    data->info.has_n_cpus = !cursor->bad;
}

static void read_total_mem(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.total_mem_kb = perf_cursor_u64(cursor);
}

static void read_command_line(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    uint64_t n = checked_count(cursor, perf_cursor_u32(cursor), 4);
    const char **words = pool_take(&data->pool, n * sizeof *words);
    (void)section_end;
    for (uint64_t i = 0; i < n && !cursor->bad; i++)
        words[i] = perf_cursor_string(cursor, &data->pool);
    if (cursor->bad)
        return;
    data->info.command_line = words;
    data->info.n_command_line = (uint32_t)n;
}

static void read_event_desc(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    uint32_t n = perf_cursor_u32(cursor);
    uint32_t attr_bytes = perf_cursor_u32(cursor);
    (void)section_end;
    for (uint32_t i = 0; i < n && !cursor->bad; i++) {
        uint32_t n_ids;
        const char *name;
        cursor->at += checked_count(cursor, attr_bytes, 1);
        n_ids = perf_cursor_u32(cursor);
        name = perf_cursor_string(cursor, &data->pool);
        cursor->at += 8 * checked_count(cursor, n_ids, 8);
        if (!cursor->bad && i < data->info.n_events && !data->events[i].name)
            data->events[i].name = name;
    }
}

static void skip_strings(struct perf_cursor *cursor, uint32_t n)
{
    for (uint32_t i = 0; i < n && !cursor->bad; i++)
        cursor->at += checked_count(cursor, perf_cursor_u32(cursor), 1);
}

/* Only what makes perf's reader fail matters here: a failing reader hides all later features. */
static void read_cpu_topology(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    const char *arch = data->info.arch;
    bool checks = !arch || (strncmp(arch, "aarch64", 7) && strncmp(arch, "arm64", 5) && strncmp(arch, "s390", 4));
    skip_strings(cursor, perf_cursor_u32(cursor));
    skip_strings(cursor, perf_cursor_u32(cursor));
    if (cursor->bad || cursor->at >= section_end)
        return;
    for (uint32_t i = 0; i < data->info.n_cpus_available && !cursor->bad; i++) {
        uint32_t socket;
        (void)perf_cursor_u32(cursor);
        socket = perf_cursor_u32(cursor);
        if (checks && socket != UINT32_MAX && socket > data->info.n_cpus_available)
            cursor->bad = true;
    }
}

static void read_numa(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    uint64_t n = checked_count(cursor, perf_cursor_u32(cursor), 24);
    struct perf_numa_node *nodes = pool_take(&data->pool, n * sizeof *nodes);
    (void)section_end;
    for (uint64_t i = 0; i < n && !cursor->bad; i++) {
        nodes[i].id = perf_cursor_u32(cursor);
        nodes[i].total_kb = perf_cursor_u64(cursor);
        nodes[i].free_kb = perf_cursor_u64(cursor);
        nodes[i].cpus = perf_cursor_string(cursor, &data->pool);
    }
    if (cursor->bad)
        return;
    data->info.has_numa = n > 0;
    data->info.numa = nodes;
    data->info.n_numa = (uint32_t)n;
}

static void read_aux_index(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    uint64_t n = checked_count(cursor, perf_cursor_u64(cursor), 16);
    uint64_t(*index)[2] = pool_take(&data->pool, n * sizeof *index);
    (void)section_end;
    for (uint64_t i = 0; i < n; i++) {
        index[i][0] = perf_cursor_u64(cursor);
        index[i][1] = perf_cursor_u64(cursor);
    }
    if (cursor->bad)
        return;
    data->aux_index = index;
    data->n_aux_index = n;
}

static void read_stat(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)cursor;
    (void)section_end;
    data->info.has_stat = true;
}

static void read_cache(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    uint32_t version = perf_cursor_u32(cursor);
    uint64_t n = checked_count(cursor, perf_cursor_u32(cursor), 28);
    struct perf_cache *caches = pool_take(&data->pool, n * sizeof *caches);
    (void)section_end;
    if (version != 1)
        cursor->bad = true;
    for (uint64_t i = 0; i < n && !cursor->bad; i++) {
        caches[i].level = perf_cursor_u32(cursor);
        caches[i].line_bytes = perf_cursor_u32(cursor);
        caches[i].sets = perf_cursor_u32(cursor);
        caches[i].ways = perf_cursor_u32(cursor);
        caches[i].type = perf_cursor_string(cursor, &data->pool);
        caches[i].size = perf_cursor_string(cursor, &data->pool);
        caches[i].cpus = perf_cursor_string(cursor, &data->pool);
    }
    if (cursor->bad)
        return;
    data->info.caches = caches;
    data->info.n_caches = (uint32_t)n;
}

static void read_sample_time(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    data->info.sample_time_first = perf_cursor_u64(cursor);
    data->info.sample_time_last = perf_cursor_u64(cursor);
    data->info.has_sample_time = !cursor->bad;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct perf_memory_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Neighbours of one node become one range. */
static void merge_ranges(struct perf_data *data)
{
    size_t n = 0;
    struct perf_memory_range *ranges = data->memory;
    if (data->n_memory)
        qsort(ranges, data->n_memory, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i < data->n_memory; i++) {
        if (n && ranges[n - 1].node == ranges[i].node && ranges[n - 1].end == ranges[i].start)
            ranges[n - 1].end = ranges[i].end;
        else
            ranges[n++] = ranges[i];
    }
    data->n_memory = n;
}

static void add_blocks(struct perf_data *data, struct perf_cursor *cursor, uint64_t block_bytes, int32_t node,
                       size_t *capacity)
{
    uint64_t n_bits = perf_cursor_u64(cursor);
    uint64_t n_words = checked_count(cursor, n_bits / 64 + !!(n_bits % 64), 8);
    for (uint64_t w = 0; w < n_words; w++) {
        uint64_t word = perf_cursor_u64(cursor);
        for (; word; word &= word - 1) {
            uint64_t block = 64 * w + sl_ctz64(word);
            struct perf_memory_range *range;
            if (block >= n_bits)
                break;
            data->memory = array_grow(data->memory, data->n_memory, capacity, sizeof *data->memory);
            range = &data->memory[data->n_memory++];
            range->start = block * block_bytes;
            range->end = range->start + block_bytes;
            range->node = node;
        }
    }
}

static void read_memory(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    uint64_t version = perf_cursor_u64(cursor);
    uint64_t block_bytes = perf_cursor_u64(cursor);
    uint64_t n = checked_count(cursor, perf_cursor_u64(cursor), 24);
    size_t capacity = 0;
    (void)section_end;
    if (version != 1)
        cursor->bad = true;
    data->n_memory = 0;
    free(data->memory);
    data->memory = NULL;
    for (uint64_t i = 0; i < n && !cursor->bad; i++) {
        int32_t node = (int32_t)perf_cursor_u64(cursor);
        (void)perf_cursor_u64(cursor);
        add_blocks(data, cursor, block_bytes, node, &capacity);
    }
    if (cursor->bad) {
        data->n_memory = 0;
        return;
    }
    merge_ranges(data);
    data->info.has_memory_topology = n > 0;
}

static void read_compressed(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    (void)section_end;
    for (unsigned i = 0; i < 4; i++)
        (void)perf_cursor_u32(cursor);
    data->compressed_room = perf_cursor_u32(cursor);
}

static void read_build_ids(struct perf_data *data, struct perf_cursor *cursor, const uint8_t *section_end)
{
    const uint8_t *end = section_end < cursor->end ? section_end : cursor->end;
    while (end - cursor->at >= 8) {
        size_t size = perf_u16(data->swap, cursor->at + 6);
        if (size < 8 || size > (size_t)(end - cursor->at))
            break;
        perf_build_id_record(data, cursor->at, size);
        cursor->at += size;
    }
}

static const struct {
    uint8_t bit;
    feature_fn *read;
} readers[] = {
    {PERF_FEAT_BUILD_ID, read_build_ids},
    {PERF_FEAT_HOSTNAME, read_hostname},
    {PERF_FEAT_OSRELEASE, read_os_release},
    {PERF_FEAT_VERSION, read_version},
    {PERF_FEAT_ARCH, read_arch},
    {PERF_FEAT_NRCPUS, read_n_cpus},
    {PERF_FEAT_CPUDESC, read_cpu_desc},
    {PERF_FEAT_CPUID, read_cpuid},
    {PERF_FEAT_TOTAL_MEM, read_total_mem},
    {PERF_FEAT_CMDLINE, read_command_line},
    {PERF_FEAT_EVENT_DESC, read_event_desc},
    {PERF_FEAT_CPU_TOPOLOGY, read_cpu_topology},
    {PERF_FEAT_NUMA_TOPOLOGY, read_numa},
    {PERF_FEAT_AUXTRACE, read_aux_index},
    {PERF_FEAT_STAT, read_stat},
    {PERF_FEAT_CACHE, read_cache},
    {PERF_FEAT_SAMPLE_TIME, read_sample_time},
    {PERF_FEAT_MEM_TOPOLOGY, read_memory},
    {PERF_FEAT_COMPRESSED, read_compressed},
};

bool perf_feature_read(struct perf_data *data, unsigned bit, const uint8_t *at, uint64_t size, const uint8_t *end)
{
    struct perf_cursor cursor = {at, end, data->swap, false};
    const uint8_t *section_end = size > (uint64_t)(end - at) ? end : at + size;
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        if (readers[i].bit == bit) {
            readers[i].read(data, &cursor, section_end);
            return !cursor.bad;
        }
    }
    return true;
}

/* A feature so far behind the file that the file system refuses to go there is left out; nearer ones fail to be read.
 */
static bool can_seek(const struct perf_data *data, uint64_t offset)
{
    const uint64_t usual_limit = (uint64_t)1 << 44;
    if (data->map_is_given)
        return offset < usual_limit;
    return offset <= INT64_MAX && lseek(data->fd, (off_t)offset, SEEK_SET) != (off_t)-1;
}

void perf_features_read(struct perf_data *data)
{
    uint64_t table = data->data_offset + data->data_size;
    size_t i = 0;
    size_t n = 0;
    for (unsigned w = 0; w < 4; w++)
        n += sl_popcount64(data->features[w]);
    if (table < data->data_offset || table > data->map_size || n > (data->map_size - table) / 16)
        return;
    for (unsigned bit = 0; bit < PERF_FEAT_BITS; bit++) {
        const uint8_t *entry;
        uint64_t offset, size;
        if (!(data->features[bit / 64] >> (bit % 64) & 1))
            continue;
        entry = data->map + table + 16 * i++;
        offset = perf_u64(data->swap, entry);
        size = perf_u64(data->swap, entry + 8);
        if (!can_seek(data, offset))
            continue;
        if (offset > data->map_size)
            offset = data->map_size;
        /* Readers are not held to the section but to the file, as perf's are not. */
        if (!perf_feature_read(data, bit, data->map + offset, size, data->map + data->map_size))
            return;
    }
}

/* ---- CPUs of nodes ---- */

/* "0-3,8": calls back for each CPU. Stops at what is no such list. */
static bool assign_cpus(struct perf_data *data, const char *list, int32_t node)
{
    while (*list) {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (end == list)
            return true;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long cpu = first; cpu <= last && cpu < data->info.n_cpus_available; cpu++) {
            if (data->cpu_nodes[cpu] >= 0)
                return false;
            data->cpu_nodes[cpu] = node;
        }
        if (*end != ',')
            return true;
        list = end + 1;
    }
    return true;
}

static void build_nodes(struct perf_data *data)
{
    uint32_t n = data->info.n_cpus_available;
    /* The kernel's limit is 8192; what no machine has is not asked of memory. */
    if (!n || n > 1u << 22)
        return;
    data->cpu_nodes = pool_take(&data->pool, n * sizeof *data->cpu_nodes);
    for (uint32_t i = 0; i < n; i++)
        data->cpu_nodes[i] = -1;
    data->numa_ok = true;
    for (uint32_t i = 0; i < data->info.n_numa && data->numa_ok; i++)
        data->numa_ok = assign_cpus(data, data->info.numa[i].cpus, (int32_t)i);
}

bool perf_data_numa_ok(struct perf_data *data)
{
    if (!data->cpu_nodes)
        build_nodes(data);
    return data->numa_ok;
}

int32_t perf_data_node_of_cpu(struct perf_data *data, uint32_t cpu)
{
    if (!data->cpu_nodes)
        build_nodes(data);
    return data->cpu_nodes && cpu < data->info.n_cpus_available ? data->cpu_nodes[cpu] : -1;
}
