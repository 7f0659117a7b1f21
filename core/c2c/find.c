/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and entries by their identity: hashes, slots, new records. */
#include "internal.h"

uint32_t sl_c2c_line_hash(const struct sl_c2c_line_key *key)
{
    /* Not the generation: it may be missing on one side. */
    uint64_t hash = sl_c2c_mix(key->mode | (uint64_t)key->unmapped << 8 | (uint64_t)key->pid << 32, key->address);
    hash = sl_c2c_mix(hash, key->inode);
    return sl_c2c_fold(sl_c2c_mix(hash, key->major | (uint64_t)key->minor << 32));
}

uint32_t sl_c2c_entry_hash(uint32_t line_hash, const struct sl_c2c_entry_key *key)
{
    uint64_t hash = sl_c2c_mix(line_hash | (uint64_t)key->offset << 32, key->ip);
    return sl_c2c_fold(sl_c2c_mix(hash ^ (uint64_t)key->image << 17, key->pid | (uint64_t)key->tid << 32));
}

void sl_c2c_mask_key(const struct sl_c2c *t, struct sl_c2c_entry_key *key)
{
    uint32_t keys = t->key_bits;
    if (!(keys >> SL_C2C_KEY_IP & 1u))
        key->ip = 0;
    if (!(keys >> SL_C2C_KEY_TID & 1u))
        key->tid = 0;
    if (!(keys >> SL_C2C_KEY_PID & 1u))
        key->pid = 0;
    if (!(keys >> SL_C2C_KEY_IMAGE & 1u))
        key->image = SL_C2C_NO_IMAGE;
}

void sl_c2c_key_of_entry(const struct sl_c2c *t, const struct sl_c2c_entry *entry, struct sl_c2c_entry_key *key)
{
    key->ip = entry->ip;
    key->offset = entry->offset;
    key->pid = entry->pid;
    key->tid = entry->tid;
    key->image = entry->image;
    sl_c2c_mask_key(t, key);
}

static bool same_line(const struct sl_c2c_line_key *a, const struct sl_c2c_line_key *b)
{
    return a->address == b->address && a->mode == b->mode && a->unmapped == b->unmapped && a->major == b->major &&
           a->minor == b->minor && a->inode == b->inode && a->pid == b->pid &&
           (a->generation == b->generation || a->generation == 0 || b->generation == 0);
}

uint32_t sl_c2c_find_line(const struct sl_c2c *t, const struct sl_c2c_line_key *key, uint32_t hash)
{
    const struct sl_c2c_slots *s = &t->line_slots;
    for (uint32_t at = hash & s->mask; s->at[at].index_plus_1 != 0; at = (at + 1) & s->mask) {
        uint32_t index = s->at[at].index_plus_1 - 1;
        if (s->at[at].hash == hash && same_line(&sl_c2c_line_at(t, index)->key, key))
            return index;
    }
    return SL_C2C_NONE;
}

static bool same_entry(const struct sl_c2c *t, const struct sl_c2c_entry *entry, const struct sl_c2c_entry_key *key)
{
    struct sl_c2c_entry_key own;
    sl_c2c_key_of_entry(t, entry, &own);
    return own.ip == key->ip && own.offset == key->offset && own.pid == key->pid && own.tid == key->tid &&
           own.image == key->image;
}

uint32_t sl_c2c_find_entry(const struct sl_c2c *t, uint32_t line, const struct sl_c2c_entry_key *key, uint32_t hash)
{
    const struct sl_c2c_slots *s = &t->entry_slots;
    for (uint32_t at = hash & s->mask; s->at[at].index_plus_1 != 0; at = (at + 1) & s->mask) {
        uint32_t index = s->at[at].index_plus_1 - 1;
        const struct sl_c2c_entry *entry = sl_c2c_entry_at(t, index);
        if (s->at[at].hash == hash && entry->line == line && same_entry(t, entry, key))
            return index;
    }
    return SL_C2C_NONE;
}

/* ---- slots ------------------------------------------------------------------------------------------------------ */

void sl_c2c_slot_put(struct sl_c2c_slots *slots, uint32_t hash, uint32_t index)
{
    uint32_t at = hash & slots->mask;
    while (slots->at[at].index_plus_1 != 0)
        at = (at + 1) & slots->mask;
    slots->at[at].hash = hash;
    slots->at[at].index_plus_1 = index + 1;
    slots->used++;
}

