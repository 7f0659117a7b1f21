/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a struct sl_cpu from a model: equal lists are stored once. */
#include <stdlib.h>
#include <string.h>

#include "model_text.h"

struct vec {
    unsigned char *data;
    size_t n, capacity, size; /* size: of an element */
};

struct build {
    const struct model *model;
    struct model_tables *t;
    struct vec names, members, rows, write_res, write_lat, read_adv, variants, rules, atoms, imm_sets, idioms, files, costs, sets;
    struct vec row_of; /* struct model_entry of each class, own classes of opcodes behind those of the instruction set */
    const char *what;
};

static const struct model_row unsupported = { .uops = SL_UOPS_INVALID };
static const struct model_row variant_row = { .uops = SL_UOPS_VARIANT };

/* Appends n items unless they occur already; returns their place. */
static size_t place(struct vec *v, const void *items, size_t n, bool share)
{
    for (size_t at = 0; share && at + n <= v->n; at++) {
        if (!memcmp(v->data + at * v->size, items, n * v->size))
            return at;
    }
    for (size_t i = 0; i < n; i++) {
        v->data = array_grow(v->data, v->n, &v->capacity, v->size);
        memcpy(v->data + v->n * v->size, (const unsigned char *)items + i * v->size, v->size);
        v->n++;
    }
    return v->n - n;
}

static size_t limited(struct build *b, size_t value, size_t limit, const char *what)
{
    if (value <= limit)
        return value;
    b->what = b->what ? b->what : what;
    return 0;
}

static uint16_t name_at(struct build *b, const char *name)
{
    return (uint16_t)limited(b, place(&b->names, name, strlen(name) + 1, false), UINT16_MAX, "names");
}

static void build_resources(struct build *b)
{
    struct sl_proc_resource out[MODEL_MAX_RESOURCES + 1];
    memset(out, 0, sizeof out);
    for (unsigned i = 1; i < b->model->n_resources; i++) {
        const struct model_resource *r = &b->model->resources[i];
        out[i] = (struct sl_proc_resource){ name_at(b, r->name), r->buffer_size, r->n_units, r->super, r->is_group, 0 };
        if (r->is_group)
            out[i].members = (uint8_t)limited(b, place(&b->members, r->members, r->n_units, true), UINT8_MAX, "members of groups");
    }
    b->t->cpu.resources = memcpy(pool_take(&b->t->pool, sizeof out), out, sizeof out);
}

static uint16_t row_at(struct build *b, const struct model_row *row)
{
    struct sl_class_row out;
    memset(&out, 0, sizeof out);
    out.uops = row->uops;
    out.n_res = (uint8_t)limited(b, row->n_res, UINT8_MAX, "uses of resources");
    out.n_lat = (uint8_t)limited(b, row->n_lat, UINT8_MAX, "latencies");
    out.n_adv = (uint8_t)row->n_adv;
    out.n_adv_high = (uint8_t)(row->n_adv >> 8);
    if (row->n_res)
        out.res = (uint16_t)limited(b, place(&b->write_res, row->res, row->n_res, true), UINT16_MAX, "uses of resources");
    if (row->n_lat)
        out.lat = (uint16_t)limited(b, place(&b->write_lat, row->lat, row->n_lat, true), UINT16_MAX, "latencies");
    if (row->n_adv)
        out.adv = (uint16_t)limited(b, place(&b->read_adv, row->adv, row->n_adv, true), UINT16_MAX, "forwardings");
    return (uint16_t)limited(b, place(&b->rows, &out, 1, true), UINT16_MAX, "classes");
}

static struct model_entry *entry_at(struct build *b, size_t sched_class)
{
    return (struct model_entry *)(void *)b->row_of.data + sched_class;
}

