/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C with a table of 16 words: a board links 64 bytes of it instead of a kilobyte. */
#include <slotledger/base.h>

/* Remainders of the 16 nibbles, for the reflected polynomial 0x82f63b78 (RFC 3720, appendix B.4). */
static const uint32_t nibble[16] = {
    0x00000000u, 0x105ec76fu, 0x20bd8edeu, 0x30e349b1u, 0x417b1dbcu, 0x5125dad3u, 0x61c69362u, 0x7198540du,
    0x82f63b78u, 0x92a8fc17u, 0xa24bb5a6u, 0xb21572c9u, 0xc38d26c4u, 0xd3d3e1abu, 0xe330a81au, 0xf36e6f75u,
};

uint32_t sl_crc32c(uint32_t crc, const void *bytes, size_t len)
{
    const uint8_t *p = bytes;

    crc = ~crc;
    for (size_t i = 0; i < len; i++) {
        crc ^= p[i];
        crc = crc >> 4 ^ nibble[crc & 15u];
        crc = crc >> 4 ^ nibble[crc & 15u];
    }
    return ~crc;
}
