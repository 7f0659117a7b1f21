/* SPDX-License-Identifier: Apache-2.0 */
/* The part of cmocka that the shared tests use, for targets without it: first on their include path. No heap. */
#ifndef TESTS_QEMU_SHIM_CMOCKA_H
#define TESTS_QEMU_SHIM_CMOCKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(f)                                                                                            \
    {                                                                                                                  \
#f, f                                                                                                          \
    }
#define cmocka_run_group_tests(tests, setup, teardown) shim_run(tests, sizeof(tests) / sizeof((tests)[0]))

int shim_run(const struct CMUnitTest *tests, size_t n);
_Noreturn void shim_fail(const char *file, int line, const char *what);
void shim_equal(const char *file, int line, uintmax_t a, uintmax_t b, bool wanted);
void shim_string(const char *file, int line, const char *a, const char *b);
void shim_memory(const char *file, int line, const void *a, const void *b, size_t n);

#define assert_true(c)               ((c) ? (void)0 : shim_fail(__FILE__, __LINE__, #c))
#define assert_false(c)              assert_true(!(c))
#define assert_non_null(p)           assert_true((p) != NULL)
#define assert_null(p)               assert_true((p) == NULL)
#define assert_int_equal(a, b)       shim_equal(__FILE__, __LINE__, (uintmax_t)(a), (uintmax_t)(b), true)
#define assert_int_not_equal(a, b)   shim_equal(__FILE__, __LINE__, (uintmax_t)(a), (uintmax_t)(b), false)
#define assert_ptr_equal(a, b)       assert_int_equal((uintptr_t)(a), (uintptr_t)(b))
#define assert_string_equal(a, b)    shim_string(__FILE__, __LINE__, a, b)
#define assert_memory_equal(a, b, n) shim_memory(__FILE__, __LINE__, a, b, n)
#define fail()                       shim_fail(__FILE__, __LINE__, "fail()")

#endif
