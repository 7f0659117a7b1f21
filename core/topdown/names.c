/* SPDX-License-Identifier: Apache-2.0 */
/* Names of events: apart from their codes, as boards need only these. */
#include "events.h"

static const char *const paper[] = { PAPER_EVENTS(EVENT_NAME) };
static const char *const arm[] = { ARM_EVENTS(EVENT_NAME) };
static const char *const tsv110[] = { TSV110_EVENTS(EVENT_NAME) };
static const char *const arm_m[] = { ARM_M_EVENTS(EVENT_NAME) };
static const char *const dwt[] = { DWT_EVENTS(EVENT_NAME) };
static const char *const intel[] = { INTEL_EVENTS(EVENT_NAME) };
static const char *const metrics[] = { METRICS_EVENTS(EVENT_NAME) };
static const char *const atom[] = { ATOM_EVENTS(EVENT_NAME) };
static const char *const amd[] = { AMD_EVENTS(EVENT_NAME) };
static const char *const riscv[] = { RISCV_EVENTS(EVENT_NAME) };
static const char *const sifive[] = { SIFIVE_EVENTS(EVENT_NAME) };
static const char *const thead[] = { THEAD_EVENTS(EVENT_NAME) };
static const char *const dubhe[] = { DUBHE_EVENTS(EVENT_NAME) };
static const char *const andes[] = { ANDES_EVENTS(EVENT_NAME) };
static const char *const cva6[] = { CVA6_EVENTS(EVENT_NAME) };

/* By enum sl_topdown_family. */
static const char *const *const families[SL_FAMILIES] = { paper, arm,   tsv110, arm_m, dwt,   intel, metrics, atom,
                                                          amd,   riscv, sifive, thead, dubhe, andes, cva6 };

const char *sl_topdown_event_name(const struct sl_topdown_model *model, unsigned i)
{
    return i < model->n_events && model->family < SL_FAMILIES ? families[model->family][i] : "unknown";
}
