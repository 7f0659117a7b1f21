/* SPDX-License-Identifier: Apache-2.0 */
/* The witnesses: each watches a machine's events and keeps the integers of one report. They print nothing.
 *
 * Use: sl_mca_init; for each witness sl_obs_X_need, memory, sl_obs_X_init (which also attaches it); sl_mca_run to its
 * end; sl_obs_X_finish where there is one; read the public members. A context and its memory must stay in place.
 * Counters are 32 bits wide and wrap, as the reference's do, unless declared otherwise. Results belong to a finished
 * run: until sl_mca_run has returned SL_OK they are those of an unfinished one. */
#ifndef SLOTLEDGER_OBSERVE_H
#define SLOTLEDGER_OBSERVE_H

#include <slotledger/mca.h>
#include <slotledger/slots.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LLVM's "Executions": how often the block was run, the divisor of all averages. */
uint32_t sl_obs_executions(const struct sl_mca *m);
/* Entries of the reorder buffer as reports give it. */
uint32_t sl_obs_reorder_buffer(const struct sl_cpu *cpu);

/* ---- how many cycles saw N of something ---------------------------------------------------------------------- */

struct sl_cycle_count {
    uint32_t value;
    uint32_t cycles;
};

/* Values below n_direct index a table; larger ones are kept sorted in a short list. The table is sized so that only an
 * in-order CPU running a block of instructions without micro-ops can reach the list. */
struct sl_cycle_histogram {
    uint32_t *direct;           /* [n_direct] cycles; entry 0 is set by sl_obs_X_finish */
    struct sl_cycle_count *far; /* [n_far] used of [far_room], ascending */
    uint32_t n_direct;
    uint32_t n_far;
    uint32_t far_room;
    uint32_t lost;              /* cycles that found no place in a full list */
    uint32_t seen;              /* cycles entered, all of them with a non-zero value */
    uint32_t cycle;             /* the cycle being summed up */
    uint32_t amount;            /* ... and its sum so far */
};

/* The next value with a non-zero count, ascending; start with *cursor = 0. False at the end. */
bool sl_cycle_histogram_next(const struct sl_cycle_histogram *h, uint32_t *cursor, struct sl_cycle_count *out);

/* ---- how full something is at the end of each cycle ----------------------------------------------------------- */

struct sl_level {
    uint32_t value;
    uint32_t max;
    uint64_t sum;   /* over cycles of the value at the end of the cycle */
    uint32_t cycle; /* ends of cycles before this one are accounted for */
};

/* ---- summary -------------------------------------------------------------------------------------------------- */

struct sl_obs_summary {
    struct sl_mca_observer observer;
    const struct sl_mca *m;
    uint32_t uops;      /* public: micro-ops of one iteration */
    uint32_t *use;      /* public: [n_resources] resource cycles of one iteration */
    /* Public, set by finish: block reciprocal throughput in cycles, an exact ratio. */
    uint32_t throughput_cycles;
    uint32_t throughput_divisor; /* never 0 */
};

size_t sl_obs_summary_need(const struct sl_mca *m);
enum sl_status sl_obs_summary_init(struct sl_obs_summary *o, struct sl_mca *m, void *mem,
                                   size_t mem_bytes) SL_MUST_CHECK;
void sl_obs_summary_finish(struct sl_obs_summary *o);

/* ---- resource pressure ---------------------------------------------------------------------------------------- */

/* One column for each unit of each plain resource, by resource index. */
struct sl_obs_pressure {
    struct sl_mca_observer observer;
    uint32_t n_columns;    /* public */
    uint32_t n_rows;       /* public: block size + 1; the last row is the total */
    uint32_t *cycles;      /* public: [n_rows * n_columns] */
    uint32_t *denominator; /* public: likewise, in instruction-tables mode; else NULL, and all denominators are 1 */
    size_t total;          /* index of the total row's first cell */
    size_t n_cells;
    uint16_t first_column[64]; /* public: of each plain resource */
};

