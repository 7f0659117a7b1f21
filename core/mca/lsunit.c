/* SPDX-License-Identifier: Apache-2.0 */
/* Load/store unit: queues and memory groups (chapter 10). An order dependency ends when the predecessor group is
 * issued, a data dependency when it is executed. */
#include "internal.h"

MCA_HOT void mca_lsu_init(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    const struct sl_cpu *cpu = m->cpu;
    const struct sl_mca_config *c = &m->config;
    int load = cpu->load_queue != 0 ? cpu->resources[cpu->load_queue].buffer_size : 0;
    int store = cpu->store_queue != 0 ? cpu->resources[cpu->store_queue].buffer_size : 0;

    s->load_queue = c->load_queue != 0 ? c->load_queue : (uint32_t)(load > 0 ? load : 0);
    s->store_queue = c->store_queue != 0 ? c->store_queue : (uint32_t)(store > 0 ? store : 0);
    s->loads = s->stores = 0;
    s->load_group = s->load_barrier = s->store_group = s->store_barrier = MCA_NONE;
    s->last_group_id = 0;
    s->free_group = MCA_NONE;
    s->groups_used = 0;
}

static bool is_executing(const struct mca_group *g)
{
    return g->issued != 0 && g->issued == g->instructions - g->executed;
}

static bool is_executed(const struct mca_group *g)
{
    return g->instructions == g->executed;
}

MCA_HOT bool mca_group_has_users(const struct mca_group *g)
{
    return !is_executed(g) && (g->order_successors != MCA_NONE || g->data_successors != MCA_NONE);
}

static int32_t slot_cycles_left(const struct sl_mca_state *s, uint32_t slot)
{
    return mca_diff(s->slots[slot].done_at, s->now);
}

/* Instructions that memory has held back go on. */
static void release(struct sl_mca_state *s, uint32_t *list, struct mca_set *to)
{
    for (uint32_t slot = *list; slot != MCA_NONE; slot = s->slots[slot].next)
        mca_set_append(to, slot);
    *list = MCA_NONE;
}

static void predecessor_issued(struct sl_mca *m, struct mca_group *g, uint32_t critical_slot, bool data)
{
    struct sl_mca_state *s = m->state;

    g->predecessors_executing++;
    if (!mca_group_waiting(g))
        release(s, &g->waiting, &s->resolved);
    if (mca_pressure(m) && data && critical_slot != MCA_NONE) {
        uint32_t c = (uint32_t)slot_cycles_left(s, critical_slot);
        if (g->critical.cycles < c) {
            g->critical.iid = s->slots[critical_slot].iid;
            g->critical.cycles = c;
        }
    }
}

static void predecessor_executed(struct sl_mca_state *s, struct mca_group *g)
{
    g->predecessors_executing--;
    g->predecessors_executed++;
    if (mca_group_ready(g))
        release(s, &g->blocked, &s->due);
}

static void add_successor(struct sl_mca *m, uint32_t from, uint32_t to, bool data)
{
    struct sl_mca_state *s = m->state;
    struct mca_group *g = &s->groups[from], *next = &s->groups[to];
    uint32_t *list = data ? &g->data_successors : &g->order_successors;
    uint32_t link = to * MCA_GROUP_LINKS + next->n_links;

    if (!data && is_executing(g))
        return;
    next->n_links++;
    next->predecessors++;
    if (is_executing(g))
        predecessor_issued(m, next, g->critical_slot, data);
    s->links[link].group = to;
    s->links[link].next = *list;
    *list = link;
}

static uint32_t new_group(struct sl_mca_state *s)
{
    uint32_t at = s->free_group != MCA_NONE ? s->free_group : s->groups_used++;
    struct mca_group *g = &s->groups[at];

    if (at == s->free_group)
        s->free_group = g->next_free;
    *g = (struct mca_group){ .id = ++s->last_group_id, .instructions = 1, .order_successors = MCA_NONE,
                             .data_successors = MCA_NONE, .critical_slot = MCA_NONE, .waiting = MCA_NONE, .blocked = MCA_NONE };
    return at;
}

static uint32_t group_id(const struct sl_mca_state *s, uint32_t group)
{
    return group == MCA_NONE ? 0 : s->groups[group].id;
}

static void free_group(struct sl_mca_state *s, uint32_t at)
{
    s->groups[at].id = 0;
    s->groups[at].next_free = s->free_group;
    s->free_group = at;
}

/* A group that only lost instructions keep from being executed can be forgotten once nothing can refer to it. */
static void forget(struct sl_mca_state *s, uint32_t at)
{
    struct mca_group *g;

    if (at == MCA_NONE || at == s->load_group || at == s->load_barrier || at == s->store_group || at == s->store_barrier)
        return;
    g = &s->groups[at];
    if (g->id != 0 && g->lost != 0 && g->executed + g->lost == g->instructions)
        free_group(s, at);
}

static void set_current(struct sl_mca_state *s, uint32_t *current, uint32_t group)
{
    uint32_t old = *current;

    *current = group;
    forget(s, old);
}

