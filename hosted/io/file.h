/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file, or standard input, in memory. */
#ifndef HOSTED_IO_FILE_H
#define HOSTED_IO_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"

struct file {
    const char *name;  /* for messages: "<stdin>" for standard input */
    const uint8_t *data;
    size_t size;
    void *memory;      /* of malloc, or NULL when the data are mapped */
};

/* "-" is standard input. false: reported. */
bool file_read(struct file *file, const char *name, struct diag *diag);
void file_free(struct file *file);

#endif
