/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines as llvm-mca reads them. Expected messages were taken from llvm-mca-19. */
#include "cli_fixture.h"

#include "hosted/cli/mca_options.h"

#define MAX_ARGS 8

struct parsed {
    struct mca_options options;
    unsigned positions[MCA_MAX_OPTIONS];
    const char *input;
    size_t n_inputs;
};

static bool parse(struct parsed *parsed, const char *const *args, struct diag *diag)
{
    struct command command = mca_command("mca");
    char *argv[MAX_ARGS];
    int argc = 0;
    for (; argc < MAX_ARGS && args[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)args[argc];
    parsed->input = NULL;
    mca_options_defaults(&parsed->options);
    return options_parse(&command, argc, argv, &parsed->options, parsed->positions, &parsed->input,
                         &parsed->n_inputs, diag);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {
        { "0", true, 0 },      { "7", true, 7 },           { "0x10", true, 16 },        { "0XfF", true, 255 },
        { "0b101", true, 5 },  { "0B11", true, 3 },        { "0o17", true, 15 },        { "017", true, 15 },
        { "08", false, 0 },    { "", false, 0 },           { "+5", false, 0 },          { "-5", false, 0 },
        { " 5", false, 0 },    { "5 ", false, 0 },         { "0x", false, 0 },          { "0b2", false, 0 },
        { "1e3", false, 0 },   { "4294967295", true, 4294967295u }, { "4294967296", false, 0 },
        { "99999999999999999999", false, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value = 0;
        assert_int_equal(options_number(cases[i].text, UINT32_MAX, &value), cases[i].ok);
        if (cases[i].ok)
            assert_int_equal(value, cases[i].value);
    }
    assert_true(options_number("0xffffffffffffffff", UINT64_MAX, &(uint64_t){ 0 }));
}

static void test_spellings(void **state)
{
    static const char *const lines[][MAX_ARGS] = {
        { "-iterations=5", "f.s" }, { "--iterations=5", "f.s" }, { "-iterations", "5", "f.s" },
        { "f.s", "--iterations", "0x5" }, { "-iterations=3", "-iterations=5", "f.s" }, { "-iterations=5", "--", "f.s" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct parsed parsed;
        struct sink sink;
        sink_open(&sink);
        assert_true(parse(&parsed, lines[i], &sink.diag));
        assert_int_equal(parsed.options.iterations, 5);
        assert_int_equal(parsed.n_inputs, 1);
        assert_string_equal(parsed.input, "f.s");
        sink_expect(&sink, "");
    }
}

static void test_booleans_take_no_separate_value(void **state)
{
    static const char *const line[] = { "-timeline", "-noalias=false", "-json=", "-", NULL };
    struct parsed parsed;
    struct sink sink;
    (void)state;
    sink_open(&sink);
    assert_true(parse(&parsed, line, &sink.diag));
    assert_true(parsed.options.timeline);
    assert_false(parsed.options.noalias);
    assert_true(parsed.options.json);
    assert_string_equal(parsed.input, "-");
    sink_expect(&sink, "");
}

static void test_errors(void **state)
{
    static const struct {
        const char *line[MAX_ARGS];
        const char *message;
    } cases[] = {
        { { "-foo", "f.s" }, "mca: Unknown command line argument '-foo'.  Try: 'mca --help'\nmca: Did you mean '-o'?\n" },
        { { "-timelin=1" },
          "mca: Unknown command line argument '-timelin=1'.  Try: 'mca --help'\nmca: Did you mean '--timeline=1'?\n" },
        { { "-iterations=abc" }, "mca: for the --iterations option: 'abc' value invalid for uint argument!\n" },
        { { "-iterations", "-5" }, "mca: for the --iterations option: '-5' value invalid for uint argument!\n" },
        { { "-iterations" }, "mca: for the --iterations option: requires a value!\n" },
        { { "-o" }, "mca: for the -o option: requires a value!\n" },
        { { "-timeline=maybe" },
          "mca: for the --timeline option: 'maybe' is invalid value for boolean argument! Try 0 or 1\n" },
        { { "-skip-unsupported-instructions=foo" },
          "mca: for the --skip-unsupported-instructions option: Cannot find option named 'foo'!\n" },
        { { "-skip-unsupported-instructions", "f.s" },
          "mca: for the --skip-unsupported-instructions option: Cannot find option named 'f.s'!\n" },
        { { "-output-asm-variant=x" }, "mca: for the --output-asm-variant option: 'x' value invalid for integer argument!\n" },
        { { "--help=3" }, "mca: for the --help option: does not allow a value! '3' specified.\n" },
        { { "a", "b" }, "mca: Too many positional arguments specified!\n"
                        "Can specify at most 1 positional arguments: See: mca --help\n" },
        { { "-timeline", "0", "f.s" }, "mca: Too many positional arguments specified!\n"
                                       "Can specify at most 1 positional arguments: See: mca --help\n" },
        { { "-lqueue=x", "-squeue=y" }, "mca: for the --lqueue option: 'x' value invalid for uint argument!\n"
                                        "mca: for the --squeue option: 'y' value invalid for uint argument!\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed parsed;
        struct sink sink;
        sink_open(&sink);
        assert_false(parse(&parsed, cases[i].line, &sink.diag));
        assert_true(sink.diag.n_errors > 0);
        sink_expect(&sink, cases[i].message);
    }
}

/* One letter a view: Summary, Bottleneck, Pressure, Timeline, Info, Registers, Dispatch, scHeduler, retirE. */
static void view_letters(const struct mca_report_options *v, char *out)
{
    const struct {
        bool on;
        char letter;
    } views[] = { { v->summary, 'S' },   { v->bottleneck, 'B' },          { v->resource_pressure, 'P' },
                  { v->timeline, 'T' },  { v->instruction_info, 'I' },    { v->register_file_stats, 'R' },
                  { v->dispatch_stats, 'D' }, { v->scheduler_stats, 'H' }, { v->retire_stats, 'E' } };
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        if (views[i].on)
            *out++ = views[i].letter;
    }
    *out = '\0';
}

/* mca-views.md, chapter 14. */
static void test_all_views_and_all_stats(void **state)
{
    static const struct {
        const char *line[MAX_ARGS];
        const char *out_of_order, *in_order;
    } cases[] = {
        { { "f" }, "SPI", "SPI" },
        { { "-all-views" }, "SBPTIRDHE", "SPTIRDH" },
        { { "-all-views=0" }, "", "" },
        { { "-all-stats" }, "SPIRDHE", "SPIRDH" },
        { { "-all-views", "-timeline=0" }, "SBPIRDHE", "SPIRDH" },
        { { "-timeline=0", "-all-views" }, "SBPTIRDHE", "SPTIRDH" },
        { { "-all-views", "-all-stats=0" }, "SBPTI", "SPTI" },
        { { "-all-stats=0", "-all-views" }, "SBPTIRDHE", "SPTIRDH" },
        { { "-all-views=0", "-summary-view" }, "S", "S" },
        { { "-summary-view", "-all-views=0" }, "", "" },
        { { "-all-views=0", "-all-stats" }, "RDHE", "RDH" },
        { { "-retire-stats", "-all-stats=0" }, "SPI", "SPIE" },
        { { "-bottleneck-analysis", "-all-views=0" }, "", "B" },
        { { "-dispatch-stats", "-dispatch-stats=0" }, "SPI", "SPI" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mca_report_options views;
        struct parsed parsed;
        struct sink sink;
        char letters[16];
        sink_open(&sink);
        assert_true(parse(&parsed, cases[i].line, &sink.diag));
        mca_options_views(&parsed.options, parsed.positions, false, &views);
        view_letters(&views, letters);
        assert_string_equal(letters, cases[i].out_of_order);
        mca_options_views(&parsed.options, parsed.positions, true, &views);
        view_letters(&views, letters);
        assert_string_equal(letters, cases[i].in_order);
        sink_expect(&sink, "");
    }
}

static void test_help_lists_what_is_not_hidden(void **state)
{
    struct command command = mca_command("slotledger mca");
    struct sink sink;
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        sink_open(&sink);
        options_help(&command, hidden, sink.diag.stream);
        fflush(sink.diag.stream);
        assert_non_null(strstr(sink.text, "USAGE: slotledger mca [options] <input file>\n"));
        assert_non_null(strstr(sink.text, "  --iterations=<uint>                     - Number of iterations"));
        assert_non_null(strstr(sink.text, "    =lack-sched                           - Skip"));
        assert_int_equal(strstr(sink.text, "--call-latency") != NULL, hidden);
        fclose(sink.diag.stream);
        free(sink.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_booleans_take_no_separate_value),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_all_views_and_all_stats),
        cmocka_unit_test(test_help_lists_what_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
