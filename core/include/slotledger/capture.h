/* SPDX-License-Identifier: Apache-2.0 */
/* The dump container: what a board writes while it measures, and how the host gets at it again.
 *
 * A capture is a row of records. Each has a 32-byte header with a CRC of its own, and a payload of fixed-width
 * little-endian fields; core/capture/FORMAT.md describes the bytes. The structs below are the payloads' fixed parts,
 * byte for byte: writers fill them in, readers get them back.
 *
 * Every record a writer is asked for takes the next sequence number of its core, also when there is no room for it: a
 * reader tells from the numbers what is missing, and from `lost` how much of that the writer itself gave up. */
#ifndef SLOTLEDGER_CAPTURE_H
#define SLOTLEDGER_CAPTURE_H

#include <slotledger/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SL_CAPTURE_MAGIC     0x4c53u /* the bytes "SL" */
#define SL_CAPTURE_MAJOR     1u
#define SL_CAPTURE_MINOR     0u
#define SL_CAPTURE_ALIGN     8u         /* payloads are padded with zeros to a multiple of this */
#define SL_CAPTURE_MAX_BYTES (1u << 20) /* largest payload; sl_capture_spe splits what is longer */
#define SL_CAPTURE_ORDER_TAG 0x01020304u

/* ---- record header ------------------------------------------------------------------------------------------- */

enum sl_capture_type {
    SL_CAPTURE_FILE = 1, /* what wrote this; one per core's stream, first */
    SL_CAPTURE_CPU = 2,  /* the core and what was found of its counters */
    SL_CAPTURE_REGS = 3, /* raw register values */
    SL_CAPTURE_CLOCK = 4,
    SL_CAPTURE_GROUP = 5,       /* events that are counted at the same time */
    SL_CAPTURE_REGION = 6,      /* name of a measured region */
    SL_CAPTURE_SAMPLE = 7,      /* raw counts of one region with one group */
    SL_CAPTURE_CALIBRATION = 8, /* the same of an empty region: the cost of measuring */
    SL_CAPTURE_SPE = 9,         /* bytes of an Arm SPE buffer */
    SL_CAPTURE_NOTE = 10,       /* an event or an error, for people and for `slotledger doctor` */
    SL_CAPTURE_END = 11,        /* the writer closed its stream */
    SL_CAPTURE_TYPES = 12
};

struct sl_capture_header {
    uint16_t magic;
    uint8_t type;
    uint8_t version;    /* of the payload's layout; 1 for all of today's */
    uint32_t len_bytes; /* of the payload, without padding */
    uint32_t sequence;  /* from 0, per session and core */
    uint16_t core;      /* index of the core that wrote the record */
    uint16_t reserved;
    uint32_t session;     /* tells one run from another, stale one in the same memory or log */
    uint32_t lost;        /* records below `sequence` that the writer dropped or overwrote */
    uint32_t payload_crc; /* CRC32C of payload and padding */
    uint32_t header_crc;  /* CRC32C of the 28 bytes before */
};

/* ---- payloads ------------------------------------------------------------------------------------------------ */

enum sl_capture_arch {
    SL_ARCH_UNKNOWN,
    SL_ARCH_AARCH64,
    SL_ARCH_ARMV7M,
    SL_ARCH_ARMV8M,
    SL_ARCH_RV32,
    SL_ARCH_RV64,
    SL_ARCH_X86_64,
    SL_ARCH_ARMV6M
};

enum sl_capture_sink {
    SL_SINK_STREAM, /* a callback takes the bytes: UART, semihosting, a file */
    SL_SINK_LINEAR, /* RAM, until it is full; what comes later is dropped */
    SL_SINK_RING    /* RAM; new records take the place of the oldest that are not pinned */
};

struct sl_capture_file {
    uint16_t major; /* set by the writer, as are minor, order_tag, sink and mem_bytes */
    uint16_t minor;
    uint32_t order_tag;
    uint16_t arch;            /* enum sl_capture_arch */
    uint16_t sink;            /* enum sl_capture_sink */
    uint16_t n_cores;         /* cores that write a stream of this session; 0 = unknown */
    uint16_t n_regions;       /* expected; 0 = unknown */
    uint32_t library_version; /* major << 16 | minor << 8 | patch */
    uint32_t mem_bytes;       /* of a RAM sink */
    uint8_t build_id[32];     /* of the program; zeros = unknown */
    uint32_t build_id_bytes;
    uint32_t reserved;
};

