/* SPDX-License-Identifier: Apache-2.0 */
/* Triples, processor names and the host's processor. */
#include "cli_fixture.h"

#include "hosted/cli/host_cpu.h"
#include "hosted/cli/stand_in.h"
#include "hosted/cli/target.h"

static void test_triples(void **state)
{
    static const struct {
        const char *triple, *march, *want_triple, *want_march;
    } cases[] = {
        { "x86_64", "", "x86_64", "x86_64" },
        { "amd64-linux", "", "amd64-linux", "amd64" },
        { "aarch64-none-elf", NULL, "aarch64-none-elf", "aarch64" },
        { "x86_64-pc-linux-gnu", "aarch64", "aarch64-pc-linux-gnu", "aarch64" },
        { "x86_64-linux", "arm64", "aarch64-linux-", "aarch64" },
        { "riscv32-unknown-elf", "", "riscv32-unknown-elf", "riscv32" },
        { "x86_64-pc-linux-gnu", "riscv64", "riscv64-pc-linux-gnu", "riscv64" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct target target;
        struct pool pool = { 0 };
        struct sink sink;
        sink_open(&sink);
        assert_true(target_find(&target, "mca", cases[i].triple, cases[i].march, &pool, &sink.diag));
        assert_string_equal(target.triple, cases[i].want_triple);
        assert_string_equal(target.march, cases[i].want_march);
        pool_free(&pool);
        sink_expect(&sink, "");
    }
}

static void test_bad_targets(void **state)
{
    struct target target;
    struct pool pool = { 0 };
    struct sink sink;
    (void)state;
    sink_open(&sink);
    assert_false(target_find(&target, "mca", "foo-linux", "", &pool, &sink.diag));
    assert_false(target_find(&target, "mca", "", "foo", &pool, &sink.diag));
    pool_free(&pool);
    sink_expect(&sink, "mca: unable to get target for 'foo-linux', see --version and --triple.\n"
                       "mca: invalid target 'foo'.\n");
}

static void test_every_listed_name_is_found(void **state)
{
    static const struct {
        const struct sl_isa *isa;
        const struct sl_cpu_name *names;
        const size_t *n;
    } tables[] = { { &sl_isa_aarch64, sl_cpus_aarch64, &sl_n_cpus_aarch64 },
                   { &sl_isa_x86_64, sl_cpus_x86_64, &sl_n_cpus_x86_64 },
                   { &sl_isa_riscv64, sl_cpus_riscv64, &sl_n_cpus_riscv64 },
                   { &sl_isa_riscv32, sl_cpus_riscv32, &sl_n_cpus_riscv32 } };
    (void)state;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        struct target target;
        target_of_isa(&target, tables[t].isa);
        for (size_t i = 0; i < *tables[t].n; i++) {
            struct sink sink;
            sink_open(&sink);
            const char *core = stand_in_for(&tables[t].names[i]);
            char note[256] = "";
            if (core)
                snprintf(note, sizeof note, "note: LLVM has no scheduling model of '%s': the one of %s is a stand-in for "
                         "it.\n", tables[t].names[i].name, core);
            assert_ptr_equal(target_cpu(&target, tables[t].names[i].name, &sink.diag), tables[t].names[i].cpu);
            sink_expect(&sink, note);
        }
    }
}

