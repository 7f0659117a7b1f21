/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines in perf's spelling. */
#include "c2c_parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../io/pool.h"

struct parser {
    const struct c2c_command *command;
    int argc, at;
    char *const *argv;
    unsigned char *values;
    struct diag *diag;
};

/* ---- usage ---------------------------------------------------------------------------------------------------------
 */

#define HELP_COLUMN 26

static void option_usage(const struct c2c_option *o, struct text *out)
{
    size_t from = out->len;

    if (o->letter)
        text_printf(out, "    -%c, --%s", o->letter, o->name);
    else
        text_printf(out, "        --%s", o->name);
    if (o->kind == C2C_OPTION_TEXT || o->kind == C2C_OPTION_NUMBER || o->kind == C2C_OPTION_MAYBE)
        text_printf(out, " %s", o->value);
    if (out->len - from < HELP_COLUMN - 1) {
        text_add_char(out, ' ', HELP_COLUMN - (out->len - from));
    } else {
        text_add_char(out, '\n', 1);
        text_add_char(out, ' ', HELP_COLUMN);
    }
    text_printf(out, "%s\n", o->help);
}

/* Those with a letter first, by letter; then by name. */
static int compare_options(const void *a, const void *b)
{
    const struct c2c_option *x = *(const struct c2c_option *const *)a, *y = *(const struct c2c_option *const *)b;
    if (x->letter && y->letter) {
        char s[2] = {x->letter, 0}, t[2] = {y->letter, 0};
        int order = strcasecmp(s, t);
        return order ? order : y->letter - x->letter;
    }
    if (x->letter || y->letter)
        return x->letter ? -1 : 1;
    return strcmp(x->name, y->name);
}

void c2c_usage(const struct c2c_command *command, const struct c2c_option *only, struct diag *diag)
{
    struct text out = {NULL, 0, 0};
    const struct c2c_option **sorted = (const struct c2c_option **)malloc((command->n + 1) * sizeof *sorted);

    text_printf(&out, "\n Usage: %s\n\n", command->usage);
    if (only) {
        option_usage(only, &out);
    } else if (sorted) {
        for (size_t i = 0; i < command->n; i++)
            sorted[i] = &command->options[i];
        qsort(sorted, command->n, sizeof *sorted, compare_options);
        for (size_t i = 0; i < command->n; i++)
            option_usage(sorted[i], &out);
    }
    text_add_char(&out, '\n', 1);
    diag_raw_error(diag, "%s", out.data);
    text_free(&out);
    free((void *)sorted);
}

/* ---- one option
 * ------------------------------------------------------------------------------------------------------ */

static int reject(const struct parser *p, const struct c2c_option *o, bool is_short, bool unset, const char *what)
{
    if (is_short)
        diag_raw_error(p->diag, " Error: switch `%c' %s", o->letter, what);
    else
        diag_raw_error(p->diag, " Error: option `%s%s' %s", unset ? "no-" : "", o->name, what);
    c2c_usage(p->command, o, p->diag);
    return C2C_EXIT_USAGE;
}

static void set_text(const struct parser *p, const struct c2c_option *o, const char *text)
{
    memcpy(p->values + o->offset, &text, sizeof text);
}

static void set_unsigned(const struct parser *p, const struct c2c_option *o, unsigned value)
{
    memcpy(p->values + o->offset, &value, sizeof value);
}

static int set_simple(const struct parser *p, const struct c2c_option *o, bool unset)
{
    unsigned n;
    if (o->kind == C2C_OPTION_FLAG) {
        *(bool *)(void *)(p->values + o->offset) = !unset;
        return 0;
    }
    memcpy(&n, p->values + o->offset, sizeof n);
    set_unsigned(p, o, unset ? 0 : n + 1);
    return 0;
}

static int set_number(const struct parser *p, const struct c2c_option *o, const char *text, bool is_short)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value > 0xffffffffu)
        return reject(p, o, is_short, false, "expects a numerical value");
    set_unsigned(p, o, (unsigned)value);
    return 0;
}

/* attached: the value in the same word, or NULL. */
static int set_value(struct parser *p, const struct c2c_option *o, const char *attached, bool is_short, bool unset)
{
    bool simple = o->kind == C2C_OPTION_FLAG || o->kind == C2C_OPTION_COUNT;

    if (attached && !is_short && (simple || unset))
        return reject(p, o, is_short, unset, "takes no value");
    if (simple)
        return set_simple(p, o, unset);
    if (unset) {
        set_text(p, o, o->kind == C2C_OPTION_MAYBE ? "none" : NULL);
        return 0;
    }
    if (!attached && o->kind == C2C_OPTION_MAYBE && (p->at + 1 >= p->argc || p->argv[p->at + 1][0] == '-')) {
        set_text(p, o, o->otherwise);
        return 0;
    }
    if (!attached) {
        if (p->at + 1 >= p->argc)
            return reject(p, o, is_short, false, "requires a value");
        attached = p->argv[++p->at];
    }
    if (o->kind == C2C_OPTION_NUMBER)
        return set_number(p, o, attached, is_short);
    set_text(p, o, attached);
    return 0;
}

