/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of instructions that came as bytes. */
#include "insn_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct cut_text {
    char *out;
    size_t size, used;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void put(struct cut_text *text, const char *format, ...)
{
    va_list args;
    int written;
    if (text->used + 1 >= text->size)
        return;
    va_start(args, format);
    written = vsnprintf(text->out + text->used, text->size - text->used, format, args);
    va_end(args);
    if (written > 0)
        text->used += (size_t)written;
    if (text->used >= text->size)
        text->used = text->size - 1;
}

insn_reg_name_fn *insn_reg_name(const struct sl_isa *isa)
{
    return isa == &sl_isa_aarch64 ? sl_aarch64_reg_name : sl_x86_64_reg_name;
}

static void put_operand(struct cut_text *text, insn_reg_name_fn *reg_name, const struct sl_operand *operand)
{
    const char *name;
    switch (operand->kind) {
    case SL_OPERAND_REG:
        name = operand->reg ? reg_name(operand->reg) : "-";
        put(text, "%s", name ? name : "?");
        break;
    case SL_OPERAND_EXPR:
        put(text, "<relocated>");
        break;
    default:
        put(text, "%" PRId64, operand->imm);
        break;
    }
}

void insn_text(const struct sl_isa *isa, const struct sl_insn *insn, char *out, size_t size)
{
    struct cut_text text = { .out = out, .size = size };
    const char *op_name = isa == &sl_isa_aarch64 ? sl_aarch64_op_name(insn->op) : sl_x86_64_op_name(insn->op);
    if (size)
        out[0] = '\0';
    put(&text, "%s", op_name ? op_name : "?");
    for (unsigned i = 0; i < insn->n_operands; i++) {
        put(&text, i ? ", " : "\t");
        put_operand(&text, insn_reg_name(isa), &insn->operand[i]);
    }
}
