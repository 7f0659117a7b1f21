/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated machine: runs a block of decoded instructions on a scheduling model, cycle by cycle, and raises
 * events. It keeps no statistics and knows no report: attach observers (observe.h) for those. */
#ifndef SLOTLEDGER_MCA_H
#define SLOTLEDGER_MCA_H

#include <slotledger/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A zero-filled config means llvm-mca's defaults. */
struct sl_mca_config {
    uint32_t iterations;          /* 0: 100 */
    uint32_t dispatch_width;      /* 0: the model's issue width; out-of-order only */
    uint32_t register_file_size;  /* 0: unlimited; out-of-order only */
    uint32_t load_queue;          /* entries; 0: from the model, else unlimited */
    uint32_t store_queue;
    uint32_t micro_op_queue_size; /* 0: no micro-op queue; out-of-order only */
    uint32_t decoder_throughput;  /* instructions a cycle into that queue; 0: no limit */
    uint32_t call_latency;        /* cycles; used when call_latency_set, else 100 */
    uint32_t slice_cycles;        /* sl_mca_run returns SL_E_AGAIN after that many cycles; 0: runs to the end */
    bool call_latency_set;
    bool may_alias;               /* -noalias=false */
    bool no_barriers;             /* -disable-cb: load/store barrier instructions are ordinary */
    bool pressure;                /* raise SL_MCA_PRESSURE events and keep critical predecessors (bottleneck analysis) */
    bool instruction_tables;      /* no simulation: one SL_MCA_ISSUED event for each instruction of the block */
    bool no_quirks;               /* without the reference's defects that enum sl_mca_quirk names */
};

/* Defects of llvm-mca 19 that a run repeats, and where it has met them (simulator specification 3.8, 11, 16.2, 4.3, 14.3,
 * 14.4). */
enum sl_mca_quirk {
    SL_MCA_QUIRK_SHARED = 1,     /* reads and writes of a constant register's place are lost to later uses of the opcode */
    SL_MCA_QUIRK_LOST = 2,       /* an in-order instruction that ends while another one is carried over is forgotten */
    SL_MCA_QUIRK_BUSY_UNIT = 4,  /* an instruction that must issue at once issues on a busy unit */
    SL_MCA_QUIRK_CRITICAL = 8,   /* bottleneck analysis: the last predecessor counts, not the latest */
    SL_MCA_QUIRK_UNITS = 16,     /* ... only 32 resources can be a critical one */
    SL_MCA_QUIRK_SEQUENCE = 32,  /* ... rare dependencies stay, and those of different kinds are taken for one */
    SL_MCA_QUIRKS = 6
};

/* One resource of a descriptor, in issue order. */
struct sl_mca_resource {
    uint64_t mask;     /* resource mask (simulator specification, chapter 2) */
    uint32_t cycles;
    uint8_t resource;  /* index into sl_cpu.resources */
    uint8_t state;     /* msb of mask */
    uint8_t units;
    bool reserved;     /* the whole group becomes unavailable for the cycles */
};

/* What a block instruction does on this CPU: shared by all its dynamic instances. */
struct sl_mca_desc {
    const struct sl_mca_resource *resources;
    const struct sl_class_row *row;  /* resolved scheduling class */
    uint64_t used_buffers;           /* bit = msb of the resource's mask */
    uint64_t used_units;
    uint64_t used_groups;
    uint16_t op;
    uint16_t sched_class;            /* resolved */
    uint16_t uops;
    uint16_t n_resources;
    uint32_t max_latency_cycles;
    bool overlap;                    /* partially overlapping groups */
    bool must_issue;                 /* zero latency, or must issue immediately */
};

/* One instruction of the block. */
struct sl_mca_insn {
    const struct sl_mca_desc *desc;
    uint16_t n_reads, n_writes;
    bool may_load, may_store;
    bool load_barrier, store_barrier;
    bool side_effects;
    bool begin_group, end_group, retire_ooo;
    bool optimizable_move;
};

enum sl_mca_event_kind {
    SL_MCA_CYCLE_END,
    SL_MCA_DISPATCHED, /* once for each cycle in which uops of the instruction are dispatched */
    SL_MCA_PENDING,
    SL_MCA_READY,
    SL_MCA_ISSUED,
    SL_MCA_EXECUTED,
    SL_MCA_RETIRED,
    SL_MCA_STALL,
    SL_MCA_PRESSURE,
    SL_MCA_BUFFERS_RESERVED,
    SL_MCA_BUFFERS_RELEASED,
    SL_MCA_EVENT_KINDS
};

enum sl_mca_stall {
    SL_MCA_STALL_REGISTER_FILE,
    SL_MCA_STALL_RETIRE_CONTROL_UNIT,
    SL_MCA_STALL_DISPATCH_GROUP,
    SL_MCA_STALL_SCHEDULER_QUEUE_FULL,
    SL_MCA_STALL_LOAD_QUEUE_FULL,
    SL_MCA_STALL_STORE_QUEUE_FULL,
    SL_MCA_STALL_CUSTOM_BEHAVIOUR,
    SL_MCA_STALL_KINDS
};

