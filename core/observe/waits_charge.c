/* SPDX-License-Identifier: Apache-2.0 */
/* Waits: where cycles and slots are entered. */
#include "waits.h"

static uint32_t mix(uint32_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

static uint32_t hash_of(const struct sl_wait_charge *k)
{
    uint32_t h = mix(0, k->position);

    h = mix(h, k->culprit);
    h = mix(h, k->distance);
    h = mix(h, (uint32_t)k->what << 16 | k->by_what);
    return mix(h, (uint32_t)k->cause << 16 | (uint32_t)k->stage << 8 | k->by);
}

static bool same(const struct sl_wait_charge *a, const struct sl_wait_charge *b)
{
    return a->position == b->position && a->culprit == b->culprit && a->distance == b->distance && a->what == b->what &&
           a->by_what == b->by_what && a->cause == b->cause && a->stage == b->stage && a->by == b->by;
}

/* The entry of the key, made if it is new; NULL: there is no room. */
struct sl_wait_charge *sl_waits_find(struct sl_obs_waits *o, const struct sl_wait_charge *key)
{
    uint32_t at = hash_of(key) & (o->charge_room - 1u);

    for (; o->charges[at].amount != 0; at = (at + 1u) & (o->charge_room - 1u))
        if (same(&o->charges[at], key))
            return &o->charges[at];
    if (o->n_charges >= o->charge_room - o->charge_room / 4u) {
        o->charges_lost = true;
        return NULL;
    }
    o->n_charges++;
    o->charges[at] = *key;
    return &o->charges[at];
}

static void enter(struct sl_obs_waits *o, uint32_t iid, uint32_t culprit, struct sl_wait_charge *key, uint64_t amount)
{
    uint32_t n = o->m->n_insns;
    struct sl_wait_charge *charge;

    key->amount = 0;
    key->position = iid % n;
    key->culprit = culprit != SL_MCA_NOBODY ? culprit % n : SL_MCA_NOBODY;
    key->distance = 0;
    if (culprit != SL_MCA_NOBODY && (key->cause == SL_WAIT_REGISTER || key->cause == SL_WAIT_MEMORY))
        key->distance = iid / n - culprit / n;
    charge = sl_waits_find(o, key);
    if (charge != NULL)
        charge->amount += amount;
}

void sl_waits_charge(struct sl_obs_waits *o, enum sl_wait_stage stage, uint32_t iid,
                     const struct sl_wait_reason *reason, uint32_t from, uint32_t cycles)
{
    struct sl_wait_charge key = {.what = reason->what, .cause = reason->cause, .stage = (uint8_t)stage};
    struct sl_wait_segment *last;

    if (cycles == 0)
        return;
    (stage == SL_WAIT_BEFORE ? o->before : o->after)[(size_t)(iid % o->m->n_insns) * SL_WAITS + reason->cause] +=
        cycles;
    enter(o, iid, reason->culprit, &key, cycles);
    if (iid >= o->segment_iids)
        return;
    last = o->n_segments != 0 ? &o->segments[o->n_segments - 1u] : NULL;
    if (last != NULL && last->iid == iid && last->stage == stage && last->cause == reason->cause &&
        last->what == reason->what && last->culprit == reason->culprit && last->from_cycle + last->cycles == from) {
        last->cycles += cycles;
        return;
    }
    if (o->n_segments == o->segment_room) {
        o->segments_lost = true;
        return;
    }
    o->segments[o->n_segments++] =
        (struct sl_wait_segment){iid, reason->culprit, from, cycles, reason->what, reason->cause, (uint8_t)stage};
}

void sl_waits_charge_slots(struct sl_obs_waits *o, uint32_t iid, const struct sl_wait_reason *by,
                           const struct sl_wait_reason *reason, uint64_t slots)
{
    struct sl_wait_charge key = {
        .what = reason->what, .by_what = by->what, .cause = reason->cause, .stage = SL_WAIT_SLOTS, .by = by->cause};

    enter(o, iid, reason->culprit, &key, slots);
}

const char *sl_wait_name(enum sl_wait wait)
{
    static const char *const names[SL_WAITS] = {"executing",    "pipeline",       "register",       "memory", "unit",
                                                "retire_order", "retire_width",   "write_back",     "carry",  "width",
                                                "group",        "reorder_buffer", "register_file",  "queue",  "hazard",
                                                "load_queue",   "store_queue",    "micro_op_queue", "end",    "other"};

    return (unsigned)wait < SL_WAITS ? names[wait] : "other";
}
