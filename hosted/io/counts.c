/* SPDX-License-Identifier: Apache-2.0 */
/* Counter values as text: "event,count" lines, or the output of `perf stat -x,` (perf-stat(1), CSV format). */
#include "counts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "counts_fields.h"

#define SHOWN 60u

struct reader {
    struct counts *counts;
    const struct sl_topdown_model *model;
    unsigned width;
    const char *name;
    const char *start;
    struct diag *diag;
    uint16_t group;
    struct counts_field fields[COUNTS_FIELDS];
    size_t n_fields;
};

/* Intel's raw register readings become classes when the set is complete. */
#define RAW_METRICS(n) ((uint64_t)0xe << 60 | (uint64_t)(n))
enum { METRICS_START, METRICS_END, SLOTS_START, SLOTS_END, METRICS_RAW };

static bool complain(const struct reader *r, const struct counts_field *at, const char *what,
                     const struct counts_field *shown)
{
    unsigned long long offset = (unsigned long long)(at->text - r->start);
    char text[SHOWN + 1] = ""; /* what a file holds goes to a terminal */
    for (size_t i = 0; shown && i < shown->len && i < SHOWN; i++)
        text[i] = (char)(isprint((unsigned char)shown->text[i]) ? shown->text[i] : '?');
    if (shown)
        diag_at_offset(r->diag, r->name, offset, "%s: '%s'", what, text);
    else
        diag_at_offset(r->diag, r->name, offset, "%s", what);
    return false;
}

static bool same_label(const char *have, const struct counts_field *label)
{
    for (size_t i = 0; i < label->len; i++) {
        unsigned char c = (unsigned char)label->text[i];
        if (have[i] != (char)(isprint(c) ? c : '?'))
            return false;
    }
    return have[label->len] == 0;
}

static struct counts_set *set_by_label(struct reader *r, const struct counts_field *label)
{
    struct counts *c = r->counts;
    struct counts_set *set;
    for (size_t i = c->n_sets; i-- > 0;) {
        const char *have = c->sets[i].label;
        if (label ? have && same_label(have, label) : !have)
            return &c->sets[i];
    }
    if (c->n_sets == COUNTS_MAX_SETS)
        return NULL;
    c->sets = array_grow(c->sets, c->n_sets, &c->room, sizeof *c->sets);
    set = &c->sets[c->n_sets++];
    memset(set, 0, sizeof *set);
    if (label) {
        char *text = pool_text(&c->pool, label->text, label->len);
        set->label = text;
        for (; *text; text++) /* it goes to terminals */
            *text = (char)(isprint((unsigned char)*text) ? *text : '?');
    }
    return set;
}

static struct sl_topdown_count *find(struct counts_set *set, uint64_t code, uint16_t group)
{
    for (size_t i = 0; i < set->n_counts; i++) {
        if (set->counts[i].code == code && set->counts[i].group == group)
            return &set->counts[i];
    }
    return NULL;
}

static struct sl_topdown_count *append(struct counts_set *set, const struct sl_topdown_count *count)
{
    if (set->n_counts == COUNTS_MAX_EVENTS)
        return NULL;
    set->counts = array_grow(set->counts, set->n_counts, &set->room, sizeof *set->counts);
    set->counts[set->n_counts] = *count;
    return &set->counts[set->n_counts++];
}

static bool register_name(const struct reader *r, const struct counts_field *f, uint64_t *code)
{
    static const struct {
        const char *name;
        unsigned reading;
    } names[] = {{"PERF_METRICS", METRICS_RAW},
                 {"PERF_METRICS_START", METRICS_START},
                 {"PERF_METRICS_END", METRICS_END},
                 {"SLOTS_START", SLOTS_START},
                 {"SLOTS_END", SLOTS_END}};
    if (r->model->family != SL_FAMILY_INTEL_METRICS)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (counts_is_text(f, names[i].name)) {
            *code = RAW_METRICS(names[i].reading);
            return true;
        }
    }
    return false;
}

