/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the recurrence finder. The machine itself refers to none of them. */
#ifndef SLOTLEDGER_CORE_MCA_RECUR_INTERNAL_H
#define SLOTLEDGER_CORE_MCA_RECUR_INTERNAL_H

#include <slotledger/recur.h>

#include "internal.h"

/* Writes everything that decides about later cycles, relative to this cycle and the next instruction. */
void mca_recur_words(const struct sl_mca *m, struct sl_mca_words *words);
/* At most so many words. */
uint64_t mca_recur_most_words(const struct sl_mca *m);
/* The oldest instruction that can still raise an event. */
uint32_t mca_recur_oldest(const struct sl_mca *m);
/* Makes it the state so many cycles and dynamic instructions later. */
void mca_recur_shift(struct sl_mca *m, uint32_t cycles, uint32_t iids);

#endif
