/* SPDX-License-Identifier: Apache-2.0 */
/* Makes measured shares fit: clamping, rests, scaling to the whole, whole slots.
 *
 * Rules: values below 0 or above the parent come from skid between counters, errata, multiplexing and heuristic
 * constants; they are clamped (Intel's TMA metrics clamp the same differences at 0), and the quality tells by how much.
 * 5 % is toplev's limit of mismeasurement (pmu-tools, MAX_ERROR). Where one class is the rest, what the others have too
 * much is taken from Bad Speculation first: its events are the least exact. */
#include "slots_internal.h"

#define CLAMP_PER_MILLE 1u  /* above: clamped */
#define ERROR_PER_MILLE 50u /* above: inconsistent */

/* Of the measurement, inherited by a rest. */
#define INHERITED                                                                                                      \
    (SL_SLOT_WRAPPED | SL_SLOT_MULTIPLEXED | SL_SLOT_SPLIT | SL_SLOT_PASSES_DIFFER | SL_SLOT_APPROXIMATE |             \
     SL_SLOT_AMBIGUOUS | SL_SLOT_ROUNDED | SL_SLOT_INTERRUPTED)

#if defined(__GNUC__)
#define NOT_INLINE __attribute__((noinline)) /* stack frames one after the other, not all in one */
#else
#define NOT_INLINE
#endif

struct group {
    struct sl_slot_tree *tree;
    struct sl_ratio base; /* the parent's value */
    struct sl_ratio sum;  /* of the members' values */
    struct sl_slot_value *rest;
    uint8_t n;
    bool level1, in_tree, unbounded, all; /* in_tree: of the tree's own domain */
    uint8_t at[SLOT_SIBLINGS];
};

/* The bound of overlapping causes, and of level 1 together. */
static const struct sl_ratio one = {{1, 0}, {1, 0}, false, false};

static bool exceeds(const struct sl_ratio *amount, unsigned per_mille)
{
    struct sl_ratio limit;
    sl_ratio_set(&limit, per_mille, 1000);
    return sl_ratio_compare(amount, &limit) > 0;
}

static uint32_t clamp_quality(const struct sl_ratio *amount)
{
    if (exceeds(amount, ERROR_PER_MILLE))
        return SL_SLOT_CLAMPED | SL_SLOT_INCONSISTENT;
    return exceeds(amount, CLAMP_PER_MILLE) ? SL_SLOT_CLAMPED : SL_SLOT_ADJUSTED;
}

static void clamp(struct sl_slot_value *v, const struct sl_ratio *base, bool unbounded)
{
    struct sl_ratio amount = v->raw;
    v->value = v->raw;
    if (v->raw.negative) {
        amount.negative = false;
        sl_ratio_set(&v->value, 0, 1);
    } else if (!unbounded && sl_ratio_compare(&v->raw, base) > 0) {
        sl_ratio_sub(&amount, base);
        v->value = *base;
    } else {
        return;
    }
    v->quality |= clamp_quality(&amount);
}

NOT_INLINE static void clamp_all(struct group *g, enum sl_slot_node parent, enum sl_slot_domain domain)
{
    for (unsigned i = 0; i < g->tree->n_values; i++) {
        struct sl_slot_value *v = &g->tree->values[i];
        if (v->domain != domain || sl_slot_node_parent((enum sl_slot_node)v->node) != parent ||
            v->part == SL_PART_REST || v->node == SL_NODE_TOTAL || (v->quality & SL_SLOT_NO_VALUE))
            continue;
        if (v->raw.rounded)
            v->quality |= SL_SLOT_ROUNDED;
        clamp(v, v->part == SL_PART_OVERLAP ? &one : &g->base, g->unbounded);
    }
}

/* 0, if there is none left to reduce, or the amount is used up. */
static void reduce(struct sl_slot_value *v, struct sl_ratio *excess)
{
    uint32_t quality = exceeds(excess, ERROR_PER_MILLE) ? SL_SLOT_ADJUSTED | SL_SLOT_INCONSISTENT : SL_SLOT_ADJUSTED;
    if (sl_ratio_is_zero(excess) || sl_ratio_is_zero(&v->value))
        return;
    v->quality |= quality;
    if (sl_ratio_compare(&v->value, excess) <= 0) {
        sl_ratio_sub(excess, &v->value);
        sl_ratio_set(&v->value, 0, 1);
    } else {
        sl_ratio_sub(&v->value, excess);
        sl_ratio_set(excess, 0, 1);
    }
}

