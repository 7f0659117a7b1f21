/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger capture info|import|verify`: what a dump holds, and whether all of it is there. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../io/capture_file.h"
#include "../io/capture_hex.h"
#include "../io/file.h"
#include "../report/capture_text.h"
#include "capture.h"
#include "commands.h"
#include "options.h"

#define SOME_PROBLEMS 20u

struct capture_command {
    bool help, registers, counts;
    const char *output;
};

#define AT(member) offsetof(struct capture_command, member)

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    {"help", OPTION_ACTION, false, AT(help), NULL, "Display available options", NULL, "Generic Options"},
    {"registers", OPTION_BOOL, false, AT(registers), NULL, "info: list all recorded registers", NULL, "Output Options"},
    {"counts", OPTION_BOOL, false, AT(counts), NULL, "info: list the counts of each sample", NULL, NULL},
    {"o", OPTION_STRING, false, AT(output), "<file>", "import: where the capture goes (default: standard output)", NULL,
     NULL},
};

#define N_OPTIONS (sizeof table / sizeof table[0])

int capture_status(const struct capture *capture, size_t losses)
{
    if (capture->n_records == 0)
        return EXIT_FAILURE;
    return losses ? EXIT_CAPTURE_LOSS : EXIT_SUCCESS;
}

bool capture_open(struct capture *capture, struct file *file, const char *name, size_t *losses, struct diag *diag)
{
    if (!file_read(file, name, diag))
        return false;
    if (capture_read(capture, file->name, file->data, file->size)) {
        *losses = capture_say_problems(capture, SOME_PROBLEMS, diag);
        return true;
    }
    *losses = capture_say_problems(capture, SOME_PROBLEMS, diag);
    diag_at_offset(diag, file->name, 0, "no record of a capture%s",
                   memmem(file->data, file->size, "$SL", 3) ? ": a console log? 'slotledger capture import' reads those"
                                                            : "");
    capture_free(capture);
    file_free(file);
    return false;
}

typedef int action_fn(const struct capture_command *command, const char *name, struct diag *diag);

static int info(const struct capture_command *command, const char *name, struct diag *diag)
{
    const struct capture_text_options options = {.registers = command->registers, .counts = command->counts};
    struct capture capture;
    struct file file;
    size_t losses;
    int status;
    if (!capture_open(&capture, &file, name, &losses, diag))
        return EXIT_FAILURE;
    capture_print(&capture, &options, stdout);
    status = capture_status(&capture, losses);
    capture_free(&capture);
    file_free(&file);
    return status;
}

/* All problems, and one line. */
static int judge(const char *name, const uint8_t *data, size_t size, FILE *out, struct diag *diag)
{
    struct capture capture;
    uint64_t missing = 0, given_up = 0;
    size_t losses;
    int status;
    (void)capture_read(&capture, name, data, size);
    losses = capture_say_problems(&capture, SIZE_MAX, diag);
    for (size_t i = 0; i < capture.n_streams; i++) {
        missing += capture.streams[i].n_missing;
        given_up += capture.streams[i].n_given_up;
    }
    if (capture.n_records == 0)
        diag_at_offset(diag, name, 0, "no record of a capture");
    fprintf(out, "%s: %zu records in %zu %s, %" PRIu64 " missing (%" PRIu64 " given up by the writer), %zu %s: %s\n",
            name, capture.n_records, capture.n_streams, capture.n_streams == 1 ? "stream" : "streams", missing,
            given_up, losses, losses == 1 ? "problem" : "problems",
            capture.n_records == 0 ? "no capture"
            : losses               ? "incomplete"
                                   : "complete");
    status = capture_status(&capture, losses);
    capture_free(&capture);
    return status;
}

static int verify(const struct capture_command *command, const char *name, struct diag *diag)
{
    struct file file;
    int status;
    (void)command;
    if (!file_read(&file, name, diag))
        return EXIT_FAILURE;
    status = judge(file.name, file.data, file.size, stdout, diag);
    file_free(&file);
    return status;
}

static bool write_bytes(const char *name, const struct text *bytes, struct diag *diag)
{
    FILE *out = name && strcmp(name, "-") ? fopen(name, "wb") : stdout;
    bool ok = out && fwrite(bytes->data, 1, bytes->len, out) == bytes->len;
    if (out == stdout)
        ok = ok && !fflush(out);
    else if (out)
        ok = !fclose(out) && ok;
    if (!ok)
        diag_say(diag, DIAG_ERROR, "%s: %s", name ? name : "<stdout>", strerror(errno));
    return ok;
}

static int import_log(const struct capture_command *command, const struct file *log, struct diag *diag)
{
    struct hex_import import;
    const char *name = command->output ? command->output : "<stdout>";
    size_t losses;
    int status = EXIT_FAILURE;
    if (!hex_import(&import, (const char *)log->data, log->size)) {
        (void)capture_say_hex_problems(&import, log->name, diag);
        diag_at_offset(diag, log->name, 0, "no whole line of a capture ('$SL', core, offset, ':', bytes, '*', CRC)");
    } else {
        losses = capture_say_hex_problems(&import, log->name, diag);
        if (write_bytes(command->output, &import.bytes, diag)) {
            fprintf(stderr, "%s: %zu lines (%zu repeated), %zu %s, %zu bytes, %zu %s\n", log->name, import.n_lines,
                    import.n_repeated, import.n_streams, import.n_streams == 1 ? "stream" : "streams", import.bytes.len,
                    losses, losses == 1 ? "problem" : "problems");
            status = judge(name, (const uint8_t *)import.bytes.data, import.bytes.len, stderr, diag);
            status = status == EXIT_SUCCESS && losses ? EXIT_CAPTURE_LOSS : status;
        }
    }
    hex_import_free(&import);
    return status;
}

static int import(const struct capture_command *command, const char *name, struct diag *diag)
{
    struct file file;
    int status;
    if (!file_read(&file, name, diag))
        return EXIT_FAILURE;
    status = import_log(command, &file, diag);
    file_free(&file);
    return status;
}

static const struct {
    const char *name;
    action_fn *run;
} actions[] = {{"info", info}, {"verify", verify}, {"import", import}};

static action_fn *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (!strcmp(actions[i].name, name))
            return actions[i].run;
    }
    return NULL;
}

int command_capture(const char *program, int argc, char **argv)
{
    struct command command = {.name = program,
                              .usage = "info|verify|import [options] <file>",
                              .overview = "dumps that a board wrote: what they hold, and what is missing",
                              .options = table,
                              .n_options = N_OPTIONS,
                              .max_inputs = 2,
                              .epilogue = "ACTIONS:\n  info    list streams, cores, events, regions and samples\n"
                                          "  verify  one line for each damaged or missing piece, with its offset\n"
                                          "  import  a console log with '$SL' lines into a capture\n\n"
                                          "EXIT STATUS: 0 complete, 2 usable but something is missing, 1 unusable\n"};
    struct diag diag = {.stream = stderr};
    struct capture_command values = {.help = false};
    unsigned positions[N_OPTIONS];
    const char *inputs[2] = {NULL, "-"};
    action_fn *action;
    size_t n_inputs;
    int status;
    if (!options_parse(&command, argc, argv, &values, positions, inputs, &n_inputs, &diag))
        return EXIT_FAILURE;
    if (values.help) {
        options_help(&command, false, stdout);
        return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    action = n_inputs ? find_action(inputs[0]) : NULL;
    if (!action) {
        diag_raw_error(&diag, "%s: %s%s%s.  Try: '%s --help'\n", program,
                       n_inputs ? "Unknown action '" : "no action given", n_inputs ? inputs[0] : "",
                       n_inputs ? "'" : "", program);
        return EXIT_FAILURE;
    }
    status = action(&values, inputs[1], &diag);
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : status;
}
