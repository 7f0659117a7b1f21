/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers a block: descriptors through the reference's caches, reads and writes of each instruction (3.8, 3.9). */
#include "lower.h"

/* Descriptors are shared by opcode and class; of a variant class or variadic opcode by all but immediate values. */
static bool by_operands(const struct sl_cpu *cpu, const struct sl_insn *insn)
{
    const struct sl_isa *isa = cpu->isa;
    uint16_t own = insn->sched_class != 0 ? insn->sched_class : isa->ops[insn->op].sched_class;
    const struct sl_class_row *row = sl_cpu_class(cpu, own);

    return (row->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT || (sl_op_row(isa, insn->op)->flags & SL_OP_VARIADIC) != 0;
}

static uint16_t operand_key(const struct sl_operand *o)
{
    return o->kind == SL_OPERAND_REG ? o->reg : (uint16_t)(UINT16_MAX - o->kind);
}

static bool same_operands(const struct sl_insn *a, const struct sl_insn *b)
{
    if (a->flags != b->flags || a->n_operands != b->n_operands)
        return false;
    if (a->list_kind != b->list_kind || (a->list_kind != SL_LIST_NONE && (a->list != b->list || a->list_at != b->list_at)))
        return false;
    for (unsigned i = 0; i < sl_insn_stored(a); i++)
        if (operand_key(&a->operand[i]) != operand_key(&b->operand[i]))
            return false;
    return true;
}

static uint32_t hash_of(const struct sl_insn *insn, bool operands, uint16_t sched_class)
{
    uint32_t h = 2166136261u ^ insn->op;

    h *= 16777619u;
    h = (h ^ sched_class) * 16777619u;
    if (operands) {
        if (insn->list_kind != SL_LIST_NONE)
            h = (h ^ insn->list) * 16777619u;
        for (unsigned i = 0; i < sl_insn_stored(insn); i++)
            h = (h ^ operand_key(&insn->operand[i])) * 16777619u;
    }
    return h ^ h >> 15;
}

static bool has_place(const struct sl_isa *isa, const struct sl_operand *o)
{
    return o->kind == SL_OPERAND_REG && (isa->reg_flags[o->reg] & SL_REG_CONSTANT) == 0;
}

/* Constant registers, and what is no register, have no place in a descriptor: where the first instruction has one of
 * them, the reference overlooks the registers of later ones (3.8). */
static bool lacks_places(const struct sl_isa *isa, const struct sl_insn *first, const struct sl_insn *insn)
{
    for (unsigned i = 0; i < first->n_operands && i < insn->n_operands; i++)
        if (!has_place(isa, &first->operand[i]) && has_place(isa, &insn->operand[i]))
            return true;
    return false;
}

/* Index of the first instruction with the same descriptor; the instruction's own index if there is none. */
static size_t find_first(const struct sl_mca *m, struct mca_scratch *x, size_t index, uint16_t sched_class)
{
    const struct sl_insn *insn = &x->code[index];
    bool operands = by_operands(m->cpu, insn), exact = m->config.no_quirks;
    size_t at = hash_of(insn, operands, sched_class) & (x->hash_size - 1u);

    for (; x->hash[at] != 0; at = (at + 1u) & (x->hash_size - 1u)) {
        size_t first = x->hash[at] - 1u;
        const struct sl_insn *other = &x->code[first];
        if (other->op != insn->op)
            continue;
        if (m->state->descs[m->state->protos[first].desc].sched_class != sched_class ||
            (operands && !same_operands(insn, other)))
            continue;
        if (!lacks_places(m->cpu->isa, other, insn))
            return first;
        if (exact)
            continue;
        m->state->quirks |= SL_MCA_QUIRK_SHARED;
        return first;
    }
    x->hash[at] = (uint32_t)index + 1u;
    return index;
}

static bool is_independent(const struct sl_idiom_answer *idiom, const struct mca_operand_read *r)
{
    if (!idiom->breaks)
        return false;
    if (idiom->mask == 0)
        return !r->implicit;
    return r->use < idiom->mask_width && ((idiom->mask >> r->use) & 1u) != 0;
}

static void find_advance(const struct sl_cpu *cpu, const struct sl_class_row *row, unsigned use, struct mca_read *read)
{
    unsigned i = 0;

    while (i < sl_row_n_adv(row) && cpu->read_adv[row->adv + i].use < use)
        i++;
    read->adv = (uint16_t)(row->adv + i);
    while (i < sl_row_n_adv(row) && cpu->read_adv[row->adv + i].use == use) {
        read->n_adv++;
        i++;
    }
}

static void lower_reads(struct sl_mca *m, const struct sl_insn *first, const struct sl_insn *insn,
                        const struct sl_idiom_answer *idiom, struct mca_proto *p)
{
    struct sl_mca_state *s = m->state;
    const struct sl_class_row *row = s->descs[p->desc].row;
    unsigned slots = mca_read_slots(m->cpu->isa, first);

    p->reads = s->n_reads;
    for (unsigned k = 0; k < slots; k++) {
        struct mca_operand_read r;
        struct mca_read *read = &s->reads[s->n_reads];
        if (!mca_read_slot(m->cpu->isa, first, insn, k, &r))
            continue;
        *read = (struct mca_read){ .reg = r.reg, .independent = is_independent(idiom, &r) };
        if (!r.no_class)
            find_advance(m->cpu, row, r.use, read);
        s->n_reads++;
        p->n_reads++;
    }
}

static struct mca_rename rename_of(const struct mca_scratch *x, uint16_t reg)
{
    static const struct mca_rename none = { 0, 0, 1, false };

    return x->rename != NULL ? x->rename[reg] : none;
}

uint16_t mca_root(const struct mca_scratch *x, uint16_t reg)
{
    uint16_t as = rename_of(x, reg).as;

    return as != 0 ? as : reg;
}

/* Registers of each file that the write needs, and those it takes (7.2, 7.6). */
static void count_files(struct sl_mca_state *s, const struct mca_scratch *x, size_t index, const struct mca_write *w)
{
    uint16_t *need = &s->file_need[index * s->n_files], *alloc = &s->file_alloc[index * s->n_files];
    struct mca_rename own = rename_of(x, w->reg), root = rename_of(x, mca_root(x, w->reg));

    need[0] = (uint16_t)(need[0] + own.cost);
    if (own.file != 0)
        need[own.file] = (uint16_t)(need[own.file] + own.cost);
    if (w->zero || w->partial || w->reg == 0)
        return;
    alloc[0] = (uint16_t)(alloc[0] + root.cost);
    if (root.file != 0)
        alloc[root.file] = (uint16_t)(alloc[root.file] + root.cost);
}

static void lower_writes(struct sl_mca *m, const struct mca_scratch *x, const struct sl_insn *first, size_t index,
                         const struct sl_idiom_answer *idiom, struct mca_proto *p)
{
    struct sl_mca_state *s = m->state;
    const struct sl_mca_desc *desc = &s->descs[p->desc];
    unsigned slots = mca_write_slots(m->cpu->isa, first);

    p->writes = s->n_writes;
    p->first_wb = desc->max_latency_cycles;
    for (unsigned k = 0; k < slots; k++) {
        struct mca_operand_write o;
        struct mca_write *w = &s->writes[s->n_writes];
        if (!mca_write_slot(m->cpu, desc->row, desc->max_latency_cycles, first, &x->code[index], k, &o))
            continue;
        *w = (struct mca_write){ .latency = o.latency, .reg = o.reg, .write_id = o.write_id, .clears_super = o.clears_super,
                                 .zero = idiom->zero, .root_class = MCA_NO_CLASS };
        w->partial = mca_root(x, o.reg) != o.reg && !o.clears_super;
        p->first_wb = sl_min_u32(p->first_wb, o.latency);
        count_files(s, x, index, w);
        s->n_writes++;
        p->n_writes++;
    }
}

static void fill_insn(struct sl_mca *m, const struct sl_insn *insn, const struct sl_idiom_answer *idiom, size_t index)
{
    struct sl_mca_state *s = m->state;
    struct sl_mca_insn *out = &s->insns[index];
    struct mca_proto *p = &s->protos[index];
    const struct sl_mca_desc *desc = &s->descs[p->desc];
    uint16_t flags = sl_op_row(m->cpu->isa, insn->op)->flags;

    out->desc = desc;
    out->n_reads = p->n_reads;
    out->n_writes = p->n_writes;
    out->may_load = (flags & SL_OP_MAY_LOAD) != 0;
    out->may_store = (flags & SL_OP_MAY_STORE) != 0;
    out->load_barrier = (flags & SL_OP_LOAD_BARRIER) != 0 && !m->config.no_barriers;
    out->store_barrier = (flags & SL_OP_STORE_BARRIER) != 0 && !m->config.no_barriers;
    out->side_effects = (flags & SL_OP_SIDE_EFFECTS) != 0;
    out->begin_group = (desc->row->uops & SL_ROW_BEGIN_GROUP) != 0;
    out->end_group = (desc->row->uops & SL_ROW_END_GROUP) != 0;
    out->retire_ooo = (desc->row->uops & SL_ROW_RETIRE_OOO) != 0;
    out->optimizable_move = idiom->optimizable_move;
    p->is_mem = out->may_load || out->may_store;
    p->uops = desc->uops;
    p->dispatch_uops = sl_min_u32(desc->uops, m->config.dispatch_width);
    p->rob_slots = sl_max_u32(1, sl_min_u32(desc->uops, mca_rob_size(m->cpu)));
}

static enum sl_status lower_insn(struct sl_mca *m, struct mca_scratch *x, size_t index)
{
    struct sl_mca_state *s = m->state;
    const struct sl_insn *insn = &x->code[index];
    struct mca_proto *p = &s->protos[index];
    struct sl_idiom_answer idiom;
    uint16_t sched_class;
    size_t first;
    enum sl_status err = sl_cpu_resolve(m->cpu, insn, &sched_class);

    if (err)
        return err;
    first = find_first(m, x, index, sched_class);
    if (first == index) {
        p->desc = s->n_descs;
        err = mca_desc_build(m->cpu, &m->config, s->masks, insn, sched_class, &s->resources[s->n_resources], &s->descs[p->desc]);
        if (err)
            return err;
        s->n_resources += s->descs[p->desc].n_resources;
        s->n_descs++;
    } else {
        p->desc = s->protos[first].desc;
    }
    sl_cpu_idiom(m->cpu, insn, &idiom);
    lower_reads(m, &x->code[first], insn, &idiom, p);
    lower_writes(m, x, &x->code[first], index, &idiom, p);
    fill_insn(m, insn, &idiom, index);
    return SL_OK;
}

enum sl_status mca_lower_block(struct sl_mca *m, struct mca_scratch *x, size_t *error_index)
{
    sl_mca_resource_masks(m->cpu, m->state->masks);
    if (x->rename != NULL)
        mca_rename_all(m->cpu, x->rename);
    for (size_t i = 0; i < m->n_insns; i++) {
        enum sl_status err = lower_insn(m, x, i);
        if (err) {
            *error_index = i;
            return err;
        }
    }
    return SL_OK;
}

#if MCA_HAS_PLAIN
/* Drops what the machine need not look at: reads that no write of the block feeds, writes that no read sees. */
void mca_lower_compact(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    for (uint32_t i = 0; i < m->n_insns; i++) {
        struct mca_proto *p = &s->protos[i];
        uint16_t reads = 0, writes = 0;
        for (unsigned k = 0; k < p->n_reads; k++) {
            const struct mca_read read = s->reads[p->reads + k];
            if (s->class_lists[read.classes] != 0 && !read.independent)
                s->reads[p->reads + reads++] = read;
        }
        for (unsigned k = 0; k < p->n_writes; k++) {
            const struct mca_write write = s->writes[p->writes + k];
            if (s->class_lists[write.classes] != 0 || write.partial)
                s->writes[p->writes + writes++] = write;
        }
        p->n_reads = reads;
        p->n_writes = writes;
    }
}
#endif

/* Can a result's counter run past MCA_UNKNOWN while its instruction still executes? */
static bool long_waits(const struct sl_mca_state *s)
{
    for (uint32_t i = 0; i < s->n_descs; i++)
        if (s->descs[i].max_latency_cycles >= (uint32_t)-MCA_UNKNOWN)
            return true;
    return false;
}

/* Can an instruction be carried over to the next cycle? LLVM 19 loses others then (chapter 11). */
static bool may_carry(const struct sl_mca *m)
{
    for (uint32_t i = 0; i < m->state->n_descs; i++)
        if (m->state->descs[i].uops > m->cpu->issue_width)
            return true;
    return false;
}

bool mca_lower_plain(const struct sl_mca *m)
{
    const struct sl_mca_state *s = m->state;

    return !m->config.pressure && !s->moves && !s->commits && !long_waits(s) && !(m->in_order && may_carry(m));
}

/* Must definitions outlive their instruction? For negative read-advances, and where a call's latency is set below that
 * of its own results. */
bool mca_lower_commits(const struct sl_mca *m)
{
    const struct sl_mca_state *s = m->state;

    for (uint32_t i = 0; i < m->n_insns; i++) {
        const struct mca_proto *p = &s->protos[i];
        for (unsigned k = 0; k < p->n_reads; k++)
            for (unsigned a = 0; a < s->reads[p->reads + k].n_adv; a++)
                if (m->cpu->read_adv[s->reads[p->reads + k].adv + a].cycles < 0)
                    return true;
        for (unsigned k = 0; k < p->n_writes; k++)
            if (s->writes[p->writes + k].latency > s->descs[p->desc].max_latency_cycles)
                return true;
    }
    return false;
}