/* Where a register's number comes from. */
enum sl_capture_space {
    SL_SPACE_NONE,
    SL_SPACE_SYSREG, /* AArch64: SL_CAPTURE_SYSREG(op0, op1, CRn, CRm, op2) */
    SL_SPACE_CSR,    /* RISC-V: CSR number */
    SL_SPACE_MMIO,   /* Cortex-M: address */
    SL_SPACE_CPUID,  /* x86: leaf; sub = sub-leaf << 2 | (0 EAX, 1 EBX, 2 ECX, 3 EDX) */
    SL_SPACE_MSR,    /* x86: MSR number */
    SL_SPACE_SBI,    /* RISC-V: extension ID; sub = function; value = the call's value, or its error if DENIED */
    SL_SPACE_XCR     /* x86: control register number (CR4 = 4) */
};

#define SL_CAPTURE_SYSREG(op0, op1, crn, crm, op2)                                                                     \
    ((uint32_t)(op0) << 14 | (uint32_t)(op1) << 11 | (uint32_t)(crn) << 7 | (uint32_t)(crm) << 3 | (uint32_t)(op2))

/* What became of an attempt to use something. */
enum sl_capture_state {
    SL_STATE_OK,
    SL_STATE_NOT_PRESENT,   /* identification registers say there is none */
    SL_STATE_NOT_PERMITTED, /* it is there, but somebody else keeps it: see owner and reason */
    SL_STATE_NO_EVENT,      /* the event asked for does not exist */
    SL_STATE_TOO_FEW,       /* not enough counters for the group */
    SL_STATE_BUSY,          /* somebody else was using it */
    SL_STATE_UNKNOWN        /* nobody looked */
};

enum sl_capture_owner {
    SL_OWNER_UNKNOWN,
    SL_OWNER_EL3,
    SL_OWNER_EL2,
    SL_OWNER_EL1,
    SL_OWNER_M_MODE,
    SL_OWNER_HYPERVISOR,
    SL_OWNER_DEBUGGER,
    SL_OWNER_SECURE,
    SL_OWNER_OTHER_SOFTWARE
};

enum sl_capture_pmu {
    SL_PMU_NONE,
    SL_PMU_ARM_PMUV3,
    SL_PMU_ARM_M_PMU,
    SL_PMU_ARM_DWT,
    SL_PMU_ARM_SYSTICK,
    SL_PMU_RISCV_HPM,
    SL_PMU_RISCV_SBI,
    SL_PMU_INTEL,
    SL_PMU_AMD,
    SL_PMU_AMD_V2,
    SL_PMU_LINUX
};

/* One bit of one register; space SL_SPACE_NONE = no bit known. */
struct sl_capture_bit {
    uint8_t space;
    uint8_t bit;
    uint16_t sub;
    uint32_t number;
};

#define SL_CPU_HYPERVISOR 1u /* flags: runs under a hypervisor */
#define SL_CPU_SMT        2u /* ... shares its core with another active thread */

struct sl_capture_cpu {
    uint64_t affinity;        /* MPIDR_EL1, mhartid, APIC ID, or core number */
    uint16_t level;           /* exception level; RISC-V: 0 U, 1 S, 3 M; x86: ring; Cortex-M: 0 thread, 1 privileged */
    uint16_t slots_per_cycle; /* 0 = unknown */
    uint8_t slots_source;     /* 0 unknown, 1 register, 2 table, 3 configuration */
    uint8_t model_kind;       /* as core/topdown numbers it; 0 = none */
    uint8_t pmu;              /* enum sl_capture_pmu */
    uint8_t pmu_state;        /* enum sl_capture_state */
    uint8_t pmu_owner;        /* enum sl_capture_owner */
    uint8_t spe_state;
    uint8_t spe_owner;
    uint8_t counter_bits; /* width of programmable counters */
    uint16_t n_counters;  /* programmable, as seen at this level */
    uint16_t n_fixed;
    uint32_t flags;
    uint32_t reserved;
    struct sl_capture_bit pmu_reason;
    struct sl_capture_bit spe_reason;
    char name[32]; /* vendor or model text, padded with zeros; may be empty */
};

#define SL_REGS_PROBED     0u /* `when` */
#define SL_REGS_PROGRAMMED 1u
#define SL_REGS_STOPPED    2u

