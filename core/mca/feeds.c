/* SPDX-License-Identifier: Apache-2.0 */
/* Dependencies of plain blocks. A loop body without branches inside, renaming without move elimination: what a read sees
 * is the last write before it, which is a fixed number of instructions back. So the block says once who feeds whom, and
 * the machine keeps no register map. */
#include "sets.h"

#if MCA_HAS_PLAIN

/* The write that defines each class at this point of the walk; of struct mca_map: iid, slot (position), write, latency. */
static void note(struct sl_mca_state *s, uint32_t iid, uint32_t position, unsigned w)
{
    const struct mca_write *write = &s->writes[s->protos[position].writes + w];
    const uint16_t *list = &s->class_lists[write->classes];

    for (unsigned i = 1; i <= list[0] && !write->shadowed; i++)
        s->map[list[i]] = (struct mca_map){ .iid = iid, .slot = position, .latency = write->latency, .write = (uint16_t)w,
                                            .write_id = write->write_id, .kind = MCA_MAP_LIVE };
}

static void append(struct sl_mca *m, uint32_t iid, const struct mca_map *map, int32_t ahead)
{
    struct sl_mca_state *s = m->state;

    if (s->n_feeds < s->max_feeds)
        s->feeds[s->n_feeds] = (struct mca_feed){ .from = m->in_order ? map->slot : iid - map->iid,
                                                  .cycles = (int16_t)((int32_t)map->latency - ahead) };
    s->n_feeds++;
}

/* Has one of the classes before this one the same producer? */
static bool is_repeated(const struct sl_mca_state *s, const uint16_t *classes, unsigned i)
{
    const struct mca_map *map = &s->map[classes[i]];

    for (unsigned k = 0; k < i; k++)
        if (s->map[classes[k]].iid == map->iid && s->map[classes[k]].write == map->write && s->map[classes[k]].kind == map->kind)
            return true;
    return false;
}

static void find_read(struct sl_mca *m, uint32_t iid, const struct mca_read *read)
{
    struct sl_mca_state *s = m->state;
    const uint16_t *list = &s->class_lists[read->classes];
    uint32_t first = s->n_feeds;

    for (unsigned i = 0; i < list[0]; i++) {
        const struct mca_map *map = &s->map[list[i + 1u]];
        if (map->kind == MCA_MAP_LIVE && !is_repeated(s, list + 1, i))
            append(m, iid, map, mca_advance_of(m, read, map->write_id));
    }
    for (uint32_t f = first; f + 1u < s->n_feeds && f < s->max_feeds; f++)
        s->feeds[f].more = true;
}

static void find_merge(struct sl_mca *m, uint32_t iid, const struct mca_write *write)
{
    const struct mca_map *map = &m->state->map[write->root_class];

    if (write->root_class != MCA_NO_CLASS && map->kind == MCA_MAP_LIVE && map->iid != iid)
        append(m, iid, map, mca_own_latency(write));
}

MCA_HOT bool mca_feeds_find(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t n = s->n_insns;

    for (uint32_t iid = 0, position = 0; iid < 2u * n; iid++, position = position + 1u == n ? 0 : position + 1u) {
        struct mca_proto *p = &s->protos[position];
        p->feeds = s->n_feeds;
        p->issued_at = 3u << 30; /* long before cycle 0 */
        for (unsigned r = 0; r < p->n_reads && iid >= n; r++)
            find_read(m, iid, &s->reads[p->reads + r]);
        for (unsigned w = 0; w < p->n_writes; w++) {
            const struct mca_write *write = &s->writes[p->writes + w];
            if (write->partial && iid >= n && !m->in_order)
                find_merge(m, iid, write);
            note(s, iid, position, w);
        }
        p->n_feeds = s->n_feeds - p->feeds;
    }
    for (uint32_t c = 0; c < s->n_classes; c++)
        s->map[c] = (struct mca_map){ .kind = MCA_MAP_EMPTY };
    return s->n_feeds <= s->max_feeds;
}

static void wait_to_issue(struct sl_mca_state *s, uint32_t slot, uint32_t from, int32_t cycles)
{
    struct mca_slot *t = &s->slots[slot], *producer = &s->slots[from];
    uint32_t node = slot * s->node_stride + t->n_nodes++;

    s->nodes[node] = (struct mca_node){ producer->waiters, slot, cycles, 0 };
    producer->waiters = node;
    t->outstanding++;
    s->most_users = sl_max_u32(s->most_users, ++producer->users);
}

/* Out of order, at dispatch. A producer that has retired has its result there. */
MCA_HOT void mca_feeds_dispatch(struct sl_mca_state *s, uint32_t slot)
{
    struct mca_slot *t = &s->slots[slot];
    const struct mca_proto *p = mca_proto_of(s, t);
    const struct mca_feed *feed = &s->feeds[p->feeds], *end = feed + p->n_feeds;
    uint32_t older = s->slot_count - 1u, ready_at = t->ready_at;

    for (; feed != end; feed++) {
        uint32_t from = slot - feed->from;
        int32_t cycles = feed->cycles;
        if (feed->from > older)
            continue;
        from = slot < feed->from ? from + s->n_slots : from;
        if (s->slots[from].issued)
            ready_at = mca_later(s->slots[from].issued_at + (uint32_t)cycles, ready_at);
        else
            wait_to_issue(s, slot, from, cycles);
    }
    t->ready_at = ready_at;
}

/* Out of order, at issue: tells those who wait. */
MCA_HOT void mca_feeds_issued(struct sl_mca *m, uint32_t slot)
{
    struct sl_mca_state *s = m->state;

    for (uint32_t n = s->slots[slot].waiters; n != MCA_NONE; n = s->nodes[n].next) {
        const struct mca_node *node = &s->nodes[n];
        struct mca_slot *user = &s->slots[node->slot];
        user->ready_at = mca_later(s->now + (uint32_t)node->advance, user->ready_at);
        if (--user->outstanding == 0)
            mca_sets_resolved(m, node->slot);
    }
}

/* In order: cycles until the first read that has to wait has its operand; 0 when none has to. */
MCA_HOT uint32_t mca_feeds_hazard(const struct sl_mca_state *s, const struct mca_proto *p)
{
    const struct mca_feed *feed = &s->feeds[p->feeds], *end = feed + p->n_feeds;
    int32_t longest = 0;

    for (; feed != end; feed++) {
        int32_t cycles = mca_diff(s->protos[feed->from].issued_at, s->now) + feed->cycles;
        longest = cycles > longest ? cycles : longest;
        if (!feed->more && longest > 0)
            return (uint32_t)longest;
    }
    return 0;
}
#endif
