/* SPDX-License-Identifier: Apache-2.0 */
/* -mcpu=native: the name LLVM gives to the processor this program runs on. */
#include "host_cpu.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct model_range {
    uint16_t family;
    uint16_t first, last; /* models */
    const char *name;
};

/* Intel SDM volume 4, table 2-1 "CPUID signature values of DisplayFamily_DisplayModel". */
static const struct model_range intel[] = {
    { 6, 0x0f, 0x0f, "core2" },          { 6, 0x16, 0x16, "core2" },
    { 6, 0x17, 0x17, "penryn" },         { 6, 0x1d, 0x1d, "penryn" },
    { 6, 0x1a, 0x1a, "nehalem" },        { 6, 0x1e, 0x1f, "nehalem" },
    { 6, 0x2e, 0x2e, "nehalem" },        { 6, 0x25, 0x25, "westmere" },
    { 6, 0x2c, 0x2c, "westmere" },       { 6, 0x2f, 0x2f, "westmere" },
    { 6, 0x2a, 0x2a, "sandybridge" },    { 6, 0x2d, 0x2d, "sandybridge" },
    { 6, 0x3a, 0x3a, "ivybridge" },      { 6, 0x3e, 0x3e, "ivybridge" },
    { 6, 0x3c, 0x3c, "haswell" },        { 6, 0x3f, 0x3f, "haswell" },
    { 6, 0x45, 0x46, "haswell" },        { 6, 0x3d, 0x3d, "broadwell" },
    { 6, 0x47, 0x47, "broadwell" },      { 6, 0x4f, 0x4f, "broadwell" },
    { 6, 0x56, 0x56, "broadwell" },      { 6, 0x4e, 0x4e, "skylake" },
    { 6, 0x5e, 0x5e, "skylake" },        { 6, 0x8e, 0x8e, "skylake" },
    { 6, 0x9e, 0x9e, "skylake" },        { 6, 0xa5, 0xa6, "skylake" },
    { 6, 0x55, 0x55, "skylake-avx512" }, { 6, 0x66, 0x66, "cannonlake" },
    { 6, 0x7d, 0x7e, "icelake-client" }, { 6, 0x6a, 0x6a, "icelake-server" },
    { 6, 0x6c, 0x6c, "icelake-server" }, { 6, 0x8c, 0x8d, "tigerlake" },
    { 6, 0xa7, 0xa7, "rocketlake" },     { 6, 0x97, 0x97, "alderlake" },
    { 6, 0x9a, 0x9a, "alderlake" },      { 6, 0xbe, 0xbe, "gracemont" },
    { 6, 0xb7, 0xb7, "raptorlake" },     { 6, 0xba, 0xba, "raptorlake" },
    { 6, 0xbf, 0xbf, "raptorlake" },     { 6, 0xaa, 0xaa, "meteorlake" },
    { 6, 0xac, 0xac, "meteorlake" },     { 6, 0xb5, 0xb5, "arrowlake" },
    { 6, 0xc5, 0xc5, "arrowlake" },      { 6, 0xc6, 0xc6, "arrowlake-s" },
    { 6, 0xbd, 0xbd, "lunarlake" },      { 6, 0xcc, 0xcc, "pantherlake" },
    { 6, 0x8f, 0x8f, "sapphirerapids" }, { 6, 0xcf, 0xcf, "sapphirerapids" },
    { 6, 0xad, 0xad, "graniterapids" },  { 6, 0xae, 0xae, "graniterapids-d" },
    { 6, 0x1c, 0x1c, "bonnell" },        { 6, 0x26, 0x27, "bonnell" },
    { 6, 0x35, 0x36, "bonnell" },        { 6, 0x37, 0x37, "silvermont" },
    { 6, 0x4a, 0x4a, "silvermont" },     { 6, 0x4c, 0x4d, "silvermont" },
    { 6, 0x5a, 0x5a, "silvermont" },     { 6, 0x5d, 0x5d, "silvermont" },
    { 6, 0x5c, 0x5c, "goldmont" },       { 6, 0x5f, 0x5f, "goldmont" },
    { 6, 0x7a, 0x7a, "goldmont-plus" },  { 6, 0x86, 0x86, "tremont" },
    { 6, 0x8a, 0x8a, "tremont" },        { 6, 0x96, 0x96, "tremont" },
    { 6, 0x9c, 0x9c, "tremont" },        { 6, 0xaf, 0xaf, "sierraforest" },
    { 6, 0xb6, 0xb6, "grandridge" },     { 6, 0xdd, 0xdd, "clearwaterforest" },
    { 6, 0x57, 0x57, "knl" },            { 6, 0x85, 0x85, "knm" },
};

