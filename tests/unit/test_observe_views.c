/* SPDX-License-Identifier: Apache-2.0 */
/* Summary, pressure and timeline witnesses against hand-made events. */
#include "observe_fixture.h"

static void test_summary_of_a_block_out_of_order(void **state)
{
    struct sl_obs_summary o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 3, 10);
    f.use[1] = (struct sl_mca_resource){ .cycles = 4, .resource = MUL };
    f.use[2] = (struct sl_mca_resource){ .cycles = 5, .resource = ANY, .reserved = true };
    f.descs[1].uops = 3;
    FIXTURE_ATTACH(&f, summary, &o);
    sl_obs_summary_finish(&o);
    assert_int_equal(o.uops, 5);
    assert_int_equal(o.use[ALU], 1);
    assert_int_equal(o.use[MUL], 4);
    assert_int_equal(o.use[ANY], 5);
    /* max(5 uops / 4, 1 / 2, 4 / 1, 5 / 2) */
    assert_int_equal(o.throughput_cycles, 4);
    assert_int_equal(o.throughput_divisor, 1);
    assert_int_equal(sl_obs_executions(&f.m), 10);
    fixture_free(&f);
}

static void test_summary_of_what_retires_in_order(void **state)
{
    struct sl_obs_summary o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 3, 10);
    f.m.in_order = true;
    f.descs[1].uops = f.cpu.issue_width + 1u; /* too wide for a cycle: instructions may get lost */
    FIXTURE_ATTACH(&f, summary, &o);
    fixture_simple(&f, SL_MCA_RETIRED, 3, 0);
    fixture_simple(&f, SL_MCA_RETIRED, 4, 2); /* instruction 1 is lost */
    fixture_simple(&f, SL_MCA_RETIRED, 4, 3); /* of the second iteration */
    sl_obs_summary_finish(&o);
    assert_int_equal(o.uops, 2);
    assert_int_equal(o.use[ALU], 2);
    assert_int_equal(o.throughput_cycles, 2);
    assert_int_equal(o.throughput_divisor, 2);
    fixture_free(&f);
}

static void issue(struct fixture *f, uint32_t iid, const struct sl_mca_use *uses, uint16_t n)
{
    struct sl_mca_event e = fixture_event(f, SL_MCA_ISSUED, 1, iid);

    e.uses = uses;
    e.n_uses = n;
    fixture_raise(f, &e);
}

static void test_pressure_by_instruction(void **state)
{
    /* Columns: ALU.0 ALU.1 MUL LQ SQ. */
    static const uint32_t want[] = { 2, 1, 0, 0, 0, 0, 0, 4, 0, 3, 2, 1, 4, 0, 3 };
    static const struct sl_mca_use alu0 = { 1, 1, ALU, 0 }, alu1 = { 1, 1, ALU, 1 };
    static const struct sl_mca_use two[] = { { 4, 1, MUL, 0 }, { 3, 1, SQ, 0 } };
    struct sl_obs_pressure o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 3);
    FIXTURE_ATTACH(&f, pressure, &o);
    assert_int_equal(o.n_columns, 5);
    assert_int_equal(o.n_rows, 3);
    assert_null(o.denominator);
    issue(&f, 0, &alu0, 1);
    issue(&f, 1, two, 2);
    issue(&f, 2, &alu1, 1);
    issue(&f, 4, &alu0, 1);
    assert_memory_equal(o.cycles, want, sizeof want);
    fixture_free(&f);
}

static void test_pressure_of_no_unit_lands_in_a_later_row(void **state)
{
    /* Unit 64 of ALU for position 0: cell 64 of 15 does not exist; of position 0 in a wide enough block it does. */
    static const struct sl_mca_use none = { 7, 1, ALU, 64 };
    struct sl_obs_pressure o;
    struct fixture f;
    uint32_t sum = 0;

    (void)state;
    fixture_init(&f, 2, 1);
    FIXTURE_ATTACH(&f, pressure, &o);
    issue(&f, 0, &none, 1);
    for (size_t i = 0; i < o.n_cells; i++)
        sum += o.cycles[i];
    assert_int_equal(sum, 0);
    fixture_free(&f);

    fixture_init(&f, 8, 1);
    f.resources[ALU].n_units = 8; /* 11 columns */
    FIXTURE_ATTACH(&f, pressure, &o);
    issue(&f, 0, &none, 1);
    assert_int_equal(o.cycles[64], 7);
    fixture_free(&f);
}

