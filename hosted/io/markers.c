/* SPDX-License-Identifier: Apache-2.0 */
/* Finds LLVM-MCA-BEGIN and LLVM-MCA-END comments in assembly text, and rewrites the text so that an assembler's
 * textual output shows where they were.
 *
 * .globl is the carrier: every object format and target has it, it may be repeated, it changes no code, and an
 * assembler that prints text prints it in its place. */
#include "markers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scanner {
    struct marker_scan *scan;
    struct pool *pool;
    const char *text;
    size_t len;
    size_t at;
    enum comment_syntax syntax;
    bool blank_comments;
    bool statement_start;   /* no token of the statement seen */
    bool comment_possible;  /* ... and no block comment either: a # starts a comment on AArch64 */
    bool expansions_wanted; /* RISC-V code with regions */
    bool expansion_open;    /* the statement may become several instructions */
    bool fence_wanted;      /* the statement closes a conditional or a body */
    unsigned body_depth;    /* of .macro, .rept, .irp, .irpc */
    size_t first_pending;   /* markers from here on wait for the end of their statement */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool starts_with(const char *text, size_t len, const char *word)
{
    size_t n = strlen(word);
    return len >= n && !memcmp(text, word, n);
}

bool marker_parse(const char *text, size_t len, bool *is_end, const char **name, size_t *name_len)
{
    static const char end_word[] = "LLVM-MCA-END", begin_word[] = "LLVM-MCA-BEGIN";
    size_t blanks = 0;
    while (len && is_blank(*text))
        text++, len--;
    *is_end = starts_with(text, len, end_word);
    if (!*is_end && !starts_with(text, len, begin_word))
        return false;
    text += *is_end ? sizeof end_word - 1 : sizeof begin_word - 1;
    len -= *is_end ? sizeof end_word - 1 : sizeof begin_word - 1;
    while (blanks < len && is_blank(text[blanks]))
        blanks++;
    /* A name of blanks only is kept as it is (llvm-mca quirk). */
    if (blanks == len)
        blanks = 0;
    *name = text + blanks;
    *name_len = len - blanks;
    return true;
}

static void copy(struct scanner *s, size_t count)
{
    text_add(&s->scan->text, s->text + s->at, count);
    s->at += count;
}

/* Drops `count` characters, keeping line ends and columns. */
static void blank(struct scanner *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char c = s->text[s->at + i];
        text_add_char(&s->scan->text, c == '\n' || c == '\r' || c == '\t' ? c : ' ', 1);
    }
    s->at += count;
}

static bool hash_anywhere(const struct scanner *s)
{
    return s->syntax == COMMENTS_X86 || s->syntax == COMMENTS_RISCV || s->syntax == COMMENTS_RISCV_INSTRUMENTS;
}

/* A comment that is neither beginning nor end of a region. */
static bool instrument_parse(const char *text, size_t len, const char **name, size_t *name_len)
{
    static const char word[] = "LLVM-MCA-";
    while (len && is_blank(*text))
        text++, len--;
    *name = text + sizeof word - 1;
    *name_len = len - (sizeof word - 1);
    return starts_with(text, len, word);
}

/* Looks at a comment's text; true when it is a marker, which is then on record. */
static bool note_marker(struct scanner *s, size_t offset, size_t len)
{
    struct marker_scan *scan = s->scan;
    struct marker *marker;
    const char *name;
    size_t name_len;
    bool is_end, is_region = marker_parse(s->text + offset, len, &is_end, &name, &name_len);
    if (!is_region && (s->syntax != COMMENTS_RISCV_INSTRUMENTS || !instrument_parse(s->text + offset, len, &name, &name_len)))
        return false;
    scan->markers = array_grow(scan->markers, scan->n_markers, &scan->capacity, sizeof *scan->markers);
    marker = &scan->markers[scan->n_markers++];
    marker->offset = offset;
    marker->name = pool_text(s->pool, name, name_len);
    marker->is_end = is_end;
    marker->is_instrument = !is_region;
    marker->in_body = s->body_depth > 0;
    marker->body_end = 0;
    return true;
}