struct sl_capture_regs {
    uint16_t n_registers; /* struct sl_capture_register follow */
    uint16_t when;
    uint32_t reserved;
};

struct sl_capture_register {
    uint8_t space; /* enum sl_capture_space */
    uint8_t state; /* OK: value holds; NOT_PRESENT: not read, as there is none; NOT_PERMITTED: reading trapped */
    uint16_t sub;
    uint32_t number;
    uint64_t value;
};

enum sl_capture_clock_kind {
    SL_CLOCK_NONE,
    SL_CLOCK_CNTVCT,
    SL_CLOCK_CNTPCT,
    SL_CLOCK_CYCLES,
    SL_CLOCK_SYSTICK,
    SL_CLOCK_RISCV_TIME,
    SL_CLOCK_TSC,
    SL_CLOCK_LINUX_MONOTONIC
};

/* The last one of a core before a sample describes that sample's time stamps. */
struct sl_capture_clock {
    uint16_t kind;
    uint16_t width_bits;
    uint32_t reserved;
    uint64_t hz;     /* 0 = unknown */
    uint64_t offset; /* CNTVOFF_EL2 and the like; 0 if none or unknown */
    uint64_t now;    /* when the record was written */
};

/* What `event` of a counter means. */
enum sl_capture_event_kind {
    SL_EVENT_NATIVE,   /* the bits of the architecture's event register that select the event (no filters or enables) */
    SL_EVENT_SBI,      /* event_idx of the SBI PMU extension */
    SL_EVENT_LINUX_HW, /* PERF_COUNT_HW_* */
    SL_EVENT_DWT       /* Cortex-M: address of the DWT counter */
};

#define SL_COUNTER_FIXED                                                                                               \
    0x8000u /* or-ed into `counter`: the number is of a fixed counter (Arm: 31 cycles, 32 instructions) */
#define SL_COUNTER_CHAIN        1u /* flags: with the next odd counter as its upper half */
#define SL_COUNTER_UNADVERTISED 2u /* ... event is not in the core's list of events */

#define SL_FILTER_NO_USER    1u /* filter: what is not counted, or, for hypervisor and above, is */
#define SL_FILTER_NO_KERNEL  2u
#define SL_FILTER_HYPERVISOR 4u
#define SL_FILTER_SECURE     8u
#define SL_FILTER_MACHINE    16u

struct sl_capture_group {
    uint16_t id;
    uint16_t pass;
    uint16_t n_counters; /* struct sl_capture_counter follow */
    uint16_t filter;
};

struct sl_capture_counter {
    uint16_t counter;
    uint8_t width_bits;
    uint8_t flags;
    uint32_t kind; /* enum sl_capture_event_kind */
    uint64_t event;
};

#define SL_REGION_NONE       0xffffu
#define SL_CAPTURE_LABEL_MAX 47u

struct sl_capture_region {
    uint16_t id;
    uint16_t parent;      /* or SL_REGION_NONE */
    uint16_t source;      /* the caller's own tag */
    uint16_t label_bytes; /* UTF-8, without a final zero, follows; at most SL_CAPTURE_LABEL_MAX */
};

/* Quality of a sample and of each of its counts. */
#define SL_QUALITY_WRAPPED     (1u << 0) /* one wrap was seen without an interrupt: there may have been more */
#define SL_QUALITY_FROZEN      (1u << 1) /* counting stopped before the region did */
#define SL_QUALITY_INTERRUPTED (1u << 2) /* interrupts ran inside the region */
#define SL_QUALITY_MIGRATED    (1u << 3) /* began and ended on different cores */
#define SL_QUALITY_CLAMPED     (1u << 4)
#define SL_QUALITY_MULTIPLEXED (1u << 5) /* running < enabled */
#define SL_QUALITY_AMBIGUOUS   (1u << 6) /* known modulo 2^width only (8-bit DWT counters) */
#define SL_QUALITY_UNAVAILABLE (1u << 7) /* no value; it is 0 and means nothing */
#define SL_QUALITY_TIME_ONLY   (1u << 8) /* no counters: start and stop are all there is */
#define SL_QUALITY_PROHIBITED  (1u << 9) /* the counter did not move although cycles did: counting is not permitted */

#define SL_SAMPLE_METRICS 1u /* parts: struct sl_capture_metrics follows the counts */
#define SL_SAMPLE_SQUARES 2u /* ... and then a struct sl_capture_square for each count */

