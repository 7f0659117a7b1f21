/* SPDX-License-Identifier: Apache-2.0 */
/* core/mca/recur*.c: an extrapolated run ends like one that simulates every cycle, for random blocks and configs on all CPUs.
 * The expected values are those of sl_mca_run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/observe.h>
#include <slotledger/recur.h>

#include "mca_fixture.h"

/* fmadd d0,d1,d2,d0; ldr x1,[x0],#8; stp x1,x2,[x3]; bl .+0; udiv x2,x1,x2; add x0,x0,x1; mul x3,x0,x1; fadd v0.4s,v0.4s,v1.4s;
 * mov x1,x2; str x1,[x3],#8; dmb ish; fdiv d0,d0,d1 (llvm-mc-19) */
static const uint32_t aarch64_code[] = { 0x1f420020, 0xf8408401, 0xa9000861, 0x94000000, 0x9ac20822, 0x8b010000,
                                         0x9b017c03, 0x4e21d400, 0xaa0203e1, 0xf8008461, 0xd5033bbf, 0x1e611800 };
/* addl %eax,%ebx; movl %eax,%ecx; xorl %ecx,%ecx; movq (%rdi),%rax; movq %rax,8(%rdi); imulq %rax,%rdx; movb %al,%ah; divl %ecx;
 * addps %xmm0,%xmm1; movaps %xmm1,%xmm2; mfence; divsd %xmm0,%xmm1 (llvm-mc-19) */
static const uint8_t x86_64_code[] = { 0x01, 0xc3, 0x89, 0xc1, 0x31, 0xc9, 0x48, 0x8b, 0x07, 0x48, 0x89, 0x47, 0x08, 0x48, 0x0f, 0xaf, 0xd0,
                                       0x88, 0xc4, 0xf7, 0xf1, 0x0f, 0x58, 0xc8, 0x0f, 0x28, 0xd1, 0x0f, 0xae, 0xf0, 0xf2, 0x0f, 0x5e, 0xc8 };
enum { POOL = 12, MOST_INSNS = 10, EDGES = 4000 };

static uint64_t seed = 1;

static unsigned pick(unsigned n)
{
    return (unsigned)(fixture_random(&seed) % n);
}

struct run {
    struct sl_mca m;
    void *memory, *views, *finder;
    struct sl_obs_summary summary;
    struct sl_obs_pressure pressure;
    struct sl_obs_timeline timeline;
    struct sl_obs_dispatch dispatch;
    struct sl_obs_scheduler scheduler;
    struct sl_obs_retire retire;
    struct sl_obs_regfile regfile;
    struct sl_obs_bottleneck bottleneck;
    struct sl_mca_recur recur;
    enum sl_status status;
};

static void *memory_of(size_t bytes)
{
    void *memory = calloc(1, bytes);

    assert_non_null(memory);
    return memory;
}

static void attach(struct run *r)
{
    struct sl_mca *m = &r->m;
    size_t need[8] = { sl_obs_summary_need(m), sl_obs_pressure_need(m), sl_obs_timeline_need(m, 3), sl_obs_dispatch_need(m),
                       sl_obs_scheduler_need(m), sl_obs_retire_need(m), sl_obs_regfile_need(m), sl_obs_bottleneck_need(m, EDGES) };
    size_t sum = 0;
    unsigned char *at;

    for (unsigned i = 0; i < 8; i++)
        sum += need[i];
    at = r->views = memory_of(sum);
    assert_int_equal(sl_obs_summary_init(&r->summary, m, at, need[0]), SL_OK);
    assert_int_equal(sl_obs_pressure_init(&r->pressure, m, at += need[0], need[1]), SL_OK);
    assert_int_equal(sl_obs_timeline_init(&r->timeline, m, 3, 0, at += need[1], need[2]), SL_OK);
    assert_int_equal(sl_obs_dispatch_init(&r->dispatch, m, at += need[2], need[3]), SL_OK);
    assert_int_equal(sl_obs_scheduler_init(&r->scheduler, m, at += need[3], need[4]), SL_OK);
    assert_int_equal(sl_obs_retire_init(&r->retire, m, at += need[4], need[5]), SL_OK);
    assert_int_equal(sl_obs_regfile_init(&r->regfile, m, at += need[5], need[6]), SL_OK);
    if (m->config.pressure)
        assert_int_equal(sl_obs_bottleneck_init(&r->bottleneck, m, EDGES, at + need[6], need[7]), SL_OK);
}

