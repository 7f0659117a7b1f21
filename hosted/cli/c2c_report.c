/* SPDX-License-Identifier: Apache-2.0 */
/* slotledger c2c report. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../report/c2c_tui.h"
#include "c2c.h"
#include "c2c_collect.h"
#include "../report/c2c_export.h"
#include "../report/c2c_functions.h"
#include "c2c_options.h"
#include "c2c_part.h"
#include "c2c_recording.h"

#define EXIT_FAILED  255
#define EXIT_INVALID 234

/* ---- what the header has to tell ------------------------------------------------------------------------------------
 */

/* "0-3,8": into a bit set. */
static void parse_cpus(const char *text, uint32_t *set, uint32_t n_cpus)
{
    while (text && *text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (end == text)
            return;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long cpu = first; cpu <= last && cpu < n_cpus; cpu++)
            sl_bit_set(set, (uint32_t)cpu);
        text = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return;
    }
}

struct c2c_node *c2c_make_nodes(const struct perf_info *info, const struct sl_c2c *table, struct pool *pool)
{
    struct c2c_node *nodes = (struct c2c_node *)pool_take(pool, (info->n_numa + 1) * sizeof *nodes);
    for (uint32_t i = 0; i < info->n_numa; i++) {
        uint32_t *cpus = (uint32_t *)pool_take(pool, table->cpu_words * sizeof *cpus);
        parse_cpus(info->numa[i].cpus, cpus, table->config.n_cpus);
        nodes[i] = (struct c2c_node){info->numa[i].id, cpus};
    }
    return nodes;
}

const char *const *c2c_event_names(const struct perf_info *info, struct pool *pool)
{
    const char **names = (const char **)pool_take(pool, (info->n_events + 1) * sizeof *names);
    for (uint32_t i = 0; i < info->n_events; i++)
        names[i] = info->events[i].name;
    return names;
}

bool c2c_is_arm64(const struct perf_info *info)
{
    return info->arch && (!strncmp(info->arch, "aarch64", 7) || !strncmp(info->arch, "arm64", 5));
}

/* Chains are drawn where an event has them. */
static bool has_chains(const struct perf_info *info)
{
    for (uint32_t i = 0; i < info->n_events; i++) {
        if (info->events[i].sample_type >> 5 & 1u)
            return true;
    }
    return false;
}

bool c2c_check_nodes(struct perf_data *data, const struct perf_info *info, struct diag *diag)
{
    if (!info->has_numa || info->pipe) {
        diag_raw_error(diag, "Failed setup nodes\n");
        return false;
    }
    if (!perf_data_numa_ok(data)) {
        diag_raw_error(diag, "node/cpu topology bugFailed setup nodes\n");
        return false;
    }
    if (!info->has_memory_topology)
        diag_raw_error(diag, "No memory nodes, is CONFIG_MEMORY_HOTPLUG enabled?\n");
    return true;
}

/* ---- the report
 * ------------------------------------------------------------------------------------------------------- */

void c2c_take_losses(const struct perf_losses *from, struct c2c_loss *to)
{
    *to = (struct c2c_loss){.lost_events = from->lost_events,
                            .lost_chunks = from->lost_chunks,
                            .lost_samples = from->lost_samples,
                            .aux_records = from->aux_records,
                            .aux_truncated = from->aux_truncated,
                            .aux_partial = from->aux_partial,
                            .aux_collisions = from->aux_collisions,
                            .aux_errors = from->aux_errors,
                            .unknown_records = from->unknown_records,
                            .unknown_ids = from->unknown_ids,
                            .bad_bytes = from->spe_bad_bytes,
                            .out_of_order = from->out_of_order};
}

static void show_functions(const struct c2c_report *report)
{
    struct c2c_functions functions;

    c2c_functions_make(report, &functions);
    c2c_loss_text(report, "", stdout);
    c2c_functions_text(report, &functions, stdout);
    c2c_functions_free(&functions);
}

/* The view on a terminal, or what it comes to without one. */
static void show_text(struct c2c_report *report)
{
    if (report->view.interactive && c2c_tui(report))
        return;
    report->view.interactive = false;
    c2c_text(report, stdout);
}

static int render(const struct c2c_options *options, struct c2c_report *report, struct diag *diag)
{
    if (options->functions && !report->view.with_ip) {
        diag_say(diag, DIAG_ERROR, "the view of functions needs iaddr in --coalesce");
        return EXIT_FAILED;
    }
    if (options->json)
        c2c_json(report, stdout);
    else if (options->csv)
        c2c_csv(report, stdout);
    else if (options->verdict)
        c2c_verdict_text(report, stdout);
    else if (options->functions)
        show_functions(report);
    else
        show_text(report);
    if (!options->json && !options->csv && !options->verdict && !options->functions && c2c_has_loss(report))
        c2c_loss_text(report, "slotledger: ", stderr);
    return 0;
}

