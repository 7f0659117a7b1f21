/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger check`: predictions for a binary beside those of a baseline. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../io/baseline.h"
#include "../io/file.h"
#include "../report/check_text.h"
#include "commands.h"
#include "mca_run.h"

#define REGRESSION 2 /* exit status; EXIT_FAILURE: no answer */

struct check_command {
    bool help, update;
    const char *baseline, *tolerance;
    struct mca_options mca;
};

#define AT(member) offsetof(struct check_command, member)

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    { "help", OPTION_ACTION, false, AT(help), NULL, "Display available options", NULL, "Generic Options" },
    { "baseline", OPTION_STRING, false, AT(baseline), "<file>", "File of earlier predictions", NULL, "Gate Options" },
    { "update", OPTION_BOOL, false, AT(update), NULL, "Write the baseline instead of comparing with it", NULL, NULL },
    { "tolerance", OPTION_STRING, false, AT(tolerance), "<figure=value,...>",
      "What may grow, for cycles, slots, bytes and instructions: cycles=2%,bytes=16 (default: nothing but instructions)",
      NULL, NULL },
    { "symbol", OPTION_STRING, false, AT(mca.symbol), "<pattern>", "Functions to look at (default: all)", NULL, NULL },
    { "loops", OPTION_BOOL, false, AT(mca.loops), NULL, "Compare the innermost loops of the functions", NULL, NULL },
    { "outer-loops", OPTION_BOOL, false, AT(mca.outer_loops), NULL, "With --loops: those with loops inside, too", NULL,
      NULL },
    { "mcpu", OPTION_STRING, false, AT(mca.mcpu), "<cpu-name>", "Processor (default: the baseline's)", NULL,
      "Model Options" },
    { "mtriple", OPTION_STRING, false, AT(mca.mtriple), NULL, "Target triple", NULL, NULL },
    { "iterations", OPTION_UINT, false, AT(mca.iterations), NULL, "Iterations to simulate (default: the baseline's, or 100)",
      NULL, NULL },
    { "call-latency", OPTION_UINT, false, AT(mca.call_latency), NULL, "Cycles to assume for a call", NULL, NULL },
    { "no-quirks", OPTION_BOOL, false, AT(mca.no_quirks), NULL, "Leave out llvm-mca's known defects", NULL, NULL },
};

#define N_OPTIONS (sizeof table / sizeof table[0])

static struct command describe(const char *program)
{
    return (struct command){
        .name = program,
        .usage = "--baseline <file> [options] <ELF file>",
        .overview = "predicts functions or loops and compares with earlier predictions.",
        .options = table,
        .n_options = N_OPTIONS,
        .max_inputs = 1,
        .epilogue = "Exit status: 0 no regression (or the baseline written), 2 a regression: something grew more than the\n"
                    "tolerance allows, or is missing; 1 an error.\n",
    };
}

static bool read_baseline(const char *name, struct baseline *baseline, struct diag *diag)
{
    struct file file;
    struct source source;
    bool ok;
    if (!file_read(&file, name, diag))
        return false;
    source = (struct source){ file.name, (const char *)file.data, file.size };
    ok = baseline_parse(baseline, &source, diag);
    file_free(&file);
    return ok;
}

/* What the baseline was made with holds for options that are not given; given ones must agree. */
static bool settle(struct check_command *c, const struct baseline *before, const char *program, struct diag *diag)
{
    if (before->loops != c->mca.loops) {
        diag_raw_error(diag, "%s: the baseline %s holds %s: %s --loops\n", program, c->baseline,
                       before->loops ? "loops" : "functions", before->loops ? "compare with" : "compare without");
        return false;
    }
    if (!*c->mca.mcpu)
        c->mca.mcpu = before->cpu;
    if (!c->mca.iterations)
        c->mca.iterations = before->iterations;
    if (strcmp(c->mca.mcpu, before->cpu) != 0 || c->mca.iterations != before->iterations) {
        diag_raw_error(diag, "%s: the baseline %s is of %s and %u iterations, not of %s and %u\n", program, c->baseline,
                       before->cpu, before->iterations, c->mca.mcpu, c->mca.iterations);
        return false;
    }
    return true;
}

static struct baseline_entry entry_of(const char *name, const struct mca_figures *f)
{
    uint64_t cycles = ((uint64_t)f->cycles * 1000u + f->iterations / 2) / f->iterations; /* iterations >= 1 */
    uint64_t all = (uint64_t)f->cycles * f->width, used = f->uops * f->iterations;
    struct baseline_entry entry = { .name = name, .cycles = cycles, .bytes = f->bytes, .instructions = f->instructions };
    entry.slots = (all * 1000u + f->iterations / 2) / f->iterations;
    entry.retiring = all ? (uint32_t)((used * 10000u + all / 2) / all) : 0;
    if (entry.retiring > 10000) /* eliminated micro-ops take no slot */
        entry.retiring = 10000;
    return entry;
}

/* Predicts every region; one that cannot be predicted is told of and left out. */
static void predict(struct run *run, const char *name, struct baseline *after)
{
    const struct block *block = &run->input->block;
    uint32_t n_left_out = 0;
    for (size_t i = 0; i < block->n_regions; i++) {
        const struct block_region *region = &block->regions[i];
        struct mca_figures figures;
        struct baseline_entry entry;
        char *text = NULL;
        size_t len = 0;
        FILE *err;
        struct diag diag = { .stream = NULL };
        bool ok;
        if (!region->n_members && !region->failed)
            continue;
        err = open_memstream(&text, &len);
        if (!err)
            out_of_memory();
        diag.stream = err;
        run->diag = &diag;
        ok = !region->failed && mca_run_measure(run, region, &figures);
        if (fclose(err))
            out_of_memory();
        if (ok) {
            entry = entry_of(*region->name ? region->name : name, &figures);
            baseline_add(after, &entry);
        } else {
            n_left_out++;
            fprintf(stderr, "%snote: no prediction for %s\n", text, *region->name ? region->name : name);
        }
        free(text);
    }
    run->diag = NULL;
    if (n_left_out)
        fprintf(stderr, "slotledger: %u region%s could not be predicted\n", n_left_out, n_left_out == 1 ? "" : "s");
    baseline_sort(after);
}

static bool write_baseline(const char *name, const struct baseline *baseline, struct diag *diag)
{
    FILE *out = strcmp(name, "-") ? fopen(name, "w") : stdout;
    bool ok = out != NULL;
    if (ok) {
        baseline_write(baseline, out);
        ok = !ferror(out) && !fflush(out);
        if (out != stdout)
            ok = !fclose(out) && ok;
    }
    if (!ok)
        diag_raw_error(diag, "slotledger: %s: cannot write the baseline: %s\n", name, strerror(errno));
    return ok;
}

static int compare(const struct check_command *c, struct baseline *before, const struct baseline *after, const char *file)
{
    struct baseline_tolerance tolerance[BASELINE_FIGURES] = {
        [BASELINE_INSTRUCTIONS] = { .amount = BASELINE_MOST } /* what they cost is what counts */
    };
    struct check_counts counts;
    if (c->tolerance)
        (void)baseline_tolerances(c->tolerance, tolerance);
    printf("%s beside %s: %s, %u iterations, figures of one\n\n", file, c->baseline, before->cpu, before->iterations);
    counts = check_text(before, after, tolerance, stdout);
    if (fflush(stdout))
        return EXIT_FAILURE;
    return check_failed(&counts) ? REGRESSION : EXIT_SUCCESS;
}

static int run_check(struct check_command *c, const char *program, const char *file, struct diag *diag)
{
    struct baseline before, after;
    struct mca_input input;
    struct run run = { .options = &c->mca, .input = &input, .diag = diag };
    const unsigned positions[MCA_MAX_OPTIONS] = { 0 };
    int status = EXIT_FAILURE;
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    if (!c->update && (!read_baseline(c->baseline, &before, diag) || !settle(c, &before, program, diag)))
        goto out;
    if (!*c->mca.mcpu)
        c->mca.mcpu = "native";
    c->mca.all_symbols = !c->mca.symbol;
    c->mca.plain_names = true;
    if (mca_input_read(&input, program, &c->mca, file, diag)) {
        mca_run_settle(&run, positions);
        after.cpu = input.cpu_name;
        after.iterations = c->mca.iterations ? c->mca.iterations : 100;
        after.loops = c->mca.loops;
        predict(&run, c->mca.symbol ? c->mca.symbol : file, &after);
        if (c->update)
            status = write_baseline(c->baseline, &after, diag) ? EXIT_SUCCESS : EXIT_FAILURE;
        else
            status = compare(c, &before, &after, file);
    }
    mca_input_free(&input);
out:
    baseline_free(&before);
    baseline_free(&after);
    return status;
}

int command_check(const char *program, int argc, char **argv)
{
    struct command command = describe(program);
    struct diag diag = { .stream = stderr };
    struct baseline_tolerance tolerance[BASELINE_FIGURES];
    struct check_command c;
    unsigned positions[N_OPTIONS];
    const char *file = "-";
    size_t n_files;
    memset(&c, 0, sizeof c);
    mca_options_defaults(&c.mca);
    c.mca.mcpu = "";
    if (!options_parse(&command, argc, argv, &c, positions, &file, &n_files, &diag))
        return EXIT_FAILURE;
    if (c.help) {
        options_help(&command, false, stdout);
        return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    if (!c.baseline || !n_files) {
        fprintf(stderr, "%s: needs --baseline <file> and an ELF file. See: %s --help\n", program, program);
        return EXIT_FAILURE;
    }
    if (c.tolerance && !baseline_tolerances(c.tolerance, tolerance)) {
        fprintf(stderr, "%s: for the --tolerance option: '%s' is no list of cycles, slots, bytes or instructions, each with "
                "=VALUE or =SHARE%% of at most 100%%\n", program, c.tolerance);
        return EXIT_FAILURE;
    }
    return run_check(&c, program, file, &diag);
}
