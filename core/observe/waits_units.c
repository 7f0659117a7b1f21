/* SPDX-License-Identifier: Apache-2.0 */
/* Waits: who holds units and buffers. */
#include "waits.h"

/* One for each unit, one for a group. */
static uint32_t holders_of(const struct sl_proc_resource *resource)
{
    return resource->is_group ? 1u : resource->n_units;
}

uint32_t sl_waits_count_holders(const struct sl_cpu *cpu)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < cpu->n_resources; i++)
        n += holders_of(&cpu->resources[i]);
    return n;
}

void sl_waits_number_holders(struct sl_obs_waits *o)
{
    const struct sl_cpu *cpu = o->m->cpu;
    uint32_t n = 0;

    for (unsigned i = 0; i < cpu->n_resources; i++) {
        o->tables->first_holder[i] = (uint16_t)n;
        n += holders_of(&cpu->resources[i]);
    }
    o->tables->first_holder[cpu->n_resources] = (uint16_t)n;
}

static void take(struct sl_obs_waits *o, unsigned resource, unsigned unit, uint32_t iid, uint32_t until)
{
    uint32_t at = o->tables->first_holder[resource] + unit;

    if (at < o->tables->first_holder[resource + 1u])
        o->holders[at] = (struct sl_wait_holder){iid, ++o->uses, until};
}

/* ISSUED. Reserved groups are among the resources, not among the uses; a second reservation adds its cycles. */
void sl_waits_note_uses(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    const struct sl_mca_desc *desc = e->insn->desc;

    for (unsigned i = 0; i < e->n_uses; i++)
        take(o, e->uses[i].resource, e->uses[i].unit, e->iid, e->cycle + e->uses[i].cycles);
    for (unsigned i = 0; i < desc->n_resources && e->n_uses != 0; i++) {
        const struct sl_mca_resource *r = &desc->resources[i];

        if (r->reserved)
            take(o, r->resource, 0, e->iid,
                 sl_max_u32(e->cycle, o->holders[o->tables->first_holder[r->resource]].until) + r->cycles);
    }
}

void sl_waits_note_buffers(struct sl_obs_waits *o, const struct sl_mca_event *e)
{
    for (uint64_t bits = e->mask; bits != 0; bits &= bits - 1u)
        o->tables->reserved_by[sl_ctz64(bits)] = e->iid;
}

/* The latest taking of one of the resource's units that are taken now. */
static void latest(const struct sl_obs_waits *o, unsigned resource, struct sl_wait_holder *last)
{
    for (unsigned i = o->tables->first_holder[resource]; i < o->tables->first_holder[resource + 1u]; i++)
        if ((int32_t)(o->holders[i].until - o->now) > 0 && o->holders[i].at > last->at)
            *last = o->holders[i];
}

/* When, as a count, was the resource, or a member of the group, taken last, and by whom? Reserved: the group as a
 * whole. */
static uint32_t taken_since(const struct sl_obs_waits *o, unsigned resource, bool reserved, uint32_t *by)
{
    uint64_t members =
        reserved ? 0 : o->tables->masks[resource] & ~((uint64_t)1 << sl_msb64(o->tables->masks[resource]));
    struct sl_wait_holder last = {SL_MCA_NOBODY, 0, 0};

    if (members == 0)
        latest(o, resource, &last);
    for (; members != 0; members &= members - 1u)
        latest(o, o->tables->resource_of[sl_ctz64(members)], &last);
    *by = last.by;
    return last.at;
}

/* All entries by themselves are ready: a group that the instruction uses through its members is reserved for somebody,
 * or its entries want the same last members of overlapping groups. */
static struct sl_wait_reason shared_group(const struct sl_obs_waits *o, const struct sl_mca_desc *desc, uint64_t busy)
{
    struct sl_wait_reason reason = {SL_MCA_NOBODY, 0, SL_WAIT_OTHER};
    uint64_t reserved = busy & desc->used_groups, bits = reserved != 0 ? reserved : desc->used_groups;

    for (uint32_t first = 0; busy != 0 && bits != 0; bits &= bits - 1u) {
        unsigned resource = o->tables->resource_of[sl_ctz64(bits)];
        uint32_t by, since = taken_since(o, resource, reserved != 0, &by);

        if (reason.cause != SL_WAIT_OTHER && since >= first)
            continue;
        first = since;
        reason = (struct sl_wait_reason){by, (uint16_t)resource, SL_WAIT_UNIT};
    }
    return reason;
}

/* Units only get busier within a cycle: what was taken first was taken when the instruction asked. */
struct sl_wait_reason sl_waits_busy_unit(const struct sl_obs_waits *o, uint32_t position)
{
    const struct sl_mca_desc *desc = o->m->insns[position].desc;
    struct sl_wait_reason reason = {SL_MCA_NOBODY, 0, SL_WAIT_OTHER};
    uint32_t first = 0;

    for (unsigned i = 0; i < desc->n_resources; i++) {
        enum sl_mca_entry entry = sl_mca_peek_entry(o->m, position, i);
        uint32_t by, since;

        if (entry == SL_MCA_ENTRY_READY)
            continue;
        since = taken_since(o, desc->resources[i].resource, entry == SL_MCA_ENTRY_RESERVED, &by);
        if (reason.cause != SL_WAIT_OTHER && since >= first)
            continue;
        first = since;
        reason = (struct sl_wait_reason){by, desc->resources[i].resource, SL_WAIT_UNIT};
    }
    return reason.cause != SL_WAIT_OTHER ? reason : shared_group(o, desc, sl_mca_peek_busy(o->m, position));
}

uint32_t sl_waits_oldest_in_buffer(struct sl_obs_waits *o, unsigned bit)
{
    uint32_t iid = sl_max_u32(o->tables->oldest_in[bit], o->next_retire);

    for (; iid != o->next; iid++) {
        uint64_t buffers = o->m->insns[iid % o->m->n_insns].desc->used_buffers;

        if (!sl_waits_flight(o, iid)->is_issued && ((buffers >> bit) & 1u))
            break;
    }
    o->tables->oldest_in[bit] = iid;
    return iid != o->next ? iid : SL_MCA_NOBODY;
}
