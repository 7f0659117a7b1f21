/* SPDX-License-Identifier: Apache-2.0 */
/* From the command line to a block: reads the input, settles target and processor, parses or decodes. */
#include "mca_input.h"

#include <string.h>

#include "../io/asm_input.h"
#include "../io/code_hot.h"
#include "../io/code_loops.h"
#include "../io/elf_input.h"
#include "../io/file.h"
#include "../io/riscv_vtype.h"
#include "host_cpu.h"

/* "A-B" with B > A, in options_number's spellings. */
static bool parse_range(const char *text, struct code_selection *selection)
{
    char start[32];
    size_t len = strcspn(text, "-");
    if (len == 0 || len >= sizeof start || text[len] != '-')
        return false;
    memcpy(start, text, len);
    start[len] = '\0';
    selection->has_range = true;
    return options_number(start, UINT64_MAX, &selection->range_start) &&
           options_number(text + len + 1, UINT64_MAX, &selection->range_end) &&
           selection->range_start < selection->range_end;
}

static bool select_code(const char *program, const struct mca_options *options, struct code_selection *selection,
                        uint64_t *base, struct diag *diag)
{
    memset(selection, 0, sizeof *selection);
    *base = 0;
    selection->symbol = options->symbol;
    selection->functions = options->all_symbols || (options->symbol && strpbrk(options->symbol, "*?["));
    selection->skip_undecodable = mca_skips_failures(options);
    if (options->range && !parse_range(options->range, selection)) {
        diag_raw_error(diag, "%s: for the --range option: '%s' is no range START-END with START < END!\n", program,
                       options->range);
        return false;
    }
    if (options->all_symbols && options->symbol) {
        diag_raw_error(diag, "%s: --symbol and --all-symbols exclude each other\n", program);
        return false;
    }
    if (options->range && (options->symbol || options->all_symbols)) {
        diag_raw_error(diag, "%s: --symbol and --range exclude each other\n", program);
        return false;
    }
    if (options->base && !options_number(options->base, UINT64_MAX, base)) {
        diag_raw_error(diag, "%s: for the --base option: '%s' value invalid for uint argument!\n", program,
                       options->base);
        return false;
    }
    return true;
}

static bool target_given(const struct mca_options *options)
{
    return *options->mtriple || *options->march || options->isa;
}

/* Target by options, before the input is known. */
static bool settle_target(struct mca_input *input, const char *program, const struct mca_options *options,
                          struct diag *diag)
{
    if (options->isa) {
        const struct sl_isa *isa = target_isa_by_name(options->isa);
        if (!isa) {
            diag_raw_error(diag, "%s: for the --isa option: Cannot find option named '%s'!\n", program, options->isa);
            return false;
        }
        target_of_isa(&input->target, isa);
        return true;
    }
    if (options->model && !target_given(options)) {
        const struct sl_isa *isa = model_file_isa(&input->model, options->model, diag);
        if (isa)
            target_of_isa(&input->target, isa);
        return isa != NULL;
    }
    return target_find(&input->target, program, options->mtriple, options->march, &input->pool, diag);
}

static bool settle_cpu(struct mca_input *input, const struct mca_options *options, struct diag *diag)
{
    if (options->model) {
        input->cpu = model_file_cpu(&input->model, options->model, input->target.isa, diag);
        input->cpu_name = input->cpu ? input->cpu->name : NULL;
        return input->cpu != NULL;
    }
    input->cpu_name = strcmp(options->mcpu, "native") ? options->mcpu : host_cpu_name();
    input->cpu = target_cpu(&input->target, input->cpu_name, diag);
    return input->cpu != NULL;
}

static bool read_assembly(struct mca_input *input, const struct mca_options *options, const struct source *source,
                          const struct code_selection *selection, struct diag *diag)
{
    struct asm_input_options how = {
        .assembler = options->assembler, .triple = input->target.triple,
        .cpu = options->model ? (input->model.base ? input->model.base : "") : input->cpu_name,
        .features = options->mattr, .dialect = options->output_asm_variant, .hex_immediates = options->print_imm_hex,
        .skip_failures = mca_skips_failures(options), .no_instruments = options->disable_im,
    };
    enum asm_input_result result;
    if (options->loops || options->pcs) {
        diag_say(diag, DIAG_ERROR, "%s needs machine code: labels of assembly text have no addresses",
                 options->pcs ? "--pcs" : "--loops");
        return false;
    }
    if (selection->symbol || selection->functions || selection->has_range) {
        diag_say(diag, DIAG_ERROR, "--symbol and --range need machine code: in assembly text mark the code with "
                 "LLVM-MCA-BEGIN and LLVM-MCA-END comments");
        return false;
    }
    if (memchr(source->text, '\0', source->len)) {
        diag_raw_error(diag, "slotledger: %s:0x%zx: neither an ELF file nor assembly text (a zero byte); bare machine "
                       "code needs --raw\n", source->name,
                       (size_t)((const char *)memchr(source->text, '\0', source->len) - source->text));
        return false;
    }
    if (options->output_asm_variant > 1) {
        diag_say(diag, DIAG_ERROR, "unable to create instruction printer for target triple '%s' with assembly variant "
                 "%d.", input->target.triple, options->output_asm_variant);
        return false;
    }
    input->block.keep_unlocated = options->no_quirks;
    result = asm_input_read(&input->block, source, &how, diag);
    if (result == ASM_INPUT_SYNTAX)
        diag_say(diag, DIAG_ERROR, "Assembly input parsing had errors, use "
                 "-skip-unsupported-instructions=parse-failure to drop failing lines from the input.");
    if (result == ASM_INPUT_COMMENTS)
        diag_say(diag, DIAG_ERROR, "There was an error parsing comments.");
    return result == ASM_INPUT_OK;
}