static uint8_t atoms_at(struct build *b, const struct model_atom *atoms, unsigned n)
{
    struct sl_atom out[MODEL_MAX_ATOMS];
    for (unsigned i = 0; i < n; i++) {
        out[i] = (struct sl_atom){ atoms[i].kind, atoms[i].a, atoms[i].b, 0 };
        if (atoms[i].regs)
            out[i].set = (uint8_t)limited(b, place(&b->sets, atoms[i].regs, atoms[i].regs[0] + 1u, true), UINT8_MAX,
                                          "register sets of rules");
        if (atoms[i].imms)
            out[i].set = (uint8_t)limited(b, place(&b->imm_sets, atoms[i].imms, 1, true), UINT8_MAX, "sets of values");
    }
    return n ? (uint8_t)limited(b, place(&b->atoms, out, n, true), UINT8_MAX, "conditions") : 0;
}

static uint16_t rules_at(struct build *b, const struct model_rule *rules, unsigned n)
{
    struct sl_variant_rule *out = pool_take(&b->t->pool, n * sizeof *out);
    for (unsigned i = 0; i < n; i++)
        out[i] = (struct sl_variant_rule){ rules[i].sched_class, atoms_at(b, rules[i].atoms, rules[i].n_atoms), rules[i].n_atoms };
    return (uint16_t)limited(b, place(&b->rules, out, n, true), UINT16_MAX, "rules");
}

static void add_variant(struct build *b, unsigned key, const struct model_rule *rules, unsigned n)
{
    struct sl_variant variant = { (uint16_t)key, rules_at(b, rules, n) };
    (void)place(&b->variants, &variant, 1, false);
}

/* A class of its own for what an opcode does. */
static uint16_t own_class(struct build *b, const struct model_entry *entry)
{
    size_t c = b->model->isa->n_classes;
    for (; c < b->row_of.n; c++) {
        const struct model_entry *at = entry_at(b, c);
        if (at->row == entry->row && at->note.source == entry->note.source && at->note.confidence == entry->note.confidence)
            return (uint16_t)c;
    }
    return (uint16_t)limited(b, place(&b->row_of, entry, 1, false), SL_VARIANT_OF_CLASS - 1u, "classes");
}

/* One row for all of a class's opcodes, in a class that the model does not have otherwise? */
static bool whole_class(const struct model *m, unsigned c)
{
    const struct model_entry *first = NULL;
    for (unsigned op = 1; op < m->isa->n_ops; op++) {
        if (m->isa->ops[op].sched_class != c)
            continue;
        if (!m->ops[op].row || (first && m->ops[op].row != first->row))
            return false;
        first = first ? first : &m->ops[op];
    }
    return first && !m->classes[c].row;
}

