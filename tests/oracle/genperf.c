/* SPDX-License-Identifier: Apache-2.0 */
/* Random recordings for the comparison with perf.
 *
 * usage: genperf -o FILE -e ELF [-a intel|amd|ppc|arm64|bench] [-s SEED] [-n SAMPLES] [-k VMLINUX] [-x] [-g] [-b] [-z] [-p]
 *   -e  program whose functions and variables are sampled (an absolute path: it becomes part of the file)
 *   -x  exotic records, too: kernel and module maps, other modes, anonymous code, files that do not exist, MMAP of old
 *   -k  kernel image whose functions are sampled, too, where it was loaded by the seed's choice
 *   -g  call chains; -b big-endian; -z compressed; -p pipe form
 * arch bench: SAMPLES plain Intel samples over 16000 lines, for measurements. */
#include <gelf.h>
#include <fcntl.h>
#include <unistd.h>

#include <slotledger/mem_sample.h>
#include <slotledger/spe.h>

#include "perf_writer.h"

#define MAX_SYMBOLS 512
#define MAX_LOADS   16
#define MAX_PROCS   4
#define MAX_THREADS 4

enum arch { INTEL, AMD, PPC, ARM64, BENCH };

struct load {
    uint64_t start, len, offset;
    uint32_t protection;
};

struct elf {
    const char *path;
    uint64_t functions[MAX_SYMBOLS], objects[MAX_SYMBOLS];
    unsigned n_functions, n_objects, n_loads;
    struct load loads[MAX_LOADS];
    bool fixed;
    uint64_t text;        /* of the symbol _text; 0: no kernel */
    uint8_t build_id[20];
};

struct proc {
    uint32_t pid, tids[MAX_THREADS];
    unsigned n_threads;
    uint64_t base, heap, anon, shm, stack;
};

struct gen {
    struct writer w;
    struct elf elf, kernel;
    uint64_t kernel_shift;
    enum arch arch;
    bool exotic, chains, pipe;
    unsigned n_cpus, n_nodes, n_procs, load, store;
    uint64_t read_format;
    struct proc procs[MAX_PROCS];
    uint64_t time;
};

static uint64_t state;

static uint32_t rnd(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

static bool chance(unsigned percent) { return rnd(100) < percent; }

static void fail(const char *what)
{
    fprintf(stderr, "genperf: %s\n", what);
    exit(1);
}

/* ---- the program that is sampled ---- */

static void take_symbols(struct elf *out, Elf *elf, Elf_Scn *section)
{
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(section, NULL);
    gelf_getshdr(section, &header);
    for (int i = 0; data && i < (int)(header.sh_size / header.sh_entsize); i++) {
        GElf_Sym symbol;
        const char *name;
        if (gelf_getsym(data, i, &symbol) && (name = elf_strptr(elf, header.sh_link, symbol.st_name)) &&
            !strcmp(name, "_text")) {
            out->text = symbol.st_value;
        }
        if (!gelf_getsym(data, i, &symbol) || !symbol.st_size || symbol.st_shndx == SHN_UNDEF) {
            continue;
        }
        name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (!name || (name[0] == '_' && name[1] != 'Z')) {
            continue;
        }
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && out->n_functions < MAX_SYMBOLS) {
            out->functions[out->n_functions++] = symbol.st_value;
        }
        if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size >= 64 && out->n_objects < MAX_SYMBOLS) {
            out->objects[out->n_objects++] = symbol.st_value;
        }
    }
}

/* The way the program loader maps PT_LOADs. */
static void take_loads(struct elf *out, Elf *elf)
{
    size_t n = 0;
    elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n && out->n_loads < MAX_LOADS; i++) {
        GElf_Phdr h;
        struct load *load = &out->loads[out->n_loads];
        if (!gelf_getphdr(elf, (int)i, &h) || h.p_type != PT_LOAD) {
            continue;
        }
        load->start = h.p_vaddr & ~UINT64_C(4095);
        load->len = ((h.p_vaddr + h.p_filesz + 4095) & ~UINT64_C(4095)) - load->start;
        load->offset = h.p_offset & ~UINT64_C(4095);
        load->protection = (h.p_flags & PF_R ? 1u : 0) | (h.p_flags & PF_W ? 2u : 0) | (h.p_flags & PF_X ? 4u : 0);
        out->n_loads++;
    }
}

static void read_elf(struct elf *out, const char *path)
{
    int fd = open(path, O_RDONLY);
    Elf *elf;
    Elf_Scn *section = NULL;
    GElf_Ehdr head;
    elf_version(EV_CURRENT);
    elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (!elf || !gelf_getehdr(elf, &head)) {
        fail("no ELF file");
    }
    out->path = path;
    out->fixed = head.e_type == ET_EXEC;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        gelf_getshdr(section, &header);
        if (header.sh_type == SHT_SYMTAB) {
            take_symbols(out, elf, section);
        }
        if (header.sh_type == SHT_NOTE) {
            const Elf_Data *note = elf_getdata(section, NULL);
            /* One build id note: 12 bytes of head, "GNU", then the id. */
            if (note && note->d_size == 36) {
                memcpy(out->build_id, (const uint8_t *)note->d_buf + 16, 20);
            }
        }
    }
    take_loads(out, elf);
    elf_end(elf);
    close(fd);
    if (!out->n_functions) { /* stripped: some place of its code */
        for (unsigned i = 0; i < out->n_loads; i++) {
            if (out->loads[i].protection & 4) {
                out->functions[out->n_functions++] = out->loads[i].start + 0x40;
            }
        }
    }
    if (!out->n_objects && out->n_loads) {
        out->objects[out->n_objects++] = out->loads[out->n_loads - 1].start;
    }
}

