/* SPDX-License-Identifier: Apache-2.0 */
/* Event counters by number: MRS and MSR have no register operand for it, so each has an instruction of its own. */
#include "counter.h"
#include "regs.h"

uint64_t sl_a64_read_counter(unsigned n)
{
    switch (n) {
#define CASE(n, crm_counter, crm_type, op2)                                                                            \
    case n:                                                                                                            \
        return a64_read_pmevcntr##n();
        A64_EACH_COUNTER(CASE)
#undef CASE
    default:
        return 0;
    }
}

void sl_a64_write_counter(unsigned n, uint64_t value)
{
    switch (n) {
#define CASE(n, crm_counter, crm_type, op2)                                                                            \
    case n:                                                                                                            \
        a64_write_pmevcntr##n(value);                                                                                  \
        break;
        A64_EACH_COUNTER(CASE)
#undef CASE
    default:
        break;
    }
}

uint64_t sl_a64_read_type(unsigned n)
{
    switch (n) {
#define CASE(n, crm_counter, crm_type, op2)                                                                            \
    case n:                                                                                                            \
        return a64_read_pmevtyper##n();
        A64_EACH_COUNTER(CASE)
#undef CASE
    default:
        return 0;
    }
}

void sl_a64_write_type(unsigned n, uint64_t value)
{
    switch (n) {
#define CASE(n, crm_counter, crm_type, op2)                                                                            \
    case n:                                                                                                            \
        a64_write_pmevtyper##n(value);                                                                                 \
        break;
        A64_EACH_COUNTER(CASE)
#undef CASE
    default:
        break;
    }
}

/* Every begin and end comes here: one jump, then straight on. */
void sl_a64_read_first(unsigned n, uint64_t *values)
{
    switch (n) {
    case 8:
        values[7] = a64_read_pmevcntr7(); /* fall through */
    case 7:
        values[6] = a64_read_pmevcntr6(); /* fall through */
    case 6:
        values[5] = a64_read_pmevcntr5(); /* fall through */
    case 5:
        values[4] = a64_read_pmevcntr4(); /* fall through */
    case 4:
        values[3] = a64_read_pmevcntr3(); /* fall through */
    case 3:
        values[2] = a64_read_pmevcntr2(); /* fall through */
    case 2:
        values[1] = a64_read_pmevcntr1(); /* fall through */
    case 1:
        values[0] = a64_read_pmevcntr0(); /* fall through */
    default:
        break;
    }
}
