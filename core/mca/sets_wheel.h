/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler's sets as lists of what moves next. An instruction whose operands have a known time hangs in the
 * bucket of that time, an issued one in the bucket of its write-back; a waiting one is in no list until its last
 * operand becomes known. Inline: this is a third of the machine's work. */
#ifndef SLOTLEDGER_CORE_MCA_SETS_WHEEL_H
#define SLOTLEDGER_CORE_MCA_SETS_WHEEL_H

#include "internal.h"

static inline void mca_wheel_hang(struct sl_mca_state *s, uint32_t slot, uint32_t when)
{
    uint32_t *bucket = &s->wheel[when & (MCA_WHEEL - 1u)];

    s->slots[slot].next = *bucket;
    *bucket = slot;
}

/* Into the ready list of its descriptor, by age. What becomes ready is mostly the youngest. */
static MCA_APART void mca_wheel_ready(struct sl_mca_state *s, uint32_t slot)
{
    struct mca_slot *t = &s->slots[slot];
    struct mca_demand *d = &s->demands[t->desc];
    uint32_t older = d->youngest, younger = MCA_NONE;

    while (older != MCA_NONE && mca_diff(s->slots[older].iid, t->iid) > 0) {
        younger = older;
        older = s->slots[older].previous;
    }
    t->previous = older;
    t->next = younger;
    *(older != MCA_NONE ? &s->slots[older].next : &d->oldest) = slot;
    *(younger != MCA_NONE ? &s->slots[younger].previous : &d->youngest) = slot;
    s->ready_changed = true;
    if (!d->listed) {
        d->listed = true;
        mca_set_append(&s->ready_descs, t->desc);
    }
}

static inline void mca_wheel_unready(struct sl_mca_state *s, uint32_t slot)
{
    const struct mca_slot *t = &s->slots[slot];
    struct mca_demand *d = &s->demands[t->desc];

    *(t->previous != MCA_NONE ? &s->slots[t->previous].next : &d->oldest) = t->next;
    *(t->next != MCA_NONE ? &s->slots[t->next].previous : &d->youngest) = t->previous;
}

static inline void mca_wheel_note_ready(struct sl_mca_state *s, uint32_t slot)
{
    mca_wheel_ready(s, slot);
    mca_set_append(&s->ready, slot);
}

static inline void mca_wheel_chain(struct sl_mca_state *s, uint32_t *list, uint32_t slot)
{
    s->slots[slot].next = *list;
    *list = slot;
}

/* An instruction that has its operands but waits for memory is kept by its group, see mca_lsu_issued. */
static inline void mca_wheel_wait(struct sl_mca_state *s, uint32_t slot)
{
    const struct mca_slot *t = &s->slots[slot];

    if (t->outstanding == 0)
        mca_wheel_chain(s, &s->groups[t->group].waiting, slot);
}

static inline void mca_wheel_pend(struct sl_mca_state *s, uint32_t slot)
{
    const struct mca_slot *t = &s->slots[slot];

    if (!mca_reached(s, t->ready_at))
        mca_wheel_hang(s, slot, t->ready_at);
    else
        mca_set_append(&s->due, slot);
}

static inline void mca_wheel_start(struct sl_mca_state *s, uint32_t slot)
{
    mca_wheel_hang(s, slot, s->slots[slot].done_at);
}

/* Empties the bucket of this cycle: write-backs into iids, instructions that have their operands into `due`. */
static inline uint32_t mca_wheel_finish(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t *bucket = &s->wheel[s->now & (MCA_WHEEL - 1u)];
    uint32_t n = 0, slot = *bucket;

    *bucket = MCA_NONE;
    while (slot != MCA_NONE) {
        struct mca_slot *t = &s->slots[slot];
        uint32_t next = t->next;
        if ((t->issued ? t->done_at : t->ready_at) != s->now) { /* a later turn of the wheel */
            t->next = *bucket;
            *bucket = slot;
        } else if (t->issued) {
            if (t->group != MCA_NONE)
                mca_lsu_executed(m, slot);
            t->executed = true;
            s->iids[n++] = slot;
        } else {
            mca_set_append(&s->due, slot);
        }
        slot = next;
    }
    return n;
}

static inline uint32_t mca_wheel_promote_wait(struct sl_mca_state *s)
{
    uint32_t moved = 0;

    for (uint32_t i = 0; i < s->resolved.n; i++) {
        uint32_t slot = s->resolved.item[i];
        const struct mca_group *g = mca_group_of(s, &s->slots[slot]);
        if (g != NULL && mca_group_waiting(g)) {
            mca_wheel_wait(s, slot);
            continue;
        }
        mca_wheel_pend(s, slot);
        s->iids[moved++] = slot;
    }
    s->resolved.n = 0;
    return moved;
}

static inline void mca_wheel_promote_pending(struct sl_mca_state *s)
{
    for (uint32_t i = 0; i < s->due.n; i++) {
        uint32_t slot = s->due.item[i], group = s->slots[slot].group;
        if (group == MCA_NONE || mca_group_ready(&s->groups[group]))
            mca_wheel_note_ready(s, slot);
        else
            mca_wheel_chain(s, &s->groups[group].blocked, slot);
    }
    s->due.n = 0;
}

#endif
