/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes are bottlenecks, and the way down to the dominant one: toplev's rule (pmu-tools, _find_bn and MAX_ERROR),
 * in which a node counts only if everything above it does. */
#include <slotledger/topdown.h>

#define AMBIGUOUS_PER_MILLE 50u
#define DEFAULT_PER_MILLE   50u

static const struct sl_topdown_threshold *threshold(const struct sl_topdown_thresholds *set, uint8_t node)
{
    for (size_t i = 0; i < set->n_rows; i++) {
        if (set->rows[i].node == node)
            return &set->rows[i];
    }
    return NULL;
}

/* In any domain. */
static bool node_flagged(const struct sl_slot_tree *tree, enum sl_slot_node node)
{
    for (unsigned i = 0; i < tree->n_values; i++) {
        if (tree->values[i].node == node && tree->values[i].flagged)
            return true;
    }
    return node == SL_NODE_TOTAL;
}

static bool over(const struct sl_slot_tree *tree, const struct sl_slot_value *v,
                 const struct sl_topdown_thresholds *set)
{
    const struct sl_topdown_threshold *row = threshold(set, v->node);
    bool with_parent = row ? row->with_parent : true;
    struct sl_ratio limit;
    if ((v->quality & (SL_SLOT_NO_VALUE | SL_SLOT_INCONSISTENT)) || v->domain == SL_DOMAIN_COUNT)
        return false;
    if (v->node == SL_NODE_UNATTRIBUTED ||
        (with_parent && !node_flagged(tree, sl_slot_node_parent((enum sl_slot_node)v->node))))
        return false;
    sl_ratio_set(&limit, row ? row->per_mille : DEFAULT_PER_MILLE, 1000);
    if (sl_ratio_compare(&v->value, &limit) > 0)
        return true;
    /* Retiring is one, too, if much of it is heavy operations. */
    return v->node == SL_NODE_RETIRING && node_flagged(tree, SL_NODE_HEAVY_OPERATIONS);
}

/* Thresholds refer to each other, so until nothing changes. */
static void flag(struct sl_slot_tree *tree, const struct sl_topdown_thresholds *set)
{
    bool changed = true;
    for (unsigned i = 0; i < tree->n_values; i++)
        tree->values[i].flagged = false;
    for (unsigned round = 0; changed && round < SL_SLOT_DEPTH; round++) {
        changed = false;
        for (unsigned i = 0; i < tree->n_values; i++) {
            struct sl_slot_value *v = &tree->values[i];
            if (!v->flagged && over(tree, v, set))
                changed = v->flagged = true;
        }
    }
}

/* The flagged children of one domain by value: index of the greatest, or n_values; *close: a second one is near it. */
static unsigned greatest(const struct sl_slot_tree *tree, enum sl_slot_node parent, enum sl_slot_domain domain,
                         bool *close)
{
    unsigned best = tree->n_values;
    struct sl_ratio difference, limit;
    *close = false;
    sl_ratio_set(&limit, AMBIGUOUS_PER_MILLE, 1000);
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        if (!v->flagged || v->part == SL_PART_OVERLAP || v->domain != domain || v->node == SL_NODE_TOTAL ||
            sl_slot_node_parent((enum sl_slot_node)v->node) != parent)
            continue;
        if (best == tree->n_values) {
            best = i;
            continue;
        }
        difference = v->value;
        sl_ratio_sub(&difference, &tree->values[best].value);
        if (!difference.negative && !sl_ratio_is_zero(&difference)) {
            best = i;
            *close = sl_ratio_compare(&difference, &limit) <= 0;
        } else {
            difference.negative = false;
            *close = *close || sl_ratio_compare(&difference, &limit) <= 0;
        }
    }
    return best;
}

void sl_topdown_verdict(struct sl_slot_tree *tree, const struct sl_topdown_thresholds *set)
{
    static const uint8_t domains[] = {SL_DOMAIN_SLOTS, SL_DOMAIN_STALLS, SL_DOMAIN_CYCLES};
    enum sl_slot_node at = SL_NODE_TOTAL;
    flag(tree, set);
    tree->n_path = 0;
    tree->ambiguous = false;
    while (tree->n_path < SL_SLOT_DEPTH) {
        unsigned best = tree->n_values;
        bool close = false;
        for (unsigned i = 0; best == tree->n_values && i < sizeof domains; i++)
            best = greatest(tree, at, (enum sl_slot_domain)domains[i], &close);
        if (best == tree->n_values)
            break;
        if (tree->n_path > 0 && close) {
            tree->ambiguous = true;
            break;
        }
        tree->path[tree->n_path++] = (uint8_t)best;
        at = (enum sl_slot_node)tree->values[best].node;
    }
    for (unsigned i = 0; i < tree->n_values; i++) {
        struct sl_slot_value *v = &tree->values[i];
        tree->values[i].quality &= ~SL_SLOT_BELOW_THRESHOLD;
        if (!(v->quality & SL_SLOT_NO_VALUE) && !node_flagged(tree, sl_slot_node_parent((enum sl_slot_node)v->node)))
            v->quality |= SL_SLOT_BELOW_THRESHOLD;
    }
}
