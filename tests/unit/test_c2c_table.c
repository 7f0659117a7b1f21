/* SPDX-License-Identifier: Apache-2.0 */
/* The c2c engine: what a sample counts for, bounds and their guarantee, partial tables that merge in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <slotledger/c2c.h>

/* ---- classification: cases of design/c2c-report.md, section 4 ------------------------------------------------------
 */

#define LOAD  SL_MEM_OP_LOAD
#define STORE SL_MEM_OP_STORE
#define HIT   SL_MEM_LVL_HIT

struct case_of_source {
    uint64_t source;
    bool address, mapped;
    int counters[5]; /* beside SL_C2C_SAMPLES, which 0 would not be: -1 ends */
    int twice;
};

static const struct case_of_source cases[] = {
    {LOAD | HIT | SL_MEM_LVL_L1, true, true, {SL_C2C_LOAD, SL_C2C_LOAD_L1, -1}, -1},
    {LOAD | HIT | SL_MEM_LVL_L3, true, true, {SL_C2C_LOAD, SL_C2C_LOAD_LLC, -1}, -1},
    {LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM, true, true, {SL_C2C_LOAD, SL_C2C_LOCAL_HITM, -1}, -1},
    {LOAD | HIT | SL_MEM_LVL_L3, false, true, {SL_C2C_LOAD, SL_C2C_LOAD_NO_ADDRESS, -1}, -1},
    {LOAD | HIT | SL_MEM_LVL_L3, true, false, {SL_C2C_LOAD, SL_C2C_LOAD_LLC, SL_C2C_NO_MAP, -1}, -1},
    {LOAD | HIT | SL_MEM_LVL_L2 | SL_MEM_LVL_L3 | SL_MEM_SNOOPX_PEER,
     true,
     true,
     {SL_C2C_LOAD, SL_C2C_LOAD_L2, SL_C2C_LOAD_LLC, SL_C2C_LOCAL_PEER, -1},
     SL_C2C_LOCAL_PEER},
    {LOAD | SL_MEM_LVL_NA | SL_MEM_REMOTE | SL_MEM_SNOOP_HITM, true, true, {SL_C2C_LOAD, SL_C2C_REMOTE_HITM, -1}, -1},
    {LOAD | HIT | SL_MEM_LVL_L2 | SL_MEM_REMOTE | SL_MEM_HOPS(1) | SL_MEM_SNOOP_HITM,
     true,
     true,
     {SL_C2C_LOAD, SL_C2C_LOAD_L2, -1},
     -1},
    {LOAD | HIT | SL_MEM_LVL_REMOTE_RAM1 | SL_MEM_SNOOP_HIT,
     true,
     true,
     {SL_C2C_LOAD, SL_C2C_REMOTE_DRAM, SL_C2C_LOAD_SHARED, -1},
     -1},
    {LOAD | STORE | SL_MEM_LVL_MISS, true, true, {SL_C2C_LOAD, SL_C2C_LOAD_MISS, -1}, -1},
    {STORE | HIT | SL_MEM_LVL_MISS | SL_MEM_LVL_L1,
     true,
     true,
     {SL_C2C_STORE, SL_C2C_STORE_L1_HIT, SL_C2C_STORE_L1_MISS, -1},
     -1},
    {STORE | SL_MEM_LVL_NA | SL_MEM_LOCK_LOCKED, true, true, {SL_C2C_STORE, SL_C2C_STORE_NA, SL_C2C_LOCKED, -1}, -1},
    {SL_MEM_SOURCE_UNKNOWN, true, true, {SL_C2C_NOT_PARSED, -1}, -1},
};

static void test_classify(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_c2c_class c = sl_c2c_classify(cases[i].source, cases[i].address, cases[i].mapped);
        uint32_t expected = (uint32_t)1 << SL_C2C_SAMPLES;
        for (const int *counter = cases[i].counters; *counter >= 0; counter++)
            expected |= (uint32_t)1 << *counter;
        assert_int_equal(c.once, expected);
        assert_int_equal(c.twice, cases[i].twice < 0 ? 0 : (uint32_t)1 << cases[i].twice);
    }
}

