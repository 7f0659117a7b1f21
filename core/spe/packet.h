/* SPDX-License-Identifier: Apache-2.0 */
/* Header bytes of SPE packets. */
#ifndef SL_SPE_PACKET_H
#define SL_SPE_PACKET_H

#include <slotledger/spe.h>

/* Kinds beside the public ones. */
#define SPE_EXTENDED ((unsigned)SL_SPE_N_KINDS)

/* What a header byte begins: kind in bits 3:0, length of the packet in bits 7:4 (for SPE_EXTENDED: of the header). */
extern const uint8_t spe_headers[256];

/* The little-endian number of n bytes, n <= 8. */
uint64_t spe_payload_at(const uint8_t *bytes, unsigned n);

/* Fields of an extended header, whose second byte is that of a plain address or counter packet. */
static inline unsigned spe_extended_index(uint8_t first, uint8_t second)
{
    return (first & 3u) << 3 | (second & 7u);
}

#endif
