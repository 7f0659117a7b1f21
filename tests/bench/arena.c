/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the memory that a mixed block of 64 instructions needs: on each instruction set's most demanding core (and the
 * bound for any block of that length), and on the last line on the in-order Cortex-A53. */
#include <slotledger/mca.h>

#include <stdio.h>

#define BLOCK_INSNS 64u
#define PATTERN_INSNS 16u

extern const struct sl_cpu sl_cpu_aarch64_cortex_a53;

static const struct sl_mca_config defaults;

/* ldp, ldp, fmla, fmla, ldr, ldrb, add, smaddl, eor, ldr, udiv, csel, str, stp, cmp, b.ne */
static const uint8_t aarch64_code[] = {
    0x01, 0x08, 0xc1, 0xac, 0x23, 0x10, 0xc1, 0xac, 0x30, 0xcc, 0x23, 0x4e, 0x51, 0xcc, 0x24, 0x4e, 0xc4, 0x78, 0x62, 0xb8, 0xe3, 0x14,
    0x40, 0x38, 0x42, 0x04, 0x00, 0x91, 0x8a, 0x28, 0x23, 0x9b, 0x29, 0x01, 0x03, 0x4a, 0x05, 0x59, 0x69, 0xb8, 0xab, 0x08, 0xc4, 0x1a,
    0x6c, 0x31, 0x85, 0x1a, 0xac, 0x45, 0x00, 0xb8, 0xd0, 0x45, 0x81, 0xac, 0x5f, 0x00, 0x0f, 0xeb, 0x21, 0xfe, 0xff, 0x54,
};

/* vmovups, vfmadd213ps, vmovups, addq, movq, imulq, rolq, xorq, movzbl, leaq, divl, pushq, popq, cmovneq, cmpq, jne */
static const uint8_t x86_64_code[] = {
    0xc5, 0xfc, 0x10, 0x0c, 0x86, 0xc4, 0xe2, 0x7d, 0xa8, 0x0c, 0x87, 0xc5, 0xfc, 0x11, 0x0c, 0x87, 0x48, 0x83, 0xc0, 0x08,
    0x48, 0x8b, 0x0f, 0x49, 0x0f, 0xaf, 0xc9, 0x48, 0xc1, 0xc2, 0x1f, 0x48, 0x31, 0xca, 0x45, 0x0f, 0xb6, 0x14, 0x00, 0x4f,
    0x8d, 0x5c, 0x52, 0x08, 0x41, 0xf7, 0xf3, 0x41, 0x53, 0x41, 0x5c, 0x4d, 0x0f, 0x45, 0xec, 0x4c, 0x39, 0xf0, 0x75, 0xc4,
};

static bool decode_block(const struct sl_isa *isa, const uint8_t *code, size_t code_bytes, struct sl_insn *block)
{
    size_t at = 0;
    for (size_t i = 0; i < PATTERN_INSNS; i++) {
        if (isa->decode(code + at, code_bytes - at, &block[i])) {
            return false;
        }
        at += block[i].len_bytes;
    }
    for (size_t i = PATTERN_INSNS; i < BLOCK_INSNS; i++) {
        block[i] = block[i - PATTERN_INSNS];
    }
    return at == code_bytes;
}

static void print_worst(const struct sl_cpu_name *names, size_t n, const struct sl_insn *block)
{
    size_t worst = 0, bound = 0, who = 0;
    for (size_t i = 0; i < n; i++) {
        size_t need = sl_mca_need_for(names[i].cpu, &defaults, block, BLOCK_INSNS);
        size_t any = sl_mca_need(names[i].cpu, &defaults, BLOCK_INSNS);
        bound = any > bound ? any : bound;
        if (need > worst) {
            worst = need;
            who = i;
        }
    }
    printf("%8zu B  %s on %s, the most of %zu cores (bound for any block: %zu B)\n", worst, names[0].cpu->isa->name, names[who].name,
           n, bound);
}

int main(void)
{
    static struct sl_insn block[BLOCK_INSNS];
    if (!decode_block(&sl_isa_x86_64, x86_64_code, sizeof x86_64_code, block)) {
        return 1;
    }
    print_worst(sl_cpus_x86_64, sl_n_cpus_x86_64, block);
    if (!decode_block(&sl_isa_aarch64, aarch64_code, sizeof aarch64_code, block)) {
        return 1;
    }
    print_worst(sl_cpus_aarch64, sl_n_cpus_aarch64, block);
    printf("%zu\n", sl_mca_need_for(&sl_cpu_aarch64_cortex_a53, &defaults, block, BLOCK_INSNS));
    return 0;
}
