/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of hosted/cli and hosted/io share: a sink whose text can be compared. */
#ifndef SLOTLEDGER_TESTS_CLI_FIXTURE_H
#define SLOTLEDGER_TESTS_CLI_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hosted/io/diag.h"

struct sink {
    struct diag diag;
    char *text;
    size_t len;
};

static inline void sink_open(struct sink *sink)
{
    memset(sink, 0, sizeof *sink);
    sink->diag.stream = open_memstream(&sink->text, &sink->len);
    assert_non_null(sink->diag.stream);
}

/* Closes the sink; its text must be `want`. */
static inline void sink_expect(struct sink *sink, const char *want)
{
    assert_int_equal(fclose(sink->diag.stream), 0);
    assert_string_equal(sink->text, want);
    free(sink->text);
}

/* Closes the sink; its text must hold `part`. */
static inline void sink_expect_part(struct sink *sink, const char *part)
{
    assert_int_equal(fclose(sink->diag.stream), 0);
    if (!strstr(sink->text, part))
        fail_msg("no '%s' in '%s'", part, sink->text);
    free(sink->text);
}

#endif
