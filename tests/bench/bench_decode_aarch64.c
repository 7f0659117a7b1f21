/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the AArch64 decoder, operands included, over raw code files or, without one, over random valid words. */
#include <slotledger/isa.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_BYTES (64u << 20)
#define RANDOM_WORDS 65536u

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static size_t random_words(uint8_t *bytes)
{
    uint64_t state = 88172645463325252u;
    size_t n = 0;
    while (n < RANDOM_WORDS) {
        struct sl_insn insn;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for (unsigned i = 0; i < 4; i++) {
            bytes[4 * n + i] = (uint8_t)(state >> (8 * i + 16));
        }
        n += sl_decode_aarch64(bytes + 4 * n, 4, &insn) == SL_OK;
    }
    return 4 * n;
}

/* Decodes everything over and over for about a second of processor time. */
static void measure(const char *name, const uint8_t *bytes, size_t len)
{
    uint64_t words = 0, refused = 0, operands = 0;
    double start = seconds(), spent = 0;
    while (len >= 4 && spent < 1.0) {
        for (size_t at = 0; at + 4 <= len; at += 4) {
            struct sl_insn insn;
            if (sl_decode_aarch64(bytes + at, 4, &insn) == SL_OK) {
                operands += insn.n_operands;
            } else {
                refused++;
            }
        }
        words += len / 4;
        spent = seconds() - start;
    }
    if (spent > 0 && words > 0) {
        printf("%-24s %8.1f M words/s  %4.1f %% refused  %.2f operands each\n", name, (double)words / spent * 1e-6,
               (double)refused * 100.0 / (double)words, (double)operands / (double)words);
    }
}

int main(int argc, char **argv)
{
    uint8_t *bytes = malloc(MAX_BYTES);
    int status = bytes == NULL;
    if (bytes != NULL && argc < 2) {
        measure("random valid words", bytes, random_words(bytes));
    }
    for (int i = 1; bytes != NULL && i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            (void)fprintf(stderr, "bench_decode_aarch64: %s: cannot be opened\n", argv[i]);
            status = 1;
            continue;
        }
        measure(argv[i], bytes, fread(bytes, 1, MAX_BYTES, file));
        (void)fclose(file);
    }
    free(bytes);
    return status;
}
