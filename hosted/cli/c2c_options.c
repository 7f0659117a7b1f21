/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `slotledger c2c report`. */
#include "c2c_options.h"

#include <stdio.h>
#include <string.h>

#define EXIT_FAILED 255
#define AT(member)  offsetof(struct c2c_options, member)
#define CHAIN_VALUE "<print_type,threshold[,print_limit],order,sort_key[,branch],value>"
#define CHAIN_HELP                                                                                                     \
    "Display call graph (stack chain/backtrace):\n\n"                                                                  \
    "\t\t\t\tprint_type:\tcall graph printing style (graph|flat|fractal|folded|none)\n"                                \
    "\t\t\t\tthreshold:\tminimum call graph inclusion threshold (<percent>)\n"                                         \
    "\t\t\t\tprint_limit:\tmaximum number of call graph entry (<number>)\n"                                            \
    "\t\t\t\torder:\t\tcall graph order (caller|callee)\n"                                                             \
    "\t\t\t\tsort_key:\tcall graph sort key (function|address)\n"                                                      \
    "\t\t\t\tbranch:\t\tinclude last branch info to call graph (branch)\n"                                             \
    "\t\t\t\tvalue:\t\tcall graph value (percent|period|count)\n\n"                                                    \
    "\t\t\t\tDefault: " CHAIN_DEFAULT
#define CHAIN_DEFAULT "graph,0.5,caller,function,percent"

/* Perf's options in perf's order, which decides what an ambiguous prefix is said to mean. */
static const struct c2c_option report_options[] = {
    {0, "json", C2C_OPTION_FLAG, AT(json), NULL, "Print the report as JSON", NULL, C2C_OPTION_OWN},
    {0, "csv", C2C_OPTION_FLAG, AT(csv), NULL, "Print the entries of the lines as CSV", NULL, C2C_OPTION_OWN},
    {0, "functions", C2C_OPTION_FLAG, AT(functions), NULL, "Show reading functions, their writers and the lines", NULL,
     C2C_OPTION_OWN},
    {0, "verdict", C2C_OPTION_FLAG, AT(verdict), NULL, "Tell true from false sharing for each line", NULL,
     C2C_OPTION_OWN},
    {0, "line-size", C2C_OPTION_NUMBER, AT(line_size), "<bytes>", "Group by lines of this size (default 64)", NULL,
     C2C_OPTION_OWN},
    {0, "max-lines", C2C_OPTION_NUMBER, AT(max_lines), "<n>", "Keep at most so many lines, the most contended", NULL,
     C2C_OPTION_OWN},
    {0, "max-entries", C2C_OPTION_NUMBER, AT(max_entries), "<n>", "Keep at most so many entries of lines", NULL,
     C2C_OPTION_OWN},
    {0, "passes", C2C_OPTION_NUMBER, AT(passes), "<n>", "Read the file once or twice (default: as its size suggests)",
     NULL, C2C_OPTION_OWN},
    C2C_BOARD_OPTIONS(AT),
    {0, "double-cl", C2C_OPTION_FLAG, AT(double_line), NULL, "Detect adjacent cacheline false sharing", NULL,
     C2C_OPTION_OWN},
    {'M', "disassembler-style", C2C_OPTION_TEXT, AT(disassembler_style), "<disassembler style>",
     "Specify disassembler style (e.g. -M intel for intel syntax)", NULL, C2C_OPTION_OWN},
    {0, "objdump", C2C_OPTION_TEXT, AT(objdump), "<path>", "objdump binary to use for disassembly and annotations",
     NULL, C2C_OPTION_OWN},
    {'k', "vmlinux", C2C_OPTION_TEXT, AT(vmlinux), "<file>", "vmlinux pathname", NULL, C2C_OPTION_PERF},
    {'i', "input", C2C_OPTION_TEXT, AT(input), "<file>", "the input file to process", NULL, C2C_OPTION_PERF},
    {'N', "node-info", C2C_OPTION_COUNT, AT(node_info), NULL, "show extra node info in report (repeat for more info)",
     NULL, C2C_OPTION_PERF},
    {0, "stdio", C2C_OPTION_FLAG, AT(stdio), NULL, "Use the stdio interface", NULL, C2C_OPTION_PERF},
    {0, "stats", C2C_OPTION_FLAG, AT(stats), NULL, "Display only statistic tables (implies --stdio)", NULL,
     C2C_OPTION_PERF},
    {0, "full-symbols", C2C_OPTION_FLAG, AT(full_symbols), NULL, "Display full length of symbols", NULL,
     C2C_OPTION_PERF},
    {0, "no-source", C2C_OPTION_FLAG, AT(no_source), NULL, "Do not display Source Line column", NULL, C2C_OPTION_PERF},
    {0, "show-all", C2C_OPTION_FLAG, AT(show_all), NULL, "Show all captured HITM lines.", NULL, C2C_OPTION_PERF},
    {'g', "call-graph", C2C_OPTION_MAYBE, AT(call_graph), CHAIN_VALUE, CHAIN_HELP, CHAIN_DEFAULT, C2C_OPTION_PERF},
    {'d', "display", C2C_OPTION_TEXT, AT(display), "<Switch HITM output type>", "tot,lcl,rmt,peer", NULL,
     C2C_OPTION_PERF},
    {'c', "coalesce", C2C_OPTION_TEXT, AT(coalesce), "<coalesce fields>", "coalesce fields: pid,tid,iaddr,dso", NULL,
     C2C_OPTION_PERF},
    {'f', "force", C2C_OPTION_FLAG, AT(force), NULL, "don't complain, do it", NULL, C2C_OPTION_PERF},
    {0, "stitch-lbr", C2C_OPTION_FLAG, AT(stitch_lbr), NULL, "Enable LBR callgraph stitching approach", NULL,
     C2C_OPTION_PERF},
    {'v', "verbose", C2C_OPTION_COUNT, AT(verbose), NULL, "be more verbose (show counter open errors, etc)", NULL,
     C2C_OPTION_GENERAL},
};

