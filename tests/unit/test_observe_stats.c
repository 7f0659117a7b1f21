/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch, scheduler, retire and register-file witnesses against hand-made events. */
#include "observe_fixture.h"

static void expect(const struct sl_cycle_histogram *h, const struct sl_cycle_count *want, size_t n)
{
    struct sl_cycle_count got;
    uint32_t cursor = 0;

    for (size_t i = 0; i < n; i++) {
        assert_true(sl_cycle_histogram_next(h, &cursor, &got));
        assert_int_equal(got.value, want[i].value);
        assert_int_equal(got.cycles, want[i].cycles);
    }
    assert_false(sl_cycle_histogram_next(h, &cursor, &got));
}

static void stall(struct fixture *f, enum sl_mca_stall kind, uint32_t cycle)
{
    struct sl_mca_event e = fixture_event(f, SL_MCA_STALL, cycle, 0);

    e.detail = (uint8_t)kind;
    fixture_raise(f, &e);
}

static void test_dispatch_counts_stalls_and_micro_ops(void **state)
{
    static const struct sl_cycle_count want[] = { { 0, 7 }, { 1, 1 }, { 2, 1 }, { 4, 1 } };
    struct sl_obs_dispatch o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 2);
    f.descs[1].uops = 4;
    FIXTURE_ATTACH(&f, dispatch, &o);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 1, 1);
    fixture_simple(&f, SL_MCA_DISPATCHED, 3, 2);
    fixture_simple(&f, SL_MCA_DISPATCHED, 3, 2);
    stall(&f, SL_MCA_STALL_RETIRE_CONTROL_UNIT, 4);
    stall(&f, SL_MCA_STALL_SCHEDULER_QUEUE_FULL, 4);
    stall(&f, SL_MCA_STALL_SCHEDULER_QUEUE_FULL, 5);
    f.m.cycles = 10;
    sl_obs_dispatch_finish(&o);
    expect(&o.dispatched, want, 4);
    assert_int_equal(o.stalls[SL_MCA_STALL_REGISTER_FILE], 0);
    assert_int_equal(o.stalls[SL_MCA_STALL_RETIRE_CONTROL_UNIT], 1);
    assert_int_equal(o.stalls[SL_MCA_STALL_SCHEDULER_QUEUE_FULL], 2);
    fixture_free(&f);
}

static void test_dispatch_table_is_no_larger_than_a_cycle_can_fill(void **state)
{
    struct sl_obs_dispatch o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 2);
    f.descs[1].uops = 20;
    FIXTURE_ATTACH(&f, dispatch, &o);
    assert_int_equal(o.dispatched.n_direct, 4 + 1); /* the width */
    fixture_free(&f);
    f.m.observers = NULL;
    f.m.config.dispatch_width = UINT32_MAX;
    FIXTURE_ATTACH(&f, dispatch, &o);
    assert_int_equal(o.dispatched.n_direct, 20 + 20 + 1); /* carried over, and alone in the reorder buffer of 8 */
    fixture_free(&f);
    f.m.observers = NULL;
    f.m.in_order = true;
    FIXTURE_ATTACH(&f, dispatch, &o);
    assert_int_equal(o.dispatched.n_direct, 4 + 20 + 1); /* in order the given width is ignored */
    fixture_free(&f);
}

static void buffers(struct fixture *f, enum sl_mca_event_kind kind, uint32_t cycle, unsigned resource)
{
    struct sl_mca_event e = fixture_event(f, kind, cycle, 0);
    uint64_t masks[N_RESOURCES];

    sl_mca_resource_masks(&f->cpu, masks);
    e.mask = (uint64_t)1 << sl_msb64(masks[resource]);
    fixture_raise(f, &e);
}

