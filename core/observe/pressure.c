/* SPDX-License-Identifier: Apache-2.0 */
/* Resource pressure: cycles that each unit spends on each instruction of the block. */
#include "observe.h"

static uint32_t columns_of(const struct sl_proc_resource *resource)
{
    return resource->is_group ? 0 : resource->n_units;
}

uint32_t sl_obs_pressure_columns(const struct sl_cpu *cpu)
{
    uint32_t n = 0;

    for (unsigned i = 1; i < cpu->n_resources; i++)
        n += columns_of(&cpu->resources[i]);
    return n;
}

static void layout(struct sl_obs_pressure *o, const struct sl_mca *m, struct sl_arena *arena)
{
    o->n_columns = sl_obs_pressure_columns(m->cpu);
    o->n_rows = m->n_insns + 1u;
    o->total = (size_t)m->n_insns * o->n_columns;
    o->n_cells = o->total + o->n_columns;
    o->cycles = sl_arena_take(arena, o->n_cells, sizeof *o->cycles);
    o->denominator = m->config.instruction_tables ? sl_arena_take(arena, o->n_cells, sizeof *o->denominator) : NULL;
}

size_t sl_obs_pressure_need(const struct sl_mca *m)
{
    struct sl_obs_pressure o;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, &arena);
    return arena.used_bytes + SL_ARENA_ALIGN;
}

static void issued(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_pressure *o = (struct sl_obs_pressure *)self;
    size_t row = (size_t)e->position * o->n_columns;

    for (unsigned i = 0; i < e->n_uses; i++) {
        const struct sl_mca_use *use = &e->uses[i];
        size_t column = (size_t)o->first_column[use->resource] + use->unit;

        /* Unit 64, the reference's "no unit", lands in a later cell if there is one (specification 16.2). */
        if (row + column < o->n_cells)
            o->cycles[row + column] += use->cycles;
        if (o->total + column < o->n_cells)
            o->cycles[o->total + column] += use->cycles;
    }
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The reference's own arithmetic, with its 32-bit overflows. */
static void add_fraction(uint32_t *cycles, uint32_t *denominator, const struct sl_mca_use *use)
{
    uint32_t b = *denominator, d = use->denominator, least;

    if (b == d) {
        *cycles += use->cycles;
        return;
    }
    least = b * d / greatest_common_divisor(b, d);
    *cycles = *cycles * (least / b) + use->cycles * (least / d);
    *denominator = least;
}

static void tabled(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_pressure *o = (struct sl_obs_pressure *)self;
    size_t row = (size_t)e->position * o->n_columns;

    for (unsigned i = 0; i < e->n_uses; i++) {
        const struct sl_mca_use *use = &e->uses[i];
        size_t column = (size_t)o->first_column[use->resource] + use->unit;

        add_fraction(&o->cycles[row + column], &o->denominator[row + column], use);
        add_fraction(&o->cycles[o->total + column], &o->denominator[o->total + column], use);
    }
}

static bool counters(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *out)
{
    struct sl_obs_pressure *o = (struct sl_obs_pressure *)self;

    *out = sl_obs_counters(o->cycles, (uint32_t)o->n_cells);
    return index == 0;
}

static const struct sl_mca_recurring recurring = { NULL, NULL, counters, NULL };

enum sl_status sl_obs_pressure_init(struct sl_obs_pressure *o, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    enum sl_status err;
    uint32_t column = 0;

    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, &arena);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    for (unsigned i = 0; i < 64; i++) {
        o->first_column[i] = (uint16_t)column;
        if (i != 0 && i < m->cpu->n_resources)
            column += columns_of(&m->cpu->resources[i]);
    }
    if (o->denominator != NULL)
        for (size_t i = 0; i < o->n_cells; i++)
            o->denominator[i] = 1;
    sl_obs_watch(m, &o->observer, o->denominator != NULL ? tabled : issued, SL_OBS_KIND(SL_MCA_ISSUED));
    if (o->n_cells <= UINT32_MAX)
        o->observer.recurring = &recurring;
    return SL_OK;
}
