/* SPDX-License-Identifier: Apache-2.0 */
/* Waits: what every instruction waits for, cycle by cycle. */
#include "waits.h"

/* At least 1, so that nothing divides or masks by less than nothing. */
static uint32_t power_of_two(uint64_t at_least)
{
    uint32_t room = 1;

    while (room < at_least && room < (uint32_t)1 << 31)
        room *= 2u;
    return room;
}

static uint32_t flight_room(const struct sl_mca *m)
{
    return m->in_order ? 1u : power_of_two(sl_obs_reorder_buffer(m->cpu));
}

static void layout(struct sl_obs_waits *o, const struct sl_mca *m, uint32_t charges, uint32_t iterations,
                   uint32_t segments, struct sl_arena *arena)
{
    uint64_t iids = (uint64_t)sl_min_u32(iterations, m->config.iterations) * m->n_insns;
    uint32_t flights = flight_room(m);

    o->segment_iids = (uint32_t)(iids < UINT32_MAX ? iids : UINT32_MAX);
    iids = segments != 0 ? segments : iids * 16u;
    o->segment_room = (uint32_t)(iids < UINT32_MAX ? iids : UINT32_MAX);
    o->charge_room = power_of_two(charges != 0 ? charges : 256u + (uint64_t)m->n_insns * 64u);
    o->before = sl_arena_take(arena, (size_t)m->n_insns * SL_WAITS, sizeof *o->before);
    o->after = sl_arena_take(arena, (size_t)m->n_insns * SL_WAITS, sizeof *o->after);
    o->retired = sl_arena_take(arena, m->n_insns, sizeof *o->retired);
    o->charges = sl_arena_take(arena, o->charge_room, sizeof *o->charges);
    o->holders = sl_arena_take(arena, sl_waits_count_holders(m->cpu), sizeof *o->holders);
    o->tables = sl_arena_take(arena, 1, sizeof *o->tables);
    o->flights = sl_arena_take(arena, flights, sizeof *o->flights);
    o->groups = sl_arena_take(arena, flights, sizeof *o->groups);
    o->ready = sl_arena_take(arena, flights, sizeof *o->ready);
    o->segments = sl_arena_take_dirty(arena, o->segment_room, sizeof *o->segments);
}

size_t sl_obs_waits_need(const struct sl_mca *m, uint32_t charges, uint32_t iterations, uint32_t segments)
{
    struct sl_obs_waits o;
    struct sl_arena arena;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, charges, iterations, segments, &arena);
    return arena.used_bytes < SIZE_MAX - SL_ARENA_ALIGN ? arena.used_bytes + SL_ARENA_ALIGN : SIZE_MAX;
}

static void dispatched(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    struct sl_wait_flight *f = sl_waits_flight(o, e->iid);
    struct sl_mca_operand operand;
    bool begins = e->iid == o->next;

    sl_waits_dispatched(o, e);
    if (o->m->in_order) {
        if (!e->insn->retire_ooo && e->insn->desc->max_latency_cycles != 0)
            o->last_in_order = e->iid;
        return;
    }
    if (!begins)
        return;
    *f = (struct sl_wait_flight){
        .iid = e->iid, .dispatched = e->cycle, .producer = SL_MCA_NOBODY, .value_cycle = e->cycle};
    if (sl_mca_peek_operand(o->m, e->iid, &operand)) {
        f->producer = operand.producer;
        f->value_cycle = operand.ready_cycle;
        f->reg = operand.reg;
    }
}

/* Whom it waited for: the operand or the older load or store that came last. */
struct sl_wait_reason sl_waits_data(const struct sl_obs_waits *o, const struct sl_wait_flight *f)
{
    struct sl_wait_reason r = {f->producer, f->reg, f->producer != SL_MCA_NOBODY ? SL_WAIT_REGISTER : SL_WAIT_OTHER};
    uint32_t last = f->value_cycle;

    for (unsigned i = 0; i < f->n_before; i++) {
        const struct sl_wait_group *g = &o->groups[f->before[i] & o->flight_mask];
        bool data = ((unsigned)f->data_before >> i) & 1u;

        uint32_t cycle = data ? g->executed_cycle : g->issued_cycle;

        if (g->id != f->before[i] || !(data ? g->any_executed : g->any_issued) || cycle < last)
            continue;
        if (r.cause == SL_WAIT_REGISTER && cycle == last)
            continue;
        last = cycle;
        r = (struct sl_wait_reason){data ? g->executed : g->issued, data, SL_WAIT_MEMORY};
    }
    return r;
}

