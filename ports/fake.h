/* SPDX-License-Identifier: Apache-2.0 */
/* The seam under every regs.h: with SL_PORT_FAKE the accessors end here, in a test's scripted register file. */
#ifndef SLOTLEDGER_PORTS_FAKE_H
#define SLOTLEDGER_PORTS_FAKE_H

#include <stdint.h>

enum sl_fake_space { SL_FAKE_SYSREG, SL_FAKE_MMIO, SL_FAKE_CSR, SL_FAKE_MSR, SL_FAKE_PMC, SL_FAKE_CPUID };

uint64_t sl_fake_read(enum sl_fake_space space, uint32_t reg);
void sl_fake_write(enum sl_fake_space space, uint32_t reg, uint64_t value);
/* True if the access at hand traps: asked before a guarded access, which is then not made. */
int sl_fake_traps(enum sl_fake_space space, uint32_t reg);
/* name: "isb", "dsb", "psb", "lfence". */
void sl_fake_barrier(const char *name);
void sl_fake_sbi(uint32_t extension, uint32_t function, const uint64_t *arguments, int64_t *error_value);

#endif
