/* SPDX-License-Identifier: Apache-2.0 */
/* Finds LLVM-MCA-BEGIN and LLVM-MCA-END comments in assembly text, and rewrites the text so that an assembler's
 * textual output shows where they were. */
#ifndef HOSTED_IO_MARKERS_H
#define HOSTED_IO_MARKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "pool.h"

/* How the target's assembly lexer sees comments. */
enum comment_syntax {
    COMMENTS_X86,    /* # and // anywhere */
    COMMENTS_RISCV,  /* likewise; what pseudo-instructions become is marked, too */
    COMMENTS_RISCV_INSTRUMENTS, /* ... and other LLVM-MCA- comments are instruments */
    COMMENTS_AARCH64, /* # as the first token of a statement; // is a comment, but never a marker (llvm-mca quirk) */
    COMMENTS_ARM, /* @ and // anywhere, # as the first token of a statement */
    COMMENTS_AARCH64_APPLE /* ; and // anywhere, # as the first token of a statement; statements are parted by %% */
};

struct marker {
    size_t offset;      /* of the comment's text, behind the comment sign */
    const char *name;   /* of the region; "" = anonymous. Instrument: kind and data */
    bool is_end;
    bool is_instrument; /* LLVM-MCA-KIND DATA: of neither a beginning nor an end */
    bool in_body;       /* inside a .macro, .rept or .irp body: it counts again at each expansion */
    size_t body_end;    /* ... then: number of markers up to the end of the outermost body */
};

struct marker_scan {
    struct marker *markers;
    size_t n_markers, capacity;
    struct text text;      /* the rewritten source: same lines, same columns outside of comments */
    char prefix[16];       /* the echo of marker k is ".globl <prefix>m<k>", that of a fence ".globl <prefix>f<k>" */
    int dialect;           /* of the last .intel_syntax / .att_syntax: 1, 0; -1 without one */
};

/* A fence <k> is put behind .endif, .endr and the like: k markers have been met so far, whether they are echoed or not
 * (markers in skipped conditionals count too, as in llvm-mca). With blank_comments the rewritten text has no comments
 * (clang echoes them) and no .addrsig (GNU as does not know it). Names live in the pool. */
void marker_scan(struct marker_scan *scan, const struct source *source, enum comment_syntax syntax,
                 bool blank_comments, struct pool *pool);
void marker_scan_free(struct marker_scan *scan);

/* Is this comment text a marker? Sets name (into the text) and is_end. */
bool marker_parse(const char *text, size_t len, bool *is_end, const char **name, size_t *name_len);

#endif
