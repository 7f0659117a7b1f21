/* SPDX-License-Identifier: Apache-2.0 */
/* The events of each family of cores, X-macro lists: EVENT(identifier, code, high, fixed, counters, name).
 * Codes and names are the architectures' and manufacturers': see each list. */
#ifndef CORE_TOPDOWN_EVENTS_H
#define CORE_TOPDOWN_EVENTS_H

#include <slotledger/topdown.h>

#define NOFIX SL_TOPDOWN_NO_FIXED
#define PAPER SL_TOPDOWN_HIGH_PAPER
#define CLASS SL_TOPDOWN_HIGH_CLASS
#define FIXED SL_TOPDOWN_HIGH_FIXED
#define SBI   SL_TOPDOWN_HIGH_SBI

/* A. Yasin, A Top-Down Method for Performance Analysis and Counters Architecture, ISPASS 2014, Table 1. */
#define PAPER_EVENTS(EVENT)                                                    \
    EVENT(P_TOTAL_SLOTS, 0, PAPER, NOFIX, 0, "TotalSlots")                     \
    EVENT(P_CLOCKS, 1, PAPER, NOFIX, 0, "Clocks")                              \
    EVENT(P_ISSUED, 2, PAPER, NOFIX, 0, "SlotsIssued")                         \
    EVENT(P_RETIRED, 3, PAPER, NOFIX, 0, "SlotsRetired")                       \
    EVENT(P_FETCH_BUBBLES, 4, PAPER, NOFIX, 0, "FetchBubbles")                 \
    EVENT(P_FETCH_BUBBLES_ALL, 5, PAPER, NOFIX, 0, "FetchBubbles[>=MIW]")      \
    EVENT(P_RECOVERY, 6, PAPER, NOFIX, 0, "RecoveryBubbles")                   \
    EVENT(P_MISPREDICTS, 7, PAPER, NOFIX, 0, "BrMispredRetired")               \
    EVENT(P_CLEARS, 8, PAPER, NOFIX, 0, "MachineClears")                       \
    EVENT(P_MS_RETIRED, 9, PAPER, NOFIX, 0, "MsSlotsRetired")                  \
    EVENT(P_EXEC_0, 10, PAPER, NOFIX, 0, "OpsExecuted[=0]")                    \
    EVENT(P_EXEC_1, 11, PAPER, NOFIX, 0, "OpsExecuted[=1]")                    \
    EVENT(P_EXEC_2, 12, PAPER, NOFIX, 0, "OpsExecuted[=2]")                    \
    EVENT(P_ANY_LOAD, 13, PAPER, NOFIX, 0, "MemStalls.AnyLoad")                \
    EVENT(P_L1_MISS, 14, PAPER, NOFIX, 0, "MemStalls.L1miss")                  \
    EVENT(P_L2_MISS, 15, PAPER, NOFIX, 0, "MemStalls.L2miss")                  \
    EVENT(P_L3_MISS, 16, PAPER, NOFIX, 0, "MemStalls.L3miss")                  \
    EVENT(P_STORES, 17, PAPER, NOFIX, 0, "MemStalls.Stores")                   \
    EVENT(P_EXT_1, 18, PAPER, NOFIX, 0, "ExtMemOutstanding[>=1]")              \
    EVENT(P_EXT_MANY, 19, PAPER, NOFIX, 0, "ExtMemOutstanding[>=THRESHOLD]")   \
    EVENT(P_INSTRUCTIONS, 20, PAPER, NOFIX, 0, "Instructions")

/* Arm ARM (DDI 0487), PMU events and event numbers; 0xE0-0xEC and 0xC0, 0xC1, 0xC7: Cortex-A53/A55/A73 TRMs, IMPLEMENTATION
 * DEFINED events; 0x225: C1 telemetry specifications. Fixed: 31 PMCCNTR, 32 PMICNTR. */
