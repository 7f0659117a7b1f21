/* SPDX-License-Identifier: Apache-2.0 */
/* One packet at a time: headers, payloads, padding and alignment. */
#include "packet.h"

#define HEADER(kind, len) (uint8_t)((unsigned)(kind) | (len) << 4)
#define EVENTS(n)         HEADER(SL_SPE_EVENTS, (n) + 1u)
#define SOURCE(n)         HEADER(SL_SPE_SOURCE, (n) + 1u)
#define CONTEXT           HEADER(SL_SPE_CONTEXT, 5u)
#define OPERATION         HEADER(SL_SPE_OPERATION, 2u)
#define EXTENDED          HEADER(SPE_EXTENDED, 2u)
#define COUNTER           HEADER(SL_SPE_COUNTER, 3u)
#define ADDRESS           HEADER(SL_SPE_ADDRESS, 9u)

/* Arm ARM, "Statistical Profiling Extension sample record packet headers". */
const uint8_t spe_headers[256] = {
    [0x00] = HEADER(SL_SPE_PAD, 1u),
    HEADER(SL_SPE_END, 1u),
    [0x20] = EXTENDED,
    EXTENDED,
    EXTENDED,
    EXTENDED,
    [0x42] = EVENTS(1u),
    SOURCE(1u),
    [0x48] = OPERATION,
    OPERATION,
    OPERATION,
    OPERATION,
    [0x52] = EVENTS(2u),
    SOURCE(2u),
    [0x62] = EVENTS(4u),
    SOURCE(4u),
    [0x64] = CONTEXT,
    CONTEXT,
    CONTEXT,
    CONTEXT,
    [0x71] = HEADER(SL_SPE_TIMESTAMP, 9u),
    EVENTS(8u),
    SOURCE(8u),
    [0x98] = COUNTER,
    COUNTER,
    COUNTER,
    COUNTER,
    COUNTER,
    COUNTER,
    COUNTER,
    COUNTER,
    [0xb0] = ADDRESS,
    ADDRESS,
    ADDRESS,
    ADDRESS,
    ADDRESS,
    ADDRESS,
    ADDRESS,
    ADDRESS,
};

uint64_t spe_payload_at(const uint8_t *bytes, unsigned n)
{
    uint64_t value = 0;

    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

static void bad(struct sl_spe_packet *out)
{
    *out = (struct sl_spe_packet){.kind = SL_SPE_BAD, .len_bytes = 1, .header_bytes = 1};
}

/* Padding of len_bytes, and with it the zero bytes that follow it, up to 16 in all. */
static void padding(const uint8_t *bytes, size_t len, uint32_t len_bytes, struct sl_spe_packet *out)
{
    while (len_bytes < 16 && len_bytes < len && bytes[len_bytes] == 0)
        len_bytes++;
    *out = (struct sl_spe_packet){.kind = SL_SPE_PAD, .len_bytes = len_bytes, .header_bytes = 1};
}

/* An alignment packet skips the rest of an aligned block, all of which must be able to lie in the buffer. */
static void alignment(const uint8_t *bytes, size_t len, uint64_t address, struct sl_spe_packet *out)
{
    uint32_t align = (uint32_t)2 << (bytes[0] & 15u);

    if (len < align)
        bad(out);
    else
        padding(bytes, len, align - (uint32_t)(address & (align - 1u)), out);
}

static void extended(const uint8_t *bytes, size_t len, uint64_t address, struct sl_spe_packet *out)
{
    unsigned kind, packet_len;

    if (len < 2) {
        bad(out);
        return;
    }
    if (bytes[1] == 0) {
        alignment(bytes, len, address, out);
        return;
    }
    kind = spe_headers[bytes[1]] & 15u;
    packet_len = 1u + (spe_headers[bytes[1]] >> 4);
    if ((kind != SL_SPE_ADDRESS && kind != SL_SPE_COUNTER) || len < packet_len) {
        bad(out);
        return;
    }
    *out = (struct sl_spe_packet){.kind = (uint8_t)kind,
                                  .index = (uint8_t)spe_extended_index(bytes[0], bytes[1]),
                                  .len_bytes = packet_len,
                                  .header_bytes = 2,
                                  .payload_bytes = (uint8_t)(packet_len - 2u),
                                  .payload = spe_payload_at(bytes + 2, packet_len - 2u)};
}

void sl_spe_packet_read(const uint8_t *bytes, size_t len, uint64_t address, struct sl_spe_packet *out)
{
    static const uint8_t index_mask[SL_SPE_N_KINDS] = {
        [SL_SPE_CONTEXT] = 3, [SL_SPE_OPERATION] = 3, [SL_SPE_ADDRESS] = 7, [SL_SPE_COUNTER] = 7};
    unsigned kind = spe_headers[bytes[0]] & 15u, packet_len = spe_headers[bytes[0]] >> 4;

    if (kind == SPE_EXTENDED) {
        extended(bytes, len, address, out);
    } else if (kind == SL_SPE_PAD) {
        padding(bytes, len, 1, out);
    } else if (kind == SL_SPE_BAD || len < packet_len) {
        bad(out);
    } else {
        *out = (struct sl_spe_packet){.kind = (uint8_t)kind,
                                      .index = bytes[0] & index_mask[kind],
                                      .len_bytes = packet_len,
                                      .header_bytes = 1,
                                      .payload_bytes = (uint8_t)(packet_len - 1u),
                                      .payload = spe_payload_at(bytes + 1, packet_len - 1u)};
    }
}
