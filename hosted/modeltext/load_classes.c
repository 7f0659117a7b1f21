/* SPDX-License-Identifier: Apache-2.0 */
/* What classes and single opcodes do: micro-ops, latencies, uses of resources, forwarding. */
#include <stdlib.h>
#include <string.h>

#include "node.h"

/* wN is number N; other names get numbers from 60001 on, which no built-in model has. */
static bool write_id(struct load *l, const yaml_node_t *at, const char *name, size_t len, uint16_t *id)
{
    long number;
    if (len == 0 || len > 60)
        return node_fail(l, at, "behind @ the name of a write is expected");
    if (name[0] == 'w' && text_number(name + 1, len - 1, 1, 65535, &number)) {
        *id = (uint16_t)number;
        return true;
    }
    for (size_t i = 0; i < l->n_write_names; i++) {
        if (strlen(l->write_names[i]) == len && !memcmp(l->write_names[i], name, len)) {
            *id = (uint16_t)(60001u + i);
            return true;
        }
    }
    if (l->n_write_names == 1000)
        return node_fail(l, at, "more than 1000 names of writes");
    l->write_names = array_grow(l->write_names, l->n_write_names, &l->write_names_capacity, sizeof *l->write_names);
    l->write_names[l->n_write_names++] = pool_text(&l->m->pool, name, len);
    *id = (uint16_t)(60000u + l->n_write_names);
    return true;
}

static bool load_latency(struct load *l, const yaml_node_t *item, struct sl_write_lat *out)
{
    const char *text, *at;
    long cycles = -1;
    size_t len;
    if (!node_scalar(l, item, "latency", &text))
        return false;
    at = strchr(text, '@');
    len = at ? (size_t)(at - text) : strlen(text);
    if ((len != 7 || memcmp(text, "unknown", 7) != 0) && !text_number(text, len, -32768, 32767, &cycles))
        return node_fail(l, item, "latency: a number up to 32767 or unknown (as any below 0 is), and @NAME of the write, not '%.40s'", text);
    out->cycles = (int16_t)cycles;
    out->write_id = 0;
    return !at || write_id(l, item, at + 1, strlen(at + 1), &out->write_id);
}

static bool load_latencies(struct load *l, const yaml_node_t *node, struct model_row *row)
{
    bool list = node->type == YAML_SEQUENCE_NODE;
    size_t n = list ? node_count(node) : 1;
    struct sl_write_lat *out;
    if (n > UINT8_MAX)
        return node_fail(l, node, "more than 255 latencies");
    out = pool_take(&l->m->pool, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        if (!load_latency(l, list ? node_item(l, node, i) : node, &out[i]))
            return false;
    }
    row->lat = out;
    row->n_lat = (uint16_t)n;
    return true;
}

static bool load_use(struct load *l, const yaml_node_t *key, const yaml_node_t *value, struct sl_write_res *out)
{
    bool pair = value->type == YAML_SEQUENCE_NODE;
    const char *name;
    long acquire = 0, release;
    if (!node_scalar(l, key, "use", &name) || !find_resource(l, key, name, &out->resource))
        return false;
    if (pair && node_count(value) != 2)
        return node_fail(l, value, "use: cycles, or [acquired at, released at]");
    if (pair && !node_number(l, node_item(l, value, 0), "use", 0, 255, &acquire))
        return false;
    if (!node_number(l, pair ? node_item(l, value, 1) : value, "use", 0, 65535, &release))
        return false;
    out->acquire_cycle = (uint8_t)acquire;
    out->release_cycle = (uint16_t)release;
    return true;
}

