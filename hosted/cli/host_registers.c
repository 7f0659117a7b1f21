/* SPDX-License-Identifier: Apache-2.0 */
/* Identification registers of this machine: CPUID, sysfs, /proc/cpuinfo. */
#include "host_registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static void add(struct host_registers *host, uint8_t space, uint16_t sub, uint32_t number, uint64_t value)
{
    if (host->n_registers < HOST_REGISTERS)
        host->registers[host->n_registers++] = (struct sl_capture_register){space, SL_STATE_OK, sub, number, value};
}

#if defined(__x86_64__)

/* Leaves and registers that tell the core and its counters (Intel SDM and AMD APM, CPUID). */
static const struct {
    uint32_t leaf;
    uint16_t reg;
} leaves[] = {{0, 1},   {0, 2},   {0, 3},    {1, 0},           {1, 2},           {0xa, 0},
              {0xa, 1}, {0xa, 3}, {0x1a, 0}, {0x80000001u, 2}, {0x80000022u, 0}, {0x80000022u, 1}};

static uint32_t cpuid(uint32_t leaf, unsigned reg)
{
    uint32_t r[4] = {0, 0, 0, 0};
    if (!__get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3]))
        return 0;
    return r[reg];
}

static void intel(struct host_registers *host, uint32_t family, uint32_t model)
{
    bool atom = cpuid(0x1a, 0) >> 24 == 0x20u;
    unsigned general = cpuid(0xa, 0) >> 8 & 0xffu, n_fixed = cpuid(0xa, 3) & 0x1fu;
    host->core = sl_topdown_core_intel(family, model, atom);
    host->n_counters = general ? general : 4;
    n_fixed = n_fixed ? n_fixed : 3;
    host->fixed = ((uint64_t)1 << n_fixed) - 1;
    /* Whether the kernel offers PERF_METRICS shows when its events are opened; the core has them with fixed counter 3.
     */
    if (n_fixed >= 4 && !atom)
        host->fixed |= (uint64_t)1 << 48;
}

static void amd(struct host_registers *host, uint32_t family, uint32_t model)
{
    unsigned v2 = cpuid(0x80000022u, 0) & 1u ? cpuid(0x80000022u, 1) & 15u : 0;
    host->core = sl_topdown_core_amd(family, model);
    host->n_counters = v2 ? v2 : cpuid(0x80000001u, 2) >> 23 & 1u ? 6 : 4;
}

static void read_machine(struct host_registers *host)
{
    uint32_t version = cpuid(1, 0), family = version >> 8 & 15u, model = version >> 4 & 15u;
    host->arch = SL_ARCH_X86_64;
    if (family == 6 || family == 15)
        model |= version >> 12 & 0xf0u;
    if (family == 15)
        family += version >> 20 & 0xffu;
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++)
        add(host, SL_SPACE_CPUID, leaves[i].reg, leaves[i].leaf, cpuid(leaves[i].leaf, leaves[i].reg));
    host->hypervisor = cpuid(1, 2) >> 31;
    if (cpuid(0, 1) == signature_AMD_ebx || cpuid(0, 1) == 0x6f677948u) /* "Hygo" */
        amd(host, family, model);
    else
        intel(host, family, model);
}

#else

/* The number behind a key in a text, or alone in a file (key NULL). */
static bool number_in(const char *path, const char *key, uint64_t *value)
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *colon = key ? strchr(line, ':') : NULL;
        const char *text = colon ? colon + 1 : line;
        char *end;
        if (key && (!colon || strncmp(line, key, strlen(key)) != 0))
            continue;
        *value = strtoull(text, &end, 0);
        found = end != text;
    }
    if (file)
        fclose(file);
    return found;
}

#if defined(__riscv)

static void read_machine(struct host_registers *host)
{
    static const struct {
        const char *key;
        uint32_t csr;
    } ids[] = {{"mvendorid", 0xf11}, {"marchid", 0xf12}, {"mimpid", 0xf13}};
    uint64_t values[3] = {0, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        if (number_in("/proc/cpuinfo", ids[i].key, &values[i]))
            add(host, SL_SPACE_CSR, 0, ids[i].csr, values[i]);
    }
    host->arch = sizeof(void *) == 8 ? SL_ARCH_RV64 : SL_ARCH_RV32;
    host->core = sl_topdown_core_riscv(values[0], values[1], values[2]);
    host->n_counters = 4;
    host->fixed = 5; /* cycles and instructions */
}

#else

static void read_machine(struct host_registers *host)
{
    uint64_t midr = 0;
    if (number_in("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", NULL, &midr))
        add(host, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0), midr);
    host->arch = SL_ARCH_AARCH64;
    host->core = sl_topdown_core_arm(midr);
    host->n_counters = 6;
    host->fixed = (uint64_t)1 << 31;
}

#endif
#endif

void host_registers_read(struct host_registers *host)
{
    memset(host, 0, sizeof *host);
    read_machine(host);
}
