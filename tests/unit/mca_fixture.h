/* SPDX-License-Identifier: Apache-2.0 */
/* Random blocks for tests of the machine, and an observer that holds each instruction to the laws of a pipeline. */
#ifndef SLOTLEDGER_TESTS_UNIT_MCA_FIXTURE_H
#define SLOTLEDGER_TESTS_UNIT_MCA_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include <slotledger/mca.h>

/* SplitMix64 */
static inline uint64_t fixture_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Up to 20 iterations on a core that is narrower, smaller or wider than the model here and there. */
static inline struct sl_mca_config fixture_config(uint64_t *seed)
{
    struct sl_mca_config c = { .iterations = 1 + (uint32_t)(fixture_random(seed) % 20) };
    uint64_t r = fixture_random(seed);

    c.dispatch_width = r % 3 == 0 ? 1 + (uint32_t)(r >> 8) % 8 : 0;
    c.register_file_size = (r >> 16) % 4 == 0 ? 1 + (uint32_t)(r >> 20) % 40 : 0;
    c.load_queue = (r >> 26) % 4 == 0 ? 1 + (uint32_t)(r >> 30) % 8 : 0;
    c.store_queue = (r >> 34) % 4 == 0 ? 1 + (uint32_t)(r >> 36) % 8 : 0;
    c.micro_op_queue_size = (r >> 40) % 4 == 0 ? 1 + (uint32_t)(r >> 42) % 16 : 0;
    c.decoder_throughput = (r >> 48) % 2 == 0 ? 1 + (uint32_t)(r >> 50) % 4 : 0;
    c.may_alias = (r >> 56) % 3 == 0;
    c.no_quirks = (r >> 60) % 2 == 0;
    return c;
}

/* Up to `room` instructions that the CPU's model supports, from random bytes. */
static inline size_t fixture_block(const struct sl_cpu *cpu, uint64_t *seed, struct sl_insn *code, size_t room)
{
    size_t n = 0, want = 1 + (size_t)(fixture_random(seed) % room);

    for (int tries = 0; tries < 4000 && n < want; tries++) {
        uint8_t bytes[16];
        for (int i = 0; i < 16; i += 8) {
            uint64_t r = fixture_random(seed);
            memcpy(bytes + i, &r, 8);
        }
        if (cpu->isa->max_len_bytes == 4 && fixture_random(seed) % 4 != 0) { /* few registers: many dependencies */
            bytes[0] &= 0x63;
            bytes[1] &= 0xfc;
            bytes[2] &= 0xe3;
        }
        if (cpu->isa->decode(bytes, sizeof bytes, &code[n]) == SL_OK && sl_mca_check(cpu, &code[n]) == SL_OK)
            n++;
    }
    return n;
}

/* Each instruction is dispatched, ready, issued, executed, retired in this order, each at most once. */
struct fixture_laws {
    struct sl_mca_observer observer;
    uint8_t *step; /* [total] 0 nothing, 1 dispatched, 2 ready, 3 issued, 4 executed, 5 retired */
    uint32_t total;
    uint32_t next_dispatch, next_retire;
    uint32_t last_cycle;
    uint32_t retired;
    bool in_order;
    const char *broken;
};

static inline void fixture_event(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct fixture_laws *laws = (struct fixture_laws *)self;
    static const uint8_t before[SL_MCA_EVENT_KINDS] = { [SL_MCA_READY] = 1, [SL_MCA_ISSUED] = 2, [SL_MCA_EXECUTED] = 3,
                                                        [SL_MCA_RETIRED] = 4 };

    if (e->cycle < laws->last_cycle)
        laws->broken = "time runs backwards";
    laws->last_cycle = e->cycle;
    if (e->iid >= laws->total) {
        laws->broken = "an instruction that does not exist";
        return;
    }
    if (e->kind == SL_MCA_DISPATCHED) {
        if (laws->step[e->iid] != 0)
            return; /* the rest of its micro-ops */
        if (e->iid != laws->next_dispatch++)
            laws->broken = "dispatch out of order";
        laws->step[e->iid] = 1;
        return;
    }
    if (laws->step[e->iid] != before[e->kind])
        laws->broken = "an instruction skips or repeats a step";
    laws->step[e->iid]++;
    if (e->kind != SL_MCA_RETIRED)
        return;
    if (!laws->in_order && e->iid != laws->next_retire++)
        laws->broken = "retirement out of order";
    laws->retired++;
}

static inline void fixture_attach(struct fixture_laws *laws, struct sl_mca *m)
{
    memset(laws, 0, sizeof *laws);
    laws->total = m->config.iterations * m->n_insns;
    laws->step = calloc(laws->total, 1);
    laws->in_order = m->in_order;
    laws->observer.event = fixture_event;
    laws->observer.kinds = 1u << SL_MCA_DISPATCHED | 1u << SL_MCA_READY | 1u << SL_MCA_ISSUED | 1u << SL_MCA_EXECUTED |
                           1u << SL_MCA_RETIRED;
    sl_mca_attach(m, &laws->observer);
}

#endif
