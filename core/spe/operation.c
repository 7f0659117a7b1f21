/* SPDX-License-Identifier: Apache-2.0 */
/* Operation packets: what kind of instruction was sampled. */
#include <slotledger/spe.h>

/* One rule: the operation says `flags` where (payload & mask) == value. All rules of a class are applied. */
struct rule {
    uint8_t operation_class;
    uint8_t mask;
    uint8_t value;
    uint32_t flags;
};

static const struct rule rules[] = {
    {SL_SPE_CLASS_OTHER, 0x00, 0x00, SL_SPE_OP_OTHER},
    {SL_SPE_CLASS_OTHER, 0x89, 0x08, SL_SPE_OP_SVE},
    {SL_SPE_CLASS_OTHER, 0x8b, 0x0a, SL_SPE_OP_FLOATING},
    {SL_SPE_CLASS_OTHER, 0x8d, 0x0c, SL_SPE_OP_PREDICATED},
    {SL_SPE_CLASS_OTHER, 0xff, 0x01, SL_SPE_OP_CONDITIONAL},
    {SL_SPE_CLASS_MEMORY, 0x01, 0x00, SL_SPE_OP_LOAD},
    {SL_SPE_CLASS_MEMORY, 0x01, 0x01, SL_SPE_OP_STORE},
    {SL_SPE_CLASS_MEMORY, 0xfe, 0x00, SL_SPE_OP_GENERAL},
    {SL_SPE_CLASS_MEMORY, 0xfe, 0x04, SL_SPE_OP_SIMD_FP},
    {SL_SPE_CLASS_MEMORY, 0xfe, 0x10, SL_SPE_OP_UNSPECIFIED},
    {SL_SPE_CLASS_MEMORY, 0xfe, 0x14, SL_SPE_OP_TAG},
    {SL_SPE_CLASS_MEMORY, 0xfe, 0x20, SL_SPE_OP_MEMCPY},
    {SL_SPE_CLASS_MEMORY, 0xff, 0x25, SL_SPE_OP_MEMSET},
    {SL_SPE_CLASS_MEMORY, 0xfe, 0x30, SL_SPE_OP_SYSTEM},
    {SL_SPE_CLASS_MEMORY, 0xfa, 0x40, SL_SPE_OP_GUARDED_STACK},
    {SL_SPE_CLASS_MEMORY, 0xe6, 0x06, SL_SPE_OP_ATOMIC},
    {SL_SPE_CLASS_MEMORY, 0xea, 0x0a, SL_SPE_OP_EXCLUSIVE},
    {SL_SPE_CLASS_MEMORY, 0xf2, 0x12, SL_SPE_OP_ACQUIRE_RELEASE},
    {SL_SPE_CLASS_MEMORY, 0x0a, 0x08, SL_SPE_OP_SVE},
    {SL_SPE_CLASS_MEMORY, 0x0e, 0x0c, SL_SPE_OP_PREDICATED},
    {SL_SPE_CLASS_MEMORY, 0x8a, 0x88, SL_SPE_OP_GATHER_SCATTER},
    {SL_SPE_CLASS_BRANCH, 0x00, 0x00, SL_SPE_OP_BRANCH},
    {SL_SPE_CLASS_BRANCH, 0x01, 0x01, SL_SPE_OP_CONDITIONAL},
    {SL_SPE_CLASS_BRANCH, 0x02, 0x02, SL_SPE_OP_INDIRECT},
    {SL_SPE_CLASS_BRANCH, 0x04, 0x04, SL_SPE_OP_GUARDED_STACK},
    {SL_SPE_CLASS_BRANCH, 0x18, 0x08, SL_SPE_OP_CALL},
    {SL_SPE_CLASS_BRANCH, 0x18, 0x10, SL_SPE_OP_RETURN},
    {SL_SPE_CLASS_BRANCH, 0x18, 0x18, SL_SPE_OP_PLAIN_BRANCH},
};

uint32_t sl_spe_operation(enum sl_spe_class operation_class, uint8_t payload)
{
    uint32_t flags = 0;

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].operation_class == operation_class && (payload & rules[i].mask) == rules[i].value)
            flags |= rules[i].flags;
    }
    return flags;
}
