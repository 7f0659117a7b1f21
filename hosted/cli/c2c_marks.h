/* SPDX-License-Identifier: Apache-2.0 */
/* Which line each SAMPLE record of a recording went to, in 16 bits: so that a second reading can leave out most. */
#ifndef HOSTED_CLI_C2C_MARKS_H
#define HOSTED_CLI_C2C_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct c2c_marks {
    uint16_t *at; /* [C2C_MAX_MARKS], memory that is there once it is touched; NULL: nothing is noted */
    uint64_t n;   /* one above the last that was noted */
};
#define C2C_MAX_MARKS ((uint64_t)1 << 26) /* 128 MB; later records are read again */

/* Without memory nothing is noted. */
void c2c_marks_open(struct c2c_marks *marks);
void c2c_marks_close(struct c2c_marks *marks);
/* Notes that the record has a sample of the line with this index. */
void c2c_marks_note(struct c2c_marks *marks, uint64_t record, uint32_t line);
/* The record is needed whatever its line is. */
void c2c_marks_keep(struct c2c_marks *marks, uint64_t record);
/* Bit set [marks->n] of the records that have nothing of the n lines. NULL: no memory. */
uint32_t *c2c_marks_unwanted(const struct c2c_marks *marks, const uint32_t *lines, uint32_t n);

#endif
