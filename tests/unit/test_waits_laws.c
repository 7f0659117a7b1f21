/* SPDX-License-Identifier: Apache-2.0 */
/* core/observe/waits: on random blocks for every model the sums close to the cycle, and each culprit was in the way.
 * What instructions did is recorded apart, from the machine's events. SLOTLEDGER_WAIT_BLOCKS: blocks in all (default
 * 5400). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <slotledger/observe.h>

#include "mca_fixture.h"

#define ROOM  12
#define USES  8
#define NEVER UINT32_MAX

struct life {
    uint32_t dispatched, issued, executed, retired;
    struct sl_mca_use uses[USES];
    unsigned n_uses;
};

struct lives {
    struct sl_mca_observer observer;
    struct life *of;
    uint32_t *retired_in; /* [cycles_room] instructions retired a cycle */
    uint32_t cycles_room;
    uint32_t total;
    uint64_t uops;
};

static void live(struct sl_mca_observer *self, const struct sl_mca_event *e)
{
    struct lives *l = (struct lives *)self;
    struct life *life = &l->of[e->iid];

    switch (e->kind) {
    case SL_MCA_DISPATCHED:
        if (life->dispatched == NEVER)
            life->dispatched = e->cycle;
        l->uops += e->uops;
        break;
    case SL_MCA_ISSUED:
        life->issued = e->cycle;
        life->n_uses = e->n_uses < USES ? e->n_uses : USES;
        memcpy(life->uses, e->uses, life->n_uses * sizeof *e->uses);
        break;
    case SL_MCA_EXECUTED:
        life->executed = e->cycle;
        break;
    case SL_MCA_RETIRED:
        life->retired = e->cycle;
        if (e->cycle < l->cycles_room)
            l->retired_in[e->cycle]++;
        break;
    default:
        break;
    }
}

static void lives_attach(struct lives *l, struct sl_mca *m)
{
    memset(l, 0, sizeof *l);
    l->total = m->config.iterations * m->n_insns;
    l->cycles_room = 1u << 16;
    l->of = malloc(l->total * sizeof *l->of);
    l->retired_in = calloc(l->cycles_room, sizeof *l->retired_in);
    for (uint32_t i = 0; i < l->total; i++)
        l->of[i] = (struct life){NEVER, NEVER, NEVER, NEVER, {{0, 0, 0, 0}}, 0};
    l->observer.event = live;
    l->observer.kinds = 1u << SL_MCA_DISPATCHED | 1u << SL_MCA_ISSUED | 1u << SL_MCA_EXECUTED | 1u << SL_MCA_RETIRED;
    sl_mca_attach(m, &l->observer);
}

static uint64_t others, segments_checked, blocks, instructions;
static const char *at_cpu;

#define LAW(condition, ...)                                                                                            \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s: iid %u cause %s: ", at_cpu, s->iid, sl_wait_name((enum sl_wait)s->cause));            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fprintf(stderr, "\n");                                                                                     \
            fail_msg("broken: " #condition);                                                                           \
        }                                                                                                              \
    } while (0)

/* Did instruction `by` use the resource, or a member of it, in this cycle? */
static bool holds(const struct sl_mca *m, const struct lives *l, uint32_t by, unsigned resource, uint32_t cycle)
{
    const struct sl_proc_resource *r = &m->cpu->resources[resource];
    const struct life *life = &l->of[by];
    const struct sl_mca_desc *desc = m->insns[by % m->n_insns].desc;

    if (life->issued > cycle)
        return false;
    if (life->n_uses == USES)
        return true;
    for (unsigned i = 0; i < desc->n_resources; i++) /* who reserves a group that is reserved already adds his cycles */
        if (desc->resources[i].reserved && desc->resources[i].resource == resource)
            return true;
    for (unsigned i = 0; i < life->n_uses; i++) {
        bool it = life->uses[i].resource == resource;
        for (unsigned k = 0; r->is_group && k < r->n_units; k++)
            it |= m->cpu->members[r->members + k] == life->uses[i].resource;
        if (it && life->issued + life->uses[i].cycles > cycle)
            return true;
    }
    return false;
}

