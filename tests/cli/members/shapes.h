/* SPDX-License-Identifier: Apache-2.0 */
/* The programs tell themselves where their members are. Without an argument: lines "SYMBOL<tab>OFFSET", what to ask
 * for; with one: what is right, as member_at prints it. Offsets and sizes are the compiler's own. */
#ifndef TESTS_CLI_MEMBERS_SHAPES_H
#define TESTS_CLI_MEMBERS_SHAPES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static int shapes_tell;

static void shape(const char *symbol, const char *path, size_t at, size_t member, size_t bytes, const char *marks,
                  const char *type)
{
    if (shapes_tell)
        printf("%s %zu %zu %zu%s: %s\n", path, member, bytes, at - member, marks, type);
    else
        printf("%s\t%zu\n", symbol, at);
}

/* Names of types and of a function's variable, as the compilers call them. */
#ifdef __clang__
#define LONG                          "long"
#define SHORT                         "short"
#define STATIC_OF(function, variable) function "." variable
#else
#define LONG                          "long int"
#define SHORT                         "short int"
#define STATIC_OF(function, variable) variable
#endif

#define BASE(variable) ((const volatile char *)&(variable))
/* `into` bytes into a member of a variable */
#define MEMBER(symbol, variable, expression, into, marks, type)                                                        \
    shape(symbol, #expression, (size_t)(BASE(expression) - BASE(variable)) + (into),                                   \
          (size_t)(BASE(expression) - BASE(variable)), sizeof(expression), marks, type)
/* A place that is no member of its own: padding or a byte of bit-fields. */
#define BYTE(symbol, path, at, bytes, marks, type) shape(symbol, path, at, at, bytes, marks, type)

#endif
