/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ and Rust as perf's tables have them; expected texts are those of c++filt -p, and perf's for Rust. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hosted/io/demangle.h"

static void test_names_have_no_parameters(void **unused)
{
    static const struct {
        const char *name, *expected;
    } cases[] = {
        {"_ZN3foo3barEiPKc", "foo::bar"},
        {"_Z3addIiET_S0_S0_", "add<int>"},
        {"_ZN3fooclEi", "foo::operator()"},
        {"_ZNK3foocvlEv", "foo::operator long"},
        {"_ZNK3foo3barEv", "foo::bar"},
        {"_ZN2ns1SltERKS0_", "ns::S::operator<"},
        {"_ZTV3foo", "vtable for foo"},
        {"_ZThn16_N3foo3barEv", "non-virtual thunk to foo::bar()"},
        {"_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f"},
        {"_ZNSt8functionIFiiEED1Ev", "std::function<int (int)>::~function"},
        {"_ZN3foo6memberE", "foo::member"},
        {"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
        {"main", NULL},
        {"_Z", NULL},
        {"_start", NULL},
    };
    struct pool pool = {0};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = demangle(cases[i].name, &pool);
        if (cases[i].expected) {
            assert_non_null(text);
            assert_string_equal(text, cases[i].expected);
        } else {
            assert_null(text);
        }
    }
    pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names_have_no_parameters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
