/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V vector code: scheduling classes by what the vsetvli in front of an instruction sets. */
#ifndef HOSTED_IO_RISCV_VTYPE_H
#define HOSTED_IO_RISCV_VTYPE_H

#include "block.h"

/* Each vsetvli or vsetivli rules up to the next one, in the order of the source, as llvm-mca's instruments do. */
void riscv_vtype_apply(struct block *block);

#endif
