/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger topdown`: where the slots of a measured region went. */
#include "topdown.h"

#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "commands.h"
#include "options.h"
#include "topdown_record.h"

#define MAX_WIDTH    64u
#define MAX_COUNTERS 64u

static const struct option_choice threshold_choices[] = {
    {"core", "those of the core's manufacturer, else the default ones"},
    {"default", "Intel's for its big cores"},
    {"atom", "Intel's for its small cores"},
    {"simple", "toplev's simple model"},
    {NULL, NULL},
};

#define AT(member) offsetof(struct topdown_command, member)

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    {"help", OPTION_ACTION, false, AT(help), NULL, "Display available options", NULL, "Generic Options"},
    {"list-cores", OPTION_ACTION, false, AT(list_cores), NULL, "List the cores and what their counters can tell", NULL,
     NULL},
    {"core", OPTION_STRING, false, AT(core), "<name>", "Core that was measured: a name of --list-cores, or an Arm MIDR",
     NULL, "Input Options"},
    {"counts", OPTION_STRING, false, AT(counts), "<file>", "Counter values: EVENT,COUNT lines, or perf stat -x,", NULL,
     NULL},
    {"width", OPTION_UINT, false, AT(width), "<slots>", "Issue slots per cycle, instead of the core's", NULL, NULL},
    {"penalty", OPTION_UINT, false, AT(penalty), "<cycles>", "Cost of a misprediction, for cores whose model needs it",
     NULL, NULL},
    {"region", OPTION_STRING, false, AT(region), "<name>", "Only this region of a capture", NULL, NULL},
    {"net", OPTION_BOOL, false, AT(net), NULL, "Take what measuring itself cost from a capture's counts", NULL, NULL},
    {"diff", OPTION_BOOL, false, AT(diff), NULL, "Compare two inputs", NULL, "Output Options"},
    {"level", OPTION_UINT, false, AT(level), "<n>", "Show the tree down to this level only", NULL, NULL},
    {"raw", OPTION_BOOL, false, AT(raw), NULL, "Show counts, unclamped shares and whole slots, too", NULL, NULL},
    {"thresholds", OPTION_ENUM, false, AT(thresholds), "<set>", "When a node counts as a bottleneck", threshold_choices,
     NULL},
    {"json", OPTION_BOOL, false, AT(json), NULL, "Print JSON", NULL, NULL},
    {"csv", OPTION_BOOL, false, AT(csv), NULL, "Print node,domain,percent,quality lines", NULL, NULL},
    {"plan", OPTION_UINT, false, AT(plan), "<counters>", "Print which events to count together with so many counters",
     NULL, NULL},
};

#define N_OPTIONS (sizeof table / sizeof table[0])

const struct sl_topdown_thresholds *topdown_thresholds(const struct topdown_command *command)
{
    static const struct sl_topdown_thresholds *const sets[] = {
        NULL, &sl_topdown_thresholds_default, &sl_topdown_thresholds_atom, &sl_topdown_thresholds_simple};
    return sets[command->thresholds];
}

const struct sl_topdown_core *topdown_named_core(const struct topdown_command *command, unsigned *width,
                                                 const char **source, struct diag *diag)
{
    const struct sl_topdown_core *core;
    uint64_t midr;
    if (!strncmp(command->core, "0x", 2) && options_number(command->core, UINT32_MAX, &midr)) {
        core = sl_topdown_core_arm(midr);
        *width = core->width;
    } else {
        core = sl_topdown_core_by_name(command->core, width);
    }
    if (!core) {
        diag_raw_error(diag, "slotledger: no core '%s': slotledger topdown --list-cores lists them\n", command->core);
        return NULL;
    }
    *source = command->width ? "option" : *width ? "table" : NULL;
    if (command->width)
        *width = command->width;
    return core;
}

bool topdown_from_counts(struct topdown_input *input, const struct topdown_command *command, const char *name,
                         struct diag *diag)
{
    unsigned width;
    const char *source;
    const struct sl_topdown_core *core = topdown_named_core(command, &width, &source, diag);
    if (!core || !file_read(&input->file, name, diag))
        return false;
    input->has_file = input->has_counts = true;
    if (!counts_read(&input->counts, input->file.name, (const char *)input->file.data, input->file.size, core->model,
                     width, diag))
        return false;
    input->report.source = input->file.name;
    input->report.n_entries = input->counts.n_sets;
    input->report.entries = pool_take(&input->pool, input->counts.n_sets * sizeof *input->report.entries);
    for (size_t i = 0; i < input->counts.n_sets; i++) {
        struct topdown_entry *e = &input->report.entries[i];
        const struct counts_set *set = &input->counts.sets[i];
        e->where = set->label;
        e->core = core;
        e->config.width = width;
        e->config.penalty = command->penalty;
        e->config.thresholds = topdown_thresholds(command);
        e->width_source = source;
        e->counts = set->counts;
        e->n_counts = set->n_counts;
        input->report.named = input->report.named || set->label;
    }
    if (input->counts.n_foreign && diag->stream)
        fprintf(diag->stream, "slotledger: %s: %zu line%s of events that %s has none of\n", input->file.name,
                input->counts.n_foreign, input->counts.n_foreign == 1 ? "" : "s", core->name);
    return true;
}

void topdown_input_free(struct topdown_input *input)
{
    if (input->has_counts)
        counts_free(&input->counts);
    if (input->has_capture)
        capture_free(&input->capture);
    if (input->has_file)
        file_free(&input->file);
    pool_free(&input->pool);
}

static bool load(struct topdown_input *input, const struct topdown_command *command, const char *name, bool counts,
                 struct diag *diag)
{
    memset(input, 0, sizeof *input);
    if (!(counts ? topdown_from_counts(input, command, name, diag) : topdown_from_capture(input, command, name, diag)))
        return false;
    topdown_evaluate_all(&input->report);
    for (size_t i = 0; i < input->report.n_entries; i++) {
        if (input->report.entries[i].status) {
            diag_at_offset(diag, input->report.source, 0, "2^60 slots or more: %s",
                           sl_status_text(input->report.entries[i].status));
            return false;
        }
    }
    return true;
}

static enum topdown_form form(const struct topdown_command *command)
{
    return command->json ? TOPDOWN_JSON : command->csv ? TOPDOWN_CSV : TOPDOWN_TEXT;
}

static int show(const struct topdown_command *command, const char *name, struct diag *diag)
{
    static void (*const print[])(const struct topdown_report *, const struct topdown_options *,
                                 FILE *) = {topdown_text, topdown_json, topdown_csv};
    const struct topdown_options options = {.level = command->level, .raw = command->raw};
    struct topdown_input input;
    int status = EXIT_FAILURE;
    if (load(&input, command, command->counts ? command->counts : name, command->counts != NULL, diag)) {
        print[form(command)](&input.report, &options, stdout);
        status = input.losses ? EXIT_CAPTURE_LOSS : EXIT_SUCCESS;
    }
    topdown_input_free(&input);
    return status;
}

static int compare(const struct topdown_command *command, const char *const names[2], struct diag *diag)
{
    const struct topdown_options options = {.level = command->level, .raw = command->raw};
    struct topdown_input a, b = {.has_file = false};
    int status = EXIT_FAILURE;
    /* With a core named, the inputs are counts; captures name their cores themselves. */
    if (load(&a, command, names[0], command->core != NULL, diag) &&
        load(&b, command, names[1], command->core != NULL, diag)) {
        topdown_diff(&a.report, &b.report, &options, form(command), stdout);
        status = a.losses || b.losses ? EXIT_CAPTURE_LOSS : EXIT_SUCCESS;
    }
    topdown_input_free(&a);
    topdown_input_free(&b);
    return status;
}

static int plan(const struct topdown_command *command, struct diag *diag)
{
    unsigned width;
    const char *source;
    const struct sl_topdown_core *core;
    if (command->plan > MAX_COUNTERS) {
        diag_raw_error(diag, "slotledger: --plan=%u: at most %u counters\n", command->plan, MAX_COUNTERS);
        return EXIT_FAILURE;
    }
    core = topdown_named_core(command, &width, &source, diag);
    if (!core)
        return EXIT_FAILURE;
    return topdown_plan_text(core, command->plan, command->level, stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* What is wrong with the options together; NULL: nothing. */
static const char *misuse(const struct topdown_command *command, const unsigned *positions, size_t n_inputs)
{
    bool planning = false;
    for (size_t i = 0; i < N_OPTIONS; i++)
        planning = planning || (table[i].offset == AT(plan) && positions[i]);
    if (command->json && command->csv)
        return "--json and --csv exclude each other";
    if (command->width > MAX_WIDTH)
        return "--width: at most 64 slots per cycle";
    if (planning)
        return command->core ? NULL : "--plan needs --core";
    if (command->counts && !command->core)
        return "--counts needs --core: counter values do not say which core they are of";
    if (command->diff)
        return command->counts ? "--diff takes two files, not --counts"
               : n_inputs == 2 ? NULL
                               : "--diff needs two inputs";
    if (command->counts)
        return n_inputs ? "either --counts or a capture" : NULL;
    return n_inputs == 1 ? NULL : "needs a capture, or --core and --counts (see --help)";
}

static int run(const struct topdown_command *command, const unsigned *positions, const char *const *inputs,
               size_t n_inputs, struct diag *diag)
{
    const char *wrong;
    if (command->list_cores) {
        topdown_list_cores(stdout);
        return EXIT_SUCCESS;
    }
    wrong = misuse(command, positions, n_inputs);
    if (wrong) {
        diag_raw_error(diag, "slotledger: topdown: %s\n", wrong);
        return EXIT_FAILURE;
    }
    if (command->diff)
        return compare(command, inputs, diag);
    if (n_inputs == 0 && !command->counts)
        return plan(command, diag);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (table[i].offset == AT(plan) && positions[i])
            return plan(command, diag);
    }
    return show(command, inputs[0], diag);
}

int command_topdown(const char *program, int argc, char **argv)
{
    struct command command = {.name = program,
                              .usage = "[options] <capture>\n       slotledger topdown --core=<name> --counts=<file>\n"
                                       "       slotledger topdown --diff [--core=<name>] <A> <B>\n"
                                       "       slotledger topdown record [options] -- <command>",
                              .overview = "where the issue slots of a measured region went",
                              .options = table,
                              .n_options = N_OPTIONS,
                              .max_inputs = 2};
    struct diag diag = {.stream = stderr};
    struct topdown_command values = {.help = false};
    unsigned positions[N_OPTIONS];
    const char *inputs[2] = {NULL, NULL};
    size_t n_inputs;
    int status;
    if (argc > 0 && !strcmp(argv[0], "record"))
        return topdown_record(program, argc - 1, argv + 1, NULL);
    if (!options_parse(&command, argc, argv, &values, positions, inputs, &n_inputs, &diag))
        return EXIT_FAILURE;
    if (values.help) {
        options_help(&command, false, stdout);
        status = EXIT_SUCCESS;
    } else {
        status = run(&values, positions, inputs, n_inputs, &diag);
    }
    if (fflush(stdout) || ferror(stdout)) {
        diag_raw_error(&diag, "slotledger: cannot write the report\n");
        return EXIT_FAILURE;
    }
    return status;
}
