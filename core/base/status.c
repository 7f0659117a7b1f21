/* SPDX-License-Identifier: Apache-2.0 */
/* One line of English for each status code. */
#include <slotledger/base.h>

const char *sl_status_text(enum sl_status status)
{
    switch (status) {
    case SL_OK: return "no error";
    case SL_E_ROOM: return "the memory given is too small";
    case SL_E_ARGUMENT: return "an argument is out of range";
    case SL_E_TRUNCATED: return "the input ends inside an item";
    case SL_E_UNDECODABLE: return "the bytes are no instruction of this instruction set";
    case SL_E_UNSUPPORTED: return "the scheduling model does not support the instruction";
    case SL_E_UNRESOLVED: return "the instruction has no scheduling class in the model";
    case SL_E_ZERO_UOPS: return "the instruction has no micro-ops but uses scheduler resources";
    case SL_E_OPERANDS: return "the instruction has fewer register definitions than its opcode";
    case SL_E_STUCK: return "the simulated machine can make no more progress";
    case SL_E_AGAIN: return "the slice is used up";
    case SL_E_DATA: return "a table contradicts itself";
    case SL_E_UNDEFINED: return "the model does not define a result here";
    case SL_E_ABSENT: return "the hardware has no such unit";
    case SL_E_DENIED: return "the unit is kept by a higher privilege level or another owner";
    case SL_E_EVENT: return "the core does not count this event";
    case SL_E_COUNTERS: return "there are more events than counters for them";
    case SL_E_BUSY: return "the unit is in use";
    }
    return "unknown status";
}
