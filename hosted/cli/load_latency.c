/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that take as long as their level of memory. */
#include "load_latency.h"

#include <stdlib.h>
#include <string.h>

#include "../modeltext/model_text.h"

#define MAX_INSNS ((size_t)1 << 18) /* of the block written out */

/* A load of a register and nothing else, by instruction set: its latency is the model's load-to-use latency. */
static const struct {
    const struct sl_isa *isa;
    const char *op;
} plain_loads[] = { { &sl_isa_x86_64, "MOV64rm" }, { &sl_isa_aarch64, "LDRXui" }, { &sl_isa_riscv64, "LD" }, { &sl_isa_riscv32, "LW" },
                    { &sl_isa_thumbm, "t2LDRi12" }, { &sl_isa_thumb, "t2LDRi12" }, { &sl_isa_arm, "LDRi12" } };

static uint32_t latency_of(const struct sl_cpu *cpu, const struct sl_class_row *row)
{
    int most = 0;
    for (unsigned i = 0; i < row->n_lat; i++)
        most = cpu->write_lat[row->lat + i].cycles > most ? cpu->write_lat[row->lat + i].cycles : most;
    return (uint32_t)most;
}

static uint32_t plain_load_cycles(const struct sl_cpu *cpu)
{
    for (size_t i = 0; i < sizeof plain_loads / sizeof plain_loads[0]; i++) {
        unsigned op = plain_loads[i].isa == cpu->isa ? model_find_op(cpu->isa, plain_loads[i].op) : cpu->isa->n_ops;
        struct sl_insn insn = { .op = (uint16_t)op, .n_operands = 0 };
        uint16_t sched_class;
        if (op < cpu->isa->n_ops && !sl_cpu_resolve(cpu, &insn, &sched_class) &&
            (sl_cpu_class(cpu, sched_class)->uops & SL_UOPS_MASK) < SL_UOPS_VARIANT)
            return latency_of(cpu, sl_cpu_class(cpu, sched_class));
    }
    return 0;
}

/* Tables of the CPU that grow. */
struct grown {
    struct load_latency *x;
    struct sl_class_row *rows;
    struct sl_write_lat *lat;
    struct sl_read_adv *adv;
    uint16_t *class_row, *class_of;
    size_t n_rows, n_lat, n_adv, n_classes;
    size_t first_lat, first_adv, first_class;
    uint16_t *level_class; /* [first n_classes * levels]: the class of a load at a level, 0: none yet */
};

#define MORE 4096u /* new entries of each table */

static void *copy(struct pool *pool, const void *from, size_t n, size_t size)
{
    void *to = pool_take(pool, (n + MORE) * size);
    if (n)
        memcpy(to, from, n * size);
    return to;
}

static void grow(struct grown *g, const struct sl_cpu *cpu)
{
    struct pool *pool = &g->x->pool;
    g->n_classes = cpu->n_classes;
    for (size_t c = 0; c < g->n_classes; c++) {
        const struct sl_class_row *row = sl_cpu_class(cpu, (uint16_t)c);
        size_t lat = (size_t)row->lat + row->n_lat, adv = (size_t)row->adv + sl_row_n_adv(row);
        g->n_rows = cpu->class_row[c] >= g->n_rows ? cpu->class_row[c] + 1u : g->n_rows;
        g->n_lat = lat > g->n_lat ? lat : g->n_lat;
        g->n_adv = adv > g->n_adv ? adv : g->n_adv;
    }
    g->first_lat = g->n_lat;
    g->first_adv = g->n_adv;
    g->first_class = g->n_classes;
    g->rows = copy(pool, cpu->rows, g->n_rows, sizeof *g->rows);
    g->lat = copy(pool, cpu->write_lat, g->n_lat, sizeof *g->lat);
    g->adv = copy(pool, cpu->read_adv, g->n_adv, sizeof *g->adv);
    g->class_row = copy(pool, cpu->class_row, g->n_classes, sizeof *g->class_row);
    g->class_of = pool_take(pool, (g->n_classes + MORE) * sizeof *g->class_of);
    for (size_t c = 0; c < g->n_classes; c++)
        g->class_of[c] = (uint16_t)c;
    g->level_class = pool_take(pool, g->n_classes * LOAD_LEVELS * sizeof *g->level_class);
}

