/* SPDX-License-Identifier: Apache-2.0 */
/* State of the simulated machine: data only; what it does is in internal.h and the files of this room. Chapters cited are those of the simulator
 * specification. Times are absolute cycle numbers (u32, compared by signed difference): nothing counts down. */
#ifndef SLOTLEDGER_CORE_MCA_STATE_H
#define SLOTLEDGER_CORE_MCA_STATE_H

#include <slotledger/mca.h>

#define MCA_NONE UINT32_MAX
#define MCA_MAX_RESOURCES 64u
#define MCA_MAX_REGS 768u

/* A counter that reaches this value means "unknown" to the reference for ever after (16.4). */
#define MCA_UNKNOWN (-512)

/* One read of a block instruction. */
struct mca_read {
    uint32_t classes;   /* offset into class_lists: count, then cover classes the register overlaps */
    uint16_t reg;
    uint16_t adv;       /* first read-advance entry of this use in sl_cpu.read_adv */
    uint16_t n_adv;
    bool independent;   /* a dependency-breaking instruction ignores the register's last write */
};

/* One write of a block instruction. */
struct mca_write {
    uint32_t classes;      /* offset into class_lists: classes the write defines */
    uint32_t latency;
    uint32_t moves;        /* offset into move_lists, in a block with move candidates: three register lists */
    uint16_t reg;
    uint16_t write_id;
    uint16_t root_class;   /* class of the register that a partial write merges into; MCA_NO_CLASS: never read */
    bool partial;          /* merges into the renamed register: false dependency on its last write */
    bool shadowed;         /* a slower write of the same instruction already defines the register */
    bool clears_super;
    bool zero;             /* zero idiom */
};
#define MCA_NO_CLASS UINT16_MAX

/* One block instruction: what sl_mca_insn does not show. */
struct mca_proto {
    uint32_t reads;       /* offset into reads[] */
    uint32_t writes;
    uint32_t desc;        /* index into descs[] */
    uint32_t first_wb;    /* cycles from issue to the first write-back (in-order) */
    uint32_t uops;        /* micro-ops; */
    uint32_t dispatch_uops; /* those of its first dispatch cycle, */
    uint32_t rob_slots;   /* and its entries in the reorder buffer (out-of-order) */
    uint32_t feeds;       /* of a plain block: offset into feeds[] */
    uint32_t n_feeds;
    uint32_t issued_at;   /* in order, in a plain block: cycle of its last issue */
    uint16_t n_reads, n_writes;
    bool is_mem;
};

/* A value that an instruction of a plain block waits for: who produces it, and when it is there. */
struct mca_feed {
    uint32_t from;        /* out of order: instructions back; in order: position in the block */
    int16_t cycles;       /* from the producer's issue to the use: its latency less the read-advance */
    bool more;            /* another producer of the same read follows */
};

/* Who defines a cover class: a set of registers that every write of the block defines together or not at all. */
enum { MCA_MAP_EMPTY, MCA_MAP_LIVE, MCA_MAP_COMMITTED, MCA_MAP_LOST };
struct mca_map {
    uint32_t iid;
    uint32_t slot;       /* LIVE; stale when the slot has another instruction by now */
    uint32_t latency;
    uint32_t wb_cycle;   /* COMMITTED: cycle of the write-back; LOST: the frozen cycles left (i32) */
    uint16_t write;      /* LIVE: index of the write in its instruction */
    uint16_t write_id;
    uint16_t reg;
    uint8_t kind;
};

/* A read (or partial write) that waits for a write which is not issued yet. */
struct mca_node {
    uint32_t next;
    uint32_t slot;
    int32_t advance;     /* cycles that a read is ahead; of a partial write: by its own latency. In a plain block:
                          * cycles from issue to use */
    uint32_t which;      /* read index, or read_stride + write index */
};

/* An instruction in flight. */
struct mca_slot {
    uint32_t iid;
    uint32_t position;
    uint32_t desc;        /* index into descs */
    uint32_t outstanding; /* predecessors that are not issued yet */
    uint32_t ready_at;    /* when the operands known so far are there */
    uint32_t users;       /* waiting reads and partial writes behind it, */
    uint32_t waiters;     /* and in a plain block the list of them */
    uint32_t issued_at;
    uint32_t done_at;
    uint32_t group;       /* memory group slot, MCA_NONE without */
    uint32_t next;        /* in a wheel bucket or a list of its group, or younger in the ready list of its descriptor */
    uint32_t previous;    /* older in that list */
    uint16_t n_nodes;
    bool issued;
    bool executed;        /* its reorder buffer token may retire */
    bool eliminated;
    bool moved_zero[2];   /* eliminated move: was source i known to be zero? */
};

