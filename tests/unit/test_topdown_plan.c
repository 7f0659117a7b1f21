/* SPDX-License-Identifier: Apache-2.0 */
/* Pass planning, counts of several passes and windows, errors, wrap, identification, verdict. */
#include "tests/unit/topdown_fixture.h"

static uint64_t set_of(const struct sl_topdown_model *model, const char *const *names)
{
    uint64_t set = 0;
    for (size_t i = 0; names[i]; i++)
        set |= (uint64_t)1 << topdown_event(model, names[i]);
    return set;
}

/* Every pass fits, no event is lost, and each ratio's events meet in one pass. */
static void check_plan(const struct sl_topdown_core *core, const struct sl_topdown_budget *budget, unsigned level)
{
    const struct sl_topdown_model *model = core->model;
    struct sl_topdown_plan plan;
    const struct sl_topdown_row *row;
    uint8_t counters[SL_TOPDOWN_EVENTS];
    if (sl_topdown_plan(model, budget, level, SL_NODE_TOTAL, &plan) != SL_OK)
        return;
    assert_true(plan.n_passes > 0 && plan.n_passes <= SL_TOPDOWN_PASSES);
    for (unsigned p = 0; p < plan.n_passes; p++) {
        uint64_t used = 0;
        assert_true(sl_topdown_assign(model, budget, plan.passes[p].events, counters));
        for (unsigned i = 0; i < model->n_events; i++) {
            bool here = plan.passes[p].events >> i & 1u, fixed = plan.passes[p].on_fixed >> i & 1u;
            assert_true(here || !fixed);
            assert_true((counters[i] != 0xff) == (here && !fixed));
            if (counters[i] == 0xff)
                continue;
            assert_true(counters[i] < budget->n_counters && !(used >> counters[i] & 1u));
            assert_true(!model->events[i].counters || (model->events[i].counters >> counters[i] & 1u));
            used |= (uint64_t)1 << counters[i];
        }
        /* Cycles are in each pass: what is combined later is ratios to them. */
        assert_true(plan.passes[p].events >> model->cycles & 1u);
    }
    for (unsigned i = 0; (row = sl_topdown_row_at(model, i)) != NULL; i++) {
        uint64_t events = sl_topdown_row_events(row);
        bool together = false;
        if (sl_slot_node_level(row->node) > level || (events & plan.uncountable) || plan.full || plan.split)
            continue;
        for (unsigned p = 0; p < plan.n_passes; p++)
            together = together || (events & ~plan.passes[p].events) == 0;
        if (!together)
            fail_msg("%s: events of %s are in no pass together", core->name, sl_slot_node_name(row->node));
    }
}

static void plans_of_all_cores(void **state)
{
    const struct sl_topdown_core *core;
    (void)state;
    for (size_t c = 0; (core = sl_topdown_core_at(c)) != NULL; c++) {
        for (uint8_t n = 0; n <= 20; n++) {
            struct sl_topdown_budget budget = {.n_counters = n, .fixed = UINT64_C(0x100008000007f)};
            if (core->model->domain == SL_DOMAIN_CYCLES && core->model->kind == SL_KIND_NONE)
                continue;
            for (unsigned level = 1; level <= 4; level++)
                check_plan(core, &budget, level);
        }
    }
}

/* The tables of events by pass that the specification gives for six counters. */
static void published_passes(void **state)
{
    static const char *const n2[] = {"STALL_SLOT_FRONTEND", "STALL_SLOT_BACKEND", "OP_RETIRED",   "OP_SPEC",
                                     "BR_MIS_PRED",         "CPU_CYCLES",         "INST_RETIRED", NULL};
    static const char *const c1[] = {"STALL_SLOT_FRONTEND",  "STALL_SLOT_BACKEND",   "OP_RETIRED", "OP_SPEC",
                                     "STALL_FRONTEND_FLUSH", "IMP_WFX_CLOCK_CYCLES", "CPU_CYCLES", NULL};
    static const char *const skl[] = {"IDQ_UOPS_NOT_DELIVERED.CORE",
                                      "UOPS_ISSUED.ANY",
                                      "UOPS_RETIRED.RETIRE_SLOTS",
                                      "INT_MISC.RECOVERY_CYCLES",
                                      "CPU_CLK_UNHALTED.THREAD",
                                      "INST_RETIRED.ANY",
                                      NULL};
    const struct {
        const struct sl_topdown_model *model;
        struct sl_topdown_budget budget;
        const char *const *events;
    } cases[] = {
        {&sl_topdown_model_arm_n2, {6, (uint64_t)1 << 31, 0}, n2},
        {&sl_topdown_model_arm_c1_pro, {6, (uint64_t)1 << 31, 0}, c1},
        {&sl_topdown_model_intel_skl, {4, 7, 0}, skl},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_topdown_plan plan;
        assert_int_equal(sl_topdown_plan(cases[i].model, &cases[i].budget, 1, SL_NODE_TOTAL, &plan), SL_OK);
        assert_int_equal(plan.n_passes, 1);
        assert_false(plan.split);
        assert_true(plan.passes[0].events == set_of(cases[i].model, cases[i].events));
    }
}

