/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set arm: the generated opcode and register tables of 32-bit Arm and its decoder. */
#include <slotledger/isa.h>

#include "../gen/arm_classes.inc"
#include "../gen/arm_ops.inc"
#include "../gen/arm_regs.inc"

#define SL_ISA_SYMBOL  sl_isa_arm
#define SL_ISA_NAME    "arm"
#define SL_ISA_DECODE  sl_decode_arm
#define SL_ISA_MIN_LEN 4
#define SL_ISA_MAX_LEN 4
#define SL_ISA_ARM
#include "isa_tables.inc"