/* What is public about who made a model for what. */
static void test_stand_ins(void **state)
{
    static const struct {
        const struct sl_isa *isa;
        const char *name, *core;
    } cases[] = {
        { &sl_isa_aarch64, "cortex-a53", NULL },     { &sl_isa_aarch64, "cortex-a76", "cortex-a57" },
        { &sl_isa_aarch64, "apple-m1", "apple-a7" }, { &sl_isa_aarch64, "generic", "cortex-a510" },
        { &sl_isa_x86_64, "skx", NULL },             { &sl_isa_x86_64, "znver5", "znver4" },
        { &sl_isa_x86_64, "btver2", NULL },          { &sl_isa_riscv64, "sifive-u74", NULL },
        { &sl_isa_riscv64, "sifive-u54", "rocket-rv64" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct target target;
        struct sink sink;
        struct sl_cpu_name entry = { cases[i].name, NULL };
        target_of_isa(&target, cases[i].isa);
        sink_open(&sink);
        entry.cpu = target_cpu(&target, cases[i].name, &sink.diag);
        assert_non_null(entry.cpu);
        if (cases[i].core)
            assert_string_equal(stand_in_for(&entry), cases[i].core);
        else
            assert_null(stand_in_for(&entry));
        sink_expect_part(&sink, cases[i].core ? cases[i].core : "");
    }
}

static void test_widths(void **state)
{
    struct target target;
    struct sink sink;
    (void)state;
    target_of_isa(&target, &sl_isa_riscv64);
    sink_open(&sink);
    assert_null(target_cpu(&target, "rocket", &sink.diag));
    sink_expect(&sink, "error: RV64 target requires an RV64 CPU\n");
    target_of_isa(&target, &sl_isa_riscv32);
    sink_open(&sink);
    assert_null(target_cpu(&target, "sifive-u74", &sink.diag));
    sink_expect(&sink, "error: RV32 target requires an RV32 CPU\n");
}

static void test_unknown_names(void **state)
{
    static const struct {
        const char *name, *message;
    } cases[] = {
        { "foo", "'foo' is not a recognized processor for this target (ignoring processor)\n" },
        { "", "'' is not a recognized processor for this target (ignoring processor)\n" },
        { "k8", "error: unable to find instruction-level scheduling information for target triple "
                "'x86_64-pc-linux-gnu' and cpu 'k8'.\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct target target;
        struct sink sink;
        target_of_isa(&target, &sl_isa_x86_64);
        sink_open(&sink);
        assert_null(target_cpu(&target, cases[i].name, &sink.diag));
        sink_expect(&sink, cases[i].message);
    }
}

static void test_x86_hosts(void **state)
{
    static const struct {
        struct x86_identity id;
        const char *name;
    } cases[] = {
        { { "GenuineIntel", 6, 0xcf, 0, 0, 0, 0 }, "sapphirerapids" }, /* seen: llvm-mca-19 on such a host */
        { { "GenuineIntel", 6, 0x5e, 0, 0, 0, 0 }, "skylake" },
        { { "GenuineIntel", 6, 0x55, 0, 0, 0, 0 }, "skylake-avx512" },
        { { "GenuineIntel", 6, 0x55, 0, 0, 1u << 11, 0 }, "cascadelake" },
        { { "GenuineIntel", 6, 0x55, 0, 0, 1u << 11, 1u << 5 }, "cooperlake" },
        { { "AuthenticAMD", 0x19, 0x61, 0, 0, 0, 0 }, "znver4" },
        { { "AuthenticAMD", 0x16, 0, 0, 0, 0, 0 }, "btver2" },
        { { "GenuineIntel", 99, 1, 0, 0, 0, 0 }, "x86-64" },
        { { "Other", 1, 1, 1u << 20, 0, 0, 0 }, "x86-64-v2" },
        { { "Other", 1, 1, 1u << 20 | 1u << 12, 1u << 5 | 1u << 8, 0, 0 }, "x86-64-v3" },
        { { "Other", 1, 1, 1u << 20, 1u << 16 | 1u << 30 | 1u << 31, 0, 0 }, "x86-64-v4" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(host_cpu_x86(&cases[i].id), cases[i].name);
}

static void test_arm_hosts(void **state)
{
    static const char graviton[] = "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\n"
                                   "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";
    (void)state;
    assert_string_equal(host_cpu_arm(graviton), "neoverse-n1");
    assert_string_equal(host_cpu_arm("nothing"), "generic");
    assert_string_equal(host_cpu_midr(0x410fd034), "cortex-a53"); /* Cortex-A53 TRM, MIDR_EL1 */
    assert_string_equal(host_cpu_midr(0), "generic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triples),
        cmocka_unit_test(test_bad_targets),
        cmocka_unit_test(test_every_listed_name_is_found),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_stand_ins),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_x86_hosts),
        cmocka_unit_test(test_arm_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
