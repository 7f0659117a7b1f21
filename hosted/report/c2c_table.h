/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as perf prints them: two header lines with texts over several columns, rows of cells joined by two blanks. */
#ifndef HOSTED_REPORT_C2C_TABLE_H
#define HOSTED_REPORT_C2C_TABLE_H

#include <stdio.h>

#include "c2c_report.h"

struct c2c_column;

/* What a cell is printed from. row is NULL in the table of lines. */
struct c2c_cell {
    const struct c2c_report *report;
    const struct c2c_line *line;
    const struct c2c_row *row;
    const struct c2c_column *column;
    size_t width;
    size_t room; /* bytes left in the row */
};

typedef void c2c_cell_fn(const struct c2c_cell *cell, struct text *out);

struct c2c_column {
    const char *head[2];
    size_t width;
    unsigned span; /* columns to the right that head[0] covers, too */
    bool is_text;  /* a column of perf's sort keys: covered by no text */
    c2c_cell_fn *print;
    int counter; /* for the cell's function */
};

/* A text of `width` characters with dashes around: "--- Text ---". The pool's. */
const char *c2c_dashed(struct pool *pool, const char *text, size_t width);
void c2c_table_header(FILE *out, const struct c2c_column *columns, size_t n);
/* One row, at most `limit` bytes of it. */
void c2c_table_row(FILE *out, const struct c2c_column *columns, size_t n, struct c2c_cell *cell, size_t limit);
/* perf's room for a row of these columns. */
size_t c2c_table_limit(const struct c2c_column *columns, size_t n);

/* The first header line and the values of a column for each metric. */
const char *c2c_metric_name(enum sl_c2c_metric metric);

void c2c_text_lines(const struct c2c_report *report, FILE *out);
void c2c_text_pareto(const struct c2c_report *report, FILE *out);
/* Parts of the latter: the heading over a line's entries, one of these (with its call chains). */
void c2c_text_line_header(const struct c2c_report *report, const struct c2c_line *line, FILE *out);
void c2c_text_line_row(const struct c2c_report *report, const struct c2c_line *line, uint32_t row, bool with_chain,
                       FILE *out);

#endif
