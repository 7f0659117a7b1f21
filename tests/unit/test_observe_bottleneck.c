/* SPDX-License-Identifier: Apache-2.0 */
/* Bottleneck witness: pressure counters, the dependency graph, pruning, the critical sequence. */
#include "observe_fixture.h"

#include "core/observe/bottleneck.h"

static void attach(struct fixture *f, struct sl_obs_bottleneck *o, uint32_t edges)
{
    size_t need = sl_obs_bottleneck_need(&f->m, edges);
    void *mem = fixture_memory(f, need);

    assert_int_equal(sl_obs_bottleneck_init(o, &f->m, edges, mem, need / 2), SL_E_ROOM);
    assert_int_equal(sl_obs_bottleneck_init(o, &f->m, edges, mem, need), SL_OK);
}

static void pressure(struct fixture *f, enum sl_mca_pressure reason, uint32_t cycle, uint64_t mask, uint32_t iid)
{
    struct sl_mca_event e = { .kind = SL_MCA_PRESSURE, .cycle = cycle, .detail = (uint8_t)reason, .mask = mask,
                              .iids = &iid, .n_iids = 1 };

    fixture_raise(f, &e);
}

static void issue(struct fixture *f, uint32_t iid, const struct sl_mca_use *use, uint64_t critical_mask,
                  struct sl_mca_critical reg, struct sl_mca_critical memory)
{
    struct sl_mca_event e = fixture_event(f, SL_MCA_ISSUED, iid, iid);

    e.uses = use;
    e.n_uses = use != NULL;
    e.critical_resource_mask = critical_mask;
    e.critical_register = reg;
    e.critical_memory = memory;
    fixture_raise(f, &e);
}

static const struct sl_mca_critical nobody = { 0 };

static void test_frequency_test_equals_the_double_comparison(void **state)
{
    uint32_t random = 1;

    (void)state;
    for (uint32_t iterations = 1; iterations < 1200; iterations++)
        for (uint32_t f = 1; f <= iterations + 3; f++)
            assert_int_equal(sl_bottleneck_frequent(f, iterations),
                             f == iterations || 0.10 < (double)f / iterations);
    for (uint32_t i = 0; i < 2000000; i++) {
        uint32_t iterations, f;

        random = random * 1664525u + 1013904223u;
        iterations = random | 1u << (i & 31u);
        f = iterations / 10u + (i / 7u) % 3u - (iterations >= 10);
        assert_int_equal(sl_bottleneck_frequent(f, iterations), f == iterations || 0.10 < (double)f / iterations);
    }
}

static void test_pressure_by_cause(void **state)
{
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 1, 4);
    attach(&f, &o, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 0);
    pressure(&f, SL_MCA_PRESSURE_RESOURCES, 1, 0x1, 0);
    pressure(&f, SL_MCA_PRESSURE_REGISTER_DEPS, 1, 0, 0);
    pressure(&f, SL_MCA_PRESSURE_REGISTER_DEPS, 3, 0, 0);
    pressure(&f, SL_MCA_PRESSURE_MEMORY_DEPS, 3, 0, 0);
    pressure(&f, SL_MCA_PRESSURE_RESOURCES, 4, 0x12, 0); /* MUL, and the group of ALU and MUL */
    assert_false(o.stalled);
    fixture_simple(&f, SL_MCA_STALL, 5, 0);
    assert_int_equal(sl_obs_bottleneck_finish(&o), SL_OK);
    assert_int_equal(sl_obs_bottleneck_finish(&o), SL_OK);
    assert_true(o.stalled);
    assert_int_equal(o.pressure, 3);
    assert_int_equal(o.resource_pressure, 2);
    assert_int_equal(o.data_pressure, 2);
    assert_int_equal(o.register_pressure, 2);
    assert_int_equal(o.memory_pressure, 1);
    assert_int_equal(o.busy[ALU], 2);
    assert_int_equal(o.busy[MUL], 2);
    assert_int_equal(o.busy[ANY], 0);
    assert_int_equal(o.n_sequence, 0);
    fixture_free(&f);
}

/* Two instructions, the second waits for the first's register, the first for the second's of the iteration before. */
static void test_loop_carried_sequence(void **state)
{
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 10);
    attach(&f, &o, 0);
    for (uint32_t iid = 0; iid < 20; iid++) {
        const struct sl_mca_critical wait = { iid - 1, iid % 2 ? 3 : 5, (uint16_t)(iid % 2 ? 7 : 9) };

        fixture_simple(&f, SL_MCA_DISPATCHED, iid, iid);
        if (iid == 3)
            pressure(&f, SL_MCA_PRESSURE_REGISTER_DEPS, iid, 0, iid);
        issue(&f, iid, NULL, 0, iid == 0 ? nobody : wait, nobody);
        fixture_simple(&f, SL_MCA_EXECUTED, iid, iid);
    }
    assert_int_equal(sl_obs_bottleneck_finish(&o), SL_OK);
    /* 1 -> 2 (5 each, 9 times), 2 -> 3 (3 each, 10 times, 2 more for the pressure), 3 -> 4 */
    assert_int_equal(o.n_edges, 3);
    assert_int_equal(o.n_sequence, 3);
    assert_int_equal(o.edges[o.sequence[0]].from, 1);
    assert_int_equal(o.edges[o.sequence[0]].to, 2);
    assert_int_equal(o.edges[o.sequence[0]].frequency, 9);
    assert_int_equal(o.edges[o.sequence[0]].id, 9);
    assert_int_equal(o.edges[o.sequence[1]].cost_cycles, 32);
    assert_int_equal(o.edges[o.sequence[1]].kind, SL_DEPENDENCY_REGISTER);
    assert_int_equal(o.edges[o.sequence[2]].to, 4);
    fixture_free(&f);
}