#define ARM_EVENTS(EVENT)                                                      \
    EVENT(A_CYCLES, 0x0011, 0, 31, 0, "CPU_CYCLES")                            \
    EVENT(A_INST_RETIRED, 0x0008, 0, 32, 0, "INST_RETIRED")                    \
    EVENT(A_OP_RETIRED, 0x003a, 0, NOFIX, 0, "OP_RETIRED")                     \
    EVENT(A_OP_SPEC, 0x003b, 0, NOFIX, 0, "OP_SPEC")                           \
    EVENT(A_STALL, 0x003c, 0, NOFIX, 0, "STALL")                               \
    EVENT(A_SLOT_BE, 0x003d, 0, NOFIX, 0, "STALL_SLOT_BACKEND")                \
    EVENT(A_SLOT_FE, 0x003e, 0, NOFIX, 0, "STALL_SLOT_FRONTEND")               \
    EVENT(A_SLOT, 0x003f, 0, NOFIX, 0, "STALL_SLOT")                           \
    EVENT(A_BR_MIS_PRED, 0x0010, 0, NOFIX, 0, "BR_MIS_PRED")                   \
    EVENT(A_BR_PRED, 0x0012, 0, NOFIX, 0, "BR_PRED")                           \
    EVENT(A_INST_SPEC, 0x001b, 0, NOFIX, 0, "INST_SPEC")                       \
    EVENT(A_BR_RETIRED, 0x0021, 0, NOFIX, 0, "BR_RETIRED")                     \
    EVENT(A_BR_MIS_PRED_RETIRED, 0x0022, 0, NOFIX, 0, "BR_MIS_PRED_RETIRED")   \
    EVENT(A_STALL_FE, 0x0023, 0, NOFIX, 0, "STALL_FRONTEND")                   \
    EVENT(A_STALL_BE, 0x0024, 0, NOFIX, 0, "STALL_BACKEND")                    \
    EVENT(A_BE_MEM, 0x4005, 0, NOFIX, 0, "STALL_BACKEND_MEM")                  \
    EVENT(A_WFX, 0x0225, 0, NOFIX, 0, "IMP_WFX_CLOCK_CYCLES")                  \
    EVENT(A_FE_MEMBOUND, 0x8158, 0, NOFIX, 0, "STALL_FRONTEND_MEMBOUND")       \
    EVENT(A_FE_L1I, 0x8159, 0, NOFIX, 0, "STALL_FRONTEND_L1I")                 \
    EVENT(A_FE_MEM, 0x815b, 0, NOFIX, 0, "STALL_FRONTEND_MEM")                 \
    EVENT(A_FE_TLB, 0x815c, 0, NOFIX, 0, "STALL_FRONTEND_TLB")                 \
    EVENT(A_FE_CPUBOUND, 0x8160, 0, NOFIX, 0, "STALL_FRONTEND_CPUBOUND")       \
    EVENT(A_FE_FLOW, 0x8161, 0, NOFIX, 0, "STALL_FRONTEND_FLOW")               \
    EVENT(A_FE_FLUSH, 0x8162, 0, NOFIX, 0, "STALL_FRONTEND_FLUSH")             \
    EVENT(A_BE_MEMBOUND, 0x8164, 0, NOFIX, 0, "STALL_BACKEND_MEMBOUND")        \
    EVENT(A_BE_L1D, 0x8165, 0, NOFIX, 0, "STALL_BACKEND_L1D")                  \
    EVENT(A_BE_TLB, 0x8167, 0, NOFIX, 0, "STALL_BACKEND_TLB")                  \
    EVENT(A_BE_ST, 0x8168, 0, NOFIX, 0, "STALL_BACKEND_ST")                    \
    EVENT(A_BE_CPUBOUND, 0x816a, 0, NOFIX, 0, "STALL_BACKEND_CPUBOUND")        \
    EVENT(A_BE_BUSY, 0x816b, 0, NOFIX, 0, "STALL_BACKEND_BUSY")                \
    EVENT(A_BE_ILOCK, 0x816c, 0, NOFIX, 0, "STALL_BACKEND_ILOCK")              \
    EVENT(A_BE_RENAME, 0x816d, 0, NOFIX, 0, "STALL_BACKEND_RENAME")            \
    EVENT(A_L1I_REFILL, 0x0001, 0, NOFIX, 0, "L1I_CACHE_REFILL")               \
    EVENT(A_L1D_REFILL, 0x0003, 0, NOFIX, 0, "L1D_CACHE_REFILL")               \
    EVENT(A_L2D_REFILL, 0x0017, 0, NOFIX, 0, "L2D_CACHE_REFILL")               \
    EVENT(A_DTLB_WALK, 0x0034, 0, NOFIX, 0, "DTLB_WALK")                       \
    EVENT(A_ITLB_WALK, 0x0035, 0, NOFIX, 0, "ITLB_WALK")                       \
    EVENT(A_LL_MISS_RD, 0x0037, 0, NOFIX, 0, "LL_CACHE_MISS_RD")               \
    EVENT(A_E0, 0x00e0, 0, NOFIX, 0, "OTHER_IQ_DEP_STALL")                     \
    EVENT(A_E1, 0x00e1, 0, NOFIX, 0, "STALL_FRONTEND_CACHE")                   \
    EVENT(A_E2, 0x00e2, 0, NOFIX, 0, "STALL_FRONTEND_TLB")             \
    EVENT(A_E3, 0x00e3, 0, NOFIX, 0, "STALL_FRONTEND_PDERR")                   \
    EVENT(A_E4, 0x00e4, 0, NOFIX, 0, "STALL_BACKEND_ILOCK")            \
    EVENT(A_E5, 0x00e5, 0, NOFIX, 0, "STALL_BACKEND_ILOCK_AGU")                \
    EVENT(A_E6, 0x00e6, 0, NOFIX, 0, "STALL_BACKEND_ILOCK_FPU")                \
    EVENT(A_E7, 0x00e7, 0, NOFIX, 0, "STALL_BACKEND_LD")                       \
    EVENT(A_E8, 0x00e8, 0, NOFIX, 0, "STALL_BACKEND_ST")               \
    EVENT(A_E9, 0x00e9, 0, NOFIX, 0, "STALL_BACKEND_LD_CACHE")                 \
    EVENT(A_EA, 0x00ea, 0, NOFIX, 0, "STALL_BACKEND_LD_TLB")                   \
    EVENT(A_EB, 0x00eb, 0, NOFIX, 0, "STALL_BACKEND_ST_STB")                   \
    EVENT(A_EC, 0x00ec, 0, NOFIX, 0, "STALL_BACKEND_ST_TLB")                   \
    EVENT(A_C0, 0x00c0, 0, NOFIX, 0, "LF_STALL")                               \
    EVENT(A_C1, 0x00c1, 0, NOFIX, 0, "PTW_STALL")                              \
    EVENT(A_C7, 0x00c7, 0, NOFIX, 0, "STORE_BUFFER_FULL")

