/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction descriptors: what a resolved scheduling class means on this CPU (3.2, 3.3, 3.4, 3.7). */
#include "internal.h"

size_t mca_desc_resources(const struct sl_cpu *cpu, const struct sl_class_row *row)
{
    size_t n = 0;

    for (unsigned i = 0; i < row->n_res; i++)
        n += cpu->write_res[row->res + i].release_cycle != 0;
    return n;
}

/* Units first, then smaller groups, ties by mask. */
static bool before(const struct sl_mca_resource *a, const struct sl_mca_resource *b)
{
    unsigned na = sl_popcount64(a->mask), nb = sl_popcount64(b->mask);

    return na != nb ? na < nb : a->mask < b->mask;
}

struct usage {
    uint32_t super[MCA_MAX_RESOURCES]; /* cycles attributed to a super-resource, by msb of its mask */
    uint64_t super_keys;               /* which of them exist: a mere look-up creates one */
    bool all_in_order, any_hazard;
};

/* The class's entries, sorted into issue order; returns their number. */
static unsigned collect(const struct sl_cpu *cpu, const uint64_t *masks, const struct sl_class_row *row,
                        struct sl_mca_resource *work, struct sl_mca_desc *desc, struct usage *u)
{
    unsigned n = 0;

    for (unsigned i = 0; i < row->n_res; i++) {
        const struct sl_write_res *e = &cpu->write_res[row->res + i];
        const struct sl_proc_resource *res = &cpu->resources[e->resource];
        uint64_t mask = masks[e->resource];
        struct sl_mca_resource item = { mask, e->release_cycle, e->resource, (uint8_t)sl_msb64(mask | 1u), 1, false };
        unsigned at = n;

        if (e->release_cycle == 0)
            continue;
        if (res->buffer_size < 0) {
            u->all_in_order = false;
        } else {
            desc->used_buffers |= (uint64_t)1 << item.state;
            u->any_hazard |= res->buffer_size == 0;
            u->all_in_order &= res->buffer_size <= 1;
        }
        if (res->super != 0) {
            unsigned s = sl_msb64(masks[res->super] | 1u);
            u->super[s] += e->release_cycle;
            u->super_keys |= (uint64_t)1 << s;
        }
        for (; at > 0 && before(&item, &work[at - 1]); at--)
            work[at] = work[at - 1];
        work[at] = item;
        n++;
    }
    return n;
}

/* Takes the cycles of resource `a`, a part of later ones, out of these. */
static void consume(struct sl_mca_resource *work, unsigned n, unsigned i, uint64_t members, struct usage *u)
{
    for (unsigned j = i + 1; j < n; j++) {
        if ((members & work[j].mask) != members)
            continue;
        u->super_keys |= (uint64_t)1 << work[i].state;
        work[j].cycles -= work[i].cycles - u->super[work[i].state];
        if (sl_popcount64(work[j].mask) > 1)
            work[j].units++;
    }
}

static void share(const struct sl_cpu *cpu, struct sl_mca_resource *work, unsigned n, struct sl_mca_desc *desc, struct usage *u)
{
    uint64_t units_from_groups = 0;
    unsigned kept = 0;

    for (unsigned i = 0; i < n; i++) {
        uint64_t members = work[i].mask, bit = (uint64_t)1 << work[i].state;

        if (work[i].cycles == 0) { /* covered by its members */
            desc->used_groups |= bit;
            continue;
        }
        if (sl_popcount64(members) == 1) {
            desc->used_units |= members;
        } else {
            members ^= bit;
            desc->overlap |= (units_from_groups & members) != 0;
            units_from_groups |= members;
            desc->used_groups |= bit;
        }
        consume(work, n, i, members, u);
    }
    for (unsigned i = 0; i < n; i++) {
        const struct sl_proc_resource *res = &cpu->resources[work[i].resource];
        if (work[i].cycles == 0)
            continue;
        work[kept] = work[i];
        if (sl_popcount64(work[kept].mask) > 1 && work[kept].units > res->n_units) {
            work[kept].reserved = true;
            work[kept].units = res->n_units;
        }
        kept++;
    }
    desc->n_resources = (uint16_t)kept;
}

