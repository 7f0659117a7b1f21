/* SPDX-License-Identifier: Apache-2.0 */
/* Random SPE buffers for the comparison with perf: sound records, odd ones, and damage.
 * usage: genspe SEED RECORDS DAMAGE FILE...   writes one core's buffer into each file. DAMAGE: 0 none, 1 odd packets,
 * 2 and garbage, 3 and lengths that are no multiple of 8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slotledger/spe.h>

#define ROOM ((size_t)64 << 20)

static uint64_t state;

static uint32_t rnd(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

static uint64_t wide(void)
{
    uint64_t high = rnd(0x7fffffff);
    return high << 33 ^ (uint64_t)rnd(0x7fffffff) << 8 ^ rnd(0x7fffffff);
}

/* Addresses of a few lines and functions, some of the kernel, some tagged, some of any value. */
static uint64_t code_payload(void)
{
    static const uint64_t tops[] = {0x80, 0x80, 0x80, 0x80, 0x00, 0x20, 0xa0, 0xc0, 0xe0};
    uint64_t top = tops[rnd(9)], address = top >= 0xa0 ? UINT64_C(0xff800010001000) : UINT64_C(0x4006e0);
    return rnd(50) ? top << 56 | (address + 4u * rnd(64)) : wide();
}

static uint64_t data_payload(void)
{
    switch (rnd(12)) {
    case 0:
        return wide();
    case 1:
        return UINT64_C(0xffff000012345640) + 8u * rnd(16);
    case 2:
        return UINT64_C(0x00f0000000001000) + 8u * rnd(16);
    case 3:
        return (uint64_t)rnd(256) << 56 | (UINT64_C(0x492080) + 8u * rnd(16));
    default:
        return UINT64_C(0x492080) + 8u * rnd(64);
    }
}

static void random_record(struct sl_spe_record *r, uint64_t *time)
{
    static const uint8_t sources[] = {0, 8, 9, 10, 11, 12, 13, 14, 9,  10, 12, 13,
                                      1, 2, 3, 4,  5,  6,  7,  15, 16, 17, 18, 19};
    memset(r, 0, sizeof *r);
    r->has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_EVENTS | 1u << SL_SPE_ADDRESS_PC | (unsigned)SL_SPE_HAS_COUNTER;
    r->operation_class = rnd(10) ? SL_SPE_CLASS_MEMORY : (uint8_t)rnd(3);
    r->operation = rnd(4) ? (uint8_t)(rnd(3) == 0) : (uint8_t)rnd(256);
    r->events = rnd(8) ? rnd(1u << (rnd(2) ? 8 : 12)) : wide() >> rnd(64);
    r->address[SL_SPE_ADDRESS_PC] = code_payload();
    r->counter[0] = (uint16_t)(rnd(10) ? rnd(2000) : rnd(65536));
    if (rnd(2))
        r->has |= (unsigned)SL_SPE_HAS_COUNTER << 1 | (unsigned)SL_SPE_HAS_COUNTER << 2;
    r->counter[1] = (uint16_t)rnd(30);
    r->counter[2] = (uint16_t)rnd(50);
    if (rnd(8)) {
        r->has |= 1u << SL_SPE_ADDRESS_VIRTUAL;
        r->address[SL_SPE_ADDRESS_VIRTUAL] = data_payload();
    }
    if (rnd(4)) {
        r->has |= 1u << SL_SPE_ADDRESS_PHYSICAL;
        r->address[SL_SPE_ADDRESS_PHYSICAL] = UINT64_C(1) << 63 | (UINT64_C(0x80000000) + 8u * rnd(1 << 20));
    }
    if (!(r->operation & 1u) && rnd(20)) {
        r->has |= SL_SPE_HAS_SOURCE;
        r->source = rnd(20) ? sources[rnd(sizeof sources)] : (uint16_t)rnd(65536);
    }
    *time += rnd(20) ? rnd(40) : 0;
    if (rnd(40)) {
        r->has |= SL_SPE_HAS_TIMESTAMP;
        r->timestamp = *time;
    }
}

