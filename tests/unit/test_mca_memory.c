/* SPDX-License-Identifier: Apache-2.0 */
/* core/mca: the memory contract. Needs are enough, what is too little is said to the byte, nothing is written past. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/mca.h>

#include "core/mca/lower.h"

/* fmadd d0,d1,d2,d0; ldr x1,[x0],#8; stp x1,x2,[x3]; ld4 {v0.16b-v3.16b},[x0]; bl .+0; udiv x2,x1,x2 (llvm-mc-19) */
static const uint8_t aarch64_code[] = { 0x20, 0x00, 0x42, 0x1f, 0x01, 0x84, 0x40, 0xf8, 0x61, 0x08, 0x00, 0xa9,
                                        0x00, 0x00, 0x40, 0x4c, 0x00, 0x00, 0x00, 0x94, 0x22, 0x08, 0xc2, 0x9a };
/* movl %eax,%ebx; vzeroall; xorl %ecx,%ecx; cmpxchg16b (%rdi); vmovaps %ymm1,%ymm2; movb %al,%ah (llvm-mc-19) */
static const uint8_t x86_64_code[] = { 0x89, 0xc3, 0xc5, 0xfc, 0x77, 0x31, 0xc9, 0x48, 0x0f, 0xc7,
                                       0x0f, 0xc5, 0xfc, 0x28, 0xd1, 0x88, 0xc4 };

static size_t decode(const struct sl_isa *isa, const uint8_t *bytes, size_t len, struct sl_insn *code)
{
    size_t n = 0;

    for (size_t at = 0; at < len; at += code[n++].len_bytes)
        assert_int_equal(isa->decode(bytes + at, len - at, &code[n]), SL_OK);
    return n;
}

struct target {
    const struct sl_cpu_name *cpus;
    size_t n_cpus;
    struct sl_insn code[8];
    size_t n;
};

static void targets(struct target t[2])
{
    t[0] = (struct target){ .cpus = sl_cpus_aarch64, .n_cpus = sl_n_cpus_aarch64 };
    t[0].n = decode(&sl_isa_aarch64, aarch64_code, sizeof aarch64_code, t[0].code);
    t[1] = (struct target){ .cpus = sl_cpus_x86_64, .n_cpus = sl_n_cpus_x86_64 };
    t[1].n = decode(&sl_isa_x86_64, x86_64_code, sizeof x86_64_code, t[1].code);
    assert_int_equal(t[0].n, 6);
    assert_int_equal(t[1].n, 6);
}

/* Drops what the model does not support. */
static size_t supported(const struct sl_cpu *cpu, const struct target *t, struct sl_insn *code)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (sl_mca_check(cpu, &t->code[i]) == SL_OK)
            code[n++] = t->code[i];
    return n;
}

static void exact_on(const struct sl_cpu *cpu, const struct target *t, bool pressure)
{
    struct sl_mca_config config = { .iterations = 30, .pressure = pressure };
    struct sl_insn code[8];
    size_t n = supported(cpu, t, code), need = sl_mca_need_for(cpu, &config, code, n);
    unsigned char *mem = malloc(need + 64);
    struct sl_mca m;
    uint32_t cycles;

    assert_non_null(mem);
    assert_true(need > 0);
    assert_true(need <= sl_mca_need(cpu, &config, n));
    memset(mem, 0xa5, need + 64);
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, n, mem, need - 1), SL_E_ROOM);
    assert_int_equal(m.missing_bytes, 1);
    assert_int_equal(mem[0], 0xa5); /* nothing half done */
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, n, mem, 0), SL_E_ROOM);
    assert_int_equal(m.missing_bytes, need);
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, n, mem, need), SL_OK);
    assert_int_equal(sl_mca_run(&m), SL_OK);
    cycles = m.cycles;
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(mem[need + i], 0xa5);
    /* an unaligned block of the same size does as well, dirty memory or not */
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, n, mem + 3, need), SL_OK);
    assert_int_equal(sl_mca_run(&m), SL_OK);
    assert_int_equal(m.cycles, cycles);
    free(mem);
}

