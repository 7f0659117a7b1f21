/* SPDX-License-Identifier: Apache-2.0 */
/* core/mca: laws that hold for every block on every CPU, and the errors of init. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "mca_fixture.h"

#define BLOCKS_PER_CPU 12
#define ROOM 10

static void nothing(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    (void)self;
    (void)e;
}

struct run {
    uint32_t cycles;
    uint32_t retired;
    enum sl_status status;
};

enum how { PLAIN, WATCHED, PRESSURE, SLICED };

/* Runs the block in one of four ways that must not change its cycles. */
static struct run run(const struct sl_cpu *cpu, struct sl_mca_config config, const struct sl_insn *code, size_t n, enum how how)
{
    struct sl_mca_observer each_cycle = { nothing, 1u << SL_MCA_CYCLE_END, NULL, NULL };
    struct fixture_laws laws;
    struct run r = { 0, 0, SL_OK };
    struct sl_mca m;
    size_t need;
    void *mem;

    config.pressure = how == PRESSURE;
    config.slice_cycles = how == SLICED ? 3 : 0;
    need = sl_mca_need_for(cpu, &config, code, n);
    mem = malloc(need);
    assert_non_null(mem);
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, n, mem, need), SL_OK);
    if (how == WATCHED)
        sl_mca_attach(&m, &each_cycle);
    fixture_attach(&laws, &m);
    while ((r.status = sl_mca_run(&m)) == SL_E_AGAIN)
        assert_int_equal(how, SLICED);
    if (laws.broken != NULL)
        fail_msg("%s: %s", cpu->name, laws.broken);
    r.cycles = m.cycles;
    r.retired = laws.retired;
    if (r.status == SL_OK && !m.in_order)
        assert_int_equal(laws.retired, laws.total);
    free(laws.step);
    free(mem);
    return r;
}

static void on_cpu(const struct sl_cpu *cpu, uint64_t *seed)
{
    struct sl_insn code[ROOM];

    for (int b = 0; b < BLOCKS_PER_CPU; b++) {
        size_t n = fixture_block(cpu, seed, code, ROOM);
        struct sl_mca_config config = fixture_config(seed);
        struct run plain, other;
        if (n == 0)
            continue;
        plain = run(cpu, config, code, n, PLAIN);
        for (enum how how = WATCHED; how <= SLICED; how++) {
            other = run(cpu, config, code, n, how);
            assert_int_equal(plain.status, other.status);
            if (plain.status == SL_OK) {
                assert_int_equal(plain.cycles, other.cycles);
                assert_int_equal(plain.retired, other.retired);
            }
        }
    }
}

/* Whoever watches, and however the run is cut, the cycles are the same; every instruction goes through its steps. */
static void cycles_do_not_depend_on_the_watcher(void **state)
{
    uint64_t seed = 20260712;

    (void)state;
    for (size_t i = 0; i < sl_n_cpus_aarch64; i++)
        on_cpu(sl_cpus_aarch64[i].cpu, &seed);
    for (size_t i = 0; i < sl_n_cpus_x86_64; i++)
        on_cpu(sl_cpus_x86_64[i].cpu, &seed);
}

static const struct sl_cpu *find(const struct sl_cpu_name *cpus, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(cpus[i].name, name) == 0)
            return cpus[i].cpu;
    fail_msg("no CPU %s", name);
    return NULL;
}

static void init_names_the_instruction_it_cannot_lower(void **state)
{
    /* addl %eax,%ebx; vaddps %zmm0,%zmm1,%zmm2 (llvm-mc-19): btver2 has no 512-bit vectors */
    static const uint8_t bytes[] = { 0x01, 0xc3, 0x62, 0xf1, 0x74, 0x48, 0x58, 0xd0 };
    const struct sl_cpu *cpu = find(sl_cpus_x86_64, sl_n_cpus_x86_64, "btver2");
    struct sl_insn code[2];
    unsigned char mem[1 << 16];
    struct sl_mca m;

    (void)state;
    assert_int_equal(sl_decode_x86_64(bytes, 2, &code[0]), SL_OK);
    assert_int_equal(sl_decode_x86_64(bytes + 2, 6, &code[1]), SL_OK);
    assert_int_equal(sl_mca_init(&m, cpu, NULL, code, 2, mem, sizeof mem), SL_E_UNSUPPORTED);
    assert_int_equal(m.error_index, 1);
    assert_int_equal(sl_mca_check(cpu, &code[0]), SL_OK);
    assert_int_equal(sl_mca_check(cpu, &code[1]), SL_E_UNSUPPORTED);
    assert_int_equal(sl_mca_need_for(cpu, NULL, code, 2), 0);
}