/* HiSilicon TSV110 (hip08): Linux' public event list for hip08 and its metrics. */
#define TSV110_EVENTS(EVENT)                                                   \
    EVENT(T_CYCLES, 0x0011, 0, 31, 0, "CPU_CYCLES")                            \
    EVENT(T_INST_RETIRED, 0x0008, 0, 32, 0, "INST_RETIRED")                    \
    EVENT(T_BR_MIS_PRED, 0x0010, 0, NOFIX, 0, "BR_MIS_PRED")                   \
    EVENT(T_INST_SPEC, 0x001b, 0, NOFIX, 0, "INST_SPEC")                       \
    EVENT(T_OTHER_FLUSH, 0x2013, 0, NOFIX, 0, "OTHER_FLUSH")                   \
    EVENT(T_FETCH_BUBBLE, 0x2014, 0, NOFIX, 0, "FETCH_BUBBLE")                 \
    EVENT(T_FETCH_LATENCY, 0x201d, 0, NOFIX, 0, "FETCH_BUBBLE_MAX")            \
    EVENT(T_EXE_STALL, 0x7001, 0, NOFIX, 0, "EXE_STALL_CYCLE")                 \
    EVENT(T_DIVIDE_STALL, 0x7002, 0, NOFIX, 0, "DIVIDE_STALL")                 \
    EVENT(T_FSU_STALL, 0x7003, 0, NOFIX, 0, "FSU_STALL")                       \
    EVENT(T_ANY_LOAD, 0x7004, 0, NOFIX, 0, "MEM_STALL_ANYLOAD")                \
    EVENT(T_ANY_STORE, 0x7005, 0, NOFIX, 0, "MEM_STALL_ANYSTORE")              \
    EVENT(T_L1_MISS, 0x7006, 0, NOFIX, 0, "MEM_STALL_L1MISS")                  \
    EVENT(T_L2_MISS, 0x7007, 0, NOFIX, 0, "MEM_STALL_L2MISS")

