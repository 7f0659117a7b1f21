/* SPDX-License-Identifier: Apache-2.0 */
/* A core, its groups and its regions as records of a capture. Nothing here may run inside a region.
 *
 * The results of writing need not be looked at: what is lost is counted in the capture itself. */
#ifndef SLOTLEDGER_DUMP_H
#define SLOTLEDGER_DUMP_H

#include <slotledger/capture.h>
#include <slotledger/region.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FILE, CPU, REGS and CLOCK: the first records of a core's stream. probed: what the probe said; ops and caps are of it.
 */
void sl_dump_core(struct sl_capture *c, const struct sl_port_ops *ops, const struct sl_port_caps *caps,
                  enum sl_status probed, uint16_t n_cores);

/* The group that a port has open, with the counters it got. */
void sl_dump_group(struct sl_capture *c, const struct sl_port *port);

/* type: SL_CAPTURE_SAMPLE, or SL_CAPTURE_CALIBRATION for what sl_region_calibrate has counted. */
void sl_dump_region(struct sl_capture *c, const struct sl_port *port, const struct sl_region *region,
                    enum sl_capture_type type);

/* The bytes of the last drain. */
void sl_dump_spe(struct sl_capture *c, const struct sl_port_caps *caps, const struct sl_port_spe_state *spe,
                 uint32_t drain);

#ifdef __cplusplus
}
#endif
#endif
