/* SPDX-License-Identifier: Apache-2.0 */
/* A machine that only looks like one: a small CPU, a block, and events raised by hand. */
#ifndef TESTS_UNIT_OBSERVE_FIXTURE_H
#define TESTS_UNIT_OBSERVE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/observe.h>

#define FIXTURE_INSNS 8

/* Resources: 1 ALU (2 units), 2 MUL, 3 LQ, 4 SQ, 5 group ANY of ALU and MUL. */
enum { ALU = 1, MUL, LQ, SQ, ANY, N_RESOURCES };

struct fixture {
    struct sl_proc_resource resources[N_RESOURCES];
    uint8_t members[2];
    struct sl_register_file files[3];
    struct sl_class_row rows[FIXTURE_INSNS];
    struct sl_write_res write_res[FIXTURE_INSNS];
    struct sl_write_lat write_lat[FIXTURE_INSNS];
    struct sl_read_adv read_adv[FIXTURE_INSNS];
    struct sl_mca_resource use[FIXTURE_INSNS];
    struct sl_mca_desc descs[FIXTURE_INSNS];
    struct sl_mca_insn insns[FIXTURE_INSNS];
    struct sl_isa isa;
    struct sl_cpu cpu;
    struct sl_mca m;
    void *memory;
};

static inline uint16_t fixture_name(const char *names, const char *name)
{
    const char *at = names;

    while (strcmp(at, name) != 0)
        at += strlen(at) + 1;
    return (uint16_t)(at - names);
}

/* Out of order, width 4, reorder buffer of 8; every instruction: 1 micro-op, 1 cycle of ALU, latency 1. */
static inline void fixture_init(struct fixture *f, uint32_t n_insns, uint32_t iterations)
{
    static const char names[] = "\0ALU\0MUL\0LQ\0SQ\0ANY\0Integer\0Vector\0";

    memset(f, 0, sizeof *f);
    f->resources[ALU] = (struct sl_proc_resource){ fixture_name(names, "ALU"), -1, 2, 0, 0, 0 };
    f->resources[MUL] = (struct sl_proc_resource){ fixture_name(names, "MUL"), 4, 1, 0, 0, 0 };
    f->resources[LQ] = (struct sl_proc_resource){ fixture_name(names, "LQ"), 16, 1, 0, 0, 0 };
    f->resources[SQ] = (struct sl_proc_resource){ fixture_name(names, "SQ"), 12, 1, 0, 0, 0 };
    f->resources[ANY] = (struct sl_proc_resource){ fixture_name(names, "ANY"), 20, 2, 0, 1, 0 };
    f->members[0] = ALU;
    f->members[1] = MUL;
    f->files[1] = (struct sl_register_file){ fixture_name(names, "Integer"), 64, 0, 0, 0, 0 };
    f->files[2] = (struct sl_register_file){ fixture_name(names, "Vector"), 0, 0, 0, 0, 0 };
    for (unsigned i = 0; i < FIXTURE_INSNS; i++) {
        f->write_res[i] = (struct sl_write_res){ ALU, 0, 1 };
        f->write_lat[i] = (struct sl_write_lat){ 1, 0 };
        f->rows[i] = (struct sl_class_row){ .uops = 1, .n_res = 1, .n_lat = 1, .res = (uint16_t)i, .lat = (uint16_t)i,
                                            .adv = (uint16_t)i };
        f->use[i] = (struct sl_mca_resource){ .mask = 1, .cycles = 1, .resource = ALU, .units = 1 };
        f->descs[i] = (struct sl_mca_desc){ .resources = &f->use[i], .row = &f->rows[i], .uops = 1, .n_resources = 1,
                                            .max_latency_cycles = 1 };
        f->insns[i].desc = &f->descs[i];
    }
    f->cpu.name = "fixture";
    f->cpu.isa = &f->isa;
    f->cpu.names = names;
    f->cpu.resources = f->resources;
    f->cpu.members = f->members;
    f->cpu.rows = f->rows;
    f->cpu.write_res = f->write_res;
    f->cpu.write_lat = f->write_lat;
    f->cpu.read_adv = f->read_adv;
    f->cpu.files = f->files;
    f->cpu.n_files = 3;
    f->cpu.issue_width = 4;
    f->cpu.micro_op_buffer_size = 8;
    f->cpu.n_resources = N_RESOURCES;
    f->m.cpu = &f->cpu;
    f->m.config.iterations = iterations;
    f->m.config.dispatch_width = 4;
    f->m.insns = f->insns;
    f->m.n_insns = n_insns;
}

static inline void *fixture_memory(struct fixture *f, size_t bytes)
{
    free(f->memory);
    f->memory = malloc(bytes);
    assert_non_null(f->memory);
    return f->memory;
}

static inline void fixture_free(struct fixture *f)
{
    free(f->memory);
    f->memory = NULL;
}

/* Raises an event the way the machine does. */
static inline void fixture_raise(struct fixture *f, const struct sl_mca_event *event)
{
    for (struct sl_mca_observer *o = f->m.observers; o != NULL; o = o->next)
        if ((o->kinds >> event->kind) & 1u)
            o->event(o, event);
}

static inline struct sl_mca_event fixture_event(const struct fixture *f, enum sl_mca_event_kind kind, uint32_t cycle,
                                                uint32_t iid)
{
    static const uint16_t none[3];
    struct sl_mca_event e = { .kind = kind, .cycle = cycle, .iid = iid, .position = iid % f->m.n_insns, .regs = none };

    e.insn = &f->insns[e.position];
    if (kind == SL_MCA_DISPATCHED)
        e.uops = e.insn->desc->uops;
    return e;
}

static inline void fixture_simple(struct fixture *f, enum sl_mca_event_kind kind, uint32_t cycle, uint32_t iid)
{
    const struct sl_mca_event e = fixture_event(f, kind, cycle, iid);

    fixture_raise(f, &e);
}

/* The five cycles of a timeline row. */
static inline void fixture_life(struct fixture *f, uint32_t iid, const uint32_t cycles[5])
{
    fixture_simple(f, SL_MCA_DISPATCHED, cycles[0], iid);
    fixture_simple(f, SL_MCA_READY, cycles[1], iid);
    fixture_simple(f, SL_MCA_ISSUED, cycles[2], iid);
    fixture_simple(f, SL_MCA_EXECUTED, cycles[3], iid);
    fixture_simple(f, SL_MCA_RETIRED, cycles[4], iid);
}

/* Attaches a view without options with exactly the memory asked for, after checking that less is refused. */
#define FIXTURE_ATTACH(f, view, o)                                                                   \
    do {                                                                                             \
        size_t need_ = sl_obs_##view##_need(&(f)->m);                                                  \
        void *mem_ = fixture_memory(f, need_);                                                         \
        assert_int_equal(sl_obs_##view##_init(o, &(f)->m, mem_, need_ / 2 - 1), SL_E_ROOM);             \
        assert_true((f)->m.missing_bytes > 0 && (f)->m.missing_bytes <= need_);                         \
        assert_null((f)->m.observers);                                                                 \
        assert_int_equal(sl_obs_##view##_init(o, &(f)->m, mem_, need_), SL_OK);                         \
    } while (0)

#endif
