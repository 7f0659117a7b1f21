/* SPDX-License-Identifier: Apache-2.0 */
/* SPE buffers of a board as a perf.data file that perf script, perf mem and perf c2c open. */
#ifndef HOSTED_IO_PERF_EXPORT_H
#define HOSTED_IO_PERF_EXPORT_H

#include "perf_image.h"
#include "spe_input.h"

#define PERF_EXPORT_IMAGES 16u

/* A program image that the board ran. */
struct perf_export_program {
    const char *path; /* of the ELF file */
    uint64_t base;    /* added to its addresses */
};

struct perf_export_options {
    struct perf_export_program programs[PERF_EXPORT_IMAGES];
    size_t n_programs;
    const char *command; /* for the file's CMDLINE */
    struct pool pool;    /* holds the paths; pool_free() it */
};

struct perf_export;

/* The file in memory, but for the buffers, which stay the input's. NULL: reported. */
struct perf_export *perf_export_new(const struct spe_input *input, const struct perf_export_options *options,
                                    struct diag *diag);
/* false: errno says why. */
bool perf_export_write(struct perf_export *export, FILE *out);
void perf_export_free(struct perf_export *export);

/* Numbers that tie the file together, also for tests. */
#define PERF_EXPORT_PID      1u /* of the program; core n runs its thread PERF_EXPORT_PID + n */
#define PERF_EXPORT_SPE_TYPE 9u /* number of the SPE unit among the machine's event sources */

#endif
