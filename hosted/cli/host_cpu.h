/* SPDX-License-Identifier: Apache-2.0 */
/* -mcpu=native: the name LLVM gives to the processor this program runs on. */
#ifndef HOSTED_CLI_HOST_CPU_H
#define HOSTED_CLI_HOST_CPU_H

#include <stddef.h>
#include <stdint.h>

/* What CPUID says. */
struct x86_identity {
    char vendor[13];       /* "GenuineIntel" ... */
    uint32_t family, model;/* with the extended fields added */
    uint32_t features_1c;  /* leaf 1, ECX */
    uint32_t features_7b;  /* leaf 7.0, EBX */
    uint32_t features_7c;  /* leaf 7.0, ECX */
    uint32_t features_71a; /* leaf 7.1, EAX */
};

const char *host_cpu_x86(const struct x86_identity *identity);

/* From the text of /proc/cpuinfo ("CPU implementer", "CPU part" of the first processor listed). */
const char *host_cpu_arm(const char *cpuinfo);
/* From a MIDR_EL1 value. */
const char *host_cpu_midr(uint32_t midr);

/* Of this machine; "generic" where nothing is known. */
const char *host_cpu_name(void);

#endif
