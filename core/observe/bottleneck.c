/* SPDX-License-Identifier: Apache-2.0 */
/* Bottleneck analysis: cycles of rising back-end pressure by cause, and who waits for whom. */
#include "bottleneck.h"

#define DEFAULT_EDGES_PER_INSN 16u
#define DEFAULT_EDGES_BASE 256u

/* In-order machines name no predecessor: their graph stays empty and gets no memory. */
static uint32_t edge_room(const struct sl_mca *m, uint32_t edges)
{
    if (m->in_order)
        return 0;
    return edges != 0 ? edges : DEFAULT_EDGES_BASE + DEFAULT_EDGES_PER_INSN * m->n_insns;
}

/* Instructions in flight have successive indices, and no more of them than reorder buffer entries. */
static uint32_t flight_room(const struct sl_mca *m)
{
    uint32_t room = 1;

    while (room < sl_obs_reorder_buffer(m->cpu))
        room *= 2u;
    return m->in_order ? 0 : room;
}

static void number_users(struct sl_obs_bottleneck *o, const struct sl_cpu *cpu)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < 64; i++) {
        o->first_user[i] = (uint16_t)n;
        if (i != 0 && i < cpu->n_resources && !cpu->resources[i].is_group)
            n += cpu->resources[i].n_units;
    }
    o->n_users = (uint16_t)n;
}

/* The edges come last: they are not cleared, so that a generous room costs nothing until it is used. */
static void layout(struct sl_obs_bottleneck *o, const struct sl_mca *m, uint32_t edges, struct sl_arena *arena)
{
    size_t n_nodes = m->in_order ? 0 : (size_t)m->n_insns * 3u;

    number_users(o, m->cpu);
    o->edge_room = edge_room(m, edges);
    o->busy = sl_arena_take(arena, m->cpu->n_resources, sizeof *o->busy);
    o->masks = sl_arena_take(arena, m->cpu->n_resources, sizeof *o->masks);
    o->users = sl_arena_take(arena, o->n_users, sizeof *o->users);
    o->flights = sl_arena_take(arena, flight_room(m), sizeof *o->flights);
    o->nodes = sl_arena_take(arena, n_nodes, sizeof *o->nodes);
    o->work = sl_arena_take(arena, n_nodes, sizeof *o->work);
}

static size_t edge_bytes(uint32_t room)
{
    const size_t each = sizeof(struct sl_dependency_edge) + sizeof(uint32_t);

    return room <= (SIZE_MAX - SL_ARENA_ALIGN) / each ? room * each + SL_ARENA_ALIGN - 1u : SIZE_MAX;
}

size_t sl_obs_bottleneck_need(const struct sl_mca *m, uint32_t edges)
{
    struct sl_obs_bottleneck o;
    struct sl_arena arena;
    size_t tail;

    sl_arena_init(&arena, NULL, 0);
    layout(&o, m, edges, &arena);
    tail = edge_bytes(o.edge_room);
    return arena.used_bytes < SIZE_MAX - SL_ARENA_ALIGN - tail ? arena.used_bytes + SL_ARENA_ALIGN + tail : SIZE_MAX;
}

static bool in_flight(const struct sl_obs_bottleneck *o, uint32_t iid)
{
    const struct sl_bottleneck_flight *flight = &o->flights[iid & o->flight_mask];

    return flight->present && flight->iid == iid;
}

static void dispatched(struct sl_obs_bottleneck *o, uint32_t iid)
{
    struct sl_bottleneck_flight *flight = &o->flights[iid & o->flight_mask];

    if (flight->iid == iid) {
        /* The rest of an instruction that is dispatched over several cycles. If it has been executed meanwhile, the
         * reference takes it up again and never lets go of it. */
        for (uint32_t i = 0; !flight->present && i < o->n_users; i++)
            o->users[i].stays |= o->users[i].cycles != 0 && o->users[i].iid == iid;
        flight->present = true;
        return;
    }
    flight->iid = iid;
    flight->registers = flight->memory = flight->resources = 0;
    flight->present = true;
}

