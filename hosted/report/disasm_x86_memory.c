/* SPDX-License-Identifier: Apache-2.0 */
/* x86 memory operands: disp(base,index,scale) in AT&T's syntax, [base + scale*index + disp] in Intel's. */
#include "disasm_render.h"

static const char *reg_text(uint16_t reg, const struct disasm_context *context)
{
    const char *name = context->reg_name(reg);
    return !name ? "?" : context->intel ? name + (name[0] == '%') : name;
}

static void put_number(struct disasm_out *out, int64_t value, const struct disasm_context *context)
{
    static const struct disasm_number plain = { 1, 0, 0, DISASM_LINEAR, DISASM_S64, DISASM_BY_OPTION };
    char text[DISASM_NUMBER_BYTES];
    disasm_number_text(&plain, value, context->hex, text);
    disasm_put(out, text);
}

static void put_scale(struct disasm_out *out, int64_t scale)
{
    const char text[2] = { (char)('0' + scale % 10), '\0' };
    disasm_put(out, text);
}

static void put_att(const struct sl_operand *o, const char *symbol, const struct disasm_context *context,
                    struct disasm_out *out)
{
    if (symbol)
        disasm_put(out, symbol);
    else if (o[3].imm || (!o[0].reg && !o[2].reg))
        put_number(out, o[3].imm, context);
    if (!o[0].reg && !o[2].reg)
        return;
    disasm_put(out, "(");
    if (o[0].reg)
        disasm_put(out, reg_text(o[0].reg, context));
    if (o[2].reg) {
        disasm_put(out, ",");
        disasm_put(out, reg_text(o[2].reg, context));
        if (o[1].imm != 1) {
            disasm_put(out, ",");
            put_scale(out, o[1].imm);
        }
    }
    disasm_put(out, ")");
}

static void put_intel_displacement(const struct sl_operand *o, bool alone, const struct disasm_context *context,
                                   struct disasm_out *out)
{
    int64_t value = o[3].imm;
    if (alone) {
        put_number(out, value, context);
    } else if (value) {
        disasm_put(out, value > 0 || value == INT64_MIN ? " + " : " - ");
        put_number(out, value > 0 || value == INT64_MIN ? value : -value, context);
    }
}

static void put_intel(const struct sl_operand *o, const char *symbol, const struct disasm_context *context,
                      struct disasm_out *out)
{
    bool alone = !o[0].reg && !o[2].reg;
    disasm_put(out, "[");
    if (o[0].reg)
        disasm_put(out, reg_text(o[0].reg, context));
    if (o[2].reg) {
        if (o[0].reg)
            disasm_put(out, " + ");
        if (o[1].imm != 1 || !o[0].reg) {
            put_scale(out, o[1].imm);
            disasm_put(out, "*");
        }
        disasm_put(out, reg_text(o[2].reg, context));
    }
    if (symbol) {
        if (!alone)
            disasm_put(out, " + ");
        disasm_put(out, symbol);
    } else {
        put_intel_displacement(o, alone, context, out);
    }
    disasm_put(out, "]");
}

bool disasm_x86_memory(const struct sl_insn *insn, unsigned first, const struct disasm_context *context,
                       struct disasm_out *out)
{
    const struct sl_operand *o = &insn->operand[first];
    const char *symbol;
    if (first + 5 > insn->n_operands || o[0].kind != SL_OPERAND_REG || o[1].kind != SL_OPERAND_IMM ||
        o[2].kind != SL_OPERAND_REG || o[3].kind == SL_OPERAND_REG || o[4].kind != SL_OPERAND_REG)
        return false;
    symbol = context->symbols[first + 3];
    if (o[3].kind == SL_OPERAND_EXPR && !symbol)
        return false;
    if (o[4].reg) {
        disasm_put(out, reg_text(o[4].reg, context));
        disasm_put(out, ":");
    }
    if (context->intel)
        put_intel(o, symbol, context, out);
    else
        put_att(o, symbol, context, out);
    return true;
}
