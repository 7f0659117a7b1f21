/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of core/topdown share. */
#ifndef CORE_TOPDOWN_TOPDOWN_INTERNAL_H
#define CORE_TOPDOWN_TOPDOWN_INTERNAL_H

#include "formula.h"

uint64_t topdown_other_code(const struct sl_topdown_model *model, unsigned i);
/* Events that planning counts for a formula (may be NULL); optional: also those it can do without. */
uint64_t topdown_formula_events(const uint8_t *formula, bool optional);

#endif
