/* SPDX-License-Identifier: Apache-2.0 */
/* One sampled memory access: what core/spe and the perf.data reader make, and what core/c2c takes. */
#ifndef SLOTLEDGER_MEM_SAMPLE_H
#define SLOTLEDGER_MEM_SAMPLE_H

#include <slotledger/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where an access was served from: one 64-bit word of bit fields, in the layout that Linux documents for
 * PERF_SAMPLE_DATA_SRC in perf_event_open(2). The constants below are masks in place, so that
 * `source & SL_MEM_LVL_HIT` asks one thing and words are made by OR. */
#define SL_MEM_BIT(n) ((uint64_t)1 << (n))

#define SL_MEM_OP_NA       SL_MEM_BIT(0)
#define SL_MEM_OP_LOAD     SL_MEM_BIT(1)
#define SL_MEM_OP_STORE    SL_MEM_BIT(2)
#define SL_MEM_OP_PREFETCH SL_MEM_BIT(3)
#define SL_MEM_OP_EXEC     SL_MEM_BIT(4)

#define SL_MEM_LVL_NA            SL_MEM_BIT(5)
#define SL_MEM_LVL_HIT           SL_MEM_BIT(6)
#define SL_MEM_LVL_MISS          SL_MEM_BIT(7)
#define SL_MEM_LVL_L1            SL_MEM_BIT(8)
#define SL_MEM_LVL_LFB           SL_MEM_BIT(9)
#define SL_MEM_LVL_L2            SL_MEM_BIT(10)
#define SL_MEM_LVL_L3            SL_MEM_BIT(11)
#define SL_MEM_LVL_LOCAL_RAM     SL_MEM_BIT(12)
#define SL_MEM_LVL_REMOTE_RAM1   SL_MEM_BIT(13)
#define SL_MEM_LVL_REMOTE_RAM2   SL_MEM_BIT(14)
#define SL_MEM_LVL_REMOTE_CACHE1 SL_MEM_BIT(15)
#define SL_MEM_LVL_REMOTE_CACHE2 SL_MEM_BIT(16)
#define SL_MEM_LVL_IO            SL_MEM_BIT(17)
#define SL_MEM_LVL_UNCACHED      SL_MEM_BIT(18)

#define SL_MEM_SNOOP_NA   SL_MEM_BIT(19)
#define SL_MEM_SNOOP_NONE SL_MEM_BIT(20)
#define SL_MEM_SNOOP_HIT  SL_MEM_BIT(21)
#define SL_MEM_SNOOP_MISS SL_MEM_BIT(22)
#define SL_MEM_SNOOP_HITM SL_MEM_BIT(23)

#define SL_MEM_LOCK_NA     SL_MEM_BIT(24)
#define SL_MEM_LOCK_LOCKED SL_MEM_BIT(25)

#define SL_MEM_TLB_NA     SL_MEM_BIT(26)
#define SL_MEM_TLB_HIT    SL_MEM_BIT(27)
#define SL_MEM_TLB_MISS   SL_MEM_BIT(28)
#define SL_MEM_TLB_L1     SL_MEM_BIT(29)
#define SL_MEM_TLB_L2     SL_MEM_BIT(30)
#define SL_MEM_TLB_WALKER SL_MEM_BIT(31)
#define SL_MEM_TLB_OS     SL_MEM_BIT(32)

/* The level as a number, bits 36:33. */
#define SL_MEM_LEVEL(n)        ((uint64_t)(n) << 33)
#define SL_MEM_LEVEL_L1        SL_MEM_LEVEL(1)
#define SL_MEM_LEVEL_L2        SL_MEM_LEVEL(2)
#define SL_MEM_LEVEL_L3        SL_MEM_LEVEL(3)
#define SL_MEM_LEVEL_L4        SL_MEM_LEVEL(4)
#define SL_MEM_LEVEL_ANY_CACHE SL_MEM_LEVEL(11)
#define SL_MEM_LEVEL_LFB       SL_MEM_LEVEL(12)
#define SL_MEM_LEVEL_RAM       SL_MEM_LEVEL(13)
#define SL_MEM_LEVEL_PMEM      SL_MEM_LEVEL(14)
#define SL_MEM_LEVEL_NA        SL_MEM_LEVEL(15)

#define SL_MEM_REMOTE         SL_MEM_BIT(37)
#define SL_MEM_SNOOPX_FORWARD SL_MEM_BIT(38)
#define SL_MEM_SNOOPX_PEER    SL_MEM_BIT(39)
#define SL_MEM_BLOCK_NA       SL_MEM_BIT(40)
#define SL_MEM_BLOCK_DATA     SL_MEM_BIT(41)
#define SL_MEM_BLOCK_ADDRESS  SL_MEM_BIT(42)
/* Hops to where the data came from, bits 45:43; 0 means: not told. */
#define SL_MEM_HOPS(n)   ((uint64_t)(n) << 43)
#define SL_MEM_HOPS_MASK SL_MEM_HOPS(7)

/* A sample without a data-source word. */
#define SL_MEM_SOURCE_UNKNOWN                                                                                          \
    (SL_MEM_OP_NA | SL_MEM_LVL_NA | SL_MEM_SNOOP_NA | SL_MEM_LOCK_NA | SL_MEM_TLB_NA | SL_MEM_LEVEL_NA)

/* The privilege the sampled instruction ran at; the numbers are perf's PERF_RECORD_MISC_CPUMODE. */
enum sl_mem_mode {
    SL_MEM_MODE_UNKNOWN = 0,
    SL_MEM_MODE_KERNEL = 1,
    SL_MEM_MODE_USER = 2,
    SL_MEM_MODE_HYPERVISOR = 3,
    SL_MEM_MODE_GUEST_KERNEL = 4,
    SL_MEM_MODE_GUEST_USER = 5
};

#define SL_MEM_NO_CPU 0xffffffffu /* cpu: not known */
#define SL_MEM_NO_ID  0xffffffffu /* pid, tid: not known */

/* sl_mem_sample.flags. */
#define SL_MEM_FLAG_SYNTHESISED    1u /* made from AUX data (SPE), not a sample record */
#define SL_MEM_FLAG_UNKNOWN_SOURCE 2u /* the processor gave a data source that no table explains: source holds none */
#define SL_MEM_FLAG_EXACT_IP       4u

/* What is not known is 0, except where a value above says so. A sample is a value: it owns nothing. */
struct sl_mem_sample {
    uint64_t ip;           /* address of the instruction */
    uint64_t address;      /* virtual data address; 0: none */
    uint64_t phys_address; /* physical data address; 0: none */
    uint64_t source;       /* SL_MEM_*; SL_MEM_SOURCE_UNKNOWN when there is none */
    uint64_t time;         /* ns for perf.data; counter ticks for records of a board; 0: none */
    uint64_t weight;       /* latency of the access in cycles: perf's weight; SPE's total latency counter */
    uint64_t period;       /* events this sample stands for */
    const uint64_t *chain; /* [chain_len] call chain, innermost first, perf's context markers included; the caller's */
    uint32_t chain_len;
    uint32_t pid, tid;
    uint32_t cpu;
    uint32_t event;              /* index of the event in its recording */
    uint32_t issue_cycles;       /* SPE: issue latency counter */
    uint32_t translation_cycles; /* SPE: translation latency counter */
    uint16_t raw_source;         /* SPE: the data source packet as it was; 0: none */
    uint8_t mode;                /* enum sl_mem_mode */
    uint8_t flags;               /* SL_MEM_FLAG_* */
};

#ifdef __cplusplus
}
#endif
#endif