/* Echoes what waits for the end of the statement. */
static void end_statement(struct scanner *s)
{
    struct marker_scan *scan = s->scan;
    const char *separator = s->syntax == COMMENTS_AARCH64_APPLE ? "%%" : ";";
    for (; s->first_pending < scan->n_markers; s->first_pending++)
        text_printf(&scan->text, "%s .globl %sm%zu", separator, scan->prefix, s->first_pending);
    if (s->fence_wanted && s->body_depth == 0 && scan->n_markers)
        text_printf(&scan->text, "%s .globl %sf%zu", separator, scan->prefix, scan->n_markers);
    if (s->expansion_open)
        text_printf(&scan->text, "%s .globl %sy0", separator, scan->prefix);
    s->expansion_open = false;
    s->fence_wanted = false;
    s->statement_start = true;
    s->comment_possible = true;
}

static size_t line_end(const struct scanner *s, size_t from)
{
    while (from < s->len && s->text[from] != '\n' && s->text[from] != '\r')
        from++;
    return from;
}

/* End of the block comment that starts at `from`, behind its last character. */
static size_t block_comment_end(const struct scanner *s, size_t from)
{
    for (size_t i = from + 2; i + 1 < s->len; i++) {
        if (s->text[i] == '*' && s->text[i + 1] == '/')
            return i + 2;
    }
    return s->len;
}

/* Replaces `count` characters of comment by the echo of the latest marker, in place when it fits: the statement has
 * not begun. */
static void echo_in_place(struct scanner *s, size_t count, const char *separator)
{
    struct text *out = &s->scan->text;
    size_t before = out->len, newlines = 0, used;
    text_printf(out, ".globl %sm%zu%s", s->scan->prefix, s->first_pending, separator);
    s->first_pending++;
    used = out->len - before;
    for (size_t i = 0; i < count; i++)
        newlines += s->text[s->at + i] == '\n';
    if (newlines)
        text_add_char(out, '\n', newlines);
    else if (used < count)
        text_add_char(out, ' ', count - used);
    s->at += count;
}

static void block_comment(struct scanner *s)
{
    size_t end = block_comment_end(s, s->at);
    size_t count = end - s->at;
    bool closed = count >= 4 && s->text[end - 1] == '/' && s->text[end - 2] == '*';
    bool marker = closed && note_marker(s, s->at + 2, count - 4);
    if (marker && s->statement_start)
        echo_in_place(s, count, s->syntax == COMMENTS_AARCH64_APPLE ? "%%" : ";");
    else if (marker || (closed && s->blank_comments))
        blank(s, count);
    else
        copy(s, count);
    s->comment_possible = false;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@' || c == '?';
}

/* llvm-mca's lexer looks at up to two tokens behind a # that starts a statement, to recognise the line markers of the
 * C preprocessor, and sees the comments it meets there. (It also looks across the line end, and then takes the next
 * line's marker twice; that defect is not repeated here.) */
static bool peek_marker(struct scanner *s, size_t from)
{
    size_t end = line_end(s, from);
    for (unsigned tokens = 0; tokens <= 2; tokens++) {
        while (from < end && is_blank(s->text[from]))
            from++;
        if (from >= end)
            return false;
        if (s->text[from] == '/' && from + 1 < end && s->text[from + 1] == '*') {
            size_t close = block_comment_end(s, from);
            return close - from >= 4 && tokens < 2 && note_marker(s, from + 2, close - from - 4);
        }
        if (hash_anywhere(s) && s->text[from] == '#')
            return tokens < 2 && note_marker(s, from + 1, end - from - 1);
        if (s->syntax == COMMENTS_ARM && s->text[from] == '@')
            return tokens < 2 && note_marker(s, from + 1, end - from - 1);
        if ((hash_anywhere(s) || s->syntax == COMMENTS_ARM) && s->text[from] == '/' && from + 1 < end &&
            s->text[from + 1] == '/')
            return tokens < 2 && note_marker(s, from + 2, end - from - 2);
        if (!is_word_char(s->text[from])) {
            from++;
            continue;
        }
        while (from < end && is_word_char(s->text[from]))
            from++;
    }
    return false;
}

