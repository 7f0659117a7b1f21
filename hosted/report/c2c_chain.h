/* SPDX-License-Identifier: Apache-2.0 */
/* Call chains of an entry: a tree in which common beginnings are shared. */
#ifndef HOSTED_REPORT_C2C_CHAIN_H
#define HOSTED_REPORT_C2C_CHAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../io/pool.h"

enum c2c_chain_mode { C2C_CHAIN_GRAPH, C2C_CHAIN_FLAT, C2C_CHAIN_FRACTAL, C2C_CHAIN_FOLDED, C2C_CHAIN_NONE };
enum c2c_chain_order { C2C_CHAIN_CALLEE, C2C_CHAIN_CALLER };
enum c2c_chain_key { C2C_CHAIN_FUNCTION, C2C_CHAIN_ADDRESS, C2C_CHAIN_SRCLINE };
enum c2c_chain_value { C2C_CHAIN_PERCENT, C2C_CHAIN_PERIOD, C2C_CHAIN_COUNT };

/* What -g says. Zero-filled: perf's defaults without -g. */
struct c2c_chain_view {
    enum c2c_chain_mode mode;
    enum c2c_chain_order order;
    enum c2c_chain_key key;
    enum c2c_chain_value value;
    uint32_t print_limit; /* 0: none */
};

/* Applies -g's value. false: a word is neither a keyword's beginning nor a number. */
bool c2c_chain_parse(struct c2c_chain_view *view, const char *text);

struct c2c_frame {
    uint64_t ip;
    const void *image;  /* identity only */
    const char *symbol; /* NULL: none */
    uint64_t symbol_start;
    const char *source; /* for the keys address and srcline; NULL: none */
};

struct c2c_chain_node {
    struct c2c_frame *frames;
    uint32_t n_frames;
    uint32_t count, children_count;
    uint64_t hit, children_hit;                         /* sums of periods */
    struct c2c_chain_node *parent, *first_child, *next; /* children in descending order of their first frames */
};

struct c2c_chain {
    struct c2c_chain_node root;
    uint64_t period; /* of all samples of the entry */
};

void c2c_chain_add(struct c2c_chain *chain, struct pool *pool, const struct c2c_chain_view *view,
                   const struct c2c_frame *frames, uint32_t n_frames, uint64_t period);

/* The chains below a row. line_period: sum over the line, to which percentages of "graph" refer. */
void c2c_chain_text(const struct c2c_chain *chain, const struct c2c_chain_view *view, uint64_t line_period, FILE *out);

#endif
