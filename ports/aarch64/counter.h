/* SPDX-License-Identifier: Apache-2.0 */
/* Event counters by number, and guarded accesses. */
#ifndef SLOTLEDGER_PORTS_AARCH64_COUNTER_H
#define SLOTLEDGER_PORTS_AARCH64_COUNTER_H

#include <stdint.h>

uint64_t sl_a64_read_counter(unsigned n); /* PMEVCNTR<n>_EL0; n < 31 */
void sl_a64_write_counter(unsigned n, uint64_t value);

/* PMEVTYPER<n>_EL0 through PMSELR_EL0, which is changed and stays so: for config and restore, which keep it. */
uint64_t sl_a64_read_type(unsigned n);
void sl_a64_write_type(unsigned n, uint64_t value);

/* PMCR_EL0 where reading it may trap: 0, or the exception's syndrome. Takes VBAR_ELx of this exception level and masks
 * interrupts meanwhile. */
uint64_t sl_a64_guarded_pmcr(uint64_t *value);

#endif
