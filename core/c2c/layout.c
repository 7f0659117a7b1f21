/* SPDX-License-Identifier: Apache-2.0 */
/* The table's memory: records with parts of chosen size behind them, two slot tables, the heap of lines. */
#include "internal.h"

#define FIRST_SLOTS 64u

SL_STATIC_ASSERT(SL_C2C_COUNTERS <= 32, counters_fit_a_class);
SL_STATIC_ASSERT(sizeof(struct sl_c2c_line) % 8 == 0 && sizeof(struct sl_c2c_entry) % 8 == 0, records_are_aligned);

static bool keys_are_good(const uint8_t *keys)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < SL_C2C_MAX_KEYS && keys[i] != SL_C2C_KEY_END; i++) {
        if (keys[i] > SL_C2C_KEY_IMAGE || (seen >> keys[i] & 1u))
            return false;
        seen |= (uint32_t)1 << keys[i];
    }
    return true;
}

static bool is_good(const struct sl_c2c_config *c)
{
    uint32_t line = c->line_bytes;
    return line >= 16 && line <= 4096 && (line & (line - 1)) == 0 && keys_are_good(c->keys) &&
           c->metric <= SL_C2C_METRIC_PEER && c->max_lines >= 1 && c->max_lines < SL_C2C_NONE / 4 &&
           c->max_entries >= 1 && c->max_entries < SL_C2C_NONE / 4 && c->n_cpus <= 1u << 20 && c->n_nodes <= 1u << 16 &&
           c->entry_extra_bytes <= 1u << 20;
}

static uint32_t round8(uint32_t bytes)
{
    return (bytes + 7u) & ~7u;
}

/* Sizes that follow from a configuration. */
struct sizes {
    uint32_t cpu_words, node_words;
    uint32_t line_stride, entry_stride;
    uint32_t line_slots, entry_slots;
};

static uint32_t set_bytes(uint32_t cpu_words, uint32_t node_words)
{
    return round8((cpu_words + node_words) * 4u);
}

/* At most two thirds full. */
static uint32_t slots_for(uint32_t records)
{
    uint32_t n = FIRST_SLOTS;
    while (n < records + records / 2)
        n *= 2;
    return n;
}

static void measure(const struct sl_c2c_config *c, struct sizes *s)
{
    s->cpu_words = (uint32_t)SL_BIT_WORDS(c->n_cpus);
    s->node_words = (uint32_t)SL_BIT_WORDS(c->n_nodes);
    s->line_stride = (uint32_t)sizeof(struct sl_c2c_line) + set_bytes(s->cpu_words, s->node_words);
    s->entry_stride =
        (uint32_t)sizeof(struct sl_c2c_entry) + set_bytes(s->cpu_words, s->node_words) + round8(c->entry_extra_bytes);
    if (c->node_counts)
        s->entry_stride += c->n_nodes * (uint32_t)sizeof(struct sl_c2c_node_count);
    if (c->mergeable)
        s->entry_stride += (uint32_t)sizeof(struct sl_c2c_entry_sums);
    s->line_slots = slots_for(c->max_lines);
    s->entry_slots = slots_for(c->max_entries);
}

/* false: out of range. */
static bool configure(struct sl_c2c_config *c)
{
    if (c->line_bytes == 0)
        c->line_bytes = 64;
    if (c->n_cpus == 0)
        c->n_cpus = 64;
    return is_good(c);
}

size_t sl_c2c_need(const struct sl_c2c_config *config)
{
    struct sl_c2c_config c = *config;
    struct sl_arena arena;
    struct sizes s;

    if (!configure(&c))
        return SIZE_MAX;
    measure(&c, &s);
    sl_arena_init(&arena, NULL, 0);
    (void)sl_arena_take_dirty(&arena, c.max_lines, s.line_stride);
    (void)sl_arena_take_dirty(&arena, c.max_entries, s.entry_stride);
    (void)sl_arena_take_dirty(&arena, s.line_slots, sizeof(struct sl_c2c_slot));
    (void)sl_arena_take_dirty(&arena, s.entry_slots, sizeof(struct sl_c2c_slot));
    (void)sl_arena_take_dirty(&arena, c.max_lines, sizeof(uint32_t));
    return arena.used_bytes > SIZE_MAX - SL_ARENA_ALIGN ? SIZE_MAX : arena.used_bytes + SL_ARENA_ALIGN;
}

