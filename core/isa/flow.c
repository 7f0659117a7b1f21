/* SPDX-License-Identifier: Apache-2.0 */
/* Basic blocks and natural loops of one function.
 *
 * Dominators after T. Lengauer and R. Tarjan, "A fast algorithm for finding dominators in a flowgraph", TOPLAS 1(1), 1979,
 * the version with simple linking; loops from the inside to the outside, each then one node, after R. Tarjan, "Testing
 * flow graph reducibility", 1974. */
#include <slotledger/flow.h>

#define MOST_INSNS 0x7fffffffu

/* Working memory, [n_blocks] each but for the list of edges. A node is a block by its number in the search. */
struct search {
    uint32_t *number;    /* of a block; SL_FLOW_NONE: not reached */
    uint32_t *last;      /* of a node: the last node found under it */
    uint32_t *into;      /* [n_blocks + 1] of a node: where its predecessors begin */
    uint32_t *edges;     /* predecessors, nodes */
    uint32_t *inside;    /* of a node: the header that it has been merged with */
    uint32_t *mark;
    uint32_t *list;      /* nodes of one loop */
    uint32_t *tree;      /* of a block: the root it was found from */
    uint32_t *parent;    /* of a node: the one that it was found from; its own: a root */
    uint32_t *semi, *dominator, *bucket, *chain; /* of nodes, as in the paper */
    uint32_t n_nodes;
};

static void take_all(struct sl_arena *arena, size_t n, struct sl_flow *flow, struct search *s)
{
    flow->blocks = sl_arena_take_dirty(arena, n, sizeof *flow->blocks);
    flow->order = sl_arena_take_dirty(arena, n, sizeof *flow->order);
    flow->cursor = sl_arena_take_dirty(arena, n, sizeof *flow->cursor);
    s->number = sl_arena_take_dirty(arena, n, sizeof *s->number);
    s->last = sl_arena_take_dirty(arena, n, sizeof *s->last);
    s->into = sl_arena_take_dirty(arena, n + 1, sizeof *s->into);
    s->edges = sl_arena_take_dirty(arena, n, 3 * sizeof *s->edges);
    s->inside = sl_arena_take_dirty(arena, n, sizeof *s->inside);
    s->mark = sl_arena_take_dirty(arena, n, sizeof *s->mark);
    s->list = sl_arena_take_dirty(arena, n, sizeof *s->list);
    s->tree = sl_arena_take_dirty(arena, n, sizeof *s->tree);
    s->parent = sl_arena_take_dirty(arena, n, sizeof *s->parent);
    s->semi = sl_arena_take_dirty(arena, n, sizeof *s->semi);
    s->dominator = sl_arena_take_dirty(arena, n, sizeof *s->dominator);
    s->bucket = sl_arena_take_dirty(arena, n, sizeof *s->bucket);
    s->chain = sl_arena_take_dirty(arena, n, sizeof *s->chain);
    flow->loops = sl_arena_take_dirty(arena, n, sizeof *flow->loops);
}