/* ---- tables
 * ---------------------------------------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t rnd(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

struct table {
    struct sl_c2c t;
    void *memory;
};

static void make(struct table *table, uint32_t lines, uint32_t entries)
{
    struct sl_c2c_config config = {.n_cpus = 40,
                                   .n_nodes = 3,
                                   .keys = {SL_C2C_KEY_IP, SL_C2C_KEY_TID},
                                   .node_counts = true,
                                   .mergeable = true,
                                   .max_lines = lines,
                                   .max_entries = entries};
    size_t need = sl_c2c_need(&config);
    table->memory = malloc(need);
    assert_non_null(table->memory);
    assert_int_equal(sl_c2c_init(&table->t, &config, table->memory, need), SL_OK);
}

static void random_sample(struct sl_mem_sample *s, struct sl_c2c_place *p, uint64_t time, uint32_t lines)
{
    static const uint64_t sources[] = {LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM, LOAD | HIT | SL_MEM_LVL_L1,
                                       STORE | HIT | SL_MEM_LVL_L1, LOAD | HIT | SL_MEM_LVL_L2 | SL_MEM_SNOOPX_PEER};
    memset(s, 0, sizeof *s);
    memset(p, 0, sizeof *p);
    s->time = time;
    s->address = 0x10000 + 64 * (rnd(3) ? rnd(4) : rnd(lines)) + 4 * rnd(4);
    s->ip = 0x400000 + 4 * rnd(5);
    s->source = sources[rnd(4)];
    s->weight = rnd(1000);
    s->pid = 100 + rnd(2);
    s->tid = s->pid + 10 * rnd(3);
    s->cpu = rnd(40);
    s->mode = SL_MEM_MODE_USER;
    s->period = rnd(100);
    p->data_address = s->address;
    p->flags = SL_C2C_DATA_MAPPED | SL_C2C_BOTH_MAPPED | (rnd(4) ? SL_C2C_SHARED : 0);
    p->memory_node = SL_C2C_NO_NODE;
    p->cpu_node = rnd(3);
    p->thread = s->tid;
    p->code = rnd(3);
    p->image = rnd(3);
}

struct blob {
    uint8_t *data;
    size_t len, capacity;
};

/* Grows by doubling: a sanitizer's realloc copies each time. */
static bool collect(void *context, const uint8_t *data, size_t len)
{
    struct blob *blob = context;

    if (blob->len + len > blob->capacity) {
        blob->capacity = 2 * (blob->len + len) + 4096;
        blob->data = realloc(blob->data, blob->capacity);
        assert_non_null(blob->data);
    }
    memcpy(blob->data + blob->len, data, len);
    blob->len += len;
    return true;
}

static struct blob save(const struct sl_c2c *t)
{
    struct blob blob = {NULL, 0, 0};
    uint32_t *order = malloc((t->lines_top + t->entries_top + 1) * sizeof *order);
    assert_int_equal(sl_c2c_save(t, NULL, order, collect, &blob), SL_OK);
    free(order);
    return blob;
}

static void assert_same_blob(const struct blob *a, const struct blob *b)
{
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->data, b->data, a->len);
}

#define PARTS 4

