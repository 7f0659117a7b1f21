/* SPDX-License-Identifier: Apache-2.0 */
/* core/spe, records and samples: damage, buffers, data sources, losses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/spe.h>

#define NEOVERSE_N1 UINT64_C(0x413fd0c1)
#define NEOVERSE_V2 UINT64_C(0x410fd4f0)
#define AMPERE_ONE  UINT64_C(0xc00fac30)
#define HIP12       UINT64_C(0x480fd060)

#define PC   "\xb0\xe0\x06\x40\0\0\0\0\x80"
#define LOAD "\x49\0"
#define VA   "\xb2\x88\x20\x49\0\0\0\0\0"
#define TS   "\x71\x6e\0\0\0\0\0\0\0"

static void decode(struct sl_spe_decoder *d, const char *bytes, size_t len)
{
    sl_spe_feed(d, (const uint8_t *)bytes, len);
}

static void a_record_of_every_packet(void **state)
{
    static const char bytes[] = PC "\x65\x90\x01\0\0" LOAD "\xb1\x01\0\0\0\0\0\0\x80\xb4\x02\0\0\0\0\0\0\x80"
                                   "\x52\x16\0\x42\x80\x99\x05\0\x98\x37\0" VA "\x9a\x03\0"
                                   "\xb3\0\0\x10\0\0\0\0\x80\x43\x09" TS "\0\0\0";
    struct sl_spe_decoder d;
    const struct sl_spe_record *r = &d.record;

    (void)state;
    sl_spe_init(&d, NULL);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d));
    assert_true(r->has == (0x1fu | 0x700u | SL_SPE_HAS_TIMESTAMP | SL_SPE_HAS_CONTEXT | SL_SPE_HAS_CONTEXT_EL2 |
                           SL_SPE_HAS_SOURCE | SL_SPE_HAS_EVENTS | SL_SPE_HAS_OPERATION | SL_SPE_HAS_LOAD));
    assert_true(sl_spe_code_address(r->address[SL_SPE_ADDRESS_PC]) == 0x4006e0);
    assert_true(r->address[SL_SPE_ADDRESS_VIRTUAL] == 0x492088);
    assert_true(r->address[SL_SPE_ADDRESS_PREVIOUS_TARGET] == UINT64_C(0x8000000000000002));
    assert_int_equal(r->counter[SL_SPE_COUNTER_TOTAL], 55);
    assert_int_equal(r->counter[SL_SPE_COUNTER_ISSUE], 5);
    assert_int_equal(r->counter[SL_SPE_COUNTER_TRANSLATION], 3);
    assert_true(r->events == 0x96);
    assert_int_equal(r->source, 9);
    assert_int_equal(r->context, 0x190);
    assert_true(r->timestamp == 110);
    assert_false(sl_spe_next(&d));
    assert_int_equal(d.counts.records, 1);
    assert_int_equal(d.counts.bytes, sizeof bytes - 1);
    assert_int_equal(d.counts.bad_bytes, 0);
}

/* perf's canonical forms, from the addresses of its dump and its samples. */
static void canonical_addresses(void **state)
{
    (void)state;
    assert_true(sl_spe_code_address(UINT64_C(0xa0ff800010001000)) == UINT64_C(0xffff800010001000)); /* el1 ns=1 */
    assert_true(sl_spe_code_address(UINT64_C(0xc0ff800010001000)) == UINT64_C(0xffff800010001000)); /* el2 ns=1 */
    assert_true(sl_spe_code_address(UINT64_C(0x20ff800010001000)) == UINT64_C(0x00ff800010001000)); /* el1 ns=0 */
    assert_true(sl_spe_code_address(UINT64_C(0x80ff800010001000)) == UINT64_C(0x00ff800010001000)); /* el0 ns=1 */
    assert_true(sl_spe_data_address(UINT64_C(0x00f0000000001000)) == UINT64_C(0xfff0000000001000));
    assert_true(sl_spe_data_address(UINT64_C(0xab00000000492090)) == 0x492090);
    assert_true(sl_spe_physical_address(UINT64_C(0xc300000000100000)) == 0x100000);
    assert_int_equal(sl_spe_level(UINT64_C(0xa0ff800010001000)), 1);
    assert_true(sl_spe_nonsecure(UINT64_C(0xa0ff800010001000)));
    assert_int_equal(sl_spe_top_byte(UINT64_C(0xab00000000492090)), 0xab);
}

