/* SPDX-License-Identifier: Apache-2.0 */
/* Runs another program with given input and collects what it prints: by pipes, without a shell. */
#ifndef HOSTED_IO_PROCESS_H
#define HOSTED_IO_PROCESS_H

#include <stdbool.h>

#include "pool.h"

struct process_result {
    struct text out;
    struct text err;
    int exit_code; /* -1: ended by a signal */
};

/* Full path of a program: itself when it has a '/', else the first executable file of that name in PATH. */
bool process_find(const char *name, struct text *path);

/* 0, or an errno. argv[0] is the path of the program. */
int process_run(char *const argv[], const char *input, size_t input_len, struct process_result *result);
void process_result_free(struct process_result *result);

#endif
