/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text of decoded instructions: picks the tables, adds prefixes and symbols, falls back to the encoding. */
#include "disasm.h"

#include <stdio.h>
#include <string.h>

#include "disasm_render.h"

/* The order of LLVM's printer; of the two repeat prefixes one counts. */
static void put_prefixes(uint32_t flags, struct disasm_out *out)
{
    if (flags & SL_INSN_LOCK)
        disasm_put(out, "lock\t\t");
    if (flags & SL_INSN_NOTRACK)
        disasm_put(out, "notrack\t\t");
    if (flags & SL_INSN_REPNE)
        disasm_put(out, "repne\t\t");
    else if (flags & SL_INSN_REP)
        disasm_put(out, "rep\t\t");
    if (flags & SL_INSN_ADDR32)
        disasm_put(out, "addr32\t\t");
}

static void put_encoding(const struct sl_isa *isa, const struct sl_insn *insn, const uint8_t *bytes, struct disasm_out *out)
{
    char text[16];
    if ((isa == &sl_isa_thumb || isa == &sl_isa_thumbm) && insn->len_bytes == 4) { /* the first half is the upper one */
        snprintf(text, sizeof text, "0x%04x%04x", (unsigned)sl_get_u16le(bytes), (unsigned)sl_get_u16le(bytes + 2));
        disasm_put(out, ".inst.w\t");
        disasm_put(out, text);
        return;
    }
    if (isa != &sl_isa_x86_64) { /* words; of two or four bytes where both exist */
        snprintf(text, sizeof text, insn->len_bytes == 2 ? "0x%04x" : "0x%08x",
                 (unsigned)(insn->len_bytes == 2 ? sl_get_u16le(bytes) : sl_get_u32le(bytes)));
        if (isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32)
            disasm_put(out, ".insn\t");
        else if (isa == &sl_isa_aarch64 || isa == &sl_isa_arm)
            disasm_put(out, ".inst\t");
        else
            disasm_put(out, ".inst.n\t");
        disasm_put(out, text);
        return;
    }
    disasm_put(out, ".byte\t");
    for (unsigned i = 0; i < insn->len_bytes; i++) {
        snprintf(text, sizeof text, i ? ", 0x%02x" : "0x%02x", bytes[i]);
        disasm_put(out, text);
    }
}

/* NULL: an instruction set without texts. */
static const struct disasm_tables *tables_of(const struct sl_isa *isa, unsigned dialect)
{
    if (isa == &sl_isa_thumbm)
        return &disasm_thumbm;
    if (isa == &sl_isa_thumb)
        return &disasm_thumb;
    if (isa == &sl_isa_arm)
        return &disasm_arm;
    if (isa == &sl_isa_aarch64)
        return &disasm_aarch64;
    if (isa == &sl_isa_riscv64)
        return &disasm_riscv64;
    if (isa == &sl_isa_riscv32)
        return &disasm_riscv32;
    if (isa == &sl_isa_x86_64)
        return dialect ? &disasm_x86_64_intel : &disasm_x86_64_att;
    return NULL;
}

static const char *(*reg_names(const struct sl_isa *isa))(uint16_t)
{
    if (isa == &sl_isa_thumbm)
        return sl_thumbm_reg_name;
    return isa == &sl_isa_thumb || isa == &sl_isa_arm ? sl_arm_reg_name : sl_x86_64_reg_name;
}

/* Arm: a symbol stands for the whole address of a literal; where the text is cut it ends before that. */
static void name_literals(const struct sl_insn *insn, const char *const *symbols, char *text, bool cut)
{
    for (unsigned i = 0; symbols && i < sl_insn_stored(insn); i++) {
        size_t len = symbols[i] ? strlen(symbols[i]) : 0;
        char *at = strstr(text, "[pc, ");
        if (len && cut && (at = strchr(text, '[')) != NULL)
            *at = '\0';
        if (!len || cut || !at || strncmp(at + 5, symbols[i], len) != 0 || at[5 + len] != ']')
            continue;
        memmove(at, at + 5, len);
        memmove(at + len, at + 6 + len, strlen(at + 6 + len) + 1);
    }
}

bool disasm_text(const struct sl_isa *isa, const struct sl_insn *insn, const uint8_t *bytes,
                 const struct disasm_options *options, const char *const *symbols, char *text, size_t size)
{
    const struct disasm_tables *tables = tables_of(isa, options->dialect);
    struct disasm_context context = { .hex = options->hex, .intel = tables == &disasm_x86_64_intel, .isa = isa,
                                      .reg_name = reg_names(isa) };
    struct disasm_out out = { .text = text, .size = size };
    if (size)
        text[0] = '\0';
    /* Intel's syntax marks an address that is a plain operand, not where a branch leads. */
    if (context.intel && !(sl_op_row(isa, insn->op)->flags & (SL_OP_BRANCH | SL_OP_CALL)))
        context.symbol_mark = "offset ";
    for (unsigned i = 0; symbols && i < sl_insn_stored(insn); i++)
        context.symbols[i] = symbols[i];
    put_prefixes(insn->flags, &out);
    if (tables && disasm_render(tables, insn, &context, &out)) {
        if (size && context.reg_name != sl_x86_64_reg_name)
            name_literals(insn, symbols, text, out.used + 1 >= size);
        return true;
    }
    out.used = 0;
    put_encoding(isa, insn, bytes, &out);
    return false;
}