static void ready(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    struct sl_wait_flight *f = sl_waits_flight(o, e->iid);
    uint32_t from = f->dispatched + !e->insn->desc->must_issue;
    struct sl_wait_reason reason;

    f->is_ready = true;
    f->ready = e->cycle;
    o->ready[o->n_ready++] = e->iid;
    if (e->cycle == f->dispatched)
        return;
    /* Made ready by one that issued at its dispatch: too late for the scheduler to take it in this cycle. */
    f->ready += o->any_dispatched;
    reason = sl_waits_data(o, f);
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &reason, from, f->ready - from);
    for (unsigned i = 0; i < WAITS_OPEN && f->open[i].slots != 0; i++) {
        const struct sl_wait_reason by = {SL_MCA_NOBODY, f->open[i].what, f->open[i].cause};

        sl_waits_charge_slots(o, e->iid, &by, &reason, f->open[i].slots);
        f->open[i].slots = 0;
    }
}

static struct sl_wait_group *group_of(struct sl_obs_waits *o, uint32_t id)
{
    struct sl_wait_group *g = &o->groups[id & o->flight_mask];

    if (g->id != id)
        *g = (struct sl_wait_group){.id = id};
    return g;
}

static void find_memory(struct sl_obs_waits *o, struct sl_wait_flight *f)
{
    const struct sl_mca_insn *insn = &o->m->insns[f->iid % o->m->n_insns];
    struct sl_mca_memory memory;

    if (f->group != 0 || !(insn->may_load || insn->may_store) || !sl_mca_peek_memory(o->m, f->iid, &memory))
        return;
    f->group = memory.group;
    f->n_before = (uint8_t)memory.n_before;
    for (unsigned i = 0; i < memory.n_before; i++) {
        f->before[i] = memory.before[i];
        f->data_before |= (uint8_t)((unsigned)memory.data[i] << i);
    }
}

static void feed(struct sl_obs_waits *o, uint32_t iid)
{
    struct sl_mca_operand operand;
    uint64_t cursor = 0;

    while (sl_mca_peek_consumer(o->m, iid, &cursor, &operand)) {
        struct sl_wait_flight *f = sl_waits_flight(o, operand.consumer);

        if ((int32_t)(operand.ready_cycle - f->value_cycle) < 0)
            continue;
        f->value_cycle = operand.ready_cycle;
        f->producer = operand.producer;
        f->reg = operand.reg;
    }
}

static void issued(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    static const struct sl_wait_reason step = {SL_MCA_NOBODY, 0, SL_WAIT_PIPELINE};
    struct sl_wait_flight *f = sl_waits_flight(o, e->iid);

    sl_waits_note_uses(o, e);
    if (o->m->in_order)
        return;
    f->is_issued = true;
    f->issued = e->cycle;
    if (e->cycle != f->dispatched && !e->insn->desc->must_issue)
        sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &step, f->dispatched, 1);
    feed(o, e->iid);
    find_memory(o, f);
    if (f->group != 0) {
        struct sl_wait_group *g = group_of(o, f->group);

        g->any_issued = true;
        g->issued = e->iid;
        g->issued_cycle = e->cycle;
    }
}

static void executed(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    static const struct sl_wait_reason itself = {SL_MCA_NOBODY, 0, SL_WAIT_EXECUTING};
    struct sl_wait_flight *f = sl_waits_flight(o, e->iid);

    f->is_executed = true;
    f->executed = e->cycle;
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &itself, f->issued, e->cycle - f->issued);
    if (f->group != 0) {
        struct sl_wait_group *g = group_of(o, f->group);

        g->any_executed = true;
        g->executed = e->iid;
        g->executed_cycle = e->cycle;
    }
}

/* Write-back; then older instructions; then the number that may retire in a cycle. */
static void retired_out_of_order(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    const struct sl_wait_flight *f = sl_waits_flight(o, e->iid);
    const struct sl_wait_reason step = {SL_MCA_NOBODY, 0, SL_WAIT_PIPELINE},
                                width = {SL_MCA_NOBODY, 0, SL_WAIT_RETIRE_WIDTH};
    const struct sl_wait_reason order = {o->last_executed, 0, SL_WAIT_RETIRE_ORDER};
    uint32_t from = f->executed + 1u, older = from;

    if (o->last_executed != SL_MCA_NOBODY)
        older = sl_min_u32(sl_max_u32(from, o->last_executed_cycle + 1u), e->cycle);
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &step, f->executed, 1);
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &order, from, older - from);
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &width, older, e->cycle - older);
    if (o->last_executed == SL_MCA_NOBODY || f->executed > o->last_executed_cycle) {
        o->last_executed = e->iid;
        o->last_executed_cycle = f->executed;
    }
    o->next_retire = e->iid + 1u;
}

