/* SPDX-License-Identifier: Apache-2.0 */
/* Which core a capture is of. */
#include "topdown_identify.h"

#include <string.h>

static bool read(const struct capture *capture, uint32_t stream, uint8_t space, uint16_t sub, uint32_t number,
                 uint64_t *value)
{
    const struct sl_capture_register *reg = capture_register_find(capture, stream, space, sub, number);
    *value = 0;
    if (!reg || reg->state != SL_STATE_OK)
        return false;
    *value = reg->value;
    return true;
}

static const struct sl_topdown_core *arm(const struct capture *capture, uint32_t stream)
{
    uint64_t midr;
    (void)read(capture, stream, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0), &midr);
    return sl_topdown_core_arm(midr);
}

static const struct sl_topdown_core *cortexm(const struct capture *capture, uint32_t stream)
{
    const struct sl_capture_cpu *cpu = &capture->streams[stream].cpu;
    uint64_t id;
    (void)read(capture, stream, SL_SPACE_MMIO, 0, 0xe000ed00u, &id);
    return sl_topdown_core_cortexm((uint32_t)id, cpu->pmu == SL_PMU_ARM_M_PMU, cpu->pmu == SL_PMU_ARM_DWT);
}

static const struct sl_topdown_core *riscv(const struct capture *capture, uint32_t stream)
{
    static const uint32_t csrs[3] = {0xf11, 0xf12, 0xf13}; /* mvendorid, marchid, mimpid; SBI base calls 4, 5, 6 */
    uint64_t id[3];
    for (uint16_t i = 0; i < 3; i++) {
        if (!read(capture, stream, SL_SPACE_CSR, 0, csrs[i], &id[i]))
            (void)read(capture, stream, SL_SPACE_SBI, (uint16_t)(4 + i), 0x10, &id[i]);
    }
    return sl_topdown_core_riscv(id[0], id[1], id[2]);
}

static const struct sl_topdown_core *x86(const struct capture *capture, uint32_t stream)
{
    uint64_t vendor[3], version, hybrid;
    char text[13] = "";
    uint32_t family, model, eax;
    /* Leaf 0: the vendor in EBX, EDX, ECX; leaf 1: EAX version; leaf 0x1A: EAX core type (Intel SDM, CPUID). */
    (void)read(capture, stream, SL_SPACE_CPUID, 1, 0, &vendor[0]);
    (void)read(capture, stream, SL_SPACE_CPUID, 3, 0, &vendor[1]);
    (void)read(capture, stream, SL_SPACE_CPUID, 2, 0, &vendor[2]);
    (void)read(capture, stream, SL_SPACE_CPUID, 0, 1, &version);
    (void)read(capture, stream, SL_SPACE_CPUID, 0, 0x1a, &hybrid);
    for (size_t i = 0; i < 12; i++)
        text[i] = (char)(vendor[i / 4] >> (8 * (i % 4)) & 0xffu);
    eax = (uint32_t)version;
    family = eax >> 8 & 0xfu;
    model = eax >> 4 & 0xfu;
    if (family == 6 || family == 15)
        model |= eax >> 12 & 0xf0u;
    if (family == 15)
        family += eax >> 20 & 0xffu;
    if (!strcmp(text, "AuthenticAMD") || !strcmp(text, "HygonGenuine"))
        return sl_topdown_core_amd(family, model);
    return sl_topdown_core_intel(family, model, (hybrid >> 24 & 0xffu) == 0x20u);
}

void topdown_identify(const struct capture *capture, uint32_t stream, struct topdown_entry *entry)
{
    static const char *const sources[] = {"the capture", "register", "table", "configuration"};
    const struct capture_stream *s = &capture->streams[stream];
    switch (s->file.arch) {
    case SL_ARCH_ARMV6M:
    case SL_ARCH_ARMV7M:
    case SL_ARCH_ARMV8M:
        entry->core = cortexm(capture, stream);
        break;
    case SL_ARCH_RV32:
    case SL_ARCH_RV64:
        entry->core = riscv(capture, stream);
        break;
    case SL_ARCH_X86_64:
        entry->core = x86(capture, stream);
        break;
    default:
        entry->core = arm(capture, stream);
        break;
    }
    entry->config.width = s->cpu.slots_per_cycle ? s->cpu.slots_per_cycle : entry->core->width;
    entry->width_source = !entry->config.width       ? NULL
                          : !s->cpu.slots_per_cycle  ? "table"
                          : s->cpu.slots_source < 4u ? sources[s->cpu.slots_source]
                                                     : sources[0];
}

const char *topdown_absence(const struct sl_capture_cpu *cpu)
{
    switch (cpu->pmu_state) {
    case SL_STATE_NOT_PRESENT:
        return "no counters: identification registers say there are none; time only";
    case SL_STATE_NOT_PERMITTED:
        return "no counters: somebody else keeps them (slotledger doctor says who); time only";
    case SL_STATE_NO_EVENT:
        return "no counters: the events asked for do not exist on this core";
    case SL_STATE_TOO_FEW:
        return "no counters: the group needs more than there are";
    case SL_STATE_BUSY:
        return "no counters: somebody else was using them";
    default:
        return "no counts of events";
    }
}
