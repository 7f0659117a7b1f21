/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of core/capture share. */
#ifndef CORE_CAPTURE_INTERNAL_H
#define CORE_CAPTURE_INTERNAL_H

#include <slotledger/capture.h>

/* Structs are copied to and from the payload as they are. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "core/capture needs a little-endian machine"
#endif

/* A freestanding compiler has no <string.h>, but these two. */
#define COPY(to, from, bytes) ((void)__builtin_memcpy(to, from, bytes))
#define CLEAR(to, bytes)      ((void)__builtin_memset(to, 0, bytes))

#define HEADER_BYTES      ((uint32_t)sizeof(struct sl_capture_header))
#define HEADER_CRC_BYTES  (HEADER_BYTES - 4u)
#define END_RECORD_BYTES  (HEADER_BYTES + (uint32_t)sizeof(struct sl_capture_end))
#define PADDED(len_bytes) (((len_bytes) + (SL_CAPTURE_ALIGN - 1u)) & ~(SL_CAPTURE_ALIGN - 1u))

/* Place for a record of `bytes` in a RAM sink, counting what a ring gives up for it; NULL: none. */
uint8_t *sl_capture_place(struct sl_capture *c, uint32_t bytes);

#endif