struct sl_capture_sample {
    uint16_t region;
    uint16_t group;
    uint16_t n_counts; /* struct sl_capture_count follow, in the group's order */
    uint16_t parts;
    uint32_t quality;
    uint32_t interrupts; /* interrupts seen inside the region; 0 also if nobody counts them */
    uint64_t start;      /* on the core's clock */
    uint64_t stop;
    uint64_t invocations; /* begin/end pairs summed up here */
    uint64_t enabled;     /* time or cycles the group was wanted; 0 = same as running */
    uint64_t running;     /* ... and was counting */
};

struct sl_capture_count {
    uint64_t value; /* end minus start, wraps added in */
    uint32_t overflows;
    uint32_t quality;
};

/* Intel PERF_METRICS and fixed counter 3, raw. */
struct sl_capture_metrics {
    uint64_t metrics_start, metrics_stop;
    uint64_t slots_start, slots_stop;
};

/* Sum of the squares of the single invocations' values: 128 bits. */
struct sl_capture_square {
    uint64_t low, high;
};

#define SL_SPE_TRUNCATED 1u /* PMBSR.DL: the last record may be cut */
#define SL_SPE_COLLISION 2u /* PMBSR.COLL: samples collided */
#define SL_SPE_FULL      4u /* the buffer was full */
#define SL_SPE_FAULT     8u /* PMBSR.EC names a fault */

/* A piece of one drain of one core's buffer, together with the registers as they were. */
struct sl_capture_spe {
    uint64_t affinity; /* MPIDR_EL1 */
    uint64_t midr;
    uint64_t pmsidr;
    uint64_t pmbidr;
    uint64_t pmscr;
    uint64_t pmsfcr;
    uint64_t pmsevfr;
    uint64_t pmsnevfr;
    uint64_t pmslatfr;
    uint64_t pmsirr;
    uint64_t pmbsr; /* at stop */
    uint64_t start; /* on the clock of SPE's time stamps, as is stop */
    uint64_t stop;
    uint64_t clock_hz; /* CNTFRQ_EL0 */
    uint64_t base;     /* address of the drain's first byte: alignment packets count from there */
    uint32_t drain;    /* number of the drain, from 0 per core */
    uint32_t flags;
    uint32_t offset; /* of this piece in the drain; set by sl_capture_spe, as is total_bytes */
    uint32_t total_bytes;
    uint16_t pmsver;     /* ID_AA64DFR0_EL1.PMSVer */
    uint16_t clock_kind; /* SL_CLOCK_CNTVCT or SL_CLOCK_CNTPCT */
    uint32_t reserved;
}; /* bytes follow to the end of the record */

enum sl_capture_note_code {
    SL_NOTE_TEXT,     /* just the text */
    SL_NOTE_DENIED,   /* detail: enum sl_capture_owner; a: struct sl_capture_bit as 8 bytes */
    SL_NOTE_NO_EVENT, /* a: event code that the core does not have */
    SL_NOTE_TOO_FEW,  /* a: counters wanted, b: there are */
    SL_NOTE_TRAPPED,  /* a: struct sl_capture_bit of the register, b: syndrome or cause */
    SL_NOTE_LOST,     /* a: items of the port's own that were lost */
    SL_NOTE_ERROR     /* detail: enum sl_status, as a 32-bit number */
};

struct sl_capture_note {
    uint16_t code;
    uint16_t severity; /* 0 information, 1 warning, 2 error */
    uint32_t detail;
    uint64_t a;
    uint64_t b;
}; /* UTF-8 text follows to the end of the record */

struct sl_capture_end {
    uint64_t records; /* written before this one */
    uint64_t bytes;   /* of these */
    uint32_t lost;    /* as in the header */
    uint32_t reserved;
};

SL_STATIC_ASSERT(sizeof(struct sl_capture_header) == 32, header_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_file) == 64, file_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_bit) == 8, bit_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_cpu) == 80, cpu_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_regs) == 8, regs_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_register) == 16, register_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_clock) == 32, clock_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_group) == 8, group_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_counter) == 16, counter_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_region) == 8, region_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_sample) == 56, sample_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_count) == 16, count_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_metrics) == 32, metrics_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_square) == 16, square_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_spe) == 144, spe_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_note) == 24, note_size);
SL_STATIC_ASSERT(sizeof(struct sl_capture_end) == 24, end_size);

