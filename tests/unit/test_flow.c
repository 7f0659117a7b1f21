/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks and loops. Small graphs have hand-made answers; random ones are held against dominators and natural loops found
 * by their definitions, set by set. */
#include <slotledger/flow.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 40u
#define NONE SL_FLOW_NONE

/* A function in letters, one instruction of 4 bytes each: '.' goes on, 'n' NOP, 'r' returns, 'c' calls, 'i' jumps
 * somewhere, '?' branches and '!' jumps to the instruction that the next number of `to` says. */
static size_t make(const char *code, const uint32_t *to, struct sl_flow_insn *insns)
{
    size_t n = strlen(code);

    for (size_t i = 0; i < n; i++) {
        struct sl_flow_insn *insn = &insns[i];

        memset(insn, 0, sizeof *insn);
        insn->address = 0x100 + 4 * i;
        insn->len_bytes = 4;
        insn->branch.conditional = code[i] == '?';
        insn->branch.kind = code[i] == 'n'   ? SL_BRANCH_NOP
                            : code[i] == 'r' ? SL_BRANCH_RETURN
                            : code[i] == 'c' ? SL_BRANCH_CALL
                            : code[i] == 'i' ? SL_BRANCH_INDIRECT
                            : code[i] == '.' ? SL_BRANCH_NONE
                                             : SL_BRANCH_DIRECT;
        if (insn->branch.kind == SL_BRANCH_DIRECT) {
            insn->branch.has_target = true;
            insn->branch.target = 0x100 + 4 * (uint64_t)*to++;
        }
    }
    return n;
}

static struct sl_flow found(const struct sl_flow_insn *insns, size_t n, void **memory)
{
    size_t need = sl_flow_need(n);
    struct sl_flow flow;

    *memory = malloc(need);
    assert_non_null(*memory);
    assert_int_equal(sl_flow_find(&flow, insns, n, *memory, need), SL_OK);
    return flow;
}

struct loop_row {
    uint32_t header, parent, depth, n_blocks, n_insns, n_calls, n_indirect;
    bool has_inner;
    uint32_t n_path, path[4]; /* straight */
};

static const struct graph {
    const char *code;
    uint32_t to[8];
    uint32_t n_blocks, n_loops;
    struct loop_row loops[3];
} graphs[] = {
    { "..r", { 0 }, 1, 0, { { 0 } } },
    /* one block that jumps back to itself: blocks . | ..? | r */
    { "...?r", { 1 }, 3, 1, { { 1, NONE, 1, 1, 3, 0, 0, false, 1, { 1 } } } },
    /* nested: . | . | .? | ? | r */
    { "...??r", { 2, 1 }, 5, 2, { { 1, NONE, 1, 3, 4, 0, 0, true, 3, { 1, 2, 3 } },
                                  { 2, 0, 2, 1, 2, 0, 0, false, 1, { 2 } } } },
    /* if and else inside: .? | .! | . | ? | r: blocks 0 entry+test are the header */
    { ".?.!.?r", { 4, 5, 0 }, 5, 1, { { 0, NONE, 1, 4, 6, 0, 0, false, 3, { 0, 1, 3 } } } },
    /* turned round, with padding behind the jump to the test: ! | n | .. | ? | r */
    { "!n..?r", { 4, 2 }, 5, 1, { { 3, NONE, 1, 2, 3, 0, 0, false, 2, { 3, 2 } } } },
    /* a call ends a block: . | .c | ? | r */
    { "..c?r", { 1 }, 4, 1, { { 1, NONE, 1, 2, 3, 1, 0, false, 2, { 1, 2 } } } },
    /* a switch in a loop: .i | .! | .! | ? | r */
    { ".i.!.!?r", { 6, 6, 0 }, 5, 1, { { 0, NONE, 1, 4, 7, 0, 1, false, 3, { 0, 2, 3 } } } },
    /* entered in the middle: ? | . | .? | r */
    { "?..?r", { 2, 1 }, 4, 0, { { 0 } } },
    /* behind a return, led to by nothing: its loop counts, too */
    { "r..?r", { 2 }, 4, 1, { { 2, NONE, 1, 1, 2, 0, 0, false, 1, { 2 } } } },
    /* jumps to the middle of an instruction or out of the function lead nowhere */
    { "..?r", { 77 }, 2, 0, { { 0 } } },
};