/* ---- words
 * ----------------------------------------------------------------------------------------------------------- */

static int short_options(struct parser *p, const char *letters)
{
    for (; *letters; letters++) {
        const struct c2c_option *o = NULL;
        int status;
        for (size_t i = 0; i < p->command->n && !o; i++) {
            if (p->command->options[i].letter == *letters)
                o = &p->command->options[i];
        }
        if (*letters == 'h' && !o) {
            c2c_usage(p->command, NULL, p->diag);
            return C2C_EXIT_USAGE;
        }
        if (!o) {
            diag_raw_error(p->diag, "  Error: unknown switch `%c'\n", *letters);
            c2c_usage(p->command, NULL, p->diag);
            return C2C_EXIT_USAGE;
        }
        if (o->kind == C2C_OPTION_FLAG || o->kind == C2C_OPTION_COUNT) {
            status = set_value(p, o, NULL, true, false);
        } else {
            return set_value(p, o, letters[1] ? letters + 1 : NULL, true, false);
        }
        if (status)
            return status;
    }
    return 0;
}

/* How a word names an option. */
enum fit { FIT_NOT, FIT_PREFIX, FIT_EXACT };

struct match {
    const struct c2c_option *option;
    bool unset;
};

static enum fit fits(const char *name, const char *word, size_t len)
{
    if (strncmp(name, word, len))
        return FIT_NOT;
    return name[len] ? FIT_PREFIX : FIT_EXACT;
}

/* An option whose own name begins with "no-" is switched off by the rest of its name. */
static enum fit fits_option(const struct c2c_option *o, const char *word, size_t len, bool *unset)
{
    enum fit fit = fits(o->name, word, len);

    *unset = false;
    if (fit == FIT_EXACT || (o->scope == C2C_OPTION_OWN && fit != FIT_NOT))
        return fit == FIT_EXACT ? FIT_EXACT : FIT_NOT;
    if (fit == FIT_PREFIX)
        return fit;
    *unset = true;
    if (!strncmp(o->name, "no-", 3)) {
        fit = fits(o->name + 3, word, len);
        if (fit != FIT_NOT)
            return fit;
    }
    if (len <= 3)
        return o->scope != C2C_OPTION_OWN && !strncmp("no-", word, len) ? FIT_PREFIX : FIT_NOT;
    if (strncmp(word, "no-", 3))
        return FIT_NOT;
    fit = fits(o->name, word + 3, len - 3);
    return fit == FIT_PREFIX && o->scope == C2C_OPTION_OWN ? FIT_NOT : fit;
}

static int long_option(struct parser *p, const char *word)
{
    size_t len = strcspn(word, "=");
    const char *attached = word[len] ? word + len + 1 : NULL;
    struct match found = {NULL, false}, before = {NULL, false};
    bool exact = false;

    for (size_t i = 0; i < p->command->n && !exact; i++) {
        const struct c2c_option *o = &p->command->options[i];
        bool unset;
        enum fit fit = fits_option(o, word, len, &unset);
        if (fit == FIT_NOT || (o->scope == C2C_OPTION_GENERAL && found.option && fit != FIT_EXACT))
            continue;
        before = found;
        found = (struct match){o, unset};
        exact = fit == FIT_EXACT;
    }
    if (!exact && before.option) {
        diag_raw_error(p->diag, " Error: Ambiguous option: %s (could be --%s%s or --%s%s)\n", word,
                       before.unset ? "no-" : "", before.option->name, found.unset ? "no-" : "", found.option->name);
        c2c_usage(p->command, NULL, p->diag);
        return C2C_EXIT_USAGE;
    }
    if (!found.option && (!strcmp(word, "help") || !strcmp(word, "help-all"))) {
        c2c_usage(p->command, NULL, p->diag);
        return C2C_EXIT_USAGE;
    }
    if (!found.option) {
        diag_raw_error(p->diag, "  Error: unknown option `%s'\n", word);
        c2c_usage(p->command, NULL, p->diag);
        return C2C_EXIT_USAGE;
    }
    return set_value(p, found.option, attached, false, found.unset);
}

int c2c_parse(const struct c2c_command *command, int argc, char *const *argv, void *values, int *first,
              struct diag *diag)
{
    struct parser p = {command, argc, 0, argv, (unsigned char *)values, diag};
    int status = 0;

    for (; p.at < argc && !status; p.at++) {
        const char *word = argv[p.at];
        if (!strcmp(word, "--")) {
            p.at++;
            break;
        }
        if (word[0] != '-' || !word[1])
            break;
        status = word[1] == '-' ? long_option(&p, word + 2) : short_options(&p, word + 1);
    }
    *first = p.at;
    return status;
}
