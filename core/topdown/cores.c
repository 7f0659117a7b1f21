/* SPDX-License-Identifier: Apache-2.0 */
/* All cores by name: for tools. */
#include "cores.h"

#define MAX_WIDTH 64u

static const struct sl_topdown_core generic = {"generic-W", 0, 0, 0, SL_TOPDOWN_ANY_WIDTH, &sl_topdown_model_paper};

static const struct {
    const struct sl_topdown_core *cores;
    const size_t *n;
} lists[] = {
    {topdown_cores_arm, &topdown_cores_arm_n},     {topdown_cores_cortexm, &topdown_cores_cortexm_n},
    {topdown_cores_intel, &topdown_cores_intel_n}, {topdown_cores_amd, &topdown_cores_amd_n},
    {topdown_cores_riscv, &topdown_cores_riscv_n},
};

const struct sl_topdown_core *sl_topdown_core_at(size_t index)
{
    if (index == 0)
        return &generic;
    index--;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (index < *lists[i].n)
            return &lists[i].cores[index];
        index -= *lists[i].n;
    }
    return NULL;
}

static char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

/* Case does not matter. */
static bool same(const char *a, const char *b)
{
    while (*a && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return fold(*a) == fold(*b);
}

/* "generic-W"; 0: not that. */
static unsigned generic_width(const char *name)
{
    static const char prefix[] = "generic-";
    unsigned width = 0;
    for (size_t i = 0; prefix[i]; i++, name++) {
        if (*name != prefix[i])
            return 0;
    }
    if (*name == '0')
        return 0;
    for (; *name >= '0' && *name <= '9' && width <= MAX_WIDTH; name++)
        width = width * 10u + (unsigned)(*name - '0');
    return *name == 0 && width <= MAX_WIDTH ? width : 0;
}

/* Other names that people use. */
static const struct {
    const char *name;
    const char *core;
} aliases[] = {
    {"hip08", "tsv110"},
    {"neoverse-n2-r0p1", "neoverse-n2-r0p0"},
    {"neoverse-n2-r0p3", "neoverse-n2"},
    {"cortex-x1c", "cortex-x1"},
    {"cortex-a78ae", "cortex-a78"},
    {"ampereone-x", "ampereonex"},
    {"arm-generic", "armv8-generic"},
    {"armv8.1-m", "cortex-m-pmu"},
    {"snb", "sandybridge"},
    {"ivb", "ivybridge"},
    {"hsw", "haswell"},
    {"bdw", "broadwell"},
    {"skl", "skylake"},
    {"kbl", "kabylake"},
    {"cfl", "coffeelake"},
    {"skx", "skylake-x"},
    {"clx", "skylake-x"},
    {"skylake-avx512", "skylake-x"},
    {"cascadelake", "skylake-x"},
    {"icl", "icelake"},
    {"icelake-server", "icelake-x"},
    {"icx", "icelake-x"},
    {"tgl", "tigerlake"},
    {"rkl", "rocketlake"},
    {"spr", "sapphirerapids"},
    {"emr", "emeraldrapids"},
    {"gnr", "graniterapids"},
    {"adl", "alderlake"},
    {"rpl", "raptorlake"},
    {"mtl", "meteorlake"},
    {"meteorlake-p", "meteorlake"},
    {"lnl", "lunarlake"},
    {"lunarlake-p", "lunarlake"},
    {"arl", "arrowlake"},
    {"arrowlake-p", "arrowlake"},
    {"ptl", "pantherlake"},
    {"lioncove", "lunarlake"},
    {"tnt", "tremont"},
    {"grt", "gracemont"},
    {"cmt", "crestmont"},
    {"sierraforest", "crestmont"},
    {"srf", "crestmont"},
    {"skt", "skymont"},
    {"znver1", "zen1"},
    {"znver2", "zen2"},
    {"znver3", "zen3"},
    {"znver4", "zen4"},
    {"znver5", "zen5"},
    {"riscv", "riscv-generic"},
    {"u74", "sifive-u74"},
    {"p550", "sifive-p550"},
    {"bullet", "sifive-bullet"},
    {"c910", "thead-c910"},
    {"c906", "thead-c906"},
    {"dubhe", "dubhe-80"},
    {"ax45", "andes-ax45"},
};

const struct sl_topdown_core *sl_topdown_core_by_name(const char *name, unsigned *width)
{
    const struct sl_topdown_core *core;
    *width = generic_width(name);
    if (*width)
        return &generic;
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (same(aliases[i].name, name)) {
            name = aliases[i].core;
            break;
        }
    }
    for (size_t i = 1; (core = sl_topdown_core_at(i)) != NULL; i++) {
        if (same(core->name, name)) {
            *width = core->width;
            return core;
        }
    }
    return NULL;
}
