/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V vector code: scheduling classes by what the vsetvli in front of an instruction sets. */
#ifndef HOSTED_IO_RISCV_VTYPE_H
#define HOSTED_IO_RISCV_VTYPE_H

#include "block.h"

/* Are the block's instruments LLVM-MCA-RISCV-LMUL and LLVM-MCA-RISCV-SEW comments with a value that exists? Reports. */
bool riscv_instruments_check(const struct block *block, struct diag *diag, const struct source *source);

/* Each vsetvli, vsetivli or comment rules up to the next one, in the order of the source, as llvm-mca's instruments do. */
void riscv_vtype_apply(struct block *block);

#endif
