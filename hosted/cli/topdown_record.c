/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger topdown record`: the events of this machine's model around a command, written as a capture. */
#include "topdown_record.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include <slotledger/capture.h>
#include <slotledger/topdown.h>

#include "capture.h"
#include "host_cpu.h"
#include "host_registers.h"
#include "options.h"

#define MAX_COUNTERS 64u

struct record_command {
    bool help;
    const char *output, *core;
    uint32_t level, counters;
};

#define AT(member) offsetof(struct record_command, member)

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    {"help", OPTION_ACTION, false, AT(help), NULL, "Display available options", NULL, "Generic Options"},
    {"o", OPTION_STRING, false, AT(output), "<file>", "The capture (default: slotledger.capture)", NULL,
     "Output Options"},
    {"core", OPTION_STRING, false, AT(core), "<name>", "Whose events to count, instead of this machine's", NULL,
     "Recording Options"},
    {"level", OPTION_UINT, false, AT(level), "<n>", "Count for the tree down to this level (default: 2)", NULL, NULL},
    {"counters", OPTION_UINT, false, AT(counters), "<n>", "Counters that may be used at a time", NULL, NULL},
};

#define N_OPTIONS (sizeof table / sizeof table[0])

/* One recording. */
struct recording {
    const struct host_registers *host;
    const struct sl_topdown_model *model;
    struct sl_topdown_budget budget;
    struct sl_topdown_plan plan;
    struct pmu_run run;
    const uint8_t *events; /* of each counter, in the order of groups: index in the model */
    struct pool pool;
};

/* What perf_event_open takes for a fixed counter's event: Arm's common events, Intel's pseudo encodings of fixed
 * counters (SDM), and for RISC-V, where the kernel asks the SBI, the generic ones. */
static bool fixed_config(uint16_t arch, uint64_t number, struct pmu_counter *counter)
{
    static const struct {
        uint16_t arch, number;
        uint32_t type;
        uint64_t config;
    } rows[] = {
        {SL_ARCH_AARCH64, 31, PERF_TYPE_RAW, 0x11},
        {SL_ARCH_AARCH64, 32, PERF_TYPE_RAW, 0x08},
        {SL_ARCH_X86_64, 0, PERF_TYPE_RAW, 0xc0},
        {SL_ARCH_X86_64, 1, PERF_TYPE_RAW, 0x3c},
        {SL_ARCH_X86_64, 2, PERF_TYPE_RAW, 0x300},
        {SL_ARCH_X86_64, 3, PERF_TYPE_RAW, 0x400},
        {SL_ARCH_RV64, 0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
        {SL_ARCH_RV64, 2, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].arch == arch && rows[i].number == number) {
            counter->type = rows[i].type;
            counter->config = rows[i].config;
            return true;
        }
    }
    return false;
}

static bool perf_config(uint16_t arch, uint64_t code, struct pmu_counter *counter)
{
    uint64_t number = code & 0xffffffffffu;
    memset(counter, 0, sizeof *counter);
    if (code == SL_TOPDOWN_FIXED(number))
        return fixed_config(arch, number, counter);
    counter->type = PERF_TYPE_RAW;
    counter->config = code;
    if (code == SL_TOPDOWN_CLASS(number)) {
        /* Linux: event 0, umask 0x80 + n, in a group that fixed counter 3 leads. */
        counter->config = 0x8000u | number << 8;
        return arch == SL_ARCH_X86_64;
    }
    if (code == SL_TOPDOWN_SBI(number)) {
        counter->type = PERF_TYPE_HARDWARE;
        counter->config = number - 1; /* the SBI's numbers are Linux' plus one */
        return number >= 1 && number <= 10;
    }
    return code >> 60 == 0;
}

/* Fixed counter 3 (slots) has to lead the classes; so events with fixed counters go first. */
static void fill_group(struct recording *r, const struct sl_topdown_pass *pass, struct pmu_group *group,
                       uint8_t *events)
{
    for (unsigned step = 0; step < 3; step++) {
        for (unsigned i = 0; i < r->model->n_events; i++) {
            uint64_t code = sl_topdown_event_code(r->model, i);
            unsigned turn = code == SL_TOPDOWN_FIXED(3) ? 0 : pass->on_fixed >> i & 1u ? 1 : 2;
            if (!(pass->events >> i & 1u) || turn != step ||
                !perf_config(r->host->arch, code, &group->counters[group->n_counters]))
                continue;
            events[group->n_counters++] = (uint8_t)i;
        }
    }
}

static bool make_plan(struct recording *r, const struct record_command *command, struct diag *diag)
{
    uint8_t *events;
    r->budget.n_counters = (uint8_t)(command->counters ? command->counters : r->host->n_counters);
    r->budget.fixed = r->host->fixed;
    while (sl_topdown_plan(r->model, &r->budget, command->level ? command->level : 2, SL_NODE_TOTAL, &r->plan) !=
           SL_OK) {
        if (!r->model->fallback) {
            diag_raw_error(diag, "slotledger: %u counters are not enough for any model of this core\n",
                           r->budget.n_counters);
            return false;
        }
        r->model = r->model->fallback;
    }
    r->run.n_groups = r->plan.n_passes;
    r->run.groups = pool_take(&r->pool, r->run.n_groups * sizeof *r->run.groups);
    events = pool_take(&r->pool, r->run.n_groups * SL_TOPDOWN_EVENTS);
    r->events = events;
    for (size_t g = 0; g < r->run.n_groups; g++) {
        r->run.groups[g].counters = pool_take(&r->pool, SL_TOPDOWN_EVENTS * sizeof(struct pmu_counter));
        fill_group(r, &r->plan.passes[g], &r->run.groups[g], events + g * SL_TOPDOWN_EVENTS);
    }
    return true;
}

/* ---- the capture ------------------------------------------------------------------------------------------------- */

static bool emit(void *context, const void *bytes, uint32_t len)
{
    return fwrite(bytes, 1, len, context) == len;
}

static void write_group(struct sl_capture *c, const struct recording *r, size_t g)
{
    struct sl_capture_counter counters[SL_TOPDOWN_EVENTS];
    const struct pmu_group *group = &r->run.groups[g];
    const struct sl_capture_group head = {.id = (uint16_t)g,
                                          .pass = (uint16_t)g,
                                          .n_counters = (uint16_t)group->n_counters,
                                          .filter = r->run.user_only ? SL_FILTER_NO_KERNEL : 0};
    memset(counters, 0, sizeof counters);
    for (size_t i = 0; i < group->n_counters; i++) {
        uint64_t code = sl_topdown_event_code(r->model, r->events[g * SL_TOPDOWN_EVENTS + i]);
        bool fixed = code >> 63;
        counters[i].counter = (uint16_t)(fixed ? SL_COUNTER_FIXED | (code & 0x7fffu) : i);
        counters[i].width_bits = 64;
        counters[i].kind = code >> 60 == 1 ? SL_EVENT_SBI : SL_EVENT_NATIVE;
        counters[i].event = fixed ? 0 : code >> 60 == 1 ? code & 0xffffu : code;
    }
    (void)sl_capture_group(c, &head, counters);
}

static void write_sample(struct sl_capture *c, const struct recording *r, size_t g)
{
    struct sl_capture_count counts[SL_TOPDOWN_EVENTS];
    const struct pmu_group *group = &r->run.groups[g];
    struct sl_capture_sample sample = {.group = (uint16_t)g,
                                       .n_counts = (uint16_t)group->n_counters,
                                       .invocations = 1,
                                       .start = r->run.start_ns,
                                       .stop = r->run.stop_ns};
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < group->n_counters; i++) {
        const struct pmu_counter *counter = &group->counters[i];
        counts[i].value = counter->value;
        if (counter->error || counter->running_ns == 0)
            counts[i].quality = SL_QUALITY_UNAVAILABLE;
        else if (counter->running_ns < counter->enabled_ns)
            counts[i].quality = SL_QUALITY_MULTIPLEXED;
        /* A group runs as a whole. */
        if (counter->running_ns > sample.running) {
            sample.running = counter->running_ns;
            sample.enabled = counter->enabled_ns;
        }
    }
    (void)sl_capture_sample(c, SL_CAPTURE_SAMPLE, &sample, counts, NULL, NULL);
}

/* Events that could not be opened, one note each. Returns how many. */
static size_t write_refusals(struct sl_capture *c, const struct recording *r)
{
    size_t n = 0;
    for (size_t g = 0; g < r->run.n_groups; g++) {
        for (size_t i = 0; i < r->run.groups[g].n_counters; i++) {
            unsigned event = r->events[g * SL_TOPDOWN_EVENTS + i];
            struct sl_capture_note note = {
                .code = SL_NOTE_NO_EVENT, .severity = 1, .a = sl_topdown_event_code(r->model, event)};
            char text[128];
            int error = r->run.groups[g].counters[i].error;
            if (!error)
                continue;
            n++;
            snprintf(text, sizeof text, "%s: %s", sl_topdown_event_name(r->model, event), strerror(error));
            (void)sl_capture_note(c, &note, text);
        }
    }
    return n;
}

static void write_head(struct sl_capture *c, const struct recording *r, char *const *argv)
{
    const struct sl_capture_file file = {
        .arch = r->host->arch, .n_cores = 1, .n_regions = 1, .library_version = 0x000100};
    const struct sl_capture_clock clock = {
        .kind = SL_CLOCK_LINUX_MONOTONIC, .width_bits = 64, .hz = 1000000000, .now = r->run.start_ns};
    struct sl_capture_cpu cpu = {.pmu = SL_PMU_LINUX,
                                 .spe_state = SL_STATE_UNKNOWN,
                                 .counter_bits = 64,
                                 .n_counters = r->budget.n_counters,
                                 .flags = r->host->hypervisor ? SL_CPU_HYPERVISOR : 0};
    struct text label = {.data = NULL};
    snprintf(cpu.name, sizeof cpu.name, "%s", host_cpu_name());
    (void)sl_capture_file(c, &file);
    (void)sl_capture_cpu(c, &cpu);
    (void)sl_capture_regs(c, SL_REGS_PROBED, r->host->registers, r->host->n_registers);
    (void)sl_capture_clock(c, &clock);
    for (size_t i = 0; argv[i]; i++)
        text_printf(&label, "%s%s", i ? " " : "", argv[i]);
    (void)sl_capture_region(c, 0, SL_REGION_NONE, 0, label.data);
    text_free(&label);
}

static bool write_capture(const struct recording *r, const char *name, char *const *argv, struct diag *diag)
{
    FILE *out = fopen(name, "wb");
    struct sl_capture_config config = {
        .sink = SL_SINK_STREAM, .session = (uint32_t)time(NULL), .emit = emit, .context = out};
    struct sl_capture c;
    size_t refused;
    if (!out || sl_capture_init(&c, &config) != SL_OK) {
        diag_raw_error(diag, "slotledger: %s: %s\n", name, strerror(errno));
        return false;
    }
    write_head(&c, r, argv);
    for (size_t g = 0; g < r->run.n_groups; g++)
        write_group(&c, r, g);
    for (size_t g = 0; g < r->run.n_groups; g++)
        write_sample(&c, r, g);
    refused = write_refusals(&c, r);
    (void)sl_capture_finish(&c);
    if (fclose(out) || c.lost) {
        diag_raw_error(diag, "slotledger: %s: not everything could be written\n", name);
        return false;
    }
    if (refused)
        diag_say(diag, DIAG_WARNING, "%zu events could not be counted: 'slotledger capture info %s' lists them",
                 refused, name);
    if (r->run.user_only)
        diag_say(diag, DIAG_NOTE, "only user code was counted: /proc/sys/kernel/perf_event_paranoid is above 1");
    return true;
}

/* The command's own status, as a shell gives it. */
static int command_status(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

static int record(const struct record_command *command, char *const *argv, pmu_open_fn *open, struct diag *diag)
{
    const char *output = command->output ? command->output : "slotledger.capture";
    const struct sl_topdown_core *core;
    struct recording r = {.run = {.open = open}};
    struct host_registers host;
    unsigned width;
    int status = EXIT_FAILURE;
    host_registers_read(&host);
    core = command->core ? sl_topdown_core_by_name(command->core, &width) : host.core;
    if (!core) {
        diag_raw_error(diag, "slotledger: no core '%s': slotledger topdown --list-cores lists them\n", command->core);
        return EXIT_FAILURE;
    }
    r.host = &host;
    r.model = core->model;
    if (make_plan(&r, command, diag) && pmu_record(&r.run, argv, diag) && write_capture(&r, output, argv, diag))
        status = command_status(r.run.wait_status);
    pool_free(&r.pool);
    return status;
}

int topdown_record(const char *program, int argc, char **argv, pmu_open_fn *open)
{
    struct command command = {.name = program,
                              .usage = "record [options] -- <command> [arguments]",
                              .overview = "count the events of this machine's Top-Down model while a command runs",
                              .options = table,
                              .n_options = N_OPTIONS,
                              .max_inputs = (size_t)argc,
                              .epilogue =
                                  "EXIT STATUS: the command's own; 1 when nothing could be counted or written\n"};
    struct diag diag = {.stream = stderr};
    struct record_command values = {.help = false};
    unsigned positions[N_OPTIONS];
    const char **inputs = calloc((size_t)argc + 1, sizeof *inputs);
    size_t n_inputs;
    int status = EXIT_FAILURE;
    if (!inputs)
        return EXIT_FAILURE;
    if (!options_parse(&command, argc, argv, &values, positions, inputs, &n_inputs, &diag)) {
        status = EXIT_FAILURE;
    } else if (values.help) {
        options_help(&command, false, stdout);
        status = EXIT_SUCCESS;
    } else if (n_inputs == 0) {
        diag_raw_error(&diag, "%s record: no command given.  Try: '%s record --help'\n", program, program);
    } else if (values.counters > MAX_COUNTERS) {
        diag_raw_error(&diag, "%s record: --counters=%u: at most %u\n", program, values.counters, MAX_COUNTERS);
    } else {
        /* What follows the options is the end of argv. */
        status = record(&values, argv + (size_t)argc - n_inputs, open, &diag);
    }
    free(inputs);
    return status;
}
