/* SPDX-License-Identifier: Apache-2.0 */
/* Models as YAML: what a file changes, which line is wrong, groups by hand arithmetic; blobs that are refused; the levels
 * of loads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/model_blob.h>

#include "hosted/cli/load_latency.h"
#include "hosted/modeltext/model_text.h"

#define CORE "cpu: c\nisa: riscv64\nissue-width: 1\n"
#define UNITS CORE "resources:\n  - {name: G, group: [A, B]}\n  - {name: A}\n  - {name: B, part-of: S}\n  - {name: S, units: 2}\n"

/* The only error's line, and a word of it. */
static const struct bad_case {
    const char *text;
    unsigned line;
    const char *word;
} bad_cases[] = {
    { "", 1, "empty" },
    { "a: [", 2, "YAML" },
    { "[]", 1, "mapping" },
    { "isa: riscv64\n", 1, "'cpu' is missing" },
    { "cpu: c\n", 1, "'inherit' or 'isa'" },
    { "cpu: c\ninherit: nosuch\n", 2, "no built-in CPU" },
    { "cpu: c\nisa: vax\n", 2, "no instruction set" },
    { "cpu: c\nisa: aarch64\ninherit: btver2\n", 2, "is a CPU of x86_64" },
    { "cpu: c\nisa: riscv64\n", 1, "'issue-width' is missing" },
    { "cpu: c\nisa: riscv64\nissue-width: 0\n", 3, "from 1 to 255" },
    { CORE "cpu: d\n", 4, "occurs twice" },
    { CORE "colour: red\n", 4, "no key" },
    { CORE "load-queue: LQ\n", 4, "no resource" },
    { CORE "resources:\n  - {name: A, units: 64}\n", 5, "from 1 to 63" },
    { CORE "resources:\n  - {name: A}\n  - {name: A}\n", 6, "first in line 5" },
    { CORE "resources:\n  - {name: A, group: [A]}\n", 5, "group" },
    { CORE "resources:\n  - {name: A}\n  - {name: G, group: []}\n", 6, "1 to 64" },
    { CORE "resources:\n  - {name: A}\n  - {name: G, group: [A]}\n  - {name: H, group: [G]}\n", 7, "only units" },
    { CORE "resources:\n  - {name: A, part-of: B}\n  - {name: B, part-of: A}\n", 6, "part of itself" },
    { CORE "resources:\n  - {name: A, buffer: 40000}\n", 5, "32767" },
    { CORE "resources:\n  - {name: A}\n", 5, "no instruction can use" },
    { CORE "classes:\n  - {op: ADDD}\n", 5, "no opcode" },
    { CORE "classes:\n  - {class: Nope}\n", 5, "no scheduling class" },
    { CORE "classes:\n  - {op: ADD, class: WriteIALU}\n", 5, "either" },
    { CORE "classes:\n  - {op: ADD, latency: [1, x]}\n", 5, "latency" },
    { CORE "classes:\n  - {op: ADD, use: {A: 1}}\n", 5, "no resource" },
    { CORE "classes:\n  - {op: ADD, uops: 9000}\n", 5, "8189" },
    { CORE "classes:\n  - {op: ADD, forwarding: [1=1, 0=1]}\n", 5, "ascend" },
    { CORE "classes:\n  - {op: ADD, forwarding: [0=200]}\n", 5, "127" },
    { CORE "classes:\n  - {op: ADD, confidence: sure}\n", 5, "measured" },
    { CORE "classes:\n  - &a {op: ADD}\n  - *a\n", 5, "aliases" },
    { "cpu: c\ninherit: btver2\nclasses:\n  - {class: PdWriteZeroLatency, latency: 1}\n", 4, "no opcode uses" },
    { CORE "variants:\n  - {op: ADD, rules: [{class: none}]}\n", 5, "no variant class" },
    { "cpu: c\ninherit: btver2\nvariants:\n  - {op: VPERM2F128rr, rules: [{if: [{zero: 1}], class: none}]}\n", 4, "last rule" },
    { "cpu: c\ninherit: btver2\nidioms:\n  - {op: XOR32rr, mask: [17, 0]}\n", 4, "from 0 to 16" },
    { "cpu: c\ninherit: btver2\nregister-files:\n  - {name: JFpuPRF, registers: [{list: [xmm99]}]}\n", 4, "no register" },
};