static void check_culprit(const struct sl_mca *m, const struct lives *l, const struct sl_wait_segment *s)
{
    const struct life *own = &l->of[s->iid];
    const struct life *by = s->culprit != SL_MCA_NOBODY ? &l->of[s->culprit] : NULL;
    uint32_t last = s->from_cycle + s->cycles - 1u;
    bool quirk = (sl_mca_quirks(m) & (SL_MCA_QUIRK_BUSY_UNIT | SL_MCA_QUIRK_LOST)) != 0;

    segments_checked++;
    switch ((enum sl_wait)s->cause) {
    case SL_WAIT_EXECUTING:
        LAW(own->issued == s->from_cycle, "issued %u, from %u", own->issued, s->from_cycle);
        LAW(m->in_order || own->executed == last + 1u, "executed %u, last %u", own->executed, last);
        break;
    case SL_WAIT_REGISTER:
        LAW(by != NULL && s->culprit < s->iid, "culprit %u", s->culprit);
        LAW(by->dispatched <= s->from_cycle && by->issued <= last + 1u, "issued %u last %u", by->issued, last);
        /* A value is late by less than this after write-back (negative read-advance). */
        LAW(by->executed == NEVER || by->executed + 64u > last, "executed %u last %u", by->executed, last);
        break;
    case SL_WAIT_MEMORY:
        LAW(quirk || (by != NULL && s->culprit < s->iid), "culprit %u", s->culprit);
        if (by == NULL || quirk)
            break;
        LAW(m->insns[s->culprit % m->n_insns].may_load || m->insns[s->culprit % m->n_insns].may_store, "culprit %u",
            s->culprit);
        if (m->in_order)
            LAW(by->executed > last, "executed %u last %u", by->executed, last);
        else if (s->what != 0)
            LAW(by->executed >= last && by->executed <= last + 1u, "executed %u last %u", by->executed, last);
        else
            LAW(by->issued >= last && by->issued <= last + 1u, "issued %u last %u", by->issued, last);
        break;
    case SL_WAIT_UNIT:
        /* Where groups overlap, an instruction may also be in its own way. */
        quirk |= m->insns[s->iid % m->n_insns].desc->overlap;
        for (uint32_t c = s->from_cycle; c <= last && !quirk; c++)
            LAW(by != NULL && holds(m, l, s->culprit, s->what, c), "resource %s, culprit %u issued %u, cycle %u",
                m->cpu->names + m->cpu->resources[s->what].name, s->culprit, by != NULL ? by->issued : 0, c);
        break;
    case SL_WAIT_RETIRE_ORDER:
        LAW(by != NULL && s->culprit < s->iid && by->executed + 1u > last, "culprit %u", s->culprit);
        break;
    case SL_WAIT_RETIRE_WIDTH:
        for (uint32_t c = s->from_cycle; c <= last && c < l->cycles_room; c++)
            LAW(l->retired_in[c] == m->cpu->max_retire_per_cycle, "%u retired", l->retired_in[c]);
        break;
    case SL_WAIT_WRITE_BACK:
        LAW(by != NULL && s->culprit < s->iid &&
                by->issued + m->insns[s->culprit % m->n_insns].desc->max_latency_cycles > last,
            "culprit %u", s->culprit);
        break;
    case SL_WAIT_REORDER_BUFFER:
    case SL_WAIT_REGISTER_FILE:
        LAW(by != NULL && by->dispatched <= s->from_cycle && by->retired > last, "culprit %u", s->culprit);
        break;
    case SL_WAIT_QUEUE:
        LAW(by != NULL && by->dispatched <= s->from_cycle && by->issued > last, "culprit %u", s->culprit);
        break;
    case SL_WAIT_LOAD_QUEUE:
    case SL_WAIT_STORE_QUEUE:
        LAW(by != NULL && by->dispatched <= s->from_cycle && by->retired > last, "culprit %u", s->culprit);
        LAW(s->cause == SL_WAIT_LOAD_QUEUE ? m->insns[s->culprit % m->n_insns].may_load
                                           : m->insns[s->culprit % m->n_insns].may_store,
            "culprit %u", s->culprit);
        break;
    case SL_WAIT_HAZARD:
        LAW(quirk || (by != NULL && by->dispatched <= s->from_cycle), "culprit %u", s->culprit);
        break;
    case SL_WAIT_CARRY:
        LAW(by != NULL && m->insns[s->culprit % m->n_insns].desc->uops > 1, "culprit %u", s->culprit);
        break;
    case SL_WAIT_GROUP:
        LAW(by != NULL && s->culprit < s->iid, "culprit %u", s->culprit);
        break;
    case SL_WAIT_OTHER:
        others++;
        LAW(quirk, "from %u, %u cycles, stage %u; dispatched %u issued %u", s->from_cycle, s->cycles, s->stage,
            own->dispatched, own->issued);
        break;
    case SL_WAIT_PIPELINE:
        /* One cycle behind the other when the execution takes none. */
        LAW(s->cycles <= 1u + (own->issued == own->executed) &&
                (s->from_cycle == own->dispatched || s->from_cycle == own->executed),
            "from %u, %u cycles", s->from_cycle, s->cycles);
        break;
    case SL_WAIT_MICRO_OP_QUEUE:
        LAW(m->config.micro_op_queue_size != 0, "no queue");
        break;
    case SL_WAIT_WIDTH:
        break;
    case SL_WAIT_END:
    case SL_WAITS:
        LAW(false, "no cause of cycles");
        break;
    }
}