static struct sl_slot_value *member(const struct group *g, enum sl_slot_node node)
{
    for (unsigned i = 0; i < g->n; i++) {
        struct sl_slot_value *v = &g->tree->values[g->at[i]];
        if (v->node == node && v->part == SL_PART_MEMBER)
            return v;
    }
    return NULL;
}

/* The members have `excess` too much. */
static void take_back(struct group *g, struct sl_ratio *excess)
{
    static const uint8_t order[] = {SL_NODE_BAD_SPECULATION, SL_NODE_FRONTEND_BOUND, SL_NODE_BACKEND_BOUND,
                                    SL_NODE_RETIRING};
    struct sl_slot_value *front = member(g, SL_NODE_FRONTEND_BOUND), *back = member(g, SL_NODE_BACKEND_BOUND);
    /* When Bad Speculation is the rest, the larger of the two measured kinds of stall gives first. */
    if (g->level1 && g->rest->node == SL_NODE_BAD_SPECULATION && front && back)
        reduce(sl_ratio_compare(&front->value, &back->value) >= 0 ? front : back, excess);
    for (unsigned i = 0; g->level1 && i < sizeof order; i++) {
        struct sl_slot_value *v = member(g, (enum sl_slot_node)order[i]);
        if (v)
            reduce(v, excess);
    }
    for (unsigned i = g->n; i-- > 0;) {
        struct sl_slot_value *v = &g->tree->values[g->at[i]];
        if (v->part == SL_PART_MEMBER)
            reduce(v, excess);
    }
}

/* sqrt of the sum of squares; unknown if one is. */
static uint32_t combined_error(uint32_t a, uint32_t b)
{
    uint64_t root;
    if (a == SL_ERROR_UNKNOWN || b == SL_ERROR_UNKNOWN)
        return SL_ERROR_UNKNOWN;
    root = sl_sqrt128(sl_add128(sl_mul64(a, a), sl_mul64(b, b)));
    return root < SL_ERROR_UNKNOWN ? (uint32_t)root : SL_ERROR_UNKNOWN - 1u;
}

static void sum_up(struct group *g)
{
    sl_ratio_set(&g->sum, 0, 1);
    g->all = true;
    for (unsigned i = 0; i < g->n; i++) {
        const struct sl_slot_value *v = &g->tree->values[g->at[i]];
        if (v->part == SL_PART_REST)
            continue;
        if (slot_has_value(v))
            sl_ratio_add(&g->sum, &v->value);
        else
            g->all = false;
    }
}

NOT_INLINE static void compute_rest(struct group *g)
{
    struct sl_slot_value *rest = g->rest;
    rest->raw = g->base;
    for (unsigned i = 0; i < g->n; i++) {
        const struct sl_slot_value *v = &g->tree->values[g->at[i]];
        if (v == rest)
            continue;
        sl_ratio_sub(&rest->raw, &v->raw);
        rest->quality |= v->quality & INHERITED;
        rest->error_ppm = combined_error(rest->error_ppm, v->error_ppm);
        rest->share_ppm = sl_min_u32(rest->share_ppm, v->share_ppm);
    }
    rest->value = g->base;
    sl_ratio_sub(&rest->value, &g->sum);
    if (rest->value.negative) {
        struct sl_ratio excess = rest->value;
        excess.negative = false;
        rest->quality |= clamp_quality(&excess);
        take_back(g, &excess);
        sl_ratio_set(&rest->value, 0, 1);
    } else if (sl_ratio_compare(&rest->value, &g->base) > 0) {
        rest->value = g->base; /* by rounding */
        rest->quality |= SL_SLOT_ROUNDED;
    } else if (sl_ratio_compare(&rest->value, &rest->raw) != 0) {
        rest->quality |= SL_SLOT_ADJUSTED; /* a member was clamped */
    }
}

/* Members without a rest: scales them to the whole, if that is no more than 5 % of the total away. True: they add up.
 */
