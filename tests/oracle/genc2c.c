/* SPDX-License-Identifier: Apache-2.0 */
/* Random recordings of memory accesses for the comparison with perf c2c report.
 * usage: genc2c KIND SEED SAMPLES ELF OUTPUT   KIND: intel amd power arm chain odd big
 *
 * Processes map the ELF file, heap, anonymous and shared memory and a stack; their threads read and write few lines.
 * "odd" adds what seldom happens: accesses without address or map, other privilege levels, data sources of random bits,
 * replaced maps, late records, MMAP records of the old form, missing header sections. "big" has many lines. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slotledger/spe.h>

#include "c2c_writer.h"

#define MAX_PROCESSES 5
#define TRACKING      0x15c4320ull /* flags of the event that records side bands: mmap2, comm, fork, sample_id_all */
#define SAMPLE_ID_ALL (1ull << 18)
#define SPE_PMU       9u

static uint64_t state;

static uint32_t rnd(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

static bool chance(uint32_t percent)
{
    return rnd(100) < percent;
}

struct segment {
    uint64_t start, len, offset;
    uint32_t protection;
};

struct program {
    const char *path;
    struct segment segments[8];
    uint32_t n, text, data;
};

struct process {
    uint32_t pid, tids[5], n_tids;
    uint64_t base, heap, anon, shm, stack;
};

struct scene {
    struct recording r;
    const char *kind;
    bool odd, chains, arm, big;
    struct program program;
    struct process processes[MAX_PROCESSES];
    uint32_t n_processes, n_cpus, n_nodes;
    const struct event *tracker;
    uint64_t time;
    struct sl_spe_encoder spe[16];
};

/* ---- the program
 * ------------------------------------------------------------------------------------------------------ */

static bool read_program(struct program *p, const char *path)
{
    FILE *file = fopen(path, "rb");
    Elf64_Ehdr head;
    bool good = file && fread(&head, sizeof head, 1, file) == 1 && !memcmp(head.e_ident, ELFMAG, SELFMAG);

    p->path = path;
    for (unsigned i = 0; good && i < head.e_phnum && p->n < 8; i++) {
        Elf64_Phdr ph;
        struct segment *s = &p->segments[p->n];
        good = !fseek(file, (long)(head.e_phoff + i * sizeof ph), SEEK_SET) && fread(&ph, sizeof ph, 1, file) == 1;
        if (!good || ph.p_type != PT_LOAD)
            continue;
        s->start = ph.p_vaddr & ~4095ull;
        s->len = ((ph.p_vaddr + ph.p_filesz + 4095) & ~4095ull) - s->start;
        s->offset = ph.p_offset & ~4095ull;
        s->protection = (ph.p_flags & PF_R ? 1u : 0) | (ph.p_flags & PF_W ? 2u : 0) | (ph.p_flags & PF_X ? 4u : 0);
        if (ph.p_flags & PF_X)
            p->text = p->n;
        if (ph.p_flags & PF_W)
            p->data = p->n;
        p->n++;
    }
    if (file)
        fclose(file);
    return good && p->n;
}

/* ---- header
 * ------------------------------------------------------------------------------------------------------------ */

#define MEMORY (S_IDENTIFIER | S_IP | S_TID | S_TIME | S_ADDR | S_CPU | S_PERIOD | S_DATA_SRC | S_PHYS_ADDR)

static void add_event(struct scene *s, const char *name, uint32_t type, uint64_t config, uint64_t sample_type,
                      uint64_t flags)
{
    struct event *e = &s->r.events[s->r.n_events];
    *e = (struct event){.name = name,
                        .type = type,
                        .config = config,
                        .sample_type = sample_type,
                        .flags = flags | SAMPLE_ID_ALL,
                        .period = 1 + rnd(9000),
                        .n_ids = s->n_cpus};
    for (uint32_t i = 0; i < e->n_ids; i++)
        e->ids[i] = 100 * (s->r.n_events + 1) + i;
    s->r.n_events++;
}

static void choose_events(struct scene *s)
{
    uint64_t weight = rnd(2) ? S_WEIGHT : S_WEIGHT_STRUCT;
    uint64_t type = MEMORY | weight | (s->chains ? S_CALLCHAIN : 0) | (s->odd && chance(20) ? S_DATA_PAGE : 0);

    if (s->odd && chance(10))
        type = (type & ~(uint64_t)S_IDENTIFIER) | S_ID | (rnd(2) ? S_STREAM_ID : 0);
    if (!strcmp(s->kind, "amd")) {
        add_event(s, "ibs_op//", 11, 0, type, TRACKING);
    } else if (s->arm) {
        add_event(s, "arm_spe_0/ts_enable=1,load_filter=1,store_filter=1/", SPE_PMU, 0x600010003,
                  (MEMORY | S_WEIGHT) & ~(uint64_t)0, 0);
        add_event(s, "dummy:u", 1, 9, S_IDENTIFIER | S_IP | S_TID | S_TIME | S_CPU, TRACKING | 1ull << 26);
    } else {
        bool power = !strcmp(s->kind, "power");
        if (!power && chance(25))
            add_event(s, "cpu/mem-loads-aux/", 4, 0x8203, type, TRACKING | 3ull << 15);
        add_event(s, power ? "cpu/mem-loads/" : "cpu/mem-loads,ldlat=30/P", 4, 0x1cd, type,
                  TRACKING | (power ? 0 : 3ull << 15));
        add_event(s, power ? "cpu/mem-stores/" : "cpu/mem-stores/P", 4, 0x2cd, type, 3ull << 15);
    }
    s->tracker = &s->r.events[s->arm ? 1 : 0];
}

/* Which cpus a node has: a run of them, or every n-th. */
static void node_cpus(const struct scene *s, uint32_t node, bool striped, char *text)
{
    uint32_t per = s->n_cpus / s->n_nodes;
    if (!striped) {
        sprintf(text, per > 1 ? "%u-%u" : "%u", node * per, node * per + per - 1);
        return;
    }
    *text = 0;
    for (uint32_t cpu = node; cpu < per * s->n_nodes; cpu += s->n_nodes)
        sprintf(text + strlen(text), "%s%u", *text ? "," : "", cpu);
}

static void memory_topology(struct scene *s)
{
    struct bytes *b = feature(&s->r, F_MEM_TOPOLOGY);
    put64(b, 1);
    put64(b, 0x8000000);
    put64(b, s->n_nodes);
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        put64(b, i);
        put64(b, 16);
        put64(b, 16 * (i + 1));
        for (uint32_t word = 0; word < (16 * (i + 1) + 63) / 64; word++)
            put64(b, word == i / 4 ? UINT64_C(0xffff) << i % 4 * 16 : 0);
    }
}