static void test_pressure_fractions_of_instruction_tables(void **state)
{
    static const struct sl_mca_use group[] = { { 1, 3, ALU, 0 }, { 1, 3, ALU, 1 }, { 1, 3, MUL, 0 } };
    static const struct sl_mca_use half[] = { { 1, 2, ALU, 0 }, { 1, 2, ALU, 1 } };
    struct sl_obs_pressure o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 100);
    f.m.config.instruction_tables = true;
    FIXTURE_ATTACH(&f, pressure, &o);
    issue(&f, 0, group, 3);
    issue(&f, 0, half, 2);
    issue(&f, 1, half, 2);
    /* 0/1 + 1/3 + 1/2 = 5/6; the total row 5/6 + 1/2 = 8/6, unreduced */
    assert_int_equal(o.cycles[0], 5);
    assert_int_equal(o.denominator[0], 6);
    assert_int_equal(o.cycles[5], 1);
    assert_int_equal(o.denominator[5], 2);
    assert_int_equal(o.cycles[o.total], 8);
    assert_int_equal(o.denominator[o.total], 6);
    assert_int_equal(o.cycles[o.total + 2], 1);
    assert_int_equal(o.denominator[o.total + 2], 3);
    assert_int_equal(o.cycles[3], 0);
    assert_int_equal(o.denominator[3], 1);
    assert_int_equal(sl_obs_executions(&f.m), 1);
    fixture_free(&f);
}

static void attach_timeline(struct fixture *f, struct sl_obs_timeline *o, uint32_t iterations, uint32_t cycles)
{
    size_t need = sl_obs_timeline_need(&f->m, iterations);
    void *mem = fixture_memory(f, need);

    assert_int_equal(sl_obs_timeline_init(o, &f->m, iterations, cycles, mem, need / 2), SL_E_ROOM);
    assert_int_equal(sl_obs_timeline_init(o, &f->m, iterations, cycles, mem, need), SL_OK);
}

static void test_timeline_entries_and_waits(void **state)
{
    static const uint32_t lives[][5] = { { 0, 0, 1, 3, 4 }, { 0, 3, 3, 7, 8 }, { 1, 1, 2, 4, 12 } };
    struct sl_obs_timeline o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 2, 100);
    attach_timeline(&f, &o, 0, 80);
    assert_int_equal(o.iterations, 10);
    for (uint32_t i = 0; i < 3; i++)
        fixture_life(&f, i, lives[i]);
    fixture_simple(&f, SL_MCA_DISPATCHED, 2, 1); /* the rest of a large instruction does not move it */
    fixture_simple(&f, SL_MCA_RETIRED, 70, 20);  /* of iteration 10: not recorded */
    assert_int_equal(o.entries[0].dispatched, 0);
    assert_int_equal(o.entries[0].retired, 4);
    assert_int_equal(o.entries[1].dispatched, 0);
    assert_int_equal(o.entries[1].executed, 7);
    assert_int_equal(o.entries[3].dispatched, -1);
    assert_int_equal(o.last_cycle, 12);
    assert_int_equal(o.waits[0].queued, 1 + 1);
    assert_int_equal(o.waits[0].ready, 1 + 1);
    assert_int_equal(o.waits[0].written_back, 0 + 7);
    assert_int_equal(o.waits[1].queued, 3);
    assert_int_equal(o.waits[1].ready, 0);
    assert_int_equal(o.waits[1].written_back, 0);
    fixture_free(&f);
}

static void test_timeline_beyond_its_last_cycle(void **state)
{
    static const uint32_t life[5] = { 5, 5, 6, 9, 20 };
    struct sl_obs_timeline o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 1, 4);
    attach_timeline(&f, &o, 2, 10);
    assert_int_equal(o.iterations, 2);
    fixture_life(&f, 0, life);
    assert_int_equal(o.entries[0].executed, 9);
    assert_int_equal(o.entries[0].retired, 0);
    assert_int_equal(o.last_cycle, 9);
    assert_int_equal(o.waits[0].written_back, 10);
    fixture_free(&f);
}

static void test_timeline_in_order_retires_when_executed(void **state)
{
    static const uint32_t life[5] = { 5, 5, 5, 9, 9 };
    struct sl_obs_timeline o;
    struct fixture f;

    (void)state;
    fixture_init(&f, 1, 4);
    attach_timeline(&f, &o, 0, 0);
    assert_int_equal(o.iterations, 4);
    fixture_life(&f, 0, life);
    assert_int_equal(o.waits[0].written_back, 0);
    fixture_free(&f);
}

static void test_timeline_of_absurd_size_is_refused(void **state)
{
    struct sl_obs_timeline o;
    struct fixture f;
    unsigned char mem[64];

    (void)state;
    fixture_init(&f, 8, UINT32_MAX);
    assert_true(sl_obs_timeline_need(&f.m, UINT32_MAX) == SIZE_MAX);
    assert_int_equal(sl_obs_timeline_init(&o, &f.m, UINT32_MAX, 0, mem, sizeof mem), SL_E_ROOM);
    assert_null(f.m.observers);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary_of_a_block_out_of_order),
        cmocka_unit_test(test_summary_of_what_retires_in_order),
        cmocka_unit_test(test_pressure_by_instruction),
        cmocka_unit_test(test_pressure_of_no_unit_lands_in_a_later_row),
        cmocka_unit_test(test_pressure_fractions_of_instruction_tables),
        cmocka_unit_test(test_timeline_entries_and_waits),
        cmocka_unit_test(test_timeline_beyond_its_last_cycle),
        cmocka_unit_test(test_timeline_in_order_retires_when_executed),
        cmocka_unit_test(test_timeline_of_absurd_size_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
