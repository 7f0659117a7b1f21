/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted figures of many regions as a text file. */
#include "baseline.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 60

const char *const baseline_figure_names[BASELINE_FIGURES] = { "cycles", "slots", "bytes", "instructions" };

uint64_t baseline_figure(const struct baseline_entry *entry, enum baseline_figure figure)
{
    const uint64_t values[BASELINE_FIGURES] = { entry->cycles, entry->slots, entry->bytes, entry->instructions };
    return values[figure];
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

/* Digits, and behind a point up to `places` of them: the value times ten to the power of places. *at moves behind it. */
static bool parse_decimal(const char **at, const char *end, unsigned places, uint64_t *value)
{
    const char *p = *at;
    unsigned behind = 0;
    bool point = false, digits = false;
    *value = 0;
    for (; p < end; p++) {
        if (*p == '.' && !point && digits && places) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)*p) || (point && behind == places))
            break;
        digits = true;
        behind += point;
        *value = *value * 10 + (uint64_t)(*p - '0');
        if (*value > BASELINE_MOST)
            return false;
    }
    if (!digits || (point && !behind))
        return false;
    for (; behind < places; behind++)
        *value *= 10;
    *at = p;
    return *value <= BASELINE_MOST;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

struct line {
    const char *text, *end;
    unsigned number;
};

struct reader {
    struct baseline *baseline;
    const struct source *source;
    struct diag *diag;
    bool has_loops;
};

static bool complain(struct reader *r, const struct line *line, const char *what)
{
    char shown[SHOWN + 1] = ""; /* what a file holds goes to a terminal */
    for (size_t i = 0; i < SHOWN && line->text + i < line->end; i++)
        shown[i] = (char)(isprint((unsigned char)line->text[i]) ? line->text[i] : '?');
    diag_raw_error(r->diag, "slotledger: %s:%u: %s: '%s'\n", r->source->name, line->number, what, shown);
    return false;
}

static bool starts(const struct line *line, const char *text)
{
    size_t len = strlen(text);
    return (size_t)(line->end - line->text) >= len && !memcmp(line->text, text, len);
}

/* Moves past spaces and `text`. */
static bool skip(const char **at, const char *end, const char *text)
{
    size_t len = strlen(text);
    while (*at < end && **at == ' ')
        (*at)++;
    if ((size_t)(end - *at) < len || memcmp(*at, text, len) != 0)
        return false;
    *at += len;
    return true;
}

static bool parse_entry(struct reader *r, const struct line *line)
{
    struct baseline_entry entry = { NULL, 0, 0, 0, 0, 0 };
    const char *at = line->text, *end = line->end;
    uint64_t retiring;
    char *name;
    if (!skip(&at, end, "cycles=") || !parse_decimal(&at, end, 3, &entry.cycles) || !skip(&at, end, "slots=") ||
        !parse_decimal(&at, end, 3, &entry.slots) || !skip(&at, end, "retiring=") ||
        !parse_decimal(&at, end, 2, &retiring) || retiring > 10000 || !skip(&at, end, "%") ||
        !skip(&at, end, "bytes=") || !parse_decimal(&at, end, 0, &entry.bytes) || !skip(&at, end, "instructions=") ||
        !parse_decimal(&at, end, 0, &entry.instructions) || at == end || *at++ != ' ' || at == end)
        return complain(r, line, "expected cycles=N slots=N retiring=N% bytes=N instructions=N NAME");
    for (const char *p = at; p < end; p++)
        if (!isprint((unsigned char)*p))
            return complain(r, line, "a name with a byte that does not print");
    entry.retiring = (uint32_t)retiring;
    entry.name = name = pool_text(&r->baseline->pool, at, (size_t)(end - at));
    if (r->baseline->n_entries && strcmp(r->baseline->entries[r->baseline->n_entries - 1].name, name) >= 0)
        return complain(r, line, "entries are not in the order of their names, or a name is there twice");
    r->baseline->entries = array_grow(r->baseline->entries, r->baseline->n_entries, &r->baseline->capacity,
                                      sizeof *r->baseline->entries);
    r->baseline->entries[r->baseline->n_entries++] = entry;
    return true;
}

static bool parse_header(struct reader *r, const struct line *line)
{
    struct baseline *b = r->baseline;
    const char *at = line->text;
    uint64_t number;
    if (starts(line, "cpu ") && line->end - line->text > 4 && !b->cpu) {
        for (const char *p = line->text + 4; p < line->end; p++)
            if (!isgraph((unsigned char)*p))
                return complain(r, line, "no name of a processor");
        b->cpu = pool_text(&b->pool, line->text + 4, (size_t)(line->end - line->text - 4));
        return true;
    }
    if (skip(&at, line->end, "iterations ") && !b->iterations && parse_decimal(&at, line->end, 0, &number) &&
        at == line->end && number > 0 && number <= UINT32_MAX) {
        b->iterations = (uint32_t)number;
        return true;
    }
    if (!r->has_loops && (starts(line, "regions loops") || starts(line, "regions functions"))) {
        b->loops = starts(line, "regions loops");
        r->has_loops = (size_t)(line->end - line->text) == strlen(b->loops ? "regions loops" : "regions functions");
        if (r->has_loops)
            return true;
    }
    return complain(r, line, "expected, once each: cpu NAME, iterations N, regions functions or regions loops");
}

static bool parse_line(struct reader *r, const struct line *line)
{
    bool head = r->baseline->cpu && r->baseline->iterations && r->has_loops;
    if (line->text == line->end || *line->text == '#')
        return true;
    if (starts(line, "cycles="))
        return head ? parse_entry(r, line) : complain(r, line, "an entry in front of cpu, iterations and regions");
    return parse_header(r, line);
}

