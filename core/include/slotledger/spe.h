/* SPDX-License-Identifier: Apache-2.0 */
/* Arm Statistical Profiling Extension: packet bytes -> records -> memory samples, and back to bytes.
 *
 * Source of the format: Arm Architecture Reference Manual (DDI 0487), chapter "Statistical Profiling Extension
 * Sample Record Specification". What the decoder makes of damaged bytes is what perf 6.1 makes of them. */
#ifndef SLOTLEDGER_SPE_H
#define SLOTLEDGER_SPE_H

#include <slotledger/base.h>
#include <slotledger/mem_sample.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- packets ------------------------------------------------------------------------------------------------ */

enum sl_spe_kind {
    SL_SPE_BAD,       /* no packet, or one that the buffer cuts: one byte to skip */
    SL_SPE_PAD,       /* padding, or an alignment packet with what it skips */
    SL_SPE_END,       /* ends a record that has no timestamp */
    SL_SPE_TIMESTAMP, /* ends a record; payload: ticks of the generic timer */
    SL_SPE_EVENTS,    /* payload: SL_SPE_EVENT_* */
    SL_SPE_SOURCE,    /* payload: data source, by the processor's own list */
    SL_SPE_CONTEXT,   /* payload: CONTEXTIDR_EL1 (index 0) or CONTEXTIDR_EL2 (index 1) */
    SL_SPE_OPERATION, /* index: enum sl_spe_class; payload: 8 bits */
    SL_SPE_ADDRESS,   /* index: SL_SPE_ADDRESS_* */
    SL_SPE_COUNTER,   /* index: SL_SPE_COUNTER_*; payload: cycles */
    SL_SPE_N_KINDS
};

enum sl_spe_class { SL_SPE_CLASS_OTHER, SL_SPE_CLASS_MEMORY, SL_SPE_CLASS_BRANCH, SL_SPE_CLASS_RESERVED };

/* Indices of address packets. The others, up to 31 with an extended header, are reserved. */
enum {
    SL_SPE_ADDRESS_PC,
    SL_SPE_ADDRESS_TARGET,
    SL_SPE_ADDRESS_VIRTUAL,
    SL_SPE_ADDRESS_PHYSICAL,
    SL_SPE_ADDRESS_PREVIOUS_TARGET,
    SL_SPE_ADDRESSES
};

/* Indices of counter packets. */
enum { SL_SPE_COUNTER_TOTAL, SL_SPE_COUNTER_ISSUE, SL_SPE_COUNTER_TRANSLATION, SL_SPE_COUNTERS };

/* Bits of events. 12 to 15, 24 to 31 and 48 to 63 are the implementation's own. */
enum {
    SL_SPE_EVENT_EXCEPTION,
    SL_SPE_EVENT_RETIRED,
    SL_SPE_EVENT_L1D_ACCESS,
    SL_SPE_EVENT_L1D_REFILL,
    SL_SPE_EVENT_TLB_ACCESS,
    SL_SPE_EVENT_TLB_WALK,
    SL_SPE_EVENT_NOT_TAKEN,
    SL_SPE_EVENT_MISPREDICTED,
    SL_SPE_EVENT_LLC_ACCESS,
    SL_SPE_EVENT_LLC_MISS,
    SL_SPE_EVENT_REMOTE,
    SL_SPE_EVENT_MISALIGNED,
    SL_SPE_EVENT_TRANSACTION = 16,
    SL_SPE_EVENT_PARTIAL_PREDICATE,
    SL_SPE_EVENT_EMPTY_PREDICATE,
    SL_SPE_EVENT_L2D_ACCESS, /* from here to 23: SPEv1.4 */
    SL_SPE_EVENT_L2D_MISS,
    SL_SPE_EVENT_DATA_MODIFIED,
    SL_SPE_EVENT_RECENTLY_FETCHED,
    SL_SPE_EVENT_DATA_SNOOPED
};

struct sl_spe_packet {
    uint64_t payload;
    uint32_t len_bytes; /* header, payload, and for SL_SPE_PAD all that is skipped; never 0 */
    uint8_t kind;       /* enum sl_spe_kind */
    uint8_t index;
    uint8_t header_bytes;  /* 1, or 2 with an extended header */
    uint8_t payload_bytes; /* 0, 1, 2, 4 or 8 */
};

/* The packet at bytes[0..len), len > 0. `address` is where bytes[0] lay when alignment packets were made: they reach to
 * the next multiple of their size from there. Padding is taken up to 16 bytes at once. */
void sl_spe_packet_read(const uint8_t *bytes, size_t len, uint64_t address, struct sl_spe_packet *out);

