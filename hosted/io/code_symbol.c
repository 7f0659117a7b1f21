/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the operands of machine code. */
#include "code_symbol.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fixup.h"

struct modifier {
    uint32_t type;
    bool counts_from_field;
    const char *prefix, *suffix;
};

/* ELF for the Arm 64-bit Architecture, "Relocation types". The other types have no modifier. */
static const struct modifier aarch64_modifiers[] = {
    { R_AARCH64_ADR_PREL_PG_HI21_NC, false, ":pg_hi21_nc:", "" },
    { R_AARCH64_ADD_ABS_LO12_NC, false, ":lo12:", "" },
    { R_AARCH64_LDST8_ABS_LO12_NC, false, ":lo12:", "" },
    { R_AARCH64_LDST16_ABS_LO12_NC, false, ":lo12:", "" },
    { R_AARCH64_LDST32_ABS_LO12_NC, false, ":lo12:", "" },
    { R_AARCH64_LDST64_ABS_LO12_NC, false, ":lo12:", "" },
    { R_AARCH64_LDST128_ABS_LO12_NC, false, ":lo12:", "" },
    { R_AARCH64_ADR_GOT_PAGE, false, ":got:", "" },
    { R_AARCH64_LD64_GOT_LO12_NC, false, ":got_lo12:", "" },
    { R_AARCH64_LD64_GOTPAGE_LO15, false, ":gotpage_lo15:", "" },
    { R_AARCH64_MOVW_UABS_G0, false, ":abs_g0:", "" },
    { R_AARCH64_MOVW_UABS_G0_NC, false, ":abs_g0_nc:", "" },
    { R_AARCH64_MOVW_UABS_G1, false, ":abs_g1:", "" },
    { R_AARCH64_MOVW_UABS_G1_NC, false, ":abs_g1_nc:", "" },
    { R_AARCH64_MOVW_UABS_G2, false, ":abs_g2:", "" },
    { R_AARCH64_MOVW_UABS_G2_NC, false, ":abs_g2_nc:", "" },
    { R_AARCH64_MOVW_UABS_G3, false, ":abs_g3:", "" },
    { R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21, false, ":gottprel:", "" },
    { R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC, false, ":gottprel_lo12:", "" },
    { R_AARCH64_TLSLE_ADD_TPREL_HI12, false, ":tprel_hi12:", "" },
    { R_AARCH64_TLSLE_ADD_TPREL_LO12, false, ":tprel_lo12:", "" },
    { R_AARCH64_TLSLE_ADD_TPREL_LO12_NC, false, ":tprel_lo12_nc:", "" },
    { R_AARCH64_TLSDESC_ADR_PAGE21, false, ":tlsdesc:", "" },
    { R_AARCH64_TLSDESC_LD64_LO12, false, ":tlsdesc_lo12:", "" },
    { R_AARCH64_TLSDESC_ADD_LO12, false, ":tlsdesc_lo12:", "" },
};

/* System V psABI for x86-64, table 4.9. Types of PC-relative fields count from the field. */
static const struct modifier x86_64_modifiers[] = {
    { R_X86_64_PC8, true, "", "" },
    { R_X86_64_PC16, true, "", "" },
    { R_X86_64_PC32, true, "", "" },
    { R_X86_64_PC64, true, "", "" },
    { R_X86_64_PLT32, true, "", "@PLT" },
    { R_X86_64_GOTPCREL, true, "", "@GOTPCREL" },
    { R_X86_64_GOTPCRELX, true, "", "@GOTPCREL" },
    { R_X86_64_REX_GOTPCRELX, true, "", "@GOTPCREL" },
    { R_X86_64_GOTTPOFF, true, "", "@GOTTPOFF" },
    { R_X86_64_TLSGD, true, "", "@TLSGD" },
    { R_X86_64_TLSLD, true, "", "@TLSLD" },
    { R_X86_64_GOTPC32, true, "", "" },
    { R_X86_64_TPOFF32, false, "", "@TPOFF" },
    { R_X86_64_DTPOFF32, false, "", "@DTPOFF" },
    { R_X86_64_TPOFF64, false, "", "@TPOFF" },
    { R_X86_64_DTPOFF64, false, "", "@DTPOFF" },
    { R_X86_64_GOTOFF64, false, "", "@GOTOFF" },
    { R_X86_64_GOT32, false, "", "@GOT" },
};