/* A packet that a record has not, twice, of another size, with an extended header, or of a reserved kind. */
static void odd_packet(struct sl_spe_encoder *e)
{
    switch (rnd(12)) {
    case 0:
        sl_spe_put(e, SL_SPE_EVENTS, 0, wide(), 1u << rnd(4), false);
        break;
    case 1:
        sl_spe_put(e, SL_SPE_SOURCE, 0, rnd(20), 1u << rnd(4), false);
        break;
    case 2:
        sl_spe_put(e, SL_SPE_COUNTER, rnd(32), rnd(5000), 2, true);
        break;
    case 3:
        sl_spe_put(e, SL_SPE_ADDRESS, rnd(32), data_payload(), 8, true);
        break;
    case 4:
        sl_spe_put(e, SL_SPE_ADDRESS, rnd(8), wide(), 8, false);
        break;
    case 5:
        sl_spe_put(e, SL_SPE_OPERATION, rnd(8) ? rnd(3) : 3, rnd(256), 1, false);
        break;
    case 6:
        sl_spe_put(e, SL_SPE_COUNTER, rnd(8), rnd(65536), 2, false);
        break;
    case 7:
        for (unsigned n = rnd(70); n > 0; n--)
            sl_spe_put_byte(e, 0);
        break;
    case 8: /* alignment; what it skips may be anything */
        sl_spe_put_byte(e, (uint8_t)(0x20u | rnd(rnd(4) ? 6 : 12)));
        sl_spe_put_byte(e, 0);
        break;
    case 9:
        sl_spe_put(e, SL_SPE_OPERATION, 1, rnd(2), 1, false);
        break;
    case 10:
        sl_spe_put(e, SL_SPE_TIMESTAMP, 0, rnd(4) ? rnd(20000) : wide(), 8, false);
        break;
    default:
        sl_spe_put(e, SL_SPE_CONTEXT, rnd(4), rnd(6), 4, false);
        break;
    }
}

static void damage(struct sl_spe_encoder *e, size_t from)
{
    size_t len = e->used_bytes - from;
    switch (rnd(3)) {
    case 0:
        for (unsigned n = 1 + rnd(12); n > 0; n--)
            sl_spe_put_byte(e, (uint8_t)rnd(256));
        break;
    case 1:
        e->bytes[from + rnd((uint32_t)len)] ^= (uint8_t)(1u << rnd(8));
        break;
    default:
        e->used_bytes -= rnd((uint32_t)len);
        break;
    }
}

int main(int argc, char **argv)
{
    uint64_t time = 1000;
    unsigned kind;
    bool has_contexts;
    struct sl_spe_encoder e = {.bytes = malloc(ROOM), .room_bytes = ROOM};
    if (argc < 5 || !e.bytes)
        return 2;
    state = strtoull(argv[1], NULL, 0) * 2654435761u + 12345;
    kind = (unsigned)strtoul(argv[3], NULL, 0);
    for (int i = 0; i < 8; i++)
        rnd(2);
    has_contexts = rnd(2);
    for (int core = 4; core < argc; core++) {
        static const size_t aligns[] = {0, 8, 64, 64};
        size_t align = aligns[rnd(4)];
        FILE *out = fopen(argv[core], "wb");
        if (!out)
            return 2;
        e.used_bytes = 0;
        time = 1000 + rnd(300);
        for (unsigned long n = strtoul(argv[2], NULL, 0); n > 0 && e.used_bytes < ROOM - 4096; n--) {
            struct sl_spe_record record;
            size_t from = e.used_bytes;
            random_record(&record, &time);
            if (has_contexts && rnd(8)) {
                record.has |= SL_SPE_HAS_CONTEXT;
                record.context = rnd(30) ? 400 + rnd(3) : rnd(3);
            }
            if (kind && rnd(6) == 0)
                odd_packet(&e);
            sl_spe_put_record(&e, &record, align);
            if (kind > 1 && rnd(12) == 0)
                damage(&e, from);
        }
        if (kind < 3) { /* as recorders do */
            while (e.used_bytes % 8)
                sl_spe_put_byte(&e, 0);
        }
        if (fwrite(e.bytes, 1, e.used_bytes, out) != e.used_bytes || fclose(out))
            return 2;
    }
    free(e.bytes);
    return 0;
}
