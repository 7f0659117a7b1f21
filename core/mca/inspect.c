/* SPDX-License-Identifier: Apache-2.0 */
/* Looking into a running machine, for observers that explain waits. Nothing of the machine refers to this file. */
#include "internal.h"

enum { STALL_REGISTER, STALL_RESOURCE, STALL_LOAD_STORE, STALL_DELAY }; /* as in inorder.c */

/* Slots are a ring in program order (out of order), or anywhere (in order). */
static const struct mca_slot *find(const struct sl_mca *m, uint32_t iid)
{
    const struct sl_mca_state *s = m->state;
    uint32_t at;

    if (m->in_order)
        return s->stalled != MCA_NONE && s->slots[s->stalled].iid == iid ? &s->slots[s->stalled] : NULL;
    at = iid - s->slots[s->slot_head].iid;
    if (at >= s->slot_count)
        return NULL;
    at += s->slot_head;
    return &s->slots[at >= s->n_slots ? at - s->n_slots : at];
}

/* Cycle from which operand `which` of t no longer holds it up, given when its producer writes back. */
static uint32_t usable(const struct sl_mca_state *s, const struct mca_slot *t, unsigned which, uint32_t written)
{
    if (which < s->read_stride)
        return written;
    return written - (uint32_t)mca_own_latency(&s->writes[mca_proto_of(s, t)->writes + which - s->read_stride]);
}

bool sl_mca_peek_operand(const struct sl_mca *m, uint32_t iid, struct sl_mca_operand *out)
{
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *t = find(m, iid);
    uint32_t stride = s->read_stride + s->write_stride;
    bool found = false;

    *out = (struct sl_mca_operand){iid, SL_MCA_NOBODY, s->now, 0};
    for (unsigned i = 0; t != NULL && i < stride; i++) {
        const struct mca_crd *crd = &s->crds[(size_t)(t - s->slots) * stride + i];
        uint32_t ready;

        if (crd->cycles == 0)
            continue;
        ready = usable(s, t, i, crd->until);
        if (mca_diff(ready, out->ready_cycle) <= 0)
            continue;
        *out = (struct sl_mca_operand){iid, crd->iid, ready, crd->reg};
        found = true;
    }
    return found;
}

bool sl_mca_peek_consumer(const struct sl_mca *m, uint32_t iid, uint64_t *cursor, struct sl_mca_operand *out)
{
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *t = find(m, iid);
    uint32_t w = (uint32_t)(*cursor >> 32), n = (uint32_t)*cursor; /* write, and one more than the node to show next */
    const struct mca_proto *p;
    const struct mca_node *node;
    const struct mca_write *write;
    uint32_t cycles;

    if (t == NULL || t->users == 0)
        return false;
    p = mca_proto_of(s, t);
    while (n == 0) {
        if (w == p->n_writes)
            return false;
        n = s->users[(size_t)(t - s->slots) * s->write_stride + w++] + 1u; /* MCA_NONE + 1 == 0 */
    }
    node = &s->nodes[n - 1u];
    write = &s->writes[p->writes + w - 1u];
    cycles = write->latency;
    if (node->which < s->read_stride)
        cycles = (int32_t)cycles > node->advance ? cycles - (uint32_t)node->advance : 0;
    *out = (struct sl_mca_operand){s->slots[node->slot].iid, iid, s->now, write->reg};
    out->ready_cycle = mca_later(s->now, usable(s, &s->slots[node->slot], node->which, s->now + cycles));
    *cursor = (uint64_t)w << 32 | (node->next + 1u);
    return true;
}

/* Links belong to the successor, three each at most: those of `to` among the successors of a group. Order links are
 * used up, and perhaps overwritten, once all of the group is issued. */
static void find_links(const struct sl_mca_state *s, uint32_t from, uint32_t to, bool data, struct sl_mca_memory *out)
{
    const struct mca_group *g = &s->groups[from];

    if (!data && g->issued == g->instructions - g->executed)
        return;
    for (uint32_t l = data ? g->data_successors : g->order_successors; l != MCA_NONE && out->n_before < 3;
         l = s->links[l].next) {
        if (s->links[l].group != to)
            continue;
        out->before[out->n_before] = g->id;
        out->data[out->n_before++] = data;
    }
}

bool sl_mca_peek_memory(const struct sl_mca *m, uint32_t iid, struct sl_mca_memory *out)
{
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *t = find(m, iid);

    *out = (struct sl_mca_memory){0};
    if (t == NULL || t->group == MCA_NONE || s->groups[t->group].id == 0)
        return false;
    out->group = s->groups[t->group].id;
    if (mca_group_ready(&s->groups[t->group]))
        return true;
    for (uint32_t g = 0; g < s->groups_used; g++) {
        if (s->groups[g].id == 0)
            continue;
        find_links(s, g, t->group, true, out);
        find_links(s, g, t->group, false, out);
    }
    return true;
}

