/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: differences of what a port reads, summed. Begin subtracts and end adds, so that no copy of the counters is
 * kept. */
#include <slotledger/region.h>

enum sl_status sl_region_open(struct sl_port *port, const struct sl_port_ops *ops, const struct sl_port_caps *caps,
                              const struct sl_port_group *group, uint32_t flags)
{
    if (port->gate.is.state != SL_PORT_CLOSED) {
        return SL_E_BUSY;
    }
    if (group->count > SL_PORT_EVENTS) {
        return SL_E_ARGUMENT;
    }
    port->ops = ops;
    port->group = group;
    port->can = caps->can;
    port->level = caps->level;
    port->gate.is.depth = 0;
    port->gate.is.busy = 0;
    port->gate.is.fast = 0;
    port->quality = 0;
    port->why = SL_PORT_WHY_NOTHING;
    enum sl_status err = ops->config(port, caps, group, flags);
    if (!err) {
        port->gate.is.state = SL_PORT_READY;
    }
    return err;
}

/* The counters stand still while they are read, and an interrupt that comes meanwhile finds `busy` and leaves them
 * alone. */
void sl_region_begin_any(struct sl_port *port, struct sl_region *region)
{
    if (port->gate.is.busy || port->gate.is.state == SL_PORT_CLOSED || region->open) {
        region->lost++;
        region->quality |= SL_PORT_Q_NESTED;
        return;
    }
    const struct sl_port_ops *ops = port->ops;
    uint64_t values[SL_PORT_EVENTS];
    port->gate.is.busy = 1;
    if (port->gate.is.depth++ != 0) {
        ops->stop(port);
    }
    region->open = 1;
    /* What differs from run to run comes before the counters: where they run on, the rest is counted. */
    uint64_t now = ops->now(port);
    region->ticks -= now;
    if (region->count == 0) {
        region->first_ticks = now;
    }
    ops->read(port, values);
    for (unsigned i = 0; i < port->group->count; i++) {
        region->sums[i] -= values[i];
    }
    port->gate.is.busy = 0;
    ops->start(port);
}

void sl_region_end_stopped(struct sl_port *port, struct sl_region *region)
{
    const struct sl_port_ops *ops = port->ops;
    uint64_t values[SL_PORT_EVENTS];
    port->gate.is.busy = 1;
    ops->read(port, values);
    uint64_t now = ops->now(port);
    for (unsigned i = 0; i < port->group->count; i++) {
        region->sums[i] += values[i];
    }
    region->ticks += now;
    region->last_ticks = now;
    region->count++;
    region->open = 0;
    region->quality |= port->quality;
    port->gate.is.busy = 0;
    if (--port->gate.is.depth != 0) {
        ops->start(port);
    } else {
        port->quality &= SL_PORT_Q_SKEW; /* the next region's is its own */
    }
}

void sl_region_end_any(struct sl_port *port, struct sl_region *region)
{
    if (port->gate.is.busy || !region->open) {
        return;
    }
    port->ops->stop(port);
    sl_region_end_stopped(port, region);
}

void sl_region_begin(struct sl_port *port, struct sl_region *region)
{
    const struct sl_port_ops *ops = port->ops;
    if (ops != NULL) {
        ops->begin(port, region);
    } else {
        sl_region_begin_any(port, region);
    }
}

void sl_region_end(struct sl_port *port, struct sl_region *region)
{
    const struct sl_port_ops *ops = port->ops;
    if (ops != NULL) {
        ops->end(port, region);
    } else {
        sl_region_end_any(port, region);
    }
}

void sl_region_close(struct sl_port *port)
{
    if (port->gate.is.state == SL_PORT_CLOSED) {
        return;
    }
    port->ops->stop(port);
    port->ops->restore(port);
    port->gate.is.state = SL_PORT_CLOSED;
}
