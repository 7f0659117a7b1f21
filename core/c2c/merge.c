/* SPDX-License-Identifier: Apache-2.0 */
/* A saved table added to a table. Everything is a sum, a union or a minimum, so that the order of merging does not
 * matter. The bytes are walked twice: the first walk changes nothing. */
#include "blob.h"

struct merger {
    struct sl_c2c *t;
    const struct sl_c2c_renumber *renumber;
    const uint8_t *start, *at, *end;
    enum sl_status status;
    bool apply;
    uint32_t cpu_words, node_words, n_nodes; /* of the blob */
    uint32_t missed_max;
    uint32_t new_lines, new_entries;
};

SL_C2C_OUT_OF_LINE static uint64_t get(struct merger *m)
{
    uint64_t value = 0;

    for (uint32_t shift = 0; m->status == SL_OK; shift += 7) {
        uint8_t byte;
        if (m->at == m->end) {
            m->status = SL_E_TRUNCATED;
            break;
        }
        byte = *m->at++;
        if (shift > 63 || (shift == 63 && byte > 1)) {
            m->status = SL_E_DATA;
            break;
        }
        value |= (uint64_t)(byte & 127u) << shift;
        if (byte < 128)
            return value;
    }
    return 0;
}

/* A number that fits: at most `max`. */
SL_C2C_OUT_OF_LINE static uint32_t get32(struct merger *m, uint32_t max)
{
    uint64_t value = get(m);
    if (value > max && m->status == SL_OK)
        m->status = SL_E_DATA;
    return m->status == SL_OK ? (uint32_t)value : 0;
}

/* target NULL: only read. */
SL_C2C_OUT_OF_LINE static void add_all(struct merger *m, uint32_t *target, uint32_t n)
{
    for (uint32_t i = 0; i < n && m->status == SL_OK; i++) {
        uint32_t value = get32(m, UINT32_MAX);
        if (target != NULL)
            target[i] += value;
    }
}

SL_C2C_OUT_OF_LINE static void unite(struct merger *m, uint32_t *sets)
{
    for (uint32_t i = 0; i < m->cpu_words + m->node_words && m->status == SL_OK; i++) {
        uint32_t word = get32(m, UINT32_MAX);
        if (sets != NULL)
            sets[i < m->cpu_words ? i : m->t->cpu_words + i - m->cpu_words] |= word;
    }
}