/* Critical predecessors, kept only for pressure events. */
struct mca_crd {
    uint32_t iid;
    uint32_t cycles;
    uint32_t until;
    uint16_t reg;
};
struct mca_slot_critical {
    uint64_t resource_mask;
    struct sl_mca_critical reg;
    struct sl_mca_critical mem;
};

/* Run-time state of a resource; index = msb of its mask (9.1). The members that a group sees ready are those in
 * ready_states, but for the odd ones: a unit used while it is busy looks free to its groups (16.2). */
struct mca_unit {
    uint64_t size_mask;
    uint64_t ready;           /* of a group: `odd` */
    uint64_t next, removed;   /* round-robin strategy (9.2) */
    uint64_t groups;          /* states of the groups that contain this resource and that the block uses */
    uint64_t mask;
    uint32_t slots;
    int32_t buffer_size;
    uint8_t num_units;        /* 1 for a group */
    uint8_t resource;
    bool is_group;
    bool unavailable;
};

/* What a descriptor needs to issue, in short. */
struct mca_demand {
    uint64_t units;           /* each of these resources must have a free unit, */
    uint64_t groups;          /* each of these groups a ready member, */
    bool simple;              /* and that is all */
    bool listed;              /* in ready_descs */
    uint32_t oldest, youngest; /* its ready instructions by age (wheel form) */
    uint32_t best;            /* of these, while the cycle issues */
};

struct mca_busy {
    uint32_t release_at;
    uint8_t state;
    uint8_t unit;             /* unit number; MCA_UNIT_NONE, MCA_UNIT_GROUP */
    bool odd;                 /* not just a unit that becomes free */
};
#define MCA_UNIT_NONE 64u
#define MCA_UNIT_GROUP 65u

struct mca_link {             /* successor of a memory group; belongs to the successor, at most three each */
    uint32_t next;
    uint32_t group;
};
struct mca_group {
    uint32_t id;              /* 0: free */
    uint32_t predecessors, predecessors_executing, predecessors_executed;
    uint32_t instructions, issued, executed, lost;
    uint32_t order_successors, data_successors;  /* link indices */
    uint32_t n_links;
    uint32_t next_free;
    uint32_t waiting, blocked;   /* wheel form: instructions that have their operands, while predecessors are not all
                                  * issued, or not all executed */
    uint32_t critical_slot;   /* executing instruction with the most cycles left; only for pressure events */
    struct sl_mca_critical critical;
};
#define MCA_GROUP_LINKS 3u

struct mca_set {
    uint32_t *item;
    uint32_t n;
};

/* One number for each register file, side by side in 32-bit lanes. */
#define MCA_MAX_FILES 4u
struct mca_lanes {
    uint64_t pair[MCA_MAX_FILES / 2u];
};
/* Registers of the limited files that an instruction needs (bit 31 of a lane in `asks`: any) and takes. */
struct mca_file_use {
    struct mca_lanes needs, asks, takes;
};

struct mca_file {
    uint8_t max_moves;
    uint8_t moves_this_cycle;
    bool zero_only;
};

struct sl_mca_state {
    uint32_t quirks; /* bit set of enum sl_mca_quirk */
    /* the block */
    struct sl_mca_insn *insns;
    struct mca_proto *protos;
    struct sl_mca_desc *descs;
    struct sl_mca_resource *resources;
    struct mca_read *reads;
    struct mca_write *writes;
    uint16_t *class_lists;
    uint16_t *file_need;      /* [n * n_files]: registers needed, for the availability check */
    uint16_t *file_alloc;     /* [n * n_files]: registers allocated */
    uint16_t *file_none;      /* [n_files] zeros */
    uint32_t n_insns, n_descs, n_resources, n_reads, n_writes, n_classes, n_files;
    uint32_t read_stride, write_stride, node_stride;

    /* instructions in flight */
    struct mca_slot *slots;
    uint32_t n_slots, slot_head, slot_count;   /* ring (out-of-order) or stack of free slots (in-order) */
    uint32_t *free_slots;
    struct mca_node *nodes;                    /* [n_slots * node_stride] */
    uint32_t *users;                           /* [n_slots * write_stride] list heads */
    struct mca_crd *crds;                      /* [n_slots * (read_stride + write_stride)], pressure only */
    struct mca_slot_critical *critical;        /* [n_slots], pressure only */

