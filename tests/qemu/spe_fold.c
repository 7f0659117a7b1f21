/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes SPE buffers of four cores, damage included, and folds their samples into a table of contended lines, all in
 * memory of a fixed size: the same program on a board and on the host has to print the same table.
 * On the host: spe_fold FILE... writes the buffers, one file for each core, for `slotledger c2c report --spe-raw`. */
#include <inttypes.h>
#include <stdio.h>

#include <slotledger/c2c.h>
#include <slotledger/spe.h>

#define CORES        4u
#define RECORDS      300u
#define BUFFER_BYTES 32768u
#define MIDR         0x413fd0c1u /* Neoverse N1 */
/* Table 0 holds all, table 1 has to give lines up. */
#define TABLES      2u
#define MANY        256u /* lines */
#define ENTRIES     2048u
#define FEW_LINES   6u
#define FEW_ENTRIES 24u

static uint8_t buffers[CORES][BUFFER_BYTES];
static size_t lens[CORES];
static uint64_t memory[TABLES][600000 / 8];
static struct sl_c2c tables[TABLES];
static uint32_t order[MANY + ENTRIES];

static uint32_t rnd(uint32_t below)
{
    static uint32_t state = 2026;
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* Few hot lines, many cold ones; loads that hit everywhere, stores, branches; every twentieth record is damaged. */
static void make_buffer(unsigned core)
{
    static const uint8_t sources[] = {0, 0, 8, 9, 9, 10, 11, 12, 13, 14, 3};
    struct sl_spe_encoder e = {.bytes = buffers[core], .room_bytes = BUFFER_BYTES};
    uint64_t time = 1000;

    for (unsigned i = 0; i < RECORDS; i++) {
        bool is_store = rnd(10) < 3, is_hot = rnd(10) < 6;
        struct sl_spe_record r = {.has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_EVENTS | SL_SPE_HAS_TIMESTAMP |
                                         1u << SL_SPE_ADDRESS_PC | 1u << SL_SPE_ADDRESS_VIRTUAL |
                                         (unsigned)SL_SPE_HAS_COUNTER,
                                  .operation_class = rnd(12) ? SL_SPE_CLASS_MEMORY : SL_SPE_CLASS_BRANCH,
                                  .operation = is_store,
                                  .events = 2u | rnd(16) << 2,
                                  .timestamp = time += rnd(30)};
        r.counter[SL_SPE_COUNTER_TOTAL] = (uint16_t)rnd(900);
        r.address[SL_SPE_ADDRESS_PC] = UINT64_C(1) << 63 | (0x80000000u + 4 * rnd(8));
        r.address[SL_SPE_ADDRESS_VIRTUAL] =
            is_hot ? 0x90000000u + 64 * rnd(4) + 8 * rnd(8) : 0x90010000u + 8 * rnd(1600);
        if (!is_store) {
            r.has |= SL_SPE_HAS_SOURCE;
            r.source = sources[rnd(is_hot ? 11 : 3)];
        }
        size_t from = e.used_bytes;
        sl_spe_put_record(&e, &r, 64);
        if (rnd(20) == 0)
            e.bytes[from + rnd(40)] ^= (uint8_t)(1u << rnd(8));
    }
    lens[core] = e.used_bytes;
}

static bool make_tables(void)
{
    static const struct sl_c2c_config configs[TABLES] = {
        {.n_cpus = CORES,
         .keys = {SL_C2C_KEY_IP},
         .metric = SL_C2C_METRIC_PEER,
         .max_lines = MANY,
         .max_entries = ENTRIES},
        {.n_cpus = CORES,
         .keys = {SL_C2C_KEY_IP},
         .metric = SL_C2C_METRIC_PEER,
         .max_lines = FEW_LINES,
         .max_entries = FEW_ENTRIES},
    };

    for (unsigned i = 0; i < TABLES; i++) {
        enum sl_status err = sl_c2c_init(&tables[i], &configs[i], memory[i], sizeof memory[i]);
        if (err) {
            printf("table %u: %s\n", i, sl_status_text(err));
            return false;
        }
    }
    return true;
}

static void fold(unsigned core)
{
    const struct sl_spe_family *family = sl_spe_family(MIDR, SL_SPE_EDITION_PERF_6_1);
    struct sl_spe_decoder d;
    uint32_t unknown = 0;

    sl_spe_init(&d, NULL);
    sl_spe_feed(&d, buffers[core], lens[core]);
    while (sl_spe_next(&d)) {
        struct sl_mem_sample sample;
        if (!sl_spe_sample(&d.record, family, UINT64_C(1) << 63, &sample))
            continue;
        sample.cpu = core;
        unknown += (sample.flags & SL_MEM_FLAG_UNKNOWN_SOURCE) != 0;
        for (unsigned i = 0; i < TABLES; i++) {
            struct sl_c2c_added added;
            sl_c2c_add(&tables[i], &sample, NULL, &added);
        }
    }
    sl_spe_finish(&d);
    printf("core %u: %u bytes, %u records, %u broken, %u bad bytes, %u reserved, %u cut, %u unknown sources\n", core,
           (unsigned)d.counts.bytes, (unsigned)d.counts.records, (unsigned)d.counts.broken_records,
           (unsigned)d.counts.bad_bytes, (unsigned)d.counts.reserved_packets, (unsigned)d.counts.cut_records,
           (unsigned)unknown);
}

static int by_address(const void *context, uint32_t a, uint32_t b)
{
    return sl_c2c_compare_lines(sl_c2c_line_at(context, a), sl_c2c_line_at(context, b));
}

static int by_key(const void *context, uint32_t a, uint32_t b)
{
    return sl_c2c_compare_entries(context, sl_c2c_entry_at(context, a), sl_c2c_entry_at(context, b), NULL);
}

static void print_entries(const struct sl_c2c *t, const struct sl_c2c_line *line)
{
    uint32_t n = 0;

    for (uint32_t at = line->first_entry; at != SL_C2C_NONE && n < ENTRIES; at = sl_c2c_entry_at(t, at)->next)
        order[MANY + n++] = at;
    sl_c2c_sort(order + MANY, n, by_key, t);
    for (uint32_t i = 0; i < n; i++) {
        const struct sl_c2c_entry *entry = sl_c2c_entry_at(t, order[MANY + i]);
        printf("    +%u ip %08" PRIx32 " samples %" PRIu32 " cpus %" PRIx32 ":", (unsigned)entry->offset,
               (uint32_t)entry->ip, entry->samples, sl_c2c_entry_cpus(entry)[0]);
        for (unsigned k = 0; k < SL_C2C_ENTRY_COUNTERS; k++)
            printf(" %" PRIu32, entry->n[k]);
        printf("\n");
    }
}

static void print_table(const struct sl_c2c *t)
{
    struct sl_c2c_stats totals;
    struct sl_c2c_line *line;
    uint32_t n = 0, cursor = 0;

    sl_c2c_totals(t, &totals);
    printf("table of %" PRIu32 " lines and %" PRIu32 " entries; evicted %" PRIu32 " and %" PRIu32
           ", missed at most %" PRIu32 "\n",
           t->n_lines, t->n_entries, t->losses.lines_evicted, t->losses.entries_evicted, t->losses.missed_max);
    printf("Total records %" PRIu32 "\nLoad Operations %" PRIu32 "\nStore Operations %" PRIu32
           "\nLoad HIT Local Peer %" PRIu32 "\nLoad HIT Remote Peer %" PRIu32 "\n",
           totals.n[SL_C2C_SAMPLES], totals.n[SL_C2C_LOAD], totals.n[SL_C2C_STORE], totals.n[SL_C2C_LOCAL_PEER],
           totals.n[SL_C2C_REMOTE_PEER]);
    while ((line = sl_c2c_next_line(t, &cursor)) != NULL)
        order[n++] = cursor - 1;
    sl_c2c_sort(order, n, by_address, t);
    for (uint32_t i = 0; i < n; i++) {
        line = sl_c2c_line_at(t, order[i]);
        printf("  line %08" PRIx32 " contended %" PRIu32 " missed %" PRIu32 " entries %" PRIu32 ":",
               (uint32_t)line->key.address, sl_c2c_contended(line), line->missed_max, line->n_entries);
        for (unsigned k = 0; k < SL_C2C_COUNTERS; k++)
            printf(" %" PRIu32, line->stats.n[k]);
        printf("\n");
        print_entries(t, line);
    }
}

int main(int argc, char **argv)
{
    if (!make_tables())
        return 1;
    for (unsigned core = 0; core < CORES; core++) {
        make_buffer(core);
        fold(core);
        if ((int)core + 1 < argc) {
            FILE *out = fopen(argv[core + 1], "wb");
            if (!out || fwrite(buffers[core], 1, lens[core], out) != lens[core] || fclose(out))
                return 2;
        }
    }
    for (unsigned i = 0; i < TABLES; i++)
        print_table(&tables[i]);
    return 0;
}