size_t sl_obs_pressure_need(const struct sl_mca *m);
enum sl_status sl_obs_pressure_init(struct sl_obs_pressure *o, struct sl_mca *m, void *mem,
                                    size_t mem_bytes) SL_MUST_CHECK;
uint32_t sl_obs_pressure_columns(const struct sl_cpu *cpu);

/* ---- timeline ------------------------------------------------------------------------------------------------- */

/* Cycle numbers of one dynamic instruction. */
struct sl_timeline_entry {
    int32_t dispatched; /* -1: never */
    uint32_t ready;
    uint32_t issued;
    uint32_t executed;
    uint32_t retired;   /* 0: not within max_cycles */
};

/* Sums over the recorded iterations, in cycles. */
struct sl_timeline_wait {
    uint32_t queued;       /* dispatch to issue */
    uint32_t ready;        /* ready to issue */
    uint32_t written_back; /* executed to retired */
};

struct sl_obs_timeline {
    struct sl_mca_observer observer;
    struct sl_timeline_entry *entries; /* public: [iterations * n_insns] */
    struct sl_timeline_wait *waits;    /* public: [n_insns] */
    uint32_t n_insns;                  /* public */
    uint32_t iterations;               /* public: recorded iterations */
    uint32_t last_cycle;               /* public: the last cycle shown */
    uint32_t max_cycles;
    uint32_t n_entries;
};

/* max_iterations 0: 10. max_cycles 0: no limit. */
size_t sl_obs_timeline_need(const struct sl_mca *m, uint32_t max_iterations);
enum sl_status sl_obs_timeline_init(struct sl_obs_timeline *o, struct sl_mca *m, uint32_t max_iterations,
                                    uint32_t max_cycles, void *mem, size_t mem_bytes) SL_MUST_CHECK;

/* ---- dispatch statistics -------------------------------------------------------------------------------------- */

struct sl_obs_dispatch {
    struct sl_mca_observer observer;
    const struct sl_mca *m;
    uint32_t stalls[SL_MCA_STALL_KINDS];  /* public: events of each enum sl_mca_stall */
    struct sl_cycle_histogram dispatched; /* public: micro-ops a cycle */
};

size_t sl_obs_dispatch_need(const struct sl_mca *m);
enum sl_status sl_obs_dispatch_init(struct sl_obs_dispatch *o, struct sl_mca *m, void *mem,
                                    size_t mem_bytes) SL_MUST_CHECK;
void sl_obs_dispatch_finish(struct sl_obs_dispatch *o);

/* ---- scheduler statistics ------------------------------------------------------------------------------------- */

struct sl_obs_scheduler {
    struct sl_mca_observer observer;
    const struct sl_mca *m;
    struct sl_cycle_histogram issued; /* public: micro-ops a cycle */
    struct sl_level *buffers;         /* public: [n_resources] entries in use */
    uint32_t last_load, last_store;   /* last dynamic instruction counted */
    uint8_t resource_of[64];          /* of each buffer bit */
};

size_t sl_obs_scheduler_need(const struct sl_mca *m);
enum sl_status sl_obs_scheduler_init(struct sl_obs_scheduler *o, struct sl_mca *m, void *mem,
                                     size_t mem_bytes) SL_MUST_CHECK;
void sl_obs_scheduler_finish(struct sl_obs_scheduler *o);

/* ---- retire statistics ---------------------------------------------------------------------------------------- */

struct sl_obs_retire {
    struct sl_mca_observer observer;
    const struct sl_mca *m;
    struct sl_cycle_histogram retired; /* public: instructions a cycle */
    struct sl_level in_use;            /* public: reorder buffer entries; may wrap below 0, as the reference's does */
};