static void write_header(struct scene *s)
{
    static const char *const midrs[] = {"0x00000000413fd0c1", "0x00000000410fd490", "0x00000000411fd401",
                                        "0x00000000410fd4f0", "0x00000000c00fac30", "0x00000000410fd083"};
    bool striped = chance(30);
    struct bytes *b;

    feature_string(&s->r, F_HOSTNAME, "generated");
    feature_string(&s->r, F_ARCH, s->arm ? "aarch64" : !strcmp(s->kind, "power") ? "ppc64le" : "x86_64");
    b = feature(&s->r, F_NRCPUS);
    put32(b, s->n_cpus);
    put32(b, s->n_cpus);
    feature_string(&s->r, F_CPUID, s->arm ? midrs[rnd(6)] : "GenuineIntel-6-85-4");
    if (!s->odd || chance(80))
        feature_events(&s->r);
    b = feature(&s->r, F_NUMA);
    put32(b, s->n_nodes);
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        char cpus[1024];
        node_cpus(s, i, striped, cpus);
        put32(b, i);
        put64(b, 8 << 20);
        put64(b, 4 << 20);
        put_string(b, cpus);
    }
    if (!s->odd || chance(90))
        memory_topology(s);
}

/* ---- processes
 * ----------------------------------------------------------------------------------------------------------- */

static void map(struct scene *s, const struct origin *at, struct mapping m)
{
    uint16_t misc = (uint16_t)(2 | (m.protection & 4 ? 0 : 1 << 13));
    if (s->odd && chance(5))
        write_mmap(&s->r, s->tracker, at, misc, &m);
    else
        write_mmap2(&s->r, s->tracker, at, misc, &m);
}

static void map_process(struct scene *s, const struct process *p, const struct origin *at)
{
    /* perf orders the branches of a call graph by where it keeps two files in its memory: with chains there is one. */
    uint64_t inode = 1000 + (s->chains ? 0 : rnd(2));
    for (uint32_t i = 0; i < s->program.n; i++) {
        const struct segment *g = &s->program.segments[i];
        map(s, at,
            (struct mapping){p->base + g->start, g->len, g->offset, 8, 1, inode, 7, g->protection, 2, s->program.path});
    }
    map(s, at, (struct mapping){p->heap, 0x21000, 0, 0, 0, 0, 0, 3, 2, "[heap]"});
    map(s, at, (struct mapping){p->anon, 0x1000000, 0, 0, 0, 0, 0, 3, 2, "//anon"});
    map(s, at, (struct mapping){p->shm, 0x10000, 0, 0, 22, 55, 0, 3, 1, "/dev/shm/ring"});
    map(s, at, (struct mapping){p->stack, 0x21000, 0, 0, 0, 0, 0, 3, 2, "[stack]"});
}

