/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the perf.data container: records, sample fields, attribute flags, header features.
 *
 * Source: the kernel's user interface (perf_event_open(2), linux/perf_event.h) and perf.data-file-format. */
#ifndef HOSTED_IO_PERF_FORMAT_H
#define HOSTED_IO_PERF_FORMAT_H

#include <stdint.h>

enum perf_record_type {
    PERF_REC_MMAP = 1,
    PERF_REC_LOST = 2,
    PERF_REC_COMM = 3,
    PERF_REC_EXIT = 4,
    PERF_REC_THROTTLE = 5,
    PERF_REC_UNTHROTTLE = 6,
    PERF_REC_FORK = 7,
    PERF_REC_READ = 8,
    PERF_REC_SAMPLE = 9,
    PERF_REC_MMAP2 = 10,
    PERF_REC_AUX = 11,
    PERF_REC_ITRACE_START = 12,
    PERF_REC_LOST_SAMPLES = 13,
    PERF_REC_SWITCH = 14,
    PERF_REC_SWITCH_CPU_WIDE = 15,
    PERF_REC_NAMESPACES = 16,
    PERF_REC_KSYMBOL = 17,
    PERF_REC_BPF_EVENT = 18,
    PERF_REC_CGROUP = 19,
    PERF_REC_TEXT_POKE = 20,
    PERF_REC_AUX_OUTPUT_HW_ID = 21,
    PERF_REC_KERNEL_MAX = 22, /* the first number that the kernel does not use */
    PERF_REC_TOOL_MIN = 64,   /* from here on: written by the tool, never queued */
    PERF_REC_HEADER_ATTR = 64,
    PERF_REC_EVENT_TYPE = 65,
    PERF_REC_TRACING_DATA = 66,
    PERF_REC_BUILD_ID = 67,
    PERF_REC_FINISHED_ROUND = 68,
    PERF_REC_ID_INDEX = 69,
    PERF_REC_AUXTRACE_INFO = 70,
    PERF_REC_AUXTRACE = 71,
    PERF_REC_AUXTRACE_ERROR = 72,
    PERF_REC_EVENT_UPDATE = 78,
    PERF_REC_TIME_CONV = 79,
    PERF_REC_HEADER_FEATURE = 80,
    PERF_REC_COMPRESSED = 81,
    PERF_REC_FINISHED_INIT = 82,
    PERF_REC_TOOL_MAX = 83
};

enum perf_sample_bit {
    PERF_S_IP = 1 << 0,
    PERF_S_TID = 1 << 1,
    PERF_S_TIME = 1 << 2,
    PERF_S_ADDR = 1 << 3,
    PERF_S_READ = 1 << 4,
    PERF_S_CALLCHAIN = 1 << 5,
    PERF_S_ID = 1 << 6,
    PERF_S_CPU = 1 << 7,
    PERF_S_PERIOD = 1 << 8,
    PERF_S_STREAM_ID = 1 << 9,
    PERF_S_RAW = 1 << 10,
    PERF_S_BRANCH_STACK = 1 << 11,
    PERF_S_REGS_USER = 1 << 12,
    PERF_S_STACK_USER = 1 << 13,
    PERF_S_WEIGHT = 1 << 14,
    PERF_S_DATA_SRC = 1 << 15,
    PERF_S_IDENTIFIER = 1 << 16,
    PERF_S_TRANSACTION = 1 << 17,
    PERF_S_REGS_INTR = 1 << 18,
    PERF_S_PHYS_ADDR = 1 << 19,
    PERF_S_AUX = 1 << 20,
    PERF_S_CGROUP = 1 << 21,
    PERF_S_DATA_PAGE_SIZE = 1 << 22,
    PERF_S_CODE_PAGE_SIZE = 1 << 23,
    PERF_S_WEIGHT_STRUCT = 1 << 24
};