/* Too few counters: ratios are spread over passes, each whole; an event that is not there is not planned. */
static void few_counters(void **state)
{
    static const char *const ops[] = {"OP_RETIRED", "OP_SPEC", NULL};
    const struct sl_topdown_model *n2 = &sl_topdown_model_arm_n2;
    struct sl_topdown_budget budget = {.n_counters = 2, .fixed = (uint64_t)1 << 31};
    struct sl_topdown_plan plan;
    unsigned together = 0;
    (void)state;
    assert_int_equal(sl_topdown_plan(n2, &budget, 1, SL_NODE_TOTAL, &plan), SL_OK);
    assert_true(plan.split);
    for (unsigned p = 0; p < plan.n_passes; p++)
        together += (plan.passes[p].events & set_of(n2, ops)) == set_of(n2, ops);
    assert_int_equal(together, 1);
    budget.n_counters = 1;
    assert_int_equal(sl_topdown_plan(n2, &budget, 1, SL_NODE_TOTAL, &plan), SL_E_UNSUPPORTED);
    budget.n_counters = 6;
    budget.available = ~((uint64_t)1 << topdown_event(n2, "BR_MIS_PRED"));
    assert_int_equal(sl_topdown_plan(n2, &budget, 1, SL_NODE_TOTAL, &plan), SL_E_UNSUPPORTED);
    assert_int_equal(sl_topdown_plan(n2->fallback, &budget, 1, SL_NODE_TOTAL, &plan), SL_OK);
    budget.available = ~((uint64_t)1 << topdown_event(n2, "CPU_CYCLES"));
    assert_int_equal(sl_topdown_plan(n2, &budget, 1, SL_NODE_TOTAL, &plan), SL_E_UNSUPPORTED);
}

/* Drilling down counts level 1 and what is below the bottleneck, nothing else. */
static void drill_down(void **state)
{
    const struct sl_topdown_model *n3 = &sl_topdown_model_arm_n3;
    struct sl_topdown_budget budget = {.n_counters = 6, .fixed = (uint64_t)1 << 31};
    struct sl_topdown_plan plan;
    uint64_t all = 0;
    (void)state;
    assert_int_equal(sl_topdown_plan(n3, &budget, 4, SL_NODE_BACKEND_BOUND, &plan), SL_OK);
    for (unsigned p = 0; p < plan.n_passes; p++)
        all |= plan.passes[p].events;
    assert_true(all >> topdown_event(n3, "STALL_BACKEND_MEMBOUND") & 1u);
    assert_true(all >> topdown_event(n3, "STALL_SLOT_FRONTEND") & 1u);
    assert_false(all >> topdown_event(n3, "STALL_FRONTEND_MEMBOUND") & 1u);
    assert_int_equal(sl_topdown_rotate(&plan, plan.n_passes), 0);
}

static const struct sl_slot_value *value_of(const struct sl_topdown *t, enum sl_slot_node node,
                                            enum sl_slot_domain domain)
{
    const struct sl_slot_value *v = sl_slot_tree_find(&t->tree, node, domain);
    assert_non_null(v);
    return v;
}

static void evaluate(struct sl_topdown *t, const struct sl_topdown_model *model, unsigned width,
                     const struct named_count *named, const uint16_t *groups)
{
    struct sl_topdown_count counts[TOPDOWN_COUNTS];
    const struct sl_topdown_config config = {.width = width};
    size_t n = topdown_counts(model, named, counts);
    for (size_t i = 0; groups && i < n; i++)
        counts[i].group = groups[i];
    assert_int_equal(sl_topdown_evaluate(t, model, &config, counts, n), SL_OK);
}

