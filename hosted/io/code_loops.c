/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that are functions -> regions that are their loops. */
#include "code_loops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code_flow.h"

/* The regions to come. */
struct taker {
    struct block *block;
    const struct code_loops_options *options;
    struct block_region *regions;
    size_t n_regions, capacity;
    uint32_t n_passed;      /* loops around others, not taken */
    uint32_t n_irreducible; /* jumps back that make none */
    uint32_t *path;
};

static struct block_region *add_region(struct taker *t)
{
    struct block_region *region;
    t->regions = array_grow(t->regions, t->n_regions, &t->capacity, sizeof *t->regions);
    region = &t->regions[t->n_regions++];
    memset(region, 0, sizeof *region);
    return region;
}

static const char *pool_of(struct block *block, struct text *text)
{
    const char *copy = pool_text(&block->pool, text->data, text->len);
    text_free(text);
    return copy;
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* The parts of the path that follow each other, as address ranges. */
static void note_ranges(struct text *note, const struct code_flow *flow, const uint32_t *path, uint32_t n)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < n; shown++) {
        uint32_t from = i;
        while (i + 1 < n && code_flow_end(flow, path[i]) == code_flow_start(flow, path[i + 1]))
            i++;
        if (shown == 8) {
            text_printf(note, " ...");
            return;
        }
        text_printf(note, " 0x%" PRIx64 "-0x%" PRIx64, code_flow_start(flow, path[from]), code_flow_end(flow, path[i]) - 1);
        i++;
    }
}

static const char *loop_note(struct taker *t, const struct code_flow *flow, uint32_t l, uint32_t n_path, uint32_t n_insns)
{
    const struct sl_flow_loop *loop = &flow->flow.loops[l];
    struct text note = { NULL, 0, 0 };
    uint32_t calls = 0, indirect = 0;
    for (uint32_t i = 0; i < n_path; i++) {
        calls += flow->flow.blocks[t->path[i]].ends == SL_BRANCH_CALL;
        indirect += flow->flow.blocks[t->path[i]].ends == SL_BRANCH_INDIRECT;
    }
    text_printf(&note, "Loop:     %u block%s, %u instruction%s, depth %u", loop->n_blocks, plural(loop->n_blocks),
                loop->n_insns, plural(loop->n_insns), loop->depth);
    if (loop->parent != SL_FLOW_NONE)
        text_printf(&note, " (in loop %u)", loop->parent + 1);
    text_printf(&note, "\nAnalysed: ");
    if (n_path == loop->n_blocks)
        text_printf(&note, "all of it,");
    else
        text_printf(&note, "the straight path, %u of the blocks, %u instruction%s,", n_path, n_insns, plural(n_insns));
    note_ranges(&note, flow, t->path, n_path);
    text_add_char(&note, '\n', 1);
    if (loop->has_inner)
        text_printf(&note, "Inside:   other loops; a pass through this one takes each of them once\n");
    if (loop->n_calls)
        text_printf(&note, "Calls:    %u, %u of them analysed: each ends a block and counts as the call latency, not as what "
                    "is called\n", loop->n_calls, calls);
    if (loop->n_indirect)
        text_printf(&note, "Indirect: %u jump%s, %u of them analysed: each ends a block, and where it leads is assumed\n",
                    loop->n_indirect, plural(loop->n_indirect), indirect);
    return pool_of(t->block, &note);
}

static void take_loop(struct taker *t, const struct block_region *function, struct code_flow *flow, uint32_t l)
{
    struct sl_flow *f = &flow->flow;
    struct block_region *region = add_region(t);
    struct text name = { NULL, 0, 0 };
    uint32_t n = t->options->all_blocks ? sl_flow_all_blocks(f, l, t->path) : sl_flow_straight_path(f, l, t->path);
    size_t n_insns = 0;
    const char *of = *function->name || !t->options->function ? function->name : t->options->function;
    text_printf(&name, "%s%sloop %u", of, *of ? " " : "", l + 1);
    if (!t->options->plain_names)
        text_printf(&name, " at 0x%" PRIx64, code_flow_start(flow, f->loops[l].header));
    region->name = pool_of(t->block, &name);
    region->has_begin = region->has_end = true;
    for (uint32_t i = 0; i < n; i++)
        n_insns += f->blocks[t->path[i]].n_insns;
    region->members = malloc(n_insns * sizeof *region->members + 1);
    if (!region->members)
        out_of_memory();
    for (uint32_t i = 0; i < n; i++) {
        const struct sl_flow_block *block = &f->blocks[t->path[i]];
        for (uint32_t k = 0; k < block->n_insns; k++)
            region->members[region->n_members++] = function->members[block->first + k];
    }
    region->note = loop_note(t, flow, l, n, (uint32_t)n_insns);
}

static void take_function(struct taker *t, const struct block_region *function)
{
    struct code_flow flow;
    if (!code_flow_find(&flow, t->block, function))
        return;
    t->path = malloc(flow.flow.n_blocks * sizeof *t->path);
    if (!t->path)
        out_of_memory();
    t->n_irreducible += flow.flow.n_irreducible;
    for (uint32_t l = 0; l < flow.flow.n_loops; l++) {
        if (flow.flow.loops[l].has_inner && !t->options->outer)
            t->n_passed++;
        else
            take_loop(t, function, &flow, l);
    }
    free(t->path);
    code_flow_free(&flow);
}

bool code_loops(struct block *block, const struct code_loops_options *options, struct diag *diag)
{
    struct taker t = { .block = block, .options = options };
    bool found;
    for (size_t i = 0; i < block->n_regions; i++) {
        struct block_region *region = &block->regions[i];
        if (region->failed) {
            *add_region(&t) = *region;
            region->members = NULL;
        } else if (region->n_members) {
            take_function(&t, region);
        }
    }
    for (size_t i = 0; i < block->n_regions; i++)
        free(block->regions[i].members);
    free(block->regions);
    block->regions = t.regions;
    block->n_regions = t.n_regions;
    block->regions_capacity = t.capacity;
    found = t.n_regions != 0;
    if (!found)
        diag_say(diag, DIAG_ERROR, "no loops found");
    if (t.n_passed)
        diag_say(diag, DIAG_NOTE, "%u loop%s with loops inside left out; --outer-loops analyses %s, too", t.n_passed,
                 plural(t.n_passed), t.n_passed == 1 ? "it" : "them");
    if (t.n_irreducible)
        diag_say(diag, DIAG_NOTE, "%u jump%s back into code that is entered elsewhere, too: not a loop", t.n_irreducible,
                 plural(t.n_irreducible));
    return found;
}
