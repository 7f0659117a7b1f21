/* SPDX-License-Identifier: Apache-2.0 */
/* Laws that hold for any counts on any core: level 1 adds up to the total in whole slots, printed percentages add up to
 * 100, no child exceeds its parent, what was changed says so. Random counts: sensible, contradictory and extreme ones.
 *
 * SLOTLEDGER_LAW_SETS sets the number of random sets (default 60000; `make check-topdown` runs 1500000). */
#include "tests/unit/topdown_fixture.h"

#include <stdlib.h>

#define CHANGED (SL_SLOT_CLAMPED | SL_SLOT_ADJUSTED | SL_SLOT_INCONSISTENT)

static uint64_t state_of_random = 1;

static uint64_t random64(void)
{
    /* xorshift64*, S. Vigna */
    state_of_random ^= state_of_random >> 12;
    state_of_random ^= state_of_random << 25;
    state_of_random ^= state_of_random >> 27;
    return state_of_random * UINT64_C(2685821657736338717);
}

static uint64_t below(uint64_t limit)
{
    return limit ? random64() % limit : 0;
}

static unsigned n_cores(void)
{
    unsigned n = 0;
    while (sl_topdown_core_at(n))
        n++;
    return n;
}

/* What a set of counts is like. */
enum style { PLAUSIBLE, WILD, EXTREME, ZEROS, STYLES };

static uint64_t random_value(enum style style, uint64_t cycles, unsigned width, bool is_cycles)
{
    switch (style) {
    case PLAUSIBLE:
        return is_cycles ? cycles : below(cycles * (below(4) ? 1 : width));
    case WILD:
        return below(cycles * 3 * width);
    case EXTREME:
        return random64() >> (is_cycles ? 12 + below(50) : below(64));
    default:
        return below(3) ? 0 : below(3);
    }
}

static size_t random_counts(const struct sl_topdown_core *core, unsigned width, enum style style,
                            struct sl_topdown_count *counts)
{
    const struct sl_topdown_model *model = core->model;
    uint64_t cycles = 1 + (random64() >> (24 + below(38)));
    bool split = below(4) == 0;
    size_t n = 0;
    for (unsigned i = 0; i < model->n_events; i++) {
        struct sl_topdown_count *c = &counts[n];
        if (below(12) == 0)
            continue;
        memset(c, 0, sizeof *c);
        c->code = sl_topdown_event_code(model, i);
        c->value = random_value(style, cycles, width, i == model->cycles);
        c->group = split ? (uint16_t)below(3) : 0;
        if (below(8) == 0) {
            c->enabled = 1 + below(1000);
            c->running = below(c->enabled + 1);
            c->all_windows = (uint32_t)(1 + below(50));
            c->windows = (uint32_t)below(c->all_windows + 1);
            c->squares = sl_mul64(c->value, below(c->value + 1));
        }
        n++;
    }
    return n;
}

static void require(bool ok, const char *what, const struct sl_slot_tree *tree, unsigned i)
{
    if (!ok)
        fail_msg("%s: kind %s, %s in %s, quality %x", what, sl_slot_kind_name(tree->kind),
                 i < tree->n_values ? sl_slot_node_name(tree->values[i].node) : "-",
                 i < tree->n_values ? sl_slot_domain_name(tree->values[i].domain) : "-",
                 i < tree->n_values ? tree->values[i].quality : 0);
}

static bool has_value(const struct sl_slot_value *v)
{
    return !(v->quality & SL_SLOT_NO_VALUE);
}

static void check_level1(const struct sl_slot_tree *tree)
{
    uint64_t percent[SL_SLOT_ROOM], slots = 0, sum = 0;
    bool all_ok = true;
    sl_slot_tree_round(tree, 1000000, percent);
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        if (v->domain != tree->domain || sl_slot_node_level(v->node) != 1 || v->part == SL_PART_OVERLAP)
            continue;
        slots += v->slots;
        sum += percent[i];
        all_ok = all_ok && has_value(v) && !(v->quality & SL_SLOT_INCONSISTENT);
    }
    if (tree->complete) {
        require(slots == tree->total, "level 1 adds up in whole slots", tree, SL_SLOT_ROOM);
        require(sum == 1000000, "percentages add up to 100", tree, SL_SLOT_ROOM);
    } else {
        /* It may only fail to add up where a class is missing or says that it is inconsistent. */
        require(!all_ok || tree->total == 0, "an incomplete level 1 says why", tree, SL_SLOT_ROOM);
    }
}