/* RISC-V ELF psABI, "Relocations"; LLVM writes the addend inside of the parentheses. */
static const struct modifier riscv_modifiers[] = {
    { R_RISCV_HI20, false, "%hi(", ")" },
    { R_RISCV_LO12_I, false, "%lo(", ")" },
    { R_RISCV_LO12_S, false, "%lo(", ")" },
    { R_RISCV_PCREL_HI20, false, "%pcrel_hi(", ")" },
    { R_RISCV_PCREL_LO12_I, false, "%pcrel_lo(", ")" },
    { R_RISCV_PCREL_LO12_S, false, "%pcrel_lo(", ")" },
    { R_RISCV_GOT_HI20, false, "%got_pcrel_hi(", ")" },
    { R_RISCV_TLS_GOT_HI20, false, "%tls_ie_pcrel_hi(", ")" },
    { R_RISCV_TLS_GD_HI20, false, "%tls_gd_pcrel_hi(", ")" },
    { R_RISCV_TPREL_HI20, false, "%tprel_hi(", ")" },
    { R_RISCV_TPREL_LO12_I, false, "%tprel_lo(", ")" },
    { R_RISCV_TPREL_LO12_S, false, "%tprel_lo(", ")" },
};

static const struct modifier *modifiers_of(uint16_t machine, size_t *n)
{
    switch (machine) {
    case EM_X86_64:
        *n = sizeof x86_64_modifiers / sizeof x86_64_modifiers[0];
        return x86_64_modifiers;
    case EM_RISCV:
        *n = sizeof riscv_modifiers / sizeof riscv_modifiers[0];
        return riscv_modifiers;
    default:
        *n = sizeof aarch64_modifiers / sizeof aarch64_modifiers[0];
        return aarch64_modifiers;
    }
}

void code_symbol_modifier(struct code_patch *patch, uint16_t machine, uint32_t type)
{
    size_t n;
    const struct modifier *list = modifiers_of(machine, &n);
    patch->prefix = patch->suffix = "";
    patch->counts_from_field = false;
    for (size_t i = 0; i < n; i++) {
        if (list[i].type != type)
            continue;
        patch->prefix = list[i].prefix;
        patch->suffix = list[i].suffix;
        patch->counts_from_field = list[i].counts_from_field;
    }
}

static void add_symbol(struct block_insn *insn, unsigned operand, const char *text)
{
    if (insn->n_symbols == BLOCK_INSN_SYMBOLS)
        return;
    insn->symbol_operand[insn->n_symbols] = (uint8_t)operand;
    insn->symbol[insn->n_symbols++] = text;
}

