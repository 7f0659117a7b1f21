/* SPDX-License-Identifier: Apache-2.0 */
/* What the three Cortex-M ports share. */
#ifndef SLOTLEDGER_PORTS_CORTEXM_H
#define SLOTLEDGER_PORTS_CORTEXM_H

#include <slotledger/port.h>

/* Fills the identification that every Cortex-M has; sets DEMCR.TRCENA and gives DEMCR as it was before. */
uint32_t sl_cm_identify(struct sl_port_caps *caps);
void sl_cm_note(struct sl_port_caps *caps, unsigned id, uint32_t value);
uint64_t sl_cm_no_time(struct sl_port *port);
uint64_t sl_cm_affinity(void);

#endif