static void check_value(const struct sl_slot_tree *tree, unsigned i, const struct sl_ratio *one)
{
    const struct sl_slot_value *v = &tree->values[i], *parent;
    if (!has_value(v)) {
        require(!v->flagged, "a node without a value is no bottleneck", tree, i);
        return;
    }
    require(!v->value.negative, "no negative value", tree, i);
    require(!v->value.rounded || (v->quality & SL_SLOT_ROUNDED), "a rounded value says so", tree, i);
    require(v->domain == SL_DOMAIN_COUNT || sl_ratio_compare(&v->value, one) <= 0, "no value above the whole", tree, i);
    require(sl_ratio_compare(&v->raw, &v->value) == 0 || (v->quality & (CHANGED | SL_SLOT_ROUNDED)),
            "a changed value says so", tree, i);
    require(!v->flagged || !(v->quality & SL_SLOT_INCONSISTENT), "an inconsistent node is no bottleneck", tree, i);
    parent = sl_slot_tree_find(tree, sl_slot_node_parent(v->node), v->domain);
    if (v->part == SL_PART_OVERLAP || !parent || !has_value(parent) || v->domain > SL_DOMAIN_CYCLES)
        return;
    require(sl_ratio_compare(&v->value, &parent->value) <= 0, "no child exceeds its parent", tree, i);
    if (v->domain == tree->domain)
        require(v->slots <= parent->slots + 1, "nor in whole slots", tree, i);
}

/* Members and rest of one parent: no more than the parent together; exactly as much where there is a rest. */
static void check_children(const struct sl_slot_tree *tree, unsigned p)
{
    const struct sl_slot_value *parent = &tree->values[p];
    struct sl_ratio sum;
    uint64_t slots = 0;
    bool rest = false, all = true;
    unsigned n = 0;
    if (!has_value(parent) || parent->domain > SL_DOMAIN_CYCLES)
        return;
    sl_ratio_set(&sum, 0, 1);
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        if (v->domain != parent->domain || sl_slot_node_parent(v->node) != parent->node || v->part == SL_PART_OVERLAP)
            continue;
        n++;
        rest = rest || v->part == SL_PART_REST;
        all = all && has_value(v);
        if (has_value(v)) {
            sl_ratio_add(&sum, &v->value);
            slots += v->slots;
        }
    }
    if (n == 0 || sum.rounded || parent->value.rounded)
        return;
    require(!all || sl_ratio_compare(&sum, &parent->value) <= 0, "children together do not exceed their parent", tree,
            p);
    if (rest && all) {
        require(sl_ratio_compare(&sum, &parent->value) == 0, "a rest is what is left", tree, p);
        require(parent->domain != tree->domain || slots == parent->slots, "whole slots of a parent are shared out",
                tree, p);
    }
}

static void check_path(const struct sl_slot_tree *tree)
{
    enum sl_slot_node at = SL_NODE_TOTAL;
    for (unsigned i = 0; i < tree->n_path; i++) {
        const struct sl_slot_value *v = &tree->values[tree->path[i]];
        require(v->flagged && sl_slot_node_parent(v->node) == at, "the way to the bottleneck is flagged", tree,
                tree->path[i]);
        at = v->node;
    }
}

static void random_sets(void **state)
{
    const char *text = getenv("SLOTLEDGER_LAW_SETS");
    unsigned long sets = text ? strtoul(text, NULL, 10) : 60000, complete = 0, rounded = 0;
    unsigned cores = n_cores();
    struct sl_ratio one;
    (void)state;
    assert_true(sets > 0 && cores > 100);
    sl_ratio_set(&one, 1, 1);
    for (unsigned long s = 0; s < sets; s++) {
        const struct sl_topdown_core *core = sl_topdown_core_at(s % cores);
        struct sl_topdown_count counts[SL_TOPDOWN_EVENTS];
        struct sl_topdown_config config = {.width = core->width ? core->width : (uint32_t)below(17),
                                           .penalty = (uint32_t)below(20)};
        enum style style = (enum style)(s / cores % 8 < 5 ? 0 : s / cores % 8 - 4);
        size_t n = random_counts(core, config.width ? config.width : 1, style, counts);
        static struct sl_topdown t;
        enum sl_status status = sl_topdown_evaluate(&t, core->model, &config, counts, n);
        if (status == SL_E_ARGUMENT && style == EXTREME)
            continue;
        assert_int_equal(status, SL_OK);
        check_level1(&t.tree);
        for (unsigned i = 0; i < t.tree.n_values; i++) {
            check_value(&t.tree, i, &one);
            check_children(&t.tree, i);
            rounded += t.tree.values[i].value.rounded;
        }
        check_path(&t.tree);
        complete += t.tree.complete;
    }
    print_message("%lu sets on %u cores, %lu with a whole level 1, %lu values rounded\n", sets, cores, complete,
                  rounded);
    assert_true(complete > sets / 4); /* the laws were put to the test */
}

