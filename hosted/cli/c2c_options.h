/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `slotledger c2c report`: perf's, and what perf does not have. */
#ifndef HOSTED_CLI_C2C_OPTIONS_H
#define HOSTED_CLI_C2C_OPTIONS_H

#include "../report/c2c_report.h"
#include "c2c_board.h"
#include "c2c_parse.h"

struct c2c_options {
    const char *vmlinux, *input, *coalesce, *display, *call_graph;
    unsigned verbose, node_info;
    bool stdio, stats, full_symbols, no_source, show_all, force, stitch_lbr, double_line;
    const char *disassembler_style, *objdump; /* of perf's annotation, which is no part of this report */
    /* What perf does not have. */
    bool json, csv, functions, verdict;
    unsigned line_size, max_lines, max_entries, passes;
    struct c2c_board_options board;
};

extern const struct c2c_command c2c_report_command;

/* Fills view and keys from options. default_peer: perf's default on this recording's architecture is peer snoops.
 * 0, or the exit status: reported. */
int c2c_options_view(const struct c2c_options *options, bool default_peer, struct c2c_view *view,
                     uint8_t keys[SL_C2C_MAX_KEYS], struct diag *diag);
/* -g alone, as it can be checked before the recording is known. */
int c2c_options_chain(const struct c2c_options *options, struct c2c_chain_view *chain, struct diag *diag);

#endif