/* The last target at or in front of an address; NULL: none. */
static const struct code_target *target_at(const struct code_target *targets, size_t n, uint64_t address)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (targets[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &targets[low - 1] : NULL;
}

static const char *patch_text(struct block *block, const struct code_patch *patch, uint64_t insn_end)
{
    char addend[24] = "";
    int64_t value = patch->addend;
    const char *name = patch->symbol;
    const struct code_target *place;
    bool inside = *patch->suffix == ')';
    size_t len;
    char *text;
    if (patch->counts_from_field)
        value = (int64_t)((uint64_t)value + (insn_end - patch->address));
    place = target_at(patch->places, patch->n_places, (uint64_t)value);
    if (place && ((uint64_t)value == place->address || (uint64_t)value - place->address < place->size)) {
        name = place->name;
        value -= (int64_t)place->address;
    }
    if (value)
        snprintf(addend, sizeof addend, "%+" PRId64, value);
    len = strlen(patch->prefix) + strlen(name) + strlen(patch->suffix) + strlen(addend);
    text = pool_take(&block->pool, len + 1);
    snprintf(text, len + 1, "%s%s%s%s", patch->prefix, name, inside ? addend : patch->suffix,
             inside ? patch->suffix : addend);
    return text;
}

void code_symbol_patch(struct block *block, const struct sl_isa *isa, struct block_insn *insn,
                       const struct code_patch *patch)
{
    uint8_t before[SL_INSN_OPERANDS] = { 0 };
    for (unsigned i = 0; i < sl_insn_stored(&insn->insn); i++)
        before[i] = insn->insn.operand[i].kind;
    fixup_mark(insn, isa, (unsigned)(patch->address - insn->address), patch->bytes);
    for (unsigned i = 0; i < sl_insn_stored(&insn->insn) && patch->symbol; i++) {
        if (insn->insn.operand[i].kind != before[i])
            add_symbol(insn, i, patch_text(block, patch, insn->address + insn->len_bytes));
    }
}

/* 32-bit Arm counts from the instruction after the next, a change from Thumb to A32 from a whole word. */
static uint64_t arm_target(const struct sl_isa *isa, const struct sl_insn *insn, uint64_t address, uint64_t distance)
{
    const char *name = isa == &sl_isa_thumb ? sl_arm_op_name(insn->op) : NULL;
    uint64_t from = address + (isa == &sl_isa_arm ? 8 : 4);
    if (name && !strcmp(name, "tBLXi"))
        from &= ~(uint64_t)3;
    return (from + distance) & 0xffffffffu;
}

/* The operand of a direct branch that says where it leads, or SL_INSN_OPERANDS. */
static unsigned branch_operand(const struct sl_isa *isa, const struct sl_insn *insn, uint64_t address, uint64_t *target)
{
    bool x86 = isa == &sl_isa_x86_64, arm = isa == &sl_isa_arm || isa == &sl_isa_thumb || isa == &sl_isa_thumbm;
    unsigned condition = sl_op_row(isa, insn->op)->predicate & SL_PREDICATE_INDEX;
    unsigned flags = sl_op_row(isa, insn->op)->flags, found = SL_INSN_OPERANDS;
    if (!(flags & (SL_OP_BRANCH | SL_OP_CALL)) || (flags & SL_OP_INDIRECT))
        return found;
    for (unsigned i = 0; i < sl_insn_stored(insn); i++) {
        if (insn->operand[i].kind == SL_OPERAND_IMM && i + 1 != condition && (found == SL_INSN_OPERANDS || !x86))
            found = i;
    }
    if (found < SL_INSN_OPERANDS) {
        uint64_t distance = (uint64_t)insn->operand[found].imm;
        *target = x86   ? address + insn->len_bytes + distance
                  : arm ? arm_target(isa, insn, address, distance)
                        : address + (isa == &sl_isa_aarch64 ? 4 : 1) * distance;
    }
    return found;
}

void code_symbol_target(struct block *block, struct block_insn *insn, const struct code_stretch *s)
{
    uint64_t target = 0;
    unsigned operand = branch_operand(insn->isa ? insn->isa : block->isa, &insn->insn, insn->address, &target);
    const struct code_target *found;
    if (operand == SL_INSN_OPERANDS)
        return;
    found = target_at(s->targets, s->n_targets, target);
    if (!found || found->address != target)
        return;
    /* A loop to a function's own beginning has a local label in assembly, which the file does not hold. */
    if (!(sl_op_row(block->isa, insn->insn.op)->flags & SL_OP_CALL) && insn->address - target < found->size)
        return;
    add_symbol(insn, operand, pool_text(&block->pool, found->name, strlen(found->name)));
}