static void count_resources(struct sl_obs_bottleneck *o, uint64_t mask)
{
    for (uint64_t bits = mask; bits != 0; bits &= bits - 1u) {
        uint64_t bit = bits & (~bits + 1u);
        unsigned resource = o->resource_of[sl_ctz64(bit)];
        uint64_t members = o->masks[resource] & ~bit;

        if (members == 0)
            o->busy[resource]++;
        for (; members != 0; members &= members - 1u)
            o->busy[o->resource_of[sl_ctz64(members)]]++;
    }
}

/* Enters the cycle in which pressure rose. */
static void close_cycle(struct sl_obs_bottleneck *o)
{
    bool resources = ((unsigned)o->rising >> SL_MCA_PRESSURE_RESOURCES) & 1u;
    bool registers = ((unsigned)o->rising >> SL_MCA_PRESSURE_REGISTER_DEPS) & 1u;
    bool memory = ((unsigned)o->rising >> SL_MCA_PRESSURE_MEMORY_DEPS) & 1u;

    o->pressure += o->rising != 0;
    o->resource_pressure += resources;
    o->register_pressure += registers;
    o->memory_pressure += memory;
    o->data_pressure += registers || memory;
    o->rising = 0;
}

static void pressed(struct sl_obs_bottleneck *o, const struct sl_mca_event *e)
{
    if (e->cycle != o->rising_cycle)
        close_cycle(o);
    o->rising_cycle = e->cycle;
    o->rising |= (uint8_t)(1u << e->detail);
    if (e->detail == SL_MCA_PRESSURE_RESOURCES)
        count_resources(o, e->mask);
    if (o->edge_room == 0)
        return;
    for (uint32_t i = 0; i < e->n_iids; i++) {
        struct sl_bottleneck_flight *flight = &o->flights[e->iids[i] & o->flight_mask];

        flight->resources += e->detail == SL_MCA_PRESSURE_RESOURCES;
        flight->registers += e->detail == SL_MCA_PRESSURE_REGISTER_DEPS;
        flight->memory += e->detail == SL_MCA_PRESSURE_MEMORY_DEPS;
    }
}

static void add_resource_waits(struct sl_obs_bottleneck *o, const struct sl_mca_event *e, uint32_t pressure)
{
    const struct sl_cpu *cpu = o->m->cpu;

    for (uint64_t bits = e->critical_resource_mask; bits != 0; bits &= bits - 1u) {
        unsigned resource = o->resource_of[sl_ctz64(bits)];
        const struct sl_bottleneck_user *user = &o->users[o->first_user[resource]];
        unsigned n_units = cpu->resources[resource].is_group ? 0 : cpu->resources[resource].n_units;

        for (const struct sl_bottleneck_user *end = user + n_units; user < end; user++) {
            struct sl_bottleneck_dependency d = { bits & (~bits + 1u), user->cycles + 2u * pressure,
                                                  SL_DEPENDENCY_RESOURCE };

            if (user->cycles != 0 && (user->stays || in_flight(o, user->iid)))
                sl_bottleneck_add(o, user->iid % o->m->n_insns, e->position, &d);
        }
    }
}

static void add_waits(struct sl_obs_bottleneck *o, const struct sl_mca_event *e)
{
    const struct sl_bottleneck_flight *flight = &o->flights[e->iid & o->flight_mask];

    add_resource_waits(o, e, flight->resources);
    if (e->critical_register.cycles != 0) {
        struct sl_bottleneck_dependency d = { e->critical_register.reg,
                                              e->critical_register.cycles + 2u * flight->registers,
                                              SL_DEPENDENCY_REGISTER };

        sl_bottleneck_add(o, e->critical_register.iid % o->m->n_insns, e->position, &d);
    }
    if (e->critical_memory.cycles != 0) {
        struct sl_bottleneck_dependency d = { 0, e->critical_memory.cycles + 2u * flight->memory,
                                              SL_DEPENDENCY_MEMORY };

        sl_bottleneck_add(o, e->critical_memory.iid % o->m->n_insns, e->position, &d);
    }
}

