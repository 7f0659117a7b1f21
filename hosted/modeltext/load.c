/* SPDX-License-Identifier: Apache-2.0 */
/* A model from YAML: what the file as a whole says. Sections are in load_*.c. */
#include <stdlib.h>
#include <string.h>

#include "node.h"

#define MAX_FILE_BYTES ((size_t)16 << 20)

static const char *const top_keys[] = { "cpu", "inherit", "isa", "issue-width", "micro-op-buffer", "reorder-buffer", "retire-width",
                                        "load-queue", "store-queue", "resources", "register-files", "classes", "variants",
                                        "idioms", "source", "confidence", NULL };

static const yaml_node_t *root_of(struct load *l)
{
    return yaml_document_get_root_node(&l->doc);
}

static bool load_name(struct load *l, const char **name)
{
    const yaml_node_t *node = node_get(l, root_of(l), "cpu");
    if (!node)
        return node_fail(l, root_of(l), "'cpu' is missing: the model's name");
    if (!node_scalar(l, node, "cpu", name))
        return false;
    if (**name == '\0' || strlen(*name) > 100 || (*name)[strspn(*name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+")])
        return node_fail(l, node, "cpu: a name of letters, digits and -_.+ is expected");
    return true;
}

/* From the CPU that it inherits, or empty. */
static bool start_model(struct load *l, struct model *model)
{
    const yaml_node_t *inherit = node_get(l, root_of(l), "inherit"), *isa = node_get(l, root_of(l), "isa");
    const char *name = "", *text = "";
    const struct sl_isa *set = NULL;
    if (!load_name(l, &name))
        return false;
    if (isa && (!node_scalar(l, isa, "isa", &text) || !(set = model_find_isa(text))))
        return node_text(isa) && node_fail(l, isa, "'%.40s' is no instruction set: aarch64, x86_64, riscv64, riscv32, thumbm, thumb "
                                           "and arm are", node_text(isa));
    if (inherit) {
        const struct sl_cpu *cpu = node_scalar(l, inherit, "inherit", &text) ? model_find_cpu(text) : NULL;
        if (!cpu)
            return node_text(inherit) && node_fail(l, inherit, "'%.60s' is no built-in CPU", node_text(inherit));
        if (set && set != cpu->isa)
            return node_fail(l, isa, "%s is a CPU of %s", text, cpu->isa->name);
        model_of_cpu(model, cpu);
        model->base = pool_text(&model->pool, text, strlen(text));
    } else if (set) {
        model_init(model, set, "");
    } else {
        return node_fail(l, root_of(l), "'inherit' or 'isa' is missing: the CPU to start from, or the instruction set");
    }
    model->name = pool_text(&model->pool, name, strlen(name));
    return true;
}

static bool load_width(struct load *l, const char *key, long min, long max, uint16_t *value)
{
    long number = *value;
    if (!get_number(l, root_of(l), key, min, max, &number))
        return false;
    *value = (uint16_t)number;
    return true;
}

static bool load_queue(struct load *l, const char *key, uint8_t *index)
{
    const yaml_node_t *node = node_get(l, root_of(l), key);
    const char *name;
    if (!node)
        return true;
    if (!node_scalar(l, node, key, &name))
        return false;
    if (!strcmp(name, "none")) {
        *index = 0;
        return true;
    }
    return find_resource(l, node, name, index);
}

static bool load_sections(struct load *l)
{
    static const struct {
        const char *key;
        bool (*load)(struct load *l, const yaml_node_t *node);
    } sections[] = { { "resources", load_resources }, { "register-files", load_files }, { "classes", load_classes },
                     { "variants", load_variants },   { "idioms", load_idioms } };
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const yaml_node_t *node = node_get(l, root_of(l), sections[i].key);
        if (node && node_text(node) && !*node_text(node)) /* nothing in it */
            continue;
        if (node && !sections[i].load(l, node))
            return false;
    }
    return true;
}

/* Opcodes with an entry of their own need no rules. */
static void drop_rules(struct model *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->n_variants; i++) {
        if ((m->variants[i].key & SL_VARIANT_OF_CLASS) || !m->ops[m->variants[i].key].row)
            m->variants[kept++] = m->variants[i];
    }
    m->n_variants = kept;
}

static bool load_document(struct load *l, struct model *model, bool strict)
{
    struct model *m = model;
    if (!node_mapping(l, root_of(l), top_keys) || !start_model(l, model))
        return false;
    l->m = m;
    l->first_write_id = m->max_write_id;
    if (!load_width(l, "issue-width", 1, 255, &m->issue_width) || !load_width(l, "micro-op-buffer", 0, 4096, &m->micro_op_buffer) ||
        !load_width(l, "reorder-buffer", 0, 4096, &m->reorder_buffer) || !load_width(l, "retire-width", 0, 4096, &m->retire_width) ||
        !load_note(l, root_of(l), &l->note) || !load_sections(l) || !load_queue(l, "load-queue", &m->load_queue) ||
        !load_queue(l, "store-queue", &m->store_queue))
        return false;
    drop_rules(m);
    if (m->issue_width == 0)
        return node_fail(l, root_of(l), "'issue-width' is missing");
    return !strict || model_check(m, l->file, l->diag);
}

/* A node that is used twice would let a short file say much. */
static bool no_aliases(struct load *l)
{
    size_t n = (size_t)(l->doc.nodes.top - l->doc.nodes.start);
    unsigned char *seen = calloc(n + 1, 1);
    const yaml_node_t *twice = NULL;
    if (!seen)
        out_of_memory();
    for (size_t k = 0; k < n && !twice; k++) {
        const yaml_node_t *node = &l->doc.nodes.start[k];
        for (size_t i = 0; i < node_count(node) && !twice; i++) {
            bool mapping = node->type == YAML_MAPPING_NODE;
            int value = mapping ? node->data.mapping.pairs.start[i].value : node->data.sequence.items.start[i];
            int key = mapping ? node->data.mapping.pairs.start[i].key : 0;
            if (seen[value]++ || (key && seen[key]++))
                twice = node;
        }
    }
    free(seen);
    return !twice || node_fail(l, twice, "aliases (*name) are not supported");
}

bool model_load(struct model *model, const char *file, const char *text, size_t len, bool strict, struct diag *diag)
{
    struct load l = { .file = file, .diag = diag };
    yaml_parser_t parser;
    bool ok = false;
    memset(model, 0, sizeof *model);
    if (len > MAX_FILE_BYTES) {
        model_error(diag, file, 1, "the file is longer than %zu bytes", MAX_FILE_BYTES);
        return false;
    }
    if (!yaml_parser_initialize(&parser))
        out_of_memory();
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    if (!yaml_parser_load(&parser, &l.doc)) {
        size_t line = parser.error == YAML_READER_ERROR ? 0 : parser.problem_mark.line;
        model_error(diag, file, (unsigned)line + 1u, "no YAML: %s", parser.problem ? parser.problem : "it cannot be read");
    } else {
        if (!root_of(&l))
            model_error(diag, file, 1, "the file is empty");
        else
            ok = no_aliases(&l) && load_document(&l, model, strict);
        yaml_document_delete(&l.doc);
    }
    yaml_parser_delete(&parser);
    free(l.write_names);
    if (!ok)
        model_free(model);
    return ok;
}
