/* SPDX-License-Identifier: Apache-2.0 */
/* The in-order pipeline: entry and one issue stage (chapter 11). Executed and retired fall together. */
#include "internal.h"

enum { STALL_REGISTER, STALL_RESOURCE, STALL_LOAD_STORE, STALL_DELAY };

MCA_HOT void mca_inorder_reset(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    s->bandwidth = s->num_issued = s->last_wb = 0;
    s->stalled = s->carried = MCA_NONE;
    s->stall_cycles = s->carry = 0;
    s->slot_count = s->n_slots;
    for (uint32_t i = 0; i < s->n_slots; i++)
        s->free_slots[i] = s->n_slots - 1u - i;
}

/* A plain block has no instruction that is wider than a cycle. */
static inline bool is_carrying(const struct sl_mca_state *s)
{
    return !MCA_LEAN && s->carried != MCA_NONE;
}

static void free_slot(struct sl_mca_state *s, uint32_t slot)
{
    s->free_slots[s->slot_count++] = slot;
}

static void executed_and_retired(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];

    if (t->group != MCA_NONE)
        mca_lsu_executed(m, slot);
    if (mca_watched(m, SL_MCA_EXECUTED))
        mca_emit(m, SL_MCA_EXECUTED, t);
    mca_remove_writes(m, slot, s->now);
    if (t->group != MCA_NONE)
        mca_lsu_retired(s, &s->insns[t->position]);
    if (mca_watched(m, SL_MCA_RETIRED)) {
        s->event.regs = &s->file_alloc[t->position * s->n_files];
        mca_emit(m, SL_MCA_RETIRED, t);
    }
    s->last_progress = s->now;
    free_slot(s, slot);
}

/* LLVM 19 forgets an instruction that finishes while another one is carried over. */
static void lose(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;

    s->quirks |= SL_MCA_QUIRK_LOST;
    mca_lose_writes(m, slot);
    if (s->slots[slot].group != MCA_NONE)
        mca_lsu_lost(m, slot);
    free_slot(s, slot);
}

static void advance_issued(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    bool first = true;

    if (s->issued.n == 0 || !mca_reached(s, s->next_done))
        return;
    for (uint32_t i = 0; i < s->issued.n;) {
        uint32_t slot = s->issued.item[i], done_at = s->slots[slot].done_at;
        if (!mca_reached(s, done_at)) {
            if (first || mca_diff(done_at, s->next_done) < 0)
                s->next_done = done_at;
            first = false;
            i++;
            continue;
        }
        s->issued.item[i] = s->issued.item[--s->issued.n];
        if (is_carrying(s) && slot == s->carried)
            continue;
        if (!is_carrying(s) || m->config.no_quirks)
            executed_and_retired(m, slot);
        else
            lose(m, slot);
    }
}

static void advance_carried(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t slot = s->carried;

    if (!is_carrying(s))
        return;
    s->last_progress = s->now;
    if (s->carry > s->bandwidth) {
        s->carry -= s->bandwidth;
        s->bandwidth = 0;
        return;
    }
    s->bandwidth = s->insns[s->slots[slot].position].end_group ? 0 : s->bandwidth - s->carry;
    s->carried = MCA_NONE;
    s->carry = 0;
    if (mca_reached(s, s->slots[slot].done_at))
        executed_and_retired(m, slot);
}

static void stall_event(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[s->stalled];

    if (MCA_LEAN)
        return;
    s->iids[0] = t->iid;
    if (s->stall_kind == STALL_REGISTER) {
        mca_emit_stall(m, SL_MCA_STALL_REGISTER_FILE, t->iid, t->position);
        mca_emit_pressure(m, SL_MCA_PRESSURE_REGISTER_DEPS, 0, 1);
    } else if (s->stall_kind == STALL_RESOURCE) {
        mca_emit_stall(m, SL_MCA_STALL_DISPATCH_GROUP, t->iid, t->position);
        mca_emit_pressure(m, SL_MCA_PRESSURE_RESOURCES, 0, 1);
    }
}

static MCA_APART bool stall(struct sl_mca_state *s, uint32_t slot, uint32_t cycles, int kind)
{
    s->stalled = slot;
    s->stall_cycles = cycles;
    s->stall_kind = (uint8_t)kind;
    return false;
}

static bool can_execute(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];
    const struct mca_proto *p = mca_proto_of(s, t);
    uint32_t wait;

    if (mca_is_plain(s) && (wait = mca_feeds_hazard(s, p)) != 0)
        return stall(s, slot, wait, STALL_REGISTER);
    for (unsigned i = 0; i < p->n_reads && !mca_is_plain(s); i++) {
        int32_t cycles;
        if (!s->reads[p->reads + i].independent && mca_raw_hazard(m, &s->reads[p->reads + i], &cycles))
            return stall(s, slot, cycles < 0 ? 1u : (uint32_t)cycles, STALL_REGISTER);
    }
    if (!mca_resource_free(s, p->desc))
        return stall(s, slot, 1, STALL_RESOURCE);
    if (t->group != MCA_NONE && !mca_group_ready(&s->groups[t->group]))
        return stall(s, slot, 1, STALL_LOAD_STORE);
    if (s->last_wb != 0 && !s->insns[t->position].retire_ooo && p->first_wb < s->last_wb)
        return stall(s, slot, s->last_wb - p->first_wb, STALL_DELAY);
    return true;
}

