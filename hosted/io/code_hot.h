/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that are functions -> regions that are the basic blocks where most samples lie. */
#ifndef HOSTED_IO_CODE_HOT_H
#define HOSTED_IO_CODE_HOT_H

#include "block.h"
#include "pc_list.h"

struct code_hot_options {
    uint32_t most;        /* blocks that become regions; 0: 5 */
    const char *function; /* name of a region that has none, or NULL */
};

/* Puts in the place of the regions the hottest blocks in them, named "f block at 0x...", the hottest first, and a table of
 * them into block->preamble. Functions that could not be read stay as they are. false: no sample is in the code,
 * reported. */
bool code_hot(struct block *block, const struct pc_list *samples, const struct code_hot_options *options,
              struct diag *diag);

#endif
