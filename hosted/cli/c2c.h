/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs of `slotledger c2c`. Each takes the arguments behind its name and returns the exit status. */
#ifndef HOSTED_CLI_C2C_H
#define HOSTED_CLI_C2C_H

int c2c_record_main(int argc, char **argv);
int c2c_report_main(int argc, char **argv);
int c2c_fold_main(int argc, char **argv);
int c2c_merge_main(int argc, char **argv);

#endif
