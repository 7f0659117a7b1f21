/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline's text: llvm-mca-19's own for `vmulps; vhaddps; vhaddps` on btver2, and its odd corners. */
#include "observe_fixture.h"
#include "report_fixture.h"

static const char *const texts[] = { "vmulps\t%xmm0, %xmm1, %xmm2", "vhaddps\t%xmm2, %xmm2, %xmm3",
                                     "vhaddps\t%xmm3, %xmm3, %xmm4" };
static const struct mca_report_input input = { .texts = texts };

#define WAITS                                                                                  \
    "\n\nAverage Wait times (based on the timeline view):\n[0]: Executions\n"                   \
    "[1]: Average time spent waiting in a scheduler's queue\n"                                 \
    "[2]: Average time spent waiting in a scheduler's queue while ready\n"                     \
    "[3]: Average time elapsed from WB until retire stage\n\n      [0]    [1]    [2]    [3]\n"

/* dispatched, ready, issued, executed, retired: read off llvm-mca-19's JSON */
static const uint32_t lives[9][5] = {
    { 0, 0, 1, 3, 4 },  { 0, 3, 3, 7, 8 },   { 1, 7, 7, 11, 12 },  { 1, 1, 2, 4, 12 }, { 2, 4, 4, 8, 13 },
    { 2, 8, 8, 12, 13 }, { 3, 3, 4, 6, 14 },  { 3, 6, 6, 10, 14 }, { 4, 10, 10, 14, 15 },
};

static void test_sample_of_btver2(void **state)
{
    static const char want[] =
        "\n\nTimeline view:\n"
        "                    012345\n"
        "Index     0123456789      \n"
        "\n"
        "[0,0]     DeeER.    .    .   vmulps\t%xmm0, %xmm1, %xmm2\n"
        "[0,1]     D==eeeeER .    .   vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "[0,2]     .D=====eeeeER  .   vhaddps\t%xmm3, %xmm3, %xmm4\n"
        "[1,0]     .DeeE-------R  .   vmulps\t%xmm0, %xmm1, %xmm2\n"
        "[1,1]     . D=eeeeE----R .   vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "[1,2]     . D=====eeeeER .   vhaddps\t%xmm3, %xmm3, %xmm4\n"
        "[2,0]     .  DeeE-------R.   vmulps\t%xmm0, %xmm1, %xmm2\n"
        "[2,1]     .  D==eeeeE---R.   vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "[2,2]     .   D=====eeeeER   vhaddps\t%xmm3, %xmm3, %xmm4\n" WAITS
        "0.     3     1.0    1.0    4.7       vmulps\t%xmm0, %xmm1, %xmm2\n"
        "1.     3     2.7    0.0    2.3       vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "2.     3     6.0    0.0    0.0       vhaddps\t%xmm3, %xmm3, %xmm4\n"
        "       3     3.2    0.3    2.3       <total>\n";
    const struct mca_report_options options = { .timeline = true, .timeline_max_cycles = 80 };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 3, 3);
    for (uint32_t i = 0; i < 9; i++)
        fixture_life(&r.f, i, lives[i]);
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_truncated_by_cycles(void **state)
{
    static const char want[] =
        "\n\nTimeline view:\n"
        "Index     012345678\n"
        "\n"
        "[0,0]     DeeER.  .   vmulps\t%xmm0, %xmm1, %xmm2\n"
        "[0,1]     D==eeeeER   vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "Truncated display due to cycle limit\n" WAITS
        "0.     1     1.0    1.0    0.0       vmulps\t%xmm0, %xmm1, %xmm2\n"
        "1.     1     3.0    0.0    0.0       vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "2.     1     6.0    0.0    0.0       vhaddps\t%xmm3, %xmm3, %xmm4\n"
        "       1     3.3    0.3    0.0       <total>\n";
    const struct mca_report_options options = { .timeline = true, .timeline_max_iterations = 1,
                                                .timeline_max_cycles = 9 };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 3, 3);
    for (uint32_t i = 0; i < 9; i++)
        fixture_life(&r.f, i, lives[i]);
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_first_entry_truncated_has_no_empty_line(void **state)
{
    static const char want[] = "\n\nTimeline view:\nIndex     01\nTruncated display due to cycle limit\n" WAITS
                               "0.     1     1.0    1.0    0.0       vmulps\t%xmm0, %xmm1, %xmm2\n";
    const struct mca_report_options options = { .timeline = true, .timeline_max_cycles = 2 };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 1, 1);
    fixture_life(&r.f, 0, lives[0]);
    report_expect(&r, &input, want);
    report_end(&r);
}

/* In order: no wait, no R; and an instruction that was lost while another was carried over. */
static void test_in_order_rows(void **state)
{
    static const char want[] =
        "\n\nTimeline view:\n"
        "Index     01234567\n"
        "\n"
        "[0,0]     .DE  . .   vmulps\t%xmm0, %xmm1, %xmm2\n"
        "[0,1]     .DeeeeeE   vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "[0,2]     . DE    . .   vhaddps\t%xmm3, %xmm3, %xmm4\n" WAITS
        "0.     1     0.0    0.0    0.0       vmulps\t%xmm0, %xmm1, %xmm2\n"
        "1.     1     0.0    0.0    0.0       vhaddps\t%xmm2, %xmm2, %xmm3\n"
        "2.     1     0.0    0.0    0.0       vhaddps\t%xmm3, %xmm3, %xmm4\n"
        "       1     0.0    0.0    0.0       <total>\n";
    static const uint32_t rows[2][5] = { { 1, 1, 1, 2, 2 }, { 1, 1, 1, 7, 7 } };
    const struct mca_report_options options = { .timeline = true };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 3, 1);
    fixture_life(&r.f, 0, rows[0]);
    fixture_life(&r.f, 1, rows[1]);
    fixture_simple(&r.f, SL_MCA_DISPATCHED, 2, 2);
    fixture_simple(&r.f, SL_MCA_READY, 2, 2);
    fixture_simple(&r.f, SL_MCA_ISSUED, 2, 2);
    report_expect(&r, &input, want);
    report_end(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_of_btver2),
        cmocka_unit_test(test_truncated_by_cycles),
        cmocka_unit_test(test_first_entry_truncated_has_no_empty_line),
        cmocka_unit_test(test_in_order_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