static void test_resource_waits_need_a_user_in_flight(void **state)
{
    static const struct sl_mca_use mul = { 4, 1, MUL, 0 }, none = { 4, 1, MUL, 64 };
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 4, 1);
    attach(&f, &o, 0);
    for (uint32_t iid = 0; iid < 4; iid++)
        fixture_simple(&f, SL_MCA_DISPATCHED, 0, iid);
    issue(&f, 0, &mul, 0, nobody, nobody);
    pressure(&f, SL_MCA_PRESSURE_RESOURCES, 1, 0x2, 1);
    issue(&f, 1, &none, 0x2 | 0x10, nobody, nobody); /* the group has no users of its own */
    fixture_simple(&f, SL_MCA_EXECUTED, 4, 0);
    issue(&f, 2, NULL, 0x2, nobody, nobody);
    assert_int_equal(o.n_edges, 1);
    assert_int_equal(o.edges[0].from, 4);
    assert_int_equal(o.edges[0].to, 5);
    assert_int_equal(o.edges[0].id, 0x2);
    assert_int_equal(o.edges[0].cost_cycles, 4 + 2);
    assert_int_equal(o.edges[0].kind, SL_DEPENDENCY_RESOURCE);
    /* Dispatched once more after its execution: the reference never forgets it. */
    fixture_simple(&f, SL_MCA_DISPATCHED, 5, 3);
    fixture_simple(&f, SL_MCA_DISPATCHED, 5, 0);
    issue(&f, 2, NULL, 0x2, nobody, nobody);
    assert_int_equal(o.n_edges, 2);
    fixture_free(&f);
}

static void test_edges_are_told_apart_by_id_not_by_kind(void **state)
{
    const struct sl_mca_critical reg = { 0, 3, 0 }, memory = { 0, 4, 0 };
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 1);
    attach(&f, &o, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 1);
    issue(&f, 1, NULL, 0, reg, memory);
    assert_int_equal(o.n_edges, 1);
    assert_int_equal(o.edges[0].kind, SL_DEPENDENCY_REGISTER);
    assert_int_equal(o.edges[0].cost_cycles, 7);
    assert_int_equal(o.edges[0].frequency, 2);
    /* The last instruction has issued: whatever comes later is not heard. */
    issue(&f, 0, NULL, 0, nobody, memory);
    assert_int_equal(o.n_edges, 1);
    fixture_free(&f);
}

/* Of three rare edges of one node the reference drops the first and the last, and overlooks the one swapped in. */
static void test_pruning_overlooks_what_it_swaps_in(void **state)
{
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 4, 100);
    attach(&f, &o, 0);
    for (uint32_t to = 1; to < 4; to++) {
        const struct sl_bottleneck_dependency d = { to, 10 * to, SL_DEPENDENCY_REGISTER };

        sl_bottleneck_add(&o, 0, to, &d);
    }
    o.complete = true;
    assert_int_equal(sl_obs_bottleneck_finish(&o), SL_OK);
    assert_int_equal(o.n_sequence, 1);
    assert_int_equal(o.edges[o.sequence[0]].to, 4 + 3);
    assert_int_equal(o.nodes[4 + 1].predecessors, 0);
    assert_int_equal(o.nodes[4 + 2].predecessors, 0);
    assert_int_equal(o.nodes[4 + 3].predecessors, 1);
    fixture_free(&f);
}

static void test_a_full_graph_is_reported(void **state)
{
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 4, 1);
    attach(&f, &o, 1);
    for (uint32_t to = 1; to < 3; to++) {
        const struct sl_bottleneck_dependency d = { 0, 1, SL_DEPENDENCY_MEMORY };

        sl_bottleneck_add(&o, 0, to, &d);
    }
    o.complete = true;
    assert_int_equal(sl_obs_bottleneck_finish(&o), SL_E_ROOM);
    assert_true(o.edges_lost);
    assert_int_equal(o.n_sequence, 0);
    fixture_free(&f);
}

static void test_in_order_has_percentages_but_no_graph(void **state)
{
    struct sl_obs_bottleneck o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 4, 1);
    f.m.in_order = true;
    attach(&f, &o, 1000);
    assert_int_equal(o.edge_room, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 0);
    fixture_simple(&f, SL_MCA_ISSUED, 0, 0);
    fixture_simple(&f, SL_MCA_STALL, 0, 0);
    pressure(&f, SL_MCA_PRESSURE_REGISTER_DEPS, 1, 0, 0);
    pressure(&f, SL_MCA_PRESSURE_RESOURCES, 2, 0, 0);
    assert_int_equal(sl_obs_bottleneck_finish(&o), SL_OK);
    assert_int_equal(o.pressure, 2);
    assert_int_equal(o.resource_pressure, 1);
    assert_int_equal(o.n_sequence, 0);
    fixture_free(&f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequency_test_equals_the_double_comparison),
        cmocka_unit_test(test_pressure_by_cause),
        cmocka_unit_test(test_loop_carried_sequence),
        cmocka_unit_test(test_resource_waits_need_a_user_in_flight),
        cmocka_unit_test(test_edges_are_told_apart_by_id_not_by_kind),
        cmocka_unit_test(test_pruning_overlooks_what_it_swaps_in),
        cmocka_unit_test(test_a_full_graph_is_reported),
        cmocka_unit_test(test_in_order_has_percentages_but_no_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
