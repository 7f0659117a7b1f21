/* SPDX-License-Identifier: Apache-2.0 */
/* Variants and idioms: what depends on operands. */
#include <stdlib.h>
#include <string.h>

#include "node.h"

/* 3, or 3-7. */
static bool load_span(struct load *l, const yaml_node_t *item, long *first, long *last)
{
    const char *text = node_text(item), *dash = text ? strchr(text, '-') : NULL;
    if (!text || !text_number(text, dash ? (size_t)(dash - text) : strlen(text), 0, 255, first))
        return node_fail(l, item, "a value from 0 to 255 or a range like 3-7 is expected");
    *last = *first;
    return !dash || text_number(dash + 1, strlen(dash + 1), *first, 255, last) ||
           node_fail(l, item, "a range like 3-7 is expected, not '%.20s'", text);
}

static bool load_values(struct load *l, const yaml_node_t *node, const struct sl_imm_set **result)
{
    struct sl_imm_set *set = pool_take(&l->m->pool, sizeof *set);
    if (!node_sequence(l, node, "in"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        long first = 0, last = 0;
        if (!load_span(l, node_item(l, node, i), &first, &last))
            return false;
        for (; first <= last; first++)
            set->words[first / 32] |= 1u << (first % 32);
    }
    *result = set;
    return true;
}

static const struct {
    const char *key;
    enum sl_atom_kind kind;
} atom_keys[] = { { "same", SL_ATOM_EQ },      { "register", SL_ATOM_REG },  { "value", SL_ATOM_IMM },      { "zero", SL_ATOM_IMMZ },
                  { "flags", SL_ATOM_FLAG },   { "known", SL_ATOM_ANY_IMM }, { "operands", SL_ATOM_COUNT }, { "listed", SL_ATOM_IN_LIST } };

static bool load_same(struct load *l, const yaml_node_t *node, struct model_atom *atom)
{
    long a, b;
    if (!node_sequence(l, node, "same"))
        return false;
    if (node_count(node) != 2)
        return node_fail(l, node, "same: two operands are expected");
    if (!node_number(l, node_item(l, node, 0), "same", 0, 255, &a) || !node_number(l, node_item(l, node, 1), "same", 0, 255, &b))
        return false;
    atom->a = (uint8_t)a;
    atom->b = (uint8_t)b;
    return true;
}

static bool load_atom(struct load *l, const yaml_node_t *item, struct model_atom *atom)
{
    static const char *const keys[] = { "same", "register", "value", "zero", "flags", "known", "operands", "listed",
                                        "in",   "shift",    "not",   NULL };
    const yaml_node_t *in, *subject = NULL;
    bool negated = false;
    long number = 0, shift = -1;
    memset(atom, 0, sizeof *atom);
    if (!node_mapping(l, item, keys) || !get_bool(l, item, "not", &negated) || !get_number(l, item, "shift", 0, 56, &shift))
        return false;
    in = node_get(l, item, "in");
    for (size_t i = 0; i < sizeof atom_keys / sizeof atom_keys[0]; i++) {
        const yaml_node_t *node = node_get(l, item, atom_keys[i].key);
        if (node && subject)
            return node_fail(l, node, "two conditions in one");
        if (node)
            atom->kind = (uint8_t)atom_keys[i].kind;
        subject = node ? node : subject;
    }
    if (!subject)
        return node_fail(l, item, "a condition is expected");
    if ((atom->kind == SL_ATOM_REG || atom->kind == SL_ATOM_IMM) != (in != NULL) || (shift >= 0 && atom->kind != SL_ATOM_IMM))
        return node_fail(l, item, "'in' belongs to register and value, and to no other condition; 'shift' to value");
    if (atom->kind == SL_ATOM_EQ ? !load_same(l, subject, atom)
                                 : atom->kind == SL_ATOM_COUNT ? !load_values(l, subject, &atom->imms)
                                                               : !node_number(l, subject, "operand", 0, 255, &number))
        return false;
    if (atom->kind != SL_ATOM_EQ)
        atom->a = (uint8_t)number;
    if (shift >= 0) {
        atom->kind = SL_ATOM_BITS;
        atom->b = (uint8_t)shift;
    }
    if (in && (atom->kind == SL_ATOM_REG ? !find_reg_list(l, in, &atom->regs) : !load_values(l, in, &atom->imms)))
        return false;
    atom->kind |= negated ? SL_ATOM_NOT : 0;
    return true;
}

static bool load_atoms(struct load *l, const yaml_node_t *node, struct model_atom *atoms, uint8_t *n)
{
    *n = 0;
    if (!node)
        return true;
    if (!node_sequence(l, node, "if"))
        return false;
    if (node_count(node) > MODEL_MAX_ATOMS)
        return node_fail(l, node, "more than %u conditions", MODEL_MAX_ATOMS);
    for (; *n < node_count(node); ++*n) {
        if (!load_atom(l, node_item(l, node, *n), &atoms[*n]))
            return false;
    }
    return true;
}

static bool load_rules(struct load *l, const yaml_node_t *node, struct model_variant *variant)
{
    static const char *const keys[] = { "if", "class", NULL };
    struct model_rule *rules;
    size_t n = node_count(node);
    if (!node_sequence(l, node, "rules"))
        return false;
    if (n == 0 || n > 64)
        return node_fail(l, node, "1 to 64 rules are expected");
    rules = pool_take(&l->m->pool, n * sizeof *rules);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_t *item = node_item(l, node, i), *name;
        const char *text;
        unsigned sched_class = 0;
        if (!node_mapping(l, item, keys) || !load_atoms(l, node_get(l, item, "if"), rules[i].atoms, &rules[i].n_atoms))
            return false;
        name = node_get(l, item, "class");
        if (!name)
            return node_fail(l, item, "'class' is missing");
        if (!node_scalar(l, name, "class", &text) || (strcmp(text, "none") != 0 && !find_class(l, name, text, &sched_class)))
            return false;
        if (l->m->classes[sched_class].row && (l->m->classes[sched_class].row->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT)
            return node_fail(l, name, "'%.60s' is a variant class itself", text);
        if ((rules[i].n_atoms == 0) != (i + 1 == n))
            return node_fail(l, item, "the last rule, and no other, has no conditions");
        rules[i].sched_class = (uint16_t)sched_class;
    }
    variant->rules = rules;
    variant->n_rules = (unsigned)n;
    return true;
}

static bool set_variant(struct load *l, const yaml_node_t *at, unsigned key, void *context)
{
    const struct model_variant *variant = context;
    struct model *m = l->m;
    size_t i = 0;
    unsigned sched_class = key & SL_VARIANT_OF_CLASS ? key & ~SL_VARIANT_OF_CLASS : m->isa->ops[key].sched_class;
    const struct model_row *row = m->classes[sched_class].row;
    if (!row || (row->uops & SL_UOPS_MASK) != SL_UOPS_VARIANT)
        return node_fail(l, at, "its class '%.60s' is no variant class (uops: variant)", model_class_name(m->isa, sched_class));
    while (i < m->n_variants && m->variants[i].key != key)
        i++;
    if (i == m->n_variants) {
        m->variants = array_grow(m->variants, m->n_variants, &m->variants_capacity, sizeof *m->variants);
        m->n_variants++;
    }
    m->variants[i] = *variant;
    m->variants[i].key = (uint16_t)key;
    return true;
}

bool load_variants(struct load *l, const yaml_node_t *node)
{
    static const char *const keys[] = { "op", "class", "rules", NULL };
    if (!node_sequence(l, node, "variants"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        const yaml_node_t *item = node_item(l, node, i), *op, *of_class, *rules;
        struct model_variant variant = { .line = node_line(item) };
        const char *name;
        unsigned sched_class;
        if (!node_mapping(l, item, keys))
            return false;
        op = node_get(l, item, "op");
        of_class = node_get(l, item, "class");
        rules = node_get(l, item, "rules");
        if (!op == !of_class || !rules)
            return node_fail(l, item, "'rules' and either 'op' or 'class' are expected");
        if (!load_rules(l, rules, &variant))
            return false;
        if (op ? !each_op(l, op, set_variant, &variant)
               : !node_scalar(l, of_class, "class", &name) || !find_class(l, of_class, name, &sched_class) ||
                     !set_variant(l, of_class, SL_VARIANT_OF_CLASS | sched_class, &variant))
            return false;
    }
    return true;
}

/* An opcode's idioms of the inherited CPU give way to the first that the file has for it. */
struct idiom_load {
    struct model_idiom idiom;
    unsigned char *mine; /* [n_ops] */
};

static bool add_idiom(struct load *l, const yaml_node_t *at, unsigned op, void *context)
{
    struct idiom_load *load = context;
    struct model *m = l->m;
    size_t kept = 0;
    (void)at;
    for (size_t i = 0; i < m->n_idioms && !load->mine[op]; i++) {
        if (m->idioms[i].op != op)
            m->idioms[kept++] = m->idioms[i];
    }
    m->n_idioms = load->mine[op] ? m->n_idioms : kept;
    load->mine[op] = 1;
    m->idioms = array_grow(m->idioms, m->n_idioms, &m->idioms_capacity, sizeof *m->idioms);
    load->idiom.op = (uint16_t)op;
    m->idioms[m->n_idioms++] = load->idiom;
    return m->n_idioms < UINT16_MAX || node_fail(l, at, "more than 65534 idioms");
}

static bool load_idiom(struct load *l, const yaml_node_t *item, struct idiom_load *load)
{
    static const char *const keys[] = { "op", "zero", "breaks", "move", "mask", "if", NULL };
    static const char *const kinds[] = { "zero", "breaks", "move" };
    const yaml_node_t *op, *mask;
    long width = 1, bits = 0;
    if (!node_mapping(l, item, keys))
        return false;
    memset(&load->idiom, 0, sizeof load->idiom);
    op = node_get(l, item, "op");
    mask = node_get(l, item, "mask");
    if (!op)
        return node_fail(l, item, "'op' is missing");
    for (size_t k = 0; k < 3; k++) {
        bool set = false;
        if (!get_bool(l, item, kinds[k], &set))
            return false;
        load->idiom.kind |= (uint8_t)(set ? 1u << k : 0);
    }
    if (mask && (mask->type != YAML_SEQUENCE_NODE || node_count(mask) != 2))
        return node_fail(l, mask, "mask: [width, bits] is expected");
    if (mask && (!node_number(l, node_item(l, mask, 0), "mask", 0, 16, &width) ||
                 !node_number(l, node_item(l, mask, 1), "mask", 0, 65535, &bits)))
        return false;
    load->idiom.mask_width = (uint8_t)width;
    load->idiom.mask = (uint16_t)bits;
    return load_atoms(l, node_get(l, item, "if"), load->idiom.atoms, &load->idiom.n_atoms) && each_op(l, op, add_idiom, load);
}

bool load_idioms(struct load *l, const yaml_node_t *node)
{
    struct idiom_load load = { .mine = pool_take(&l->m->pool, l->m->isa->n_ops) };
    if (!node_sequence(l, node, "idioms"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        if (!load_idiom(l, node_item(l, node, i), &load))
            return false;
    }
    return true;
}
