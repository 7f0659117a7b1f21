/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger disasm`: the instructions of machine code as assembly text, one a line. */
#include <stdlib.h>
#include <string.h>

#include "../io/elf_input.h"
#include "../io/file.h"
#include "code_text.h"
#include "commands.h"
#include "options.h"
#include "target.h"

struct disasm_command {
    bool help, raw, hex, no_addresses;
    const char *isa, *symbol;
    uint32_t base;
    int32_t dialect;
};

#define AT(member) offsetof(struct disasm_command, member)

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    { "help", OPTION_ACTION, false, AT(help), NULL, "Display available options", NULL, "Generic Options" },
    { "symbol", OPTION_STRING, false, AT(symbol), "<name>", "Only this function of an ELF file", NULL, "Input Options" },
    { "raw", OPTION_BOOL, false, AT(raw), NULL, "The input is bare machine code", NULL, NULL },
    { "isa", OPTION_STRING, false, AT(isa), "<aarch64|x86_64>", "Instruction set of raw input", NULL, NULL },
    { "base", OPTION_UINT, false, AT(base), "<address>", "Address of the first byte of raw input", NULL, NULL },
    { "output-asm-variant", OPTION_INT, false, AT(dialect), NULL, "x86 syntax: 0 AT&T (default), 1 Intel", NULL,
      "Output Options" },
    { "print-imm-hex", OPTION_BOOL, false, AT(hex), NULL, "Print immediate values in hexadecimal", NULL, NULL },
    { "no-addresses", OPTION_BOOL, false, AT(no_addresses), NULL, "Print assembly text alone", NULL, NULL },
};

#define N_OPTIONS (sizeof table / sizeof table[0])

static bool read_raw(struct block *block, const struct disasm_command *command, const struct file *file,
                     const struct code_selection *selection, struct diag *diag)
{
    const struct sl_isa *isa = command->isa ? target_isa_by_name(command->isa) : NULL;
    if (!isa) {
        diag_say(diag, DIAG_ERROR, "--raw needs --isa=aarch64, x86_64, riscv64, riscv32, arm, thumb or thumbm: bare machine code does not say what it is");
        return false;
    }
    block_init(block, isa);
    return raw_input_read(block, file->name, file->data, file->size, command->base, selection, diag);
}

static bool read_elf(struct block *block, const struct file *file, const struct code_selection *selection,
                     struct diag *diag)
{
    struct elf_file elf;
    const struct sl_isa *isa;
    bool ok = false;
    if (!elf_open(&elf, file->name, file->data, file->size, diag))
        return false;
    isa = elf_input_isa(&elf, diag);
    if (isa) {
        block_init(block, isa);
        ok = elf_input_read(block, &elf, selection, diag);
    }
    elf_close(&elf);
    return ok;
}

static void print(struct block *block, const struct disasm_command *command)
{
    struct disasm_options options = { .dialect = command->dialect == 1, .hex = command->hex };
    for (size_t i = 0; i < block->n_insns; i++) {
        const struct block_insn *insn = &block->insns[i];
        if (!command->no_addresses)
            printf("%8llx:", (unsigned long long)insn->address);
        printf("\t%s\n", code_text(block, insn, &options));
    }
}

static bool run(const struct disasm_command *command, const char *name, struct diag *diag)
{
    struct code_selection selection = { .symbol = command->symbol, .skip_undecodable = true };
    struct block block = { .isa = NULL };
    struct file file;
    bool ok;
    if (command->dialect > 1) {
        diag_say(diag, DIAG_ERROR, "there is no assembly syntax variant %d", command->dialect);
        return false;
    }
    if (!file_read(&file, name, diag))
        return false;
    ok = command->raw ? read_raw(&block, command, &file, &selection, diag)
                      : read_elf(&block, &file, &selection, diag);
    if (ok)
        print(&block, command);
    block_free(&block);
    file_free(&file);
    return ok;
}

int command_disasm(const char *program, int argc, char **argv)
{
    struct command command = { .name = program, .usage = "[options] <input file>",
                               .overview = "machine code as assembly text", .options = table, .n_options = N_OPTIONS,
                               .max_inputs = 1 };
    struct diag diag = { .stream = stderr };
    struct disasm_command values = { .help = false };
    unsigned positions[N_OPTIONS];
    const char *file = "-";
    size_t n_files;
    if (!options_parse(&command, argc, argv, &values, positions, &file, &n_files, &diag))
        return EXIT_FAILURE;
    if (values.help)
        options_help(&command, false, stdout);
    else if (!run(&values, file, &diag))
        return EXIT_FAILURE;
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
