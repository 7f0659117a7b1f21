/* SPDX-License-Identifier: Apache-2.0 */
/* The AArch64 port's pieces, one file each. */
#ifndef SLOTLEDGER_PORTS_AARCH64_H
#define SLOTLEDGER_PORTS_AARCH64_H

#include <slotledger/region.h>

enum sl_status sl_a64_probe(struct sl_port_caps *caps, uint32_t flags);
enum sl_status sl_a64_config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags);
void sl_a64_restore(struct sl_port *port);
void sl_a64_read(struct sl_port *port, uint64_t *values);
uint32_t sl_a64_overflow_isr(struct sl_port *port);

void sl_a64_begin(struct sl_port *port, struct sl_region *region);
void sl_a64_end(struct sl_port *port, struct sl_region *region);

#endif
