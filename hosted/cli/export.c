/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger export`: a board's SPE buffers for other tools, above all as a perf.data file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../io/perf_export.h"
#include "../io/spe_recording.h"
#include "../report/spe_text.h"
#include "commands.h"
#include "options.h"
#include "spe_options.h"

#define MAX_INPUTS 1024u

struct export_command {
    bool help, perf_data, packets, samples, newer;
    const char *output;
    struct spe_options spe;
};

#define AT(member) offsetof(struct export_command, member)

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    {"help", OPTION_ACTION, false, AT(help), NULL, "Display available options", NULL, "Generic Options"},
    {"perf-data", OPTION_BOOL, false, AT(perf_data), NULL,
     "Write a perf.data file that perf script, perf mem and perf c2c open (the default)", NULL, "Output Options"},
    {"packets", OPTION_BOOL, false, AT(packets), NULL, "Print each packet, as perf report -D does", NULL, NULL},
    {"samples", OPTION_BOOL, false, AT(samples), NULL, "Print each memory sample, in the order of perf script", NULL,
     NULL},
    {"o", OPTION_STRING, false, AT(output), "<file>", "Output file (perf.data by default), - is standard output", NULL,
     NULL},
    {"newer-sources", OPTION_BOOL, false, AT(newer), NULL,
     "With --samples: explain data sources of processors that perf 6.1 does not know", NULL, NULL},
    SPE_OPTIONS(AT),
};

#define N_OPTIONS (sizeof table / sizeof table[0])

static bool write_perf_data(const struct export_command *command, const struct spe_input *input, struct diag *diag)
{
    struct perf_export_options options = {.command = "slotledger export"};
    const char *name = command->output ? command->output : "perf.data";
    bool to_stdout = !strcmp(name, "-"), ok;
    struct perf_export *export;
    FILE *out;

    export = spe_options_programs(&command->spe, &options, diag) ? perf_export_new(input, &options, diag) : NULL;
    if (!export) {
        pool_free(&options.pool);
        return false;
    }
    out = to_stdout ? stdout : fopen(name, "wbe");
    ok = out && perf_export_write(export, out);
    if (out && !to_stdout && fclose(out))
        ok = false;
    if (!ok)
        diag_say(diag, DIAG_ERROR, "%s: %s", name, strerror(errno));
    perf_export_free(export);
    pool_free(&options.pool);
    return ok;
}

static void print_packets(const struct spe_input *input)
{
    for (size_t i = 0; i < input->n_buffers; i++) {
        const struct spe_buffer *b = &input->buffers[i];
        spe_text_packets(stdout, b->bytes, b->len, b->base);
    }
}

static bool print_samples(const struct export_command *command, const struct spe_input *input, struct diag *diag)
{
    struct perf_export_options options = {.command = "slotledger export"};
    struct perf_data_options reading = {.newer_sources = command->newer, .force = true};
    struct spe_recording recording = {NULL, ""};
    struct perf_data *data = NULL;
    struct perf_sample sample;
    enum perf_next next = PERF_NEXT_FAILED;
    int status;

    if (spe_options_programs(&command->spe, &options, diag) && spe_recording_make(&recording, input, &options, diag))
        data = perf_data_open(recording.path, &reading, diag, &status);
    while (data && (next = perf_data_next(data, &sample)) == PERF_NEXT_SAMPLE)
        spe_text_sample(stdout, &sample.mem);
    perf_data_close(data);
    spe_recording_close(&recording);
    pool_free(&options.pool);
    return next == PERF_NEXT_END;
}

static bool run(const struct export_command *command, const char *const *names, size_t n_names, struct diag *diag)
{
    struct spe_input input = {.buffers = NULL};
    bool ok = spe_options_read(&command->spe, names, n_names, &input, diag);

    if (ok && command->packets)
        print_packets(&input);
    else if (ok && command->samples)
        ok = print_samples(command, &input, diag);
    else if (ok)
        ok = write_perf_data(command, &input, diag);
    spe_input_free(&input);
    return ok;
}

int command_export(const char *program, int argc, char **argv)
{
    struct command command = {.name = program,
                              .usage = "[options] <dump> ...",
                              .overview = "a board's SPE buffers for other tools",
                              .options = table,
                              .n_options = N_OPTIONS,
                              .max_inputs = MAX_INPUTS};
    struct diag diag = {.stream = stderr};
    struct export_command values = {.help = false};
    unsigned positions[N_OPTIONS];
    const char *names[MAX_INPUTS] = {"-"};
    size_t n_names = 0;

    if (!options_parse(&command, argc, argv, &values, positions, names, &n_names, &diag))
        return EXIT_FAILURE;
    if (values.help)
        options_help(&command, false, stdout);
    else if (!run(&values, names, n_names ? n_names : 1, &diag))
        return EXIT_FAILURE;
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