static uint64_t function_of(struct gen *g, const struct proc *p)
{
    return p->base + g->elf.functions[rnd(g->elf.n_functions)] + 4 * rnd(4);
}

/* ---- records beside the samples ---- */

static struct who who_of(const struct gen *g, const struct proc *p)
{
    struct who who = { p->pid, p->pid, 0, g->time };
    return who;
}

static void mmap2(struct gen *g, const struct who *who, uint16_t misc, const struct load *load, const char *name,
                  uint32_t flags, uint32_t major, uint64_t inode)
{
    struct writer *w = &g->w;
    size_t at = begin(w, 10, (uint16_t)(misc | (load->protection & 4 ? 0 : 1 << 13)));
    put32(w, &w->data, who->pid);
    put32(w, &w->data, who->tid);
    put64(w, &w->data, load->start);
    put64(w, &w->data, load->len);
    put64(w, &w->data, load->offset);
    put32(w, &w->data, major);
    put32(w, &w->data, major ? 1 : 0);
    put64(w, &w->data, inode);
    put64(w, &w->data, inode ? 7 : 0);
    put32(w, &w->data, load->protection);
    put32(w, &w->data, flags);
    put_padded(&w->data, name, 8);
    end_with(w, at, who);
}

/* With a build id in the place of the file's identity. */
static void mmap2_by_id(struct gen *g, const struct who *who, const struct load *load, const char *name)
{
    struct writer *w = &g->w;
    size_t at = begin(w, 10, 2 | 1 << 14);
    put32(w, &w->data, who->pid);
    put32(w, &w->data, who->tid);
    put64(w, &w->data, load->start);
    put64(w, &w->data, load->len);
    put64(w, &w->data, load->offset);
    put_int(w, &w->data, 20, 1);
    for (unsigned i = 0; i < 23; i++) {
        put_int(w, &w->data, i < 3 ? 0 : 0x40 + i, 1);
    }
    put32(w, &w->data, load->protection);
    put32(w, &w->data, 2);
    put_padded(&w->data, name, 8);
    end_with(w, at, who);
}

static void mmap1(struct gen *g, const struct who *who, uint16_t misc, const struct load *load, const char *name)
{
    struct writer *w = &g->w;
    size_t at = begin(w, 1, misc);
    put32(w, &w->data, who->pid);
    put32(w, &w->data, who->tid);
    put64(w, &w->data, load->start);
    put64(w, &w->data, load->len);
    put64(w, &w->data, load->offset);
    put_padded(&w->data, name, 8);
    end_with(w, at, who);
}

static void comm(struct gen *g, const struct who *who, const char *name, bool exec)
{
    struct writer *w = &g->w;
    size_t at = begin(w, 3, exec ? 1 << 13 : 0);
    put32(w, &w->data, who->pid);
    put32(w, &w->data, who->tid);
    put_padded(&w->data, name, 8);
    end_with(w, at, who);
}

static void task(struct gen *g, uint32_t type, const struct who *who, uint32_t pid, uint32_t tid, uint16_t misc)
{
    struct writer *w = &g->w;
    size_t at = begin(w, type, misc);
    put32(w, &w->data, pid);
    put32(w, &w->data, who->pid);
    put32(w, &w->data, tid);
    put32(w, &w->data, who->tid);
    put64(w, &w->data, who->time);
    end_with(w, at, who);
}

static void words(struct gen *g, uint32_t type, uint16_t misc, const struct who *who, const uint64_t *values, unsigned n)
{
    size_t at = begin(&g->w, type, misc);
    for (unsigned i = 0; i < n; i++) {
        put64(&g->w, &g->w.data, values[i]);
    }
    end_with(&g->w, at, who);
}

static void round_end(struct gen *g)
{
    end(&g->w, begin(&g->w, 68, 0));
}

static void area(struct gen *g, const struct who *who, uint64_t start, uint64_t len, const char *name, uint32_t flags,
                 uint32_t protection, uint64_t inode)
{
    struct load load = { start, len, 0, protection };
    mmap2(g, who, 2, &load, name, flags, 0, inode);
}

static void map_program(struct gen *g, const struct proc *p, const struct who *who)
{
    uint64_t end_of = 0;
    unsigned way = g->exotic ? rnd(4) : 0;
    uint64_t inode = 1000 + (p->pid & 1);
    for (unsigned i = 0; i < g->elf.n_loads; i++) {
        struct load load = g->elf.loads[i];
        load.start += p->base;
        end_of = load.start + load.len;
        if (way == 1) {
            mmap1(g, who, load.protection & 4 ? 2 : 2 | 1 << 13, &load, g->elf.path);
        } else if (way == 2) {
            mmap2_by_id(g, who, &load, g->elf.path);
        } else {
            mmap2(g, who, 2, &load, g->elf.path, 2, 8, inode);
        }
    }
    area(g, who, end_of, 4096, "//anon", 2, 3, 0);
}

static void start_proc(struct gen *g, struct proc *p, unsigned number)
{
    static const char *const names[] = { "a", "bench", "fifteen_letters", "worker", "exec" };
    struct who who;
    char name[16];
    p->pid = 2 + rnd(60000);
    p->base = g->elf.fixed ? 0 : UINT64_C(0x555555554000) + (chance(50) ? 0x1000000u * number : 0);
    p->heap = UINT64_C(0x55555557a000) + (uint64_t)0x1000000 * number + (uint64_t)0x100000;
    p->anon = UINT64_C(0x7ffff7a00000);
    p->shm = UINT64_C(0x7ffff7ff0000) - (chance(50) ? 0x100000u * number : 0);
    p->stack = UINT64_C(0x7ffffffde000);
    who = who_of(g, p);
    comm(g, &who, names[rnd(5)], chance(80));
    map_program(g, p, &who);
    area(g, &who, p->heap, 0x21000, "[heap]", 2, 3, 0);
    area(g, &who, p->anon, 0x100000, "//anon", 2, 3, 0);
    area(g, &who, p->shm, 0x10000, "/dev/shm/ring", 1, 3, 55);
    area(g, &who, p->stack, 0x21000, "[stack]", 2, 3, 0);
    p->tids[p->n_threads++] = p->pid;
    while (p->n_threads < MAX_THREADS && chance(70)) {
        uint32_t tid = p->pid + 60000 + p->n_threads;
        task(g, 7, &who, p->pid, tid, 0);
        if (chance(50)) {
            struct who child = who;
            child.tid = tid;
            snprintf(name, sizeof name, "t%u", p->n_threads);
            comm(g, &child, name, false);
        }
        p->tids[p->n_threads++] = tid;
    }
}

