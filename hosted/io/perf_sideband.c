/* SPDX-License-Identifier: Apache-2.0 */
/* Records beside the samples: names, births and mappings of processes, the kernel's maps, and what was lost. */
#include <string.h>

#include "perf_internal.h"

#define HEADER_BYTES   8u
#define BUILD_ID_BYTES 20u

/* A record's body while it is handled. */
struct body {
    struct perf_data *data;
    const uint8_t *at;
    size_t size;
    uint64_t offset;
    uint16_t misc;
};

static bool too_short(const struct body *body)
{
    return perf_fail(body->data, PERF_EXIT_FAULT, body->offset, "a record of %zu bytes is too short for its fields",
                     body->size + HEADER_BYTES);
}

static uint32_t u32(const struct body *body, size_t at)
{
    return perf_u32(body->data->swap, body->at + at);
}

static uint64_t u64(const struct body *body, size_t at)
{
    return perf_u64(body->data->swap, body->at + at);
}

/* A name within the record, ended by NUL or by the record. */
static const char *name_at(const struct body *body, size_t at)
{
    const char *name = (const char *)body->at + at;
    return pool_text(&body->data->pool, name, strnlen(name, body->size - at));
}

static bool starts(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* ---- threads ---- */

static bool on_comm(const struct body *body)
{
    struct perf_thread *thread;
    if (body->size < 8)
        return too_short(body);
    thread = perf_thread_get(body->data, (int32_t)u32(body, 0), (int32_t)u32(body, 4));
    thread->comm = name_at(body, 8);
    thread->comm_set = true;
    return true;
}

static bool too_many_maps(const struct body *body)
{
    return perf_fail(body->data, PERF_EXIT_INVALID, body->offset, "more memory maps than the reader keeps");
}

static bool on_fork(const struct body *body)
{
    struct perf_thread *parent, *child;
    int32_t pid, parent_pid, tid, parent_tid;
    if (body->size < 24)
        return too_short(body);
    pid = (int32_t)u32(body, 0);
    parent_pid = (int32_t)u32(body, 4);
    tid = (int32_t)u32(body, 8);
    parent_tid = (int32_t)u32(body, 12);
    parent = perf_thread_get(body->data, parent_pid, parent_tid);
    /* Ids are used again: what the table holds under them may have ended. */
    if (parent->pid != parent_pid)
        parent = perf_thread_fresh(body->data, parent_pid, parent_tid);
    child = perf_thread_fresh(body->data, pid, tid);
    if (parent->comm_set) {
        child->comm = parent->comm;
        child->comm_set = true;
    }
    if (child->pid == parent->pid || child->maps == parent->maps || body->misc & PERF_MISC_FORK_EXEC)
        return true;
    return perf_maps_copy(body->data, child->maps, parent->maps) || too_many_maps(body);
}

/* ---- maps ---- */

struct mapping {
    int32_t pid, tid;
    uint64_t start, len, page_offset;
    struct perf_dso identity;
    uint32_t protection, flags;
    const char *name;
};

static struct perf_dso *kernel_dso(struct perf_data *data)
{
    struct perf_machine *machine = &data->machine;
    if (!machine->kernel) {
        machine->kernel = perf_dso_by_name(data, "[kernel.kallsyms]");
        machine->kernel->kernel = true;
    }
    return machine->kernel;
}

/* "[demo_mod]" of "/lib/modules/.../demo-mod.ko.xz"; other names stay. */
static const char *module_name(struct perf_data *data, const char *base)
{
    const char *ko = strstr(base, ".ko");
    char *name;
    size_t len;
    if (base[0] == '[' || !ko)
        return base;
    len = (size_t)(ko - base);
    name = pool_take(&data->pool, len + 3);
    name[0] = '[';
    for (size_t i = 0; i < len; i++)
        name[1 + i] = base[i] == '-' ? '_' : base[i];
    name[1 + len] = ']';
    return name;
}

#define KERNEL_NAME "[kernel.kallsyms]"

static void place_kernel(struct perf_data *data, struct perf_map *map, const struct mapping *from)
{
    struct perf_machine *machine = &data->machine;
    const char *reference = from->name + strlen(KERNEL_NAME);
    map->dso = kernel_dso(data);
    map->identity = true;
    if (!from->start && !from->len)
        map->end = UINT64_MAX;
    if (*reference) {
        machine->kernel_reference = reference;
        machine->kernel_reference_address = from->page_offset;
    }
    machine->kernel_start = map->start;
}

static bool map_kernel(const struct body *body, const struct mapping *from)
{
    struct perf_data *data = body->data;
    struct perf_map *map = pool_take(&data->pool, sizeof *map);
    map->start = from->start;
    map->end = from->start + from->len;
    if (starts(from->name, KERNEL_NAME)) {
        place_kernel(data, map, from);
    } else if (from->name[0] == '/' || from->name[0] == '[') {
        map->dso = perf_dso_by_name(data, from->name);
        map->dso->module = true;
        map->dso->short_name = module_name(data, map->dso->short_name);
    } else {
        return true;
    }
    return perf_maps_insert(data, &data->machine.kernel_maps, map) || too_many_maps(body);
}

static bool is_anonymous(const struct mapping *from)
{
    return !strcmp(from->name, "//anon") || starts(from->name, "/dev/zero") || starts(from->name, "/anon_hugepage") ||
           from->flags & PERF_MAP_HUGETLB;
}

static bool is_no_file(const struct mapping *from)
{
    return starts(from->name, "[stack") || starts(from->name, "/SYSV") || !strcmp(from->name, "[heap]");
}

static bool map_user(const struct body *body, const struct mapping *from)
{
    struct perf_data *data = body->data;
    struct perf_thread *thread = perf_thread_get(data, from->pid, from->tid);
    struct perf_map *map = pool_take(&data->pool, sizeof *map);
    bool exec = from->protection & PERF_PROT_EXEC;
    const char *name = from->name;
    char jit[32];
    map->identity = is_anonymous(from) || is_no_file(from);
    if (map->identity && exec) {
        snprintf(jit, sizeof jit, "/tmp/perf-%d.map", (int)from->pid);
        name = jit;
    }
    map->start = from->start;
    map->end = from->start + from->len;
    map->page_offset = strcmp(name, "[vdso]") ? from->page_offset : 0;
    map->protection = from->protection;
    map->flags = from->flags;
    map->dso = perf_dso_get(data, name, &from->identity);
    if (map->identity && !exec)
        map->dso->no_symbols = true;
    return perf_maps_insert(data, thread->maps, map) || too_many_maps(body);
}

static bool map_any(const struct body *body, const struct mapping *from)
{
    unsigned mode = body->misc & PERF_MISC_CPUMODE;
    if (mode == PERF_MISC_KERNEL || mode == PERF_MISC_GUEST_KERNEL)
        return map_kernel(body, from);
    return map_user(body, from);
}

static void read_place(const struct body *body, struct mapping *mapping)
{
    memset(mapping, 0, sizeof *mapping);
    mapping->pid = (int32_t)u32(body, 0);
    mapping->tid = (int32_t)u32(body, 4);
    mapping->start = u64(body, 8);
    mapping->len = u64(body, 16);
    mapping->page_offset = u64(body, 24);
}

static bool on_mmap(const struct body *body)
{
    struct mapping mapping;
    if (body->size < 32)
        return too_short(body);
    read_place(body, &mapping);
    mapping.protection = body->misc & PERF_MISC_MMAP_DATA ? 0 : PERF_PROT_EXEC;
    mapping.name = name_at(body, 32);
    return map_any(body, &mapping);
}

static void set_build_id(struct perf_dso *dso, const uint8_t *id, size_t size)
{
    if (size > BUILD_ID_BYTES)
        size = BUILD_ID_BYTES;
    memcpy(dso->build_id, id, size);
    dso->build_id_bytes = (uint8_t)size;
}

/* With a build id its bytes are there, and still serve as the identity. */
static void read_identity(const struct body *body, struct perf_dso *identity)
{
    bool swap = body->data->swap && !(body->misc & PERF_MISC_MMAP_BUILD_ID);
    identity->major = perf_u32(swap, body->at + 32);
    identity->minor = perf_u32(swap, body->at + 36);
    identity->inode = perf_u64(swap, body->at + 40);
    identity->generation = perf_u64(swap, body->at + 48);
}

static bool on_mmap2(const struct body *body)
{
    struct mapping mapping;
    struct perf_data *data = body->data;
    if (body->size < 64)
        return too_short(body);
    read_place(body, &mapping);
    read_identity(body, &mapping.identity);
    /* perf leaves these two in the byte order of the file; so do its maps of anonymous code and shared memory. */
    mapping.protection = sl_get_u32le(body->at + 56);
    mapping.flags = sl_get_u32le(body->at + 60);
    mapping.name = name_at(body, 64);
    if (!map_any(body, &mapping))
        return false;
    if (body->misc & PERF_MISC_MMAP_BUILD_ID && mapping.name[0]) {
        struct perf_dso *dso =
            starts(mapping.name, KERNEL_NAME) ? kernel_dso(data) : perf_dso_get(data, mapping.name, &mapping.identity);
        set_build_id(dso, body->at + 36, body->at[32]);
    }
    return true;
}

void perf_build_id_record(struct perf_data *data, const uint8_t *record, size_t size)
{
    const size_t name_offset = HEADER_BYTES + 4 + 24;
    uint16_t misc = perf_u16(data->swap, record + 4);
    const uint8_t *id = record + HEADER_BYTES + 4;
    size_t id_bytes = BUILD_ID_BYTES;
    struct perf_dso *dso;
    const char *name;
    if (size <= name_offset)
        return;
    if (misc & PERF_MISC_BUILD_ID_SIZE && id[BUILD_ID_BYTES] < BUILD_ID_BYTES)
        id_bytes = id[BUILD_ID_BYTES];
    name = (const char *)record + name_offset;
    name = pool_text(&data->pool, name, strnlen(name, size - name_offset));
    dso = starts(name, KERNEL_NAME) ? kernel_dso(data) : perf_dso_by_name(data, name);
    if ((misc & PERF_MISC_CPUMODE) == PERF_MISC_KERNEL && !dso->kernel) {
        dso->module = true;
        dso->short_name = module_name(data, dso->short_name);
    }
    set_build_id(dso, id, id_bytes);
}

/* A function that the kernel makes at run time: a map and a symbol of its own. */
static bool on_ksymbol(const struct body *body)
{
    struct perf_data *data = body->data;
    struct perf_maps *maps = &data->machine.kernel_maps;
    struct perf_map *map;
    uint64_t start;
    uint32_t len;
    bool unregister;
    if (body->size < 16)
        return too_short(body);
    start = u64(body, 0);
    len = u32(body, 8);
    unregister = perf_u16(data->swap, body->at + 14) & 1u;
    if (unregister) {
        const struct perf_map *old = perf_maps_find(maps, start, true);
        if (old && old->dso != data->machine.kernel)
            perf_maps_remove(data, maps, start);
        return true;
    }
    if (perf_maps_find(maps, start, true))
        return true;
    map = pool_take(&data->pool, sizeof *map);
    map->start = start;
    map->end = start + len;
    map->dso = perf_dso_by_name(data, name_at(body, 16));
    map->dso->runtime_bytes = len;
    return perf_maps_insert(data, maps, map) || too_many_maps(body);
}

/* ---- losses ---- */

static bool on_lost(const struct body *body)
{
    if (body->size < 16)
        return too_short(body);
    body->data->losses.lost_chunks++;
    body->data->losses.lost_events += u64(body, 8);
    return true;
}

static bool on_lost_samples(const struct body *body)
{
    if (body->size < 8)
        return too_short(body);
    body->data->losses.lost_samples += u64(body, 0);
    return true;
}

static bool on_aux(const struct body *body)
{
    struct perf_losses *losses = &body->data->losses;
    uint64_t flags;
    if (body->size < 24)
        return too_short(body);
    flags = u64(body, 16);
    losses->aux_records++;
    losses->aux_truncated += !!(flags & PERF_AUX_TRUNCATED);
    losses->aux_partial += !!(flags & PERF_AUX_PARTIAL);
    losses->aux_collisions += !!(flags & PERF_AUX_COLLISION);
    return true;
}

typedef bool sideband_fn(const struct body *body);

static sideband_fn *const handlers[PERF_REC_KERNEL_MAX] = {
    [PERF_REC_MMAP] = on_mmap,       [PERF_REC_MMAP2] = on_mmap2, [PERF_REC_LOST] = on_lost,
    [PERF_REC_COMM] = on_comm,       [PERF_REC_FORK] = on_fork,   [PERF_REC_LOST_SAMPLES] = on_lost_samples,
    [PERF_REC_KSYMBOL] = on_ksymbol, [PERF_REC_AUX] = on_aux,
};

bool perf_sideband(struct perf_data *data, uint32_t type, const uint8_t *record, size_t size, uint64_t offset)
{
    struct body body = {data, record + HEADER_BYTES, size - HEADER_BYTES, offset, perf_u16(data->swap, record + 4)};
    return type >= PERF_REC_KERNEL_MAX || !handlers[type] || handlers[type](&body);
}