/* Every order of merging four parts gives the bytes of the table of all samples. */
static void test_merge_any_order(void **state)
{
    struct table parts[PARTS], whole;
    struct blob blobs[PARTS], expected;

    (void)state;
    for (uint32_t round = 0; round < 20; round++) {
        seed = round;
        make(&whole, 500, 5000);
        for (uint32_t i = 0; i < PARTS; i++)
            make(&parts[i], 500, 5000);
        for (uint64_t time = 1; time < 1500; time++) {
            struct sl_mem_sample sample;
            struct sl_c2c_place place;
            struct sl_c2c_added added;
            random_sample(&sample, &place, time, 100);
            sl_c2c_add(&whole.t, &sample, &place, &added);
            sl_c2c_add(&parts[rnd(PARTS)].t, &sample, &place, &added);
        }
        expected = save(&whole.t);
        for (uint32_t i = 0; i < PARTS; i++)
            blobs[i] = save(&parts[i].t);
        for (uint32_t order = 0; order < 24; order++) {
            struct table merged;
            struct blob got;
            uint32_t left[PARTS] = {0, 1, 2, 3}, code = order;
            make(&merged, 500, 5000);
            for (uint32_t n = PARTS; n > 0; n--) {
                uint32_t pick = code % n;
                assert_int_equal(sl_c2c_merge(&merged.t, NULL, blobs[left[pick]].data, blobs[left[pick]].len), SL_OK);
                left[pick] = left[n - 1];
                code /= n;
            }
            got = save(&merged.t);
            assert_same_blob(&got, &expected);
            free(got.data);
            free(merged.memory);
        }
        for (uint32_t i = 0; i < PARTS; i++) {
            free(blobs[i].data);
            free(parts[i].memory);
        }
        free(expected.data);
        free(whole.memory);
    }
}

/* A cut or damaged part changes nothing. */
static void test_merge_damage(void **state)
{
    struct table from, to;
    struct blob part, before, after;

    (void)state;
    seed = 5;
    make(&from, 100, 1000);
    make(&to, 100, 1000);
    for (uint64_t time = 1; time < 300; time++) {
        struct sl_mem_sample sample;
        struct sl_c2c_place place;
        struct sl_c2c_added added;
        random_sample(&sample, &place, time, 20);
        sl_c2c_add(time % 2 ? &from.t : &to.t, &sample, &place, &added);
    }
    part = save(&from.t);
    before = save(&to.t);
    for (size_t len = 0; len < part.len; len++)
        assert_int_equal(sl_c2c_merge(&to.t, NULL, part.data, len), SL_E_TRUNCATED);
    part.data[0] ^= 1;
    assert_int_equal(sl_c2c_merge(&to.t, NULL, part.data, part.len), SL_E_DATA);
    after = save(&to.t);
    assert_same_blob(&before, &after);
    free(part.data);
    free(before.data);
    free(after.data);
    free(from.memory);
    free(to.memory);
}

/* Merging into a table that has no room for both: an error, and nothing is changed. */
static void test_merge_room(void **state)
{
    struct table from, to;
    struct blob part, before, after;

    (void)state;
    seed = 6;
    make(&from, 100, 1000);
    make(&to, 3, 1000);
    for (uint64_t time = 1; time < 100; time++) {
        struct sl_mem_sample sample;
        struct sl_c2c_place place;
        struct sl_c2c_added added;
        random_sample(&sample, &place, time, 20);
        sl_c2c_add(&from.t, &sample, &place, &added);
    }
    part = save(&from.t);
    before = save(&to.t);
    assert_int_equal(sl_c2c_merge(&to.t, NULL, part.data, part.len), SL_E_ROOM);
    after = save(&to.t);
    assert_same_blob(&before, &after);
    free(part.data);
    free(before.data);
    free(after.data);
    free(from.memory);
    free(to.memory);
}

/* ---- the bound: the three claims of c2c.h on streams with few hot and many cold lines
 * --------------------------------- */

#define LINES 2000