static void small_graphs_have_their_loops(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
        struct sl_flow_insn insns[MOST];
        uint32_t path[MOST];
        void *memory;
        size_t n = make(graphs[g].code, graphs[g].to, insns);
        struct sl_flow flow = found(insns, n, &memory);

        assert_int_equal(flow.n_irreducible, graphs[g].code[0] == '?');
        if (flow.n_blocks != graphs[g].n_blocks || flow.n_loops != graphs[g].n_loops)
            fail_msg("graph %zu: %u blocks, %u loops", g, flow.n_blocks, flow.n_loops);
        for (uint32_t l = 0; l < flow.n_loops; l++) {
            const struct sl_flow_loop *is = &flow.loops[l];
            const struct loop_row *be = &graphs[g].loops[l];
            uint32_t n_path = sl_flow_straight_path(&flow, l, path);

            if (is->header != be->header || is->parent != be->parent || is->depth != be->depth ||
                is->n_blocks != be->n_blocks || is->n_insns != be->n_insns || is->n_calls != be->n_calls ||
                is->n_indirect != be->n_indirect || is->has_inner != be->has_inner)
                fail_msg("graph %zu loop %u: header %u parent %u depth %u, %u blocks, %u insns, %u calls, %u indirect, "
                         "inner %d", g, l, is->header, is->parent, is->depth, is->n_blocks, is->n_insns,
                         is->n_calls, is->n_indirect, is->has_inner);
            assert_int_equal(n_path, be->n_path);
            assert_memory_equal(path, be->path, n_path * sizeof *path);
            assert_int_equal(sl_flow_all_blocks(&flow, l, path), be->n_blocks);
        }
        free(memory);
    }
}

static void addresses_belong_to_blocks(void **state)
{
    struct sl_flow_insn insns[MOST];
    static const uint32_t to[] = { 1 };
    void *memory;
    size_t n = make("...?r", to, insns);
    struct sl_flow flow;

    (void)state;
    insns[4].address += 4; /* data between */
    flow = found(insns, n, &memory);
    assert_int_equal(sl_flow_block_at(&flow, 0xff), NONE);
    assert_int_equal(sl_flow_block_at(&flow, 0x100), 0);
    assert_int_equal(sl_flow_block_at(&flow, 0x103), 0);
    assert_int_equal(sl_flow_block_at(&flow, 0x104), 1);
    assert_int_equal(sl_flow_block_at(&flow, 0x10f), 1);
    assert_int_equal(sl_flow_block_at(&flow, 0x110), NONE);
    assert_int_equal(sl_flow_block_at(&flow, 0x114), 2);
    assert_int_equal(sl_flow_block_at(&flow, 0x118), NONE);
    assert_int_equal(flow.blocks[1].next, NONE);
    free(memory);
}

static void bad_arguments_and_little_memory(void **state)
{
    struct sl_flow_insn insns[MOST];
    static const uint32_t to[] = { 1 };
    size_t n = make("...?r", to, insns), need = sl_flow_need(n);
    unsigned char *memory = malloc(need);
    struct sl_flow flow;

    (void)state;
    assert_non_null(memory);
    assert_int_equal(sl_flow_find(&flow, insns, 0, memory, need), SL_E_ARGUMENT);
    for (size_t len = 0; len + SL_ARENA_ALIGN < need; len += 7) {
        assert_int_equal(sl_flow_find(&flow, insns, n, memory, len), SL_E_ROOM);
        assert_true(flow.missing_bytes > 0 && flow.missing_bytes <= need - len);
    }
    insns[2].address = insns[1].address;
    assert_int_equal(sl_flow_find(&flow, insns, n, memory, need), SL_E_ARGUMENT);
    free(memory);
}