static void need_is_exact(void **state)
{
    struct target t[2];

    (void)state;
    targets(t);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < t[k].n_cpus; i++)
            for (int pressure = 0; pressure < 2; pressure++)
                exact_on(t[k].cpus[i].cpu, &t[k], pressure != 0);
}

static uint32_t longest_latency(const struct sl_cpu *cpu)
{
    uint32_t longest = 100; /* a call's */

    for (uint16_t c = 0; c < cpu->n_classes; c++) {
        const struct sl_class_row *row = sl_cpu_class(cpu, c);
        for (unsigned i = 0; i < row->n_lat; i++)
            if ((row->uops & SL_UOPS_MASK) < SL_UOPS_VARIANT && cpu->write_lat[row->lat + i].cycles > (int)longest)
                longest = (uint32_t)cpu->write_lat[row->lat + i].cycles;
    }
    return longest;
}

static void static_arenas_are_large_enough(void **state)
{
    static const size_t sizes[] = { 1, 7, 64, 1000 };
    struct target t[2];

    (void)state;
    targets(t);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < t[k].n_cpus; i++) {
            const struct sl_cpu *cpu = t[k].cpus[i].cpu;
            bool in_order = cpu->micro_op_buffer_size <= 1;
            size_t flight = in_order ? SL_MCA_IN_FLIGHT(cpu->issue_width, longest_latency(cpu)) : mca_rob_size(cpu);
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
                size_t bytes = k == 1     ? SL_MCA_ARENA_BYTES_X86_64(sizes[j], flight)
                               : in_order ? SL_MCA_ARENA_BYTES_AARCH64_IN_ORDER(sizes[j], flight)
                                          : SL_MCA_ARENA_BYTES_AARCH64(sizes[j], flight);
                if (sl_mca_need(cpu, NULL, sizes[j]) > bytes)
                    fail_msg("%s: %zu instructions need %zu bytes, the macro says %zu", cpu->name, sizes[j],
                             sl_mca_need(cpu, NULL, sizes[j]), bytes);
            }
        }
    }
}

/* The bounds that core/mca relies on. */
static void geometry_is_within_bounds(void **state)
{
    const struct sl_isa *isas[] = { &sl_isa_aarch64, &sl_isa_x86_64 };
    uint16_t regs[MCA_MAX_CLOSURE];
    struct target t[2];

    (void)state;
    targets(t);
    for (int k = 0; k < 2; k++) {
        assert_true(isas[k]->n_regs <= MCA_MAX_REGS);
        for (uint16_t r = 1; r < isas[k]->n_regs; r++)
            assert_true(mca_closure(isas[k], r, regs) < MCA_MAX_CLOSURE);
        for (size_t i = 0; i < t[k].n_cpus; i++) {
            const struct sl_cpu *cpu = t[k].cpus[i].cpu;
            assert_true(cpu->n_resources <= MCA_MAX_RESOURCES);
            for (unsigned r = 1; r < cpu->n_resources; r++)
                for (unsigned u = 0; cpu->resources[r].is_group && u < cpu->resources[r].n_units; u++)
                    assert_false(cpu->resources[cpu->members[cpu->resources[r].members + u]].is_group);
        }
    }
    for (uint16_t r = 1; r < sl_isa_x86_64.n_regs; r++) {
        unsigned supers = 0;
        for (uint16_t s = 1; s < sl_isa_x86_64.n_regs; s++) {
            unsigned n = mca_closure(&sl_isa_x86_64, s, regs);
            for (unsigned i = 1; i < n; i++)
                supers += regs[i] == r;
        }
        assert_true(supers + mca_closure(&sl_isa_x86_64, r, regs) <= MCA_MAX_MOVE_REGS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(need_is_exact),
        cmocka_unit_test(static_arenas_are_large_enough),
        cmocka_unit_test(geometry_is_within_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