static uint32_t get_number(struct merger *m, const uint32_t *table, uint32_t n)
{
    uint32_t number = get32(m, table != NULL && n != 0 ? n - 1 : UINT32_MAX);
    if (table != NULL && n == 0 && m->status == SL_OK)
        m->status = SL_E_DATA;
    return table != NULL && m->status == SL_OK ? table[number] : number;
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

struct first {
    uint64_t time;
    struct sl_c2c_entry_key key;
    uint32_t shown_offset, thread, code;
};

static int by_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Which of two samples was first; in doubt by all that would be kept of them. */
SL_C2C_OUT_OF_LINE static int compare_first(const struct first *a, const struct sl_c2c_entry *b, uint64_t time)
{
    int order = by_u64(a->time, time);
    order = order ? order : by_u64(a->shown_offset, b->shown_offset);
    order = order ? order : by_u64(a->key.ip, b->ip);
    order = order ? order : by_u64(a->key.pid, b->pid);
    order = order ? order : by_u64(a->key.tid, b->tid);
    order = order ? order : by_u64(a->key.image, b->image);
    order = order ? order : by_u64(a->thread, b->thread);
    return order ? order : by_u64(a->code, b->code);
}

SL_C2C_OUT_OF_LINE static void get_first(struct merger *m, struct first *f)
{
    const struct sl_c2c_renumber *r = m->renumber;
    uint64_t image;

    f->key.ip = get(m);
    f->key.offset = get32(m, m->t->config.line_bytes - 1);
    f->key.pid = get32(m, UINT32_MAX);
    f->key.tid = get32(m, UINT32_MAX);
    image = get32(m, UINT32_MAX);
    f->key.image = image == 0 ? SL_C2C_NO_IMAGE : (uint32_t)image - 1;
    if (image != 0 && r != NULL && r->image != NULL) {
        if (image > r->n_images)
            m->status = m->status == SL_OK ? SL_E_DATA : m->status;
        else
            f->key.image = r->image[image - 1];
    }
    f->time = get(m);
    f->shown_offset = get32(m, m->t->config.line_bytes - 1);
    f->thread = get_number(m, r != NULL ? r->thread : NULL, r != NULL ? r->n_threads : 0);
    f->code = get_number(m, r != NULL ? r->code : NULL, r != NULL ? r->n_codes : 0);
}

/* The entry for what was read, or NULL in the first walk. */
SL_C2C_OUT_OF_LINE static struct sl_c2c_entry *enter(struct merger *m, uint32_t line, const struct first *f)
{
    struct sl_c2c_entry_key key = f->key;
    struct sl_c2c_entry *entry;
    uint32_t hash = 0, index = SL_C2C_NONE;
    bool is_new;

    sl_c2c_mask_key(m->t, &key);
    if (line != SL_C2C_NONE) {
        hash = sl_c2c_entry_hash(sl_c2c_line_at(m->t, line)->hash, &key);
        index = sl_c2c_find_entry(m->t, line, &key, hash);
    }
    is_new = index == SL_C2C_NONE;
    m->new_entries += is_new;
    if (!m->apply || m->status != SL_OK)
        return NULL;
    if (is_new)
        index = sl_c2c_new_entry(m->t, line, &key, hash);
    entry = sl_c2c_entry_at(m->t, index);
    if (!is_new && entry->tid != f->key.tid)
        entry->flags |= SL_C2C_MANY_THREADS;
    if (is_new || compare_first(f, entry, sl_c2c_entry_sums(m->t, entry)->first_time) < 0) {
        entry->ip = f->key.ip;
        entry->pid = f->key.pid;
        entry->tid = f->key.tid;
        entry->image = f->key.image;
        entry->thread = f->thread;
        entry->code = f->code;
        entry->shown_offset = (uint16_t)f->shown_offset;
        sl_c2c_entry_sums(m->t, entry)->first_time = f->time;
    }
    return entry;
}

SL_C2C_OUT_OF_LINE static void merge_entry(struct merger *m, uint32_t line)
{
    struct first f;
    struct sl_c2c_entry *e;
    uint32_t flags;

    get_first(m, &f);
    flags = get32(m, UINT32_MAX);
    e = enter(m, line, &f);
    if (e != NULL)
        e->flags |= flags;
    add_all(m, e != NULL ? &e->phys_changes : NULL, 1);
    add_all(m, e != NULL ? &e->samples : NULL, 1);
    add_all(m, e != NULL ? &e->records : NULL, 1);
    add_all(m, e != NULL ? e->n : NULL, SL_C2C_ENTRY_COUNTERS);
    add_all(m, e != NULL ? e->latency_samples : NULL, SL_C2C_LATENCIES);
    for (uint32_t i = 0; i < SL_C2C_LATENCIES && m->status == SL_OK; i++) {
        uint64_t cycles = get(m);
        if (e != NULL)
            sl_c2c_entry_sums(m->t, e)->latency_cycles[i] += cycles;
    }
    unite(m, e != NULL ? sl_c2c_entry_cpus(e) : NULL);
    if (m->t->config.node_counts)
        add_all(m, e != NULL ? &sl_c2c_entry_node_counts(m->t, e)->metric : NULL, 2 * m->n_nodes);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void get_key(struct merger *m, struct sl_c2c_line_key *key)
{
    key->mode = get32(m, SL_C2C_NONE - 1);
    key->unmapped = get32(m, UINT32_MAX);
    key->major = get32(m, UINT32_MAX);
    key->minor = get32(m, UINT32_MAX);
    key->inode = get(m);
    key->generation = get(m);
    key->pid = get32(m, UINT32_MAX);
    key->address = get(m);
}

/* Counts of the line up to its entries. NULL: only read. */
SL_C2C_OUT_OF_LINE static void merge_counts(struct merger *m, struct sl_c2c_line *line, bool is_new)
{
    uint64_t address = get(m), time = get(m), period = get(m);

    if (line != NULL) {
        line->period += period;
        if (is_new || time < line->first_time || (time == line->first_time && address < line->address)) {
            line->first_time = time;
            line->address = address;
        }
        /* A line that the other side does not have may have lost as much there as any. */
        if (!is_new)
            line->missed_max -= m->missed_max;
    }
    add_all(m, line != NULL ? &line->phys_changes : NULL, 1);
    add_all(m, line != NULL ? &line->missed_max : NULL, 1);
    add_all(m, line != NULL ? line->stats.n : NULL, SL_C2C_COUNTERS);
    unite(m, line != NULL ? sl_c2c_line_cpus(line) : NULL);
}

SL_C2C_OUT_OF_LINE static void merge_line(struct merger *m)
{
    struct sl_c2c_line_key key;
    struct sl_c2c_line *line = NULL;
    uint32_t hash, index, n;
    bool is_new;

    get_key(m, &key);
    hash = sl_c2c_line_hash(&key);
    index = sl_c2c_find_line(m->t, &key, hash);
    is_new = index == SL_C2C_NONE;
    m->new_lines += is_new;
    if (m->apply) {
        if (is_new)
            index = sl_c2c_new_line(m->t, &key, hash);
        line = sl_c2c_line_at(m->t, index);
        if (line->key.generation == 0)
            line->key.generation = key.generation;
    }
    merge_counts(m, line, is_new);
    if (line != NULL)
        sl_c2c_heap_raise(m->t, index);
    n = get32(m, UINT32_MAX);
    while (n-- > 0 && m->status == SL_OK)
        merge_entry(m, index);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void get_config(struct merger *m, struct sl_c2c_config *c)
{
    sl_c2c_zero(c, sizeof *c);
    if (get(m) != SL_C2C_MAGIC && m->status == SL_OK)
        m->status = SL_E_DATA;
    c->line_bytes = get32(m, 4096);
    for (uint32_t i = 0; i < SL_C2C_MAX_KEYS; i++)
        c->keys[i] = (uint8_t)get32(m, SL_C2C_KEY_IMAGE);
    c->metric = (uint8_t)get32(m, SL_C2C_METRIC_PEER);
    c->node_counts = get32(m, 1);
    c->n_cpus = get32(m, 1u << 20);
    c->n_nodes = get32(m, 1u << 16);
    c->max_lines = get32(m, SL_C2C_NONE - 1);
    c->max_entries = get32(m, SL_C2C_NONE - 1);
    c->mergeable = true;
}

static bool agree(const struct sl_c2c_config *a, const struct sl_c2c_config *b)
{
    bool same = a->line_bytes == b->line_bytes && a->metric == b->metric && a->node_counts == b->node_counts;
    for (uint32_t i = 0; i < SL_C2C_MAX_KEYS; i++)
        same = same && a->keys[i] == b->keys[i];
    return same && a->mergeable && !a->lines_only && b->n_cpus <= a->n_cpus && b->n_nodes <= a->n_nodes;
}

/* Before a line is merged: all lines may have lost so much more. */
static void spread_loss(struct sl_c2c *t, uint32_t missed_max)
{
    struct sl_c2c_line *line;
    uint32_t cursor = 0;
    while ((line = sl_c2c_next_line(t, &cursor)) != NULL)
        line->missed_max += missed_max;
}

static void merge_losses(struct merger *m)
{
    struct sl_c2c_losses *l = m->apply ? &m->t->losses : NULL;
    uint64_t evicted, unplaced;

    m->missed_max = get32(m, UINT32_MAX);
    if (l != NULL)
        spread_loss(m->t, m->missed_max);
    add_all(m, l != NULL ? &l->lines_evicted : NULL, 1);
    add_all(m, l != NULL ? &l->entries_evicted : NULL, 1);
    evicted = get(m);
    add_all(m, l != NULL ? &l->entry_shortages : NULL, 1);
    unplaced = get(m);
    if (l != NULL) {
        l->samples_evicted += evicted;
        l->samples_unplaced += unplaced;
    }
    add_all(m, m->apply ? m->t->evicted.n : NULL, SL_C2C_COUNTERS);
}

static void walk(struct merger *m, bool apply)
{
    struct sl_c2c_config config;

    m->apply = apply;
    m->at = m->start;
    m->new_lines = m->new_entries = 0;
    get_config(m, &config);
    if (m->status == SL_OK && !agree(&m->t->config, &config))
        m->status = SL_E_ARGUMENT;
    if (m->status != SL_OK)
        return;
    m->cpu_words = (uint32_t)SL_BIT_WORDS(config.n_cpus);
    m->node_words = (uint32_t)SL_BIT_WORDS(config.n_nodes);
    m->n_nodes = config.n_nodes;
    merge_losses(m);
    for (uint32_t i = 0; i < config.max_lines && m->status == SL_OK; i++)
        merge_line(m);
    if (m->status == SL_OK && m->at != m->end)
        m->status = SL_E_DATA;
    if (apply)
        m->t->losses.missed_max += m->missed_max;
}

enum sl_status sl_c2c_merge(struct sl_c2c *t, const struct sl_c2c_renumber *renumber, const uint8_t *blob, size_t len)
{
    struct merger m = {.t = t, .renumber = renumber, .start = blob, .end = blob + len};

    walk(&m, false);
    if (m.status == SL_OK &&
        (m.new_lines > t->config.max_lines - t->n_lines || m.new_entries > t->config.max_entries - t->n_entries))
        m.status = SL_E_ROOM;
    if (m.status == SL_OK)
        walk(&m, true);
    t->error_offset = (uint64_t)(m.at - m.start);
    return m.status;
}

enum sl_status sl_c2c_peek(const uint8_t *blob, size_t len, struct sl_c2c_config *config)
{
    struct merger m = {.start = blob, .at = blob, .end = blob + len};
    get_config(&m, config);
    return m.status;
}