static void test_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_cases / sizeof bad_cases[0]; i++) {
        const struct bad_case *c = &bad_cases[i];
        char *said = NULL, start[64];
        size_t len = 0;
        struct diag diag = { .stream = open_memstream(&said, &len) };
        struct model model;
        bool ok = model_load(&model, "f.yaml", c->text, strlen(c->text), true, &diag);
        fclose(diag.stream);
        snprintf(start, sizeof start, "slotledger: f.yaml:%u: ", c->line);
        if (ok || diag.n_errors != 1 || strncmp(said, start, strlen(start)) != 0 || !strstr(said, c->word))
            fail_msg("case %zu: loaded %d, %u errors, said: %s", i, ok, diag.n_errors, said);
        free(said);
    }
}

static void load(struct model *model, const char *text)
{
    struct diag diag = { .stream = stderr };
    assert_true(model_load(model, "t.yaml", text, strlen(text), false, &diag));
}

/* A use of B for two cycles is one of its whole S and of the group G; one of A adds to G. */
static void test_expansion_by_hand(void **state)
{
    static const struct sl_write_res expected[] = { { 1, 0, 5 }, { 2, 0, 3 }, { 3, 0, 2 }, { 4, 0, 2 } };
    struct sl_write_res given[MODEL_MAX_RESOURCES + 1];
    const struct model_row *row;
    struct model model;
    (void)state;
    load(&model, UNITS "classes:\n  - {op: ADD, latency: 1, use: {B: 2, A: 3}}\n");
    row = model.ops[model_find_op(model.isa, "ADD")].row;
    assert_int_equal(row->n_res, 4);
    assert_memory_equal(row->res, expected, sizeof expected);
    assert_int_equal(model_unexpand(&model, row->res, row->n_res, given), 2);
    assert_int_equal(given[0].resource, 2);
    assert_int_equal(given[0].release_cycle, 3);
    assert_int_equal(given[1].resource, 3);
    model_free(&model);
}

static const struct sl_class_row *row_of(const struct sl_cpu *cpu, const char *op)
{
    struct sl_insn insn = { .op = (uint16_t)model_find_op(cpu->isa, op) };
    uint16_t sched_class;
    assert_int_equal(sl_cpu_resolve(cpu, &insn, &sched_class), SL_OK);
    return sl_cpu_class(cpu, sched_class);
}

/* llvm-mca-19 -mcpu=btver2 prints latency 4 for vhaddps and 3 for vaddps. Only the one is changed. */
static void test_one_opcode_changed(void **state)
{
    struct model model;
    struct model_tables tables;
    const struct sl_class_row *row;
    const char *what;
    (void)state;
    load(&model, "cpu: c\ninherit: btver2\nclasses:\n  - {op: VHADDPSrr, latency: 7, confidence: guess}\n");
    assert_true(model_build(&tables, &model, &what));
    row = row_of(&tables.cpu, "VHADDPSrr");
    assert_int_equal(tables.cpu.write_lat[row->lat].cycles, 7);
    row = row_of(&tables.cpu, "VHADDPDrr");
    assert_int_equal(tables.cpu.write_lat[row->lat].cycles, 4);
    row = row_of(&tables.cpu, "VADDPSrr");
    assert_int_equal(tables.cpu.write_lat[row->lat].cycles, 3);
    assert_true(tables.cpu.n_classes > tables.cpu.isa->n_classes);
    model_tables_free(&tables);
    model_free(&model);
}

