/* SPDX-License-Identifier: Apache-2.0 */
/* Waits: slots that got no micro-op, and the instruction that is next in program order. */
#include "waits.h"

static void occupy(struct sl_obs_waits *o, uint32_t uops)
{
    uops = sl_min_u32(uops, o->left);
    o->used += uops;
    o->left -= uops;
}

static void end_group(struct sl_obs_waits *o, uint32_t iid)
{
    if (o->m->insns[iid % o->m->n_insns].end_group) {
        o->left = 0;
        o->ended_by = iid;
    }
}

/* In order, the rest of an instruction wider than the cycle before left it room for comes first. */
void sl_waits_open_cycle(struct sl_obs_waits *o)
{
    uint32_t uops;

    if (o->open)
        return;
    o->open = true;
    o->any_dispatched = false;
    o->left = o->width;
    o->used = 0;
    o->ended_by = SL_MCA_NOBODY;
    o->stalls = 0;
    o->first = o->next;
    if (!o->m->in_order || o->carry == 0)
        return;
    uops = sl_min_u32(o->carry, o->width);
    o->carry -= uops;
    occupy(o, uops);
    if (o->carry == 0)
        end_group(o, o->carried);
}

void sl_waits_dispatched(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    uint32_t uops = e->insn->desc->uops;

    if (e->iid != o->next) { /* the rest of an instruction, out of order */
        o->carry -= e->uops;
        occupy(o, e->uops);
        return;
    }
    o->any_dispatched = true;
    o->next++;
    if (uops > (o->m->in_order ? o->left : o->width)) {
        o->carry = uops - (o->m->in_order ? o->left : o->width);
        o->carried = e->iid;
        o->carried_issue = e->cycle;
        occupy(o, uops);
        if (!o->m->in_order)
            end_group(o, e->iid);
        return;
    }
    occupy(o, uops);
    end_group(o, e->iid);
}

static uint32_t oldest_of(const struct sl_obs_waits *o, uint32_t *oldest, bool store)
{
    uint32_t iid = sl_max_u32(*oldest, o->next_retire);

    for (; iid != o->next; iid++) {
        const struct sl_mca_insn *insn = &o->m->insns[iid % o->m->n_insns];

        if (store ? insn->may_store : insn->may_load)
            break;
    }
    *oldest = iid;
    return iid != o->next ? iid : SL_MCA_NOBODY;
}

static struct sl_wait_reason full_buffer(struct sl_obs_waits *o, uint32_t position, bool hazard)
{
    uint64_t bits = sl_mca_peek_full_buffers(o->m, position);
    struct sl_wait_reason r = {SL_MCA_NOBODY, 0, hazard ? SL_WAIT_HAZARD : SL_WAIT_QUEUE};

    for (; bits != 0; bits &= bits - 1u) {
        unsigned bit = sl_ctz64(bits);

        r.what = o->tables->resource_of[bit];
        if ((o->m->cpu->resources[r.what].buffer_size == 0) != hazard)
            continue;
        r.culprit = hazard ? o->tables->reserved_by[bit] : sl_waits_oldest_in_buffer(o, bit);
        break;
    }
    return r;
}

#define STALLED(o, stall) (((o)->stalls >> (stall)) & 1u)

/* Out of order: what the dispatch stage said. Without a cause: nothing. */
static struct sl_wait_reason told(struct sl_obs_waits *o, uint32_t position)
{
    struct sl_wait_reason r = {SL_MCA_NOBODY, 0, SL_WAIT_OTHER};

