/* SPDX-License-Identifier: Apache-2.0 */
/* Target triples and processor names. */
#ifndef HOSTED_CLI_TARGET_H
#define HOSTED_CLI_TARGET_H

#include <slotledger/model.h>

#include "../io/diag.h"
#include "../io/pool.h"

struct target {
    const struct sl_isa *isa;
    const char *triple; /* as given, with -march put in; without either the host's */
    const char *march;  /* architecture part of the triple */
};

/* -mtriple and -march ("" or NULL: not given). false: reported. */
bool target_find(struct target *target, const char *program, const char *triple, const char *march, struct pool *pool,
                 struct diag *diag);
/* For input that names its instruction set itself. */
void target_of_isa(struct target *target, const struct sl_isa *isa);
/* 32-bit Arm: A32, or Thumb of either profile? */
bool target_is_arm(const struct sl_isa *isa);
/* By --isa name; NULL when unknown. */
const struct sl_isa *target_isa_by_name(const char *name);

/* Model of a processor name; NULL: reported as llvm-mca does. The profile of a 32-bit Arm processor settles the
 * instruction set. */
const struct sl_cpu *target_cpu(struct target *target, const char *name, struct diag *diag);

/* Every name of every instruction set, with the model it uses. */
void target_list_cpus(FILE *out);

#endif
