/* SPDX-License-Identifier: Apache-2.0 */
/* What every input produces: decoded instructions with their texts, and the regions that select them. */
#include "block.h"

#include <stdlib.h>
#include <string.h>

static struct block_region *add_region(struct block *block, const char *name)
{
    struct block_region *region;
    block->regions = array_grow(block->regions, block->n_regions, &block->regions_capacity, sizeof *block->regions);
    region = &block->regions[block->n_regions++];
    memset(region, 0, sizeof *region);
    region->name = name;
    return region;
}

void block_init(struct block *block, const struct sl_isa *isa)
{
    memset(block, 0, sizeof *block);
    block->isa = isa;
    add_region(block, "");
}

void block_free(struct block *block)
{
    for (size_t i = 0; i < block->n_regions; i++)
        free(block->regions[i].members);
    free(block->regions);
    free(block->instruments);
    free(block->insns);
    pool_free(&block->pool);
    memset(block, 0, sizeof *block);
}

static void add_member(struct block_region *region, size_t insn)
{
    region->members = array_grow(region->members, region->n_members, &region->capacity, sizeof *region->members);
    region->members[region->n_members++] = insn;
}

struct block_insn *block_add(struct block *block)
{
    struct block_insn *insn;
    block->insns = array_grow(block->insns, block->n_insns, &block->insns_capacity, sizeof *block->insns);
    insn = &block->insns[block->n_insns++];
    memset(insn, 0, sizeof *insn);
    while (block->first_open < block->n_regions && block->regions[block->first_open].has_end)
        block->first_open++;
    for (size_t i = block->first_open; i < block->n_regions; i++) {
        struct block_region *region = &block->regions[i];
        if (region->has_end)
            continue;
        add_member(region, block->n_insns - 1);
    }
    return insn;
}

/* The default region as long as no marker has touched it: then it is the only one. */
static struct block_region *untouched_default(struct block *block)
{
    struct block_region *first = &block->regions[0];
    return block->n_regions == 1 && !first->has_begin && !first->has_end ? first : NULL;
}

/* Regions that have begun by a marker and have not ended. */
static size_t count_active(const struct block *block, struct block_region **last)
{
    size_t count = 0;
    for (size_t i = block->first_open; i < block->n_regions; i++) {
        struct block_region *region = &block->regions[i];
        if (!region->has_begin || region->has_end)
            continue;
        count++;
        *last = region;
    }
    return count;
}

static struct block_region *find_active(const struct block *block, const char *name)
{
    for (size_t i = block->first_open; i < block->n_regions; i++) {
        struct block_region *region = &block->regions[i];
        if (region->has_begin && !region->has_end && !strcmp(region->name, name))
            return region;
    }
    return NULL;
}

void block_begin(struct block *block, struct diag *diag, const struct source *source, size_t at, const char *name)
{
    struct block_region *region = untouched_default(block);
    struct block_region *active = find_active(block, name);
    if (region) {
        /* What the default region has collected so far is outside of the regions that the user wants. */
        region->n_members = 0;
        region->name = name;
    } else if (active) {
        if (!*name) {
            diag_at_source(diag, source, at, DIAG_ERROR, "found multiple overlapping anonymous regions");
            diag_at_source(diag, source, active->begin, DIAG_NOTE, "Previous anonymous region was defined here");
        } else {
            diag_at_source(diag, source, at, DIAG_ERROR, "overlapping regions cannot have the same name");
            diag_at_source(diag, source, active->begin, DIAG_NOTE, "region %s was previously defined here", name);
        }
        return;
    } else {
        region = add_region(block, name);
    }
    region->has_begin = true;
    region->begin = at;
}

void block_end(struct block *block, struct diag *diag, const struct source *source, size_t at, const char *name)
{
    struct block_region *region = NULL;
    struct block_region *last = NULL;
    if (!*name && count_active(block, &last) == 1)
        region = last;
    else if (!*name && !last)
        region = untouched_default(block);
    if (!region)
        region = find_active(block, name);
    if (!region) {
        diag_at_source(diag, source, at, DIAG_ERROR, "found an invalid region end directive");
        if (*name)
            diag_at_source(diag, source, at, DIAG_NOTE, "unable to find an active region named %s", name);
        else
            diag_at_source(diag, source, at, DIAG_NOTE, "unable to find an active anonymous region");
        return;
    }
    region->has_end = true;
    region->end = at;
}

void block_open(struct block *block, const char *name)
{
    struct block_region *region = untouched_default(block);
    if (!region)
        region = add_region(block, name);
    region->name = name;
    region->has_begin = true;
}

void block_close(struct block *block, bool failed)
{
    struct block_region *region = &block->regions[block->n_regions - 1];
    region->has_end = true;
    region->failed = failed;
    if (failed)
        region->n_members = 0;
}

void block_instrument(struct block *block, size_t at, const char *text)
{
    block->instruments = array_grow(block->instruments, block->n_instruments, &block->instruments_capacity,
                                    sizeof *block->instruments);
    block->instruments[block->n_instruments++] = (struct block_instrument){ block->n_insns, at, text };
}

void block_unlocate(struct block *block, size_t first)
{
    size_t from = block->regions[0].has_begin ? block->first_open : 0;
    for (size_t i = from; i < block->n_regions && !block->keep_unlocated; i++) {
        struct block_region *region = &block->regions[i];
        while (region->has_begin && region->n_members && region->members[region->n_members - 1] >= first) {
            region->n_members--;
            block->unlocated = true;
        }
        for (size_t k = first; k < block->n_insns && !region->has_begin && region->has_end; k++) {
            add_member(region, k);
            block->unlocated = true;
        }
    }
}
