/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger c2c record`: chooses this machine's memory events and samples them, or hands over to perf record. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../io/mem_events.h"
#include "../io/perf_record.h"
#include "../io/process.h"
#include "c2c.h"
#include "c2c_parse.h"

#define EXIT_FAILED     255
#define DEFAULT_LATENCY 30u

struct record {
    unsigned verbose, latency;
    bool all_user, all_kernel, perf, chosen, done;
    struct mem_events events;
    struct pool pool;
    char **rest; /* what perf record would get behind our options */
    int n_rest;
    struct diag *diag;
    int status;
};

static const struct c2c_option options[] = {
    {'e', "event", C2C_OPTION_TEXT, 0, "<event>",
     "event selector. Use 'slotledger c2c record -e list' to list available events", NULL, C2C_OPTION_PERF},
    {'k', "all-kernel", C2C_OPTION_FLAG, 0, NULL, "collect only kernel level data", NULL, C2C_OPTION_PERF},
    {'l', "ldlat", C2C_OPTION_NUMBER, 0, "<n>", "setup mem-loads latency", NULL, C2C_OPTION_PERF},
    {'u', "all-user", C2C_OPTION_FLAG, 0, NULL, "collect only user level data", NULL, C2C_OPTION_PERF},
    {'v', "verbose", C2C_OPTION_COUNT, 0, NULL, "be more verbose (show counter open errors, etc)", NULL,
     C2C_OPTION_PERF},
    {0, "perf", C2C_OPTION_FLAG, 0, NULL, "hand over to the installed 'perf record', with all of its options", NULL,
     C2C_OPTION_OWN},
    {'h', "help", C2C_OPTION_FLAG, 0, NULL, "this list", NULL, C2C_OPTION_GENERAL},
};

#define N_OPTIONS (sizeof options / sizeof options[0])

static const struct c2c_command command = {"slotledger c2c record [<options>] [<command>]", options, N_OPTIONS};

/* ---- events ---- */

static void list_events(struct record *record)
{
    for (unsigned i = 0; i < record->events.n; i++) {
        const struct mem_event *event = &record->events.items[i];
        fprintf(stderr, "%-13s", event->tag);
        if (record->verbose)
            fprintf(stderr, "%-25s", event->name);
        fputs(event->supported ? ": available\n" : "\n", stderr);
    }
}

static bool choose(struct record *record, const char *value)
{
    const char *text = value ? value : "";
    char *copy = pool_text(&record->pool, text, strlen(text)), *state, *part;
    if (!strcmp(text, "list")) {
        list_events(record);
        record->done = true;
        return true;
    }
    record->chosen = true;
    for (part = strtok_r(copy, ",", &state); part; part = strtok_r(NULL, ",", &state)) {
        if (!mem_events_select(&record->events, part)) {
            fprintf(stderr, "failed: event '%s' not found, use '-e list' to get list of available events\n", part);
            record->status = EXIT_FAILED;
            return false;
        }
    }
    return true;
}

/* ---- the command line: like perf's, it takes our options out and leaves all others in their order ---- */

static const struct c2c_option *by_letter(char letter)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (options[i].letter == letter && letter)
            return &options[i];
    }
    return NULL;
}

static const struct c2c_option *by_name(const char *name, size_t len)
{
    const struct c2c_option *found = NULL;
    for (size_t i = 0; i < N_OPTIONS; i++) {
        bool exact = strlen(options[i].name) == len;
        if (strncmp(options[i].name, name, len) != 0 || (options[i].scope == C2C_OPTION_OWN && !exact))
            continue;
        if (exact)
            return &options[i];
        if (found)
            return NULL;
        found = &options[i];
    }
    return found;
}

static bool usage_error(struct record *record, const struct c2c_option *option, const char *what, bool is_long)
{
    if (is_long)
        fprintf(stderr, " Error: option `%s' %s\n", option->name, what);
    else
        fprintf(stderr, " Error: switch `%c' %s\n", option->letter, what);
    c2c_usage(&command, option, record->diag);
    record->status = C2C_EXIT_USAGE;
    return false;
}

static bool apply(struct record *record, const struct c2c_option *option, const char *value, bool is_long)
{
    char *end;
    switch (option->letter) {
    case 'e':
        return choose(record, value);
    case 'l':
        record->latency = value ? (unsigned)strtoul(value, &end, 10) : 0;
        if (!value || *end || end == value)
            return usage_error(record, option, "expects a numerical value", is_long);
        return true;
    case 'k':
        record->all_kernel = true;
        return true;
    case 'u':
        record->all_user = true;
        return true;
    case 'v':
        record->verbose++;
        return true;
    case 'h':
        c2c_usage(&command, NULL, record->diag);
        record->status = C2C_EXIT_USAGE;
        return false;
    default:
        record->perf = true;
        return true;
    }
}

