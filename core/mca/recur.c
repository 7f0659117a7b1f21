/* SPDX-License-Identifier: Apache-2.0 */
/* The recurrence finder: Brent's cycle search over the states at the beginning of iterations, then whole periods at once. */
#include "recur_internal.h"

/* Words that may be compared for each instruction simulated, and in advance. */
#define CREDIT_PER_INSN 16u
#define CREDIT_AT_FIRST (1 << 18)
#define CREDIT_MOST (1 << 24)

/* The scheduler ranks instructions by signed numbers, as the reference does: its order is another one while those in
 * flight lie on both sides of this. */
#define SIGNED_IIDS ((uint32_t)1 << 31)

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* Words of all counters, now or at most. */
static uint64_t count_words(const struct sl_mca *m, bool most)
{
    uint64_t words = 0;

    for (struct sl_mca_observer *o = m->observers; o != NULL; o = o->next) {
        struct sl_mca_counters c;
        for (unsigned i = 0; o->recurring->counters != NULL && o->recurring->counters(o, i, &c); i++)
            words += (most ? c.most : c.count) * (c.wide ? (uint64_t)2 : (uint64_t)1);
    }
    return words;
}

static struct sl_mca_moment moment_of(const struct sl_mca *m)
{
    return (struct sl_mca_moment){ m->state->now, m->state->next_iid, mca_recur_oldest(m) };
}

static void observer_words(const struct sl_mca *m, struct sl_mca_words *words)
{
    struct sl_mca_moment moment = moment_of(m);

    for (struct sl_mca_observer *o = m->observers; o != NULL; o = o->next)
        if (o->recurring->state != NULL)
            o->recurring->state(o, &moment, words);
}

static uint64_t most_words(const struct sl_mca *m)
{
    struct sl_mca_words measure = { 0 };

    observer_words(m, &measure);
    return mca_recur_most_words(m) + measure.n;
}

static bool is_possible(const struct sl_mca *m)
{
    for (const struct sl_mca_observer *o = m->observers; o != NULL; o = o->next)
        if (o->recurring == NULL)
            return false;
    return !m->config.instruction_tables;
}

static void layout(struct sl_mca_recur *r, const struct sl_mca *m, struct sl_arena *arena)
{
    uint64_t words = most_words(m), counts = count_words(m, true);

    r->words_room = words < SIZE_MAX ? (size_t)words : SIZE_MAX;
    r->counts_room = counts < SIZE_MAX ? (size_t)counts : SIZE_MAX;
    r->words = sl_arena_take_dirty(arena, r->words_room, sizeof *r->words);
    r->counts = sl_arena_take_dirty(arena, r->counts_room, sizeof *r->counts);
}

size_t sl_mca_recur_need(const struct sl_mca *m)
{
    struct sl_mca_recur r;
    struct sl_arena arena;

    if (!is_possible(m))
        return 0;
    sl_arena_init(&arena, NULL, 0);
    layout(&r, m, &arena);
    return arena.used_bytes < SIZE_MAX - SL_ARENA_ALIGN ? arena.used_bytes + SL_ARENA_ALIGN : SIZE_MAX;
}

enum sl_status sl_mca_recur_init(struct sl_mca_recur *r, struct sl_mca *m, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;

    *r = (struct sl_mca_recur){ .m = m, .credit = CREDIT_AT_FIRST, .renew_at = 1 };
    if (!is_possible(m))
        return SL_OK;
    sl_arena_init(&arena, mem, mem_bytes);
    layout(r, m, &arena);
    if (arena.used_bytes > mem_bytes) {
        m->missing_bytes = arena.used_bytes - mem_bytes;
        return SL_E_ROOM;
    }
    r->searching = true;
    r->look_at = m->n_insns;
    return SL_OK;
}

/* ---- counters ------------------------------------------------------------------------------------------------------ */

static uint64_t get_count(const struct sl_mca_counters *c, uint32_t i)
{
    const unsigned char *at = (const unsigned char *)c->first + (size_t)i * c->stride_bytes;

    return c->wide ? *(const uint64_t *)(const void *)at : *(const uint32_t *)(const void *)at;
}

static void set_count(const struct sl_mca_counters *c, uint32_t i, uint64_t value)
{
    unsigned char *at = (unsigned char *)c->first + (size_t)i * c->stride_bytes;

    if (c->wide)
        *(uint64_t *)(void *)at = value;
    else
        *(uint32_t *)(void *)at = (uint32_t)value;
}

/* Saves the counters; or, times != 0, adds `times` times what each has grown by since. */
static void each_count(struct sl_mca_recur *r, uint32_t times)
{
    uint32_t *saved = r->counts;

    for (struct sl_mca_observer *o = r->m->observers; o != NULL; o = o->next) {
        struct sl_mca_counters c;
        for (unsigned i = 0; o->recurring->counters != NULL && o->recurring->counters(o, i, &c); i++) {
            for (uint32_t k = 0; k < c.count; k++, saved += c.wide ? 2 : 1) {
                uint64_t now = get_count(&c, k), then = saved[0];
                if (c.wide)
                    then |= (uint64_t)saved[1] << 32;
                if (times != 0) {
                    set_count(&c, k, now + times * (now - then));
                    continue;
                }
                saved[0] = (uint32_t)now;
                if (c.wide)
                    saved[1] = (uint32_t)(now >> 32);
            }
        }
    }
}

