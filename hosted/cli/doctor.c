/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger doctor`: why counters of a dump are zero or missing, and what to set. */
#include <stdlib.h>

#include "../report/doctor.h"
#include "capture.h"
#include "commands.h"
#include "options.h"

#define EXIT_DOCTOR_PROBLEM 3

struct doctor_command {
    bool help;
};

static const struct option table[] = {
    {"help", OPTION_ACTION, false, offsetof(struct doctor_command, help), NULL, "Display available options", NULL,
     "Generic Options"},
};

#define N_OPTIONS (sizeof table / sizeof table[0])

static int examine(const char *name, struct diag *diag)
{
    struct doctor_report report;
    struct capture capture;
    struct file file;
    size_t losses;
    int status;
    if (!capture_open(&capture, &file, name, &losses, diag))
        return EXIT_FAILURE;
    doctor_examine(&report, &capture);
    doctor_print(&report, &capture, stdout);
    status = report.n_problems ? EXIT_DOCTOR_PROBLEM : capture_status(&capture, losses);
    doctor_free(&report);
    capture_free(&capture);
    file_free(&file);
    return status;
}

int command_doctor(const char *program, int argc, char **argv)
{
    struct command command = {
        .name = program,
        .usage = "<dump>",
        .overview = "why counters of a dump are zero or missing, from the registers it recorded",
        .options = table,
        .n_options = N_OPTIONS,
        .max_inputs = 1,
        .epilogue = "EXIT STATUS: 0 nothing wrong, 3 a problem was found, 2 none was found but the dump is incomplete, "
                    "1 no dump\n"};
    struct diag diag = {.stream = stderr};
    struct doctor_command values = {.help = false};
    unsigned positions[N_OPTIONS];
    const char *file = "-";
    size_t n_files;
    int status = EXIT_SUCCESS;
    if (!options_parse(&command, argc, argv, &values, positions, &file, &n_files, &diag))
        return EXIT_FAILURE;
    if (values.help)
        options_help(&command, false, stdout);
    else
        status = examine(file, &diag);
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : status;
}
