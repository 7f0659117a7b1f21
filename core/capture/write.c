/* SPDX-License-Identifier: Apache-2.0 */
/* The writer: header, payload and padding of one record, to RAM or to a callback. */
#include "internal.h"

#define MEM_MIN 256u

static const uint8_t padding[SL_CAPTURE_ALIGN] = {0};

enum sl_status sl_capture_init(struct sl_capture *c, const struct sl_capture_config *config)
{
    bool stream = config->sink == SL_SINK_STREAM;

    CLEAR(c, sizeof *c);
    if (config->sink > SL_SINK_RING || (stream && config->emit == NULL))
        return SL_E_ARGUMENT;
    if (!stream && (config->mem == NULL || ((uintptr_t)config->mem | config->mem_bytes) % SL_CAPTURE_ALIGN != 0 ||
                    config->mem_bytes < MEM_MIN))
        return SL_E_ARGUMENT;
    c->emit = config->emit;
    c->context = config->context;
    c->sink = (uint8_t)config->sink;
    c->core = config->core;
    c->session = config->session;
    if (!stream) {
        c->mem = config->mem;
        c->size_bytes = config->mem_bytes;
        CLEAR(c->mem, c->size_bytes);
    }
    return SL_OK;
}

/* The header comes last: a record that is cut off by a reset or a debugger's halt has none. */
static void to_memory(uint8_t *place, const struct sl_capture_header *header, const struct sl_capture_span *spans,
                      unsigned n_spans)
{
    uint8_t *p = place + HEADER_BYTES;

    CLEAR(place, HEADER_BYTES);
    for (unsigned i = 0; i < n_spans; i++) {
        if (spans[i].len_bytes != 0)
            COPY(p, spans[i].data, spans[i].len_bytes);
        p += spans[i].len_bytes;
    }
    CLEAR(p, PADDED(header->len_bytes) - header->len_bytes);
#if defined(__GNUC__)
    __asm__ volatile("" ::: "memory");
#endif
    COPY(place, header, HEADER_BYTES);
}

static bool to_callback(struct sl_capture *c, const struct sl_capture_header *header,
                        const struct sl_capture_span *spans, unsigned n_spans)
{
    uint32_t pad = PADDED(header->len_bytes) - header->len_bytes;
    bool ok = c->emit(c->context, header, HEADER_BYTES);

    for (unsigned i = 0; ok && i < n_spans; i++)
        ok = spans[i].len_bytes == 0 || c->emit(c->context, spans[i].data, spans[i].len_bytes);
    return ok && (pad == 0 || c->emit(c->context, padding, pad));
}

static bool put(struct sl_capture *c, struct sl_capture_header *header, const struct sl_capture_span *spans,
                unsigned n_spans)
{
    uint32_t bytes = HEADER_BYTES + PADDED(header->len_bytes);
    uint8_t *place = NULL;

    if (c->sink != SL_SINK_STREAM) {
        place = sl_capture_place(c, bytes);
        if (place == NULL)
            return false;
    }
    header->lost = c->lost;
    header->header_crc = sl_crc32c(0, header, HEADER_CRC_BYTES);
    if (place == NULL)
        return to_callback(c, header, spans, n_spans);
    to_memory(place, header, spans, n_spans);
    c->head += bytes;
    return true;
}

enum sl_status sl_capture_write(struct sl_capture *c, enum sl_capture_type type, const struct sl_capture_span *spans,
                                unsigned n_spans)
{
    struct sl_capture_header header;
    uint32_t crc = 0, len = 0;
    bool fits = true;

    for (unsigned i = 0; i < n_spans; i++) {
        fits = fits && spans[i].len_bytes <= SL_CAPTURE_MAX_BYTES - len;
        len += fits ? spans[i].len_bytes : 0;
    }
    header.sequence = c->sequence++;
    if (!fits || c->ended) {
        c->lost++;
        return fits ? SL_E_ROOM : SL_E_ARGUMENT;
    }
    for (unsigned i = 0; i < n_spans; i++)
        crc = sl_crc32c(crc, spans[i].data, spans[i].len_bytes);
    header.magic = SL_CAPTURE_MAGIC;
    header.type = (uint8_t)type;
    header.version = 1;
    header.len_bytes = len;
    header.core = c->core;
    header.reserved = 0;
    header.session = c->session;
    header.payload_crc = sl_crc32c(crc, padding, PADDED(len) - len);
    c->ended = type == SL_CAPTURE_END;
    if (!put(c, &header, spans, n_spans)) {
        c->lost++;
        return SL_E_ROOM;
    }
    c->records++;
    c->bytes += HEADER_BYTES + PADDED(len);
    return SL_OK;
}
