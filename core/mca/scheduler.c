/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduler and execute stage of the out-of-order machine (chapters 6.5, 8). */
#include "sets.h"

/* One copy each of these two where size counts. */
static uint32_t promote_wait(struct sl_mca *m)
{
    return mca_sets_promote_wait(m);
}

static void promote_pending(struct sl_mca *m)
{
    mca_sets_promote_pending(m);
}

static void emit_slots(struct sl_mca *m, enum sl_mca_event_kind kind, const uint32_t *slots, uint32_t n)
{
    if (!mca_watched(m, kind))
        return;
    for (uint32_t i = 0; i < n; i++)
        mca_emit(m, kind, &m->state->slots[slots[i]]);
}

/* Tells of the instructions that became ready since the ready set had n entries. */
static void emit_ready(struct sl_mca *m, uint32_t n)
{
    struct sl_mca_state *s = m->state;

    emit_slots(m, SL_MCA_READY, s->ready.item + n, s->ready.n - n);
    if (!mca_pressure(m))
        s->ready.n = 0;
}

static void executed(struct sl_mca *m, uint32_t slot)
{
    struct mca_slot *t = &m->state->slots[slot];

    if (mca_watched(m, SL_MCA_EXECUTED))
        mca_emit(m, SL_MCA_EXECUTED, t);
    t->executed = true;
    m->state->last_progress = m->state->now;
}

/* The reference takes the last predecessor that made the instruction wait, writes before reads (4.3). */
static void take_critical(struct sl_mca *m, struct sl_mca_critical *c, const struct mca_crd *crd)
{
    if (crd->cycles == 0)
        return;
    if (crd->cycles < c->cycles && m->config.no_quirks)
        return;
    if (crd->cycles < c->cycles)
        m->state->quirks |= SL_MCA_QUIRK_CRITICAL;
    *c = (struct sl_mca_critical){ crd->iid, crd->cycles, crd->reg };
}

static void critical_register(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];
    const struct mca_proto *p = mca_proto_of(s, t);
    const struct mca_crd *crds = &s->crds[slot * (s->read_stride + s->write_stride)];
    struct sl_mca_critical *c = &s->critical[slot].reg;

    for (unsigned w = 0; w < p->n_writes; w++)
        take_critical(m, c, &crds[s->read_stride + w]);
    for (unsigned r = 0; r < p->n_reads; r++)
        take_critical(m, c, &crds[r]);
}

static void start(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];

    t->issued = true;
    t->issued_at = s->now;
    t->done_at = s->now + mca_desc_of(s, t)->max_latency_cycles;
    if (t->users != 0)
        mca_writes_issued(m, slot);
    if (mca_pressure(m))
        critical_register(m, slot);
    if (t->group != MCA_NONE) {
        mca_lsu_issued(m, slot);
        if (mca_pressure(m))
            s->critical[slot].mem = s->groups[t->group].critical;
    }
    if (t->done_at != s->now)
        mca_sets_start(m, slot);
    else if (t->group != MCA_NONE)
        mca_lsu_executed(m, slot);
}

static void emit_issued(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];
    struct sl_mca_event *e = &s->event;

    if (mca_watched(m, SL_MCA_BUFFERS_RELEASED) && mca_desc_of(s, t)->used_buffers != 0) {
        e->mask = mca_desc_of(s, t)->used_buffers;
        mca_emit(m, SL_MCA_BUFFERS_RELEASED, t);
    }
    if (!mca_watched(m, SL_MCA_ISSUED))
        return;
    e->uses = s->uses;
    e->n_uses = (uint16_t)s->n_uses;
    if (mca_pressure(m)) {
        e->critical_resource_mask = s->critical[slot].resource_mask;
        e->critical_register = s->critical[slot].reg;
        e->critical_memory = s->critical[slot].mem;
    }
    mca_emit_here(m, SL_MCA_ISSUED, t);
}

static void issue(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];
    const struct sl_mca_desc *desc = mca_desc_of(s, t);
    bool dependents = t->users != 0 || (t->group != MCA_NONE && mca_group_has_users(&s->groups[t->group]));
    uint32_t moved = 0, ready = s->ready.n;

    mca_buffers_release(s, desc->used_buffers);
    mca_resource_issue(s, desc);
    start(m, slot);
    if (dependents && (moved = promote_wait(m)) > 0)
        promote_pending(m);
    s->issued_uops += desc->uops;
    s->last_progress = s->now;
    emit_issued(m, slot);
    if (t->done_at == s->now)
        executed(m, slot);
    emit_slots(m, SL_MCA_PENDING, s->iids, moved);
    emit_ready(m, ready);
}

