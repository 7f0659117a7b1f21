/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text -> block through GNU as, which prints no canonical text: its listing gives bytes and source lines.
 *
 * A listing line is "  12 0010 C5F059D0 90  <tab>[>]  vmulps ...; nop": number, offset, bytes, statements; > marks
 * what a macro made. The bytes of a line are shared out to its statements by decoding. */
#include "asm_gnu.h"

#include <stdio.h>
#include <string.h>

#include "asm_output.h"
#include "asm_walk.h"
#include "fixup.h"
#include "riscv_pseudo.h"

#define LINE_BYTES 128u

struct listing_line {
    uint8_t bytes[LINE_BYTES];
    size_t n_bytes;
    const char *text;
    size_t text_len;
};

struct walk {
    struct block *block;
    struct diag *diag;
    const struct source *source;
    const struct marker_scan *scan;
    size_t next_marker;
};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* false: no line with statements. */
static bool parse_line(const char *line, size_t len, struct listing_line *out)
{
    const char *tab = memchr(line, '\t', len);
    size_t at = 0, digits = 0;
    memset(out, 0, sizeof *out);
    if (!tab)
        return false;
    out->text = tab + 1;
    out->text_len = len - (size_t)(tab + 1 - line);
    len = (size_t)(tab - line);
    while (at < len && line[at] == ' ')
        at++;
    while (at < len && line[at] >= '0' && line[at] <= '9')
        at++;
    if (at < len && line[at] == ' ')
        at++;
    /* The offset has lower-case digits and at least four of them; a line without bytes has none. */
    while (at < len && line[at] != ' ')
        at++, digits++;
    if (digits < 4)
        return true;
    for (; at < len && out->n_bytes < LINE_BYTES; at++) {
        if (line[at] == ' ')
            continue;
        if (at + 1 >= len || hex_digit(line[at]) < 0 || hex_digit(line[at + 1]) < 0)
            break;
        out->bytes[out->n_bytes++] = (uint8_t)(hex_digit(line[at]) << 4 | hex_digit(line[at + 1]));
        at++;
    }
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Strips blanks, labels and the macro sign. */
static void trim(const char **text, size_t *len)
{
    for (;;) {
        size_t word = 0;
        while (*len && (is_blank(**text) || **text == '>'))
            (*text)++, (*len)--;
        while (*len && is_blank((*text)[*len - 1]))
            (*len)--;
        while (word < *len && !is_blank((*text)[word]) && (*text)[word] != ':')
            word++;
        if (word >= *len || (*text)[word] != ':' || memchr(*text, '%', word))
            return;
        *text += word + 1;
        *len -= word + 1;
    }
}

/* "mnemonic<tab>operand, operand": one blank behind each comma outside of parentheses (an AT&T address has none). */
static const char *canonical_text(struct block *block, const char *text, size_t len)
{
    struct text out = { 0 };
    const char *copy;
    size_t at = 0;
    unsigned depth = 0;
    while (at < len && !is_blank(text[at]))
        text_add(&out, text + at++, 1);
    while (at < len && is_blank(text[at]))
        at++;
    if (at < len)
        text_add(&out, "\t", 1);
    while (at < len) {
        if (is_blank(text[at])) {
            while (at < len && is_blank(text[at]))
                at++;
            if (at < len && text[at] != ',' && out.data[out.len - 1] != ' ')
                text_add(&out, " ", 1);
            continue;
        }
        text_add(&out, text + at, 1);
        depth += text[at] == '(';
        depth -= text[at] == ')' && depth;
        if (text[at++] == ',' && !depth)
            text_add(&out, " ", 1);
    }
    copy = pool_text(&block->pool, out.data ? out.data : "", out.len);
    text_free(&out);
    return copy;
}

static void meet_until(struct walk *walk, size_t index)
{
    for (; walk->next_marker < index && walk->next_marker < walk->scan->n_markers; walk->next_marker++) {
        const struct marker *marker = &walk->scan->markers[walk->next_marker];
        if (marker->is_instrument)
            block_instrument(walk->block, marker->offset, marker->name);
        else if (marker->is_end)
            block_end(walk->block, walk->diag, walk->source, marker->offset, marker->name);
        else
            block_begin(walk->block, walk->diag, walk->source, marker->offset, marker->name);
    }
}

/* A statement that is no instruction: the echo of a marker, or nothing of interest. */
static void directive(struct walk *walk, const char *text, size_t len)
{
    char line[64];
    struct asm_line echo;
    if (len >= sizeof line - 1)
        return;
    line[0] = '\t';
    memcpy(line + 1, text, len);
    asm_output_line(line, len + 1, "#", walk->scan->prefix, &echo);
    if (echo.kind == ASM_LINE_MARKER && echo.number < walk->scan->n_markers)
        meet_until(walk, (size_t)echo.number + 1);
    else if (echo.kind == ASM_LINE_FENCE)
        meet_until(walk, echo.number);
}

static bool is_riscv(const struct sl_isa *isa)
{
    return isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32;
}

static void add_insn(struct walk *walk, const uint8_t *bytes, size_t n_bytes, const char *text, size_t len)
{
    struct block_insn *insn = block_add(walk->block);
    insn->text = canonical_text(walk->block, text, len);
    insn->len_bytes = insn->encoding_len = (uint8_t)n_bytes;
    memcpy(insn->bytes, bytes, n_bytes);
    memcpy(insn->encoding, bytes, n_bytes);
    block_insn_decode(insn, walk->block->isa);
    if (is_riscv(walk->block->isa))
        riscv_pseudo(insn, walk->block->isa);
}

/* To llvm-mca a lock elision hint is an instruction of its own, also in front of another one. 1: taken from the bytes
 * and the text; 0: there is none. */
static size_t take_elision_hint(struct walk *walk, const uint8_t *bytes, size_t n_bytes, const char **text, size_t *len)
{
    static const struct {
        const char *word;
        uint8_t byte;
    } hints[] = { { "xacquire", 0xf2 }, { "xrelease", 0xf3 } };
    const size_t word = 8;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (walk->block->isa != &sl_isa_x86_64 || *len < word || memcmp(*text, hints[i].word, word) ||
            (*len > word && !is_blank((*text)[word])) || !n_bytes || bytes[0] != hints[i].byte)
            continue;
        add_insn(walk, bytes, 1, *text, word);
        asm_keep_elision_hint(&walk->block->insns[walk->block->n_insns - 1], walk->block->isa);
        *text += word;
        *len -= word;
        trim(text, len);
        return 1;
    }
    return 0;
}

