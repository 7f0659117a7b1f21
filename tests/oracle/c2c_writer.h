/* SPDX-License-Identifier: Apache-2.0 */
/* Writes perf.data files for comparisons: attributes, records and feature sections from the documented layout. */
#ifndef TESTS_ORACLE_C2C_WRITER_H
#define TESTS_ORACLE_C2C_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t len, room;
};

void put(struct bytes *b, const void *data, size_t len);
void put32(struct bytes *b, uint32_t value);
void put64(struct bytes *b, uint64_t value);
/* Padded with NULs to a multiple of `align`; at least one. */
void put_name(struct bytes *b, const char *text, size_t align);
/* A feature's string: its padded length, then the text. */
void put_string(struct bytes *b, const char *text);

enum {
    S_IP = 1 << 0,
    S_TID = 1 << 1,
    S_TIME = 1 << 2,
    S_ADDR = 1 << 3,
    S_CALLCHAIN = 1 << 5,
    S_ID = 1 << 6,
    S_CPU = 1 << 7,
    S_PERIOD = 1 << 8,
    S_STREAM_ID = 1 << 9,
    S_WEIGHT = 1 << 14,
    S_DATA_SRC = 1 << 15,
    S_IDENTIFIER = 1 << 16,
    S_PHYS_ADDR = 1 << 19,
    S_DATA_PAGE = 1 << 22,
    S_WEIGHT_STRUCT = 1 << 24
};

#define MAX_EVENTS 3
#define MAX_IDS    64

struct event {
    const char *name;
    uint32_t type;
    uint64_t config, sample_type, flags, period;
    uint64_t ids[MAX_IDS];
    uint32_t n_ids;
};

#define FEATURES 32

struct recording {
    struct event events[MAX_EVENTS];
    uint32_t n_events;
    struct bytes data;
    struct bytes features[FEATURES];
    bool has[FEATURES];
    size_t aux[256]; /* offsets of AUXTRACE records in data */
    uint32_t n_aux;
};

enum feature {
    F_HOSTNAME = 3,
    F_OSRELEASE = 4,
    F_VERSION = 5,
    F_ARCH = 6,
    F_NRCPUS = 7,
    F_CPUDESC = 8,
    F_CPUID = 9,
    F_TOTAL_MEM = 10,
    F_CMDLINE = 11,
    F_EVENT_DESC = 12,
    F_NUMA = 14,
    F_PMU_MAPPINGS = 16,
    F_AUXTRACE = 18,
    F_SAMPLE_TIME = 21,
    F_MEM_TOPOLOGY = 22
};

/* Where a record says it comes from. */
struct origin {
    uint32_t pid, tid, cpu;
    uint64_t time;
};

struct mapping {
    uint64_t start, len, page_offset;
    uint32_t major, minor;
    uint64_t inode, generation;
    uint32_t protection, flags;
    const char *name;
};

struct access {
    uint64_t ip, address, phys, source, weight, period;
    const uint64_t *chain;
    uint32_t n_chain;
    uint16_t mode;
};

/* The first `event` of the recording is the one whose ids side-band records carry, unless told otherwise. */
void write_mmap2(struct recording *r, const struct event *event, const struct origin *at, uint16_t misc,
                 const struct mapping *map);
void write_mmap(struct recording *r, const struct event *event, const struct origin *at, uint16_t misc,
                const struct mapping *map);
void write_comm(struct recording *r, const struct event *event, const struct origin *at, const char *name);
void write_fork(struct recording *r, const struct event *event, const struct origin *parent, uint32_t pid,
                uint32_t tid);
void write_lost(struct recording *r, const struct event *event, const struct origin *at, uint64_t n);
void write_round(struct recording *r);
void write_sample(struct recording *r, const struct event *event, const struct origin *at, const struct access *access);
void write_time_conv(struct recording *r, uint64_t shift, uint64_t mult, uint64_t zero);
void write_auxtrace_info(struct recording *r, uint32_t pmu);
void write_aux(struct recording *r, const struct event *event, const struct origin *at, uint64_t len);
void write_auxtrace(struct recording *r, const struct origin *at, const uint8_t *data, size_t len);

void feature_string(struct recording *r, enum feature feature, const char *text);
struct bytes *feature(struct recording *r, enum feature feature);
void feature_events(struct recording *r);

/* The whole file. false: errno. */
bool write_file(struct recording *r, const char *name);

#endif
