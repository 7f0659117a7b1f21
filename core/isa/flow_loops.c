/* SPDX-License-Identifier: Apache-2.0 */
/* Dominators and natural loops.
 *
 * Dominators after T. Lengauer and R. Tarjan, "A fast algorithm for finding dominators in a flowgraph", TOPLAS 1(1), 1979,
 * the version with simple linking; loops from the inside to the outside, each then one node, after R. Tarjan, "Testing
 * flow graph reducibility", 1974. */
#include "flow_internal.h"

/* ---- dominators ------------------------------------------------------------------------------------------------ */

/* The node of least semidominator on the way from v up to the root of its tree of linked nodes; shortens the way.
 * inside[]: ancestors, mark[]: labels, list[]: working space. */
static uint32_t evaluate(struct sl_flow_search *s, uint32_t v)
{
    uint32_t n = 0;

    if (s->inside[v] == SL_FLOW_NONE)
        return v;
    for (uint32_t x = v; s->inside[s->inside[x]] != SL_FLOW_NONE; x = s->inside[x])
        s->list[n++] = x;
    while (n > 0) {
        uint32_t x = s->list[--n], above = s->inside[x];

        if (s->semi[s->mark[above]] < s->semi[s->mark[x]])
            s->mark[x] = s->mark[above];
        s->inside[x] = s->inside[above];
    }
    return s->mark[v];
}

static void find_dominators(struct sl_flow_search *s)
{
    for (uint32_t v = 0; v < s->n_nodes; v++) {
        s->semi[v] = s->mark[v] = s->dominator[v] = v;
        s->inside[v] = s->bucket[v] = SL_FLOW_NONE;
    }
    for (uint32_t w = s->n_nodes; w-- > 0;) {
        uint32_t parent = s->parent[w];

        if (parent == w)
            continue;
        for (uint32_t e = s->into[w]; e < s->into[w + 1]; e++) {
            uint32_t u = evaluate(s, s->edges[e]);

            if (s->semi[u] < s->semi[w])
                s->semi[w] = s->semi[u];
        }
        s->chain[w] = s->bucket[s->semi[w]];
        s->bucket[s->semi[w]] = w;
        s->inside[w] = parent;
        for (uint32_t v = s->bucket[parent]; v != SL_FLOW_NONE; v = s->chain[v]) {
            uint32_t u = evaluate(s, v);

            s->dominator[v] = s->semi[u] < s->semi[v] ? u : parent;
        }
        s->bucket[parent] = SL_FLOW_NONE;
    }
    for (uint32_t w = 0; w < s->n_nodes; w++)
        if (s->parent[w] != w && s->dominator[w] != s->semi[w])
            s->dominator[w] = s->dominator[s->dominator[w]];
}

/* ---- loops ----------------------------------------------------------------------------------------------------- */

/* Follows links to their end, and shortens the way. */
static uint32_t end_of(uint32_t *links, uint32_t v)
{
    while (links[v] != v) {
        links[v] = links[links[v]];
        v = links[v];
    }
    return v;
}

/* Puts the header of the loop that a node is in, or the node itself, on the list of w's loop, once. */
static void add(struct sl_flow_search *s, uint32_t v, uint32_t w, uint32_t *n)
{
    v = end_of(s->inside, v);
    if (v != w && s->mark[v] != w) {
        s->mark[v] = w;
        s->list[(*n)++] = v;
    }
}

/* Nodes of the loop with header w, loops inside by their headers. false: no loop. While w goes down, chain[] links each
 * node above w to its dominator: so the end of the links from v is w if w dominates v. */
