/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set thumbv8m: its own generated opcode table, thumbm's registers and classes, and its decoder. */
#include <slotledger/isa.h>

#include "../gen/thumbm_classes.inc"
#include "../gen/thumbm_regs.inc"
#include "../gen/thumbv8m_ops.inc"

#define SL_ISA_SYMBOL  sl_isa_thumbv8m
#define SL_ISA_NAME    "thumbv8m"
#define SL_ISA_DECODE  sl_decode_thumbv8m
#define SL_ISA_MIN_LEN 2
#define SL_ISA_MAX_LEN 4
#define SL_ISA_ARM
#include "isa_tables.inc"
