/* SPDX-License-Identifier: Apache-2.0 */
/* Raising events and attaching observers. */
#include "internal.h"

void sl_mca_attach(struct sl_mca *m, struct sl_mca_observer *observer)
{
    struct sl_mca_observer **at = &m->observers;

    while (*at != NULL)
        at = &(*at)->next;
    observer->next = NULL;
    *at = observer;
    m->watched |= observer->kinds;
}

static void raise(struct sl_mca *m)
{
    const struct sl_mca_event *event = &m->state->event;

    for (struct sl_mca_observer *o = m->observers; o != NULL; o = o->next)
        if ((o->kinds >> event->kind) & 1u)
            o->event(o, event);
}

/* The caller has set the members that are particular to the kind. */
void mca_emit(struct sl_mca *m, enum sl_mca_event_kind kind, const struct mca_slot *slot)
{
    struct sl_mca_state *s = m->state;
    struct sl_mca_event *e = &s->event;

    e->kind = kind;
    e->cycle = s->now;
    if (slot != NULL) {
        e->iid = slot->iid;
        e->position = slot->position;
        e->insn = &s->insns[slot->position];
    }
    raise(m);
}

void mca_emit_stall(struct sl_mca *m, enum sl_mca_stall stall, uint32_t iid, uint32_t position)
{
    struct sl_mca_event *e = &m->state->event;

    if (!mca_watched(m, SL_MCA_STALL))
        return;
    e->detail = (uint8_t)stall;
    e->iid = iid;
    e->position = position;
    e->insn = &m->state->insns[position];
    mca_emit(m, SL_MCA_STALL, NULL);
}

/* The instructions are in state->iids. */
void mca_emit_pressure(struct sl_mca *m, enum sl_mca_pressure reason, uint64_t mask, uint32_t n_iids)
{
    struct sl_mca_event *e = &m->state->event;

    if (!mca_watched(m, SL_MCA_PRESSURE))
        return;
    e->detail = (uint8_t)reason;
    e->mask = mask;
    e->iids = m->state->iids;
    e->n_iids = n_iids;
    mca_emit(m, SL_MCA_PRESSURE, NULL);
}
