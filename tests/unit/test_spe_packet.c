/* SPDX-License-Identifier: Apache-2.0 */
/* core/spe, packets: bytes and what `perf report -D` (6.1) says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/spe.h>

struct packet_case {
    const char *bytes;
    size_t len;
    uint64_t address;
    uint8_t kind;
    uint8_t index;
    uint32_t len_bytes;
    uint64_t payload;
};

#define BYTES(text) (text), sizeof(text) - 1

static const struct packet_case cases[] = {
    {BYTES("\xb0\xe0\x06\x40\0\0\0\0\x80"), 0, SL_SPE_ADDRESS, 0, 9, 0x80000000004006e0}, /* PC 0x4006e0 el0 ns=1 */
    {BYTES("\xb1\x20\x07\x40\0\0\0\0\x80"), 0, SL_SPE_ADDRESS, 1, 9, 0x8000000000400720}, /* TGT 0x400720 */
    {BYTES("\xb2\x90\x20\x49\0\0\0\0\xab"), 0, SL_SPE_ADDRESS, 2, 9, 0xab00000000492090}, /* VA */
    {BYTES("\xb3\0\0\x10\0\0\0\0\x80"), 0, SL_SPE_ADDRESS, 3, 9, 0x8000000000100000},     /* PA 0x100000 ns=1 */
    {BYTES("\xb4\0\x01\x40\0\0\0\0\x80"), 0, SL_SPE_ADDRESS, 4, 9, 0x8000000000400100},   /* ADDR ... (4) */
    {BYTES("\xb6\x05\0\0\0\0\0\0\0"), 0, SL_SPE_ADDRESS, 6, 9, 5},                        /* ADDR 0x5 (6) */
    {BYTES("\x20\xb2\x80\x20\x49\0\0\0\0\0"), 0, SL_SPE_ADDRESS, 2, 10, 0x492080},        /* extended VA */
    {BYTES("\x23\xb7\x01\0\0\0\0\0\0\0"), 0, SL_SPE_ADDRESS, 31, 10, 1},
    {BYTES("\x64\x90\x01\0\0"), 0, SL_SPE_CONTEXT, 0, 5, 0x190}, /* CONTEXT 0x190 el1 */
    {BYTES("\x65\x90\x01\0\0"), 0, SL_SPE_CONTEXT, 1, 5, 0x190}, /* CONTEXT 0x190 el2 */
    {BYTES("\x49\x01"), 0, SL_SPE_OPERATION, 1, 2, 1},           /* ST GP-REG */
    {BYTES("\x4a\x03"), 0, SL_SPE_OPERATION, 2, 2, 3},
    {BYTES("\x48\x08"), 0, SL_SPE_OPERATION, 0, 2, 8}, /* SVE-OTHER EVLEN 32 */
    {BYTES("\x42\xff"), 0, SL_SPE_EVENTS, 0, 2, 0xff},
    {BYTES("\x52\x16\0"), 0, SL_SPE_EVENTS, 0, 3, 0x16},
    {BYTES("\x62\x02\0\x02\0"), 0, SL_SPE_EVENTS, 0, 5, 0x20002},
    {BYTES("\x72\xff\xff\xff\xff\xff\xff\xff\xff"), 0, SL_SPE_EVENTS, 0, 9, UINT64_MAX},
    {BYTES("\x43\x09"), 0, SL_SPE_SOURCE, 0, 2, 9},
    {BYTES("\x53\x0c\0"), 0, SL_SPE_SOURCE, 0, 3, 12},
    {BYTES("\x63\x0c\0\0\0"), 0, SL_SPE_SOURCE, 0, 5, 12},
    {BYTES("\x73\x0c\0\0\0\0\0\0\0"), 0, SL_SPE_SOURCE, 0, 9, 12},
    {BYTES("\x98\x37\0"), 0, SL_SPE_COUNTER, 0, 3, 55},     /* LAT 55 TOT */
    {BYTES("\x21\x99\x07\0"), 0, SL_SPE_COUNTER, 9, 4, 7},  /* LAT 7 */
    {BYTES("\x20\x98\x2c\0"), 0, SL_SPE_COUNTER, 0, 4, 44}, /* LAT 44 TOT */
    {BYTES("\x71\x6e\0\0\0\0\0\0\0"), 0, SL_SPE_TIMESTAMP, 0, 9, 110},
    {BYTES("\x01"), 0, SL_SPE_END, 0, 1, 0},
    {BYTES("\0\0\x01"), 0, SL_SPE_PAD, 0, 2, 0},
    {BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 0, SL_SPE_PAD, 0, 16, 0},
    /* Not packets. */
    {BYTES("\xa8\x2c"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x07"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x41\0\0\0\0\0\0\0\0"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x20\x42\0"), 0, SL_SPE_BAD, 0, 1, 0}, /* no extended events */
    /* Cut by the buffer's end, of each length. */
    {BYTES("\xb0\xe0\x06\x40\0\0\0\0"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x20\xb2\x80\x20\x49\0\0\0\0"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x49"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x98\x37"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x64\x90\x01\0"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x71"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x24"), 0, SL_SPE_BAD, 0, 1, 0},
    {BYTES("\x20\x98\x01"), 0, SL_SPE_BAD, 0, 1, 0},
    /* Alignment: to 4 bytes from address 1, from 0; to 2; with too few bytes left. */
    {BYTES("\x21\0\x07\x01"), 1, SL_SPE_PAD, 0, 3, 0},
    {BYTES("\x21\0\x07\x07\x01"), 0, SL_SPE_PAD, 0, 4, 0},
    {BYTES("\x20\0\x01"), 0, SL_SPE_PAD, 0, 2, 0},
    {BYTES("\x22\0\x07\x07"), 5, SL_SPE_BAD, 0, 1, 0},
};

static void packets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct packet_case *c = &cases[i];
        struct sl_spe_packet packet;

        sl_spe_packet_read((const uint8_t *)c->bytes, c->len, c->address, &packet);
        if (packet.kind != c->kind || packet.index != c->index || packet.len_bytes != c->len_bytes ||
            packet.payload != c->payload)
            fail_msg("case %zu: kind %d index %d length %u payload 0x%llx", i, packet.kind, packet.index,
                     packet.len_bytes, (unsigned long long)packet.payload);
    }
}