static void check_claims(const struct table *table, const uint32_t *exact, uint32_t kept, bool entries_suffice)
{
    struct sl_c2c_stats totals;
    const struct sl_c2c_line *line;
    uint32_t cursor = 0, all = 0, present = 0, seen[LINES] = {0};

    for (uint32_t i = 0; i < LINES; i++)
        all += exact[i];
    while ((line = sl_c2c_next_line(&table->t, &cursor)) != NULL) {
        uint32_t i = (uint32_t)((line->key.address - 0x10000) / 64);
        assert_true(sl_c2c_contended(line) <= exact[i]);
        assert_true(exact[i] <= sl_c2c_contended(line) + line->missed_max);
        seen[i] = 1;
        present++;
    }
    assert_int_equal(present, table->t.n_lines);
    assert_true(present <= kept);
    for (uint32_t i = 0; i < LINES; i++) {
        if (!seen[i])
            assert_true(exact[i] <= table->t.losses.missed_max);
    }
    if (entries_suffice)
        assert_true(table->t.losses.missed_max <= all / kept);
    sl_c2c_totals(&table->t, &totals);
    assert_int_equal(totals.n[SL_C2C_LOCAL_HITM], all);
}

static void run_bounded(uint32_t kept, uint32_t entries, bool entries_suffice)
{
    uint32_t exact[LINES] = {0};
    struct table table;

    make(&table, kept, entries);
    for (uint64_t time = 1; time < 30000; time++) {
        struct sl_mem_sample sample;
        struct sl_c2c_place place;
        struct sl_c2c_added added;
        uint32_t line = rnd(3) ? rnd(10) * rnd(10) : rnd(LINES);
        random_sample(&sample, &place, time, 1);
        sample.address = place.data_address = 0x10000 + 64 * (uint64_t)line + 4 * rnd(4);
        place.flags |= SL_C2C_SHARED;
        sample.source = rnd(4) ? LOAD | HIT | SL_MEM_LVL_L3 | SL_MEM_SNOOP_HITM : STORE | HIT | SL_MEM_LVL_L1;
        exact[line] += (sample.source & LOAD) != 0;
        sl_c2c_add(&table.t, &sample, &place, &added);
        assert_true(table.t.n_lines <= kept && table.t.n_entries <= entries);
        if (time % 5000 == 0)
            check_claims(&table, exact, kept, entries_suffice);
    }
    check_claims(&table, exact, kept, entries_suffice);
    assert_true(table.t.losses.lines_evicted > 0);
    assert_int_equal(entries_suffice, table.t.losses.entry_shortages == 0);
    free(table.memory);
}

static void test_bound(void **state)
{
    (void)state;
    seed = 7;
    run_bounded(50, 10000, true);
    run_bounded(3, 10000, true);
    run_bounded(1, 10000, true);
    run_bounded(200, 300, false);
    run_bounded(200, 1, false);
}

static void test_memory(void **state)
{
    struct sl_c2c_config config = {.keys = {SL_C2C_KEY_IP}, .max_lines = 100, .max_entries = 1000};
    size_t need = sl_c2c_need(&config);
    unsigned char *memory = malloc(need);
    struct sl_c2c t;

    (void)state;
    for (size_t len = 0; len < need; len += 97) {
        if (sl_c2c_init(&t, &config, memory, len) == SL_OK) {
            assert_true(need - len <= SL_ARENA_ALIGN);
            continue;
        }
        assert_true(t.missing_bytes > 0 && len + t.missing_bytes <= need);
        assert_int_equal(sl_c2c_init(&t, &config, memory, len + t.missing_bytes), SL_OK);
    }
    config.line_bytes = 48;
    assert_int_equal(sl_c2c_init(&t, &config, memory, need), SL_E_ARGUMENT);
    assert_true(sl_c2c_need(&config) == SIZE_MAX);
    config.line_bytes = 64;
    config.keys[1] = SL_C2C_KEY_IP;
    assert_int_equal(sl_c2c_init(&t, &config, memory, need), SL_E_ARGUMENT);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classify),   cmocka_unit_test(test_merge_any_order), cmocka_unit_test(test_merge_damage),
        cmocka_unit_test(test_merge_room), cmocka_unit_test(test_bound),           cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
