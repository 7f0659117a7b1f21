/* SPDX-License-Identifier: Apache-2.0 */
/* Summary: micro-ops and resource cycles of the first iteration, and the block throughput they allow. */
#include "observe.h"

static void layout(struct sl_obs_summary *o, const struct sl_mca *m, struct sl_arena *arena)
{
    o->use = sl_arena_take(arena, m->cpu->n_resources, sizeof *o->use);
}

size_t sl_obs_summary_need(const struct sl_mca *m)
{
    struct sl_obs_summary o;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, &arena);
    return arena.used_bytes + SL_ARENA_ALIGN;
}

static void retired(struct sl_obs_summary *o, const struct sl_mca_desc *desc)
{
    o->uops += desc->uops;
    for (unsigned i = 0; i < desc->n_resources; i++)
        o->use[desc->resources[i].resource] += desc->resources[i].cycles;
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_summary *o = (struct sl_obs_summary *)self;

    if (e->iid < o->m->n_insns)
        retired(o, e->insn->desc);
}

/* The first iteration is all that counts. */
static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    return moment->oldest_iid >= ((const struct sl_obs_summary *)self)->m->n_insns;
}

static const struct sl_mca_recurring recurring = { settle, NULL, NULL, NULL };

enum sl_status sl_obs_summary_init(struct sl_obs_summary *o, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    enum sl_status err;

    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, &arena);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    o->m = m;
    o->uops = 0;
    o->throughput_cycles = 0;
    o->throughput_divisor = 1;
    /* The reference counts retirements of the first iteration. As a rule each of its instructions retires, so the block
     * itself says it all and no event is needed; in order some are lost while another one is carried over to the next
     * cycle (simulator specification, chapter 11). */
    if (m->in_order && sl_obs_max_uops(m) > m->cpu->issue_width) {
        sl_obs_watch(m, &o->observer, event, SL_OBS_KIND(SL_MCA_RETIRED));
        o->observer.recurring = &recurring;
        return SL_OK;
    }
    for (uint32_t i = 0; i < m->n_insns; i++)
        retired(o, m->insns[i].desc);
    return SL_OK;
}

void sl_obs_summary_finish(struct sl_obs_summary *o)
{
    const struct sl_cpu *cpu = o->m->cpu;
    uint32_t cycles = o->uops, divisor = o->m->config.dispatch_width;

    for (unsigned i = 1; i < cpu->n_resources; i++) {
        uint32_t units = cpu->resources[i].n_units;

        if (o->use[i] != 0 && (uint64_t)o->use[i] * divisor > (uint64_t)cycles * units) {
            cycles = o->use[i];
            divisor = units;
        }
    }
    o->throughput_cycles = cycles;
    o->throughput_divisor = divisor;
}
