/* SPDX-License-Identifier: Apache-2.0 */
/* True or false sharing of a line, with the places in the line and the agents that led to the verdict. */
#ifndef HOSTED_REPORT_C2C_VERDICT_H
#define HOSTED_REPORT_C2C_VERDICT_H

#include "c2c_report.h"

enum c2c_sharing {
    C2C_SHARING_NONE,  /* one agent, or nobody writes */
    C2C_SHARING_TRUE,  /* agents meet at the same place, one of them writing */
    C2C_SHARING_FALSE, /* agents only meet in the line: at different places, one of them writing */
    C2C_SHARING_BOTH
};

/* Agents are threads; CPUs where the line's samples name one thread only (a board). */
struct c2c_agents {
    uint32_t first; /* thread id or CPU */
    bool any, several;
};

/* A place: where in the line sampled accesses begin. How wide an access was is not in the samples. */
struct c2c_place {
    uint32_t offset;
    uint32_t loads, stores, contended;
    struct c2c_agents readers, writers;
    const struct c2c_row *row; /* the one with the most samples there */
    bool is_true;              /* agents meet here */
};

struct c2c_verdict {
    enum c2c_sharing sharing;
    bool by_cpu;
    uint32_t true_contended;  /* contended samples at places where agents meet */
    uint32_t false_contended; /* ... where they do not, in a line that others write elsewhere */
    struct c2c_place *places; /* by offset; of the pool given */
    uint32_t n_places;
};

void c2c_judge(const struct c2c_line *line, struct pool *pool, struct c2c_verdict *verdict);
const char *c2c_sharing_name(enum c2c_sharing sharing);
/* One line of advice, or NULL: what to move where. The pool's. */
const char *c2c_advice(const struct c2c_verdict *verdict, uint32_t line_bytes, struct pool *pool);

#endif
