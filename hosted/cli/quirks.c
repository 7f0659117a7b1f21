/* SPDX-License-Identifier: Apache-2.0 */
/* Defects of llvm-mca that its results hold, and results without them (--no-quirks). */
#include "quirks.h"

#include <stdlib.h>
#include <string.h>

#include "../io/pool.h"
#include "mca_recur.h"

/* The mask register: groups of vector registers print the same name. */
static uint16_t mask_register(const struct sl_isa *isa)
{
    static const uint8_t vadd_v0[] = { 0x57, 0x00, 0x94, 0x02 }; /* vadd.vv v0, v9, v8 */
    struct sl_insn insn;
    return isa->decode(vadd_v0, sizeof vadd_v0, &insn) == SL_OK ? insn.operand[0].reg : 0;
}

/* vadc, vmerge and their relatives: the disassembler and the assembler leave out the operand, and the decoder of core
 * fills its place with a number. */
static bool lacks_mask(const struct sl_isa *isa, const struct sl_insn *insn)
{
    static const char *const names[] = { "VADC_", "VSBC_", "VMADC_", "VMSBC_", "VMERGE_", "VFMERGE_" };
    const char *name;
    if ((isa != &sl_isa_riscv64 && isa != &sl_isa_riscv32) || insn->n_operands != 4 ||
        insn->operand[3].kind != SL_OPERAND_IMM)
        return false;
    name = sl_riscv_op_name(insn->op);
    for (size_t i = 0; name && i < sizeof names / sizeof names[0]; i++) {
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    }
    return false;
}

bool quirks_mask_operand(const struct sl_isa *isa, struct sl_insn *insn)
{
    if (!lacks_mask(isa, insn))
        return false;
    insn->operand[3] = (struct sl_operand){ .kind = SL_OPERAND_REG, .reg = mask_register(isa) };
    return true;
}

bool quirks_mask_met(const struct sl_isa *isa, const struct sl_insn *code, size_t n)
{
    bool reads = false;
    uint16_t v0;
    for (size_t i = 0; i < n && !reads; i++)
        reads = lacks_mask(isa, &code[i]);
    if (!reads)
        return false;
    v0 = mask_register(isa);
    for (size_t i = 0; i < n; i++) {
        unsigned defs = sl_op_row(isa, code[i].op)->n_defs;
        for (unsigned k = 0; k < defs && k < code[i].n_operands; k++) {
            if (code[i].operand[k].kind == SL_OPERAND_REG && code[i].operand[k].reg == v0)
                return true;
        }
    }
    return false;
}

bool quirks_change_cycles(const struct sl_mca *m, const struct sl_insn *code, bool extrapolate)
{
    struct sl_mca_config config = m->config;
    struct sl_mca without;
    size_t need;
    void *memory;
    bool changed = false;
    config.no_quirks = true;
    config.pressure = false;
    need = sl_mca_need_for(m->cpu, &config, code, m->n_insns);
    memory = malloc(need ? need : 1);
    if (memory && !sl_mca_init(&without, m->cpu, &config, code, m->n_insns, memory, need) &&
        !mca_recur_run(&without, extrapolate, NULL))
        changed = without.cycles != m->cycles;
    free(memory);
    return changed;
}

void quirks_note(uint32_t quirks, struct diag *diag)
{
    static const struct {
        uint32_t quirk;
        const char *text;
    } names[] = {
        { SL_MCA_QUIRK_SHARED, "operands in the place of an earlier zero register are overlooked" },
        { SL_MCA_QUIRK_LOST, "instructions that end while another one is carried over are forgotten" },
        { SL_MCA_QUIRK_BUSY_UNIT, "instructions issue on busy units" },
        { SL_MCA_QUIRK_CRITICAL, "the last predecessor is taken for the critical one" },
        { SL_MCA_QUIRK_UNITS, "resources beyond the 32nd are never critical" },
        { SL_MCA_QUIRK_SEQUENCE, "rare or unlike dependencies shape the critical sequence" },
        { QUIRK_VECTOR_TYPE, "instruction information behind a dropped instruction is of another vector type" },
        { QUIRK_MASK, "vector instructions do not wait for their mask in v0" },
        { QUIRK_LOCATION, "what pseudo-instructions become is missing in marked regions" },
    };
    struct text list = { 0 };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (quirks & names[i].quirk)
            text_printf(&list, "%s%s", list.len ? "; " : "", names[i].text);
    }
    if (list.len)
        diag_say(diag, DIAG_NOTE, "defects of llvm-mca change this result (--no-quirks leaves them out): %s.", list.data);
    text_free(&list);
}
