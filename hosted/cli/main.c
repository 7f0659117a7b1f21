/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the sub-command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

struct subcommand {
    const char *name;
    const char *program; /* in messages */
    command_fn *run;
    const char *help;
};

static const struct subcommand subcommands[] = {
    { "mca", "slotledger mca", command_mca, "predict: simulate machine code on a processor model" },
    { "export", "slotledger export", command_export, "a board's dump for other tools: perf.data" },
    { "topdown", "slotledger topdown", command_topdown, "measured: where the slots of a region went" },
    { "disasm", "slotledger disasm", command_disasm, "print machine code as assembly text" },
    { "check", "slotledger check", command_check, "gate: predictions beside those of a baseline" },
    { "c2c", "slotledger c2c", command_c2c, "trace: contended cache lines of a recording, who reads and who writes" },
    { "model", "slotledger model", command_model, "scheduling models as YAML: list, show, check, diff, compile" },
    { "capture", "slotledger capture", command_capture, "dumps of a board: list, check, import from a console log" },
    { "doctor", "slotledger doctor", command_doctor, "why counters of a dump are zero or missing" },
};

#define N_SUBCOMMANDS (sizeof subcommands / sizeof subcommands[0])

static void help(FILE *out)
{
    fputs("slotledger: where did the core's issue slots go?\n\nUSAGE: slotledger COMMAND [options]\n\nCOMMANDS:\n", out);
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        fprintf(out, "  %-10s %s\n", subcommands[i].name, subcommands[i].help);
    fputs("\nslotledger COMMAND --help lists the options of a command; slotledger --version tells the version.\n", out);
}

/* "-name" or "--name". */
static int is_option(const char *argument, const char *name)
{
    return argument[0] == '-' && !strcmp(argument + 1 + (argument[1] == '-'), name);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("slotledger: no command given. Try: 'slotledger --help'\n", stderr);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
        if (!strcmp(argv[1], subcommands[i].name))
            return subcommands[i].run(subcommands[i].program, argc - 2, argv + 2);
    }
    if (is_option(argv[1], "help") || is_option(argv[1], "h") || !strcmp(argv[1], "help")) {
        help(stdout);
    } else if (is_option(argv[1], "version")) {
        command_version(stdout);
    } else {
        fprintf(stderr, "slotledger: Unknown command '%s'.  Try: 'slotledger --help'\n", argv[1]);
        return EXIT_FAILURE;
    }
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
