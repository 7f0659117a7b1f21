/* SPDX-License-Identifier: Apache-2.0 */
/* The search for a port that can count. */
#include <slotledger/port.h>

enum sl_status sl_port_probe(const struct sl_port_ops **ops, struct sl_port_caps *caps, uint32_t flags)
{
    enum sl_status first = SL_E_ABSENT;
    uint8_t why = SL_PORT_WHY_NOTHING;
    const struct sl_port_ops *clock = NULL;
    for (const struct sl_port_ops *const *p = sl_port_all; *p != NULL; p++) {
        *ops = *p;
        enum sl_status err = (*p)->probe(caps, flags);
        if (!err) {
            return SL_OK;
        }
        /* "Not permitted" tells more than another port's "not there". */
        if (why == SL_PORT_WHY_NOTHING || (first == SL_E_ABSENT && err == SL_E_DENIED)) {
            first = err;
            why = caps->why;
        }
        if (clock == NULL && (caps->can & SL_PORT_CAN_TIME) != 0) {
            clock = *p;
        }
    }
    if (clock != NULL && clock != *ops) {
        *ops = clock;
        (void)clock->probe(caps, flags);
    }
    caps->why = why;
    return first;
}
