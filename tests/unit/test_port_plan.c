/* SPDX-License-Identifier: Apache-2.0 */
/* Every pass that core/topdown plans for the counters a port has found is a group that the port takes. */
#include "port_fake.h"

#include <slotledger/plan.h>

static const struct {
    const struct sl_port_ops *ops;
    uint8_t arch;
    uint32_t counters, fixed;
    uint64_t id0, signature;
    const char *core;
    unsigned can;
} machines[] = {
    {&sl_port_aarch64, SL_PORT_AARCH64, 0x3f, 1u << SL_PORT_CYCLES, 0x410fd493, 0, "neoverse-n2", 0},
    {&sl_port_aarch64, SL_PORT_AARCH64, 0xf, 1u << SL_PORT_CYCLES, 0x410fd4f0, 0, "neoverse-v2", 0},
    {&sl_port_aarch64, SL_PORT_AARCH64, 0x3f, 1u << SL_PORT_CYCLES, 0x410fd070, 0, "cortex-a57", 0},
    {&sl_port_cortexm_dwt, SL_PORT_ARMV7M, 0, 31u << SL_PORT_DWT_CPI | 1u << SL_PORT_CYCLES, 0x410fc241, 0, "cortex-m4",
     0},
    {&sl_port_cortexm_pmu, SL_PORT_ARMV8M, 0xff, 1u << SL_PORT_CYCLES, 0x410fd221, 0, "cortex-m55", 0},
    {&sl_port_riscv_machine, SL_PORT_RV64, 0x1ffffff8, 1u << SL_PORT_CYCLES | 1u << SL_PORT_INSTRUCTIONS, 0x5b7, 0,
     NULL, 0},
    {&sl_port_x86_64_intel, SL_PORT_X86_64, 0xff, 0xff001eu, 0, 0x806f8, "sapphirerapids", SL_PORT_CAN_METRICS},
    {&sl_port_x86_64_intel, SL_PORT_X86_64, 0xf, 0xe, 0, 0x506e3, "skylake-desktop", 0},
    {&sl_port_x86_64_amd, SL_PORT_X86_64, 0x3f, 0, 0, 0xa10f11, NULL, 0},
};

static void describe(unsigned m, struct sl_port_caps *caps)
{
    *caps = (struct sl_port_caps){.arch = machines[m].arch,
                                  .counters = machines[m].counters,
                                  .fixed = machines[m].fixed,
                                  .width = 48,
                                  .fixed_width = 48,
                                  .can = (uint16_t)(machines[m].can | SL_PORT_CAN_STOP)};
    caps->id[0] = machines[m].id0;
    if (machines[m].arch == SL_PORT_AARCH64) {
        caps->id[SL_PORT_ID_PMCEID0] = caps->id[SL_PORT_ID_PMCEID1] = UINT64_MAX;
    }
    if (machines[m].arch == SL_PORT_X86_64) {
        caps->id[SL_PORT_ID_SIGNATURE] = machines[m].signature;
        caps->id[SL_PORT_ID_LEAF_A_AB] = 8u << 24;
    }
}

static void every_pass_is_a_group(void **state)
{
    (void)state;
    for (unsigned m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        struct sl_port_caps caps;
        describe(m, &caps);
        const struct sl_topdown_core *core = sl_plan_core(machines[m].ops, &caps);
        if (machines[m].core != NULL && strcmp(core->name, machines[m].core) != 0) {
            print_error("machine %u: %s\n", m, core->name);
            fail();
        }
        struct sl_topdown_budget budget;
        struct sl_topdown_plan plan;
        sl_plan_budget(machines[m].ops, &caps, core->model, &budget);
        for (unsigned level = 1; level <= 2; level++) {
            enum sl_status planned = sl_topdown_plan(core->model, &budget, level, SL_NODE_TOTAL, &plan);
            if (planned) {
                print_error("%s, level %u: %s (%u counters, fixed %x, available %llx)\n", core->name, level,
                            sl_status_text(planned), budget.n_counters, (unsigned)(budget.fixed & UINT32_MAX),
                            (unsigned long long)budget.available);
                fail();
            }
            assert_true(plan.n_passes > 0);
            for (unsigned p = 0; p < plan.n_passes; p++) {
                struct sl_port_event events[SL_PORT_EVENTS];
                struct sl_port_group group = {.events = events};
                struct sl_port port = {0};
                fake_reset();
                assert_int_equal(sl_plan_events(machines[m].ops, core->model, &plan.passes[p], events, &group.count),
                                 SL_OK);
                assert_int_equal(group.count, sl_popcount64(plan.passes[p].events));
                enum sl_status err = sl_region_open(&port, machines[m].ops, &caps, &group, SL_PORT_FORCE);
                if (err) {
                    print_error("%s, level %u, pass %u: %s (%s)\n", core->name, level, p, sl_status_text(err),
                                sl_port_why_text((enum sl_port_why)port.why));
                    fail();
                }
                sl_region_close(&port);
            }
        }
    }
}

/* What PMCEID does not list is not planned. */
static void unlisted_events_are_left_out(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    struct sl_topdown_budget budget;
    struct sl_topdown_plan plan;
    describe(0, &caps);
    caps.id[SL_PORT_ID_PMCEID0] = 0x20901;
    caps.id[SL_PORT_ID_PMCEID1] = 0;
    const struct sl_topdown_core *core = sl_plan_core(&sl_port_aarch64, &caps);
    sl_plan_budget(&sl_port_aarch64, &caps, core->model, &budget);
    assert_int_not_equal(sl_topdown_plan(core->model, &budget, 1, SL_NODE_TOTAL, &plan), SL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_is_a_group),
        cmocka_unit_test(unlisted_events_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
