/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set aarch64: its generated opcode and register tables and its decoder. */
#include <slotledger/isa.h>

#include "../gen/aarch64_classes.inc"
#include "../gen/aarch64_ops.inc"
#include "../gen/aarch64_regs.inc"

#define SL_ISA_SYMBOL sl_isa_aarch64
#define SL_ISA_NAME "aarch64"
#define SL_ISA_DECODE sl_decode_aarch64
#define SL_ISA_MIN_LEN 4
#define SL_ISA_MAX_LEN 4
#include "isa_tables.inc"