size_t sl_obs_retire_need(const struct sl_mca *m);
enum sl_status sl_obs_retire_init(struct sl_obs_retire *o, struct sl_mca *m, void *mem, size_t mem_bytes) SL_MUST_CHECK;
void sl_obs_retire_finish(struct sl_obs_retire *o);

/* ---- register-file statistics --------------------------------------------------------------------------------- */

struct sl_register_usage {
    uint32_t current;
    uint32_t total; /* mappings created */
    uint32_t max;   /* mappings at one time */
    uint32_t move_candidates;
    uint32_t moves_eliminated;
    uint32_t zero_moves;
    uint32_t max_moves;  /* eliminated in one cycle */
    uint32_t moves;      /* eliminated in `cycle` */
    uint32_t cycle;
};

struct sl_obs_regfile {
    struct sl_mca_observer observer;
    struct sl_register_usage *files; /* public: [n_files]; file 0 counts all registers */
    uint32_t n_files;                /* public: at least 1 */
};

size_t sl_obs_regfile_need(const struct sl_mca *m);
enum sl_status sl_obs_regfile_init(struct sl_obs_regfile *o, struct sl_mca *m, void *mem,
                                   size_t mem_bytes) SL_MUST_CHECK;
void sl_obs_regfile_finish(struct sl_obs_regfile *o);

/* ---- bottleneck analysis (sl_mca_config.pressure) --------------------------------------------------------------- */

enum sl_dependency { SL_DEPENDENCY_REGISTER, SL_DEPENDENCY_MEMORY, SL_DEPENDENCY_RESOURCE };

/* A wait of instruction `to` for instruction `from`, both positions of the block plus 0, 1 or 2 times its size. */
struct sl_dependency_edge {
    uint64_t id;      /* REGISTER: the register; RESOURCE: its mask bit; MEMORY: 0 */
    uint64_t cost_cycles;
    uint32_t from, to;
    uint32_t frequency;
    uint32_t next;    /* next edge of `from`, or SL_NO_EDGE */
    enum sl_dependency kind;
};
#define SL_NO_EDGE 0xffffffffu

struct sl_bottleneck_node;  /* private to core/observe/bottleneck*.c */
struct sl_bottleneck_user;
struct sl_bottleneck_flight;

struct sl_obs_bottleneck {
    struct sl_mca_observer observer;
    const struct sl_mca *m;
    uint32_t quirks;            /* public: bit set of enum sl_mca_quirk, set by finish */
    bool stalled;               /* public: a dispatch stall was seen */
    /* Public, cycles in which back-end pressure rose: at all, for want of units, for data; of which registers,
     * memory. */
    uint32_t pressure, resource_pressure, data_pressure, register_pressure, memory_pressure;
    uint32_t *busy;             /* public: [n_resources] cycles in which the resource was such a wanted unit */
    /* Public, set by finish: the critical sequence, first to last. Edges of a later finish would be the same. */
    const uint32_t *sequence;   /* [n_sequence] indices into edges */
    uint32_t n_sequence;
    struct sl_dependency_edge *edges; /* public */
    uint32_t n_edges;
    uint32_t edge_room;
    bool edges_lost;            /* public: the graph outgrew edge_room; there is no sequence */
    uint8_t resource_of[64];    /* public: resource index of each mask bit */
    /* Private. */
    bool complete, finished;
    uint8_t rising;             /* bit set of enum sl_mca_pressure: seen in rising_cycle */
    uint32_t rising_cycle;
    uint32_t flight_mask;
    struct sl_bottleneck_node *nodes;      /* [3 * n_insns] */
    struct sl_bottleneck_user *users;      /* last user of each unit */
    struct sl_bottleneck_flight *flights;  /* instructions in flight, by iid & flight_mask */
    uint32_t *order;                       /* [edge_room] edges grouped by node, then the sequence */
    uint32_t *work;                        /* [2 * 3 * n_insns] */
    uint64_t *masks;
    uint16_t first_user[64];
    uint16_t n_users;
};

