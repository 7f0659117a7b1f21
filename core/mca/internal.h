/* SPDX-License-Identifier: Apache-2.0 */
/* What the units of the machine offer each other. Chapters cited are those of the simulator specification. */
#ifndef SLOTLEDGER_CORE_MCA_INTERNAL_H
#define SLOTLEDGER_CORE_MCA_INTERNAL_H

#include "state.h"

/* The units of the machine are compiled once for every case, and once more, all together, for the case that counts most:
 * see lean.c, which sets these two. */
#ifdef __OPTIMIZE_SIZE__ /* where size counts there is one way for all dependencies, and one machine */
#define MCA_HAS_PLAIN 0
#define MCA_APART __attribute__((noinline, unused))
#else
#define MCA_HAS_PLAIN 1
#define MCA_APART inline
#endif
#ifndef MCA_LEAN
#define MCA_LEAN 0
#define MCA_HOT
#endif

/* a - b as a signed difference of cycle numbers */
static inline int32_t mca_diff(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

static inline bool mca_reached(const struct sl_mca_state *s, uint32_t when)
{
    return mca_diff(s->now, when) >= 0;
}

static inline uint32_t mca_later(uint32_t a, uint32_t b)
{
    return mca_diff(a, b) >= 0 ? a : b;
}

static inline const struct mca_proto *mca_proto_of(const struct sl_mca_state *s, const struct mca_slot *slot)
{
    return &s->protos[slot->position];
}

static inline const struct sl_mca_desc *mca_desc_of(const struct sl_mca_state *s, const struct mca_slot *slot)
{
    return &s->descs[slot->desc];
}

static inline uint32_t mca_rob_size(const struct sl_cpu *cpu)
{
    return cpu->reorder_buffer_size != 0 ? cpu->reorder_buffer_size : cpu->micro_op_buffer_size;
}

/* event.c */
#define MCA_LEAN_KINDS (1u << SL_MCA_ISSUED)
static inline bool mca_watched(const struct sl_mca *m, enum sl_mca_event_kind kind)
{
    return ((MCA_LEAN ? m->watched & MCA_LEAN_KINDS : m->watched) >> kind) & 1u;
}
/* Does somebody want to know why instructions wait? */
static inline bool mca_pressure(const struct sl_mca *m)
{
    return !MCA_LEAN && m->config.pressure;
}
static inline bool mca_eliminated(const struct mca_slot *t)
{
    return !MCA_LEAN && t->eliminated;
}
static inline bool mca_has_moves(const struct sl_mca_state *s)
{
    return !MCA_LEAN && s->moves;
}
static inline bool mca_is_plain(const struct sl_mca_state *s)
{
    return MCA_LEAN || (MCA_HAS_PLAIN && s->plain);
}
/* Does nobody look at single cycles? Then cycles in which nothing happens need not be simulated one by one. */
static inline bool mca_may_skip(const struct sl_mca *m)
{
    return MCA_LEAN || (m->watched & (1u << SL_MCA_CYCLE_END | 1u << SL_MCA_STALL | 1u << SL_MCA_PRESSURE)) == 0;
}
void mca_emit(struct sl_mca *m, enum sl_mca_event_kind kind, const struct mca_slot *slot);
/* The same, within the machine's loops, for an event of an instruction. */
static inline void mca_emit_here(struct sl_mca *m, enum sl_mca_event_kind kind, const struct mca_slot *slot)
{
    struct sl_mca_event *e = &m->state->event;

    if (!MCA_LEAN) {
        mca_emit(m, kind, slot);
        return;
    }
    e->kind = kind;
    e->cycle = m->state->now;
    e->iid = slot->iid;
    e->position = slot->position;
    e->insn = &m->state->insns[slot->position];
    for (struct sl_mca_observer *o = m->observers; o != NULL; o = o->next)
        if ((o->kinds >> kind) & 1u)
            o->event(o, e);
}
void mca_emit_stall(struct sl_mca *m, enum sl_mca_stall stall, uint32_t iid, uint32_t position);
void mca_emit_pressure(struct sl_mca *m, enum sl_mca_pressure reason, uint64_t mask, uint32_t n_iids);

/* desc.c */
size_t mca_desc_resources(const struct sl_cpu *cpu, const struct sl_class_row *row);
enum sl_status mca_desc_build(const struct sl_cpu *cpu, const struct sl_mca_config *config, const uint64_t *masks,
                              const struct sl_insn *insn, uint16_t sched_class, struct sl_mca_resource *resources,
                              struct sl_mca_desc *desc);
enum sl_status mca_desc_check(const struct sl_cpu *cpu, const struct sl_insn *insn, uint16_t sched_class);

/* operands.c: the reads and writes of an instruction, seen through the descriptor of `first` (3.5, 3.6, 3.8, 3.9) */
struct mca_operand_read {
    uint16_t reg;
    uint8_t use;
    bool implicit;
    bool no_class;
};
struct mca_operand_write {
    uint32_t latency;
    uint16_t reg;
    uint16_t write_id;
    bool clears_super;
};
unsigned mca_read_slots(const struct sl_isa *isa, const struct sl_insn *first);
bool mca_read_slot(const struct sl_isa *isa, const struct sl_insn *first, const struct sl_insn *insn, unsigned k,
                   struct mca_operand_read *read);
unsigned mca_write_slots(const struct sl_isa *isa, const struct sl_insn *first);
bool mca_write_slot(const struct sl_cpu *cpu, const struct sl_class_row *row, uint32_t max_latency, const struct sl_insn *first,
                    const struct sl_insn *insn, unsigned k, struct mca_operand_write *write);

/* resource.c */
MCA_HOT void mca_resource_init(struct sl_mca *m);
MCA_HOT void mca_resource_demands(struct sl_mca_state *s);
MCA_HOT uint64_t mca_resource_check(struct sl_mca_state *s, const struct sl_mca_desc *desc);
MCA_HOT void mca_resource_issue(struct sl_mca_state *s, const struct sl_mca_desc *desc);
MCA_HOT void mca_resource_cycle(struct sl_mca_state *s);

/* buffers (9.4): 0 free, 1 full, 2 reserved */
static inline int mca_buffers_check(const struct sl_mca_state *s, uint64_t buffers)
{
    if (buffers & s->reserved_buffers)
        return 2;
    return (buffers & ~s->available_buffers) != 0;
}

static inline void mca_buffers_reserve(struct sl_mca_state *s, uint64_t buffers)
{
    for (; buffers != 0; buffers &= buffers - 1) {
        uint64_t bit = buffers & (0 - buffers);
        struct mca_unit *u = &s->units[sl_ctz64(bit)];
        if (u->buffer_size > 0 && --u->slots == 0)
            s->available_buffers ^= bit;
        if (u->buffer_size == 0)
            s->reserved_buffers ^= bit;
    }
}

static inline void mca_buffers_release(struct sl_mca_state *s, uint64_t buffers)
{
    s->available_buffers |= buffers;
    for (; buffers != 0; buffers &= buffers - 1) {
        struct mca_unit *u = &s->units[sl_ctz64(buffers)];
        if (u->buffer_size > 0)
            u->slots++;
    }
}

static inline uint64_t mca_ready(const struct sl_mca_state *s, const struct mca_unit *u)
{
    return u->is_group ? (s->ready_states & u->size_mask) ^ u->ready : u->ready;
}

static inline bool mca_is_available(const struct mca_unit *u)
{
    return !u->unavailable || u->buffer_size == 0;
}

/* Can it issue now? As mca_resource_check, but not which units are busy. */
static inline bool mca_resource_free(struct sl_mca_state *s, uint32_t desc)
{
    const struct mca_demand *d = &s->demands[desc];

    if (!MCA_HAS_PLAIN || !d->simple)
        return mca_resource_check(s, &s->descs[desc]) == 0;
    if ((d->units & ~s->ready_states) != 0)
        return false;
    for (uint64_t g = d->groups; g != 0; g &= g - 1) {
        const struct mca_unit *u = &s->units[sl_ctz64(g)];
        if (((s->ready_states & u->size_mask) ^ u->ready) == 0 || (s->reserved_groups != 0 && !mca_is_available(u)))
            return false;
    }
    return s->reserved_groups == 0 || (s->descs[desc].used_groups & s->reserved_groups) == 0;
}

/* lsunit.c */
MCA_HOT void mca_lsu_init(struct sl_mca *m);
MCA_HOT uint32_t mca_lsu_dispatch(struct sl_mca *m, const struct sl_mca_insn *insn);
MCA_HOT bool mca_group_has_users(const struct mca_group *g);

static inline bool mca_group_waiting(const struct mca_group *g)
{
    return g->predecessors > g->predecessors_executing + g->predecessors_executed;
}

static inline bool mca_group_pending(const struct mca_group *g)
{
    return g->predecessors_executing != 0 && g->predecessors_executing + g->predecessors_executed == g->predecessors;
}

static inline bool mca_group_ready(const struct mca_group *g)
{
    return g->predecessors_executed == g->predecessors;
}

MCA_HOT void mca_lsu_issued(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_lsu_executed(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_lsu_lost(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_lsu_retired(struct sl_mca_state *s, const struct sl_mca_insn *insn);
MCA_HOT void mca_lsu_cycle(struct sl_mca *m);

/* feeds.c: dependencies of plain blocks */
/* Finds who feeds whom; false when there is no room for it: the block is not plain then. */
MCA_HOT bool mca_feeds_find(struct sl_mca *m);
MCA_HOT void mca_feeds_dispatch(struct sl_mca_state *s, uint32_t slot);
MCA_HOT void mca_feeds_issued(struct sl_mca *m, uint32_t slot);
MCA_HOT uint32_t mca_feeds_hazard(const struct sl_mca_state *s, const struct mca_proto *p);

/* regfile.c: all others, and the register files of all */
MCA_HOT int32_t mca_advance_of(const struct sl_mca *m, const struct mca_read *read, uint16_t write_id);
MCA_HOT int32_t mca_cycles_left(const struct sl_mca_state *s, const struct mca_slot *slot, uint32_t latency);
MCA_HOT void mca_add_reads(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_add_writes(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_remove_writes(struct sl_mca *m, uint32_t slot, uint32_t wb_cycle);
MCA_HOT void mca_lose_writes(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_files_init(struct sl_mca *m);
/* Definitions that a read sees, in state->scratch; the first *live of them are not written back. */
MCA_HOT unsigned mca_collect(struct sl_mca *m, const struct mca_read *read, unsigned *live);
MCA_HOT int32_t mca_map_cycles_left(const struct sl_mca_state *s, const struct mca_map *map);

/* Is there room in all files that the instruction asks for registers? */
static inline bool mca_registers_available(const struct sl_mca_state *s, uint32_t position)
{
    const struct mca_file_use *use = &s->file_use[position];
    bool ok = true;

    for (unsigned i = 0; i < MCA_MAX_FILES / 2u; i++)
        ok &= (~(s->file_room.pair[i] - use->needs.pair[i]) & use->asks.pair[i]) == 0;
    return ok;
}

static inline void mca_registers_take(struct sl_mca_state *s, uint32_t position)
{
    for (unsigned i = 0; i < MCA_MAX_FILES / 2u; i++)
        s->file_room.pair[i] -= s->file_use[position].takes.pair[i];
}

static inline void mca_registers_give(struct sl_mca_state *s, uint32_t position)
{
    for (unsigned i = 0; i < MCA_MAX_FILES / 2u; i++)
        s->file_room.pair[i] += s->file_use[position].takes.pair[i];
}
MCA_HOT void mca_writes_issued(struct sl_mca *m, uint32_t slot);
/* Latest hazard of one read (in-order): false when there is none; *cycles < 0 when unknown. */
MCA_HOT bool mca_raw_hazard(struct sl_mca *m, const struct mca_read *read, int32_t *cycles);

/* Cycles before its predecessor's write-back at which a partial write may start: its own latency hides them. */
static inline int32_t mca_own_latency(const struct mca_write *write)
{
    return write->latency != 0 ? (int32_t)write->latency - 1 : 0;
}

/* moves.c */
bool mca_eliminate_move(struct sl_mca *m, uint32_t slot, struct sl_mca_move *stats);
void mca_moves_written(struct sl_mca *m, const struct mca_slot *slot);
uint32_t mca_read_classes(const struct sl_mca_state *s, const struct mca_read *read);

/* sets (sets.h) */
#define MCA_WHEEL 128u

static inline void mca_set_append(struct mca_set *set, uint32_t slot)
{
    set->item[set->n++] = slot;
}

static inline void mca_set_remove(struct mca_set *set, uint32_t i)
{
    set->item[i] = set->item[--set->n];
}

static inline const struct mca_group *mca_group_of(const struct sl_mca_state *s, const struct mca_slot *t)
{
    return t->group == MCA_NONE ? NULL : &s->groups[t->group];
}

/* scheduler.c */
MCA_HOT bool mca_scheduler_available(struct sl_mca *m, uint32_t iid, uint32_t position);
MCA_HOT void mca_execute_dispatched(struct sl_mca *m, uint32_t slot);
MCA_HOT void mca_execute_cycle_start(struct sl_mca *m);
MCA_HOT void mca_execute_cycle_end(struct sl_mca *m);

/* ooo.c, inorder.c, tables.c: one cycle; false when the machine has no more work */
MCA_HOT void mca_ooo_reset(struct sl_mca *m);
MCA_HOT bool mca_ooo_cycle(struct sl_mca *m);
MCA_HOT void mca_inorder_reset(struct sl_mca *m);
MCA_HOT bool mca_inorder_cycle(struct sl_mca *m);
void mca_tables_run(struct sl_mca *m);

/* lean.c: for plain blocks, no micro-op queue, and observers of issues at most */
bool mca_lean_cycle(struct sl_mca *m);

#endif