    /* register file */
    struct mca_map *map;                       /* [n_classes] */
    struct mca_file *files;
    bool limited;                              /* some file has a size: then */
    struct mca_file_use *file_use;             /* [n_insns] */
    struct mca_lanes file_room;                /* registers left of each, plus 2^31 */
    bool commits;                              /* retired definitions still matter (negative read-advance) */
    bool plain;                                /* dependencies need nothing but times: no pressure events, move
                                                * candidates, commits, lost instructions or 512-cycle waits */
    struct mca_feed *feeds;                    /* [max_feeds]; only plain blocks use them */
    uint32_t n_feeds, max_feeds;
    struct mca_map **scratch;                  /* collected definitions of one read */
    uint16_t *alias;                           /* [n_regs], only for blocks with move candidates */
    uint32_t *zero;                            /* register bit set, likewise */
    uint32_t *reg_classes;                     /* [n_regs] offset of a register's class list, likewise */
    uint16_t *rename;                          /* [n_regs] register each one is renamed as, likewise */
    uint8_t *reg_file;                         /* [n_regs] likewise */
    uint32_t *allow_move;                      /* register bit set, likewise */
    uint16_t *move_lists;                      /* each write: its renamed register with sub-registers; registers
                                                * that take its zero state; registers whose alias ends */
    bool moves;

    /* resources */
    struct mca_unit units[MCA_MAX_RESOURCES];
    uint64_t masks[MCA_MAX_RESOURCES];
    uint64_t unit_mask, reserved_groups, available_buffers, reserved_buffers;
    uint64_t ready_states;                     /* unit resources with a free unit, by state */
    struct mca_busy *busy;
    uint32_t n_busy, next_release;
    bool buffered;                             /* out of order: a unit of buffer size 0 reserves its buffer, too */
    struct mca_busy *brief;                    /* occupied for this cycle only; */
    uint32_t n_brief;
    uint64_t brief_states;                     /* of these, resources of one unit without oddities */
    struct mca_demand *demands;                /* [n_descs] */
    struct sl_mca_use *uses;
    uint32_t n_uses;
    bool undefined;                            /* the reference reads out of bounds here (16.1) */

    /* load/store unit */
    struct mca_group *groups;
    struct mca_link *links;                    /* [n_groups * MCA_GROUP_LINKS] */
    uint32_t groups_used, free_group, last_group_id;
    uint32_t load_group, load_barrier, store_group, store_barrier;   /* group slots or MCA_NONE */
    uint32_t loads, stores, load_queue, store_queue;

    /* scheduler: the ready set, and the sets before and after it in one of two forms (sets_exact.c, sets_wheel.c) */
    struct mca_set ready, issued;
    struct mca_set wait, pending;              /* exact form */
    struct mca_set resolved, due;              /* wheel form: may be pending now, may be ready now; what waits for
                                                * memory is with its group; `ready` only notes who has become ready, */
    struct mca_set ready_descs;                /* and these descriptors have ready instructions, or had */
    bool ready_changed;                        /* something has become ready since they were ranked */
    uint32_t most_users;                       /* that any instruction has had so far */
    uint32_t *wheel;
    uint64_t busy_units;
    uint32_t dispatched_to_pending;
    uint32_t dispatched_uops, issued_uops;
    uint32_t next_pending, next_done;          /* nothing in the set can move before */
    bool wait_dirty, pending_dirty;            /* exact form */
    bool had_token_stall;

    /* dispatch, retire, micro-op queue */
    uint32_t width, slots_left, carry, carried;
    uint32_t rob_size, rob_free, max_retire;
    uint32_t queue_free, queue_decoded, queue_oldest;

    /* in-order issue */
    uint32_t bandwidth, num_issued, last_wb;
    uint32_t stalled;            /* slot or MCA_NONE */
    uint32_t stall_cycles;
    uint8_t stall_kind;

    /* driver */
    uint32_t now;
    uint32_t next_iid, total;    /* next instruction to fetch; iterations * block size */
    uint32_t next_position;
    uint32_t last_progress, patience;
    uint32_t *iids;              /* PRESSURE event list */
    struct sl_mca_event event;
    bool done;
};

#endif
