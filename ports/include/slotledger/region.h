/* SPDX-License-Identifier: Apache-2.0 */
/* Bracketing a piece of code: counts and time between begin and end, summed over its runs. */
#ifndef SLOTLEDGER_REGION_H
#define SLOTLEDGER_REGION_H

#include <slotledger/port.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One region on one core for one group. The caller places it, fills it with zeros and sets id. */
struct sl_region {
    uint64_t sums[SL_PORT_EVENTS]; /* of the group's events, in its order */
    uint64_t ticks;                /* time inside, in units of the port's clock */
    uint64_t first_ticks;          /* time at the first begin */
    uint64_t last_ticks;           /* time at the last end */
    uint32_t count;                /* runs */
    uint32_t lost;                 /* runs left out: see SL_PORT_Q_NESTED */
    uint16_t id;
    uint8_t open;
    uint8_t quality; /* SL_PORT_Q_* */
};

/* Programs a group on the core this runs on and prepares regions. Without counters (SL_E_ABSENT from the probe) an
 * empty group still gives time. The status of sl_port_ops.config. */
SL_MUST_CHECK enum sl_status sl_region_open(struct sl_port *port, const struct sl_port_ops *ops,
                                            const struct sl_port_caps *caps, const struct sl_port_group *group,
                                            uint32_t flags);

/* Regions may nest, and may be used by an interrupt's handler on the same core. An end without its begin does nothing.
 */
void sl_region_begin(struct sl_port *port, struct sl_region *region);
void sl_region_end(struct sl_port *port, struct sl_region *region);

/* The same for any port and group: what a port's own begin and end fall back to. */
void sl_region_begin_any(struct sl_port *port, struct sl_region *region);
void sl_region_end_any(struct sl_port *port, struct sl_region *region);
void sl_region_end_stopped(struct sl_port *port, struct sl_region *region); /* the counters stand still already */

/* What an empty region counts here, as a region of `runs` runs: the host takes it off each run. */
void sl_region_calibrate(struct sl_port *port, struct sl_region *region, uint32_t runs);

/* Puts the counters back as they were found. */
void sl_region_close(struct sl_port *port);

#ifdef __cplusplus
}
#endif
#endif
