/* SPDX-License-Identifier: Apache-2.0 */
/* The same for RV32, whose counters are two registers each. */
#define RV_XLEN 32
#include "test_port_riscv.c"
