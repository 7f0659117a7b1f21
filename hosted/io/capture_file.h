/* SPDX-License-Identifier: Apache-2.0 */
/* A capture in memory: its records by stream and in the order of their writing, and all that is wrong with it.
 *
 * A stream is what one core wrote in one session. Reading never prints and never refuses: what cannot be used becomes a
 * problem with its offset, everything else is there. Memory and time are proportional to the input (times its logarithm
 * for sorting), whatever it holds. */
#ifndef HOSTED_IO_CAPTURE_FILE_H
#define HOSTED_IO_CAPTURE_FILE_H

#include <slotledger/capture.h>

#include "pool.h"

#define CAPTURE_NONE UINT32_MAX

enum capture_problem_kind {
    CAPTURE_GARBAGE,     /* a: bytes of no record */
    CAPTURE_DAMAGED,     /* payload of the record is not as written */
    CAPTURE_TRUNCATED,   /* a: bytes of b that are there */
    CAPTURE_MISSING,     /* records from..to; given_up of them by the writer itself */
    CAPTURE_OVERWRITTEN, /* records from..to, by newer ones of the ring */
    CAPTURE_REPEATED,    /* a: offset of the same record */
    CAPTURE_CONFLICT,    /* a: offset of another record with the same number */
    CAPTURE_DISORDER,    /* from: number of the record before it in the file */
    CAPTURE_UNKNOWN,     /* type or version that this program does not know */
    CAPTURE_MALFORMED,   /* payload shorter than it says */
    CAPTURE_FORMAT,      /* a: major version, b: order tag of a FILE record of another format; the stream is left out */
    CAPTURE_NO_FILE,     /* the stream has no FILE record */
    CAPTURE_NO_END,      /* RAM that is all there holds no END record: it was saved while the writer was at work */
    CAPTURE_CUT_END,    /* no END record: the stream is cut off, or was never closed. RAM: a of its b bytes are there */
    CAPTURE_END_COUNT,  /* END record says a records, there were b numbers */
    CAPTURE_NO_GROUP,   /* a: group that a sample names and nobody describes */
    CAPTURE_NO_REGION,  /* a: region ... likewise */
    CAPTURE_GROUP_SIZE, /* sample has a counts, its group b counters */
    CAPTURE_SPE_HOLE,   /* bytes a to b of drain `from` are missing */
    CAPTURE_PROBLEM_KINDS
};

struct capture_problem {
    enum capture_problem_kind kind;
    uint8_t type; /* of the record, where there is one */
    uint8_t version;
    size_t offset;
    uint32_t stream;   /* or CAPTURE_NONE */
    uint32_t sequence; /* of the record, where there is one */
    uint32_t from, to, given_up;
    uint64_t a, b;
};

struct capture_stream {
    uint32_t session;
    uint16_t core;
    bool has_file, has_cpu, ended;
    size_t offset;       /* of its first record in the file */
    uint32_t n_records;  /* intact and used */
    uint64_t n_missing;  /* numbers below the last that are not there as intact records ... */
    uint64_t n_given_up; /* ... of which the writer itself knew */
    struct sl_capture_file file;
    struct sl_capture_cpu cpu; /* the last one */
};

/* The arrays below are in the order of streams, and within them of writing. */
struct capture_register {
    uint32_t stream;
    uint16_t when;
    struct sl_capture_register reg;
};
struct capture_clock {
    uint32_t stream;
    struct sl_capture_clock clock;
};
struct capture_group {
    uint32_t stream;
    uint32_t order; /* of the record among all: larger is later in the same stream */
    struct sl_capture_group group;
    const struct sl_capture_counter *counters; /* [group.n_counters] */
};
struct capture_region {
    uint32_t stream;
    uint32_t order;
    struct sl_capture_region region;
    const char *label; /* printable UTF-8, ends with a zero */
};
struct capture_sample {
    uint32_t stream;
    uint32_t order;
    size_t offset;
    bool calibration;
    struct sl_capture_sample sample;
    const struct sl_capture_count *counts;    /* [sample.n_counts] */
    const struct sl_capture_metrics *metrics; /* or NULL */
    const struct sl_capture_square *squares;  /* [sample.n_counts] or NULL */
    uint32_t group;  /* index into groups, CAPTURE_NONE: its record is lost; its size then fits n_counts */
    uint32_t region; /* likewise */
    uint32_t clock;
};
struct capture_spe {
    uint32_t stream;
    size_t offset;
    struct sl_capture_spe spe;
    const uint8_t *bytes; /* in the caller's data */
    uint32_t len_bytes;
};
struct capture_note {
    uint32_t stream;
    size_t offset;
    struct sl_capture_note note;
    const char *text; /* printable UTF-8, ends with a zero */
};

struct capture {
    const char *name;
    size_t size_bytes;
    size_t n_records, n_unused_bytes;
    struct capture_stream *streams;
    struct capture_register *registers;
    struct capture_clock *clocks;
    struct capture_group *groups;
    struct capture_region *regions;
    struct capture_sample *samples;
    struct capture_spe *spes;
    struct capture_note *notes;
    struct capture_problem *problems; /* by offset */
    size_t n_streams, n_registers, n_clocks, n_groups, n_regions, n_samples, n_spes, n_notes, n_problems;
    struct pool pool;
};

/* name and data must outlive the capture. false: not a single intact record (problems say what there is). */
bool capture_read(struct capture *capture, const char *name, const uint8_t *data, size_t size);
void capture_free(struct capture *capture);

/* A problem that lost something, in contrast to one that only informs. */
bool capture_problem_is_loss(enum capture_problem_kind kind);
/* The value last recorded of a register in a stream; NULL: none. */
const struct sl_capture_register *capture_register_find(const struct capture *capture, uint32_t stream, uint8_t space,
                                                        uint16_t sub, uint32_t number);

#endif
