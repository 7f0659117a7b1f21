/* SPDX-License-Identifier: Apache-2.0 */
/* The c2c engine: any samples into a small table, any bytes as a partial table. */
#include "tests/fuzz/fuzz.h"

#include <slotledger/c2c.h>

#include <stdlib.h>

#define SAMPLE_BYTES 14u

struct output {
    uint8_t *data;
    size_t len, room;
};

static bool collect(void *context, const uint8_t *data, size_t len)
{
    struct output *o = context;
    if (o->len + len > o->room) {
        o->room = 2 * o->room + 4096;
        o->data = realloc(o->data, o->room);
        fuzz_require(o->data != NULL);
    }
    memcpy(o->data + o->len, data, len);
    o->len += len;
    return true;
}

static void make(struct sl_c2c *t, const struct sl_c2c_config *config, void **memory)
{
    size_t need = sl_c2c_need(config);
    fuzz_require(need != SIZE_MAX);
    *memory = malloc(need);
    fuzz_require(sl_c2c_init(t, config, *memory, need) == SL_OK);
}

static struct output save(const struct sl_c2c *t)
{
    struct output out = {NULL, 0, 0};
    uint32_t *order = malloc(((size_t)t->lines_top + t->entries_top + 1) * sizeof *order);
    fuzz_require(sl_c2c_save(t, NULL, order, collect, &out) == SL_OK);
    free(order);
    return out;
}

static void add(struct sl_c2c *t, const uint8_t *d, uint64_t time)
{
    struct sl_mem_sample sample;
    struct sl_c2c_place place;
    struct sl_c2c_added added;
    uint32_t contended;

    memset(&sample, 0, sizeof sample);
    memset(&place, 0, sizeof place);
    sample.source = sl_get_u32le(d) | (uint64_t)d[4] << 32 | (uint64_t)(d[5] & 63) << 40;
    sample.address = place.data_address = d[6] * 16u;
    sample.ip = d[7] & 7;
    sample.tid = sample.pid = d[8] & 3;
    sample.cpu = d[9];
    sample.weight = d[10];
    sample.phys_address = d[11] & 15;
    sample.mode = d[12] & 7;
    sample.time = time;
    place.flags = d[13] & 7;
    place.memory_node = d[13] >> 3 & 3;
    place.cpu_node = d[13] >> 5;
    place.inode = d[12] >> 6;
    place.image = d[12] >> 3 & 3;
    sl_c2c_add(t, &sample, d[13] == 255 ? NULL : &place, &added);
    contended = sl_c2c_contended(added.line);
    fuzz_require(t->n_lines >= 1 && t->n_lines <= t->config.max_lines && t->n_entries <= t->config.max_entries);
    fuzz_require(contended + added.line->missed_max >= contended && added.latency <= SL_C2C_LATENCY_NONE);
}

/* Entries of all lines are those in use, and nothing was lost from the totals. */
static void check(const struct sl_c2c *t, uint32_t n_samples)
{
    struct sl_c2c_stats totals;
    const struct sl_c2c_line *line;
    uint32_t cursor = 0, entries = 0, lines = 0, in_entries = 0;

    while ((line = sl_c2c_next_line(t, &cursor)) != NULL) {
        uint32_t n = 0;
        for (uint32_t at = line->first_entry; at != SL_C2C_NONE; at = sl_c2c_entry_at(t, at)->next) {
            in_entries += sl_c2c_entry_at(t, at)->samples;
            fuzz_require(sl_c2c_line_at(t, sl_c2c_entry_at(t, at)->line) == line);
            n++;
        }
        fuzz_require(n == line->n_entries);
        entries += n;
        lines++;
    }
    fuzz_require(entries == t->n_entries && lines == t->n_lines);
    sl_c2c_totals(t, &totals);
    fuzz_require(totals.n[SL_C2C_SAMPLES] == n_samples);
    fuzz_require(in_entries <= n_samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_c2c_config config = {.n_cpus = 33, .n_nodes = 3, .mergeable = true};
    struct sl_c2c t, again;
    struct output first, second;
    void *memory, *more;
    uint32_t n = 0;
    size_t at = 4;

    if (size < 4)
        return 0;
    config.line_bytes = 16u << (data[0] & 3);
    config.node_counts = data[0] >> 2 & 1;
    config.metric = data[0] >> 3 & 3;
    config.keys[0] = data[1] & 3;
    config.keys[1] = data[1] & 3 ? SL_C2C_KEY_IMAGE : SL_C2C_KEY_END;
    config.max_lines = 1 + data[2] % 16;
    config.max_entries = 1 + data[3] % 32;
    make(&t, &config, &memory);
    for (; at + SAMPLE_BYTES <= size; at += SAMPLE_BYTES)
        add(&t, data + at, ++n);
    check(&t, n);
    first = save(&t);
    make(&again, &config, &more);
    fuzz_require(sl_c2c_merge(&again, NULL, first.data, first.len) == SL_OK);
    check(&again, n);
    second = save(&again);
    fuzz_require(first.len == second.len && !memcmp(first.data, second.data, first.len));
    free(second.data);
    /* Any bytes: an error leaves the table as it was. */
    if (first.len && size > 8)
        first.data[data[5] % first.len] ^= data[4];
    if (sl_c2c_merge(&again, NULL, first.data, first.len) != SL_OK) {
        check(&again, n);
    }
    if (sl_c2c_merge(&t, NULL, data + 4, size - 4) != SL_OK)
        check(&t, n);
    (void)sl_c2c_peek(data, size, &config);
    free(first.data);
    free(memory);
    free(more);
    return 0;
}
