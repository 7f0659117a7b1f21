/* SPDX-License-Identifier: Apache-2.0 */
/* What the Intel and AMD ports share. */
#ifndef SLOTLEDGER_PORTS_X86_64_H
#define SLOTLEDGER_PORTS_X86_64_H

#include <slotledger/port.h>

#define X86_VENDOR_AMD   UINT64_C(0x69746e6568747541) /* EBX "Auth", EDX "enti" */
#define X86_VENDOR_HYGON UINT64_C(0x6e65476e6f677948) /* EBX "Hygo", EDX "nGen" */

static inline bool sl_x86_is_amd(const struct sl_port_caps *caps)
{
    uint64_t vendor = caps->id[SL_PORT_ID_VENDOR];
    return vendor == X86_VENDOR_AMD || vendor == X86_VENDOR_HYGON;
}

/* Vendor, signature, core type, affinity; true under a hypervisor. */
bool sl_x86_identify(struct sl_port_caps *caps);
void sl_x86_note(struct sl_port_caps *caps, unsigned id, uint64_t value);
/* Delivery masks the local APIC's entry; this lifts the mask. */
void sl_x86_unmask_interrupt(void);
uint64_t sl_x86_now(struct sl_port *port);
uint64_t sl_x86_affinity(void);
/* A `width`-bit counter's count so far, `so_far`, brought up to what it reads now; it began at `base`. */
uint64_t sl_x86_extend(uint64_t so_far, uint64_t raw, uint64_t base, unsigned width);

#endif
