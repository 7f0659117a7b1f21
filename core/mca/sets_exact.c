/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler's sets as the reference keeps them: arrays scanned in order, removal by swapping with the last. */
#include "sets.h"

void mca_exact_wait(struct sl_mca_state *s, uint32_t slot)
{
    mca_set_append(&s->wait, slot);
}

void mca_exact_pend(struct sl_mca_state *s, uint32_t slot)
{
    uint32_t when = s->slots[slot].ready_at;

    mca_set_append(&s->pending, slot);
    if (s->pending.n == 1 || mca_diff(when, s->next_pending) < 0)
        s->next_pending = when;
}

void mca_exact_start(struct sl_mca_state *s, uint32_t slot)
{
    uint32_t when = s->slots[slot].done_at;

    mca_set_append(&s->issued, slot);
    if (s->issued.n == 1 || mca_diff(when, s->next_done) < 0)
        s->next_done = when;
}

uint32_t mca_exact_finish(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t n = 0;
    bool first = true;

    if (s->issued.n == 0 || !mca_reached(s, s->next_done))
        return 0;
    for (uint32_t i = 0; i < s->issued.n;) {
        uint32_t slot = s->issued.item[i];
        const struct mca_slot *t = &s->slots[slot];
        if (mca_reached(s, t->done_at)) {
            mca_set_remove(&s->issued, i);
            if (t->group != MCA_NONE)
                mca_lsu_executed(m, slot);
            s->iids[n++] = slot;
            continue;
        }
        if (first || mca_diff(t->done_at, s->next_done) < 0)
            s->next_done = t->done_at;
        first = false;
        i++;
    }
    return n;
}

uint32_t mca_exact_promote_wait(struct sl_mca_state *s)
{
    uint32_t moved = 0;

    if (!s->wait_dirty)
        return 0;
    s->wait_dirty = false;
    for (uint32_t i = 0; i < s->wait.n;) {
        uint32_t slot = s->wait.item[i];
        const struct mca_slot *t = &s->slots[slot];
        const struct mca_group *g = mca_group_of(s, t);
        if (t->outstanding != 0 || (g != NULL && mca_group_waiting(g))) {
            i++;
            continue;
        }
        mca_set_remove(&s->wait, i);
        mca_exact_pend(s, slot);
        s->iids[moved++] = slot;
    }
    return moved;
}

void mca_exact_promote_pending(struct sl_mca_state *s)
{
    bool first = true;

    if (s->pending.n == 0 || !(s->pending_dirty || mca_reached(s, s->next_pending)))
        return;
    s->pending_dirty = false;
    for (uint32_t i = 0; i < s->pending.n;) {
        uint32_t slot = s->pending.item[i];
        const struct mca_slot *t = &s->slots[slot];
        const struct mca_group *g = mca_group_of(s, t);
        bool now = mca_reached(s, t->ready_at);
        if (now && (g == NULL || mca_group_ready(g))) {
            mca_set_remove(&s->pending, i);
            mca_set_append(&s->ready, slot);
            continue;
        }
        if (!now && (first || mca_diff(t->ready_at, s->next_pending) < 0)) {
            s->next_pending = t->ready_at;
            first = false;
        }
        i++;
    }
    if (first) /* only memory order holds the rest back: pending_dirty tells */
        s->next_pending = s->now + (uint32_t)INT32_MAX;
}
