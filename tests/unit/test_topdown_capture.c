/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger topdown DUMP`: samples of regions on cores become the trees that the same counts give as text. */
#include "tests/unit/topdown_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "hosted/cli/topdown.h"

#define MIDR 0x410fd493u /* Neoverse N2 r0p3 */

struct dump {
    uint8_t bytes[1 << 16];
    size_t len;
};

static bool emit(void *context, const void *bytes, uint32_t len)
{
    struct dump *dump = context;
    assert_true(dump->len + len <= sizeof dump->bytes);
    memcpy(dump->bytes + dump->len, bytes, len);
    dump->len += len;
    return true;
}

static void begin(struct sl_capture *c, struct dump *dump, uint16_t core, uint16_t arch,
                  const struct sl_capture_cpu *cpu, const struct sl_capture_register *id)
{
    const struct sl_capture_config config = {
        .sink = SL_SINK_STREAM, .core = core, .session = 77, .emit = emit, .context = dump};
    const struct sl_capture_file file = {.arch = arch, .n_cores = 2, .n_regions = 1};
    const struct sl_capture_clock clock = {.kind = SL_CLOCK_CNTVCT, .width_bits = 64, .hz = 1000000000};
    assert_int_equal(sl_capture_init(c, &config), SL_OK);
    (void)sl_capture_file(c, &file);
    (void)sl_capture_cpu(c, cpu);
    (void)sl_capture_regs(c, SL_REGS_PROBED, id, 1);
    (void)sl_capture_clock(c, &clock);
    (void)sl_capture_region(c, 5, SL_REGION_NONE, 0, "kernel");
}

static void group(struct sl_capture *c, uint16_t id, const uint64_t *events, uint16_t n, bool fixed_cycles)
{
    struct sl_capture_counter counters[8] = {{0}};
    const struct sl_capture_group g = {.id = id, .pass = id, .n_counters = n};
    for (uint16_t i = 0; i < n; i++) {
        counters[i].counter = fixed_cycles && i == 0 ? (uint16_t)(SL_COUNTER_FIXED | 31u) : i;
        counters[i].event = events[i];
        counters[i].width_bits = 64;
    }
    (void)sl_capture_group(c, &g, counters);
}

static void sample(struct sl_capture *c, uint16_t id, const uint64_t *values, uint16_t n, uint64_t invocations,
                   uint32_t quality)
{
    struct sl_capture_count counts[8] = {{0}};
    const struct sl_capture_sample s = {
        .region = 5, .group = id, .n_counts = n, .start = 100, .stop = 1100, .invocations = invocations};
    for (uint16_t i = 0; i < n; i++) {
        counts[i].value = values[i];
        counts[i].quality = quality;
    }
    (void)sl_capture_sample(c, SL_CAPTURE_SAMPLE, &s, counts, NULL, NULL);
}

static const struct sl_capture_register midr = {SL_SPACE_SYSREG, SL_STATE_OK, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0),
                                                MIDR};
static const struct sl_capture_cpu pmuv3 = {.pmu = SL_PMU_ARM_PMUV3, .slots_per_cycle = 5, .slots_source = 1};

static const uint64_t pass0_events[] = {0x11, 0x3e, 0x3d, 0x10}, pass1_events[] = {0x11, 0x3b, 0x3a, 0x08};
static const uint64_t pass0[] = {1000000, 1000000, 2000000, 10000}, pass1[] = {1000000, 2100000, 2000000, 1900000};

static bool load(struct topdown_input *input, const struct dump *dump, const struct topdown_command *command)
{
    char name[] = "/tmp/slotledger-test-"
                  "XX"
                  "XX"
                  "XX";
    struct diag diag = {.stream = NULL};
    int fd = mkstemp(name);
    bool ok;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, dump->bytes, dump->len), (ssize_t)dump->len);
    close(fd);
    memset(input, 0, sizeof *input);
    ok = topdown_from_capture(input, command, name, &diag);
    if (ok)
        topdown_evaluate_all(&input->report);
    unlink(name);
    return ok;
}

static const struct sl_slot_value *value_of(const struct topdown_entry *e, enum sl_slot_node node,
                                            enum sl_slot_domain domain)
{
    const struct sl_slot_value *v = sl_slot_tree_find(&e->result.tree, node, domain);
    assert_non_null(v);
    return v;
}

static void two_cores_two_passes(void **state)
{
    struct dump *dump = calloc(1, sizeof *dump);
    const struct topdown_command command = {.help = false};
    struct topdown_input input;
    struct sl_capture c;
    char text[64];
    (void)state;
    for (uint16_t core = 0; core < 2; core++) {
        begin(&c, dump, core, SL_ARCH_AARCH64, &pmuv3, &midr);
        group(&c, 0, pass0_events, 4, true);
        group(&c, 1, pass1_events, 4, true);
        for (int times = 0; times < 2; times++) {
            sample(&c, 0, pass0, 4, 1, 0);
            sample(&c, 1, pass1, 4, 1, core ? SL_QUALITY_INTERRUPTED : 0);
        }
        (void)sl_capture_finish(&c);
    }
    assert_true(load(&input, dump, &command));
    assert_int_equal(input.losses, 0);
    assert_int_equal(input.report.n_entries, 2);
    for (int core = 0; core < 2; core++) {
        const struct topdown_entry *e = &input.report.entries[core];
        assert_int_equal(e->status, SL_OK);
        assert_string_equal(e->region, "kernel");
        assert_string_equal(e->where, core ? "core 1" : "core 0");
        assert_string_equal(e->core->name, "neoverse-n2");
        assert_string_equal(e->width_source, "register");
        assert_int_equal(e->invocations, 2);
        assert_int_equal(e->duration, 4000);
        assert_true(e->result.tree.complete);
        assert_int_equal(e->result.tree.total, 10000000);
        assert_string_equal(ratio_text(&value_of(e, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_SLOTS)->raw, text), "19/100");
        assert_string_equal(ratio_text(&value_of(e, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->raw, text), "8/21");
        assert_true(value_of(e, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->quality & SL_SLOT_SPLIT);
        assert_int_equal((value_of(e, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->quality & SL_SLOT_INTERRUPTED) != 0, core);
        assert_int_equal(e->result.passes_ppm, 0);
    }
    topdown_input_free(&input);
    free(dump);
}

/* The cost of an empty region, per invocation: named, and with --net taken off; the spread of the windows stays. */
static void calibration(void **state)
{
    static const uint64_t own[] = {103, 50, 203, 20};
    (void)state;
    for (int net = 0; net < 2; net++) {
        struct dump *dump = calloc(1, sizeof *dump);
        const struct topdown_command command = {.net = net};
        struct topdown_input input;
        const struct topdown_entry *e;
        struct sl_capture c;
        struct sl_capture_count counts[4] = {{0}};
        struct sl_capture_square squares[4] = {{0}};
        struct sl_capture_sample s = {.group = 0, .region = SL_REGION_NONE, .n_counts = 4, .invocations = 1};
        begin(&c, dump, 0, SL_ARCH_AARCH64, &pmuv3, &midr);
        group(&c, 0, pass0_events, 4, true);
        for (int i = 0; i < 4; i++)
            counts[i].value = own[i];
        (void)sl_capture_sample(&c, SL_CAPTURE_CALIBRATION, &s, counts, NULL, NULL);
        s.region = 5;
        s.invocations = 2;
        s.parts = SL_SAMPLE_SQUARES;
        for (int i = 0; i < 4; i++) {
            counts[i].value = pass0[i];
            squares[i].low = i == 3 ? 4000u * 4000u + 6000u * 6000u : pass0[i] * pass0[i] / 2;
        }
        (void)sl_capture_sample(&c, SL_CAPTURE_SAMPLE, &s, counts, NULL, squares);
        (void)sl_capture_finish(&c);
        assert_true(load(&input, dump, &command));
        assert_int_equal(input.report.n_entries, 1);
        e = input.report.entries;
        assert_int_equal(e->own_cycles, 103);
        assert_int_equal(e->own_invocations, 1);
        assert_int_equal(e->net, net);
        assert_int_equal(e->n_counts, 4);
        for (int i = 0; i < 4; i++)
            assert_int_equal(e->counts[i].value, net ? pass0[i] - 2 * own[i] : pass0[i]);
        /* 3980^2 + 5980^2 */
        assert_int_equal(e->counts[3].squares.lo, net ? 51600800u : 52000000u);
        assert_int_equal(e->counts[3].squares.hi, 0);
        topdown_input_free(&input);
        free(dump);
    }
}

/* Passes that ran a different number of times are slices of the whole. */
static void unequal_passes(void **state)
{
    struct dump *dump = calloc(1, sizeof *dump);
    const struct topdown_command command = {.region = "kernel"};
    struct topdown_input input;
    struct sl_capture c;
    const struct topdown_entry *e;
    (void)state;
    begin(&c, dump, 0, SL_ARCH_AARCH64, &pmuv3, &midr);
    group(&c, 0, pass0_events, 4, true);
    group(&c, 1, pass1_events, 4, true);
    sample(&c, 0, pass0, 4, 3, 0);
    sample(&c, 1, pass1, 4, 1, 0);
    (void)sl_capture_finish(&c);
    assert_true(load(&input, dump, &command));
    e = &input.report.entries[0];
    assert_int_equal(value_of(e, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_SLOTS)->share_ppm, 750000);
    assert_true(value_of(e, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->quality & SL_SLOT_MULTIPLEXED);
    assert_int_equal(e->invocations, 4);
    topdown_input_free(&input);
    free(dump);
}

/* Counters without a value are absent, not zero; without any there is a reason. */
static void absent_counters(void **state)
{
    struct dump *dump = calloc(1, sizeof *dump);
    const struct topdown_command command = {.help = false};
    const struct sl_capture_cpu denied = {.pmu = SL_PMU_ARM_PMUV3, .pmu_state = SL_STATE_NOT_PERMITTED};
    static const uint64_t zeros[4] = {0};
    struct topdown_input input;
    struct sl_capture c;
    const struct topdown_entry *e;
    (void)state;
    begin(&c, dump, 0, SL_ARCH_AARCH64, &denied, &midr);
    group(&c, 0, pass0_events, 4, true);
    sample(&c, 0, zeros, 4, 1, SL_QUALITY_UNAVAILABLE | SL_QUALITY_TIME_ONLY);
    (void)sl_capture_finish(&c);
    assert_true(load(&input, dump, &command));
    e = &input.report.entries[0];
    assert_int_equal(e->result.tree.kind, SL_KIND_NONE);
    assert_int_equal(e->n_counts, 0);
    assert_non_null(e->remark);
    assert_non_null(strstr(e->remark, "somebody else keeps them"));
    topdown_input_free(&input);
    free(dump);
}

/* SBI events and a Cortex-M4's DWT, by identification registers. */
static void other_architectures(void **state)
{
    static const struct sl_capture_register cpuid = {SL_SPACE_MMIO, SL_STATE_OK, 0, 0xe000ed00u, 0x410fc241u};
    static const struct sl_capture_cpu dwt = {.pmu = SL_PMU_ARM_DWT};
    static const uint64_t values[] = {200, 40, 0, 20, 60};
    struct dump *dump = calloc(1, sizeof *dump);
    const struct topdown_command command = {.help = false};
    struct sl_capture_counter counters[5] = {{0}};
    const struct sl_capture_group g = {.id = 0, .n_counters = 5};
    struct topdown_input input;
    struct sl_capture c;
    const struct topdown_entry *e;
    char text[64];
    (void)state;
    begin(&c, dump, 0, SL_ARCH_ARMV7M, &dwt, &cpuid);
    for (unsigned i = 0; i < 5; i++) {
        counters[i].kind = SL_EVENT_DWT;
        counters[i].event = 0xe0001004u + 4 * i;
    }
    (void)sl_capture_group(&c, &g, counters);
    sample(&c, 0, values, 5, 1, SL_QUALITY_AMBIGUOUS);
    (void)sl_capture_finish(&c);
    assert_true(load(&input, dump, &command));
    e = &input.report.entries[0];
    assert_string_equal(e->core->name, "cortex-m4");
    assert_int_equal(e->result.tree.kind, SL_KIND_DWT_CPI);
    assert_string_equal(ratio_text(&value_of(e, SL_NODE_LOAD_STORE, SL_DOMAIN_CYCLES)->raw, text), "3/10");
    assert_true(value_of(e, SL_NODE_LOAD_STORE, SL_DOMAIN_CYCLES)->quality & SL_SLOT_AMBIGUOUS);
    topdown_input_free(&input);
    free(dump);
}

static void perf_metrics(void **state)
{
    static const struct sl_capture_register leaf1 = {SL_SPACE_CPUID, SL_STATE_OK, 0, 1, 0x806f8u}; /* Sapphire Rapids */
    static const struct sl_capture_cpu intel = {.pmu = SL_PMU_INTEL};
    static const uint64_t cycles[] = {1000000};
    struct dump *dump = calloc(1, sizeof *dump);
    const struct topdown_command command = {.help = false};
    const struct sl_capture_counter counter = {.counter = SL_COUNTER_FIXED | 1u};
    const struct sl_capture_group g = {.id = 0, .n_counters = 1};
    const struct sl_capture_metrics metrics = {.metrics_stop = UINT64_C(0x331a140a4d331966), .slots_stop = 6000000};
    const struct sl_capture_sample s = {.region = 5, .n_counts = 1, .parts = SL_SAMPLE_METRICS, .invocations = 1};
    const struct sl_capture_count count = {.value = cycles[0]};
    struct topdown_input input;
    struct sl_capture c;
    const struct topdown_entry *e;
    (void)state;
    begin(&c, dump, 0, SL_ARCH_X86_64, &intel, &leaf1);
    (void)sl_capture_group(&c, &g, &counter);
    (void)sl_capture_sample(&c, SL_CAPTURE_SAMPLE, &s, &count, &metrics, NULL);
    (void)sl_capture_sample(&c, SL_CAPTURE_SAMPLE, &s, &count, &metrics, NULL);
    (void)sl_capture_finish(&c);
    assert_true(load(&input, dump, &command));
    e = &input.report.entries[0];
    assert_string_equal(e->core->name, "sapphirerapids");
    assert_int_equal(e->result.tree.kind, SL_KIND_METRICS8);
    assert_int_equal(e->result.tree.total, 12000000);
    assert_int_equal(value_of(e, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->slots, 4800000);
    topdown_input_free(&input);
    free(dump);
}

/* Two dumps, before and after: each region and core against its namesake, in every form. */
static void two_dumps(void **state)
{
    static const uint64_t better[] = {1000000, 500000, 2000000, 10000};
    static const struct topdown_options options = {.level = 1};
    const struct topdown_command command = {.help = false};
    struct topdown_input before, after;
    struct sl_capture c;
    char *text = NULL;
    size_t len = 0;
    FILE *out;
    (void)state;
    for (int second = 0; second < 2; second++) {
        struct dump *dump = calloc(1, sizeof *dump);
        begin(&c, dump, 3, SL_ARCH_AARCH64, &pmuv3, &midr);
        group(&c, 0, pass0_events, 4, true);
        group(&c, 1, pass1_events, 4, true);
        sample(&c, 0, second ? better : pass0, 4, 1, 0);
        sample(&c, 1, pass1, 4, 1, 0);
        (void)sl_capture_finish(&c);
        assert_true(load(second ? &after : &before, dump, &command));
        free(dump);
    }
    out = open_memstream(&text, &len);
    topdown_diff(&before.report, &after.report, &options, TOPDOWN_TEXT, out);
    fclose(out);
    assert_non_null(strstr(text, "kernel, core 3: A "));
    assert_non_null(strstr(text, "  Frontend Bound                         19.0      9.0    -10.0  slots"));
    free(text);
    out = open_memstream(&text, &len);
    topdown_diff(&before.report, &after.report, &options, TOPDOWN_CSV, out);
    fclose(out);
    assert_non_null(strstr(text, "\nkernel,core 3,frontend_bound,slots,19.0000,9.0000,-10.0000,ok,ok\n"));
    free(text);
    topdown_input_free(&before);
    topdown_input_free(&after);
}

/* No region of that name; no samples; no capture. */
static void nothing_to_show(void **state)
{
    struct dump *dump = calloc(1, sizeof *dump);
    const struct topdown_command command = {.region = "other"};
    struct topdown_input input;
    struct sl_capture c;
    (void)state;
    assert_false(load(&input, dump, &command));
    topdown_input_free(&input);
    begin(&c, dump, 0, SL_ARCH_AARCH64, &pmuv3, &midr);
    group(&c, 0, pass0_events, 4, true);
    sample(&c, 0, pass0, 4, 1, 0);
    (void)sl_capture_finish(&c);
    assert_false(load(&input, dump, &command));
    topdown_input_free(&input);
    free(dump);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibration),         cmocka_unit_test(two_cores_two_passes),
        cmocka_unit_test(unequal_passes),      cmocka_unit_test(absent_counters),
        cmocka_unit_test(other_architectures), cmocka_unit_test(perf_metrics),
        cmocka_unit_test(nothing_to_show),     cmocka_unit_test(two_dumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