static void absurd_arguments_are_refused(void **state)
{
    const struct sl_cpu *cpu = find(sl_cpus_x86_64, sl_n_cpus_x86_64, "btver2");
    static const uint8_t nop[] = { 0x90 };
    struct sl_mca_config config = { .call_latency = UINT32_MAX, .call_latency_set = true };
    unsigned char mem[64];
    struct sl_insn code;
    struct sl_mca m;

    (void)state;
    assert_int_equal(sl_decode_x86_64(nop, 1, &code), SL_OK);
    assert_int_equal(sl_mca_init(&m, cpu, NULL, &code, 0, mem, sizeof mem), SL_E_ARGUMENT);
    assert_int_equal(sl_mca_init(&m, cpu, &config, &code, 1, mem, sizeof mem), SL_E_ARGUMENT);
}

/* Simulator specification 16.4: the reference hangs on bl foo; 50 x fdiv d0,d0,d0; add x1,x30,x30 (llvm-mc-19). */
static void a_machine_without_progress_is_stuck(void **state)
{
    static const uint8_t bl[] = { 0x00, 0x00, 0x00, 0x94 }, fdiv[] = { 0x00, 0x18, 0x60, 0x1e }, add[] = { 0xc1, 0x03, 0x1e, 0x8b };
    const struct sl_cpu *cpu = find(sl_cpus_aarch64, sl_n_cpus_aarch64, "apple-a7");
    struct sl_mca_config config = { .iterations = 1, .call_latency = 1500, .call_latency_set = true };
    struct sl_insn code[52];
    struct sl_mca m;
    size_t need;
    void *mem;

    (void)state;
    assert_int_equal(sl_decode_aarch64(bl, 4, &code[0]), SL_OK);
    for (int i = 1; i <= 50; i++)
        assert_int_equal(sl_decode_aarch64(fdiv, 4, &code[i]), SL_OK);
    assert_int_equal(sl_decode_aarch64(add, 4, &code[51]), SL_OK);
    need = sl_mca_need_for(cpu, &config, code, 52);
    mem = malloc(need);
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, 52, mem, need), SL_OK);
    assert_int_equal(sl_mca_run(&m), SL_E_STUCK);
    free(mem);
}

/* str xzr,[x0,x3]; str x0,[x3,xzr]; add x0,x0,x7,lsr #23; add x12,x3,x30,lsr #2 (llvm-mc-19): the second store reads a
 * constant register through the first one's descriptor. llvm-mca-19 says 301 cycles on cortex-a510. */
static void a_shared_descriptor_may_meet_a_constant_register(void **state)
{
    static const uint8_t bytes[] = { 0x1f, 0x68, 0x23, 0xf8, 0x60, 0x68, 0x3f, 0xf8,
                                     0x00, 0x5c, 0x47, 0x8b, 0x6c, 0x08, 0x5e, 0x8b };
    const struct sl_cpu *cpu = find(sl_cpus_aarch64, sl_n_cpus_aarch64, "cortex-a510");
    struct sl_mca_config config = { 0 };
    struct sl_insn code[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(sl_decode_aarch64(bytes + 4 * i, 4, &code[i]), SL_OK);
    assert_int_equal(run(cpu, config, code, 4, PLAIN).cycles, 301);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shared_descriptor_may_meet_a_constant_register),
        cmocka_unit_test(cycles_do_not_depend_on_the_watcher),
        cmocka_unit_test(init_names_the_instruction_it_cannot_lower),
        cmocka_unit_test(absurd_arguments_are_refused),
        cmocka_unit_test(a_machine_without_progress_is_stuck),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
