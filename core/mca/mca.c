/* SPDX-License-Identifier: Apache-2.0 */
/* The public face: need, init, run. */
#include "lower.h"

/* Cycles beyond every latency and resource use after which a machine without any event is stuck. */
#define PATIENCE_CYCLES 4096u
/* Times are compared by signed difference: no single latency may come near half the range. */
#define MAX_CALL_LATENCY 0x3fffffffu

static struct sl_mca_config defaults(const struct sl_cpu *cpu, const struct sl_mca_config *config)
{
    static const struct sl_mca_config none = { 0 };
    struct sl_mca_config c = config != NULL ? *config : none;

    if (c.iterations == 0)
        c.iterations = 100;
    if (c.dispatch_width == 0)
        c.dispatch_width = cpu->issue_width;
    if (!c.call_latency_set)
        c.call_latency = 100;
    if (c.instruction_tables)
        c.iterations = 1;
    return c;
}

size_t sl_mca_need(const struct sl_cpu *cpu, const struct sl_mca_config *config, size_t n_insns)
{
    struct sl_mca_config c = defaults(cpu, config);
    struct mca_sizes z;

    mca_sizes_any(cpu, &c, n_insns, &z);
    return mca_layout_bytes(&z);
}

size_t sl_mca_need_for(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_insn *code, size_t n_insns)
{
    struct sl_mca_config c = defaults(cpu, config);
    struct mca_sizes z;
    size_t error_index;

    if (n_insns == 0 || mca_sizes_of(cpu, &c, code, n_insns, &z, &error_index))
        return 0;
    return mca_layout_bytes(&z);
}

enum sl_status sl_mca_check(const struct sl_cpu *cpu, const struct sl_insn *insn)
{
    uint16_t sched_class;
    enum sl_status err = sl_cpu_resolve(cpu, insn, &sched_class);

    return err ? err : mca_desc_check(cpu, insn, sched_class);
}

static void set_patience(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t longest = 0;

    for (uint32_t i = 0; i < s->n_descs; i++) {
        longest = sl_max_u32(longest, s->descs[i].max_latency_cycles);
        for (unsigned k = 0; k < s->descs[i].n_resources; k++)
            longest = sl_max_u32(longest, s->descs[i].resources[k].cycles);
    }
    for (uint32_t i = 0; i < s->n_writes; i++)
        longest = sl_max_u32(longest, s->writes[i].latency);
    s->patience = longest < MAX_CALL_LATENCY ? longest + PATIENCE_CYCLES : UINT32_MAX / 2u;
}

static void reset(struct sl_mca *m, const struct mca_sizes *z)
{
    struct sl_mca_state *s = m->state;

    s->n_slots = (uint32_t)z->slots;
    s->read_stride = (uint32_t)z->read_stride;
    s->write_stride = (uint32_t)z->write_stride;
    s->node_stride = (uint32_t)z->node_stride;
    s->total = m->config.iterations * m->n_insns;
    mca_files_init(m);
    mca_resource_init(m);
    mca_resource_demands(s);
    mca_lsu_init(m);
    if (m->in_order)
        mca_inorder_reset(m);
    else
        mca_ooo_reset(m);
    set_patience(m);
}

enum sl_status sl_mca_init(struct sl_mca *m, const struct sl_cpu *cpu, const struct sl_mca_config *config,
                           const struct sl_insn *code, size_t n_insns, void *mem, size_t mem_bytes)
{
    struct mca_scratch x = { .code = code };
    struct sl_arena arena;
    struct mca_sizes z;
    size_t need, mark;
    enum sl_status err;

    *m = (struct sl_mca){ .cpu = cpu, .config = defaults(cpu, config), .in_order = cpu->micro_op_buffer_size <= 1 };
    if (n_insns == 0 || n_insns > UINT32_MAX / 4u || m->config.call_latency > MAX_CALL_LATENCY || cpu->isa->n_regs > MCA_MAX_REGS ||
        cpu->n_files > MCA_MAX_FILES)
        return SL_E_ARGUMENT;
    m->n_insns = (uint32_t)n_insns;
    err = mca_sizes_of(cpu, &m->config, code, n_insns, &z, &m->error_index);
    if (err)
        return err;
    need = mca_layout_bytes(&z);
    if (mem_bytes < need) {
        m->missing_bytes = need - mem_bytes;
        return SL_E_ROOM;
    }
    sl_arena_init(&arena, mem, mem_bytes);
    m->state = mca_layout_block(&arena, &z);
    m->state->quirks = 0;
    mark = arena.used_bytes;
    mca_layout_scratch(&arena, &z, &x);
    x.hash_size = z.hash;
    m->state->n_insns = m->n_insns;
    m->state->n_files = (uint32_t)z.files;
    m->insns = m->state->insns;
    err = mca_lower_block(m, &x, &m->error_index);
    if (err)
        return err;
    mca_lower_classes(m, &x);
    m->state->commits = mca_lower_commits(m);
    m->state->moves = z.moves;
    m->state->plain = MCA_HAS_PLAIN && mca_lower_plain(m);
    if (z.moves)
        mca_lower_moves(m, &x);
    else if (MCA_HAS_PLAIN)
        mca_lower_compact(m);
    arena.used_bytes = mark;
    mca_layout_run(&arena, &z, m->state);
    m->state->max_feeds = (uint32_t)z.feeds;
    m->state->plain = mca_is_plain(m->state) && mca_feeds_find(m);
    reset(m, &z);
    return SL_OK;
}

uint32_t sl_mca_quirks(const struct sl_mca *m)
{
    return m->config.no_quirks ? 0 : m->state->quirks;
}

static bool is_lean(const struct sl_mca *m)
{
    return mca_is_plain(m->state) && (m->watched & ~MCA_LEAN_KINDS) == 0 && m->config.micro_op_queue_size == 0;
}

static bool one_cycle(struct sl_mca *m, bool lean)
{
    bool more;

    if (lean)
        more = mca_lean_cycle(m);
    else
        more = m->in_order ? mca_inorder_cycle(m) : mca_ooo_cycle(m);
    m->cycles = m->state->now;
    return more;
}

enum sl_status sl_mca_run(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;
    uint32_t slice = m->config.slice_cycles, from = s->now;
    bool lean = is_lean(m);

    if (s->done)
        return SL_OK;
    if (m->config.instruction_tables) {
        mca_tables_run(m);
        s->done = true;
        return SL_OK;
    }
    while (slice == 0 || s->now - from < slice) {
        bool more = one_cycle(m, lean);
        if (s->undefined)
            return SL_E_UNDEFINED;
        if (!more) {
            s->done = true;
            return SL_OK;
        }
        if (s->now - s->last_progress > s->patience)
            return SL_E_STUCK;
    }
    return SL_E_AGAIN;
}