static void issued(struct sl_obs_bottleneck *o, const struct sl_mca_event *e)
{
    if (o->complete)
        return;
    add_waits(o, e);
    for (unsigned i = 0; i < e->n_uses; i++) {
        const struct sl_mca_use *use = &e->uses[i];
        struct sl_bottleneck_user user = { e->iid, use->cycles, false };

        if (use->unit < o->m->cpu->resources[use->resource].n_units)
            o->users[o->first_user[use->resource] + use->unit] = user;
    }
    /* The reference evaluates the graph when the last instruction issues, whatever older ones are still to come. */
    o->complete = e->iid == o->m->config.iterations * o->m->n_insns - 1u;
}

static void event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct sl_obs_bottleneck *o = (struct sl_obs_bottleneck *)self;

    switch (e->kind) {
    case SL_MCA_STALL: o->stalled = true; break;
    case SL_MCA_PRESSURE: pressed(o, e); break;
    case SL_MCA_DISPATCHED: dispatched(o, e->iid); break;
    case SL_MCA_ISSUED: issued(o, e); break;
    case SL_MCA_EXECUTED:
        if (in_flight(o, e->iid))
            o->flights[e->iid & o->flight_mask].present = false;
        break;
    default: break;
    }
}

static bool settle(struct sl_mca_observer *self, const struct sl_mca_moment *moment)
{
    struct sl_obs_bottleneck *o = (struct sl_obs_bottleneck *)self;

    (void)moment;
    if (o->rising != 0)
        close_cycle(o);
    return !o->complete && !o->edges_lost;
}

/* A user that is not in flight any more counts for nothing, unless it stays: then its place in the block does, and that it
 * may be in flight. */
static void user_state(const struct sl_obs_bottleneck *o, const struct sl_bottleneck_user *user,
                       const struct sl_mca_moment *moment, struct sl_mca_words *words)
{
    bool flies = user->cycles != 0 && (in_flight(o, user->iid) || moment->oldest_iid <= user->iid);
    bool counts = user->cycles != 0 && (flies || user->stays);

    sl_mca_word(words, !counts ? 0 : flies ? 1u + moment->next_iid - user->iid : ~(user->iid % o->m->n_insns));
    sl_mca_word(words, counts ? user->cycles : 0);
    sl_mca_word(words, counts && user->stays);
}

static void state(const struct sl_mca_observer *self, const struct sl_mca_moment *moment, struct sl_mca_words *words)
{
    const struct sl_obs_bottleneck *o = (const struct sl_obs_bottleneck *)self;
    uint32_t room = flight_room(o->m);

    sl_mca_word(words, o->stalled);
    sl_mca_word(words, o->n_edges);
    for (uint32_t i = 0; i < o->n_users && room != 0; i++)
        user_state(o, &o->users[i], moment, words);
    for (uint32_t i = 1; i <= room; i++) {
        const struct sl_bottleneck_flight *flight = &o->flights[(moment->next_iid - i) & o->flight_mask];
        bool known = flight->iid != UINT32_MAX && (flight->present || flight->iid >= moment->oldest_iid);

        sl_mca_word(words, known ? 2u * (moment->next_iid - flight->iid) + flight->present : 0);
        sl_mca_word(words, known ? flight->registers : 0);
        sl_mca_word(words, known ? flight->memory : 0);
        sl_mca_word(words, known ? flight->resources : 0);
    }
}

static bool counters(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *out)
{
    struct sl_obs_bottleneck *o = (struct sl_obs_bottleneck *)self;

    *out = (struct sl_mca_counters){ NULL, o->n_edges, o->edge_room, sizeof *o->edges, false };
    switch (index) {
    case 0: *out = sl_obs_counters(&o->pressure, 1); break;
    case 1: *out = sl_obs_counters(&o->resource_pressure, 1); break;
    case 2: *out = sl_obs_counters(&o->data_pressure, 1); break;
    case 3: *out = sl_obs_counters(&o->register_pressure, 1); break;
    case 4: *out = sl_obs_counters(&o->memory_pressure, 1); break;
    case 5: *out = sl_obs_counters(o->busy, o->m->cpu->n_resources); break;
    case 6: out->first = o->edge_room != 0 ? &o->edges->frequency : NULL; break;
    case 7:
        out->first = o->edge_room != 0 ? &o->edges->cost_cycles : NULL;
        out->wide = true;
        break;
    default: return false;
    }
    return true;
}

