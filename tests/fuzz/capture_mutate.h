/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzz targets that read captures: changes after which most records have right CRCs again. */
#ifndef SLOTLEDGER_TESTS_CAPTURE_MUTATE_H
#define SLOTLEDGER_TESTS_CAPTURE_MUTATE_H

#include <slotledger/capture.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Longer inputs only take more time: records are 32 bytes and more. */
#define MOST_BYTES 448u

/* Without fresh pages for each execution it is twice as fast; freed memory is still kept back for hundreds of them. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:malloc_context_size=4";
}

/* A random change alone always breaks a CRC: after it, three quarters of the records get theirs right again. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct sl_capture_header header;
    size = LLVMFuzzerMutate(data, size, max_size < MOST_BYTES ? max_size : size < MOST_BYTES ? MOST_BYTES : size);
    for (size_t at = 0; at + sizeof header <= size; at++) {
        size_t padded;
        if (data[at] != 'S' || data[at + 1] != 'L')
            continue;
        memcpy(&header, data + at, sizeof header);
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 30 == 0)
            continue;
        header.len_bytes &= seed >> 29 & 1u ? 0xffu : 0xffffffffu;
        padded = ((size_t)header.len_bytes + 7) & ~(size_t)7;
        if (padded <= size - at - sizeof header)
            header.payload_crc = sl_crc32c(0, data + at + sizeof header, padded);
        header.header_crc = sl_crc32c(0, &header, sizeof header - 4);
        memcpy(data + at, &header, sizeof header);
    }
    return size;
}

#endif