/* What was gathered before the damage is a record, and so is what comes after. */
static void damage_splits_a_record(void **state)
{
    static const char bytes[] = PC LOAD "\x07\x07" VA LOAD TS "\xff\xff\xff";
    const struct sl_spe_config strict = {.drop_broken = true};
    struct sl_spe_decoder d;

    (void)state;
    sl_spe_init(&d, NULL);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d));
    assert_true(d.record.has == (SL_SPE_BROKEN | SL_SPE_HAS_OPERATION | SL_SPE_HAS_LOAD | 1u << SL_SPE_ADDRESS_PC));
    assert_true(sl_spe_next(&d));
    assert_true(d.record.has ==
                (SL_SPE_HAS_TIMESTAMP | SL_SPE_HAS_OPERATION | SL_SPE_HAS_LOAD | 1u << SL_SPE_ADDRESS_VIRTUAL));
    assert_false(sl_spe_next(&d));
    assert_int_equal(d.counts.bad_bytes, 5);
    assert_int_equal(d.counts.broken_records, 1);
    assert_int_equal(d.counts.records, 1);

    sl_spe_init(&d, &strict);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d));
    assert_false(d.record.has & SL_SPE_BROKEN);
    assert_false(sl_spe_next(&d));
    assert_int_equal(d.counts.broken_records, 1);
}

static void a_reserved_operation_breaks_its_record(void **state)
{
    static const char bytes[] = PC LOAD "\x4b\x01" VA TS;
    struct sl_spe_decoder d;

    (void)state;
    sl_spe_init(&d, NULL);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d));
    assert_true(d.record.has & SL_SPE_BROKEN);
    assert_true(sl_spe_next(&d));
    assert_false(d.record.has & SL_SPE_HAS_LOAD);
    assert_int_equal(d.counts.reserved_packets, 1);
    assert_int_equal(d.counts.bad_bytes, 0);
}

/* A record may reach over buffers, a packet may not. */
static void buffers(void **state)
{
    struct sl_spe_decoder d;

    (void)state;
    sl_spe_init(&d, NULL);
    decode(&d, PC LOAD, sizeof PC LOAD - 1);
    assert_false(sl_spe_next(&d));
    decode(&d, VA TS PC, sizeof VA TS PC - 1);
    assert_true(sl_spe_next(&d));
    assert_true((d.record.has & 0x1fu) == 0x5u);
    assert_true(d.record.has & SL_SPE_HAS_LOAD);
    assert_false(sl_spe_next(&d));
    sl_spe_finish(&d);
    assert_int_equal(d.counts.cut_records, 1);
    sl_spe_finish(&d);
    assert_int_equal(d.counts.cut_records, 1);

    sl_spe_init(&d, NULL);
    decode(&d, LOAD VA, sizeof LOAD VA - 2);
    assert_true(sl_spe_next(&d)); /* broken by the cut address packet */
    assert_true(d.record.has == (SL_SPE_BROKEN | SL_SPE_HAS_OPERATION | SL_SPE_HAS_LOAD));
    assert_false(sl_spe_next(&d));
    /* Its bytes are not packets: b2 is bad, 88 and 49... are read anew (49 00: a load). */
    assert_true(d.counts.bad_bytes >= 2);
}

/* Alignment counts from the address that the stream had in memory. */
static void alignment_by_the_base_address(void **state)
{
    static const char bytes[] = "\x21\0\x07\x07" LOAD TS "\0\0\0\0";
    struct sl_spe_config config = {.base_address = 0x1000};
    struct sl_spe_decoder d;

    (void)state;
    sl_spe_init(&d, &config);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d));
    assert_int_equal(d.counts.bad_bytes, 0);
    config.base_address = 0x1002; /* the block ends behind two bytes, and 07 is bad */
    sl_spe_init(&d, &config);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d));
    assert_int_equal(d.counts.bad_bytes, 2);
}

