/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text -> block, through whichever assembler is installed. */
#ifndef HOSTED_IO_ASM_INPUT_H
#define HOSTED_IO_ASM_INPUT_H

#include "block.h"
#include "markers.h"

enum assembler_kind { ASSEMBLER_LLVM_MC, ASSEMBLER_CLANG, ASSEMBLER_GNU };

struct asm_input_options {
    const char *assembler; /* "auto", "llvm-mc", "clang", "as", or a path */
    const char *triple;
    const char *cpu;
    const char *features;  /* -mattr text; NULL or "": none */
    int dialect;           /* -output-asm-variant; -1: that of the input's end */
    bool hex_immediates;
    bool no_instruments;   /* RISC-V: LLVM-MCA comments other than of regions mean nothing */
    bool skip_failures;    /* lines that do not assemble are dropped: their diagnostics stay */
};

enum asm_input_result {
    ASM_INPUT_OK,
    ASM_INPUT_SYNTAX,  /* the assembler reported errors */
    ASM_INPUT_MARKERS, /* wrong region markers */
    ASM_INPUT_COMMENTS, /* wrong instruments */
    ASM_INPUT_FAILED   /* no assembler, or it cannot be used */
};

/* Fills an initialised block. All messages have gone to diag; without skip_failures nothing is usable unless OK. */
enum asm_input_result asm_input_read(struct block *block, const struct source *source,
                                     const struct asm_input_options *options, struct diag *diag);

#endif
