/* SPDX-License-Identifier: Apache-2.0 */
/* What every overflow handler does with a counter that samples. */
#ifndef SLOTLEDGER_PORTS_COMMON_REARM_H
#define SLOTLEDGER_PORTS_COMMON_REARM_H

#include <stdint.h>

/* What a counter that has passed 0 and stands at `raw` is set to, before cutting it to its width: `period` below where
 * it is, so that the time until the handler ran counts for the next period; or, when that took a whole period or more,
 * below 0. */
static inline uint64_t sl_port_rearm(uint64_t raw, uint32_t period)
{
    return (raw < period ? raw : 0) - period;
}

#endif