    if (STALLED(o, SL_MCA_STALL_RETIRE_CONTROL_UNIT))
        return (struct sl_wait_reason){o->next_retire, 0, SL_WAIT_REORDER_BUFFER};
    if (STALLED(o, SL_MCA_STALL_REGISTER_FILE)) {
        int file = sl_mca_peek_full_file(o->m, position);
        return (struct sl_wait_reason){o->next_retire, (uint16_t)(file > 0 ? file : 0), SL_WAIT_REGISTER_FILE};
    }
    if (STALLED(o, SL_MCA_STALL_DISPATCH_GROUP) || STALLED(o, SL_MCA_STALL_SCHEDULER_QUEUE_FULL))
        return full_buffer(o, position, STALLED(o, SL_MCA_STALL_DISPATCH_GROUP));
    if (STALLED(o, SL_MCA_STALL_LOAD_QUEUE_FULL))
        return (struct sl_wait_reason){oldest_of(o, &o->oldest_load, false), 0, SL_WAIT_LOAD_QUEUE};
    if (STALLED(o, SL_MCA_STALL_STORE_QUEUE_FULL))
        return (struct sl_wait_reason){oldest_of(o, &o->oldest_store, true), 0, SL_WAIT_STORE_QUEUE};
    return r;
}

/* Both: the cycle's slots, and the limits of a dispatch group. */
static struct sl_wait_reason limited(const struct sl_obs_waits *o, const struct sl_mca_insn *insn)
{
    uint32_t uops = insn->desc->uops;
    bool fits = o->left >= (o->m->in_order ? uops : sl_min_u32(uops, o->width));

    if (o->carry != 0)
        return (struct sl_wait_reason){o->carried, 0, SL_WAIT_CARRY};
    if (o->ended_by != SL_MCA_NOBODY)
        return (struct sl_wait_reason){o->ended_by, 0, SL_WAIT_GROUP};
    if (o->left == 0 || !fits)
        return (struct sl_wait_reason){SL_MCA_NOBODY, 0, SL_WAIT_WIDTH};
    if (insn->begin_group)
        return (struct sl_wait_reason){o->next - 1u, 0, SL_WAIT_GROUP};
    return (struct sl_wait_reason){SL_MCA_NOBODY, 0, SL_WAIT_OTHER};
}

static struct sl_wait_reason held(struct sl_obs_waits *o, uint32_t position, enum sl_mca_hold hold, uint32_t producer,
                                  uint16_t reg)
{
    switch (hold) {
    case SL_MCA_HOLD_REGISTER:
        return (struct sl_wait_reason){producer, reg, SL_WAIT_REGISTER};
    case SL_MCA_HOLD_UNIT:
        return sl_waits_busy_unit(o, position);
    case SL_MCA_HOLD_MEMORY:
        return (struct sl_wait_reason){producer, 1, SL_WAIT_MEMORY};
    case SL_MCA_HOLD_WRITE_BACK:
        return (struct sl_wait_reason){o->last_in_order, 0, SL_WAIT_WRITE_BACK};
    default:
        return (struct sl_wait_reason){SL_MCA_NOBODY, 0, SL_WAIT_OTHER};
    }
}

static struct sl_wait_reason why_not(struct sl_obs_waits *o)
{
    uint32_t position = o->next % o->m->n_insns, producer;
    struct sl_wait_reason r;
    enum sl_mca_hold hold;
    uint16_t reg;

    if (o->m->in_order) {
        hold = sl_mca_peek_hold(o->m, &producer, &reg);
        return hold != SL_MCA_HOLD_NONE ? held(o, position, hold, producer, reg) : limited(o, &o->m->insns[position]);
    }
    if (o->stalls != 0)
        return told(o, position);
    r.cause = SL_WAIT_MICRO_OP_QUEUE;
    r.culprit = SL_MCA_NOBODY;
    r.what = 0;
    return sl_mca_peek_queue_empty(o->m) ? r : limited(o, &o->m->insns[position]);
}

/* What an instruction in flight does or waits for at the end of the cycle. false: for data, and it is not known yet
 * whose. */
static bool state_of(const struct sl_obs_waits *o, uint32_t iid, uint32_t cycle, struct sl_wait_reason *r)
{
    const struct sl_wait_flight *f = sl_waits_flight(o, iid);

    *r = (struct sl_wait_reason){SL_MCA_NOBODY, 0, SL_WAIT_PIPELINE};
    if (f->is_executed) {
        if (iid != o->next_retire)
            *r = (struct sl_wait_reason){o->next_retire, 0, SL_WAIT_RETIRE_ORDER};
        else if (f->executed != cycle)
            r->cause = SL_WAIT_RETIRE_WIDTH;
    } else if (f->is_issued) {
        r->cause = SL_WAIT_EXECUTING;
    } else if (f->is_ready && f->ready <= cycle) {
        if (f->dispatched != cycle)
            *r = sl_waits_busy_unit(o, iid % o->m->n_insns);
    } else if (f->is_ready) {
        *r = sl_waits_data(o, f);
    } else {
        return false;
    }
    return true;
}