/* What an operation packet says. */
enum {
    SL_SPE_OP_LOAD = 1u << 0,
    SL_SPE_OP_STORE = 1u << 1,
    SL_SPE_OP_ATOMIC = 1u << 2,
    SL_SPE_OP_EXCLUSIVE = 1u << 3,
    SL_SPE_OP_ACQUIRE_RELEASE = 1u << 4,
    SL_SPE_OP_GENERAL = 1u << 5, /* general-purpose registers */
    SL_SPE_OP_SIMD_FP = 1u << 6,
    SL_SPE_OP_SVE = 1u << 7,
    SL_SPE_OP_PREDICATED = 1u << 8,
    SL_SPE_OP_GATHER_SCATTER = 1u << 9,
    SL_SPE_OP_UNSPECIFIED = 1u << 10, /* unspecified registers */
    SL_SPE_OP_TAG = 1u << 11,         /* allocation tag (MTE) */
    SL_SPE_OP_MEMCPY = 1u << 12,
    SL_SPE_OP_MEMSET = 1u << 13,
    SL_SPE_OP_SYSTEM = 1u << 14,        /* system register of nested virtualisation */
    SL_SPE_OP_GUARDED_STACK = 1u << 15, /* guarded control stack */
    SL_SPE_OP_BRANCH = 1u << 16,
    SL_SPE_OP_CONDITIONAL = 1u << 17, /* of a branch, or a conditional select */
    SL_SPE_OP_INDIRECT = 1u << 18,
    SL_SPE_OP_CALL = 1u << 19,
    SL_SPE_OP_RETURN = 1u << 20,
    SL_SPE_OP_FLOATING = 1u << 21, /* SVE data processing on floating-point numbers */
    SL_SPE_OP_OTHER = 1u << 22,
    SL_SPE_OP_PLAIN_BRANCH = 1u << 23 /* a branch said to be neither call nor return */
};

/* SL_SPE_OP_* of an operation packet; 0 for the reserved class. */
uint32_t sl_spe_operation(enum sl_spe_class operation_class, uint8_t payload);
/* Effective vector length in bits where SL_SPE_OP_SVE is set. */
static inline uint32_t sl_spe_vector_bits(uint8_t payload)
{
    return (uint32_t)32 << (payload >> 4 & 7u);
}

/* ---- records ------------------------------------------------------------------------------------------------ */

/* sl_spe_record.has: bit i for address i, then: */
enum {
    SL_SPE_HAS_COUNTER = 1u << 8, /* shifted by the counter's index */
    SL_SPE_HAS_TIMESTAMP = 1u << 12,
    SL_SPE_HAS_CONTEXT = 1u << 13,
    SL_SPE_HAS_CONTEXT_EL2 = 1u << 14, /* the context is CONTEXTIDR_EL2 */
    SL_SPE_HAS_SOURCE = 1u << 15,
    SL_SPE_HAS_EVENTS = 1u << 16,
    SL_SPE_HAS_OPERATION = 1u << 17,
    SL_SPE_HAS_LOAD = 1u << 18,
    SL_SPE_HAS_STORE = 1u << 19,
    SL_SPE_BROKEN = 1u << 20 /* what was gathered before a bad byte, a cut packet or a reserved operation */
};

/* The packets of one sampled operation. Of repeated packets the last one counts, events are united. */
struct sl_spe_record {
    uint64_t address[SL_SPE_ADDRESSES]; /* payloads as they were: see sl_spe_code_address() and the others */
    uint64_t timestamp;                 /* ticks of the generic timer */
    uint64_t events;
    uint32_t has;
    uint32_t context;
    uint16_t counter[SL_SPE_COUNTERS]; /* cycles; the hardware saturates at 12 or 16 bits */
    uint16_t source;
    uint8_t operation_class;
    uint8_t operation;
};

/* Addresses of their payloads, in the canonical form of perf: the top byte is all ones for kernel addresses. */
static inline uint64_t sl_spe_code_address(uint64_t payload)
{
    uint32_t el = (uint32_t)(payload >> 61) & 3u;
    uint64_t address = payload & 0x00ffffffffffffffu;
    return payload >> 63 && (el == 1 || el == 2) ? address | 0xff00000000000000u : address;
}
static inline uint64_t sl_spe_data_address(uint64_t payload)
{
    uint64_t address = payload & 0x00ffffffffffffffu;
    return address >> 52 == 0xf ? address | 0xff00000000000000u : address;
}
static inline uint64_t sl_spe_physical_address(uint64_t payload)
{
    return payload & 0x00ffffffffffffffu;
}
/* The exception level and security state of a code address. */
static inline unsigned sl_spe_level(uint64_t payload)
{
    return (unsigned)(payload >> 61) & 3u;
}
static inline bool sl_spe_nonsecure(uint64_t payload)
{
    return payload >> 63;
}
/* The tag (top byte) of a data address; of a physical address: NS 7, CH 6, PAT 3:0. */
static inline uint8_t sl_spe_top_byte(uint64_t payload)
{
    return (uint8_t)(payload >> 56);
}