/* Armv8.1-M PMU: Armv8-M ARM (DDI 0553), PMU events; Cortex-M55 TRM. Fixed: 31 PMU_CCNTR. */
#define ARM_M_EVENTS(EVENT)                                                    \
    EVENT(M_CYCLES, 0x0011, 0, 31, 0, "CPU_CYCLES")                            \
    EVENT(M_INST_RETIRED, 0x0008, 0, NOFIX, 0, "INST_RETIRED")                 \
    EVENT(M_STALL_FE, 0x0023, 0, NOFIX, 0, "STALL_FRONTEND")                   \
    EVENT(M_STALL_BE, 0x0024, 0, NOFIX, 0, "STALL_BACKEND")                    \
    EVENT(M_OP_RETIRED, 0x003a, 0, NOFIX, 0, "OP_COMPLETE")                    \
    EVENT(M_OP_SPEC, 0x003b, 0, NOFIX, 0, "OP_SPEC")                           \
    EVENT(M_STALL, 0x003c, 0, NOFIX, 0, "STALL")                               \
    EVENT(M_SLOT_BE, 0x003d, 0, NOFIX, 0, "STALL_OP_BACKEND")                  \
    EVENT(M_SLOT_FE, 0x003e, 0, NOFIX, 0, "STALL_OP_FRONTEND")                 \
    EVENT(M_SLOT, 0x003f, 0, NOFIX, 0, "STALL_OP")                             \
    EVENT(M_L1D_MISS_RD, 0x0039, 0, NOFIX, 0, "L1D_CACHE_MISS_RD")             \
    EVENT(M_LL_MISS_RD, 0x0037, 0, NOFIX, 0, "LL_CACHE_MISS_RD")               \
    EVENT(M_MVE_STALL, 0x02cc, 0, NOFIX, 0, "MVE_STALL")

/* Cortex-M DWT: the code is the counter's address (Armv7-M ARM, DDI 0403, C1.8). All are fixed counters. */
#define DWT_EVENTS(EVENT)                                                      \
    EVENT(D_CYCLES, 0xe0001004, 0, 0, 0, "DWT_CYCCNT")                         \
    EVENT(D_CPI, 0xe0001008, 0, 1, 0, "DWT_CPICNT")                            \
    EVENT(D_EXC, 0xe000100c, 0, 2, 0, "DWT_EXCCNT")                            \
    EVENT(D_SLEEP, 0xe0001010, 0, 3, 0, "DWT_SLEEPCNT")                        \
    EVENT(D_LSU, 0xe0001014, 0, 4, 0, "DWT_LSUCNT")                            \
    EVENT(D_FOLD, 0xe0001018, 0, 5, 0, "DWT_FOLDCNT")

/* Intel event files (github.com/intel/perfmon), SKL. event | umask << 8 | edge << 18 | cmask << 24. */
#define INTEL_EVENTS(EVENT)                                                    \
    EVENT(I_CYCLES, 0x003c, 0, 1, 0, "CPU_CLK_UNHALTED.THREAD")                \
    EVENT(I_INST, 0x00c0, 0, 0, 0, "INST_RETIRED.ANY")                         \
    EVENT(I_FE, 0x019c, 0, NOFIX, 0, "IDQ_UOPS_NOT_DELIVERED.CORE")            \
    EVENT(I_FE_ALL, 0x0400019c, 0, NOFIX, 0, "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE") \
    EVENT(I_ISSUED, 0x010e, 0, NOFIX, 0, "UOPS_ISSUED.ANY")                    \
    EVENT(I_RETIRED, 0x02c2, 0, NOFIX, 0, "UOPS_RETIRED.RETIRE_SLOTS")         \
    EVENT(I_FUSED, 0x04c2, 0, NOFIX, 0, "UOPS_RETIRED.MACRO_FUSED")            \
    EVENT(I_RECOVERY, 0x010d, 0, NOFIX, 0, "INT_MISC.RECOVERY_CYCLES")         \
    EVENT(I_RESTEER, 0x800d, 0, NOFIX, 0, "INT_MISC.CLEAR_RESTEER_CYCLES")     \
    EVENT(I_BACLEARS, 0x01e6, 0, NOFIX, 0, "BACLEARS.ANY")                     \
    EVENT(I_MISPREDICTS, 0x00c5, 0, NOFIX, 0, "BR_MISP_RETIRED.ALL_BRANCHES")  \
    EVENT(I_CLEARS, 0x010401c3, 0, NOFIX, 0, "MACHINE_CLEARS.COUNT")           \
    EVENT(I_MEM_ANY, 0x140014a3, 0, NOFIX, 0, "CYCLE_ACTIVITY.STALLS_MEM_ANY") \
    EVENT(I_STORES, 0x40a6, 0, NOFIX, 0, "EXE_ACTIVITY.BOUND_ON_STORES")       \
    EVENT(I_STALLS, 0x040004a3, 0, NOFIX, 0, "CYCLE_ACTIVITY.STALLS_TOTAL")    \
    EVENT(I_PORTS_1, 0x02a6, 0, NOFIX, 0, "EXE_ACTIVITY.1_PORTS_UTIL")         \
    EVENT(I_PORTS_2, 0x04a6, 0, NOFIX, 0, "EXE_ACTIVITY.2_PORTS_UTIL")         \
    EVENT(I_L1_MISS, 0x0c000ca3, 0, NOFIX, 0, "CYCLE_ACTIVITY.STALLS_L1D_MISS") \
    EVENT(I_L2_MISS, 0x050005a3, 0, NOFIX, 0, "CYCLE_ACTIVITY.STALLS_L2_MISS") \
    EVENT(I_L3_MISS, 0x060006a3, 0, NOFIX, 0, "CYCLE_ACTIVITY.STALLS_L3_MISS") \
    EVENT(I_DIVIDER, 0x01000114, 0, NOFIX, 0, "ARITH.DIVIDER_ACTIVE")          \
    EVENT(I_ICACHE, 0x0480, 0, NOFIX, 0, "ICACHE_16B.IFDATA_STALL")            \
    EVENT(I_ICACHE_EDGE, 0x01040480, 0, NOFIX, 0, "ICACHE_16B.IFDATA_STALL:c1:e1") \
    EVENT(I_ITLB, 0x0483, 0, NOFIX, 0, "ICACHE_64B.IFTAG_STALL")               \
    EVENT(I_READS_1, 0x01000860, 0, NOFIX, 0, "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DATA_RD") \
    EVENT(I_READS_4, 0x04000860, 0, NOFIX, 0, "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD:c4")