static bool takes_value(const struct c2c_option *option)
{
    return option->kind == C2C_OPTION_TEXT || option->kind == C2C_OPTION_NUMBER;
}

static bool take_long(struct record *record, char **argv, int argc, int *at)
{
    const char *name = argv[*at] + 2;
    size_t len = strcspn(name, "=");
    const struct c2c_option *option = by_name(name, len);
    const char *value = name[len] ? name + len + 1 : NULL;
    if (!option || !len) {
        record->rest[record->n_rest++] = argv[*at];
        return true;
    }
    if (takes_value(option) && !value) {
        if (*at + 1 >= argc)
            return usage_error(record, option, "requires a value", true);
        value = argv[++*at];
    }
    return apply(record, option, value, true);
}

static bool take_short(struct record *record, char **argv, int argc, int *at)
{
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        const struct c2c_option *option = by_letter(*letter);
        const char *value = letter[1] ? letter + 1 : NULL;
        if (!option) {
            record->rest[record->n_rest++] = argv[*at];
            return true;
        }
        if (!takes_value(option)) {
            if (!apply(record, option, NULL, false))
                return false;
            continue;
        }
        if (!value) {
            if (*at + 1 >= argc)
                return usage_error(record, option, "requires a value", false);
            value = argv[++*at];
        }
        return apply(record, option, value, false);
    }
    return true;
}

static bool parse(struct record *record, int argc, char **argv)
{
    for (int i = 0; i < argc && !record->done; i++) {
        bool ok = true;
        if (!strcmp(argv[i], "--")) {
            while (++i < argc)
                record->rest[record->n_rest++] = argv[i];
            break;
        }
        if (!strncmp(argv[i], "--", 2))
            ok = take_long(record, argv, argc, &i);
        else if (argv[i][0] == '-' && argv[i][1])
            ok = take_short(record, argv, argc, &i);
        else
            record->rest[record->n_rest++] = argv[i];
        if (!ok)
            return false;
    }
    return true;
}

/* ---- perf record's arguments ---- */

static const char *const fixed_arguments[] = {"-d", "--phys-data", "--sample-cpu"};

/* -W tells weights: with the combined event, or with loads. A quirk of perf: a combined event that -e names has none.
 */
static bool wants_weight(const struct record *record)
{
    for (unsigned i = 0; i < record->events.n; i++) {
        const struct mem_event *event = &record->events.items[i];
        if (event->selected && (event->is_load || (event->is_combined && !record->chosen)))
            return true;
    }
    return false;
}

static char **perf_arguments(struct record *record)
{
    char **arguments = pool_take(&record->pool, ((size_t)record->n_rest + 32) * sizeof(char *));
    size_t n = 0;
    arguments[n++] = (char *)(uintptr_t) "record";
    if (wants_weight(record))
        arguments[n++] = (char *)(uintptr_t) "-W";
    for (size_t i = 0; i < 3; i++)
        arguments[n++] = (char *)(uintptr_t)fixed_arguments[i];
    for (unsigned i = 0; i < record->events.n; i++) {
        if (!record->events.items[i].selected)
            continue;
        arguments[n++] = (char *)(uintptr_t) "-e";
        arguments[n++] = (char *)(uintptr_t)record->events.items[i].name;
    }
    if (record->all_user)
        arguments[n++] = (char *)(uintptr_t) "--all-user";
    if (record->all_kernel)
        arguments[n++] = (char *)(uintptr_t) "--all-kernel";
    for (int i = 0; i < record->n_rest; i++)
        arguments[n++] = record->rest[i];
    return arguments;
}

static void say_arguments(char **arguments)
{
    fputs("calling: ", stderr);
    for (; *arguments; arguments++)
        fprintf(stderr, "%s ", *arguments);
    fputs("\n", stderr);
}

/* Does not come back when perf is there. */
static int hand_over(struct record *record, char **arguments)
{
    char **argv;
    size_t n = 0;
    while (arguments[n])
        n++;
    argv = pool_take(&record->pool, (n + 2) * sizeof(char *));
    argv[0] = (char *)(uintptr_t) "perf";
    memcpy(argv + 1, arguments, n * sizeof(char *));
    execvp("perf", argv);
    diag_say(record->diag, DIAG_ERROR, "perf cannot be run: %s", strerror(errno));
    return EXIT_FAILED;
}

/* ---- our own recording ---- */

