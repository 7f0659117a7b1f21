/* SPDX-License-Identifier: Apache-2.0 */
/* Packets -> records. */
#include "packet.h"

void sl_spe_init(struct sl_spe_decoder *decoder, const struct sl_spe_config *config)
{
    *decoder = (struct sl_spe_decoder){.next = NULL};
    if (config) {
        decoder->address = config->base_address;
        decoder->drop_broken = config->drop_broken;
        decoder->sve_other_is_load = config->sve_other_is_load;
    }
}

void sl_spe_feed(struct sl_spe_decoder *decoder, const uint8_t *bytes, size_t len)
{
    decoder->next = bytes;
    decoder->end = bytes + len;
    decoder->address += len;
    decoder->counts.bytes += len;
}

/* What to do with a record once its packet is read. */
enum step { STEP_ON, STEP_RECORD, STEP_BROKEN };

/* The functions below store a packet's payload and return the SL_SPE_HAS_* that it adds. Addresses and counters of
 * reserved indices say nothing that is known. */
static uint32_t put_address(struct sl_spe_decoder *d, unsigned index, uint64_t payload)
{
    if (index >= SL_SPE_ADDRESSES) {
        d->counts.reserved_packets++;
        return 0;
    }
    d->record.address[index] = payload;
    return 1u << index;
}

static uint32_t put_counter(struct sl_spe_decoder *d, unsigned index, uint16_t payload)
{
    if (index >= SL_SPE_COUNTERS) {
        d->counts.reserved_packets++;
        return 0;
    }
    d->record.counter[index] = payload;
    return (unsigned)SL_SPE_HAS_COUNTER << index;
}

static uint32_t put_operation(struct sl_spe_decoder *d, unsigned operation_class, uint8_t payload)
{
    uint32_t has = SL_SPE_HAS_OPERATION;

    if (operation_class == SL_SPE_CLASS_RESERVED) {
        d->counts.reserved_packets++;
        return 0;
    }
    d->record.operation_class = (uint8_t)operation_class;
    d->record.operation = payload;
    if (operation_class == SL_SPE_CLASS_MEMORY)
        has |= (unsigned)SL_SPE_HAS_LOAD << (payload & 1u);
    else if (operation_class == SL_SPE_CLASS_OTHER && (payload & 0x89u) == 0x08u && d->sve_other_is_load)
        has |= SL_SPE_HAS_LOAD;
    return has;
}

/* Packets that are rare: extended headers, alignment, damage (*step becomes STEP_BROKEN). */
static uint32_t read_rare(struct sl_spe_decoder *d, enum step *step)
{
    struct sl_spe_packet packet;
    size_t len = (size_t)(d->end - d->next);

    sl_spe_packet_read(d->next, len, d->address - len, &packet);
    d->next += packet.len_bytes;
    switch (packet.kind) {
    case SL_SPE_ADDRESS:
        return put_address(d, packet.index, packet.payload);
    case SL_SPE_COUNTER:
        return put_counter(d, packet.index, (uint16_t)packet.payload);
    case SL_SPE_BAD:
        d->counts.bad_bytes++;
        *step = STEP_BROKEN;
        return 0;
    default:
        d->counts.alignments++;
        return 0;
    }
}

/* Zero bytes come in long runs. */
static const uint8_t *skip_zeros(const uint8_t *p, const uint8_t *end)
{
    while (end - p >= 8) {
        uint64_t word = sl_get_u64le(p);
        if (word != 0)
            return p + sl_ctz64(word) / 8u;
        p += 8;
    }
    while (p < end && *p == 0)
        p++;
    return p;
}

/* Reads packets until one ends a record, or the buffer is used up (STEP_ON). */
static enum step read_packets(struct sl_spe_decoder *d)
{
    struct sl_spe_record *r = &d->record;
    const uint8_t *const end = d->end;
    const uint8_t *p = d->next;
    enum step step = STEP_ON;
    uint32_t has = r->has; /* in a register: each packet changes it */