/* Room for `edges` distinct dependencies; 0: a default that suits ordinary blocks (16 for each instruction). Each takes
 * 44 bytes. In-order machines need none. */
size_t sl_obs_bottleneck_need(const struct sl_mca *m, uint32_t edges);
enum sl_status sl_obs_bottleneck_init(struct sl_obs_bottleneck *o, struct sl_mca *m, uint32_t edges, void *mem,
                                      size_t mem_bytes) SL_MUST_CHECK;
/* SL_E_ROOM: edges_lost. The counters are good even then. */
enum sl_status sl_obs_bottleneck_finish(struct sl_obs_bottleneck *o) SL_MUST_CHECK;

/* ---- waits: who or what every cycle and every slot was lost to (sl_mca_config.pressure) -------------------------- */

/* Causes. `what` and the culprit of each in brackets.
 *
 * An instruction's cycles: BEFORE, from the cycle in which it is next in program order to its dispatch; AFTER, from there
 * to its retirement. In order, issue is dispatch, and what it waits for it waits for BEFORE. Each cycle has one cause;
 * where several hold at the same time:
 * - data: the operand, or memory predecessor, that comes last has the whole wait;
 * - units: of several busy ones that which has been so for longest, and who took it last;
 * - retirement: of the older instructions that which is executed last;
 * - dispatch: the first in the order of the pipeline's checks: reorder buffer, register file, buffers, load and store queue. */
enum sl_wait {
    SL_WAIT_EXECUTING,      /* itself */
    SL_WAIT_PIPELINE,       /* the steps from dispatch to issue and from write-back to retirement, a cycle each */
    SL_WAIT_REGISTER,       /* a result [register; producer] */
    SL_WAIT_MEMORY,         /* an older load or store [0: its issue, 1: its end; it] */
    SL_WAIT_UNIT,           /* a resource [its index; who took it last] */
    SL_WAIT_RETIRE_ORDER,   /* an older instruction is not executed [; it] */
    SL_WAIT_RETIRE_WIDTH,   /* instructions retired a cycle */
    SL_WAIT_WRITE_BACK,     /* in order: results would overtake [; whom] */
    SL_WAIT_CARRY,          /* the rest of the micro-ops of a wide instruction [; it] */
    SL_WAIT_WIDTH,          /* micro-ops dispatched a cycle */
    SL_WAIT_GROUP,          /* dispatch group: it must begin one, or its predecessor ends one [; that one] */
    SL_WAIT_REORDER_BUFFER, /* full [; the oldest in it] */
    SL_WAIT_REGISTER_FILE,  /* full [file; the oldest in flight] */
    SL_WAIT_QUEUE,          /* a scheduler's buffer is full [resource; the oldest in it] */
    SL_WAIT_HAZARD,         /* a resource without a buffer is taken [resource; who has it] */
    SL_WAIT_LOAD_QUEUE,     /* full [; the oldest load in flight] */
    SL_WAIT_STORE_QUEUE,
    SL_WAIT_MICRO_OP_QUEUE, /* empty */
    SL_WAIT_END,            /* slots: no instruction is left */
    SL_WAIT_OTHER,          /* not found out: oddities of a model only */
    SL_WAITS
};

enum sl_wait_stage { SL_WAIT_BEFORE, SL_WAIT_AFTER, SL_WAIT_SLOTS };

/* Cycles of a block instruction (BEFORE, AFTER), or slots (SLOTS), with one cause. SLOTS: `by` is why nothing was dispatched,
 * `position` the instruction that is in the way, and `cause` what that one waited for or did. It is the next one itself; or if
 * something is full, the oldest one in it that was ready and found no unit, else the oldest that has not been issued. */
