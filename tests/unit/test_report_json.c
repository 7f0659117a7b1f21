/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of regions. The layout is llvm-mca-19's; figures are worked out by hand. */
#include "observe_fixture.h"
#include "report_fixture.h"

static const char *const texts[] = { "add\tx0, x1, x2", "quote \"\\\r\n\x01" };
static const struct mca_report_input input = { .texts = texts, .region_name = "loop" };

static char *text;
static size_t len;

static FILE *open_text(void)
{
    FILE *out = open_memstream(&text, &len);

    assert_non_null(out);
    return out;
}

static void expect(FILE *out, const char *want)
{
    assert_int_equal(fclose(out), 0);
    report_same(text, want);
    free(text);
}

#define TARGET                                                                                                  \
    "  \"TargetInfo\": {\n    \"CPUName\": \"cpu\",\n    \"Resources\": [\n      \"ALU.\\u0000\",\n"              \
    "      \"ALU.\\u0001\",\n      \"MUL\",\n      \"LQ\",\n      \"SQ\"\n    ]\n  }\n}\n"

static void test_no_region_and_all_parameters(void **state)
{
    static const char want[] =
        "{\n  \"CodeRegions\": [],\n  \"SimulationParameters\": {\n    \"-decoder-throughput\": 4,\n"
        "    \"-dispatch\": 3,\n    \"-lqueue\": 5,\n    \"-march\": \"aarch64\",\n    \"-mcpu\": \"cpu\",\n"
        "    \"-micro-op-queue-size\": 9,\n    \"-mtriple\": \"aarch64-none-elf\",\n    \"-noalias\": false,\n"
        "    \"-register-file-size\": 100,\n    \"-squeue\": 6\n  },\n" TARGET;
    const struct sl_mca_config config = { .dispatch_width = 3, .register_file_size = 100, .load_queue = 5,
                                          .store_queue = 6, .micro_op_queue_size = 9, .decoder_throughput = 4,
                                          .may_alias = true };
    struct mca_report_json json;
    struct fixture f;
    FILE *out = open_text();

    (void)state;
    fixture_init(&f, 1, 1);
    mca_report_json_begin(&json, out);
    mca_report_json_end(&json, &(struct mca_report_json_target){ &f.cpu, &config, "aarch64", "cpu", "aarch64-none-elf" });
    expect(out, want);
}

static void test_in_order_has_no_pipeline_parameters(void **state)
{
    static const char want[] = "{\n  \"CodeRegions\": [\n    {\n      \"Instructions\": [\n        \"add\\tx0, x1, x2\"\n"
                               "      ],\n      \"Name\": \"\"\n    },\n    {\n      \"Instructions\": [\n"
                               "        \"add\\tx0, x1, x2\",\n        \"quote \\\"\\\\\\r\\n\\u0001\"\n      ],\n"
                               "      \"Name\": \"loop\"\n    }\n  ],\n  \"SimulationParameters\": {\n"
                               "    \"-march\": \"aarch64\",\n    \"-mcpu\": \"cpu\",\n    \"-mtriple\": \"aarch64\"\n  },\n"
                               TARGET;
    const struct sl_mca_config config = { .dispatch_width = 3 };
    const struct mca_report_options options = { .bottleneck = false };
    const struct mca_report_input unnamed = { .texts = texts };
    struct mca_report_json json;
    struct report_fixture r;
    FILE *out = open_text();

    (void)state;
    report_begin(&r, &options, 1, 1);
    r.f.cpu.micro_op_buffer_size = 1;
    mca_report_json_begin(&json, out);
    assert_int_equal(mca_report_json_region(&json, r.report, &unnamed), SL_OK);
    r.f.m.n_insns = 2;
    assert_int_equal(mca_report_json_region(&json, r.report, &input), SL_OK);
    mca_report_json_end(&json, &(struct mca_report_json_target){ &r.f.cpu, &config, "aarch64", "cpu", "aarch64" });
    expect(out, want);
    report_end(&r);
}

