/* SPDX-License-Identifier: Apache-2.0 */
/* Opcode names of thumbv8m, apart from its tables so that a board need not link them. */
#include <slotledger/isa.h>

#include "../gen/thumbv8m_op_names.inc"

const char *sl_thumbv8m_op_name(uint16_t op)
{
    return op < sizeof op_names / sizeof op_names[0] ? op_names[op] : NULL;
}