static void start_processes(struct scene *s)
{
    static const char *const names[] = {"a", "bench", "longcommandname"};
    s->n_processes = 1 + rnd(MAX_PROCESSES - 1);
    for (uint32_t i = 0; i < s->n_processes; i++) {
        struct process *p = &s->processes[i];
        struct origin at = {0, 0, 0, 1 + i};
        uint64_t apart = rnd(2) ? 0x1000000ull * i : 0;
        p->pid = 100 + rnd(60000);
        p->base = s->program.segments[0].start ? 0 : 0x555555554000 + apart;
        p->heap = 0x55555557a000 + apart + 0x100000;
        p->anon = 0x7ffff6a00000;
        p->shm = 0x7ffff7bf0000 + (rnd(2) ? 0x20000 * i : 0);
        p->stack = 0x7ffffffde000;
        at.pid = at.tid = p->tids[p->n_tids++] = p->pid;
        write_comm(&s->r, s->tracker, &at, names[rnd(3)]);
        map_process(s, p, &at);
        for (uint32_t k = rnd(4); k-- > 0;) {
            uint32_t tid = p->pid + 60000 + k;
            struct origin thread = {p->pid, tid, 0, 25};
            char name[16];
            p->tids[p->n_tids++] = tid;
            if (chance(90))
                write_fork(&s->r, s->tracker, &at, p->pid, tid);
            snprintf(name, sizeof name, "t%u", k);
            if (chance(50))
                write_comm(&s->r, s->tracker, &thread, name);
        }
    }
    write_round(&s->r);
}

/* ---- accesses
 * -------------------------------------------------------------------------------------------------------------- */

#define LOAD  SL_MEM_OP_LOAD
#define STORE SL_MEM_OP_STORE
#define HIT   SL_MEM_LVL_HIT

static const uint64_t loads[] = {
    LOAD | HIT | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NONE,
    LOAD | HIT | SL_MEM_LVL_LFB | SL_MEM_SNOOP_NONE,
    LOAD | HIT | SL_MEM_LVL_L2 | SL_MEM_SNOOP_NONE,
    LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_NONE,
    LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HIT,
    LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM | SL_MEM_LOCK_LOCKED,
    LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM,
    LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM,
    LOAD | HIT | SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_SNOOP_HITM | SL_MEM_REMOTE,
    LOAD | HIT | SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_SNOOP_HIT | SL_MEM_REMOTE,
    LOAD | HIT | SL_MEM_LVL_REMOTE_CACHE2 | SL_MEM_SNOOP_HITM,
    LOAD | HIT | SL_MEM_LVL_LOCAL_RAM | SL_MEM_SNOOP_MISS,
    LOAD | HIT | SL_MEM_LVL_LOCAL_RAM | SL_MEM_SNOOP_HIT,
    LOAD | HIT | SL_MEM_LVL_REMOTE_RAM1 | SL_MEM_SNOOP_MISS,
    LOAD | HIT | SL_MEM_LVL_REMOTE_RAM2 | SL_MEM_SNOOP_HIT,
    LOAD | HIT | SL_MEM_LVL_IO,
    LOAD | HIT | SL_MEM_LVL_UNCACHED,
    LOAD | SL_MEM_LVL_MISS | SL_MEM_LVL_L3,
    LOAD | HIT | SL_MEM_LVL_L1 | SL_MEM_BLOCK_DATA,
    LOAD | HIT | SL_MEM_LVL_L1 | SL_MEM_BLOCK_ADDRESS,
    LOAD | SL_MEM_LVL_NA | SL_MEM_LEVEL_ANY_CACHE | SL_MEM_REMOTE | SL_MEM_SNOOP_HITM,
    LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOPX_PEER,
    LOAD | HIT | SL_MEM_LVL_L2 | SL_MEM_SNOOPX_PEER,
    LOAD | SL_MEM_LVL_NA | SL_MEM_REMOTE | SL_MEM_SNOOPX_PEER,
    LOAD | HIT | SL_MEM_LVL_L2 | SL_MEM_REMOTE | SL_MEM_HOPS(1) | SL_MEM_SNOOP_HITM,
};
static const uint64_t stores[] = {
    STORE | HIT | SL_MEM_LVL_L1,
    STORE | SL_MEM_LVL_MISS | SL_MEM_LVL_L1,
    STORE | SL_MEM_LVL_NA,
    STORE | HIT | SL_MEM_LVL_UNCACHED,
    STORE | HIT | SL_MEM_LVL_L1 | SL_MEM_LOCK_LOCKED,
    STORE | HIT | SL_MEM_LVL_MISS | SL_MEM_LVL_L1,
};