static void test_every_view(void **state)
{
    static const char want[] =
        "{\n  \"CodeRegions\": [\n    {\n"
        "      \"DispatchStatistics\": {\n        \"GROUP\": 0,\n        \"LQ\": 0,\n        \"RAT\": 0,\n"
        "        \"RCU\": 0,\n        \"SCHEDQ\": 1,\n        \"SQ\": 0,\n        \"USH\": 0\n      },\n"
        "      \"InstructionInfoView\": {\n        \"InstructionList\": [\n          {\n            \"Instruction\": 0,\n"
        "            \"Latency\": 1,\n            \"NumMicroOpcodes\": 1,\n            \"RThroughput\": 0.5,\n"
        "            \"hasUnmodeledSideEffects\": false,\n            \"mayLoad\": true,\n"
        "            \"mayStore\": false\n          }\n        ]\n      },\n"
        "      \"Instructions\": [\n        \"add\\tx0, x1, x2\"\n      ],\n      \"Name\": \"loop\",\n"
        "      \"ResourcePressureView\": {\n        \"ResourcePressureInfo\": [\n          {\n"
        "            \"InstructionIndex\": 0,\n            \"ResourceIndex\": 2,\n            \"ResourceUsage\": 0.75\n"
        "          },\n          {\n            \"InstructionIndex\": 1,\n            \"ResourceIndex\": 2,\n"
        "            \"ResourceUsage\": 0.75\n          }\n        ]\n      },\n"
        "      \"SummaryView\": {\n        \"BlockRThroughput\": 0.5,\n        \"DispatchWidth\": 4,\n"
        "        \"IPC\": 0.40000000000000002,\n        \"Instructions\": 4,\n        \"Iterations\": 4,\n"
        "        \"TotalCycles\": 10,\n        \"TotaluOps\": 4,\n        \"uOpsPerCycle\": 0.40000000000000002\n"
        "      },\n      \"TimelineView\": {\n        \"TimelineInfo\": [\n          {\n"
        "            \"CycleDispatched\": 1,\n            \"CycleExecuted\": 4,\n            \"CycleIssued\": 3,\n"
        "            \"CycleReady\": 2,\n            \"CycleRetired\": 5\n          }\n        ]\n      }\n    }\n";
    static const uint32_t first[5] = { 1, 2, 3, 4, 5 }, second[5] = { 1, 2, 3, 7, 9 };
    const struct mca_report_options options = { .summary = true, .instruction_info = true, .dispatch_stats = true,
                                                .resource_pressure = true, .timeline = true, .bottleneck = true,
                                                .scheduler_stats = true, .timeline_max_cycles = 8 };
    const struct sl_mca_use use = { 3, 1, MUL, 0 };
    struct mca_report_json json;
    struct sl_mca_event e;
    struct report_fixture r;
    FILE *out = open_text();

    (void)state;
    fixture_init(&r.f, 1, 4);
    r.f.insns[0].may_load = true;
    report_attach(&r, &options);
    fixture_life(&r.f, 0, first);
    fixture_life(&r.f, 1, second);
    e = fixture_event(&r.f, SL_MCA_STALL, 3, 0);
    e.detail = SL_MCA_STALL_SCHEDULER_QUEUE_FULL;
    fixture_raise(&r.f, &e);
    e = fixture_event(&r.f, SL_MCA_ISSUED, 3, 2);
    e.uses = &use;
    e.n_uses = 1;
    fixture_raise(&r.f, &e);
    r.f.m.cycles = 10;
    mca_report_json_begin(&json, out);
    assert_int_equal(mca_report_json_region(&json, r.report, &input), SL_OK);
    fputc('\n', out);
    expect(out, want);
    report_end(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_region_and_all_parameters),
        cmocka_unit_test(test_in_order_has_no_pipeline_parameters),
        cmocka_unit_test(test_every_view),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