enum sl_mca_pressure { SL_MCA_PRESSURE_RESOURCES, SL_MCA_PRESSURE_REGISTER_DEPS, SL_MCA_PRESSURE_MEMORY_DEPS };

/* Use of one unit by an issued instruction. The cycles are `cycles / denominator`; the denominator is 1 but for
 * instruction tables. unit 64 is the reference's "no unit" defect (simulator specification 16.2). */
struct sl_mca_use {
    uint32_t cycles;
    uint32_t denominator;
    uint8_t resource; /* index into sl_cpu.resources */
    uint8_t unit;
};

/* What made an instruction wait: the latest predecessor. cycles == 0: none. */
struct sl_mca_critical {
    uint32_t iid;
    uint32_t cycles;
    uint16_t reg;
};

/* Move elimination as the register-file statistics see it (DISPATCHED of an optimizable move with as many reads as writes). */
struct sl_mca_move {
    uint8_t candidates;  /* number of writes */
    uint8_t eliminated;
    uint8_t zero;
    uint8_t file;
};

struct sl_mca_event {
    enum sl_mca_event_kind kind;
    uint32_t cycle;      /* current cycle, from 0 */
    uint32_t iid;        /* dynamic index: iteration * block size + position; valid but for CYCLE_END and PRESSURE */
    uint32_t position;   /* in the block */
    const struct sl_mca_insn *insn;
    uint32_t uops;       /* DISPATCHED: dispatched in this cycle */
    uint8_t detail;      /* STALL: enum sl_mca_stall; PRESSURE: enum sl_mca_pressure */
    uint16_t n_uses;     /* ISSUED */
    const struct sl_mca_use *uses;
    const uint16_t *regs;   /* DISPATCHED: physical registers allocated in each file; RETIRED: freed; [max(1, n_files)] */
    const struct sl_mca_move *move; /* DISPATCHED: NULL unless a move candidate */
    uint64_t mask;       /* PRESSURE resources: busy units; BUFFERS_*: buffer bits */
    const uint32_t *iids; /* PRESSURE: affected instructions (RESOURCES: those whose critical resources are busy) */
    uint32_t n_iids;
    uint64_t critical_resource_mask;          /* ISSUED, only with config.pressure */
    struct sl_mca_critical critical_register; /* ISSUED, likewise */
    struct sl_mca_critical critical_memory;   /* ISSUED, likewise */
};

struct sl_mca_recurring;

/* An observer. The machine keeps a pointer to it; `next` is the machine's. */
struct sl_mca_observer {
    void (*event)(struct sl_mca_observer *self, const struct sl_mca_event *event);
    uint32_t kinds; /* bit set of 1 << enum sl_mca_event_kind */
    struct sl_mca_observer *next;
    const struct sl_mca_recurring *recurring; /* how it can be extrapolated (recur.h); NULL: it cannot */
};

/* The context. The caller places it; its members are private to core/mca but for those marked public. */
struct sl_mca {
    const struct sl_cpu *cpu;         /* public */
    struct sl_mca_config config;      /* public, defaults filled in */
    uint32_t n_insns;                 /* public: block size */
    uint32_t cycles;                  /* public: cycles simulated so far */
    const struct sl_mca_insn *insns;  /* public: [n_insns] */
    size_t error_index;               /* public: the block instruction that SL_E_* of sl_mca_init belongs to */
    size_t missing_bytes;             /* public: with SL_E_ROOM */
    bool in_order;                    /* public */
    struct sl_mca_observer *observers;
    uint32_t watched;
    struct sl_mca_state *state;
};

/* Bytes of memory that sl_mca_init needs for any block of n_insns instructions: a proven upper bound, O(1). */
size_t sl_mca_need(const struct sl_cpu *cpu, const struct sl_mca_config *config, size_t n_insns);
/* Exact need for this block; O(n). 0 if the block cannot be lowered. */
size_t sl_mca_need_for(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_insn *code, size_t n_insns);

/* Constant expressions, so that a board can reserve a static array: at least sl_mca_need for any block of up to n_insns
 * instructions without pressure events. in_flight: reorder buffer entries of an out-of-order CPU; for an in-order one
 * SL_MCA_IN_FLIGHT(issue width, longest latency, counting 100 for a call) unless its model has instructions without
 * micro-ops. tests/unit/test_mca_memory.c holds every CPU against them. */
#define SL_MCA_IN_FLIGHT(issue_width, max_latency) ((size_t)(issue_width) * ((size_t)(max_latency) + 1u) + 2u)
#define SL_MCA_ARENA_BYTES_AARCH64_IN_ORDER(n_insns, in_flight) \
    ((size_t)128 * 1024u + (size_t)(n_insns) * 640u + (size_t)(in_flight) * 320u)
#define SL_MCA_ARENA_BYTES_AARCH64(n_insns, in_flight) \
    ((size_t)128 * 1024u + (size_t)(n_insns) * 768u + (size_t)(in_flight) * 5120u)
