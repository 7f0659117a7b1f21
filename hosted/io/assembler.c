/* SPDX-License-Identifier: Apache-2.0 */
/* Finds an installed assembler and runs it over a text. */
#include "assembler.h"

#include <stdio.h>
#include <string.h>

/* What to look for, best first. */
struct candidate {
    const char *name;
    enum assembler_kind kind;
    const char *isa; /* NULL: any */
};

static const struct candidate candidates[] = {
    { "llvm-mc-19", ASSEMBLER_LLVM_MC, NULL }, { "llvm-mc", ASSEMBLER_LLVM_MC, NULL },
    { "llvm-mc-22", ASSEMBLER_LLVM_MC, NULL }, { "llvm-mc-21", ASSEMBLER_LLVM_MC, NULL },
    { "llvm-mc-20", ASSEMBLER_LLVM_MC, NULL }, { "llvm-mc-18", ASSEMBLER_LLVM_MC, NULL },
    { "llvm-mc-17", ASSEMBLER_LLVM_MC, NULL }, { "llvm-mc-16", ASSEMBLER_LLVM_MC, NULL },
    { "llvm-mc-15", ASSEMBLER_LLVM_MC, NULL }, { "llvm-mc-14", ASSEMBLER_LLVM_MC, NULL },
    { "clang-19", ASSEMBLER_CLANG, NULL },     { "clang", ASSEMBLER_CLANG, NULL },
    { "clang-22", ASSEMBLER_CLANG, NULL },     { "clang-21", ASSEMBLER_CLANG, NULL },
    { "clang-20", ASSEMBLER_CLANG, NULL },     { "clang-18", ASSEMBLER_CLANG, NULL },
    { "clang-17", ASSEMBLER_CLANG, NULL },     { "clang-16", ASSEMBLER_CLANG, NULL },
    { "clang-15", ASSEMBLER_CLANG, NULL },     { "clang-14", ASSEMBLER_CLANG, NULL },
    { "aarch64-linux-gnu-as", ASSEMBLER_GNU, "aarch64" },
    { "aarch64-none-elf-as", ASSEMBLER_GNU, "aarch64" },
    { "x86_64-linux-gnu-as", ASSEMBLER_GNU, "x86_64" },
    { "riscv64-linux-gnu-as", ASSEMBLER_GNU, "riscv64" },
    { "riscv64-unknown-elf-as", ASSEMBLER_GNU, "riscv64" },
#if defined(__x86_64__)
    { "as", ASSEMBLER_GNU, "x86_64" },
#elif defined(__aarch64__)
    { "as", ASSEMBLER_GNU, "aarch64" },
#endif
};

static const char *const kind_names[] = { "llvm-mc", "clang", "as" };

static bool find_kind(struct assembler *assembler, const struct sl_isa *isa, int kind)
{
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        const struct candidate *c = &candidates[i];
        if ((kind >= 0 && (int)c->kind != kind) || (c->isa && strcmp(c->isa, isa->name)))
            continue;
        if (process_find(c->name, &assembler->path)) {
            assembler->kind = c->kind;
            return true;
        }
    }
    return false;
}

static enum assembler_kind kind_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (strstr(base, "clang"))
        return ASSEMBLER_CLANG;
    if (strstr(base, "llvm-mc"))
        return ASSEMBLER_LLVM_MC;
    return ASSEMBLER_GNU;
}

bool assembler_find(struct assembler *assembler, const struct sl_isa *isa, const char *wish, struct diag *diag)
{
    memset(assembler, 0, sizeof *assembler);
    if (!wish || !*wish || !strcmp(wish, "auto")) {
        if (find_kind(assembler, isa, -1))
            return true;
        diag_say(diag, DIAG_ERROR, "no assembler for %s found in PATH (looked for llvm-mc, clang and as): "
                 "install one, or give an object file", isa->name);
        return false;
    }
    for (int kind = 0; kind < 3; kind++) {
        if (strcmp(wish, kind_names[kind]))
            continue;
        if (find_kind(assembler, isa, kind))
            return true;
        diag_say(diag, DIAG_ERROR, "no %s for %s found in PATH", wish, isa->name);
        return false;
    }
    if (!process_find(wish, &assembler->path)) {
        diag_say(diag, DIAG_ERROR, "assembler '%s' is no executable program", wish);
        return false;
    }
    assembler->kind = kind_of_path(wish);
    return true;
}

#define MAX_ARGS 96

struct arguments {
    char *argv[MAX_ARGS];
    size_t count;
    struct pool pool;
};

/* Adds prefix + value as one argument. */
static void add_argument(struct arguments *args, const char *prefix, const char *value, size_t value_len)
{
    char *text;
    if (args->count + 1 >= MAX_ARGS)
        return;
    text = pool_take(&args->pool, strlen(prefix) + value_len + 1);
    memcpy(text, prefix, strlen(prefix));
    memcpy(text + strlen(prefix), value, value_len);
    args->argv[args->count++] = text;
}