/* The same source, ICL and SPR; classes are bytes of PERF_METRICS (Intel SDM 3B, Performance Metrics). Fixed: 0 instructions,
 * 1 cycles, 3 slots, 48 PERF_METRICS. */
#define METRICS_EVENTS(EVENT)                                                  \
    EVENT(X_SLOTS, 0x01a4, 0, 3, 0, "TOPDOWN.SLOTS")                           \
    EVENT(X_CYCLES, 0x003c, 0, 1, 0, "CPU_CLK_UNHALTED.THREAD")                \
    EVENT(X_INST, 0x00c0, 0, 0, 0, "INST_RETIRED.ANY")                         \
    EVENT(X_C0, 0, CLASS, 48, 0, "PERF_METRICS.RETIRING")                      \
    EVENT(X_C1, 1, CLASS, 48, 0, "PERF_METRICS.BAD_SPECULATION")               \
    EVENT(X_C2, 2, CLASS, 48, 0, "PERF_METRICS.FRONTEND_BOUND")                \
    EVENT(X_C3, 3, CLASS, 48, 0, "PERF_METRICS.BACKEND_BOUND")                 \
    EVENT(X_C4, 4, CLASS, 48, 0, "PERF_METRICS.HEAVY_OPERATIONS")              \
    EVENT(X_C5, 5, CLASS, 48, 0, "PERF_METRICS.BRANCH_MISPREDICTS")            \
    EVENT(X_C6, 6, CLASS, 48, 0, "PERF_METRICS.FETCH_LATENCY")                 \
    EVENT(X_C7, 7, CLASS, 48, 0, "PERF_METRICS.MEMORY_BOUND")                  \
    EVENT(X_DROPPING_ICL, 0x100d, 0, NOFIX, 0, "INT_MISC.UOP_DROPPING")        \
    EVENT(X_DROPPING, 0x10ad, 0, NOFIX, 0, "INT_MISC.UOP_DROPPING")            \
    EVENT(X_CLEARS_COUNT, 0x0104010d, 0, NOFIX, 0, "INT_MISC.CLEARS_COUNT")    \
    EVENT(X_BACKEND, 0x02a4, 0, NOFIX, 0, "TOPDOWN.BACKEND_BOUND_SLOTS")       \
    EVENT(X_RETIRED, 0x02c2, 0, NOFIX, 0, "UOPS_RETIRED.SLOTS")                \
    EVENT(X_BUBBLES, 0x019c, 0, NOFIX, 0, "IDQ_UOPS_NOT_DELIVERED.CORE")       \
    EVENT(X_LOADS, 0x050021a6, 0, NOFIX, 0, "EXE_ACTIVITY.BOUND_ON_LOADS")     \
    EVENT(X_L1_MISS, 0x03000347, 0, NOFIX, 0x0f, "MEMORY_ACTIVITY.STALLS_L1D_MISS") \
    EVENT(X_L2_MISS, 0x05000547, 0, NOFIX, 0x0f, "MEMORY_ACTIVITY.STALLS_L2_MISS") \
    EVENT(X_L3_MISS, 0x09000947, 0, NOFIX, 0x0f, "MEMORY_ACTIVITY.STALLS_L3_MISS") \
    EVENT(X_STORES, 0x020040a6, 0, NOFIX, 0, "EXE_ACTIVITY.BOUND_ON_STORES")   \
    EVENT(X_DIVIDER, 0x010009b0, 0, NOFIX, 0, "ARITH.DIV_ACTIVE")              \
    EVENT(X_ICACHE, 0x0480, 0, NOFIX, 0x0f, "ICACHE_DATA.STALLS")              \
    EVENT(X_ITLB, 0x0483, 0, NOFIX, 0x0f, "ICACHE_TAG.STALLS")

