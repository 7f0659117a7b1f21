/* SPDX-License-Identifier: Apache-2.0 */
/* What the Intel and AMD ports share, and the order in which they are tried. */
#include "x86_64.h"
#include "regs.h"

void sl_x86_note(struct sl_port_caps *caps, unsigned id, uint64_t value)
{
    caps->id[id] = value;
    caps->id_known = (uint16_t)(caps->id_known | 1u << id);
}

bool sl_x86_identify(struct sl_port_caps *caps)
{
    *caps = (struct sl_port_caps){.arch = SL_PORT_X86_64, .can = SL_PORT_CAN_TIME};
    struct x86_cpuid r = x86_cpuid(0, 0);
    uint32_t last = r.a;
    sl_x86_note(caps, SL_PORT_ID_VENDOR, (uint64_t)r.d << 32 | r.b);
    sl_x86_note(caps, SL_PORT_ID_VENDOR_2, r.c);
    r = x86_cpuid(1, 0);
    sl_x86_note(caps, SL_PORT_ID_SIGNATURE, (uint64_t)r.c << 32 | r.a);
    caps->affinity = r.b >> 24;
    bool hypervisor = r.c >> 31 != 0;
    /* Hybrid parts have two kinds of core: leaf 7 EDX bit 15, leaf 0x1A EAX[31:24]. */
    if (last >= 0x1a && (x86_cpuid(7, 0).d >> 15 & 1u) != 0) {
        sl_x86_note(caps, SL_PORT_ID_CORE_TYPE, x86_cpuid(0x1a, 0).a);
    }
    return hypervisor;
}

void sl_x86_unmask_interrupt(void)
{
    uint64_t base = x86_read_msr(MSR_APIC_BASE);
    if (base & APIC_X2APIC) {
        x86_write_msr(MSR_X2APIC_LVT_PMC, x86_read_msr(MSR_X2APIC_LVT_PMC) & ~(uint64_t)LVT_MASKED);
    } else if (base & APIC_ENABLE) {
        uint64_t entry = (base & UINT64_C(0xffffff000)) + APIC_LVT_PMC;
        x86_write_mmio(entry, x86_read_mmio(entry) & ~LVT_MASKED);
    }
}

uint64_t sl_x86_now(struct sl_port *port)
{
    (void)port;
    return x86_tsc();
}

uint64_t sl_x86_affinity(void)
{
    return x86_cpuid(1, 0).b >> 24;
}

uint64_t sl_x86_extend(uint64_t so_far, uint64_t raw, uint64_t base, unsigned width)
{
    uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    return so_far + ((raw - base - so_far) & mask);
}

#ifndef SL_PORT_FAKE
const struct sl_port_ops *const sl_port_all[] = {&sl_port_x86_64_intel, &sl_port_x86_64_amd, NULL};
#endif