/* Each length and place in the header, wrong: refused, whatever the checksum says. */
static void test_damaged_blobs(void **state)
{
    struct model model;
    struct model_tables tables;
    struct sl_cpu cpu;
    const char *what;
    uint8_t *blob;
    size_t len;
    (void)state;
    model_of_cpu(&model, model_find_cpu("cortex-a57"));
    assert_true(model_build(&tables, &model, &what));
    blob = model_blob(&tables, &len);
    assert_int_equal(sl_model_blob_open(&cpu, model.isa, blob, len), SL_OK);
    assert_string_equal(cpu.name, "cortex-a57");
    assert_int_equal(sl_model_blob_open(&cpu, model.isa, blob, len - 1), SL_E_TRUNCATED);
    assert_int_equal(sl_model_blob_open(&cpu, &sl_isa_riscv64, blob, len), SL_E_UNSUPPORTED);
    assert_int_equal(sl_model_blob_open(&cpu, model.isa, blob + 1, len - 1), SL_E_ARGUMENT);
    blob[len / 2] ^= 1;
    assert_int_equal(sl_model_blob_open(&cpu, model.isa, blob, len), SL_E_DATA);
    blob[len / 2] ^= 1;
    for (unsigned word = 11; word < SL_MODEL_BLOB_HEADER_WORDS; word++) {
        uint8_t kept[4];
        uint32_t crc;
        memcpy(kept, blob + 4 * word, 4);
        blob[4 * word + 2] = 0xf0; /* 15 MB further, or so many more */
        crc = sl_crc32c(0, blob + 16, len - 16);
        for (unsigned i = 0; i < 4; i++)
            blob[12 + i] = (uint8_t)(crc >> 8 * i);
        assert_int_equal(sl_model_blob_open(&cpu, model.isa, blob, len), SL_E_DATA);
        memcpy(blob + 4 * word, kept, 4);
    }
    free(blob);
    model_tables_free(&tables);
    model_free(&model);
}

/* The order that nginx documents for its smooth weighted round-robin of weights 5, 1, 1: a a b a c a a. Seven sevenths are
 * no millionths: 0.714286 and 0.142857 come to the same for the first rounds. */
static void test_levels_in_turn(void **state)
{
    static const char expected[] = "aabacaa";
    struct load_levels levels = { .n = 3, .level = { { "l1", 1, 714286 }, { "l2", 2, 142857 }, { "l3", 3, 142857 } } };
    int64_t credit[LOAD_LEVELS] = { 0 };
    (void)state;
    for (size_t i = 0; i < 7; i++)
        assert_int_equal("abc"[load_levels_next(&levels, credit)], expected[i]);
}

static void test_shares(void **state)
{
    static const struct {
        const char *text;
        int at; /* character of the error; 0: none */
    } cases[] = { { "l1=4", 0 },           { "l1=4:0.9,l2=14:0.08,mem=120:0.02", 0 },
                  { "l1=4:0.9", 9 },       { "l1=4:0.9,l2=9:0.2", 18 },
                  { "l1=4:-1", 6 },        { "l1=-4", 4 },
                  { "l1=4:1.2", 6 },       { "lx=4", 1 },
                  { "l1:4", 3 },           { "l1=4,l2=5", 5 },
                  { "l1=4:0.5,l1=5:0.5", 10 }, { "", 1 },
                  { "l1=40000", 4 },       { "l1=4:0.1234567", 14 } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *said = NULL, at[32];
        size_t len = 0;
        struct diag diag = { .stream = open_memstream(&said, &len) };
        struct load_levels levels;
        bool ok = load_levels_parse(&levels, "p", cases[i].text, &diag);
        fclose(diag.stream);
        snprintf(at, sizeof at, "at character %d of", cases[i].at);
        if (ok != (cases[i].at == 0) || (!ok && !strstr(said, at)))
            fail_msg("%s: %d, %s", cases[i].text, ok, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_files),      cmocka_unit_test(test_expansion_by_hand),
        cmocka_unit_test(test_one_opcode_changed), cmocka_unit_test(test_damaged_blobs),
        cmocka_unit_test(test_levels_in_turn), cmocka_unit_test(test_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
