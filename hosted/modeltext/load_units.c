/* SPDX-License-Identifier: Apache-2.0 */
/* Resources and register files. */
#include <string.h>

#include "node.h"

static bool load_group(struct load *l, const yaml_node_t *node, struct model_resource *r)
{
    if (!node_sequence(l, node, "group"))
        return false;
    if (node_count(node) == 0 || node_count(node) > MODEL_MAX_RESOURCES)
        return node_fail(l, node, "a group has 1 to %u members", MODEL_MAX_RESOURCES);
    r->n_units = 0;
    for (size_t i = 0; i < node_count(node); i++) {
        const yaml_node_t *item = node_item(l, node, i);
        const char *name;
        uint8_t member;
        if (!node_scalar(l, item, "group", &name) || !find_resource(l, item, name, &member))
            return false;
        if (l->m->resources[member].is_group || r == &l->m->resources[member])
            return node_fail(l, item, "'%s' is a group: only units can be members of one", name);
        r->members[r->n_units++] = member;
    }
    return true;
}

static bool load_buffer(struct load *l, const yaml_node_t *node, struct model_resource *r)
{
    const yaml_node_t *buffer = node_get(l, node, "buffer");
    const char *text = buffer ? node_text(buffer) : NULL;
    long size = r->buffer_size;
    if (text && !strcmp(text, "unlimited"))
        size = -1;
    else if (!get_number(l, node, "buffer", -1, 32767, &size))
        return false;
    r->buffer_size = (int16_t)size;
    return true;
}

/* What a resource is a part of may have a whole itself, but not in a circle. */
static bool load_super(struct load *l, const yaml_node_t *node, struct model_resource *r)
{
    const char *name;
    uint8_t super = 0;
    if (!node_scalar(l, node, "part-of", &name) || (strcmp(name, "none") != 0 && !find_resource(l, node, name, &super)))
        return false;
    for (unsigned at = super; at != 0; at = l->m->resources[at].super) {
        if (r == &l->m->resources[at])
            return node_fail(l, node, "'%s' would be a part of itself", r->name);
    }
    r->super = super;
    return true;
}

static struct model_resource *resource_named(struct load *l, const char *name)
{
    struct model *m = l->m;
    for (unsigned i = 1; i < m->n_resources; i++) {
        if (!strcmp(m->resources[i].name, name))
            return &m->resources[i];
    }
    if (m->n_resources > MODEL_MAX_RESOURCES)
        return NULL;
    m->resources[m->n_resources] = (struct model_resource){ .name = pool_text(&m->pool, name, strlen(name)), .buffer_size = -1,
                                                            .n_units = 1 };
    return &m->resources[m->n_resources++];
}

/* All names first: a group's members may follow it. */
static bool name_resource(struct load *l, const yaml_node_t *item)
{
    static const char *const keys[] = { "name", "units", "group", "buffer", "part-of", NULL };
    const yaml_node_t *name, *units, *group;
    struct model_resource *r;
    const char *text;
    if (!node_mapping(l, item, keys))
        return false;
    name = node_get(l, item, "name");
    units = node_get(l, item, "units");
    group = node_get(l, item, "group");
    if (!name)
        return node_fail(l, item, "'name' is missing");
    if (!node_scalar(l, name, "name", &text))
        return false;
    if (*text == '\0' || strlen(text) > 60 ||
        text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] || !strcmp(text, "none"))
        return node_fail(l, name, "name: letters, digits and _ are expected");
    r = resource_named(l, text);
    if (!r)
        return node_fail(l, item, "more than %u resources", MODEL_MAX_RESOURCES);
    if (r->line)
        return node_fail(l, name, "resource '%s' is defined twice; first in line %u", text, r->line);
    r->line = node_line(item);
    if (units && group)
        return node_fail(l, units, "a group has no units of its own");
    r->is_group = group || (r->is_group && !units);
    return true;
}