static uint64_t random_source(const struct scene *s, bool store)
{
    if (s->odd && chance(10))
        return ((uint64_t)rnd(1u << 31) << 15 ^ rnd(1u << 31)) & ((1ull << 46) - 1);
    return store ? stores[rnd(sizeof stores / sizeof stores[0])] : loads[rnd(sizeof loads / sizeof loads[0])];
}

static uint64_t random_address(const struct scene *s, const struct process *p)
{
    static const uint32_t offsets[] = {0, 4, 8, 32, 56, 60};
    const struct segment *data = &s->program.segments[s->program.data];
    uint64_t at = offsets[rnd(6)] + 64 * (uint64_t)rnd(4);

    if (s->odd && chance(5))
        return rnd(2) ? 0 : 0xdead0000ull + rnd(4096);
    if (s->big)
        return p->anon + 64 * (uint64_t)(rnd(3) ? rnd(16000) : rnd(16)) + 8 * rnd(8);
    switch (rnd(6)) {
    case 0:
        return p->heap + at;
    case 1:
        return p->anon + at;
    case 2:
        return p->shm + at;
    case 3:
        return p->stack + at;
    default:
        return p->base + data->start + (data->len - 4096) + rnd(16) * 64 % 4096 + at;
    }
}

static uint64_t random_ip(const struct scene *s, const struct process *p)
{
    const struct segment *text = &s->program.segments[s->program.text];
    if (s->odd && chance(3))
        return 0x1234 + rnd(64);
    return p->base + text->start + 4 * (uint64_t)rnd(s->big ? 12 : (uint32_t)(text->len / 4));
}

static uint64_t physical(const struct scene *s, uint64_t address)
{
    if (chance(10))
        return 0;
    if (s->odd && chance(3))
        return 0x999999999999;
    return (rnd(2) ? rnd(s->n_nodes) : 0) * 16ull * 0x8000000 + (address & 0xffffff) + 0x100000;
}

static uint32_t random_chain(const struct scene *s, const struct process *p, uint64_t ip, uint64_t *chain)
{
    static const uint64_t markers[] = {(uint64_t)-512, (uint64_t)-128, (uint64_t)-32, (uint64_t)-2048};
    uint32_t n = 0, frames = rnd(5);
    const struct segment *text = &s->program.segments[s->program.text];
    chain[n++] = markers[0];
    chain[n++] = ip;
    while (frames-- > 0) {
        chain[n++] = chance(5) ? 0x1234 : p->base + text->start + 16 * (uint64_t)rnd(6) + text->len / 2;
        if (s->odd && chance(3))
            chain[n++] = markers[rnd(4)];
    }
    return n;
}

static void random_access(struct scene *s)
{
    static const uint16_t modes[] = {1, 3, 4, 5, 0};
    static const uint32_t weights[] = {0, 3, 20, 35, 77, 300, 1201, 12000, 66000};
    const struct process *p = &s->processes[rnd(s->n_processes)];
    bool store = chance(33);
    uint64_t chain[32];
    struct access a = {.mode = 2, .period = 1 + rnd(9000), .chain = chain};
    struct origin at = {p->pid, p->tids[rnd(p->n_tids)], rnd(s->n_cpus), 0};
    uint32_t last = s->r.n_events - 1;

    s->time += rnd(9);
    at.time = s->odd && chance(2) ? s->time - rnd(200) : s->time;
    if (s->odd && chance(6))
        a.mode = modes[rnd(5)];
    a.address = random_address(s, p);
    a.ip = random_ip(s, p);
    a.source = random_source(s, store);
    a.phys = physical(s, a.address);
    a.weight = store ? 0 : weights[rnd(9)] + rnd(4);
    a.n_chain = s->chains ? random_chain(s, p, a.ip, chain) : 0;
    write_sample(&s->r, &s->r.events[store || last == 0 ? last : last - 1], &at, &a);
}

