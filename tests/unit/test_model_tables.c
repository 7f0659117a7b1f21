/* SPDX-License-Identifier: Apache-2.0 */
/* The generated tables hold together: every index stays inside its table, every list is sorted and ended, for all
 * CPUs. `modelgen-verify` compares the contents with LLVM; a few facts are repeated here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/model.h>

static const struct {
    const struct sl_isa *isa;
    const struct sl_cpu_name *cpus;
    const size_t *n_cpus;
    const char *(*op_name)(uint16_t op);
    const char *(*reg_name)(uint16_t reg);
} sides[] = {
    {&sl_isa_aarch64, sl_cpus_aarch64, &sl_n_cpus_aarch64, sl_aarch64_op_name, sl_aarch64_reg_name},
    {&sl_isa_x86_64, sl_cpus_x86_64, &sl_n_cpus_x86_64, sl_x86_64_op_name, sl_x86_64_reg_name},
};
#define N_SIDES (sizeof sides / sizeof sides[0])

static void check_list(const struct sl_isa *isa, const uint16_t *list)
{
    assert_in_range(list[0], 0, isa->n_regs);
    for (unsigned i = 1; i <= list[0]; i++)
        assert_in_range(list[i], 0, isa->n_regs - 1u);
}

static void test_opcodes(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIDES; s++) {
        const struct sl_isa *isa = sides[s].isa;
        for (uint16_t op = 0; op < isa->n_ops; op++) {
            const struct sl_op_row *row = sl_op_row(isa, op);
            assert_true(isa->ops[op].sched_class < isa->n_classes);
            assert_true(row->n_defs <= row->n_operands && row->n_operands <= SL_INSN_OPERANDS);
            check_list(isa, isa->reg_lists + row->implicit_defs);
            check_list(isa, isa->reg_lists + row->implicit_uses);
            assert_non_null(sides[s].op_name(op));
        }
        assert_null(sides[s].op_name(isa->n_ops));
    }
}

/* The simulator closes direct sub-registers transitively: there must be no cycle. */
static unsigned depth_below(const struct sl_isa *isa, uint16_t reg, unsigned limit)
{
    unsigned depth = 0;
    for (unsigned i = isa->direct_sub[reg]; limit && i < isa->direct_sub[reg + 1]; i++) {
        const unsigned below = 1 + depth_below(isa, isa->sub_list[i], limit - 1);
        if (below > depth)
            depth = below;
    }
    return depth;
}

static void test_registers(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIDES; s++) {
        const struct sl_isa *isa = sides[s].isa;
        assert_int_equal(isa->direct_sub[0], isa->direct_sub[1]); /* "no register" has no parts */
        for (uint16_t reg = 0; reg < isa->n_regs; reg++) {
            assert_true(isa->direct_sub[reg] <= isa->direct_sub[reg + 1]);
            for (unsigned i = isa->direct_sub[reg]; i < isa->direct_sub[reg + 1]; i++)
                assert_in_range(isa->sub_list[i], 1, isa->n_regs - 1u);
            assert_in_range(depth_below(isa, reg, 12), 0, 10);
            assert_non_null(sides[s].reg_name(reg));
        }
        assert_null(sides[s].reg_name(isa->n_regs));
    }
}

static uint16_t reg_named(size_t side, const char *name)
{
    for (uint16_t reg = 1; reg < sides[side].isa->n_regs; reg++)
        if (strcmp(sides[side].reg_name(reg), name) == 0)
            return reg;
    fail_msg("no register %s", name);
    return 0;
}

static void test_register_facts(void **state)
{
    (void)state;
    static const struct {
        size_t side;
        const char *name;
        unsigned flags;
    } facts[] = {
        {0, "xzr", SL_REG_CONSTANT},
        {0, "wzr", SL_REG_CONSTANT | SL_REG_CLEARS_SUPER},
        {0, "x3", 0},
        {0, "w3", SL_REG_CLEARS_SUPER},
        {0, "wsp", 0},
        {0, "d7", SL_REG_CLEARS_SUPER},
        {0, "z7", 0},
        {1, "%eax", SL_REG_CLEARS_SUPER},
        {1, "%ax", 0},
        {1, "%xmm3", SL_REG_CLEARS_VECTOR},
        {1, "%ymm3", SL_REG_CLEARS_VECTOR},
        {1, "%zmm3", 0},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (sides[facts[i].side].isa->reg_flags[reg_named(facts[i].side, facts[i].name)] != facts[i].flags)
            fail_msg("flags of %s", facts[i].name);
}

static void check_resources(const struct sl_cpu *cpu)
{
    assert_in_range(cpu->n_resources, 1, 64);
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        const struct sl_proc_resource *res = &cpu->resources[i];
        assert_true(cpu->names[res->name] != '\0');
        assert_in_range(res->n_units, 1, 64);
        assert_true(res->super < cpu->n_resources && res->buffer_size >= -1);
        for (unsigned k = 0; res->is_group && k < res->n_units; k++)
            assert_in_range(cpu->members[res->members + k], 1, cpu->n_resources - 1u);
    }
    assert_true(cpu->load_queue < cpu->n_resources && cpu->store_queue < cpu->n_resources);
}

