/* SPDX-License-Identifier: Apache-2.0 */
/* Counter values as text: "event,count" lines, or the output of `perf stat -x,` (perf-stat(1), CSV format). */
#include "counts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 16u
#define SHOWN      60

struct field {
    const char *text;
    size_t len;
};

struct reader {
    struct counts *counts;
    const struct sl_topdown_model *model;
    unsigned width;
    const char *name;
    const char *start;
    struct diag *diag;
    uint16_t group;
    struct field fields[MAX_FIELDS];
    size_t n_fields;
};

/* Intel's raw register readings become classes when the set is complete. */
#define RAW_METRICS(n) ((uint64_t)0xe << 60 | (uint64_t)(n))
enum { METRICS_START, METRICS_END, SLOTS_START, SLOTS_END, METRICS_RAW };

static bool complain(const struct reader *r, const struct field *at, const char *what, const struct field *shown)
{
    unsigned long long offset = (unsigned long long)(at->text - r->start);
    if (shown)
        diag_at_offset(r->diag, r->name, offset, "%s: '%.*s'", what, (int)(shown->len < SHOWN ? shown->len : SHOWN),
                       shown->text);
    else
        diag_at_offset(r->diag, r->name, offset, "%s", what);
    return false;
}

static void trim(struct field *f)
{
    while (f->len && isspace((unsigned char)f->text[0])) {
        f->text++;
        f->len--;
    }
    while (f->len && isspace((unsigned char)f->text[f->len - 1]))
        f->len--;
}

/* "PMU/term,term/" is one field although it holds commas. */
static size_t field_len(const char *text, size_t len, char separator)
{
    const char *end = memchr(text, separator, len);
    size_t first = end ? (size_t)(end - text) : len;
    const char *slash = memchr(text, '/', first);
    if (end && slash && !memchr(slash + 1, '/', first - (size_t)(slash + 1 - text))) {
        const char *close = memchr(end, '/', len - first);
        const char *next = close ? memchr(close, separator, len - (size_t)(close - text)) : NULL;
        if (close)
            return next ? (size_t)(next - text) : len;
    }
    return first;
}

static void split(struct reader *r, const char *line, size_t len)
{
    char separator = memchr(line, ';', len) ? ';' : memchr(line, '\t', len) ? '\t' : ',';
    r->n_fields = 0;
    for (;;) {
        struct field *f = &r->fields[r->n_fields++];
        size_t n = field_len(line, len, separator);
        f->text = line;
        f->len = n;
        trim(f);
        if (n == len || r->n_fields == MAX_FIELDS)
            return;
        line += n + 1;
        len -= n + 1;
    }
}

static bool is_text(const struct field *f, const char *text)
{
    return f->len == strlen(text) && !strncasecmp(f->text, text, f->len);
}

