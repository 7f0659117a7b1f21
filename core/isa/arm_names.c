/* SPDX-License-Identifier: Apache-2.0 */
/* Opcode and register names of arm, apart from its tables so that a board need not link them. */
#include <slotledger/isa.h>

#include "../gen/arm_op_names.inc"
#include "../gen/arm_reg_names.inc"

const char *sl_arm_op_name(uint16_t op)
{
    return op < sizeof op_names / sizeof op_names[0] ? op_names[op] : NULL;
}

const char *sl_arm_reg_name(uint16_t reg)
{
    return reg < sizeof reg_names / sizeof reg_names[0] ? reg_names[reg] : NULL;
}