/* Classes that hold opcodes with rows of their own become variant classes; moved[c]: what such a class was, as a class. */
static void split_classes(struct build *b, uint16_t *moved)
{
    const struct model *m = b->model;
    for (unsigned op = 1; op < m->isa->n_ops; op++) {
        unsigned c = m->isa->ops[op].sched_class;
        struct model_entry *entry = entry_at(b, c);
        if (!m->ops[op].row || moved[c] || c == 0)
            continue;
        if (whole_class(m, c)) {
            *entry = m->ops[op];
            moved[c] = (uint16_t)c;
            continue;
        }
        if (entry->row && (entry->row->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT) {
            moved[c] = (uint16_t)c;
        } else {
            struct model_entry old = *entry;
            old.row = old.row ? old.row : &unsupported;
            moved[c] = own_class(b, &old);
        }
        entry_at(b, c)->row = &variant_row;
    }
}

static const struct model_variant *variant_of(const struct model *m, unsigned key)
{
    for (size_t i = 0; i < m->n_variants; i++) {
        if (m->variants[i].key == key)
            return &m->variants[i];
    }
    return NULL;
}

static void copy_variant(struct build *b, const uint16_t *moved, const struct model_variant *v)
{
    struct model_rule *rules = pool_take(&b->t->pool, v->n_rules * sizeof *rules);
    for (unsigned i = 0; i < v->n_rules; i++) {
        unsigned c = v->rules[i].sched_class;
        rules[i] = v->rules[i];
        rules[i].sched_class = moved[c] ? moved[c] : (uint16_t)c;
    }
    add_variant(b, v->key, rules, v->n_rules);
}

static void build_variants(struct build *b)
{
    const struct model *m = b->model;
    uint16_t *moved = pool_take(&b->t->pool, m->isa->n_classes * sizeof *moved);
    split_classes(b, moved);
    for (unsigned op = 1; op < m->isa->n_ops; op++) {
        unsigned c = m->isa->ops[op].sched_class;
        bool is_variant = entry_at(b, c)->row && (entry_at(b, c)->row->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT;
        const struct model_variant *v = is_variant ? variant_of(m, op) : NULL;
        struct model_rule always = { .sched_class = moved[c] };
        if (!is_variant)
            continue;
        if (m->ops[op].row) {
            always.sched_class = own_class(b, &m->ops[op]);
            add_variant(b, op, &always, 1);
        } else if (moved[c] && moved[c] != c) {
            add_variant(b, op, &always, 1);
        } else if (v) {
            copy_variant(b, moved, v);
        }
    }
    for (unsigned c = 1; c < m->isa->n_classes; c++) {
        const struct model_variant *v = variant_of(m, SL_VARIANT_OF_CLASS | c);
        struct model_rule always = { .sched_class = moved[c] };
        if (v)
            copy_variant(b, moved, v);
        else if (moved[c] && moved[c] != c)
            add_variant(b, SL_VARIANT_OF_CLASS | c, &always, 1);
    }
}

static int idiom_order(const void *x, const void *y)
{
    const struct model_idiom *const *a = x, *const *b = y;
    return (*a)->op != (*b)->op ? (*a)->op - (*b)->op : (*a > *b) - (*a < *b);
}

static void build_idioms(struct build *b)
{
    size_t n = b->model->n_idioms;
    const struct model_idiom **order = pool_take(&b->t->pool, (n + 1) * sizeof(struct model_idiom *));
    for (size_t i = 0; i < n; i++)
        order[i] = &b->model->idioms[i];
    qsort(order, n, sizeof(struct model_idiom *), idiom_order);
    for (size_t i = 0; i < n; i++) {
        struct sl_idiom out = { order[i]->op, order[i]->kind, atoms_at(b, order[i]->atoms, order[i]->n_atoms),
                                order[i]->n_atoms, order[i]->mask_width, order[i]->mask };
        (void)place(&b->idioms, &out, 1, false);
    }
}

static void build_files(struct build *b)
{
    struct sl_register_file none;
    memset(&none, 0, sizeof none);
    if (b->model->n_files)
        (void)place(&b->files, &none, 1, false);
    for (unsigned f = 0; f < b->model->n_files; f++) {
        const struct model_register_file *file = &b->model->files[f];
        struct sl_register_file out = { name_at(b, file->name), file->n_physical, file->max_moves, file->zero_moves_only,
                                        (uint8_t)limited(b, b->costs.n, UINT8_MAX, "register classes"),
                                        (uint8_t)limited(b, file->n_costs, UINT8_MAX, "register classes") };
        for (unsigned i = 0; i < file->n_costs; i++) {
            const struct model_cost *from = &file->costs[i];
            struct sl_register_cost cost = { 0, from->cost, from->moves };
            cost.regs = (uint16_t)limited(b, place(&b->sets, from->regs, from->regs[0] + 1u, true), UINT16_MAX, "register classes");
            (void)place(&b->costs, &cost, 1, false);
        }
        (void)place(&b->files, &out, 1, false);
    }
}

/* Tables without entries still have an address. */
static const void *table(struct build *b, struct vec *v, size_t *n)
{
    void *copy = pool_take(&b->t->pool, (v->n + 1) * v->size);
    if (v->n)
        memcpy(copy, v->data, v->n * v->size);
    if (n)
        *n = v->n;
    free(v->data);
    v->data = NULL;
    return copy;
}

static void build_classes(struct build *b)
{
    size_t n = b->row_of.n;
    uint16_t *class_row = pool_take(&b->t->pool, n * sizeof *class_row);
    b->t->notes = pool_take(&b->t->pool, n * sizeof *b->t->notes);
    b->t->cpu.n_classes = (uint16_t)n;
    for (size_t c = 0; c < n; c++) {
        const struct model_entry *entry = entry_at(b, c);
        class_row[c] = row_at(b, entry->row && c ? entry->row : &unsupported);
        b->t->notes[c] = entry->note;
    }
    b->t->cpu.class_row = class_row;
    free(b->row_of.data);
}

static void finish(struct build *b)
{
    struct model_tables *t = b->t;
    struct sl_cpu *cpu = &t->cpu;
    size_t n;
    cpu->n_resources = (uint8_t)b->model->n_resources;
    cpu->members = table(b, &b->members, &t->n_members);
    cpu->rows = table(b, &b->rows, &t->n_rows);
    cpu->write_res = table(b, &b->write_res, &t->n_write_res);
    cpu->write_lat = table(b, &b->write_lat, &t->n_write_lat);
    cpu->read_adv = table(b, &b->read_adv, &t->n_read_adv);
    cpu->variants = table(b, &b->variants, &n);
    cpu->n_variants = (uint16_t)limited(b, n, UINT16_MAX, "variants");
    cpu->rules = table(b, &b->rules, &t->n_rules);
    cpu->atoms = table(b, &b->atoms, &t->n_atoms);
    cpu->imm_sets = table(b, &b->imm_sets, &t->n_imm_sets);
    cpu->idioms = table(b, &b->idioms, &n);
    cpu->n_idioms = (uint16_t)limited(b, n, UINT16_MAX, "idioms");
    cpu->files = table(b, &b->files, &n);
    cpu->n_files = (uint8_t)n;
    cpu->costs = table(b, &b->costs, &t->n_costs);
    cpu->sets = table(b, &b->sets, &t->n_sets);
    cpu->names = table(b, &b->names, &t->n_names);
}

bool model_build(struct model_tables *tables, const struct model *model, const char **what)
{
    struct build b = { .model = model, .t = tables };
    struct sl_cpu *cpu = &tables->cpu;
    memset(tables, 0, sizeof *tables);
    b.names.size = b.members.size = 1;
    b.rows.size = sizeof(struct sl_class_row);
    b.write_res.size = sizeof(struct sl_write_res);
    b.write_lat.size = sizeof(struct sl_write_lat);
    b.read_adv.size = sizeof(struct sl_read_adv);
    b.variants.size = sizeof(struct sl_variant);
    b.rules.size = sizeof(struct sl_variant_rule);
    b.atoms.size = sizeof(struct sl_atom);
    b.imm_sets.size = sizeof(struct sl_imm_set);
    b.idioms.size = sizeof(struct sl_idiom);
    b.files.size = sizeof(struct sl_register_file);
    b.costs.size = sizeof(struct sl_register_cost);
    b.sets.size = sizeof(uint16_t);
    b.row_of.size = sizeof(struct model_entry);
    cpu->name = pool_text(&tables->pool, model->name, strlen(model->name));
    cpu->isa = model->isa;
    cpu->issue_width = model->issue_width;
    cpu->micro_op_buffer_size = model->micro_op_buffer;
    cpu->reorder_buffer_size = model->reorder_buffer;
    cpu->max_retire_per_cycle = model->retire_width;
    cpu->load_queue = model->load_queue;
    cpu->store_queue = model->store_queue;
    (void)place(&b.names, "", 1, false);
    (void)place(&b.row_of, model->classes, model->isa->n_classes, false);
    build_resources(&b);
    build_variants(&b);
    build_idioms(&b);
    build_files(&b);
    build_classes(&b);
    finish(&b);
    *what = b.what;
    return b.what == NULL;
}

void model_tables_free(struct model_tables *tables)
{
    pool_free(&tables->pool);
    memset(tables, 0, sizeof *tables);
}
