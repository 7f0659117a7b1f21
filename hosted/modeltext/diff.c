/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between two models, a line each. */
#include <stdlib.h>
#include <string.h>

#include "model_text.h"

struct diff {
    const struct model *a, *b;
    FILE *out;
    unsigned n;
};

static void number(struct diff *d, const char *what, long a, long b)
{
    if (a == b)
        return;
    fprintf(d->out, "%s: %ld -> %ld\n", what, a, b);
    d->n++;
}

static void words(struct diff *d, const char *what, const char *a, const char *b)
{
    if (!strcmp(a, b))
        return;
    fprintf(d->out, "%s: %s -> %s\n", what, a, b);
    d->n++;
}

static void unit_text(const struct model *m, unsigned i, struct text *text)
{
    const struct model_resource *r = &m->resources[i];
    text->len = 0;
    if (r->is_group) {
        text_printf(text, "group of");
        for (unsigned k = 0; k < r->n_units; k++)
            text_printf(text, " %s", m->resources[r->members[k]].name);
    } else {
        text_printf(text, "%u unit%s", r->n_units, r->n_units == 1 ? "" : "s");
    }
    if (r->buffer_size < 0)
        text_printf(text, ", no buffer of its own");
    else
        text_printf(text, ", buffer %d", r->buffer_size);
    if (r->super)
        text_printf(text, ", part of %s", m->resources[r->super].name);
}

static unsigned find(const struct model *m, const char *name)
{
    unsigned i = 1;
    while (i < m->n_resources && strcmp(m->resources[i].name, name) != 0)
        i++;
    return i;
}

static void resources(struct diff *d)
{
    struct text a = { 0 }, b = { 0 };
    char what[96];
    for (unsigned i = 1; i < d->a->n_resources; i++) {
        unsigned k = find(d->b, d->a->resources[i].name);
        unit_text(d->a, i, &a);
        b.len = 0;
        if (k < d->b->n_resources)
            unit_text(d->b, k, &b);
        else
            text_printf(&b, "(none)");
        snprintf(what, sizeof what, "resource %s", d->a->resources[i].name);
        words(d, what, a.data, b.data);
    }
    for (unsigned k = 1; k < d->b->n_resources; k++) {
        if (find(d->a, d->b->resources[k].name) < d->a->n_resources)
            continue;
        unit_text(d->b, k, &b);
        snprintf(what, sizeof what, "resource %s", d->b->resources[k].name);
        words(d, what, "(none)", b.data);
    }
    text_free(&a);
    text_free(&b);
}

static void row_text(const struct model *m, const struct model_row *row, struct text *text)
{
    text->len = 0;
    if (!row || (row->uops & SL_UOPS_MASK) == SL_UOPS_INVALID) {
        text_printf(text, "not supported");
        return;
    }
    if ((row->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT) {
        text_printf(text, "by operands");
        return;
    }
    text_printf(text, "%u uop%s%s%s, latency", row->uops & SL_UOPS_MASK, (row->uops & SL_UOPS_MASK) == 1 ? "" : "s",
                row->uops & SL_ROW_BEGIN_GROUP ? ", begins a group" : "", row->uops & SL_ROW_END_GROUP ? ", ends a group" : "");
    for (unsigned i = 0; i < row->n_lat; i++)
        text_printf(text, " %d", row->lat[i].cycles);
    text_printf(text, ", uses");
    for (unsigned i = 0; i < row->n_res; i++)
        text_printf(text, " %s:%u", m->resources[row->res[i].resource].name, row->res[i].release_cycle);
    for (unsigned i = 0; i < row->n_adv; i++)
        text_printf(text, "%s %u=%d@%u", i ? "" : ", forwards", row->adv[i].use, row->adv[i].cycles, row->adv[i].write_id);
}

/* By class where both have one; opcodes with rows of their own singly. Equal lines for several classes: the first, and how
 * many more. */
static void classes(struct diff *d)
{
    struct text a = { 0 }, b = { 0 };
    char what[160];
    unsigned char used[2][SL_VARIANT_OF_CLASS];
    model_used_classes(d->a, used[0]);
    model_used_classes(d->b, used[1]);
    for (unsigned c = 1; c < d->a->isa->n_classes; c++) {
        if (!used[0][c] && !used[1][c])
            continue;
        row_text(d->a, d->a->classes[c].row, &a);
        row_text(d->b, d->b->classes[c].row, &b);
        snprintf(what, sizeof what, "class %.140s", model_class_name(d->a->isa, c));
        words(d, what, a.data, b.data);
    }
    for (unsigned op = 1; op < d->a->isa->n_ops; op++) {
        unsigned c = d->a->isa->ops[op].sched_class;
        if (!d->a->ops[op].row && !d->b->ops[op].row)
            continue;
        row_text(d->a, d->a->ops[op].row ? d->a->ops[op].row : d->a->classes[c].row, &a);
        row_text(d->b, d->b->ops[op].row ? d->b->ops[op].row : d->b->classes[c].row, &b);
        snprintf(what, sizeof what, "opcode %.140s", model_op_name(d->a->isa, op));
        words(d, what, a.data, b.data);
    }
    text_free(&a);
    text_free(&b);
}

static void files(struct diff *d)
{
    number(d, "register files", d->a->n_files, d->b->n_files);
    for (unsigned f = 0; f < d->a->n_files && f < d->b->n_files; f++) {
        const struct model_register_file *a = &d->a->files[f], *b = &d->b->files[f];
        char what[96];
        words(d, "register file", a->name, b->name);
        snprintf(what, sizeof what, "registers of %.60s", a->name);
        number(d, what, a->n_physical, b->n_physical);
        snprintf(what, sizeof what, "moves a cycle of %.60s", a->name);
        number(d, what, a->max_moves, b->max_moves);
    }
}

unsigned model_diff(const struct model *a, const struct model *b, FILE *out)
{
    struct diff d = { a, b, out, 0 };
    number(&d, "issue width", a->issue_width, b->issue_width);
    number(&d, "micro-op buffer", a->micro_op_buffer, b->micro_op_buffer);
    number(&d, "reorder buffer", a->reorder_buffer, b->reorder_buffer);
    number(&d, "retire width", a->retire_width, b->retire_width);
    words(&d, "load queue", a->resources[a->load_queue].name, b->resources[b->load_queue].name);
    words(&d, "store queue", a->resources[a->store_queue].name, b->resources[b->store_queue].name);
    resources(&d);
    files(&d);
    if (a->isa->n_ops == b->isa->n_ops && a->isa->n_classes == b->isa->n_classes)
        classes(&d);
    number(&d, "opcodes with rules on operands", (long)a->n_variants, (long)b->n_variants);
    number(&d, "idioms", (long)a->n_idioms, (long)b->n_idioms);
    return d.n;
}
