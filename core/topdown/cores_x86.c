/* SPDX-License-Identifier: Apache-2.0 */
/* Intel cores by family and model (Intel SDM volume 4, table 2-1; Intel perfmon, mapfile.csv). */
#include "cores.h"

#define SIX(model) (6u << 8 | (model))
#define M(name)    &sl_topdown_model_intel_##name
#define E(name)    &sl_topdown_model_atom_##name

/* Of hybrid chips the big core stands first, the small one as "-e". */
const struct sl_topdown_core topdown_cores_intel[] = {
    { "intel", 0, 0, 0, 0, M(spr) },
    { "sandybridge", SIX(0x2au), 0, 4, 0, M(snb) },     { "sandybridge-ep", SIX(0x2du), 0, 4, 0, M(snb) },
    { "ivybridge", SIX(0x3au), 0, 4, 0, M(snb) },       { "ivybridge-ep", SIX(0x3eu), 0, 4, 0, M(snb) },
    { "haswell", SIX(0x3cu), 0, 4, 0, M(snb) },         { "haswell-ult", SIX(0x45u), 0, 4, 0, M(snb) },
    { "haswell-gt3e", SIX(0x46u), 0, 4, 0, M(snb) },    { "haswell-x", SIX(0x3fu), 0, 4, 0, M(snb) },
    { "broadwell", SIX(0x3du), 0, 4, 0, M(snb) },       { "broadwell-gt3e", SIX(0x47u), 0, 4, 0, M(snb) },
    { "broadwell-x", SIX(0x4fu), 0, 4, 0, M(snb) },     { "broadwell-de", SIX(0x56u), 0, 4, 0, M(snb) },
    { "skylake", SIX(0x4eu), 0, 4, 0, M(skl) },         { "skylake-desktop", SIX(0x5eu), 0, 4, 0, M(skl) },
    { "skylake-x", SIX(0x55u), 0, 4, 0, M(skl) },       { "kabylake", SIX(0x8eu), 0, 4, 0, M(skl) },
    { "coffeelake", SIX(0x9eu), 0, 4, 0, M(skl) },      { "cometlake", SIX(0xa5u), 0, 4, 0, M(skl) },
    { "cometlake-u", SIX(0xa6u), 0, 4, 0, M(skl) },     { "icelake", SIX(0x7eu), 0, 5, 0, M(icl) },
    { "icelake-desktop", SIX(0x7du), 0, 5, 0, M(icl) }, { "icelake-x", SIX(0x6au), 0, 5, 0, M(icl) },
    { "icelake-d", SIX(0x6cu), 0, 5, 0, M(icl) },       { "tigerlake", SIX(0x8cu), 0, 5, 0, M(icl) },
    { "tigerlake-h", SIX(0x8du), 0, 5, 0, M(icl) },     { "rocketlake", SIX(0xa7u), 0, 5, 0, M(icl) },
    { "sapphirerapids", SIX(0x8fu), 0, 6, 0, M(spr) },  { "emeraldrapids", SIX(0xcfu), 0, 6, 0, M(spr) },
    { "graniterapids", SIX(0xadu), 0, 6, 0, M(spr) },   { "graniterapids-d", SIX(0xaeu), 0, 6, 0, M(spr) },
    { "alderlake", SIX(0x97u), 0, 6, 0, M(spr) },       { "alderlake-e", SIX(0x97u), 0, 5, 0, E(grt) },
    { "alderlake-p", SIX(0x9au), 0, 6, 0, M(spr) },     { "alderlake-p-e", SIX(0x9au), 0, 5, 0, E(grt) },
    { "raptorlake", SIX(0xb7u), 0, 6, 0, M(spr) },      { "raptorlake-e", SIX(0xb7u), 0, 5, 0, E(grt) },
    { "raptorlake-p", SIX(0xbau), 0, 6, 0, M(spr) },    { "raptorlake-p-e", SIX(0xbau), 0, 5, 0, E(grt) },
    { "raptorlake-s", SIX(0xbfu), 0, 6, 0, M(spr) },    { "raptorlake-s-e", SIX(0xbfu), 0, 5, 0, E(grt) },
    { "meteorlake", SIX(0xaau), 0, 6, 0, M(spr) },      { "meteorlake-e", SIX(0xaau), 0, 6, 0, E(cmt) },
    { "lunarlake", SIX(0xbdu), 0, 8, 0, M(lnl) },       { "lunarlake-e", SIX(0xbdu), 0, 8, 0, E(skt) },
    { "arrowlake", SIX(0xc6u), 0, 8, 0, M(lnl) },       { "arrowlake-e", SIX(0xc6u), 0, 8, 0, E(skt) },
    { "pantherlake", SIX(0xccu), 0, 8, 0, M(lnl) },     { "pantherlake-e", SIX(0xccu), 0, 8, 0, E(skt) },
    { "tremont", SIX(0x96u), 0, 4, SL_TOPDOWN_WIDTH_UNVERIFIED, E(tnt) },
    { "tremont-snowridge", SIX(0x86u), 0, 4, SL_TOPDOWN_WIDTH_UNVERIFIED, E(tnt) },
    { "gracemont", SIX(0xbeu), 0, 5, 0, E(grt) },       { "crestmont", SIX(0xafu), 0, 6, 0, E(cmt) },
    { "crestmont-grandridge", SIX(0xb6u), 0, 6, 0, E(cmt) },
    { "skymont", 0, 0, 8, 0, E(skt) },                  { "darkmont", SIX(0xddu), 0, 8, 0, E(skt) },
};
const size_t topdown_cores_intel_n = sizeof topdown_cores_intel / sizeof topdown_cores_intel[0];

const struct sl_topdown_core *sl_topdown_core_intel(uint32_t family, uint32_t model, bool atom)
{
    const struct sl_topdown_core *found = &topdown_cores_intel[0];
    for (size_t i = topdown_cores_intel_n; i-- > 1;) {
        const struct sl_topdown_core *core = &topdown_cores_intel[i];
        if (core->id == (family << 8 | model) &&
            (found->id != core->id || (core->model->family == SL_FAMILY_INTEL_ATOM) == atom))
            found = core;
    }
    return found;
}
