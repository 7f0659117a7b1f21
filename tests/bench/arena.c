/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the memory that a block of 64 instructions needs on each model: the worst model's bytes on the last line. */
#include <slotledger/mca.h>

#include <stdio.h>

#define BLOCK_INSNS 64u

static size_t worst_of(const char *isa, const struct sl_cpu_name *names, size_t n)
{
    static const struct sl_mca_config defaults;
    size_t worst = 0;
    const char *who = "";
    for (size_t i = 0; i < n; i++) {
        size_t need = sl_mca_need(names[i].cpu, &defaults, BLOCK_INSNS);
        if (need > worst) {
            worst = need;
            who = names[i].name;
        }
    }
    printf("%8zu B  %s, upper bound for any block of %u instructions (%s)\n", worst, isa, BLOCK_INSNS, who);
    return worst;
}

int main(void)
{
    size_t a = worst_of("aarch64", sl_cpus_aarch64, sl_n_cpus_aarch64);
    size_t x = worst_of("x86_64", sl_cpus_x86_64, sl_n_cpus_x86_64);
    printf("%zu\n", a > x ? a : x);
    return 0;
}
