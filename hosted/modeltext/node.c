/* SPDX-License-Identifier: Apache-2.0 */
/* YAML nodes with their lines, as the loader asks for them. */
#include "node.h"

#include <stdarg.h>
#include <string.h>

void model_error(struct diag *diag, const char *file, unsigned line, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_raw_error(diag, "slotledger: %s:%u: %s\n", file, line, text);
}

bool node_fail(struct load *l, const yaml_node_t *at, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    model_error(l->diag, l->file, node_line(at), "%s", text);
    return false;
}

size_t node_count(const yaml_node_t *node)
{
    if (node->type == YAML_MAPPING_NODE)
        return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    if (node->type == YAML_SEQUENCE_NODE)
        return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    return 0;
}

yaml_node_t *node_key(struct load *l, const yaml_node_t *mapping, size_t i)
{
    return yaml_document_get_node(&l->doc, mapping->data.mapping.pairs.start[i].key);
}

yaml_node_t *node_value(struct load *l, const yaml_node_t *mapping, size_t i)
{
    return yaml_document_get_node(&l->doc, mapping->data.mapping.pairs.start[i].value);
}

yaml_node_t *node_item(struct load *l, const yaml_node_t *sequence, size_t i)
{
    return yaml_document_get_node(&l->doc, sequence->data.sequence.items.start[i]);
}

const char *node_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE || strlen((const char *)node->data.scalar.value) != node->data.scalar.length)
        return NULL;
    return (const char *)node->data.scalar.value;
}

yaml_node_t *node_get(struct load *l, const yaml_node_t *mapping, const char *key)
{
    for (size_t i = 0; i < node_count(mapping); i++) {
        const char *text = node_text(node_key(l, mapping, i));
        if (text && !strcmp(text, key))
            return node_value(l, mapping, i);
    }
    return NULL;
}

/* Which of the keys; the end of the list: none. */
static size_t key_index(const char *const *keys, const char *text)
{
    size_t k = 0;
    while (keys[k] && strcmp(keys[k], text) != 0)
        k++;
    return k;
}

bool node_mapping(struct load *l, const yaml_node_t *node, const char *const *keys)
{
    uint64_t seen = 0;
    if (node->type != YAML_MAPPING_NODE)
        return node_fail(l, node, "a mapping with '%s' and the like is expected here", keys[0]);
    for (size_t i = 0; i < node_count(node); i++) {
        const yaml_node_t *key = node_key(l, node, i);
        const char *text = node_text(key);
        size_t k = text ? key_index(keys, text) : 0;
        if (!text || !keys[k])
            return node_fail(l, key, "'%.60s' is no key here", text ? text : "(a list or mapping)");
        if (seen >> k & 1u)
            return node_fail(l, key, "'%s' occurs twice", text);
        seen |= (uint64_t)1 << k;
    }
    return true;
}

bool node_sequence(struct load *l, const yaml_node_t *node, const char *what)
{
    return node->type == YAML_SEQUENCE_NODE || node_fail(l, node, "%s: a list is expected here", what);
}

bool node_scalar(struct load *l, const yaml_node_t *node, const char *what, const char **text)
{
    *text = node_text(node);
    return *text || node_fail(l, node, "%s: a single word is expected here", what);
}

bool text_number(const char *text, size_t len, long min, long max, long *value)
{
    bool negative = len > 0 && text[0] == '-';
    long n = 0;
    if (len == negative)
        return false;
    for (size_t i = negative; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || n > 100000000)
            return false;
        n = n * 10 + (text[i] - '0');
    }
    *value = negative ? -n : n;
    return *value >= min && *value <= max;
}

bool node_number(struct load *l, const yaml_node_t *node, const char *what, long min, long max, long *value)
{
    const char *text = node_text(node);
    if (text && text_number(text, strlen(text), min, max, value))
        return true;
    return node_fail(l, node, "%s: a number from %ld to %ld is expected, not '%.40s'", what, min, max, text ? text : "a list");
}

bool node_bool(struct load *l, const yaml_node_t *node, const char *what, bool *value)
{
    const char *text = node_text(node);
    *value = text && !strcmp(text, "true");
    return *value || (text && !strcmp(text, "false")) || node_fail(l, node, "%s: true or false is expected", what);
}

