/* SPDX-License-Identifier: Apache-2.0 */
/* Basic blocks of one function, and the search through them. */
#include "flow_internal.h"

#define MOST_INSNS 0x7fffffffu

static void take_all(struct sl_arena *arena, size_t n, struct sl_flow *flow, struct sl_flow_search *s)
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
    struct sl_flow_search s;

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

        while ((to = sl_flow_next_edge(flow, b, &cursor)) != SL_FLOW_NONE) {
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
static void search_from(struct sl_flow *flow, struct sl_flow_search *s, uint32_t root, uint32_t *stack)
{
    uint32_t n = 0;

    stack[n++] = root;
    flow->cursor[root] = 0;
    s->number[root] = s->n_nodes;
    s->parent[s->n_nodes] = s->n_nodes;
    flow->order[s->n_nodes++] = root;
    while (n > 0) {
        uint32_t b = stack[n - 1], to = sl_flow_next_edge(flow, b, &flow->cursor[b]);

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

static void search_all(struct sl_flow *flow, struct sl_flow_search *s)
{
    s->n_nodes = 0;
    for (uint32_t b = 0; b < flow->n_blocks; b++)
        s->number[b] = SL_FLOW_NONE;
    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if (s->tree[b] == b)
            search_from(flow, s, b, s->list);
}

/* In two rounds: how many edges lead into each node, and which. */
static void collect_edges(const struct sl_flow *flow, struct sl_flow_search *s)
{
    uint32_t sum = 0;

    for (uint32_t v = 0; v <= s->n_nodes; v++)
        s->into[v] = 0;
    for (int round = 0; round < 2; round++) {
        for (uint32_t v = 0; v < s->n_nodes; v++) {
            uint32_t b = flow->order[v], cursor = 0, to;

            while ((to = sl_flow_next_edge(flow, b, &cursor)) != SL_FLOW_NONE) {
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

enum sl_status sl_flow_find(struct sl_flow *flow, const struct sl_flow_insn *insns, size_t n_insns, void *mem,
                            size_t mem_bytes)
{
    struct sl_arena arena;
    struct sl_flow_search s;

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
    sl_flow_find_loops(flow, &s);
    return SL_OK;
}
