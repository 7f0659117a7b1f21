/* SPDX-License-Identifier: Apache-2.0 */
/* Processor names that LLVM answers with the scheduling model of another core. */
#include "stand_in.h"

#include <string.h>

/* What LLVM's model was made for, by the name of the model here, and all names of that very core. A model that is not
 * here has one name of its own: that of the model. Names of instruction set levels (x86-64-v3) are no cores. */
static const struct {
    const char *model, *core;
    const char *names[6];
} cores[] = {
    { "apple-m1", "apple-a7", { "apple-a7", "cyclone" } },
    { "thunderx", "thunderx", { "thunderx", "thunderxt81", "thunderxt83", "thunderxt88" } },
    { "neoverse-n2", "neoverse-n2", { "neoverse-n2", "cobalt-100" } },
    { "neoverse-v2", "neoverse-v2", { "neoverse-v2", "grace" } },
    { "atom", "atom", { "atom", "bonnell" } },
    { "broadwell", "broadwell", { "broadwell", "core_5th_gen_avx", "core_5th_gen_avx_tsx" } },
    { "haswell", "haswell", { "haswell", "core-avx2", "core_4th_gen_avx", "core_4th_gen_avx_tsx" } },
    { "icelake-server", "icelake-server", { "icelake-server", "icelake_server", "icelake-client", "icelake_client" } },
    { "sandybridge", "sandybridge", { "sandybridge", "core_2nd_gen_avx", "corei7-avx" } },
    { "silvermont", "silvermont", { "silvermont", "slm", "atom_sse4_2" } },
    { "skylake-avx512", "skylake-avx512", { "skylake-avx512", "skylake_avx512", "skx" } },
    { "sifive-x280", "the sifive-7 series", { "sifive-x280", "sifive-u74", "sifive-s76" } },
    { "sifive-e76", "the sifive-7 series", { "sifive-e76" } },
    { "syntacore-scr1-max", "syntacore-scr1", { "syntacore-scr1-max", "syntacore-scr1-base" } },
};

const char *stand_in_for(const struct sl_cpu_name *entry)
{
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        if (strcmp(cores[i].model, entry->cpu->name))
            continue;
        for (size_t k = 0; k < sizeof cores[i].names / sizeof cores[i].names[0] && cores[i].names[k]; k++) {
            if (!strcmp(cores[i].names[k], entry->name))
                return NULL;
        }
        return cores[i].core;
    }
    return strcmp(entry->name, entry->cpu->name) ? entry->cpu->name : NULL;
}
