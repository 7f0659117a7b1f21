/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a line of counts, and the numbers in them. */
#ifndef HOSTED_IO_COUNTS_FIELDS_H
#define HOSTED_IO_COUNTS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTS_FIELDS 16u

struct counts_field {
    const char *text; /* not terminated */
    size_t len;
};

/* Number of fields, at least 1 and at most COUNTS_FIELDS, without blanks around them; more are left out. They are
 * separated by ';', tab or ',', whichever of these the line has first in this order. */
size_t counts_split(const char *line, size_t len, struct counts_field fields[COUNTS_FIELDS]);
void counts_trim(struct counts_field *f);
/* Whatever the case. */
bool counts_is_text(const struct counts_field *f, const char *text);
/* Whole number below 2^64, decimal or 0x. */
bool counts_whole(const struct counts_field *f, uint64_t *value);
/* Decimal fraction in hundredths, what is smaller cut off. */
bool counts_hundredths(const struct counts_field *f, uint64_t *value);
bool counts_is_number(const struct counts_field *f);
/* perf's "<not counted>" and "<not supported>". */
bool counts_is_absent(const struct counts_field *f);

#endif
