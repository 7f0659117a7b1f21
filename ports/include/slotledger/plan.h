/* SPDX-License-Identifier: Apache-2.0 */
/* From a core's Top-Down model to what a port counts: budget of the counters that are there, and a pass as a group. */
#ifndef SLOTLEDGER_PLAN_H
#define SLOTLEDGER_PLAN_H

#include <slotledger/port.h>
#include <slotledger/topdown.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The core that the probe has identified; never NULL. */
const struct sl_topdown_core *sl_plan_core(const struct sl_port_ops *ops, const struct sl_port_caps *caps);

/* Counters for sl_topdown_plan: what the probe has found, of events those that the core lists. */
void sl_plan_budget(const struct sl_port_ops *ops, const struct sl_port_caps *caps, const struct sl_topdown_model *model,
                    struct sl_topdown_budget *budget);

/* A pass of a plan as events[SL_PORT_EVENTS] of a port; *count of them. SL_E_COUNTERS: there are more. */
SL_MUST_CHECK enum sl_status sl_plan_events(const struct sl_port_ops *ops, const struct sl_topdown_model *model,
                                            const struct sl_topdown_pass *pass, struct sl_port_event *events,
                                            uint8_t *count);

#ifdef __cplusplus
}
#endif
#endif
