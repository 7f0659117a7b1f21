/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by event name, and values of a tree as text, for the tests of Top-Down accounting. */
#ifndef TESTS_UNIT_TOPDOWN_FIXTURE_H
#define TESTS_UNIT_TOPDOWN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/topdown.h>

#define TOPDOWN_COUNTS 32

struct named_count {
    const char *event;
    uint64_t value;
};

/* Index of an event by name among those a model counts; fails the test if there is none. */
static inline unsigned topdown_event(const struct sl_topdown_model *model, const char *name)
{
    for (unsigned i = 0; i < model->n_events; i++) {
        if (strcmp(sl_topdown_event_name(model, i), name) == 0)
            return i;
    }
    fail_msg("no event %s", name);
    return 0;
}

/* Ends at a NULL name. */
static inline size_t topdown_counts(const struct sl_topdown_model *model, const struct named_count *named,
                                    struct sl_topdown_count *out)
{
    size_t n = 0;
    for (; named[n].event; n++) {
        assert_true(n < TOPDOWN_COUNTS);
        memset(&out[n], 0, sizeof out[n]);
        out[n].code = sl_topdown_event_code(model, topdown_event(model, named[n].event));
        out[n].value = named[n].value;
    }
    return n;
}

/* The ratio in lowest terms: small numbers only. */
static inline const char *ratio_text(const struct sl_ratio *r, char text[64])
{
    snprintf(text, 64, "%s%llu/%llu%s", r->negative ? "-" : "", (unsigned long long)r->num.lo,
             (unsigned long long)r->den.lo, r->num.hi || r->den.hi ? " (high part)" : "");
    return text;
}

#endif
