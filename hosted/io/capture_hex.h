/* SPDX-License-Identifier: Apache-2.0 */
/* A console log's hexadecimal lines back into the bytes of a capture.
 *
 * Lines may come in any order and more than once, with anything before, between and behind them. Each has a check of
 * its own; what is damaged is left out. Where bytes are missing zeros take their place, so that the records around them
 * are found, and the reader of the capture sees what is lost. */
#ifndef HOSTED_IO_CAPTURE_HEX_H
#define HOSTED_IO_CAPTURE_HEX_H

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"

enum hex_problem_kind {
    HEX_DAMAGED, /* a line begins at the offset, but its text or its check is wrong */
    HEX_CUT,     /* ... but the log ends inside it */
    HEX_HOLE,    /* bytes from..to of the core's stream are in no line */
    HEX_OVERLAP  /* bytes from..to are in two lines that do not begin at the same place; the first one's are taken */
};

struct hex_problem {
    enum hex_problem_kind kind;
    uint16_t core;
    size_t offset; /* in the log: of the line, or of the line behind a hole */
    uint32_t line; /* the same as a line number, from 1 */
    uint64_t from, to;
};

struct hex_import {
    struct text bytes;            /* the capture */
    struct hex_problem *problems; /* in the order of `bytes`, damaged lines first */
    size_t n_problems;
    size_t n_lines;    /* good ones */
    size_t n_repeated; /* ... that another one has said already */
    size_t n_streams;  /* cores, and once more for each time that one began anew */
};

/* False: not a single good line. Memory is proportional to the log. */
bool hex_import(struct hex_import *import, const char *text, size_t len);
void hex_import_free(struct hex_import *import);

#endif
