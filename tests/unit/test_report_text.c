/* SPDX-License-Identifier: Apache-2.0 */
/* Text of every view but the timeline. Layouts are llvm-mca-19's; figures are worked out by hand. */
#include "observe_fixture.h"
#include "report_fixture.h"

#include "hosted/report/mca_internal.h"

static const char *const texts[] = { "addl\t%eax, %ebx", "imull\t%ebx", "js\t-122", "nop" };
static const uint8_t bytes[] = { 0x01, 0xc3, 0xf7, 0xeb, 0x78, 0x80, 0x66, 0x66, 0x66, 0x66, 0x66, 0x0f, 0x1f, 0x84 };
static const uint8_t *const encodings[] = { bytes, bytes + 2, bytes + 4, bytes + 4 };
static const uint8_t encoding_len[] = { 2, 2, 2, 10 };

static const char *reg_name(uint16_t reg)
{
    return reg == 7 ? "%ebx" : NULL;
}

static const struct mca_report_input input = { .texts = texts, .encodings = encodings, .encoding_len = encoding_len,
                                               .reg_name = reg_name };

static void test_summary(void **state)
{
    static const char want[] = "Iterations:        100\nInstructions:      300\nTotal Cycles:      107\nTotal uOps:        500\n"
                               "\nDispatch Width:    4\nuOps Per Cycle:    4.67\nIPC:               2.80\n"
                               "Block RThroughput: 1.5\n";
    const struct mca_report_options options = { .summary = true };
    struct report_fixture r;

    (void)state;
    fixture_init(&r.f, 3, 100);
    r.f.descs[2].uops = 3; /* 5 / 4, but 3 cycles of ALU / 2 */
    report_attach(&r, &options);
    r.f.m.cycles = 107;
    report_expect(&r, &input, want);
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_instruction_info_with_everything(void **state)
{
    static const char want[] =
        "\n\nInstruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n"
        "[6]: HasSideEffects (U)\n[7]: LoadBarrier\n[8]: StoreBarrier\n[9]: Encoding Size\n\n"
        "[1]    [2]    [3]    [4]    [5]    [6]    [7]    [8]    [9]    Encodings:                    Instructions:\n"
        " 1      1     0.50                                       2     01 c3                         addl\t%eax, %ebx\n"
        " 10     12    12.00   *      *      U      *             2     f7 eb                         imull\t%ebx\n"
        " 100    100   0.25                                *      2     78 80                         js\t-122\n"
        " 1      4294967295   100.00                                     10    78 80 66 66 66 66 66 0f 1f 84  nop\n";
    const struct mca_report_options options = { .instruction_info = true, .show_encoding = true, .show_barriers = true };
    struct report_fixture r;

    (void)state;
    fixture_init(&r.f, 4, 1);
    r.f.descs[1].uops = 10;
    r.f.write_res[1] = (struct sl_write_res){ MUL, 0, 12 };
    r.f.write_lat[1] = (struct sl_write_lat){ 6, 0 };
    r.f.read_adv[1] = (struct sl_read_adv){ 0, -6, 0 };
    r.f.rows[1].n_adv = 1;
    r.f.insns[1].may_load = r.f.insns[1].may_store = r.f.insns[1].side_effects = r.f.insns[1].load_barrier = true;
    r.f.descs[2].uops = 100;
    r.f.cpu.issue_width = 400;
    r.f.write_res[2].release_cycle = 0; /* no resource cycles: micro-ops by issue width */
    r.f.write_lat[2].cycles = 100;
    r.f.read_adv[2] = (struct sl_read_adv){ 0, -6, 3 }; /* only for users of write 3 */
    r.f.rows[2].n_adv = 1;
    r.f.insns[2].store_barrier = true;
    r.f.write_lat[3].cycles = -1;
    r.f.write_res[3] = (struct sl_write_res){ ANY, 0, 200 };
    report_attach(&r, &options);
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_instruction_info_encodings_only(void **state)
{
    static const char want[] =
        "\n\nInstruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n"
        "[6]: HasSideEffects (U)\n[7]: Encoding Size\n\n"
        "[1]    [2]    [3]    [4]    [5]    [6]    [7]    Encodings:                    Instructions:\n"
        " 1      1     0.50                         2     01 c3                         addl\t%eax, %ebx\n";
    const struct mca_report_options options = { .instruction_info = true, .show_encoding = true };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 1, 1);
    report_expect(&r, &input, want);
    report_end(&r);
}

static void issue(struct report_fixture *r, uint32_t iid, struct sl_mca_use use)
{
    struct sl_mca_event e = fixture_event(&r->f, SL_MCA_ISSUED, 1, iid);

    e.uses = &use;
    e.n_uses = 1;
    fixture_raise(&r->f, &e);
}

static void test_resource_pressure(void **state)
{
    static const char want[] =
        "\n\nResources:\n[0.0] - ALU\n[0.1] - ALU\n[1]   - MUL\n[2]   - LQ\n[3]   - SQ\n"
        "\n\nResource pressure per iteration:\n[0.0]  [0.1]  [1]    [2]    [3]    \n"
        "1.00   0.50   20001.00  -   0.01   \n"
        "\nResource pressure by instruction:\n[0.0]  [0.1]  [1]    [2]    [3]    Instructions:\n"
        "1.00   0.50    -      -     0.01   addl\t%eax, %ebx\n"
        " -      -     20001.00  -    -     imull\t%ebx\n";
    const struct mca_report_options options = { .resource_pressure = true };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 2, 200);
    for (uint32_t i = 0; i < 200; i++)
        issue(&r, 0, (struct sl_mca_use){ 1, 1, ALU, 0 });
    issue(&r, 0, (struct sl_mca_use){ 100, 1, ALU, 1 });
    issue(&r, 0, (struct sl_mca_use){ 1, 1, SQ, 0 }); /* 0.005 is the least that is shown */
    issue(&r, 1, (struct sl_mca_use){ 200 * 20001, 1, MUL, 0 });
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_instruction_tables_show_two_views(void **state)
{
    static const char want[] =
        "\n\nInstruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n"
        "[6]: HasSideEffects (U)\n\n[1]    [2]    [3]    [4]    [5]    [6]    Instructions:\n"
        " 1      1     0.50                        addl\t%eax, %ebx\n"
        "\n\nResources:\n[0.0] - ALU\n[0.1] - ALU\n[1]   - MUL\n[2]   - LQ\n[3]   - SQ\n"
        "\n\nResource pressure per iteration:\n[0.0]  [0.1]  [1]    [2]    [3]    \n"
        "0.50   0.50    -      -      -     \n"
        "\nResource pressure by instruction:\n[0.0]  [0.1]  [1]    [2]    [3]    Instructions:\n"
        "0.50   0.50    -      -      -     addl\t%eax, %ebx\n";
    const struct mca_report_options options = { .summary = true, .instruction_info = true, .timeline = true,
                                                .bottleneck = true, .retire_stats = true };
    struct report_fixture r;

    (void)state;
    fixture_init(&r.f, 1, 100);
    r.f.m.config.instruction_tables = true;
    report_attach(&r, &options);
    issue(&r, 0, (struct sl_mca_use){ 1, 2, ALU, 0 });
    issue(&r, 0, (struct sl_mca_use){ 1, 2, ALU, 1 });
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_statistics(void **state)
{
    static const char want[] =
        "\n\nDynamic Dispatch Stall Cycles:\n"
        "RAT     - Register unavailable:                      0\n"
        "RCU     - Retire tokens unavailable:                 0\n"
        "SCHEDQ  - Scheduler full:                            2  (12.5%)\n"
        "LQ      - Load queue full:                           0\n"
        "SQ      - Store queue full:                          0\n"
        "GROUP   - Static restrictions on the dispatch group: 1  (6.3%)\n"
        "USH     - Uncategorised Structural Hazard:           0\n"
        "\n\nDispatch Logic - number of cycles where we saw N micro opcodes dispatched:\n[# dispatched], [# cycles]\n"
        " 0,              15  (93.8%)\n 2,              1  (6.3%)\n"
        "\n\nSchedulers - number of cycles where we saw N micro opcodes issued:\n[# issued], [# cycles]\n"
        " 0,          15  (93.8%)\n 2,          1  (6.2%)\n"
        "\nScheduler's queue usage:\n[1] Resource name.\n[2] Average number of used buffer entries.\n"
        "[3] Maximum number of used buffer entries.\n[4] Total number of buffer entries.\n\n"
        " [1]            [2]        [3]        [4]\n"
        "MUL              0          0          4\n"
        "LQ               0          0          16\n"
        "SQ               0          0          12\n"
        "ANY              2          2          20\n"
        "\n\nRetire Control Unit - number of cycles where we saw N instructions retired:\n[# retired], [# cycles]\n"
        " 0,           15  (93.8%)\n 2,           1  (6.2%)\n"
        "\nTotal ROB Entries:                8\nMax Used ROB Entries:             2  ( 25.0% )\n"
        "Average Used ROB Entries per cy:  1  ( 12.5% )\n"
        "\n\nRegister File statistics:\nTotal number of mappings created:    2\nMax number of mappings used:         2\n"
        "\n*  Register File #1 -- Integer:\n   Number of physical registers:     64\n"
        "   Total number of mappings created: 2\n   Max number of mappings used:      2\n"
        "   Number of optimizable moves:      3\n   Number of moves eliminated:       2  (66.7%)\n"
        "   Number of zero moves:             1  (33.3%)\n   Max moves eliminated per cycle:   2\n";
    static const uint16_t regs[3] = { 1, 1, 0 };
    static const struct sl_mca_move moves[2] = { { 2, 2, 1, 1 }, { 1, 0, 0, 1 } };
    const struct mca_report_options options = { .dispatch_stats = true, .scheduler_stats = true, .retire_stats = true,
                                                .register_file_stats = true };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 1, 2);
    for (uint32_t i = 0; i < 2; i++) {
        struct sl_mca_event e = fixture_event(&r.f, SL_MCA_DISPATCHED, 0, i);

        e.regs = regs;
        e.move = &moves[i];
        fixture_raise(&r.f, &e);
        e = fixture_event(&r.f, SL_MCA_BUFFERS_RESERVED, 0, i);
        e.mask = 0x10; /* ANY */
        fixture_raise(&r.f, &e);
        e.kind = SL_MCA_STALL;
        e.detail = SL_MCA_STALL_SCHEDULER_QUEUE_FULL;
        fixture_raise(&r.f, &e);
    }
    fixture_raise(&r.f, &(struct sl_mca_event){ .kind = SL_MCA_STALL, .detail = SL_MCA_STALL_DISPATCH_GROUP });
    for (uint32_t i = 0; i < 4; i++)
        fixture_simple(&r.f, i < 2 ? SL_MCA_ISSUED : SL_MCA_RETIRED, i < 2 ? 9 : 12, i % 2);
    r.f.m.cycles = 16;
    report_expect(&r, &input, want);
    report_end(&r);
}

/* Explicitly asked for on an in-order CPU: there is no reorder buffer to divide by. */
static void test_retire_statistics_without_reorder_buffer(void **state)
{
    static const char want[] =
        "\n\nRetire Control Unit - number of cycles where we saw N instructions retired:\n[# retired], [# cycles]\n"
        " 0,           3  (75.0%)\n 12,          1  (25.0%)\n"
        "\nTotal ROB Entries:                0\nMax Used ROB Entries:             12  ( inf% )\n"
        "Average Used ROB Entries per cy:  3  ( inf% )\n";
    const struct mca_report_options options = { .retire_stats = true };
    struct report_fixture r;

    (void)state;
    fixture_init(&r.f, 1, 12);
    r.f.m.in_order = true;
    r.f.cpu.micro_op_buffer_size = 0;
    report_attach(&r, &options);
    for (uint32_t i = 0; i < 12; i++)
        fixture_simple(&r.f, SL_MCA_DISPATCHED, 0, i);
    for (uint32_t i = 0; i < 12; i++)
        fixture_simple(&r.f, SL_MCA_RETIRED, 1, i);
    r.f.m.cycles = 4;
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_no_scheduler_used(void **state)
{
    static const char want[] =
        "\n\nSchedulers - number of cycles where we saw N micro opcodes issued:\n[# issued], [# cycles]\n"
        " 0,          4  (100.0%)\n\nScheduler's queue usage:\nNo scheduler resources used.\n";
    const struct mca_report_options options = { .scheduler_stats = true };
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 1, 1);
    r.f.m.cycles = 4;
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_region_header(void **state)
{
    char text[256];
    FILE *out = fmemopen(text, sizeof text, "w");

    (void)state;
    assert_non_null(out);
    mca_report_region_header(out, 0, NULL);
    mca_report_region_header(out, 1, "");
    mca_report_region_header(out, 12, "   ");
    fclose(out);
    assert_string_equal(text, "\n[0] Code Region\n\n\n[1] Code Region\n\n\n[12] Code Region -    \n\n");
}

static void test_columns_count_tabs_the_reference_way(void **state)
{
    static struct text_out out;
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);

    (void)state;
    text_open(&out, file);
    text_put(&out, "12345678901234js\t-122"); /* 16 after the tab */
    assert_int_equal(out.column, 20);
    text_put(&out, "\n12345678\tx"); /* a tab at a multiple of 8 counts nothing */
    assert_int_equal(out.column, 9);
    text_put(&out, "\xc3\xa9");
    assert_int_equal(out.column, 10);
    text_put(&out, "\r");
    assert_int_equal(out.column, 0);
    text_pad(&out, 0);
    assert_int_equal(out.column, 1);
    text_fill(&out, 'x', 200000);
    text_put(&out, "y");
    text_flush(&out);
    fclose(file);
    assert_int_equal(len, 21 + 11 + 2 + 1 + 1 + 200000 + 1);
    assert_int_equal(text[len - 1], 'y');
    free(text);
}

static void test_text_larger_than_the_buffer(void **state)
{
    static struct text_out out;
    static char large[100001];
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);

    (void)state;
    memset(large, 'a', sizeof large - 1);
    text_open(&out, file);
    for (unsigned i = 0; i < 65536; i++)
        text_char(&out, 'b');
    text_char(&out, 'c');
    text_put(&out, large);
    text_flush(&out);
    fclose(file);
    assert_int_equal(len, 65537 + 100000);
    assert_int_equal(text[65536], 'c');
    assert_int_equal(text[65537], 'a');
    free(text);
}

