/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that are functions -> regions that are the basic blocks where most samples lie. */
#include "code_hot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code_flow.h"

#define MOST_BLOCKS 5u

/* A block with samples. */
struct hot {
    const struct block_region *function;
    uint64_t samples;
    uint64_t start, end; /* addresses */
    const char *ending;
    uint32_t first, n_insns; /* members of the function */
    uint32_t loop;           /* number from 1; 0: none */
    uint32_t loop_blocks;
};

struct taker {
    const struct pc_list *samples;
    const char *function;
    struct hot *hot;
    size_t n_hot, capacity;
    uint64_t in_code;
};

static const char *name_of(const struct taker *t, const struct block_region *function)
{
    return *function->name || !t->function ? function->name : t->function;
}

static uint64_t samples_between(const struct pc_list *list, uint64_t start, uint64_t end)
{
    uint64_t sum = 0;
    for (size_t i = pc_list_at(list, start); i < list->n_items && list->items[i].address < end; i++)
        sum += list->items[i].count;
    return sum;
}

static void count_function(struct taker *t, const struct block *block, const struct block_region *function)
{
    struct code_flow flow;
    if (!code_flow_find(&flow, block, function))
        return;
    for (uint32_t b = 0; b < flow.flow.n_blocks; b++) {
        const struct sl_flow_block *is = &flow.flow.blocks[b];
        uint64_t start = code_flow_start(&flow, b), end = code_flow_end(&flow, b);
        uint64_t samples = samples_between(t->samples, start, end);
        struct hot *hot;
        if (!samples)
            continue;
        t->hot = array_grow(t->hot, t->n_hot, &t->capacity, sizeof *t->hot);
        hot = &t->hot[t->n_hot++];
        *hot = (struct hot){ .function = function, .samples = samples, .start = start, .end = end,
                             .ending = code_flow_ending(&flow, b), .first = is->first, .n_insns = is->n_insns };
        if (is->loop != SL_FLOW_NONE) {
            hot->loop = is->loop + 1;
            hot->loop_blocks = flow.flow.loops[is->loop].n_blocks;
        }
        t->in_code += samples;
    }
    code_flow_free(&flow);
}

static int compare_hot(const void *a, const void *b)
{
    const struct hot *p = a, *q = b;
    if (p->samples != q->samples)
        return p->samples < q->samples ? 1 : -1;
    return (p->start > q->start) - (p->start < q->start);
}

/* Hundredths of a percent, rounded to the nearest. Below 2^63 samples, so long as they are divided first when many. */
static unsigned share(uint64_t samples, uint64_t total)
{
    while (total > UINT64_MAX / 20000u) {
        samples >>= 1;
        total >>= 1;
    }
    return (unsigned)((samples * 20000u + total) / (2 * total));
}

static void put_share(struct text *text, uint64_t samples, uint64_t total, const char *unit)
{
    unsigned hundredths = share(samples, total);
    text_printf(text, "%3u.%02u%%%s", hundredths / 100, hundredths % 100, unit);
}

static void put_loop(struct text *text, const struct hot *hot)
{
    if (!hot->loop)
        text_printf(text, "in no loop");
    else if (hot->loop_blocks == 1)
        text_printf(text, "all of loop %u", hot->loop);
    else
        text_printf(text, "in loop %u of %u blocks", hot->loop, hot->loop_blocks);
}

static void put_end(struct text *text, const char *before, const struct hot *hot)
{
    if (!strcmp(hot->ending, "falls through"))
        text_printf(text, "falls through");
    else
        text_printf(text, "%s %s %s", before, strchr("aeiou", *hot->ending) ? "an" : "a", hot->ending);
}

