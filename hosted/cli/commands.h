/* SPDX-License-Identifier: Apache-2.0 */
/* The sub-commands of slotledger. Each takes the arguments behind its name and returns the exit status. */
#ifndef HOSTED_CLI_COMMANDS_H
#define HOSTED_CLI_COMMANDS_H

#include <stdio.h>

typedef int command_fn(const char *program, int argc, char **argv);

command_fn command_mca;
command_fn command_topdown;
command_fn command_disasm;
command_fn command_export;
command_fn command_capture;
command_fn command_doctor;
command_fn command_check;
command_fn command_c2c;
command_fn command_model;

void command_version(FILE *out);

#endif