/* Pass 1 ran half as long again as pass 0: each ratio is its own pass's, the mixed class is brought over by cycles. */
static void two_passes(void **state)
{
    static const struct named_count named[] = {{"CPU_CYCLES", 1000000},         {"STALL_SLOT_FRONTEND", 1000000},
                                               {"STALL_SLOT_BACKEND", 2000000}, {"BR_MIS_PRED", 10000},
                                               {"CPU_CYCLES", 1500000},         {"OP_SPEC", 3150000},
                                               {"OP_RETIRED", 3000000},         {NULL, 0}};
    static const uint16_t groups[] = {4, 4, 4, 4, 9, 9, 9};
    struct sl_topdown t;
    char text[64];
    (void)state;
    evaluate(&t, &sl_topdown_model_arm_n2, 5, named, groups);
    assert_true(t.tree.complete);
    assert_string_equal(ratio_text(&value_of(&t, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->raw, text), "8/21");
    assert_string_equal(ratio_text(&value_of(&t, SL_NODE_BAD_SPECULATION, SL_DOMAIN_SLOTS)->raw, text), "31/525");
    assert_true(value_of(&t, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->quality & SL_SLOT_SPLIT);
    assert_false(value_of(&t, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_SLOTS)->quality & SL_SLOT_SPLIT);
    assert_int_equal(t.passes_ppm, 333333); /* (1500000 - 1000000) / 1500000 */
    assert_true(value_of(&t, SL_NODE_RETIRING, SL_DOMAIN_SLOTS)->quality & SL_SLOT_PASSES_DIFFER);
}

/* A time-sliced count: the share of time is shown, the total is that of all the time, nothing else changes. */
static void time_slices(void **state)
{
    static const struct named_count named[] = {
        {"CPU_CYCLES", 1000000}, {"STALL_FRONTEND", 150000}, {"STALL_BACKEND", 400000}, {NULL, 0}};
    struct sl_topdown_count counts[TOPDOWN_COUNTS];
    const struct sl_topdown_config config = {.width = 0};
    const struct sl_topdown_model *model = &sl_topdown_model_arm_cycles;
    size_t n = topdown_counts(model, named, counts);
    struct sl_topdown t;
    const struct sl_slot_value *v;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        counts[i].enabled = 400;
        counts[i].running = 100;
    }
    assert_int_equal(sl_topdown_evaluate(&t, model, &config, counts, n), SL_OK);
    v = value_of(&t, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_CYCLES);
    assert_int_equal(sl_ratio_scale(&v->value, 100, NULL), 15);
    assert_int_equal(v->share_ppm, 250000);
    assert_true(v->quality & SL_SLOT_MULTIPLEXED);
    assert_int_equal(v->error_ppm, SL_ERROR_UNKNOWN); /* no windows were told */
    assert_int_equal(t.tree.total, 4000000);
    counts[1].running = 0; /* never counted: no value, not zero */
    assert_int_equal(sl_topdown_evaluate(&t, model, &config, counts, n), SL_OK);
    assert_true(value_of(&t, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_CYCLES)->quality & SL_SLOT_MISSING);
    assert_false(t.tree.complete);
}

/* N s / sqrt(n) sqrt(1 - n/N), relative to N/n times the sum. */
static void standard_error(void **state)
{
    /* Windows 90, 100, 110: mean 100, s = 10. Of N = 12: 12 * 10 / sqrt 3 * sqrt(1 - 3/12) = 60 of 1200: 5 %. */
    const struct sl_u128 squares = {8100 + 10000 + 12100, 0}, same = {30000, 0};
    uint32_t error = sl_topdown_standard_error(300, squares, 3, 12);
    (void)state;
    assert_in_range(error, 49900, 50001);
    assert_int_equal(sl_topdown_standard_error(300, same, 3, 12), 0);
    assert_int_equal(sl_topdown_standard_error(300, squares, 12, 12), 0); /* counted all the time */
    assert_int_equal(sl_topdown_standard_error(200, squares, 2, 12), SL_ERROR_UNKNOWN);
    assert_int_equal(sl_topdown_standard_error(0, squares, 3, 12), SL_ERROR_UNKNOWN);
    assert_int_equal(sl_topdown_standard_error(1000, squares, 3, 12), SL_ERROR_UNKNOWN); /* cannot be */
}

/* a / b with 3 % and 4 %: 5 % of the quotient (3-4-5 triangle). */
static void error_of_a_quotient(void **state)
{
    const struct sl_topdown_model *model = &sl_topdown_model_arm_cycles;
    const struct sl_topdown_config config = {.width = 0};
    static const struct named_count named[] = {
        {"CPU_CYCLES", 300}, {"STALL_FRONTEND", 300}, {"STALL_BACKEND", 0}, {NULL, 0}};
    struct sl_topdown_count counts[TOPDOWN_COUNTS];
    size_t n = topdown_counts(model, named, counts);
    struct sl_topdown t;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        counts[i].enabled = 12;
        counts[i].running = 3;
        counts[i].windows = 3;
        counts[i].all_windows = 12;
        /* s = 6 and 8 instead of 10: 3 * 100^2 + 2 s^2. */
        counts[i].squares.lo = 30000 + 2 * (i ? 64 : 36);
    }
    assert_int_equal(sl_topdown_evaluate(&t, model, &config, counts, n), SL_OK);
    assert_in_range(value_of(&t, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_CYCLES)->error_ppm, 48500, 50100);
    assert_in_range(value_of(&t, SL_NODE_ACTIVE, SL_DOMAIN_CYCLES)->error_ppm, 48500,
                    50100); /* what is left has it, too */
}

