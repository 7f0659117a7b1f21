/* SPDX-License-Identifier: Apache-2.0 */
/* A perf.data file in the making: events, records, AUX buffers, feature sections; little-endian, format of Linux 6.1.
 *
 * Source of the layout: perf_event_open(2) for attributes and kernel records, and the format's description in the Linux
 * documentation (tools/perf/Documentation/perf.data-file-format.txt) for the rest. */
#ifndef HOSTED_IO_PERF_IMAGE_H
#define HOSTED_IO_PERF_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "perf_format.h"
#include "pool.h"

/* perf_event_attr, what is used of it. */
struct perf_image_event {
    const char *name;
    uint32_t type;
    uint64_t config, config1, config2, config3;
    uint64_t period;
    uint64_t sample_type;     /* enum perf_sample_bit */
    uint64_t flags;           /* the bit fields, as one word */
    uint32_t first_id, n_ids; /* consecutive */
};

#define PERF_IMAGE_FEATURES 32 /* bits below this one are written */

/* Bytes of ours, then bytes of somebody else. */
struct perf_piece {
    struct text own;
    const uint8_t *payload;
    size_t payload_len;
};

struct perf_image {
    const struct perf_image_event *events;
    size_t n_events;
    struct perf_piece *pieces; /* of the data section */
    size_t n_pieces, capacity;
    uint64_t data_offset, data_len;
    struct text index; /* AUXTRACE_INDEX: offset and size of each AUXTRACE record */
    uint64_t n_auxtrace;
    struct text features[PERF_IMAGE_FEATURES];
};

/* The events stay the caller's. */
void perf_image_init(struct perf_image *image, const struct perf_image_event *events, size_t n_events);
void perf_image_free(struct perf_image *image);

/* Little-endian values at the end of a text. */
void perf_put(struct text *text, uint64_t value, unsigned bytes);
/* A string, NUL-padded to a multiple of `align`. */
void perf_put_name(struct text *text, const char *name, size_t align);
/* A string of a feature section: its padded length, then itself. */
void perf_put_string(struct text *text, const char *string);

/* A record of the data section. Body lengths are multiples of 8 (up to 65527 bytes). */
void perf_image_record(struct perf_image *image, uint32_t type, uint16_t misc, const struct text *body);
/* An AUXTRACE record and its buffer, which stays the caller's; padded with zeros to a multiple of 8. */
void perf_image_auxtrace(struct perf_image *image, uint32_t queue, uint32_t tid, uint32_t cpu, uint64_t offset,
                         const uint8_t *bytes, size_t len);
/* File offset of the next record's first byte. */
uint64_t perf_image_position(const struct perf_image *image);

/* Writes EVENT_DESC and the AUXTRACE index from what was added, and the file. false: errno says why. */
bool perf_image_write(struct perf_image *image, FILE *out);

#endif
