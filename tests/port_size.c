/* SPDX-License-Identifier: Apache-2.0 */
/* A program that measures one region and dumps it into memory, and nothing else: its size is that of the library. */
#include <slotledger/dump.h>

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
void measure(const struct sl_port_group *group, void (*work)(void), struct sl_region *region, struct sl_port *port,
             struct sl_port_caps *caps, struct sl_capture *capture, const struct sl_capture_config *config);

/* Discarded when sizes are taken: the program's own, not the library's. */
__attribute__((section(".outside"), used, noinline)) void *memcpy(void *to, const void *from, size_t n)
{
    for (volatile char *t = to; n != 0; n--) {
        *t++ = *(const char *)from;
        from = (const char *)from + 1;
    }
    return to;
}

__attribute__((section(".outside"), used, noinline)) void *memset(void *to, int value, size_t n)
{
    for (volatile char *t = to; n != 0; n--) {
        *t++ = (char)value;
    }
    return to;
}

__attribute__((section(".outside"), used)) void measure(const struct sl_port_group *group, void (*work)(void),
                                                        struct sl_region *region, struct sl_port *port,
                                                        struct sl_port_caps *caps, struct sl_capture *capture,
                                                        const struct sl_capture_config *config)
{
    const struct sl_port_ops *ops;
    enum sl_status probed = sl_port_probe(&ops, caps, SL_PORT_GUARD);
    if (sl_capture_init(capture, config) || sl_region_open(port, ops, caps, group, 0)) {
        return;
    }
    sl_region_calibrate(port, region, 8);
    sl_dump_core(capture, ops, caps, probed, 1);
    sl_dump_group(capture, port);
    sl_dump_region(capture, port, region, SL_CAPTURE_CALIBRATION);
    sl_region_begin(port, region);
    work();
    sl_region_end(port, region);
    (void)sl_capture_region(capture, region->id, SL_REGION_NONE, 0, "region");
    sl_dump_region(capture, port, region, SL_CAPTURE_SAMPLE);
    sl_region_close(port);
    (void)sl_capture_finish(capture);
}