static void begin(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];
    const struct sl_mca_desc *desc = mca_desc_of(s, t);

    mca_add_writes(m, slot);
    if (mca_watched(m, SL_MCA_DISPATCHED)) {
        s->event.uops = desc->uops;
        s->event.regs = &s->file_alloc[t->position * s->n_files];
        s->event.move = NULL;
        mca_emit(m, SL_MCA_DISPATCHED, t);
    }
    mca_resource_issue(s, desc);
    t->issued = true;
    t->issued_at = s->now;
    t->done_at = s->now + desc->max_latency_cycles;
    s->protos[t->position].issued_at = s->now;
    if (t->group != MCA_NONE)
        mca_lsu_issued(m, slot);
    if (mca_watched(m, SL_MCA_READY))
        mca_emit(m, SL_MCA_READY, t);
    if (mca_watched(m, SL_MCA_ISSUED)) {
        s->event.uses = s->uses;
        s->event.n_uses = (uint16_t)s->n_uses;
        mca_emit_here(m, SL_MCA_ISSUED, t);
    }
    s->last_progress = s->now;
}

static void try_issue(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];
    const struct sl_mca_insn *insn = &s->insns[t->position];
    uint32_t uops = insn->desc->uops;
    bool carry = !MCA_LEAN && uops > s->bandwidth, end_group = insn->end_group, ooo = insn->retire_ooo;

    if (!can_execute(m, slot)) {
        s->bandwidth = 0;
        return;
    }
    begin(m, slot);
    if (carry) {
        s->carry = uops - s->bandwidth;
        s->carried = slot;
        s->bandwidth = 0;
    } else {
        s->num_issued += uops;
        s->bandwidth = end_group ? 0 : s->bandwidth - uops;
        if (t->done_at == s->now) {
            executed_and_retired(m, slot);
            return;
        }
    }
    mca_set_append(&s->issued, slot);
    if (s->issued.n == 1 || mca_diff(t->done_at, s->next_done) < 0)
        s->next_done = t->done_at;
    if (!ooo)
        s->last_wb = t->done_at - s->now;
}

static void cycle_start(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    s->num_issued = 0;
    s->bandwidth = m->cpu->issue_width;
    mca_lsu_cycle(m);
    mca_resource_cycle(s);
    advance_issued(m);
    advance_carried(m);
    if (s->stalled == MCA_NONE)
        return;
    if (s->stall_cycles == 0) {
        uint32_t slot = s->stalled;
        s->stalled = MCA_NONE;
        try_issue(m, slot);
    }
    if (s->stall_cycles != 0) {
        stall_event(m);
        s->bandwidth = 0;
    }
}

static bool available(const struct sl_mca *m, const struct sl_mca_insn *insn)
{
    const struct sl_mca_state *s = m->state;
    uint32_t uops = insn->desc->uops;

    if (s->stalled != MCA_NONE || is_carrying(s))
        return false;
    if (s->bandwidth < uops && uops <= m->cpu->issue_width)
        return false;
    return !(insn->begin_group && s->num_issued != 0);
}

static void execute(struct sl_mca *m, uint32_t iid, uint32_t position)
{
    struct sl_mca_state *s = m->state;
    uint32_t slot = s->free_slots[--s->slot_count];

    s->slots[slot] = (struct mca_slot){ .iid = iid, .position = position, .desc = s->protos[position].desc, .group = MCA_NONE };
    if (s->protos[position].is_mem)
        s->slots[slot].group = mca_lsu_dispatch(m, &s->insns[position]);
    try_issue(m, slot);
    if (s->stalled != MCA_NONE)
        stall_event(m);
}

/* While a stall counts down, only write-backs happen: to the next cycle in which one does, or the stall ends. */
static void skip_stall(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t n = s->stall_cycles;

    if (s->stalled == MCA_NONE || is_carrying(s) || !mca_may_skip(m))
        return;
    if (s->issued.n != 0 && mca_diff(s->next_done, s->now) < (int32_t)n)
        n = mca_reached(s, s->next_done) ? 0 : s->next_done - s->now;
    s->now += n;
    s->stall_cycles -= n;
    s->last_wb -= sl_min_u32(n, s->last_wb);
}

MCA_HOT bool mca_inorder_cycle(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    cycle_start(m);
    while (!s->undefined && s->next_iid != s->total && available(m, &s->insns[s->next_position])) {
        uint32_t position = s->next_position;
        s->next_position = position + 1 == s->n_insns ? 0 : position + 1;
        execute(m, s->next_iid++, position);
    }
    if (s->stalled != MCA_NONE && s->stall_cycles != 0)
        s->stall_cycles--;
    if (s->last_wb != 0)
        s->last_wb--;
    if (mca_watched(m, SL_MCA_CYCLE_END))
        mca_emit(m, SL_MCA_CYCLE_END, NULL);
    s->now++;
    skip_stall(m);
    return s->next_iid != s->total || s->issued.n != 0 || s->stalled != MCA_NONE || s->carried != MCA_NONE;
}
