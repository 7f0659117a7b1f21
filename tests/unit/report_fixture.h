/* SPDX-License-Identifier: Apache-2.0 */
/* A report over a fixture machine, printed into memory. */
#ifndef TESTS_UNIT_REPORT_FIXTURE_H
#define TESTS_UNIT_REPORT_FIXTURE_H

#include "hosted/report/mca_report.h"
#include "observe_fixture.h"

struct report_fixture {
    struct fixture f;
    struct mca_report *report;
};

static inline void report_attach(struct report_fixture *r, const struct mca_report_options *options)
{
    assert_int_equal(mca_report_attach(&r->report, &r->f.m, options), SL_OK);
}

static inline void report_begin(struct report_fixture *r, const struct mca_report_options *options, uint32_t n_insns,
                                uint32_t iterations)
{
    fixture_init(&r->f, n_insns, iterations);
    report_attach(r, options);
}

/* cmocka cuts long messages: show where the texts part. */
static inline void report_same(const char *got, const char *want)
{
    size_t i = 0, line = 0;

    for (; got[i] != '\0' && got[i] == want[i]; i++)
        line = got[i] == '\n' ? i + 1 : line;
    assert_string_equal(got + line, want + line);
}

static inline void report_expect(struct report_fixture *r, const struct mca_report_input *input, const char *want)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    assert_non_null(out);
    assert_int_equal(mca_report_print(r->report, input, out), SL_OK);
    assert_int_equal(fclose(out), 0);
    report_same(text, want);
    free(text);
}

static inline void report_end(struct report_fixture *r)
{
    mca_report_free(r->report);
    fixture_free(&r->f);
}

#endif
