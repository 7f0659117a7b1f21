/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that take as long as their level of memory: --load-latency. The block is written out for as many iterations as it
 * takes for the levels to repeat, each load with the latency of its level; observers see it as the block it was. */
#ifndef HOSTED_CLI_LOAD_LATENCY_H
#define HOSTED_CLI_LOAD_LATENCY_H

#include <slotledger/mca.h>

#include "../io/diag.h"
#include "../io/pool.h"

#define LOAD_LEVELS 6
#define LOAD_SHARE_ALL 1000000u /* shares are millionths */

struct load_level {
    const char *name;
    uint32_t cycles, share;
};

struct load_levels {
    struct load_level level[LOAD_LEVELS];
    unsigned n;
};

/* "l1=4:0.9,l2=14:0.08,mem=120:0.02" or "l1=4". false: reported, with the character that is wrong. */
bool load_levels_parse(struct load_levels *levels, const char *program, const char *text, struct diag *diag);

/* The level of a load's next execution: the one that is furthest behind its share. credit: zeros at first. */
unsigned load_levels_next(const struct load_levels *levels, int64_t *credit);

struct load_latency {
    struct load_levels levels;
    struct pool pool;
    struct sl_cpu cpu;            /* with classes for loads of each level */
    struct sl_mca_config config;
    const struct sl_insn *code;   /* [n]: the block, again and again */
    size_t n, block;              /* instructions of all, and of the block */
    uint32_t iterations;          /* of the block */
    uint32_t model_cycles;        /* load-to-use latency of the model */
    uint64_t loads[LOAD_LEVELS];  /* of all iterations */
    const uint16_t *class_of;     /* [cpu.n_classes]: the class that one is a copy of */
    struct sl_mca machine_seen;   /* the machine as observers shall see it */
    struct sl_mca *machine;
    struct sl_mca_observer relay;
};

/* false: reported. load_latency_free is allowed in any case. */
bool load_latency_write_out(struct load_latency *x, const struct sl_cpu *cpu, const struct sl_mca_config *config,
                            const struct sl_insn *code, size_t n, struct diag *diag);
/* Behind sl_mca_init(m, &x->cpu, &x->config, x->code, x->n): what to attach observers to. */
struct sl_mca *load_latency_seen(struct load_latency *x, struct sl_mca *m);
/* Before and after sl_mca_run(m). */
void load_latency_begin(struct load_latency *x);
void load_latency_end(struct load_latency *x);
/* One line for the report. */
void load_latency_text(const struct load_latency *x, struct text *text);
void load_latency_free(struct load_latency *x);

#endif
