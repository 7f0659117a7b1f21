/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of unbounded values, and levels settled only when they change. */
#include "observe_fixture.h"

#include "core/observe/observe.h"

static unsigned char memory[4096];

static void take(struct sl_cycle_histogram *h, uint64_t bound)
{
    struct sl_arena arena;

    sl_arena_init(&arena, memory, sizeof memory);
    sl_histogram_take(h, &arena, bound);
    assert_true(arena.used_bytes <= arena.size_bytes);
}

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

static void test_sums_of_a_cycle(void **state)
{
    static const struct sl_cycle_count want[] = { { 0, 7 }, { 1, 1 }, { 3, 2 } };
    struct sl_cycle_histogram h;

    (void)state;
    take(&h, 4);
    sl_histogram_add(&h, 0, 1);
    sl_histogram_add(&h, 0, 2);
    sl_histogram_add(&h, 4, 3);
    sl_histogram_add(&h, 5, 0); /* a cycle that saw an instruction without micro-ops saw 0 of them */
    sl_histogram_add(&h, 9, 1);
    sl_histogram_finish(&h, 10);
    expect(&h, want, 3);
}

static void test_no_empty_cycle(void **state)
{
    static const struct sl_cycle_count want[] = { { 2, 2 } };
    struct sl_cycle_histogram h;

    (void)state;
    take(&h, 4);
    sl_histogram_add(&h, 0, 2);
    sl_histogram_add(&h, 1, 2);
    sl_histogram_finish(&h, 2);
    sl_histogram_finish(&h, 2);
    expect(&h, want, 1);
}

static void test_values_past_the_table(void **state)
{
    static const struct sl_cycle_count want[] = { { 0, 1 }, { 2, 1 }, { 3, 1 }, { 50, 2 }, { 99, 1 }, { 4000000, 2 } };
    static const uint32_t amounts[] = { 4000000, 50, 2, 99, 4000000, 3, 50 };
    struct sl_cycle_histogram h;

    (void)state;
    take(&h, 2);
    for (uint32_t i = 0; i < 7; i++)
        sl_histogram_add(&h, i, amounts[i]);
    sl_histogram_finish(&h, 8);
    expect(&h, want, 6);
    assert_int_equal(h.lost, 0);
}

static void test_full_list_counts_what_it_loses(void **state)
{
    struct sl_cycle_histogram h;

    (void)state;
    take(&h, 0);
    for (uint32_t i = 0; i < SL_HISTOGRAM_FAR + 5; i++)
        sl_histogram_add(&h, i, 1000 - i);
    sl_histogram_finish(&h, SL_HISTOGRAM_FAR + 5);
    assert_int_equal(h.n_far, SL_HISTOGRAM_FAR);
    assert_int_equal(h.lost, 5);
}

static void test_level_counts_ends_of_cycles(void **state)
{
    struct sl_level level = { 0 };

    (void)state;
    sl_level_settle(&level, 2);
    level.value = 5; /* within cycle 2 only */
    sl_level_settle(&level, 2);
    level.value = 3; /* at the ends of cycles 2, 3 and 4 */
    sl_level_settle(&level, 5);
    level.value = 0;
    sl_level_settle(&level, 9);
    assert_int_equal(level.max, 3);
    assert_int_equal(level.sum, 9);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_of_a_cycle),       cmocka_unit_test(test_no_empty_cycle),
        cmocka_unit_test(test_values_past_the_table), cmocka_unit_test(test_full_list_counts_what_it_loses),
        cmocka_unit_test(test_level_counts_ends_of_cycles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
