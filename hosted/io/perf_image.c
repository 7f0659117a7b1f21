/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a perf.data file. */
#include "perf_image.h"

#include <stdlib.h>
#include <string.h>

#define AUXTRACE_BYTES 48u
/* Own bytes of a piece, beyond which a new piece begins: texts double as they grow. */
#define PIECE_BYTES ((size_t)1 << 20)

void perf_put(struct text *text, uint64_t value, unsigned bytes)
{
    char out[8];

    for (unsigned i = 0; i < bytes; i++)
        out[i] = (char)(value >> (8 * i));
    text_add(text, out, bytes);
}

void perf_put_name(struct text *text, const char *name, size_t align)
{
    size_t len = strlen(name) + 1;

    text_add(text, name, len);
    text_add_char(text, 0, (align - len % align) % align);
}

void perf_put_string(struct text *text, const char *string)
{
    perf_put(text, (strlen(string) + 64) / 64 * 64, 4);
    perf_put_name(text, string, 64);
}

static uint64_t ids_bytes(const struct perf_image *image)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < image->n_events; i++)
        bytes += (uint64_t)8 * image->events[i].n_ids;
    return bytes;
}

void perf_image_init(struct perf_image *image, const struct perf_image_event *events, size_t n_events)
{
    memset(image, 0, sizeof *image);
    image->events = events;
    image->n_events = n_events;
    image->data_offset = PERF_HEADER_BYTES + ids_bytes(image) + n_events * (PERF_ATTR_MAX_BYTES + 16);
}

void perf_image_free(struct perf_image *image)
{
    for (size_t i = 0; i < image->n_pieces; i++)
        text_free(&image->pieces[i].own);
    free(image->pieces);
    text_free(&image->index);
    for (size_t i = 0; i < PERF_IMAGE_FEATURES; i++)
        text_free(&image->features[i]);
    memset(image, 0, sizeof *image);
}

uint64_t perf_image_position(const struct perf_image *image)
{
    return image->data_offset + image->data_len;
}

/* Where own bytes go on. */
static struct text *own_bytes(struct perf_image *image)
{
    struct perf_piece *last = image->n_pieces ? &image->pieces[image->n_pieces - 1] : NULL;

    if (!last || last->payload || last->own.len > PIECE_BYTES) {
        image->pieces = array_grow(image->pieces, image->n_pieces, &image->capacity, sizeof *image->pieces);
        last = &image->pieces[image->n_pieces++];
        memset(last, 0, sizeof *last);
    }
    return &last->own;
}

static void put_header(struct text *text, uint32_t type, uint16_t misc, size_t bytes)
{
    perf_put(text, type, 4);
    perf_put(text, misc, 2);
    perf_put(text, bytes, 2);
}

void perf_image_record(struct perf_image *image, uint32_t type, uint16_t misc, const struct text *body)
{
    size_t len = body ? body->len : 0;
    struct text *own = own_bytes(image);

    put_header(own, type, misc, 8 + len);
    if (len)
        text_add(own, body->data, len);
    image->data_len += 8 + len;
}

void perf_image_auxtrace(struct perf_image *image, uint32_t queue, uint32_t tid, uint32_t cpu, uint64_t offset,
                         const uint8_t *bytes, size_t len)
{
    size_t padding = (8 - len % 8) % 8;
    struct text *own = own_bytes(image);

    perf_put(&image->index, perf_image_position(image), 8);
    perf_put(&image->index, AUXTRACE_BYTES, 8);
    image->n_auxtrace++;
    put_header(own, PERF_REC_AUXTRACE, 0, AUXTRACE_BYTES);
    perf_put(own, len + padding, 8);
    perf_put(own, offset, 8);
    perf_put(own, 0, 8); /* reference */
    perf_put(own, queue, 4);
    perf_put(own, tid, 4);
    perf_put(own, cpu, 4);
    perf_put(own, 0, 4);
    image->pieces[image->n_pieces - 1].payload = bytes;
    image->pieces[image->n_pieces - 1].payload_len = len;
    if (padding)
        text_add_char(own_bytes(image), 0, padding);
    image->data_len += AUXTRACE_BYTES + len + padding;
}

