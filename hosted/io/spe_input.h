/* SPDX-License-Identifier: Apache-2.0 */
/* SPE buffers of a board: those of a capture dump, or bare files of SPE bytes. */
#ifndef HOSTED_IO_SPE_INPUT_H
#define HOSTED_IO_SPE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "file.h"
#include "pool.h"

/* One drain of one core's buffer. */
struct spe_buffer {
    const uint8_t *bytes;
    size_t len;
    uint32_t core;
    uint64_t base;      /* address of the first byte */
    uint64_t pmbsr;     /* at stop */
    bool has_gap;       /* what the drain held before these bytes is missing */
    struct text joined; /* holds the bytes when they came in pieces */
};

struct spe_input {
    struct spe_buffer *buffers; /* in the order of the input */
    size_t n_buffers, capacity;
    uint64_t midr;    /* of the first core; 0: not known */
    bool mixed_cores; /* cores have different MIDRs */
    uint64_t hz;      /* of the timer; 0: not known */
    /* As programmed on the first core; 0: not known. */
    uint64_t pmscr, pmsfcr, pmsevfr, pmsnevfr, pmslatfr, pmsirr;
    struct pool pool;
    struct file *files;
    size_t n_files, files_capacity;
};

/* Zero-filled means empty. Reads one file and appends its buffers: bare SPE bytes of core `core`, or else a capture
 * dump, of whose damage it warns. false: reported. */
bool spe_input_read(struct spe_input *input, const char *name, bool is_raw, uint32_t core, uint64_t base,
                    struct diag *diag);
void spe_input_free(struct spe_input *input);

#endif
