/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's state as a list of words that is the same whenever the machine will behave the same: cycles count from
 * now, instructions back from the next one to fetch, memory groups back from the last one; and what is never looked at
 * again is left out. Scratch of a single cycle (the micro-ops dispatched in it, busy_units, best ones, ...) is dead at a
 * cycle's beginning; most_users only saves work. To call two states different that are not costs time; the other way
 * round costs the result: tests/oracle/extrapolate.sh compares. */
#include "recur_internal.h"

/* A retired definition older than any read-advance (8 bits) is over. */
#define COMMITTED_CYCLES 256u

static void put64(struct sl_mca_words *w, uint64_t value)
{
    sl_mca_word(w, (uint32_t)value);
    sl_mca_word(w, (uint32_t)(value >> 32));
}

static void put_time(const struct sl_mca_state *s, struct sl_mca_words *w, uint32_t when)
{
    sl_mca_word(w, when - s->now);
}

/* A slot is named by its instruction's age. */
static uint32_t age_of(const struct sl_mca_state *s, uint32_t slot)
{
    return slot == MCA_NONE ? 0 : s->next_iid - s->slots[slot].iid;
}

static void put_set(const struct sl_mca_state *s, struct sl_mca_words *w, const struct mca_set *set)
{
    sl_mca_word(w, set->n);
    for (uint32_t i = 0; i < set->n; i++)
        sl_mca_word(w, age_of(s, set->item[i]));
}

static void put_chain(const struct sl_mca_state *s, struct sl_mca_words *w, uint32_t slot)
{
    for (; slot != MCA_NONE; slot = s->slots[slot].next)
        sl_mca_word(w, age_of(s, slot));
    sl_mca_word(w, 0);
}

static void put_users(const struct sl_mca_state *s, struct sl_mca_words *w, uint32_t node)
{
    for (; node != MCA_NONE; node = s->nodes[node].next) {
        sl_mca_word(w, age_of(s, s->nodes[node].slot));
        sl_mca_word(w, (uint32_t)s->nodes[node].advance);
        sl_mca_word(w, mca_is_plain(s) ? 0 : s->nodes[node].which);
    }
    sl_mca_word(w, 0);
}

static void put_successors(const struct sl_mca_state *s, struct sl_mca_words *w, uint32_t link)
{
    for (; link != MCA_NONE; link = s->links[link].next)
        sl_mca_word(w, 1u + s->last_group_id - s->groups[s->links[link].group].id);
    sl_mca_word(w, 0);
}

/* Of the counts only these differences decide: a group of loads can take in new ones for ever. */
static void put_group(const struct sl_mca *m, struct sl_mca_words *w, const struct mca_group *g)
{
    const struct sl_mca_state *s = m->state;
    uint32_t open = g->instructions - g->executed;

    sl_mca_word(w, 1u + s->last_group_id - g->id);
    sl_mca_word(w, g->predecessors - g->predecessors_executed);
    sl_mca_word(w, g->predecessors_executing);
    sl_mca_word(w, open);
    sl_mca_word(w, g->issued);
    sl_mca_word(w, g->lost != 0 ? 1u + open - g->lost : 0);
    /* Once it executes, nobody follows these links any more, and their owners may be gone. */
    if (g->issued != 0 && g->issued == open)
        sl_mca_word(w, g->order_successors != MCA_NONE);
    else
        put_successors(s, w, g->order_successors);
    put_successors(s, w, g->data_successors);
    put_chain(s, w, g->waiting);
    put_chain(s, w, g->blocked);
    if (!mca_pressure(m))
        return;
    sl_mca_word(w, age_of(s, g->critical_slot));
    sl_mca_word(w, g->critical.cycles);
    sl_mca_word(w, g->critical.cycles != 0 ? s->next_iid - g->critical.iid : 0);
}

static void put_criticals(const struct sl_mca_state *s, struct sl_mca_words *w, uint32_t slot)
{
    uint32_t stride = s->read_stride + s->write_stride;
    const struct mca_crd *crd = &s->crds[slot * stride];

    put64(w, s->critical[slot].resource_mask);
    for (uint32_t i = 0; i < stride; i++, crd++) {
        sl_mca_word(w, mca_reached(s, crd->until) ? 0 : crd->until - s->now);
        sl_mca_word(w, crd->cycles);
        sl_mca_word(w, crd->cycles != 0 ? s->next_iid - crd->iid : 0);
        sl_mca_word(w, crd->cycles != 0 ? crd->reg : 0);
    }
}

