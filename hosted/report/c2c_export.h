/* SPDX-License-Identifier: Apache-2.0 */
/* The report in forms that perf does not have. */
#ifndef HOSTED_REPORT_C2C_EXPORT_H
#define HOSTED_REPORT_C2C_EXPORT_H

#include "c2c_report.h"

#define C2C_JSON_SCHEMA 1

/* Name of a counter in JSON. */
const char *c2c_counter_name(enum sl_c2c_counter counter);

void c2c_json(const struct c2c_report *report, FILE *out);
/* A line for each shown entry, behind one with the names of the columns and "# " lines about losses. */
void c2c_csv(const struct c2c_report *report, FILE *out);
/* True or false sharing of each line. */
void c2c_verdict_text(const struct c2c_report *report, FILE *out);
/* What got lost: one line. */
void c2c_loss_text(const struct c2c_report *report, const char *before, FILE *out);
bool c2c_has_loss(const struct c2c_report *report);

#endif