/* An SPE record in the buffer of its core. */
static void random_spe(struct scene *s)
{
    static const uint8_t sources[] = {0, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 3, 15};
    const struct process *p = &s->processes[rnd(s->n_processes)];
    struct sl_spe_record r;
    bool store = chance(35);
    uint64_t address = random_address(s, p);

    memset(&r, 0, sizeof r);
    s->time += 5 + rnd(30);
    r.has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_EVENTS | SL_SPE_HAS_TIMESTAMP | SL_SPE_HAS_CONTEXT |
            (unsigned)SL_SPE_HAS_COUNTER | 1u << SL_SPE_ADDRESS_PC | 1u << SL_SPE_ADDRESS_VIRTUAL |
            1u << SL_SPE_ADDRESS_PHYSICAL | (store ? 0u : (unsigned)SL_SPE_HAS_SOURCE);
    r.operation_class = SL_SPE_CLASS_MEMORY;
    r.operation = (uint8_t)(store | (chance(20) ? 2 | 4 << rnd(3) : 0));
    r.events = 2 | (uint64_t)rnd(4) << 2 | (uint64_t)rnd(4) << 4 | (uint64_t)(chance(20) ? rnd(8) : 0) << 8;
    r.context = p->tids[rnd(p->n_tids)];
    r.address[SL_SPE_ADDRESS_PC] = random_ip(s, p) | 1ull << 63;
    r.address[SL_SPE_ADDRESS_VIRTUAL] = address;
    r.address[SL_SPE_ADDRESS_PHYSICAL] = physical(s, address) | 1ull << 63;
    r.counter[0] = (uint16_t)(1 + rnd(2000));
    r.source = sources[rnd(sizeof sources)];
    r.timestamp = s->time;
    sl_spe_put_record(&s->spe[rnd(s->n_cpus)], &r, 64);
}

/* A piece of memory is mapped anew. */
static void remap(struct scene *s)
{
    const struct process *p = &s->processes[rnd(s->n_processes)];
    struct origin at = {p->pid, p->pid, 0, s->time};
    map(s, &at, (struct mapping){p->anon + 4096 * (uint64_t)rnd(4), 4096, 0, 0, 0, 0, 0, 3, 2, "//anon"});
}

static void make_samples(struct scene *s, uint32_t n)
{
    s->time = 1000;
    for (uint32_t i = 0; i < n; i++) {
        if (s->arm)
            random_spe(s);
        else
            random_access(s);
        if (!s->arm && (s->big ? i % 100000 == 99999 : chance(1)))
            write_round(&s->r);
        if (s->odd && chance(1))
            remap(s);
        if (s->odd && rnd(1000) == 0)
            write_lost(&s->r, s->tracker, &(struct origin){0, 0, 0, s->time}, 5);
    }
    for (uint32_t cpu = 0; s->arm && cpu < s->n_cpus; cpu++) {
        struct origin at = {s->processes[0].pid, s->processes[0].pid, cpu, s->time * 10 + 100 + cpu};
        if (!s->spe[cpu].used_bytes)
            continue;
        write_aux(&s->r, &s->r.events[0], &at, s->spe[cpu].used_bytes);
        write_auxtrace(&s->r, &at, s->spe[cpu].bytes, s->spe[cpu].used_bytes);
    }
    write_round(&s->r);
}

int main(int argc, char **argv)
{
    static const uint32_t cpus[] = {2, 4, 8, 8, 64, 16};
    static struct scene s;
    uint32_t n;

    if (argc != 6 || !read_program(&s.program, argv[4])) {
        fprintf(stderr, "usage: genc2c KIND SEED SAMPLES ELF OUTPUT\n");
        return 1;
    }
    s.kind = argv[1];
    state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    n = (uint32_t)strtoul(argv[3], NULL, 10);
    s.odd = !strcmp(s.kind, "odd");
    s.arm = !strcmp(s.kind, "arm");
    s.big = !strcmp(s.kind, "big");
    s.chains = !strcmp(s.kind, "chain") || (s.odd && chance(30));
    s.n_cpus = s.arm ? 2 + rnd(3) : cpus[rnd(6)];
    s.n_nodes = s.arm ? 1 : 1u << rnd(s.n_cpus > 2 ? 3 : 2);
    for (uint32_t cpu = 0; s.arm && cpu < s.n_cpus; cpu++) {
        s.spe[cpu].room_bytes = 64 * ((size_t)n + 1);
        s.spe[cpu].bytes = (uint8_t *)malloc(s.spe[cpu].room_bytes);
    }
    choose_events(&s);
    write_header(&s);
    if (s.arm) {
        write_time_conv(&s.r, 0, 10, 0);
        write_auxtrace_info(&s.r, SPE_PMU);
    }
    start_processes(&s);
    make_samples(&s, n);
    if (!write_file(&s.r, argv[5])) {
        perror(argv[5]);
        return 1;
    }
    return 0;
}