static void retired(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    const struct sl_wait_reason itself = {SL_MCA_NOBODY, 0, SL_WAIT_EXECUTING}, rest = {e->iid, 0, SL_WAIT_CARRY};
    uint32_t latency = e->insn->desc->max_latency_cycles, since;

    o->retired[e->position]++;
    if (!o->m->in_order) {
        retired_out_of_order(o, e);
        return;
    }
    since = e->iid == o->carried ? o->carried_issue : e->cycle - latency;
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &itself, since, latency);
    sl_waits_charge(o, SL_WAIT_AFTER, e->iid, &rest, since + latency, e->cycle - since - latency);
}

static void cycle_end(struct sl_obs_waits *o, uint32_t cycle)
{
    uint32_t kept = 0;

    for (uint32_t iid = o->first; iid != o->next && !o->m->in_order; iid++)
        find_memory(o, sl_waits_flight(o, iid));
    for (uint32_t i = 0; i < o->n_ready; i++) {
        uint32_t iid = o->ready[i];
        const struct sl_wait_flight *f = sl_waits_flight(o, iid);

        if (f->is_issued)
            continue;
        o->ready[kept++] = iid;
        if (f->ready <= cycle && f->dispatched != cycle) {
            struct sl_wait_reason reason = sl_waits_busy_unit(o, iid % o->m->n_insns);
            sl_waits_charge(o, SL_WAIT_AFTER, iid, &reason, cycle, 1);
        }
    }
    o->n_ready = kept;
    sl_waits_close_cycle(o, cycle);
    o->open = false;
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_waits *o = (struct sl_obs_waits *)self;

    o->now = e->cycle;
    sl_waits_open_cycle(o);
    switch (e->kind) {
    case SL_MCA_DISPATCHED:
        dispatched(o, e);
        break;
    case SL_MCA_READY:
        ready(o, e);
        break;
    case SL_MCA_ISSUED:
        issued(o, e);
        break;
    case SL_MCA_EXECUTED:
        executed(o, e);
        break;
    case SL_MCA_RETIRED:
        retired(o, e);
        break;
    case SL_MCA_STALL:
        o->stalls |= 1u << e->detail;
        break;
    case SL_MCA_BUFFERS_RESERVED:
        sl_waits_note_buffers(o, e);
        break;
    case SL_MCA_CYCLE_END:
        cycle_end(o, e->cycle);
        break;
    default:
        break;
    }
}

static void clear(struct sl_obs_waits *o, struct sl_mca *m)
{
    o->m = m;
    for (unsigned i = 0; i < SL_WAITS; i++)
        o->slots[i] = 0;
    o->used_slots = 0;
    o->width = m->in_order ? m->cpu->issue_width : m->config.dispatch_width;
    o->n_charges = o->n_segments = o->n_ready = o->uses = o->now = 0;
    o->charges_lost = o->segments_lost = o->open = o->any_dispatched = false;
    o->flight_mask = flight_room(m) - 1u;
    for (unsigned i = 0; i < 64; i++) {
        o->tables->reserved_by[i] = SL_MCA_NOBODY;
        o->tables->oldest_in[i] = 0;
        o->tables->masks[i] = 0;
    }
    o->oldest_load = o->oldest_store = o->next = o->first = o->next_retire = o->oldest_waiting = 0;
    o->total = m->config.iterations * m->n_insns;
    o->last_executed = o->last_in_order = o->carried = SL_MCA_NOBODY;
    o->last_executed_cycle = o->carry = o->carried_issue = 0;
    o->left = o->used = o->stalls = 0;
    o->ended_by = SL_MCA_NOBODY;
    sl_waits_number_holders(o);
    sl_obs_resource_bits(m->cpu, o->tables->masks, o->tables->resource_of);
}

enum sl_status sl_obs_waits_init(struct sl_obs_waits *o, struct sl_mca *m, uint32_t charges, uint32_t iterations,
                                 uint32_t segments, void *mem, size_t mem_bytes)
{
    uint32_t kinds = SL_OBS_KIND(SL_MCA_CYCLE_END) | SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_ISSUED) |
                     SL_OBS_KIND(SL_MCA_RETIRED);
    struct sl_arena arena;
    enum sl_status err;

    if (!m->config.pressure || m->config.instruction_tables || (charges & (charges - 1u)) != 0)
        return SL_E_ARGUMENT;
    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, charges, iterations, segments, &arena);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    clear(o, m);
    if (!m->in_order)
        kinds |= SL_OBS_KIND(SL_MCA_READY) | SL_OBS_KIND(SL_MCA_EXECUTED) | SL_OBS_KIND(SL_MCA_STALL) |
                 SL_OBS_KIND(SL_MCA_BUFFERS_RESERVED);
    sl_obs_watch(m, &o->observer, event, kinds);
    return SL_OK;
}
