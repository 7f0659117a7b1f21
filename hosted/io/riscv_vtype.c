/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V vector code: scheduling classes by what the vsetvli in front of an instruction sets. */
#include "riscv_vtype.h"

void riscv_vtype_apply(struct block *block)
{
    const struct sl_riscv_vtype unknown = { .vlmul = 4 }; /* 4 is reserved: no class depends on it */
    struct sl_riscv_vtype vtype = unknown;
    for (size_t i = 0; i < block->n_insns; i++) {
        struct block_insn *insn = &block->insns[i];
        if (insn->status)
            continue;
        if (!sl_riscv_read_vtype(&insn->insn, &vtype))
            insn->insn.sched_class = sl_riscv_vector_class(insn->insn.op, &vtype);
    }
}
