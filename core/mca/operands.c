/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes of an instruction. The reference builds their list once, from the first instruction of the block
 * with the same descriptor, and applies it to later ones: constant registers in the first drop the record (3.5-3.9). */
#include "internal.h"

static bool is_constant(const struct sl_isa *isa, uint16_t reg)
{
    return (isa->reg_flags[reg] & SL_REG_CONSTANT) != 0;
}

static bool is_reg(const struct sl_insn *insn, unsigned i)
{
    unsigned stored = sl_insn_stored(insn);

    return i < stored ? insn->operand[i].kind == SL_OPERAND_REG : i < insn->n_operands;
}

/* Of an operand that is one. */
static uint16_t reg_of(const struct sl_isa *isa, const struct sl_insn *insn, unsigned i)
{
    unsigned stored = sl_insn_stored(insn);

    return i < stored ? insn->operand[i].reg : sl_insn_list_reg(isa, insn, i - stored);
}

static unsigned optional_defs(const struct sl_op_row *op)
{
    return (op->flags & SL_OP_OPTIONAL_DEF) != 0 ? 1u : 0u;
}

static unsigned explicit_uses(const struct sl_op_row *op)
{
    unsigned defs = op->n_defs + optional_defs(op);

    return op->n_operands > defs ? op->n_operands - defs : 0u;
}

static unsigned variadic(const struct sl_op_row *op, const struct sl_insn *insn)
{
    return insn->n_operands > op->n_operands ? (unsigned)insn->n_operands - op->n_operands : 0u;
}

unsigned mca_read_slots(const struct sl_isa *isa, const struct sl_insn *first)
{
    const struct sl_op_row *op = sl_op_row(isa, first->op);
    unsigned extra = (op->flags & SL_OP_VARIADIC_DEFS) == 0 ? variadic(op, first) : 0u;

    return explicit_uses(op) + isa->reg_lists[op->implicit_uses] + extra;
}

bool mca_read_slot(const struct sl_isa *isa, const struct sl_insn *first, const struct sl_insn *insn, unsigned k,
                   struct mca_operand_read *read)
{
    const struct sl_op_row *op = sl_op_row(isa, first->op);
    const uint16_t *implicit = &isa->reg_lists[op->implicit_uses];
    unsigned uses = explicit_uses(op), i;

    *read = (struct mca_operand_read){ .use = (uint8_t)k };
    if (k >= uses && k < uses + implicit[0]) {
        read->reg = implicit[1 + k - uses];
        read->implicit = true;
        read->no_class = is_constant(isa, read->reg);
        return read->reg != 0;
    }
    i = k < uses ? op->n_defs + k : op->n_operands + (k - uses - implicit[0]);
    if (!is_reg(first, i) || (k < uses && is_constant(isa, reg_of(isa, first, i))))
        return false;
    if (!is_reg(insn, i))
        return false;
    read->reg = reg_of(isa, insn, i);
    return read->reg != 0;
}

unsigned mca_write_slots(const struct sl_isa *isa, const struct sl_insn *first)
{
    const struct sl_op_row *op = sl_op_row(isa, first->op);
    unsigned extra = (op->flags & SL_OP_VARIADIC_DEFS) != 0 ? variadic(op, first) : 0u;

    return op->n_defs + isa->reg_lists[op->implicit_defs] + optional_defs(op) + extra;
}

static void def_latency(const struct sl_cpu *cpu, const struct sl_class_row *row, uint32_t max_latency, unsigned k,
                        struct mca_operand_write *write)
{
    write->latency = max_latency;
    write->write_id = 0;
    if (k < row->n_lat) {
        const struct sl_write_lat *e = &cpu->write_lat[row->lat + k];
        if (e->cycles >= 0)
            write->latency = (uint32_t)e->cycles;
        write->write_id = e->write_id;
    }
}

/* Operand index of explicit definition k in `first`. False for a slot that the reference leaves all-zero; it then
 * stands for a write of operand 0 (3.5). */
static bool explicit_def(const struct sl_isa *isa, const struct sl_op_row *op, const struct sl_insn *first, unsigned k,
                         unsigned *operand)
{
    unsigned cur = 0;

    if ((op->flags & SL_OP_OPTIONAL_DEF) != 0 && op->optional_def == k)
        return false;
    for (unsigned i = 0; i < first->n_operands; i++) {
        if (!is_reg(first, i) || cur++ != k)
            continue;
        if (is_constant(isa, reg_of(isa, first, i)))
            return false;
        *operand = i;
        return true;
    }
    return false;
}

static bool clears_super(const struct sl_isa *isa, const struct sl_op_row *op, uint16_t reg)
{
    uint8_t flags = isa->reg_flags[reg];

    return (flags & SL_REG_CLEARS_SUPER) != 0 || ((flags & SL_REG_CLEARS_VECTOR) != 0 && (op->flags & SL_OP_CLEARS_VECTOR) != 0);
}

bool mca_write_slot(const struct sl_cpu *cpu, const struct sl_class_row *row, uint32_t max_latency, const struct sl_insn *first,
                    const struct sl_insn *insn, unsigned k, struct mca_operand_write *write)
{
    const struct sl_isa *isa = cpu->isa;
    const struct sl_op_row *op = sl_op_row(isa, first->op);
    const uint16_t *implicit = &isa->reg_lists[op->implicit_defs];
    unsigned operand = 0;
    bool optional = false;

    *write = (struct mca_operand_write){ 0 };
    if (k < op->n_defs) {
        if (explicit_def(isa, op, first, k, &operand))
            def_latency(cpu, row, max_latency, k, write);
        if (is_reg(insn, k))
            write->clears_super = clears_super(isa, op, reg_of(isa, insn, k));
    } else if (k < (unsigned)op->n_defs + implicit[0]) {
        write->reg = implicit[1 + k - op->n_defs];
        def_latency(cpu, row, max_latency, k, write);
        write->clears_super = clears_super(isa, op, write->reg);
        return !is_constant(isa, write->reg);
    } else {
        unsigned at = k - op->n_defs - implicit[0];
        optional = optional_defs(op) != 0 && at == 0;
        if (optional)
            operand = op->optional_def;
        else
            operand = op->n_operands + at - optional_defs(op);
        if (!optional && !(is_reg(first, operand) && !is_constant(isa, reg_of(isa, first, operand))))
            return false;
        write->latency = max_latency;
    }
    write->reg = is_reg(insn, operand) ? reg_of(isa, insn, operand) : 0;
    return !(optional && write->reg == 0) && !is_constant(isa, write->reg);
}
