/* SPDX-License-Identifier: Apache-2.0 */
/* Call chains below a row, in perf's four styles. */
#include <stdlib.h>
#include <string.h>

#include "c2c_chain.h"

#define MARGIN    12
#define MAX_DEPTH 128 /* frames in a chain: perf's limit is 127 */

struct printer {
    const struct c2c_chain_view *view;
    FILE *out;
    uint64_t parent_period;
    int margin;
    struct pool pool;
};

static uint64_t cumulated(const struct c2c_chain_node *node)
{
    return node->hit + node->children_hit;
}

static void put_name(const struct printer *p, const struct c2c_frame *frame)
{
    if (!frame->symbol)
        fprintf(p->out, frame->ip ? "0x%llx" : "%llx", (unsigned long long)frame->ip);
    else if (p->view->key != C2C_CHAIN_FUNCTION && frame->source)
        fprintf(p->out, "%s %s", frame->symbol, frame->source);
    else
        fputs(frame->symbol, p->out);
}

static void value_text(const struct printer *p, uint64_t period, uint64_t count, uint64_t total, char *text,
                       size_t size)
{
    switch (p->view->value) {
    case C2C_CHAIN_PERIOD:
        snprintf(text, size, "%llu", (unsigned long long)period);
        break;
    case C2C_CHAIN_COUNT:
        snprintf(text, size, "%llu", (unsigned long long)count);
        break;
    default:
        snprintf(text, size, "%.2f%%", total ? (double)period * 100.0 / (double)total : 0.0);
        break;
    }
}

static int compare_cumulated(const void *a, const void *b)
{
    const struct c2c_chain_node *x = *(const struct c2c_chain_node *const *)a;
    const struct c2c_chain_node *y = *(const struct c2c_chain_node *const *)b;
    uint64_t m = cumulated(x), n = cumulated(y);
    return m > n ? -1 : m < n;
}

/* Stable: the lists are short in practice and merge sort is what glibc's qsort does; ties keep tree order by index. */
struct ranked {
    const struct c2c_chain_node *node;
    size_t position;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = (const struct ranked *)a, *y = (const struct ranked *)b;
    int order = compare_cumulated(&x->node, &y->node);
    return order != 0 ? order : x->position < y->position ? -1 : x->position > y->position;
}

/* Children by what they cumulate, descending. */
static struct ranked *sorted_children(struct printer *p, const struct c2c_chain_node *node, size_t *n)
{
    struct ranked *list;
    *n = 0;
    for (const struct c2c_chain_node *child = node->first_child; child; child = child->next)
        (*n)++;
    list = (struct ranked *)pool_take(&p->pool, (*n + 1) * sizeof *list);
    *n = 0;
    for (const struct c2c_chain_node *child = node->first_child; child; child = child->next, (*n)++)
        list[*n] = (struct ranked){child, *n};
    qsort(list, *n, sizeof *list, compare_ranked);
    return list;
}

/* ---- graph and fractal ---------------------------------------------------------------------------------------------
 */

/* One level of the graph on its way to the output. */
struct level {
    struct ranked *nodes;
    const struct c2c_chain_node *parent;
    size_t n, at;
    uint64_t total, remaining;
    uint64_t count;
    bool bars[MAX_DEPTH + 2];
};

static bool limit_reached(const struct printer *p, size_t printed)
{
    return p->view->print_limit && printed == p->view->print_limit;
}

static void separator(const struct printer *p, const bool *bars, unsigned depth)
{
    fprintf(p->out, "%*s", MARGIN + p->margin, "");
    for (unsigned d = 0; d < depth; d++)
        fputs(bars[d] ? "|          " : "           ", p->out);
    fputc('\n', p->out);
}

static void frame_line(const struct printer *p, const bool *bars, unsigned depth, const char *value,
                       const struct c2c_frame *frame)
{
    fprintf(p->out, "%*s", MARGIN + p->margin, "");
    for (unsigned d = 0; d < depth; d++) {
        fputc(bars[d] ? '|' : ' ', p->out);
        if (value && d == depth - 1)
            fprintf(p->out, "--%s--", value);
        else
            fputs("          ", p->out);
    }
    if (frame)
        put_name(p, frame);
    else
        fputs("[...]", p->out);
    fputc('\n', p->out);
}

/* What of the total no child accounts for. */
static void rest_line(const struct printer *p, struct level *level, unsigned depth)
{
    char value[48];
    uint64_t count = 0;

    if (p->view->mode != C2C_CHAIN_FRACTAL || !level->remaining || level->remaining == level->total)
        return;
    if (p->view->value == C2C_CHAIN_COUNT) {
        if (!level->n || level->parent->children_count <= level->count)
            return;
        count = level->parent->children_count - level->count;
    }
    level->bars[depth - 1] = false;
    value_text(p, level->remaining, count, level->total, value, sizeof value);
    frame_line(p, level->bars, depth, value, NULL);
}

static void node_lines(const struct printer *p, struct level *level, unsigned depth)
{
    const struct c2c_chain_node *node = level->nodes[level->at].node;
    bool bars[MAX_DEPTH + 2];
    char value[48];

    level->remaining -= cumulated(node);
    level->count += node->count + node->children_count;
    memcpy(bars, level->bars, sizeof bars);
    if (level->at + 1 == level->n && (p->view->mode != C2C_CHAIN_FRACTAL || !level->remaining))
        level->bars[depth - 1] = false;
    separator(p, bars, depth);
    value_text(p, cumulated(node), node->count + node->children_count, level->total, value, sizeof value);
    for (uint32_t i = 0; i < node->n_frames; i++)
        frame_line(p, level->bars, depth, i ? NULL : value, &node->frames[i]);
    level->at++;
}