/* The kernel has a build id that no file has: otherwise perf would take the symbols of the machine it runs on. */
static void kernel_maps(struct gen *g)
{
    struct load kernel = { UINT64_C(0xffffffff81000000), 0x1000000, UINT64_C(0xffffffff81000000), 4 };
    struct load module = { UINT64_C(0xffffffffc0000000), 0x4000, 0, 4 };
    struct who none = { UINT32_MAX, 0, 0, g->time };
    struct bytes *ids = &g->w.features[2];
    if (g->kernel.text) {
        kernel.start = kernel.offset = g->kernel.text + g->kernel_shift;
    }
    mmap1(g, &none, 1, &kernel, "[kernel.kallsyms]_text");
    mmap1(g, &none, 1, &module, "/lib/modules/6.1/kernel/demo-mod.ko");
    put32(&g->w, ids, 67);
    put_int(&g->w, ids, 1 | 1 << 15, 2);
    put_int(&g->w, ids, 8 + 4 + 24 + 64, 2);
    put32(&g->w, ids, UINT32_MAX);
    for (unsigned i = 0; i < 24; i++) {
        put_int(&g->w, ids, i == 20 ? 20 : i > 20 ? 0 : g->kernel.text ? g->kernel.build_id[i] : 0x11 + i, 1);
    }
    put_padded(ids, "[kernel.kallsyms]", 64);
}

/* What happens while recording. */
static void incident(struct gen *g)
{
    struct proc *p = &g->procs[rnd(g->n_procs)];
    struct who who = who_of(g, p);
    uint64_t lost[2] = { g->w.attrs[0].first_id, 1 + rnd(50) };
    who.cpu = rnd(g->n_cpus);
    switch (rnd(g->exotic ? 12 : 6)) {
    case 0:
        comm(g, &who, chance(50) ? "renamed" : "exec2", chance(50));
        break;
    case 1:
        task(g, 4, &who, p->pid, p->tids[rnd(p->n_threads)], 0);
        break;
    case 2: { /* a process of the same maps */
        uint32_t pid = 130000 + rnd(4);
        task(g, 7, &who, pid, pid, chance(20) ? 1 << 13 : 0);
        break;
    }
    case 3:
        area(g, &who, p->anon + 4096 * rnd(8), 4096, "//anon", chance(30) ? 1 : 2, 3, 0);
        break;
    case 4: {
        uint64_t throttle[3] = { g->time, g->w.attrs[0].first_id, 0 };
        words(g, 5 + rnd(2), 0, &who, throttle, 3);
        break;
    }
    case 5:
        area(g, &who, p->anon + 4096 * rnd(8), 8192, "/tmp/slotledger-nofile", 2, 3, 77 + rnd(2));
        break;
    case 6:
        words(g, 2, 0, &who, lost, 2);
        break;
    case 7: /* code without a file */
        area(g, &who, p->anon + 0x80000, 4096, "//anon", 2, 5, 0);
        break;
    case 8:
        area(g, &who, p->anon + 0x90000, 4096, "/anon_hugepage (deleted)", 0x40002, 3, 0);
        break;
    case 9: {
        size_t at;
        if (g->w.swap) { /* perf 6.1 refuses this record in the other byte order */
            break;
        }
        at = begin(&g->w, 17, 0);
        put64(&g->w, &g->w.data, UINT64_C(0xffffffffc1000000) + 4096 * rnd(4));
        put32(&g->w, &g->w.data, 256);
        put_int(&g->w, &g->w.data, 1, 2);
        put_int(&g->w, &g->w.data, 0, 2);
        put_padded(&g->w.data, "bpf_prog_1_x", 8);
        end_with(&g->w, at, &who);
        break;
    }
    case 10: {
        struct load load = { p->anon + 0xa0000, 4096, 0x3000, 1 };
        mmap1(g, &who, 2 | 1 << 13, &load, "/tmp/slotledger-old");
        break;
    }
    default: {
        uint64_t lost_samples = 1 + rnd(9);
        words(g, 13, 0, &who, &lost_samples, 1);
        break;
    }
    }
}

/* ---- samples ---- */

#define L(bits) (SL_MEM_OP_LOAD | (bits))
#define S(bits) (SL_MEM_OP_STORE | (bits))
#define HIT     SL_MEM_LVL_HIT

