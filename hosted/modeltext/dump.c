/* SPDX-License-Identifier: Apache-2.0 */
/* A whole model as YAML, in the form that load.c reads. */
#include <string.h>

#include "model_text.h"

struct dump {
    const struct model *m;
    FILE *out;
};

static void write_reg(const struct dump *d, unsigned reg)
{
    char buffer[64];
    fputs(model_reg_name(d->m->isa, reg, buffer, sizeof buffer), d->out);
}

static void write_regs(const struct dump *d, const uint16_t *list)
{
    fputc('[', d->out);
    for (unsigned i = 1; i <= list[0]; i++) {
        fputs(i > 1 ? ", " : "", d->out);
        write_reg(d, list[i]);
    }
    fputc(']', d->out);
}

/* [0, 3-7] */
static void write_values(const struct dump *d, const struct sl_imm_set *set)
{
    const char *comma = "";
    fputc('[', d->out);
    for (unsigned v = 0; v < 256; v++) {
        unsigned end = v;
        if (!sl_bit_test(set->words, v))
            continue;
        while (end + 1 < 256 && sl_bit_test(set->words, end + 1))
            end++;
        fprintf(d->out, end > v ? "%s%u-%u" : "%s%u", comma, v, end);
        comma = ", ";
        v = end;
    }
    fputc(']', d->out);
}

static void write_atom(const struct dump *d, const struct model_atom *a)
{
    fputc('{', d->out);
    switch (a->kind & ~SL_ATOM_NOT) {
    case SL_ATOM_EQ:
        fprintf(d->out, "same: [%u, %u]", a->a, a->b);
        break;
    case SL_ATOM_REG:
        fprintf(d->out, "register: %u, in: ", a->a);
        write_regs(d, a->regs);
        break;
    case SL_ATOM_IMM:
        fprintf(d->out, "value: %u, in: ", a->a);
        write_values(d, a->imms);
        break;
    case SL_ATOM_BITS:
        fprintf(d->out, "value: %u, shift: %u, in: ", a->a, a->b);
        write_values(d, a->imms);
        break;
    case SL_ATOM_IMMZ:
        fprintf(d->out, "zero: %u", a->a);
        break;
    case SL_ATOM_FLAG:
        fprintf(d->out, "flags: %u", a->a);
        break;
    case SL_ATOM_ANY_IMM:
        fprintf(d->out, "known: %u", a->a);
        break;
    case SL_ATOM_COUNT:
        fputs("operands: ", d->out);
        write_values(d, a->imms);
        break;
    default:
        fprintf(d->out, "listed: %u", a->a);
        break;
    }
    fputs(a->kind & SL_ATOM_NOT ? ", not: true}" : "}", d->out);
}

static void write_atoms(const struct dump *d, const struct model_atom *atoms, unsigned n)
{
    fputs("if: [", d->out);
    for (unsigned i = 0; i < n; i++) {
        fputs(i ? ", " : "", d->out);
        write_atom(d, &atoms[i]);
    }
    fputc(']', d->out);
}

static const char *resource(const struct dump *d, unsigned r)
{
    return r ? d->m->resources[r].name : "none";
}

static void write_resources(const struct dump *d)
{
    fputs(d->m->n_resources > 1 ? "resources:\n" : "", d->out);
    for (unsigned i = 1; i < d->m->n_resources; i++) {
        const struct model_resource *r = &d->m->resources[i];
        fprintf(d->out, "  - {name: %s, ", r->name);
        if (r->is_group) {
            fputs("group: [", d->out);
            for (unsigned k = 0; k < r->n_units; k++)
                fprintf(d->out, "%s%s", k ? ", " : "", resource(d, r->members[k]));
            fputc(']', d->out);
        } else {
            fprintf(d->out, "units: %u", r->n_units);
        }
        fprintf(d->out, r->buffer_size < 0 ? ", buffer: unlimited" : ", buffer: %d", r->buffer_size);
        if (r->super)
            fprintf(d->out, ", part-of: %s", resource(d, r->super));
        fputs("}\n", d->out);
    }
}

