/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set riscv64: the generated opcode and register tables of RISC-V and its decoder. */
#include <slotledger/isa.h>

#include "../gen/riscv_classes.inc"
#include "../gen/riscv_ops.inc"
#include "../gen/riscv_regs.inc"

SL_STATIC_ASSERT(sizeof(struct sl_op) == 4, sl_op_packed);
SL_STATIC_ASSERT(sizeof(struct sl_op_row) == 10, sl_op_row_packed);
SL_STATIC_ASSERT(sizeof ops / sizeof ops[0] == SL_N_OPS, ops_complete);
SL_STATIC_ASSERT(sizeof direct_sub / sizeof direct_sub[0] == SL_N_REGS + 1, direct_sub_complete);

const struct sl_isa sl_isa_riscv64 = {
    .name = "riscv64",
    .decode = sl_decode_riscv64,
    .ops = ops,
    .op_rows = op_rows,
    .reg_lists = reg_lists,
    .reg_flags = reg_flags,
    .direct_sub = direct_sub,
    .sub_list = sub_list,
    .n_ops = SL_N_OPS,
    .n_regs = SL_N_REGS,
    .n_classes = SL_N_CLASSES,
    .min_len_bytes = 2,
    .max_len_bytes = 4,
};