uint64_t sl_mca_peek_busy(const struct sl_mca *m, uint32_t position)
{
    return mca_resource_check(m->state, m->state->insns[position].desc);
}

enum sl_mca_entry sl_mca_peek_entry(const struct sl_mca *m, uint32_t position, unsigned k)
{
    const struct sl_mca_state *s = m->state;
    const struct sl_mca_resource *e = &s->insns[position].desc->resources[k];
    const struct mca_unit *u = &s->units[e->state];
    unsigned n = e->reserved ? 0u : e->units;

    if (!mca_is_available(u))
        return SL_MCA_ENTRY_RESERVED;
    return sl_popcount64(mca_ready(s, u)) >= n ? SL_MCA_ENTRY_READY : SL_MCA_ENTRY_TAKEN;
}

uint64_t sl_mca_peek_full_buffers(const struct sl_mca *m, uint32_t position)
{
    const struct sl_mca_state *s = m->state;

    return s->insns[position].desc->used_buffers & (s->reserved_buffers | ~s->available_buffers);
}

int sl_mca_peek_full_file(const struct sl_mca *m, uint32_t position)
{
    const struct sl_mca_state *s = m->state;

    for (unsigned f = 0; s->limited && f < s->n_files; f++) {
        unsigned shift = f % 2u * 32u;
        uint32_t room = (uint32_t)(s->file_room.pair[f / 2u] >> shift);
        uint32_t need = (uint32_t)(s->file_use[position].needs.pair[f / 2u] >> shift);

        if (((s->file_use[position].asks.pair[f / 2u] >> shift) & ((uint64_t)1 << 31)) != 0 &&
            ((room - need) >> 31) == 0)
            return (int)f;
    }
    return -1;
}

bool sl_mca_peek_queue_empty(const struct sl_mca *m)
{
    return !m->in_order && m->config.micro_op_queue_size != 0 && m->state->queue_oldest == m->state->next_iid;
}

/* As mca_raw_hazard, but who. */
static bool hazard(struct sl_mca *m, const struct mca_read *read, uint32_t *producer, uint16_t *reg)
{
    struct sl_mca_state *s = m->state;
    unsigned live, n = mca_collect(m, read, &live);
    int32_t most = 0;

    *producer = SL_MCA_NOBODY;
    for (unsigned i = 0; i < n; i++) {
        const struct mca_map *map = s->scratch[i];
        int32_t left = i < live ? mca_map_cycles_left(s, map) : -(int32_t)(s->now - map->wb_cycle), k;

        if (i < live && left == MCA_UNKNOWN) {
            if (*producer == SL_MCA_NOBODY) {
                *producer = map->iid;
                *reg = map->reg;
            }
            continue;
        }
        k = left - mca_advance_of(m, read, map->write_id);
        if (k <= most)
            continue;
        most = k;
        *producer = map->iid;
        *reg = map->reg;
    }
    return *producer != SL_MCA_NOBODY;
}

/* In flight, the last to be executed of the groups before. */
static uint32_t last_before(const struct sl_mca *m, const struct sl_mca_memory *memory)
{
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *last = NULL;

    for (uint32_t i = 0; i < s->issued.n; i++) {
        const struct mca_slot *t = &s->slots[s->issued.item[i]];

        for (uint32_t k = 0; k < memory->n_before && t->group != MCA_NONE; k++)
            if (s->groups[t->group].id == memory->before[k] &&
                (last == NULL || mca_diff(t->done_at, last->done_at) > 0))
                last = t;
    }
    return last != NULL ? last->iid : SL_MCA_NOBODY;
}

enum sl_mca_hold sl_mca_peek_hold(struct sl_mca *m, uint32_t *producer, uint16_t *reg)
{
    static const uint8_t holds[] = {SL_MCA_HOLD_REGISTER, SL_MCA_HOLD_UNIT, SL_MCA_HOLD_MEMORY, SL_MCA_HOLD_WRITE_BACK};
    const struct sl_mca_state *s = m->state;
    const struct mca_slot *t;
    const struct mca_proto *p;
    struct sl_mca_memory memory;

    *producer = SL_MCA_NOBODY;
    *reg = 0;
    if (s->stalled == MCA_NONE)
        return SL_MCA_HOLD_NONE;
    t = &s->slots[s->stalled];
    p = mca_proto_of(s, t);
    if (s->stall_kind == STALL_REGISTER) {
        for (unsigned i = 0; i < p->n_reads; i++)
            if (!s->reads[p->reads + i].independent && hazard(m, &s->reads[p->reads + i], producer, reg))
                break;
    } else if (s->stall_kind == STALL_LOAD_STORE && sl_mca_peek_memory(m, t->iid, &memory)) {
        *producer = last_before(m, &memory);
    }
    return (enum sl_mca_hold)holds[s->stall_kind];
}
