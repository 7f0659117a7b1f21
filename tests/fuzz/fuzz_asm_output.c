/* SPDX-License-Identifier: Apache-2.0 */
/* The text side of assembly input: any source is scanned, any assembler's output is walked over. */
#include "tests/fuzz/fuzz.h"

#include "hosted/io/asm_walk.h"
#include "hosted/io/riscv_vtype.h"

static const struct {
    const struct sl_isa *isa;
    enum comment_syntax syntax;
    const char *sign;
} targets[] = {{&sl_isa_x86_64, COMMENTS_X86, "#"},
               {&sl_isa_aarch64, COMMENTS_AARCH64, "//"},
               {&sl_isa_riscv64, COMMENTS_RISCV_INSTRUMENTS, "#"},
               {&sl_isa_riscv32, COMMENTS_RISCV, "#"}};

/* Input: a byte of flags, source text, a zero byte, the assembler's output. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = { .stream = NULL };
    struct marker_scan scan;
    struct block block;
    struct source source = { "fuzz", (const char *)data + 1, 0 };
    const uint8_t *zero = size > 1 ? memchr(data + 1, 0, size - 1) : NULL;
    unsigned target;
    bool gnu;
    size_t source_len;
    if (!zero) {
        return 0;
    }
    target = data[0] & 1u ? 1u : (data[0] >> 2 & 1u) * (2u + (data[0] >> 3 & 1u));
    gnu = data[0] & 2u;
    source_len = (size_t)(zero - (data + 1));
    source.len = source_len;
    block_init(&block, targets[target].isa);
    marker_scan(&scan, &source, targets[target].syntax, gnu, &block.pool);
    for (size_t i = 0; i < scan.n_markers; i++) {
        fuzz_require(scan.markers[i].offset <= source_len);
    }
    if (gnu) {
        asm_gnu_walk(&block, &source, &scan, (const char *)zero + 1, size - source_len - 2, &diag);
    } else {
        (void)asm_walk(&block, &source, &scan, targets[target].sign, (const char *)zero + 1, size - source_len - 2, &diag);
    }
    (void)riscv_instruments_check(&block, &diag, &source);
    riscv_vtype_apply(&block);
    for (size_t r = 0; r < block.n_regions; r++) {
        for (size_t m = 0; m < block.regions[r].n_members; m++) {
            fuzz_require(block.regions[r].members[m] < block.n_insns);
        }
    }
    marker_scan_free(&scan);
    block_free(&block);
    return 0;
}