static void put_attr(struct text *text, const struct perf_image_event *event)
{
    size_t start = text->len;

    perf_put(text, event->type, 4);
    perf_put(text, PERF_ATTR_MAX_BYTES, 4);
    perf_put(text, event->config, 8);
    perf_put(text, event->period, 8);
    perf_put(text, event->sample_type, 8);
    perf_put(text, 4, 8); /* read_format: id */
    perf_put(text, event->flags, 8);
    perf_put(text, 0, 8); /* wakeup, bp_type */
    perf_put(text, event->config1, 8);
    perf_put(text, event->config2, 8);
    text_add_char(text, 0, PERF_ATTR_MAX_BYTES - (text->len - start));
}

static void put_event_desc(struct perf_image *image)
{
    struct text *text = &image->features[PERF_FEAT_EVENT_DESC];

    perf_put(text, image->n_events, 4);
    perf_put(text, PERF_ATTR_MAX_BYTES, 4);
    for (size_t i = 0; i < image->n_events; i++) {
        const struct perf_image_event *event = &image->events[i];
        put_attr(text, event);
        perf_put(text, event->n_ids, 4);
        perf_put_string(text, event->name);
        for (uint32_t id = 0; id < event->n_ids; id++)
            perf_put(text, event->first_id + id, 8);
    }
}

/* Header, ids and attributes. */
static void put_head(const struct perf_image *image, struct text *text)
{
    uint64_t attrs_offset = PERF_HEADER_BYTES + ids_bytes(image), ids_offset = PERF_HEADER_BYTES, features = 0;

    for (size_t i = 0; i < PERF_IMAGE_FEATURES; i++)
        features |= image->features[i].len ? (uint64_t)1 << i : 0;
    text_add(text, "PERFILE2", 8);
    perf_put(text, PERF_HEADER_BYTES, 8);
    perf_put(text, PERF_ATTR_MAX_BYTES + 16, 8);
    perf_put(text, attrs_offset, 8);
    perf_put(text, image->data_offset - attrs_offset, 8);
    perf_put(text, image->data_offset, 8);
    perf_put(text, image->data_len, 8);
    text_add_char(text, 0, 16); /* event types: not used any more */
    perf_put(text, features, 8);
    text_add_char(text, 0, 24);
    for (size_t i = 0; i < image->n_events; i++) {
        for (uint32_t id = 0; id < image->events[i].n_ids; id++)
            perf_put(text, image->events[i].first_id + id, 8);
    }
    for (size_t i = 0; i < image->n_events; i++) {
        put_attr(text, &image->events[i]);
        perf_put(text, ids_offset, 8);
        perf_put(text, (uint64_t)8 * image->events[i].n_ids, 8);
        ids_offset += (uint64_t)8 * image->events[i].n_ids;
    }
}

/* Offsets and sizes of the feature sections, then these themselves. */
static void put_features(const struct perf_image *image, struct text *text)
{
    uint64_t n = 0, offset = image->data_offset + image->data_len;

    for (size_t i = 0; i < PERF_IMAGE_FEATURES; i++)
        n += image->features[i].len != 0;
    offset += 16 * n;
    for (size_t i = 0; i < PERF_IMAGE_FEATURES; i++) {
        if (!image->features[i].len)
            continue;
        perf_put(text, offset, 8);
        perf_put(text, image->features[i].len, 8);
        offset += image->features[i].len;
    }
    for (size_t i = 0; i < PERF_IMAGE_FEATURES; i++)
        text_add(text, image->features[i].len ? image->features[i].data : "", image->features[i].len);
}

bool perf_image_write(struct perf_image *image, FILE *out)
{
    struct text text = {0};
    bool ok;

    text_free(&image->features[PERF_FEAT_EVENT_DESC]);
    put_event_desc(image);
    if (image->n_auxtrace) {
        struct text *index = &image->features[PERF_FEAT_AUXTRACE];
        text_free(index);
        perf_put(index, image->n_auxtrace, 8);
        text_add(index, image->index.data, image->index.len);
    }
    put_head(image, &text);
    ok = fwrite(text.data, 1, text.len, out) == text.len;
    for (size_t i = 0; ok && i < image->n_pieces; i++) {
        const struct perf_piece *piece = &image->pieces[i];
        ok = fwrite(piece->own.data, 1, piece->own.len, out) == piece->own.len &&
             (!piece->payload_len || fwrite(piece->payload, 1, piece->payload_len, out) == piece->payload_len);
    }
    text.len = 0;
    put_features(image, &text);
    ok = ok && fwrite(text.data, 1, text.len, out) == text.len && !fflush(out);
    text_free(&text);
    return ok;
}
