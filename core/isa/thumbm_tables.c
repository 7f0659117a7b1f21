/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set thumbm: the generated opcode and register tables and its decoder. */
#include <slotledger/isa.h>

#include "../gen/thumbm_classes.inc"
#include "../gen/thumbm_ops.inc"
#include "../gen/thumbm_regs.inc"

#define SL_ISA_SYMBOL  sl_isa_thumbm
#define SL_ISA_NAME    "thumbm"
#define SL_ISA_DECODE  sl_decode_thumbm
#define SL_ISA_MIN_LEN 2
#define SL_ISA_MAX_LEN 4
#define SL_ISA_ARM
#include "isa_tables.inc"
