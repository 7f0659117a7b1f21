/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's Cortex-M boards of the MPS family: no DWT and no PMU (they read as 0), SysTick, semihosting. */
#include "board.h"

#include <ports/cortexm/regs.h>

#include <stdio.h>
#include <stdlib.h>

void board_start(unsigned core)
{
    (void)core;
}
unsigned board_start_others(void)
{
    return 1;
}
void board_put(const char *text)
{
    fputs(text, stdout);
}

bool board_save(const void *bytes, uint32_t len_bytes)
{
    FILE *f = fopen("dump.bin", "ab");
    bool ok = f != NULL && fwrite(bytes, 1, len_bytes, f) == len_bytes;
    return (f == NULL || fclose(f) == 0) && ok;
}

void board_exit(int status)
{
    exit(status);
}

unsigned board_events(const struct sl_port_caps *caps, struct sl_port_event *events, int *instructions)
{
    (void)instructions;
    if ((caps->can & SL_PORT_CAN_COUNT) == 0) {
        return 0;
    }
    events[0] = (struct sl_port_event){.fixed = SL_PORT_CYCLES};
    return 1;
}

unsigned board_overflow_event(const struct sl_port_caps *caps, struct sl_port_event *event)
{
    (void)caps;
    (void)event;
    return 0;
}

uint64_t board_overflow_work(void)
{
    return 0;
}

uint64_t board_fingerprint(const struct board_core *core)
{
    (void)core;
    return cm_read(DCB_DEMCR) * UINT64_C(3) + cm_read(SYST_CSR) * UINT64_C(5) + cm_read(SYST_RVR) * UINT64_C(7);
}
