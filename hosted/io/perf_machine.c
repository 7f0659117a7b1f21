/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded machine: its threads by task id, and the images its code was mapped from. */
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

/* ---- threads ---- */

static size_t thread_slot(const struct perf_machine *machine, int32_t tid)
{
    size_t mask = machine->n_slots - 1;
    size_t slot = ((uint32_t)tid * 0x9e3779b1u >> 7) & mask;
    while (machine->threads[slot] && machine->threads[slot]->tid != tid)
        slot = (slot + 1) & mask;
    return slot;
}

static void grow_threads(struct perf_data *data)
{
    struct perf_machine *machine = &data->machine;
    struct perf_thread **old = machine->threads;
    size_t n_old = machine->n_slots;
    machine->n_slots = n_old ? n_old * 2 : 256;
    machine->threads = pool_take(&data->pool, machine->n_slots * sizeof(struct perf_thread *));
    for (size_t i = 0; i < n_old; i++) {
        if (old[i])
            machine->threads[thread_slot(machine, old[i]->tid)] = old[i];
    }
}

static struct perf_thread *new_thread(struct perf_data *data, int32_t pid, int32_t tid)
{
    struct perf_machine *machine = &data->machine;
    struct perf_thread *thread = pool_take(&data->pool, sizeof *thread);
    char comm[16];
    int len = snprintf(comm, sizeof comm, ":%d", (int)tid);
    thread->pid = pid;
    thread->tid = tid;
    thread->comm = pool_text(&data->pool, comm, (size_t)len);
    thread->cpu = -1;
    thread->index = machine->n_threads++;
    machine->n_changes++;
    return thread;
}

/* Puts the thread in the place of one with its id, if there is any. */
static void put_thread(struct perf_data *data, struct perf_thread *thread)
{
    struct perf_machine *machine = &data->machine;
    size_t slot;
    if (2 * (machine->n_used + 1) > machine->n_slots)
        grow_threads(data);
    slot = thread_slot(machine, thread->tid);
    machine->n_used += !machine->threads[slot];
    machine->threads[slot] = thread;
}

struct perf_thread *perf_thread_find(struct perf_data *data, int32_t tid)
{
    const struct perf_machine *machine = &data->machine;
    return machine->threads[thread_slot(machine, tid)];
}

/* The leader of a process owns its maps. */
static struct perf_maps *maps_of_process(struct perf_data *data, int32_t pid)
{
    struct perf_thread *leader = perf_thread_find(data, pid);
    if (!leader) {
        leader = new_thread(data, pid, pid);
        leader->maps = perf_maps_new(data);
        put_thread(data, leader);
    } else if (leader->pid == -1) {
        leader->pid = pid;
    }
    return leader->maps;
}

struct perf_thread *perf_thread_fresh(struct perf_data *data, int32_t pid, int32_t tid)
{
    struct perf_thread *thread = new_thread(data, pid, tid);
    put_thread(data, thread);
    thread->maps = pid == tid || pid == -1 ? perf_maps_new(data) : maps_of_process(data, pid);
    return thread;
}

struct perf_thread *perf_thread_get(struct perf_data *data, int32_t pid, int32_t tid)
{
    struct perf_thread *thread = perf_thread_find(data, tid);
    if (!thread)
        return perf_thread_fresh(data, pid, tid);
    if (thread->pid == -1 && pid != -1) {
        data->machine.n_changes++;
        thread->pid = pid;
        if (pid != tid)
            thread->maps = maps_of_process(data, pid);
    }
    return thread;
}

/* ---- images ---- */

static size_t name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

static bool no_identity(const struct perf_dso *dso)
{
    return !dso->major && !dso->minor && !dso->inode && !dso->generation;
}

static bool same_identity(const struct perf_dso *a, const struct perf_dso *b)
{
    return a->major == b->major && a->minor == b->minor && a->inode == b->inode &&
           (!a->generation || !b->generation || a->generation == b->generation);
}