static void check_classes(const struct sl_cpu *cpu)
{
    for (unsigned c = 0; c < cpu->isa->n_classes; c++) {
        const struct sl_class_row *row = sl_cpu_class(cpu, (uint16_t)c);
        for (unsigned i = 0; i < row->n_res; i++)
            assert_in_range(cpu->write_res[row->res + i].resource, 1, cpu->n_resources - 1u);
        for (unsigned i = 1; i < sl_row_n_adv(row); i++)
            assert_true(cpu->read_adv[row->adv + i - 1].use <= cpu->read_adv[row->adv + i].use);
    }
    assert_int_equal(sl_cpu_class(cpu, 0)->uops & SL_UOPS_MASK, SL_UOPS_INVALID);
}

static void check_atoms(const struct sl_cpu *cpu, unsigned first, unsigned n)
{
    assert_in_range(n, 0, 3);
    for (unsigned i = first; i < first + n; i++) {
        const struct sl_atom *atom = &cpu->atoms[i];
        assert_in_range(atom->kind & ~SL_ATOM_NOT, SL_ATOM_EQ, SL_ATOM_ANY_IMM);
        if ((atom->kind & ~SL_ATOM_NOT) == SL_ATOM_REG)
            check_list(cpu->isa, cpu->sets + atom->set);
    }
}

/* Sorted, each rule list ended, and no outcome a variant again. */
static void check_variants(const struct sl_cpu *cpu)
{
    for (unsigned v = 0; v < cpu->n_variants; v++) {
        const struct sl_variant *variant = &cpu->variants[v];
        const struct sl_variant_rule *rule = &cpu->rules[variant->rules];
        assert_true(v == 0 || cpu->variants[v - 1].op < variant->op);
        assert_int_equal(sl_cpu_class(cpu, cpu->isa->ops[variant->op].sched_class)->uops & SL_UOPS_MASK,
                         SL_UOPS_VARIANT);
        for (unsigned n = 0;; n++, rule++) {
            assert_in_range(n, 0, 16);
            assert_true(rule->sched_class < cpu->isa->n_classes);
            assert_int_not_equal(sl_cpu_class(cpu, rule->sched_class)->uops & SL_UOPS_MASK, SL_UOPS_VARIANT);
            check_atoms(cpu, rule->atoms, rule->n_atoms);
            if (rule->n_atoms == 0)
                break;
        }
    }
    for (unsigned i = 0; i < cpu->n_idioms; i++) {
        assert_true(i == 0 || cpu->idioms[i - 1].op <= cpu->idioms[i].op);
        check_atoms(cpu, cpu->idioms[i].atoms, cpu->idioms[i].n_atoms);
    }
}

static void check_register_files(const struct sl_cpu *cpu)
{
    for (unsigned f = 1; f < cpu->n_files; f++) {
        assert_true(cpu->names[cpu->files[f].name] != '\0');
        for (unsigned k = 0; k < cpu->files[f].n_costs; k++)
            check_list(cpu->isa, cpu->sets + cpu->costs[cpu->files[f].costs + k].regs);
    }
}

static void test_models(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIDES; s++) {
        for (size_t i = 0; i < *sides[s].n_cpus; i++) {
            const struct sl_cpu *cpu = sides[s].cpus[i].cpu;
            assert_ptr_equal(cpu->isa, sides[s].isa);
            assert_true(i == 0 || strcmp(sides[s].cpus[i - 1].name, sides[s].cpus[i].name) < 0);
            check_resources(cpu);
            check_classes(cpu);
            check_variants(cpu);
            check_register_files(cpu);
        }
    }
}

static const struct sl_cpu *cpu_named(const char *name)
{
    for (size_t s = 0; s < N_SIDES; s++)
        for (size_t i = 0; i < *sides[s].n_cpus; i++)
            if (strcmp(sides[s].cpus[i].name, name) == 0)
                return sides[s].cpus[i].cpu;
    fail_msg("no CPU %s", name);
    return NULL;
}

static void test_model_facts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned width, buffer, reorder, retire, files;
    } facts[] = {
        {"cortex-a53", 2, 0, 0, 0, 0}, {"neoverse-n1", 8, 128, 0, 0, 0}, {"btver2", 2, 64, 64, 2, 3},
        {"znver3", 6, 256, 256, 8, 3}, {"skylake", 6, 224, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const struct sl_cpu *cpu = cpu_named(facts[i].name);
        if (cpu->issue_width != facts[i].width || cpu->micro_op_buffer_size != facts[i].buffer ||
            cpu->reorder_buffer_size != facts[i].reorder || cpu->max_retire_per_cycle != facts[i].retire ||
            cpu->n_files != facts[i].files)
            fail_msg("%s: %u %u %u %u %u", cpu->name, cpu->issue_width, cpu->micro_op_buffer_size,
                     cpu->reorder_buffer_size, cpu->max_retire_per_cycle, cpu->n_files);
    }
}

/* Names that llvm-mca takes for one another's model. */
static void test_shared_models(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"cortex-a53", "cortex-a34"}, {"generic", "cortex-a510"}, {"apple-m1", "apple-m4"},  {"grace", "neoverse-v2"},
        {"znver4", "znver5"},         {"haswell", "x86-64-v3"},   {"sandybridge", "x86-64"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_ptr_equal(cpu_named(pairs[i][0]), cpu_named(pairs[i][1]));
    assert_int_equal(sl_n_cpus_aarch64, 81);
    assert_int_equal(sl_n_cpus_x86_64, 79);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opcodes), cmocka_unit_test(test_registers),   cmocka_unit_test(test_register_facts),
        cmocka_unit_test(test_models),  cmocka_unit_test(test_model_facts), cmocka_unit_test(test_shared_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
