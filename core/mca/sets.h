/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions between dispatch and issue, and between issue and write-back (8.4). Two forms give the same cycles:
 * the exact form keeps the reference's arrays in the reference's order, which only pressure events can show; the
 * wheel form finds what moves without looking at what does not. */
#ifndef SLOTLEDGER_CORE_MCA_SETS_H
#define SLOTLEDGER_CORE_MCA_SETS_H

#include "sets_wheel.h"

void mca_exact_wait(struct sl_mca_state *s, uint32_t slot);
void mca_exact_pend(struct sl_mca_state *s, uint32_t slot);
void mca_exact_start(struct sl_mca_state *s, uint32_t slot);
uint32_t mca_exact_finish(struct sl_mca *m);
uint32_t mca_exact_promote_wait(struct sl_mca_state *s);
void mca_exact_promote_pending(struct sl_mca_state *s);

/* Puts a dispatched instruction where it belongs; true when it can be issued now. */
static inline bool mca_sets_place(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];
    const struct mca_group *g = mca_group_of(s, t);

    if (t->outstanding != 0 || (g != NULL && mca_group_waiting(g))) {
        if (mca_pressure(m))
            mca_exact_wait(s, slot);
        else
            mca_wheel_wait(s, slot);
        return false;
    }
    if (!mca_reached(s, t->ready_at) || (g != NULL && mca_group_pending(g))) {
        if (mca_pressure(m))
            mca_exact_pend(s, slot);
        else
            mca_wheel_pend(s, slot);
        s->dispatched_to_pending++;
        return false;
    }
    if (mca_desc_of(s, t)->must_issue)
        return true;
    if (mca_pressure(m))
        mca_set_append(&s->ready, slot);
    else
        mca_wheel_ready(s, slot);
    return true;
}

/* An issued instruction will write back at done_at, later than now. */
static inline void mca_sets_start(struct sl_mca *m, uint32_t slot)
{
    if (mca_pressure(m))
        mca_exact_start(m->state, slot);
    else
        mca_wheel_start(m->state, slot);
}

/* The last unknown operand of a waiting instruction has become known. */
static inline void mca_sets_resolved(struct sl_mca *m, uint32_t slot)
{
    if (mca_pressure(m))
        m->state->wait_dirty = true;
    else
        mca_set_append(&m->state->resolved, slot);
}

/* Instructions that finish now: their slots are put into iids; returns their number. */
static inline uint32_t mca_sets_finish(struct sl_mca *m)
{
    return mca_pressure(m) ? mca_exact_finish(m) : mca_wheel_finish(m);
}

/* Waiting to pending: slots moved are put into iids; returns their number. */
static inline uint32_t mca_sets_promote_wait(struct sl_mca *m)
{
    return mca_pressure(m) ? mca_exact_promote_wait(m->state) : mca_wheel_promote_wait(m->state);
}

/* Pending to ready: appends to the ready set. */
static inline void mca_sets_promote_pending(struct sl_mca *m)
{
    if (mca_pressure(m))
        mca_exact_promote_pending(m->state);
    else
        mca_wheel_promote_pending(m->state);
}

#endif
