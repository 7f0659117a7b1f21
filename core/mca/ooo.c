/* SPDX-License-Identifier: Apache-2.0 */
/* The out-of-order pipeline: entry, micro-op queue, dispatch, (execute), retire (chapters 5 and 6). */
#include "internal.h"

MCA_HOT void mca_ooo_reset(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    const struct sl_cpu *cpu = m->cpu;

    s->width = m->config.dispatch_width;
    s->slots_left = s->width;
    s->carry = 0;
    s->carried = MCA_NONE;
    s->rob_size = mca_rob_size(cpu);
    s->rob_free = s->rob_size;
    s->max_retire = cpu->max_retire_per_cycle;
    s->queue_free = m->config.micro_op_queue_size;
    s->queue_decoded = 0;
    s->queue_oldest = 0;
    s->slot_head = s->slot_count = 0;
    for (uint32_t i = 0; i < MCA_WHEEL && !mca_pressure(m); i++)
        s->wheel[i] = MCA_NONE;
}

static void retire(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    for (unsigned f = 0; f < s->n_files && mca_has_moves(s); f++)
        s->files[f].moves_this_cycle = 0;
    for (uint32_t n = 0; s->slot_count != 0 && (s->max_retire == 0 || n < s->max_retire); n++) {
        struct mca_slot *t = &s->slots[s->slot_head];
        if (!t->executed)
            break;
        if (mca_proto_of(s, t)->is_mem)
            mca_lsu_retired(s, &s->insns[t->position]);
        mca_remove_writes(m, s->slot_head, t->done_at);
        if (mca_watched(m, SL_MCA_RETIRED)) {
            s->event.regs = t->eliminated ? s->file_none : &s->file_alloc[t->position * s->n_files];
            mca_emit(m, SL_MCA_RETIRED, t);
        }
        s->rob_free += mca_proto_of(s, t)->rob_slots;
        s->slot_head = s->slot_head + 1 == s->n_slots ? 0 : s->slot_head + 1;
        s->slot_count--;
        s->last_progress = s->now;
    }
}

static void dispatch_cycle_start(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t d;

    s->slots_left = s->width;
    if (s->carry == 0)
        return;
    s->slots_left = s->carry >= s->width ? 0 : s->width - s->carry;
    d = s->width - s->slots_left;
    s->carry -= d;
    s->last_progress = s->now;
    if (mca_watched(m, SL_MCA_DISPATCHED)) { /* the instruction may have retired already: its slot still names it */
        const struct mca_slot carried = { .iid = s->carried, .position = s->carried % s->n_insns };
        s->event.uops = d;
        s->event.regs = s->file_none;
        s->event.move = NULL;
        mca_emit(m, SL_MCA_DISPATCHED, &carried);
    }
}

static bool dispatch_available(struct sl_mca *m, uint32_t iid, uint32_t position)
{
    struct sl_mca_state *s = m->state;
    const struct sl_mca_insn *insn = &s->insns[position];
    const struct mca_proto *p = &s->protos[position];
    bool ok = true;

    if (s->slots_left == 0 || p->dispatch_uops > s->slots_left)
        return false;
    if (insn->begin_group && s->slots_left != s->width)
        return false;
    if (s->rob_free < p->rob_slots) {
        mca_emit_stall(m, SL_MCA_STALL_RETIRE_CONTROL_UNIT, iid, position);
        ok = false;
    }
    if (s->limited && !mca_registers_available(s, position)) {
        mca_emit_stall(m, SL_MCA_STALL_REGISTER_FILE, iid, position);
        ok = false;
    }
    return mca_scheduler_available(m, iid, position) && ok;
}

static uint32_t new_slot(struct sl_mca *m, uint32_t iid, uint32_t position)
{
    struct sl_mca_state *s = m->state;
    uint32_t at = s->slot_head + s->slot_count;

    at = at >= s->n_slots ? at - s->n_slots : at;
    s->slot_count++;
    s->slots[at] = (struct mca_slot){ .iid = iid, .position = position, .desc = s->protos[position].desc, .ready_at = s->now,
                                       .group = MCA_NONE, .waiters = MCA_NONE };
    if (mca_pressure(m)) {
        uint32_t stride = s->read_stride + s->write_stride;
        s->critical[at] = (struct mca_slot_critical){ 0 };
        for (uint32_t i = 0; i < stride; i++)
            s->crds[at * stride + i] = (struct mca_crd){ .until = s->now };
    }
    return at;
}