/* One word each, at the start of a sample. */
#define PERF_S_FIXED                                                                                                   \
    (PERF_S_IP | PERF_S_TID | PERF_S_TIME | PERF_S_ADDR | PERF_S_ID | PERF_S_STREAM_ID | PERF_S_CPU | PERF_S_PERIOD |  \
     PERF_S_IDENTIFIER)

/* Bits of the attribute's flag word. */
#define PERF_A_EXCLUDE_USER   (1u << 4)
#define PERF_A_EXCLUDE_KERNEL (1u << 5)
#define PERF_A_EXCLUDE_HV     (1u << 6)
#define PERF_A_FREQ           (1u << 10)
#define PERF_A_PRECISE_SHIFT  15u
#define PERF_A_SAMPLE_ID_ALL  (1u << 18)
#define PERF_A_EXCLUDE_HOST   (1u << 19)
#define PERF_A_EXCLUDE_GUEST  (1u << 20)

enum perf_read_bit {
    PERF_READ_TIME_ENABLED = 1,
    PERF_READ_TIME_RUNNING = 2,
    PERF_READ_ID = 4,
    PERF_READ_GROUP = 8,
    PERF_READ_LOST = 16
};

#define PERF_BRANCH_HW_INDEX ((uint64_t)1 << 17)

/* The misc field of a record. */
#define PERF_MISC_CPUMODE       7u
#define PERF_MISC_KERNEL        1u
#define PERF_MISC_USER          2u
#define PERF_MISC_HYPERVISOR    3u
#define PERF_MISC_GUEST_KERNEL  4u
#define PERF_MISC_GUEST_USER    5u
#define PERF_MISC_MMAP_DATA     (1u << 13)
#define PERF_MISC_FORK_EXEC     (1u << 13)
#define PERF_MISC_SWITCH_OUT    (1u << 13)
#define PERF_MISC_MMAP_BUILD_ID (1u << 14)
#define PERF_MISC_BUILD_ID_SIZE (1u << 15)

#define PERF_PROT_EXEC   4u
#define PERF_MAP_SHARED  1u
#define PERF_MAP_HUGETLB 0x40000u

#define PERF_AUX_TRUNCATED 1u
#define PERF_AUX_PARTIAL   4u
#define PERF_AUX_COLLISION 8u

enum perf_feature {
    PERF_FEAT_BUILD_ID = 2,
    PERF_FEAT_HOSTNAME = 3,
    PERF_FEAT_OSRELEASE = 4,
    PERF_FEAT_VERSION = 5,
    PERF_FEAT_ARCH = 6,
    PERF_FEAT_NRCPUS = 7,
    PERF_FEAT_CPUDESC = 8,
    PERF_FEAT_CPUID = 9,
    PERF_FEAT_TOTAL_MEM = 10,
    PERF_FEAT_CMDLINE = 11,
    PERF_FEAT_EVENT_DESC = 12,
    PERF_FEAT_CPU_TOPOLOGY = 13,
    PERF_FEAT_NUMA_TOPOLOGY = 14,
    PERF_FEAT_BRANCH_STACK = 15,
    PERF_FEAT_PMU_MAPPINGS = 16,
    PERF_FEAT_GROUP_DESC = 17,
    PERF_FEAT_AUXTRACE = 18,
    PERF_FEAT_STAT = 19,
    PERF_FEAT_CACHE = 20,
    PERF_FEAT_SAMPLE_TIME = 21,
    PERF_FEAT_MEM_TOPOLOGY = 22,
    PERF_FEAT_CLOCKID = 23,
    PERF_FEAT_COMPRESSED = 27,
    PERF_FEAT_CPU_PMU_CAPS = 28,
    PERF_FEAT_BITS = 256
};

#define PERF_ATTR_MIN_BYTES 64u
#define PERF_ATTR_MAX_BYTES 128u /* perf 6.1 refuses larger ones */

#define PERF_HEADER_BYTES      104u
#define PERF_HEADER_OLD_BYTES  72u /* without the feature bitmap */
#define PERF_HEADER_PIPE_BYTES 16u

#endif