static bool load_resource(struct load *l, const yaml_node_t *item)
{
    const yaml_node_t *units = node_get(l, item, "units"), *group = node_get(l, item, "group"), *super = node_get(l, item, "part-of");
    struct model_resource *r = resource_named(l, node_text(node_get(l, item, "name")));
    long n;
    if (units) {
        if (!node_number(l, units, "units", 1, 63, &n))
            return false;
        r->n_units = (uint8_t)n;
    }
    return (!group || load_group(l, group, r)) && load_buffer(l, item, r) && (!super || load_super(l, super, r));
}

/* Groups that were inherited may have lost a unit to a group of the file. */
static bool members_are_units(struct load *l, const yaml_node_t *node)
{
    const struct model *m = l->m;
    for (unsigned g = 1; g < m->n_resources; g++) {
        for (unsigned k = 0; m->resources[g].is_group && k < m->resources[g].n_units; k++) {
            if (m->resources[m->resources[g].members[k]].is_group)
                return node_fail(l, node, "'%s', a member of group '%s', is a group", m->resources[m->resources[g].members[k]].name,
                                 m->resources[g].name);
        }
    }
    return true;
}

bool load_resources(struct load *l, const yaml_node_t *node)
{
    if (!node_sequence(l, node, "resources"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        if (!name_resource(l, node_item(l, node, i)))
            return false;
    }
    for (size_t i = 0; i < node_count(node); i++) {
        if (!load_resource(l, node_item(l, node, i)))
            return false;
    }
    return members_are_units(l, node);
}

static bool load_costs(struct load *l, const yaml_node_t *node, struct model_register_file *file)
{
    static const char *const keys[] = { "list", "cost", "moves", NULL };
    struct model_cost *costs;
    size_t n = node_count(node);
    if (!node_sequence(l, node, "registers"))
        return false;
    if (n == 0 || n > 64)
        return node_fail(l, node, "a register file has 1 to 64 classes of registers");
    costs = pool_take(&l->m->pool, n * sizeof *costs);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_t *item = node_item(l, node, i), *list;
        long cost = 1;
        if (!node_mapping(l, item, keys))
            return false;
        list = node_get(l, item, "list");
        if (!list)
            return node_fail(l, item, "'list' is missing");
        if (!find_reg_list(l, list, &costs[i].regs) || !get_number(l, item, "cost", 0, 255, &cost) ||
            !get_bool(l, item, "moves", &costs[i].moves))
            return false;
        costs[i].cost = (uint8_t)cost;
    }
    file->costs = costs;
    file->n_costs = (unsigned)n;
    return true;
}

static bool load_file(struct load *l, const yaml_node_t *item)
{
    static const char *const keys[] = { "name", "size", "moves-per-cycle", "zero-moves-only", "registers", NULL };
    const yaml_node_t *name, *registers;
    struct model_register_file *file = NULL;
    const char *text;
    long size, moves;
    if (!node_mapping(l, item, keys))
        return false;
    name = node_get(l, item, "name");
    registers = node_get(l, item, "registers");
    if (!name)
        return node_fail(l, item, "'name' is missing");
    if (!node_scalar(l, name, "name", &text))
        return false;
    if (*text == '\0' || strlen(text) > 60)
        return node_fail(l, name, "name: a name is expected");
    for (unsigned f = 0; f < l->m->n_files; f++)
        file = strcmp(l->m->files[f].name, text) ? file : &l->m->files[f];
    if (!file) {
        if (l->m->n_files == 3)
            return node_fail(l, item, "the machine has room for three register files");
        if (!registers)
            return node_fail(l, item, "'registers' is missing");
        file = &l->m->files[l->m->n_files++];
        *file = (struct model_register_file){ .name = pool_text(&l->m->pool, text, strlen(text)) };
    }
    size = file->n_physical;
    moves = file->max_moves;
    if (!get_number(l, item, "size", 0, 65535, &size) || !get_number(l, item, "moves-per-cycle", 0, 255, &moves) ||
        !get_bool(l, item, "zero-moves-only", &file->zero_moves_only))
        return false;
    file->n_physical = (uint16_t)size;
    file->max_moves = (uint8_t)moves;
    return !registers || load_costs(l, registers, file);
}

bool load_files(struct load *l, const yaml_node_t *node)
{
    if (!node_sequence(l, node, "register-files"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        if (!load_file(l, node_item(l, node, i)))
            return false;
    }
    return true;
}