/* Of perf record's options these have a meaning without perf. */
static bool own_options(struct record *record, struct perf_record_options *out)
{
    int i = 0;
    for (; i < record->n_rest && record->rest[i][0] == '-'; i++) {
        const char *word = record->rest[i];
        const char *value = word[1] && word[1] != '-' && word[2] ? word + 2 : NULL;
        char letter = !strcmp(word, "--all-cpus") ? 'a' : !strcmp(word, "--output") ? 'o' : word[1];
        if (letter == 'a' && (!word[2] || word[1] == '-')) {
            out->all_cpus = true;
            continue;
        }
        if (!strchr("ocF", letter) || !letter || (!value && ++i >= record->n_rest)) {
            diag_say(record->diag, DIAG_ERROR,
                     "%s: an option of perf record; only -a, -c, -F and -o are known without it (--perf hands over)",
                     word);
            return false;
        }
        if (!value)
            value = record->rest[i];
        if (letter == 'o')
            out->output = value;
        else if (letter == 'c')
            out->period = strtoull(value, NULL, 10);
        else
            out->frequency = strtoull(value, NULL, 10);
    }
    out->command = i < record->n_rest ? record->rest + i : NULL;
    if (!out->command)
        out->all_cpus = true;
    return true;
}

static bool own_events(struct record *record, struct perf_record_options *out)
{
    for (unsigned i = 0; i < record->events.n; i++) {
        const struct mem_event *event = &record->events.items[i];
        struct perf_record_event *first = &out->events[out->n_events];
        bool has_second;
        if (!event->selected)
            continue;
        if (out->n_events + 2 > PERF_RECORD_EVENTS ||
            !mem_event_attr(&record->events, event, &first[0].attr, &first[1].attr, &has_second, record->diag))
            return false;
        first[0].name = has_second ? "cpu/mem-loads-aux/" : event->name;
        first[0].leads_next = has_second;
        first[1].name = event->name;
        out->n_events += 1u + has_second;
    }
    return true;
}

static int record_here(struct record *record, char **arguments)
{
    struct perf_record_options out = {.user_only = record->all_user, .kernel_only = record->all_kernel};
    struct perf_record_result result;
    size_t n = 0;
    if (record->events.arch == MEM_ARCH_ARM) {
        diag_say(record->diag, DIAG_NOTE, "SPE's buffers are recorded by perf");
        return hand_over(record, arguments);
    }
    if (!own_options(record, &out) || !own_events(record, &out))
        return EXIT_FAILED;
    while (arguments[n])
        n++;
    out.command_line = (const char *const *)arguments;
    out.n_command_line = (unsigned)n;
    if (!perf_record(&out, &result, record->diag))
        return EXIT_FAILED;
    if (isatty(STDERR_FILENO))
        fputs("\n", stderr);
    fprintf(stderr, "[ slotledger c2c record: %llu samples, %llu lost, %.3f MB in %s%s ]\n",
            (unsigned long long)result.samples, (unsigned long long)result.lost, (double)result.bytes / 1e6,
            out.output ? out.output : "perf.data",
            result.user_only ? "; user space only: the kernel may not be sampled (perf_event_paranoid)" : "");
    return WIFEXITED(result.wait_status) ? WEXITSTATUS(result.wait_status) : EXIT_FAILED;
}

static int start(struct record *record)
{
    char **arguments;
    if (!record->chosen)
        mem_events_select_default(&record->events);
    /* Names with the latency that was asked for; what is selected stays. */
    if (record->latency != DEFAULT_LATENCY) {
        struct mem_events again;
        mem_events_find(&again, record->events.arch, "", record->latency, &record->pool);
        for (unsigned i = 0; i < again.n; i++)
            record->events.items[i].name = again.items[i].name;
    }
    for (unsigned i = 0; i < record->events.n; i++) {
        if (record->events.items[i].selected && !record->events.items[i].supported) {
            fprintf(stderr, "failed: event '%s' not supported\n", record->events.items[i].name);
            return EXIT_FAILED;
        }
    }
    arguments = perf_arguments(record);
    if (record->verbose)
        say_arguments(arguments);
    return record->perf ? hand_over(record, arguments) : record_here(record, arguments);
}

int c2c_record_main(int argc, char **argv)
{
    struct diag diag = {.stream = stderr};
    struct record record = {.latency = DEFAULT_LATENCY, .diag = &diag};
    int status;
    mem_events_find(&record.events, mem_arch_here(), "", DEFAULT_LATENCY, &record.pool);
    if (record.events.reason) {
        fprintf(stderr, "failed: memory events not supported\nslotledger: %s\n", record.events.reason);
        return EXIT_FAILED;
    }
    record.rest = pool_take(&record.pool, ((size_t)argc + 1) * sizeof(char *));
    if (!parse(&record, argc, argv))
        status = record.status;
    else
        status = record.done ? 0 : start(&record);
    pool_free(&record.pool);
    return status;
}