static void add(struct arguments *args, const char *prefix, const char *value)
{
    add_argument(args, prefix, value, strlen(value));
}

static void llvm_mc_arguments(struct arguments *args, const struct asm_input_options *options, int dialect)
{
    add(args, "", "-filetype=asm");
    add(args, "", "-show-encoding");
    add(args, "-triple=", options->triple);
    add(args, "-mcpu=", options->cpu);
    if (options->features && *options->features)
        add(args, "-mattr=", options->features);
    if (dialect > 0)
        add(args, "", "-output-asm-variant=1");
    if (options->hex_immediates)
        add(args, "", "-print-imm-hex");
}

static void clang_arguments(struct arguments *args, const struct asm_input_options *options, int dialect)
{
    const char *feature = options->features ? options->features : "";
    add(args, "", "-cc1as");
    add(args, "", "-filetype");
    add(args, "", "asm");
    add(args, "", "-show-encoding");
    add(args, "", "-triple");
    add(args, "", options->triple);
    if (*options->cpu) {
        add(args, "", "-target-cpu");
        add(args, "", options->cpu);
    }
    while (*feature) {
        size_t len = strcspn(feature, ",");
        if (len) {
            add(args, "", "-target-feature");
            add_argument(args, *feature == '+' || *feature == '-' ? "" : "+", feature, len);
        }
        feature += len + (feature[len] == ',');
    }
    if (dialect > 0) {
        add(args, "", "-output-asm-variant");
        add(args, "", "1");
    }
    add(args, "", "-o");
    add(args, "", "-");
    add(args, "", "-");
}

bool assembler_run(const struct assembler *assembler, char *const argv[], const struct text *input,
                   struct process_result *result, struct diag *diag)
{
    int error = process_run(argv, input->data, input->len, result);
    if (error) {
        diag_say(diag, DIAG_ERROR, "cannot run %s: %s", assembler->path.data, strerror(error));
        return false;
    }
    if (result->exit_code < 0 || (result->exit_code > 0 && !result->err.len)) {
        diag_say(diag, DIAG_ERROR, result->exit_code < 0 ? "%s was ended by a signal" : "%s failed without a message",
                 assembler->path.data);
        process_result_free(result);
        return false;
    }
    return true;
}

bool assembler_print(const struct assembler *assembler, const struct asm_input_options *options, int dialect,
                     const struct text *input, struct process_result *result, struct diag *diag)
{
    struct arguments args = { .count = 0 };
    bool ok;
    add(&args, "", assembler->path.data);
    if (assembler->kind == ASSEMBLER_LLVM_MC)
        llvm_mc_arguments(&args, options, dialect);
    else
        clang_arguments(&args, options, dialect);
    args.argv[args.count] = NULL;
    ok = assembler_run(assembler, args.argv, input, result, diag);
    pool_free(&args.pool);
    return ok;
}

/* "<stdin>:12:3: error: ..." -> what follows the name, and the line number; NULL for any other line. */
static const char *own_position(const char *line, size_t len, unsigned *number)
{
    static const char stdin_name[] = "<stdin>:";
    size_t at = sizeof stdin_name - 1;
    if (len <= at || memcmp(line, stdin_name, at))
        return NULL;
    *number = 0;
    for (; at < len && line[at] >= '0' && line[at] <= '9' && *number < 100000000u; at++)
        *number = *number * 10u + (unsigned)(line[at] - '0');
    return line + sizeof stdin_name - 2;
}

static bool contains(const char *line, size_t len, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= len; i++) {
        if (!memcmp(line + i, word, n))
            return true;
    }
    return false;
}

void assembler_messages(const struct text *messages, const struct source *source, struct diag *diag)
{
    const char *at = messages->data;
    const char *end = at + messages->len;
    unsigned echo_number = 0; /* the next line is the echo of that source line */
    while (at && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t len = newline ? (size_t)(newline - at) : (size_t)(end - at);
        unsigned number = 0;
        const char *rest = own_position(at, len, &number);
        size_t line_len = 0;
        const char *line = echo_number ? source_line(source, echo_number, &line_len) : NULL;
        if (contains(at, len, "error: "))
            diag->n_errors++;
        if (!diag->stream)
            ;
        else if (rest)
            fprintf(diag->stream, "%s%.*s\n", source->name, (int)(len - (size_t)(rest - at)), rest);
        else if (line)
            diag_echo(diag, line, line_len);
        else
            fprintf(diag->stream, "%.*s\n", (int)len, at);
        echo_number = number;
        at += len + 1;
    }
}