/* AMD's revision guides (family, model ranges). */
static const struct model_range amd[] = {
    { 0x0f, 0x00, 0xff, "k8" },        { 0x10, 0x00, 0xff, "amdfam10" },
    { 0x14, 0x00, 0xff, "btver1" },    { 0x15, 0x00, 0x01, "bdver1" },
    { 0x15, 0x02, 0x1f, "bdver2" },    { 0x15, 0x30, 0x3f, "bdver3" },
    { 0x15, 0x60, 0x7f, "bdver4" },    { 0x16, 0x00, 0xff, "btver2" },
    { 0x17, 0x00, 0x2f, "znver1" },    { 0x17, 0x30, 0xff, "znver2" },
    { 0x19, 0x00, 0x0f, "znver3" },    { 0x19, 0x20, 0x5f, "znver3" },
    { 0x19, 0x10, 0x1f, "znver4" },    { 0x19, 0x60, 0xaf, "znver4" },
    { 0x1a, 0x00, 0xff, "znver5" },
};

static const char *find_range(const struct model_range *ranges, size_t n, const struct x86_identity *id)
{
    for (size_t i = 0; i < n; i++) {
        if (ranges[i].family == id->family && id->model >= ranges[i].first && id->model <= ranges[i].last)
            return ranges[i].name;
    }
    return NULL;
}

static bool bit(uint32_t word, unsigned index)
{
    return word >> index & 1u;
}

/* The x86-64 psABI's micro-architecture levels, for processors that no table knows. */
static const char *level(const struct x86_identity *id)
{
    if (bit(id->features_7b, 16) && bit(id->features_7b, 30) && bit(id->features_7b, 31))
        return "x86-64-v4"; /* AVX512F, BW, VL */
    if (bit(id->features_7b, 5) && bit(id->features_7b, 8) && bit(id->features_1c, 12))
        return "x86-64-v3"; /* AVX2, BMI2, FMA */
    return bit(id->features_1c, 20) ? "x86-64-v2" : "x86-64"; /* SSE4.2 */
}

const char *host_cpu_x86(const struct x86_identity *id)
{
    const char *name = NULL;
    if (!strcmp(id->vendor, "GenuineIntel"))
        name = find_range(intel, sizeof intel / sizeof intel[0], id);
    else if (!strcmp(id->vendor, "AuthenticAMD") || !strcmp(id->vendor, "HygonGenuine"))
        name = find_range(amd, sizeof amd / sizeof amd[0], id);
    if (!name)
        return level(id);
    if (!strcmp(name, "skylake-avx512")) {
        /* Three products share the model number. */
        if (bit(id->features_71a, 5))
            return "cooperlake"; /* AVX512_BF16 */
        if (bit(id->features_7c, 11))
            return "cascadelake"; /* AVX512_VNNI */
    }
    return name;
}

struct arm_part {
    uint8_t implementer;
    uint16_t part;
    const char *name;
};

