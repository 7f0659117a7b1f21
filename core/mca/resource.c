/* SPDX-License-Identifier: Apache-2.0 */
/* Resource manager: units, groups, round-robin selection, buffers (chapter 9). */
#include "internal.h"

static bool is_ready(const struct sl_mca_state *s, const struct mca_unit *u, unsigned n)
{
    uint64_t ready = mca_ready(s, u);

    if (!mca_is_available(u))
        return false;
    return n <= 1 ? ready != 0 || n == 0 : sl_popcount64(ready) >= n;
}

/* Groups that no descriptor of the block uses need not follow their members. */
static uint64_t used_groups(const struct sl_mca_state *s)
{
    uint64_t used = 0, before;

    for (uint32_t i = 0; i < s->n_descs; i++)
        for (unsigned k = 0; k < s->descs[i].n_resources; k++)
            used |= (uint64_t)1 << s->descs[i].resources[k].state;
    do {
        before = used;
        for (uint64_t g = used; g != 0; g &= g - 1)
            if (s->units[sl_ctz64(g)].is_group)
                used |= s->units[sl_ctz64(g)].size_mask;
    } while (used != before);
    return used;
}

MCA_HOT void mca_resource_demands(struct sl_mca_state *s)
{
    uint64_t used = used_groups(s);

    for (unsigned i = 0; i < MCA_MAX_RESOURCES; i++)
        s->units[i].groups &= used;
    for (uint32_t i = 0; i < s->n_descs; i++) {
        const struct sl_mca_desc *desc = &s->descs[i];
        s->demands[i].simple = !desc->overlap;
        s->demands[i].oldest = s->demands[i].youngest = MCA_NONE;
        for (unsigned k = 0; k < desc->n_resources && MCA_HAS_PLAIN; k++) {
            const struct sl_mca_resource *e = &desc->resources[k];
            if (s->units[e->state].is_group)
                s->demands[i].groups |= (uint64_t)1 << e->state;
            else
                s->demands[i].units |= (uint64_t)1 << e->state;
            s->demands[i].simple &= e->units == 1 && !e->reserved;
        }
    }
}

MCA_HOT void mca_resource_init(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    const struct sl_cpu *cpu = m->cpu;

    s->unit_mask = s->reserved_groups = s->reserved_buffers = 0;
    s->available_buffers = ~(uint64_t)0;
    s->n_busy = s->n_brief = 0;
    s->brief_states = 0;
    s->buffered = !m->in_order;
    s->ready_states = 0;
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        const struct sl_proc_resource *res = &cpu->resources[i];
        uint64_t mask = s->masks[i], bit = (uint64_t)1 << sl_msb64(mask);
        struct mca_unit *u = &s->units[sl_msb64(mask)];

        u->mask = mask;
        u->is_group = res->is_group != 0;
        u->size_mask = u->is_group ? mask ^ bit : ((uint64_t)1 << (res->n_units & 63u)) - 1u;
        u->num_units = u->is_group ? 1 : (uint8_t)sl_popcount64(u->size_mask);
        u->next = u->size_mask;
        u->ready = u->is_group ? 0 : u->size_mask;
        u->removed = u->groups = 0;
        u->buffer_size = res->buffer_size;
        u->slots = res->buffer_size > 0 ? (uint32_t)res->buffer_size : 0;
        u->resource = (uint8_t)i;
        u->unavailable = false;
        if (!u->is_group) {
            s->unit_mask |= mask;
            s->ready_states |= u->size_mask != 0 ? mask : 0;
        }
    }
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        const struct sl_proc_resource *res = &cpu->resources[i];
        for (unsigned k = 0; res->is_group && k < res->n_units; k++)
            s->units[sl_msb64(s->masks[cpu->members[res->members + k]])].groups |= (uint64_t)1 << sl_msb64(s->masks[i]);
    }
}

/* Highest ready unit at or below the last one used; `next` remembers which. 0 when nothing is ready. */
static uint64_t strategy_select(struct mca_unit *u, uint64_t ready)
{
    uint64_t c = ready & u->next;

    if (c == 0) {
        u->next = u->size_mask ^ u->removed;
        u->removed = 0;
        c = ready & u->next;
    }
    if (c == 0) {
        u->next = u->size_mask;
        c = ready & u->next;
    }
    if (c == 0)
        return 0;
    c = (uint64_t)1 << sl_msb64(c);
    u->next &= c | (c - 1);
    return c;
}

