/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduling model of Cortex-M3, M4, M33 and M35P over the small decoder for boards. */
#define SL_CPU_ID        thumbm_cortex_m4
#define SL_CPU_SYMBOL    sl_cpu_thumbv8m_cortex_m4
#define SL_CPU_OTHER_ISA sl_isa_thumbv8m
#include "cpu.inc"
