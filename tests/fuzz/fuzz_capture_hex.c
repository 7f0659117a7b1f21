/* SPDX-License-Identifier: Apache-2.0 */
/* Any text is a console log: what its good lines say is in the capture, and the capture is not much larger than the
 * log. */
#include "tests/fuzz/fuzz.h"

#include "hosted/io/capture_hex.h"

#include <slotledger/capture.h>

/* Without fresh pages for each execution it is twice as fast; freed memory is still kept back for hundreds of them. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:malloc_context_size=4";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hex_import import;
    bool any = hex_import(&import, (const char *)data, size);
    fuzz_require(any == (import.n_lines > 0) && import.n_repeated <= import.n_lines);
    fuzz_require(import.n_lines * 27 <= size && import.n_problems <= size);
    fuzz_require(import.bytes.len <= import.n_lines * (SL_HEX_BYTES + 4096 + 16));
    fuzz_require(any == (import.bytes.len > 0));
    for (size_t i = 0; i < import.n_problems; i++) {
        fuzz_require(import.problems[i].offset < size && import.problems[i].line >= 1);
        fuzz_require(import.problems[i].from <= import.problems[i].to);
    }
    hex_import_free(&import);
    return 0;
}

/* Lines whose check is right in spite of the change: only they get any further. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static bool fix(void *context, const void *bytes, uint32_t len)
{
    memcpy(context, bytes, len - 1u); /* without the line's end */
    return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct sl_capture_hex_line line;
    struct sl_capture_hex hex;
    size_t chars;
    size = LLVMFuzzerMutate(data, size, max_size);
    for (size_t at = 0; at < size; at += chars) {
        chars = 1;
        if (data[at] != '$')
            continue;
        (void)!sl_capture_hex_read((const char *)data + at, size - at, &line, &chars);
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 30 == 0 || line.len_bytes == 0 || chars != 26u + 2u * line.len_bytes - 1u)
            continue;
        sl_capture_hex_init(&hex, line.core, fix, data + at);
        hex.offset = seed >> 28 & 1u ? line.offset & 0xe0u : line.offset;
        (void)sl_capture_hex_emit(&hex, line.bytes, line.len_bytes);
        (void)sl_capture_hex_flush(&hex);
    }
    return size;
}