static bool collect_loop(struct sl_flow *flow, struct sl_flow_search *s, uint32_t w, uint32_t *n)
{
    bool found = false;

    *n = 0;
    for (uint32_t e = s->into[w]; e < s->into[w + 1]; e++) {
        uint32_t v = s->edges[e];

        if (v >= w && end_of(s->chain, v) == w) {
            found = true;
            add(s, v, w, n);
        } else if (v >= w && v <= s->last[w]) {
            flow->n_irreducible++;
        }
    }
    for (uint32_t i = 0; i < *n; i++)
        for (uint32_t e = s->into[s->list[i]]; e < s->into[s->list[i] + 1]; e++)
            add(s, s->edges[e], w, n);
    return found;
}

static void count_block(const struct sl_flow *flow, struct sl_flow_loop *loop, uint32_t b)
{
    const struct sl_flow_block *block = &flow->blocks[b];

    loop->n_blocks++;
    loop->n_insns += block->n_insns;
    loop->n_calls += block->ends == SL_BRANCH_CALL;
    loop->n_indirect += block->ends == SL_BRANCH_INDIRECT;
}

static void count_inner(struct sl_flow_loop *loop, struct sl_flow_loop *inner, uint32_t index)
{
    inner->parent = index;
    loop->n_blocks += inner->n_blocks;
    loop->n_insns += inner->n_insns;
    loop->n_calls += inner->n_calls;
    loop->n_indirect += inner->n_indirect;
    loop->has_inner = true;
}

/* From the last header to the first, so that inner loops come before those around them. */
static void find_loops(struct sl_flow *flow, struct sl_flow_search *s)
{
    flow->n_loops = 0;
    for (uint32_t v = 0; v < s->n_nodes; v++) {
        s->inside[v] = s->chain[v] = v;
        s->mark[v] = SL_FLOW_NONE;
    }
    for (uint32_t w = s->n_nodes; w-- > 0;) {
        uint32_t n, index = flow->n_loops, header = flow->order[w];
        struct sl_flow_loop *loop = &flow->loops[index];

        if (w + 1 < s->n_nodes)
            s->chain[w + 1] = s->dominator[w + 1];
        if (!collect_loop(flow, s, w, &n))
            continue;
        *loop = (struct sl_flow_loop){ .header = header, .parent = SL_FLOW_NONE };
        flow->n_loops++;
        flow->blocks[header].loop = index;
        count_block(flow, loop, header);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t b = flow->order[s->list[i]];

            s->inside[s->list[i]] = w;
            if (flow->blocks[b].loop != SL_FLOW_NONE) {
                count_inner(loop, &flow->loops[flow->blocks[b].loop], index);
            } else {
                flow->blocks[b].loop = index;
                count_block(flow, loop, b);
            }
        }
    }
    for (uint32_t l = flow->n_loops; l-- > 0;) /* outer loops first */
        flow->loops[l].depth = flow->loops[l].parent == SL_FLOW_NONE ? 1 : flow->loops[flow->loops[l].parent].depth + 1;
}

/* Numbers loops by the places of their headers. place[] and was[] are working space. */
static void sort_loops(struct sl_flow *flow, uint32_t *place, uint32_t *was)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        uint32_t l = flow->blocks[b].loop;

        if (l != SL_FLOW_NONE && flow->loops[l].header == b) {
            place[l] = n;
            was[n++] = l;
        }
    }
    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if (flow->blocks[b].loop != SL_FLOW_NONE)
            flow->blocks[b].loop = place[flow->blocks[b].loop];
    for (uint32_t l = 0; l < n; l++)
        if (flow->loops[l].parent != SL_FLOW_NONE)
            flow->loops[l].parent = place[flow->loops[l].parent];
    for (uint32_t l = 0; l < n; l++) { /* each exchange puts one where it belongs */
        while (place[l] != l) {
            uint32_t to = place[l];
            struct sl_flow_loop other = flow->loops[to];

            flow->loops[to] = flow->loops[l];
            flow->loops[l] = other;
            place[l] = place[to];
            place[to] = to;
        }
    }
}

void sl_flow_find_loops(struct sl_flow *flow, struct sl_flow_search *s)
{
    find_dominators(s);
    find_loops(flow, s);
    sort_loops(flow, s->list, s->mark);
}
