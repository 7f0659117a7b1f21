/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text that llvm-mc and clang print with -filetype=asm -show-encoding, line by line. */
#ifndef HOSTED_IO_ASM_OUTPUT_H
#define HOSTED_IO_ASM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_OUTPUT_BYTES 16u

enum asm_line_kind {
    ASM_LINE_OTHER,
    ASM_LINE_INSN,   /* text, bytes, fixup letters */
    ASM_LINE_FIXUP,  /* letter, offset, fixup kind: belongs to the latest instruction */
    ASM_LINE_NOTE,   /* text: what the printer of instructions adds to the latest one, with the comment sign */
    ASM_LINE_MARKER, /* number: echo of a marker */
    ASM_LINE_FENCE,  /* number: so many markers have been met */
    ASM_LINE_EXPANSION,     /* number: source offset of a statement that may become several instructions */
    ASM_LINE_EXPANSION_END, /* they were all */
    ASM_LINE_PROBE,  /* behind the source; what follows is ours */
    ASM_LINE_MODE,   /* number: .code 16 (Thumb) or .code 32 */
    ASM_LINE_BROKEN  /* looks like an instruction, but its encoding cannot be understood */
};

struct asm_line {
    enum asm_line_kind kind;
    const char *text;       /* INSN: without leading blanks and padding; FIXUP: the kind's name; NOTE */
    size_t text_len;
    uint8_t bytes[ASM_OUTPUT_BYTES];  /* bits of fixups as printed, or 0 */
    char letters[ASM_OUTPUT_BYTES];   /* fixup letter that touches the byte, or 0 */
    unsigned n_bytes;
    unsigned number;        /* MARKER, FENCE, EXPANSION */
    unsigned offset;        /* FIXUP */
    char letter;            /* FIXUP */
};

/* One line, without its line end. `comment` is the target's comment sign ("#", "//"), `prefix` the one of the markers. */
void asm_output_line(const char *line, size_t len, const char *comment, const char *prefix, struct asm_line *out);

#endif
