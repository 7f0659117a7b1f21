/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the waits witness share. */
#ifndef CORE_OBSERVE_WAITS_H
#define CORE_OBSERVE_WAITS_H

#include "observe.h"

/* Slots lost while an instruction waits for data: for whom is known when it is ready. */
#define WAITS_OPEN 4u
struct sl_wait_open {
    uint64_t slots;
    uint16_t what;
    uint8_t cause;
};

/* An instruction in flight, out of order; by iid & flight_mask. */
struct sl_wait_flight {
    uint32_t iid;
    uint32_t dispatched, ready, issued, executed; /* cycles */
    uint32_t producer, value_cycle;               /* of the operand that comes last, as far as is known */
    uint32_t group;                               /* of loads and stores */
    uint32_t before[3];
    uint16_t reg;
    uint8_t n_before, data_before; /* data_before: bit k: until executed */
    bool is_ready, is_issued, is_executed;
    struct sl_wait_open open[WAITS_OPEN];
};

/* Last instruction of a memory group that was issued, and that was executed; by identifier & flight_mask. */
struct sl_wait_group {
    uint32_t id;
    uint32_t issued, issued_cycle;
    uint32_t executed, executed_cycle;
    bool any_issued, any_executed;
};

/* Who took a unit last, the how manieth taking that was, and to when. */
struct sl_wait_holder {
    uint32_t by, at, until;
};

/* By resource, or by bit of a mask. */
struct sl_wait_tables {
    uint64_t masks[64];
    uint32_t reserved_by[64]; /* who took an entry of the buffer last */
    uint32_t oldest_in[64];   /* no older one holds an entry of the buffer */
    uint16_t first_holder[65];
    uint8_t resource_of[64];
};

/* A cause with its culprit. */
struct sl_wait_reason {
    uint32_t culprit; /* dynamic index, SL_MCA_NOBODY */
    uint16_t what;
    uint8_t cause;
};

/* waits_charge.c */
struct sl_wait_charge *sl_waits_find(struct sl_obs_waits *o, const struct sl_wait_charge *key);
/* Cycles from..from+cycles-1 of instruction iid. */
void sl_waits_charge(struct sl_obs_waits *o, enum sl_wait_stage stage, uint32_t iid,
                     const struct sl_wait_reason *reason, uint32_t from, uint32_t cycles);
/* Slots: by: why nothing could be dispatched; reason: what instruction iid, which is in the way, waits for itself. */
void sl_waits_charge_slots(struct sl_obs_waits *o, uint32_t iid, const struct sl_wait_reason *by,
                           const struct sl_wait_reason *reason, uint64_t slots);

/* waits_slots.c: the head of the program order and the slots of a cycle */
void sl_waits_open_cycle(struct sl_obs_waits *o);
void sl_waits_dispatched(struct sl_obs_waits *o, const struct sl_mca_event *e);
void sl_waits_close_cycle(struct sl_obs_waits *o, uint32_t cycle);

/* waits_units.c: who holds what */
uint32_t sl_waits_count_holders(const struct sl_cpu *cpu);
void sl_waits_number_holders(struct sl_obs_waits *o);
void sl_waits_note_uses(struct sl_obs_waits *o, const struct sl_mca_event *e);
void sl_waits_note_buffers(struct sl_obs_waits *o, const struct sl_mca_event *e);
struct sl_wait_reason sl_waits_busy_unit(const struct sl_obs_waits *o, uint32_t position);
/* Oldest instruction in flight that has not been issued and holds an entry of the buffer; SL_MCA_NOBODY. */
uint32_t sl_waits_oldest_in_buffer(struct sl_obs_waits *o, unsigned bit);

/* waits.c */
struct sl_wait_reason sl_waits_data(const struct sl_obs_waits *o, const struct sl_wait_flight *f);

static inline struct sl_wait_flight *sl_waits_flight(const struct sl_obs_waits *o, uint32_t iid)
{
    return &o->flights[iid & o->flight_mask];
}

#endif