static void wrap(void **state)
{
    bool exact;
    (void)state;
    assert_true(sl_topdown_delta(0xfffffff0u, 0x10, 32) == 0x20);
    assert_true(sl_topdown_delta(5, 3, 48) == (UINT64_C(1) << 48) - 2);
    assert_true(sl_topdown_delta(UINT64_MAX, 1, 64) == 2);
    assert_true(sl_topdown_delta(0xffff, 0, 16) == 1);
    assert_int_equal(sl_topdown_dwt_delta(250, 4, 255, &exact), 10);
    assert_true(exact);
    (void)sl_topdown_dwt_delta(250, 4, 256, &exact);
    assert_false(exact);
}

static void metrics_errors(void **state)
{
    struct sl_topdown_count classes[SL_TOPDOWN_CLASSES];
    (void)state;
    assert_int_equal(sl_topdown_metrics(0, 10, 0xff, 9, classes), SL_E_ARGUMENT);
    assert_int_equal(sl_topdown_metrics(0, 0, 0xff, UINT64_C(1) << 55, classes), SL_E_ARGUMENT);
    assert_int_equal(sl_topdown_metrics(0xff, 10, 0x01, 11, classes), SL_OK); /* 8-bit precision: a class may shrink */
    assert_int_equal(classes[0].value, 0);
    assert_true(classes[0].quality & SL_SLOT_CLAMPED);
}

static void identification(void **state)
{
    unsigned width;
    (void)state;
    assert_string_equal(sl_topdown_core_arm(0x410fd490u)->name, "neoverse-n2-r0p0");
    assert_string_equal(sl_topdown_core_arm(0x410fd492u)->name, "neoverse-n2-r0p0");
    assert_string_equal(sl_topdown_core_arm(0x410fd493u)->name, "neoverse-n2");
    assert_string_equal(sl_topdown_core_arm(0x411fd490u)->name, "neoverse-n2");
    assert_string_equal(sl_topdown_core_arm(0x411fd4f0u)->name, "neoverse-v2");
    assert_string_equal(sl_topdown_core_arm(0x6d0fd490u)->name, "cobalt-100");
    assert_string_equal(sl_topdown_core_arm(0x480fd010u)->name, "tsv110");
    assert_string_equal(sl_topdown_core_arm(0)->name, "armv8-generic");
    assert_string_equal(sl_topdown_core_arm(0x410fd0c1u)->name, "neoverse-n1");
    assert_string_equal(sl_topdown_core_cortexm(0x410fd221u, true, true)->name, "cortex-m55");
    assert_string_equal(sl_topdown_core_cortexm(0x410fd221u, false, true)->name, "cortex-m55-dwt");
    assert_string_equal(sl_topdown_core_cortexm(0x410fc241u, false, true)->name, "cortex-m4");
    assert_string_equal(sl_topdown_core_cortexm(0x410fc241u, false, false)->name, "cortex-m");
    assert_string_equal(sl_topdown_core_cortexm(0x410cc200u, false, false)->name, "cortex-m0");
    assert_string_equal(sl_topdown_core_cortexm(0x410fffffu, true, true)->name, "cortex-m-pmu");
    assert_string_equal(sl_topdown_core_intel(6, 0x5e, false)->name, "skylake-desktop");
    assert_string_equal(sl_topdown_core_intel(6, 0x97, false)->name, "alderlake");
    assert_string_equal(sl_topdown_core_intel(6, 0x97, true)->name, "alderlake-e");
    assert_string_equal(sl_topdown_core_intel(6, 0xbe, true)->name, "gracemont");
    assert_string_equal(sl_topdown_core_intel(6, 0xfe, false)->name, "intel");
    assert_string_equal(sl_topdown_core_amd(0x19, 0x11)->name, "zen4");
    assert_string_equal(sl_topdown_core_amd(0x19, 0x21)->name, "zen3");
    assert_string_equal(sl_topdown_core_amd(0x1a, 0x44)->name, "zen5");
    assert_string_equal(sl_topdown_core_amd(0x15, 0)->name, "amd");
    assert_string_equal(sl_topdown_core_riscv(0x489, UINT64_C(0x8000000000000007), 0)->name, "sifive-u74");
    assert_string_equal(sl_topdown_core_riscv(0x5b7, 0, 0)->name, "thead-c910");
    assert_string_equal(sl_topdown_core_riscv(0, 0x2a, 0)->name, "riscv-generic");
    assert_non_null(sl_topdown_core_by_name("generic-64", &width));
    assert_int_equal(width, 64);
    assert_null(sl_topdown_core_by_name("generic-", &width));
    assert_null(sl_topdown_core_by_name("generic-4x", &width));
    assert_null(sl_topdown_core_by_name("", &width));
}