/* The class's data come later by what the level is slower than the model's load; so late may its other operands be, too
 * (a read-advance as long as a load). 0: no room. */
static uint16_t class_at(struct grown *g, const struct sl_cpu *cpu, uint16_t sched_class, unsigned level)
{
    uint16_t *known = &g->level_class[sched_class * (size_t)LOAD_LEVELS + level];
    const struct sl_class_row *old = sl_cpu_class(cpu, sched_class);
    int base = (int)g->x->model_cycles, more = (int)g->x->levels.level[level].cycles - base;
    struct sl_class_row row = *old;
    if (*known)
        return *known;
    if (g->n_lat + row.n_lat > UINT16_MAX || g->n_adv + sl_row_n_adv(&row) > UINT16_MAX || g->n_rows + 1 > UINT16_MAX ||
        g->n_classes + 1 >= SL_VARIANT_OF_CLASS || g->n_lat + row.n_lat - g->first_lat > MORE ||
        g->n_adv + sl_row_n_adv(&row) - g->first_adv > MORE || g->n_classes + 1 - g->first_class > MORE)
        return 0;
    row.lat = (uint16_t)g->n_lat;
    for (unsigned i = 0; i < row.n_lat; i++) {
        struct sl_write_lat e = cpu->write_lat[old->lat + i];
        if (e.cycles >= base)
            e.cycles = (int16_t)(e.cycles + more < INT16_MAX ? e.cycles + more : INT16_MAX);
        g->lat[g->n_lat++] = e;
    }
    row.adv = (uint16_t)g->n_adv;
    for (unsigned i = 0; i < sl_row_n_adv(&row); i++) {
        struct sl_read_adv e = cpu->read_adv[old->adv + i];
        if (e.cycles >= base)
            e.cycles = (int8_t)(e.cycles + more < INT8_MAX ? e.cycles + more : INT8_MAX);
        g->adv[g->n_adv++] = e;
    }
    g->rows[g->n_rows] = row;
    g->class_row[g->n_classes] = (uint16_t)g->n_rows++;
    g->class_of[g->n_classes] = sched_class;
    *known = (uint16_t)g->n_classes++;
    return *known;
}

