/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of core/c2c share. */
#ifndef CORE_C2C_INTERNAL_H
#define CORE_C2C_INTERNAL_H

#include <slotledger/c2c.h>

/* One of the four functions that a compiler may ask of any environment. */
static inline void sl_c2c_zero(void *piece, size_t bytes)
{
    __builtin_memset(piece, 0, bytes);
}

static inline uint64_t sl_c2c_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static inline uint32_t sl_c2c_fold(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

/* Identity of an entry beside its line; members that are no key of the table are 0 (image: SL_C2C_NO_IMAGE). */
struct sl_c2c_entry_key {
    uint64_t ip;
    uint32_t offset, pid, tid, image;
};

uint32_t sl_c2c_line_hash(const struct sl_c2c_line_key *key);
/* Only the keys of the table's configuration stay. */
void sl_c2c_mask_key(const struct sl_c2c *t, struct sl_c2c_entry_key *key);
void sl_c2c_key_of_entry(const struct sl_c2c *t, const struct sl_c2c_entry *entry, struct sl_c2c_entry_key *key);

/* Index or SL_C2C_NONE. */
uint32_t sl_c2c_find_line(const struct sl_c2c *t, const struct sl_c2c_line_key *key, uint32_t hash);
uint32_t sl_c2c_find_entry(const struct sl_c2c *t, uint32_t line, const struct sl_c2c_entry_key *key, uint32_t hash);
uint32_t sl_c2c_entry_hash(uint32_t line_hash, const struct sl_c2c_entry_key *key);

/* A new line: there is room for it after evictions; index. The caller fills in what is not key, hash or missed_max. */
uint32_t sl_c2c_new_line(struct sl_c2c *t, const struct sl_c2c_line_key *key, uint32_t hash);
/* A new entry of a line, or SL_C2C_NONE. Lines other than `line` may be evicted for it. */
uint32_t sl_c2c_new_entry(struct sl_c2c *t, uint32_t line, const struct sl_c2c_entry_key *key, uint32_t hash);

/* Slots: open addressing with linear probing. */
void sl_c2c_slot_put(struct sl_c2c_slots *slots, uint32_t hash, uint32_t index);
void sl_c2c_slot_remove(struct sl_c2c_slots *slots, uint32_t hash, uint32_t index);

/* Evicts the line with the least contention but `keep`; false: there is none. */
bool sl_c2c_evict(struct sl_c2c *t, uint32_t keep);
/* The line's contention rose (or it is new): keeps the heap in order. */
void sl_c2c_heap_raise(struct sl_c2c *t, uint32_t line);
void sl_c2c_heap_insert(struct sl_c2c *t, uint32_t line);

#endif
