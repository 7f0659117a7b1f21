/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the bottleneck analysis. */
#include "observe_fixture.h"
#include "report_fixture.h"

static const char *const texts[] = { "addl\t%eax, %ebx", "imull\t%ebx", "nop" };

static const char *reg_name(uint16_t reg)
{
    return reg == 7 ? "%ebx" : NULL;
}

static const struct mca_report_input input = { .texts = texts, .reg_name = reg_name };
static const struct mca_report_options options = { .bottleneck = true };

static void pressure(struct report_fixture *r, enum sl_mca_pressure reason, uint32_t cycle, uint64_t mask)
{
    const struct sl_mca_event e = { .kind = SL_MCA_PRESSURE, .cycle = cycle, .detail = (uint8_t)reason, .mask = mask };

    fixture_raise(&r->f, &e);
}

static void issue(struct report_fixture *r, uint32_t iid, struct sl_mca_critical reg, struct sl_mca_critical memory)
{
    struct sl_mca_event e = fixture_event(&r->f, SL_MCA_ISSUED, iid, iid);

    fixture_simple(&r->f, SL_MCA_DISPATCHED, iid, iid);
    e.critical_register = reg;
    e.critical_memory = memory;
    fixture_raise(&r->f, &e);
}

static void test_nothing_found(void **state)
{
    static const char want[] = "\n\nNo resource or data dependency bottlenecks discovered.\n";
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 2, 2);
    r.f.m.cycles = 10;
    pressure(&r, SL_MCA_PRESSURE_RESOURCES, 0, 1);
    report_expect(&r, &input, want); /* pressure, but no stall */
    report_end(&r);

    report_begin(&r, &options, 2, 2);
    r.f.m.cycles = 10;
    fixture_simple(&r.f, SL_MCA_STALL, 0, 0);
    report_expect(&r, &input, want); /* a stall without pressure */
    report_end(&r);
}

static void test_percentages_without_a_sequence(void **state)
{
    static const char want[] = "\n\nCycles with backend pressure increase [ 40.00% ]\nThroughput Bottlenecks: "
                               "\n  Resource Pressure       [ 30.00% ]\n  - ALU  [ 20.00% ]\n  - MUL  [ 20.00% ]"
                               "\n  Data Dependencies:      [ 20.00% ]\n  - Register Dependencies [ 10.00% ]"
                               "\n  - Memory Dependencies   [ 10.00% ]\n";
    struct report_fixture r;

    (void)state;
    report_begin(&r, &options, 3, 2);
    r.f.m.cycles = 10;
    fixture_simple(&r.f, SL_MCA_STALL, 0, 0);
    pressure(&r, SL_MCA_PRESSURE_RESOURCES, 1, 0x1);
    pressure(&r, SL_MCA_PRESSURE_RESOURCES, 2, 0x2);
    pressure(&r, SL_MCA_PRESSURE_RESOURCES, 3, 0x3);
    pressure(&r, SL_MCA_PRESSURE_REGISTER_DEPS, 3, 0);
    pressure(&r, SL_MCA_PRESSURE_MEMORY_DEPS, 5, 0);
    report_expect(&r, &input, want);
    report_end(&r);
}

#define HEAD                                                                                                      \
    "\n\nCycles with backend pressure increase [ 10.00% ]\nThroughput Bottlenecks: "                              \
    "\n  Resource Pressure       [ 0.00% ]\n  Data Dependencies:      [ 10.00% ]"                                 \
    "\n  - Register Dependencies [ 10.00% ]\n  - Memory Dependencies   [ 0.00% ]\n"                               \
    "\nCritical sequence based on the simulation:\n\n"                                                            \
    "              Instruction                                 Dependency Information"

static void start(struct report_fixture *r, uint32_t n_insns, uint32_t iterations)
{
    report_begin(r, &options, n_insns, iterations);
    r->f.m.cycles = 10;
    fixture_simple(&r->f, SL_MCA_STALL, 0, 0);
    pressure(r, SL_MCA_PRESSURE_REGISTER_DEPS, 0, 0);
}

static void test_sequence_within_an_iteration(void **state)
{
    static const char want[] = HEAD
        "\n        0.    addl\t%eax, %ebx"
        "\n +----< 1.    imull\t%ebx"
        "\n +----> 2.    nop                                         ## MEMORY dependency.\n";
    struct report_fixture r;

    (void)state;
    start(&r, 3, 1);
    issue(&r, 2, (struct sl_mca_critical){ 0 }, (struct sl_mca_critical){ 1, 4, 0 });
    report_expect(&r, &input, want);
    report_end(&r);
}

/* 1 -> next 0 -> 0's successor 1 -> next 0: after the wrap the reference does not go back. */
static void test_loop_carried_sequence(void **state)
{
    static const char want[] = HEAD
        "\n +----< 1.    imull\t%ebx"
        "\n |\n |    < loop carried > \n |"
        "\n +----> 0.    addl\t%eax, %ebx                        ## REGISTER dependency:  %ebx"
        "\n +----> 1.    imull\t%ebx                              ## REGISTER dependency:  "
        "\n |\n |    < loop carried > \n |"
        "\n +----> 0.    addl\t%eax, %ebx                        ## REGISTER dependency:  %ebx\n";
    struct report_fixture r;

    (void)state;
    start(&r, 2, 10);
    for (uint32_t iid = 0; iid < 20; iid++) {
        const struct sl_mca_critical wait = { iid - 1, 3, (uint16_t)(iid % 2 ? 9 : 7) };

        issue(&r, iid, iid == 0 ? (struct sl_mca_critical){ 0 } : wait, (struct sl_mca_critical){ 0 });
    }
    report_expect(&r, &input, want);
    report_end(&r);
}

static void test_resource_interference(void **state)
{
    static const char want[] = HEAD
        "\n +----< 0.    addl\t%eax, %ebx"
        "\n |      1.    imull\t%ebx"
        "\n +----> 2.    nop                                         ## RESOURCE interference:  MUL [ probability: 66% ]\n";
    static const struct sl_mca_use mul = { 4, 1, MUL, 0 };
    struct report_fixture r;

    (void)state;
    start(&r, 3, 3);
    for (uint32_t iid = 0; iid < 9; iid++) {
        struct sl_mca_event e = fixture_event(&r.f, SL_MCA_ISSUED, iid, iid);

        fixture_simple(&r.f, SL_MCA_DISPATCHED, iid, iid);
        if (iid % 3 == 0) {
            e.uses = &mul;
            e.n_uses = 1;
        }
        e.critical_resource_mask = iid == 2 || iid == 5 ? 0x2 : 0;
        fixture_raise(&r.f, &e);
    }
    report_expect(&r, &input, want);
    report_end(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_found),
        cmocka_unit_test(test_percentages_without_a_sequence),
        cmocka_unit_test(test_sequence_within_an_iteration),
        cmocka_unit_test(test_loop_carried_sequence),
        cmocka_unit_test(test_resource_interference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
