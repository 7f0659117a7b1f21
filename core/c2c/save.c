/* SPDX-License-Identifier: Apache-2.0 */
/* A table as bytes: the same bytes for the same table, in whatever order it was made. */
#include "blob.h"

struct saver {
    const struct sl_c2c *t;
    const struct sl_c2c_renumber *renumber;
    sl_c2c_write_fn *write;
    void *context;
    bool stopped;
};

SL_C2C_OUT_OF_LINE static void put(struct saver *s, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;

    do {
        bytes[n] = (uint8_t)((value & 127u) | (value > 127u ? 128u : 0u));
        value >>= 7;
        n++;
    } while (value != 0);
    if (!s->stopped && !s->write(s->context, bytes, n))
        s->stopped = true;
}

SL_C2C_OUT_OF_LINE static void put_all(struct saver *s, const uint32_t *numbers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put(s, numbers[i]);
}

static uint32_t renumbered(const uint32_t *table, uint32_t number)
{
    return table != NULL ? table[number] : number;
}

SL_C2C_OUT_OF_LINE static void put_entry(struct saver *s, const struct sl_c2c_entry *e)
{
    const struct sl_c2c_renumber *r = s->renumber;
    const struct sl_c2c_entry_sums *sums = sl_c2c_entry_sums(s->t, e);
    bool image = e->image != SL_C2C_NO_IMAGE;

    put(s, e->ip);
    put(s, e->offset);
    put(s, e->pid);
    put(s, e->tid);
    put(s, image ? (uint64_t)renumbered(r ? r->image : NULL, e->image) + 1 : 0);
    put(s, sums->first_time);
    put(s, e->shown_offset);
    put(s, renumbered(r ? r->thread : NULL, e->thread));
    put(s, renumbered(r ? r->code : NULL, e->code));
    put(s, e->flags);
    put(s, e->phys_changes);
    put(s, e->samples);
    put(s, e->records);
    put_all(s, e->n, SL_C2C_ENTRY_COUNTERS);
    put_all(s, e->latency_samples, SL_C2C_LATENCIES);
    for (uint32_t i = 0; i < SL_C2C_LATENCIES; i++)
        put(s, sums->latency_cycles[i]);
    put_all(s, sl_c2c_entry_cpus(e), s->t->cpu_words + s->t->node_words);
    if (s->t->config.node_counts)
        put_all(s, &sl_c2c_entry_node_counts(s->t, e)->metric, 2 * s->t->config.n_nodes);
}

SL_C2C_OUT_OF_LINE static void put_line(struct saver *s, const struct sl_c2c_line *line)
{
    uint64_t key[SL_C2C_KEY_LEN];

    sl_c2c_key_numbers(&line->key, key);
    for (uint32_t i = 0; i < SL_C2C_KEY_LEN; i++)
        put(s, key[i]);
    put(s, line->address);
    put(s, line->first_time);
    put(s, line->period);
    put(s, line->phys_changes);
    put(s, line->missed_max);
    put_all(s, line->stats.n, SL_C2C_COUNTERS);
    put_all(s, sl_c2c_line_cpus(line), s->t->cpu_words + s->t->node_words);
    put(s, line->n_entries);
}

SL_C2C_OUT_OF_LINE static void put_head(struct saver *s)
{
    const struct sl_c2c *t = s->t;

    put(s, SL_C2C_MAGIC);
    put(s, t->config.line_bytes);
    for (uint32_t i = 0; i < SL_C2C_MAX_KEYS; i++)
        put(s, t->config.keys[i]);
    put(s, t->config.metric);
    put(s, t->config.node_counts);
    put(s, t->config.n_cpus);
    put(s, t->config.n_nodes);
    put(s, t->n_lines);
    put(s, t->n_entries);
    put(s, t->losses.missed_max);
    put(s, t->losses.lines_evicted);
    put(s, t->losses.entries_evicted);
    put(s, t->losses.samples_evicted);
    put(s, t->losses.entry_shortages);
    put(s, t->losses.samples_unplaced);
    put_all(s, t->evicted.n, SL_C2C_COUNTERS);
}

static int by_line(const void *context, uint32_t a, uint32_t b)
{
    const struct sl_c2c *t = (const struct sl_c2c *)context;
    const struct sl_c2c_line *x = sl_c2c_line_at(t, a), *y = sl_c2c_line_at(t, b);
    int order = sl_c2c_compare_lines(x, y);
    /* Without a generation on one side, any order would do that is always the same. */
    return order != 0 ? order : x->key.generation < y->key.generation ? -1 : x->key.generation > y->key.generation;
}

static int by_entry(const void *context, uint32_t a, uint32_t b)
{
    const struct saver *s = (const struct saver *)context;
    return sl_c2c_compare_entries(s->t, sl_c2c_entry_at(s->t, a), sl_c2c_entry_at(s->t, b),
                                  s->renumber != NULL ? s->renumber->image : NULL);
}

enum sl_status sl_c2c_save(const struct sl_c2c *t, const struct sl_c2c_renumber *renumber, uint32_t *order,
                           sl_c2c_write_fn *write, void *context)
{
    struct saver s = {t, renumber, write, context, false};
    uint32_t *entries = order + t->lines_top, n = 0;

    if (!t->config.mergeable || t->config.lines_only)
        return SL_E_ARGUMENT;
    put_head(&s);
    for (uint32_t i = 0; i < t->lines_top; i++) {
        if (sl_c2c_line_at(t, i)->key.mode != SL_C2C_NONE)
            order[n++] = i;
    }
    sl_c2c_sort(order, n, by_line, t);
    for (uint32_t i = 0; i < n && !s.stopped; i++) {
        const struct sl_c2c_line *line = sl_c2c_line_at(t, order[i]);
        uint32_t k = 0;

        put_line(&s, line);
        for (uint32_t at = line->first_entry; at != SL_C2C_NONE; at = sl_c2c_entry_at(t, at)->next)
            entries[k++] = at;
        sl_c2c_sort(entries, k, by_entry, &s);
        for (k = 0; k < line->n_entries; k++)
            put_entry(&s, sl_c2c_entry_at(t, entries[k]));
    }
    return s.stopped ? SL_E_AGAIN : SL_OK;
}