/* MIDR_EL1 implementer and part numbers, from each core's technical reference manual. */
static const struct arm_part arm_parts[] = {
    { 0x41, 0xd02, "cortex-a34" },      { 0x41, 0xd03, "cortex-a53" },      { 0x41, 0xd04, "cortex-a35" },
    { 0x41, 0xd05, "cortex-a55" },      { 0x41, 0xd06, "cortex-a65" },      { 0x41, 0xd07, "cortex-a57" },
    { 0x41, 0xd08, "cortex-a72" },      { 0x41, 0xd09, "cortex-a73" },      { 0x41, 0xd0a, "cortex-a75" },
    { 0x41, 0xd0b, "cortex-a76" },      { 0x41, 0xd0c, "neoverse-n1" },     { 0x41, 0xd0d, "cortex-a77" },
    { 0x41, 0xd0e, "cortex-a76ae" },    { 0x41, 0xd14, "cortex-r82ae" },    { 0x41, 0xd15, "cortex-r82" },
    { 0x41, 0xd40, "neoverse-v1" },     { 0x41, 0xd41, "cortex-a78" },      { 0x41, 0xd42, "cortex-a78ae" },
    { 0x41, 0xd43, "cortex-a65ae" },    { 0x41, 0xd44, "cortex-x1" },       { 0x41, 0xd46, "cortex-a510" },
    { 0x41, 0xd47, "cortex-a710" },     { 0x41, 0xd48, "cortex-x2" },       { 0x41, 0xd49, "neoverse-n2" },
    { 0x41, 0xd4a, "neoverse-e1" },     { 0x41, 0xd4b, "cortex-a78c" },     { 0x41, 0xd4c, "cortex-x1c" },
    { 0x41, 0xd4d, "cortex-a715" },     { 0x41, 0xd4e, "cortex-x3" },       { 0x41, 0xd4f, "neoverse-v2" },
    { 0x41, 0xd80, "cortex-a520" },     { 0x41, 0xd81, "cortex-a720" },     { 0x41, 0xd82, "cortex-x4" },
    { 0x41, 0xd83, "neoverse-v3ae" },   { 0x41, 0xd84, "neoverse-v3" },     { 0x41, 0xd85, "cortex-x925" },
    { 0x41, 0xd87, "cortex-a725" },     { 0x41, 0xd88, "cortex-a520ae" },   { 0x41, 0xd89, "cortex-a720ae" },
    { 0x41, 0xd8e, "neoverse-n3" },     { 0x42, 0x516, "thunderx2t99" },    { 0x43, 0x516, "thunderx2t99" },
    { 0x43, 0x0a0, "thunderx" },        { 0x43, 0x0a1, "thunderxt88" },     { 0x43, 0x0a2, "thunderxt81" },
    { 0x43, 0x0a3, "thunderxt83" },     { 0x43, 0x0af, "thunderx2t99" },    { 0x43, 0x0b8, "thunderx3t110" },
    { 0x46, 0x001, "a64fx" },           { 0x48, 0xd01, "tsv110" },          { 0x4e, 0x004, "carmel" },
    { 0x51, 0x001, "oryon-1" },         { 0x51, 0x201, "kryo" },            { 0x51, 0x205, "kryo" },
    { 0x51, 0x211, "kryo" },            { 0x51, 0x800, "cortex-a73" },      { 0x51, 0x801, "cortex-a73" },
    { 0x51, 0x802, "cortex-a75" },      { 0x51, 0x803, "cortex-a75" },      { 0x51, 0x804, "cortex-a76" },
    { 0x51, 0x805, "cortex-a76" },      { 0x51, 0xc00, "falkor" },          { 0x51, 0xc01, "saphira" },
    { 0x53, 0x002, "exynos-m3" },       { 0x53, 0x003, "exynos-m4" },       { 0x53, 0x004, "exynos-m5" },
    { 0xc0, 0xac3, "ampere1" },         { 0xc0, 0xac4, "ampere1a" },        { 0xc0, 0xac5, "ampere1b" },
    { 0x61, 0x022, "apple-m1" },        { 0x61, 0x023, "apple-m1" },        { 0x61, 0x024, "apple-m1" },
    { 0x61, 0x025, "apple-m1" },        { 0x61, 0x028, "apple-m1" },        { 0x61, 0x029, "apple-m1" },
    { 0x61, 0x032, "apple-m2" },        { 0x61, 0x033, "apple-m2" },        { 0x61, 0x034, "apple-m2" },
    { 0x61, 0x035, "apple-m2" },        { 0x61, 0x038, "apple-m2" },        { 0x61, 0x039, "apple-m2" },
};

const char *host_cpu_midr(uint32_t midr)
{
    uint32_t implementer = midr >> 24, part = midr >> 4 & 0xfffu;
    for (size_t i = 0; i < sizeof arm_parts / sizeof arm_parts[0]; i++) {
        if (arm_parts[i].implementer == implementer && arm_parts[i].part == part)
            return arm_parts[i].name;
    }
    return "generic";
}

/* Number behind "<key>\t: ", or 0. */
static uint32_t cpuinfo_number(const char *cpuinfo, const char *key)
{
    const char *line = strstr(cpuinfo, key);
    const char *colon = line ? strchr(line, ':') : NULL;
    return colon ? (uint32_t)strtoul(colon + 1, NULL, 0) : 0;
}

const char *host_cpu_arm(const char *cpuinfo)
{
    uint32_t implementer = cpuinfo_number(cpuinfo, "CPU implementer");
    uint32_t part = cpuinfo_number(cpuinfo, "CPU part");
    return host_cpu_midr((implementer & 0xffu) << 24 | (part & 0xfffu) << 4);
}

#if defined(__x86_64__)
const char *host_cpu_name(void)
{
    struct x86_identity id = { .family = 0 };
    unsigned a = 0, b = 0, c = 0, d = 0, top;
    top = __get_cpuid_max(0, NULL);
    __cpuid(0, a, b, c, d);
    memcpy(id.vendor, &b, 4);
    memcpy(id.vendor + 4, &d, 4);
    memcpy(id.vendor + 8, &c, 4);
    __cpuid(1, a, b, c, d);
    id.family = a >> 8 & 15u;
    id.model = a >> 4 & 15u;
    if (id.family == 6 || id.family == 15)
        id.model |= a >> 12 & 0xf0u;
    if (id.family == 15)
        id.family += a >> 20 & 0xffu;
    id.features_1c = c;
    if (top >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        id.features_7b = b;
        id.features_7c = c;
        if (a >= 1) {
            __cpuid_count(7, 1, a, b, c, d);
            id.features_71a = a;
        }
    }
    return host_cpu_x86(&id);
}
#elif defined(__aarch64__)
const char *host_cpu_name(void)
{
    char text[4096];
    FILE *file = fopen("/proc/cpuinfo", "r");
    size_t len;
    if (!file)
        return "generic";
    len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[len] = '\0';
    return host_cpu_arm(text);
}
#else
const char *host_cpu_name(void)
{
    return "generic";
}
#endif
