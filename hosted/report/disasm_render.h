/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of learned text tables. */
#ifndef HOSTED_REPORT_DISASM_RENDER_H
#define HOSTED_REPORT_DISASM_RENDER_H

#include "disasm_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct disasm_context {
    bool hex;                                 /* hexadecimal immediates */
    bool intel;                               /* x86 memory operands in Intel's syntax */
    const struct sl_isa *isa;                 /* Arm: whose registers a list is of */
    const char *(*reg_name)(uint16_t reg);    /* x86, Arm; a leading % is left out in Intel's syntax */
    const char *symbols[SL_INSN_OPERANDS];    /* texts that stand for immediate operands, or NULL */
    const char *symbol_mark;                  /* what goes before them outside of memory operands, or NULL */
};

/* A text that is cut at its end. */
struct disasm_out {
    char *text;
    size_t size, used;
};
void disasm_put(struct disasm_out *out, const char *text);

/* false: the tables do not know the text; `out` is then unspecified. */
bool disasm_render(const struct disasm_tables *tables, const struct sl_insn *insn, const struct disasm_context *context,
                   struct disasm_out *out);

/* x86: base, scale, index, displacement and segment from operand `first` on. */
bool disasm_x86_memory(const struct sl_insn *insn, unsigned first, const struct disasm_context *context,
                       struct disasm_out *out);

#ifdef __cplusplus
}
#endif
#endif