static void take_identity(struct perf_dso *to, const struct perf_dso *from)
{
    to->major = from->major;
    to->minor = from->minor;
    to->inode = from->inode;
    to->generation = from->generation;
}

static const char *base_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && slash[1] ? slash + 1 : name;
}

static const char *short_name(struct perf_data *data, const char *name)
{
    size_t len = strlen(name);
    char text[64];
    int n;
    if (len <= 14 || strncmp(name, "/tmp/perf-", 10) || strcmp(name + len - 4, ".map"))
        return base_name(name);
    n = snprintf(text, sizeof text, "[JIT] tid %.*s", (int)(len - 14 > 40 ? 40 : len - 14), name + 10);
    return pool_text(&data->pool, text, (size_t)n);
}

static void grow_dsos(struct perf_data *data)
{
    struct perf_machine *machine = &data->machine;
    machine->n_dso_slots = machine->n_dso_slots ? machine->n_dso_slots * 4 : 256;
    machine->dsos = pool_take(&data->pool, machine->n_dso_slots * sizeof(struct perf_dso_entry *));
    for (struct perf_dso_entry *entry = machine->all_dsos; entry; entry = entry->next_all) {
        struct perf_dso_entry **slot = &machine->dsos[name_hash(entry->dso.name) & (machine->n_dso_slots - 1)];
        entry->next = *slot;
        *slot = entry;
    }
}

/* The list of all is newest first, and so is each chain: of several images with one name the oldest is found. */
static struct perf_dso *find_dso(const struct perf_machine *machine, const char *name, const struct perf_dso *identity)
{
    struct perf_dso *found = NULL;
    struct perf_dso_entry *entry;
    if (!machine->n_dso_slots)
        return NULL;
    entry = machine->dsos[name_hash(name) & (machine->n_dso_slots - 1)];
    for (; entry; entry = entry->next) {
        if (!strcmp(entry->dso.name, name) &&
            (!identity || no_identity(identity) || no_identity(&entry->dso) || same_identity(identity, &entry->dso)))
            found = &entry->dso;
    }
    return found;
}

static struct perf_dso *new_dso(struct perf_data *data, const char *name)
{
    struct perf_machine *machine = &data->machine;
    struct perf_dso_entry *entry = pool_take(&data->pool, sizeof *entry), **slot;
    entry->dso.name = pool_text(&data->pool, name, strlen(name));
    entry->dso.short_name = short_name(data, entry->dso.name);
    entry->dso.index = machine->n_dsos++;
    if (machine->n_dsos > 2 * machine->n_dso_slots)
        grow_dsos(data);
    entry->next_all = machine->all_dsos;
    machine->all_dsos = entry;
    slot = &machine->dsos[name_hash(name) & (machine->n_dso_slots - 1)];
    entry->next = *slot;
    *slot = entry;
    return &entry->dso;
}

struct perf_dso *perf_dso_get(struct perf_data *data, const char *name, const struct perf_dso *identity)
{
    struct perf_dso *dso = find_dso(&data->machine, name, identity);
    if (!dso)
        dso = new_dso(data, name);
    if (no_identity(dso))
        take_identity(dso, identity);
    return dso;
}

struct perf_dso *perf_dso_by_name(struct perf_data *data, const char *name)
{
    struct perf_dso *dso = find_dso(&data->machine, name, NULL);
    return dso ? dso : new_dso(data, name);
}

void perf_machine_init(struct perf_data *data)
{
    struct perf_thread *idle;
    data->machine.kernel_start = (uint64_t)1 << 63;
    grow_threads(data);
    idle = perf_thread_fresh(data, 0, 0);
    idle->comm = "swapper";
    idle->comm_set = true;
}

uint32_t perf_data_n_threads(const struct perf_data *data)
{
    return data->machine.n_threads;
}

uint32_t perf_data_n_dsos(const struct perf_data *data)
{
    return data->machine.n_dsos;
}
