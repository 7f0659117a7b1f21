/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a list. */
#include <slotledger/isa.h>

uint16_t sl_insn_list_reg(const struct sl_isa *isa, const struct sl_insn *insn, unsigned k)
{
    uint32_t left = insn->list;

    if (insn->list_kind == SL_LIST_RUN)
        return (uint16_t)(k < (left >> 12 & 0xffu) ? (left & 0xfffu) + k : left >> 20);
    if (insn->list_kind != SL_LIST_MASK)
        return 0;
    for (; k > 0 && left != 0; k--)
        left &= left - 1u;
    return left != 0 ? isa->list_regs[sl_ctz64(left)] : 0;
}
