/* SPDX-License-Identifier: Apache-2.0 */
/* Register renaming and dependencies (chapter 7). The last definition is kept per cover class instead of per
 * register: registers that every write of the block defines together share one entry. */
#include "sets.h"

static const uint16_t *list_at(const struct sl_mca_state *s, uint32_t offset, unsigned *n)
{
    *n = s->class_lists[offset];
    return &s->class_lists[offset + 1];
}

/* Cycles until the write is there; MCA_UNKNOWN while its instruction is not issued. The reference counts down only
 * while the instruction executes. */
MCA_HOT int32_t mca_cycles_left(const struct sl_mca_state *s, const struct mca_slot *slot, uint32_t latency)
{
    uint32_t until;
    int32_t left;

    if (!slot->issued)
        return MCA_UNKNOWN;
    until = mca_diff(s->now, slot->done_at) < 0 ? s->now : slot->done_at;
    left = (int32_t)(latency - (until - slot->issued_at));
    return left > MCA_UNKNOWN ? left : MCA_UNKNOWN;
}

MCA_HOT int32_t mca_advance_of(const struct sl_mca *m, const struct mca_read *read, uint16_t write_id)
{
    const struct sl_read_adv *e = &m->cpu->read_adv[read->adv];

    for (unsigned i = 0; i < read->n_adv; i++, e++)
        if (e->write_id == 0 || e->write_id == write_id)
            return e->cycles;
    return 0;
}

MCA_HOT int32_t mca_map_cycles_left(const struct sl_mca_state *s, const struct mca_map *map)
{
    if (map->kind == MCA_MAP_LOST)
        return (int32_t)map->wb_cycle;
    return mca_cycles_left(s, &s->slots[map->slot], map->latency);
}

/* Without commits an entry is not cleared when its instruction retires: it is stale once the slot is used again,
 * and before that its cycles are over, which is as good as no entry. */
static bool is_live(const struct sl_mca_state *s, const struct mca_map *map)
{
    return (map->kind == MCA_MAP_LIVE && s->slots[map->slot].iid == map->iid) || map->kind == MCA_MAP_LOST;
}

/* Definitions that a read sees, oldest first, each write once; `live` gets those before the committed ones. */
MCA_HOT unsigned mca_collect(struct sl_mca *m, const struct mca_read *read, unsigned *live)
{
    struct sl_mca_state *s = m->state;
    struct mca_map **out = s->scratch;
    unsigned n_classes, n = 0;
    const uint16_t *classes = list_at(s, mca_has_moves(s) ? mca_read_classes(s, read) : read->classes, &n_classes);

    if (n_classes == 1 && is_live(s, &s->map[classes[0]])) { /* nearly always */
        out[0] = &s->map[classes[0]];
        return *live = 1;
    }
    for (unsigned i = 0; i < n_classes; i++) {
        struct mca_map *map = &s->map[classes[i]];
        unsigned at = n;
        if (!is_live(s, map))
            continue;
        while (at > 0 && (mca_diff(out[at - 1]->iid, map->iid) > 0 ||
                          (out[at - 1]->iid == map->iid && out[at - 1]->write > map->write)))
            at--;
        if (at > 0 && out[at - 1]->iid == map->iid && out[at - 1]->write == map->write)
            continue;
        for (unsigned k = n++; k > at; k--)
            out[k] = out[k - 1];
        out[at] = map;
    }
    *live = n;
    for (unsigned i = 0; i < n_classes && read->n_adv != 0; i++) {
        struct mca_map *map = &s->map[classes[i]];
        int32_t ra;
        if (map->kind != MCA_MAP_COMMITTED)
            continue;
        ra = mca_advance_of(m, read, map->write_id);
        if (ra < 0 && s->now - map->wb_cycle < (uint32_t)-ra)
            out[n++] = map;
    }
    return n;
}

static inline void not_before(struct mca_slot *t, uint32_t when)
{
    if (mca_diff(when, t->ready_at) > 0)
        t->ready_at = when;
}

/* A predecessor of the slot's operand `which` has been issued: the operand is there in `cycles`. */
static void operand_known(struct sl_mca *m, uint32_t slot, unsigned which, uint32_t iid, uint16_t reg, uint32_t cycles)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];
    uint32_t until = s->now + cycles, ready = until;

    if (which >= s->read_stride)
        ready -= (uint32_t)mca_own_latency(&s->writes[mca_proto_of(s, t)->writes + which - s->read_stride]);
    not_before(t, ready);
    if (mca_pressure(m)) {
        struct mca_crd *crd = &s->crds[slot * (s->read_stride + s->write_stride) + which];
        if (which >= s->read_stride || mca_diff(mca_later(crd->until, s->now), until) < 0)
            *crd = (struct mca_crd){ iid, cycles, until, reg };
    }
}