/* "# 12 ..." of the C preprocessor: it gives messages their place. */
static bool is_line_marker(const struct scanner *s, size_t from, size_t end)
{
    while (from < end && is_blank(s->text[from]))
        from++;
    return from < end && isdigit((unsigned char)s->text[from]);
}

/* A comment up to the end of the line. `sign` characters introduce it. */
static void line_comment(struct scanner *s, size_t sign, bool can_mark)
{
    size_t end = line_end(s, s->at);
    size_t text = s->at + sign;
    bool first = s->statement_start;
    bool hash = s->text[s->at] == '#';
    bool marker = can_mark && note_marker(s, text, end - text);
    if (!marker && hash && first)
        marker = peek_marker(s, text);
    if (marker && first)
        echo_in_place(s, end - s->at, "");
    else if (marker)
        blank(s, end - s->at);
    else if (s->blank_comments && !(hash && first && is_line_marker(s, text, end)))
        blank(s, end - s->at);
    else
        /* The echo of a marker in front of a comment that stays must not become part of it. */
        s->first_pending < s->scan->n_markers || s->expansion_open ? blank(s, end - s->at) : copy(s, end - s->at);
}

static void string_literal(struct scanner *s)
{
    size_t end = s->at + 1;
    while (end < s->len && s->text[end] != '"' && s->text[end] != '\n')
        end += s->text[end] == '\\' && end + 1 < s->len ? 2 : 1;
    if (end < s->len && s->text[end] == '"')
        end++;
    copy(s, end - s->at);
}

static void char_literal(struct scanner *s)
{
    size_t end = s->at + 1;
    if (end < s->len && s->text[end] == '\\')
        end++;
    if (end < s->len && s->text[end] != '\n')
        end++;
    if (end < s->len && s->text[end] == '\'')
        end++;
    copy(s, end - s->at);
}

static bool one_of(const char *word, size_t len, const char *const *list)
{
    for (; *list; list++) {
        if (strlen(*list) == len && !strncmp(*list, word, len))
            return true;
    }
    return false;
}

/* The outermost body ends: its markers know how many there are. */
static void close_bodies(struct marker_scan *scan)
{
    for (size_t i = scan->n_markers; i-- > 0 && scan->markers[i].in_body && !scan->markers[i].body_end;)
        scan->markers[i].body_end = scan->n_markers;
}

/* Does the text know of regions? */
static bool has_regions(const struct source *source)
{
    static const char word[] = "LLVM-MCA-";
    for (size_t i = 0; i + sizeof word < source->len; i++) {
        const char *kind = source->text + i + sizeof word - 1;
        if (source->text[i] == 'L' && !memcmp(source->text + i, word, sizeof word - 1) && (*kind == 'B' || *kind == 'E'))
            return true;
    }
    return false;
}

/* RISC-V: to llvm-mca, what these become is nowhere in the source, and so in no region that has a beginning (where the
 * statement becomes one instruction of its own name, it stays what it is). */
static void mark_expansion(struct scanner *s, const char *word, size_t len)
{
    static const char *const expanding[] = { "li", "la", "lla", "lga", "la.tls.ie", "la.tls.gd", "lb", "lbu", "lh", "lhu",
                                             "lw", "lwu", "ld", "flh", "flw", "fld", "sb", "sh", "sw", "sd", "fsh", "fsw",
                                             "fsd", "sext.b", "sext.h", "zext.h", "zext.w", NULL };
    if (!s->expansions_wanted || !one_of(word, len, expanding))
        return;
    text_printf(&s->scan->text, ".globl %sx%zu;", s->scan->prefix, s->at);
    s->expansion_open = true;
}