/* EVENT,COUNT[,ENABLED,RUNNING[,WINDOWS,ALL_WINDOWS,SUM_OF_SQUARES]] */
static bool plain_line(struct reader *r)
{
    struct sl_topdown_count count = {.group = r->group};
    struct counts_set *set = set_by_label(r, NULL);
    uint64_t values[6] = {0};
    if (r->n_fields != 2 && r->n_fields != 4 && r->n_fields != 7)
        return complain(r, &r->fields[0], "expected EVENT,COUNT", &r->fields[0]);
    for (size_t i = 1; i < r->n_fields; i++) {
        if (!counts_whole(&r->fields[i], &values[i - 1]))
            return complain(r, &r->fields[i], "no whole number below 2^64", &r->fields[i]);
    }
    if (!register_name(r, &r->fields[0], &count.code) &&
        !counts_event_code(r->model, r->width, r->fields[0].text, r->fields[0].len, &count.code))
        return complain(r, &r->fields[0], "no event of this core", &r->fields[0]);
    count.value = values[0];
    count.enabled = values[1];
    count.running = values[2];
    if (count.running > count.enabled)
        return complain(r, &r->fields[3], "ran longer than it was enabled", &r->fields[3]);
    if (values[3] > values[4] || values[4] > UINT32_MAX)
        return complain(r, &r->fields[4], "ran in more windows than there were", &r->fields[4]);
    count.windows = (uint32_t)values[3];
    count.all_windows = (uint32_t)values[4];
    count.squares.lo = values[5];
    if (!set || find(set, count.code, count.group))
        return complain(r, &r->fields[0], "this event was given before", &r->fields[0]);
    return append(set, &count) || complain(r, &r->fields[0], "too many events", NULL);
}

/* Where the value stands in a line of perf's: behind a time stamp, a CPU and the number of CPUs, if these are there. */
static size_t perf_value(const struct reader *r)
{
    for (size_t i = 0; i < 4 && i + 4 < r->n_fields; i++) {
        const struct counts_field *f = &r->fields[i];
        const struct counts_field *behind = &r->fields[i + 3];
        if ((counts_is_number(f) || counts_is_absent(f)) && f[2].len && !counts_is_number(&f[2]) &&
            (counts_is_number(behind) || (behind->len && behind->text[behind->len - 1] == '%')))
            return i;
    }
    return COUNTS_FIELDS;
}

/* Index of the CPU or core that the line is about; COUNTS_FIELDS: none. */
static size_t perf_label(const struct reader *r, size_t value)
{
    for (size_t i = 0; i < value; i++) {
        if (r->fields[i].len && !counts_is_number(&r->fields[i]))
            return i;
    }
    return COUNTS_FIELDS;
}

static bool perf_line(struct reader *r, size_t at)
{
    const struct counts_field *f = &r->fields[at], *event = &f[2], *share = &f[4];
    size_t label = perf_label(r, at);
    struct sl_topdown_count count = {.scaled = true}, *before;
    struct counts_set *set;
    uint64_t percent = 10000;
    if (f[3].len && f[3].text[f[3].len - 1] == '%' && at + 5 < r->n_fields) /* -r: the variance comes first */
        share = &f[5];
    if (!counts_event_code(r->model, r->width, event->text, event->len, &count.code) ||
        (!counts_whole(f, &count.value) && !counts_is_absent(f))) {
        r->counts->n_foreign++;
        return true;
    }
    if (!counts_hundredths(share, &percent) || percent > 10000)
        return complain(r, share, "no percentage of the time it was counted", share);
    set = set_by_label(r, label < COUNTS_FIELDS ? &r->fields[label] : NULL);
    if (!set)
        return complain(r, &r->fields[0], "too many CPUs", NULL);
    count.enabled = 10000;
    count.running = counts_is_absent(f) ? 0 : percent;
    before = find(set, count.code, 0);
    if (!before)
        return append(set, &count) || complain(r, &r->fields[0], "too many events", NULL);
    if (before->value > UINT64_MAX - count.value)
        return complain(r, f, "the sum of this event is above 2^64", f);
    before->value += count.value;
    before->running = before->running < count.running ? before->running : count.running;
    return true;
}

static bool line(struct reader *r, const char *text, size_t len)
{
    struct counts_field all = {text, len};
    uint64_t group;
    size_t value;
    counts_trim(&all);
    if (all.len == 0 || all.text[0] == '#')
        return true;
    if (memchr(all.text, 0, all.len))
        return complain(r, &all, "no text", NULL);
    r->n_fields = counts_split(all.text, all.len, r->fields);
    if (r->n_fields == 2 && counts_is_text(&r->fields[0], "event"))
        return true;
    if (r->n_fields == 2 && counts_is_text(&r->fields[0], "group")) {
        if (!counts_whole(&r->fields[1], &group) || group > UINT16_MAX)
            return complain(r, &r->fields[1], "no group number", &r->fields[1]);
        r->group = (uint16_t)group;
        return true;
    }
    value = perf_value(r);
    return value < COUNTS_FIELDS ? perf_line(r, value) : plain_line(r);
}