static void open_level(struct printer *p, struct level *level, const struct c2c_chain_node *parent, uint64_t total)
{
    level->nodes = sorted_children(p, parent, &level->n);
    level->parent = parent;
    level->at = 0;
    level->total = level->remaining = total;
    level->count = 0;
}

/* Depth first, with the levels in an array instead of recursion. */
static void graph(struct printer *p, const struct c2c_chain_node *root, uint64_t total)
{
    struct level *levels = (struct level *)pool_take(&p->pool, (MAX_DEPTH + 2) * sizeof *levels);
    unsigned depth = 1;

    levels[1].bars[0] = true;
    open_level(p, &levels[1], root, total);
    while (depth > 0) {
        struct level *level = &levels[depth];
        const struct c2c_chain_node *node;
        if (level->at == level->n || limit_reached(p, level->at)) {
            rest_line(p, level, depth);
            depth--;
            continue;
        }
        node = level->nodes[level->at].node;
        node_lines(p, level, depth);
        if (depth < MAX_DEPTH) {
            memcpy(level[1].bars, level->bars, sizeof level->bars);
            level[1].bars[depth] = true;
            open_level(p, &level[1], node, p->view->mode == C2C_CHAIN_FRACTAL ? node->children_hit : level->total);
            depth++;
        }
    }
}

/* A single chain that all samples of the row share is drawn without branches. */
static const struct c2c_chain_node *trunk(struct printer *p, const struct c2c_chain_node *root)
{
    const struct c2c_chain_node *only = root->first_child;

    if (!only || only->next || cumulated(only) != p->parent_period)
        return root;
    for (uint32_t i = 0; i < only->n_frames; i++) {
        if (i == 0)
            fprintf(p->out, "%*s|\n%*s---", MARGIN, "", MARGIN, "");
        else
            fprintf(p->out, "%*s", MARGIN + 3, "");
        put_name(p, &only->frames[i]);
        fputc('\n', p->out);
        if (limit_reached(p, i + 1))
            break;
    }
    p->margin = 3;
    return only;
}

/* ---- flat and folded -----------------------------------------------------------------------------------------------
 */

static int compare_hits(const void *a, const void *b)
{
    const struct ranked *x = (const struct ranked *)a, *y = (const struct ranked *)b;
    if (x->node->hit != y->node->hit)
        return x->node->hit > y->node->hit ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* The next node in post order. */
static const struct c2c_chain_node *first_leaf(const struct c2c_chain_node *node)
{
    while (node->first_child)
        node = node->first_child;
    return node;
}

static size_t list_hits(const struct c2c_chain_node *root, struct ranked *list)
{
    size_t n = 0;
    const struct c2c_chain_node *node = first_leaf(root);
    for (; node != root; node = node->next ? first_leaf(node->next) : node->parent) {
        if (!node->hit)
            continue;
        if (list)
            list[n] = (struct ranked){node, n};
        n++;
    }
    return n;
}

static void path(const struct printer *p, const struct c2c_chain_node *node, bool folded)
{
    const struct c2c_chain_node *steps[MAX_DEPTH + 1];
    size_t n = 0;
    bool first = true;

    for (; node->parent && n <= MAX_DEPTH; node = node->parent)
        steps[n++] = node;
    while (n-- > 0) {
        for (uint32_t i = 0; i < steps[n]->n_frames; i++) {
            fputs(!folded ? "                " : first ? " " : ";", p->out);
            put_name(p, &steps[n]->frames[i]);
            if (!folded)
                fputc('\n', p->out);
            first = false;
        }
    }
    fputc('\n', p->out);
}

static void flat(struct printer *p, const struct c2c_chain_node *root, uint64_t total)
{
    bool folded = p->view->mode == C2C_CHAIN_FOLDED;
    size_t n = list_hits(root, NULL);
    struct ranked *list = (struct ranked *)pool_take(&p->pool, (n + 1) * sizeof *list);

    (void)list_hits(root, list);
    qsort(list, n, sizeof *list, compare_hits);
    for (size_t i = 0; i < n && !(i && limit_reached(p, i)); i++) {
        const struct c2c_chain_node *node = list[i].node;
        char value[48];
        if (folded) {
            value_text(p, node->hit, node->count, total, value, sizeof value);
            fputs(value, p->out);
        } else {
            value_text(p, cumulated(node), node->count + node->children_count, total, value, sizeof value);
            fprintf(p->out, "           %s\n", value);
        }
        path(p, node, folded);
    }
}

void c2c_chain_text(const struct c2c_chain *chain, const struct c2c_chain_view *view, uint64_t line_period, FILE *out)
{
    struct printer p = {.view = view, .out = out, .parent_period = chain->period};

    if (view->mode == C2C_CHAIN_FLAT || view->mode == C2C_CHAIN_FOLDED) {
        flat(&p, &chain->root, line_period);
    } else if (view->mode != C2C_CHAIN_NONE) {
        const struct c2c_chain_node *root = trunk(&p, &chain->root);
        if (chain->root.first_child) {
            graph(&p, root, view->mode == C2C_CHAIN_FRACTAL ? chain->period : line_period);
            fputc('\n', out);
        }
    }
    pool_free(&p.pool);
}