/* What a report is made of. `again` is the recording opened a second time, or NULL. */
struct session {
    const struct c2c_options *options;
    const struct perf_data_options *how;
    struct perf_data *data, *again;
    struct c2c_collect collect;
    struct c2c_report report;
    struct pool pool;
};

static void describe_report(struct session *s)
{
    const struct perf_info *info = perf_data_info(s->data);
    s->report.table = &s->collect.table;
    s->report.events = (struct c2c_events){c2c_event_names(info, &s->pool), info->n_events};
    s->report.nodes = c2c_make_nodes(info, &s->collect.table, &s->pool);
    s->report.n_nodes = info->n_numa;
    s->report.n_cpus = info->n_cpus_available;
    s->report.input = info->file;
    s->report.line_bytes = s->collect.table.config.line_bytes;
    c2c_take_losses(perf_data_losses(s->data), &s->report.loss);
}

/* Messages have been given in the first pass. */
static int second_pass(struct session *s)
{
    struct diag silent = {NULL, 0};
    uint32_t *lines;
    int status = EXIT_FAILED;

    s->again = perf_data_open(perf_data_info(s->data)->file, s->how, &silent, &status);
    if (!s->again)
        return status;
    lines = (uint32_t *)pool_take(&s->pool, (s->report.n_lines + 1) * sizeof *lines);
    for (uint32_t i = 0; i < s->report.n_lines; i++)
        lines[i] = c2c_collect_index(&s->collect, s->report.lines[i].line);
    return c2c_collect_entries(&s->collect, s->again, lines, s->report.n_lines);
}

static int make_report(struct session *s, const struct c2c_collect_config *config, struct diag *diag)
{
    int status = EXIT_FAILED;

    if (!c2c_collect_open(&s->collect, s->data, config, diag))
        return status;
    status = c2c_collect_run(&s->collect);
    if (status)
        return status;
    c2c_collect_names(&s->collect, &s->report.names);
    describe_report(s);
    c2c_report_lines(&s->report);
    if (config->lines_only && !s->report.view.stats_only) {
        status = second_pass(s);
        c2c_collect_names(&s->collect, &s->report.names);
    }
    if (!status) {
        if (!s->report.view.stats_only)
            c2c_report_entries(&s->report);
        status = render(s->options, &s->report, diag);
    }
    c2c_report_free(&s->report);
    return status;
}

/* Two passes need less memory and, where most lines are not shown, less time; but SPE data would be decoded twice. */
#define TWO_PASSES_FROM (8u << 20) /* bytes of the file */

static bool two_passes(const struct c2c_options *options, const struct perf_data *data, bool is_spe)
{
    uint64_t size;
    if (options->stats)
        return true;
    if (options->passes)
        return options->passes > 1;
    (void)perf_data_position(data, &size);
    return size >= TWO_PASSES_FROM && !options->show_all && !is_spe;
}

/* perf's words for a file that is not there or is empty. */
bool c2c_is_readable(const char *input, struct diag *diag)
{
    const char *name = input ? input : "perf.data";
    struct stat status;

    if (!strcmp(name, "-"))
        return true;
    if (access(name, R_OK)) {
        diag_raw_error(diag, "failed to open %s: %s%s\n", name, strerror(errno),
                       input || errno != ENOENT ? "" : "  (try 'perf record' first)");
        return false;
    }
    if (!stat(name, &status) && !S_ISDIR(status.st_mode) && status.st_size == 0) {
        diag_raw_error(diag, "zero-sized data (%s), nothing to do!\n", name);
        return false;
    }
    return true;
}

/* A terminal on both sides, and nothing asked for that is not for one. */
static bool is_interactive(const struct c2c_options *o)
{
    return !(o->stdio || o->stats || o->json || o->csv || o->functions || o->verdict) && isatty(STDIN_FILENO) &&
           isatty(STDOUT_FILENO);
}

static int report_file(const struct c2c_options *options, const char *file, bool is_own, struct diag *diag)
{
    struct perf_data_options how = {
        .force = options->force || is_own, .newer_sources = options->board.newer_sources, .vmlinux = options->vmlinux};
    struct c2c_collect_config config = {.max_lines = options->max_lines, .max_entries = options->max_entries};
    struct session s;
    struct c2c_view *view = &s.report.view;
    const struct perf_info *info;
    int status = EXIT_FAILED;

    memset(&s, 0, sizeof s);
    s.options = options;
    s.how = &how;
    if (!is_own && !c2c_is_readable(options->input, diag))
        return status;
    s.data = perf_data_open(file, &how, diag, &status);
    if (!s.data)
        return status;
    info = perf_data_info(s.data);
    status = c2c_options_view(options, c2c_is_arm64(info), view, config.keys, diag);
    if (!status && !c2c_check_nodes(s.data, info, diag))
        status = EXIT_INVALID;
    if (!status) {
        config.metric = view->metric;
        view->interactive = is_interactive(options);
        config.node_counts = view->node_info == 1 || view->interactive;
        config.chain = view->chain;
        config.with_chains = view->chain.mode != C2C_CHAIN_NONE && has_chains(info);
        config.line_bytes = (options->line_size ? options->line_size : 64u) << view->double_line;
        config.with_members = options->json || options->csv || options->verdict || options->functions;
        config.lines_only = two_passes(options, s.data, is_own);
        status = make_report(&s, &config, diag);
        c2c_collect_close(&s.collect);
    }
    perf_data_close(s.data);
    if (s.again)
        perf_data_close(s.again);
    pool_free(&s.pool);
    return status;
}