/* Reading byte by byte through the public packet reader gives the same records as the decoder's own loop. */
static void the_two_readers_agree(void **state)
{
    uint8_t bytes[512];
    uint32_t seed = 1;
    unsigned total = 0;

    (void)state;
    for (unsigned run = 0; run < 3000; run++) {
        static const uint8_t likely[] = {0xb0, 0xb2, 0xb3, 0x49, 0x48, 0x42, 0x52, 0x43,
                                         0x98, 0x64, 0x71, 0x01, 0x00, 0x20, 0x4b};
        struct sl_spe_decoder d;
        uint64_t bad = 0, ends = 0, position = 0;

        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = seed >> 31 ? likely[(seed >> 16) % sizeof likely] : (uint8_t)(seed >> 20);
        }
        while (position < sizeof bytes) {
            struct sl_spe_packet packet;

            sl_spe_packet_read(bytes + position, sizeof bytes - (size_t)position, position, &packet);
            bad += packet.kind == SL_SPE_BAD;
            ends += packet.kind == SL_SPE_END || packet.kind == SL_SPE_TIMESTAMP;
            position += packet.len_bytes;
            assert_true(packet.len_bytes > 0 && position <= sizeof bytes);
        }
        sl_spe_init(&d, NULL);
        sl_spe_feed(&d, bytes, sizeof bytes);
        while (sl_spe_next(&d))
            total++;
        assert_int_equal(d.counts.bad_bytes, bad);
        assert_int_equal(d.counts.records, ends);
    }
    assert_true(total > 10000);
}

static void records_survive_encoding(void **state)
{
    uint8_t bytes[256];
    uint64_t seed = 7;

    (void)state;
    for (unsigned run = 0; run < 2000; run++) {
        struct sl_spe_record record = {.has = 0};
        struct sl_spe_encoder encoder = {.bytes = bytes, .room_bytes = sizeof bytes};
        struct sl_spe_decoder d;

        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        record.has = (uint32_t)(seed >> 40) & 0x1f71fu;
        for (unsigned i = 0; i < SL_SPE_ADDRESSES; i++)
            record.address[i] = record.has >> i & 1u ? seed * (i + 3u) : 0;
        for (unsigned i = 0; i < SL_SPE_COUNTERS; i++)
            record.counter[i] = (uint16_t)(record.has >> (8 + i) & 1u ? seed >> (i + 20) : 0);
        record.timestamp = record.has & SL_SPE_HAS_TIMESTAMP ? seed >> 3 : 0;
        record.events = record.has & SL_SPE_HAS_EVENTS ? seed >> (seed % 60) : 0;
        record.source = (uint16_t)(record.has & SL_SPE_HAS_SOURCE ? seed >> (48 + seed % 12) : 0);
        if (record.has & SL_SPE_HAS_CONTEXT)
            record.context = (uint32_t)(seed >> 9);
        else
            record.has &= ~(uint32_t)SL_SPE_HAS_CONTEXT_EL2;
        if (seed >> 63) {
            record.operation_class = SL_SPE_CLASS_MEMORY;
            record.operation = (uint8_t)(seed >> 55);
            record.has |= SL_SPE_HAS_OPERATION | (unsigned)SL_SPE_HAS_LOAD << (record.operation & 1u);
        }
        sl_spe_put_record(&encoder, &record, 64);
        assert_true(encoder.used_bytes <= sizeof bytes && encoder.used_bytes % 64 == 0);
        sl_spe_init(&d, NULL);
        sl_spe_feed(&d, bytes, encoder.used_bytes);
        assert_true(sl_spe_next(&d));
        assert_memory_equal(&d.record, &record, sizeof record);
        assert_false(sl_spe_next(&d));
        assert_int_equal(d.counts.bad_bytes, 0);
    }
}

#define LOAD_OP  SL_MEM_OP_LOAD
#define STORE_OP SL_MEM_OP_STORE