/* ---- by definition: dominators by taking each block away, loops by back edges ------------------------------------ */

/* Bit b: block b is reached from `from` without passing `not` (NONE: none). */
static uint64_t reach(const struct sl_flow *flow, uint32_t from, uint32_t not)
{
    uint64_t seen = from == not ? 0 : UINT64_C(1) << from, before = 0;

    while (seen != before) {
        before = seen;
        for (uint32_t b = 0; b < flow->n_blocks; b++) {
            uint32_t to[2] = { flow->blocks[b].next, flow->blocks[b].taken };

            for (int k = 0; k < 2 && (seen >> b & 1); k++)
                if (to[k] != NONE && to[k] != not)
                    seen |= UINT64_C(1) << to[k];
        }
    }
    return seen;
}

/* Blocks of the natural loop with this header, 0: none. */
static uint64_t natural_loop(const struct sl_flow *flow, uint32_t header, uint64_t reached)
{
    uint64_t dominated = reached & ~reach(flow, 0, header), loop = 0, before;

    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if ((dominated >> b & 1) && (flow->blocks[b].next == header || flow->blocks[b].taken == header))
            loop |= UINT64_C(1) << b | UINT64_C(1) << header;
    do {
        before = loop;
        for (uint32_t b = 0; b < flow->n_blocks; b++) {
            uint32_t to[2] = { flow->blocks[b].next, flow->blocks[b].taken };

            for (int k = 0; k < 2 && (reached >> b & 1); k++)
                if (to[k] != NONE && to[k] != header && (loop >> to[k] & 1))
                    loop |= UINT64_C(1) << b;
        }
    } while (loop != before);
    return loop;
}

static void check_random(struct sl_flow *flow, unsigned *n_natural)
{
    uint64_t reached = reach(flow, 0, NONE), headers = 0;
    uint32_t path[64];

    for (uint32_t l = 0; l < flow->n_loops; l++) {
        const struct sl_flow_loop *loop = &flow->loops[l];
        uint64_t is = 0, natural;
        uint32_t n;

        if (!(reached >> loop->header & 1))
            continue;
        headers |= UINT64_C(1) << loop->header;
        natural = natural_loop(flow, loop->header, reached);
        for (uint32_t b = 0; b < flow->n_blocks; b++)
            if (sl_flow_in_loop(flow, b, l))
                is |= UINT64_C(1) << b;
        assert_int_equal(sl_popcount64(is), loop->n_blocks);
        assert_true(is == natural);
        ++*n_natural;
        n = sl_flow_straight_path(flow, l, path);
        assert_true(n >= 1 && path[0] == loop->header);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t after = i + 1 < n ? path[i + 1] : loop->header;

            assert_true(is >> path[i] & 1);
            assert_true(flow->blocks[path[i]].next == after || flow->blocks[path[i]].taken == after);
        }
    }
    for (uint32_t b = 0; b < flow->n_blocks; b++) { /* no natural loop is missing */
        if ((reached >> b & 1) && natural_loop(flow, b, reached) != 0)
            assert_true(headers >> b & 1);
    }
}

static void random_graphs_agree_with_the_definitions(void **state)
{
    uint64_t seed = 1;
    unsigned n_natural = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct sl_flow_insn insns[MOST];
        uint32_t to[MOST];
        char code[MOST + 1];
        void *memory;
        struct sl_flow flow;
        size_t n;

        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        n = 2 + (size_t)(seed >> 33) % (MOST - 2);
        for (size_t i = 0; i < n; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            code[i] = "!r..?.?.?.?."[(seed >> 33) % 12];
            to[i] = (uint32_t)((seed >> 40) % n);
        }
        code[n] = '\0';
        n = make(code, to, insns);
        flow = found(insns, n, &memory);
        check_random(&flow, &n_natural);
        free(memory);
    }
    assert_true(n_natural > 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_have_their_loops),
        cmocka_unit_test(addresses_belong_to_blocks),
        cmocka_unit_test(bad_arguments_and_little_memory),
        cmocka_unit_test(random_graphs_agree_with_the_definitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
