/* SPDX-License-Identifier: Apache-2.0 */
/* When memory runs out: Space-Saving. The line that gives way is the least by what its true count can be at most. */
#include "internal.h"

static uint32_t weight(const struct sl_c2c *t, uint32_t line)
{
    const struct sl_c2c_line *l = sl_c2c_line_at(t, line);
    return sl_c2c_contended(l) + l->missed_max;
}

static void place(struct sl_c2c *t, uint32_t at, uint32_t line)
{
    t->heap[at] = line;
    sl_c2c_line_at(t, line)->heap_at = at;
}

static void sift_down(struct sl_c2c *t, uint32_t at)
{
    uint32_t line = t->heap[at], own = weight(t, line);
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= t->n_lines)
            break;
        if (child + 1 < t->n_lines && weight(t, t->heap[child + 1]) < weight(t, t->heap[child]))
            child++;
        if (weight(t, t->heap[child]) >= own)
            break;
        place(t, at, t->heap[child]);
        at = child;
    }
    place(t, at, line);
}

static void sift_up(struct sl_c2c *t, uint32_t at)
{
    uint32_t line = t->heap[at], own = weight(t, line);
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;
        if (weight(t, t->heap[parent]) <= own)
            break;
        place(t, at, t->heap[parent]);
        at = parent;
    }
    place(t, at, line);
}

/* The first eviction makes the heap: a table that never fills up does not pay for it. */
static void make_heap(struct sl_c2c *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->lines_top; i++) {
        if (sl_c2c_line_at(t, i)->key.mode != SL_C2C_NONE)
            place(t, n++, i);
    }
    for (uint32_t at = n / 2; at-- > 0;)
        sift_down(t, at);
    t->heap_on = true;
}

void sl_c2c_heap_insert(struct sl_c2c *t, uint32_t line)
{
    if (!t->heap_on)
        return;
    place(t, t->n_lines - 1, line);
    sift_up(t, t->n_lines - 1);
}

void sl_c2c_heap_raise(struct sl_c2c *t, uint32_t line)
{
    if (t->heap_on)
        sift_down(t, sl_c2c_line_at(t, line)->heap_at);
}

static void free_entries(struct sl_c2c *t, struct sl_c2c_line *line)
{
    uint32_t index = line->first_entry;
    while (index != SL_C2C_NONE) {
        struct sl_c2c_entry *entry = sl_c2c_entry_at(t, index);
        uint32_t next = entry->next;
        struct sl_c2c_entry_key key;

        sl_c2c_key_of_entry(t, entry, &key);
        sl_c2c_slot_remove(&t->entry_slots, sl_c2c_entry_hash(line->hash, &key), index);
        entry->line = SL_C2C_NONE;
        entry->next = t->free_entries;
        t->free_entries = index;
        t->n_entries--;
        t->losses.entries_evicted++;
        index = next;
    }
}

static void remove_line(struct sl_c2c *t, uint32_t index)
{
    struct sl_c2c_line *line = sl_c2c_line_at(t, index);
    uint32_t at = line->heap_at, last = t->heap[t->n_lines - 1];

    free_entries(t, line);
    sl_c2c_slot_remove(&t->line_slots, line->hash, index);
    line->key.mode = SL_C2C_NONE;
    line->first_entry = t->free_lines;
    t->free_lines = index;
    t->n_lines--;
    if (last != index) {
        place(t, at, last);
        sift_up(t, at);
        sift_down(t, sl_c2c_line_at(t, last)->heap_at);
    }
}

bool sl_c2c_evict(struct sl_c2c *t, uint32_t keep)
{
    uint32_t victim, most;

    if (!t->heap_on)
        make_heap(t);
    if (t->n_lines == 0 || (t->n_lines == 1 && t->heap[0] == keep))
        return false;
    victim = t->heap[0];
    if (victim == keep) {
        victim = t->heap[1];
        if (t->n_lines > 2 && weight(t, t->heap[2]) < weight(t, victim))
            victim = t->heap[2];
    }
    most = weight(t, victim);
    t->losses.missed_max = sl_max_u32(t->losses.missed_max, most);
    t->losses.lines_evicted++;
    t->losses.samples_evicted += sl_c2c_line_at(t, victim)->stats.n[SL_C2C_SAMPLES];
    for (uint32_t i = 0; i < SL_C2C_COUNTERS; i++)
        t->evicted.n[i] += sl_c2c_line_at(t, victim)->stats.n[i];
    remove_line(t, victim);
    return true;
}
