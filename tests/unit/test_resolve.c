/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling classes, idioms and read-advances. The expected micro-ops and latencies were printed by
 * `llvm-mca-19 -instruction-info` for the same instruction and CPU; idioms follow from AMD's and Intel's manuals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/model.h>

static const struct sl_cpu *cpu_named(const char *name)
{
    for (size_t i = 0; i < sl_n_cpus_aarch64; i++)
        if (strcmp(sl_cpus_aarch64[i].name, name) == 0)
            return sl_cpus_aarch64[i].cpu;
    for (size_t i = 0; i < sl_n_cpus_x86_64; i++)
        if (strcmp(sl_cpus_x86_64[i].name, name) == 0)
            return sl_cpus_x86_64[i].cpu;
    fail_msg("no CPU %s", name);
    return NULL;
}

#define BYTES(...) {__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

struct encoded {
    const char *cpu;
    const char *text;
    uint8_t bytes[8];
    size_t len;
};

static struct sl_insn decoded(const struct sl_cpu *cpu, const uint8_t *bytes, size_t len, const char *text)
{
    struct sl_insn insn;
    if (cpu->isa->decode(bytes, len, &insn) != SL_OK)
        fail_msg("%s does not decode", text);
    return insn;
}

static int max_latency(const struct sl_cpu *cpu, const struct sl_class_row *row)
{
    int latency = 0;
    for (unsigned i = 0; i < row->n_lat; i++)
        if (cpu->write_lat[row->lat + i].cycles > latency)
            latency = cpu->write_lat[row->lat + i].cycles;
    return latency;
}

static const struct resolve_case {
    struct encoded code;
    int symbol; /* operand replaced by a symbol, or -1 */
    unsigned uops;
    int latency;
} resolve_cases[] = {
    {{"neoverse-v2", "add x0,x1,x2", BYTES(0x20, 0x00, 0x02, 0x8b)}, -1, 1, 1},
    {{"neoverse-v2", "add x0,x1,x2,lsl #3", BYTES(0x20, 0x0c, 0x02, 0x8b)}, -1, 1, 1},
    {{"neoverse-v2", "add x0,x1,x2,lsl #5", BYTES(0x20, 0x14, 0x02, 0x8b)}, -1, 1, 2},
    {{"neoverse-v2", "mov x0,#0", BYTES(0x00, 0x00, 0x80, 0xd2)}, -1, 1, 0},
    {{"neoverse-v2", "mov x0,#1", BYTES(0x20, 0x00, 0x80, 0xd2)}, -1, 1, 1},
    {{"neoverse-v2", "movz x0,#:abs_g0:sym", BYTES(0x00, 0x00, 0x80, 0xd2)}, 1, 1, 1},
    {{"neoverse-v2", "mul x0,x1,x2", BYTES(0x20, 0x7c, 0x02, 0x9b)}, -1, 1, 2},
    {{"ampere1", "add x0,x1,x2,lsl #5", BYTES(0x20, 0x14, 0x02, 0x8b)}, -1, 2, 2},
    {{"exynos-m3", "mov x0,#0", BYTES(0x00, 0x00, 0x80, 0xd2)}, -1, 1, 0},
    {{"falkor", "add x0,x1,x2", BYTES(0x20, 0x00, 0x02, 0x8b)}, -1, 2, 2},
    {{"skylake", "sete %al", BYTES(0x0f, 0x94, 0xc0)}, -1, 1, 1},
    {{"skylake", "setbe %al", BYTES(0x0f, 0x96, 0xc0)}, -1, 2, 2},
    {{"skylake", "cmovbeq %rax,%rbx", BYTES(0x48, 0x0f, 0x46, 0xd8)}, -1, 2, 2},
    {{"skylake", "cmoveq %rax,%rbx", BYTES(0x48, 0x0f, 0x44, 0xd8)}, -1, 1, 1},
    {{"skylake", "subl %ecx,%ecx", BYTES(0x29, 0xc9)}, -1, 1, 0},
    {{"znver3", "setbe %al", BYTES(0x0f, 0x96, 0xc0)}, -1, 1, 1},
    {{"znver3", "leaq 8(%rax,%rbx),%rcx", BYTES(0x48, 0x8d, 0x4c, 0x18, 0x08)}, -1, 2, 2},
    {{"znver3", "leaq (%rax,%rbx),%rcx", BYTES(0x48, 0x8d, 0x0c, 0x18)}, -1, 1, 1},
    {{"znver3", "leaq sym(%rax,%rbx),%rcx", BYTES(0x48, 0x8d, 0x4c, 0x18, 0x08)}, 4, 1, 1},
    {{"znver3", "xorl %eax,%eax", BYTES(0x31, 0xc0)}, -1, 1, 0},
    {{"btver2", "xorl %eax,%eax", BYTES(0x31, 0xc0)}, -1, 1, 0},
    {{"btver2", "xorl %eax,%ecx", BYTES(0x31, 0xc1)}, -1, 1, 1},
    {{"btver2", "lock incl (%rax)", BYTES(0xf0, 0xff, 0x00)}, -1, 1, 19},
    {{"btver2", "incl (%rax)", BYTES(0xff, 0x00)}, -1, 1, 6},
};

