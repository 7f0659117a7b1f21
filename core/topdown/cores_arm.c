/* SPDX-License-Identifier: Apache-2.0 */
/* Arm A- and R-profile cores by MIDR. Widths: PMMIR_EL1.SLOTS in Arm's telemetry data of each CPU, or its software
 * optimisation guide; UNVERIFIED where neither gives it. A width read from PMMIR_EL1 goes before these. */
#include "cores.h"

#define ARM(part)  (0x41000000u | (part) << 4)
#define OTHER(implementer, part) ((uint32_t)(implementer) << 24 | (part) << 4)
#define U SL_TOPDOWN_WIDTH_UNVERIFIED
#define M(name) &sl_topdown_model_arm_##name

const struct sl_topdown_core topdown_cores_arm[] = {
    { "armv8-generic", 0, 0, 0, 0, M(slots) },
    { "neoverse-n2-r0p0", ARM(0xd49u), 0x03, 5, 0, M(n2_r0p0) },
    { "neoverse-n2", ARM(0xd49u), 0, 5, 0, M(n2) },
    { "neoverse-n1", ARM(0xd0cu), 0, 0, 0, M(cycles) },
    { "neoverse-n3", ARM(0xd8eu), 0, 5, 0, M(n3) },
    { "neoverse-e1", ARM(0xd4au), 0, 0, 0, M(cycles) },
    { "neoverse-v1", ARM(0xd40u), 0, 8, 0, M(v1) },
    { "neoverse-v2", ARM(0xd4fu), 0, 8, 0, M(n2) },
    { "neoverse-v3", ARM(0xd84u), 0, 10, 0, M(n3) },
    { "neoverse-v3ae", ARM(0xd83u), 0, 10, 0, M(n3) },
    { "c1-nano", ARM(0xd8au), 0, 3, 0, M(c1_nano) },
    { "c1-pro", ARM(0xd8bu), 0, 5, 0, M(c1_pro) },
    { "c1-premium", ARM(0xd90u), 0, 10, 0, M(c1_ultra) },
    { "c1-ultra", ARM(0xd8cu), 0, 10, 0, M(c1_ultra) },
    { "cortex-a35", ARM(0xd04u), 0, 0, SL_TOPDOWN_UNVERIFIED, M(a53) },
    { "cortex-a53", ARM(0xd03u), 0, 2, U, M(a53) },
    { "cortex-a55", ARM(0xd05u), 0, 0, 0, M(inorder) },
    { "cortex-a57", ARM(0xd07u), 0, 3, U, M(retire) },
    { "cortex-a65", ARM(0xd06u), 0, 0, 0, M(cycles) },
    { "cortex-a65ae", ARM(0xd43u), 0, 0, 0, M(cycles) },
    { "cortex-a72", ARM(0xd08u), 0, 3, U, M(retire) },
    { "cortex-a73", ARM(0xd09u), 0, 2, U, M(a73) },
    { "cortex-a75", ARM(0xd0au), 0, 0, 0, M(cycles) },
    { "cortex-a76", ARM(0xd0bu), 0, 0, 0, M(cycles) },
    { "cortex-a76ae", ARM(0xd0eu), 0, 0, 0, M(cycles) },
    { "cortex-a77", ARM(0xd0du), 0, 0, 0, M(cycles) },
    { "cortex-a78", ARM(0xd41u), 0, 4, U, M(slots) },
    { "cortex-a78c", ARM(0xd4bu), 0, 4, U, M(slots) },
    { "cortex-x1", ARM(0xd44u), 0, 8, U, M(slots) },
    { "cortex-a510", ARM(0xd46u), 0, 3, U, M(inorder_slots) },
    { "cortex-a520", ARM(0xd80u), 0, 3, U, M(inorder_slots) },
    { "cortex-a710", ARM(0xd47u), 0, 5, U, M(slots) },
    { "cortex-x2", ARM(0xd48u), 0, 8, U, M(slots) },
    { "cortex-a715", ARM(0xd4du), 0, 5, U, M(slots) },
    { "cortex-x3", ARM(0xd4eu), 0, 8, U, M(slots) },
    { "cortex-a720", ARM(0xd81u), 0, 5, U, M(slots) },
    { "cortex-x4", ARM(0xd82u), 0, 10, U, M(slots) },
    { "cortex-r52", ARM(0xd13u), 0, 0, 0, M(cycles) },
    { "cortex-r82", ARM(0xd15u), 0, 0, 0, M(inorder_slots) },
    { "ampereone", OTHER(0xc0, 0xac3u), 0, 0, 0, &sl_topdown_model_ampereone },
    { "ampereonex", OTHER(0xc0, 0xac4u), 0, 0, 0, &sl_topdown_model_ampereone },
    { "tsv110", OTHER(0x48, 0xd01u), 0, 4, 0, &sl_topdown_model_tsv110 },
    { "a64fx", OTHER(0x46, 0x001u), 0, 0, 0, M(cycles) },
    /* Reports itself as Microsoft's N2; its revision numbers are those of N2 r0p0 (Linux' public metrics). */
    { "cobalt-100", OTHER(0x6d, 0xd49u), 0, 5, SL_TOPDOWN_UNVERIFIED, M(n2_r0p0) },
};
const size_t topdown_cores_arm_n = sizeof topdown_cores_arm / sizeof topdown_cores_arm[0];

const struct sl_topdown_core *sl_topdown_core_arm(uint64_t midr)
{
    uint32_t id = (uint32_t)midr & 0xff00fff0u;
    uint8_t revision = (uint8_t)((midr >> 20 & 0xfu) << 4 | (midr & 0xfu));
    for (size_t i = 1; i < topdown_cores_arm_n; i++) {
        const struct sl_topdown_core *core = &topdown_cores_arm[i];
        if (core->id == id && (core->below == 0 || revision < core->below))
            return core;
    }
    return &topdown_cores_arm[0];
}
