/* SPDX-License-Identifier: Apache-2.0 */
/* What the Arm A-profile models share. */
#ifndef CORE_TOPDOWN_MODEL_ARM_H
#define CORE_TOPDOWN_MODEL_ARM_H

#include "events.h"
#include "formula.h"

#define ARM_MEMORY_SHARE_ROWS  2u
#define ARM_MISSES_ROWS        7u
#define ARM_INORDER_CAUSE_ROWS 14u

extern const struct sl_topdown_event topdown_arm_events[ARM_N];
extern const struct sl_topdown_row topdown_arm_memory_share[ARM_MEMORY_SHARE_ROWS];
extern const struct sl_topdown_row topdown_arm_misses[ARM_MISSES_ROWS];
extern const struct sl_topdown_row topdown_arm_inorder_causes[ARM_INORDER_CAUSE_ROWS];

#define TOPDOWN_ROWS(array) ROWS(array)

#define ARM_COMMON(which, level1_domain, ...)                                                              \
    .kind = which, .domain = level1_domain, .family = SL_FAMILY_ARM, .n_events = ARM_N, .cycles = A_CYCLES, \
    .instructions = A_INST_RETIRED, .events = topdown_arm_events, .total = FORMULA(__VA_ARGS__)

#define ARM_MODEL(name, which, total_slots, level1_rows, second, third, fallback_model)                 \
    const struct sl_topdown_model sl_topdown_model_arm_##name = {                                       \
        ARM_COMMON(which, SL_DOMAIN_SLOTS, total_slots),                                                \
        .parts = { ROWS(level1_rows), ROWS(second), ROWS(third) },                                      \
        .fallback = &fallback_model,                                                                    \
    };

#endif