/* What an instruction that is not issued yet waits for, and who for it. */
static void put_waits(const struct sl_mca *m, struct sl_mca_words *w, uint32_t slot)
{
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];

    sl_mca_word(w, t->outstanding);
    put_time(s, w, mca_reached(s, t->ready_at) ? s->now : t->ready_at);
    sl_mca_word(w, t->users);
    if (mca_is_plain(s))
        put_users(s, w, t->waiters);
    for (unsigned i = 0; i < mca_proto_of(s, t)->n_writes && !mca_is_plain(s); i++)
        put_users(s, w, s->users[slot * s->write_stride + i]);
    if (mca_pressure(m))
        put_criticals(s, w, slot);
}

/* group: the one that was written last. */
static void put_slot(const struct sl_mca *m, struct sl_mca_words *w, uint32_t slot, uint32_t *group)
{
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];

    sl_mca_word(w, age_of(s, slot));
    sl_mca_word(w, (uint32_t)t->issued | (uint32_t)t->executed << 1 | (uint32_t)t->eliminated << 2);
    if (t->issued) {
        put_time(s, w, t->issued_at);
        put_time(s, w, t->done_at);
    } else if (!m->in_order) {
        put_waits(m, w, slot);
    }
    if (t->group == MCA_NONE || t->executed)
        return;
    sl_mca_word(w, 1u + s->last_group_id - s->groups[t->group].id);
    if (t->group != *group)
        put_group(m, w, &s->groups[t->group]);
    *group = t->group;
}

static void put_in_flight(const struct sl_mca *m, struct sl_mca_words *w)
{
    const struct sl_mca_state *s = m->state;
    uint32_t group = MCA_NONE, at = s->slot_head;

    if (m->in_order) {
        sl_mca_word(w, s->issued.n);
        for (uint32_t i = 0; i < s->issued.n && w->same; i++)
            put_slot(m, w, s->issued.item[i], &group);
        if (s->stalled != MCA_NONE)
            put_slot(m, w, s->stalled, &group);
        if (s->carried != MCA_NONE)
            put_slot(m, w, s->carried, &group);
        return;
    }
    sl_mca_word(w, s->slot_count);
    for (uint32_t i = 0; i < s->slot_count && w->same; i++) {
        put_slot(m, w, at, &group);
        at = at + 1 == s->n_slots ? 0 : at + 1;
    }
}

/* A definition whose instruction has left without a commit is over, see regfile.c; should it not be, no state is like it. */
static void put_live(const struct sl_mca_state *s, struct sl_mca_words *w, const struct mca_map *map)
{
    const struct mca_slot *t = &s->slots[map->slot];
    int32_t left;

    if (t->iid != map->iid) {
        sl_mca_word(w, MCA_MAP_EMPTY);
        return;
    }
    left = mca_cycles_left(s, t, map->latency);
    if (t->issued && mca_reached(s, t->done_at)) {
        if (left > 0 || left == MCA_UNKNOWN)
            w->same = false;
        sl_mca_word(w, s->commits ? MCA_MAP_LIVE : MCA_MAP_EMPTY);
        if (!s->commits)
            return;
    } else {
        sl_mca_word(w, MCA_MAP_LIVE);
    }
    sl_mca_word(w, s->next_iid - map->iid);
    sl_mca_word(w, map->write);
}

static void put_map(const struct sl_mca_state *s, struct sl_mca_words *w, const struct mca_map *map)
{
    if (map->kind == MCA_MAP_LIVE) {
        put_live(s, w, map);
        return;
    }
    if (map->kind == MCA_MAP_EMPTY || (map->kind == MCA_MAP_COMMITTED && s->now - map->wb_cycle >= COMMITTED_CYCLES)) {
        sl_mca_word(w, MCA_MAP_EMPTY);
        return;
    }
    sl_mca_word(w, map->kind);
    sl_mca_word(w, map->kind == MCA_MAP_LOST ? map->wb_cycle : s->now - map->wb_cycle);
    sl_mca_word(w, s->next_iid - map->iid);
    sl_mca_word(w, map->write);
}