static void test_more_than_memory_holds(void **state)
{
    const struct mca_report_options timeline = { .timeline = true, .timeline_max_iterations = UINT32_MAX };
    const struct mca_report_options retire = { .retire_stats = true };
    struct report_fixture r;
    uint32_t iid = 0;

    (void)state;
    fixture_init(&r.f, 8, UINT32_MAX);
    assert_int_equal(mca_report_attach(&r.report, &r.f.m, &timeline), SL_E_ROOM);
    assert_null(r.report);
    assert_null(r.f.m.observers);
    mca_report_free(NULL);

    /* In order, instructions without micro-ops: ever more of them in each cycle. */
    fixture_init(&r.f, 8, UINT32_MAX);
    r.f.m.in_order = true;
    report_attach(&r, &retire);
    for (uint32_t cycle = 0; cycle < 80; cycle++)
        for (uint32_t i = 0; i < 300 + cycle; i++)
            fixture_simple(&r.f, SL_MCA_RETIRED, cycle, iid++);
    assert_int_equal(mca_report_print(r.report, &input, stdout), SL_E_ROOM);
    report_end(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_instruction_info_with_everything),
        cmocka_unit_test(test_instruction_info_encodings_only),
        cmocka_unit_test(test_resource_pressure),
        cmocka_unit_test(test_instruction_tables_show_two_views),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_retire_statistics_without_reorder_buffer),
        cmocka_unit_test(test_no_scheduler_used),
        cmocka_unit_test(test_region_header),
        cmocka_unit_test(test_columns_count_tabs_the_reference_way),
        cmocka_unit_test(test_text_larger_than_the_buffer),
        cmocka_unit_test(test_more_than_memory_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
