/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text -> block, through whichever assembler is installed. */
#include "asm_input.h"

#include <string.h>

#include "asm_gnu.h"
#include "asm_walk.h"
#include "assembler.h"
#include "riscv_vtype.h"

/* Mach-O targets have signs of their own. */
static bool is_apple(const char *triple)
{
    return strstr(triple, "-apple") || strstr(triple, "darwin") || strstr(triple, "macos");
}

static bool is_arm(const struct sl_isa *isa)
{
    return isa == &sl_isa_arm || isa == &sl_isa_thumb || isa == &sl_isa_thumbm;
}

static const char *comment_sign(const struct sl_isa *isa, bool apple)
{
    if (is_arm(isa))
        return "@";
    if (isa == &sl_isa_x86_64)
        return apple ? "##" : "#";
    if (isa != &sl_isa_aarch64)
        return "#";
    return apple ? ";" : "//";
}

static bool is_riscv(const struct sl_isa *isa)
{
    return isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32;
}

static enum comment_syntax comment_syntax(const struct sl_isa *isa, bool apple, bool instruments)
{
    if (is_riscv(isa))
        return instruments ? COMMENTS_RISCV_INSTRUMENTS : COMMENTS_RISCV;
    if (is_arm(isa))
        return COMMENTS_ARM;
    if (isa != &sl_isa_aarch64)
        return COMMENTS_X86;
    return apple ? COMMENTS_AARCH64_APPLE : COMMENTS_AARCH64;
}

static enum asm_input_result read_printed(struct block *block, const struct source *source,
                                          const struct asm_input_options *options, const struct assembler *assembler,
                                          struct marker_scan *scan, struct diag *diag)
{
    bool apple = is_apple(options->triple);
    int dialect = options->dialect >= 0 ? options->dialect : scan->dialect;
    struct process_result result;
    enum asm_input_result answer = ASM_INPUT_OK;
    unsigned errors;

    if (dialect < 0 && apple && block->isa == &sl_isa_aarch64)
        dialect = 1; /* "add.4s v0, v1, v2" */
    if (is_riscv(block->isa)) /* whether instructions are compressed can depend on the source */
        text_printf(&scan->text, " .globl %sp0\n nop\n", scan->prefix);
    if (!assembler_print(assembler, options, dialect, &scan->text, &result, diag))
        return ASM_INPUT_FAILED;
    block->intel_syntax = block->isa == &sl_isa_x86_64 && dialect > 0;
    assembler_messages(&result.err, source, diag);
    errors = diag->n_errors;
    if (!asm_walk(block, source, scan, comment_sign(block->isa, apple),
                  result.out.data ? result.out.data : "", result.out.len, diag))
        answer = ASM_INPUT_FAILED;
    else if (result.exit_code != 0 && !options->skip_failures)
        answer = ASM_INPUT_SYNTAX;
    else if (diag->n_errors != errors)
        answer = ASM_INPUT_MARKERS;
    process_result_free(&result);
    return answer;
}

enum asm_input_result asm_input_read(struct block *block, const struct source *source,
                                     const struct asm_input_options *options, struct diag *diag)
{
    struct assembler assembler;
    struct marker_scan scan;
    bool apple = is_apple(options->triple);
    enum asm_input_result answer = ASM_INPUT_FAILED;
    block->from_assembly = true;
    if (!assembler_find(&assembler, block->isa, options->assembler, diag)) {
        text_free(&assembler.path);
        return answer;
    }
    if (assembler.kind == ASSEMBLER_CLANG && options->hex_immediates)
        diag_say(diag, DIAG_WARNING, "clang cannot print hexadecimal immediates: -print-imm-hex is ignored");
    marker_scan(&scan, source, comment_syntax(block->isa, apple, !options->no_instruments),
                assembler.kind != ASSEMBLER_LLVM_MC, &block->pool);
    if (assembler.kind == ASSEMBLER_GNU)
        answer = asm_gnu_read(block, source, &assembler, &scan, diag);
    else
        answer = read_printed(block, source, options, &assembler, &scan, diag);
    if (answer == ASM_INPUT_OK && block->n_insns && !riscv_instruments_check(block, diag, source))
        answer = ASM_INPUT_COMMENTS;
    marker_scan_free(&scan);
    text_free(&assembler.path);
    return answer;
}