static void wait_for(struct sl_mca_state *s, uint32_t slot, unsigned which, const struct mca_map *map, int32_t ra)
{
    struct mca_slot *t = &s->slots[slot];
    uint32_t node = slot * s->node_stride + t->n_nodes++;
    uint32_t *head = &s->users[map->slot * s->write_stride + map->write];

    s->nodes[node] = (struct mca_node){ *head, slot, ra, which };
    *head = node;
    t->outstanding++;
    s->most_users = sl_max_u32(s->most_users, ++s->slots[map->slot].users);
}

static uint32_t known_cycles(int32_t left, int32_t ra)
{
    int32_t cycles = left - ra;

    return cycles > 0 ? (uint32_t)cycles : 0;
}

static void add_read(struct sl_mca *m, uint32_t slot, unsigned which, const struct mca_read *read)
{
    struct sl_mca_state *s = m->state;
    unsigned live, n = mca_collect(m, read, &live);

    for (unsigned i = 0; i < n; i++) {
        struct mca_map *map = s->scratch[i];
        int32_t ra = mca_advance_of(m, read, map->write_id);
        int32_t left = i < live ? mca_map_cycles_left(s, map) : 0;
        if (i >= live)
            operand_known(m, slot, which, map->iid, map->reg, (uint32_t)-ra - (s->now - map->wb_cycle));
        else if (left != MCA_UNKNOWN)
            operand_known(m, slot, which, map->iid, map->reg, known_cycles(left, ra));
        else if (map->kind == MCA_MAP_LIVE)
            wait_for(s, slot, which, map, ra);
    }
}

MCA_HOT void mca_add_reads(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_proto *p = mca_proto_of(s, &s->slots[slot]);
    const struct mca_read *read = &s->reads[p->reads];

    if (mca_is_plain(s)) {
        mca_feeds_dispatch(s, slot);
        return;
    }
    for (unsigned i = 0; i < p->n_reads; i++, read++)
        if (!read->independent)
            add_read(m, slot, i, read);
}

/* A partial write waits for the last write of the register it merges into. */
static void merge(struct sl_mca *m, uint32_t slot, unsigned w, const struct mca_write *write)
{
    struct sl_mca_state *s = m->state;
    const struct mca_map *map = &s->map[write->root_class];
    int32_t left;

    if (write->root_class == MCA_NO_CLASS || !is_live(s, map) || map->iid == s->slots[slot].iid)
        return;
    left = mca_map_cycles_left(s, map);
    if (left != MCA_UNKNOWN)
        operand_known(m, slot, s->read_stride + w, map->iid, map->reg, known_cycles(left, 0));
    else if (map->kind == MCA_MAP_LIVE)
        wait_for(s, slot, s->read_stride + w, map, mca_own_latency(write));
}

static void define(struct mca_map *map, const struct mca_slot *t, uint32_t slot, unsigned w, const struct mca_write *write)
{
    map->iid = t->iid;
    map->slot = slot;
    map->latency = write->latency;
    map->write = (uint16_t)w;
    map->write_id = write->write_id;
    map->reg = write->reg;
    map->kind = MCA_MAP_LIVE;
}

MCA_HOT void mca_add_writes(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    struct mca_slot *t = &s->slots[slot];
    const struct mca_proto *p = mca_proto_of(s, t);
    const struct mca_write *write = &s->writes[p->writes];
    uint32_t *users = &s->users[slot * s->write_stride];

    for (unsigned w = 0; w < p->n_writes && !mca_is_plain(s); w++, write++) {
        unsigned n;
        const uint16_t *classes;

        users[w] = MCA_NONE;
        if (write->partial && !m->in_order)
            merge(m, slot, w, write);
        if (write->shadowed || mca_eliminated(t))
            continue;
        classes = list_at(s, write->classes, &n);
        for (unsigned i = 0; i < n; i++)
            define(&s->map[classes[i]], t, slot, w, write);
    }
    if (s->limited && !mca_eliminated(t))
        mca_registers_take(s, t->position);
    if (mca_has_moves(s))
        mca_moves_written(m, t);
}

