/* SPDX-License-Identifier: Apache-2.0 */
/* Text of an instruction of a block, whichever input it came from. */
#ifndef HOSTED_CLI_CODE_TEXT_H
#define HOSTED_CLI_CODE_TEXT_H

#include "../io/block.h"
#include "../report/disasm.h"

/* Without leading blanks; lives as long as the block. */
const char *code_text(struct block *block, const struct block_insn *insn, const struct disasm_options *options);

#endif