NOT_INLINE static bool scale_to_base(struct group *g)
{
    struct sl_ratio difference = g->sum;
    uint32_t quality = SL_SLOT_ADJUSTED;
    sl_ratio_sub(&difference, &g->base);
    if (sl_ratio_is_zero(&difference))
        return true;
    if (!g->level1 && difference.negative)
        return false; /* these children leave something unnamed */
    difference.negative = false;
    if (exceeds(&difference, ERROR_PER_MILLE))
        quality |= SL_SLOT_INCONSISTENT;
    for (unsigned i = 0; i < g->n; i++) {
        struct sl_slot_value *v = &g->tree->values[g->at[i]];
        v->quality |= quality;
        if (!g->level1 || quality == SL_SLOT_ADJUSTED) {
            sl_ratio_mul(&v->value, &g->base);
            sl_ratio_div(&v->value, &g->sum);
            if (sl_ratio_compare(&v->value, &g->base) > 0) /* by rounding */
                v->value = g->base;
        }
    }
    return !g->level1 || quality == SL_SLOT_ADJUSTED;
}

NOT_INLINE static void whole_slots(struct group *g, uint64_t target)
{
    const struct sl_ratio *shares[SLOT_SIBLINGS];
    uint64_t slots[SLOT_SIBLINGS];
    for (unsigned i = 0; i < g->n; i++)
        shares[i] = &g->tree->values[g->at[i]].value;
    sl_share_out(shares, g->n, g->tree->total, target, slots);
    for (unsigned i = 0; i < g->n; i++)
        g->tree->values[g->at[i]].slots = slots[i];
}

bool slot_adds_up(const struct sl_slot_tree *tree, const struct sl_slot_value *v)
{
    struct sl_ratio sum;
    uint8_t at[SLOT_SIBLINGS];
    unsigned n = slot_siblings(tree, (enum sl_slot_node)v->node, (enum sl_slot_domain)v->domain, at);
    sl_ratio_set(&sum, 0, 1);
    for (unsigned i = 0; i < n; i++) {
        if (!slot_has_value(&tree->values[at[i]]))
            return false;
        sl_ratio_add(&sum, &tree->values[at[i]].value);
    }
    return n > 0 && sl_ratio_compare(&sum, &v->value) == 0;
}

static void add_up(struct group *g, const struct sl_slot_value *parent)
{
    bool whole = false;
    uint64_t target = g->level1 ? g->tree->total : parent ? parent->slots : UINT64_MAX;
    sum_up(g);
    if (g->rest && !g->all)
        g->rest->quality |= SL_SLOT_MISSING;
    if (g->rest && g->all) {
        compute_rest(g);
        whole = true;
    } else if (g->all && !g->unbounded && !sl_ratio_is_zero(&g->base)) {
        whole = scale_to_base(g);
    }
    if (g->level1)
        g->tree->complete = whole && g->tree->total > 0;
    for (unsigned i = 0; i < g->n; i++) {
        if (g->tree->values[g->at[i]].value.rounded)
            g->tree->values[g->at[i]].quality |= SL_SLOT_ROUNDED;
    }
    if (g->in_tree)
        whole_slots(g, whole ? target : UINT64_MAX);
}

void sl_slot_tree_partition(struct sl_slot_tree *tree, enum sl_slot_node parent, enum sl_slot_domain domain)
{
    struct group g;
    const struct sl_slot_value *above = NULL;
    g.tree = tree;
    g.level1 = parent == SL_NODE_TOTAL && domain == tree->domain;
    g.in_tree = domain == tree->domain;
    g.unbounded = domain == SL_DOMAIN_COUNT;
    g.rest = NULL;
    g.base = one;
    if (domain <= SL_DOMAIN_CYCLES && parent != SL_NODE_TOTAL)
        above = sl_slot_tree_find(tree, parent, domain);
    if (above && slot_has_value(above))
        g.base = above->value;
    else
        above = NULL;
    clamp_all(&g, parent, domain);
    g.n = (uint8_t)slot_siblings(tree, parent, domain, g.at);
    for (unsigned i = 0; i < g.n; i++) {
        if (tree->values[g.at[i]].part == SL_PART_REST)
            g.rest = &tree->values[g.at[i]];
    }
    if (g.n > 0)
        add_up(&g, above);
}
