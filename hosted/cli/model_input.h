/* SPDX-License-Identifier: Apache-2.0 */
/* A scheduling model by CPU name or from a file. */
#ifndef HOSTED_CLI_MODEL_INPUT_H
#define HOSTED_CLI_MODEL_INPUT_H

#include "../modeltext/model_text.h"

/* A name with a slash or a dot, or "-", is a file (YAML); others are built-in CPUs. false: reported. */
bool model_input(struct model *model, const char *name, bool strict, struct diag *diag);

/* A CPU from a YAML file or a blob. Zero-filled: nothing read yet. */
struct model_file {
    struct model_tables tables; /* of YAML */
    struct sl_cpu blob_cpu;
    const struct sl_cpu *cpu;   /* once read */
    const char *base;           /* CPU that it inherits, or NULL */
    const struct model_note *notes; /* [cpu->n_classes], or NULL */
    void *memory;               /* of the blob */
};

/* Read when it was not yet. NULL: reported. */
const struct sl_isa *model_file_isa(struct model_file *file, const char *name, struct diag *diag);
/* The same for an instruction set. */
const struct sl_cpu *model_file_cpu(struct model_file *file, const char *name, const struct sl_isa *isa, struct diag *diag);
void model_file_free(struct model_file *file);

#endif