static void begin(struct run *r, const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_insn *code, size_t n)
{
    size_t need = sl_mca_need_for(cpu, config, code, n);

    memset(r, 0, sizeof *r);
    r->memory = memory_of(need);
    assert_int_equal(sl_mca_init(&r->m, cpu, config, code, n, r->memory, need), SL_OK);
    attach(r);
}

static void finish(struct run *r)
{
    sl_obs_summary_finish(&r->summary);
    sl_obs_dispatch_finish(&r->dispatch);
    sl_obs_scheduler_finish(&r->scheduler);
    sl_obs_retire_finish(&r->retire);
    sl_obs_regfile_finish(&r->regfile);
    if (r->m.config.pressure)
        assert_int_equal(sl_obs_bottleneck_finish(&r->bottleneck), SL_OK);
}

static void release(struct run *r)
{
    free(r->memory);
    free(r->views);
    free(r->finder);
}

/* With exactly the memory asked for. */
static void run_recurring(struct run *r)
{
    size_t need = sl_mca_recur_need(&r->m);

    r->finder = memory_of(need);
    assert_true(need > SL_ARENA_ALIGN);
    assert_int_equal(sl_mca_recur_init(&r->recur, &r->m, r->finder, need / 2), SL_E_ROOM);
    assert_int_equal(sl_mca_recur_init(&r->recur, &r->m, r->finder, need), SL_OK);
    while ((r->status = sl_mca_recur_run(&r->recur)) == SL_E_AGAIN)
        ;
}

static void same_histogram(const struct sl_cycle_histogram *a, const struct sl_cycle_histogram *b)
{
    assert_memory_equal(a->direct, b->direct, a->n_direct * sizeof *a->direct);
    assert_int_equal(a->n_far, b->n_far);
    assert_memory_equal(a->far, b->far, a->n_far * sizeof *a->far);
}

static void same_level(const struct sl_level *a, const struct sl_level *b)
{
    assert_int_equal(a->max, b->max);
    assert_true(a->sum == b->sum);
}

static void same_bottleneck(const struct sl_obs_bottleneck *a, const struct sl_obs_bottleneck *b)
{
    assert_int_equal(a->pressure, b->pressure);
    assert_int_equal(a->resource_pressure, b->resource_pressure);
    assert_int_equal(a->data_pressure, b->data_pressure);
    assert_int_equal(a->register_pressure, b->register_pressure);
    assert_int_equal(a->memory_pressure, b->memory_pressure);
    assert_int_equal(a->stalled, b->stalled);
    assert_memory_equal(a->busy, b->busy, a->m->cpu->n_resources * sizeof *a->busy);
    assert_int_equal(a->n_edges, b->n_edges);
    for (uint32_t i = 0; i < a->n_edges; i++) {
        assert_int_equal(a->edges[i].frequency, b->edges[i].frequency);
        assert_true(a->edges[i].cost_cycles == b->edges[i].cost_cycles && a->edges[i].id == b->edges[i].id);
    }
    assert_int_equal(a->n_sequence, b->n_sequence);
    assert_memory_equal(a->sequence, b->sequence, a->n_sequence * sizeof *a->sequence);
}

