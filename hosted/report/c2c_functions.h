/* SPDX-License-Identifier: Apache-2.0 */
/* The function view of perf-c2c(1): readers, the functions that write what they read, and the lines between them. */
#ifndef HOSTED_REPORT_C2C_FUNCTIONS_H
#define HOSTED_REPORT_C2C_FUNCTIONS_H

#include "c2c_report.h"

struct c2c_shared_line {
    const struct c2c_line *line;
    uint64_t stores; /* of the writer, in this line */
};

struct c2c_writer {
    const struct c2c_site *site;
    uint64_t stores;               /* sum over lines */
    struct c2c_shared_line *lines; /* by stores, descending */
    size_t n_lines, capacity;
};

struct c2c_reader {
    const struct c2c_site *site;
    double means[SL_C2C_LATENCIES], samples[SL_C2C_LATENCIES];
    uint64_t cycles;            /* estimated: sum of its loads' latencies */
    double percent;             /* of all readers here */
    uint64_t stores;            /* sum over writers */
    struct c2c_writer *writers; /* by stores, descending */
    size_t n_writers, capacity;
};

struct c2c_functions {
    struct c2c_reader *readers; /* by cycles, descending; those without a writer are left out */
    size_t n, capacity;
    uint64_t cycles;
};

/* Needs the code address among the keys (view.with_ip). */
void c2c_functions_make(const struct c2c_report *report, struct c2c_functions *functions);
void c2c_functions_free(struct c2c_functions *functions);
void c2c_functions_text(const struct c2c_report *report, const struct c2c_functions *functions, FILE *out);

#endif
