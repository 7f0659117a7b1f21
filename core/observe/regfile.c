/* SPDX-License-Identifier: Apache-2.0 */
/* Register-file statistics: mappings of each physical register file, and eliminated moves. */
#include "observe.h"

static void layout(struct sl_obs_regfile *o, const struct sl_mca *m, struct sl_arena *arena)
{
    o->n_files = m->cpu->n_files != 0 ? m->cpu->n_files : 1u;
    o->files = sl_arena_take(arena, o->n_files, sizeof *o->files);
}

size_t sl_obs_regfile_need(const struct sl_mca *m)
{
    struct sl_obs_regfile o;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, &arena);
    return arena.used_bytes + SL_ARENA_ALIGN;
}

static void close_cycle(struct sl_register_usage *file)
{
    file->max_moves = sl_max_u32(file->max_moves, file->moves);
    file->moves_eliminated += file->moves;
    file->moves = 0;
}

static void move(struct sl_register_usage *file, const struct sl_mca_move *m, uint32_t cycle)
{
    if (file->cycle != cycle)
        close_cycle(file);
    file->cycle = cycle;
    file->move_candidates += m->candidates;
    file->moves += m->eliminated;
    file->zero_moves += m->zero;
}

static void dispatched(struct sl_obs_regfile *o, const struct sl_mca_event *e)
{
    for (uint32_t i = 0; i < o->n_files; i++) {
        struct sl_register_usage *file = &o->files[i];

        file->current += e->regs[i];
        file->total += e->regs[i];
        file->max = sl_max_u32(file->max, file->current);
    }
    if (e->move != NULL)
        move(&o->files[e->move->file], e->move, e->cycle);
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_regfile *o = (struct sl_obs_regfile *)self;

    if (e->kind == SL_MCA_DISPATCHED) {
        dispatched(o, e);
        return;
    }
    for (uint32_t i = 0; i < o->n_files; i++)
        o->files[i].current -= e->regs[i];
}

static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    struct sl_obs_regfile *o = (struct sl_obs_regfile *)self;

    (void)moment;
    for (uint32_t i = 0; i < o->n_files; i++)
        close_cycle(&o->files[i]);
    return true;
}

static void state(const struct sl_mca_observer *self, const struct sl_mca_moment *moment, struct sl_mca_words *words)
{
    const struct sl_obs_regfile *o = (const struct sl_obs_regfile *)self;

    (void)moment;
    for (uint32_t i = 0; i < o->n_files; i++)
        sl_mca_word(words, o->files[i].current);
}

static bool counters(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *out)
{
    struct sl_obs_regfile *o = (struct sl_obs_regfile *)self;

    *out = (struct sl_mca_counters){ NULL, o->n_files, o->n_files, sizeof *o->files, false };
    switch (index) {
    case 0: out->first = &o->files->total; break;
    case 1: out->first = &o->files->move_candidates; break;
    case 2: out->first = &o->files->moves_eliminated; break;
    case 3: out->first = &o->files->zero_moves; break;
    default: return false;
    }
    return true;
}

static const struct sl_mca_recurring recurring = { settle, state, counters, NULL };

enum sl_status sl_obs_regfile_init(struct sl_obs_regfile *o, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    enum sl_status err;

    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, &arena);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    sl_obs_watch(m, &o->observer, event, SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_RETIRED));
    o->observer.recurring = &recurring;
    return SL_OK;
}

void sl_obs_regfile_finish(struct sl_obs_regfile *o)
{
    for (uint32_t i = 0; i < o->n_files; i++)
        close_cycle(&o->files[i]);
}
