/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines in llvm-mca's spelling: one table per sub-command serves parsing and --help. */
#include "options.h"

#include <string.h>

#define HELP_COLUMN 42

struct parser {
    const struct command *command;
    struct diag *diag;
    unsigned char *values;
    unsigned *positions;
};

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

bool options_number(const char *text, uint64_t max, uint64_t *value)
{
    unsigned base = 10;
    if (text[0] == '0' && text[1]) {
        char mark = text[1];
        base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
        text += base != 8 || mark == 'o' ? 2 : 1;
    }
    if (!*text)
        return false;
    for (*value = 0; *text; text++) {
        unsigned digit = (unsigned)digit_value(*text);
        if (digit >= base || *value > (max - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

static bool parse_bool(const char *text, bool *value)
{
    static const char *const yes[] = { "", "true", "TRUE", "True", "1" };
    static const char *const no[] = { "false", "FALSE", "False", "0" };
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (!strcmp(text, yes[i])) {
            *value = true;
            return true;
        }
    }
    *value = false;
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        if (!strcmp(text, no[i]))
            return true;
    }
    return false;
}

/* One-letter options are shown with one dash, as LLVM does. */
static const char *dashes(const char *name)
{
    return name[0] && !name[1] ? "-" : "--";
}

static bool bad_value(const struct parser *p, const struct option *option, const char *text)
{
    const char *program = p->command->name, *dash = dashes(option->name), *name = option->name;
    switch (option->kind) {
    case OPTION_BOOL:
        diag_raw_error(p->diag, "%s: for the %s%s option: '%s' is invalid value for boolean argument! Try 0 or 1\n",
                       program, dash, name, text);
        break;
    case OPTION_ENUM:
        diag_raw_error(p->diag, "%s: for the %s%s option: Cannot find option named '%s'!\n", program, dash, name, text);
        break;
    case OPTION_ACTION:
        diag_raw_error(p->diag, "%s: for the %s%s option: does not allow a value! '%s' specified.\n", program, dash,
                       name, text);
        break;
    default:
        diag_raw_error(p->diag, "%s: for the %s%s option: '%s' value invalid for %s argument!\n", program, dash, name,
                       text, option->kind == OPTION_UINT ? "uint" : "integer");
        break;
    }
    return false;
}

static bool set_int(const char *text, int32_t *value)
{
    bool minus = *text == '-';
    uint64_t number;
    if (!options_number(text + minus, minus ? 0x80000000u : 0x7fffffffu, &number))
        return false;
    *value = (int32_t)(minus ? -(int64_t)number : (int64_t)number);
    return true;
}

static bool set_value(const struct parser *p, const struct option *option, const char *text)
{
    void *value = p->values + option->offset;
    uint64_t number;
    bool flag;
    int32_t signed_number;
    switch (option->kind) {
    case OPTION_BOOL:
        if (!parse_bool(text, &flag))
            return bad_value(p, option, text);
        memcpy(value, &flag, sizeof flag);
        return true;
    case OPTION_UINT: {
        uint32_t unsigned_number;
        if (!options_number(text, UINT32_MAX, &number))
            return bad_value(p, option, text);
        unsigned_number = (uint32_t)number;
        memcpy(value, &unsigned_number, sizeof unsigned_number);
        return true;
    }
    case OPTION_INT:
        if (!set_int(text, &signed_number))
            return bad_value(p, option, text);
        memcpy(value, &signed_number, sizeof signed_number);
        return true;
    case OPTION_STRING:
        memcpy(value, &text, sizeof text);
        return true;
    case OPTION_ENUM:
        for (int i = 0; option->choices[i].name; i++) {
            if (strcmp(option->choices[i].name, text))
                continue;
            memcpy(value, &i, sizeof i);
            return true;
        }
        return bad_value(p, option, text);
    default:
        flag = true;
        memcpy(value, &flag, sizeof flag);
        return true;
    }
}

/* Levenshtein distance, at most `limit` + 1. */
static size_t edit_distance(const char *a, size_t a_len, const char *b, size_t limit)
{
    size_t row[64];
    size_t b_len = strlen(b);
    if (b_len >= sizeof row / sizeof row[0] || a_len > 200)
        return limit + 1;
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            size_t insert = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < insert ? change : insert;
        }
    }
    return row[b_len] < limit ? row[b_len] : limit + 1;
}

