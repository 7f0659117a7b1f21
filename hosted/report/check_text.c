/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted figures beside those of a baseline. */
#include "check_text.h"

#include <inttypes.h>
#include <string.h>

enum verdict { SAME, WORSE, TOLERATED, BETTER, ADDED, MISSING, VERDICTS };

static const char *const words[VERDICTS] = { "same", "WORSE", "within tolerance", "better", "new", "MISSING" };
static const enum verdict order[] = { WORSE, MISSING, TOLERATED, BETTER, ADDED };

static void put_value(FILE *out, enum baseline_figure figure, uint64_t value)
{
    char text[40];
    if (figure <= BASELINE_SLOTS)
        snprintf(text, sizeof text, "%" PRIu64 ".%03u", value / 1000, (unsigned)(value % 1000));
    else
        snprintf(text, sizeof text, "%" PRIu64, value);
    fprintf(out, "%12s", text);
}

static void put_change(FILE *out, uint64_t before, uint64_t after)
{
    uint64_t change = after > before ? after - before : before - after, hundredths;
    if (!before) {
        fprintf(out, "         -");
        return;
    }
    hundredths = (change * 10000u + before / 2) / before; /* below 2^50 * 10^4 + 2^49 */
    char text[40];
    snprintf(text, sizeof text, "%c%" PRIu64 ".%02u%%", after >= before ? '+' : '-', hundredths / 100,
             (unsigned)(hundredths % 100));
    fprintf(out, "%10s", text);
}

static void put_tolerance(FILE *out, const struct baseline_tolerance *tolerance, enum baseline_figure figure)
{
    if (tolerance->is_share)
        fprintf(out, "  tolerance %u.%02u%%", (unsigned)(tolerance->amount / 100), (unsigned)(tolerance->amount % 100));
    else if (figure <= BASELINE_SLOTS)
        fprintf(out, "  tolerance %" PRIu64 ".%03u", tolerance->amount / 1000, (unsigned)(tolerance->amount % 1000));
    else
        fprintf(out, "  tolerance %" PRIu64, tolerance->amount);
}

static enum verdict judge(const struct baseline_entry *before, const struct baseline_entry *after,
                          const struct baseline_tolerance *tolerance)
{
    bool worse = false, more = false, less = false;
    for (unsigned f = 0; f < BASELINE_FIGURES; f++) {
        uint64_t was = baseline_figure(before, f), is = baseline_figure(after, f);
        worse |= baseline_is_worse(&tolerance[f], was, is);
        more |= is > was;
        less |= is < was;
    }
    return worse ? WORSE : more ? TOLERATED : less ? BETTER : SAME;
}

static void put_pair(FILE *out, enum verdict verdict, const struct baseline_entry *before,
                     const struct baseline_entry *after, const struct baseline_tolerance *tolerance)
{
    fprintf(out, "%s  %s\n", words[verdict], after->name);
    for (unsigned f = 0; f < BASELINE_FIGURES; f++) {
        uint64_t was = baseline_figure(before, f), is = baseline_figure(after, f);
        bool over = baseline_is_worse(&tolerance[f], was, is);
        if (was == is)
            continue;
        fprintf(out, "%s %-12s ", over ? "  !" : "   ", baseline_figure_names[f]);
        put_value(out, f, was);
        fputs(" ->", out);
        put_value(out, f, is);
        put_change(out, was, is);
        if (over)
            put_tolerance(out, &tolerance[f], f);
        putc('\n', out);
    }
    if (before->retiring != after->retiring)
        fprintf(out, "    retiring       %6u.%02u%% -> %7u.%02u%% of the slots\n", before->retiring / 100,
                before->retiring % 100, after->retiring / 100, after->retiring % 100);
}

static void put_alone(FILE *out, enum verdict verdict, const struct baseline_entry *entry)
{
    fprintf(out, "%s  %s: %" PRIu64 ".%03u cycles, %" PRIu64 ".%03u slots, %" PRIu64 " bytes\n", words[verdict],
            entry->name, entry->cycles / 1000, (unsigned)(entry->cycles % 1000), entry->slots / 1000,
            (unsigned)(entry->slots % 1000), entry->bytes);
}

/* Goes through both, prints those of one verdict, and counts them. */
static uint32_t walk(const struct baseline *before, const struct baseline *after,
                     const struct baseline_tolerance *tolerance, enum verdict wanted, FILE *out)
{
    size_t i = 0, k = 0;
    uint32_t n = 0;
    while (i < before->n_entries || k < after->n_entries) {
        int side = i == before->n_entries  ? 1
                   : k == after->n_entries ? -1
                                           : strcmp(before->entries[i].name, after->entries[k].name);
        const struct baseline_entry *was = side <= 0 ? &before->entries[i] : NULL;
        const struct baseline_entry *is = side >= 0 ? &after->entries[k] : NULL;
        enum verdict verdict = side < 0 ? MISSING : side > 0 ? ADDED : judge(was, is, tolerance);
        if (verdict == wanted) {
            n++;
            if (was && is && verdict != SAME)
                put_pair(out, verdict, was, is, tolerance);
            else if (verdict != SAME)
                put_alone(out, verdict, was ? was : is);
        }
        i += side <= 0;
        k += side >= 0;
    }
    return n;
}

struct check_counts check_text(const struct baseline *before, const struct baseline *after,
                               const struct baseline_tolerance tolerance[BASELINE_FIGURES], FILE *out)
{
    struct check_counts counts;
    uint32_t n[VERDICTS] = { 0 };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        n[order[i]] = walk(before, after, tolerance, order[i], out);
    n[SAME] = walk(before, after, tolerance, SAME, out);
    counts = (struct check_counts){ .same = n[SAME], .worse = n[WORSE], .tolerated = n[TOLERATED],
                                    .better = n[BETTER], .added = n[ADDED], .missing = n[MISSING] };
    fprintf(out, "%s: %u same, %u better, %u within tolerance, %u worse, %u missing, %u new\n",
            check_failed(&counts) ? "regression" : "no regression", counts.same, counts.better, counts.tolerated,
            counts.worse, counts.missing, counts.added);
    return counts;
}
