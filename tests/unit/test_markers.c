/* SPDX-License-Identifier: Apache-2.0 */
/* Region markers in assembly text. Which comments count was observed on llvm-mca-19 (mca-views.md, chapter 15). */
#include "cli_fixture.h"

#include "hosted/io/block.h"
#include "hosted/io/markers.h"

struct scanned {
    struct pool pool;
    struct marker_scan scan;
};

static void scan(struct scanned *s, const char *text, enum comment_syntax syntax, bool blank)
{
    struct source source = { "t.s", text, strlen(text) };
    memset(&s->pool, 0, sizeof s->pool);
    marker_scan(&s->scan, &source, syntax, blank, &s->pool);
}

static void scan_free(struct scanned *s)
{
    marker_scan_free(&s->scan);
    pool_free(&s->pool);
}

/* "<name" begins a region, ">name" ends one. */
static void expect_markers(const char *text, enum comment_syntax syntax, const char *want)
{
    struct scanned s;
    struct text got = { 0 };
    scan(&s, text, syntax, false);
    text_add(&got, "", 0);
    for (size_t i = 0; i < s.scan.n_markers; i++)
        text_printf(&got, "%c%s", s.scan.markers[i].is_end ? '>' : '<', s.scan.markers[i].name);
    if (strcmp(got.data, want))
        fail_msg("'%s' has '%s', expected '%s'", text, got.data, want);
    text_free(&got);
    scan_free(&s);
}

static void test_which_comments_count(void **state)
{
    static const struct {
        const char *text, *x86, *aarch64;
    } cases[] = {
        { "# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-END a\n", "<a>a", "<a>a" },
        { "#LLVM-MCA-BEGINfoo\n", "<foo", "<foo" },
        { "# LLVM-MCA-BEGIN   \n", "<   ", "<   " },
        { "# LLVM-MCA-BEGIN x \n", "<x ", "<x " },
        { "# llvm-mca-begin x\n", "", "" },
        { "# xLLVM-MCA-BEGIN x\n", "", "" },
        { "nop # LLVM-MCA-BEGIN x\n", "<x", "" },
        { "nop; # LLVM-MCA-BEGIN x\n", "<x", "<x" },
        { "foo: # LLVM-MCA-BEGIN x\n", "<x", "" },
        { "// LLVM-MCA-BEGIN x\n", "<x", "" },
        { "nop // LLVM-MCA-BEGIN x\n", "<x", "" },
        { "/* LLVM-MCA-BEGIN x */ nop\n", "<x ", "<x " },
        { "nop /* LLVM-MCA-END*/\n", ">", ">" },
        { "/* a\n LLVM-MCA-BEGIN x */\n", "", "" },
        { "/*LLVM-MCA-BEGIN x", "", "" },
        { "## LLVM-MCA-BEGIN x\n", "<x", "" },
        { "# # LLVM-MCA-BEGIN x\n", "<x", "" },
        { "# foo # LLVM-MCA-BEGIN x\n", "<x", "" },
        { "# 1 # LLVM-MCA-BEGIN x\n", "<x", "" },
        { "# // LLVM-MCA-BEGIN x\n", "<x", "" },
        { "# /* LLVM-MCA-BEGIN x */\n", "<x ", "<x " },
        { "### LLVM-MCA-BEGIN x\n", "", "" },
        { "# a b # LLVM-MCA-BEGIN x\n", "", "" },
        { "# a-b # LLVM-MCA-BEGIN x\n", "", "" },
        { "nop ## LLVM-MCA-BEGIN x\n", "", "" },
        { "// # LLVM-MCA-BEGIN x\n", "", "" },
        { ".ascii \"# LLVM-MCA-BEGIN x\"\n", "", "" },
        { ".ascii \"\\\" # LLVM-MCA-BEGIN x\"\n", "", "" },
        { ".byte '#' # LLVM-MCA-BEGIN x\n", "<x", "" },
        { "# LLVM-MCA-BEGIN x\r\nnop\r\n", "<x", "<x" },
        { "ret\n.end\n# LLVM-MCA-BEGIN x", "<x", "<x" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_markers(cases[i].text, COMMENTS_X86, cases[i].x86);
        expect_markers(cases[i].text, COMMENTS_AARCH64, cases[i].aarch64);
    }
}

static void test_rewritten_text_keeps_lines_and_columns(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "# LLVM-MCA-BEGIN x\nnop\n", ".globl SLm0       \nnop\n\n" },
        { "nop # LLVM-MCA-BEGIN x\nret", "nop                   ; .globl SLm0\nret\n" },
        { "/*LLVM-MCA-END*/nop\n", ".globl SLm0;    nop\n\n" },
        { "a: nop # plain\n", "a: nop # plain\n\n" },
        { "/* LLVM-MCA-BEGIN x\n y */nop\n", ".globl SLm0;\nnop\n\n" },
        { ".if 0\n# LLVM-MCA-BEGIN\n.endif\n", ".if 0\n.globl SLm0     \n.endif; .globl SLf1\n\n" },
        { "SLm: nop # LLVM-MCA-END", "SLm: nop               ; .globl SL1m0\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scanned s;
        scan(&s, cases[i].text, COMMENTS_X86, false);
        assert_string_equal(s.scan.text.data, cases[i].want);
        scan_free(&s);
    }
}

