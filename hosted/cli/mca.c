/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger mca`: options, input, and its regions one after the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "mca_run.h"
#include "quirks.h"

static bool run_regions(struct run *run)
{
    const struct block *block = &run->input->block;
    if (block->preamble && !run->options->json)
        fputs(block->preamble, run->out);
    for (size_t i = 0; i < block->n_regions; i++) {
        if (block->regions[i].n_members && !mca_run_region(run, &block->regions[i]))
            return false;
    }
    if (run->n_reported)
        return true;
    diag_say(run->diag, DIAG_ERROR, "no assembly instructions found.");
    return false;
}

struct mca_report_json_target mca_run_json_target(const struct run *run)
{
    return (struct mca_report_json_target){ .cpu = run->input->cpu, .config = &run->config,
                                            .march = run->input->target.march, .mcpu = run->input->cpu_name,
                                            .mtriple = run->input->target.triple };
}

/* JSON appears only when every region has succeeded. */
static bool run_json(struct run *run)
{
    struct mca_report_json_target target = mca_run_json_target(run);
    FILE *out = run->out;
    char *data = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&data, &size);
    bool ok;
    if (!memory) {
        diag_say(run->diag, DIAG_ERROR, "%s", strerror(errno));
        return false;
    }
    mca_report_json_begin(&run->json, memory);
    run->out = memory;
    ok = run_regions(run);
    mca_report_json_end(&run->json, &target);
    run->out = out;
    if (fclose(memory)) {
        diag_say(run->diag, DIAG_ERROR, "%s", strerror(errno));
        ok = false;
    }
    if (ok)
        fwrite(data, 1, size, out);
    free(data);
    return ok;
}

static bool has_instructions(const struct block *block)
{
    for (size_t i = 0; i < block->n_regions; i++) {
        if (block->regions[i].n_members)
            return true;
    }
    return false;
}

static bool finish_output(struct run *run, const char *name, bool ok)
{
    bool file = run->out != stdout;
    struct stat st;
    bool regular = file && !fstat(fileno(run->out), &st) && S_ISREG(st.st_mode);
    bool failed = ferror(run->out) || fflush(run->out);
    if (file)
        failed |= fclose(run->out) != 0;
    if (ok && failed) {
        diag_say(run->diag, DIAG_ERROR, "cannot write the report: %s", strerror(errno));
        ok = false;
    }
    if (!ok && regular)
        unlink(name);
    return ok;
}

static bool run_all(struct run *run)
{
    const char *name = run->options->output;
    bool ok;
    if (!has_instructions(&run->input->block)) {
        diag_say(run->diag, DIAG_ERROR, "no assembly instructions found.");
        return false;
    }
    run->out = strcmp(name, "-") ? fopen(name, "w") : stdout;
    if (!run->out) {
        diag_say(run->diag, DIAG_ERROR, "%s", strerror(errno));
        return false;
    }
    ok = run->options->json ? run_json(run) : run_regions(run);
    if (run->input->block.unlocated)
        run->quirks |= QUIRK_LOCATION;
    quirks_note(run->quirks, run->diag);
    return finish_output(run, name, ok);
}

/* --help and the like. */
static bool answered(const struct mca_options *options, const struct command *command)
{
    if (options->help || options->help_hidden)
        options_help(command, options->help_hidden, stdout);
    else if (options->version)
        command_version(stdout);
    else if (options->list_cpus || !strcmp(options->mcpu, "help"))
        target_list_cpus(stdout);
    else
        return false;
    return true;
}

void mca_run_settle(struct run *run, const unsigned *positions)
{
    const struct mca_options *options = run->options;
    bool in_order = run->input->cpu->micro_op_buffer_size <= 1;
    mca_options_views(options, positions, in_order, &run->views);
    run->syntax.dialect = options->output_asm_variant == 1;
    run->syntax.hex = options->print_imm_hex;
    mca_options_config(options, (run->views.bottleneck || run->views.waits || run->views.slots || run->views.findings ||
                                 options->html) && !options->instruction_tables, &run->config);
}

static int run_one(const char *program, const struct mca_options *options, const unsigned *positions, const char *file,
                   struct diag *diag)
{
    struct mca_input input;
    struct mca_html html = { .out = NULL };
    struct run run = { .options = options, .input = &input, .html = &html, .diag = diag };
    bool ok = mca_input_read(&input, program, options, file, diag) && mca_page_open(&html, options, file, diag);
    if (ok) {
        mca_run_settle(&run, positions);
        ok = run_all(&run);
        ok = mca_page_close(&html, options, diag) && ok;
    }
    mca_input_free(&input);
    text_free(&run.notes);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* As llvm-mca says it. */
static int too_many_files(const char *program)
{
    fprintf(stderr, "%s: Too many positional arguments specified!\n"
            "Can specify at most 1 positional arguments: See: %s --help\n", program, program);
    return EXIT_FAILURE;
}

int command_mca(const char *program, int argc, char **argv)
{
    struct command command = mca_command(program);
    struct diag diag = { .stream = stderr };
    struct mca_options options;
    unsigned positions[MCA_MAX_OPTIONS];
    const char **files = calloc((size_t)argc + 1, sizeof *files);
    size_t n_files;
    int status;
    bool ok;

    if (!files)
        out_of_memory();
    mca_options_defaults(&options);
    files[0] = "-";
    command.max_inputs = (size_t)argc + 1;
    ok = options_parse(&command, argc, argv, &options, positions, files, &n_files, &diag);
    if (!ok) {
        status = n_files > 1 && !mca_is_batch(&options) ? too_many_files(program) : EXIT_FAILURE;
    } else if (answered(&options, &command)) {
        status = fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
    } else if (mca_settle_batch(&options)) {
        status = mca_batch(program, &options, positions, files, n_files ? n_files : 1);
    } else if (n_files > 1) {
        status = too_many_files(program);
    } else {
        status = run_one(program, &options, positions, files[0], &diag);
    }
    free(files);
    return status;
}
