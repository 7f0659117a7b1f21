/* SPDX-License-Identifier: Apache-2.0 */
/* Critical sequence of the bottleneck analysis: the costliest path through the frequent dependencies. */
#include "bottleneck.h"

static void add_edge(struct sl_obs_bottleneck *o, uint32_t from, uint32_t to,
                     const struct sl_bottleneck_dependency *dependency)
{
    struct sl_bottleneck_node *node = &o->nodes[from];
    struct sl_dependency_edge *edge;

    /* The reference compares target and id, not the kind. */
    for (uint32_t at = node->first; at != SL_NO_EDGE; at = edge->next) {
        edge = &o->edges[at];
        if (edge->to == to && edge->id == dependency->id) {
            if (edge->kind != dependency->kind && o->m->config.no_quirks)
                continue;
            o->quirks |= edge->kind != dependency->kind ? SL_MCA_QUIRK_SEQUENCE : 0u;
            edge->cost_cycles += dependency->cost_cycles;
            edge->frequency++;
            return;
        }
    }
    if (o->n_edges == o->edge_room) {
        o->edges_lost = true;
        return;
    }
    edge = &o->edges[o->n_edges];
    edge->id = dependency->id;
    edge->cost_cycles = dependency->cost_cycles;
    edge->from = from;
    edge->to = to;
    edge->frequency = 1;
    edge->next = SL_NO_EDGE;
    edge->kind = dependency->kind;
    if (node->first == SL_NO_EDGE)
        node->first = o->n_edges;
    else
        o->edges[node->last].next = o->n_edges;
    node->last = o->n_edges++;
    o->nodes[to].predecessors++;
}

void sl_bottleneck_add(struct sl_obs_bottleneck *o, uint32_t from, uint32_t to,
                       const struct sl_bottleneck_dependency *dependency)
{
    uint32_t n = o->m->n_insns;

    if (from >= to) {
        add_edge(o, from, to + n, dependency);
        add_edge(o, from + n, to + 2u * n, dependency);
    } else {
        add_edge(o, from + n, to + n, dependency);
    }
}

/* The reference keeps an edge if its frequency equals `iterations` or if 0.10 < (double)frequency / iterations. The
 * double 0.10 is 1/10 + 0.4 * 2^-56, its successor is 2^-56 above, and its significand is even: a quotient exceeds it
 * after rounding to nearest if and only if the true quotient exceeds 1/10 + 0.9 * 2^-56. The true quotient differs from
 * 1/10 by (10 * frequency - iterations) / (10 * iterations), which is 0, negative, or at least 1 / (10 * 2^32). */
bool sl_bottleneck_frequent(uint32_t frequency, uint32_t iterations)
{
    return frequency == iterations || (uint64_t)frequency * 10u > iterations;
}

/* Lists a node's edges at order[at...] and drops the rare ones the way the reference does: an edge that is swapped in
 * from the end is not looked at. Returns how many stay. */
static uint32_t prune(struct sl_obs_bottleneck *o, const struct sl_bottleneck_node *node, uint32_t at)
{
    uint32_t end = at;

    for (uint32_t e = node->first; e != SL_NO_EDGE; e = o->edges[e].next)
        o->order[end++] = e;
    for (uint32_t i = at; i < end;) {
        uint32_t e = o->order[i];

        if (sl_bottleneck_frequent(o->edges[e].frequency, o->m->config.iterations)) {
            i++;
            continue;
        }
        o->nodes[o->edges[e].to].predecessors--;
        end--;
        o->order[i] = o->order[end];
        o->order[end] = e;
        if (o->m->config.no_quirks)
            continue;
        if (i < end && !sl_bottleneck_frequent(o->edges[o->order[i]].frequency, o->m->config.iterations))
            o->quirks |= SL_MCA_QUIRK_SEQUENCE;
        i++;
    }
    return end - at;
}

static void relax(struct sl_obs_bottleneck *o, const struct sl_bottleneck_node *node, uint32_t e)
{
    const struct sl_dependency_edge *edge = &o->edges[e];
    struct sl_bottleneck_node *to = &o->nodes[edge->to];
    uint64_t cost = node->cost_cycles + edge->cost_cycles;

    if (cost > to->cost_cycles) {
        to->critical = e;
        to->cost_cycles = cost;
        to->depth = node->depth + 1u;
    }
}

/* Visits the nodes from the roots on, each once all its predecessors are done. A node's kept edges are
 * order[first .. last) by now. */
static void visit(struct sl_obs_bottleneck *o, uint32_t n_nodes)
{
    uint32_t *queue = o->work, n_queue = 0;

    for (uint32_t i = 0; i < n_nodes; i++)
        if (o->nodes[i].predecessors == 0 && o->nodes[i].first != o->nodes[i].last)
            queue[n_queue++] = i;
    for (uint32_t at = 0; at < n_queue; at++) {
        const struct sl_bottleneck_node *node = &o->nodes[queue[at]];

        for (uint32_t i = node->first; i < node->last; i++) {
            uint32_t to = o->edges[o->order[i]].to;

            relax(o, node, o->order[i]);
            if (++o->nodes[to].visited == o->nodes[to].predecessors)
                queue[n_queue++] = to;
        }
    }
}

void sl_bottleneck_solve(struct sl_obs_bottleneck *o)
{
    uint32_t n_nodes = 3u * o->m->n_insns, at = 0, best = 0, e;

    for (uint32_t i = 0; i < n_nodes; i++) {
        struct sl_bottleneck_node *node = &o->nodes[i];
        uint32_t kept = prune(o, node, at);

        node->first = at;
        node->last = at += kept;
    }
    visit(o, n_nodes);
    for (uint32_t i = 1; i < n_nodes; i++)
        if (o->nodes[i].cost_cycles > o->nodes[best].cost_cycles)
            best = i;
    /* The path is at most as long as there are nodes; the queue is no longer needed. */
    o->n_sequence = o->nodes[best].depth;
    o->sequence = o->work;
    for (uint32_t i = o->n_sequence, node = best; i > 0; i--, node = o->edges[e].from) {
        e = o->nodes[node].critical;
        o->work[i - 1u] = e;
    }
}
