/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V control and status registers by number (Privileged Architecture 1.12, Sscofpmf 1.0), and calls of the
 * firmware.
 *
 * With SL_PORT_FAKE the accessors end in a test's register file; RV_XLEN may then be set from outside. */
#ifndef SLOTLEDGER_PORTS_RISCV_REGS_H
#define SLOTLEDGER_PORTS_RISCV_REGS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef RV_XLEN
#ifdef SL_PORT_FAKE
#define RV_XLEN 64
#else
#define RV_XLEN __riscv_xlen
#endif
#endif

#if RV_XLEN == 32
typedef uint32_t rv_word;
typedef int32_t rv_signed;
#else
typedef uint64_t rv_word;
typedef int64_t rv_signed;
#endif

#define CSR_SSTATUS       0x100u
#define CSR_SIE           0x104u
#define CSR_STVEC         0x105u
#define CSR_SIP           0x144u
#define CSR_MSTATUS       0x300u
#define CSR_MISA          0x301u
#define CSR_MIE           0x304u
#define CSR_MTVEC         0x305u
#define CSR_MCOUNTINHIBIT 0x320u
#define CSR_MHPMEVENT     0x320u /* + n */
#define CSR_MIP           0x344u
#define CSR_MHPMEVENTH    0x720u /* + n; RV32 with Sscofpmf */
#define CSR_MCYCLE        0xb00u
#define CSR_MINSTRET      0xb02u
#define CSR_MHPMCOUNTER   0xb00u /* + n */
#define CSR_MHPMCOUNTERH  0xb80u /* + n; RV32 */
#define CSR_CYCLE         0xc00u
#define CSR_TIME          0xc01u
#define CSR_HPMCOUNTER    0xc00u /* + n */
#define CSR_HPMCOUNTERH   0xc80u /* + n; RV32 */
#define CSR_SCOUNTOVF     0xda0u
#define CSR_MVENDORID     0xf11u
#define CSR_MARCHID       0xf12u
#define CSR_MIMPID        0xf13u
#define CSR_MHARTID       0xf14u

#define IRQ_LCOFI   (1u << 13) /* local counter overflow, in mie, mip, sie, sip */
#define MSTATUS_MIE 8u
#define SSTATUS_SIE 2u

#ifdef SL_PORT_FAKE
#include "../fake.h"
#define RV_READ(csr)         ((rv_word)sl_fake_read(SL_FAKE_CSR, (csr)))
#define RV_WRITE(csr, value) sl_fake_write(SL_FAKE_CSR, (csr), (rv_word)(value))
#define RV_SET(csr, bits)    sl_fake_write(SL_FAKE_CSR, (csr), (rv_word)(sl_fake_read(SL_FAKE_CSR, (csr)) | (bits)))
#define RV_CLEAR(csr, bits)                                                                                            \
    sl_fake_write(SL_FAKE_CSR, (csr), (rv_word)(sl_fake_read(SL_FAKE_CSR, (csr)) & ~(uint64_t)(bits)))
#define RV_TRY_READ(csr, value) rv_try_read((csr), (value))
static inline bool rv_try_read(uint32_t csr, rv_word *value)
{
    if (sl_fake_traps(SL_FAKE_CSR, csr)) {
        return false;
    }
    *value = (rv_word)sl_fake_read(SL_FAKE_CSR, csr);
    return true;
}
#else
#define RV_READ(csr)                                                                                                   \
    __extension__({                                                                                                    \
        rv_word value_;                                                                                                \
        __asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(csr) : "memory");                                          \
        value_;                                                                                                        \
    })
#define RV_WRITE(csr, value) __asm__ volatile("csrw %0, %1" : : "i"(csr), "r"((rv_word)(value)) : "memory")
#define RV_SET(csr, bits)    __asm__ volatile("csrs %0, %1" : : "i"(csr), "r"((rv_word)(bits)) : "memory")
#define RV_CLEAR(csr, bits)  __asm__ volatile("csrc %0, %1" : : "i"(csr), "r"((rv_word)(bits)) : "memory")
/* A read that may trap while the guard (guard.c) stands: false then. The guard leaves 1 in t0. */
#define RV_TRY_READ(csr, value)                                                                                        \
    __extension__({                                                                                                    \
        rv_word value_, trapped_;                                                                                      \
        __asm__ volatile("li t0, 0\n li %0, 0\n .option push\n .option norvc\n csrr %0, %2\n .option pop\n mv %1, t0"  \
                         : "=&r"(value_), "=r"(trapped_)                                                               \
                         : "i"(csr)                                                                                    \
                         : "t0", "t1", "memory");                                                                      \
        *(value) = value_;                                                                                             \
        trapped_ == 0;                                                                                                 \
    })
#endif

/* Counters by number: 29 programmable ones, each with instructions of its own. */
#define RV_EACH_HPM(X)                                                                                                 \
    X(3)                                                                                                               \
    X(4)                                                                                                               \
    X(5)                                                                                                               \
    X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)      \
        X(25) X(26) X(27) X(28) X(29) X(30) X(31)

uint64_t sl_rv_read_hpm(unsigned n); /* mhpmcounter<n>, n = 0 (mcycle), 2 (minstret), 3 .. 31 */
void sl_rv_write_hpm(unsigned n, uint64_t value);
uint64_t sl_rv_read_event(unsigned n, bool high_half); /* high_half: mhpmevent<n>h exists (RV32) */
void sl_rv_write_event(unsigned n, uint64_t value, bool high_half);
bool sl_rv_has_hpm(unsigned n);       /* guarded */
uint64_t sl_rv_read_user(unsigned n); /* hpmcounter<n>: 0 cycle, 1 time, 2 instret, 3 .. 31 */

/* The guard: between these, illegal instructions in RV_TRY_READ step over themselves and interrupts are masked. */
struct sl_rv_guard {
    rv_word vector, status;
    bool supervisor;
};
void sl_rv_guard_begin(struct sl_rv_guard *guard, bool supervisor);
void sl_rv_guard_end(const struct sl_rv_guard *guard);

struct sl_rv_sbi {
    rv_signed error;
    rv_word value;
};
struct sl_rv_sbi sl_rv_sbi_call(uint32_t extension, uint32_t function, const rv_word arguments[6]);

#endif
