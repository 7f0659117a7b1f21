/* SPDX-License-Identifier: Apache-2.0 */
/* Where everything lies in the arena: the block first, then the scratch of sl_mca_init and, over it, the run-time state. */
#include "lower.h"

/* Takes a piece and, unless the arena only counts, stores it. */
#define PIECE(to, member, count) \
    do { \
        void *piece = sl_arena_take(arena, count, sizeof(*(to)->member)); \
        if (piece != NULL) \
            (to)->member = piece; \
    } while (0)

static void layout_block(struct sl_arena *arena, const struct mca_sizes *z, struct sl_mca_state *s)
{
    PIECE(s, insns, z->insns);
    PIECE(s, protos, z->insns);
    PIECE(s, descs, z->insns);
    PIECE(s, resources, z->resources);
    PIECE(s, reads, z->reads);
    PIECE(s, writes, z->writes);
    PIECE(s, class_lists, z->list_items);
    PIECE(s, file_need, z->insns * z->files);
    PIECE(s, file_alloc, z->insns * z->files);
    PIECE(s, file_none, z->files);
    PIECE(s, files, z->files);
    if (!z->moves)
        return;
    PIECE(s, move_lists, z->move_items);
    PIECE(s, reg_classes, z->regs);
    PIECE(s, rename, z->regs);
    PIECE(s, reg_file, z->regs);
    PIECE(s, allow_move, SL_BIT_WORDS(z->regs));
}

struct sl_mca_state *mca_layout_block(struct sl_arena *arena, const struct mca_sizes *z)
{
    struct sl_mca_state *s = sl_arena_take(arena, 1, sizeof(*s));

    layout_block(arena, z, s);
    return s;
}

void mca_layout_scratch(struct sl_arena *arena, const struct mca_sizes *z, struct mca_scratch *x)
{
    PIECE(x, hash, z->hash);
    PIECE(x, dense, z->regs);
    PIECE(x, regs, z->dense);
    PIECE(x, up_begin, z->dense + 1u);
    PIECE(x, up, z->edges);
    PIECE(x, members, z->dense + 1u);
    PIECE(x, hits, z->dense + 1u);
    PIECE(x, split, z->dense + 1u);
    PIECE(x, class_of, z->dense);
    PIECE(x, read_list, z->regs);
    PIECE(x, write_list[0], z->regs);
    PIECE(x, write_list[1], z->regs);
    PIECE(x, mark, SL_BIT_WORDS(z->dense));
    if (z->renames)
        PIECE(x, rename, z->regs);
    if (z->moves) {
        PIECE(x, move_list[0], z->regs);
        PIECE(x, move_list[1], z->regs);
    }
}

void mca_layout_run(struct sl_arena *arena, const struct mca_sizes *z, struct sl_mca_state *s)
{
    PIECE(s, slots, z->slots);
    PIECE(s, free_slots, z->in_order ? z->slots : 0u);
    PIECE(s, nodes, z->slots * z->node_stride);
    PIECE(s, users, z->slots * z->write_stride);
    PIECE(s, map, z->dense + 1u);
    PIECE(s, scratch, z->max_list);
    PIECE(s, demands, z->insns);
    PIECE(s, busy, z->busy);
    PIECE(s, brief, z->busy);
    PIECE(s, uses, z->uses);
    PIECE(s, groups, z->groups);
    PIECE(s, links, z->groups * MCA_GROUP_LINKS);
    PIECE(s, iids, z->slots);
    PIECE(s, issued.item, z->in_order || z->pressure ? z->slots : 0u);
    if (!z->in_order)
        PIECE(s, ready.item, z->slots);
    if (!z->in_order && !z->pressure) {
        PIECE(s, resolved.item, z->slots);
        PIECE(s, wait_memory.item, z->slots);
        PIECE(s, due.item, z->slots);
        PIECE(s, blocked.item, z->slots);
        PIECE(s, ready_descs.item, z->insns);
        PIECE(s, wheel, MCA_WHEEL);
    }
    if (z->pressure) {
        PIECE(s, wait.item, z->in_order ? 0u : z->slots);
        PIECE(s, pending.item, z->in_order ? 0u : z->slots);
        PIECE(s, crds, z->slots * (z->read_stride + z->write_stride));
        PIECE(s, critical, z->slots);
    }
    if (z->moves) {
        PIECE(s, alias, z->regs);
        PIECE(s, zero, SL_BIT_WORDS(z->regs));
    }
}

size_t mca_layout_bytes(const struct mca_sizes *z)
{
    struct mca_scratch *no_scratch = NULL;
    struct sl_arena arena;
    size_t block, scratch;

    sl_arena_init(&arena, NULL, 0);
    (void)mca_layout_block(&arena, z);
    block = arena.used_bytes;
    mca_layout_scratch(&arena, z, no_scratch);
    scratch = arena.used_bytes;
    arena.used_bytes = block == SIZE_MAX ? SIZE_MAX : block;
    mca_layout_run(&arena, z, NULL);
    scratch = scratch > arena.used_bytes ? scratch : arena.used_bytes;
    return scratch > SIZE_MAX - SL_ARENA_ALIGN ? SIZE_MAX : scratch + SL_ARENA_ALIGN - 1u;
}