/* perf 6.1: numbers printed by `perf script -F data_src` for such records. Newer values: the vendors' lists. */
static void data_sources(void **state)
{
    static const struct {
        uint64_t midr;
        uint8_t edition, operation, known;
        uint16_t source;
        uint64_t events, expected;
    } rows[] = {
        {NEOVERSE_N1, 0, 0, 1, 0x0, 0, LOAD_OP | SL_MEM_LVL_L1 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L1 | SL_MEM_SNOOP_NONE},
        {NEOVERSE_N1, 0, 0, 1, 0x9, 0, LOAD_OP | SL_MEM_LVL_L2 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L2 | SL_MEM_SNOOPX_PEER},
        {NEOVERSE_N1, 0, 0, 1, 0xd, 0, LOAD_OP | SL_MEM_LVL_NA | SL_MEM_LEVEL_NA | SL_MEM_REMOTE | SL_MEM_SNOOPX_PEER},
        {NEOVERSE_N1, 1, 0, 1, 0xd, 0,
         LOAD_OP | SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_ANY_CACHE | SL_MEM_REMOTE |
             SL_MEM_SNOOPX_PEER},
        {NEOVERSE_N1, 0, 0, 0, 0x3, 0, LOAD_OP},
        {NEOVERSE_N1, 0, 0, 0, 0x100, 0, LOAD_OP},
        {NEOVERSE_N1, 0, 1, 1, 0x3, 0, STORE_OP | SL_MEM_LVL_NA | SL_MEM_LEVEL_NA | SL_MEM_SNOOP_NA},
        {NEOVERSE_N1, 0, 0, 1, 0x8, 0x30,
         LOAD_OP | SL_MEM_LVL_L2 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L2 | SL_MEM_SNOOP_NONE | SL_MEM_TLB_WALKER |
             SL_MEM_TLB_MISS},
        {NEOVERSE_V2, 0, 0, 1, 0x9, 0x704, LOAD_OP | SL_MEM_LVL_L3 | SL_MEM_LVL_MISS | SL_MEM_REMOTE},
        {NEOVERSE_V2, 0, 1, 1, 0x9, 0x14,
         STORE_OP | SL_MEM_LVL_L1 | SL_MEM_LVL_HIT | SL_MEM_TLB_WALKER | SL_MEM_TLB_HIT},
        {NEOVERSE_V2, 1, 0, 1, 0x9, 0x704,
         LOAD_OP | SL_MEM_LVL_L2 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L2 | SL_MEM_SNOOPX_PEER},
        {NEOVERSE_V2, 1, 0, 1, 0xb, 0xa00000,
         LOAD_OP | SL_MEM_LVL_L3 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L3 | SL_MEM_SNOOP_HITM},
        {NEOVERSE_V2, 1, 0, 1, 0xb, 0x800000,
         LOAD_OP | SL_MEM_LVL_L3 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L3 | SL_MEM_SNOOP_HIT},
        {AMPERE_ONE, 0, 0, 1, 0x8, 0xc, LOAD_OP | SL_MEM_LVL_L1 | SL_MEM_LVL_MISS},
        {AMPERE_ONE, 1, 0, 1, 0x8, 0xc, LOAD_OP | SL_MEM_LVL_L1 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L1 | SL_MEM_SNOOP_NONE},
        {AMPERE_ONE, 1, 0, 0, 0x1, 0xc, LOAD_OP},
        {HIP12, 1, 0, 1, 7, 0,
         LOAD_OP | SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_ANY_CACHE | SL_MEM_REMOTE |
             SL_MEM_SNOOPX_PEER | SL_MEM_SNOOP_HITM},
        {HIP12, 1, 0, 1, 3, 0, LOAD_OP | SL_MEM_LVL_L3 | SL_MEM_LVL_HIT | SL_MEM_LEVEL_L3 | SL_MEM_SNOOP_HITM},
        {HIP12, 1, 0, 0, 15, 0, LOAD_OP},
        {0, 1, 0, 1, 15, 0x4, LOAD_OP | SL_MEM_LVL_L1 | SL_MEM_LVL_HIT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct sl_spe_record record = {
            .has = (unsigned)SL_SPE_HAS_LOAD << rows[i].operation, .source = rows[i].source, .events = rows[i].events};
        const struct sl_spe_family *family = sl_spe_family(rows[i].midr, (enum sl_spe_edition)rows[i].edition);
        struct sl_mem_sample sample;

        assert_true(sl_spe_sample(&record, family, UINT64_MAX, &sample));
        if (sample.source != rows[i].expected || (sample.flags & SL_MEM_FLAG_UNKNOWN_SOURCE ? 0 : 1) != rows[i].known)
            fail_msg("row %zu: 0x%llx instead of 0x%llx", i, (unsigned long long)sample.source,
                     (unsigned long long)rows[i].expected);
    }
}

static void what_a_sample_holds(void **state)
{
    struct sl_spe_record record = {
        .has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_CONTEXT,
        .address = {UINT64_C(0xa0ff800010001000), 0, UINT64_C(0xab00000000492090), UINT64_C(0x8000000000100000)},
        .timestamp = 110,
        .context = 400,
        .counter = {55, 5, 3},
        .source = 9};
    const struct sl_spe_family *family = sl_spe_family(NEOVERSE_N1, SL_SPE_EDITION_PERF_6_1);
    struct sl_mem_sample sample;

    (void)state;
    assert_false(sl_spe_sample(&record, family, UINT64_C(1) << 63, &sample)); /* neither load nor store */
    record.has |= SL_SPE_HAS_LOAD | SL_SPE_HAS_STORE;
    assert_true(sl_spe_sample(&record, family, UINT64_C(1) << 63, &sample));
    assert_true(sample.source & SL_MEM_OP_LOAD); /* both is a load ... */
    assert_true(sample.source & SL_MEM_LVL_NA);  /* ... with a store's data source */
    assert_true(sample.ip == UINT64_C(0xffff800010001000));
    assert_true(sample.address == 0x492090 && sample.phys_address == 0x100000);
    assert_int_equal(sample.mode, SL_MEM_MODE_KERNEL);
    assert_int_equal(sample.weight, 55);
    assert_int_equal(sample.issue_cycles, 5);
    assert_int_equal(sample.translation_cycles, 3);
    assert_int_equal(sample.tid, 400);
    assert_true(sample.pid == SL_MEM_NO_ID && sample.cpu == SL_MEM_NO_CPU);
    assert_int_equal(sample.period, 1);
    assert_true(sample.time == 110);
    assert_int_equal(sample.raw_source, 9);
}

/* perf 6.1 takes a data-processing SVE operation for a load. */
static void sve_as_perf_6_1_reads_it(void **state)
{
    static const char bytes[] = "\x48\x08" TS "\x48\x88" TS;
    const struct sl_spe_config as_perf = {.sve_other_is_load = true};
    struct sl_spe_decoder d;

    (void)state;
    sl_spe_init(&d, &as_perf);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d) && (d.record.has & SL_SPE_HAS_LOAD));
    assert_true(sl_spe_next(&d) && !(d.record.has & SL_SPE_HAS_LOAD));
    sl_spe_init(&d, NULL);
    decode(&d, bytes, sizeof bytes - 1);
    assert_true(sl_spe_next(&d) && !(d.record.has & SL_SPE_HAS_LOAD));
}