static void strategy_used(struct mca_unit *u, uint64_t bit)
{
    if (bit > u->next) {
        u->removed |= bit;
        return;
    }
    u->next &= ~bit;
    if (u->next == 0) {
        u->next = u->size_mask ^ u->removed;
        u->removed = 0;
    }
}

/* The groups of a unit that has become busy learn that it was used. */
static void tell_groups(struct sl_mca_state *s, const struct mca_unit *u)
{
    for (uint64_t g = u->groups; g != 0; g &= g - 1)
        strategy_used(&s->units[sl_ctz64(g)], u->mask);
}

static void toggle_odd(struct sl_mca_state *s, const struct mca_unit *u)
{
    for (uint64_t g = u->groups; g != 0; g &= g - 1)
        s->units[sl_ctz64(g)].ready ^= u->mask;
}

static void use_unit(struct sl_mca_state *s, struct mca_unit *u, uint64_t unit)
{
    u->ready ^= unit;
    if (u->num_units > 1)
        strategy_used(u, unit);
    if (u->ready != 0)
        return;
    if (unit == 0)
        toggle_odd(s, u);
    s->ready_states &= ~u->mask;
    tell_groups(s, u);
}

static void release_unit(struct sl_mca_state *s, struct mca_unit *u, uint64_t unit)
{
    if (unit == 0 && u->ready == 0)
        toggle_odd(s, u);
    u->ready ^= unit;
    if (u->ready != 0)
        s->ready_states |= u->mask;
}

static void append_busy(struct sl_mca_state *s, unsigned state, unsigned unit, uint32_t cycles)
{
    struct mca_busy b = { s->now + cycles, (uint8_t)state, (uint8_t)unit,
                          unit >= MCA_UNIT_NONE || (s->buffered && s->units[state].buffer_size == 0) };

    if (cycles == 1) {
        s->brief[s->n_brief++] = b;
        return;
    }
    if (s->n_busy == 0 || mca_diff(s->next_release, b.release_at) > 0)
        s->next_release = b.release_at;
    s->busy[s->n_busy++] = b;
}

static bool find_busy(struct mca_busy *list, uint32_t n, unsigned state, unsigned unit, uint32_t *at)
{
    for (*at = 0; *at < n; ++*at)
        if (list[*at].state == state && list[*at].unit == unit)
            return true;
    return false;
}

/* Odd cases only: a group reserved, or a unit used, that may be so already. The cycles add up. */
static void extend_busy(struct sl_mca_state *s, unsigned state, unsigned unit, uint32_t cycles)
{
    uint32_t at;

    if (find_busy(s->busy, s->n_busy, state, unit, &at)) {
        s->busy[at].release_at += cycles;
        return;
    }
    if (find_busy(s->brief, s->n_brief, state, unit, &at)) {
        s->brief[at] = s->brief[--s->n_brief];
        cycles++;
    }
    append_busy(s, state, unit, cycles);
}

static void issue_unit(struct sl_mca_state *s, const struct sl_mca_resource *e)
{
    struct mca_unit *u = &s->units[e->state];
    struct sl_mca_use *use = &s->uses[s->n_uses++];
    uint64_t unit;

    while (u->is_group) {
        uint64_t member = strategy_select(u, mca_ready(s, u));
        if (member == 0) {
            s->undefined = true;
            return;
        }
        u = &s->units[sl_ctz64(member)];
    }
    unit = u->num_units > 1 ? strategy_select(u, u->ready) : u->ready;
    if (unit == 0) {
        s->quirks |= SL_MCA_QUIRK_BUSY_UNIT;
        if (u->num_units > 1) {
            s->undefined = true;
            return;
        }
    }
    use->resource = u->resource;
    use->unit = unit != 0 ? (uint8_t)sl_ctz64(unit) : (uint8_t)MCA_UNIT_NONE;
    use->cycles = e->cycles;
    use->denominator = 1;
    use_unit(s, u, unit);
    if (MCA_HAS_PLAIN && e->cycles == 1 && unit != 0 && u->num_units == 1 && (!s->buffered || u->buffer_size != 0))
        s->brief_states |= u->mask;
    else if (unit != 0)
        append_busy(s, sl_ctz64(u->mask), use->unit, e->cycles);
    else
        extend_busy(s, sl_ctz64(u->mask), use->unit, e->cycles);
}