static void test_scheduler_counts_issue_and_buffers(void **state)
{
    static const struct sl_cycle_count want[] = { { 0, 6 }, { 1, 1 }, { 3, 1 } };
    struct sl_obs_scheduler o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 2);
    f.descs[1].uops = 2;
    FIXTURE_ATTACH(&f, scheduler, &o);
    buffers(&f, SL_MCA_BUFFERS_RESERVED, 0, ANY);
    buffers(&f, SL_MCA_BUFFERS_RESERVED, 0, ANY);
    buffers(&f, SL_MCA_BUFFERS_RELEASED, 0, ANY);
    buffers(&f, SL_MCA_BUFFERS_RESERVED, 2, MUL);
    fixture_simple(&f, SL_MCA_ISSUED, 3, 0);
    fixture_simple(&f, SL_MCA_ISSUED, 5, 0);
    fixture_simple(&f, SL_MCA_ISSUED, 5, 1);
    buffers(&f, SL_MCA_BUFFERS_RELEASED, 5, ANY);
    f.m.cycles = 8;
    sl_obs_scheduler_finish(&o);
    expect(&o.issued, want, 3);
    assert_int_equal(o.buffers[ANY].max, 1); /* two within a cycle, one at its end */
    assert_int_equal(o.buffers[ANY].sum, 5);
    assert_int_equal(o.buffers[MUL].max, 1);
    assert_int_equal(o.buffers[MUL].sum, 6);
    assert_int_equal(o.buffers[ALU].max, 0);
    fixture_free(&f);
}

static void test_scheduler_counts_memory_queues_itself(void **state)
{
    struct sl_obs_scheduler o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 2);
    f.cpu.load_queue = LQ;
    f.cpu.store_queue = SQ;
    f.insns[0].may_load = true;
    f.insns[1].may_load = f.insns[1].may_store = true;
    FIXTURE_ATTACH(&f, scheduler, &o);
    buffers(&f, SL_MCA_BUFFERS_RESERVED, 0, LQ); /* ignored */
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 1, 1);
    fixture_simple(&f, SL_MCA_DISPATCHED, 2, 1); /* carried over */
    fixture_simple(&f, SL_MCA_EXECUTED, 4, 0);
    fixture_simple(&f, SL_MCA_EXECUTED, 6, 1);
    f.m.cycles = 10;
    sl_obs_scheduler_finish(&o);
    assert_int_equal(o.buffers[LQ].max, 2);
    assert_int_equal(o.buffers[LQ].sum, 1 + 2 * 3 + 2);
    assert_int_equal(o.buffers[LQ].value, 0);
    assert_int_equal(o.buffers[SQ].max, 1);
    assert_int_equal(o.buffers[SQ].sum, 5);
    fixture_free(&f);
}

static void test_retire_counts_instructions_and_entries(void **state)
{
    static const struct sl_cycle_count want[] = { { 0, 4 }, { 1, 1 }, { 2, 1 } };
    struct sl_obs_retire o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 3, 1);
    f.descs[1].uops = 3;
    FIXTURE_ATTACH(&f, retire, &o);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 0);
    fixture_simple(&f, SL_MCA_DISPATCHED, 0, 1);
    fixture_simple(&f, SL_MCA_DISPATCHED, 1, 2);
    fixture_simple(&f, SL_MCA_RETIRED, 3, 0);
    fixture_simple(&f, SL_MCA_RETIRED, 5, 1);
    fixture_simple(&f, SL_MCA_RETIRED, 5, 2);
    f.m.cycles = 6;
    sl_obs_retire_finish(&o);
    expect(&o.retired, want, 3);
    assert_int_equal(o.in_use.max, 5);
    assert_int_equal(o.in_use.sum, 4 + 5 + 5 + 4 + 4 + 0);
    fixture_free(&f);
}

