/* SPDX-License-Identifier: Apache-2.0 */
/* What an export has to know of its buffers and program images before it writes them. */
#ifndef HOSTED_IO_PERF_EXPORT_SCAN_H
#define HOSTED_IO_PERF_EXPORT_SCAN_H

#include "perf_export.h"

#include <slotledger/spe.h>

struct perf_export_buffer {
    const struct spe_buffer *input;
    uint64_t offset; /* in all that its core wrote */
    bool has_alignments;
    bool has_damage;
};

struct perf_export_scan {
    struct perf_export_buffer *buffers; /* core by core, each in the order of the input */
    size_t n_buffers;
    uint32_t *cores; /* ascending */
    size_t n_cores;
    uint32_t *contexts; /* ascending, without repetition */
    size_t n_contexts;
    uint32_t n_cpus;                /* largest core number + 1 */
    uint64_t first_time, last_time; /* ticks */
    uint64_t max_physical;
};

/* Reads all records once. false: reported. */
bool perf_export_scan(const struct spe_input *input, struct perf_export_scan *scan, struct diag *diag);
void perf_export_scan_free(struct perf_export_scan *scan);

/* A loaded part of a program. */
struct perf_export_segment {
    uint64_t start, len; /* addresses */
    uint64_t offset;     /* in the file */
    uint32_t protection; /* as mmap(2): 1 read, 2 write, 4 execute */
    bool executable;
};

/* The loaded segments of an ELF file; free(*segments). false: reported. */
bool perf_export_segments(const struct perf_export_program *program, struct perf_export_segment **segments, size_t *n,
                          struct diag *diag);

/* Rewrites what would be read otherwise at file offset `position` with zeros behind it up to a multiple of 8: packets
 * that the end cuts become bad bytes, alignment packets that would reach elsewhere become padding. */
void perf_export_settle(uint8_t *bytes, size_t len, uint64_t base, uint64_t position);

#endif
