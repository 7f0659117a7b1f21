/* SPDX-License-Identifier: Apache-2.0 */
/* Identification registers of the machine this program runs on, as far as Linux lets a process read them. */
#ifndef HOSTED_CLI_HOST_REGISTERS_H
#define HOSTED_CLI_HOST_REGISTERS_H

#include <slotledger/capture.h>
#include <slotledger/topdown.h>

#define HOST_REGISTERS 16u

struct host_registers {
    uint16_t arch; /* enum sl_capture_arch */
    uint16_t n_registers;
    struct sl_capture_register registers[HOST_REGISTERS];
    const struct sl_topdown_core *core; /* never NULL */
    unsigned n_counters;                /* programmable ones of a core; what is usual where the machine does not say */
    uint64_t fixed;                     /* as in struct sl_topdown_budget */
    bool hypervisor;
};

void host_registers_read(struct host_registers *host);

#endif