static void test_retire_before_the_last_micro_op_wraps(void **state)
{
    struct sl_obs_retire o;
    struct fixture f;
    struct sl_mca_event part;

    (void)state;
    fixture_init(&f, 1, 1);
    f.descs[0].uops = 2;
    f.cpu.max_retire_per_cycle = 3;
    FIXTURE_ATTACH(&f, retire, &o);
    assert_int_equal(o.retired.n_direct, 4);
    part = fixture_event(&f, SL_MCA_DISPATCHED, 0, 0);
    part.uops = 1;
    fixture_raise(&f, &part);
    fixture_simple(&f, SL_MCA_RETIRED, 1, 0);
    part.cycle = 2;
    fixture_raise(&f, &part);
    f.m.cycles = 3;
    sl_obs_retire_finish(&o);
    assert_int_equal(o.in_use.max, UINT32_MAX);
    assert_int_equal((uint32_t)o.in_use.sum, 0); /* 1 - 1 + 0 in 32 bits */
    fixture_free(&f);
}

static void test_retire_bound_in_order(void **state)
{
    struct sl_obs_retire o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 1, 1);
    f.m.in_order = true;
    f.cpu.micro_op_buffer_size = 0;
    assert_int_equal(sl_obs_reorder_buffer(&f.cpu), 0);
    FIXTURE_ATTACH(&f, retire, &o);
    for (uint32_t i = 0; i < 300; i++)
        fixture_simple(&f, SL_MCA_RETIRED, 0, 0);
    f.m.cycles = 1;
    sl_obs_retire_finish(&o);
    assert_int_equal(o.retired.far[0].value, 300);
    f.cpu.reorder_buffer_size = 7;
    assert_int_equal(sl_obs_reorder_buffer(&f.cpu), 7);
    fixture_free(&f);
}

static void test_regfile_counts_mappings_and_moves(void **state)
{
    static const uint16_t some[3] = { 3, 2, 1 }, none[3];
    static const struct sl_mca_move pair = { 2, 2, 1, 1 }, single = { 1, 1, 0, 1 }, failed = { 1, 0, 0, 1 };
    struct sl_obs_regfile o;
    struct sl_mca_event e;
    struct fixture f;

    (void)state;
    fixture_init(&f, 1, 9);
    FIXTURE_ATTACH(&f, regfile, &o);
    assert_int_equal(o.n_files, 3);
    for (uint32_t i = 0; i < 3; i++) {
        e = fixture_event(&f, i == 1 ? SL_MCA_RETIRED : SL_MCA_DISPATCHED, i, 0);
        e.regs = some;
        fixture_raise(&f, &e);
    }
    e.kind = SL_MCA_DISPATCHED;
    e.regs = none;
    e.cycle = 5;
    e.move = &pair;
    fixture_raise(&f, &e);
    e.move = &single;
    fixture_raise(&f, &e);
    e.cycle = 6;
    e.move = &single;
    fixture_raise(&f, &e);
    e.move = &failed;
    fixture_raise(&f, &e);
    sl_obs_regfile_finish(&o);
    sl_obs_regfile_finish(&o);
    assert_int_equal(o.files[0].total, 6);
    assert_int_equal(o.files[0].max, 3);
    assert_int_equal(o.files[1].total, 4);
    assert_int_equal(o.files[1].move_candidates, 5);
    assert_int_equal(o.files[1].moves_eliminated, 4);
    assert_int_equal(o.files[1].zero_moves, 1);
    assert_int_equal(o.files[1].max_moves, 3);
    assert_int_equal(o.files[2].move_candidates, 0);
    fixture_free(&f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatch_counts_stalls_and_micro_ops),
        cmocka_unit_test(test_dispatch_table_is_no_larger_than_a_cycle_can_fill),
        cmocka_unit_test(test_scheduler_counts_issue_and_buffers),
        cmocka_unit_test(test_scheduler_counts_memory_queues_itself),
        cmocka_unit_test(test_retire_counts_instructions_and_entries),
        cmocka_unit_test(test_retire_before_the_last_micro_op_wraps),
        cmocka_unit_test(test_retire_bound_in_order),
        cmocka_unit_test(test_regfile_counts_mappings_and_moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