static void reverse(struct sl_bottleneck_flight *flight, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2u; i++) {
        struct sl_bottleneck_flight first = flight[i];
        flight[i] = flight[n - 1u - i];
        flight[n - 1u - i] = first;
    }
}

/* Flights move on to the places of their new indices. */
static void shift(struct sl_mca_observer *self, const struct sl_mca_moment *moment, uint32_t cycles, uint32_t iids)
{
    struct sl_obs_bottleneck *o = (struct sl_obs_bottleneck *)self;
    uint32_t room = flight_room(o->m), turn = iids & o->flight_mask;

    (void)moment;
    o->rising_cycle += cycles;
    for (uint32_t i = 0; i < o->n_users; i++)
        o->users[i].iid += iids;
    for (uint32_t i = 0; i < room; i++)
        o->flights[i].iid += o->flights[i].iid == UINT32_MAX ? 0 : iids;
    reverse(o->flights, room);
    reverse(o->flights, turn);
    reverse(o->flights + turn, room - turn);
}

static const struct sl_mca_recurring recurring = { settle, state, counters, shift };

static void clear(struct sl_obs_bottleneck *o, struct sl_mca *m)
{
    size_t n_nodes = m->in_order ? 0 : (size_t)m->n_insns * 3u;

    o->m = m;
    o->quirks = 0;
    o->stalled = o->edges_lost = o->complete = o->finished = false;
    o->pressure = o->resource_pressure = o->data_pressure = o->register_pressure = o->memory_pressure = 0;
    o->sequence = NULL;
    o->n_sequence = o->n_edges = 0;
    o->rising = 0;
    o->rising_cycle = 0;
    o->flight_mask = m->in_order ? 0 : flight_room(m) - 1u;
    for (uint32_t i = 0; i < flight_room(m); i++)
        o->flights[i].iid = UINT32_MAX;
    for (size_t i = 0; i < n_nodes; i++)
        o->nodes[i].first = o->nodes[i].last = o->nodes[i].critical = SL_NO_EDGE;
}

enum sl_status sl_obs_bottleneck_init(struct sl_obs_bottleneck *o, struct sl_mca *m, uint32_t edges, void *mem,
                                      size_t mem_bytes)
{
    uint32_t kinds = SL_OBS_KIND(SL_MCA_STALL) | SL_OBS_KIND(SL_MCA_PRESSURE);
    struct sl_arena arena;
    enum sl_status err;
    size_t from;

    sl_arena_init(&arena, mem, mem_bytes);
    layout(o, m, edges, &arena);
    from = arena.used_bytes;
    if (edge_bytes(o->edge_room) > SIZE_MAX - from)
        arena.used_bytes = SIZE_MAX;
    else
        arena.used_bytes += edge_bytes(o->edge_room);
    err = sl_obs_room(m, &arena);
    if (err)
        return err;
    o->edges = (struct sl_dependency_edge *)(void *)(arena.base + from);
    o->order = (uint32_t *)(void *)(o->edges + o->edge_room);
    sl_obs_resource_bits(m->cpu, o->masks, o->resource_of);
    clear(o, m);
    if (!m->in_order)
        kinds |= SL_OBS_KIND(SL_MCA_DISPATCHED) | SL_OBS_KIND(SL_MCA_ISSUED) | SL_OBS_KIND(SL_MCA_EXECUTED);
    sl_obs_watch(m, &o->observer, event, kinds);
    o->observer.recurring = &recurring;
    return SL_OK;
}

enum sl_status sl_obs_bottleneck_finish(struct sl_obs_bottleneck *o)
{
    if (!o->finished) {
        close_cycle(o);
        if (o->complete && !o->edges_lost)
            sl_bottleneck_solve(o);
    }
    o->finished = true;
    return o->edges_lost ? SL_E_ROOM : SL_OK;
}
