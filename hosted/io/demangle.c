/* SPDX-License-Identifier: Apache-2.0 */
/* Mangled names (Itanium C++ ABI, "Mangling") by the compiler's own runtime; what a table has no room for is cut off.
 */
#include "demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime (Itanium C++ ABI, section 3.4): a malloc'ed text, or NULL. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

#define RUST_HASH_CHARS 19u /* "::h" and 16 digits */

static void cut_rust_hash(char *text)
{
    size_t len = strlen(text);
    char *hash = text + len - RUST_HASH_CHARS;
    if (len <= RUST_HASH_CHARS || strncmp(hash, "::h", 3) != 0 || strspn(hash + 3, "0123456789abcdef") != 16)
        return;
    *hash = '\0';
}

/* Start of the parenthesis that ends at `end`, or NULL. */
static char *opening(char *text, char *end)
{
    size_t depth = 0;
    for (char *at = end; at >= text; at--) {
        depth += *at == ')';
        if (*at == '(' && --depth == 0)
            return at;
    }
    return NULL;
}

/* The return type of a template's instance ends at the last blank outside of brackets; "operator" has blanks, too. */
static char *behind_return_type(char *text)
{
    char *name = text;
    size_t depth = 0;
    for (char *at = text; *at; at++) {
        if (!strncmp(at, "operator", 8) && (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')))
            break;
        depth += *at == '<' || *at == '(' || *at == '{' || *at == '[';
        depth -= depth && (*at == '>' || *at == ')' || *at == '}' || *at == ']');
        if (*at == ' ' && !depth)
            name = at + 1;
    }
    return name;
}

static char *cut_parameters(char *text)
{
    char *end = strrchr(text, ')'), *start;
    if (!end)
        return text;
    /* Behind the parameters a function may only say const, volatile, & or && or how it was cloned. */
    if (strchr(end, '>') || strstr(end, "::"))
        return text;
    start = opening(text, end);
    if (!start || start == text)
        return text;
    *start = '\0';
    return behind_return_type(text);
}

const char *demangle(const char *name, struct pool *pool)
{
    int status;
    char *text, *cut;
    const char *copy;
    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    text = __cxa_demangle(name, NULL, NULL, &status);
    if (!text)
        return NULL;
    cut_rust_hash(text);
    /* Tables, thunks and guards keep the parameters of what they belong to. */
    cut = name[2] == 'T' || name[2] == 'G' ? text : cut_parameters(text);
    copy = pool_text(pool, cut, strlen(cut));
    free(text);
    return copy;
}