static void test_comments_can_be_blanked(void **state)
{
    struct scanned s;
    (void)state;
    scan(&s, "# 12 \"a.c\"\nnop # x\n# y\n/* z */ ret // w\n", COMMENTS_X86, true);
    assert_string_equal(s.scan.text.data, "# 12 \"a.c\"\nnop    \n   \n        ret     \n\n");
    scan_free(&s);
}

static void test_dialect_is_the_last_one(void **state)
{
    static const struct {
        const char *text;
        int dialect;
    } cases[] = { { "nop\n", -1 },
                  { ".intel_syntax noprefix\n", 1 },
                  { ".intel_syntax noprefix\n.att_syntax\n", 0 },
                  { "# .intel_syntax\n", -1 } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scanned s;
        scan(&s, cases[i].text, COMMENTS_X86, false);
        assert_int_equal(s.scan.dialect, cases[i].dialect);
        scan_free(&s);
    }
}

static void test_markers_in_bodies_know_the_body(void **state)
{
    struct scanned s;
    (void)state;
    scan(&s, ".rept 2\n# LLVM-MCA-BEGIN\n.rept 2\nnop\n.endr\n# LLVM-MCA-END\n.endr\n# LLVM-MCA-BEGIN\n", COMMENTS_X86,
         false);
    assert_int_equal(s.scan.n_markers, 3);
    assert_true(s.scan.markers[0].in_body && s.scan.markers[1].in_body && !s.scan.markers[2].in_body);
    assert_int_equal(s.scan.markers[0].body_end, 2);
    assert_int_equal(s.scan.markers[1].body_end, 2);
    scan_free(&s);
}

/* A program of one letter a step: i = instruction, <x and >x = markers named x, < and > followed by a blank = anonymous. */
static void run_steps(struct block *block, struct diag *diag, const char *steps)
{
    static const char text[] = "# first line\n";
    struct source source = { "t.s", text, sizeof text - 1 };
    for (; *steps; steps++) {
        char name[2] = { 0, 0 };
        if (*steps == 'i') {
            block_add(block);
            continue;
        }
        name[0] = steps[1] == ' ' ? '\0' : steps[1];
        if (*steps == '<')
            block_begin(block, diag, &source, 1, pool_text(&block->pool, name, strlen(name)));
        else
            block_end(block, diag, &source, 1, pool_text(&block->pool, name, strlen(name)));
        steps++;
    }
}

/* "name:members" of each region, marked ones with a '*'. */
static void test_regions(void **state)
{
    static const struct {
        const char *steps, *want;
    } cases[] = {
        { "ii", ":01 " },
        { "i<ai>ai", "*a:1 " },
        { "i> i", "*:0 " },
        { "<ai<bi>ai>b", "*a:01 *b:12 " },
        { "<ai> <bi> ", "*a:0 *b:1 " },
        { "<ai>ai<ai>a", "*a:0 *a:2 " },
        { "i> i< i> ", "*:0 *:2 " },
        { "<ai<bi", "*a:01 *b:1 " },
        { "< i<ai>ai> ", "*:012 *a:1 " },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block block;
        struct sink sink;
        struct text got = { 0 };
        sink_open(&sink);
        block_init(&block, NULL);
        run_steps(&block, &sink.diag, cases[i].steps);
        for (size_t r = 0; r < block.n_regions; r++) {
            const struct block_region *region = &block.regions[r];
            text_printf(&got, "%s%s:", block_region_marked(region) ? "*" : "", region->name);
            for (size_t m = 0; m < region->n_members; m++)
                text_printf(&got, "%zu", region->members[m]);
            text_add(&got, " ", 1);
        }
        assert_string_equal(got.data, cases[i].want);
        text_free(&got);
        block_free(&block);
        sink_expect(&sink, "");
    }
}

static void test_region_errors(void **state)
{
#define PLACE(level) "t.s:1:2: " level ": "
#define ECHO "\n# first line\n ^\n"
    static const struct {
        const char *steps, *want;
    } cases[] = {
        { "< i< ", PLACE("error") "found multiple overlapping anonymous regions" ECHO
                   PLACE("note") "Previous anonymous region was defined here" ECHO },
        { "<a<a", PLACE("error") "overlapping regions cannot have the same name" ECHO
                  PLACE("note") "region a was previously defined here" ECHO },
        { ">a", PLACE("error") "found an invalid region end directive" ECHO
                PLACE("note") "unable to find an active region named a" ECHO },
        { "<a>a> ", PLACE("error") "found an invalid region end directive" ECHO
                    PLACE("note") "unable to find an active anonymous region" ECHO },
        { "<a<b> ", PLACE("error") "found an invalid region end directive" ECHO
                    PLACE("note") "unable to find an active anonymous region" ECHO },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block block;
        struct sink sink;
        sink_open(&sink);
        block_init(&block, NULL);
        run_steps(&block, &sink.diag, cases[i].steps);
        assert_int_equal(sink.diag.n_errors, 1);
        block_free(&block);
        sink_expect(&sink, cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_comments_count),
        cmocka_unit_test(test_rewritten_text_keeps_lines_and_columns),
        cmocka_unit_test(test_comments_can_be_blanked),
        cmocka_unit_test(test_dialect_is_the_last_one),
        cmocka_unit_test(test_markers_in_bodies_know_the_body),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_region_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