    while (p < end && step == STEP_ON) {
        unsigned header = spe_headers[*p], len = header >> 4;

        if ((size_t)(end - p) < len)
            header = SL_SPE_BAD;
        switch (header & 15u) {
        case SL_SPE_PAD:
            p = skip_zeros(p, end);
            continue;
        case SL_SPE_ADDRESS:
            has |= put_address(d, *p & 7u, sl_get_u64le(p + 1));
            break;
        case SL_SPE_COUNTER:
            has |= put_counter(d, *p & 7u, sl_get_u16le(p + 1));
            break;
        case SL_SPE_OPERATION:
            step = (*p & 3u) == SL_SPE_CLASS_RESERVED ? STEP_BROKEN : STEP_ON;
            has |= put_operation(d, *p & 3u, p[1]);
            break;
        case SL_SPE_CONTEXT:
            r->context = sl_get_u32le(p + 1);
            has = (has & ~(uint32_t)SL_SPE_HAS_CONTEXT_EL2) | SL_SPE_HAS_CONTEXT;
            has |= *p & 1u ? (unsigned)SL_SPE_HAS_CONTEXT_EL2 : 0u;
            break;
        case SL_SPE_EVENTS:
            r->events |= spe_payload_at(p + 1, len - 1);
            has |= SL_SPE_HAS_EVENTS;
            break;
        case SL_SPE_SOURCE:
            r->source = (uint16_t)spe_payload_at(p + 1, len - 1);
            has |= SL_SPE_HAS_SOURCE;
            break;
        case SL_SPE_TIMESTAMP:
            r->timestamp = sl_get_u64le(p + 1);
            has |= SL_SPE_HAS_TIMESTAMP;
            step = STEP_RECORD;
            break;
        case SL_SPE_END:
            step = STEP_RECORD;
            break;
        default:
            d->next = p;
            has |= read_rare(d, &step);
            p = d->next;
            continue;
        }
        p += len;
    }
    r->has = has;
    d->next = p;
    return step;
}

bool sl_spe_next(struct sl_spe_decoder *decoder)
{
    if (decoder->is_handed_out) {
        decoder->record = (struct sl_spe_record){.has = 0};
        decoder->is_handed_out = false;
    }
    for (;;) {
        switch (read_packets(decoder)) {
        case STEP_ON:
            return false;
        case STEP_RECORD:
            decoder->counts.records++;
            decoder->is_handed_out = true;
            return true;
        case STEP_BROKEN:
            /* Nothing gathered: more garbage. */
            if (decoder->record.has == 0)
                break;
            decoder->counts.broken_records++;
            if (decoder->drop_broken) {
                decoder->record = (struct sl_spe_record){.has = 0};
                break;
            }
            decoder->record.has |= SL_SPE_BROKEN;
            decoder->is_handed_out = true;
            return true;
        }
    }
}

void sl_spe_finish(struct sl_spe_decoder *decoder)
{
    if (!decoder->is_handed_out && decoder->record.has != 0)
        decoder->counts.cut_records++;
    decoder->record = (struct sl_spe_record){.has = 0};
    decoder->is_handed_out = false;
}

void sl_spe_note_buffer(struct sl_spe_counts *counts, uint64_t pmbsr)
{
    uint32_t ec = (uint32_t)(pmbsr >> 26) & 0x3fu, bsc = (uint32_t)pmbsr & 0x3fu;
    bool service = pmbsr >> 17 & 1u;

    counts->buffers++;
    counts->truncated_buffers += pmbsr >> 19 & 1u;
    counts->collided_buffers += pmbsr >> 16 & 1u;
    /* EC 0 with status 1 is a full buffer; all else that asks for service is a fault. EA: external abort. */
    counts->failed_buffers += (pmbsr >> 18 & 1u) || (service && (ec != 0 || bsc > 1));
}