/* Every cycle of BEFORE and AFTER once, no other. */
static void check_cover(const struct sl_mca *m, const struct lives *l, const struct sl_obs_waits *o)
{
    uint64_t before = 0, after = 0, expected_before = 0, expected_after = 0;

    for (uint32_t i = 0; i < o->n_segments; i++) {
        const struct sl_wait_segment *s = &o->segments[i];
        const struct life *own = &l->of[s->iid];
        uint32_t first =
            s->stage == SL_WAIT_BEFORE ? (s->iid != 0 ? l->of[s->iid - 1u].dispatched : 0) : own->dispatched;
        uint32_t end = s->stage == SL_WAIT_BEFORE ? own->dispatched : own->retired;

        LAW(s->from_cycle >= first && s->from_cycle + s->cycles <= end, "%u+%u outside %u..%u (stage %u)",
            s->from_cycle, s->cycles, first, end, s->stage);
        *(s->stage == SL_WAIT_BEFORE ? &before : &after) += s->cycles;
        check_culprit(m, l, s);
    }
    for (uint32_t i = 0; i < l->total; i++) {
        expected_before += l->of[i].dispatched - (i != 0 ? l->of[i - 1u].dispatched : 0);
        if (l->of[i].retired != NEVER)
            expected_after += l->of[i].retired - l->of[i].dispatched;
    }
    assert_int_equal(before, expected_before);
    assert_int_equal(after, expected_after);
}

static int by_iid(const void *a, const void *b)
{
    const struct sl_wait_segment *x = a, *y = b;

    if (x->iid != y->iid)
        return x->iid < y->iid ? -1 : 1;
    return (x->from_cycle > y->from_cycle) - (x->from_cycle < y->from_cycle);
}

/* With the sum above: sorted, none may begin before the one before it has ended. */
static void check_apart(struct sl_obs_waits *o)
{
    qsort(o->segments, o->n_segments, sizeof *o->segments, by_iid);
    for (uint32_t i = 1; i < o->n_segments; i++) {
        const struct sl_wait_segment *s = &o->segments[i], *p = s - 1;
        LAW(s->iid != p->iid || s->from_cycle >= p->from_cycle + p->cycles, "%u after %u+%u", s->from_cycle,
            p->from_cycle, p->cycles);
    }
}

static uint64_t sum_slots(const struct sl_obs_waits *o)
{
    uint64_t sum = o->used_slots;

    for (unsigned i = 0; i < SL_WAITS; i++)
        sum += o->slots[i];
    return sum;
}