static void unknown_option(const struct parser *p, const char *argument, const char *name, size_t len)
{
    const struct option *nearest = NULL;
    size_t best = len < 3 ? 3 : len + 1; /* nothing in common is no near match */
    diag_raw_error(p->diag, "%s: Unknown command line argument '%s'.  Try: '%s --help'\n", p->command->name, argument,
                   p->command->name);
    for (size_t i = 0; i < p->command->n_options; i++) {
        size_t distance = edit_distance(name, len, p->command->options[i].name, best);
        if (distance < best) {
            best = distance;
            nearest = &p->command->options[i];
        }
    }
    if (nearest && p->diag->stream)
        fprintf(p->diag->stream, "%s: Did you mean '%s%s%s'?\n", p->command->name, dashes(nearest->name), nearest->name,
                name + len);
}

static const struct option *find_option(const struct command *command, const char *name, size_t len)
{
    for (size_t i = 0; i < command->n_options; i++) {
        const struct option *option = &command->options[i];
        if (strlen(option->name) == len && !memcmp(option->name, name, len))
            return option;
    }
    return NULL;
}

/* argv[*index] is an option. Advances *index to its last argument. */
static bool parse_option(const struct parser *p, int argc, char *const *argv, int *index)
{
    const char *argument = argv[*index];
    const char *name = argument + 1 + (argument[1] == '-');
    size_t len = strcspn(name, "=");
    const struct option *option = find_option(p->command, name, len);
    const char *value = "";
    if (!option) {
        unknown_option(p, argument, name, len);
        return false;
    }
    if (name[len] == '=') {
        value = name + len + 1;
        if (option->kind == OPTION_ACTION)
            return bad_value(p, option, value);
    } else if (option->kind != OPTION_BOOL && option->kind != OPTION_ACTION) {
        if (*index + 1 >= argc) {
            diag_raw_error(p->diag, "%s: for the %s%s option: requires a value!\n", p->command->name,
                           dashes(option->name), option->name);
            return false;
        }
        value = argv[++*index];
    }
    p->positions[option - p->command->options] = (unsigned)*index + 1;
    return set_value(p, option, value);
}

bool options_parse(const struct command *command, int argc, char *const *argv, void *values, unsigned *positions,
                   const char **inputs, size_t *n_inputs, struct diag *diag)
{
    struct parser p = { .command = command, .diag = diag, .values = values, .positions = positions };
    bool ok = true, options_end = false;
    size_t count = 0;
    memset(positions, 0, command->n_options * sizeof *positions);
    for (int i = 0; i < argc; i++) {
        if (!options_end && !strcmp(argv[i], "--")) {
            options_end = true;
        } else if (!options_end && argv[i][0] == '-' && argv[i][1]) {
            ok &= parse_option(&p, argc, argv, &i);
        } else {
            if (count < command->max_inputs)
                inputs[count] = argv[i];
            count++;
        }
    }
    if (count > command->max_inputs) {
        diag_raw_error(diag, "%s: Too many positional arguments specified!\n"
                       "Can specify at most %zu positional arguments: See: %s --help\n", command->name,
                       command->max_inputs, command->name);
        return false;
    }
    *n_inputs = count;
    return ok;
}

static const char *value_text(const struct option *option)
{
    static const char *const texts[] = { "", "<uint>", "<int>", "<string>", "<value>", "" };
    return option->value_name ? option->value_name : texts[option->kind];
}

static void help_line(FILE *out, int used, const char *help)
{
    if (used >= HELP_COLUMN) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s- %s\n", HELP_COLUMN - used, "", help);
}

void options_help(const struct command *command, bool hidden, FILE *out)
{
    const char *group = NULL;
    fprintf(out, "OVERVIEW: %s\n\nUSAGE: %s %s\n\nOPTIONS:\n", command->overview, command->name, command->usage);
    for (size_t i = 0; i < command->n_options; i++) {
        const struct option *option = &command->options[i];
        const char *value = value_text(option);
        if (option->group)
            group = option->group;
        if (option->hidden && !hidden)
            continue;
        if (group) {
            fprintf(out, "\n%s:\n\n", group);
            group = NULL;
        }
        help_line(out, fprintf(out, "  %s%s%s%s", dashes(option->name), option->name, *value ? "=" : "", value),
                  option->help);
        for (int c = 0; option->choices && option->choices[c].name; c++)
            help_line(out, fprintf(out, "    =%s", option->choices[c].name), option->choices[c].help);
    }
    if (command->epilogue)
        fprintf(out, "\n%s", command->epilogue);
}
