/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the user: the only way in which parsers and readers say anything. */
#ifndef HOSTED_IO_DIAG_H
#define HOSTED_IO_DIAG_H

#include <stddef.h>
#include <stdio.h>

enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* A sink. stream may be NULL: messages are only counted (tests, fuzzing). */
struct diag {
    FILE *stream;
    unsigned n_errors;
};

#if defined(__GNUC__)
#define DIAG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define DIAG_PRINTF(fmt, args)
#endif

/* "error: ...\n", "warning: ...\n" or "note: ...\n". */
void diag_say(struct diag *diag, enum diag_level level, const char *format, ...) DIAG_PRINTF(3, 4);
/* The text as it is; counts as an error. */
void diag_raw_error(struct diag *diag, const char *format, ...) DIAG_PRINTF(2, 3);
/* "slotledger: FILE:0xOFFSET: what is wrong\n": an error at a place of a binary file. */
void diag_at_offset(struct diag *diag, const char *file, unsigned long long offset, const char *format, ...)
    DIAG_PRINTF(4, 5);

/* A text file with the name that messages use. */
struct source {
    const char *name;
    const char *text;
    size_t len;
};

/* Line that holds `offset`: its first character, its length without the line end, and its number from 1. */
const char *source_line_at(const struct source *source, size_t offset, size_t *len, unsigned *number);
/* Line by number (from 1); NULL when there is none. */
const char *source_line(const struct source *source, unsigned number, size_t *len);

/* "file:line:col: level: message", the source line with tabs expanded, and a caret. */
void diag_at_source(struct diag *diag, const struct source *source, size_t offset, enum diag_level level,
                    const char *format, ...) DIAG_PRINTF(5, 6);
/* The echo of a source line: tabs become blanks up to multiples of 8. */
void diag_echo(struct diag *diag, const char *line, size_t len);

#endif