/* ---- writing ------------------------------------------------------------------------------------------------- */

/* Takes len_bytes bytes; false if some did not get out. */
typedef bool sl_capture_emit_fn(void *context, const void *bytes, uint32_t len_bytes);

struct sl_capture_config {
    enum sl_capture_sink sink;
    uint16_t core;
    uint32_t session;         /* e.g. the time at start: two runs in one log should differ */
    void *mem;                /* RAM sinks: 8-byte aligned */
    uint32_t mem_bytes;       /* a multiple of 8, at least 256 */
    sl_capture_emit_fn *emit; /* SL_SINK_STREAM */
    void *context;
};

/* A writer. Each core has its own, with its own memory; calls for one writer must not interrupt each other. */
struct sl_capture {
    uint8_t *mem;
    sl_capture_emit_fn *emit;
    void *context;
    uint32_t size_bytes;
    uint32_t session;
    uint32_t sequence; /* of the next record */
    uint32_t lost;
    uint32_t records; /* that got out, also if overwritten later */
    uint64_t bytes;   /* of these */
    uint32_t pinned;  /* RAM: bytes at the start that a ring never overwrites */
    uint32_t head;    /* RAM: where the next record goes */
    uint32_t tail;    /* ring: oldest record that is not pinned, when wrapped */
    uint32_t limit;   /* ring: end of the older records, when wrapped */
    uint16_t core;
    uint8_t sink;
    bool wrapped;
    bool ended;
};

struct sl_capture_span {
    const void *data;
    uint32_t len_bytes;
};

/* Clears the memory of a RAM sink, so that nothing stale can be taken for a record. SL_E_ARGUMENT: the configuration is
 * not as described above. */
enum sl_status sl_capture_init(struct sl_capture *c, const struct sl_capture_config *config) SL_MUST_CHECK;

/* One record; its payload is the spans in a row. All writers below return what this does: SL_OK, SL_E_ROOM (RAM is
 * full, the callback failed, or the writer has ended: the record is lost, and counted) or SL_E_ARGUMENT (the payload is
 * over SL_CAPTURE_MAX_BYTES: likewise). The loss shows in the capture itself, so the result need not be looked at. */
enum sl_status sl_capture_write(struct sl_capture *c, enum sl_capture_type type, const struct sl_capture_span *spans,
                                unsigned n_spans);

enum sl_status sl_capture_file(struct sl_capture *c, const struct sl_capture_file *file);
enum sl_status sl_capture_cpu(struct sl_capture *c, const struct sl_capture_cpu *cpu);
enum sl_status sl_capture_regs(struct sl_capture *c, uint16_t when, const struct sl_capture_register *registers,
                               uint16_t n_registers);
enum sl_status sl_capture_clock(struct sl_capture *c, const struct sl_capture_clock *clock);
/* [group->n_counters] counters. */
enum sl_status sl_capture_group(struct sl_capture *c, const struct sl_capture_group *group,
                                const struct sl_capture_counter *counters);
/* The label ends with a zero; what is over SL_CAPTURE_LABEL_MAX is cut off at a character. parent: SL_REGION_NONE if
 * none. */
enum sl_status sl_capture_region(struct sl_capture *c, uint16_t id, uint16_t parent, uint16_t source,
                                 const char *label);
/* type: SL_CAPTURE_SAMPLE or SL_CAPTURE_CALIBRATION. [sample->n_counts] counts; metrics and squares as sample->parts
 * says. */
enum sl_status sl_capture_sample(struct sl_capture *c, enum sl_capture_type type,
                                 const struct sl_capture_sample *sample, const struct sl_capture_count *counts,
                                 const struct sl_capture_metrics *metrics, const struct sl_capture_square *squares);
/* One drain, in as many records as it takes. On a RAM sink, records of at most an eighth of the memory. */
enum sl_status sl_capture_spe(struct sl_capture *c, const struct sl_capture_spe *spe, const void *bytes,
                              uint32_t len_bytes);
/* text ends with a zero, or NULL. */
enum sl_status sl_capture_note(struct sl_capture *c, const struct sl_capture_note *note, const char *text);

/* Ring: what has been written up to now (FILE, CPU, GROUP, REGION records) stays. Call it before the first wrap. */
void sl_capture_pin(struct sl_capture *c);
/* Closes the stream with an END record, for which a linear buffer keeps room. Further records are lost. */
enum sl_status sl_capture_finish(struct sl_capture *c);
/* RAM: bytes from the start of the memory that a dump has to take. */
uint32_t sl_capture_used_bytes(const struct sl_capture *c);