/* The oldest goes first; those with waiting users are ahead of their age (8.5). */
static inline bool better(const struct mca_slot *a, const struct mca_slot *b)
{
    int32_t rank_a = (int32_t)(a->iid - a->users), rank_b = (int32_t)(b->iid - b->users);

    return rank_a != rank_b ? rank_a < rank_b : a->iid < b->iid;
}

/* Best of the ready instructions of one descriptor, which has some. The list is by age, and nothing can be further ahead
 * of its age than the most users there have been. */
static inline uint32_t best_of(const struct sl_mca_state *s, const struct mca_demand *d)
{
    const struct mca_slot *best = &s->slots[d->oldest];

    for (uint32_t slot = best->next; slot != MCA_NONE; slot = s->slots[slot].next) {
        const struct mca_slot *t = &s->slots[slot];
        if (better(t, best))
            best = t;
        else if ((int32_t)(t->iid - s->most_users) > (int32_t)(best->iid - best->users))
            break;
    }
    return (uint32_t)(best - s->slots);
}

static inline bool better_desc(const struct sl_mca_state *s, uint32_t a, uint32_t b)
{
    return better(&s->slots[s->demands[a].best], &s->slots[s->demands[b].best]);
}

/* Descriptors with ready instructions by the best one of each, best first. */
static void rank_ready(struct sl_mca_state *s)
{
    uint32_t *item = s->ready_descs.item, kept = 0;

    for (uint32_t i = 0; i < s->ready_descs.n; i++) {
        uint32_t desc = item[i], at = kept;
        struct mca_demand *d = &s->demands[desc];
        if (d->oldest == MCA_NONE) {
            d->listed = false;
            continue;
        }
        d->best = best_of(s, d);
        for (kept++; at > 0 && better_desc(s, desc, item[at - 1u]); at--)
            item[at] = item[at - 1u];
        item[at] = desc;
    }
    s->ready_descs.n = kept;
    s->ready_changed = false;
}

/* Issues what is ready and finds its resources free, the best first, see 8.5. Units only get busier in the course of a
 * cycle, and all instructions of a descriptor find them so: none is asked twice in vain. */
static void issue_ready(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t *item = s->ready_descs.item, at = 0;

    rank_ready(s);
    while (at < s->ready_descs.n && !s->undefined) {
        uint32_t desc = item[at], k = at;
        struct mca_demand *d = &s->demands[desc];
        if (!mca_resource_free(s, desc)) {
            at++;
            continue;
        }
        mca_wheel_unready(s, d->best);
        issue(m, d->best);
        if (s->ready_changed) {
            rank_ready(s);
            at = 0;
        } else if (d->oldest == MCA_NONE) {
            at++;
        } else {
            d->best = best_of(s, d);
            for (; k + 1u < s->ready_descs.n && better_desc(s, item[k + 1u], desc); k++)
                item[k] = item[k + 1u];
            item[k] = desc;
        }
    }
}

/* The same in the reference's order, which decides whose resources are found busy. */
static bool select_exact(struct sl_mca *m, uint32_t *slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *best = NULL;
    uint32_t at = 0;

    for (uint32_t i = 0; i < s->ready.n; i++) {
        const struct mca_slot *t = &s->slots[s->ready.item[i]];
        uint64_t busy;
        if (best != NULL && !better(t, best))
            continue;
        busy = mca_resource_check(s, mca_desc_of(s, t));
        if (busy == 0) {
            best = t;
            at = i;
        } else {
            s->critical[s->ready.item[i]].resource_mask = busy;
            s->busy_units |= busy;
        }
    }
    if (best == NULL)
        return false;
    *slot = s->ready.item[at];
    mca_set_remove(&s->ready, at);
    return true;
}

MCA_HOT bool mca_scheduler_available(struct sl_mca *m, uint32_t iid, uint32_t position)
{
    struct sl_mca_state *s = m->state;
    const struct sl_mca_insn *insn = &s->insns[position];
    int full = mca_buffers_check(s, insn->desc->used_buffers);

    s->had_token_stall = true;
    if (full != 0)
        mca_emit_stall(m, full == 2 ? SL_MCA_STALL_DISPATCH_GROUP : SL_MCA_STALL_SCHEDULER_QUEUE_FULL, iid, position);
    else if (insn->may_load && s->load_queue != 0 && s->loads >= s->load_queue)
        mca_emit_stall(m, SL_MCA_STALL_LOAD_QUEUE_FULL, iid, position);
    else if (insn->may_store && s->store_queue != 0 && s->stores >= s->store_queue)
        mca_emit_stall(m, SL_MCA_STALL_STORE_QUEUE_FULL, iid, position);
    else
        s->had_token_stall = false;
    return !s->had_token_stall;
}

