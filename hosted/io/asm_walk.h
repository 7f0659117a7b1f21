/* SPDX-License-Identifier: Apache-2.0 */
/* The text that llvm-mc or clang printed -> instructions and regions of a block. */
#ifndef HOSTED_IO_ASM_WALK_H
#define HOSTED_IO_ASM_WALK_H

#include "block.h"
#include "markers.h"

/* `comment` is the sign of the target's comments in the output: "#", "##", "//" or ";".
 * false: the output cannot be understood, reported. Wrong markers are reported, too, and give true. */
bool asm_walk(struct block *block, const struct source *source, const struct marker_scan *scan,
              const char *comment, const char *output, size_t len, struct diag *diag);

/* GNU as: the same for its listing (-alnm). */
void asm_gnu_walk(struct block *block, const struct source *source, const struct marker_scan *scan,
                  const char *listing, size_t len, struct diag *diag);

/* x86-64: a lone xacquire has the byte of repne, xrelease that of rep; by the instruction's text it gets its own
 * scheduling class. */
void asm_keep_elision_hint(struct block_insn *insn, const struct sl_isa *isa);

#endif
