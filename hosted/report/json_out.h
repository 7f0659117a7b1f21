/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as LLVM prints it: two spaces of indent, one member or element a line; the caller sorts members by key. */
#ifndef HOSTED_REPORT_JSON_OUT_H
#define HOSTED_REPORT_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
    FILE *file;
    unsigned depth;
    bool empty;  /* the innermost object or array has no member yet */
};

/* The text in quotation marks, with escapes; by itself, for those who write JSON otherwise. */
void json_quote(FILE *file, const char *text, size_t len);

/* key: of a member, or NULL for an array element. */
void json_open(struct json_out *json, const char *key, char bracket);
void json_close(struct json_out *json, char bracket);
void json_string(struct json_out *json, const char *key, const char *text, size_t len);
void json_integer(struct json_out *json, const char *key, uint64_t value);
void json_double(struct json_out *json, const char *key, double value);
void json_bool(struct json_out *json, const char *key, bool value);

#endif