static void test_resolved_classes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof resolve_cases / sizeof resolve_cases[0]; i++) {
        const struct resolve_case *c = &resolve_cases[i];
        const struct sl_cpu *cpu = cpu_named(c->code.cpu);
        struct sl_insn insn = decoded(cpu, c->code.bytes, c->code.len, c->code.text);
        if (c->symbol >= 0)
            insn.operand[c->symbol].kind = SL_OPERAND_EXPR;
        uint16_t sched_class = 0;
        if (sl_cpu_resolve(cpu, &insn, &sched_class) != SL_OK)
            fail_msg("%s: %s does not resolve", c->code.cpu, c->code.text);
        const struct sl_class_row *row = sl_cpu_class(cpu, sched_class);
        if ((row->uops & SL_UOPS_MASK) != c->uops || max_latency(cpu, row) != c->latency)
            fail_msg("%s: %s: %u micro-ops, latency %d", c->code.cpu, c->code.text, row->uops & SL_UOPS_MASK,
                     max_latency(cpu, row));
    }
}

static void test_no_class(void **state)
{
    (void)state;
    const uint8_t udf[] = {0, 0, 0, 0};
    const struct sl_cpu *cpu = cpu_named("neoverse-v2");
    const struct sl_insn insn = decoded(cpu, udf, sizeof udf, "udf #0");
    uint16_t sched_class = 77;
    assert_int_equal(sl_cpu_resolve(cpu, &insn, &sched_class), SL_E_UNRESOLVED);
    assert_int_equal(sched_class, 77);
}

/* fadd z0.s,z1.s,z2.s on an in-order CPU without SVE. */
static void test_unsupported_class(void **state)
{
    (void)state;
    const uint8_t fadd[] = {0x20, 0x00, 0x82, 0x65};
    const struct sl_cpu *cpu = cpu_named("cortex-a53");
    const struct sl_insn insn = decoded(cpu, fadd, sizeof fadd, "fadd z0.s");
    uint16_t sched_class = 0;
    assert_int_equal(sl_cpu_resolve(cpu, &insn, &sched_class), SL_OK);
    assert_int_equal(sl_cpu_class(cpu, sched_class)->uops & SL_UOPS_MASK, SL_UOPS_INVALID);
}

static const struct idiom_case {
    struct encoded code;
    bool zero, breaks, move;
} idiom_cases[] = {
    {{"znver3", "xorl %eax,%eax", BYTES(0x31, 0xc0)}, true, true, false},
    {{"znver3", "xorl %eax,%ecx", BYTES(0x31, 0xc1)}, false, false, false},
    {{"znver3", "sbbl %ecx,%ecx", BYTES(0x19, 0xc9)}, false, true, false},
    {{"znver3", "movaps %xmm1,%xmm2", BYTES(0x0f, 0x28, 0xd1)}, false, false, true},
    {{"skylake", "movaps %xmm1,%xmm2", BYTES(0x0f, 0x28, 0xd1)}, false, false, false},
    {{"skylake", "subl %ecx,%ecx", BYTES(0x29, 0xc9)}, true, true, false},
    {{"btver2", "movq %rax,%rbx", BYTES(0x48, 0x89, 0xc3)}, false, false, true},
    {{"btver2", "vperm2f128 $136,%ymm0,%ymm0,%ymm0", BYTES(0xc4, 0xe3, 0x7d, 0x06, 0xc0, 0x88)}, true, true, false},
    {{"btver2", "vperm2f128 $1,%ymm0,%ymm0,%ymm0", BYTES(0xc4, 0xe3, 0x7d, 0x06, 0xc0, 0x01)}, false, false, false},
    {{"alderlake", "xorl %eax,%eax", BYTES(0x31, 0xc0)}, false, false, false},
    {{"cortex-a53", "add x0,x1,x2", BYTES(0x20, 0x00, 0x02, 0x8b)}, false, false, false},
};

static void test_idioms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof idiom_cases / sizeof idiom_cases[0]; i++) {
        const struct idiom_case *c = &idiom_cases[i];
        const struct sl_cpu *cpu = cpu_named(c->code.cpu);
        const struct sl_insn insn = decoded(cpu, c->code.bytes, c->code.len, c->code.text);
        struct sl_idiom_answer answer;
        sl_cpu_idiom(cpu, &insn, &answer);
        if (answer.zero != c->zero || answer.breaks != c->breaks || answer.optimizable_move != c->move)
            fail_msg("%s: %s: zero %d breaks %d move %d", c->code.cpu, c->code.text, answer.zero, answer.breaks,
                     answer.optimizable_move);
        assert_int_equal(answer.mask, 0);
    }
}

