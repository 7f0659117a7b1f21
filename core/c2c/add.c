/* SPDX-License-Identifier: Apache-2.0 */
/* One sample into the table. */
#include "internal.h"

#define BIT(counter) ((uint32_t)1 << (counter))
#define RECORDS                                                                                                        \
    (BIT(SL_C2C_LOCAL_DRAM) | BIT(SL_C2C_REMOTE_DRAM) | BIT(SL_C2C_REMOTE_HITM) | BIT(SL_C2C_REMOTE_HIT) |             \
     BIT(SL_C2C_LOAD_FILL_BUFFER) | BIT(SL_C2C_LOAD_L1) | BIT(SL_C2C_LOAD_L2) | BIT(SL_C2C_LOAD_LLC) |                 \
     BIT(SL_C2C_LOCAL_HITM) | BIT(SL_C2C_STORE_L1_HIT) | BIT(SL_C2C_STORE_L1_MISS) | BIT(SL_C2C_STORE_NA))
#define CONTENDED (BIT(SL_C2C_LOCAL_HITM) | BIT(SL_C2C_REMOTE_HITM) | BIT(SL_C2C_LOCAL_PEER) | BIT(SL_C2C_REMOTE_PEER))
#define OF_ENTRY  (BIT(SL_C2C_ENTRY_COUNTERS) - 1u)

static void count_bits(uint32_t *n, uint32_t bits)
{
    for (; bits != 0; bits &= bits - 1)
        n[sl_ctz64(bits)]++;
}

static void count(uint32_t *n, struct sl_c2c_class c, uint32_t only)
{
    count_bits(n, c.once & only);
    if (c.twice & only)
        count_bits(n, c.twice & only);
}

static const struct sl_c2c_place nowhere = {.thread = 0,
                                            .image = SL_C2C_NO_IMAGE,
                                            .memory_node = SL_C2C_NO_NODE,
                                            .cpu_node = SL_C2C_NO_NODE,
                                            .flags = SL_C2C_DATA_MAPPED | SL_C2C_SHARED | SL_C2C_BOTH_MAPPED};

static uint64_t data_address(const struct sl_mem_sample *sample, const struct sl_c2c_place *place)
{
    return place == &nowhere ? sample->address : place->data_address;
}

static void line_key(const struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                     struct sl_c2c_line_key *key)
{
    sl_c2c_zero(key, sizeof *key);
    key->mode = sample->mode;
    key->address = data_address(sample, place) & ~(uint64_t)(t->config.line_bytes - 1);
    if (!(place->flags & SL_C2C_DATA_MAPPED)) {
        key->unmapped = 1;
        return;
    }
    key->major = place->major;
    key->minor = place->minor;
    key->inode = place->inode;
    key->generation = place->generation;
    /* Private memory without a file belongs to its process. */
    if (sample->mode != SL_MEM_MODE_KERNEL && !(place->flags & SL_C2C_SHARED) &&
        (place->major | place->minor | place->inode | place->generation) == 0)
        key->pid = sample->pid;
}

/* CPU, memory node and physical address of a sample, in a line or an entry. */
static void touch(const struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                  uint32_t *cpus, uint64_t *last_phys, uint32_t *changes)
{
    if (sample->cpu < t->config.n_cpus)
        sl_bit_set(cpus, sample->cpu);
    if (sample->phys_address == 0 || place->memory_node == SL_C2C_NO_NODE)
        return;
    if (place->memory_node < t->config.n_nodes)
        sl_bit_set(cpus + t->cpu_words, place->memory_node);
    if (*last_phys != sample->phys_address) {
        *last_phys = sample->phys_address;
        (*changes)++;
    }
}

static uint32_t find_line(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_hint *hint)
{
    struct sl_c2c_line *line;
    uint32_t index = sl_c2c_find_line(t, &hint->line, hint->line_hash);

    if (index != SL_C2C_NONE)
        return index;
    index = sl_c2c_new_line(t, &hint->line, hint->line_hash);
    line = sl_c2c_line_at(t, index);
    line->address = sample->address;
    line->first_time = sample->time;
    return index;
}