/* Readings of PERF_METRICS and slots -> classes. */
static bool add_classes(struct reader *r, struct counts_set *set, uint16_t group)
{
    const struct sl_topdown_count *reading[METRICS_RAW + 1];
    struct sl_topdown_count classes[SL_TOPDOWN_CLASSES], slots = {.code = SL_TOPDOWN_FIXED(3), .group = group};
    struct counts_field start = {r->start, 0};
    uint64_t value[4] = {0};
    const struct sl_topdown_count *counted = find(set, SL_TOPDOWN_FIXED(3), group);
    if (!counted)
        counted = find(set, 0x01a4, group);
    for (unsigned i = 0; i <= METRICS_RAW; i++)
        reading[i] = find(set, RAW_METRICS(i), group);
    if (reading[METRICS_RAW]) {
        if (reading[METRICS_START] || reading[METRICS_END])
            return complain(r, &start, "both PERF_METRICS and PERF_METRICS_END", NULL);
        if (!counted)
            return complain(r, &start, "PERF_METRICS needs SLOTS", NULL);
        value[1] = reading[METRICS_RAW]->value;
        value[3] = counted->value;
    } else if (reading[METRICS_END] && reading[SLOTS_END]) {
        for (unsigned i = 0; i < 4; i++)
            value[i] = reading[i] ? reading[i]->value : 0;
    } else if (reading[METRICS_START] || reading[METRICS_END] || reading[SLOTS_START] || reading[SLOTS_END]) {
        return complain(r, &start, "PERF_METRICS_END needs SLOTS_END", NULL);
    } else {
        return true;
    }
    if (sl_topdown_metrics(value[METRICS_START], value[SLOTS_START], value[METRICS_END], value[SLOTS_END], classes))
        return complain(r, &start, "slots run backwards, or there are 2^55 or more", NULL);
    slots.value = value[SLOTS_END] - value[SLOTS_START];
    if (!counted && !append(set, &slots))
        return complain(r, &start, "too many events", NULL);
    for (unsigned i = 0; i < SL_TOPDOWN_CLASSES; i++) {
        classes[i].group = group;
        if (find(set, classes[i].code, group) || !append(set, &classes[i]))
            return complain(r, &start, "both PERF_METRICS and its classes", NULL);
    }
    return true;
}

static bool finish(struct reader *r)
{
    for (size_t s = 0; s < r->counts->n_sets; s++) {
        struct counts_set *set = &r->counts->sets[s];
        size_t n = set->n_counts;
        for (size_t i = 0; i < n; i++) {
            uint16_t group = set->counts[i].group;
            bool seen = false;
            for (size_t j = 0; j < i && !seen; j++)
                seen = set->counts[j].group == group;
            if (!seen && !add_classes(r, set, group))
                return false;
        }
        /* The readings themselves are no events. */
        n = 0;
        for (size_t i = 0; i < set->n_counts; i++) {
            if (set->counts[i].code >> 60 != 0xe)
                set->counts[n++] = set->counts[i];
        }
        set->n_counts = n;
    }
    return true;
}

bool counts_read(struct counts *counts, const char *name, const char *text, size_t len,
                 const struct sl_topdown_model *model, unsigned width, struct diag *diag)
{
    struct reader r = {.counts = counts, .model = model, .width = width, .name = name, .start = text, .diag = diag};
    const char *end = text + len;
    memset(counts, 0, sizeof *counts);
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (!line(&r, at, (size_t)(stop - at)))
            return false;
        at = newline ? newline + 1 : end;
    }
    if (!finish(&r))
        return false;
    if (counts->n_sets == 0) {
        struct counts_field start = {text, 0};
        return complain(&r, &start, "no counts", NULL);
    }
    return true;
}

void counts_free(struct counts *counts)
{
    for (size_t i = 0; i < counts->n_sets; i++)
        free(counts->sets[i].counts);
    free(counts->sets);
    pool_free(&counts->pool);
    memset(counts, 0, sizeof *counts);
}