static const char *table(struct taker *t, struct block *block, uint32_t most)
{
    struct text text = { NULL, 0, 0 };
    uint64_t total = t->samples->total, shown = 0;
    const char *copy;
    text_printf(&text, "\nSamples: %" PRIu64 ", of these %" PRIu64 " in %zu block%s of the code\n\n"
                "  Share     Samples  Block\n", total, t->in_code, t->n_hot, t->n_hot == 1 ? "" : "s");
    for (size_t i = 0; i < t->n_hot && i < most; i++) {
        const struct hot *hot = &t->hot[i];
        const char *name = name_of(t, hot->function);
        put_share(&text, hot->samples, total, "");
        text_printf(&text, " %11" PRIu64 "  %s%s0x%" PRIx64 "-0x%" PRIx64 ", %u instruction%s, ", hot->samples, name,
                    *name ? " " : "", hot->start, hot->end - 1, hot->n_insns, hot->n_insns == 1 ? "" : "s");
        put_loop(&text, hot);
        text_printf(&text, "; ");
        put_end(&text, "ends with", hot);
        text_add_char(&text, '\n', 1);
        shown += hot->samples;
    }
    if (t->n_hot > most) {
        put_share(&text, t->in_code - shown, total, "");
        text_printf(&text, " %11" PRIu64 "  in %zu more\n", t->in_code - shown, t->n_hot - most);
    }
    if (total > t->in_code) {
        put_share(&text, total - t->in_code, total, "");
        text_printf(&text, " %11" PRIu64 "  outside of the code that was looked at\n", total - t->in_code);
    }
    copy = pool_text(&block->pool, text.data, text.len);
    text_free(&text);
    return copy;
}

static void describe(const struct taker *t, struct block *block, const struct hot *hot, struct block_region *region)
{
    struct text text = { NULL, 0, 0 };
    const char *name = name_of(t, hot->function);
    text_printf(&text, "%s%sblock at 0x%" PRIx64, name, *name ? " " : "", hot->start);
    region->name = pool_text(&block->pool, text.data, text.len);
    text_free(&text);
    text_printf(&text, "Block:   ");
    put_share(&text, hot->samples, t->samples->total, " of the samples; ");
    put_loop(&text, hot);
    text_printf(&text, "%s\nEnds:     ", hot->loop_blocks == 1 ? "" : ": repeated here as if it were a loop");
    put_end(&text, "with", hot);
    text_printf(&text, "%s\n", strstr(hot->ending, "call")       ? ": what is called is not in the report"
                               : strstr(hot->ending, "indirect") ? ": where it leads is not known"
                                                                  : "");
    region->note = pool_text(&block->pool, text.data, text.len);
    text_free(&text);
    region->has_begin = region->has_end = true;
    region->members = malloc(hot->n_insns * sizeof *region->members + 1);
    if (!region->members)
        out_of_memory();
    region->n_members = hot->n_insns;
    memcpy(region->members, hot->function->members + hot->first, hot->n_insns * sizeof *region->members);
}

/* The hottest blocks, and functions that could not be read behind them. */
static void replace_regions(struct taker *t, struct block *block, uint32_t most)
{
    struct block_region *regions = NULL;
    size_t n = 0, capacity = 0;
    for (size_t i = 0; i < t->n_hot && i < most; i++) {
        regions = array_grow(regions, n, &capacity, sizeof *regions);
        memset(&regions[n], 0, sizeof *regions);
        describe(t, block, &t->hot[i], &regions[n++]);
    }
    for (size_t i = 0; i < block->n_regions; i++) {
        if (block->regions[i].failed) {
            regions = array_grow(regions, n, &capacity, sizeof *regions);
            regions[n] = block->regions[i];
            regions[n++].members = NULL;
        }
        free(block->regions[i].members);
    }
    free(block->regions);
    block->regions = regions;
    block->n_regions = n;
    block->regions_capacity = capacity;
}

bool code_hot(struct block *block, const struct pc_list *samples, const struct code_hot_options *options,
              struct diag *diag)
{
    struct taker t = { .samples = samples, .function = options->function };
    uint32_t most = options->most ? options->most : MOST_BLOCKS;
    bool found;
    for (size_t i = 0; i < block->n_regions; i++)
        if (block->regions[i].n_members)
            count_function(&t, block, &block->regions[i]);
    if (t.n_hot)
        qsort(t.hot, t.n_hot, sizeof *t.hot, compare_hot);
    found = t.n_hot != 0;
    if (found)
        block->preamble = table(&t, block, most);
    else
        diag_say(diag, DIAG_ERROR, "none of the %" PRIu64 " samples is in the code (addresses from 0x%" PRIx64 " to 0x%"
                 PRIx64 "; a program that is loaded elsewhere needs --pcs-base)", samples->total,
                 samples->items[0].address, samples->items[samples->n_items - 1].address);
    replace_regions(&t, block, most);
    free(t.hot);
    return found;
}