static void write_files(const struct dump *d)
{
    fputs(d->m->n_files ? "register-files:\n" : "", d->out);
    for (unsigned f = 0; f < d->m->n_files; f++) {
        const struct model_register_file *file = &d->m->files[f];
        fprintf(d->out, "  - name: %s\n    size: %u\n    moves-per-cycle: %u\n    zero-moves-only: %s\n    registers:\n", file->name,
                file->n_physical, file->max_moves, file->zero_moves_only ? "true" : "false");
        for (unsigned i = 0; i < file->n_costs; i++) {
            fprintf(d->out, "      - {cost: %u, moves: %s, list: ", file->costs[i].cost, file->costs[i].moves ? "true" : "false");
            write_regs(d, file->costs[i].regs);
            fputs("}\n", d->out);
        }
    }
}

static void write_uses(const struct dump *d, const struct sl_write_res *list, unsigned n)
{
    fputs(", use: {", d->out);
    for (unsigned i = 0; i < n; i++) {
        fprintf(d->out, list[i].acquire_cycle ? "%s%s: [%u, %u]" : "%s%s: %u", i ? ", " : "", resource(d, list[i].resource),
                list[i].acquire_cycle ? list[i].acquire_cycle : list[i].release_cycle, list[i].release_cycle);
    }
    fputc('}', d->out);
}

static void write_latencies(const struct dump *d, const struct model_row *row)
{
    fputs(", latency: [", d->out);
    for (unsigned i = 0; i < row->n_lat; i++) {
        const char *comma = i ? ", " : "";
        if (row->lat[i].cycles == -1)
            fprintf(d->out, "%sunknown", comma);
        else
            fprintf(d->out, "%s%d", comma, row->lat[i].cycles);
        if (row->lat[i].write_id)
            fprintf(d->out, "@w%u", row->lat[i].write_id);
    }
    fputc(']', d->out);
}

/* 0=2@w5/w6: operand 0 may come two cycles late when w5 or w6 writes it. */
static void write_forwarding(const struct dump *d, const struct model_row *row)
{
    fputs(", forwarding: [", d->out);
    for (unsigned i = 0; i < row->n_adv; i++) {
        const struct sl_read_adv *e = &row->adv[i];
        bool goes_on = i > 0 && e[-1].use == e->use && e[-1].cycles == e->cycles && e->write_id && e[-1].write_id;
        if (!goes_on)
            fprintf(d->out, "%s%u=%d", i ? ", " : "", e->use, e->cycles);
        if (e->write_id)
            fprintf(d->out, "%sw%u", goes_on ? "/" : "@", e->write_id);
    }
    fputc(']', d->out);
}

