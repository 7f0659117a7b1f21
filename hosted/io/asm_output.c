/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text that llvm-mc and clang print with -filetype=asm -show-encoding, line by line. */
#include "asm_output.h"

#include <string.h>

/* The unread part of a line. */
struct cursor {
    const char *at;
    const char *end;
};

static bool take_word(struct cursor *c, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n))
        return false;
    c->at += n;
    return true;
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

static bool take_number(struct cursor *c, unsigned *value)
{
    const char *start = c->at;
    *value = 0;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && *value < 1000000000u / 10u)
        *value = *value * 10u + (unsigned)(*c->at++ - '0');
    return c->at > start;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* 0x1f, 0x1f'A', 0b01AA0000, A */
static bool take_byte(struct cursor *c, uint8_t *value, char *letter)
{
    *value = 0;
    *letter = 0;
    if (take_word(c, "0x")) {
        for (unsigned i = 0; i < 2; i++, c->at++) {
            int digit = c->at < c->end ? hex_digit(*c->at) : -1;
            if (digit < 0)
                return false;
            *value = (uint8_t)(*value << 4 | digit);
        }
        if (c->end - c->at >= 3 && c->at[0] == '\'' && c->at[2] == '\'') {
            *letter = c->at[1];
            c->at += 3;
        }
        return true;
    }
    if (take_word(c, "0b")) {
        for (unsigned i = 0; i < 8; i++, c->at++) {
            if (c->at >= c->end)
                return false;
            *value = (uint8_t)(*value << 1 | (*c->at == '1'));
            if (*c->at != '0' && *c->at != '1')
                *letter = *c->at;
        }
        return true;
    }
    if (c->at < c->end && *c->at >= 'A' && *c->at <= 'Z') {
        *letter = *c->at++;
        return true;
    }
    return false;
}

static bool take_encoding(struct cursor *c, struct asm_line *out)
{
    if (take_word(c, "]"))
        return c->at == c->end;
    for (;;) {
        if (out->n_bytes == ASM_OUTPUT_BYTES ||
            !take_byte(c, &out->bytes[out->n_bytes], &out->letters[out->n_bytes]))
            return false;
        out->n_bytes++;
        if (take_word(c, "]"))
            return c->at == c->end;
        if (!take_word(c, ","))
            return false;
    }
}

/* Start of the last "<comment> encoding: [" in the line, or NULL. */
static const char *find_encoding(const char *line, const char *end, const char *comment)
{
    static const char word[] = " encoding: [";
    for (const char *at = end; at > line; at--) {
        struct cursor c = { at, end };
        if (take_word(&c, comment) && take_word(&c, word))
            return at;
    }
    return NULL;
}

/* "#   fixup A - offset: 1, value: foo-4, kind: FK_PCRel_4" behind the comment sign. The value may hold anything. */
static void fixup_line(struct cursor c, struct asm_line *out)
{
    static const char kind_word[] = ", kind: ";
    if (c.at >= c.end)
        return;
    out->letter = *c.at++;
    if (!take_word(&c, " - offset: ") || !take_number(&c, &out->offset))
        return;
    for (const char *at = c.end; at > c.at; at--) {
        struct cursor kind = { at, c.end };
        if (!take_word(&kind, kind_word))
            continue;
        out->kind = ASM_LINE_FIXUP;
        out->text = kind.at;
        out->text_len = (size_t)(kind.end - kind.at);
        return;
    }
}

/* A comment on a line of its own: of an instruction, by the printer of its text, or by the one of its bytes. llvm-mca
 * prints the first kind only, behind the instruction. */
static void comment_line(struct cursor c, const char *sign, struct asm_line *out)
{
    static const char note[] = "acquire semantics dropped since destination is zero";
    skip_blanks(&c);
    if (take_word(&c, "fixup ")) {
        fixup_line(c, out);
        return;
    }
    if (!take_word(&c, note) || c.at != c.end)
        return;
    out->kind = ASM_LINE_NOTE;
    out->text = sign;
    out->text_len = (size_t)(c.end - sign);
}

static void globl_line(struct cursor c, const char *prefix, struct asm_line *out)
{
    static const struct {
        char letter;
        enum asm_line_kind kind;
    } letters[] = { { 'm', ASM_LINE_MARKER }, { 'f', ASM_LINE_FENCE }, { 'x', ASM_LINE_EXPANSION },
                    { 'y', ASM_LINE_EXPANSION_END }, { 'p', ASM_LINE_PROBE } };
    enum asm_line_kind kind = ASM_LINE_OTHER;
    skip_blanks(&c);
    if (!take_word(&c, prefix) || c.at >= c.end)
        return;
    for (size_t i = 0; i < sizeof letters / sizeof letters[0] && kind == ASM_LINE_OTHER; i++)
        kind = *c.at == letters[i].letter ? letters[i].kind : kind;
    if (kind == ASM_LINE_OTHER)
        return;
    c.at++;
    if (take_number(&c, &out->number) && c.at == c.end)
        out->kind = kind;
}

static void insn_line(const char *line, const char *end, const char *comment, struct asm_line *out)
{
    const char *encoding = find_encoding(line, end, comment);
    struct cursor c = { encoding, end };
    const char *text = line, *text_end = encoding;
    if (!encoding || !take_word(&c, comment) || !take_word(&c, " encoding: ["))
        return;
    while (text < text_end && (*text == ' ' || *text == '\t'))
        text++;
    while (text_end > text && text_end[-1] == ' ')
        text_end--;
    out->text = text;
    out->text_len = (size_t)(text_end - text);
    out->kind = take_encoding(&c, out) ? ASM_LINE_INSN : ASM_LINE_BROKEN;
}

void asm_output_line(const char *line, size_t len, const char *comment, const char *prefix, struct asm_line *out)
{
    struct cursor c = { line, line + len };
    const char *sign;
    memset(out, 0, sizeof *out);
    out->kind = ASM_LINE_OTHER;
    skip_blanks(&c);
    if (c.at == line)
        return; /* a label */
    sign = c.at;
    if (take_word(&c, comment)) {
        comment_line(c, sign, out);
        return;
    }
    if (take_word(&c, ".globl")) {
        globl_line(c, prefix, out);
        return;
    }
    if (take_word(&c, ".code\t")) {
        if (take_number(&c, &out->number) && c.at == c.end)
            out->kind = ASM_LINE_MODE;
        return;
    }
    /* The two instructions that look like directives. */
    if (c.at < c.end && *c.at == '.' && !take_word(&c, ".tlsdesccall") && !take_word(&c, ".insn"))
        return;
    insn_line(line, c.end, comment, out);
}