/* Does the instruction wait for memory? Prefetches and the like load, but nothing waits for them. */
static bool is_load(const struct load_latency *x, const struct sl_cpu *cpu, const struct sl_insn *insn, uint16_t *sched_class)
{
    unsigned flags = sl_op_row(cpu->isa, insn->op)->flags;
    return (flags & SL_OP_MAY_LOAD) && !(flags & SL_OP_CALL) && !sl_cpu_resolve(cpu, insn, sched_class) &&
           latency_of(cpu, sl_cpu_class(cpu, *sched_class)) >= x->model_cycles;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Executions of a load until its levels repeat. */
static size_t period(const struct load_levels *levels)
{
    uint64_t common = LOAD_SHARE_ALL;
    for (unsigned i = 0; i < levels->n; i++)
        common = gcd(common, levels->level[i].share);
    return (size_t)(LOAD_SHARE_ALL / common);
}

/* Every load of the block goes through the same order of levels, so that each has its shares; the loads start at places
 * spread over it, so that they do not all miss in the same iteration. */
static bool write_out(struct grown *g, const struct sl_cpu *cpu, const struct sl_insn *code, struct sl_insn *out, size_t copies,
                      size_t n_loads)
{
    struct load_latency *x = g->x;
    size_t repeat = period(&x->levels), load = 0;
    uint8_t *order = pool_take(&x->pool, repeat);
    int64_t credit[LOAD_LEVELS] = { 0 };
    if (repeat == 0 || n_loads == 0 || x->block == 0)
        return false;
    for (size_t i = 0; i < repeat; i++)
        order[i] = (uint8_t)load_levels_next(&x->levels, credit);
    for (size_t i = 0; i < copies * x->block; i++) {
        uint16_t sched_class;
        unsigned level;
        load = i % x->block ? load : 0;
        out[i] = code[i % x->block];
        if (!is_load(x, cpu, &out[i], &sched_class))
            continue;
        level = order[(i / x->block + load++ * repeat / n_loads) % repeat];
        x->loads[level]++;
        out[i].sched_class = class_at(g, cpu, sched_class, level);
        if (!out[i].sched_class)
            return false;
    }
    return true;
}

bool load_latency_write_out(struct load_latency *x, const struct sl_cpu *cpu, const struct sl_mca_config *config,
                            const struct sl_insn *code, size_t n, struct diag *diag)
{
    struct grown g = { .x = x };
    struct sl_insn *out;
    size_t loads = 0, copies;
    uint64_t repeat;
    uint16_t sched_class;
    x->block = n;
    x->config = *config;
    x->iterations = config->iterations ? config->iterations : 100;
    x->model_cycles = plain_load_cycles(cpu);
    if (x->model_cycles == 0) {
        diag_say(diag, DIAG_ERROR, "--load-latency: the model has no plain load whose latency could be compared");
        return false;
    }
    for (size_t i = 0; i < n; i++)
        loads += is_load(x, cpu, &code[i], &sched_class);
    repeat = loads ? period(&x->levels) : 1;
    copies = repeat && x->iterations % repeat == 0 ? (size_t)repeat : x->iterations;
    if (n == 0 || n > MAX_INSNS || copies > MAX_INSNS / n) {
        diag_say(diag, DIAG_ERROR, "--load-latency: %u iterations are no multiple of the %llu after which the levels of the loads "
                 "repeat, or these are too many: at most %zu instructions can be written out", x->iterations,
                 (unsigned long long)repeat, MAX_INSNS);
        return false;
    }
    x->n = copies * n;
    out = pool_take(&x->pool, x->n * sizeof *out);
    grow(&g, cpu);
    if (!write_out(&g, cpu, code, out, copies, loads ? loads : 1)) {
        diag_say(diag, DIAG_ERROR, "--load-latency: the model's tables have no room for so many classes of loads");
        return false;
    }
    x->code = out;
    x->config.iterations = (uint32_t)(x->iterations / copies);
    for (unsigned i = 0; i < x->levels.n; i++)
        x->loads[i] *= x->config.iterations;
    x->cpu = *cpu;
    x->cpu.rows = g.rows;
    x->cpu.write_lat = g.lat;
    x->cpu.read_adv = g.adv;
    x->cpu.class_row = g.class_row;
    x->cpu.n_classes = (uint16_t)g.n_classes;
    x->class_of = g.class_of;
    return true;
}

/* An event of the written-out block as one of the block. */
static void relay(struct sl_mca_observer *self, const struct sl_mca_event *event)
{
    struct load_latency *x = (struct load_latency *)(void *)((char *)self - offsetof(struct load_latency, relay));
    struct sl_mca_event e = *event;
    e.position %= (uint32_t)x->block;
    x->machine_seen.cycles = x->machine->cycles;
    for (struct sl_mca_observer *o = x->machine_seen.observers; o; o = o->next) {
        if (o->kinds >> e.kind & 1u)
            o->event(o, &e);
    }
}

struct sl_mca *load_latency_seen(struct load_latency *x, struct sl_mca *m)
{
    x->machine = m;
    x->machine_seen = *m;
    x->machine_seen.n_insns = (uint32_t)x->block;
    x->machine_seen.config.iterations = x->iterations;
    return &x->machine_seen;
}

void load_latency_begin(struct load_latency *x)
{
    x->relay = (struct sl_mca_observer){ .event = relay, .kinds = x->machine_seen.watched };
    sl_mca_attach(x->machine, &x->relay);
}

void load_latency_end(struct load_latency *x)
{
    x->machine_seen.cycles = x->machine->cycles;
}

void load_latency_text(const struct load_latency *x, struct text *text)
{
    text_printf(text, "Load latency by level instead of the model's %u cycles:", x->model_cycles);
    for (unsigned i = 0; i < x->levels.n; i++)
        text_printf(text, "%s %s %u cycles, %llu loads (%g%%)", i ? ";" : "", x->levels.level[i].name, x->levels.level[i].cycles,
                    (unsigned long long)x->loads[i], x->levels.level[i].share / 1e4);
}

void load_latency_free(struct load_latency *x)
{
    pool_free(&x->pool);
}
