/* SPDX-License-Identifier: Apache-2.0 */
/* The simulation's slots as a Top-Down tree. Retiring is what was dispatched: nothing is simulated that does not
 * retire. Where something is full, the slot belongs to what the instruction in the way waits for; but queues of loads
 * and stores and register files are causes of their own. */
#include "waits.h"

static enum sl_slot_node node_of_state(const struct sl_obs_waits *o, const struct sl_wait_charge *c)
{
    switch ((enum sl_wait)c->cause) {
    case SL_WAIT_REGISTER:
        return c->culprit != SL_MCA_NOBODY && o->m->insns[c->culprit].may_load ? SL_NODE_LOAD_RESULTS
                                                                               : SL_NODE_OTHER_RESULTS;
    case SL_WAIT_MEMORY:
        return SL_NODE_MEMORY_ORDER;
    case SL_WAIT_UNIT:
        return SL_NODE_PORTS_UTILIZATION;
    case SL_WAIT_EXECUTING:
        return SL_NODE_EXECUTION_LATENCY;
    case SL_WAIT_WRITE_BACK:
        return SL_NODE_WRITE_BACK_ORDER;
    case SL_WAIT_PIPELINE:
    case SL_WAIT_RETIRE_ORDER:
    case SL_WAIT_RETIRE_WIDTH:
        return SL_NODE_RETIREMENT;
    default:
        return SL_NODE_UNATTRIBUTED;
    }
}

static enum sl_slot_node node_of(const struct sl_obs_waits *o, const struct sl_wait_charge *c)
{
    switch ((enum sl_wait)c->by) {
    case SL_WAIT_CARRY:
    case SL_WAIT_WIDTH:
    case SL_WAIT_GROUP:
        return SL_NODE_DISPATCH_LIMIT;
    case SL_WAIT_MICRO_OP_QUEUE:
        return SL_NODE_FETCH_BANDWIDTH;
    case SL_WAIT_END:
        return SL_NODE_UNATTRIBUTED;
    case SL_WAIT_LOAD_QUEUE:
        return SL_NODE_LOAD_QUEUE;
    case SL_WAIT_STORE_QUEUE:
        return SL_NODE_STORE_QUEUE;
    case SL_WAIT_REGISTER_FILE:
        return SL_NODE_RENAME;
    case SL_WAIT_HAZARD:
        return SL_NODE_PORTS_UTILIZATION;
    default:
        return node_of_state(o, c);
    }
}

/* In the tree's order; a zero is left out below level 1, but for the two halves of Backend Bound. */
static const uint8_t shown[] = {
    SL_NODE_RETIRING,        SL_NODE_BAD_SPECULATION, SL_NODE_FRONTEND_BOUND,    SL_NODE_FETCH_LATENCY,
    SL_NODE_FETCH_BANDWIDTH, SL_NODE_DISPATCH_LIMIT,  SL_NODE_BACKEND_BOUND,     SL_NODE_MEMORY_BOUND,
    SL_NODE_MEMORY_QUEUES,   SL_NODE_LOAD_QUEUE,      SL_NODE_STORE_QUEUE,       SL_NODE_MEMORY_ORDER,
    SL_NODE_DATA_CACHE,      SL_NODE_CORE_BOUND,      SL_NODE_PORTS_UTILIZATION, SL_NODE_DATA_DEPENDENCIES,
    SL_NODE_LOAD_RESULTS,    SL_NODE_OTHER_RESULTS,   SL_NODE_EXECUTION_LATENCY, SL_NODE_WRITE_BACK_ORDER,
    SL_NODE_RENAME,          SL_NODE_RETIREMENT,      SL_NODE_UNATTRIBUTED};

static bool is_modelled(const struct sl_mca *m, enum sl_slot_node node)
{
    if (node == SL_NODE_FETCH_BANDWIDTH)
        return !m->in_order && m->config.micro_op_queue_size != 0;
    return node != SL_NODE_BAD_SPECULATION && node != SL_NODE_FETCH_LATENCY && node != SL_NODE_DATA_CACHE;
}

static void add(struct sl_slot_tree *tree, const struct sl_mca *m, enum sl_slot_node node, uint64_t slots)
{
    struct sl_slot_value *v;
    bool modelled = is_modelled(m, node);

    if (modelled && slots == 0 && sl_slot_node_level(node) > 1 && node != SL_NODE_MEMORY_BOUND &&
        node != SL_NODE_CORE_BOUND)
        return;
    v = sl_slot_tree_add(tree, node, SL_DOMAIN_SLOTS, SL_PART_MEMBER);
    if (v == NULL) /* SL_SLOT_ROOM is more than there are */
        return;
    v->slots = slots;
    v->quality = modelled ? 0 : SL_SLOT_NOT_MODELLED;
    sl_ratio_set(&v->raw, slots, modelled ? tree->total : 0);
    v->value = v->raw;
}

/* From level 1 down the largest part that was lost, if it is a twentieth of all at least. */
static void find_path(struct sl_slot_tree *tree)
{
    enum sl_slot_node parent = SL_NODE_TOTAL;

    for (unsigned best; tree->n_path < SL_SLOT_DEPTH; parent = (enum sl_slot_node)tree->values[best].node) {
        best = tree->n_values;
        for (unsigned i = 0; i < tree->n_values; i++) {
            const struct sl_slot_value *v = &tree->values[i];

            if (v->node != SL_NODE_RETIRING && v->node != SL_NODE_UNATTRIBUTED &&
                sl_slot_node_parent((enum sl_slot_node)v->node) == parent &&
                v->slots > (best < tree->n_values ? tree->values[best].slots : 0))
                best = i;
        }
        if (best == tree->n_values || tree->values[best].slots < sl_div64(tree->total, 20))
            return;
        tree->values[best].flagged = true;
        tree->path[tree->n_path++] = (uint8_t)best;
    }
}

#define SHOWN (sizeof shown)

/* To the node and all above it but the total. */
static void enter(uint64_t slots[SHOWN], enum sl_slot_node node, uint64_t amount)
{
    for (; node != SL_NODE_TOTAL; node = sl_slot_node_parent(node))
        for (unsigned i = 0; i < SHOWN; i++)
            slots[i] += shown[i] == node ? amount : 0;
}

enum sl_status sl_obs_waits_tree(const struct sl_obs_waits *o, struct sl_slot_tree *tree, uint64_t *units)
{
    uint64_t slots[SHOWN] = {0}, total = o->used_slots;

    if (o->charges_lost)
        return SL_E_ROOM;
    for (unsigned i = 0; i < o->m->cpu->n_resources; i++)
        units[i] = 0;
    enter(slots, SL_NODE_RETIRING, o->used_slots);
    for (uint32_t i = 0; i < o->charge_room; i++) {
        const struct sl_wait_charge *c = &o->charges[i];

        if (c->stage != SL_WAIT_SLOTS || c->amount == 0)
            continue;
        total += c->amount;
        enter(slots, node_of(o, c), c->amount);
        if (node_of(o, c) == SL_NODE_PORTS_UTILIZATION)
            units[c->by == SL_WAIT_HAZARD ? c->by_what : c->what] += c->amount;
    }
    sl_slot_tree_init(tree, SL_KIND_SLOT4, SL_DOMAIN_SLOTS, total);
    for (unsigned i = 0; i < SHOWN; i++)
        add(tree, o->m, (enum sl_slot_node)shown[i], slots[i]);
    tree->complete = true;
    find_path(tree);
    return SL_OK;
}