static void extra_buffers(const struct sl_cpu *cpu, const uint64_t *masks, const struct usage *u, struct sl_mca_desc *desc)
{
    for (unsigned k = 1; k < cpu->n_resources; k++) {
        uint64_t key = masks[k];
        if (((u->super_keys >> sl_msb64(key | 1u)) & 1u) == 0)
            continue;
        for (unsigned i = 1; i < cpu->n_resources; i++)
            if (cpu->resources[i].buffer_size != -1 && masks[i] != key && (masks[i] & key) == key)
                desc->used_buffers |= (uint64_t)1 << sl_msb64(masks[i]);
    }
}

static uint32_t max_latency(const struct sl_cpu *cpu, const struct sl_class_row *row, bool call, uint32_t call_latency)
{
    uint32_t latency = 0;

    if (call)
        return call_latency;
    for (unsigned i = 0; i < row->n_lat; i++) {
        int cycles = cpu->write_lat[row->lat + i].cycles;
        if (cycles < 0)
            return call_latency;
        latency = sl_max_u32(latency, (uint32_t)cycles);
    }
    return latency;
}

/* Fewer register operands than definitions, or an optional definition that is none (3.4). */
static bool operands_ok(const struct sl_isa *isa, const struct sl_insn *insn)
{
    const struct sl_op_row *op = sl_op_row(isa, insn->op);
    unsigned need = op->n_defs;

    for (unsigned i = 0; i < sl_insn_stored(insn) && need > 0; i++)
        need -= insn->operand[i].kind == SL_OPERAND_REG;
    if (need > insn->n_operands - sl_insn_stored(insn))
        return false;
    if ((op->flags & SL_OP_OPTIONAL_DEF) == 0)
        return true;
    return op->n_operands > 0 && op->n_operands <= insn->n_operands &&
           insn->operand[op->n_operands - 1].kind == SL_OPERAND_REG;
}

enum sl_status mca_desc_check(const struct sl_cpu *cpu, const struct sl_insn *insn, uint16_t sched_class)
{
    const struct sl_class_row *row = sl_cpu_class(cpu, sched_class);

    if ((row->uops & SL_UOPS_MASK) == SL_UOPS_INVALID)
        return SL_E_UNSUPPORTED;
    if (!operands_ok(cpu->isa, insn))
        return SL_E_OPERANDS;
    if ((row->uops & SL_UOPS_MASK) == 0 && mca_desc_resources(cpu, row) != 0)
        return SL_E_ZERO_UOPS;
    return SL_OK;
}

enum sl_status mca_desc_build(const struct sl_cpu *cpu, const struct sl_mca_config *config, const uint64_t *masks,
                              const struct sl_insn *insn, uint16_t sched_class, struct sl_mca_resource *resources,
                              struct sl_mca_desc *desc)
{
    const struct sl_class_row *row = sl_cpu_class(cpu, sched_class);
    enum sl_status err = mca_desc_check(cpu, insn, sched_class);
    struct usage u = { { 0 }, 0, true, false };
    unsigned n;

    if (err)
        return err;
    *desc = (struct sl_mca_desc){ .resources = resources, .row = row, .op = insn->op, .sched_class = sched_class,
                                  .uops = row->uops & SL_UOPS_MASK };
    n = collect(cpu, masks, row, resources, desc, &u);
    share(cpu, resources, n, desc, &u);
    extra_buffers(cpu, masks, &u, desc);
    desc->max_latency_cycles = max_latency(cpu, row, (sl_op_row(cpu->isa, insn->op)->flags & SL_OP_CALL) != 0,
                                           config->call_latency);
    desc->must_issue = (u.all_in_order && u.any_hazard && !config->no_quirks) || (desc->max_latency_cycles == 0 && desc->n_resources == 0);
    return SL_OK;
}
