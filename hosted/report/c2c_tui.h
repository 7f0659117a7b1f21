/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger c2c report` on a terminal: the list of lines, and the entries of one. */
#ifndef HOSTED_REPORT_C2C_TUI_H
#define HOSTED_REPORT_C2C_TUI_H

#include "c2c_report.h"

/* Runs until the user quits. The report was made for an interactive view, with counts for nodes; the view changes with
 * the keys. false: the terminal cannot be used (nothing was shown). */
bool c2c_tui(struct c2c_report *report);

#endif