/* Each packet that the encoder makes is read back as it was. */
static void packets_survive_encoding(void **state)
{
    static const struct {
        uint8_t kind, indices, payload_bytes;
    } kinds[] = {
        {SL_SPE_END, 1, 0},      {SL_SPE_TIMESTAMP, 1, 8}, {SL_SPE_EVENTS, 1, 1},  {SL_SPE_EVENTS, 1, 2},
        {SL_SPE_EVENTS, 1, 4},   {SL_SPE_EVENTS, 1, 8},    {SL_SPE_SOURCE, 1, 1},  {SL_SPE_SOURCE, 1, 2},
        {SL_SPE_SOURCE, 1, 4},   {SL_SPE_SOURCE, 1, 8},    {SL_SPE_CONTEXT, 4, 4}, {SL_SPE_OPERATION, 4, 1},
        {SL_SPE_ADDRESS, 32, 8}, {SL_SPE_COUNTER, 32, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (unsigned index = 0; index < kinds[i].indices * 2u; index++) {
            bool extended = index >= kinds[i].indices;
            uint64_t payload = UINT64_C(0xfedcba9876543210) >> (64u - 8u * kinds[i].payload_bytes) % 64u;
            uint8_t bytes[16];
            struct sl_spe_encoder encoder = {.bytes = bytes, .room_bytes = sizeof bytes};
            struct sl_spe_packet packet;

            if (extended && kinds[i].indices < 8)
                break;
            sl_spe_put(&encoder, (enum sl_spe_kind)kinds[i].kind, index % kinds[i].indices, payload,
                       kinds[i].payload_bytes, extended);
            sl_spe_packet_read(bytes, encoder.used_bytes, 0, &packet);
            assert_int_equal(packet.kind, kinds[i].kind);
            assert_int_equal(packet.index, index % kinds[i].indices);
            assert_int_equal(packet.len_bytes, encoder.used_bytes);
            assert_int_equal(packet.payload_bytes, kinds[i].payload_bytes);
            if (kinds[i].payload_bytes)
                assert_true(packet.payload == payload);
        }
    }
}

static void an_encoder_without_room_counts(void **state)
{
    uint8_t bytes[4] = {0xee, 0xee, 0xee, 0xee};
    struct sl_spe_encoder encoder = {.bytes = bytes, .room_bytes = 3};

    (void)state;
    sl_spe_put(&encoder, SL_SPE_ADDRESS, 2, 0x11, 8, false);
    assert_int_equal(encoder.used_bytes, 9);
    assert_int_equal(bytes[0], 0xb2);
    assert_int_equal(bytes[3], 0xee);
}

/* The words of perf 6.1's dump as flags; where 6.1 knows none, those of the Arm ARM. */
static void operations(void **state)
{
    static const struct {
        uint8_t operation_class, payload;
        uint32_t flags;
    } ops[] = {
        {1, 0x00, SL_SPE_OP_LOAD | SL_SPE_OP_GENERAL},
        {1, 0x01, SL_SPE_OP_STORE | SL_SPE_OP_GENERAL},
        {1, 0x04, SL_SPE_OP_LOAD | SL_SPE_OP_SIMD_FP},
        {1, 0x05, SL_SPE_OP_STORE | SL_SPE_OP_SIMD_FP},
        {1, 0x06, SL_SPE_OP_LOAD | SL_SPE_OP_ATOMIC},
        {1, 0x0a, SL_SPE_OP_LOAD | SL_SPE_OP_EXCLUSIVE},
        {1, 0x12, SL_SPE_OP_LOAD | SL_SPE_OP_ACQUIRE_RELEASE},
        {1, 0x1e, SL_SPE_OP_LOAD | SL_SPE_OP_ATOMIC | SL_SPE_OP_EXCLUSIVE | SL_SPE_OP_ACQUIRE_RELEASE},
        {1, 0x08, SL_SPE_OP_LOAD | SL_SPE_OP_SVE},
        {1, 0x8c, SL_SPE_OP_LOAD | SL_SPE_OP_SVE | SL_SPE_OP_PREDICATED | SL_SPE_OP_GATHER_SCATTER},
        {1, 0x10, SL_SPE_OP_LOAD | SL_SPE_OP_UNSPECIFIED},
        {1, 0x15, SL_SPE_OP_STORE | SL_SPE_OP_TAG},
        {1, 0x20, SL_SPE_OP_LOAD | SL_SPE_OP_MEMCPY},
        {1, 0x21, SL_SPE_OP_STORE | SL_SPE_OP_MEMCPY},
        {1, 0x25, SL_SPE_OP_STORE | SL_SPE_OP_MEMSET},
        {1, 0x30, SL_SPE_OP_LOAD | SL_SPE_OP_SYSTEM},
        {1, 0x40, SL_SPE_OP_LOAD | SL_SPE_OP_GUARDED_STACK},
        {1, 0x45, SL_SPE_OP_STORE | SL_SPE_OP_GUARDED_STACK},
        {2, 0x00, SL_SPE_OP_BRANCH},
        {2, 0x01, SL_SPE_OP_BRANCH | SL_SPE_OP_CONDITIONAL},
        {2, 0x02, SL_SPE_OP_BRANCH | SL_SPE_OP_INDIRECT},
        {2, 0x08, SL_SPE_OP_BRANCH | SL_SPE_OP_CALL},
        {2, 0x12, SL_SPE_OP_BRANCH | SL_SPE_OP_INDIRECT | SL_SPE_OP_RETURN},
        {2, 0x1c, SL_SPE_OP_BRANCH | SL_SPE_OP_GUARDED_STACK | SL_SPE_OP_PLAIN_BRANCH},
        {0, 0x00, SL_SPE_OP_OTHER},
        {0, 0x01, SL_SPE_OP_OTHER | SL_SPE_OP_CONDITIONAL},
        {0, 0x08, SL_SPE_OP_OTHER | SL_SPE_OP_SVE},
        {0, 0x0a, SL_SPE_OP_OTHER | SL_SPE_OP_SVE | SL_SPE_OP_FLOATING},
        {0, 0x0e, SL_SPE_OP_OTHER | SL_SPE_OP_SVE | SL_SPE_OP_FLOATING | SL_SPE_OP_PREDICATED},
        {3, 0x00, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        uint32_t flags = sl_spe_operation((enum sl_spe_class)ops[i].operation_class, ops[i].payload);
        if (flags != ops[i].flags)
            fail_msg("class %d payload 0x%02x: 0x%x instead of 0x%x", ops[i].operation_class, ops[i].payload, flags,
                     ops[i].flags);
    }
    assert_int_equal(sl_spe_vector_bits(0x48), 512);
    assert_int_equal(sl_spe_vector_bits(0x08), 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets),
        cmocka_unit_test(packets_survive_encoding),
        cmocka_unit_test(an_encoder_without_room_counts),
        cmocka_unit_test(operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
