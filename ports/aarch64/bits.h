/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of the AArch64 PMU and profiling registers that the port sets or reads (Arm ARM, D19). */
#ifndef SLOTLEDGER_PORTS_AARCH64_BITS_H
#define SLOTLEDGER_PORTS_AARCH64_BITS_H

#include <stdint.h>

#define PMCR_E        (UINT64_C(1) << 0) /* count */
#define PMCR_P        (UINT64_C(1) << 1) /* reset event counters: not used, it would take those outside the group */
#define PMCR_D        (UINT64_C(1) << 3) /* cycle counter divides by 64: cleared */
#define PMCR_X        (UINT64_C(1) << 4) /* export events: kept */
#define PMCR_DP       (UINT64_C(1) << 5) /* no cycles where counting is prohibited: kept */
#define PMCR_LC       (UINT64_C(1) << 6) /* cycle counter overflows at 64 bits: set */
#define PMCR_LP       (UINT64_C(1) << 7) /* event counters overflow at 64 bits: set with PMUv3p5 */
#define PMCR_N(pmcr)  ((unsigned)((pmcr) >> 11) & 31u)
#define PM_CYCLE      (UINT64_C(1) << 31) /* in PMCNTEN*, PMOVS*, PMINTEN*: the cycle counter */
#define PM_INSTR      (UINT64_C(1) << 32) /* and PMICNTR */
#define PMTYPER_NSH   (UINT64_C(1) << 27) /* count in EL2, too: off out of reset */
#define PMTYPER_EVENT UINT64_C(0xffff)
#define EVENT_CHAIN   UINT64_C(0x1e) /* one increment for each overflow of the even neighbour */

#define MDCR_EL2_HPMN UINT64_C(0x1f)
#define MDCR_EL2_HPMD (UINT64_C(1) << 17) /* no event counting in EL2 */
#define MDCR_EL2_HCCD (UINT64_C(1) << 23) /* no cycle counting in EL2 (PMUv3p5) */
#define MDCR_EL3_SPME (UINT64_C(1) << 17) /* event counting in Secure state */
#define MDCR_EL3_SCCD (UINT64_C(1) << 23) /* no cycle counting in Secure state (PMUv3p5) */

#define DFR0_PMUVER(dfr0)  ((unsigned)((dfr0) >> 8) & 15u)
#define DFR0_PMSVER(dfr0)  ((unsigned)((dfr0) >> 32) & 15u)
#define DFR1_PMICNTR(dfr1) ((unsigned)((dfr1) >> 36) & 15u)
#define PMUVER_V3P4        5u /* PMMIR_EL1 exists; 4 is v3p1 with PMCEID's upper halves */
#define PMUVER_V3P1        4u
#define PMUVER_V3P5        6u
#define PMUVER_IMPDEF      15u

#define PMSCR_E1SPE          (UINT64_C(1) << 1) /* profile EL1 (PMSCR_EL2: E2SPE, EL2) */
#define PMSCR_E0SPE          (UINT64_C(1) << 0)
#define PMSCR_CX             (UINT64_C(1) << 3)
#define PMSCR_PA             (UINT64_C(1) << 4)
#define PMSCR_TS             (UINT64_C(1) << 5)
#define PMSCR_PCT_PHYSICAL   (UINT64_C(1) << 6)
#define PMSFCR_FE            (UINT64_C(1) << 0)
#define PMSFCR_FT            (UINT64_C(1) << 1)
#define PMSFCR_FL            (UINT64_C(1) << 2)
#define PMSIRR_RND           (UINT64_C(1) << 0) /* perturb the interval, so that loops are not met at one point */
#define PMBLIMITR_E          (UINT64_C(1) << 0)
#define PMBIDR_P             (UINT64_C(1) << 4)
#define PMBIDR_ALIGN(pmbidr) ((unsigned)(pmbidr)&15u) /* log2 bytes */
#define PMBSR_COLL           (UINT64_C(1) << 16)
#define PMBSR_S              (UINT64_C(1) << 17) /* the buffer stopped by itself */
#define PMBSR_EA             (UINT64_C(1) << 18)
#define PMBSR_DL             (UINT64_C(1) << 19)
#define PMBSR_EC(pmbsr)      ((unsigned)((pmbsr) >> 26) & 63u)
#define PMBSR_BSC(pmbsr)     ((unsigned)(pmbsr)&63u)
#define PMBSR_BSC_FULL       1u
#define SCTLR_M              (UINT64_C(1) << 0)

#endif
