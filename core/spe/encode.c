/* SPDX-License-Identifier: Apache-2.0 */
/* Records -> packet bytes. */
#include <slotledger/spe.h>

void sl_spe_put_byte(struct sl_spe_encoder *encoder, uint8_t byte)
{
    if (encoder->used_bytes < encoder->room_bytes)
        encoder->bytes[encoder->used_bytes] = byte;
    encoder->used_bytes++;
}

void sl_spe_put(struct sl_spe_encoder *encoder, enum sl_spe_kind kind, unsigned index, uint64_t payload,
                unsigned payload_bytes, bool extended)
{
    static const uint8_t headers[SL_SPE_N_KINDS] = {
        [SL_SPE_BAD] = 0x07,       [SL_SPE_END] = 0x01,     [SL_SPE_TIMESTAMP] = 0x41,
        [SL_SPE_EVENTS] = 0x42,    [SL_SPE_SOURCE] = 0x43,  [SL_SPE_CONTEXT] = 0x44,
        [SL_SPE_OPERATION] = 0x48, [SL_SPE_ADDRESS] = 0x80, [SL_SPE_COUNTER] = 0x88,
    };
    unsigned header = headers[kind];

    if (payload_bytes > 1)
        header |= sl_msb64(payload_bytes) << 4;
    if (extended || index > 7)
        sl_spe_put_byte(encoder, (uint8_t)(0x20u | (index >> 3 & 3u)));
    sl_spe_put_byte(encoder, (uint8_t)(header | (index & 7u)));
    for (; payload_bytes > 0; payload_bytes--, payload >>= 8)
        sl_spe_put_byte(encoder, (uint8_t)payload);
}

/* The shortest size that holds the value. */
static unsigned bytes_of(uint64_t value)
{
    if (value >> 32)
        return 8;
    if (value >> 16)
        return 4;
    return value >> 8 ? 2 : 1;
}

static void put_address(struct sl_spe_encoder *encoder, const struct sl_spe_record *record, unsigned index)
{
    if (record->has >> index & 1u)
        sl_spe_put(encoder, SL_SPE_ADDRESS, index, record->address[index], 8, false);
}

static void put_counter(struct sl_spe_encoder *encoder, const struct sl_spe_record *record, unsigned index)
{
    if (record->has & (unsigned)SL_SPE_HAS_COUNTER << index)
        sl_spe_put(encoder, SL_SPE_COUNTER, index, record->counter[index], 2, false);
}

void sl_spe_put_record(struct sl_spe_encoder *encoder, const struct sl_spe_record *record, size_t align_bytes)
{
    put_address(encoder, record, SL_SPE_ADDRESS_PC);
    if (record->has & SL_SPE_HAS_CONTEXT)
        sl_spe_put(encoder, SL_SPE_CONTEXT, record->has & SL_SPE_HAS_CONTEXT_EL2 ? 1 : 0, record->context, 4, false);
    if (record->has & SL_SPE_HAS_OPERATION)
        sl_spe_put(encoder, SL_SPE_OPERATION, record->operation_class, record->operation, 1, false);
    put_address(encoder, record, SL_SPE_ADDRESS_TARGET);
    put_address(encoder, record, SL_SPE_ADDRESS_PREVIOUS_TARGET);
    if (record->has & SL_SPE_HAS_EVENTS)
        sl_spe_put(encoder, SL_SPE_EVENTS, 0, record->events, bytes_of(record->events), false);
    put_counter(encoder, record, SL_SPE_COUNTER_ISSUE);
    put_counter(encoder, record, SL_SPE_COUNTER_TOTAL);
    put_address(encoder, record, SL_SPE_ADDRESS_VIRTUAL);
    put_counter(encoder, record, SL_SPE_COUNTER_TRANSLATION);
    put_address(encoder, record, SL_SPE_ADDRESS_PHYSICAL);
    if (record->has & SL_SPE_HAS_SOURCE)
        sl_spe_put(encoder, SL_SPE_SOURCE, 0, record->source, bytes_of(record->source), false);
    if (record->has & SL_SPE_HAS_TIMESTAMP)
        sl_spe_put(encoder, SL_SPE_TIMESTAMP, 0, record->timestamp, 8, false);
    else
        sl_spe_put(encoder, SL_SPE_END, 0, 0, 0, false);
    if (align_bytes > 1) {
        while (encoder->used_bytes % align_bytes != 0)
            sl_spe_put_byte(encoder, 0);
    }
}