/* Whole number, decimal or 0x. */
static bool whole(const struct field *f, uint64_t *value)
{
    bool hex = f->len > 2 && f->text[0] == '0' && (f->text[1] == 'x' || f->text[1] == 'X');
    unsigned base = hex ? 16 : 10;
    *value = 0;
    if (f->len == 0)
        return false;
    for (size_t i = hex ? 2 : 0; i < f->len; i++) {
        unsigned char c = (unsigned char)f->text[i];
        unsigned digit = isdigit(c) ? (unsigned)c - '0' : isxdigit(c) ? (unsigned)tolower(c) - 'a' + 10u : 16u;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* A decimal fraction in hundredths, for perf's percentages and to tell numbers from names. */
static bool hundredths(const struct field *f, uint64_t *value)
{
    struct field part = *f;
    const char *dot = memchr(f->text, '.', f->len);
    uint64_t fraction = 0;
    if (dot) {
        part.len = (size_t)(dot - f->text);
        for (size_t i = part.len + 1; i < f->len; i++) {
            if (!isdigit((unsigned char)f->text[i]))
                return false;
        }
        if (part.len + 1 < f->len)
            fraction += 10u * (unsigned)(f->text[part.len + 1] - '0');
        if (part.len + 2 < f->len)
            fraction += (unsigned)(f->text[part.len + 2] - '0');
    }
    if (!whole(&part, value) || *value > UINT64_MAX / 100 - 1)
        return false;
    *value = *value * 100 + fraction;
    return true;
}

static bool is_number(const struct field *f)
{
    uint64_t value;
    return hundredths(f, &value) || whole(f, &value);
}

/* "<not counted>", "<not supported>". */
static bool is_absent(const struct field *f)
{
    return f->len > 1 && f->text[0] == '<' && f->text[f->len - 1] == '>';
}

static bool same_label(const char *have, const struct field *label)
{
    for (size_t i = 0; i < label->len; i++) {
        unsigned char c = (unsigned char)label->text[i];
        if (have[i] != (char)(isprint(c) ? c : '?'))
            return false;
    }
    return have[label->len] == 0;
}

static struct counts_set *set_by_label(struct reader *r, const struct field *label)
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

static bool register_name(const struct reader *r, const struct field *f, uint64_t *code)
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
        if (is_text(f, names[i].name)) {
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
        if (!whole(&r->fields[i], &values[i - 1]))
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
        const struct field *f = &r->fields[i];
        const struct field *behind = &r->fields[i + 3];
        if ((is_number(f) || is_absent(f)) && f[2].len && !is_number(&f[2]) &&
            (is_number(behind) || (behind->len && behind->text[behind->len - 1] == '%')))
            return i;
    }
    return MAX_FIELDS;
}

/* Index of the CPU or core that the line is about; MAX_FIELDS: none. */
static size_t perf_label(const struct reader *r, size_t value)
{
    for (size_t i = 0; i < value; i++) {
        if (r->fields[i].len && !is_number(&r->fields[i]))
            return i;
    }
    return MAX_FIELDS;
}

static bool perf_line(struct reader *r, size_t at)
{
    const struct field *f = &r->fields[at], *event = &f[2], *share = &f[4];
    size_t label = perf_label(r, at);
    struct sl_topdown_count count = {.scaled = true}, *before;
    struct counts_set *set;
    uint64_t percent = 10000;
    if (f[3].len && f[3].text[f[3].len - 1] == '%' && at + 5 < r->n_fields) /* -r: the variance comes first */
        share = &f[5];
    if (!counts_event_code(r->model, r->width, event->text, event->len, &count.code) ||
        (!whole(f, &count.value) && !is_absent(f))) {
        r->counts->n_foreign++;
        return true;
    }
    if (!hundredths(share, &percent) || percent > 10000)
        return complain(r, share, "no percentage of the time it was counted", share);
    set = set_by_label(r, label < MAX_FIELDS ? &r->fields[label] : NULL);
    if (!set)
        return complain(r, &r->fields[0], "too many CPUs", NULL);
    count.enabled = 10000;
    count.running = is_absent(f) ? 0 : percent;
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
    struct field all = {text, len};
    uint64_t group;
    size_t value;
    trim(&all);
    if (all.len == 0 || all.text[0] == '#')
        return true;
    if (memchr(all.text, 0, all.len))
        return complain(r, &all, "no text", NULL);
    split(r, all.text, all.len);
    if (r->n_fields == 2 && is_text(&r->fields[0], "event"))
        return true;
    if (r->n_fields == 2 && is_text(&r->fields[0], "group")) {
        if (!whole(&r->fields[1], &group) || group > UINT16_MAX)
            return complain(r, &r->fields[1], "no group number", &r->fields[1]);
        r->group = (uint16_t)group;
        return true;
    }
    value = perf_value(r);
    return value < MAX_FIELDS ? perf_line(r, value) : plain_line(r);
}

/* Readings of PERF_METRICS and slots -> classes. */
static bool add_classes(struct reader *r, struct counts_set *set, uint16_t group)
{
    const struct sl_topdown_count *reading[METRICS_RAW + 1];
    struct sl_topdown_count classes[SL_TOPDOWN_CLASSES], slots = {.code = SL_TOPDOWN_FIXED(3), .group = group};
    struct field start = {r->start, 0};
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
        struct field start = {text, 0};
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
