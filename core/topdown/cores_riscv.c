/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V cores by mvendorid, marchid and mimpid (JEDEC identifiers; Linux' public lists of RISC-V PMUs). */
#include "cores.h"

#define U SL_TOPDOWN_WIDTH_UNVERIFIED

/* W = 1 where nobody says otherwise: the share of cycles that retire an instruction. */
const struct sl_topdown_core topdown_cores_riscv[] = {
    { "riscv-generic", 0, 0, 1, 0, &sl_topdown_model_riscv },
    { "sifive-u74", 0, 0, 2, 0, &sl_topdown_model_u74 },
    { "sifive-p550", 0, 0, 3, U, &sl_topdown_model_u74 },
    { "sifive-bullet", 0, 0, 3, U, &sl_topdown_model_bullet },
    { "thead-c910", 0, 0, 3, U, &sl_topdown_model_thead },
    { "thead-c906", 0, 0, 1, U, &sl_topdown_model_thead },
    { "dubhe-80", 0, 0, 3, U, &sl_topdown_model_dubhe },
    { "andes-ax45", 0, 0, 2, U, &sl_topdown_model_ax45 },
    { "cva6", 0, 0, 1, U, &sl_topdown_model_cva6 },
};
const size_t topdown_cores_riscv_n = sizeof topdown_cores_riscv / sizeof topdown_cores_riscv[0];

static const struct {
    uint64_t mvendorid;
    uint64_t marchid; /* UINT64_MAX: any */
    uint8_t core;     /* index above */
} identities[] = {
    { 0x489, 0x8000000000000007u, 1 }, { 0x489, 0x7, 1 },          { 0x489, 0x8000000000000008u, 3 },
    { 0x5b7, 0, 4 },                   { 0x67e, UINT64_MAX, 6 },   { 0x31e, UINT64_MAX, 7 },
    { 0x602, 3, 8 }, /* OpenHW, CVA6 */
};

const struct sl_topdown_core *sl_topdown_core_riscv(uint64_t mvendorid, uint64_t marchid, uint64_t mimpid)
{
    (void)mimpid; /* no model differs by implementation yet */
    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
        if (identities[i].mvendorid == mvendorid &&
            (identities[i].marchid == marchid || identities[i].marchid == UINT64_MAX))
            return &topdown_cores_riscv[identities[i].core];
    }
    return &topdown_cores_riscv[0];
}