/* What stays of the first sample of an entry. */
static void first_sample(struct sl_c2c *t, struct sl_c2c_entry *entry, const struct sl_mem_sample *sample,
                         const struct sl_c2c_place *place)
{
    struct sl_c2c_entry_sums *sums = sl_c2c_entry_sums(t, entry);

    entry->ip = sample->ip;
    entry->pid = sample->pid;
    entry->tid = sample->tid;
    entry->thread = place->thread;
    entry->code = place->code;
    entry->image = place->image;
    entry->shown_offset = (uint16_t)(data_address(sample, place) & (t->config.line_bytes - 1));
    if (sums != NULL)
        sums->first_time = sample->time;
}

static uint32_t latency_of(uint32_t counters)
{
    static const uint8_t counter[SL_C2C_LATENCIES] = {SL_C2C_REMOTE_HITM, SL_C2C_LOCAL_HITM, SL_C2C_REMOTE_PEER,
                                                      SL_C2C_LOCAL_PEER, SL_C2C_LOAD};
    uint32_t i = 0;
    while (i < SL_C2C_LATENCIES && !(counters >> counter[i] & 1u))
        i++;
    return i;
}

static uint32_t node_metric(const struct sl_c2c *t, struct sl_c2c_class c)
{
    static const uint32_t counters[] = {BIT(SL_C2C_LOCAL_HITM) | BIT(SL_C2C_REMOTE_HITM), BIT(SL_C2C_REMOTE_HITM),
                                        BIT(SL_C2C_LOCAL_HITM), BIT(SL_C2C_LOCAL_PEER) | BIT(SL_C2C_REMOTE_PEER)};
    uint32_t wanted = counters[t->config.metric];
    return sl_popcount64(c.once & wanted) + sl_popcount64(c.twice & wanted);
}

static void count_entry(struct sl_c2c *t, struct sl_c2c_entry *entry, const struct sl_mem_sample *sample,
                        const struct sl_c2c_place *place, struct sl_c2c_class c, uint32_t latency)
{
    count(entry->n, c, OF_ENTRY);
    entry->samples++;
    entry->records += sl_popcount64(c.once & RECORDS);
    if (latency != SL_C2C_LATENCY_NONE) {
        entry->latency_samples[latency]++;
        if (t->config.mergeable)
            sl_c2c_entry_sums(t, entry)->latency_cycles[latency] += sample->weight;
    }
    if (entry->tid != sample->tid)
        entry->flags |= SL_C2C_MANY_THREADS;
    if (t->config.node_counts && place->cpu_node < t->config.n_nodes) {
        struct sl_c2c_node_count *node = sl_c2c_entry_node_counts(t, entry) + place->cpu_node;
        node->metric += node_metric(t, c);
        node->stores += c.once >> SL_C2C_STORE & 1u;
    }
    touch(t, sample, place, sl_c2c_entry_cpus(entry), &entry->last_phys, &entry->phys_changes);
}

static void entry_key(const struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                      struct sl_c2c_entry_key *key)
{
    key->ip = sample->ip;
    key->offset = (uint32_t)sample->address & (t->config.line_bytes - 1);
    key->pid = sample->pid;
    key->tid = sample->tid;
    key->image = place->image;
    sl_c2c_mask_key(t, key);
}

static void add_entry(struct sl_c2c *t, uint32_t line, const struct sl_mem_sample *sample,
                      const struct sl_c2c_place *place, uint32_t hash, struct sl_c2c_class c,
                      struct sl_c2c_added *added)
{
    struct sl_c2c_entry_key key;
    uint32_t index;

    entry_key(t, sample, place, &key);
    if (t->config.lines_only) /* not prepared */
        hash = sl_c2c_entry_hash(sl_c2c_line_at(t, line)->hash, &key);
    index = sl_c2c_find_entry(t, line, &key, hash);
    if (index == SL_C2C_NONE) {
        index = sl_c2c_new_entry(t, line, &key, hash);
        if (index == SL_C2C_NONE) {
            t->losses.samples_unplaced++;
            return;
        }
        added->new_entry = true;
        first_sample(t, sl_c2c_entry_at(t, index), sample, place);
    }
    added->entry = sl_c2c_entry_at(t, index);
    count_entry(t, added->entry, sample, place, c, added->latency);
}

