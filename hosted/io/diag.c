/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the user: the only way in which parsers and readers say anything. */
#include "diag.h"

#include <stdarg.h>
#include <string.h>

#define TAB_STOP 8u

static const char *level_text(enum diag_level level)
{
    static const char *const texts[] = { "error: ", "warning: ", "note: " };
    return texts[level];
}

static void count(struct diag *diag, enum diag_level level)
{
    if (level == DIAG_ERROR)
        diag->n_errors++;
    /* What was reported before this message must come before it when both streams are one file. */
    if (diag->stream)
        fflush(stdout);
}

void diag_say(struct diag *diag, enum diag_level level, const char *format, ...)
{
    va_list args;
    count(diag, level);
    if (!diag->stream)
        return;
    fputs(level_text(level), diag->stream);
    va_start(args, format);
    vfprintf(diag->stream, format, args);
    va_end(args);
    fputc('\n', diag->stream);
}

void diag_raw_error(struct diag *diag, const char *format, ...)
{
    va_list args;
    count(diag, DIAG_ERROR);
    if (!diag->stream)
        return;
    va_start(args, format);
    vfprintf(diag->stream, format, args);
    va_end(args);
}

void diag_at_offset(struct diag *diag, const char *file, unsigned long long offset, const char *format, ...)
{
    va_list args;
    count(diag, DIAG_ERROR);
    if (!diag->stream)
        return;
    fprintf(diag->stream, "slotledger: %s:0x%llx: ", file, offset);
    va_start(args, format);
    vfprintf(diag->stream, format, args);
    va_end(args);
    fputc('\n', diag->stream);
}

static size_t line_len(const char *line, const char *end)
{
    size_t len = 0;
    while (line + len < end && line[len] != '\n' && line[len] != '\r')
        len++;
    return len;
}

const char *source_line_at(const struct source *source, size_t offset, size_t *len, unsigned *number)
{
    size_t start = 0;
    *number = 1;
    for (size_t i = 0; i < offset && i < source->len; i++) {
        if (source->text[i] == '\n') {
            start = i + 1;
            (*number)++;
        }
    }
    *len = line_len(source->text + start, source->text + source->len);
    return source->text + start;
}

const char *source_line(const struct source *source, unsigned number, size_t *len)
{
    const char *line = source->text;
    const char *end = source->text + source->len;
    if (number == 0)
        return NULL;
    while (--number) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if (!next)
            return NULL;
        line = next + 1;
    }
    *len = line_len(line, end);
    return line;
}

void diag_echo(struct diag *diag, const char *line, size_t len)
{
    unsigned column = 0;
    if (!diag->stream)
        return;
    for (size_t i = 0; i < len; i++) {
        if (line[i] == '\t') {
            do
                fputc(' ', diag->stream);
            while (++column % TAB_STOP);
        } else {
            fputc(line[i], diag->stream);
            column++;
        }
    }
    fputc('\n', diag->stream);
}

void diag_at_source(struct diag *diag, const struct source *source, size_t offset, enum diag_level level,
                    const char *format, ...)
{
    size_t len;
    unsigned number;
    const char *line = source_line_at(source, offset, &len, &number);
    size_t column = offset - (size_t)(line - source->text);
    unsigned shown = 0;
    va_list args;

    count(diag, level);
    if (!diag->stream)
        return;
    fprintf(diag->stream, "%s:%u:%zu: %s", source->name, number, column + 1, level_text(level));
    va_start(args, format);
    vfprintf(diag->stream, format, args);
    va_end(args);
    fputc('\n', diag->stream);
    diag_echo(diag, line, len);
    for (size_t i = 0; i < column && i < len; i++)
        shown = line[i] == '\t' ? (shown / TAB_STOP + 1) * TAB_STOP : shown + 1;
    fprintf(diag->stream, "%*s^\n", (int)shown, "");
}
