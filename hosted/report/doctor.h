/* SPDX-License-Identifier: Apache-2.0 */
/* Why counters of a capture are zero or missing, told from the registers that it recorded.
 *
 * A rule is data: what has to hold, what that means, what to set. doctor_examine applies all of them to each stream. */
#ifndef HOSTED_REPORT_DOCTOR_H
#define HOSTED_REPORT_DOCTOR_H

#include <stdio.h>

#include "../io/capture_file.h"

enum doctor_severity {
    DOCTOR_PROBLEM, /* counts are missing or wrong because of it */
    DOCTOR_LIMIT,   /* the core or its owner allows no more than this */
    DOCTOR_HINT
};

/* What a condition looks at. */
enum doctor_source {
    DOCTOR_NOTHING,  /* ends the list */
    DOCTOR_REGISTER, /* bits [shift, shift + width) of a recorded register */
    DOCTOR_ARCH,     /* enum sl_capture_arch; op ONE_OF: a set of bits */
    DOCTOR_LEVEL,
    DOCTOR_PMU,       /* enum sl_capture_pmu */
    DOCTOR_PMU_STATE, /* enum sl_capture_state */
    DOCTOR_SPE_STATE,
    DOCTOR_REASON,    /* `number` of the bit that keeps the PMU away, in `space` */
    DOCTOR_COUNTERS,  /* programmable ones */
    DOCTOR_FLAGS,     /* SL_CPU_*; op BIT */
    DOCTOR_QUALITY,   /* of all samples and their counts or-ed; op BIT */
    DOCTOR_SPE_FLAGS, /* of all SPE records or-ed; op BIT */
    DOCTOR_NOTE,      /* a note with this code is there */
    DOCTOR_ALL_ZERO,  /* 1: programmable counters were read, and not one of their counts is other than 0 */
    DOCTOR_CLOCK_HZ   /* 1: a clock with a frequency is there, 0: a clock without */
};

enum doctor_op {
    DOCTOR_EQ,
    DOCTOR_NE,
    DOCTOR_LT,
    DOCTOR_GE,
    DOCTOR_BIT,     /* one of the bits of value is set */
    DOCTOR_CLEAR,   /* none is */
    DOCTOR_ONE_OF,  /* bit number `what` of value is set */
    DOCTOR_TRAPPED, /* register: reading it trapped */
    DOCTOR_UNREAD   /* register: not recorded, or without a value */
};

struct doctor_condition {
    uint8_t source;
    uint8_t op;
    uint8_t space;
    uint8_t sub;
    uint32_t number;
    uint8_t shift, width;
    uint64_t value;
    const char *field; /* of the register, for the evidence */
};

#define DOCTOR_CONDITIONS 5u

struct doctor_rule {
    const char *name;
    enum doctor_severity severity;
    struct doctor_condition when[DOCTOR_CONDITIONS]; /* all have to hold */
    const char *finding;
    const char *advice;
};

extern const struct doctor_rule doctor_rules[];
extern const size_t doctor_n_rules;

struct doctor_finding {
    uint32_t stream;
    enum doctor_severity severity;
    const char *name;
    const char *finding;
    const char *advice;
    const char *evidence; /* registers and values; may be empty */
};

struct doctor_report {
    struct doctor_finding *findings; /* by stream, in the order of the rules */
    size_t n_findings, n_problems;
    size_t room;
    struct pool pool;
};

void doctor_examine(struct doctor_report *report, const struct capture *capture);
void doctor_free(struct doctor_report *report);
void doctor_print(const struct doctor_report *report, const struct capture *capture, FILE *out);

#endif