/* Consumes the first instruction of the line's remaining bytes; 0: nothing left. */
static size_t take_insn(struct walk *walk, const uint8_t *bytes, size_t n_bytes, const char *text, size_t len)
{
    const struct sl_isa *isa = walk->block->isa;
    struct sl_insn decoded;
    size_t used;
    if (!n_bytes)
        return 0;
    used = isa->decode(bytes, n_bytes, &decoded) == SL_OK ? decoded.len_bytes : n_bytes;
    if (is_riscv(isa) && n_bytes >= RISCV_PAIR_BYTES && riscv_is_pair(text, len))
        used = RISCV_PAIR_BYTES;
    if (used > BLOCK_INSN_BYTES)
        used = BLOCK_INSN_BYTES;
    add_insn(walk, bytes, used, text, len);
    return used;
}

/* The further instructions of a statement that became several: their texts are made from them. */
static void take_rest(struct walk *walk, const uint8_t *bytes, size_t n_bytes)
{
    const struct sl_isa *isa = walk->block->isa;
    struct sl_insn decoded;
    while (n_bytes && is_riscv(isa) && isa->decode(bytes, n_bytes, &decoded) == SL_OK) {
        struct block_insn *insn = block_add(walk->block);
        insn->insn = decoded;
        insn->len_bytes = insn->encoding_len = decoded.len_bytes;
        memcpy(insn->bytes, bytes, decoded.len_bytes);
        memcpy(insn->encoding, bytes, decoded.len_bytes);
        bytes += decoded.len_bytes;
        n_bytes -= decoded.len_bytes;
    }
}

static void walk_line(struct walk *walk, const struct listing_line *line)
{
    const char *text = line->text;
    size_t left = line->text_len, used = 0;
    while (left) {
        const char *semicolon = memchr(text, ';', left);
        const char *statement = text;
        size_t len = semicolon ? (size_t)(semicolon - text) : left;
        size_t step = semicolon ? len + 1 : len;
        trim(&statement, &len);
        if (len && *statement == '.')
            directive(walk, statement, len);
        else
            used += take_elision_hint(walk, line->bytes + used, line->n_bytes - used, &statement, &len);
        if (len && *statement != '.')
            used += take_insn(walk, line->bytes + used, line->n_bytes - used, statement, len);
        text += step;
        left -= step;
    }
    if (used)
        take_rest(walk, line->bytes + used, line->n_bytes - used);
}

/* GNU as names the input "{standard input}"; its messages have no echo of the source. */
static void messages(const struct text *err, const struct source *source, struct diag *diag)
{
    static const char name[] = "{standard input}:";
    const char *at = err->data;
    const char *end = at + err->len;
    while (at && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t len = newline ? (size_t)(newline - at) : (size_t)(end - at);
        size_t skip = sizeof name - 1;
        if (len > skip && !memcmp(at, name, skip)) {
            if (memchr(at + skip, ':', len - skip) && diag->stream)
                fprintf(diag->stream, "%s:%.*s\n", source->name, (int)(len - skip), at + skip);
        } else if (diag->stream) {
            fprintf(diag->stream, "%.*s\n", (int)len, at);
        }
        at += len + 1;
    }
}

void asm_gnu_walk(struct block *block, const struct source *source, const struct marker_scan *scan,
                  const char *listing, size_t size, struct diag *diag)
{
    struct walk walk = { .block = block, .diag = diag, .source = source, .scan = scan };
    const char *at = listing;
    const char *end = at + size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t len = newline ? (size_t)(newline - at) : (size_t)(end - at);
        struct listing_line line;
        if (parse_line(at, len, &line))
            walk_line(&walk, &line);
        at += len + 1;
    }
    meet_until(&walk, scan->n_markers);
}

enum asm_input_result asm_gnu_read(struct block *block, const struct source *source,
                                   const struct assembler *assembler, const struct marker_scan *scan, struct diag *diag)
{
    char listing[] = "-alnm=/dev/stdout", lhs[] = "--listing-lhs-width=24", rhs[] = "--listing-rhs-width=4000";
    char out[] = "-o", null[] = "/dev/null", in[] = "-";
    char *argv[] = { assembler->path.data, listing, lhs, rhs, out, null, in, NULL };
    struct process_result result;
    enum asm_input_result answer = ASM_INPUT_OK;
    unsigned errors = diag->n_errors;
    if (!assembler_run(assembler, argv, &scan->text, &result, diag))
        return ASM_INPUT_FAILED;
    messages(&result.err, source, diag);
    if (result.exit_code != 0) {
        /* It lists nothing behind an error, so that there is nothing to go on with. */
        diag->n_errors++;
        answer = ASM_INPUT_SYNTAX;
    } else {
        asm_gnu_walk(block, source, scan, result.out.data ? result.out.data : "", result.out.len, diag);
        if (diag->n_errors != errors)
            answer = ASM_INPUT_MARKERS;
    }
    process_result_free(&result);
    return answer;
}
