/* SPDX-License-Identifier: Apache-2.0 */
/* Text of an instruction of a block, whichever input it came from. */
#include "code_text.h"

#include <string.h>

const char *code_text(struct block *block, const struct block_insn *insn, const struct disasm_options *options)
{
    const char *symbols[SL_INSN_OPERANDS] = { NULL };
    size_t size = DISASM_TEXT_BYTES;
    char small[2 * DISASM_TEXT_BYTES], *text;
    if (insn->text)
        return insn->text;
    for (unsigned i = 0; i < insn->n_symbols; i++) {
        symbols[insn->symbol_operand[i]] = insn->symbol[i];
        size += strlen(insn->symbol[i]);
    }
    if (size > sizeof small) {
        text = pool_take(&block->pool, size);
        disasm_text(insn->isa ? insn->isa : block->isa, &insn->insn, insn->bytes, options, symbols, text, size);
        return text;
    }
    disasm_text(insn->isa ? insn->isa : block->isa, &insn->insn, insn->bytes, options, symbols, small, size);
    return pool_text(&block->pool, small, strlen(small));
}