/* The gap is closed by what would no longer be found behind it. */
void sl_c2c_slot_remove(struct sl_c2c_slots *slots, uint32_t hash, uint32_t index)
{
    uint32_t gap = hash & slots->mask, at;

    while (slots->at[gap].index_plus_1 != index + 1)
        gap = (gap + 1) & slots->mask;
    for (at = (gap + 1) & slots->mask; slots->at[at].index_plus_1 != 0; at = (at + 1) & slots->mask) {
        uint32_t home = slots->at[at].hash & slots->mask;
        if (((at - home) & slots->mask) >= ((at - gap) & slots->mask)) {
            slots->at[gap] = slots->at[at];
            gap = at;
        }
    }
    slots->at[gap].index_plus_1 = 0;
    slots->used--;
}

/* True when the table has doubled: everything is to be put in anew. */
static bool grow(struct sl_c2c_slots *slots)
{
    uint32_t size = slots->mask + 1;
    if (slots->used < size / 2 + size / 8 || slots->mask == slots->max_mask)
        return false;
    slots->mask = slots->mask * 2 + 1;
    slots->used = 0;
    sl_c2c_zero(slots->at, ((size_t)slots->mask + 1) * sizeof *slots->at);
    return true;
}

static void put_line(struct sl_c2c *t, uint32_t index, uint32_t hash)
{
    if (grow(&t->line_slots)) {
        for (uint32_t i = 0; i < t->lines_top; i++) {
            const struct sl_c2c_line *line = sl_c2c_line_at(t, i);
            if (line->key.mode != SL_C2C_NONE && i != index)
                sl_c2c_slot_put(&t->line_slots, line->hash, i);
        }
    }
    sl_c2c_slot_put(&t->line_slots, hash, index);
}

static void put_entry(struct sl_c2c *t, uint32_t index, uint32_t hash)
{
    if (grow(&t->entry_slots)) {
        for (uint32_t i = 0; i < t->entries_top; i++) {
            const struct sl_c2c_entry *entry = sl_c2c_entry_at(t, i);
            struct sl_c2c_entry_key key;
            if (entry->line == SL_C2C_NONE || i == index)
                continue;
            sl_c2c_key_of_entry(t, entry, &key);
            sl_c2c_slot_put(&t->entry_slots, sl_c2c_entry_hash(sl_c2c_line_at(t, entry->line)->hash, &key), i);
        }
    }
    sl_c2c_slot_put(&t->entry_slots, hash, index);
}

/* ---- new records ------------------------------------------------------------------------------------------------ */

uint32_t sl_c2c_new_line(struct sl_c2c *t, const struct sl_c2c_line_key *key, uint32_t hash)
{
    struct sl_c2c_line *line;
    uint32_t index;

    if (t->n_lines == t->config.max_lines)
        (void)sl_c2c_evict(t, SL_C2C_NONE);
    index = t->free_lines;
    if (index != SL_C2C_NONE)
        t->free_lines = sl_c2c_line_at(t, index)->first_entry;
    else
        index = t->lines_top++;
    line = sl_c2c_line_at(t, index);
    sl_c2c_zero(line, t->line_stride);
    line->key = *key;
    line->hash = hash;
    line->first_entry = SL_C2C_NONE;
    line->missed_max = t->losses.missed_max;
    t->n_lines++;
    put_line(t, index, hash);
    sl_c2c_heap_insert(t, index);
    return index;
}

uint32_t sl_c2c_new_entry(struct sl_c2c *t, uint32_t line_index, const struct sl_c2c_entry_key *key, uint32_t hash)
{
    struct sl_c2c_line *line = sl_c2c_line_at(t, line_index);
    struct sl_c2c_entry *entry;
    uint32_t index;

    while (t->n_entries == t->config.max_entries) {
        if (!sl_c2c_evict(t, line_index))
            return SL_C2C_NONE;
        t->losses.entry_shortages++;
    }
    index = t->free_entries;
    if (index != SL_C2C_NONE)
        t->free_entries = sl_c2c_entry_at(t, index)->next;
    else
        index = t->entries_top++;
    entry = sl_c2c_entry_at(t, index);
    sl_c2c_zero(entry, t->entry_stride);
    entry->line = line_index;
    entry->offset = (uint16_t)key->offset;
    entry->next = line->first_entry;
    line->first_entry = index;
    line->n_entries++;
    t->n_entries++;
    put_entry(t, index, hash);
    return index;
}