/* Slots for the sake of an instruction whose producer is not known yet; those of a fifth kind have none. */
static void defer(struct sl_obs_waits *o, uint32_t iid, const struct sl_wait_reason *by, uint32_t slots)
{
    struct sl_wait_flight *f = sl_waits_flight(o, iid);
    const struct sl_wait_reason unknown = {SL_MCA_NOBODY, 0, SL_WAIT_REGISTER};

    for (unsigned i = 0; i < WAITS_OPEN; i++) {
        struct sl_wait_open *open = &f->open[i];

        if (open->slots != 0 && (open->cause != by->cause || open->what != by->what))
            continue;
        open->cause = by->cause;
        open->what = by->what;
        open->slots += slots;
        return;
    }
    sl_waits_charge_slots(o, iid, by, &unknown, slots);
}

static bool is_full(uint8_t cause)
{
    return cause == SL_WAIT_REORDER_BUFFER || cause == SL_WAIT_REGISTER_FILE || cause == SL_WAIT_QUEUE ||
           cause == SL_WAIT_LOAD_QUEUE || cause == SL_WAIT_STORE_QUEUE;
}

static bool is_in(const struct sl_obs_waits *o, uint32_t iid, const struct sl_wait_reason *by)
{
    uint64_t buffers = o->m->insns[iid % o->m->n_insns].desc->used_buffers;

    return by->cause != SL_WAIT_QUEUE || ((buffers >> sl_msb64(o->tables->masks[by->what])) & 1u) != 0;
}

/* Who is in the way when something is full. Work that is ready and finds no unit comes first: with more units it would
 * go on. Else the oldest instruction that waits to issue. Of those in a buffer, if it is one. */
static uint32_t in_the_way(struct sl_obs_waits *o, const struct sl_wait_reason *by, uint32_t cycle)
{
    uint32_t first = SL_MCA_NOBODY;

    for (uint32_t i = 0; i < o->n_ready; i++) {
        const struct sl_wait_flight *f = sl_waits_flight(o, o->ready[i]);

        if (f->ready <= cycle && f->dispatched != cycle && f->iid < first && is_in(o, f->iid, by))
            first = f->iid;
    }
    if (first != SL_MCA_NOBODY)
        return first;
    if (by->cause == SL_WAIT_QUEUE && by->culprit != SL_MCA_NOBODY)
        return by->culprit;
    o->oldest_waiting = sl_max_u32(o->oldest_waiting, o->next_retire);
    while (o->oldest_waiting != o->next && sl_waits_flight(o, o->oldest_waiting)->is_issued)
        o->oldest_waiting++;
    return o->oldest_waiting != o->next ? o->oldest_waiting : o->next_retire;
}

void sl_waits_close_cycle(struct sl_obs_waits *o, uint32_t cycle)
{
    struct sl_wait_reason by = {SL_MCA_NOBODY, 0, SL_WAIT_END}, reason;
    uint32_t lost = o->width - o->used, iid = o->next;

    if (o->next != o->total) {
        by = why_not(o);
        sl_waits_charge(o, SL_WAIT_BEFORE, o->next, &by, cycle, 1);
    }
    o->used_slots += o->used;
    o->slots[by.cause] += lost;
    if (lost == 0)
        return;
    reason = by;
    if (is_full(by.cause) && o->next_retire != o->next) {
        iid = in_the_way(o, &by, cycle);
        if (!state_of(o, iid, cycle, &reason)) {
            defer(o, iid, &by, lost);
            return;
        }
    }
    sl_waits_charge_slots(o, iid == o->total ? o->total - 1u : iid, &by, &reason, lost);
}