/* The lookup of the simulator's rules, chapter 1.3, on a list written for the purpose. */
static void test_read_advance(void **state)
{
    (void)state;
    static const struct sl_read_adv list[] = {{0, 9, 7}, {1, 2, 5}, {1, 3, 0}, {1, 4, 5}, {3, -1, 6}};
    const struct sl_cpu cpu = {.read_adv = list};
    const struct sl_class_row row = {.adv = 1, .n_adv = 4};
    static const struct {
        unsigned use;
        uint16_t write_id;
        int cycles;
    } cases[] = {{0, 7, 0}, {1, 5, 2}, {1, 6, 3}, {1, 0, 3}, {2, 6, 0}, {3, 6, -1}, {3, 5, 0}, {4, 6, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(sl_cpu_read_advance(&cpu, &row, cases[i].use, cases[i].write_id), cases[i].cycles);
}

/* Every kind of atom, plain and negated, on operands of every kind and on operands that are not there. */
static void test_atoms(void **state)
{
    (void)state;
    static const struct sl_op ops[] = {{1, 0}};
    static const uint16_t class_row[] = {0, 0, 1, 2};
    static const struct sl_class_row rows[] = {{.uops = SL_UOPS_VARIANT}, {.uops = 1}, {.uops = 2}};
    static const struct sl_variant variants[] = {{0, 0}};
    static const struct sl_variant_rule rules[] = {{2, 0, 1}, {3, 0, 0}};
    static const uint16_t sets[] = {0, 2, 8, 9};
    static const struct sl_imm_set imm_sets[] = {{{0x5, 0, 0, 0, 0, 0, 0, 0x80000000u}}}; /* 0, 2, 255 */
    static const struct sl_isa isa = {.ops = ops};
    const struct sl_insn insn = {
        .n_operands = 7,
        .flags = SL_INSN_LOCK,
        .operand = {{.reg = 8},
                    {.reg = 8},
                    {.reg = 7},
                    {.imm = 0, .kind = SL_OPERAND_IMM},
                    {.imm = 255, .kind = SL_OPERAND_IMM},
                    {.imm = -254, .kind = SL_OPERAND_IMM},
                    {.kind = SL_OPERAND_EXPR}},
    };
    static const struct {
        struct sl_atom atom;
        bool holds;
    } cases[] = {
        {{SL_ATOM_EQ, 0, 1, 0}, true},
        {{SL_ATOM_EQ, 0, 2, 0}, false},
        {{SL_ATOM_EQ, 3, 3, 0}, false},
        {{SL_ATOM_EQ, 0, 7, 0}, false},
        {{SL_ATOM_REG, 0, 0, 1}, true},
        {{SL_ATOM_REG, 2, 0, 1}, false},
        {{SL_ATOM_REG, 3, 0, 1}, false},
        {{SL_ATOM_IMM, 3, 0, 0}, true},
        {{SL_ATOM_IMM, 4, 0, 0}, true},
        {{SL_ATOM_IMM, 5, 0, 0}, false},
        {{SL_ATOM_IMM, 6, 0, 0}, false},
        {{SL_ATOM_IMM, 9, 0, 0}, false},
        {{SL_ATOM_IMMZ, 3, 0, 0}, true},
        {{SL_ATOM_IMMZ, 4, 0, 0}, false},
        {{SL_ATOM_IMMZ, 6, 0, 0}, false},
        {{SL_ATOM_IMMZ, 0, 0, 0}, false},
        {{SL_ATOM_ANY_IMM, 5, 0, 0}, true},
        {{SL_ATOM_ANY_IMM, 6, 0, 0}, false},
        {{SL_ATOM_FLAG, SL_INSN_LOCK, 0, 0}, true},
        {{SL_ATOM_FLAG, SL_INSN_REP, 0, 0}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned negated = 0; negated < 2; negated++) {
            struct sl_atom atom = cases[i].atom;
            if (negated)
                atom.kind |= SL_ATOM_NOT;
            const struct sl_cpu cpu = {.isa = &isa,
                                       .class_row = class_row,
                                       .rows = rows,
                                       .variants = variants,
                                       .n_variants = 1,
                                       .rules = rules,
                                       .atoms = &atom,
                                       .sets = sets,
                                       .imm_sets = imm_sets};
            uint16_t sched_class = 0;
            assert_int_equal(sl_cpu_resolve(&cpu, &insn, &sched_class), SL_OK);
            if ((sched_class == 2) != (cases[i].holds != (negated != 0)))
                fail_msg("atom case %u, negated %u", (unsigned)i, negated);
        }
    }
}

/* A variant class without rules for the opcode: nothing can be said. */
static void test_variant_without_rules(void **state)
{
    (void)state;
    static const struct sl_op ops[] = {{1, 0}};
    static const uint16_t class_row[] = {0, 0};
    static const struct sl_class_row rows[] = {{.uops = SL_UOPS_VARIANT}};
    static const struct sl_isa isa = {.ops = ops};
    const struct sl_cpu cpu = {.isa = &isa, .class_row = class_row, .rows = rows};
    const struct sl_insn insn = {0};
    uint16_t sched_class = 0;
    assert_int_equal(sl_cpu_resolve(&cpu, &insn, &sched_class), SL_E_UNRESOLVED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resolved_classes),      cmocka_unit_test(test_no_class),
        cmocka_unit_test(test_unsupported_class),     cmocka_unit_test(test_idioms),
        cmocka_unit_test(test_read_advance),          cmocka_unit_test(test_atoms),
        cmocka_unit_test(test_variant_without_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
