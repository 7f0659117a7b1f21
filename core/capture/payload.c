/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads back into structs, with every length checked. */
#include "internal.h"

#define HALF(offset) sl_get_u16le(record->payload + (offset))

/* Sizes of a type's fixed part and of an element of the array behind it; where the array's count is, and whether more
 * may follow: a label of the length that the payload's last half-word gives, or bytes up to the end. */
struct layout {
    uint8_t fixed_bytes;
    uint8_t element_bytes;
    uint8_t count_offset;
    bool tail;
};

static const struct layout layouts[SL_CAPTURE_TYPES] = {
    [SL_CAPTURE_FILE] = {sizeof(struct sl_capture_file), 0, 0, false},
    [SL_CAPTURE_CPU] = {sizeof(struct sl_capture_cpu), 0, 0, false},
    [SL_CAPTURE_REGS] = {sizeof(struct sl_capture_regs), sizeof(struct sl_capture_register),
                         offsetof(struct sl_capture_regs, n_registers), false},
    [SL_CAPTURE_CLOCK] = {sizeof(struct sl_capture_clock), 0, 0, false},
    [SL_CAPTURE_GROUP] = {sizeof(struct sl_capture_group), sizeof(struct sl_capture_counter),
                          offsetof(struct sl_capture_group, n_counters), false},
    [SL_CAPTURE_REGION] = {sizeof(struct sl_capture_region), 1, offsetof(struct sl_capture_region, label_bytes), true},
    [SL_CAPTURE_SAMPLE] = {sizeof(struct sl_capture_sample), sizeof(struct sl_capture_count),
                           offsetof(struct sl_capture_sample, n_counts), false},
    [SL_CAPTURE_CALIBRATION] = {sizeof(struct sl_capture_sample), sizeof(struct sl_capture_count),
                                offsetof(struct sl_capture_sample, n_counts), false},
    [SL_CAPTURE_SPE] = {sizeof(struct sl_capture_spe), 0, 0, true},
    [SL_CAPTURE_NOTE] = {sizeof(struct sl_capture_note), 0, 0, true},
    [SL_CAPTURE_END] = {sizeof(struct sl_capture_end), 0, 0, false},
};

static bool is_sample(const struct sl_capture_item *record)
{
    return record->header.type == SL_CAPTURE_SAMPLE || record->header.type == SL_CAPTURE_CALIBRATION;
}

static uint32_t sample_parts(const struct sl_capture_item *record)
{
    return is_sample(record) ? HALF(offsetof(struct sl_capture_sample, parts)) : 0;
}

static uint32_t elements_of(const struct sl_capture_item *record, const struct layout *layout)
{
    return layout->element_bytes != 0 ? HALF(layout->count_offset) : 0;
}

/* All that the payload announces. */
static uint32_t announced(const struct sl_capture_item *record, const struct layout *layout)
{
    uint32_t n = elements_of(record, layout), parts = sample_parts(record);
    uint32_t bytes = layout->fixed_bytes + n * layout->element_bytes;

    if (parts & SL_SAMPLE_METRICS)
        bytes += (uint32_t)sizeof(struct sl_capture_metrics);
    if (parts & SL_SAMPLE_SQUARES)
        bytes += n * (uint32_t)sizeof(struct sl_capture_square);
    return bytes;
}

enum sl_status sl_capture_get(const struct sl_capture_item *record, void *fixed, size_t fixed_bytes)
{
    const struct sl_capture_header *header = &record->header;
    const struct layout *layout;

    if (header->type >= SL_CAPTURE_TYPES || layouts[header->type].fixed_bytes == 0 || header->version != 1)
        return SL_E_UNSUPPORTED;
    layout = &layouts[header->type];
    if (fixed_bytes != layout->fixed_bytes)
        return SL_E_ARGUMENT;
    if (header->len_bytes < layout->fixed_bytes || header->len_bytes < announced(record, layout))
        return SL_E_TRUNCATED;
    COPY(fixed, record->payload, fixed_bytes);
    return SL_OK;
}

void sl_capture_element(const struct sl_capture_item *record, uint32_t i, void *element, size_t element_bytes)
{
    COPY(element, record->payload + layouts[record->header.type].fixed_bytes + i * element_bytes, element_bytes);
}

const uint8_t *sl_capture_tail(const struct sl_capture_item *record, uint32_t *len_bytes)
{
    const struct layout *layout = &layouts[record->header.type];

    *len_bytes = 0;
    if (layout->tail)
        *len_bytes =
            layout->element_bytes != 0 ? elements_of(record, layout) : record->header.len_bytes - layout->fixed_bytes;
    return record->payload + layout->fixed_bytes;
}

bool sl_capture_metrics_of(const struct sl_capture_item *record, struct sl_capture_metrics *metrics)
{
    uint32_t n = elements_of(record, &layouts[record->header.type]);

    if ((sample_parts(record) & SL_SAMPLE_METRICS) == 0)
        return false;
    COPY(metrics, record->payload + sizeof(struct sl_capture_sample) + n * sizeof(struct sl_capture_count),
         sizeof *metrics);
    return true;
}

bool sl_capture_square_of(const struct sl_capture_item *record, uint32_t i, struct sl_capture_square *square)
{
    uint32_t n = elements_of(record, &layouts[record->header.type]), parts = sample_parts(record);
    size_t at = sizeof(struct sl_capture_sample) + n * sizeof(struct sl_capture_count);

    if ((parts & SL_SAMPLE_SQUARES) == 0 || i >= n)
        return false;
    if (parts & SL_SAMPLE_METRICS)
        at += sizeof(struct sl_capture_metrics);
    COPY(square, record->payload + at + i * sizeof *square, sizeof *square);
    return true;
}