static void put_registers(const struct sl_mca *m, struct sl_mca_words *w)
{
    const struct sl_mca_state *s = m->state;

    for (unsigned i = 0; i < MCA_MAX_FILES / 2u && s->limited; i++)
        put64(w, s->file_room.pair[i]);
    if (mca_is_plain(s)) {
        for (uint32_t i = 0; i < s->n_insns && m->in_order; i++)
            put_time(s, w, s->protos[i].issued_at);
        return;
    }
    for (uint32_t i = 0; i < s->n_classes && w->same; i++)
        put_map(s, w, &s->map[i]);
    if (!s->moves)
        return;
    for (uint32_t i = 0; i < m->cpu->isa->n_regs; i++)
        sl_mca_word(w, s->alias[i]);
    for (uint32_t i = 0; i < SL_BIT_WORDS(m->cpu->isa->n_regs); i++)
        sl_mca_word(w, s->zero[i]);
}

static uint32_t busy_key(const struct mca_busy *busy)
{
    return (uint32_t)busy->state << 8 | busy->unit;
}

/* The order of these changes nothing, and no unit is there twice: they are written by their units. */
static void put_busy(const struct sl_mca_state *s, struct sl_mca_words *w, const struct mca_busy *busy, uint32_t n)
{
    uint32_t least = 0;

    sl_mca_word(w, n);
    for (uint32_t k = 0; k < n && w->same; k++) {
        const struct mca_busy *next = NULL;
        for (uint32_t i = 0; i < n; i++)
            if (busy_key(&busy[i]) >= least && (next == NULL || busy_key(&busy[i]) < busy_key(next)))
                next = &busy[i];
        if (next == NULL) { /* one was there twice after all */
            w->same = false;
            return;
        }
        least = busy_key(next) + 1u;
        put_time(s, w, next->release_at);
        sl_mca_word(w, busy_key(next) << 1 | next->odd);
    }
}

static void put_resources(const struct sl_mca *m, struct sl_mca_words *w)
{
    const struct sl_mca_state *s = m->state;

    put64(w, s->reserved_groups);
    put64(w, s->available_buffers);
    put64(w, s->reserved_buffers);
    put64(w, s->ready_states);
    put64(w, s->brief_states);
    put_busy(s, w, s->busy, s->n_busy);
    put_busy(s, w, s->brief, s->n_brief);
    put_time(s, w, s->n_busy != 0 ? s->next_release : s->now);
    for (unsigned i = 1; i < m->cpu->n_resources; i++) {
        const struct mca_unit *u = &s->units[sl_msb64(s->masks[i] | 1u)];
        put64(w, u->ready);
        put64(w, u->next);
        put64(w, u->removed);
        sl_mca_word(w, u->slots);
        sl_mca_word(w, u->unavailable);
    }
}

static void put_current(const struct sl_mca *m, struct sl_mca_words *w, uint32_t group)
{
    const struct mca_group *g = group != MCA_NONE ? &m->state->groups[group] : NULL;

    sl_mca_word(w, g == NULL ? 0 : 1u + m->state->last_group_id - g->id);
    if (g != NULL && m->in_order) /* out of order it has an instruction in flight */
        put_group(m, w, g);
}

/* Who is issued and not executed stands with the instructions; in which order these end changes nothing. `pending` that only memory order holds back is looked at again in a far cycle, which never matters. */
static void put_exact_sets(const struct sl_mca_state *s, struct sl_mca_words *w)
{
    put_set(s, w, &s->ready);
    put_set(s, w, &s->wait);
    put_set(s, w, &s->pending);
    put_time(s, w, s->pending.n != 0 && mca_diff(s->next_pending, s->now) < INT32_MAX / 2 ? s->next_pending : s->now - 1u);
    put_time(s, w, s->issued.n != 0 ? s->next_done : s->now);
    sl_mca_word(w, (uint32_t)s->wait_dirty | (uint32_t)s->pending_dirty << 1);
}