static const uint64_t load_sources[] = {
    L(HIT | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NONE | SL_MEM_TLB_L1 | SL_MEM_TLB_HIT | SL_MEM_LEVEL_L1),
    L(HIT | SL_MEM_LVL_LFB | SL_MEM_SNOOP_NONE | SL_MEM_LEVEL_LFB),
    L(HIT | SL_MEM_LVL_L2 | SL_MEM_SNOOP_NONE | SL_MEM_LEVEL_L2),
    L(HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_NONE | SL_MEM_LEVEL_L3),
    L(HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HIT | SL_MEM_LEVEL_L3),
    L(HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM | SL_MEM_LOCK_LOCKED | SL_MEM_LEVEL_L3),
    L(HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM | SL_MEM_LEVEL_L3),
    L(HIT | SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_SNOOP_HITM | SL_MEM_REMOTE | SL_MEM_LEVEL_L3),
    L(HIT | SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_SNOOP_HIT | SL_MEM_REMOTE | SL_MEM_TLB_WALKER | SL_MEM_TLB_MISS),
    L(HIT | SL_MEM_LVL_REMOTE_CACHE2 | SL_MEM_SNOOP_HITM | SL_MEM_REMOTE),
    L(HIT | SL_MEM_LVL_LOCAL_RAM | SL_MEM_SNOOP_MISS | SL_MEM_LEVEL_RAM),
    L(HIT | SL_MEM_LVL_LOCAL_RAM | SL_MEM_SNOOP_HIT | SL_MEM_LEVEL_RAM),
    L(HIT | SL_MEM_LVL_REMOTE_RAM1 | SL_MEM_SNOOP_MISS | SL_MEM_REMOTE),
    L(HIT | SL_MEM_LVL_REMOTE_RAM2 | SL_MEM_SNOOP_HIT | SL_MEM_REMOTE),
    L(HIT | SL_MEM_LVL_IO | SL_MEM_SNOOP_NA),
    L(HIT | SL_MEM_LVL_UNCACHED | SL_MEM_SNOOP_NA),
    L(SL_MEM_LVL_MISS | SL_MEM_LVL_L3 | SL_MEM_SNOOP_NA),
    L(HIT | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NONE | SL_MEM_BLOCK_DATA),
    L(HIT | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NONE | SL_MEM_BLOCK_ADDRESS),
    L(SL_MEM_LVL_NA | SL_MEM_LEVEL_ANY_CACHE | SL_MEM_REMOTE | SL_MEM_SNOOP_HITM),
    L(HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOPX_PEER | SL_MEM_LEVEL_L3),
    L(HIT | SL_MEM_LVL_L2 | SL_MEM_SNOOPX_PEER | SL_MEM_LEVEL_L2),
    L(HIT | SL_MEM_LVL_L2 | SL_MEM_LVL_L3 | SL_MEM_SNOOPX_PEER),
    L(SL_MEM_LVL_NA | SL_MEM_LEVEL_NA | SL_MEM_REMOTE | SL_MEM_SNOOPX_PEER),
    L(HIT | SL_MEM_LVL_L2 | SL_MEM_REMOTE | SL_MEM_HOPS(1) | SL_MEM_SNOOP_HITM),
    L(HIT | SL_MEM_REMOTE | SL_MEM_SNOOP_HITM),
    L(HIT | SL_MEM_REMOTE | SL_MEM_SNOOP_HIT),
};
static const uint64_t store_sources[] = {
    S(HIT | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NA | SL_MEM_TLB_L1 | SL_MEM_TLB_HIT),
    S(SL_MEM_LVL_MISS | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NA),
    S(SL_MEM_LVL_NA | SL_MEM_SNOOP_NA | SL_MEM_LEVEL_NA),
    S(HIT | SL_MEM_LVL_UNCACHED | SL_MEM_SNOOP_NA),
    S(HIT | SL_MEM_LVL_L1 | SL_MEM_SNOOP_NA | SL_MEM_LOCK_LOCKED),
    S(HIT | SL_MEM_LVL_L1 | SL_MEM_LVL_MISS | SL_MEM_SNOOP_NA),
};
static const uint64_t odd_sources[] = {
    0, SL_MEM_OP_NA, SL_MEM_OP_PREFETCH | HIT | SL_MEM_LVL_L1, SL_MEM_OP_EXEC,
    SL_MEM_OP_LOAD | SL_MEM_OP_STORE | HIT | SL_MEM_LVL_L1, SL_MEM_OP_LOAD, SL_MEM_OP_STORE,
};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
#define MAX_CHAIN    12

struct sample {
    const struct attr *attr;
    uint16_t misc;
    uint64_t ip, address, period, weight, source, phys, id;
    struct who who;
    uint64_t chain[MAX_CHAIN];
    unsigned n_chain;
};

static void put_tail(struct writer *w, const struct sample *s)
{
    uint64_t t = s->attr->sample_type;
    if (t & T_WEIGHT) {
        put64(w, &w->data, s->weight);
    } else if (t & T_WEIGHT_STRUCT) {
        put64(w, &w->data, (s->weight & UINT32_MAX) | UINT64_C(5) << 32);
    }
    if (t & T_DATA_SRC) {
        put64(w, &w->data, s->source);
    }
    if (t & T_TRANSACTION) {
        put64(w, &w->data, 3);
    }
    if (t & T_REGS_INTR) {
        put64(w, &w->data, 0);
    }
    if (t & T_PHYS) {
        put64(w, &w->data, s->phys);
    }
    if (t & T_CGROUP) {
        put64(w, &w->data, 1);
    }
    if (t & T_DATA_PAGE) {
        put64(w, &w->data, 4096);
    }
    if (t & T_CODE_PAGE) {
        put64(w, &w->data, 4096);
    }
}

/* Counts of this sample's event, or of its group: the ID is told (read_format 4), GROUP is 8, LOST 16. */
static void put_reads(struct writer *w, const struct sample *s)
{
    static uint64_t counts[MAX_ATTRS];
    uint64_t format = s->attr->read_format;
    unsigned first = format & 8 ? 0 : (unsigned)(s->attr - w->attrs), end_of = format & 8 ? w->n_attrs : first + 1;
    if (format & 8) {
        put64(w, &w->data, w->n_attrs);
    }
    for (unsigned i = first; i < end_of; i++) {
        counts[i] += rnd(3);
        put64(w, &w->data, counts[i]);
        put64(w, &w->data, chance(97) ? w->attrs[i].first_id + s->who.cpu % w->attrs[i].n_ids : 99999);
        if (format & 16) {
            put64(w, &w->data, 0);
        }
    }
}

