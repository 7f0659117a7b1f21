/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines in llvm-mca's spelling: one table per sub-command serves parsing and --help.
 *
 * -name or --name; =value, or for all but booleans the next argument; of repeated options the last one wins. */
#ifndef HOSTED_CLI_OPTIONS_H
#define HOSTED_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../io/diag.h"

enum option_kind {
    OPTION_BOOL,   /* bool; nothing or "" = true */
    OPTION_UINT,   /* uint32_t; decimal, 0x, 0b, 0o or 0 for octal */
    OPTION_INT,    /* int32_t; likewise, with a minus */
    OPTION_STRING, /* const char * */
    OPTION_ENUM,   /* int: index into the choices */
    OPTION_ACTION  /* bool; takes no value */
};

struct option_choice {
    const char *name;
    const char *help;
};

struct option {
    const char *name;
    enum option_kind kind;
    bool hidden;               /* listed by --help-hidden only */
    size_t offset;             /* of the value in the values struct */
    const char *value_name;    /* in --help: "<uint>" and the like; NULL: by kind */
    const char *help;
    const struct option_choice *choices; /* OPTION_ENUM, ends with a NULL name */
    const char *group;         /* heading in --help; NULL: that of the option before */
};

struct command {
    const char *name;          /* of the program in messages, e.g. "slotledger mca" */
    const char *usage;         /* what follows the name in the usage line */
    const char *overview;
    const struct option *options;
    size_t n_options;
    size_t max_inputs;
    const char *epilogue;      /* end of --help, or NULL */
};

/* Parses argv[0..argc), which does not hold the program's name. Values keep what they were for options that are not
 * given. positions[i] is the 1-based position of the last occurrence of option i, 0 = not given. false: reported. */
bool options_parse(const struct command *command, int argc, char *const *argv, void *values, unsigned *positions,
                   const char **inputs, size_t *n_inputs, struct diag *diag);

void options_help(const struct command *command, bool hidden, FILE *out);

/* Exactly the numbers that OPTION_UINT takes. */
bool options_number(const char *text, uint64_t max, uint64_t *value);

#endif