/* ---- hexadecimal lines for a serial console ------------------------------------------------------------------ */

#define SL_HEX_BYTES 32u /* of one line */

/* `put` gets whole lines: "$SL" CORE(4) OFFSET(8) ":" up to 64 hex digits "*" CRC32C(8) "\n". Anything may come between
 * lines, or before one on the same line. */
struct sl_capture_hex {
    sl_capture_emit_fn *put;
    void *context;
    uint32_t offset;
    uint16_t core;
    uint8_t fill;
    uint8_t bytes[SL_HEX_BYTES];
};

void sl_capture_hex_init(struct sl_capture_hex *hex, uint16_t core, sl_capture_emit_fn *put, void *context);
/* An sl_capture_emit_fn whose context is a struct sl_capture_hex: as a stream's emit, or for the bytes of a RAM dump.
 */
bool sl_capture_hex_emit(void *hex, const void *bytes, uint32_t len_bytes);
/* Puts out the last, shorter line. */
bool sl_capture_hex_flush(struct sl_capture_hex *hex);

/* The line that starts at text[0] == '$': its fields and bytes. SL_E_TRUNCATED: the text ends inside it; SL_E_DATA: it
 * is no such line, or its CRC says that it is damaged. *line_chars: what to skip, in all cases, at least 1. */
struct sl_capture_hex_line {
    uint32_t offset;
    uint16_t core;
    uint16_t len_bytes;
    uint8_t bytes[SL_HEX_BYTES];
};
enum sl_status sl_capture_hex_read(const char *text, size_t len, struct sl_capture_hex_line *line,
                                   size_t *line_chars) SL_MUST_CHECK;

/* ---- reading ------------------------------------------------------------------------------------------------- */

enum sl_capture_item_kind {
    SL_ITEM_RECORD,   /* header and payload are as written */
    SL_ITEM_UNUSED,   /* zeros or 0xff: memory that nobody wrote to */
    SL_ITEM_GARBAGE,  /* bytes of no record: the rest of a damaged or overwritten one */
    SL_ITEM_DAMAGED,  /* the header is as written, the payload is not */
    SL_ITEM_TRUNCATED /* the header is as written, the payload goes on behind the end of the data */
};

struct sl_capture_item {
    enum sl_capture_item_kind kind;
    size_t offset;
    size_t len_bytes;                /* the items of a capture lie side by side and cover all of it */
    struct sl_capture_header header; /* all but UNUSED and GARBAGE */
    const uint8_t *payload;          /* RECORD: [header.len_bytes], unaligned */
};

struct sl_capture_reader {
    const uint8_t *bytes;
    size_t len_bytes;
    size_t at;
    size_t search_bytes; /* budget of a hostile input: beyond it, damaged payloads are not searched for records */
};

void sl_capture_reader_init(struct sl_capture_reader *r, const void *bytes, size_t len_bytes);
/* The next item; false at the end. Time over a whole capture is linear in its length. */
bool sl_capture_next(struct sl_capture_reader *r, struct sl_capture_item *item);

/* A payload's fixed part (`fixed_bytes` of it, one of the structs above) into *fixed, after checking that all the
 * payload's lengths agree. SL_E_TRUNCATED: the payload is too short for what it announces; SL_E_UNSUPPORTED: of a type
 * or version that this library does not know; SL_E_ARGUMENT: *fixed is not as large as the type's. */
enum sl_status sl_capture_get(const struct sl_capture_item *record, void *fixed, size_t fixed_bytes) SL_MUST_CHECK;
/* Element i of the array behind the fixed part, which sl_capture_get has accepted: registers, counters, counts. */
void sl_capture_element(const struct sl_capture_item *record, uint32_t i, void *element, size_t element_bytes);
/* What follows these: label, SPE bytes, text. */
const uint8_t *sl_capture_tail(const struct sl_capture_item *record, uint32_t *len_bytes);
/* False when the sample has none. */
bool sl_capture_metrics_of(const struct sl_capture_item *record, struct sl_capture_metrics *metrics);
bool sl_capture_square_of(const struct sl_capture_item *record, uint32_t i, struct sl_capture_square *square);

#ifdef __cplusplus
}
#endif
#endif
