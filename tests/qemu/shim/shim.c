/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests one after the other; a failed assertion goes back to here. */
#include "cmocka.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf failed;

_Noreturn void shim_fail(const char *file, int line, const char *what)
{
    printf("[  ERROR   ] %s:%d: %s\n", file, line, what);
    longjmp(failed, 1);
}

void shim_equal(const char *file, int line, uintmax_t a, uintmax_t b, bool wanted)
{
    if ((a == b) != wanted) {
        printf("[  ERROR   ] 0x%" PRIxMAX " and 0x%" PRIxMAX "\n", a, b);
        shim_fail(file, line, wanted ? "not equal" : "equal");
    }
}

void shim_string(const char *file, int line, const char *a, const char *b)
{
    if (strcmp(a, b) != 0) {
        printf("[  ERROR   ] \"%s\" and \"%s\"\n", a, b);
        shim_fail(file, line, "not equal");
    }
}

void shim_memory(const char *file, int line, const void *a, const void *b, size_t n)
{
    if (memcmp(a, b, n) != 0) {
        shim_fail(file, line, "memory differs");
    }
}

int shim_run(const struct CMUnitTest *tests, size_t n)
{
    volatile size_t passed = 0;
    for (volatile size_t i = 0; i < n; i++) {
        void *state = NULL;
        printf("[ RUN      ] %s\n", tests[i].name);
        if (setjmp(failed) == 0) {
            tests[i].run(&state);
            passed++;
            printf("[       OK ] %s\n", tests[i].name);
        } else {
            printf("[  FAILED  ] %s\n", tests[i].name);
        }
    }
    printf("%u passed, %u failed, 0 skipped\n", (unsigned)passed, (unsigned)(n - passed));
    return (int)(n - passed);
}