size_t sl_flow_need(size_t n_insns)
{
    struct sl_arena arena;
    struct sl_flow flow;
    struct search s;

    sl_arena_init(&arena, NULL, 0);
    take_all(&arena, n_insns, &flow, &s);
    return arena.used_bytes > SIZE_MAX - SL_ARENA_ALIGN ? SIZE_MAX : arena.used_bytes + SL_ARENA_ALIGN;
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

static bool goes_on(const struct sl_branch *branch)
{
    return branch->conditional || branch->kind == SL_BRANCH_NONE || branch->kind == SL_BRANCH_NOP ||
           branch->kind == SL_BRANCH_CALL;
}

static bool follows(const struct sl_flow_insn *insns, uint32_t i)
{
    return insns[i].address - insns[i - 1].address == insns[i - 1].len_bytes;
}

/* Instruction that begins at an address, or n. */
static uint32_t insn_at(const struct sl_flow_insn *insns, uint32_t n, uint64_t address)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (insns[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && insns[low].address == address ? low : n;
}

/* The instruction that a direct jump within the code leads to, or n. */
static uint32_t jump_to(const struct sl_flow_insn *insns, uint32_t n, uint32_t i)
{
    const struct sl_branch *branch = &insns[i].branch;

    return branch->kind == SL_BRANCH_DIRECT && branch->has_target ? insn_at(insns, n, branch->target) : n;
}

/* begins[i]: 1 where a block begins. */
static void find_leaders(const struct sl_flow_insn *insns, uint32_t n, uint32_t *begins)
{
    for (uint32_t i = 0; i < n; i++)
        begins[i] = i == 0 || !follows(insns, i);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t target = jump_to(insns, n, i);

        if (target < n)
            begins[target] = 1;
        if (i + 1 < n && insns[i].branch.kind != SL_BRANCH_NONE && insns[i].branch.kind != SL_BRANCH_NOP)
            begins[i + 1] = 1;
    }
}

/* block_of[i]: block of instruction i. */
static void cut_blocks(struct sl_flow *flow, uint32_t *block_of)
{
    const struct sl_flow_insn *insns = flow->insns;
    uint32_t n = flow->n_insns;

    find_leaders(insns, n, block_of);
    flow->n_blocks = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (block_of[i] != 0) {
            flow->blocks[flow->n_blocks++] =
                (struct sl_flow_block){ .first = i, .next = SL_FLOW_NONE, .taken = SL_FLOW_NONE, .assumed = SL_FLOW_NONE,
                                        .sibling = SL_FLOW_NONE, .loop = SL_FLOW_NONE };
        }
        flow->blocks[flow->n_blocks - 1].n_insns++;
        block_of[i] = flow->n_blocks - 1;
    }
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        struct sl_flow_block *block = &flow->blocks[b];
        uint32_t last = block->first + block->n_insns - 1, target = jump_to(insns, n, last);

        block->ends = insns[last].branch.kind;
        if (goes_on(&insns[last].branch) && last + 1 < n && follows(insns, last + 1))
            block->next = b + 1;
        if (target < n)
            block->taken = block_of[target];
    }
}

/* ---- edges ----------------------------------------------------------------------------------------------------- */

/* The edge behind `cursor` (0: the first), or SL_FLOW_NONE. Cursor of the assumed ones: 2 + block before, + 1. */
static uint32_t next_edge(const struct sl_flow *flow, uint32_t b, uint32_t *cursor)
{
    const struct sl_flow_block *block = &flow->blocks[b];
    uint32_t to;

    if (*cursor == 0) {
        *cursor = 1;
        if (block->next != SL_FLOW_NONE)
            return block->next;
    }
    if (*cursor == 1) {
        *cursor = 2;
        if (block->taken != SL_FLOW_NONE)
            return block->taken;
    }
    to = *cursor == 2 ? block->assumed : flow->blocks[*cursor - 3u].sibling;
    if (to != SL_FLOW_NONE)
        *cursor = 3u + to;
    return to;
}

static bool is_padding(const struct sl_flow *flow, uint32_t b)
{
    const struct sl_flow_block *block = &flow->blocks[b];

    for (uint32_t i = 0; i < block->n_insns; i++) {
        uint8_t kind = flow->insns[block->first + i].branch.kind;

        if (kind != SL_BRANCH_NOP && kind != SL_BRANCH_TRAP)
            return false;
    }
    return true;
}

/* Marks what can be reached from a block as found from `root`. */
static void flood(const struct sl_flow *flow, uint32_t from, uint32_t root, uint32_t *tree, uint32_t *stack)
{
    uint32_t n = 0;

    tree[from] = root;
    stack[n++] = from;
    while (n > 0) {
        uint32_t b = stack[--n], cursor = 0, to;

        while ((to = next_edge(flow, b, &cursor)) != SL_FLOW_NONE) {
            if (tree[to] == SL_FLOW_NONE) {
                tree[to] = root;
                stack[n++] = to;
            }
        }
    }
}