/* What c2c fold or c2c merge wrote. */
static int report_part(const struct c2c_options *options, const char *name, struct diag *diag)
{
    struct session s;
    struct c2c_part part;
    struct file file;
    struct sl_c2c table;
    struct sl_c2c_config config;
    struct sl_c2c_renumber numbers;
    struct c2c_options own = *options;
    const uint8_t *blob;
    const char **events;
    void *memory = NULL;
    size_t len, bytes = 0;
    uint8_t keys[SL_C2C_MAX_KEYS];
    int status = EXIT_FAILED;

    memset(&s, 0, sizeof s);
    if (!file_read(&file, name, diag))
        return EXIT_FAILED;
    if (c2c_part_read(&part, &file, &blob, &len, diag)) {
        numbers = c2c_part_identity(&part);
        own.coalesce = part.coalesce.data;
        own.display = NULL;
        if (sl_c2c_peek(blob, len, &config) != SL_OK || config.max_lines > len || config.max_entries > len)
            diag_at_offset(diag, name, (unsigned long long)(blob - file.data), "no table");
        else if (c2c_part_table(&file, blob, len, config.max_lines, config.max_entries, &table, &memory, &bytes,
                                diag) &&
                 c2c_part_merge(&table, &file, blob, len, &numbers, diag))
            status = c2c_options_view(&own, false, &s.report.view, keys, diag);
        if (!status && (!c2c_part_nodes(&part, table.cpu_words, &s.pool, (struct c2c_node **)(void *)&s.report.nodes) ||
                        part.n_nodes != table.config.n_nodes)) {
            diag_at_offset(diag, name, 0, "the nodes do not fit the table");
            status = EXIT_FAILED;
        }
        if (!status) {
            s.report.table = &table;
            s.report.view.metric = (enum sl_c2c_metric)part.metric;
            events = (const char **)pool_take(&s.pool, (part.events.n + 1) * sizeof *events);
            for (size_t i = 0; i < part.events.n; i++)
                events[i] = part.events.items[i].len >= C2C_PART_EVENT_NAME
                                ? part.events.items[i].data + C2C_PART_EVENT_NAME
                                : "";
            s.report.events = (struct c2c_events){events, (uint32_t)part.events.n};
            s.report.n_nodes = part.n_nodes;
            s.report.n_cpus = part.n_cpus;
            s.report.loss = part.loss;
            s.report.input = name;
            s.report.line_bytes = table.config.line_bytes;
            c2c_part_names(&part, &s.report.names);
            c2c_report_lines(&s.report);
            if (!s.report.view.stats_only)
                c2c_report_entries(&s.report);
            status = render(options, &s.report, diag);
            c2c_report_free(&s.report);
        }
        c2c_renumber_free(&numbers);
        c2c_part_free(&part);
    }
    if (memory)
        munmap(memory, bytes);
    pool_free(&s.pool);
    file_free(&file);
    return status;
}

/* A board's buffers become a recording of their own first. */
static int report_input(const struct c2c_options *options, struct diag *diag)
{
    const char *input = options->input ? options->input : "perf.data";
    struct spe_recording recording;
    int status;

    if (c2c_part_is(input))
        return report_part(options, input, diag);
    if (!c2c_board_is_input(&options->board, input))
        return report_file(options, input, false, diag);
    if (!c2c_board_record(&options->board, input, &recording, diag))
        return EXIT_FAILED;
    status = report_file(options, recording.path, true, diag);
    spe_recording_close(&recording);
    return status;
}

int c2c_report_main(int argc, char **argv)
{
    struct diag diag = {stderr, 0};
    struct c2c_options options;
    struct c2c_chain_view chain;
    int first, status;

    memset(&options, 0, sizeof options);
    status = c2c_parse(&c2c_report_command, argc, argv, &options, &first, &diag);
    if (!status)
        status = c2c_options_chain(&options, &chain, &diag);
    if (!status && first < argc) {
        c2c_usage(&c2c_report_command, NULL, &diag);
        status = C2C_EXIT_USAGE;
    }
    if (!status && options.vmlinux && access(options.vmlinux, R_OK)) {
        diag_raw_error(&diag, "Invalid file: %s\n", options.vmlinux);
        status = EXIT_INVALID;
    }
    if (!status)
        status = report_input(&options, &diag);
    return fflush(stdout) && !status ? EXIT_FAILURE : status;
}