bool get_number(struct load *l, const yaml_node_t *mapping, const char *key, long min, long max, long *value)
{
    const yaml_node_t *node = node_get(l, mapping, key);
    return !node || node_number(l, node, key, min, max, value);
}

bool get_bool(struct load *l, const yaml_node_t *mapping, const char *key, bool *value)
{
    const yaml_node_t *node = node_get(l, mapping, key);
    return !node || node_bool(l, node, key, value);
}

bool find_resource(struct load *l, const yaml_node_t *node, const char *name, uint8_t *index)
{
    for (unsigned i = 1; i < l->m->n_resources; i++) {
        if (!strcmp(l->m->resources[i].name, name)) {
            *index = (uint8_t)i;
            return true;
        }
    }
    return node_fail(l, node, "'%.60s' is no resource of this model", name);
}

#define MAX_LOOKUPS 200000u

bool look_up(struct load *l, const yaml_node_t *at)
{
    return ++l->n_lookups <= MAX_LOOKUPS || node_fail(l, at, "more than %u names are too many", MAX_LOOKUPS);
}

bool find_class(struct load *l, const yaml_node_t *node, const char *name, unsigned *sched_class)
{
    if (!look_up(l, node))
        return false;
    *sched_class = model_find_class(l->m->isa, name);
    return *sched_class < l->m->isa->n_classes ||
           node_fail(l, node, "'%.60s' is no scheduling class of %s", name, l->m->isa->name);
}

bool find_reg_list(struct load *l, const yaml_node_t *node, const uint16_t **list)
{
    uint16_t *out;
    size_t n = node_count(node);
    if (!node_sequence(l, node, "registers"))
        return false;
    if (n == 0 || n > l->m->isa->n_regs)
        return node_fail(l, node, "a list of one to %u registers is expected", l->m->isa->n_regs);
    out = pool_take(&l->m->pool, (n + 1) * sizeof *out);
    out[0] = (uint16_t)n;
    for (size_t i = 0; i < n; i++) {
        const char *name = node_text(node_item(l, node, i));
        unsigned reg = name && look_up(l, node_item(l, node, i)) ? model_find_reg(l->m->isa, name) : l->m->isa->n_regs;
        if (reg >= l->m->isa->n_regs)
            return node_fail(l, node_item(l, node, i), "'%.40s' is no register of %s", name ? name : "a list", l->m->isa->name);
        out[i + 1] = (uint16_t)reg;
    }
    *list = out;
    return true;
}

bool load_note(struct load *l, const yaml_node_t *mapping, struct model_note *note)
{
    const yaml_node_t *source = node_get(l, mapping, "source"), *confidence = node_get(l, mapping, "confidence");
    const char *text;
    if (source) {
        if (!node_scalar(l, source, "source", &text))
            return false;
        note->source = pool_text(&l->m->pool, text, strlen(text));
    }
    if (!confidence)
        return true;
    if (!node_scalar(l, confidence, "confidence", &text))
        return false;
    for (unsigned i = 1; i < MODEL_CONFIDENCES; i++) {
        if (!strcmp(model_confidence_names[i], text)) {
            note->confidence = (enum model_confidence)i;
            return true;
        }
    }
    return node_fail(l, confidence, "confidence: measured, manual, stand-in or guess is expected, not '%.40s'", text);
}

/* * and ?, without recursion. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *mark = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            mark = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++mark;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool each_op(struct load *l, const yaml_node_t *node, take_op *take, void *context)
{
    bool list = node->type == YAML_SEQUENCE_NODE;
    for (size_t i = 0; i < (list ? node_count(node) : 1); i++) {
        const yaml_node_t *item = list ? node_item(l, node, i) : node;
        bool any = false;
        const char *name;
        if (!node_scalar(l, item, "op", &name) || !look_up(l, item))
            return false;
        if (strlen(name) > 64)
            return node_fail(l, item, "no opcode has so long a name");
        for (unsigned op = 1; op < l->m->isa->n_ops; op++) {
            if (!matches(name, model_op_name(l->m->isa, op)))
                continue;
            any = true;
            if (!take(l, item, op, context))
                return false;
        }
        if (!any)
            return node_fail(l, item, "'%.60s' is no opcode of %s", name, l->m->isa->name);
    }
    return true;
}