/* PMBSR_EL1: EC 31:26, DL 19, EA 18, S 17, COLL 16, BSC 5:0. */
static void losses_of_buffers(void **state)
{
    static const struct {
        uint64_t pmbsr;
        unsigned truncated, collided, failed;
    } rows[] = {
        {0, 0, 0, 0},          {0x20001, 0, 0, 0}, /* full */
        {0xa0001, 1, 0, 0},                        /* full, data lost */
        {0x30001, 0, 1, 0},                        /* full, collision */
        {0x90020007, 0, 0, 1},                     /* stage 1 fault */
        {0x60000, 0, 0, 1},                        /* external abort */
        {0x20002, 0, 0, 1},                        /* unknown buffer status */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sl_spe_counts counts = {.bytes = 0};

        sl_spe_note_buffer(&counts, rows[i].pmbsr);
        assert_int_equal(counts.buffers, 1);
        assert_int_equal(counts.truncated_buffers, rows[i].truncated);
        assert_int_equal(counts.collided_buffers, rows[i].collided);
        assert_int_equal(counts.failed_buffers, rows[i].failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_of_every_packet),
        cmocka_unit_test(canonical_addresses),
        cmocka_unit_test(damage_splits_a_record),
        cmocka_unit_test(a_reserved_operation_breaks_its_record),
        cmocka_unit_test(buffers),
        cmocka_unit_test(alignment_by_the_base_address),
        cmocka_unit_test(the_two_readers_agree),
        cmocka_unit_test(records_survive_encoding),
        cmocka_unit_test(data_sources),
        cmocka_unit_test(what_a_sample_holds),
        cmocka_unit_test(sve_as_perf_6_1_reads_it),
        cmocka_unit_test(losses_of_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