/* Fields between the fixed words and the weight; what the reader passes over has some random length. */
static void put_middle(struct writer *w, const struct sample *s)
{
    uint64_t t = s->attr->sample_type;
    if (t & T_READ) {
        put_reads(w, s);
    }
    if (t & T_CALLCHAIN) {
        put64(w, &w->data, s->n_chain);
        for (unsigned i = 0; i < s->n_chain; i++) {
            put64(w, &w->data, s->chain[i]);
        }
    }
    if (t & T_RAW) {
        unsigned n = 4 + 8 * rnd(3);
        put32(w, &w->data, n);
        for (unsigned i = 0; i < n; i++) {
            put_int(w, &w->data, i, 1);
        }
    }
    if (t & T_BRANCH) {
        unsigned n = rnd(4);
        put64(w, &w->data, n);
        for (unsigned i = 0; i < 3 * n; i++) {
            put64(w, &w->data, 0);
        }
    }
    if (t & T_REGS_USER) {
        put64(w, &w->data, 0);
    }
    if (t & T_STACK_USER) {
        put64(w, &w->data, 0);
    }
}

static void put_sample(struct writer *w, const struct sample *s)
{
    uint64_t t = s->attr->sample_type;
    size_t at = begin(w, 9, s->misc);
    if (t & T_IDENTIFIER) {
        put64(w, &w->data, s->id);
    }
    if (t & T_IP) {
        put64(w, &w->data, s->ip);
    }
    if (t & T_TID) {
        put32(w, &w->data, s->who.pid);
        put32(w, &w->data, s->who.tid);
    }
    if (t & T_TIME) {
        put64(w, &w->data, s->who.time);
    }
    if (t & T_ADDR) {
        put64(w, &w->data, s->address);
    }
    if (t & T_ID) {
        put64(w, &w->data, s->id);
    }
    if (t & T_STREAM) {
        put64(w, &w->data, s->id);
    }
    if (t & T_CPU) {
        put32(w, &w->data, s->who.cpu);
        put32(w, &w->data, 0);
    }
    if (t & T_PERIOD) {
        put64(w, &w->data, s->period);
    }
    put_middle(w, s);
    put_tail(w, s);
    end(w, at);
}

static uint64_t phys_of(uint64_t address, unsigned node)
{
    return (uint64_t)node * 16 * 0x8000000 + (address & 0xffffff) + 0x100000;
}

static uint64_t data_address(struct gen *g, const struct proc *p)
{
    static const uint8_t offsets[] = { 0, 4, 8, 32, 60 };
    uint64_t line;
    switch (rnd(6)) {
    case 0:
        line = p->base + g->elf.objects[rnd(g->elf.n_objects)];
        break;
    case 1:
        line = p->heap + 64 * rnd(4);
        break;
    case 2:
        line = p->anon + 64 * rnd(6) + 4096 * rnd(4);
        break;
    case 3:
        line = p->shm + 64 * rnd(3);
        break;
    case 4:
        line = p->stack + 64;
        break;
    default:
        line = p->base + g->elf.objects[0];
        break;
    }
    if (g->exotic && chance(5)) {
        line = p->anon + (chance(50) ? 0x90000 : 0xa0000);
    }
    return line + offsets[rnd(5)];
}

static void fill_chain(struct gen *g, const struct proc *p, struct sample *s)
{
    s->chain[s->n_chain++] = UINT64_C(0xfffffffffffffe00);
    s->chain[s->n_chain++] = s->ip;
    while (s->n_chain < MAX_CHAIN - 2 && chance(60)) {
        s->chain[s->n_chain++] = p->base + g->elf.functions[rnd(g->elf.n_functions < 4 ? g->elf.n_functions : 4)] + 8;
    }
    if (chance(10)) {
        s->chain[s->n_chain++] = 0x1234;
    }
}

static void exotic_sample(struct gen *g, struct sample *s)
{
    switch (rnd(10)) {
    case 0:
        s->misc = 1;
        s->ip = UINT64_C(0xffffffff81000000) + 64 * rnd(16);
        s->address = chance(50) ? UINT64_C(0xffff888000000040) : UINT64_C(0xffffffff81800000);
        break;
    case 1:
        s->misc = 1;
        s->ip = UINT64_C(0xffffffffc0000010);
        break;
    case 2:
        s->misc = 3;
        break;
    case 3:
        s->ip = g->procs[0].anon + 0x80010;
        break;
    case 4:
        s->ip = 0x1234;
        break;
    case 5:
        s->who.tid = s->who.pid = 130000 + rnd(4);
        break;
    default:
        break;
    }
}

static void one_sample(struct gen *g, unsigned cpu)
{
    const struct proc *p = &g->procs[rnd(g->n_procs)];
    bool is_store = chance(30);
    struct sample s = { .attr = &g->w.attrs[is_store ? g->store : g->load], .misc = 2 };
    g->time += rnd(9);
    s.who = (struct who){ p->pid, p->tids[rnd(p->n_threads)], cpu, g->time };
    s.id = s.attr->first_id + cpu % s.attr->n_ids;
    s.ip = function_of(g, p);
    s.address = chance(98) ? data_address(g, p) : 0;
    s.period = 1 + rnd(5000);
    s.source = chance(97) ? is_store ? store_sources[rnd(COUNT(store_sources))] : load_sources[rnd(COUNT(load_sources))]
                          : odd_sources[rnd(COUNT(odd_sources))];
    s.weight = is_store ? 0 : rnd(3) ? rnd(400) : 12000 + rnd(70000);
    s.phys = chance(90) ? phys_of(s.address, rnd(g->n_nodes)) : 0;
    if (g->kernel.text && chance(40)) {
        s.misc = 1;
        s.ip = g->kernel.functions[rnd(g->kernel.n_functions)] + g->kernel_shift + 4 * rnd(3);
        s.address = g->kernel.objects[0] + g->kernel_shift + 8 * rnd(64);
    } else if (g->exotic) {
        exotic_sample(g, &s);
    }
    if (g->chains) {
        fill_chain(g, p, &s);
    }
    put_sample(&g->w, &s);
}

