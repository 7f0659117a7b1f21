/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory a block needs: bounds counted in one pass, without memory. */
#include "lower.h"

/* Inlined into one another, the lists of registers on the stack would add up beyond the frame limit. */
#define APART __attribute__((noinline))

struct regset { uint32_t bits[MCA_MAX_REGS / 32u]; };
struct seen {
    struct regset relevant;    /* registers that some read overlaps */
    struct regset reads;       /* registers read */
    struct regset writes;      /* registers written */
};

static bool first_time(struct regset *set, uint16_t reg)
{
    bool seen = sl_bit_test(set->bits, reg);

    sl_bit_set(set->bits, reg);
    return !seen;
}

static void add_relevant(const struct sl_isa *isa, struct seen *seen, uint16_t reg)
{
    uint16_t regs[MCA_MAX_CLOSURE];
    unsigned n = mca_closure(isa, reg, regs);

    for (unsigned i = 0; i < n; i++)
        sl_bit_set(seen->relevant.bits, regs[i]);
}

APART static void count_read(const struct sl_cpu *cpu, uint16_t reg, struct seen *seen, struct mca_sizes *z, size_t *nodes)
{
    uint16_t regs[MCA_MAX_CLOSURE];
    size_t n = mca_closure(cpu->isa, reg, regs);

    *nodes += n;
    if (n > z->max_list)
        z->max_list = n;
    if (first_time(&seen->reads, reg)) {
        add_relevant(cpu->isa, seen, reg);
        if (z->renames) /* an eliminated move makes it an alias of its renamed register */
            add_relevant(cpu->isa, seen, mca_rename_of(cpu, reg).as);
        z->list_items += n + 1;
    }
}

/* Two lists, whether the write clears super-registers or not: a dropped definition makes operand 0 a write of the
 * other kind (3.5). */
APART static void count_write(const struct sl_cpu *cpu, const struct mca_operand_write *w, struct seen *seen, struct mca_sizes *z)
{
    uint16_t regs[MCA_MAX_CLOSURE];
    uint16_t as = z->renames ? mca_rename_of(cpu, w->reg).as : 0;
    uint16_t root = as != 0 ? as : w->reg;

    if (!first_time(&seen->writes, w->reg))
        return;
    z->list_items += 2u * (mca_closure(cpu->isa, root, regs) + 1u);
    if (as != 0 && as != w->reg)
        add_relevant(cpu->isa, seen, root);
}

/* Super-registers are at most so many in all: each pair is found once from below and once from above. */
APART static size_t closure_pairs(const struct sl_isa *isa, const struct regset *set, size_t *longest)
{
    uint16_t regs[MCA_MAX_CLOSURE];
    size_t pairs = 0;

    for (uint16_t r = 1; r < isa->n_regs; r++) {
        size_t n = sl_bit_test(set->bits, r) ? mca_closure(isa, r, regs) : 1u;
        pairs += n - 1u;
        *longest = n > *longest ? n : *longest;
    }
    return pairs;
}

