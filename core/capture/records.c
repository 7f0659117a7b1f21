/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each type of record. */
#include "internal.h"

static enum sl_status write_two(struct sl_capture *c, enum sl_capture_type type, const void *fixed,
                                uint32_t fixed_bytes, const void *more, uint32_t more_bytes)
{
    const struct sl_capture_span spans[2] = {{fixed, fixed_bytes}, {more, more_bytes}};

    return sl_capture_write(c, type, spans, more_bytes != 0 ? 2u : 1u);
}

enum sl_status sl_capture_file(struct sl_capture *c, const struct sl_capture_file *file)
{
    struct sl_capture_file full = *file;

    full.major = SL_CAPTURE_MAJOR;
    full.minor = SL_CAPTURE_MINOR;
    full.order_tag = SL_CAPTURE_ORDER_TAG;
    full.sink = c->sink;
    full.mem_bytes = c->size_bytes;
    return write_two(c, SL_CAPTURE_FILE, &full, sizeof full, NULL, 0);
}

enum sl_status sl_capture_cpu(struct sl_capture *c, const struct sl_capture_cpu *cpu)
{
    return write_two(c, SL_CAPTURE_CPU, cpu, sizeof *cpu, NULL, 0);
}

enum sl_status sl_capture_regs(struct sl_capture *c, uint16_t when, const struct sl_capture_register *registers,
                               uint16_t n_registers)
{
    const struct sl_capture_regs regs = {n_registers, when, 0};

    return write_two(c, SL_CAPTURE_REGS, &regs, sizeof regs, registers, n_registers * (uint32_t)sizeof *registers);
}

enum sl_status sl_capture_clock(struct sl_capture *c, const struct sl_capture_clock *clock)
{
    return write_two(c, SL_CAPTURE_CLOCK, clock, sizeof *clock, NULL, 0);
}

enum sl_status sl_capture_group(struct sl_capture *c, const struct sl_capture_group *group,
                                const struct sl_capture_counter *counters)
{
    return write_two(c, SL_CAPTURE_GROUP, group, sizeof *group, counters,
                     group->n_counters * (uint32_t)sizeof *counters);
}

enum sl_status sl_capture_region(struct sl_capture *c, uint16_t id, uint16_t parent, uint16_t source, const char *label)
{
    struct sl_capture_region region = {id, parent, source, 0};
    uint16_t len = 0;

    while (len < SL_CAPTURE_LABEL_MAX && label[len] != '\0')
        len++;
    /* Not inside a UTF-8 character: its later bytes are 10xxxxxx. */
    if (label[len] != '\0') {
        while (len > 0 && ((unsigned char)label[len] & 0xc0u) == 0x80u)
            len--;
    }
    region.label_bytes = len;
    return write_two(c, SL_CAPTURE_REGION, &region, sizeof region, label, len);
}

enum sl_status sl_capture_sample(struct sl_capture *c, enum sl_capture_type type,
                                 const struct sl_capture_sample *sample, const struct sl_capture_count *counts,
                                 const struct sl_capture_metrics *metrics, const struct sl_capture_square *squares)
{
    struct sl_capture_span spans[4] = {{sample, sizeof *sample}, {counts, sample->n_counts * (uint32_t)sizeof *counts}};
    unsigned n = 2;

    if (sample->parts & SL_SAMPLE_METRICS) {
        spans[n].data = metrics;
        spans[n++].len_bytes = sizeof *metrics;
    }
    if (sample->parts & SL_SAMPLE_SQUARES) {
        spans[n].data = squares;
        spans[n++].len_bytes = sample->n_counts * (uint32_t)sizeof *squares;
    }
    return sl_capture_write(c, type, spans, n);
}

enum sl_status sl_capture_spe(struct sl_capture *c, const struct sl_capture_spe *spe, const void *bytes,
                              uint32_t len_bytes)
{
    struct sl_capture_spe part = *spe;
    const uint8_t *p = bytes;
    uint32_t most = SL_CAPTURE_MAX_BYTES - (uint32_t)sizeof part;
    enum sl_status first = SL_OK, status;

    if (c->sink != SL_SINK_STREAM)
        most = sl_min_u32(most, sl_max_u32(c->size_bytes / 8u & ~(SL_CAPTURE_ALIGN - 1u), 64u));
    part.offset = 0;
    part.total_bytes = len_bytes;
    do {
        uint32_t now = sl_min_u32(most, len_bytes - part.offset);

        status = write_two(c, SL_CAPTURE_SPE, &part, sizeof part, p + part.offset, now);
        first = first != SL_OK ? first : status;
        part.offset += now;
    } while (part.offset < len_bytes);
    return first;
}

enum sl_status sl_capture_note(struct sl_capture *c, const struct sl_capture_note *note, const char *text)
{
    uint32_t len = 0;

    while (text != NULL && text[len] != '\0')
        len++;
    return write_two(c, SL_CAPTURE_NOTE, note, sizeof *note, text, len);
}

enum sl_status sl_capture_finish(struct sl_capture *c)
{
    const struct sl_capture_end end = {c->records, c->bytes, c->lost, 0};

    return write_two(c, SL_CAPTURE_END, &end, sizeof end, NULL, 0);
}