/* The file says what it is; a target that the user has named must agree. */
static bool target_of_elf(struct mca_input *input, const struct mca_options *options, const struct elf_file *elf,
                          struct diag *diag)
{
    const struct sl_isa *isa = elf_input_isa(elf, diag);
    if (!isa)
        return false;
    if (target_is_arm(isa) && target_is_arm(input->target.isa)) /* profile and mode: by processor and mapping symbols */
        return true;
    if (target_given(options) && isa != input->target.isa) {
        diag_at_offset(diag, elf->name, 18, "the file holds %s code, but the target is '%s'", isa->name,
                       input->target.triple);
        return false;
    }
    if (isa != input->target.isa)
        target_of_isa(&input->target, isa);
    return true;
}

static bool read_elf(struct mca_input *input, const struct mca_options *options, const struct file *file,
                     const struct code_selection *selection, struct diag *diag)
{
    struct elf_file elf;
    bool ok;
    if (!elf_open(&elf, file->name, file->data, file->size, diag))
        return false;
    ok = target_of_elf(input, options, &elf, diag) && settle_cpu(input, options, diag);
    if (ok) {
        block_init(&input->block, input->target.isa);
        ok = elf_input_read(&input->block, &elf, selection, diag);
    }
    elf_close(&elf);
    return ok;
}

static bool read_content(struct mca_input *input, const struct mca_options *options, const struct file *file,
                         const struct code_selection *selection, uint64_t base, struct diag *diag)
{
    struct source source = { file->name, (const char *)file->data, file->size };
    if (!options->raw && elf_is_elf(file->data, file->size))
        return read_elf(input, options, file, selection, diag);
    if (options->raw && !target_given(options)) {
        diag_say(diag, DIAG_ERROR, "--raw needs --isa or -mtriple: bare machine code does not say what it is");
        return false;
    }
    if (!settle_cpu(input, options, diag))
        return false;
    block_init(&input->block, input->target.isa);
    if (options->raw)
        return raw_input_read(&input->block, file->name, file->data, file->size, base, selection, diag);
    return read_assembly(input, options, &source, selection, diag);
}

static bool read_samples(struct mca_input *input, const char *program, const struct mca_options *options,
                         struct diag *diag)
{
    uint64_t base = 0;
    if (!options->pcs)
        return true;
    if (options->loops) {
        diag_raw_error(diag, "%s: --loops and --pcs exclude each other\n", program);
        return false;
    }
    if (options->pcs_base && !options_number(options->pcs_base, UINT64_MAX, &base)) {
        diag_raw_error(diag, "%s: for the --pcs-base option: '%s' value invalid for uint argument!\n", program,
                       options->pcs_base);
        return false;
    }
    return pc_list_read(&input->samples, options->pcs, base, diag);
}

/* Regions that are parts of functions, in the place of the functions. */
static bool take_parts(struct mca_input *input, const struct mca_options *options, struct diag *diag)
{
    struct code_loops_options loops = { .outer = options->outer_loops, .all_blocks = options->loop_path == 1,
                                         .function = options->symbol, .plain_names = options->plain_names };
    struct code_hot_options hot = { .most = options->hottest, .function = options->symbol };
    if (options->pcs)
        return code_hot(&input->block, &input->samples, &hot, diag);
    return !options->loops || code_loops(&input->block, &loops, diag);
}

bool mca_input_read(struct mca_input *input, const char *program, const struct mca_options *options,
                    const char *file_name, struct diag *diag)
{
    struct code_selection selection;
    struct file file;
    uint64_t base;
    bool ok;
    memset(input, 0, sizeof *input);
    if (!select_code(program, options, &selection, &base, diag) || !read_samples(input, program, options, diag) ||
        !settle_target(input, program, options, diag))
        return false;
    selection.only = options->pcs ? &input->samples : NULL;
    if (!file_read(&file, file_name, diag))
        return false;
    ok = read_content(input, options, &file, &selection, base, diag);
    if (ok && !options->disable_im && (input->block.isa == &sl_isa_riscv64 || input->block.isa == &sl_isa_riscv32))
        riscv_vtype_apply(&input->block);
    ok = ok && take_parts(input, options, diag);
    file_free(&file);
    return ok;
}

void mca_input_free(struct mca_input *input)
{
    block_free(&input->block);
    pc_list_free(&input->samples);
    model_file_free(&input->model);
    pool_free(&input->pool);
}