static void same(struct run *a, struct run *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->m.cycles, b->m.cycles);
    assert_int_equal(sl_mca_quirks(&a->m), sl_mca_quirks(&b->m));
    assert_int_equal(a->summary.throughput_cycles, b->summary.throughput_cycles);
    assert_memory_equal(a->pressure.cycles, b->pressure.cycles, a->pressure.n_cells * sizeof *a->pressure.cycles);
    assert_memory_equal(a->timeline.entries, b->timeline.entries, a->timeline.n_entries * sizeof *a->timeline.entries);
    assert_memory_equal(a->timeline.waits, b->timeline.waits, a->m.n_insns * sizeof *a->timeline.waits);
    assert_memory_equal(a->dispatch.stalls, b->dispatch.stalls, sizeof a->dispatch.stalls);
    same_histogram(&a->dispatch.dispatched, &b->dispatch.dispatched);
    same_histogram(&a->scheduler.issued, &b->scheduler.issued);
    same_histogram(&a->retire.retired, &b->retire.retired);
    for (uint32_t i = 0; i < a->m.cpu->n_resources; i++)
        same_level(&a->scheduler.buffers[i], &b->scheduler.buffers[i]);
    same_level(&a->retire.in_use, &b->retire.in_use);
    for (uint32_t i = 0; i < a->regfile.n_files; i++) {
        assert_int_equal(a->regfile.files[i].total, b->regfile.files[i].total);
        assert_int_equal(a->regfile.files[i].max, b->regfile.files[i].max);
        assert_int_equal(a->regfile.files[i].moves_eliminated, b->regfile.files[i].moves_eliminated);
        assert_int_equal(a->regfile.files[i].zero_moves, b->regfile.files[i].zero_moves);
        assert_int_equal(a->regfile.files[i].max_moves, b->regfile.files[i].max_moves);
    }
    if (a->m.config.pressure)
        same_bottleneck(&a->bottleneck, &b->bottleneck);
}

/* Half of the instructions are common ones that depend on one another (pool, or NULL), half are any that decode. */
static bool random_insn(const struct sl_isa *isa, const struct sl_insn *pool, struct sl_insn *insn)
{
    uint8_t bytes[16];

    if (pool != NULL && pick(2) == 0) {
        *insn = pool[pick(POOL)];
        return true;
    }
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)pick(256);
    return isa->decode(bytes, sizeof bytes, insn) == SL_OK;
}

static size_t random_block(const struct sl_cpu *cpu, const struct sl_insn *pool, struct sl_insn *code)
{
    size_t n = 0, want = 1u + pick(MOST_INSNS);

    for (unsigned tries = 0; n < want && tries < 400; tries++)
        n += random_insn(cpu->isa, pool, &code[n]) && sl_mca_check(cpu, &code[n]) == SL_OK;
    return n;
}

/* SLOTLEDGER_RECUR_BLOCKS: blocks for each CPU. */
static unsigned blocks_each(void)
{
    const char *given = getenv("SLOTLEDGER_RECUR_BLOCKS");
    unsigned long blocks = given != NULL ? strtoul(given, NULL, 10) : 0;

    return blocks != 0 && blocks < 1000000 ? (unsigned)blocks : 8;
}

static struct sl_mca_config random_config(void)
{
    struct sl_mca_config config = { .iterations = 150u + 2u * pick(200) + 1u, .may_alias = pick(3) == 0, .pressure = pick(4) == 0,
                                    .no_quirks = pick(6) == 0 };

    if (pick(4) == 0)
        config.dispatch_width = 1u + pick(8);
    if (pick(5) == 0)
        config.register_file_size = 4u + pick(60);
    if (pick(5) == 0)
        config.micro_op_queue_size = 4u + pick(60);
    if (pick(5) == 0)
        config.load_queue = 1u + pick(9);
    if (pick(6) == 0)
        config.slice_cycles = 1u + pick(90);
    return config;
}

struct tally { unsigned runs, found; };

static void compare_blocks(const struct sl_cpu_name *cpus, size_t n_cpus, const struct sl_insn *pool, struct tally *tally)
{
    for (unsigned i = 0; i < blocks_each() * n_cpus; i++) {
        const struct sl_cpu *cpu = cpus[i % n_cpus].cpu;
        struct sl_mca_config config = random_config();
        struct sl_insn code[MOST_INSNS];
        size_t n = random_block(cpu, pool, code);
        static struct run full, part;

        if (n == 0)
            continue;
        begin(&full, cpu, &config, code, n);
        while ((full.status = sl_mca_run(&full.m)) == SL_E_AGAIN)
            ;
        begin(&part, cpu, &config, code, n);
        run_recurring(&part);
        if (full.status == SL_OK) {
            finish(&full);
            finish(&part);
        }
        same(&part, &full);
        tally->runs++;
        tally->found += part.recur.skipped_iterations != 0;
        release(&full);
        release(&part);
    }
}