/* The same source, TNT, GRT, CMT, SKT. */
#define ATOM_EVENTS(EVENT)                                                     \
    EVENT(E_CYCLES, 0x003c, 0, 1, 0, "CPU_CLK_UNHALTED.CORE")                  \
    EVENT(E_INST, 0x00c0, 0, 0, 0, "INST_RETIRED.ANY")                         \
    EVENT(E_FE, 0x0071, 0, NOFIX, 0, "TOPDOWN_FE_BOUND.ALL")                   \
    EVENT(E_FE_LATENCY, 0x7271, 0, NOFIX, 0, "TOPDOWN_FE_BOUND.FRONTEND_LATENCY") \
    EVENT(E_FE_BANDWIDTH, 0x8d71, 0, NOFIX, 0, "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH") \
    EVENT(E_BS, 0x0073, 0, NOFIX, 0, "TOPDOWN_BAD_SPECULATION.ALL")            \
    EVENT(E_BS_TNT, 0x0673, 0, NOFIX, 0, "TOPDOWN_BAD_SPECULATION.ALL")        \
    EVENT(E_MISPREDICT, 0x0473, 0, NOFIX, 0, "TOPDOWN_BAD_SPECULATION.MISPREDICT") \
    EVENT(E_CLEARS, 0x0373, 0, NOFIX, 0, "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS") \
    EVENT(E_RET_C2, 0x00c2, 0, NOFIX, 0, "TOPDOWN_RETIRING.ALL")               \
    EVENT(E_RET, 0x0072, 0, NOFIX, 0, "TOPDOWN_RETIRING.ALL")                  \
    EVENT(E_BE, 0x0074, 0, NOFIX, 0, "TOPDOWN_BE_BOUND.ALL")                   \
    EVENT(E_BE_A4, 0x02a4, 0, NOFIX, 0, "TOPDOWN_BE_BOUND.ALL")                \
    EVENT(E_ALLOC, 0x0174, 0, NOFIX, 0, "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS") \
    EVENT(E_MEM_SCHEDULER, 0x0274, 0, NOFIX, 0, "TOPDOWN_BE_BOUND.MEM_SCHEDULER") \
    EVENT(E_BS_FIXED, 4, FIXED, 4, 0, "TOPDOWN_BAD_SPECULATION.ALL")           \
    EVENT(E_FE_FIXED, 5, FIXED, 5, 0, "TOPDOWN_FE_BOUND.ALL")                  \
    EVENT(E_RET_FIXED, 6, FIXED, 6, 0, "TOPDOWN_RETIRING.ALL")