bool baseline_parse(struct baseline *baseline, const struct source *source, struct diag *diag)
{
    struct reader r = { .baseline = baseline, .source = source, .diag = diag };
    const char *at = source->text, *end = source->text + source->len;
    struct line line = { at, at, 1 };
    for (unsigned number = 1; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        line = (struct line){ at, stop ? stop : end, number };
        at = stop ? stop + 1 : end;
        if (line.end > line.text && line.end[-1] == '\r')
            line.end--;
        if (number == 1 && (!starts(&line, "slotledger-baseline 1") || line.end - line.text != 21))
            return complain(&r, &line, "expected 'slotledger-baseline 1'");
        if (number > 1 && !parse_line(&r, &line))
            return false;
    }
    if (!baseline->cpu || !baseline->iterations || !r.has_loops)
        return complain(&r, &line, "the file ends without cpu, iterations or regions, behind");
    return true;
}

/* ---- making ---------------------------------------------------------------------------------------------------- */

void baseline_add(struct baseline *b, const struct baseline_entry *entry)
{
    char *name = pool_text(&b->pool, entry->name, strlen(entry->name));
    for (char *p = name; *p; p++)
        if (!isprint((unsigned char)*p))
            *p = '?';
    b->entries = array_grow(b->entries, b->n_entries, &b->capacity, sizeof *b->entries);
    b->entries[b->n_entries] = *entry;
    b->entries[b->n_entries++].name = *name ? name : "?";
}

/* Stable, for the numbers of equal names. */
static void merge_sort(struct baseline_entry *entries, struct baseline_entry *other, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t left = from, middle = from + width < n ? from + width : n;
            size_t right = middle, end = from + 2 * width < n ? from + 2 * width : n;
            for (size_t k = from; k < end; k++) {
                bool take_left = left < middle && (right >= end || strcmp(entries[left].name, entries[right].name) <= 0);
                other[k] = take_left ? entries[left++] : entries[right++];
            }
        }
        memcpy(entries, other, n * sizeof *entries);
    }
}

static void sort(struct baseline *b)
{
    struct baseline_entry *other = malloc(b->n_entries * sizeof *other + 1);
    if (!other)
        out_of_memory();
    merge_sort(b->entries, other, b->n_entries);
    free(other);
}

void baseline_sort(struct baseline *b)
{
    bool twice = false;
    sort(b);
    for (size_t i = 0; i < b->n_entries;) {
        size_t n = 1;
        for (; i + n < b->n_entries && !strcmp(b->entries[i].name, b->entries[i + n].name); n++) {
            struct text name = { NULL, 0, 0 };
            text_printf(&name, "%s (%zu)", b->entries[i].name, n + 1);
            b->entries[i + n].name = pool_text(&b->pool, name.data, name.len);
            text_free(&name);
            twice = true;
        }
        i += n;
    }
    if (twice)
        sort(b);
}

void baseline_write(const struct baseline *b, FILE *out)
{
    fprintf(out, "slotledger-baseline %u\ncpu %s\niterations %u\nregions %s\n", BASELINE_VERSION, b->cpu, b->iterations,
            b->loops ? "loops" : "functions");
    for (size_t i = 0; i < b->n_entries; i++) {
        const struct baseline_entry *e = &b->entries[i];
        fprintf(out, "cycles=%" PRIu64 ".%03u slots=%" PRIu64 ".%03u retiring=%u.%02u%% bytes=%" PRIu64
                " instructions=%" PRIu64 " %s\n", e->cycles / 1000, (unsigned)(e->cycles % 1000), e->slots / 1000,
                (unsigned)(e->slots % 1000), e->retiring / 100, e->retiring % 100, e->bytes, e->instructions, e->name);
    }
}

void baseline_free(struct baseline *baseline)
{
    free(baseline->entries);
    pool_free(&baseline->pool);
    memset(baseline, 0, sizeof *baseline);
}

/* ---- tolerances ------------------------------------------------------------------------------------------------ */

static bool parse_tolerance(const char **at, const char *end, struct baseline_tolerance *tolerance, unsigned places)
{
    const char *number = *at;
    tolerance->is_share = true;
    if (parse_decimal(at, end, 2, &tolerance->amount) && *at < end && **at == '%') {
        (*at)++;
        return tolerance->amount <= 10000;
    }
    *at = number;
    tolerance->is_share = false;
    return parse_decimal(at, end, places, &tolerance->amount);
}

bool baseline_tolerances(const char *text, struct baseline_tolerance tolerance[BASELINE_FIGURES])
{
    const char *at = text, *end = text + strlen(text);
    for (;;) {
        unsigned f = 0;
        for (; f < BASELINE_FIGURES; f++) {
            size_t len = strlen(baseline_figure_names[f]);
            if (!strncmp(at, baseline_figure_names[f], len) && at[len] == '=') {
                at += len + 1;
                break;
            }
        }
        if (f == BASELINE_FIGURES || !parse_tolerance(&at, end, &tolerance[f], f <= BASELINE_SLOTS ? 3 : 0))
            return false;
        if (at == end)
            return true;
        if (*at++ != ',')
            return false;
    }
}

bool baseline_is_worse(const struct baseline_tolerance *tolerance, uint64_t before, uint64_t after)
{
    uint64_t more = after > before ? after - before : 0;
    if (!tolerance->is_share)
        return more > tolerance->amount;
    /* more / before > amount / 10000; no product is above 2^50 * 10^4 < 2^64. */
    return more * 10000u > before * tolerance->amount;
}