static bool load_uses(struct load *l, const yaml_node_t *node, bool expanded, struct model_row *row)
{
    struct sl_write_res given[MODEL_MAX_RESOURCES], *out;
    uint64_t seen = 0;
    size_t n = node_count(node);
    if (node->type != YAML_MAPPING_NODE)
        return node_fail(l, node, "use: a mapping of resources to cycles is expected");
    if (n > MODEL_MAX_RESOURCES)
        return node_fail(l, node, "more than %u resources", MODEL_MAX_RESOURCES);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_t *key = node_key(l, node, i);
        if (!load_use(l, key, node_value(l, node, i), &given[i]))
            return false;
        if (seen >> (given[i].resource - 1) & 1u)
            return node_fail(l, key, "'%s' is used twice", node_text(key));
        seen |= (uint64_t)1 << (given[i].resource - 1);
    }
    out = pool_take(&l->m->pool, (MODEL_MAX_RESOURCES + 1) * sizeof *out);
    row->n_res = expanded ? (uint16_t)n : (uint16_t)model_expand(l->m, given, (unsigned)n, out);
    if (expanded)
        memcpy(out, given, n * sizeof *out);
    row->res = out;
    return true;
}

/* OPERAND=CYCLES or OPERAND=CYCLES@WRITE/WRITE... */
static bool load_advance(struct load *l, const yaml_node_t *item, struct sl_read_adv *out, unsigned *n, unsigned max)
{
    const char *text, *equals, *at;
    long use, cycles;
    if (!node_scalar(l, item, "forwarding", &text))
        return false;
    equals = strchr(text, '=');
    at = strchr(text, '@');
    if (!equals || !text_number(text, (size_t)(equals - text), 0, 255, &use) ||
        !text_number(equals + 1, at ? (size_t)(at - equals - 1) : strlen(equals + 1), -128, 127, &cycles))
        return node_fail(l, item, "forwarding: OPERAND=CYCLES or OPERAND=CYCLES@WRITE/WRITE is expected (cycles from -128 to 127), "
                         "not '%.40s'", text);
    if (*n > 0 && out[*n - 1].use > use)
        return node_fail(l, item, "forwarding: operands have to ascend");
    do {
        size_t len = at ? strcspn(at + 1, "/") : 0;
        struct sl_read_adv e = { (uint8_t)use, (int8_t)cycles, 0 };
        if (*n == max)
            return node_fail(l, item, "more than %u forwardings", max);
        if (at && !write_id(l, item, at + 1, len, &e.write_id))
            return false;
        out[(*n)++] = e;
        at = at && at[len + 1] ? at + len + 1 : NULL;
    } while (at);
    return true;
}

#define MAX_ADVANCES 2048u

