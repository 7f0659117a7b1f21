/* SPDX-License-Identifier: Apache-2.0 */
/* Running formulas over counts; shared by evaluate.c, operands.c and groups.c. */
#ifndef CORE_TOPDOWN_EVALUATE_H
#define CORE_TOPDOWN_EVALUATE_H

#include "topdown_internal.h"

/* t->group: the one that counted most of the formula's events; the total's own if others are no better. */
void topdown_choose_group(struct sl_topdown *t, const uint8_t *formula);
/* The formula's value -> t->stack[0]; SL_SLOT_NO_VALUE bits if there is none. Adds to t->quality, lowers t->share_ppm. */
uint32_t topdown_formula(struct sl_topdown *t, const uint8_t *formula);
/* The count of event i in a group; NULL: not counted there. */
const struct sl_topdown_count *topdown_count(const struct sl_topdown *t, unsigned i, uint16_t group);
/* value as it would be had t->group been counted all the time. */
uint64_t topdown_extrapolate(const struct sl_topdown *t, uint64_t value);
/* passes_ppm and mux_ppm from the counts. */
void topdown_compare_groups(struct sl_topdown *t);
/* cycles, instructions and unused counts. */
void topdown_facts(struct sl_topdown *t);

#endif
