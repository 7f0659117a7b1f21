/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set x86_64: its generated opcode and register tables and its decoder. */
#include <slotledger/isa.h>

#include "../gen/x86_64_classes.inc"
#include "../gen/x86_64_ops.inc"
#include "../gen/x86_64_regs.inc"

#define SL_ISA_SYMBOL sl_isa_x86_64
#define SL_ISA_NAME "x86_64"
#define SL_ISA_DECODE sl_decode_x86_64
#define SL_ISA_MIN_LEN 1
#define SL_ISA_MAX_LEN 15
#include "isa_tables.inc"