static void execute_eliminated(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];

    t->issued = true;
    t->issued_at = t->done_at = s->now;
    s->n_uses = 0;
    emit_slots(m, SL_MCA_PENDING, &slot, 1);
    emit_slots(m, SL_MCA_READY, &slot, 1);
    if (mca_watched(m, SL_MCA_ISSUED)) {
        struct sl_mca_event *e = &s->event;
        e->uses = s->uses;
        e->n_uses = 0;
        e->critical_resource_mask = 0;
        e->critical_register = e->critical_memory = (struct sl_mca_critical){ 0 };
        mca_emit(m, SL_MCA_ISSUED, t);
    }
    executed(m, slot);
}

MCA_HOT void mca_execute_dispatched(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];
    const struct sl_mca_desc *desc = mca_desc_of(s, t);
    bool ready;

    if (mca_eliminated(t)) {
        execute_eliminated(m, slot);
        return;
    }
    mca_buffers_reserve(s, desc->used_buffers);
    t->group = mca_proto_of(s, t)->is_mem ? mca_lsu_dispatch(m, &s->insns[t->position]) : MCA_NONE;
    ready = mca_sets_place(m, slot);
    s->dispatched_uops += desc->uops;
    if (desc->used_buffers != 0 && mca_watched(m, SL_MCA_BUFFERS_RESERVED)) {
        s->event.mask = desc->used_buffers;
        mca_emit(m, SL_MCA_BUFFERS_RESERVED, t);
    }
    if (!ready) {
        if (t->outstanding == 0 && !mca_reached(s, t->ready_at))
            emit_slots(m, SL_MCA_PENDING, &slot, 1);
        return;
    }
    emit_slots(m, SL_MCA_PENDING, &slot, 1);
    emit_slots(m, SL_MCA_READY, &slot, 1);
    if (desc->must_issue)
        issue(m, slot);
}

MCA_HOT void mca_execute_cycle_start(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t done, moved, ready, slot;

    mca_lsu_cycle(m);
    mca_resource_cycle(s);
    done = mca_sets_finish(m);
    if (MCA_LEAN && done != 0) /* marked already */
        s->last_progress = s->now;
    for (uint32_t i = 0; i < done && !MCA_LEAN; i++)
        executed(m, s->iids[i]);
    moved = promote_wait(m);
    emit_slots(m, SL_MCA_PENDING, s->iids, moved);
    ready = s->ready.n;
    promote_pending(m);
    s->dispatched_to_pending = 0;
    s->busy_units = 0;
    s->dispatched_uops = s->issued_uops = 0;
    emit_ready(m, ready);
    if (!mca_pressure(m))
        issue_ready(m);
    while (!s->undefined && mca_pressure(m) && select_exact(m, &slot))
        issue(m, slot);
}

/* Why did ready or pending instructions not issue? (14.1) */
MCA_HOT void mca_execute_cycle_end(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t n = 0, older = s->pending.n > s->dispatched_to_pending ? s->pending.n - s->dispatched_to_pending : 0;

    if (!s->had_token_stall && s->dispatched_uops <= s->issued_uops)
        return;
    if (s->busy_units != 0) {
        for (uint32_t i = 0; i < s->ready.n; i++) {
            uint64_t wanted = s->critical[s->ready.item[i]].resource_mask & s->busy_units;
            /* The reference looks at 32 bits of the mask only (14.3). */
            if (wanted != 0 && (uint32_t)wanted == 0 && !m->config.no_quirks)
                s->quirks |= SL_MCA_QUIRK_UNITS;
            else if (wanted != 0)
                s->iids[n++] = s->slots[s->ready.item[i]].iid;
        }
        mca_emit_pressure(m, SL_MCA_PRESSURE_RESOURCES, s->busy_units, n);
    }
    for (int memory = 0; memory < 2; memory++) {
        n = 0;
        for (uint32_t i = 0; i < older; i++) {
            const struct mca_slot *t = &s->slots[s->pending.item[i]];
            const struct mca_group *g = mca_group_of(s, t);
            if (mca_resource_check(s, mca_desc_of(s, t)) != 0)
                continue;
            if (memory ? g != NULL && mca_group_pending(g) : !mca_reached(s, t->ready_at))
                s->iids[n++] = t->iid;
        }
        if (n != 0)
            mca_emit_pressure(m, memory ? SL_MCA_PRESSURE_MEMORY_DEPS : SL_MCA_PRESSURE_REGISTER_DEPS, 0, n);
    }
}