static void dispatch(struct sl_mca *m, uint32_t iid, uint32_t position)
{
    struct sl_mca_state *s = m->state;
    const struct sl_mca_insn *insn = &s->insns[position];
    uint32_t uops = s->protos[position].uops, slot = new_slot(m, iid, position);
    struct mca_slot *t = &s->slots[slot];
    struct sl_mca_move move = { 0 };

    if (uops > s->width) {
        s->slots_left = 0;
        s->carry = uops - s->width;
        s->carried = iid;
    } else {
        s->slots_left -= uops;
    }
    if (insn->end_group)
        s->slots_left = 0;
    if (!MCA_LEAN && insn->optimizable_move)
        t->eliminated = mca_eliminate_move(m, slot, &move);
    if (!mca_eliminated(t))
        mca_add_reads(m, slot);
    mca_add_writes(m, slot);
    s->rob_free -= s->protos[position].rob_slots;
    s->last_progress = s->now;
    if (mca_watched(m, SL_MCA_DISPATCHED)) {
        s->event.uops = sl_min_u32(s->width, uops);
        s->event.regs = t->eliminated ? s->file_none : &s->file_alloc[position * s->n_files];
        s->event.move = move.candidates != 0 ? &move : NULL;
        mca_emit(m, SL_MCA_DISPATCHED, t);
    }
    mca_execute_dispatched(m, slot);
}

/* Entries of the micro-op queue that an instruction takes (6.4). */
static uint32_t queue_entries(const struct sl_mca *m, uint32_t position)
{
    return sl_max_u32(1, sl_min_u32(m->state->insns[position].desc->uops, m->config.micro_op_queue_size));
}

static void fetch_and_dispatch(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t position = s->next_position;

    while (s->next_iid != s->total && dispatch_available(m, s->next_iid, position)) {
        dispatch(m, s->next_iid++, position);
        position = position + 1 == s->n_insns ? 0 : position + 1;
    }
    s->next_position = position;
}

static void fetch_into_queue(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t throughput = m->config.decoder_throughput;

    s->queue_decoded = 0;
    while (s->next_iid != s->total && !(throughput != 0 && s->queue_decoded == throughput)) {
        uint32_t entries = queue_entries(m, s->next_position);
        if (entries > s->queue_free)
            break;
        s->queue_free -= entries;
        s->queue_decoded++;
        s->next_iid++;
        s->next_position = s->next_position + 1 == s->n_insns ? 0 : s->next_position + 1;
        s->last_progress = s->now;
    }
}

static void dispatch_from_queue(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    while (s->queue_oldest != s->next_iid) {
        uint32_t position = s->queue_oldest % s->n_insns;
        if (!dispatch_available(m, s->queue_oldest, position))
            break;
        s->queue_free += queue_entries(m, position);
        dispatch(m, s->queue_oldest++, position);
    }
}

/* After a cycle in which nothing moved: to the next one in which an instruction gets its operands or writes back, or
 * a unit that a ready instruction may wait for becomes free. A move elimination limit counts by the cycle, too, but
 * it never holds an instruction back. */
static void skip_idle(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t n = 0;

    if (s->last_progress == s->now - 1u || s->n_brief != 0 || s->brief_states != 0 || mca_pressure(m) || !mca_may_skip(m))
        return;
    while (n < MCA_WHEEL && s->wheel[(s->now + n) & (MCA_WHEEL - 1u)] == MCA_NONE)
        n++;
    if (s->n_busy != 0 && mca_diff(s->next_release, s->now) < (int32_t)n)
        n = mca_reached(s, s->next_release) ? 0 : s->next_release - s->now;
    s->now += n;
}

MCA_HOT bool mca_ooo_cycle(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    bool queue = !MCA_LEAN && m->config.micro_op_queue_size != 0;

    retire(m);
    mca_execute_cycle_start(m);
    dispatch_cycle_start(m);
    if (queue)
        fetch_into_queue(m);
    else
        fetch_and_dispatch(m);
    if (queue)
        dispatch_from_queue(m);
    if (mca_pressure(m))
        mca_execute_cycle_end(m);
    if (mca_watched(m, SL_MCA_CYCLE_END))
        mca_emit(m, SL_MCA_CYCLE_END, NULL);
    s->now++;
    skip_idle(m);
    return s->next_iid != s->total || s->slot_count != 0 || (queue && s->queue_oldest != s->next_iid);
}