/* Jump tables: the blocks that nothing leads to are put down to the indirect jump in front of them. Padding is nobody's. */
static void assume_edges(struct sl_flow *flow, uint32_t *tree, uint32_t *stack)
{
    uint32_t jump = SL_FLOW_NONE;

    for (uint32_t b = 0; b < flow->n_blocks; b++)
        tree[b] = SL_FLOW_NONE;
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        struct sl_flow_block *block = &flow->blocks[b];

        if (tree[b] == SL_FLOW_NONE && !is_padding(flow, b)) {
            uint32_t root = b;

            if (jump != SL_FLOW_NONE) {
                block->sibling = flow->blocks[jump].assumed;
                flow->blocks[jump].assumed = b;
                root = tree[jump];
            }
            flood(flow, b, root, tree, stack);
        }
        if (tree[b] != SL_FLOW_NONE && block->ends == SL_BRANCH_INDIRECT)
            jump = b;
    }
}

/* ---- depth-first search ---------------------------------------------------------------------------------------- */

/* Numbers the blocks that can be reached from a root; jumps into what another root has reached do not count. */
static void search_from(struct sl_flow *flow, struct search *s, uint32_t root, uint32_t *stack)
{
    uint32_t n = 0;

    stack[n++] = root;
    flow->cursor[root] = 0;
    s->number[root] = s->n_nodes;
    s->parent[s->n_nodes] = s->n_nodes;
    flow->order[s->n_nodes++] = root;
    while (n > 0) {
        uint32_t b = stack[n - 1], to = next_edge(flow, b, &flow->cursor[b]);

        if (to == SL_FLOW_NONE) {
            s->last[s->number[b]] = s->n_nodes - 1;
            n--;
        } else if (s->number[to] == SL_FLOW_NONE && s->tree[to] == s->tree[root]) {
            flow->cursor[to] = 0;
            s->number[to] = s->n_nodes;
            s->parent[s->n_nodes] = s->number[b];
            flow->order[s->n_nodes++] = to;
            stack[n++] = to;
        }
    }
}

static void search_all(struct sl_flow *flow, struct search *s)
{
    s->n_nodes = 0;
    for (uint32_t b = 0; b < flow->n_blocks; b++)
        s->number[b] = SL_FLOW_NONE;
    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if (s->tree[b] == b)
            search_from(flow, s, b, s->list);
}

/* In two rounds: how many edges lead into each node, and which. */
static void collect_edges(const struct sl_flow *flow, struct search *s)
{
    uint32_t sum = 0;

    for (uint32_t v = 0; v <= s->n_nodes; v++)
        s->into[v] = 0;
    for (int round = 0; round < 2; round++) {
        for (uint32_t v = 0; v < s->n_nodes; v++) {
            uint32_t b = flow->order[v], cursor = 0, to;

            while ((to = next_edge(flow, b, &cursor)) != SL_FLOW_NONE) {
                if (s->tree[to] != s->tree[b])
                    continue;
                if (round == 0)
                    s->into[s->number[to]]++;
                else
                    s->edges[--s->into[s->number[to]]] = v;
            }
        }
        /* Ends of the parts after the first round; filling them moves each down to its beginning. */
        for (uint32_t v = 0; round == 0 && v <= s->n_nodes; v++) {
            sum += s->into[v];
            s->into[v] = sum;
        }
    }
}

/* ---- dominators ------------------------------------------------------------------------------------------------ */

/* The node of least semidominator on the way from v up to the root of its tree of linked nodes; shortens the way.
 * inside[]: ancestors, mark[]: labels, list[]: working space. */
static uint32_t evaluate(struct search *s, uint32_t v)
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