/* Each name is given once, each model's events have distinct codes, each formula's nodes come before it. */
static void tables(void **state)
{
    const struct sl_topdown_core *core, *other;
    (void)state;
    for (size_t c = 0; (core = sl_topdown_core_at(c)) != NULL; c++) {
        for (size_t d = 0; d < c; d++) {
            other = sl_topdown_core_at(d);
            assert_string_not_equal(core->name, other->name);
        }
        for (const struct sl_topdown_model *m = core->model; m; m = m->fallback) {
            assert_true(m->family == core->model->family && m->n_events <= SL_TOPDOWN_EVENTS);
            for (unsigned i = 0; i < m->n_events; i++)
                assert_int_equal(sl_topdown_event_find(m, sl_topdown_event_code(m, i)), i);
        }
    }
}

/* Hierarchy before size: a child over its threshold below a parent that is none stays unflagged. */
static void verdict_of_paths(void **state)
{
    struct sl_slot_tree tree;
    struct sl_slot_value *memory;
    (void)state;
    sl_slot_tree_init(&tree, SL_KIND_SLOT4, SL_DOMAIN_SLOTS, 1000);
    sl_ratio_set(&sl_slot_tree_add(&tree, SL_NODE_FRONTEND_BOUND, SL_DOMAIN_SLOTS, SL_PART_MEMBER)->raw, 10, 100);
    sl_ratio_set(&sl_slot_tree_add(&tree, SL_NODE_BAD_SPECULATION, SL_DOMAIN_SLOTS, SL_PART_MEMBER)->raw, 5, 100);
    sl_ratio_set(&sl_slot_tree_add(&tree, SL_NODE_RETIRING, SL_DOMAIN_SLOTS, SL_PART_MEMBER)->raw, 67, 100);
    (void)sl_slot_tree_add(&tree, SL_NODE_BACKEND_BOUND, SL_DOMAIN_SLOTS, SL_PART_REST);
    sl_slot_tree_partition(&tree, SL_NODE_TOTAL, SL_DOMAIN_SLOTS);
    memory = sl_slot_tree_add(&tree, SL_NODE_MEMORY_BOUND, SL_DOMAIN_STALLS, SL_PART_MEMBER);
    sl_ratio_set(&memory->raw, 9, 10);
    sl_slot_tree_partition(&tree, SL_NODE_BACKEND_BOUND, SL_DOMAIN_STALLS);
    sl_topdown_verdict(&tree, &sl_topdown_thresholds_default);
    assert_int_equal(tree.n_path, 0);
    assert_false(memory->flagged);
    assert_true(memory->quality & SL_SLOT_BELOW_THRESHOLD);
    sl_ratio_set(&tree.values[3].value, 30, 100); /* now the parent is one */
    sl_topdown_verdict(&tree, &sl_topdown_thresholds_default);
    assert_int_equal(tree.n_path, 2);
    assert_int_equal(tree.values[tree.path[1]].node, SL_NODE_MEMORY_BOUND);
    assert_false(memory->quality & SL_SLOT_BELOW_THRESHOLD);
    tree.values[3].quality |= SL_SLOT_INCONSISTENT;
    sl_topdown_verdict(&tree, &sl_topdown_thresholds_default);
    assert_int_equal(tree.n_path, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_of_all_cores), cmocka_unit_test(published_passes),    cmocka_unit_test(few_counters),
        cmocka_unit_test(drill_down),         cmocka_unit_test(two_passes),          cmocka_unit_test(time_slices),
        cmocka_unit_test(standard_error),     cmocka_unit_test(error_of_a_quotient), cmocka_unit_test(wrap),
        cmocka_unit_test(metrics_errors),     cmocka_unit_test(identification),      cmocka_unit_test(tables),
        cmocka_unit_test(verdict_of_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
