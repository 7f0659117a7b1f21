/* SPDX-License-Identifier: Apache-2.0 */
/* Where everything lies in the arena: the block first, then the scratch of sl_mca_init and, over it, the run-time state. */
#include "lower.h"

/* Takes a piece and, unless the arena only counts, stores it. */
#define TAKE(take, to, member, count) \
    do { \
        void *piece = take(arena, count, sizeof(*(to)->member)); \
        if (piece != NULL) \
            (to)->member = piece; \
    } while (0)
#define PIECE(to, member, count) TAKE(sl_arena_take, to, member, count)
/* What is always written before it is read. */
#define DIRTY(to, member, count) TAKE(sl_arena_take_dirty, to, member, count)

static void layout_block(struct sl_arena *arena, const struct mca_sizes *z, struct sl_mca_state *s)
{
    PIECE(s, insns, z->insns);
    PIECE(s, protos, z->insns);
    DIRTY(s, descs, z->insns);
    DIRTY(s, resources, z->resources);
    DIRTY(s, reads, z->reads);
    DIRTY(s, writes, z->writes);
    DIRTY(s, class_lists, z->list_items);
    PIECE(s, file_need, z->insns * z->files);
    PIECE(s, file_alloc, z->insns * z->files);
    PIECE(s, file_none, z->files);
    PIECE(s, files, z->files);
    PIECE(s, file_use, z->limited ? z->insns : 0u);
    if (!z->moves)
        return;
    DIRTY(s, move_lists, z->move_items);
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
    DIRTY(s, slots, z->slots);
    DIRTY(s, free_slots, z->in_order ? z->slots : 0u);
    DIRTY(s, nodes, z->slots * z->node_stride);
    DIRTY(s, users, z->slots * z->write_stride);
    PIECE(s, map, z->dense + 1u);
    DIRTY(s, feeds, z->feeds);
    DIRTY(s, scratch, z->max_list);
    PIECE(s, demands, z->insns);
    DIRTY(s, busy, z->busy);
    DIRTY(s, brief, z->busy);
    DIRTY(s, uses, z->uses);
    DIRTY(s, groups, z->groups);
    DIRTY(s, links, z->groups * MCA_GROUP_LINKS);
    DIRTY(s, iids, z->slots);
    DIRTY(s, issued.item, z->in_order || z->pressure ? z->slots : 0u);
    if (!z->in_order)
        DIRTY(s, ready.item, z->slots);
    if (!z->in_order && !z->pressure) {
        DIRTY(s, resolved.item, z->slots);
        DIRTY(s, due.item, z->slots);
        DIRTY(s, ready_descs.item, z->insns);
        DIRTY(s, wheel, MCA_WHEEL);
    }
    if (z->pressure) {
        DIRTY(s, wait.item, z->in_order ? 0u : z->slots);
        DIRTY(s, pending.item, z->in_order ? 0u : z->slots);
        DIRTY(s, crds, z->slots * (z->read_stride + z->write_stride));
        DIRTY(s, critical, z->slots);
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