MCA_HOT void mca_resource_issue(struct sl_mca_state *s, const struct sl_mca_desc *desc)
{
    s->n_uses = 0;
    for (unsigned i = 0; i < desc->n_resources && !s->undefined; i++) {
        const struct sl_mca_resource *e = &desc->resources[i];
        if (e->reserved) {
            s->units[e->state].unavailable = true;
            s->reserved_groups ^= (uint64_t)1 << e->state;
            extend_busy(s, e->state, MCA_UNIT_GROUP, e->cycles);
        } else {
            issue_unit(s, e);
        }
    }
}

static void expire(struct sl_mca_state *s, const struct mca_busy *b)
{
    struct mca_unit *u = &s->units[b->state];
    uint64_t bit = (uint64_t)1 << b->state;

    if (!b->odd) {
        u->ready ^= (uint64_t)1 << b->unit;
        s->ready_states |= bit;
        return;
    }
    if (!u->is_group)
        release_unit(s, u, b->unit == MCA_UNIT_NONE ? 0 : (uint64_t)1 << b->unit);
    u->unavailable = false;
    if (u->is_group)
        s->reserved_groups ^= bit;
    if (u->buffer_size == 0)
        s->reserved_buffers ^= bit;
}

MCA_HOT void mca_resource_cycle(struct sl_mca_state *s)
{
    uint32_t next = 0;

    s->ready_states |= s->brief_states;
    for (uint64_t brief = s->brief_states; MCA_HAS_PLAIN && brief != 0; brief &= brief - 1)
        s->units[sl_ctz64(brief)].ready = 1;
    s->brief_states = 0;
    for (uint32_t i = 0; i < s->n_brief; i++)
        expire(s, &s->brief[i]);
    s->n_brief = 0;
    if (s->n_busy == 0 || !mca_reached(s, s->next_release))
        return;
    for (uint32_t i = 0; i < s->n_busy;) {
        struct mca_busy *b = &s->busy[i];
        if (mca_reached(s, b->release_at)) {
            expire(s, b);
            *b = s->busy[--s->n_busy];
            continue;
        }
        if (i == 0 || mca_diff(next, b->release_at) > 0)
            next = b->release_at;
        i++;
    }
    s->next_release = next;
}

/* Do the groups still have a member each once the explicit units are taken? (end of 9.5) */
static uint64_t check_overlap(const struct sl_mca_state *s, const struct sl_mca_desc *desc)
{
    uint8_t left[MCA_MAX_RESOURCES];
    uint64_t known = 0, consumed = 0, busy = 0;

    for (unsigned i = 0; i < desc->n_resources; i++) {
        const struct sl_mca_resource *e = &desc->resources[i];
        const struct mca_unit *u = &s->units[e->state];
        if (u->is_group)
            continue;
        left[e->state] = (uint8_t)(sl_popcount64(mca_ready(s, u)) - (e->reserved ? 0u : e->units));
        known |= u->mask;
        if (left[e->state] == 0)
            consumed |= u->mask;
    }
    for (unsigned i = 0; i < desc->n_resources; i++) {
        const struct sl_mca_resource *e = &desc->resources[i];
        const struct mca_unit *u = &s->units[e->state];
        uint64_t members = mca_ready(s, u) & ~consumed, bit;
        unsigned k;

        if (!u->is_group || e->reserved)
            continue;
        if (members == 0) {
            busy |= mca_ready(s, u);
            continue;
        }
        k = sl_msb64(members);
        bit = (uint64_t)1 << k;
        if ((known & bit) == 0) {
            left[k] = (uint8_t)sl_popcount64(mca_ready(s, &s->units[k]));
            known |= bit;
        }
        if (left[k] == 0)
            busy |= bit;
        else if (--left[k] == 0)
            consumed |= bit;
    }
    return busy;
}

MCA_HOT uint64_t mca_resource_check(struct sl_mca_state *s, const struct sl_mca_desc *desc)
{
    uint64_t busy = 0;

    for (unsigned i = 0; i < desc->n_resources; i++) {
        const struct sl_mca_resource *e = &desc->resources[i];
        if (!is_ready(s, &s->units[e->state], e->reserved ? 0u : e->units))
            busy |= e->mask;
    }
    busy &= s->unit_mask;
    if (busy != 0)
        return busy;
    busy = desc->used_groups & s->reserved_groups;
    if (!desc->overlap || busy != 0)
        return busy;
    return check_overlap(s, desc);
}