/* ---- states -------------------------------------------------------------------------------------------------------- */

static bool settle(const struct sl_mca *m)
{
    struct sl_mca_moment moment = moment_of(m);
    bool ready = true;

    for (struct sl_mca_observer *o = m->observers; o != NULL; o = o->next)
        if (o->recurring->settle != NULL && !o->recurring->settle(o, &moment))
            ready = false;
    return ready;
}

/* Which side of SIGNED_IIDS are all instructions on: 0 or 1; 2: not the same. */
static int side_of(const struct sl_mca *m)
{
    const struct sl_mca_state *s = m->state;

    if (s->next_iid <= SIGNED_IIDS)
        return 0;
    return mca_recur_oldest(m) >= SIGNED_IIDS + s->most_users ? 1 : 2;
}

static void spend(struct sl_mca_recur *r, size_t words)
{
    r->credit -= (int32_t)(words < CREDIT_MOST ? words : CREDIT_MOST);
}

static void save(struct sl_mca_recur *r)
{
    struct sl_mca_words words = { r->words, r->words_room, 0, false, true };
    const struct sl_mca *m = r->m;

    (void)settle(m);
    mca_recur_words(m, &words);
    observer_words(m, &words);
    spend(r, words.n);
    r->saved = words.same && side_of(m) != 2;
    if (!r->saved)
        return;
    r->words_used = words.n;
    each_count(r, 0);
    r->cycle = m->state->now;
    r->iid = m->state->next_iid;
    r->seen = 0;
    r->renew_at *= r->renew_at < SIGNED_IIDS ? 2u : 1u;
}

/* Is this the state that was saved? */
static bool recurs(struct sl_mca_recur *r)
{
    struct sl_mca_words words = { r->words, r->words_used, 0, true, true };
    const struct sl_mca *m = r->m;
    int side = side_of(m);

    if (side == 2 || (side == 1 && r->iid <= SIGNED_IIDS))
        return false;
    mca_recur_words(m, &words);
    if (words.same && settle(m))
        observer_words(m, &words);
    else
        words.same = false;
    spend(r, words.n);
    return words.same && words.n == r->words_used;
}

/* Skips as many periods as leave instructions to fetch in every cycle that is skipped. */
static void skip(struct sl_mca_recur *r)
{
    struct sl_mca *m = r->m;
    struct sl_mca_state *s = m->state;
    struct sl_mca_moment moment = moment_of(m);
    uint32_t cycles = s->now - r->cycle, iids = s->next_iid - r->iid, last = s->total - 1u;
    bool in_halves = s->next_iid <= SIGNED_IIDS && last > SIGNED_IIDS;
    uint32_t limit = in_halves ? SIGNED_IIDS : last;
    uint32_t times = s->next_iid < limit ? (limit - s->next_iid) / iids : 0; /* all may have been fetched by now */

    r->period_iterations = iids / m->n_insns;
    r->period_cycles = cycles;
    r->found_at = r->found_at != 0 ? r->found_at : (s->next_iid - 1u) / m->n_insns + 1u;
    r->skipped_iterations += times * r->period_iterations;
    if (times != 0) {
        each_count(r, times);
        for (struct sl_mca_observer *o = m->observers; o != NULL; o = o->next)
            if (o->recurring->shift != NULL)
                o->recurring->shift(o, &moment, times * cycles, times * iids);
        mca_recur_shift(m, times * cycles, times * iids);
    }
    r->saved = false;
    r->renew_at = 1;
    r->searching = in_halves;
}

static void look(struct sl_mca_recur *r)
{
    const struct sl_mca_state *s = r->m->state;
    uint32_t gained = s->next_iid - (r->look_at - r->m->n_insns);

    r->credit += (int32_t)(sl_min_u32(gained, CREDIT_MOST / CREDIT_PER_INSN) * CREDIT_PER_INSN);
    r->credit = r->credit < CREDIT_MOST ? r->credit : CREDIT_MOST;
    r->seen++;
    if (r->credit > 0 && r->saved && recurs(r))
        skip(r);
    else if (r->credit > 0 && (r->seen >= r->renew_at || !r->saved))
        save(r);
    r->look_at = s->next_iid - s->next_position + r->m->n_insns;
    /* Too late for a whole period, or the end of all numbers. */
    if (r->look_at >= s->total || r->look_at < s->next_iid)
        r->searching = false;
}

enum sl_status sl_mca_recur_run(struct sl_mca_recur *r)
{
    struct sl_mca *m = r->m;
    uint32_t slice = m->config.slice_cycles, spent = 0;
    enum sl_status err = SL_E_AGAIN;

    m->config.slice_cycles = 1;
    while (r->searching && err == SL_E_AGAIN && (slice == 0 || spent < slice)) {
        uint32_t from = m->state->now;
        err = sl_mca_run(m);
        spent += m->state->now - from;
        if (err == SL_E_AGAIN && m->state->next_iid >= r->look_at)
            look(r);
    }
    m->config.slice_cycles = slice == 0 || spent > slice ? 0 : slice - spent;
    if (err == SL_E_AGAIN && (slice == 0 || spent < slice))
        err = sl_mca_run(m);
    m->config.slice_cycles = slice;
    return err;
}