static void take_slots(struct sl_arena *arena, struct sl_c2c_slots *slots, uint32_t n)
{
    slots->at = (struct sl_c2c_slot *)sl_arena_take_dirty(arena, n, sizeof(struct sl_c2c_slot));
    slots->max_mask = n - 1;
    slots->mask = FIRST_SLOTS - 1;
    if (slots->at != NULL)
        sl_c2c_zero(slots->at, FIRST_SLOTS * sizeof *slots->at);
}

enum sl_status sl_c2c_init(struct sl_c2c *t, const struct sl_c2c_config *config, void *mem, size_t mem_bytes)
{
    struct sl_arena arena;
    struct sizes s;

    sl_c2c_zero(t, sizeof *t);
    t->config = *config;
    if (!configure(&t->config))
        return SL_E_ARGUMENT;
    measure(&t->config, &s);
    for (uint32_t i = 0; i < SL_C2C_MAX_KEYS && t->config.keys[i] != SL_C2C_KEY_END; i++)
        t->key_bits |= (uint32_t)1 << t->config.keys[i];
    t->cpu_words = s.cpu_words;
    t->node_words = s.node_words;
    t->line_stride = s.line_stride;
    t->entry_stride = s.entry_stride;
    sl_arena_init(&arena, mem, mem_bytes);
    t->lines = (unsigned char *)sl_arena_take_dirty(&arena, t->config.max_lines, s.line_stride);
    t->entries = (unsigned char *)sl_arena_take_dirty(&arena, t->config.max_entries, s.entry_stride);
    take_slots(&arena, &t->line_slots, s.line_slots);
    take_slots(&arena, &t->entry_slots, s.entry_slots);
    t->heap = (uint32_t *)sl_arena_take_dirty(&arena, t->config.max_lines, sizeof(uint32_t));
    if (arena.used_bytes > arena.size_bytes) {
        t->missing_bytes = arena.used_bytes - arena.size_bytes;
        return SL_E_ROOM;
    }
    t->free_lines = t->free_entries = SL_C2C_NONE;
    return SL_OK;
}

struct sl_c2c_node_count *sl_c2c_entry_node_counts(const struct sl_c2c *t, const struct sl_c2c_entry *entry)
{
    if (!t->config.node_counts)
        return NULL;
    return (struct sl_c2c_node_count *)(void *)((unsigned char *)(uintptr_t)(entry + 1) +
                                                set_bytes(t->cpu_words, t->node_words));
}

struct sl_c2c_entry_sums *sl_c2c_entry_sums(const struct sl_c2c *t, const struct sl_c2c_entry *entry)
{
    uint32_t counts = t->config.node_counts ? t->config.n_nodes * (uint32_t)sizeof(struct sl_c2c_node_count) : 0;
    if (!t->config.mergeable)
        return NULL;
    return (struct sl_c2c_entry_sums *)(void *)((unsigned char *)(uintptr_t)(entry + 1) +
                                                set_bytes(t->cpu_words, t->node_words) + counts);
}

struct sl_c2c_line *sl_c2c_next_line(const struct sl_c2c *t, uint32_t *cursor)
{
    while (*cursor < t->lines_top) {
        struct sl_c2c_line *line = sl_c2c_line_at(t, (*cursor)++);
        if (line->key.mode != SL_C2C_NONE)
            return line;
    }
    return NULL;
}

void sl_c2c_totals(const struct sl_c2c *t, struct sl_c2c_stats *totals)
{
    const struct sl_c2c_line *line;
    uint32_t cursor = 0;

    *totals = t->evicted;
    while ((line = sl_c2c_next_line(t, &cursor)) != NULL) {
        for (uint32_t i = 0; i < SL_C2C_COUNTERS; i++)
            totals->n[i] += line->stats.n[i];
    }
}