static uint32_t last_load(const struct sl_mca_state *s)
{
    return group_id(s, s->load_group) >= group_id(s, s->load_barrier) ? s->load_group : s->load_barrier;
}

static uint32_t dispatch_store(struct sl_mca *m, const struct sl_mca_insn *insn)
{
    struct sl_mca_state *s = m->state;
    uint32_t n = new_group(s), d = last_load(s);

    if (d != MCA_NONE)
        add_successor(m, d, n, m->config.may_alias);
    if (s->store_barrier != MCA_NONE)
        add_successor(m, s->store_barrier, n, true);
    if (s->store_group != MCA_NONE && s->store_group != s->store_barrier)
        add_successor(m, s->store_group, n, m->config.may_alias);
    set_current(s, &s->store_group, n);
    if (insn->store_barrier)
        set_current(s, &s->store_barrier, n);
    if (insn->may_load) {
        set_current(s, &s->load_group, n);
        if (insn->load_barrier)
            set_current(s, &s->load_barrier, n);
    }
    return n;
}

static uint32_t dispatch_load(struct sl_mca *m, const struct sl_mca_insn *insn)
{
    struct sl_mca_state *s = m->state;
    uint32_t d = last_load(s), n;

    if (!insn->load_barrier && d != MCA_NONE && s->load_barrier != d &&
        group_id(s, d) > group_id(s, s->store_group) && !is_executing(&s->groups[d])) {
        s->groups[s->load_group].instructions++;
        return s->load_group;
    }
    n = new_group(s);
    if (m->config.may_alias && s->store_group != MCA_NONE)
        add_successor(m, s->store_group, n, true);
    if (insn->load_barrier) {
        if (d != MCA_NONE)
            add_successor(m, d, n, true);
    } else if (s->load_barrier != MCA_NONE) {
        add_successor(m, s->load_barrier, n, true);
    }
    set_current(s, &s->load_group, n);
    if (insn->load_barrier)
        set_current(s, &s->load_barrier, n);
    return n;
}

MCA_HOT uint32_t mca_lsu_dispatch(struct sl_mca *m, const struct sl_mca_insn *insn)
{
    struct sl_mca_state *s = m->state;

    s->loads += insn->may_load;
    s->stores += insn->may_store;
    return insn->may_store ? dispatch_store(m, insn) : dispatch_load(m, insn);
}

MCA_HOT void mca_lsu_issued(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_group *g = &s->groups[s->slots[slot].group];

    g->issued++;
    if (mca_pressure(m) && (g->critical_slot == MCA_NONE || slot_cycles_left(s, g->critical_slot) < slot_cycles_left(s, slot)))
        g->critical_slot = slot;
    if (!is_executing(g))
        return;
    for (uint32_t l = g->order_successors; l != MCA_NONE; l = s->links[l].next) {
        predecessor_issued(m, &s->groups[s->links[l].group], MCA_NONE, false);
        predecessor_executed(s, &s->groups[s->links[l].group]);
    }
    for (uint32_t l = g->data_successors; l != MCA_NONE; l = s->links[l].next)
        predecessor_issued(m, &s->groups[s->links[l].group], g->critical_slot, true);
    s->wait_dirty = s->pending_dirty = true;
}

static void drop_current(struct sl_mca_state *s, uint32_t at)
{
    if (s->load_group == at)
        s->load_group = MCA_NONE;
    if (s->load_barrier == at)
        s->load_barrier = MCA_NONE;
    if (s->store_group == at)
        s->store_group = MCA_NONE;
    if (s->store_barrier == at)
        s->store_barrier = MCA_NONE;
}

MCA_HOT void mca_lsu_executed(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    uint32_t at = s->slots[slot].group;
    struct mca_group *g = &s->groups[at];

    g->issued--;
    g->executed++;
    if (g->critical_slot == slot)
        g->critical_slot = MCA_NONE;
    if (!is_executed(g)) {
        forget(s, at);
        return;
    }
    for (uint32_t l = g->data_successors; l != MCA_NONE; l = s->links[l].next)
        predecessor_executed(s, &s->groups[s->links[l].group]);
    s->wait_dirty = s->pending_dirty = true;
    drop_current(s, at);
    free_group(s, at);
}

/* The reference forgot this instruction while it executed (chapter 11): its group never becomes executed. */
MCA_HOT void mca_lsu_lost(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_group *g = &s->groups[s->slots[slot].group];

    g->lost++;
    if (g->critical_slot == slot)
        g->critical_slot = MCA_NONE;
    forget(s, s->slots[slot].group);
}

MCA_HOT void mca_lsu_retired(struct sl_mca_state *s, const struct sl_mca_insn *insn)
{
    s->loads -= insn->may_load;
    s->stores -= insn->may_store;
}

/* Waiting groups watch their critical predecessor come nearer. */
MCA_HOT void mca_lsu_cycle(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    if (!mca_pressure(m))
        return;
    for (uint32_t i = 0; i < s->groups_used; i++) {
        struct mca_group *g = &s->groups[i];
        if (g->id != 0 && mca_group_waiting(g) && g->critical.cycles != 0)
            g->critical.cycles--;
    }
}