/* One round: what each CPU's buffer holds, one after the other, so that times go back from buffer to buffer. */
static unsigned one_round(struct gen *g, unsigned most)
{
    unsigned n_buffers = 1 + rnd(g->n_cpus < 4 ? g->n_cpus : 4), n = 0;
    uint64_t start = g->time, newest = start;
    for (unsigned b = 0; b < n_buffers; b++) {
        unsigned cpu = rnd(g->n_cpus);
        g->time = start + rnd(20);
        for (unsigned i = rnd(40); i && n < most; i--, n++) {
            one_sample(g, cpu);
            if (chance(2)) {
                incident(g);
            }
        }
        newest = g->time > newest ? g->time : newest;
    }
    g->time = newest;
    if (chance(80)) {
        round_end(g);
    }
    return n;
}

/* ---- features ---- */

static void cpu_list(char *out, size_t room, unsigned first, unsigned n)
{
    if (n > 1) {
        snprintf(out, room, "%u-%u", first, first + n - 1);
    } else {
        snprintf(out, room, "%u", first);
    }
}

static void put_nodes(struct gen *g)
{
    struct writer *w = &g->w;
    struct bytes *numa = &w->features[14], *memory = &w->features[22];
    unsigned per = g->n_cpus / g->n_nodes;
    put32(w, numa, g->n_nodes);
    put64(w, memory, 1);
    put64(w, memory, 0x8000000);
    put64(w, memory, g->n_nodes);
    for (unsigned n = 0; n < g->n_nodes; n++) {
        char list[32];
        cpu_list(list, sizeof list, n * per, per);
        put32(w, numa, n);
        put64(w, numa, 8 << 20);
        put64(w, numa, 4 << 20);
        put_string(w, numa, list);
        put64(w, memory, n);
        put64(w, memory, 16);
        put64(w, memory, 16 * (n + 1));
        put64(w, memory, (UINT64_C(0xffff) << 16 * n));
    }
}

static void put_features(struct gen *g)
{
    static const char *const archs[] = { "x86_64", "x86_64", "ppc64le", "aarch64", "x86_64" };
    static const char *const ids[] = { "GenuineIntel-6-85-4", "AuthenticAMD-25-17-1", "004e1202", "",
                                       "GenuineIntel-6-85-4" };
    static const char *const midrs[] = { "0x00000000413fd0c1", "0x00000000410fd490", "0x00000000411fd401",
                                         "0x00000000410fd4f0", "0x00000000410fd083" };
    struct writer *w = &g->w;
    put_string(w, &w->features[3], "synth");
    put_string(w, &w->features[4], "6.1.0-synth");
    put_string(w, &w->features[5], "6.1.0");
    put_string(w, &w->features[6], archs[g->arch]);
    put32(w, &w->features[7], g->n_cpus);
    put32(w, &w->features[7], g->n_cpus);
    put_string(w, &w->features[8], "Synthetic CPU");
    put_string(w, &w->features[9], g->arch == ARM64 ? midrs[rnd(5)] : ids[g->arch]);
    put64(w, &w->features[10], 16 << 20);
    put32(w, &w->features[11], 3);
    put_string(w, &w->features[11], "perf");
    put_string(w, &w->features[11], "c2c");
    put_string(w, &w->features[11], "record");
    put_event_desc(w);
    put_nodes(g);
    if (w->zstd) {
        put32(w, &w->features[27], 1);
        put32(w, &w->features[27], 1);
        put32(w, &w->features[27], 1);
        put32(w, &w->features[27], 4);
        put32(w, &w->features[27], 528384);
    }
}

/* ---- events ---- */

#define MEMORY_TYPE (T_IP | T_TID | T_TIME | T_ADDR | T_CPU | T_PERIOD | T_DATA_SRC | T_PHYS)
#define TRACKING    (UINT64_C(1) << 18 | UINT64_C(1) << 20 | UINT64_C(1) << 23 | UINT64_C(1) << 24)

static unsigned add_attr(struct gen *g, const char *name, uint32_t type, uint64_t config, uint64_t sample_type)
{
    struct writer *w = &g->w;
    struct attr *a = &w->attrs[w->n_attrs];
    a->name = name;
    a->type = type;
    a->config = config;
    a->sample_type = sample_type;
    a->flags = TRACKING;
    a->period = 1000;
    a->read_format = g->read_format;
    a->first_id = 100 + 1000 * w->n_attrs;
    a->n_ids = g->n_cpus;
    return w->n_attrs++;
}

static uint64_t random_type(struct gen *g)
{
    static const uint64_t extras[] = { T_READ, T_RAW, T_BRANCH, T_REGS_USER, T_STACK_USER, T_TRANSACTION, T_REGS_INTR,
                                       T_CGROUP, T_DATA_PAGE, T_CODE_PAGE };
    uint64_t type = MEMORY_TYPE | (chance(70) ? T_IDENTIFIER : T_ID | T_STREAM) |
                    (g->chains ? (uint64_t)T_CALLCHAIN : 0) |
                    (g->arch != AMD && g->arch != PPC && chance(50) ? T_WEIGHT : T_WEIGHT_STRUCT);
    for (unsigned i = 0; g->exotic && i < COUNT(extras); i++) {
        /* With branch stacks perf's report changes its mind about call chains. */
        type |= chance(15) && extras[i] != T_BRANCH && extras[i] != T_STACK_USER ? extras[i] : 0;
    }
    return type;
}

