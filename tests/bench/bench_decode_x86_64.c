/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the x86-64 decoder, operands included, over raw code files or, without one, over a built-in loop body. */
#include <slotledger/isa.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_BYTES (64u << 20)

/* clang-19 -O3, one instruction per line. */
static const uint8_t sample[] = {
    0x48, 0x8b, 0x44, 0x24, 0x18,                               /* mov 24(%rsp), %rax */
    0x48, 0x8d, 0x3c, 0xc8,                                     /* lea (%rax,%rcx,8), %rdi */
    0x41, 0x0f, 0xb6, 0x04, 0x24,                               /* movzbl (%r12), %eax */
    0x83, 0xc0, 0xff,                                           /* add $-1, %eax */
    0x0f, 0x84, 0x10, 0x00, 0x00, 0x00,                         /* je . + 22 */
    0xc5, 0xfc, 0x58, 0x04, 0x8e,                               /* vaddps (%rsi,%rcx,4), %ymm0, %ymm0 */
    0xc4, 0xe2, 0x7d, 0xb8, 0x5c, 0x0f, 0x20,                   /* vfmadd231ps 32(%rdi,%rcx), %ymm0, %ymm3 */
    0x62, 0xf1, 0x7c, 0x49, 0x11, 0x44, 0x8f, 0x01,             /* vmovups %zmm0, 64(%rdi,%rcx,4) {%k1} */
    0xf3, 0x0f, 0x10, 0x05, 0x00, 0x01, 0x00, 0x00,             /* movss 256(%rip), %xmm0 */
    0xe8, 0x00, 0x10, 0x00, 0x00,                               /* call . + 4101 */
    0x48, 0x39, 0xd8,                                           /* cmp %rbx, %rax */
    0x75, 0xc0,                                                 /* jne . - 62 */
    0xc3,                                                       /* ret */
};

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Decodes everything over and over for about a second of processor time. */
static void measure(const char *name, const uint8_t *bytes, size_t len)
{
    uint64_t insns = 0, refused = 0, operands = 0;
    double start = seconds(), spent = 0;
    while (len > 0 && spent < 1.0) {
        for (size_t at = 0; at < len;) {
            struct sl_insn insn;
            if (sl_decode_x86_64(bytes + at, len - at, &insn) == SL_OK) {
                operands += insn.n_operands;
                at += insn.len_bytes;
                insns++;
            } else {
                refused++;
                at++;
            }
        }
        spent = seconds() - start;
    }
    if (spent > 0 && insns > 0) {
        printf("%-24s %8.1f M instructions/s  %.4f %% refused  %.2f operands each\n", name, (double)insns / spent * 1e-6,
               (double)refused * 100.0 / (double)(insns + refused), (double)operands / (double)insns);
    }
}

int main(int argc, char **argv)
{
    uint8_t *bytes = malloc(MAX_BYTES);
    int status = bytes == NULL;
    if (bytes != NULL && argc < 2) {
        size_t len = 0;
        for (; len + sizeof sample <= 1u << 16; len += sizeof sample) {
            memcpy(bytes + len, sample, sizeof sample);
        }
        measure("built-in sample", bytes, len);
    }
    for (int i = 1; bytes != NULL && i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            (void)fprintf(stderr, "bench_decode_x86_64: %s: cannot be opened\n", argv[i]);
            status = 1;
            continue;
        }
        measure(argv[i], bytes, fread(bytes, 1, MAX_BYTES, file));
        (void)fclose(file);
    }
    free(bytes);
    return status;
}
