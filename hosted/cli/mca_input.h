/* SPDX-License-Identifier: Apache-2.0 */
/* From the command line to a block: reads the input, settles target and processor, parses or decodes. */
#ifndef HOSTED_CLI_MCA_INPUT_H
#define HOSTED_CLI_MCA_INPUT_H

#include "../io/block.h"
#include "../io/pc_list.h"
#include "mca_options.h"
#include "model_input.h"
#include "target.h"

struct mca_input {
    struct target target;
    const char *cpu_name;     /* "native" resolved */
    const struct sl_cpu *cpu;
    struct model_file model;  /* --model */
    struct block block;
    struct pc_list samples; /* of --pcs */
    struct pool pool;
};

/* false: reported. mca_input_free is allowed in any case. */
bool mca_input_read(struct mca_input *input, const char *program, const struct mca_options *options,
                    const char *file_name, struct diag *diag);
void mca_input_free(struct mca_input *input);

#endif