/* What was lost or not understood. All counters are 64 bits wide and do not wrap in practice. */
struct sl_spe_counts {
    uint64_t bytes;
    uint64_t records;           /* complete ones */
    uint64_t broken_records;    /* ended by damage, handed out with SL_SPE_BROKEN */
    uint64_t bad_bytes;         /* skipped */
    uint64_t reserved_packets;  /* operation class 3, addresses and counters of reserved indices */
    uint64_t alignments;        /* alignment packets */
    uint64_t cut_records;       /* incomplete at the end of the stream: sl_spe_finish() */
    uint64_t buffers;           /* whose end was reported: sl_spe_note_buffer() */
    uint64_t truncated_buffers; /* PMBSR_EL1.DL: the last record is cut, data were lost */
    uint64_t collided_buffers;  /* PMBSR_EL1.COLL: samples were dropped because the one before was still in flight */
    uint64_t failed_buffers;    /* a fault or an external abort stopped the writing */
};

struct sl_spe_config {
    uint64_t base_address;  /* of the first byte, for alignment packets; later feeds go on from there */
    bool drop_broken;       /* broken records are counted, not handed out (perf hands them out) */
    bool sve_other_is_load; /* perf 6.1's reading: a data-processing SVE operation makes its record a load */
};

/* Decoder of one stream. It holds no memory but this struct; the bytes stay the caller's. */
struct sl_spe_decoder {
    const uint8_t *next;
    const uint8_t *end;
    uint64_t address; /* of `end` */
    struct sl_spe_counts counts;
    struct sl_spe_record record; /* after sl_spe_next() said true: the record */
    bool is_handed_out;
    bool drop_broken;
    bool sve_other_is_load;
};

void sl_spe_init(struct sl_spe_decoder *decoder, const struct sl_spe_config *config); /* config may be NULL */
/* The next buffer of the stream; the one before must be used up. A packet does not reach from one buffer into the next,
 * a record does. */
void sl_spe_feed(struct sl_spe_decoder *decoder, const uint8_t *bytes, size_t len);
/* true: decoder->record holds the next record, until the next call. false: the buffer is used up. */
bool sl_spe_next(struct sl_spe_decoder *decoder);
/* End of the stream: what is left without an end is dropped and counted. */
void sl_spe_finish(struct sl_spe_decoder *decoder);
/* Accounts for one buffer by the PMBSR_EL1 that the driver read when it ended. */
void sl_spe_note_buffer(struct sl_spe_counts *counts, uint64_t pmbsr);

/* ---- memory samples ----------------------------------------------------------------------------------------- */

/* One value of data source packets. */
struct sl_spe_source {
    uint64_t data_source; /* SL_MEM_*, without the operation; 0: no such value */
    const char *name;
};

/* What one family of processors means by its data source packets. */
struct sl_spe_family {
    const char *name;
    const struct sl_spe_source *sources; /* [n_sources], by value */
    uint16_t n_sources;
    bool newer_events; /* SPEv1.4's data modified and data snooped events tell of a HITM */
};

/* Which processors' data sources are understood. */
enum sl_spe_edition {
    SL_SPE_EDITION_PERF_6_1, /* those that perf 6.1 knows; other records tell their level by events alone */
    SL_SPE_EDITION_CURRENT   /* all that are known */
};

/* The family of a processor by its MIDR_EL1; the *generic* one, without sources, for unknown processors. Never NULL. */
const struct sl_spe_family *sl_spe_family(uint64_t midr, enum sl_spe_edition edition);

/* Fills in a sample and returns true when the record is a load or a store. cpu, pid and event are left to the caller
 * (SL_MEM_NO_CPU, SL_MEM_NO_ID, 0), tid is the context if there is one, time the timestamp in ticks. Kernel mode is
 * that of code addresses from kernel_start on (perf: 1 << 63 without a kernel map). */
bool sl_spe_sample(const struct sl_spe_record *record, const struct sl_spe_family *family, uint64_t kernel_start,
                   struct sl_mem_sample *sample);

/* ---- encoder (for tests, fakes and fixtures) ----------------------------------------------------------------- */

/* Bytes are written while they fit; used_bytes counts all of them, so that it tells the room needed. */
struct sl_spe_encoder {
    uint8_t *bytes;
    size_t room_bytes;
    size_t used_bytes;
};

void sl_spe_put_byte(struct sl_spe_encoder *encoder, uint8_t byte);
/* Any packet but padding; index and payload_bytes as the kind allows (addresses have 8, counters 2 bytes, contexts 4,
 * operations 1, events and sources 1, 2, 4 or 8). Indices over 7 take an extended header, as does `extended`. */
void sl_spe_put(struct sl_spe_encoder *encoder, enum sl_spe_kind kind, unsigned index, uint64_t payload,
                unsigned payload_bytes, bool extended);
/* The packets that the record has, in the order of hardware, ended by its timestamp or an end packet, and padding up to
 * a multiple of align_bytes (0, 1: none). */
void sl_spe_put_record(struct sl_spe_encoder *encoder, const struct sl_spe_record *record, size_t align_bytes);

#ifdef __cplusplus
}
#endif
#endif
