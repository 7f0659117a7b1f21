/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines in perf's spelling: short clusters, unambiguous prefixes of long names, --no-X. */
#ifndef HOSTED_CLI_C2C_PARSE_H
#define HOSTED_CLI_C2C_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "../io/diag.h"

enum c2c_option_kind {
    C2C_OPTION_FLAG,  /* bool */
    C2C_OPTION_COUNT, /* unsigned: each time one more */
    C2C_OPTION_TEXT,  /* const char *; --no-X: NULL */
    C2C_OPTION_MAYBE, /* const char *; without a value: `otherwise`; --no-X: "" with the flag behind it */
    C2C_OPTION_NUMBER /* unsigned, with a value */
};

enum c2c_option_scope {
    C2C_OPTION_PERF,   /* one of perf's */
    C2C_OPTION_OWN,    /* not one of perf's: never abbreviated, so that perf's abbreviations stay what they are */
    C2C_OPTION_GENERAL /* of all verbs: an abbreviation means it only where it means no other; stands last */
};

struct c2c_option {
    char letter; /* 0: none */
    const char *name;
    enum c2c_option_kind kind;
    size_t offset;     /* of the value in the values struct */
    const char *value; /* "<file>" in the usage text */
    const char *help;
    const char *otherwise;
    enum c2c_option_scope scope;
};

struct c2c_command {
    const char *usage; /* "slotledger c2c report" */
    const struct c2c_option *options;
    size_t n;
};

#define C2C_EXIT_USAGE 129

/* 0, or C2C_EXIT_USAGE: reported. Stops at "--" and at the first word that is no option; *first: what follows. */
int c2c_parse(const struct c2c_command *command, int argc, char *const *argv, void *values, int *first,
              struct diag *diag);

/* All options, or a single one; perf's layout. */
void c2c_usage(const struct c2c_command *command, const struct c2c_option *only, struct diag *diag);

#endif
