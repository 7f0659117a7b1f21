/* SPDX-License-Identifier: Apache-2.0 */
/* From a sample's call chain to named frames. */
#include <string.h>

#include "../io/symbols.h"
#include "c2c_collect.h"

#define FIRST_MARKER ((uint64_t)-4095)

static unsigned mode_of_marker(uint64_t marker)
{
    switch (marker) {
    case (uint64_t)-512:
        return SL_MEM_MODE_USER;
    case (uint64_t)-128:
        return SL_MEM_MODE_KERNEL;
    case (uint64_t)-32:
        return SL_MEM_MODE_HYPERVISOR;
    default:
        return SL_MEM_MODE_UNKNOWN; /* no chain at all */
    }
}

/* The mode that the nearest marker before position `end` sets. */
static unsigned mode_before(const uint64_t *chain, uint32_t end)
{
    while (end-- > 0) {
        if (chain[end] >= FIRST_MARKER)
            return mode_of_marker(chain[end]);
    }
    return SL_MEM_MODE_USER;
}

static const char *frame_source(struct c2c_collect *c, const struct perf_map *map, uint64_t address,
                                const struct symbol *symbol)
{
    struct text text = {NULL, 0, 0};
    const char *found;

    if (perf_data_source_line(c->data, map->dso, address, &found))
        return found;
    if (c->chain.key != C2C_CHAIN_ADDRESS)
        return NULL;
    if (symbol)
        text_printf(&text, "+%lld", (long long)(address - symbol->start));
    else
        text_printf(&text, "%s[%llx]", map->dso->short_name,
                    (unsigned long long)perf_data_object_address(c->data, map->dso, address));
    found = pool_text(&c->pool, text.data, text.len);
    text_free(&text);
    return found;
}

static void make_frame(struct c2c_collect *c, const struct perf_sample *sample, unsigned mode, uint64_t ip,
                       struct c2c_frame *frame)
{
    const struct perf_map *map = perf_data_find_map(c->data, sample->thread, mode, ip);
    const struct symbol *symbol = NULL;

    memset(frame, 0, sizeof *frame);
    frame->ip = ip;
    if (!map)
        return;
    symbol = perf_data_symbol(c->data, map->dso, perf_map_relative(map, ip));
    frame->image = map->dso;
    if (symbol) {
        frame->symbol = symbol->name;
        frame->symbol_start = symbol->start;
    }
    if (c->chain.key != C2C_CHAIN_FUNCTION)
        frame->source = frame_source(c, map, perf_map_relative(map, ip), symbol);
}

uint32_t c2c_make_frames(struct c2c_collect *c, const struct perf_sample *sample)
{
    const uint64_t *chain = sample->mem.chain;
    uint32_t n = sample->mem.chain_len, n_frames = 0;
    bool caller = c->chain.order == C2C_CHAIN_CALLER;
    unsigned mode = caller ? mode_before(chain, n) : (unsigned)SL_MEM_MODE_USER;

    for (uint32_t i = 0; i < n && mode != SL_MEM_MODE_UNKNOWN && n_frames < C2C_MAX_FRAMES; i++) {
        uint32_t at = caller ? n - 1 - i : i;
        if (chain[at] >= FIRST_MARKER)
            mode = caller ? mode_before(chain, at) : mode_of_marker(chain[at]);
        else
            make_frame(c, sample, mode, chain[at], &c->frames[n_frames++]);
    }
    return mode == SL_MEM_MODE_UNKNOWN ? 0 : n_frames;
}