void sl_c2c_prepare(const struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                    struct sl_c2c_hint *hint)
{
    struct sl_c2c_entry_key entry;

    if (place == NULL)
        place = &nowhere;
    line_key(t, sample, place, &hint->line);
    hint->line_hash = sl_c2c_line_hash(&hint->line);
    hint->entry_hash = 0;
    __builtin_prefetch(&t->line_slots.at[hint->line_hash & t->line_slots.mask]);
    if (t->config.lines_only)
        return;
    entry_key(t, sample, place, &entry);
    hint->entry_hash = sl_c2c_entry_hash(hint->line_hash, &entry);
    __builtin_prefetch(&t->entry_slots.at[hint->entry_hash & t->entry_slots.mask]);
}

/* The record that the slot of a hash most likely means. */
static const unsigned char *guess(const struct sl_c2c_slots *slots, uint32_t hash, const unsigned char *records,
                                  uint32_t stride)
{
    uint32_t at = hash & slots->mask;
    while (slots->at[at].index_plus_1 != 0 && slots->at[at].hash != hash)
        at = (at + 1) & slots->mask;
    return slots->at[at].index_plus_1 == 0 ? NULL : records + (size_t)(slots->at[at].index_plus_1 - 1) * stride;
}

static void fetch(const unsigned char *record, uint32_t stride)
{
    for (uint32_t at = 0; record != NULL && at < stride && at < 320; at += 64)
        __builtin_prefetch(record + at, 1);
}

void sl_c2c_fetch(const struct sl_c2c *t, const struct sl_c2c_hint *hint)
{
    fetch(guess(&t->line_slots, hint->line_hash, t->lines, t->line_stride), t->line_stride);
    if (!t->config.lines_only)
        fetch(guess(&t->entry_slots, hint->entry_hash, t->entries, t->entry_stride), t->entry_stride);
}

void sl_c2c_add_prepared(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                         const struct sl_c2c_hint *hint, struct sl_c2c_added *added)
{
    struct sl_c2c_class c;
    struct sl_c2c_line *line;
    uint32_t index;

    if (place == NULL)
        place = &nowhere;
    c = sl_c2c_classify(sample->source, sample->address != 0, (place->flags & SL_C2C_BOTH_MAPPED) != 0);
    index = find_line(t, sample, hint);
    line = sl_c2c_line_at(t, index);
    count(line->stats.n, c, ~(uint32_t)0);
    line->period += sample->period;
    touch(t, sample, place, sl_c2c_line_cpus(line), &line->last_phys, &line->phys_changes);
    if (c.once & CONTENDED)
        sl_c2c_heap_raise(t, index);
    added->line = line;
    added->entry = NULL;
    added->new_entry = false;
    added->latency = latency_of(c.once);
    if (!t->config.lines_only)
        add_entry(t, index, sample, place, hint->entry_hash, c, added);
}

void sl_c2c_add_entry(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                      const struct sl_c2c_hint *hint, struct sl_c2c_added *added)
{
    uint32_t index = (uint32_t)((size_t)((unsigned char *)added->line - t->lines) / t->line_stride);
    struct sl_c2c_class c;

    if (place == NULL)
        place = &nowhere;
    c = sl_c2c_classify(sample->source, sample->address != 0, (place->flags & SL_C2C_BOTH_MAPPED) != 0);
    added->entry = NULL;
    added->new_entry = false;
    added->latency = latency_of(c.once);
    add_entry(t, index, sample, place, hint->entry_hash, c, added);
}

uint32_t sl_c2c_line_of(const struct sl_c2c *t, const struct sl_c2c_hint *hint)
{
    return sl_c2c_find_line(t, &hint->line, hint->line_hash);
}

void sl_c2c_add(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                struct sl_c2c_added *added)
{
    struct sl_c2c_hint hint;

    sl_c2c_prepare(t, sample, place, &hint);
    sl_c2c_add_prepared(t, sample, place, &hint, added);
}
