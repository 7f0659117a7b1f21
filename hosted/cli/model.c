/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger model`: scheduling models as YAML: list, show, check, diff, compile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../modeltext/model_text.h"
#include "commands.h"
#include "model_input.h"
#include "options.h"
#include "target.h"

struct model_command {
    bool help, binary;
    const char *output, *symbol;
};

static const struct option table[] = {
    { "help", OPTION_ACTION, false, offsetof(struct model_command, help), NULL, "Display available options", NULL,
      "Generic Options" },
    { "blob", OPTION_BOOL, false, offsetof(struct model_command, binary), NULL,
      "compile: write a binary blob for sl_model_blob_open, not a C table", NULL, "compile" },
    { "symbol", OPTION_STRING, false, offsetof(struct model_command, symbol), "<name>",
      "compile: the C table's name (default sl_cpu_ and the CPU's name)", NULL, NULL },
    { "o", OPTION_STRING, false, offsetof(struct model_command, output), "<filename>", "Output filename", NULL, NULL },
};

#define N_OPTIONS (sizeof table / sizeof table[0])

static bool write_c(const struct model_tables *tables, const struct model_command *values, FILE *out)
{
    char symbol[128];
    snprintf(symbol, sizeof symbol, "sl_cpu_%.100s", tables->cpu.name);
    for (char *c = symbol; *c; c++)
        *c = strchr("-.+", *c) ? '_' : *c;
    model_write_c(tables, values->symbol ? values->symbol : symbol, out);
    return true;
}

static bool compile(const struct model *model, const char *name, const struct model_command *values, FILE *out, struct diag *diag)
{
    struct model_tables tables;
    const char *what;
    bool ok = model_build(&tables, model, &what);
    if (!ok) {
        model_error(diag, name, 1, "the model has too many %s", what);
    } else if (values->binary) {
        size_t len;
        uint8_t *blob = model_blob(&tables, &len);
        ok = fwrite(blob, 1, len, out) == len;
        free(blob);
    } else {
        ok = write_c(&tables, values, out);
    }
    model_tables_free(&tables);
    return ok;
}

/* Are the instruction sets alike enough to compare classes by name? */
static int compare(const struct model *a, const struct model *b, const char *const *names, FILE *out, struct diag *diag)
{
    unsigned n;
    if (a->isa != b->isa) {
        diag_raw_error(diag, "slotledger: %s is a model of %s, %s one of %s\n", names[0], a->isa->name, names[1], b->isa->name);
        return EXIT_FAILURE;
    }
    n = model_diff(a, b, out);
    fprintf(out, n ? "%u differences\n" : "no differences\n", n);
    return n ? 3 : EXIT_SUCCESS;
}

static int run(const char *verb, const struct model_command *values, const char *const *names, size_t n, FILE *out, struct diag *diag)
{
    struct model models[2];
    size_t need = !strcmp(verb, "diff") ? 2 : 1, loaded = 0;
    bool strict = !strcmp(verb, "check");
    int status = EXIT_SUCCESS;
    if (n != need) {
        diag_raw_error(diag, "slotledger model %s: %s expected\n", verb, need == 2 ? "two CPUs or files are" : "a CPU or a file is");
        return EXIT_FAILURE;
    }
    while (loaded < need && model_input(&models[loaded], names[loaded], strict, diag))
        loaded++;
    if (loaded < need)
        status = EXIT_FAILURE;
    else if (need == 2)
        status = compare(&models[0], &models[1], names, out, diag);
    else if (!strcmp(verb, "show"))
        model_dump(&models[0], out);
    else if (strict)
        fprintf(out, "%s: %s, %s, %u resources: nothing wrong\n", names[0], models[0].name, models[0].isa->name, models[0].n_resources - 1);
    else
        status = compile(&models[0], names[0], values, out, diag) ? EXIT_SUCCESS : EXIT_FAILURE;
    while (loaded > 0)
        model_free(&models[--loaded]);
    return status;
}

static int run_to(const char *verb, const struct model_command *values, const char *const *names, size_t n, struct diag *diag)
{
    FILE *out = strcmp(values->output, "-") ? fopen(values->output, "w") : stdout;
    int status;
    if (!out) {
        diag_raw_error(diag, "slotledger: %s: %s\n", values->output, strerror(errno));
        return EXIT_FAILURE;
    }
    status = run(verb, values, names, n, out, diag);
    if (ferror(out) || (out == stdout ? fflush(out) : fclose(out))) {
        diag_raw_error(diag, "slotledger: %s: cannot be written\n", values->output);
        return EXIT_FAILURE;
    }
    return status;
}

int command_model(const char *program, int argc, char **argv)
{
    static const char *const verbs[] = { "list", "show", "check", "diff", "compile" };
    struct command command = {
        .name = program,
        .usage = "list | show CPU | check FILE | diff A B | compile CPU [options]",
        .overview = "scheduling models as YAML; CPU is a built-in processor or a file with '.' or '/' in its name",
        .options = table,
        .n_options = N_OPTIONS,
        .max_inputs = 3,
        .epilogue = "EXIT STATUS: 0, 3 when diff found differences, 1 with a message on standard error\n",
    };
    struct diag diag = { .stream = stderr };
    struct model_command values = { .output = "-" };
    unsigned positions[N_OPTIONS];
    const char *inputs[3];
    size_t n = 0, verb = 0;
    if (!options_parse(&command, argc, argv, &values, positions, inputs, &n, &diag))
        return EXIT_FAILURE;
    if (values.help) {
        options_help(&command, false, stdout);
        return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    while (n && verb < sizeof verbs / sizeof verbs[0] && strcmp(verbs[verb], inputs[0]) != 0)
        verb++;
    if (!n || verb == sizeof verbs / sizeof verbs[0]) {
        diag_raw_error(&diag, "%s: list, show, check, diff or compile is expected\n", program);
        return EXIT_FAILURE;
    }
    if (verb == 0) {
        target_list_cpus(stdout);
        return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    return run_to(inputs[0], &values, inputs + 1, n - 1, &diag);
}