struct sl_wait_charge {
    uint64_t amount;    /* cycles, slots; never 0 in a used entry */
    uint32_t position;
    uint32_t culprit;   /* position, or SL_MCA_NOBODY */
    uint32_t distance;  /* REGISTER, MEMORY: iterations between the two */
    uint16_t what;
    uint16_t by_what;
    uint8_t cause;      /* enum sl_wait */
    uint8_t stage;      /* enum sl_wait_stage */
    uint8_t by;         /* SLOTS: enum sl_wait */
};

/* Cycles from..from+cycles-1 of one dynamic instruction, for timelines. */
struct sl_wait_segment {
    uint32_t iid, culprit; /* dynamic indices */
    uint32_t from_cycle, cycles;
    uint16_t what;
    uint8_t cause;
    uint8_t stage;
};

struct sl_wait_flight; /* private to core/observe/waits*.c */
struct sl_wait_group;
struct sl_wait_holder;
struct sl_wait_tables;

struct sl_obs_waits {
    struct sl_mca_observer observer;
    struct sl_mca *m;
    uint64_t *before, *after;         /* public: [n_insns * SL_WAITS] cycles */
    uint32_t *retired;                /* public: [n_insns] how often; an instruction that llvm-mca loses has no AFTER */
    uint64_t slots[SL_WAITS];         /* public: slots without a micro-op, by why nothing was dispatched (`by`) */
    uint64_t used_slots;              /* public: those with one. used + all of slots == width * cycles, each cycle */
    uint32_t width;                   /* public: slots a cycle */
    struct sl_wait_charge *charges;   /* public: [charge_room], in no order; amount == 0: unused */
    uint32_t charge_room, n_charges;
    struct sl_wait_segment *segments; /* public: [n_segments], by end */
    uint32_t segment_room, n_segments;
    uint32_t segment_iids;            /* public: instructions that segments are kept of */
    bool charges_lost, segments_lost; /* public: there was no room for all; before, after and slots are good even then */
    /* Private. */
    struct sl_wait_flight *flights;
    struct sl_wait_group *groups;
    uint32_t flight_mask;
    uint32_t *ready;                  /* instructions that are ready and not issued */
    uint32_t n_ready;
    struct sl_wait_holder *holders;   /* of each unit, and of groups that are reserved as a whole */
    uint32_t uses, now;
    struct sl_wait_tables *tables;
    uint32_t oldest_load, oldest_store;
    uint32_t next, first, total;      /* instruction to be dispatched next, the same when the cycle began; number of all */
    uint32_t next_retire, oldest_waiting;
    uint32_t last_executed, last_executed_cycle; /* the latest of all retired */
    uint32_t last_in_order;           /* in order: the last that keeps write-back order */
    uint32_t carry, carried, carried_issue;
    uint32_t left, used, ended_by;    /* of this cycle */
    uint32_t stalls;                  /* bit set of enum sl_mca_stall seen in this cycle */
    bool open, any_dispatched;
};

/* charges: room for distinct ones, a power of two; 0: a default (64 for each instruction). iterations: segments are kept of so
 * many; segments: room for them, 0: 16 for each instruction of these iterations. */
size_t sl_obs_waits_need(const struct sl_mca *m, uint32_t charges, uint32_t iterations, uint32_t segments);
enum sl_status sl_obs_waits_init(struct sl_obs_waits *o, struct sl_mca *m, uint32_t charges, uint32_t iterations,
                                 uint32_t segments, void *mem, size_t mem_bytes) SL_MUST_CHECK;
/* "register", "unit" ...: never NULL. */
const char *sl_wait_name(enum sl_wait wait);

/* The slots of a finished run as a Top-Down tree, width x cycles in all; level 1 adds up exactly. units[n_resources] gets the
 * slots below SL_NODE_PORTS_UTILIZATION by resource. What the model does not have is in the tree without a value
 * (SL_SLOT_NOT_MODELLED). SL_E_ROOM: charges_lost. */
enum sl_status sl_obs_waits_tree(const struct sl_obs_waits *o, struct sl_slot_tree *tree, uint64_t *units) SL_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
