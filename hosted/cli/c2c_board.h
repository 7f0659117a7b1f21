/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger c2c` on what a board wrote: its SPE buffers, made into a recording first. */
#ifndef HOSTED_CLI_C2C_BOARD_H
#define HOSTED_CLI_C2C_BOARD_H

#include "../io/spe_recording.h"

/* Values of the options of C2C_BOARD_OPTIONS. */
struct c2c_board_options {
    const char *spe_raw, *midr, *hz, *base, *elf;
    bool newer_sources;
};

/* Rows of a c2c_option table; AT(member) gives the offset of a member named board. */
#define C2C_BOARD_OPTIONS(AT)                                                                                          \
    {0,                                                                                                                \
     "spe-raw",                                                                                                        \
     C2C_OPTION_TEXT,                                                                                                  \
     AT(board.spe_raw),                                                                                                \
     "<file[@core],...>",                                                                                              \
     "Bare SPE bytes instead of a recording: a file for each core",                                                    \
     NULL,                                                                                                             \
     C2C_OPTION_OWN},                                                                                                  \
        {0,    "midr",        C2C_OPTION_TEXT, AT(board.midr), "<number>", "MIDR_EL1 of the cores (with --spe-raw)",   \
         NULL, C2C_OPTION_OWN},                                                                                        \
        {0,                                                                                                            \
         "hz",                                                                                                         \
         C2C_OPTION_TEXT,                                                                                              \
         AT(board.hz),                                                                                                 \
         "<number>",                                                                                                   \
         "Frequency of the generic timer (with --spe-raw)",                                                            \
         NULL,                                                                                                         \
         C2C_OPTION_OWN},                                                                                              \
        {0,                                                                                                            \
         "base",                                                                                                       \
         C2C_OPTION_TEXT,                                                                                              \
         AT(board.base),                                                                                               \
         "<address>",                                                                                                  \
         "Address of the first byte (with --spe-raw)",                                                                 \
         NULL,                                                                                                         \
         C2C_OPTION_OWN},                                                                                              \
        {0,    "elf",         C2C_OPTION_TEXT, AT(board.elf), "<image[@base],...>", "Programs that ran on the board",  \
         NULL, C2C_OPTION_OWN},                                                                                        \
    {                                                                                                                  \
        0, "newer-sources", C2C_OPTION_FLAG, AT(board.newer_sources), NULL,                                            \
            "SPE: explain data sources of processors that perf 6.1 does not know, too", NULL, C2C_OPTION_OWN           \
    }

/* Whether the input is a board's: --spe-raw is given, or `input` is a capture dump. */
bool c2c_board_is_input(const struct c2c_board_options *options, const char *input);
/* Makes a recording of it. false: reported, nothing to close. */
bool c2c_board_record(const struct c2c_board_options *options, const char *input, struct spe_recording *recording,
                      struct diag *diag);

#endif