static void choose_events(struct gen *g)
{
    static const unsigned cpus[] = { 2, 4, 8, 64 };
    uint64_t type;
    g->n_cpus = g->arch == BENCH ? 16 : cpus[rnd(4)];
    g->n_nodes = 1 + rnd(2);
    type = random_type(g);
    g->read_format = type & T_READ ? 4u | (chance(50) ? 8u : 0) : 4;
    switch (g->arch) {
    case INTEL:
        if (chance(25)) {
            add_attr(g, "cpu/mem-loads-aux/", 4, 0x8203, type);
        }
        g->load = add_attr(g, "cpu/mem-loads,ldlat=30/P", 4, 0x1cd, type);
        g->store = add_attr(g, "cpu/mem-stores/P", 4, 0x2cd, type);
        break;
    case AMD:
        g->load = g->store = add_attr(g, "ibs_op//", 11, 0, type);
        break;
    case PPC:
        g->load = add_attr(g, "cpu/mem-loads/", 4, UINT64_C(0x35340401e0), type);
        g->store = add_attr(g, "cpu/mem-stores/", 4, UINT64_C(0x353c0401e0), type);
        break;
    case BENCH:
        type = MEMORY_TYPE | T_IDENTIFIER | T_WEIGHT;
        g->load = add_attr(g, "cpu/mem-loads,ldlat=30/P", 4, 0x1cd, type);
        g->store = add_attr(g, "cpu/mem-stores/P", 4, 0x2cd, type);
        break;
    case ARM64:
        g->load = g->store =
            add_attr(g, "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/", 9,
                     UINT64_C(0x600010003), MEMORY_TYPE | T_IDENTIFIER | T_WEIGHT);
        g->w.side_attr = add_attr(g, "dummy:u", 1, 9, T_IP | T_TID | T_TIME | T_CPU | T_IDENTIFIER);
        break;
    }
}

/* ---- SPE ---- */

#define TICK_NS   10u
#define SPE_BYTES ((size_t)1 << 20)

static void spe_record(struct gen *g, struct sl_spe_encoder *to, const struct proc *p, uint64_t tick, bool context)
{
    static const uint8_t sources[] = { 0, 8, 9, 10, 11, 12, 13, 14, 9, 10, 12, 13, 1 };
    struct sl_spe_record r = { .timestamp = tick, .operation_class = SL_SPE_CLASS_MEMORY };
    bool is_store = chance(35);
    uint64_t address = data_address(g, p);
    r.has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_EVENTS | SL_SPE_HAS_TIMESTAMP | 1u << SL_SPE_ADDRESS_PC |
            1u << SL_SPE_ADDRESS_VIRTUAL | (uint32_t)SL_SPE_HAS_COUNTER;
    r.operation = is_store;
    r.events = 0x16 | (chance(30) ? 8 : 0) | (chance(20) ? 0x100 : 0) | (chance(10) ? 0x220 : 0) |
               (chance(10) ? 0x400 : 0);
    r.address[SL_SPE_ADDRESS_PC] = function_of(g, p) | UINT64_C(1) << 63;
    r.address[SL_SPE_ADDRESS_VIRTUAL] = chance(97) ? address : 0;
    r.counter[0] = (uint16_t)(1 + rnd(2000));
    if (chance(90)) {
        r.has |= 1u << SL_SPE_ADDRESS_PHYSICAL;
        r.address[SL_SPE_ADDRESS_PHYSICAL] = phys_of(address, rnd(g->n_nodes)) | UINT64_C(1) << 63;
    }
    if (!is_store) {
        r.has |= SL_SPE_HAS_SOURCE;
        r.source = sources[rnd(COUNT(sources))];
    }
    if (context) {
        r.has |= SL_SPE_HAS_CONTEXT;
        r.context = p->tids[rnd(p->n_threads)];
    }
    sl_spe_put_record(to, &r, 64);
}

static void aux_records(struct gen *g, const struct sl_spe_encoder *from, unsigned cpu, uint64_t offset)
{
    struct writer *w = &g->w;
    struct who who = { g->procs[0].pid, g->procs[0].pid, cpu, g->time };
    uint64_t aux[3] = { offset, from->used_bytes, chance(5) ? 1 : 0 }, at;
    size_t record;
    words(g, 11, 0, &who, aux, 3);
    if (w->zstd) {
        pack(w);
        at = w->packed.len;
    } else {
        at = w->data.len;
    }
    put(&w->aux_index, &at, 8);
    w->n_aux++;
    record = begin(w, 71, 0);
    put64(w, &w->data, from->used_bytes);
    put64(w, &w->data, offset);
    put64(w, &w->data, 0);
    put32(w, &w->data, cpu);
    put32(w, &w->data, UINT32_MAX);
    put32(w, &w->data, cpu);
    put32(w, &w->data, 0);
    end(w, record);
    put(&w->data, from->bytes, from->used_bytes);
    if (w->zstd) {
        pack_not(w);
    }
}

static void context_switch(struct gen *g, unsigned cpu, const struct proc *next)
{
    struct who who = { next->pid, next->pid, cpu, g->time };
    size_t at = begin(&g->w, 15, 1 << 13);
    put32(&g->w, &g->w.data, next->pid);
    put32(&g->w, &g->w.data, next->tids[rnd(next->n_threads)]);
    end_with(&g->w, at, &who);
}

