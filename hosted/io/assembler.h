/* SPDX-License-Identifier: Apache-2.0 */
/* Finds an installed assembler and runs it over a text. */
#ifndef HOSTED_IO_ASSEMBLER_H
#define HOSTED_IO_ASSEMBLER_H

#include "asm_input.h"
#include "process.h"

struct assembler {
    enum assembler_kind kind;
    struct text path;
};

/* false: none found, reported. */
bool assembler_find(struct assembler *assembler, const struct sl_isa *isa, const char *wish, struct diag *diag);

/* Runs llvm-mc or clang so that they print canonical text with encodings. false: it could not be run, reported. */
bool assembler_print(const struct assembler *assembler, const struct asm_input_options *options, int dialect,
                     const struct text *input, struct process_result *result, struct diag *diag);

/* Runs it with these arguments. false: it could not be run, died, or failed without a word; reported. */
bool assembler_run(const struct assembler *assembler, char *const argv[], const struct text *input,
                   struct process_result *result, struct diag *diag);

/* Passes an assembler's messages on: under the user's file name, with the user's source lines. Counts the errors. */
void assembler_messages(const struct text *messages, const struct source *source, struct diag *diag);

#endif
