/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling class of one instruction: variant rules, idioms, read-advances. */
#include <slotledger/model.h>

/* Operands past the instruction's own count match nothing, as llvm-mca's absent operands do. */
static const struct sl_operand *operand_of(const struct sl_insn *insn, unsigned index, enum sl_operand_kind kind)
{
    if (index >= sl_insn_stored(insn) || insn->operand[index].kind != (uint8_t)kind)
        return NULL;
    return &insn->operand[index];
}

static bool same_register(const struct sl_insn *insn, unsigned a, unsigned b)
{
    const struct sl_operand *x = operand_of(insn, a, SL_OPERAND_REG);
    const struct sl_operand *y = operand_of(insn, b, SL_OPERAND_REG);
    return x && y && x->reg == y->reg;
}

static bool register_in_set(const uint16_t *set, const struct sl_operand *operand)
{
    if (!operand)
        return false;
    for (unsigned i = 1; i <= set[0]; i++)
        if (set[i] == operand->reg)
            return true;
    return false;
}

static bool in_list(const struct sl_isa *isa, const struct sl_insn *insn, const struct sl_operand *operand)
{
    for (unsigned k = 0; operand && k + sl_insn_stored(insn) < insn->n_operands; k++)
        if (sl_insn_list_reg(isa, insn, k) == operand->reg)
            return true;
    return false;
}

static bool value_in_set(const struct sl_imm_set *set, const struct sl_operand *operand)
{
    return operand && operand->imm >= 0 && operand->imm <= 255 && sl_bit_test(set->words, (uint32_t)operand->imm);
}

static bool atom_holds(const struct sl_cpu *cpu, const struct sl_atom *atom, const struct sl_insn *insn)
{
    const struct sl_operand *imm = operand_of(insn, atom->a, SL_OPERAND_IMM);
    bool holds = false;
    switch (atom->kind & ~SL_ATOM_NOT) {
    case SL_ATOM_EQ:
        holds = same_register(insn, atom->a, atom->b);
        break;
    case SL_ATOM_REG:
        holds = register_in_set(cpu->sets + atom->set, operand_of(insn, atom->a, SL_OPERAND_REG));
        break;
    case SL_ATOM_IMM:
        holds = value_in_set(&cpu->imm_sets[atom->set], imm);
        break;
    case SL_ATOM_BITS:
        holds = imm && sl_bit_test(cpu->imm_sets[atom->set].words, (uint32_t)((uint64_t)imm->imm >> (atom->b & 63u)) & 255u);
        break;
    case SL_ATOM_IMMZ:
        holds = imm && imm->imm == 0;
        break;
    case SL_ATOM_ANY_IMM:
        holds = imm != NULL;
        break;
    case SL_ATOM_COUNT:
        holds = sl_bit_test(cpu->imm_sets[atom->set].words, insn->n_operands);
        break;
    case SL_ATOM_IN_LIST:
        holds = in_list(cpu->isa, insn, operand_of(insn, atom->a, SL_OPERAND_REG));
        break;
    case SL_ATOM_FLAG:
        holds = (insn->flags & atom->a) != 0;
        break;
    default:
        return false;
    }
    return holds != ((atom->kind & SL_ATOM_NOT) != 0);
}

static bool atoms_hold(const struct sl_cpu *cpu, unsigned first, unsigned n, const struct sl_insn *insn)
{
    for (unsigned i = first; i < first + n; i++)
        if (!atom_holds(cpu, &cpu->atoms[i], insn))
            return false;
    return true;
}

static const struct sl_variant *find_variant(const struct sl_cpu *cpu, uint16_t key)
{
    unsigned low = 0, high = cpu->n_variants;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (cpu->variants[middle].op < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cpu->n_variants && cpu->variants[low].op == key ? &cpu->variants[low] : NULL;
}

enum sl_status sl_cpu_resolve(const struct sl_cpu *cpu, const struct sl_insn *insn, uint16_t *sched_class)
{
    uint16_t found = insn->sched_class != 0 ? insn->sched_class : cpu->isa->ops[insn->op].sched_class;
    if (found != 0 && (sl_cpu_class(cpu, found)->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT) {
        uint16_t key = insn->sched_class != 0 ? (uint16_t)(SL_VARIANT_OF_CLASS | insn->sched_class) : insn->op;
        const struct sl_variant *variant = find_variant(cpu, key);
        if (!variant)
            return SL_E_UNRESOLVED;
        const struct sl_variant_rule *rule = &cpu->rules[variant->rules];
        while (!atoms_hold(cpu, rule->atoms, rule->n_atoms, insn))
            rule++; /* the last rule of a list has no atoms and always holds */
        found = rule->sched_class;
    }
    if (found == 0)
        return SL_E_UNRESOLVED;
    *sched_class = found;
    return SL_OK;
}

/* First idiom entry of the opcode, or n_idioms. */
static unsigned first_idiom(const struct sl_cpu *cpu, uint16_t op)
{
    unsigned low = 0, high = cpu->n_idioms;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (cpu->idioms[middle].op < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sl_cpu_idiom(const struct sl_cpu *cpu, const struct sl_insn *insn, struct sl_idiom_answer *answer)
{
    *answer = (struct sl_idiom_answer){.mask_width = 1};
    for (unsigned i = first_idiom(cpu, insn->op); i < cpu->n_idioms && cpu->idioms[i].op == insn->op; i++) {
        const struct sl_idiom *idiom = &cpu->idioms[i];
        if (!atoms_hold(cpu, idiom->atoms, idiom->n_atoms, insn))
            continue;
        answer->zero = (idiom->kind & SL_IDIOM_ZERO) != 0;
        answer->breaks = (idiom->kind & SL_IDIOM_BREAK) != 0;
        answer->optimizable_move = (idiom->kind & SL_IDIOM_MOVE) != 0;
        answer->mask_width = idiom->mask_width;
        answer->mask = idiom->mask;
        return;
    }
}

int sl_cpu_read_advance(const struct sl_cpu *cpu, const struct sl_class_row *row, unsigned use, uint16_t write_id)
{
    for (unsigned i = 0; i < sl_row_n_adv(row); i++) {
        const struct sl_read_adv *entry = &cpu->read_adv[row->adv + i];
        if (entry->use < use)
            continue;
        if (entry->use > use)
            break;
        if (entry->write_id == 0 || entry->write_id == write_id)
            return entry->cycles;
    }
    return 0;
}
