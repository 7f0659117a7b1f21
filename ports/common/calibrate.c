/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of measuring, measured. */
#include <slotledger/region.h>

void sl_region_calibrate(struct sl_port *port, struct sl_region *region, uint32_t runs)
{
    for (uint32_t i = 0; i < runs; i++) {
        sl_region_begin(port, region);
        sl_region_end(port, region);
    }
}