#define SL_MCA_ARENA_BYTES_X86_64(n_insns, in_flight) \
    ((size_t)256 * 1024u + (size_t)(n_insns) * 10240u + (size_t)(in_flight) * 10240u)

/* Lowers the block and resets the machine. The code is not needed afterwards. n_insns >= 1.
 * SL_E_ROOM (missing_bytes), SL_E_UNSUPPORTED, SL_E_UNRESOLVED, SL_E_ZERO_UOPS, SL_E_OPERANDS (error_index). */
enum sl_status sl_mca_init(struct sl_mca *m, const struct sl_cpu *cpu, const struct sl_mca_config *config,
                           const struct sl_insn *code, size_t n_insns, void *mem, size_t mem_bytes) SL_MUST_CHECK;

/* Adds an observer; before the first sl_mca_run. Events reach observers in the order of attachment. */
void sl_mca_attach(struct sl_mca *m, struct sl_mca_observer *observer);

/* Runs to the end, or for config.slice_cycles cycles (SL_E_AGAIN: call again). SL_E_STUCK: no progress is possible. */
enum sl_status sl_mca_run(struct sl_mca *m) SL_MUST_CHECK;

/* Bit set of enum sl_mca_quirk: met so far. With config.no_quirks: 0. */
uint32_t sl_mca_quirks(const struct sl_mca *m);

/* Would sl_mca_init accept this instruction? (Each is judged by itself, as llvm-mca does while lowering.) */
enum sl_status sl_mca_check(const struct sl_cpu *cpu, const struct sl_insn *insn) SL_MUST_CHECK;

/* ---- looking into a running machine: for observers that explain waits (core/mca/inspect.c) ---------------------- */

/* Valid only from within an observer's event function, with config.pressure set. No instruction: SL_MCA_NOBODY. */
#define SL_MCA_NOBODY UINT32_MAX

/* A register operand that waits for the result of an earlier instruction. */
struct sl_mca_operand {
    uint32_t consumer, producer; /* dynamic indices */
    uint32_t ready_cycle;        /* when the value is there for this consumer, read-advance included */
    uint16_t reg;
};

/* DISPATCHED, out of order: the operand that comes last of those whose producers are issued by now. false: there are all. */
bool sl_mca_peek_operand(const struct sl_mca *m, uint32_t iid, struct sl_mca_operand *out);
/* ISSUED, out of order: the operands that have waited for `iid` to issue, one a call; start with *cursor = 0. */
bool sl_mca_peek_consumer(const struct sl_mca *m, uint32_t iid, uint64_t *cursor, struct sl_mca_operand *out);

/* Groups of loads and stores keep an order (simulator specification, chapter 10). Identifiers ascend from 1; 0: none. */
struct sl_mca_memory {
    uint32_t group;         /* of the instruction */
    uint32_t n_before;
    uint32_t before[3];     /* groups that it waits for, */
    bool data[3];           /* until they are executed; else until they are issued */
};
/* CYCLE_END, ISSUED: of an instruction in flight; false: it is not of memory, or its group is over. Predecessors are looked
 * for only while the group has to wait. */
bool sl_mca_peek_memory(const struct sl_mca *m, uint32_t iid, struct sl_mca_memory *out);

/* The resources of a block instruction. sl_mca_peek_busy: 0 if it could issue now; else mask bits of busy units, or if all its
 * entries are ready, of reserved groups that it uses. And by entry k of its descriptor. */
uint64_t sl_mca_peek_busy(const struct sl_mca *m, uint32_t position);
enum sl_mca_entry { SL_MCA_ENTRY_READY, SL_MCA_ENTRY_TAKEN, SL_MCA_ENTRY_RESERVED /* the group as a whole */ };
enum sl_mca_entry sl_mca_peek_entry(const struct sl_mca *m, uint32_t position, unsigned k);
/* Buffers that keep it from being dispatched now: bits as of sl_mca_desc.used_buffers. */
uint64_t sl_mca_peek_full_buffers(const struct sl_mca *m, uint32_t position);
/* First register file without room for its writes, or -1. */
int sl_mca_peek_full_file(const struct sl_mca *m, uint32_t position);
/* Is there a micro-op queue, with nothing in it? */
bool sl_mca_peek_queue_empty(const struct sl_mca *m);

/* Why the issue stage of an in-order machine stands. */
enum sl_mca_hold { SL_MCA_HOLD_NONE, SL_MCA_HOLD_REGISTER, SL_MCA_HOLD_UNIT, SL_MCA_HOLD_MEMORY, SL_MCA_HOLD_WRITE_BACK };
/* CYCLE_END, in order. REGISTER, MEMORY: *producer is whom it waits for, *reg the register. */
enum sl_mca_hold sl_mca_peek_hold(struct sl_mca *m, uint32_t *producer, uint16_t *reg);

/* Masks of all resources (simulator specification, chapter 2): masks[cpu->n_resources]. At most 64 resources. */
void sl_mca_resource_masks(const struct sl_cpu *cpu, uint64_t *masks);

#ifdef __cplusplus
}
#endif
#endif
