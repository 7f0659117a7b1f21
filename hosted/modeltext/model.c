/* SPDX-License-Identifier: Apache-2.0 */
/* A built-in CPU's tables taken apart. */
#include <stdlib.h>
#include <string.h>

#include "model_text.h"

void model_init(struct model *model, const struct sl_isa *isa, const char *name)
{
    memset(model, 0, sizeof *model);
    model->isa = isa;
    model->name = name;
    model->n_resources = 1;
    model->resources[0].name = "";
    model->classes = pool_take(&model->pool, isa->n_classes * sizeof *model->classes);
    model->ops = pool_take(&model->pool, isa->n_ops * sizeof *model->ops);
}

void model_free(struct model *model)
{
    free(model->variants);
    free(model->idioms);
    pool_free(&model->pool);
    memset(model, 0, sizeof *model);
}

static void take_resources(struct model *model, const struct sl_cpu *cpu)
{
    model->n_resources = cpu->n_resources;
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        const struct sl_proc_resource *from = &cpu->resources[i];
        struct model_resource *to = &model->resources[i];
        to->name = cpu->names + from->name;
        to->buffer_size = from->buffer_size;
        to->n_units = from->n_units;
        to->super = from->super;
        to->is_group = from->is_group != 0;
        if (to->is_group)
            memcpy(to->members, cpu->members + from->members, from->n_units);
    }
}

static void take_classes(struct model *model, const struct sl_cpu *cpu)
{
    struct model_row **rows = calloc(65536, sizeof *rows);
    if (!rows)
        out_of_memory();
    for (unsigned c = 0; c < model->isa->n_classes; c++) {
        const struct sl_class_row *from = sl_cpu_class(cpu, (uint16_t)c);
        struct model_row **row = &rows[cpu->class_row[c]];
        if ((from->uops & SL_UOPS_MASK) == SL_UOPS_INVALID)
            continue;
        if (!*row) {
            *row = pool_take(&model->pool, sizeof **row);
            **row = (struct model_row){ .uops = from->uops, .n_res = from->n_res, .n_lat = from->n_lat,
                                        .n_adv = (uint16_t)sl_row_n_adv(from), .res = cpu->write_res + from->res,
                                        .lat = cpu->write_lat + from->lat, .adv = cpu->read_adv + from->adv };
        }
        model->classes[c].row = *row;
        for (unsigned i = 0; i < from->n_lat; i++) {
            uint16_t id = cpu->write_lat[from->lat + i].write_id;
            model->max_write_id = id > model->max_write_id ? id : model->max_write_id;
        }
        for (unsigned i = 0; i < sl_row_n_adv(from); i++) {
            uint16_t id = cpu->read_adv[from->adv + i].write_id;
            model->max_write_id = id > model->max_write_id ? id : model->max_write_id;
        }
    }
    free(rows);
}

static uint8_t take_atoms(const struct sl_cpu *cpu, unsigned first, unsigned n, struct model_atom *atoms)
{
    for (unsigned i = 0; i < n && i < MODEL_MAX_ATOMS; i++) {
        const struct sl_atom *from = &cpu->atoms[first + i];
        unsigned kind = from->kind & ~SL_ATOM_NOT;
        atoms[i] = (struct model_atom){ .kind = from->kind, .a = from->a, .b = from->b };
        if (kind == SL_ATOM_REG)
            atoms[i].regs = cpu->sets + from->set;
        if (kind == SL_ATOM_IMM || kind == SL_ATOM_COUNT || kind == SL_ATOM_BITS)
            atoms[i].imms = &cpu->imm_sets[from->set];
    }
    return (uint8_t)n;
}

static void take_rules(struct model *model, const struct sl_cpu *cpu)
{
    for (unsigned v = 0; v < cpu->n_variants; v++) {
        const struct sl_variant_rule *from = &cpu->rules[cpu->variants[v].rules];
        struct model_rule *rules;
        unsigned n = 1;
        while (from[n - 1].n_atoms != 0)
            n++;
        rules = pool_take(&model->pool, n * sizeof *rules);
        for (unsigned i = 0; i < n; i++) {
            rules[i].sched_class = from[i].sched_class;
            rules[i].n_atoms = take_atoms(cpu, from[i].atoms, from[i].n_atoms, rules[i].atoms);
        }
        model->variants = array_grow(model->variants, model->n_variants, &model->variants_capacity, sizeof *model->variants);
        model->variants[model->n_variants++] = (struct model_variant){ cpu->variants[v].op, n, rules, 0 };
    }
    for (unsigned i = 0; i < cpu->n_idioms; i++) {
        const struct sl_idiom *from = &cpu->idioms[i];
        struct model_idiom to = { .op = from->op, .kind = from->kind, .mask_width = from->mask_width, .mask = from->mask };
        to.n_atoms = take_atoms(cpu, from->atoms, from->n_atoms, to.atoms);
        model->idioms = array_grow(model->idioms, model->n_idioms, &model->idioms_capacity, sizeof *model->idioms);
        model->idioms[model->n_idioms++] = to;
    }
}

static void take_files(struct model *model, const struct sl_cpu *cpu)
{
    model->n_files = cpu->n_files > 1 ? cpu->n_files - 1u : 0;
    for (unsigned f = 0; f < model->n_files; f++) {
        const struct sl_register_file *from = &cpu->files[f + 1];
        struct model_cost *costs = pool_take(&model->pool, (from->n_costs + 1u) * sizeof *costs);
        for (unsigned i = 0; i < from->n_costs; i++) {
            const struct sl_register_cost *cost = &cpu->costs[from->costs + i];
            costs[i] = (struct model_cost){ cpu->sets + cost->regs, cost->cost, cost->move_elimination != 0 };
        }
        model->files[f] = (struct model_register_file){ cpu->names + from->name, from->n_physical, from->max_moves,
                                                        from->zero_moves_only != 0, from->n_costs, costs };
    }
}

void model_of_cpu(struct model *model, const struct sl_cpu *cpu)
{
    model_init(model, cpu->isa, cpu->name);
    model->issue_width = cpu->issue_width;
    model->micro_op_buffer = cpu->micro_op_buffer_size;
    model->reorder_buffer = cpu->reorder_buffer_size;
    model->retire_width = cpu->max_retire_per_cycle;
    model->load_queue = cpu->load_queue;
    model->store_queue = cpu->store_queue;
    take_resources(model, cpu);
    take_classes(model, cpu);
    take_rules(model, cpu);
    take_files(model, cpu);
}