/* The first word of a statement: directives that open or close bodies and conditionals, and the syntax. */
static void first_word(struct scanner *s)
{
    static const char *const opens[] = { ".macro", ".rept", ".rep", ".irp", ".irpc", NULL };
    static const char *const closes[] = { ".endm", ".endmacro", ".endr", NULL };
    static const char *const branches[] = { ".else", ".elseif", ".endif", NULL };
    static const char *const intel[] = { ".intel_syntax", NULL };
    static const char *const att[] = { ".att_syntax", NULL };
    const char *word = s->text + s->at;
    size_t len = 0;
    while (s->at + len < s->len && is_word_char(word[len]))
        len++;
    mark_expansion(s, word, len);
    if (one_of(word, len, opens)) {
        s->body_depth++;
    } else if (one_of(word, len, closes)) {
        s->body_depth -= s->body_depth > 0;
        if (s->body_depth == 0)
            close_bodies(s->scan);
        s->fence_wanted = true;
    } else if (one_of(word, len, branches)) {
        s->fence_wanted = true;
    } else if (one_of(word, len, intel)) {
        s->scan->dialect = 1;
    } else if (one_of(word, len, att)) {
        s->scan->dialect = 0;
    }
}

static bool at_pair(const struct scanner *s, char second)
{
    return s->text[s->at] == '/' && s->at + 1 < s->len && s->text[s->at + 1] == second;
}

/* Everything but blanks and ends of statements. */
static void token(struct scanner *s)
{
    char c = s->text[s->at];
    if (at_pair(s, '*')) {
        block_comment(s);
        return;
    }
    if (at_pair(s, '/')) {
        line_comment(s, 2, s->syntax != COMMENTS_AARCH64);
        return;
    }
    if (c == ';') {
        line_comment(s, 1, true); /* only Apple's comes here: elsewhere it ends a statement */
        return;
    }
    if (c == '@' && s->syntax == COMMENTS_ARM) {
        line_comment(s, 1, true);
        return;
    }
    if (c == '#' && (hash_anywhere(s) || s->comment_possible)) {
        line_comment(s, 1, true);
        return;
    }
    if (s->statement_start && s->blank_comments && starts_with(s->text + s->at, s->len - s->at, ".addrsig")) {
        /* Of LLVM alone, and of no meaning here: GNU as stops at it. */
        blank(s, line_end(s, s->at) - s->at);
        return;
    }
    if (s->statement_start)
        first_word(s);
    /* Behind a label. */
    s->statement_start = s->expansions_wanted && c == ':';
    s->comment_possible = false;
    if (c == '"')
        string_literal(s);
    else if (c == '\'')
        char_literal(s);
    else
        copy(s, 1);
}

/* A prefix that occurs nowhere in the source. */
static void choose_prefix(struct marker_scan *scan, const struct source *source)
{
    for (unsigned n = 0; n < 10000; n++) {
        bool clash = false;
        size_t len;
        snprintf(scan->prefix, sizeof scan->prefix, n ? "SL%u" : "SL", n);
        len = strlen(scan->prefix);
        for (size_t i = 0; i + len < source->len && !clash; i++)
            clash = source->text[i] == 'S' && !memcmp(source->text + i, scan->prefix, len) &&
                    (source->text[i + len] == 'm' || source->text[i + len] == 'f');
        if (!clash)
            return;
    }
}

void marker_scan(struct marker_scan *scan, const struct source *source, enum comment_syntax syntax,
                 bool blank_comments, struct pool *pool)
{
    struct scanner s = { .scan = scan, .pool = pool, .text = source->text, .len = source->len, .syntax = syntax,
                         .blank_comments = blank_comments, .statement_start = true, .comment_possible = true };
    memset(scan, 0, sizeof *scan);
    scan->dialect = -1;
    s.expansions_wanted = (syntax == COMMENTS_RISCV || syntax == COMMENTS_RISCV_INSTRUMENTS) && has_regions(source);
    choose_prefix(scan, source);
    while (s.at < s.len) {
        char c = s.text[s.at];
        if (c == '\n' || c == '\r' || (c == ';' && syntax != COMMENTS_AARCH64_APPLE)) {
            end_statement(&s);
            copy(&s, 1);
        } else if (is_blank(c)) {
            copy(&s, 1);
        } else {
            token(&s);
        }
    }
    end_statement(&s);
    text_add(&scan->text, "\n", 1);
}

void marker_scan_free(struct marker_scan *scan)
{
    free(scan->markers);
    text_free(&scan->text);
}