/* Ratios against plain 64-bit arithmetic. */
static void ratio_arithmetic(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t a = below(1u << 20), b = 1 + below(1u << 20), c = below(1u << 20), d = 1 + below(1u << 20);
        struct sl_ratio x, y, want;
        sl_ratio_set(&x, a, b);
        sl_ratio_set(&y, c, d);
        sl_ratio_add(&x, &y);
        sl_ratio_set(&want, a * d + c * b, b * d);
        assert_int_equal(sl_ratio_compare(&x, &want), 0);
        assert_true(x.num.lo == want.num.lo && x.den.lo == want.den.lo);
        sl_ratio_sub(&x, &y);
        sl_ratio_set(&want, a, b);
        assert_int_equal(sl_ratio_compare(&x, &want), 0);
        sl_ratio_mul(&x, &y);
        sl_ratio_set(&want, a * c, b * d);
        assert_int_equal(sl_ratio_compare(&x, &want), 0);
        assert_true(sl_ratio_scale(&x, 1000, NULL) == a * c * 1000 / (b * d) || a * c >= UINT64_MAX / 1000);
        if (c) {
            sl_ratio_div(&x, &y);
            sl_ratio_set(&want, a, b);
            assert_int_equal(sl_ratio_compare(&x, &want), 0);
        }
    }
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide_t;

/* 128-bit helpers against the compiler's own. */
static void wide_arithmetic(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t a = random64() >> below(64), b = random64() >> below(64), c = random64() >> below(64), rest;
        wide_t product = (wide_t)a * b;
        struct sl_u128 got = sl_mul64(a, b);
        uint64_t root;
        assert_true(got.lo == (uint64_t)product && got.hi == (uint64_t)(product >> 64));
        if (c) {
            wide_t quotient = product / c;
            uint64_t result = sl_muldiv64(a, b, c, &rest);
            assert_true(result == (quotient >> 64 ? UINT64_MAX : (uint64_t)quotient));
            assert_true(rest == (uint64_t)(product % c));
            assert_true(sl_div64(a, c) == a / c);
        }
        root = sl_sqrt128(got);
        assert_true((wide_t)root * root <= product);
        assert_true(root == UINT64_MAX || ((wide_t)root + 1) * (root + 1) > product);
    }
}
#endif

/* Ratios that do not fit stay near the truth and say that they are rounded. */
static void too_large_ratios(void **state)
{
    struct sl_ratio x, y;
    (void)state;
    sl_ratio_set(&x, UINT64_MAX, UINT64_MAX - 58); /* large primes and their like */
    for (int i = 0; i < 4; i++) {
        sl_ratio_set(&y, UINT64_MAX - 94, UINT64_MAX - 188);
        sl_ratio_mul(&x, &y);
        sl_ratio_add(&x, &y);
        assert_true(sl_ratio_is_value(&x));
    }
    assert_true(x.rounded);
    assert_int_equal(sl_ratio_scale(&x, 1000, NULL), 5000); /* 1 * 1 + 1, four times; all factors are 1 + 1e-17 */
    sl_ratio_set(&y, 0, 1);
    sl_ratio_div(&x, &y);
    assert_false(sl_ratio_is_value(&x));
    sl_ratio_add(&x, &y);
    assert_false(sl_ratio_is_value(&x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets),
        cmocka_unit_test(ratio_arithmetic),
#ifdef __SIZEOF_INT128__
        cmocka_unit_test(wide_arithmetic),
#endif
        cmocka_unit_test(too_large_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