static size_t popcount_set(const struct regset *set)
{
    size_t n = 0;

    for (unsigned i = 0; i < MCA_MAX_REGS / 32u; i++)
        n += sl_popcount64(set->bits[i]);
    return n;
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Units a single issue can report in instruction-tables mode. */
static size_t table_uses(const struct sl_cpu *cpu, const struct sl_class_row *row)
{
    size_t n = 0;

    for (unsigned i = 0; i < row->n_res; i++) {
        const struct sl_proc_resource *res = &cpu->resources[cpu->write_res[row->res + i].resource];
        unsigned members = res->is_group ? res->n_units : 1u;
        for (unsigned k = 0; k < members; k++)
            n += cpu->resources[res->is_group ? cpu->members[res->members + k] : cpu->write_res[row->res + i].resource].n_units;
    }
    return n;
}

static size_t total_units(const struct sl_cpu *cpu)
{
    size_t n = 0;

    for (unsigned i = 1; i < cpu->n_resources; i++)
        n += (cpu->resources[i].is_group ? 1u : cpu->resources[i].n_units) + 1u;
    return n;
}

/* What an in-order machine can have in flight: instructions without micro-ops but with a latency issue without limit. */
struct flight {
    size_t max_latency;
    size_t zero_run, longest_zero_run, leading_zero_run; /* consecutive ones of these */
    bool any_uops;
};

static size_t in_flight(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct flight *f, size_t n_insns)
{
    uint64_t total = (uint64_t)config->iterations * n_insns;
    uint64_t bound;

    if (cpu->micro_op_buffer_size > 1) {
        bound = cpu->reorder_buffer_size != 0 ? cpu->reorder_buffer_size : cpu->micro_op_buffer_size;
    } else {
        uint64_t width = cpu->issue_width;
        uint64_t each = width + (width + 1u) * (uint64_t)f->longest_zero_run;
        bound = f->any_uops ? each * (f->max_latency + 1u) + 2u : total;
    }
    bound = bound < total ? bound : total;
    bound = bound < SIZE_MAX / 4096u ? bound : SIZE_MAX / 4096u;
    return bound != 0 ? (size_t)bound : 1u;
}

static void finish(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct flight *f, struct mca_sizes *z)
{
    z->in_order = cpu->micro_op_buffer_size <= 1;
    z->pressure = config->pressure;
    z->files = cpu->n_files > 1 ? cpu->n_files : 1u;
    z->limited = cpu->n_files > 1 || config->register_file_size != 0;
    z->regs = cpu->isa->n_regs;
    z->slots = config->instruction_tables ? 1u : in_flight(cpu, config, f, z->insns);
    z->groups = z->slots + 5u;
    z->busy = total_units(cpu);
    for (z->hash = 4; z->hash < 2u * z->insns; z->hash *= 2u)
        ;
    z->node_stride = z->in_order ? 0 : z->node_stride;
    z->feeds = z->pressure || !MCA_HAS_PLAIN ? 0 : z->reads + z->writes;
}

static void count_flight(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_class_row *row, bool call,
                         struct flight *f)
{
    size_t latency = call ? config->call_latency : 0;

    for (unsigned i = 0; i < row->n_lat; i++) {
        int cycles = cpu->write_lat[row->lat + i].cycles;
        latency = max_size(latency, cycles < 0 ? config->call_latency : (size_t)cycles);
    }
    f->max_latency = max_size(f->max_latency, latency);
    if ((row->uops & SL_UOPS_MASK) == 0) {
        f->zero_run += latency != 0;
    } else {
        if (!f->any_uops)
            f->leading_zero_run = f->zero_run;
        f->any_uops = true;
        f->zero_run = 0;
    }
    f->longest_zero_run = max_size(f->longest_zero_run, f->zero_run + f->leading_zero_run);
}

APART static void count_insn(const struct sl_cpu *cpu, const struct sl_class_row *row, const struct sl_insn *insn, struct seen *seen,
                       struct mca_sizes *z)
{
    unsigned reads = mca_read_slots(cpu->isa, insn), writes = mca_write_slots(cpu->isa, insn);
    struct mca_operand_read r;
    struct mca_operand_write w;
    size_t nodes = writes;

    for (unsigned k = 0; k < reads; k++)
        if (mca_read_slot(cpu->isa, insn, insn, k, &r))
            count_read(cpu, r.reg, seen, z, &nodes);
    for (unsigned k = 0; k < writes; k++)
        if (mca_write_slot(cpu, row, 0, insn, insn, k, &w) && w.reg != 0)
            count_write(cpu, &w, seen, z);
    z->reads += reads;
    z->writes += writes;
    z->resources += mca_desc_resources(cpu, row);
    z->read_stride = max_size(z->read_stride, reads);
    z->write_stride = max_size(z->write_stride, writes);
    z->node_stride = max_size(z->node_stride, nodes);
    z->uses = max_size(z->uses, max_size(row->n_res, table_uses(cpu, row)));
}

/* Three register lists for each kind of write; shadowed writes have lists of their own. */
APART static void count_moves(const struct sl_cpu *cpu, const struct seen *seen, const struct sl_insn *code, struct mca_sizes *z)
{
    struct sl_idiom_answer idiom;
    struct mca_operand_read r;
    size_t kinds = 2u * popcount_set(&seen->writes);

    for (size_t i = 0; i < z->insns && z->renames && !z->moves; i++) {
        sl_cpu_idiom(cpu, &code[i], &idiom);
        z->moves = idiom.optimizable_move;
    }
    if (!z->moves)
        return;
    z->move_items = 3u + (kinds + z->writes) * (3u + 5u * MCA_MAX_MOVE_REGS);
    z->node_stride = z->read_stride * MCA_MAX_MOVE_REGS + z->write_stride + z->node_stride;
    z->max_list = max_size(z->max_list, MCA_MAX_MOVE_REGS);
    for (size_t i = 0; i < z->insns; i++)
        for (unsigned k = 0; k < mca_read_slots(cpu->isa, &code[i]); k++)
            if (mca_read_slot(cpu->isa, &code[i], &code[i], k, &r))
                z->list_items += 1u + MCA_MAX_MOVE_REGS;
}

enum sl_status mca_sizes_of(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_insn *code,
                            size_t n_insns, struct mca_sizes *z, size_t *error_index)
{
    struct seen seen = { { { 0 } }, { { 0 } }, { { 0 } } };
    struct flight flight = { 0, 0, 0, 0, false };

    *z = (struct mca_sizes){ .insns = n_insns, .list_items = 1, .max_list = 1, .renames = cpu->n_files > 1 };
    for (size_t i = 0; i < n_insns; i++) {
        const struct sl_class_row *row;
        uint16_t sched_class;
        enum sl_status err = sl_cpu_resolve(cpu, &code[i], &sched_class);

        if (err == SL_OK)
            err = mca_desc_check(cpu, &code[i], sched_class);
        if (err) {
            *error_index = i;
            return err;
        }
        row = sl_cpu_class(cpu, sched_class);
        count_insn(cpu, row, &code[i], &seen, z);
        count_flight(cpu, config, row, (sl_op_row(cpu->isa, code[i].op)->flags & SL_OP_CALL) != 0, &flight);
    }
    count_moves(cpu, &seen, code, z);
    z->edges = closure_pairs(cpu->isa, &seen.relevant, &z->max_list);
    z->dense = popcount_set(&seen.relevant);
    z->list_items += z->edges;
    finish(cpu, config, &flight, z);
    return SL_OK;
}

/* Operands beyond the declared ones, where these are no register list. */
#define MOST_MORE 12u

/* Most reads and writes of any opcode. */
static void max_operands(const struct sl_isa *isa, size_t *reads, size_t *writes)
{
    for (uint16_t op = 1; op < isa->n_ops; op++) {
        const struct sl_op_row *row = sl_op_row(isa, op);
        size_t extra = (row->flags & SL_OP_VARIADIC) == 0 ? 0u : isa->list_regs != NULL ? SL_LIST_MOST : MOST_MORE;
        size_t optional = (row->flags & SL_OP_OPTIONAL_DEF) != 0 ? 1u : 0u;
        size_t uses = row->n_operands > row->n_defs + optional ? row->n_operands - row->n_defs - optional : 0u;

        *reads = max_size(*reads, uses + isa->reg_lists[row->implicit_uses] + extra);
        *writes = max_size(*writes, row->n_defs + optional + isa->reg_lists[row->implicit_defs] + extra);
    }
}

void mca_sizes_any(const struct sl_cpu *cpu, const struct sl_mca_config *config, size_t n_insns, struct mca_sizes *z)
{
    const struct sl_isa *isa = cpu->isa;
    struct flight flight = { config->call_latency, 0, 0, 0, true };
    size_t reads = 0, writes = 0, resources = 0;
    struct regset all;
    bool zero_uops = false;

    *z = (struct mca_sizes){ .insns = n_insns, .renames = cpu->n_files > 1, .moves = cpu->n_files > 1 };
    for (unsigned i = 0; i < MCA_MAX_REGS / 32u; i++)
        all.bits[i] = UINT32_MAX;
    max_operands(isa, &reads, &writes);
    for (uint16_t c = 0; c < cpu->n_classes; c++) {
        const struct sl_class_row *row = sl_cpu_class(cpu, c);
        if ((row->uops & SL_UOPS_MASK) >= SL_UOPS_VARIANT)
            continue;
        count_flight(cpu, config, row, false, &flight);
        zero_uops |= flight.zero_run != 0;
        flight.zero_run = 0;
        resources = max_size(resources, row->n_res);
        z->uses = max_size(z->uses, max_size(row->n_res, table_uses(cpu, row)));
    }
    flight.longest_zero_run = zero_uops ? n_insns - 1u : 0;
    z->reads = reads * n_insns;
    z->writes = writes * n_insns;
    z->resources = resources * n_insns;
    z->read_stride = reads;
    z->write_stride = writes;
    z->max_list = z->moves ? MCA_MAX_MOVE_REGS : 1u;
    z->edges = closure_pairs(isa, &all, &z->max_list);
    z->node_stride = reads * z->max_list + writes + (z->moves ? reads * MCA_MAX_MOVE_REGS + writes : 0u);
    z->dense = isa->n_regs;
    z->list_items = 1u + 4u * (z->edges + isa->n_regs) + (z->moves ? z->reads * (1u + MCA_MAX_MOVE_REGS) : 0u);
    z->move_items = z->moves ? 3u + (2u * (size_t)isa->n_regs + z->writes) * (3u + 5u * MCA_MAX_MOVE_REGS) : 0u;
    finish(cpu, config, &flight, z);
}
