/* SPDX-License-Identifier: Apache-2.0 */
/* The slot tree as a container, and its numbers rounded for people. */
#include "slots_internal.h"

#define ROW(id, above, text, title) SL_NODE_##above,
static const uint8_t parents[] = {SL_SLOT_NODES(ROW)};

enum sl_slot_node sl_slot_node_parent(enum sl_slot_node node)
{
    return (enum sl_slot_node)parents[(unsigned)node < SL_NODES ? node : SL_NODE_TOTAL];
}

unsigned sl_slot_node_level(enum sl_slot_node node)
{
    unsigned level = 0;
    for (; node != SL_NODE_TOTAL && level < SL_SLOT_DEPTH; level++)
        node = sl_slot_node_parent(node);
    return level;
}

void sl_slot_tree_init(struct sl_slot_tree *tree, enum sl_slot_kind kind, enum sl_slot_domain domain, uint64_t total)
{
    tree->kind = (uint8_t)kind;
    tree->domain = (uint8_t)domain;
    tree->n_values = 0;
    tree->n_path = 0;
    tree->complete = false;
    tree->ambiguous = false;
    tree->quality = 0;
    tree->total = total;
}

struct sl_slot_value *sl_slot_tree_add(struct sl_slot_tree *tree, enum sl_slot_node node, enum sl_slot_domain domain,
                                       enum sl_slot_part part)
{
    struct sl_slot_value *value;
    if (tree->n_values >= SL_SLOT_ROOM)
        return NULL;
    value = &tree->values[tree->n_values++];
    value->node = (uint8_t)node;
    value->domain = (uint8_t)domain;
    value->part = (uint8_t)part;
    value->flagged = false;
    value->quality = 0;
    value->slots = 0;
    value->error_ppm = 0;
    value->share_ppm = 1000000;
    sl_ratio_set(&value->raw, 0, 0);
    value->value = value->raw;
    return value;
}

const struct sl_slot_value *sl_slot_tree_find(const struct sl_slot_tree *tree, enum sl_slot_node node,
                                              enum sl_slot_domain domain)
{
    for (unsigned i = 0; i < tree->n_values; i++) {
        if (tree->values[i].node == node && tree->values[i].domain == domain)
            return &tree->values[i];
    }
    return NULL;
}

unsigned slot_siblings(const struct sl_slot_tree *tree, enum sl_slot_node parent, enum sl_slot_domain domain,
                       uint8_t out[SLOT_SIBLINGS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < tree->n_values && n < SLOT_SIBLINGS; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        if (v->domain == domain && v->part != SL_PART_OVERLAP && v->node != SL_NODE_TOTAL &&
            sl_slot_node_parent((enum sl_slot_node)v->node) == parent)
            out[n++] = (uint8_t)i;
    }
    return n;
}

bool slot_has_value(const struct sl_slot_value *v)
{
    return (v->quality & SL_SLOT_NO_VALUE) == 0 && sl_ratio_is_value(&v->value);
}

bool sl_slot_tree_estimate(const struct sl_slot_tree *tree, const struct sl_slot_value *v, struct sl_ratio *share)
{
    enum sl_slot_node node = (enum sl_slot_node)v->node;
    if (v->domain != SL_DOMAIN_STALLS || !slot_has_value(v))
        return false;
    *share = v->value;
    while ((node = sl_slot_node_parent(node)) != SL_NODE_TOTAL) {
        const struct sl_slot_value *whole = sl_slot_tree_find(tree, node, (enum sl_slot_domain)tree->domain);
        const struct sl_slot_value *part = sl_slot_tree_find(tree, node, SL_DOMAIN_STALLS);
        const struct sl_slot_value *above = whole ? whole : part;
        if (!above && sl_slot_tree_find(tree, node, SL_DOMAIN_CYCLES))
            return false; /* of other cycles than the parent's stalls */
        if (!above)
            continue; /* this model has no such level in between */
        if (!slot_has_value(above))
            return false;
        sl_ratio_mul(share, &above->value);
        if (whole)
            return true;
    }
    return false;
}

void sl_share_out(const struct sl_ratio *const *shares, unsigned n, uint64_t scale, uint64_t target, uint64_t *out)
{
    uint32_t rest[SLOT_SIBLINGS];
    uint64_t sum = 0;
    n = n < SLOT_SIBLINGS ? n : SLOT_SIBLINGS;
    if (n == 0)
        return;
    for (unsigned i = 0; i < n; i++) {
        out[i] = sl_ratio_scale(shares[i], scale, &rest[i]);
        sum += out[i];
    }
    if (target == UINT64_MAX) { /* no partition: each to the nearest */
        for (unsigned i = 0; i < n; i++)
            out[i] += rest[i] >> 31;
        return;
    }
    /* Only ratios that were rounded miss the target by more than their rests: the largest share bears it. */
    if (target < sum || target - sum > n) {
        unsigned largest = 0;
        for (unsigned i = 1; i < n; i++)
            largest = out[i] > out[largest] ? i : largest;
        out[largest] += target - sum;
        return;
    }
    for (uint64_t left = target - sum; left > 0; left--) {
        unsigned best = 0;
        for (unsigned i = 1; i < n; i++)
            best = rest[i] > rest[best] ? i : best;
        out[best]++;
        rest[best] = 0;
    }
}

/* Whole numbers for all children of `parent` that are part of it; target: the parent's. */
static void round_children(const struct sl_slot_tree *tree, enum sl_slot_node parent, enum sl_slot_domain domain,
                           uint64_t scale, uint64_t target, uint64_t *out)
{
    const struct sl_ratio *shares[SLOT_SIBLINGS];
    uint64_t rounded[SLOT_SIBLINGS];
    uint8_t at[SLOT_SIBLINGS];
    unsigned n = slot_siblings(tree, parent, domain, at);
    if (n == 0)
        return;
    for (unsigned i = 0; i < n; i++)
        shares[i] = &tree->values[at[i]].value;
    sl_share_out(shares, n, scale, target, rounded);
    for (unsigned i = 0; i < n; i++)
        out[at[i]] = rounded[i];
}

void sl_slot_tree_round(const struct sl_slot_tree *tree, uint64_t scale, uint64_t *out)
{
    for (unsigned i = 0; i < tree->n_values; i++) {
        uint32_t rest;
        out[i] = sl_ratio_scale(&tree->values[i].value, scale, &rest);
        out[i] += out[i] != UINT64_MAX && rest >> 31;
    }
    round_children(tree, SL_NODE_TOTAL, (enum sl_slot_domain)tree->domain, scale, tree->complete ? scale : UINT64_MAX,
                   out);
    /* Parents come before their children. */
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        if (v->domain <= SL_DOMAIN_CYCLES && slot_has_value(v) && slot_adds_up(tree, v))
            round_children(tree, (enum sl_slot_node)v->node, (enum sl_slot_domain)v->domain, scale, out[i], out);
    }
}