/* The charges say the same as the totals, with names. */
static void check_charges(const struct sl_mca *m, const struct sl_obs_waits *o)
{
    uint64_t slots = 0, cycles = 0, before_after = 0;

    for (uint32_t i = 0; i < o->charge_room; i++)
        *(o->charges[i].stage == SL_WAIT_SLOTS ? &slots : &cycles) += o->charges[i].amount;
    for (uint32_t i = 0; i < m->n_insns * SL_WAITS; i++)
        before_after += o->before[i] + o->after[i];
    assert_int_equal(cycles, before_after);
    assert_int_equal(slots, sum_slots(o) - o->used_slots);
}

static void run(const struct sl_cpu *cpu, struct sl_mca_config config, const struct sl_insn *code, size_t n)
{
    struct sl_obs_waits waits;
    struct lives lives;
    struct sl_mca m;
    enum sl_status status;
    size_t need, more;
    void *mem, *own;

    config.pressure = true;
    config.slice_cycles = 1;
    need = sl_mca_need_for(cpu, &config, code, n);
    mem = malloc(need);
    assert_int_equal(sl_mca_init(&m, cpu, &config, code, n, mem, need), SL_OK);
    more = sl_obs_waits_need(&m, 1u << 14, UINT32_MAX, 1u << 17);
    own = malloc(more);
    assert_int_equal(sl_obs_waits_init(&waits, &m, 1u << 14, UINT32_MAX, 1u << 17, own, more), SL_OK);
    lives_attach(&lives, &m);
    while ((status = sl_mca_run(&m)) == SL_E_AGAIN)
        if (sum_slots(&waits) != (uint64_t)waits.width * m.cycles)
            fail_msg("%s: %llu slots in %u cycles of %u", cpu->name, (unsigned long long)sum_slots(&waits), m.cycles,
                     waits.width);
    if (status == SL_OK && m.cycles < lives.cycles_room) {
        blocks++;
        instructions += lives.total;
        assert_int_equal(sum_slots(&waits), (uint64_t)waits.width * m.cycles);
        assert_int_equal(waits.used_slots, lives.uops);
        assert_false(waits.charges_lost || waits.segments_lost);
        check_cover(&m, &lives, &waits);
        check_apart(&waits);
        check_charges(&m, &waits);
    }
    free(lives.of);
    free(lives.retired_in);
    free(own);
    free(mem);
}

static unsigned models;

static void on_list(const struct sl_cpu_name *cpus, size_t n_cpus, unsigned blocks_each, uint64_t *seed)
{
    for (size_t i = 0; i < n_cpus; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= cpus[k].cpu == cpus[i].cpu;
        if (again)
            continue;
        models++;
        at_cpu = cpus[i].cpu->name;
        uint64_t blocks_before = blocks;
        for (unsigned b = 0; b < blocks_each; b++) {
            struct sl_insn code[ROOM];
            size_t n = fixture_block(cpus[i].cpu, seed, code, ROOM);
            struct sl_mca_config config = fixture_config(seed);
            if (n != 0)
                run(cpus[i].cpu, config, code, n);
        }
        if (blocks == blocks_before)
            fail_msg("no block on %s", at_cpu);
    }
}

static void sums_close_and_culprits_are_in_the_way(void **state)
{
    const char *text = getenv("SLOTLEDGER_WAIT_BLOCKS");
    unsigned long wanted = text != NULL ? strtoul(text, NULL, 10) : 5400;
    unsigned each = (unsigned)(wanted / 54 + 1);
    uint64_t seed = 20261130;

    (void)state;
    on_list(sl_cpus_aarch64, sl_n_cpus_aarch64, each, &seed);
    on_list(sl_cpus_x86_64, sl_n_cpus_x86_64, each, &seed);
    on_list(sl_cpus_riscv64, sl_n_cpus_riscv64, each, &seed);
    on_list(sl_cpus_riscv32, sl_n_cpus_riscv32, each, &seed);
    on_list(sl_cpus_thumbm, sl_n_cpus_thumbm, each, &seed);
    on_list(sl_cpus_arm, sl_n_cpus_arm, each, &seed);
    printf("waits: %llu blocks, %u models, %llu instructions, %llu stretches of cycles, %llu without a cause\n",
           (unsigned long long)blocks, models, (unsigned long long)instructions, (unsigned long long)segments_checked,
           (unsigned long long)others);
    assert_true(blocks > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_close_and_culprits_are_in_the_way)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
