/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set riscv64: the generated opcode and register tables of RISC-V and its decoder. */
#include <slotledger/isa.h>

#include "../gen/riscv_classes.inc"
#include "../gen/riscv_ops.inc"
#include "../gen/riscv_regs.inc"

#define SL_ISA_SYMBOL sl_isa_riscv64
#define SL_ISA_NAME "riscv64"
#define SL_ISA_DECODE sl_decode_riscv64
#define SL_ISA_MIN_LEN 2
#define SL_ISA_MAX_LEN 4
#include "isa_tables.inc"