static void find_dominators(struct search *s)
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
static void add(struct search *s, uint32_t v, uint32_t w, uint32_t *n)
{
    v = end_of(s->inside, v);
    if (v != w && s->mark[v] != w) {
        s->mark[v] = w;
        s->list[(*n)++] = v;
    }
}

/* Nodes of the loop with header w, loops inside by their headers. false: no loop. While w goes down, chain[] links each
 * node above w to its dominator: so the end of the links from v is w if w dominates v. */
static bool collect_loop(struct sl_flow *flow, struct search *s, uint32_t w, uint32_t *n)
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
static void find_loops(struct sl_flow *flow, struct search *s)
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

enum sl_status sl_flow_find(struct sl_flow *flow, const struct sl_flow_insn *insns, size_t n_insns, void *mem,
                            size_t mem_bytes)
{
    struct sl_arena arena;
    struct search s;

    *flow = (struct sl_flow){ .insns = insns };
    if (n_insns == 0 || n_insns > MOST_INSNS)
        return SL_E_ARGUMENT;
    for (size_t i = 1; i < n_insns; i++)
        if (insns[i].address <= insns[i - 1].address)
            return SL_E_ARGUMENT;
    sl_arena_init(&arena, mem, mem_bytes);
    take_all(&arena, n_insns, flow, &s);
    if (arena.used_bytes > arena.size_bytes) {
        size_t missing = arena.used_bytes - arena.size_bytes;

        *flow = (struct sl_flow){ .missing_bytes = missing };
        return SL_E_ROOM;
    }
    flow->n_insns = (uint32_t)n_insns;
    cut_blocks(flow, s.list);
    assume_edges(flow, s.tree, s.list);
    search_all(flow, &s);
    collect_edges(flow, &s);
    find_dominators(&s);
    find_loops(flow, &s);
    sort_loops(flow, s.list, s.mark);
    return SL_OK;
}

bool sl_flow_in_loop(const struct sl_flow *flow, uint32_t block, uint32_t loop)
{
    uint32_t l = flow->blocks[block].loop;

    while (l != SL_FLOW_NONE && l != loop && flow->loops[l].depth > flow->loops[loop].depth)
        l = flow->loops[l].parent;
    return l == loop;
}

/* ---- paths ----------------------------------------------------------------------------------------------------- */

uint32_t sl_flow_straight_path(struct sl_flow *flow, uint32_t loop, uint32_t *path)
{
    uint32_t header = flow->loops[loop].header, n = 0;

    for (uint32_t b = 0; b < flow->n_blocks; b++)
        flow->order[b] = 0;
    flow->order[header] = 1;
    flow->cursor[header] = 0;
    path[n++] = header;
    /* A block that has been left without success cannot lead to the header later either. */
    while (n > 0) {
        uint32_t b = path[n - 1], to = next_edge(flow, b, &flow->cursor[b]);

        if (to == header)
            return n;
        if (to == SL_FLOW_NONE) {
            n--;
        } else if (flow->order[to] == 0 && sl_flow_in_loop(flow, to, loop)) {
            flow->order[to] = 1;
            flow->cursor[to] = 0;
            path[n++] = to;
        }
    }
    path[0] = header;
    return 1;
}

uint32_t sl_flow_all_blocks(const struct sl_flow *flow, uint32_t loop, uint32_t *path)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if (sl_flow_in_loop(flow, b, loop))
            path[n++] = b;
    return n;
}

uint32_t sl_flow_block_at(const struct sl_flow *flow, uint64_t address)
{
    uint32_t low = 0, high = flow->n_blocks;

    while (low < high) { /* the first block that begins behind the address */
        uint32_t middle = low + (high - low) / 2;

        if (flow->insns[flow->blocks[middle].first].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        const struct sl_flow_block *block = &flow->blocks[low - 1];
        const struct sl_flow_insn *last = &flow->insns[block->first + block->n_insns - 1];

        if (address - last->address < last->len_bytes || address < last->address)
            return low - 1;
    }
    return SL_FLOW_NONE;
}
