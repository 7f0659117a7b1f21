/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set thumb: the generated opcode and register tables of 32-bit Arm and its decoder. */
#include <slotledger/isa.h>

#include "../gen/arm_classes.inc"
#include "../gen/arm_ops.inc"
#include "../gen/arm_regs.inc"

#define SL_ISA_SYMBOL  sl_isa_thumb
#define SL_ISA_NAME    "thumb"
#define SL_ISA_DECODE  sl_decode_thumb
#define SL_ISA_MIN_LEN 2
#define SL_ISA_MAX_LEN 4
#define SL_ISA_ARM
#include "isa_tables.inc"