static void decode_pools(struct sl_insn aarch64[POOL], struct sl_insn x86_64[POOL])
{
    size_t at = 0;

    for (unsigned i = 0; i < POOL; i++) {
        uint8_t bytes[4] = { (uint8_t)aarch64_code[i], (uint8_t)(aarch64_code[i] >> 8), (uint8_t)(aarch64_code[i] >> 16),
                             (uint8_t)(aarch64_code[i] >> 24) };
        assert_int_equal(sl_isa_aarch64.decode(bytes, 4, &aarch64[i]), SL_OK);
        assert_int_equal(sl_isa_x86_64.decode(x86_64_code + at, sizeof x86_64_code - at, &x86_64[i]), SL_OK);
        at += x86_64[i].len_bytes;
    }
    assert_int_equal(at, sizeof x86_64_code);
}

static void extrapolated_runs_end_like_full_ones(void **unused)
{
    struct sl_insn aarch64[POOL], x86_64[POOL];
    struct tally tally = { 0, 0 };

    (void)unused;
    decode_pools(aarch64, x86_64);
    compare_blocks(sl_cpus_aarch64, sl_n_cpus_aarch64, aarch64, &tally);
    compare_blocks(sl_cpus_x86_64, sl_n_cpus_x86_64, x86_64, &tally);
    compare_blocks(sl_cpus_riscv64, sl_n_cpus_riscv64, NULL, &tally);
    print_message("%u runs, %u with a recurrence\n", tally.runs, tally.found);
    assert_true(2 * tally.found > tally.runs);
}

/* One add that waits for itself: a cycle an iteration, whatever their number. */
static void the_number_of_iterations_does_not_matter(void **unused)
{
    const struct sl_mca_config config = { .iterations = 4000000001u };
    struct sl_insn aarch64[POOL], x86_64[POOL];
    static struct run r;

    (void)unused;
    decode_pools(aarch64, x86_64);
    begin(&r, sl_cpus_x86_64[0].cpu, &config, &x86_64[0], 1); /* addl %eax,%ebx */
    run_recurring(&r);
    assert_int_equal(r.status, SL_OK);
    finish(&r);
    assert_true(r.m.cycles > 4000000001u && r.m.cycles < 4000000100u);
    assert_true(r.recur.skipped_iterations > 3999000000u);
    release(&r);
}

/* An observer that does not say how it is extrapolated sees every event. */
static void seen(struct sl_mca_observer *self, const struct sl_mca_event *event)
{
    (void)event;
    self->kinds += 1u << 16;
}

static void unknown_observers_see_everything(void **unused)
{
    const struct sl_mca_config config = { .iterations = 9000 };
    struct sl_mca_observer observer = { seen, 1u << SL_MCA_ISSUED, NULL, NULL };
    struct sl_insn aarch64[POOL], x86_64[POOL];
    static struct run r;

    (void)unused;
    decode_pools(aarch64, x86_64);
    begin(&r, sl_cpus_aarch64[0].cpu, &config, &aarch64[5], 1);
    sl_mca_attach(&r.m, &observer);
    assert_int_equal(sl_mca_recur_need(&r.m), 0);
    assert_int_equal(sl_mca_recur_init(&r.recur, &r.m, NULL, 0), SL_OK);
    assert_int_equal(sl_mca_recur_run(&r.recur), SL_OK);
    assert_int_equal(observer.kinds >> 16, 9000);
    release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extrapolated_runs_end_like_full_ones),
        cmocka_unit_test(the_number_of_iterations_does_not_matter),
        cmocka_unit_test(unknown_observers_see_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