static void put_wheel_sets(const struct sl_mca_state *s, struct sl_mca_words *w)
{
    put_set(s, w, &s->resolved);
    put_set(s, w, &s->due);
    sl_mca_word(w, s->ready_descs.n);
    for (uint32_t i = 0; i < s->ready_descs.n && w->same; i++) {
        sl_mca_word(w, s->ready_descs.item[i]);
        put_chain(s, w, s->demands[s->ready_descs.item[i]].oldest);
    }
    for (uint32_t i = 0; i < MCA_WHEEL && w->same; i++)
        put_chain(s, w, s->wheel[(s->now + i) & (MCA_WHEEL - 1u)]);
}

/* A few words that nearly always tell two states from one another come first. */
static void put_pipeline(const struct sl_mca *m, struct sl_mca_words *w)
{
    const struct sl_mca_state *s = m->state;

    sl_mca_word(w, s->next_position);
    put_time(s, w, s->last_progress);
    sl_mca_word(w, s->carry);
    if (m->in_order) {
        sl_mca_word(w, age_of(s, s->carried));
        sl_mca_word(w, age_of(s, s->stalled));
        sl_mca_word(w, s->stalled != MCA_NONE ? s->stall_kind : 0);
        sl_mca_word(w, s->stall_cycles);
        sl_mca_word(w, s->last_wb);
        put_time(s, w, s->issued.n != 0 ? s->next_done : s->now);
        return;
    }
    sl_mca_word(w, s->carry != 0 ? s->next_iid - s->carried : 0);
    sl_mca_word(w, s->rob_free);
    sl_mca_word(w, s->loads);
    sl_mca_word(w, s->stores);
    sl_mca_word(w, s->had_token_stall);
    if (m->config.micro_op_queue_size != 0) {
        sl_mca_word(w, s->queue_free);
        sl_mca_word(w, s->next_iid - s->queue_oldest);
    }
}

void mca_recur_words(const struct sl_mca *m, struct sl_mca_words *w)
{
    const struct sl_mca_state *s = m->state;

    put_pipeline(m, w);
    if (w->same)
        put_in_flight(m, w);
    put_current(m, w, s->load_group);
    put_current(m, w, s->load_barrier);
    put_current(m, w, s->store_group);
    put_current(m, w, s->store_barrier);
    if (w->same)
        put_resources(m, w);
    if (w->same)
        put_registers(m, w);
    if (m->in_order || !w->same)
        return;
    if (mca_pressure(m))
        put_exact_sets(s, w);
    else
        put_wheel_sets(s, w);
}

uint64_t mca_recur_most_words(const struct sl_mca *m)
{
    const struct sl_mca_state *s = m->state;
    uint64_t operands = (uint64_t)s->read_stride + s->write_stride;
    uint64_t slot = 48u + 6u * operands + 3u * (uint64_t)s->node_stride;
    uint64_t units = 0;

    for (unsigned i = 1; i < m->cpu->n_resources; i++)
        units += 1u + (m->cpu->resources[i].is_group ? 1u : m->cpu->resources[i].n_units);
    return 256u + 8u * (uint64_t)m->cpu->n_resources + 4u * units + 6u * (uint64_t)s->n_insns + 4u * (uint64_t)s->n_classes +
           2u * (uint64_t)m->cpu->isa->n_regs + s->n_slots * slot;
}

static uint32_t older(const struct sl_mca_state *s, uint32_t a, uint32_t slot)
{
    return slot == MCA_NONE ? a : sl_min_u32(a, s->slots[slot].iid);
}

uint32_t mca_recur_oldest(const struct sl_mca *m)
{
    const struct sl_mca_state *s = m->state;
    uint32_t oldest = m->config.micro_op_queue_size != 0 && !m->in_order ? s->queue_oldest : s->next_iid;

    if (!m->in_order) {
        oldest = s->carry != 0 ? sl_min_u32(oldest, s->carried) : oldest;
        return s->slot_count != 0 ? older(s, oldest, s->slot_head) : oldest;
    }
    for (uint32_t i = 0; i < s->issued.n; i++)
        oldest = older(s, oldest, s->issued.item[i]);
    return older(s, older(s, oldest, s->stalled), s->carried);
}
