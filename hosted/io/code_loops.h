/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that are functions -> regions that are their loops. */
#ifndef HOSTED_IO_CODE_LOOPS_H
#define HOSTED_IO_CODE_LOOPS_H

#include "block.h"

struct code_loops_options {
    bool outer;         /* loops with loops inside, too */
    bool all_blocks;    /* every block of a loop once, in the order of addresses; else the straight path */
    const char *function; /* name of a region that has none, or NULL */
    bool plain_names;   /* "f loop 1" without its address, which changes with every build */
};

/* Puts in the place of each region its loops, named "f loop 1 at 0x...", each with a note on its shape. The members of a
 * loop are the instructions of one way through it, in the order of execution. Functions that could not be read stay as
 * they are. false: there is no loop, reported. */
bool code_loops(struct block *block, const struct code_loops_options *options, struct diag *diag);

#endif
