/* SPDX-License-Identifier: Apache-2.0 */
/* The variable or member of an entry, in words. */
#ifndef HOSTED_REPORT_C2C_MEMBER_H
#define HOSTED_REPORT_C2C_MEMBER_H

#include "c2c_report.h"

/* "stats.writes+4", "table+24" without DWARF. false: nothing is known, nothing was added. */
bool c2c_member_name(const struct c2c_site *site, struct text *out);
/* "offset 8, 8 bytes, count_t"; false: DWARF tells nothing, nothing was added. */
bool c2c_member_details(const struct c2c_site *site, struct text *out);
/* Whether two entries lie in the same member. */
bool c2c_member_same(const struct c2c_site *a, const struct c2c_site *b);
/* Bytes of the path up to the index where two elements of one array part; 0: they are no such elements. */
size_t c2c_member_array(const struct c2c_site *a, const struct c2c_site *b);
/* Bytes of the later one's path that name what to move away from the earlier one: of one variable the member, else the
 * variable. */
size_t c2c_member_apart(const struct c2c_site *earlier, const struct c2c_site *later);

#endif
