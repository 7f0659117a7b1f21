/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's state moved on in time: whatever holds a cycle number or a dynamic instruction. */
#include "recur_internal.h"

static void reverse(uint32_t *item, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2u; i++) {
        uint32_t first = item[i];
        item[i] = item[n - 1u - i];
        item[n - 1u - i] = first;
    }
}

/* A bucket's place is its cycle number. */
static void turn_wheel(struct sl_mca_state *s, uint32_t cycles)
{
    uint32_t turn = cycles & (MCA_WHEEL - 1u);

    reverse(s->wheel, MCA_WHEEL);
    reverse(s->wheel, turn);
    reverse(s->wheel + turn, MCA_WHEEL - turn);
}

static void shift_slots(const struct sl_mca *m, uint32_t cycles, uint32_t iids)
{
    struct sl_mca_state *s = m->state;
    size_t n_crds = mca_pressure(m) && !m->in_order ? (size_t)s->n_slots * (s->read_stride + s->write_stride) : 0;

    for (uint32_t i = 0; i < s->n_slots; i++) {
        s->slots[i].iid += iids;
        s->slots[i].ready_at += cycles;
        s->slots[i].issued_at += cycles;
        s->slots[i].done_at += cycles;
    }
    for (size_t i = 0; i < n_crds; i++) {
        s->crds[i].iid += iids;
        s->crds[i].until += cycles;
    }
    for (uint32_t i = 0; i < s->groups_used; i++)
        s->groups[i].critical.iid += iids;
}

static void shift_registers(const struct sl_mca *m, uint32_t cycles, uint32_t iids)
{
    struct sl_mca_state *s = m->state;

    for (uint32_t i = 0; i < s->n_classes; i++) {
        s->map[i].iid += iids;
        if (s->map[i].kind == MCA_MAP_COMMITTED)
            s->map[i].wb_cycle += cycles;
    }
    for (uint32_t i = 0; i < s->n_insns; i++)
        s->protos[i].issued_at += cycles;
}

void mca_recur_shift(struct sl_mca *m, uint32_t cycles, uint32_t iids)
{
    struct sl_mca_state *s = m->state;

    shift_slots(m, cycles, iids);
    shift_registers(m, cycles, iids);
    for (uint32_t i = 0; i < s->n_busy; i++)
        s->busy[i].release_at += cycles;
    for (uint32_t i = 0; i < s->n_brief; i++)
        s->brief[i].release_at += cycles;
    if (!m->in_order && !mca_pressure(m))
        turn_wheel(s, cycles);
    if (!m->in_order && s->carry != 0) /* in order it is a slot */
        s->carried += iids;
    if (m->config.micro_op_queue_size != 0)
        s->queue_oldest += iids;
    s->next_release += cycles;
    s->next_pending += cycles;
    s->next_done += cycles;
    s->last_progress += cycles;
    s->now += cycles;
    s->next_iid += iids;
    m->cycles = s->now;
}