static bool load_forwarding(struct load *l, const yaml_node_t *node, struct model_row *row)
{
    struct sl_read_adv out[MAX_ADVANCES], *copy;
    unsigned n = 0;
    if (!node_sequence(l, node, "forwarding"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        if (!load_advance(l, node_item(l, node, i), out, &n, MAX_ADVANCES))
            return false;
    }
    copy = pool_take(&l->m->pool, (n + 1) * sizeof *copy);
    memcpy(copy, out, n * sizeof *copy);
    row->adv = copy;
    row->n_adv = (uint16_t)n;
    return true;
}

static bool load_flag(struct load *l, const yaml_node_t *item, const char *key, uint16_t flag, struct model_row *row)
{
    bool set = (row->uops & flag) != 0;
    if (!get_bool(l, item, key, &set))
        return false;
    row->uops = (uint16_t)(set ? row->uops | flag : row->uops & ~flag);
    return true;
}

static bool load_uops(struct load *l, const yaml_node_t *item, struct model_row *row)
{
    const yaml_node_t *node = node_get(l, item, "uops");
    const char *text = node ? node_text(node) : NULL;
    long uops = row->uops & SL_UOPS_MASK;
    if (text && !strcmp(text, "variant"))
        uops = SL_UOPS_VARIANT;
    else if (text && !strcmp(text, "unsupported"))
        uops = SL_UOPS_INVALID;
    else if (!get_number(l, item, "uops", 0, 8189, &uops))
        return false;
    row->uops = (uint16_t)((row->uops & ~SL_UOPS_MASK) | (unsigned)uops);
    return true;
}

/* The row an item makes of the one before. */
static bool load_row(struct load *l, const yaml_node_t *item, const struct model_row *old, struct model_row **result)
{
    const yaml_node_t *latency = node_get(l, item, "latency"), *use = node_get(l, item, "use");
    const yaml_node_t *forwarding = node_get(l, item, "forwarding");
    struct model_row *row = pool_take(&l->m->pool, sizeof *row);
    bool expanded = false;
    *result = row;
    *row = old ? *old : (struct model_row){ .uops = 1 };
    if (!load_uops(l, item, row) || !load_flag(l, item, "begin-group", SL_ROW_BEGIN_GROUP, row) ||
        !load_flag(l, item, "end-group", SL_ROW_END_GROUP, row) ||
        !load_flag(l, item, "retire-out-of-order", SL_ROW_RETIRE_OOO, row) || !get_bool(l, item, "expanded", &expanded))
        return false;
    if ((latency && !load_latencies(l, latency, row)) || (use && !load_uses(l, use, expanded, row)) ||
        (forwarding && !load_forwarding(l, forwarding, row)))
        return false;
    if ((row->uops & SL_UOPS_MASK) == 0 && row->n_res)
        return node_fail(l, item, "an instruction without micro-ops cannot use resources");
    return true;
}

/* Of the items of one entry those that had the same row before have the same one after. */
struct change {
    const yaml_node_t *item;
    const struct model_row *old;
    struct model_row *row;
    struct model_note note;
};

static bool change_entry(struct load *l, struct change *c, const struct model_row *old, struct model_entry *entry)
{
    if ((!c->row || c->old != old) && !load_row(l, c->item, old, &c->row))
        return false;
    c->old = old;
    *entry = (struct model_entry){ c->row, c->note, node_line(c->item) };
    return true;
}

static bool change_op(struct load *l, const yaml_node_t *node, unsigned op, void *context)
{
    struct model_entry *entry = &l->m->ops[op];
    const struct model_row *old = entry->row ? entry->row : l->m->classes[l->m->isa->ops[op].sched_class].row;
    (void)node;
    /* What a variant class does depends on the operands: the opcode starts anew. */
    if (old && (old->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT)
        old = NULL;
    return change_entry(l, context, old, entry);
}

static bool change_class(struct load *l, const yaml_node_t *node, struct change *c)
{
    bool list = node->type == YAML_SEQUENCE_NODE;
    for (size_t i = 0; i < (list ? node_count(node) : 1); i++) {
        const yaml_node_t *item = list ? node_item(l, node, i) : node;
        const char *name;
        unsigned sched_class;
        if (!node_scalar(l, item, "class", &name) || !find_class(l, item, name, &sched_class))
            return false;
        if (sched_class == 0)
            return node_fail(l, item, "'%s' is no class", name);
        if (!change_entry(l, c, l->m->classes[sched_class].row, &l->m->classes[sched_class]))
            return false;
    }
    return true;
}

bool load_classes(struct load *l, const yaml_node_t *node)
{
    static const char *const keys[] = { "class", "op", "uops", "latency", "use", "expanded", "forwarding", "begin-group",
                                        "end-group", "retire-out-of-order", "source", "confidence", NULL };
    if (!node_sequence(l, node, "classes"))
        return false;
    for (size_t i = 0; i < node_count(node); i++) {
        const yaml_node_t *item = node_item(l, node, i), *sched_class, *op;
        struct change c = { .item = item, .note = l->note };
        if (!node_mapping(l, item, keys) || !load_note(l, item, &c.note))
            return false;
        sched_class = node_get(l, item, "class");
        op = node_get(l, item, "op");
        if (!sched_class == !op)
            return node_fail(l, item, "either 'class' or 'op' is expected");
        if (sched_class ? !change_class(l, sched_class, &c) : !each_op(l, op, change_op, &c))
            return false;
    }
    return true;
}