const struct c2c_command c2c_report_command = {"slotledger c2c report", report_options,
                                               sizeof report_options / sizeof report_options[0]};

static int choose_metric(const char *display, bool default_peer, enum sl_c2c_metric *metric, struct diag *diag)
{
    static const struct {
        const char *name;
        enum sl_c2c_metric metric;
    } metrics[] = {{"tot", SL_C2C_TOTAL_HITM},
                   {"rmt", SL_C2C_METRIC_REMOTE},
                   {"lcl", SL_C2C_METRIC_LOCAL},
                   {"peer", SL_C2C_METRIC_PEER}};

    *metric = default_peer ? SL_C2C_METRIC_PEER : SL_C2C_TOTAL_HITM;
    if (!display)
        return 0;
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        if (!strcmp(display, metrics[i].name)) {
            *metric = metrics[i].metric;
            return 0;
        }
    }
    diag_raw_error(diag, "failed: unknown display type: %s\n", display);
    return EXIT_FAILED;
}

/* One word of -c. */
static bool add_token(const char *token, size_t len, struct c2c_view *view, uint8_t keys[SL_C2C_MAX_KEYS], size_t *n)
{
    const struct {
        const char *name;
        bool *with;
        uint8_t key;
    } tokens[] = {{"iaddr", &view->with_ip, SL_C2C_KEY_IP},
                  {"tid", &view->with_tid, SL_C2C_KEY_TID},
                  {"pid", &view->with_pid, SL_C2C_KEY_PID},
                  {"dso", &view->with_image, SL_C2C_KEY_IMAGE},
                  {"offset", NULL, SL_C2C_KEY_END}};

    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        if (strlen(tokens[i].name) != len || strncmp(token, tokens[i].name, len))
            continue;
        if (tokens[i].with && !*tokens[i].with) {
            *tokens[i].with = true;
            keys[(*n)++] = tokens[i].key;
        }
        return true;
    }
    return false;
}

static int choose_keys(struct c2c_view *view, uint8_t keys[SL_C2C_MAX_KEYS], struct diag *diag)
{
    const char *text = view->coalesce;
    size_t n = 0;

    memset(keys, 0, SL_C2C_MAX_KEYS);
    for (;;) {
        size_t len;
        text += strspn(text, ",");
        len = strcspn(text, ",");
        if (len == 0)
            return 0;
        if (!add_token(text, len, view, keys, &n)) {
            diag_raw_error(diag, "unrecognized sort token: %.*s\n", (int)len, text);
            return EXIT_FAILED;
        }
        text += len;
    }
}

int c2c_options_chain(const struct c2c_options *o, struct c2c_chain_view *chain, struct diag *diag)
{
    memset(chain, 0, sizeof *chain);
    if (!o->call_graph || c2c_chain_parse(chain, o->call_graph))
        return 0;
    for (size_t i = 0; i < c2c_report_command.n; i++) {
        if (c2c_report_command.options[i].letter == 'g')
            c2c_usage(&c2c_report_command, &c2c_report_command.options[i], diag);
    }
    return C2C_EXIT_USAGE;
}

int c2c_options_view(const struct c2c_options *o, bool default_peer, struct c2c_view *view,
                     uint8_t keys[SL_C2C_MAX_KEYS], struct diag *diag)
{
    int status;

    memset(view, 0, sizeof *view);
    view->coalesce = o->coalesce ? o->coalesce : "iaddr";
    view->node_info = o->node_info < 2 ? o->node_info : 2;
    view->verbose = o->verbose;
    view->stats_only = o->stats;
    view->full_symbols = o->full_symbols;
    view->no_source = o->no_source;
    view->show_all = o->show_all;
    view->double_line = o->double_line;
    status = choose_metric(o->display, default_peer, &view->metric, diag);
    if (!status)
        status = choose_keys(view, keys, diag);
    return status ? status : c2c_options_chain(o, &view->chain, diag);
}