static void write_row(const struct dump *d, const struct model_entry *entry)
{
    const struct model_row *row = entry->row;
    struct sl_write_res given[MODEL_MAX_RESOURCES + 1];
    if ((row->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT)
        fputs("uops: variant", d->out);
    else if ((row->uops & SL_UOPS_MASK) == SL_UOPS_INVALID)
        fputs("uops: unsupported", d->out);
    else
        fprintf(d->out, "uops: %u", row->uops & SL_UOPS_MASK);
    if (row->uops & SL_ROW_BEGIN_GROUP)
        fputs(", begin-group: true", d->out);
    if (row->uops & SL_ROW_END_GROUP)
        fputs(", end-group: true", d->out);
    if (row->uops & SL_ROW_RETIRE_OOO)
        fputs(", retire-out-of-order: true", d->out);
    if (row->n_lat)
        write_latencies(d, row);
    if (row->n_res) {
        unsigned n = model_unexpand(d->m, row->res, row->n_res, given);
        write_uses(d, n ? given : row->res, n ? n : row->n_res);
        fputs(n ? "" : ", expanded: true", d->out);
    }
    if (row->n_adv)
        write_forwarding(d, row);
    if (entry->note.confidence)
        fprintf(d->out, ", confidence: %s", model_confidence_names[entry->note.confidence]);
    if (entry->note.source) { /* double-quoted: only these two characters and controls matter */
        fputs(", source: \"", d->out);
        for (const char *c = entry->note.source; *c; c++)
            fprintf(d->out, *c == '"' || *c == '\\' ? "\\%c" : (unsigned char)*c < ' ' ? " " : "%c", *c);
        fputc('"', d->out);
    }
    fputs("}\n", d->out);
}

static bool same_entry(const struct model_entry *a, const struct model_entry *b)
{
    return a->row == b->row && a->note.source == b->note.source && a->note.confidence == b->note.confidence;
}

/* Entries with the same row share a line. Classes that nothing uses are left out. */
static void write_entries(const struct dump *d, struct model_entry *entries, unsigned n, bool ops)
{
    unsigned char used[SL_VARIANT_OF_CLASS];
    model_used_classes(d->m, used);
    for (unsigned i = 0; i < n && !ops; i++) {
        if (!used[i])
            entries[i].row = NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned before = 0;
        bool more = false;
        if (!entries[i].row)
            continue;
        while (!same_entry(&entries[before], &entries[i]))
            before++;
        if (before < i)
            continue;
        for (unsigned k = i + 1; k < n; k++)
            more |= same_entry(&entries[k], &entries[i]);
        fprintf(d->out, more ? "  - {%s: [" : "  - {%s: ", ops ? "op" : "class");
        for (unsigned k = i; k < n; k++) {
            if (!same_entry(&entries[k], &entries[i]))
                continue;
            fprintf(d->out, "%s%s", k > i ? ", " : "", ops ? model_op_name(d->m->isa, k) : model_class_name(d->m->isa, k));
        }
        fputs(more ? "], " : ", ", d->out);
        write_row(d, &entries[i]);
    }
}

static void write_variants(const struct dump *d)
{
    fputs(d->m->n_variants ? "variants:\n" : "", d->out);
    for (size_t v = 0; v < d->m->n_variants; v++) {
        const struct model_variant *variant = &d->m->variants[v];
        bool of_class = (variant->key & SL_VARIANT_OF_CLASS) != 0;
        fprintf(d->out, "  - {%s: %s, rules: [", of_class ? "class" : "op",
                of_class ? model_class_name(d->m->isa, variant->key & ~SL_VARIANT_OF_CLASS) : model_op_name(d->m->isa, variant->key));
        for (unsigned i = 0; i < variant->n_rules; i++) {
            const struct model_rule *rule = &variant->rules[i];
            fputs(i ? ", {" : "{", d->out);
            if (rule->n_atoms) {
                write_atoms(d, rule->atoms, rule->n_atoms);
                fputs(", ", d->out);
            }
            fprintf(d->out, "class: %s}", model_class_name(d->m->isa, rule->sched_class));
        }
        fputs("]}\n", d->out);
    }
}

static void write_idioms(const struct dump *d)
{
    fputs(d->m->n_idioms ? "idioms:\n" : "", d->out);
    for (size_t i = 0; i < d->m->n_idioms; i++) {
        const struct model_idiom *idiom = &d->m->idioms[i];
        fprintf(d->out, "  - {op: %s", model_op_name(d->m->isa, idiom->op));
        fputs(idiom->kind & SL_IDIOM_ZERO ? ", zero: true" : "", d->out);
        fputs(idiom->kind & SL_IDIOM_BREAK ? ", breaks: true" : "", d->out);
        fputs(idiom->kind & SL_IDIOM_MOVE ? ", move: true" : "", d->out);
        fprintf(d->out, ", mask: [%u, %u]", idiom->mask_width, idiom->mask);
        if (idiom->n_atoms) {
            fputs(", ", d->out);
            write_atoms(d, idiom->atoms, idiom->n_atoms);
        }
        fputs("}\n", d->out);
    }
}

void model_dump(struct model *model, FILE *out)
{
    struct dump d = { model, out };
    bool any = false, any_op = false;
    fprintf(out, "cpu: %s\nisa: %s\nissue-width: %u\nmicro-op-buffer: %u\nreorder-buffer: %u\nretire-width: %u\n", model->name,
            model->isa->name, model->issue_width, model->micro_op_buffer, model->reorder_buffer, model->retire_width);
    fprintf(out, "load-queue: %s\nstore-queue: %s\n", resource(&d, model->load_queue), resource(&d, model->store_queue));
    write_resources(&d);
    write_files(&d);
    for (unsigned op = 0; op < model->isa->n_ops; op++)
        any_op |= model->ops[op].row != NULL;
    for (unsigned c = 0; c < model->isa->n_classes; c++)
        any |= model->classes[c].row != NULL;
    fputs(any || any_op ? "classes:\n" : "", out);
    write_entries(&d, model->classes, model->isa->n_classes, false);
    if (any_op)
        write_entries(&d, model->ops, model->isa->n_ops, true);
    write_variants(&d);
    write_idioms(&d);
}