/* Every class that the slot's writes still define becomes committed, or lost. */
static void leave(struct sl_mca *m, uint32_t slot, uint32_t wb_cycle, bool lost)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];
    const struct mca_proto *p = mca_proto_of(s, t);

    for (unsigned w = 0; w < p->n_writes; w++) {
        const struct mca_write *write = &s->writes[p->writes + w];
        unsigned n;
        const uint16_t *classes = list_at(s, write->classes, &n);

        for (unsigned i = 0; i < n; i++) {
            struct mca_map *map = &s->map[classes[i]];
            if (map->kind != MCA_MAP_LIVE || map->slot != slot || map->iid != t->iid || map->write != w)
                continue;
            map->wb_cycle = lost ? (uint32_t)mca_cycles_left(s, t, write->latency) : wb_cycle;
            map->kind = lost ? MCA_MAP_LOST : MCA_MAP_COMMITTED;
        }
    }
}

/* Retirement. */
MCA_HOT void mca_remove_writes(struct sl_mca *m, uint32_t slot, uint32_t wb_cycle)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];

    if (mca_eliminated(t))
        return;
    if (s->commits)
        leave(m, slot, wb_cycle, false);
    if (s->limited)
        mca_registers_give(s, t->position);
}

/* The in-order stage forgot the instruction: its writes stay as they are for ever. */
MCA_HOT void mca_lose_writes(struct sl_mca *m, uint32_t slot)
{
    leave(m, slot, 0, true);
}

/* Nothing reaches such a size: as good as no limit. */
#define NO_LIMIT ((uint32_t)1 << 30)

static uint32_t file_size(const struct sl_mca *m, unsigned f)
{
    uint32_t size = f == 0 ? m->config.register_file_size : m->cpu->files[f].n_physical;

    return size < NO_LIMIT ? size : 0;
}

static void lane_add(struct mca_lanes *lanes, unsigned f, uint32_t value)
{
    lanes->pair[f / 2u] += (uint64_t)value << (f % 2u * 32u);
}

MCA_HOT void mca_files_init(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    s->limited = false;
    for (unsigned f = 0; f < s->n_files; f++) {
        uint32_t size = file_size(m, f);
        if (size == 0)
            continue;
        s->limited = true;
        lane_add(&s->file_room, f, size + ((uint32_t)1 << 31));
        for (uint32_t i = 0; i < s->n_insns; i++) {
            uint32_t need = s->file_need[i * s->n_files + f];
            lane_add(&s->file_use[i].needs, f, sl_min_u32(need, size));
            lane_add(&s->file_use[i].asks, f, (uint32_t)(need != 0) << 31);
            lane_add(&s->file_use[i].takes, f, s->file_alloc[i * s->n_files + f]);
        }
    }
    for (unsigned f = 1; f < s->n_files; f++) {
        s->files[f].max_moves = m->cpu->files[f].max_moves;
        s->files[f].zero_only = m->cpu->files[f].zero_moves_only != 0;
    }
}

/* Tells the waiting operands behind an instruction that it has been issued. */
MCA_HOT void mca_writes_issued(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_slot *t = &s->slots[slot];
    const struct mca_proto *p = mca_proto_of(s, t);
    const struct mca_write *write = &s->writes[p->writes];
    const uint32_t *users = &s->users[slot * s->write_stride];

    if (mca_is_plain(s)) {
        mca_feeds_issued(m, slot);
        return;
    }
    for (unsigned w = 0; w < p->n_writes; w++, write++) {
        for (uint32_t n = users[w]; n != MCA_NONE; n = s->nodes[n].next) {
            const struct mca_node *node = &s->nodes[n];
            struct mca_slot *user = &s->slots[node->slot];
            if (mca_pressure(m))
                operand_known(m, node->slot, node->which, t->iid, write->reg,
                              known_cycles((int32_t)write->latency, node->which < s->read_stride ? node->advance : 0));
            else
                not_before(user, s->now + write->latency - (uint32_t)node->advance);
            if (--user->outstanding == 0)
                mca_sets_resolved(m, node->slot);
        }
    }
}

MCA_HOT bool mca_raw_hazard(struct sl_mca *m, const struct mca_read *read, int32_t *cycles)
{
    struct sl_mca_state *s = m->state;
    unsigned live, n = mca_collect(m, read, &live);
    uint16_t reg = 0;
    int32_t c = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct mca_map *map = s->scratch[i];
        int32_t ra = mca_advance_of(m, read, map->write_id);
        int32_t k;
        if (i < live) {
            int32_t left = mca_map_cycles_left(s, map);
            if (left == MCA_UNKNOWN) {
                if (reg == 0) {
                    reg = map->reg;
                    c = MCA_UNKNOWN;
                }
                continue;
            }
            k = left - ra;
            if (k <= 0)
                continue;
        } else {
            k = -ra - (int32_t)(s->now - map->wb_cycle);
        }
        if (c < k) {
            reg = map->reg;
            c = k;
        }
    }
    *cycles = c;
    return reg != 0;
}
