/* SPDX-License-Identifier: Apache-2.0 */
/* The function view on a terminal. */
#ifndef HOSTED_REPORT_C2C_TUI_FUNCTIONS_H
#define HOSTED_REPORT_C2C_TUI_FUNCTIONS_H

#include "c2c_report.h"

typedef void c2c_show_line_fn(struct c2c_report *report, const struct c2c_line *line, size_t indent);

/* Runs until the user goes back to the list. `show` opens the entries of a line. */
void c2c_tui_functions(struct c2c_report *report, size_t indent, c2c_show_line_fn *show);

#endif
