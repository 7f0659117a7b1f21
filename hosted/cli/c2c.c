/* SPDX-License-Identifier: Apache-2.0 */
/* slotledger c2c: finds the verb. */
#include "c2c.h"

#include <stdio.h>
#include <string.h>

#include "c2c_parse.h"
#include "commands.h"

struct verb {
    const char *name;
    size_t shortest; /* letters that an abbreviation needs; 0: none is allowed */
    int (*run)(int argc, char **argv);
};

static const struct verb verbs[] = {
    {"record", 3, c2c_record_main},
    {"report", 3, c2c_report_main},
    {"fold", 0, c2c_fold_main},
    {"merge", 0, c2c_merge_main},
};

static int usage(void)
{
    fputs("\n Usage: slotledger c2c {record|report}\n\n    -v, --verbose         be more verbose (show counter open errors, "
          "etc)\n\n",
          stderr);
    return C2C_EXIT_USAGE;
}

int command_c2c(const char *program, int argc, char **argv)
{
    (void)program;
    while (argc > 0 && (!strcmp(argv[0], "-v") || !strcmp(argv[0], "--verbose"))) {
        argc--;
        argv++;
    }
    if (argc == 0)
        return usage();
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        size_t len = strlen(argv[0]);
        bool same = !strcmp(argv[0], verbs[i].name);
        if (same || (verbs[i].shortest && len >= verbs[i].shortest && !strncmp(verbs[i].name, argv[0], len)))
            return verbs[i].run(argc - 1, argv + 1);
    }
    return usage();
}