static void aux_info(struct gen *g)
{
    struct writer *w = &g->w;
    size_t at;
    if (w->zstd) {
        pack(w);
    }
    at = begin(w, 79, 0);
    put64(w, &w->data, 0);
    put64(w, &w->data, TICK_NS);
    put64(w, &w->data, 0);
    put64(w, &w->data, 0);
    put64(w, &w->data, (UINT64_C(1) << 56) - 1);
    put_int(w, &w->data, 1, 1);
    put_int(w, &w->data, 1, 1);
    for (unsigned i = 0; i < 6; i++) {
        put_int(w, &w->data, 0, 1);
    }
    end(w, at);
    at = begin(w, 70, 0);
    put32(w, &w->data, 4);
    put32(w, &w->data, 0);
    put64(w, &w->data, 9);
    put64(w, &w->data, 1);
    end(w, at);
    if (w->zstd) {
        pack_not(w);
    }
}

static void spe_samples(struct gen *g, unsigned n)
{
    uint8_t *room = malloc(SPE_BYTES);
    uint64_t offsets[64] = { 0 };
    bool context = chance(80);
    if (!room) {
        fail("out of memory");
    }
    g->time = g->time / TICK_NS * TICK_NS + 10000;
    while (n) {
        unsigned cpu = rnd(g->n_cpus), count = 1 + rnd(60);
        struct sl_spe_encoder to = { room, SPE_BYTES, 0 };
        uint64_t tick = g->time / TICK_NS;
        for (; count && n; count--, n--) {
            const struct proc *p = &g->procs[rnd(g->n_procs)];
            if (!context && chance(20)) {
                context_switch(g, cpu, p);
            }
            tick += rnd(50);
            spe_record(g, &to, p, tick, context);
        }
        if (chance(60)) {
            g->time = tick * TICK_NS + rnd(200);
        }
        aux_records(g, &to, cpu, offsets[cpu]);
        offsets[cpu] += to.used_bytes;
        if (chance(20)) {
            incident(g);
        }
        if (chance(30)) {
            round_end(g);
        }
    }
    free(room);
}

/* ---- many plain samples ---- */

static void bench_samples(struct gen *g, unsigned n)
{
    const struct proc *p = &g->procs[0];
    for (unsigned i = 0; i < n; i++) {
        bool is_store = chance(30);
        struct sample s = { .attr = &g->w.attrs[is_store ? g->store : g->load], .misc = 2 };
        uint64_t line = chance(30) ? rnd(16) : 16 + rnd(15984);
        unsigned cpu = i & 15;
        g->time += 9;
        s.who = (struct who){ p->pid, p->pid, cpu, g->time };
        s.id = s.attr->first_id + cpu;
        s.ip = p->base + g->elf.functions[rnd(4)] + 4 * rnd(3);
        s.address = p->anon + 64 * line + 8 * rnd(8);
        s.period = 1000;
        s.source = is_store ? store_sources[rnd(COUNT(store_sources))] : load_sources[rnd(14)];
        s.weight = is_store ? 0 : 30 + rnd(500);
        s.phys = 0x100000 + 64 * line;
        put_sample(&g->w, &s);
        if (i % 100000 == 99999) {
            round_end(g);
        }
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "intel", "amd", "ppc", "arm64", "bench" };
    static struct gen gen;
    struct gen *g = &gen;
    const char *output = NULL, *elf = NULL, *kernel = NULL;
    unsigned n = 300, done = 0;
    uint64_t seed = 1;
    FILE *out;
    for (int c; (c = getopt(argc, argv, "o:e:k:a:s:n:xgbzp")) != -1;) {
        switch (c) {
        case 'o': output = optarg; break;
        case 'e': elf = optarg; break;
        case 'a':
            while (g->arch < BENCH && strcmp(names[g->arch], optarg) != 0) {
                g->arch++;
            }
            break;
        case 's': seed = strtoull(optarg, NULL, 0); break;
        case 'n': n = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'k': kernel = optarg; break;
        case 'x': g->exotic = true; break;
        case 'g': g->chains = true; break;
        case 'b': g->w.swap = true; break;
        case 'z': g->w.zstd = true; break;
        case 'p': g->pipe = true; break;
        default: fail("usage: genperf -o FILE -e ELF [-a ARCH] [-s SEED] [-n SAMPLES] [-x] [-g] [-b] [-z] [-p]");
        }
    }
    if (!output || !elf) {
        fail("-o and -e are needed");
    }
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 77;
    for (unsigned i = 0; i < 8; i++) {
        rnd(2);
    }
    read_elf(&g->elf, elf);
    if (kernel) {
        read_elf(&g->kernel, kernel);
        g->kernel_shift = chance(50) ? 0x1000000 * (1 + rnd(20)) : 0;
    }
    choose_events(g);
    put_features(g);
    g->time = 1000;
    if (g->arch == ARM64) {
        aux_info(g);
    }
    if (g->exotic || kernel) {
        kernel_maps(g);
    }
    g->n_procs = g->arch == BENCH ? 1 : 1 + rnd(MAX_PROCS);
    for (unsigned i = 0; i < g->n_procs; i++) {
        start_proc(g, &g->procs[i], i);
    }
    if (chance(70)) {
        round_end(g);
    }
    if (g->arch == ARM64) {
        spe_samples(g, n);
    } else if (g->arch == BENCH) {
        bench_samples(g, n);
    } else {
        while (done < n) {
            done += one_round(g, n - done);
        }
    }
    if (g->w.zstd) {
        pack(&g->w);
    }
    out = fopen(output, "wb");
    if (!out) {
        fail("cannot write the file");
    }
    if (g->pipe) {
        write_pipe(&g->w, out);
    } else {
        write_file(&g->w, out);
    }
    return fclose(out) ? 1 : 0;
}