/* AMD Processor Programming Reference, family 19h models 10h/60h and family 1Ah; event bits 11:8 are at 35:32. */
#define AMD_EVENTS(EVENT)                                                      \
    EVENT(Z_CYCLES, 0x0076, 0, NOFIX, 0, "LS_NOT_HALTED_CYC")                  \
    EVENT(Z_INST, 0x00c0, 0, NOFIX, 0, "EX_RET_INSTR")                         \
    EVENT(Z_FE, 0x01a0, 1, NOFIX, 0, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND") \
    EVENT(Z_FE_ALL_6, 0x060001a0, 1, NOFIX, 0, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c6") \
    EVENT(Z_FE_ALL_8, 0x080001a0, 1, NOFIX, 0, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c8") \
    EVENT(Z_BE, 0x1ea0, 1, NOFIX, 0, "DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS") \
    EVENT(Z_SMT, 0x60a0, 1, NOFIX, 0, "DE_NO_DISPATCH_PER_SLOT.SMT_CONTENTION") \
    EVENT(Z_DISPATCHED, 0x07aa, 0, NOFIX, 0, "DE_SRC_OP_DISP.ALL")             \
    EVENT(Z_RETIRED, 0x00c1, 0, NOFIX, 0, "EX_RET_OPS")                        \
    EVENT(Z_MISPREDICTS, 0x00c3, 0, NOFIX, 0, "EX_RET_BRN_MISP")               \
    EVENT(Z_RESYNCS, 0x0096, 0, NOFIX, 0, "RESYNCS_OR_NC_REDIRECTS")           \
    EVENT(Z_RESYNCS_ZEN5, 0x019f, 0, NOFIX, 0, "BP_REDIRECTS.RESYNC")          \
    EVENT(Z_LOADS, 0xa2d6, 0, NOFIX, 0, "EX_NO_RETIRE.LOAD_NOT_COMPLETE")      \
    EVENT(Z_INCOMPLETE, 0x02d6, 0, NOFIX, 0, "EX_NO_RETIRE.NOT_COMPLETE")      \
    EVENT(Z_UCODE, 0x00c2, 1, NOFIX, 0, "EX_RET_UCODE_OPS")

/* RISC-V privileged specification (mcycle, minstret: fixed 0 and 2); SBI specification, PMU extension, hardware events. */
#define RISCV_FIXED_EVENTS(EVENT)                                              \
    EVENT(R_CYCLES, 0, FIXED, 0, 0, "MCYCLE")                                  \
    EVENT(R_INST, 2, FIXED, 2, 0, "MINSTRET")
#define RISCV_EVENTS(EVENT)                                                    \
    RISCV_FIXED_EVENTS(EVENT)                                                  \
    EVENT(R_STALL_FE, 8, SBI, NOFIX, 0, "SBI_STALLED_CYCLES_FRONTEND")         \
    EVENT(R_STALL_BE, 9, SBI, NOFIX, 0, "SBI_STALLED_CYCLES_BACKEND")

/* SiFive U74-MC Manual, event selector: class in bits 7:0, one bit an event from bit 8; bits of a class may be or-ed. Bullet
 * (P550 and later): Linux' public event lists. */
#define SIFIVE_EVENTS(EVENT)                                                   \
    EVENT(S_CYCLES, 0, FIXED, 0, 0, "MCYCLE")                                  \
    EVENT(S_INST, 2, FIXED, 2, 0, "MINSTRET")                                  \
    EVENT(S_ADDRESS, 0x101, 0, NOFIX, 0, "ADDRESSGEN_INTERLOCK")               \
    EVENT(S_LONG, 0x201, 0, NOFIX, 0, "LONGLATENCY_INTERLOCK")                 \
    EVENT(S_CSR, 0x401, 0, NOFIX, 0, "CSR_INTERLOCK")                          \
    EVENT(S_ICACHE, 0x801, 0, NOFIX, 0, "ICACHE_BLOCKED")                      \
    EVENT(S_DCACHE, 0x1001, 0, NOFIX, 0, "DCACHE_BLOCKED")                     \
    EVENT(S_DIRECTION, 0x2001, 0, NOFIX, 0, "BRANCH_DIRECTION_MISPREDICTION")  \
    EVENT(S_TARGET, 0x4001, 0, NOFIX, 0, "BRANCH_TARGET_MISPREDICTION")        \
    EVENT(S_MUL, 0x20001, 0, NOFIX, 0, "INTEGER_MUL_INTERLOCK")                \
    EVENT(S_FP, 0x40001, 0, NOFIX, 0, "FP_INTERLOCK")                          \
    EVENT(S_MISPREDICT, 0x6001, 0, NOFIX, 0, "BRANCH_MISPREDICTION")           \
    EVENT(S_CORE, 0x60701, 0, NOFIX, 0, "INTERLOCK")                           \
    EVENT(S_BACKEND, 0x61701, 0, NOFIX, 0, "INTERLOCK_OR_DCACHE")              \
    EVENT(S_ITLB, 0x100001, 0, NOFIX, 0, "ITLB_STALL")                         \
    EVENT(S_DTLB, 0x200001, 0, NOFIX, 0, "DTLB_STALL")

/* T-Head C910/C906: OpenC910 user manual, HPM event list; Linux' public list "c900-legacy". */
#define THEAD_EVENTS(EVENT)                                                    \
    EVENT(H_CYCLES, 0, FIXED, 0, 0, "MCYCLE")                                  \
    EVENT(H_INST, 2, FIXED, 2, 0, "MINSTRET")                                  \
    EVENT(H_MISPREDICT, 0x06, 0, NOFIX, 0, "COND_BR_MISPREDICT")               \
    EVENT(H_STALL_FE, 0x27, 0, NOFIX, 0, "IFU_STALLED_CYCLE")                  \
    EVENT(H_STALL_BE, 0x28, 0, NOFIX, 0, "IDU_STALLED_CYCLE")                  \
    EVENT(H_L1D_RD, 0x0d, 0, NOFIX, 0, "L1_DCACHE_READ_MISS")                  \
    EVENT(H_L1D_WR, 0x0f, 0, NOFIX, 0, "L1_DCACHE_WRITE_MISS")                 \
    EVENT(H_LL_RD, 0x11, 0, NOFIX, 0, "LL_CACHE_READ_MISS")                    \
    EVENT(H_LL_WR, 0x13, 0, NOFIX, 0, "LL_CACHE_WRITE_MISS")

/* StarFive Dubhe-80: Linux' public event list. */
#define DUBHE_EVENTS(EVENT)                                                    \
    EVENT(U_CYCLES, 0, FIXED, 0, 0, "MCYCLE")                                  \
    EVENT(U_INST, 2, FIXED, 2, 0, "MINSTRET")                                  \
    EVENT(U_BE, 0x0f, 0, NOFIX, 0, "BACKEND_STALL")                            \
    EVENT(U_FE, 0x10, 0, NOFIX, 0, "FRONTEND_BUBBLE")

/* Andes AX45: Linux' public event list. */
#define ANDES_EVENTS(EVENT)                                                    \
    EVENT(N_CYCLES, 0, FIXED, 0, 0, "MCYCLE")                                  \
    EVENT(N_INST, 2, FIXED, 2, 0, "MINSTRET")                                  \
    EVENT(N_FETCH_WAIT, 0xb1, 0, NOFIX, 0, "FETCH_WAIT_CYCLE")                 \
    EVENT(N_DCACHE_WAIT, 0xc1, 0, NOFIX, 0, "DCACHE_WAIT_CYCLE")

/* OpenHW CVA6 user manual, performance counters. */
#define CVA6_EVENTS(EVENT)                                                     \
    EVENT(V_CYCLES, 0, FIXED, 0, 0, "MCYCLE")                                  \
    EVENT(V_INST, 2, FIXED, 2, 0, "MINSTRET")                                  \
    EVENT(V_MISPREDICT, 0x0a, 0, NOFIX, 0, "MISPREDICT")                       \
    EVENT(V_SCOREBOARD_FULL, 0x0e, 0, NOFIX, 0, "SCOREBOARD_FULL")             \
    EVENT(V_FETCH_EMPTY, 0x0f, 0, NOFIX, 0, "FETCH_EMPTY")                     \
    EVENT(V_OPERAND_STALL, 0x16, 0, NOFIX, 0, "OPERAND_STALL")

#define EVENT_ID(id, code, high, fixed, counters, name) id,
#define EVENT_ROW(id, code, high, fixed, counters, name) { code, high, fixed, counters },
#define EVENT_NAME(id, code, high, fixed, counters, name) name,

enum paper_event { PAPER_EVENTS(EVENT_ID) PAPER_N };
enum arm_event { ARM_EVENTS(EVENT_ID) ARM_N };
enum tsv110_event { TSV110_EVENTS(EVENT_ID) TSV110_N };
enum arm_m_event { ARM_M_EVENTS(EVENT_ID) ARM_M_N };
enum dwt_event { DWT_EVENTS(EVENT_ID) DWT_N };
enum intel_event { INTEL_EVENTS(EVENT_ID) INTEL_N };
enum metrics_event { METRICS_EVENTS(EVENT_ID) METRICS_N };
enum atom_event { ATOM_EVENTS(EVENT_ID) ATOM_N };
enum amd_event { AMD_EVENTS(EVENT_ID) AMD_N };
enum riscv_event { RISCV_EVENTS(EVENT_ID) RISCV_N };
enum sifive_event { SIFIVE_EVENTS(EVENT_ID) SIFIVE_N };
enum thead_event { THEAD_EVENTS(EVENT_ID) THEAD_N };
enum dubhe_event { DUBHE_EVENTS(EVENT_ID) DUBHE_N };
enum andes_event { ANDES_EVENTS(EVENT_ID) ANDES_N };
enum cva6_event { CVA6_EVENTS(EVENT_ID) CVA6_N };
SL_STATIC_ASSERT((unsigned)ARM_N <= SL_TOPDOWN_EVENTS, arm_events_fit_a_mask);

#endif
